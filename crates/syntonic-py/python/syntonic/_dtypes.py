"""Element types: what they hold, and what they become together."""

from __future__ import annotations

from syntonic import _core
from syntonic._core import DType, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._typing import ArrayLike, DeviceLike, DTypeLike, Number

__all__ = ["astype", "can_cast", "finfo", "finfo_object", "iinfo", "iinfo_object", "isdtype", "result_type"]


class finfo_object:
    """Limits of a floating type; for a complex one, of its parts."""

    __slots__ = ("bits", "dtype", "eps", "max", "min", "smallest_normal")

    def __init__(self, bits: int, eps: float, max: float, smallest_normal: float, dtype: DType) -> None:
        self.bits = bits
        self.eps = eps
        self.max = max
        self.min = -max
        self.smallest_normal = smallest_normal
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"finfo({self.dtype}: {self.bits} bits, eps {self.eps}, max {self.max})"


class iinfo_object:
    """Limits of an integer type."""

    __slots__ = ("bits", "dtype", "max", "min")

    def __init__(self, bits: int, max: int, min: int, dtype: DType) -> None:
        self.bits = bits
        self.max = max
        self.min = min
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"iinfo({self.dtype}: from {self.min} to {self.max})"


# Digits of the fraction and the exponent of the largest number's binade.
_FLOATS = {"float16": (10, 15), "bfloat16": (7, 127), "float32": (23, 127), "float64": (52, 1023)}
# 8-bit floats: the distance from 1 to the next number, the largest and the smallest normal one.
_STORED = {"float8_e4m3fn": (2.0**-3, 448.0, 2.0**-6), "float8_e5m2": (2.0**-2, 57344.0, 2.0**-14)}
_REAL = {"complex64": "float32", "complex128": "float64"}
_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def _dtype_of(type: DTypeLike | State) -> DType:
    return type.dtype if isinstance(type, State) else DType(type)


def finfo(type: DTypeLike | State, /) -> finfo_object:
    """The limits of a floating type."""
    dtype = _dtype_of(type)
    real = DType(_REAL.get(dtype.name, dtype.name))
    if real.name in _STORED:
        return finfo_object(8, *_STORED[real.name], real)
    if real.name not in _FLOATS:
        raise _core.DTypeError(f"finfo: {dtype.name} is no floating type; hint: iinfo is for integers")
    digits, top = _FLOATS[real.name]
    high = (2.0 - 2.0**-digits) * 2.0**top
    return finfo_object(8 * real.itemsize, 2.0**-digits, high, 2.0 ** (1 - top), real)


def iinfo(type: DTypeLike | State, /) -> iinfo_object:
    """The limits of an integer type."""
    dtype = _dtype_of(type)
    bits = 8 * dtype.itemsize
    if dtype.kind == "i":
        return iinfo_object(bits, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), dtype)
    if dtype.kind == "u":
        return iinfo_object(bits, 2**bits - 1, 0, dtype)
    raise _core.DTypeError(f"iinfo: {dtype.name} is no integer type; hint: finfo is for floats")


def isdtype(dtype: DTypeLike, kind: DTypeLike | str | tuple[DTypeLike | str, ...]) -> bool:
    """True if `dtype` is of that kind: a type, the name of a kind such as "integral", or a tuple of either."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return DType(dtype).kind in _KINDS[kind]
    return DType(dtype) == DType(kind)


def can_cast(from_: DTypeLike | State, to: DTypeLike, /) -> bool:
    """True if every value survives the conversion, by the rules of type promotion. 8-bit floats survive in any wider float."""
    source, target = _dtype_of(from_), DType(to)
    if "V" in (source.kind, target.kind):
        return source == target or target.kind in "fc"
    return _core.promote_types(source, target) == target


def result_type(*arrays_and_dtypes: ArrayLike | DTypeLike) -> DType:
    """The type of an operation between these States, types and Python numbers."""
    dtypes = [_dtype_of(x) for x in arrays_and_dtypes if not isinstance(x, (bool, int, float, complex))]
    if not dtypes:
        raise _core.ArgumentError("result_type: needs at least one State or dtype")
    common = dtypes[0]
    for dtype in dtypes[1:]:
        common = _core.promote_types(common, dtype)
    for number in arrays_and_dtypes:
        if isinstance(number, (bool, int, float, complex)):
            common = _with_number(common, number)
    return common


def _with_number(dtype: DType, number: Number) -> DType:
    """A number has no width and only raises the kind."""
    if dtype.kind == "V":
        return dtype
    if isinstance(number, complex) and dtype.kind != "c":
        return DType("complex64" if dtype.name in ("float16", "bfloat16", "float32") else "complex128")
    if isinstance(number, float) and dtype.kind in "biu":
        return DType("float64")
    if not isinstance(number, bool) and isinstance(number, int) and dtype.kind == "b":
        return DType("int64")
    return dtype


def astype(x: State, dtype: DTypeLike, /, *, copy: bool = True, device: DeviceLike | None = None) -> State:
    """The same values as another type: rounded, integers wrapped, floats saturated into integers."""
    out = _core.asarray(x).astype(dtype, copy=copy)
    return out if device is None else out.to(device)
