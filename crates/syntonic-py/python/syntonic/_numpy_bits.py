"""Functions over the bits of numbers, and Bessel's function, by formulas that run on any device."""

from __future__ import annotations

import math

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_elementwise import FORMULAS, float_for
from syntonic._numpy_table import need, numpys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Bits of the fraction, the type of the bits, the exponent of 1, and how far from 1 a power of two may be in one factor.
_FLOATS = {"float32": (23, _core.int32, 127), "float64": (52, _core.int64, 1023)}


def _parts(x: State) -> tuple[State, State]:
    """A fraction from 1/2 to below 1, and the power of two that it stands before; 0, infinity and NaN with the power 0."""
    width, integer, middle = _FLOATS[x.dtype.name]
    # Below the normal numbers, the exponent is that of a number raised there.
    small = abs(x) < 2.0 ** (1 - middle)
    raised = syntonic.where(small, x * 2.0**width, x).copy()
    bits = raised.view(integer)
    exponent = (bits >> width) & (2 * middle + 1)
    fraction = (bits & ~((2 * middle + 1) << width) | ((middle - 1) << width)).copy().view(x.dtype)
    plain = syntonic.isfinite(x) & (x != 0)
    power = exponent - (middle - 1) - syntonic.where(small, syntonic.full_like(exponent, width), syntonic.zeros_like(exponent))
    return syntonic.where(plain, fraction, x), syntonic.where(plain, power, syntonic.zeros_like(power)).astype(_core.int32)


def _computed(x: Any) -> tuple[State, Any]:
    """As floats whose bits are looked at, and NumPy's type for the result."""
    x = asarray(x)
    need(x.dtype.kind in "biuf")
    dtype = x.dtype if x.dtype.kind == "f" else float_for(x.dtype)
    need(dtype.name in ("float16", "float32", "float64"))
    return x.astype(_core.float64 if dtype.name == "float64" else _core.float32, copy=False), dtype


def _frexp(x: Any) -> tuple[State, State]:
    x, dtype = _computed(x)
    fraction, power = _parts(x)
    return fraction.astype(dtype, copy=False), power


def _power_of_two(exponent: State, dtype: Any) -> State:
    width, integer, middle = _FLOATS[dtype.name]
    return ((exponent.astype(integer) + middle) << width).copy().view(dtype)


def _ldexp(x: Any, exponent: Any) -> State:
    x, dtype = _computed(x)
    exponent = asarray(exponent, None, x.device)
    need(exponent.dtype.kind in "iu")
    x, exponent = syntonic.broadcast_arrays(x, exponent)
    middle = _FLOATS[x.dtype.name][2]
    fraction, power = _parts(x)
    # Beyond these the result is 0 or infinite. The first factor keeps the fraction whole, so that one rounding is left.
    total = syntonic.clip(exponent.astype(_core.int64), -4 * middle, 4 * middle) + power
    total = syntonic.clip(total, -middle - 100, middle + 100)
    first = syntonic.clip(total, 2 - middle, middle - 20)
    scaled = fraction * _power_of_two(first, x.dtype) * _power_of_two(total - first, x.dtype)
    return syntonic.where(syntonic.isfinite(x) & (x != 0), scaled, x).astype(dtype, copy=False)


FORMULAS["frexp"], FORMULAS["ldexp"] = _frexp, _ldexp


@numpys("i0")
def _i0(x: Any) -> State:
    x = asarray(x)
    if x.dtype.kind == "c":
        raise _core.DTypeError("i0: not defined for complex values")
    x = x if x.dtype.kind == "f" else x.astype(_core.float64)
    wide = abs(x.astype(_core.float64))
    # Up to 20 by the series, of which all terms are positive, and from there by the asymptotic one.
    quarter = syntonic.where(wide < 20.0, wide, 0.0)
    quarter = quarter * quarter * 0.25
    near = syntonic.full_like(quarter, 1.0)
    for k in range(38, 0, -1):
        near = 1.0 + near * quarter * (1.0 / (k * k))
    large = syntonic.where(wide < 20.0, 20.0, wide)
    far = syntonic.full_like(large, 1.0)
    for k in range(24, 0, -1):
        far = 1.0 + far * ((2 * k - 1) ** 2 / (8.0 * k)) / large
    # In halves, as the exponential function ends before this one does.
    half = syntonic.exp(large * 0.5)
    far = far * half / syntonic.sqrt(2.0 * math.pi * large) * half
    return syntonic.where(wide < 20.0, near, syntonic.where(wide == syntonic.inf, wide, far)).astype(x.dtype, copy=False)


@numpys("kaiser")
def _kaiser(M: Any, beta: Any) -> Any:
    if M < 1:
        return syntonic.zeros(0, _core.float64)
    if M == 1:
        return syntonic.ones(1, _core.float64)
    alpha = (M - 1) / 2.0
    place = (syntonic.arange(M, dtype=_core.float64) - alpha) / alpha
    return _i0(beta * syntonic.sqrt(1.0 - place * place)) / _i0(syntonic.full_like(place, float(beta)))


def _shifts(order: Any, device: Any) -> State:
    if order not in ("big", "little"):
        raise _core.ArgumentError(f"'order' is {order!r:.40}; it must be either 'little' or 'big'")
    places = syntonic.arange(8, dtype=_core.uint8, device=device)
    return places if order == "little" else 7 - places


@numpys("packbits")
def _packbits(a: Any, /, axis: Any = None, bitorder: Any = "big") -> State:
    x = asarray(a)
    if x.dtype.kind not in "biu":
        raise _core.ArgumentTypeError("packbits: Expected an input array of integer or boolean data type")
    line = x.ravel() if axis is None or x.ndim == 0 else syntonic.moveaxis(x, axis, -1)
    rest = -line.shape[-1] % 8
    bits = (line != 0).astype(_core.uint8)
    if rest:
        bits = syntonic.concat([bits, syntonic.zeros((*line.shape[:-1], rest), _core.uint8, device=x.device)], axis=-1)
    eights = bits.reshape((*line.shape[:-1], (line.shape[-1] + rest) // 8, 8))
    packed = (eights << _shifts(bitorder, x.device)).sum(-1, dtype=_core.uint8)
    return packed if axis is None or x.ndim == 0 else syntonic.moveaxis(packed, -1, axis)


@numpys("unpackbits")
def _unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: Any = "big") -> State:
    x = asarray(a)
    if x.dtype != "uint8":
        raise _core.ArgumentTypeError("unpackbits: Expected an input array of unsigned byte data type")
    line = x.ravel() if axis is None or x.ndim == 0 else syntonic.moveaxis(x, axis, -1)
    bits = (line[..., None] >> _shifts(bitorder, x.device)) & 1
    bits = bits.reshape((*line.shape[:-1], 8 * line.shape[-1]))
    if count is not None:
        n = bits.shape[-1]
        bits = bits[..., : n + count if count < 0 else count]
        if count > n:
            bits = syntonic.concat([bits, syntonic.zeros((*line.shape[:-1], count - n), _core.uint8, device=x.device)], axis=-1)
    return bits.copy() if axis is None or x.ndim == 0 else syntonic.moveaxis(bits, -1, axis)
