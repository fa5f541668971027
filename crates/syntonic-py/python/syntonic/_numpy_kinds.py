"""Types and parts of numbers, under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core
from syntonic._core import DType, State, asarray
from syntonic._numpy_table import need, numpys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@numpys("angle")
def _angle(z: Any, deg: bool = False) -> State:
    z = asarray(z)
    z = z if z.dtype.kind in "fc" else z.astype(_core.float64)
    phase = syntonic.atan2(z.imag, z.real) if z.dtype.kind == "c" else syntonic.atan2(syntonic.zeros_like(z), z)
    return phase * (180.0 / syntonic.pi) if deg else phase


@numpys("iscomplex")
def _iscomplex(x: Any) -> State:
    x = asarray(x)
    return x.imag != 0 if x.dtype.kind == "c" else syntonic.zeros(x.shape, _core.bool, device=x.device)


@numpys("isreal")
def _isreal(x: Any) -> State:
    x = asarray(x)
    return x.imag == 0 if x.dtype.kind == "c" else syntonic.ones(x.shape, _core.bool, device=x.device)


@numpys("iscomplexobj")
def _iscomplexobj(x: Any) -> bool:
    return asarray(x).dtype.kind == "c"


@numpys("isrealobj")
def _isrealobj(x: Any) -> bool:
    return asarray(x).dtype.kind != "c"


@numpys("isfortran")
def _isfortran(a: Any) -> bool:
    flags = asarray(a).flags
    return bool(flags.f_contiguous and not flags.c_contiguous)


@numpys("real_if_close")
def _real_if_close(a: Any, tol: float = 100) -> State:
    x = asarray(a)
    if x.dtype.kind != "c":
        return x
    bound = tol * syntonic.finfo(x.dtype).eps if tol > 1 else tol
    return x.real if bool(syntonic.all(abs(x.imag) < bound)) else x


@numpys("isposinf")
def _isposinf(x: Any, out: Any = None) -> State:
    need(out is None)
    return asarray(x) == syntonic.inf


@numpys("isneginf")
def _isneginf(x: Any, out: Any = None) -> State:
    need(out is None)
    return asarray(x) == -syntonic.inf


@numpys("fix")
def _fix(x: Any, out: Any = None) -> State:
    return syntonic.trunc(x, out=out)


def _typed(of: Any) -> Any:
    return of if isinstance(of, (State, DType)) or type(of) in (bool, int, float, complex) else of.dtype if hasattr(of, "dtype") and not isinstance(of, type) else DType(of)


@numpys("result_type")
def _result_type(*arrays_and_dtypes: Any) -> DType:
    typed = [_typed(x) for x in arrays_and_dtypes]
    if all(type(x) in (bool, int, float, complex) for x in typed):
        return asarray(typed).dtype
    return syntonic.result_type(*typed)


@numpys("promote_types")
def _promote_types(type1: Any, type2: Any) -> Any:
    if any(isinstance(one, np.dtype) and one.metadata is not None for one in (type1, type2)):
        # Ours have none.
        return np.promote_types(type1, type2)
    return _core.promote_types(DType(type1), DType(type2))


@numpys("can_cast")
def _can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    # By NumPy's own rules, of which there are more than one.
    if type(from_) in (bool, int, float, complex):
        raise _core.ArgumentTypeError("can_cast: a Python number has no type of its own; hint: give a type or an array")
    of = from_.dtype if isinstance(from_, (State, np.ndarray)) else from_
    return bool(np.can_cast(np.dtype(of), np.dtype(to), casting))  # type: ignore[arg-type]


@numpys("common_type")
def _common_type(*arrays: Any) -> Any:
    dtypes = [asarray(x).dtype for x in arrays]
    kinds = [d if d.kind in "fc" else DType("float64") for d in dtypes]
    if any(d == "bool" for d in dtypes):
        raise _core.ArgumentTypeError("common_type: can't get common type for non-numeric array")
    return np.dtype(syntonic.result_type(*kinds)).type


@numpys("min_scalar_type")
def _min_scalar_type(a: Any) -> Any:
    return DType(np.min_scalar_type(a.item())) if isinstance(a, State) and a.ndim == 0 else asarray(a).dtype if isinstance(a, State) else np.min_scalar_type(a)


@numpys("isdtype")
def _isdtype(dtype: Any, kind: Any) -> bool:
    return syntonic.isdtype(dtype, kind)


@numpys("shares_memory", "may_share_memory")
def _shares_memory(a: Any, b: Any, /, max_work: Any = None) -> bool:
    a, b = asarray(a), asarray(b)
    if a.device != b.device:
        return False
    need(a.device == "cpu")
    return bool(np.shares_memory(a.numpy(), b.numpy()))


_REQUIREMENTS = {
    **{name: name[0] for name in ("C", "C_CONTIGUOUS", "CONTIGUOUS", "F", "F_CONTIGUOUS", "FORTRAN", "A", "ALIGNED", "W", "WRITEABLE", "O", "OWNDATA")},
    **{name: "E" for name in ("E", "ENSUREARRAY")},
}


@numpys("require")
def _require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> State:
    x = asarray(a, dtype)
    wanted = {_REQUIREMENTS[r.upper()] for r in ([requirements] if isinstance(requirements, str) else requirements or ())}
    if {"C", "F"} <= wanted:
        raise _core.ArgumentError("require: an array cannot be in both orders of rows and columns")
    if "F" in wanted:
        return x if x.flags.f_contiguous else x.T.copy().T
    return x if "C" not in wanted or x.flags.c_contiguous else x.copy()
