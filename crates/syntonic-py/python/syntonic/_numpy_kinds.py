"""Types and parts of numbers, under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core, linalg
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
def _promote_types(type1: Any, type2: Any) -> DType:
    return _core.promote_types(DType(type1), DType(type2))


@numpys("can_cast")
def _can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    # By NumPy's own rules, of which there are more than one.
    of = from_.dtype if isinstance(from_, State) else from_
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


@numpys("require")
def _require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> State:
    x = asarray(a, dtype)
    wanted = {r.upper()[0] for r in ([requirements] if isinstance(requirements, str) else requirements or ())}
    if "F" in wanted:
        return x if x.flags.f_contiguous else x.T.copy().T
    return x if "C" not in wanted or x.flags.c_contiguous else x.copy()


# Linear algebra.


@numpys("linalg.pinv")
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> State:
    # NumPy's own bound of what counts as 0, where none is given.
    return linalg.pinv(a, rtol=1e-15 if rcond is None and rtol is None else rcond if rtol is None else rtol)


@numpys("linalg.matrix_rank")
def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> State:
    a = asarray(A)
    need(tol is None)
    if a.ndim < 2:
        return syntonic.any(a != 0).astype(_core.int64)
    return linalg.matrix_rank(a, rtol=rtol)


@numpys("linalg.lstsq")
def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    a = asarray(a)
    b = asarray(b, None, a.device)
    need(a.ndim == 2 and b.ndim in (1, 2))
    found = linalg.lstsq(a, b if b.ndim == 2 else b[:, None], rtol=rcond)
    solution, residuals, rank, singular = found
    if a.shape[0] <= a.shape[1] or int(rank) < a.shape[1]:
        # Many solutions: NumPy says nothing of what is left.
        residuals = residuals[:0]
    return (solution if b.ndim == 2 else solution[:, 0]), residuals, rank, singular


@numpys("linalg.cond")
def _cond(x: Any, p: Any = None) -> State:
    return linalg.cond(x, p)


@numpys("linalg.matmul")
def _matmul(x1: Any, x2: Any, /) -> State:
    return syntonic.matmul(x1, x2)


@numpys("linalg.vecdot")
def _vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> State:
    return syntonic.vecdot(x1, x2, axis=axis)


@numpys("linalg.diagonal")
def _diagonal(x: Any, /, *, offset: int = 0) -> State:
    return linalg.diagonal(x, offset=offset)


@numpys("linalg.trace")
def _trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> State:
    return syntonic.trace(x, offset=offset, dtype=dtype)


@numpys("linalg.cross")
def _cross(x1: Any, x2: Any, /, *, axis: int = -1) -> State:
    return linalg.cross(x1, x2, axis=axis)


@numpys("linalg.multi_dot")
def _multi_dot(arrays: Any, *, out: Any = None) -> State:
    need(out is None)
    parts = [asarray(x) for x in arrays]
    if len(parts) < 2:
        raise _core.ArgumentError("multi_dot: expecting at least two arrays")
    lengths = [parts[0].shape[0] if parts[0].ndim == 2 else 1, *(x.shape[0] if x.ndim == 2 or k else x.shape[0] for k, x in enumerate(parts) if k), parts[-1].shape[-1] if parts[-1].ndim == 2 else 1]
    n = len(parts)
    cost: dict[tuple[int, int], tuple[int, int]] = {(k, k): (0, k) for k in range(n)}
    # The cheapest place to cut each run of factors, shorter runs first.
    for reach in range(1, n):
        for i in range(n - reach):
            j = i + reach
            cost[i, j] = min((cost[i, k][0] + cost[k + 1, j][0] + lengths[i] * lengths[k + 1] * lengths[j + 1], k) for k in range(i, j))

    def product(i: int, j: int) -> State:
        if i == j:
            return parts[i]
        k = cost[i, j][1]
        return syntonic.matmul(product(i, k), product(k + 1, j))

    return product(0, n - 1)


@numpys("linalg.tensorsolve")
def _tensorsolve(a: Any, b: Any, axes: Any = None) -> State:
    a = asarray(a)
    b = asarray(b, None, a.device)
    if axes is not None:
        others = [k for k in range(a.ndim) if k not in [x % a.ndim for x in axes]]
        a = syntonic.permute_dims(a, (*others, *(x % a.ndim for x in axes)))
    shape = a.shape[b.ndim :]
    count = 1
    for n in shape:
        count *= n
    return linalg.solve(a.reshape(-1, count), b.ravel()).reshape(shape)


@numpys("linalg.tensorinv")
def _tensorinv(a: Any, ind: int = 2) -> State:
    a = asarray(a)
    front, back = a.shape[:ind], a.shape[ind:]
    count = 1
    for n in back:
        count *= n
    return linalg.inv(a.reshape(count, -1)).reshape((*back, *front))
