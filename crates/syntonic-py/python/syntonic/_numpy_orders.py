"""The order that NumPy gives complex numbers: by their real parts, then by their imaginary ones; those with a NaN come last."""

from __future__ import annotations

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_along import reduced
from syntonic._numpy_elementwise import together
from syntonic._numpy_table import need

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["COMPARED", "argsorted", "clipped", "extreme", "is_complex", "middle", "placed"]

# Ufuncs of complex numbers, by name.
COMPARED: dict[str, Callable[..., Any]] = {}


def is_complex(x: Any) -> bool:
    return isinstance(x, State) and x.dtype.kind == "c"


def _less(a: Any, b: Any) -> Any:
    a, b = together(a, b)
    return _first(a, b) | ((a.real == b.real) & (a.imag < b.imag))


def _less_equal(a: Any, b: Any) -> Any:
    a, b = together(a, b)
    return _first(a, b) | ((a.real == b.real) & (a.imag <= b.imag))


def _first(a: State, b: State) -> Any:
    """Whether the real part decides. A NaN beside it is in no order."""
    return (a.real < b.real) & (a.imag == a.imag) & (b.imag == b.imag)


def _maximum(a: Any, b: Any) -> State:
    a, b = together(a, b)
    return syntonic.where(_less_equal(b, a) | syntonic.isnan(a), a, b)


def _minimum(a: Any, b: Any) -> State:
    a, b = together(a, b)
    return syntonic.where(_less_equal(a, b) | syntonic.isnan(a), a, b)


def _fmax(a: Any, b: Any) -> State:
    a, b = together(a, b)
    return syntonic.where(_less_equal(b, a) | syntonic.isnan(b), a, b)


def _fmin(a: Any, b: Any) -> State:
    a, b = together(a, b)
    return syntonic.where(_less_equal(a, b) | syntonic.isnan(b), a, b)


COMPARED |= {"less": _less, "less_equal": _less_equal, "greater": lambda a, b: _less(b, a), "greater_equal": lambda a, b: _less_equal(b, a)}
COMPARED |= {"maximum": _maximum, "minimum": _minimum, "fmax": _fmax, "fmin": _fmin}


def clipped(x: State, low: Any, high: Any) -> State:
    """The elements, or the bound that they lie beyond."""
    x = x.copy() if low is None else _maximum(x, low)
    return x if high is None else _minimum(x, high)


def argsorted(x: State, axis: Any) -> State:
    """The places of the elements in order; equal ones stay as they are."""
    line = x.ravel() if axis is None else syntonic.moveaxis(x, axis, -1)
    real, imag = line.real + 0.0, line.imag + 0.0
    # Whole numbers, those with one NaN and those with another.
    kind = syntonic.isnan(imag).astype(_core.int8) + 2 * syntonic.isnan(real).astype(_core.int8)
    order = syntonic.argsort(imag, axis=-1)
    for key in (real, kind):
        order = syntonic.take_along_axis(order, syntonic.argsort(syntonic.take_along_axis(key, order, axis=-1), axis=-1), axis=-1)
    return order if axis is None else syntonic.moveaxis(order, -1, axis)


def placed(x: State, axis: Any) -> State:
    """The elements in order."""
    line = x.ravel() if axis is None else x
    return syntonic.take_along_axis(line, argsorted(line, -1 if axis is None else axis), axis=-1 if axis is None else axis)


def extreme(name: str, x: State, axis: Any = None, keepdims: Any = False) -> State:
    """The first or last element of each line, or its place: `max`, `min`, `argmax` or `argmin`. A NaN counts as the outermost."""
    need(axis is None or isinstance(axis, int))
    line = x.ravel() if axis is None else syntonic.moveaxis(x, axis, -1)
    need(line.shape[-1] > 0)
    ends = reduced(_maximum if name.endswith("max") else _minimum, (line,), {"axis": -1, "keepdims": True})
    if name.startswith("arg"):
        # The first that is equal, or the first NaN.
        found = syntonic.argmax((line == ends) | (syntonic.isnan(line) & syntonic.isnan(ends)), axis=-1)
    else:
        found = ends[..., 0]
    if keepdims:
        return found.reshape((1,) * x.ndim) if axis is None else syntonic.expand_dims(found, axis)
    return found


def middle(x: State, axis: Any = None, keepdims: Any = False) -> State:
    """The median of each line, which is the last NaN where one is among them."""
    need(axis is None or isinstance(axis, int))
    line = placed(x.ravel() if axis is None else syntonic.moveaxis(x, axis, -1), -1)
    n = line.shape[-1]
    found = line[..., (n - 1) // 2 : n // 2 + 1].mean(axis=-1)
    found = syntonic.where(syntonic.isnan(line[..., -1]), line[..., -1], found)
    if keepdims:
        return found.reshape((1,) * x.ndim) if axis is None else syntonic.expand_dims(found, axis)
    return found
