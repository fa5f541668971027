"""Attention with any score, and with weights of keys."""

from __future__ import annotations

from syntonic import _core
from syntonic._elementwise import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["attention", "golden_attention"]


def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    score: Callable[..., State] | None = None,
    operands: Iterable[ArrayLike] = (),
    causal: bool = False,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> State:
    """softmax(score(scale * q @ k.mT)) @ v: `q [.., H, Q, D]`, `k [.., G, K, D]`, `v [.., G, K, E]` -> `[.., H, Q, E]`.

    One pass in which the scores are never in memory. Where H is a multiple of G, each head of keys serves H / G neighbouring heads. `score`
    is called once, as score(s, b, h, q, k, *operands), with the scores `[B, H, Q, K]` in float32 (float64 for float64), the numbers of
    batch, head, query and key, and what broadcasts to `[B, H, Q, K]`; it returns scores, and may use element-wise functions alone.
    Operands have gradients. `causal` lets query i attend to the keys up to i. A `mask` is True where a query attends to a key, or is added
    to the score. `scale` is 1/sqrt(D) if not given. A query without keys has the result 0.
    """
    return _core.attention(q, k, v, score, operands, causal, mask, scale)


def golden_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mode_norms: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    log_weights: ArrayLike | None = None,
    power: float = 1.0,
    causal: bool = False,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> State:
    """`attention` whose keys carry weights, as the classes of `syntonic_softmax` do: softmax(scale * q @ k.mT + power ln w) @ v.

    The weights come from `mode_norms` (w = e^(-|n|^2/phi)), `log_weights` or `weights`; each broadcasts to `[B, H, Q, K]`, so `[K]` is one
    for each key.
    """
    given = [values for values in (mode_norms, weights, log_weights) if values is not None]
    if len(given) > 1:
        raise _core.ArgumentError("golden_attention: give one of mode_norms, weights and log_weights")
    try:
        times = float(power) * (-_core.INV_PHI if mode_norms is not None else 1.0)
    except (TypeError, ValueError, OverflowError):
        raise _core.ArgumentTypeError(f"golden_attention: power is of type {type(power).__name__}; it must be a real number") from None
    if not -float("inf") < times < float("inf"):
        raise _core.ArgumentError(f"golden_attention: power is {power!r:.40}; hint: it must be a finite number")

    def weighted(s: State, b: State, h: State, q: State, k: State, w: State) -> State:
        w = w.astype(s.dtype)
        return s + times * (w if weights is None else log(w))

    return _core.attention(q, k, v, weighted if given else None, given, causal, mask, scale)
