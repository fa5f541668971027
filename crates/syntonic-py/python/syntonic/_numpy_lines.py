"""Functions of sampled lines: differences, integrals, interpolation, convolution; under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_table import need, numpys, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# How many elements the windows of a convolution have at most at once.
_AT_ONCE = 1 << 24


def _inexact(x: State) -> State:
    return x if x.dtype.kind in "fc" else x.astype(_core.float64)


@numpys("diff")
def _diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    a = asarray(a)
    if n == 0:
        return a
    for end in (prepend, append):
        if type(end) in (bool, int, float, complex) and a.dtype.name != "bfloat16":
            # A number is an array of its type here.
            a = a.astype(np.result_type(np.dtype(a.dtype), np.asarray(end).dtype), copy=False)
    return syntonic.diff(a, n, axis, **said(prepend=prepend, append=append))


@numpys("ediff1d")
def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> State:
    x = asarray(ary).ravel()
    parts = [x[1:] - x[:-1]]
    if to_begin is not None:
        parts.insert(0, asarray(to_begin, None, x.device).astype(x.dtype, copy=False).ravel())
    if to_end is not None:
        parts.append(asarray(to_end, None, x.device).astype(x.dtype, copy=False).ravel())
    return parts[0] if len(parts) == 1 else syntonic.concat(parts)


@numpys("trapezoid", "trapz")
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = asarray(y)
    y = syntonic.moveaxis(y, axis, -1)
    if x is None:
        width = dx
    else:
        x = asarray(x, None, y.device)
        width = syntonic.diff(x if x.ndim == 1 else syntonic.moveaxis(x, axis, -1))
    return (width * (y[..., 1:] + y[..., :-1]) / 2.0).sum(-1)


@numpys("gradient")
def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    f = _inexact(asarray(f))
    axes = tuple(range(f.ndim)) if axis is None else (int(axis) % f.ndim,) if hasattr(axis, "__index__") else tuple(int(k) % f.ndim for k in axis)
    if len(varargs) == 1 and len(axes) > 1 and asarray(varargs[0]).ndim:
        raise _core.ArgumentTypeError("gradient: invalid number of arguments; coordinates are given for each axis")
    steps: list[Any] = [1.0] * len(axes) if not varargs else list(varargs) * (len(axes) if len(varargs) == 1 else 1)
    if any(not -f.ndim <= k < f.ndim for k in ((int(axis),) if hasattr(axis, "__index__") else axis or ())):
        raise _core.AxisError(f"gradient: axis {axis} of an array of {f.ndim} axes")
    if len(steps) != len(axes):
        raise _core.ArgumentTypeError("gradient: invalid number of arguments")
    if edge_order not in (1, 2):
        raise _core.ArgumentError("gradient: 'edge_order' greater than 2 not supported")
    found = [_slope(f, step, k, edge_order) for step, k in zip(steps, axes, strict=True)]
    return found[0] if len(axes) == 1 else tuple(found)


def _slope(f: State, step: Any, axis: int, edge_order: int) -> State:
    f = syntonic.moveaxis(f, axis, -1)
    n = f.shape[-1]
    if n < edge_order + 1:
        raise _core.ShapeError("gradient: Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    if isinstance(step, (int, float)):
        inner = (f[..., 2:] - f[..., :-2]) / (2.0 * step)
        first, last = (f[..., 1:2] - f[..., :1]) / step, (f[..., -1:] - f[..., -2:-1]) / step
        if edge_order == 2:
            first = (-1.5 / step) * f[..., :1] + (2.0 / step) * f[..., 1:2] + (-0.5 / step) * f[..., 2:3]
            last = (0.5 / step) * f[..., -3:-2] + (-2.0 / step) * f[..., -2:-1] + (1.5 / step) * f[..., -1:]
    else:
        x = asarray(step, None, f.device)
        if x.ndim == 0:
            x = x * syntonic.arange(n, dtype="float64", device=f.device).astype(_inexact(x).dtype)
        if x.shape != (n,):
            raise _core.ArgumentError("gradient: distances must be either scalars or 1d; when 1d, distances must match the length of the corresponding dimension")
        d = syntonic.diff(_inexact(x))
        a, b = d[:-1], d[1:]
        inner = -b / (a * (a + b)) * f[..., :-2] + (b - a) / (a * b) * f[..., 1:-1] + a / (b * (a + b)) * f[..., 2:]
        first, last = (f[..., 1:2] - f[..., :1]) / d[:1], (f[..., -1:] - f[..., -2:-1]) / d[-1:]
        if edge_order == 2:
            p, q = d[:1], d[1:2]
            first = -(2.0 * p + q) / (p * (p + q)) * f[..., :1] + (p + q) / (p * q) * f[..., 1:2] - p / (q * (p + q)) * f[..., 2:3]
            p, q = d[-2:-1], d[-1:]
            last = q / (p * (p + q)) * f[..., -3:-2] - (q + p) / (p * q) * f[..., -2:-1] + (2.0 * q + p) / (q * (p + q)) * f[..., -1:]
    return syntonic.moveaxis(syntonic.concat([first, inner, last], axis=-1), -1, axis)


@numpys("interp")
def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> State:
    fp = asarray(fp)
    device = next((v.device for v in (x, xp, fp) if isinstance(v, State)), None)
    if fp.dtype.kind == "c":
        # Part by part, of which one may be infinite.
        ends = [[None if end is None else getattr(complex(end), part) for end in (left, right)] for part in ("real", "imag")]
        return syntonic.complex(_interp(x, xp, fp.real, *ends[0], period), _interp(x, xp, fp.imag, *ends[1], period))
    x, xp = asarray(x, None, device), asarray(xp, None, device)
    need(xp.ndim == 1 and fp.ndim == 1 and xp.size > 0 and x.dtype.kind != "c" and xp.dtype.kind != "c")
    if xp.size != fp.size:
        raise _core.ArgumentError("interp: fp and xp are not of the same length.")
    x, xp = x.astype(_core.float64, copy=False), xp.astype(_core.float64, copy=False)
    fp = fp.to(x.device).astype(_core.float64, copy=False)
    if period is not None:
        if period == 0:
            raise _core.ArgumentError("interp: period must be a non-zero value")
        period = abs(period)
        x, xp, left, right = x % period, xp % period, None, None
        order = syntonic.argsort(xp)
        xp, fp = syntonic.take(xp, order), syntonic.take(fp, order)
        xp = syntonic.concat([xp[-1:] - period, xp, xp[:1] + period])
        fp = syntonic.concat([fp[-1:], fp, fp[:1]])
    n = xp.size
    low = fp[:1] if left is None else syntonic.full(1, left, fp.dtype, device=fp.device)
    high = fp[-1:] if right is None else syntonic.full(1, right, fp.dtype, device=fp.device)
    flat = x.ravel()
    j = syntonic.searchsorted(xp, flat, side="right") - 1
    if n > 1:
        k = j.clip(0, n - 2)
        x0, x1, f0, f1 = syntonic.take(xp, k), syntonic.take(xp, k + 1), syntonic.take(fp, k), syntonic.take(fp, k + 1)
        slope = (f1 - f0) / (x1 - x0)
        value = slope * (flat - x0) + f0
        other = slope * (flat - x1) + f1
        value = syntonic.where(value != value, syntonic.where((other != other) & (f0 == f1), f0, other), value)
        value = syntonic.where(flat == x0, f0, value)
    else:
        value = syntonic.broadcast_to(fp, flat.shape)
    value = syntonic.where(flat == xp[-1:], fp[-1:], value)
    value = syntonic.where(flat < xp[:1], low, syntonic.where(flat > xp[-1:], high, value))
    return syntonic.where(flat != flat, flat, value).reshape(x.shape)


@numpys("unwrap")
def _unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 6.283185307179586) -> State:
    p = asarray(p)
    d = syntonic.moveaxis(syntonic.diff(p, 1, axis), axis, -1)
    discont = period / 2 if discont is None else discont
    p = syntonic.moveaxis(p, axis, -1)
    whole = p.dtype.kind in "iu" and isinstance(period, int)
    high = period // 2 if whole else period / 2
    ambiguous = not whole or period % 2 == 0
    low = -high if not whole else -high - (period % 2)
    moved = (d - low) % period + low
    if ambiguous:
        moved = syntonic.where((moved == low) & (d > 0), syntonic.full_like(moved, high), moved)
    correct = syntonic.where(abs(d) < discont, syntonic.zeros_like(moved), moved - d)
    rest = p[..., 1:] + syntonic.cumulative_sum(correct, axis=-1)
    return syntonic.moveaxis(syntonic.concat([p[..., :1].astype(rest.dtype, copy=False), rest], axis=-1), -1, axis)


def _convolved(a: State, v: State, mode: Any) -> State:
    """Sums of products of a with the shorter v, turned round."""
    n, m = a.size, v.size
    if isinstance(mode, int) and 0 <= mode <= 2:
        mode = ("valid", "same", "full")[mode]
    if mode not in ("full", "same", "valid"):
        error = _core.ArgumentTypeError if mode is None else _core.ArgumentError
        raise error(f"convolve: mode is {mode!r:.40}; it must be one of 'full', 'same', 'valid'")
    before = {"full": m - 1, "same": m // 2, "valid": 0}[mode]
    after = {"full": m - 1, "same": (m - 1) // 2, "valid": 0}[mode]
    if mode == "same":
        before, after = (m - 1) - (m - 1) // 2, (m - 1) // 2
    line = syntonic.pad(a, (before, after)) if before + after else a
    length = line.size - m + 1
    turned = syntonic.flip(v)
    at = syntonic.arange(length, dtype=_core.int64, device=a.device)[:, None]
    step = max(_AT_ONCE // max(length, 1), 1)
    total: State | None = None
    for start in range(0, m, step):
        part = turned[start : start + step]
        windows = syntonic.take(line, at + syntonic.arange(start, start + part.size, dtype=_core.int64, device=a.device))
        some = windows @ part if a.dtype.kind in "fc" else (windows * part).sum(1, dtype=a.dtype)
        total = some if total is None else total + some
    assert total is not None
    return total


def _lines(op: str, a: Any, v: Any) -> tuple[State, State]:
    a = asarray(a)
    v = asarray(v, None, a.device)
    a, v = (x.reshape(1) if x.ndim == 0 else x for x in (a, v))
    need(a.ndim == 1 and v.ndim == 1)
    if a.size == 0 or v.size == 0:
        raise _core.ArgumentError(f"{op}: {'a' if a.size == 0 else 'v'} cannot be empty")
    common = syntonic.result_type(a, v)
    return a.astype(common, copy=False), v.astype(common, copy=False)


@numpys("convolve")
def _convolve(a: Any, v: Any, mode: Any = "full") -> State:
    a, v = _lines("convolve", a, v)
    need(a.dtype != "bool")
    return _convolved(*((a, v) if a.size >= v.size else (v, a)), mode)


@numpys("correlate")
def _correlate(a: Any, v: Any, mode: Any = "valid") -> State:
    a, v = _lines("correlate", a, v)
    need(a.dtype != "bool")
    if a.size >= v.size:
        return _convolved(a, syntonic.flip(syntonic.conj(v)), mode)
    # The shorter one slides, and the order of the results turns round.
    return syntonic.flip(syntonic.conj(_convolved(v, syntonic.flip(syntonic.conj(a)), mode)))


@numpys("sinc")
def _sinc(x: Any) -> State:
    x = _inexact(asarray(x))
    y = syntonic.pi * syntonic.where(x == 0, syntonic.full_like(x, 1e-20 if x.dtype.itemsize > 2 else 1e-4), x)
    return syntonic.sin(y) / y


@numpys("cross")
def _cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None) -> State:
    if axis is not None:
        axisa = axisb = axisc = axis
    a = asarray(a)
    b = asarray(b, None, a.device)
    a, b = syntonic.moveaxis(a, axisa, -1), syntonic.moveaxis(b, axisb, -1)
    need(a.shape[-1] == 3 and b.shape[-1] == 3)
    (a0, a1, a2), (b0, b1, b2) = ([x[..., k] for k in range(3)] for x in (a, b))
    found = syntonic.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=-1)
    return syntonic.moveaxis(found, -1, axisc)
