"""Linear algebra under the names and with the parameters of NumPy's, where more than the parameters differs."""

from __future__ import annotations

import itertools
import operator

import syntonic
from syntonic import _core, linalg
from syntonic._core import State, asarray
from syntonic._numpy_errors import LinAlgError
from syntonic._numpy_table import need, numpys, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@numpys("linalg.pinv")
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> State:
    if rcond is not None and said(rtol=rtol):
        raise _core.ArgumentError("pinv: `rtol` and `rcond` can't be both set.")
    bound = said(rtol=rtol).get("rtol", rcond)
    # NumPy's own bound of what counts as 0, where none is given.
    return linalg.pinv(a, rtol=1e-15 if bound is None else bound)


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
    if a.shape[0] != b.shape[0]:
        raise LinAlgError(f"lstsq: Incompatible dimensions, {a.shape[0]} equations and {b.shape[0]} right sides; hint: there must be as many")
    found = linalg.lstsq(a, b if b.ndim == 2 else b[:, None], rtol=rcond)
    solution, residuals, rank, singular = found
    if a.shape[0] <= a.shape[1] or int(rank) < a.shape[1]:
        # Many solutions: NumPy says nothing of what is left.
        residuals = residuals[:0]
    return (solution if b.ndim == 2 else solution[:, 0]), residuals, rank, singular


@numpys("linalg.cond")
def _cond(x: Any, p: Any = None) -> State:
    x = asarray(x)
    if x.size == 0 and x.ndim > 1 and 0 in x.shape[-2:]:
        raise _core.LinAlgError("cond is not defined on empty arrays")
    try:
        found = linalg.cond(x, p)
    except _core.LinAlgError:
        found = _of_each(x, p)
    # What is no number, of a matrix that has only numbers, has grown beyond all of them.
    return syntonic.where(syntonic.isnan(found) & ~syntonic.isnan(x).any(axis=(-2, -1)), syntonic.full_like(found, syntonic.inf), found)


def _of_each(x: State, p: Any) -> State:
    """The condition of each matrix of a stack, infinite where one has no inverse."""
    real = x.real.dtype
    found = syntonic.full(x.shape[:-2], syntonic.inf, real, device=x.device)
    for place in itertools.product(*map(range, x.shape[:-2])):
        try:
            found[place] = linalg.cond(x[place], p)
        except _core.LinAlgError:
            pass
    return found


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
    a = asarray(x1)
    b = asarray(x2, None, a.device)
    lengths = [x.shape[axis] for x in (a, b) if -x.ndim <= axis < x.ndim]
    if lengths not in ([], [3, 3]):
        raise _core.ShapeError(f"cross: both input arrays must be (arrays of) 3-dimensional vectors, and have lengths {lengths}; hint: axis= names the axis")
    return linalg.cross(a, b, axis=axis)


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
    if a.size != count * count:
        raise LinAlgError(f"tensorsolve: {list(a.shape)} is no square matrix with {count} columns; hint: the last axes have as many elements as the first")
    return linalg.solve(a.reshape(count, count), b.ravel()).reshape(shape)


@numpys("linalg.tensorinv")
def _tensorinv(a: Any, ind: int = 2) -> State:
    a = asarray(a)
    if ind <= 0:
        raise _core.ArgumentError(f"tensorinv: ind is {ind}; it must be positive")
    front, back = a.shape[:ind], a.shape[ind:]
    count = 1
    for n in back:
        count *= n
    if a.size != count * count:
        raise LinAlgError(f"tensorinv: {list(a.shape)} is no square matrix with {count} columns; hint: the last axes have as many elements as the first")
    return linalg.inv(a.reshape(count, count)).reshape((*back, *front))


@numpys("linalg.matrix_power")
def _matrix_power(a: Any, n: Any) -> State:
    a, n = asarray(a), operator.index(n)
    if a.dtype.name == "bool" or abs(n) >= 2**63:
        return _power(a, n)
    return linalg.matrix_power(a, n)


def _power(a: State, n: int) -> State:
    if n < 0:
        a, n = linalg.inv(a), -n
    need(a.dtype.name != "bool")
    square, result = a, None
    while n:
        if n & 1:
            result = square if result is None else syntonic.matmul(result, square)
        square, n = syntonic.matmul(square, square), n >> 1
    return square if result is None else result


@numpys("linalg.eigvals")
def _eigvals(a: Any) -> State:
    found = linalg.eigvals(a)
    return found.real.copy() if _stays_real(asarray(a), found) else found


@numpys("linalg.eig")
def _eig(a: Any) -> Any:
    found = linalg.eig(a)
    return linalg.EigResult(found[0].real.copy(), found[1].real.copy()) if _stays_real(asarray(a), found[0]) else found


def _stays_real(a: State, values: State) -> bool:
    """Whether a matrix of real numbers has real eigenvalues alone, which NumPy gives as real numbers."""
    return a.dtype.kind != "c" and bool(syntonic.all(values.imag == 0))
