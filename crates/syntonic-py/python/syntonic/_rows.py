"""Row operators and their gradients. Written by `cargo xtask gen` from the tables of the engine; do not edit.

They look at whole rows, those along `axis`. Operands are real floats of one shape, or one row for all.
"""

from __future__ import annotations

from syntonic._core import RowOperator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = [
    "cosine_similarity",
    "cosine_similarity_backward",
    "entropy",
    "entropy_backward",
    "golden_rms_norm",
    "golden_rms_norm_backward",
    "normalize",
    "normalize_backward",
    "relative_entropy",
    "relative_entropy_backward",
    "rms_norm",
    "rms_norm_backward",
]


_cosine_similarity = RowOperator("cosine_similarity")


def cosine_similarity(a: ArrayLike, b: ArrayLike, *, eps: float = 1e-8, axis: int = -1) -> State:
    """sum(a b) / (max(|a|, eps) max(|b|, eps)), the cosine of the angle between two rows: `[.., n], [.., n] -> [..]`."""
    return _cosine_similarity.call((a, b), (eps,), axis)


def cosine_similarity_backward(
    grad: ArrayLike, a: ArrayLike, b: ArrayLike, *, eps: float = 1e-8, axis: int = -1
) -> tuple[State, State]:
    """The gradients of `cosine_similarity` with respect to `a` and `b`, from that of its result, `grad`."""
    of_a, of_b = _cosine_similarity.backward(grad, (a, b), (eps,), axis)
    return of_a, of_b


_entropy = RowOperator("entropy")


def entropy(p: ArrayLike, *, axis: int = -1) -> State:
    """-sum(p ln p) in nats, with 0 ln 0 = 0: `[.., n] -> [..]`. Shannon, A Mathematical Theory of Communication, 1948."""
    return _entropy.call((p,), (), axis)


def entropy_backward(grad: ArrayLike, p: ArrayLike, *, axis: int = -1) -> State:
    """The gradient of `entropy` with respect to `p`, from that of its result, `grad`."""
    return _entropy.backward(grad, (p,), (), axis)[0]


_golden_rms_norm = RowOperator("golden_rms_norm")


def golden_rms_norm(x: ArrayLike, weight: ArrayLike, *, eps: float = 1e-6, axis: int = -1) -> State:
    """x / sqrt(phi (mean(x^2) + eps)) * weight: the mean square of the row becomes 1/phi. `[.., n], [n] -> [.., n]`. The RMS norm of Zhang and Sennrich, 2019, with the variance of the golden norms."""
    return _golden_rms_norm.call((x, weight), (eps,), axis)


def golden_rms_norm_backward(
    grad: ArrayLike, x: ArrayLike, weight: ArrayLike, *, eps: float = 1e-6, axis: int = -1
) -> tuple[State, State]:
    """The gradients of `golden_rms_norm` with respect to `x` and `weight`, from that of its result, `grad`."""
    of_x, of_weight = _golden_rms_norm.backward(grad, (x, weight), (eps,), axis)
    return of_x, of_weight


_normalize = RowOperator("normalize")


def normalize(x: ArrayLike, *, eps: float = 1e-12, axis: int = -1) -> State:
    """x / max(|x|, eps), where |x| is the Euclidean norm of the row: `[.., n] -> [.., n]`. Squares neither overflow nor vanish."""
    return _normalize.call((x,), (eps,), axis)


def normalize_backward(grad: ArrayLike, x: ArrayLike, *, eps: float = 1e-12, axis: int = -1) -> State:
    """The gradient of `normalize` with respect to `x`, from that of its result, `grad`."""
    return _normalize.backward(grad, (x,), (eps,), axis)[0]


_relative_entropy = RowOperator("relative_entropy")


def relative_entropy(p: ArrayLike, q: ArrayLike, *, axis: int = -1) -> State:
    """sum(p ln(p/q)) in nats, with 0 ln 0 = 0, and infinite where q is 0 and p is not: `[.., n], [.., n] -> [..]`. Kullback and Leibler, On Information and Sufficiency, 1951."""
    return _relative_entropy.call((p, q), (), axis)


def relative_entropy_backward(grad: ArrayLike, p: ArrayLike, q: ArrayLike, *, axis: int = -1) -> tuple[State, State]:
    """The gradients of `relative_entropy` with respect to `p` and `q`, from that of its result, `grad`."""
    of_p, of_q = _relative_entropy.backward(grad, (p, q), (), axis)
    return of_p, of_q


_rms_norm = RowOperator("rms_norm")


def rms_norm(x: ArrayLike, weight: ArrayLike, *, eps: float = 1e-6, axis: int = -1) -> State:
    """x / sqrt(mean(x^2) + eps) * weight: `[.., n], [n] -> [.., n]`. Zhang and Sennrich, Root Mean Square Layer Normalization, 2019."""
    return _rms_norm.call((x, weight), (eps,), axis)


def rms_norm_backward(
    grad: ArrayLike, x: ArrayLike, weight: ArrayLike, *, eps: float = 1e-6, axis: int = -1
) -> tuple[State, State]:
    """The gradients of `rms_norm` with respect to `x` and `weight`, from that of its result, `grad`."""
    of_x, of_weight = _rms_norm.backward(grad, (x, weight), (eps,), axis)
    return of_x, of_weight
