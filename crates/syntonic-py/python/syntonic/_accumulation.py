"""Values joined to elements of an array, where a position may occur several times."""

from __future__ import annotations

from syntonic import _core
from syntonic._dtypes import result_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["add_at", "multiply_at", "scatter_multiply"]


def add_at(x: ArrayLike, index: Any, values: ArrayLike, /) -> State:
    """A copy of `x` with `values` added at `x[index]`, once for each time that a position occurs: NumPy's `add.at`.

    `index` is whatever indexes a State, and `values` broadcast to `x[index]`.
    """
    x, places, values = _flat("add_at", x, index, values)
    if x.dtype == "bool":
        # True as soon as one of them is.
        x, values = x.astype(_core.int64), values.astype(_core.int64)
        return _core.scatter(x.reshape(-1), 0, places, values, True).reshape(x.shape) != 0
    return _core.scatter(x.reshape(-1), 0, places, values, True).reshape(x.shape)


def multiply_at(x: ArrayLike, index: Any, values: ArrayLike, /) -> State:
    """A copy of `x` with `x[index]` multiplied by `values`, once for each time that a position occurs: NumPy's `multiply.at`."""
    x, places, values = _flat("multiply_at", x, index, values)
    return _multiplied(x, places, values)


def scatter_multiply(x: ArrayLike, axis: int, indices: ArrayLike, values: ArrayLike, /) -> State:
    """A copy of `x` multiplied by `values` at these positions along an axis; a position may occur often."""
    x = _core.asarray(x)
    indices = _core.asarray(indices, None, x.device)
    places = _core.take_along_axis(_positions(x), indices, axis)
    values = _core.broadcast_to(_of_type_of("scatter_multiply", x, values), places.shape)
    return _multiplied(x, places.reshape(-1), values.reshape(-1))


def _positions(x: State) -> State:
    """For each element its place in row-major order."""
    return _core.arange(0, x.size, 1, _core.int64, x.device).reshape(x.shape)


def _of_type_of(op: str, x: State, values: ArrayLike) -> State:
    """The values in the type of `x`, which a number takes as everywhere."""
    if not isinstance(values, (bool, int, float, complex)):
        values = _core.asarray(values, None, x.device)
    if (given := result_type(x, values)) != x.dtype:
        given = given if not isinstance(values, _core.State) else values.dtype
        raise _core.DTypeError(f"{op}: values of type {given} do not fit into {x.dtype}; hint: convert with .astype(...)")
    if isinstance(values, _core.State):
        return values.astype(x.dtype, copy=False)
    try:
        return _core.full((), values, x.dtype, x.device)
    except _core.IntegerOverflowError:
        raise _core.IntegerOverflowError(f"{op}: {values} does not fit {x.dtype}; hint: use a wider dtype") from None


def _flat(op: str, x: ArrayLike, index: Any, values: ArrayLike) -> tuple[State, State, State]:
    """The array, and a vector each of the places that `index` points to and of the values for them."""
    x = _core.asarray(x)
    places = _positions(x)[index]
    values = _core.broadcast_to(_of_type_of(op, x, values), places.shape)
    return x, places.reshape(-1), values.reshape(-1)


def _multiplied(x: State, places: State, values: State) -> State:
    """A copy of `x` with the elements at `places` multiplied by `values`, products of the same place first.

    In order of places each value takes in the product of the 1, 2, 4, ... values before it, as far as they belong to the same
    place: the last of a place then has all of them.
    """
    n = places.size
    flat = x.reshape(-1)
    if n == 0:
        return x.copy()
    order = _core.argsort(places, 0, False)
    places, values = _core.take(places, order, 0), _core.take(values, order, 0)
    reach = 1
    while reach < n:
        before = values[:-reach]
        one = _core.full((), 1, x.dtype, x.device)
        factor = _select(places[reach:] == places[:-reach], before, one)
        values = _core.concat([values[:reach], values[reach:] * factor], 0)
        reach *= 2
    last = _core.concat([places[1:] != places[:-1], _core.full(1, True, None, x.device)], 0)
    places, values = places[last], values[last]
    return _core.scatter(flat, 0, places, _core.take(flat, places, 0) * values, False).reshape(x.shape)


_select_call = _core.Elementwise("where").call


def _select(condition: State, a: State, b: State) -> State:
    return _select_call(None, condition, a, b)
