"""Reductions: many elements to one, along the axes one names, or all of them."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike, Axes, DTypeLike

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "logsumexp",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]


def sum(x: ArrayLike, /, *, axis: Axes | None = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> State:
    """The sum. Integers and bool are summed in 64 bits unless dtype says otherwise; floats in double precision."""
    return _core.sum(x, axis, dtype, keepdims)


def prod(x: ArrayLike, /, *, axis: Axes | None = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> State:
    """The product. Integers and bool are multiplied in 64 bits unless dtype says otherwise."""
    return _core.prod(x, axis, dtype, keepdims)


def mean(x: ArrayLike, /, *, axis: Axes | None = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> State:
    """The mean; integers give float64. NaN over no elements."""
    return _core.mean(x, axis, dtype, keepdims)


def var(x: ArrayLike, /, *, axis: Axes | None = None, correction: float = 0.0, keepdims: bool = False) -> State:
    """The variance, sum |x - mean|^2 / (n - correction). NaN or infinite where that is not defined."""
    return _core.var(x, axis, correction, keepdims)


def std(x: ArrayLike, /, *, axis: Axes | None = None, correction: float = 0.0, keepdims: bool = False) -> State:
    """The standard deviation: the root of the variance."""
    return _core.std(x, axis, correction, keepdims)


def min(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False) -> State:
    """The smallest element; NaN if any is. An error over no elements."""
    return _core.min(x, axis, keepdims)


def max(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False) -> State:
    """The largest element; NaN if any is. An error over no elements."""
    return _core.max(x, axis, keepdims)


def any(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False) -> State:
    """True if any element is not zero."""
    return _core.any(x, axis, keepdims)


def all(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False) -> State:
    """True if all elements are not zero."""
    return _core.all(x, axis, keepdims)


def argmin(x: ArrayLike, /, *, axis: int | None = None, keepdims: bool = False) -> State:
    """The position of the first smallest element, or of the first NaN."""
    return _core.argmin(x, axis, keepdims)


def argmax(x: ArrayLike, /, *, axis: int | None = None, keepdims: bool = False) -> State:
    """The position of the first largest element, or of the first NaN."""
    return _core.argmax(x, axis, keepdims)


def count_nonzero(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False) -> State:
    """How many elements are not zero."""
    return _core.count_nonzero(x, axis, keepdims)


def logsumexp(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False) -> State:
    """ln of the sum of e^x, without overflow; real types."""
    return _core.logsumexp(x, axis, keepdims)
