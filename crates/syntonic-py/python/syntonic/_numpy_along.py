"""Ufuncs along an axis on any device: elements joined in pairs, pairs in fours and so on."""

from __future__ import annotations

import syntonic
from syntonic._core import asarray
from syntonic._numpy_table import need, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from syntonic._core import State

__all__ = ["accumulated", "reduced"]

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
