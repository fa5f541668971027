"""Element-wise functions of NumPy's that are a formula of ours, the same on every device."""

from __future__ import annotations

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_table import need

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["FORMULAS", "float_for", "together"]

# By the name of the ufunc.
FORMULAS: dict[str, Callable[..., Any]] = {}


def _formula(ours: Callable[..., Any]) -> Callable[..., Any]:
    FORMULAS[ours.__name__.strip("_")] = ours
    return ours


def _real(*values: Any) -> tuple[State, ...]:
    """As floats that NumPy would compute with; others are NumPy's."""
    arrays = together(*values)
    need(all(x.dtype.kind in "biuf" for x in arrays))
    return tuple(x if x.dtype.kind == "f" else x.astype(float_for(x.dtype)) for x in arrays)


def float_for(dtype: Any) -> Any:
    """The type of floats in which NumPy computes with integers of a type."""
    if dtype.itemsize == 1:
        return _core.float16
    return _core.float32 if dtype.itemsize == 2 else _core.float64


def together(*values: Any) -> tuple[State, ...]:
    """Of a common type, where a Python number takes that of the arrays, and on the device of the first that is a State."""
    device = next((x.device for x in values if isinstance(x, State)), None)
    numbers = [type(x) in (bool, int, float, complex) for x in values]
    if all(numbers):
        common = asarray(list(values)).dtype
    else:
        common = syntonic.result_type(*(x if n else asarray(x) for x, n in zip(values, numbers, strict=True)))
    return tuple(_core.full((), x, common, device) if n else asarray(x, None, device).astype(common, copy=False) for x, n in zip(values, numbers, strict=True))


@_formula
def _deg2rad(x: Any) -> Any:
    (x,) = _real(x)
    return x * (syntonic.pi / 180.0)


@_formula
def _rad2deg(x: Any) -> Any:
    (x,) = _real(x)
    return x * (180.0 / syntonic.pi)


FORMULAS["radians"], FORMULAS["degrees"] = _deg2rad, _rad2deg


@_formula
def _cbrt(x: Any) -> State:
    (x,) = _real(x)
    size = abs(x)
    root = syntonic.pow(size, 1.0 / 3.0)
    # One step of Newton's, which 0 and infinity do not need.
    better = root - (root - size / (root * root)) / 3.0
    usable = (size > 0) & (root * root < syntonic.inf) & (root * root > 0)
    return syntonic.copysign(syntonic.where(usable, better, root), x)


@_formula
def _fabs(x: Any) -> Any:
    (x,) = _real(x)
    return abs(x)


@_formula
def _float_power(a: Any, b: Any) -> State:
    a, b = together(a, b)
    wide = _core.complex128 if a.dtype.kind == "c" else _core.float64
    return syntonic.pow(a.astype(wide, copy=False), b.astype(wide, copy=False))


@_formula
def _fmax(a: Any, b: Any) -> State:
    a, b = together(a, b)
    need(a.dtype.kind != "c")
    return syntonic.where(b != b, a, syntonic.where(a != a, b, syntonic.maximum(a, b)))


@_formula
def _fmin(a: Any, b: Any) -> State:
    a, b = together(a, b)
    need(a.dtype.kind != "c")
    return syntonic.where(b != b, a, syntonic.where(a != a, b, syntonic.minimum(a, b)))


@_formula
def _fmod(a: Any, b: Any) -> State:
    a, b = together(a, b)
    need(a.dtype.kind in "iuf")
    if a.dtype.kind == "f":
        # An infinite divisor leaves finite numbers alone.
        return syntonic.copysign(syntonic.where(syntonic.isinf(b) & syntonic.isfinite(a), abs(a), syntonic.remainder(abs(a), abs(b))), a)
    if a.dtype.kind == "u":
        return syntonic.remainder(a, b)
    # The remainder of floor division has the sign of the divisor.
    rest = syntonic.remainder(a, b)
    return syntonic.where((rest != 0) & ((a < 0) != (b < 0)), rest - b, rest)


@_formula
def _positive(x: Any) -> State:
    if isinstance(x, State) and x.dtype == "bool":
        raise _core.DTypeError("positive: truth values have no sign; hint: .astype(int)")
    return syntonic.positive(x)


@_formula
def _sign(x: Any) -> State:
    sign = syntonic.sign(x)
    if not isinstance(x, State) or x.dtype.kind != "c":
        return sign
    # Where both parts are infinite there is no direction.
    undefined = syntonic.isinf(x.real) & syntonic.isinf(x.imag)
    return syntonic.where(undefined, syntonic.full_like(x, complex(syntonic.nan, syntonic.nan)), sign)


@_formula
def _heaviside(x: Any, middle: Any) -> State:
    x, middle = _real(x, middle)
    x, middle = together(x, middle)
    step = syntonic.where(x > 0, syntonic.full_like(x, 1), syntonic.full_like(x, 0))
    return syntonic.where(x != x, x, syntonic.where(x == 0, middle, step))


@_formula
def _logaddexp2(a: Any, b: Any) -> State:
    a, b = _real(*together(a, b))
    high, low = syntonic.maximum(a, b), syntonic.minimum(a, b)
    # Infinities of one sign have no difference.
    far = syntonic.where(high == low, syntonic.zeros_like(high), low - high)
    return high + syntonic.log1p(syntonic.exp2(far)) * 1.4426950408889634


@_formula
def _modf(x: Any) -> tuple[State, State]:
    (x,) = _real(x)
    whole = syntonic.trunc(x)
    part = syntonic.where(syntonic.isinf(x), syntonic.zeros_like(x), x - whole)
    return syntonic.copysign(part, x), syntonic.copysign(whole, x)


@_formula
def _reciprocal(x: Any) -> State:
    if isinstance(x, State) and x.dtype.kind in "iu":
        # Whole parts.
        return syntonic.where(abs(x) == 1, x, syntonic.zeros_like(x))
    return syntonic.reciprocal(x)


@_formula
def _spacing(x: Any) -> State:
    (x,) = _real(x)
    need(x.dtype in ("float32", "float64"))
    size = abs(x)
    gap = syntonic.nextafter(size, syntonic.full_like(x, syntonic.inf)) - size
    return syntonic.where(x < 0, -gap, gap)


@_formula
def _bitwise_count(x: Any) -> State:
    x = asarray(x)
    need(x.dtype.kind in "iu")
    size = abs(x)
    count = syntonic.zeros(x.shape, dtype=_core.uint8, device=x.device)
    for bit in range(8 * x.dtype.itemsize):
        count = count + ((size >> bit) & 1).astype(_core.uint8)
    return count


@_formula
def _gcd(a: Any, b: Any) -> Any:
    a, b = together(a, b)
    need(a.dtype.kind in "iu")
    a, b = syntonic.broadcast_arrays(a, b)
    # Euclid's steps, all of them at once; one truth value is read for each. Signs are left out at the end: the smallest number has no size.
    while bool(syntonic.any(b != 0)):
        a, b = syntonic.where(b == 0, a, b).eval(), syntonic.where(b == 0, b, syntonic.remainder(a, syntonic.where(b == 0, 1, b))).eval()
    return abs(a)


@_formula
def _lcm(a: Any, b: Any) -> Any:
    a, b = together(a, b)
    common = _gcd(a, b)
    return abs(a) // syntonic.where(common == 0, syntonic.ones_like(common), common) * abs(b)


@_formula
def _divmod(a: Any, b: Any) -> tuple[State, State]:
    return syntonic.floor_divide(a, b), syntonic.remainder(a, b)


@_formula
def _conjugate(x: Any) -> State:
    if isinstance(x, State) and x.dtype == "bool":
        return x.astype("int8")
    return syntonic.conj(x)


@_formula
def _rint(x: Any) -> State:
    if isinstance(x, State) and x.dtype.kind in "iu":
        # NumPy takes integers to floats here, and leaves them in `round`.
        x = x.astype(float_for(x.dtype))
    need(not (isinstance(x, State) and x.dtype == "bool"))
    return syntonic.round(x)


def _matrix_vector(a: Any, x: Any) -> State:
    return syntonic.matmul(a, asarray(x)[..., None])[..., 0]


def _vector_matrix(x: Any, a: Any) -> State:
    return syntonic.matmul(syntonic.conj(asarray(x))[..., None, :], a)[..., 0, :]


FORMULAS["matvec"], FORMULAS["vecmat"] = _matrix_vector, _vector_matrix
