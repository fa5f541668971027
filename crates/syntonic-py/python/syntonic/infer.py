"""The sums of active inference: how far a belief moved from its prior, and how well it predicts what was observed.

Their difference is the variational free energy in nats, `free_energy`; `belief_update` follows its gradient.

`DiscreteModel` has outcomes, hidden states and actions: `infer_states`, `expected_free_energy` and their neighbours go from what was
observed to an action, and `DiscreteAgent` is the loop of them.
"""

from __future__ import annotations

from syntonic import _core
from syntonic._core import DiscreteModel
from syntonic._discrete import (
    DiscreteAgent,
    action_marginals,
    choose_action,
    expected_free_energy,
    infer_states,
    policies,
    policy_posterior,
    predict_states,
    sample_action,
)
from syntonic._records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = [
    "DiscreteAgent",
    "DiscreteModel",
    "accuracy",
    "action_marginals",
    "belief_update",
    "categorical_free_energy",
    "categorical_kl_divergence",
    "choose_action",
    "expected_free_energy",
    "free_energy",
    "infer_states",
    "kl_divergence",
    "policies",
    "policy_posterior",
    "predict_states",
    "sample_action",
]


class FreeEnergy(NamedTuple):
    """`free_energy = complexity - accuracy`, in nats."""

    free_energy: State
    complexity: State
    accuracy: State


class BeliefUpdate(NamedTuple):
    """What `belief_update` leaves; each part has a number for each agent.

    `mean` `[..., n]`; `steps` that led to it; whether the free energy came to rest (`converged`) or left the finite numbers
    (`diverged`); `change`, the length of the last step; `free_energy` of the mean; its `history`, `[..., steps + 1]` with NaN behind the
    last, or None.
    """

    mean: State
    steps: State
    converged: State
    diverged: State
    change: State
    free_energy: State
    history: State | None


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


def free_energy(
    mean_q: ArrayLike,
    mean_p: ArrayLike,
    var_q: ArrayLike,
    var_p: ArrayLike,
    observation: ArrayLike,
    prediction: ArrayLike,
    precision: ArrayLike,
    *,
    jacobian: ArrayLike | None = None,
) -> FreeEnergy:
    """Variational free energy of diagonal Gaussian beliefs in nats, `kl_divergence(...) - accuracy(...)`, with both parts: `[..., n]`
    four times and `[..., m]` three times `-> [...]` three times. Operands broadcast; n and m need not be equal. On a GPU it is one launch.

    With a `jacobian` `[m, n]` or `[..., m, n]` the accuracy is what the belief expects of it: the prediction's variance
    `sum_j jacobian_ij^2 var_q_j` is added to the square. Edges are those of the two parts. Real floats; float16 and bfloat16 are computed
    in float32. Source: K. Friston, Nature Reviews Neuroscience 11 (2010).

    >>> import syntonic
    >>> syntonic.infer.free_energy([1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [0.5], [0.5], [1.0]).complexity.item()
    0.5
    """
    return FreeEnergy(*_core.free_energy(mean_q, mean_p, var_q, var_p, observation, prediction, precision, jacobian))


def categorical_free_energy(q: ArrayLike, p: ArrayLike, log_likelihood: ArrayLike) -> FreeEnergy:
    """Variational free energy of categorical beliefs in nats, `sum(q ln(q/p)) - sum(q log_likelihood)` with both parts: `[..., n]` three
    times `-> [...]` three times. `log_likelihood` has the logarithm of how probable the observation is in each state.

    A state without probability adds nothing to the accuracy. At the posterior F is minus the logarithm of the evidence.
    """
    return FreeEnergy(*_core.categorical_free_energy(q, p, log_likelihood))


def belief_update(
    mu: ArrayLike,
    jacobian: ArrayLike,
    observation: ArrayLike,
    precision: ArrayLike,
    *,
    prior_mean: ArrayLike | None = None,
    prior_precision: ArrayLike | None = None,
    reference: ArrayLike | None = None,
    rate: float = 0.01,
    steps: int = 10,
    tolerance: float = 0.0,
    history: bool = False,
) -> BeliefUpdate:
    """The mean of a Gaussian belief after steps down the free energy at fixed variances, all in one launch:
    `mu <- mu + rate (J^T Pi (o - J mu - reference) - Pi_p (mu - prior_mean))`.

    `mu` `[..., n]`, `jacobian` J `[m, n]` or `[..., m, n]`, transposed or not, `observation` o, `precision` Pi and `reference` `[..., m]`,
    prior `[..., n]` or what broadcasts to it; leading axes are agents. Real floats; float16 and bfloat16 are computed in float32. The free
    energy is its part that depends on the mean, `1/2 sum Pi (o - J mu - reference)^2 + 1/2 sum Pi_p (mu - prior_mean)^2`.

    Steps end where that has changed by less than `tolerance`. Below a rate of 2 over the largest eigenvalue of `J^T Pi J + Pi_p` they lead
    to `solve(J^T Pi J + Pi_p, J^T Pi (o - reference) + Pi_p prior_mean)`. An agent whose free energy is no finite number, since the rate is
    too large, or a precision negative, infinite or NaN, keeps the last mean where it was finite, and has `diverged`: that is no error. Errors
    are shapes that do not fit, other dtypes, operands on several devices, a rate that is not positive and finite, a tolerance below 0, and a
    prior of which only one half is given.

    >>> import syntonic
    >>> result = syntonic.infer.belief_update([0.0], [[2.0]], [4.0], [1.0], rate=0.25, steps=50, tolerance=1e-9)
    >>> result.mean.item(), result.steps.item(), bool(result.converged)
    (2.0, 2, True)
    """
    if (prior_mean is None) != (prior_precision is None):
        raise _core.ArgumentError(
            "belief_update: a prior has a mean and a precision; hint: give both prior_mean and prior_precision, or neither"
        )
    made = _core.belief_update(
        mu, jacobian, observation, precision, reference, prior_mean, prior_precision, rate, steps, tolerance, history
    )
    return BeliefUpdate(*made)
