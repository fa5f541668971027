"""Searches in the rows of an array."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["search_rows"]

_where = _core.Elementwise("where").call


def search_rows(rows: State, values: ArrayLike, right: bool, sorter: ArrayLike | None, axis: int) -> State:
    """Where each of `values` belongs in the sorted row of `rows` at its own place: `[.., n], [.., m] -> [.., m]` along an axis."""
    values = _core.asarray(values, None, rows.device)
    if sorter is not None:
        rows = _core.take_along_axis(rows, _core.asarray(sorter, None, rows.device), axis)
    if values.ndim != rows.ndim:
        raise _core.ShapeError(
            f"searchsorted: rows of {list(rows.shape)} and values of {list(values.shape)} differ in their axes; hint: a row of values for each sorted row"
        )
    rows, values = _core.moveaxis(rows, axis, -1), _core.moveaxis(values, axis, -1)
    common = _core.promote_types(rows.dtype, values.dtype)
    rows, values = rows.astype(common, copy=False), values.astype(common, copy=False)
    if rows.shape[:-1] != values.shape[:-1]:
        raise _core.ShapeError(
            f"searchsorted: rows of {list(rows.shape)} and values of {list(values.shape)} are not as many; hint: broadcast_to stretches either"
        )
    n = rows.shape[-1]
    low = _core.full(values.shape, 0, _core.int64, rows.device)
    if n == 0:
        return _core.moveaxis(low, -1, axis)
    high = low + n
    for _ in range(n.bit_length()):
        middle = (low + high) // 2
        element = _core.take_along_axis(rows, middle.clip(0, n - 1), -1)
        # NaN stands behind all numbers, and beside other NaNs.
        is_nan = element != element
        if right:
            before = ~(_less(values, element)) & ~(is_nan & (values == values))
        else:
            before = _less(element, values) | (~is_nan & (values != values))
        before = before & (low < high)
        low, high = _where(None, before, middle + 1, low), _where(None, before, high, middle)
    return _core.moveaxis(low, -1, axis)


def _less(a: State, b: State) -> State:
    return a < b
