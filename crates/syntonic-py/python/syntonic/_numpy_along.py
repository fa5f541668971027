"""Ufuncs along an axis on any device: elements joined in pairs, pairs in fours and so on."""

from __future__ import annotations

import syntonic
from syntonic import _core
from syntonic._core import asarray
from syntonic._numpy_table import need, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from syntonic._core import State

__all__ = ["accumulated", "reduced", "reduced_between", "repeated"]

# Where it does not matter which two are joined first.
_ASSOCIATIVE = tuple("bitwise_and bitwise_or bitwise_xor fmax fmin hypot logaddexp logaddexp2 logical_xor maximum minimum".split())


def _given(function: Callable[..., Any], inputs: tuple[Any, ...], options: dict[str, Any], more: tuple[str, ...]) -> tuple[State, dict[str, Any]]:
    need(function.__name__.strip("_") in _ASSOCIATIVE and len(inputs) == 1)
    options = {"axis": 0, **said(**options)}
    need(set(options) <= {"axis", *more} and isinstance(options["axis"], int))
    return asarray(inputs[0]), options


def reduced(function: Callable[..., Any], inputs: tuple[Any, ...], options: dict[str, Any]) -> State:
    """`ufunc.reduce` along one axis, in as many passes as its length has binary digits."""
    x, options = _given(function, inputs, options, ("keepdims",))
    axis: int = options["axis"]
    line = syntonic.moveaxis(x, axis, 0)
    need(line.shape[0] > 0)
    while (n := line.shape[0]) > 1:
        half = n // 2
        joined = function(line[:half], line[half : 2 * half])
        line = syntonic.concat([joined, line[2 * half :]], axis=0) if n % 2 else joined
    return syntonic.moveaxis(line, 0, axis) if options.get("keepdims") else line[0]


def accumulated(function: Callable[..., Any], inputs: tuple[Any, ...], options: dict[str, Any]) -> State:
    """`ufunc.accumulate`: each element takes in what stands 1, 2, 4, ... places before it."""
    x, options = _given(function, inputs, options, ())
    axis: int = options["axis"]
    line = syntonic.moveaxis(x, axis, 0)
    reach = 1
    while reach < line.shape[0]:
        line = syntonic.concat([line[:reach], function(line[:-reach], line[reach:])], axis=0)
        reach *= 2
    return syntonic.moveaxis(line, 0, axis)


def reduced_between(reduce: Callable[..., Any], inputs: tuple[Any, ...], options: dict[str, Any]) -> State:
    """`ufunc.reduceat`: a reduction for each of the indices, which are read, up to the next one or of one element."""
    x, axis = asarray(inputs[0]), options.get("axis", 0)
    given = asarray(inputs[1])
    need(len(inputs) == 2 and set(options) <= {"axis"} and given.ndim == 1 and x.ndim > 0)
    line = syntonic.moveaxis(x, axis, 0)
    starts: list[int] = given.tolist()
    if not all(0 <= start < line.shape[0] for start in starts):
        raise syntonic.OutOfRangeError(f"reduceat: an index is outside of 0..{line.shape[0]}")
    ends = [*starts[1:], line.shape[0]]
    parts = [reduce(line[a:b], 0) if a < b else line[a] for a, b in zip(starts, ends, strict=True)]
    common = syntonic.result_type(*parts)
    return syntonic.moveaxis(syntonic.stack([part.astype(common, copy=False) for part in parts]), 0, axis)


def repeated(function: Callable[..., Any], x: State, index: Any, values: tuple[Any, ...]) -> None:
    """`ufunc.at`, in place: positions that occur once, then what is there a second time, and so on, as often as the commonest one occurs."""
    places = syntonic.arange(x.size, dtype=_core.int64, device=x.device).reshape(x.shape)[index]
    operands = [syntonic.broadcast_to(asarray(v, None, x.device), places.shape).ravel() for v in values]
    places = places.ravel()
    if places.size == 0:
        return
    # How many of the same position stand before each one.
    order = syntonic.argsort(places)
    ordered = syntonic.take(places, order)
    count = syntonic.arange(places.size, dtype=_core.int64, device=x.device)
    begins = syntonic.concat([syntonic.ones(1, dtype=_core.bool, device=x.device), ordered[1:] != ordered[:-1]])
    before = count - syntonic.take(syntonic.nonzero(begins)[0], syntonic.cumulative_sum(begins.astype(_core.int64)) - 1)
    flat = x.reshape(-1).copy()
    for turn in range(int(syntonic.max(before)) + 1):
        chosen = syntonic.take(order, syntonic.nonzero(before == turn)[0])
        at = syntonic.take(places, chosen)
        result = function(syntonic.take(flat, at), *(syntonic.take(v, chosen) for v in operands))
        flat[at] = result.astype(x.dtype, copy=False)
    x[...] = flat.reshape(x.shape)
