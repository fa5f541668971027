"""New arrays under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_table import need, numpys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["ordered"]


def ordered(x: State, order: str | None) -> State:
    """In column-major order if that is asked for."""
    if order not in ("C", "F", "A", "K", None):
        raise _core.ArgumentError(f"order is {order!r:.40}; it must be one of 'C', 'F', 'A', 'K'")
    return x if order != "F" or x.flags.f_contiguous else x.T.copy().T


def _of(object: Any, dtype: Any, device: Any, copy: bool | None) -> State:
    if isinstance(object, range) and not -(2**63) <= object.start <= object.stop < 2**63:
        object = list(object)
    try:
        return asarray(object, dtype, device, copy)
    except _core.ShapeError:
        # A list of arrays without elements does not say its depth.
        if not isinstance(object, (list, tuple)) or not all(isinstance(x, (State, np.ndarray)) and x.size == 0 for x in object):
            raise
        return asarray(syntonic.stack([asarray(x, dtype, device) for x in object]))


@numpys("array")
def _array(
    object: Any, dtype: Any = None, *, copy: bool | None = True, order: str = "K", subok: bool = False, ndmin: int = 0, device: Any = None, like: Any = None
) -> State:
    x = ordered(_of(object, dtype, device, copy), order)
    return x.reshape((1,) * (ndmin - x.ndim) + x.shape) if x.ndim < ndmin else x


@numpys("asarray", "asanyarray")
def _asarray(a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: bool | None = None, like: Any = None) -> State:
    return ordered(_of(a, dtype, device, copy), order)


@numpys("ascontiguousarray")
def _ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> State:
    x = asarray(a, dtype)
    x = x if x.flags.c_contiguous else x.copy()
    return x if x.ndim else x.reshape(1)


@numpys("asfortranarray")
def _asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> State:
    x = ordered(asarray(a, dtype), "F")
    return x if x.ndim else x.reshape(1)


@numpys("asarray_chkfinite")
def _asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> State:
    x = ordered(asarray(a, dtype), order)
    if x.dtype.kind in "fc" and not bool(syntonic.all(syntonic.isfinite(x))):
        raise _core.ArgumentError("asarray_chkfinite: the array has infinities or NaNs")
    return x


def _filled(name: str) -> None:
    ours = getattr(syntonic, name)

    def call(shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None) -> State:
        return ordered(ours(_shape(shape), dtype, device=device), order)

    numpys(name)(call)


def _shape(shape: Any) -> Any:
    """Lengths, of which some may be arrays of one element."""
    if isinstance(shape, (State, np.ndarray)):
        return tuple(int(n) for n in shape) if shape.ndim else int(shape)
    return shape if isinstance(shape, int) else tuple(map(int, shape)) if hasattr(shape, "__iter__") else int(shape)


for _name in ("zeros", "ones", "empty"):
    _filled(_name)


@numpys("full")
def _full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None) -> State:
    shape = _shape(shape)
    if type(fill_value) in (bool, int, float, complex):
        return ordered(syntonic.full(shape, fill_value, dtype, device=device), order)
    value = asarray(fill_value, None, device)
    value = value if dtype is None else value.astype(dtype, copy=False)
    return ordered(syntonic.broadcast_to(value, shape).copy(), order)


def _number(x: Any) -> Any:
    """A Python number of an array of one element."""
    return x.item() if isinstance(x, (State, np.generic, np.ndarray)) else x


@numpys("arange")
def _arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None, *, device: Any = None, like: Any = None) -> State:
    start, stop, step = map(_number, (start, stop, step))
    return syntonic.arange(start, stop, 1 if step is None else step, dtype=dtype, device=device)


@numpys("linspace")
def _linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0, *, device: Any = None
) -> Any:
    num = int(num)
    intervals = num - 1 if endpoint else num
    if all(type(x) in (int, float) or isinstance(x, (np.floating, np.integer)) for x in (start, stop)):
        whole = dtype is not None and syntonic.isdtype(dtype, "integral")
        line = syntonic.linspace(float(start), float(stop), num, dtype=None if whole else dtype, device=device, endpoint=bool(endpoint))
        step: Any = (stop - start) / intervals if intervals > 0 else syntonic.nan
    else:
        start, stop = syntonic.broadcast_arrays(asarray(start, None, device), asarray(stop, None, device))
        start, stop = (x if x.dtype.kind in "fc" else x.astype(_core.float64) for x in (start, stop))
        part = syntonic.arange(float(num), dtype="float64", device=start.device).reshape((num,) + (1,) * start.ndim)
        span = stop - start
        step = span / intervals if intervals > 0 else span * syntonic.nan
        line = start + part * (step if intervals > 0 else span)
        if endpoint and num > 1:
            line[-1] = stop
        line = syntonic.moveaxis(line, 0, axis)
        whole = dtype is not None and syntonic.isdtype(dtype, "integral")
    if dtype is not None:
        line = (syntonic.floor(line) if whole else line).astype(dtype, copy=False)
    return (line, step) if retstep else line


@numpys("logspace")
def _logspace(start: Any, stop: Any, num: Any = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0) -> State:
    if not isinstance(base, (int, float, complex)) and asarray(base).ndim:
        start, stop, base = (asarray(x) for x in (start, stop, base))
        most = max(x.ndim for x in (start, stop, base))
        start, stop, base = (x.reshape((1,) * (most - x.ndim) + x.shape) for x in (start, stop, base))
        base = syntonic.expand_dims(base, axis)
    power: State = syntonic.pow(base, _linspace(start, stop, num, endpoint, axis=axis))
    return power if dtype is None else power.astype(dtype, copy=False)


@numpys("geomspace")
def _geomspace(start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    need(type(start) in (int, float) and type(stop) in (int, float) and start * stop > 0)
    sign = -1.0 if start < 0 else 1.0
    line = _logspace(np.log10(sign * start), np.log10(sign * stop), num, endpoint)
    if num > 0:
        line[0] = sign * start
    if num > 1 and endpoint:
        line[-1] = sign * stop
    line = line * sign
    return line if dtype is None else line.astype(dtype, copy=False)


@numpys("eye")
def _eye(N: int, M: int | None = None, k: int = 0, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None) -> State:
    return ordered(syntonic.eye(int(N), None if M is None else int(M), k=int(k), dtype=dtype, device=device), order)


@numpys("identity")
def _identity(n: int, dtype: Any = None, *, like: Any = None) -> State:
    return syntonic.eye(int(n), dtype=dtype)


@numpys("tri")
def _tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None, *, like: Any = None) -> State:
    return syntonic.tril(syntonic.ones((int(N), int(N if M is None else M)), dtype), k=k)


@numpys("fromfunction")
def _fromfunction(function: Callable[..., Any], shape: Any, *, dtype: Any = None, like: Any = None, **options: Any) -> Any:
    from syntonic._numpy_grids import indices

    return function(*indices(shape, _core.float64 if dtype is None else dtype), **options)


@numpys("from_dlpack")
def _from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> State:
    return syntonic.from_dlpack(x, device=device, copy=copy)


@numpys("vander")
def _vander(x: Any, N: int | None = None, increasing: bool = False) -> State:
    x = asarray(x)
    need(x.ndim == 1)
    # NumPy computes with what a type and its integers become.
    x = x.astype({"b": _core.int64, "i": _core.int64, "c": _core.complex128}.get(x.dtype.kind, _core.float64), copy=False)
    n = x.size if N is None else int(N)
    powers = syntonic.arange(n, dtype=_core.int64, device=x.device)
    powers = powers if increasing else n - 1 - powers
    return syntonic.pow(x[:, None], powers.astype(x.dtype))


def _window(name: str, formula: Callable[[State, int], State]) -> None:
    def call(M: Any) -> State:
        M = int(M)
        if M < 2:
            return syntonic.ones(max(M, 0))
        return formula(syntonic.arange(1 - M, M, 2, dtype="float64"), M - 1)

    numpys(name)(call)


_window("bartlett", lambda n, m: syntonic.where(n <= 0, 1 + n / m, 1 - n / m))
_window("blackman", lambda n, m: 0.42 + 0.5 * syntonic.cos(syntonic.pi * n / m) + 0.08 * syntonic.cos(2.0 * syntonic.pi * n / m))
_window("hamming", lambda n, m: 0.54 + 0.46 * syntonic.cos(syntonic.pi * n / m))
_window("hanning", lambda n, m: 0.5 + 0.5 * syntonic.cos(syntonic.pi * n / m))
