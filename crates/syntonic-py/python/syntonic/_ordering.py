"""Sorting and what follows from it, and running sums."""

from __future__ import annotations

from syntonic import _core
from syntonic._core import State
from syntonic._records import NamedTuple
from syntonic._search import search_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from syntonic._typing import ArrayLike, Axes, DTypeLike

__all__ = [
    "UniqueAllResult",
    "UniqueCountsResult",
    "UniqueInverseResult",
    "argsort",
    "bincount",
    "cumulative_prod",
    "cumulative_sum",
    "isin",
    "median",
    "quantile",
    "searchsorted",
    "sort",
    "topk",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """The different elements in order, where each occurs first, which of them each element is, and how often each occurs."""

    values: State
    indices: State
    inverse_indices: State
    counts: State


class UniqueCountsResult(NamedTuple):
    """The different elements in order, and how often each occurs."""

    values: State
    counts: State


class UniqueInverseResult(NamedTuple):
    """The different elements in order, and which of them each element is."""

    values: State
    inverse_indices: State


def sort(x: ArrayLike, /, axis: int = -1, *, descending: bool = False, stable: bool = True) -> State:
    """The elements along an axis in order, NaN last. Always stable."""
    return _core.sort(x, axis, descending)


def argsort(x: ArrayLike, /, axis: int = -1, *, descending: bool = False, stable: bool = True) -> State:
    """The positions that put the elements in order, NaN last. Equal elements keep their order."""
    return _core.argsort(x, axis, descending)


def topk(
    x: ArrayLike, k: int, /, *, axis: int = -1, largest: bool = True, ranked: bool = True
) -> tuple[State, State]:
    """The k largest or smallest elements along an axis and their positions; in order, or as they come."""
    return _core.topk(x, k, axis, largest, ranked)


def searchsorted(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: ArrayLike | None = None,
    axis: int = -1,
) -> State:
    """Where each element of `x2` belongs in the sorted vector `x1`: before equal ones, or after them.

    Where `x1` has several axes, each of its rows along `axis` is searched for the row of `x2` at the same place.
    """
    rows = _core.asarray(x1)
    if rows.ndim > 1:
        if side not in ("left", "right"):
            raise _core.ArgumentError(f"searchsorted: side is {side!r:.40}; it must be one of \"left\", \"right\"")
        return search_rows(rows, x2, side == "right", sorter, axis)
    return _core.searchsorted(x1, x2, side, sorter)


def isin(x1: ArrayLike, x2: ArrayLike, /, *, invert: bool = False) -> State:
    """Whether each element of `x1` is among `x2`, or is not."""
    return _core.isin(x1, x2, invert)


def unique_all(x: ArrayLike, /) -> UniqueAllResult:
    """The different elements in order, where each occurs first, which of them each element is, and how often each occurs."""
    return UniqueAllResult(*_core.unique(x))


def unique_counts(x: ArrayLike, /) -> UniqueCountsResult:
    """The different elements in order, and how often each occurs."""
    values, _, _, counts = _core.unique(x)
    return UniqueCountsResult(values, counts)


def unique_inverse(x: ArrayLike, /) -> UniqueInverseResult:
    """The different elements in order, and which of them each element is."""
    values, _, inverse, _ = _core.unique(x)
    return UniqueInverseResult(values, inverse)


def unique_values(x: ArrayLike, /) -> State:
    """The different elements in order. Each NaN is one of its own."""
    return _core.unique(x)[0]


def bincount(x: ArrayLike, /, *, weights: ArrayLike | None = None, minlength: int = 0) -> State:
    """How often each integer from 0 to the largest occurs, or the sums of their weights."""
    return _core.bincount(x, weights, minlength)


def median(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False) -> State:
    """The median along the axes; the mean of the middle two where their number is even. NaN where any is."""
    return _core.median(x, axis, keepdims)


def quantile(
    x: ArrayLike,
    q: ArrayLike,
    /,
    *,
    axis: Axes | None = None,
    keepdims: bool = False,
    method: Literal["linear", "lower", "higher", "nearest", "midpoint"] = "linear",
) -> State:
    """The element at position q (n - 1) of the n sorted ones along the axes; for several q along a new first axis."""
    return _core.quantile(x, q, axis, keepdims, method)


def cumulative_sum(
    x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> State:
    """The running sum along an axis; with `include_initial` it starts with 0."""
    return _core.cumulative_sum(x, axis, dtype, include_initial)


def cumulative_prod(
    x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> State:
    """The running product along an axis; with `include_initial` it starts with 1."""
    return _core.cumulative_prod(x, axis, dtype, include_initial)
