"""The sums of active inference: how far a belief moved from its prior, and how well it predicts what was observed.

Their difference, `kl_divergence(...) - accuracy(...)`, is the variational free energy in nats.
"""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["accuracy", "categorical_kl_divergence", "kl_divergence"]


def kl_divergence(mean_q: ArrayLike, mean_p: ArrayLike, var_q: ArrayLike, var_p: ArrayLike) -> State:
    """KL(q || p) of diagonal Gaussians along the last axis, `1/2 sum(r - 1 - ln r + (mean_q - mean_p)^2 / var_p)` with
    `r = var_q / var_p`: `[..., n]` four times `-> [...]`. Operands broadcast, so that rows may share a prior.

    A variance of 0 in q and an infinite one in p are infinitely far; a negative variance and 0 in p are NaN.
    """
    return _core.kl_divergence(mean_q, mean_p, var_q, var_p)


def categorical_kl_divergence(q: ArrayLike, p: ArrayLike) -> State:
    """KL(q || p) = sum(q ln(q/p)) of probabilities along the last axis: `[..., n], [..., n] -> [...]`.

    0 ln(0/p) is 0; q > 0 where p = 0 is infinite. Nothing is normalised.
    """
    return _core.categorical_kl_divergence(q, p)


def accuracy(
    observation: ArrayLike, prediction: ArrayLike, precision: ArrayLike, *, variance: ArrayLike | None = None
) -> State:
    """The log density of an observation under Gaussian noise around a prediction, along the last axis:
    `-1/2 sum(precision (observation - prediction)^2 - ln precision + ln 2 pi)`, `[..., m]` three times `-> [...]`.

    With the prediction's own `variance` the square is what it is expected to be, `(observation - prediction)^2 + variance`.
    A precision of 0 gives minus infinity, an infinite one plus infinity where the prediction is exactly right, a negative
    one NaN.
    """
    return _core.accuracy(observation, prediction, precision, variance)
