"""The different elements of an array, or its different slices along an axis, as NumPy's `unique` gives them."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["unique"]


def unique(
    x: ArrayLike,
    /,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
) -> State | tuple[State, ...]:
    """The different elements in order, or with `axis` the different slices along it, in lexicographic order.

    With `return_index` also where each occurs first, with `return_inverse` which of them each is, with `return_counts` how often each
    occurs. Without an axis NaNs are one value, unless `equal_nan` is false; slices with a NaN are different.
    """
    x = _core.asarray(x)
    if axis is None:
        values, *others = _elements(x, equal_nan)
    else:
        values, *others = _slices(x, axis)
    wanted = [one for one, asked in zip(others, (return_index, return_inverse, return_counts), strict=True) if asked]
    return (values, *wanted) if wanted else values


def _elements(x: State, equal_nan: bool) -> tuple[State, State, State, State]:
    values, index, inverse, counts = _core.unique(x)
    if not equal_nan or values.dtype.kind not in "fc":
        return values, index, inverse, counts
    many = int((values != values).sum().item())
    if many < 2:
        return values, index, inverse, counts
    # They stand last.
    first = values.size - many
    counts = _core.concat([counts[:first], counts[first:].sum(keepdims=True)], 0)
    # Which of the NaNs occurs first is not said by their order, which complex ones are in by their parts; NumPy's is the first of these.
    nan = index[first : first + 1] if values.dtype.kind == "c" else index[first:].min(keepdims=True)
    index = _core.concat([index[:first], nan], 0)
    return values[: first + 1], index, inverse.clip(None, first), counts


def _slices(x: State, axis: int) -> tuple[State, State, State, State]:
    """By numbers: each column is replaced by which of its values each slice has, and columns are joined one by one."""
    front = _core.moveaxis(x, axis, 0)
    n = front.shape[0]
    columns = front.reshape(n, -1) if front.size else front.reshape(n, 0)
    which = _core.full(n, 0, _core.int64, x.device)
    for k in range(columns.shape[1]):
        values, _, inverse, _ = _core.unique(columns[:, k])
        which = _core.unique(which * values.size + inverse)[2]
    _, index, inverse, counts = _core.unique(which)
    return _core.take(x, index, axis), index, inverse, counts
