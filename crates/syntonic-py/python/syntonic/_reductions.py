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


def sum(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: State | None = None,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> State:
    """The sum. Integers and bool are summed in 64 bits unless dtype says otherwise; floats in double precision.

    Of all reductions: `where` says which elements count, `initial` is one number more, and the result goes to `out` if that is given.
    """
    return _core.sum(x, axis, dtype, out, keepdims, initial, where)


def prod(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: State | None = None,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> State:
    """The product. Integers and bool are multiplied in 64 bits unless dtype says otherwise."""
    return _core.prod(x, axis, dtype, out, keepdims, initial, where)


def mean(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: State | None = None,
    where: ArrayLike | None = None,
) -> State:
    """The mean; integers give float64. NaN over no elements."""
    return _core.mean(x, axis, dtype, out, keepdims, where)


def var(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    correction: float | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    out: State | None = None,
    where: ArrayLike | None = None,
    ddof: float | None = None,
) -> State:
    """The variance, sum |x - mean|^2 / (n - correction). NaN or infinite where that is not defined. `ddof` is the correction, too."""
    return _core.var(x, axis, dtype, out, ddof, keepdims, where=where, correction=correction)


def std(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    correction: float | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    out: State | None = None,
    where: ArrayLike | None = None,
    ddof: float | None = None,
) -> State:
    """The standard deviation: the root of the variance."""
    return _core.std(x, axis, dtype, out, ddof, keepdims, where=where, correction=correction)


def min(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    keepdims: bool = False,
    out: State | None = None,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> State:
    """The smallest element; NaN if any is. An error over no elements without `initial`."""
    return _core.min(x, axis, out, keepdims, initial, where)


def max(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    keepdims: bool = False,
    out: State | None = None,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> State:
    """The largest element; NaN if any is. An error over no elements without `initial`."""
    return _core.max(x, axis, out, keepdims, initial, where)


def any(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    keepdims: bool = False,
    out: State | None = None,
    where: ArrayLike | None = None,
) -> State:
    """True if any element is not zero."""
    return _core.any(x, axis, out, keepdims, where)


def all(
    x: ArrayLike,
    /,
    axis: Axes | None = None,
    *,
    keepdims: bool = False,
    out: State | None = None,
    where: ArrayLike | None = None,
) -> State:
    """True if all elements are not zero."""
    return _core.all(x, axis, out, keepdims, where)


def argmin(x: ArrayLike, /, axis: int | None = None, *, keepdims: bool = False, out: State | None = None) -> State:
    """The position of the first smallest element, or of the first NaN."""
    return _core.argmin(x, axis, out, keepdims)


def argmax(x: ArrayLike, /, axis: int | None = None, *, keepdims: bool = False, out: State | None = None) -> State:
    """The position of the first largest element, or of the first NaN."""
    return _core.argmax(x, axis, out, keepdims)


def count_nonzero(x: ArrayLike, /, axis: Axes | None = None, *, keepdims: bool = False) -> State:
    """How many elements are not zero."""
    return _core.count_nonzero(x, axis, keepdims)


def logsumexp(x: ArrayLike, /, axis: Axes | None = None, *, keepdims: bool = False) -> State:
    """ln of the sum of e^x, without overflow; minus infinity over no elements."""
    return _core.logsumexp(x, axis, keepdims)
