"""Indices of grids, and diagonals, under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_table import need, numpys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["indices"]


@numpys("indices")
def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """For each place of a grid its index along each axis."""
    shape = tuple(int(n) for n in dimensions)
    lines = [
        syntonic.arange(n, dtype=_core.int64).astype(dtype, copy=False).reshape((1,) * k + (n,) + (1,) * (len(shape) - k - 1)) for k, n in enumerate(shape)
    ]
    if sparse:
        return tuple(lines)
    if not shape:
        return syntonic.zeros((0,), dtype)
    return syntonic.stack([syntonic.broadcast_to(line, shape) for line in lines])


@numpys("diag")
def _diag(v: Any, k: int = 0) -> Any:
    v = asarray(v)
    if v.ndim == 2:
        return v.diagonal(k)
    if v.ndim != 1:
        raise _core.ShapeError(f"diag: an array of {v.ndim} axes; hint: it takes a vector or a matrix")
    n = v.size + abs(k)
    square = syntonic.zeros((n, n), v.dtype, device=v.device)
    start = k if k >= 0 else -k * n
    if v.size:
        square.reshape(-1)[start : start + (v.size - 1) * (n + 1) + 1 : n + 1] = v
    return square


@numpys("diagflat")
def _diagflat(v: Any, k: int = 0) -> Any:
    return _diag(asarray(v).ravel(), k)


@numpys("fill_diagonal")
def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    need(isinstance(a, State) and a.ndim >= 2)
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise _core.ShapeError("fill_diagonal: an array of more than two axes must have one length along all of them")
    n = min(a.shape)
    if wrap and a.ndim == 2 and a.shape[0] > a.shape[1]:
        place = syntonic.arange(0, a.size, a.shape[1] + 1, dtype=_core.int64, device=a.device)
        at: tuple[State, ...] = (place // a.shape[1], place % a.shape[1])
    else:
        at = (syntonic.arange(n, dtype=_core.int64, device=a.device),) * a.ndim
    values = asarray(val, None, a.device).astype(a.dtype, copy=False).ravel()
    count = at[0].size
    if values.size > 1:
        values = syntonic.tile(values, -(-count // values.size))[:count]
    a[at] = values


@numpys("diag_indices")
def _diag_indices(n: int, ndim: int = 2) -> tuple[State, ...]:
    return (syntonic.arange(int(n)),) * ndim


@numpys("diag_indices_from")
def _diag_indices_from(arr: Any) -> Any:
    arr = asarray(arr)
    if arr.ndim < 2 or len(set(arr.shape)) > 1:
        raise _core.ShapeError(f"diag_indices_from: {list(arr.shape)}; hint: two axes or more, of one length")
    return (syntonic.arange(arr.shape[0], device=arr.device),) * arr.ndim


def _triangle(n: int, k: int, m: int | None, upper: bool, device: Any = None) -> tuple[State, ...]:
    whole = syntonic.ones((int(n), int(n if m is None else m)), _core.bool, device=device)
    return syntonic.nonzero(syntonic.triu(whole, k=k) if upper else syntonic.tril(whole, k=k))


@numpys("tril_indices")
def _tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[State, ...]:
    return _triangle(n, k, m, False)


@numpys("triu_indices")
def _triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[State, ...]:
    return _triangle(n, k, m, True)


@numpys("tril_indices_from")
def _tril_indices_from(arr: Any, k: int = 0) -> tuple[State, ...]:
    return _of_matrix("tril_indices_from", arr, k, False)


@numpys("triu_indices_from")
def _triu_indices_from(arr: Any, k: int = 0) -> tuple[State, ...]:
    return _of_matrix("triu_indices_from", arr, k, True)


def _of_matrix(op: str, arr: Any, k: int, upper: bool) -> tuple[State, ...]:
    arr = asarray(arr)
    if arr.ndim != 2:
        raise _core.ShapeError(f"{op}: an array of {arr.ndim} axes; it must have two")
    return _triangle(arr.shape[0], k, arr.shape[1], upper, arr.device)


@numpys("mask_indices")
def _mask_indices(n: int, mask_func: Any, k: int = 0) -> tuple[State, ...]:
    return syntonic.nonzero(mask_func(syntonic.ones((int(n), int(n)), _core.int64), k) != 0)


@numpys("ix_")
def _ix(*args: Any) -> tuple[State, ...]:
    found = []
    for k, x in enumerate(args):
        line = asarray(x)
        if line.ndim != 1:
            raise _core.ShapeError(f"ix_: an argument of {line.ndim} axes; each must be a vector")
        if line.size == 0 and isinstance(x, (list, tuple)):
            line = line.astype(_core.int64)
        if line.dtype == "bool":
            (line,) = syntonic.nonzero(line)
        found.append(line.reshape((1,) * k + (line.size,) + (1,) * (len(args) - k - 1)))
    return tuple(found)


def _whole(op: str, index: Any) -> Any:
    index = asarray(index)
    if index.dtype.kind not in "iu":
        raise _core.ArgumentTypeError(f"{op}: an index of type {index.dtype.name}; hint: indices are integers")
    return index


@numpys("ravel_multi_index")
def _ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> State:
    dims = tuple(int(n) for n in dims)
    modes = (mode,) * len(dims) if isinstance(mode, str) else tuple(mode)
    parts = [_whole("ravel_multi_index", part) for part in multi_index]
    need(len(parts) == len(dims) == len(modes) and order in ("C", "F"))
    if any(not part.size for part in parts):
        # No index, and none that lies outside.
        shape = np.broadcast_shapes(*(part.shape for part in parts))
        return syntonic.full(shape, 0, _core.int64, device=parts[0].device)
    if 0 in dims and any(part.size for part in parts):
        raise _core.ArgumentError(f"ravel_multi_index: an index into an empty array of {list(dims)}")
    flat: Any = 0
    for k in range(len(dims)) if order == "C" else reversed(range(len(dims))):
        part = parts[k]
        if modes[k] == "wrap":
            part = part % dims[k]
        elif modes[k] == "clip":
            part = part.clip(0, dims[k] - 1)
        elif not bool(syntonic.all((part >= 0) & (part < dims[k]))):
            raise _core.ArgumentError(f"ravel_multi_index: an index of axis {k} is outside of 0..{dims[k]}")
        flat = flat * dims[k] + part
    return asarray(flat)


@numpys("unravel_index")
def _unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[State, ...]:
    shape = (int(shape),) if hasattr(shape, "__index__") else tuple(int(n) for n in shape)
    need(order in ("C", "F"))
    flat = _whole("unravel_index", indices)
    if not shape and flat.ndim:
        raise _core.ArgumentError("unravel_index: several indices into a 0d array")
    count = 1
    for n in shape:
        count *= n
    if flat.size and not bool(syntonic.all((flat >= 0) & (flat < count))):
        raise _core.ArgumentError(f"unravel_index: an index is outside of 0..{count}")
    found = []
    for n in reversed(shape) if order == "C" else shape:
        found.append(flat % n)
        flat = flat // n
    return tuple(reversed(found)) if order == "C" else tuple(found)
