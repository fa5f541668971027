"""Shapes, joined and parted arrays, and new ones, under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_table import need, numpys, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


@numpys("where")
def _where(condition: Any, *branches: Any) -> Any:
    # None is an object of NumPy's here, and no branch that is missing.
    need(not any(branch is None for branch in branches))
    return syntonic.where(condition, *branches) if branches else syntonic.nonzero(condition)


@numpys("nonzero")
def _nonzero(a: Any) -> Any:
    return syntonic.nonzero(a)


@numpys("flatnonzero")
def _flatnonzero(a: Any) -> Any:
    return syntonic.nonzero(asarray(a).ravel())[0]


@numpys("argwhere")
def _argwhere(a: Any) -> Any:
    a = asarray(a)
    places = syntonic.nonzero(a if a.ndim else a.reshape(1))
    return syntonic.stack(places, axis=-1)[:, : a.ndim]


@numpys("reshape")
def _reshape(a: Any, /, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: bool | None = None) -> Any:
    return asarray(a).reshape(newshape if shape is None else shape, order=order, copy=copy)


@numpys("ravel")
def _ravel(a: Any, order: str = "C") -> Any:
    return asarray(a).ravel(order)


@numpys("transpose", "permute_dims")
def _transpose(a: Any, axes: Any = None) -> Any:
    return syntonic.transpose(a, axes)


@numpys("matrix_transpose", "linalg.matrix_transpose")
def _matrix_transpose(x: Any, /) -> Any:
    x = asarray(x)
    if x.ndim < 2:
        raise _core.ShapeError(f"matrix_transpose: the array must be at least 2-dimensional, and has {x.ndim} axes; hint: x[None] has one more")
    return syntonic.matrix_transpose(x)


@numpys("swapaxes")
def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    return asarray(a).swapaxes(axis1, axis2)


@numpys("moveaxis")
def _moveaxis(a: Any, source: Any, destination: Any) -> Any:
    return syntonic.moveaxis(a, source, destination)


@numpys("squeeze")
def _squeeze(a: Any, axis: Any = None) -> Any:
    return syntonic.squeeze(a, axis)


@numpys("expand_dims")
def _expand_dims(a: Any, axis: Any) -> Any:
    return syntonic.expand_dims(a, axis)


@numpys("broadcast_to")
def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return syntonic.broadcast_to(array, shape)


@numpys("broadcast_arrays")
def _broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    try:
        return syntonic.broadcast_arrays(*args)
    except syntonic.DTypeError:
        # None, texts and objects are stretched by NumPy, beside States on any device.
        arrays = [x if isinstance(x, State) else _take_over(np.asarray(x)) for x in args]
        shape = np.broadcast_shapes(*(x.shape for x in arrays))
        return tuple((syntonic.broadcast_to if isinstance(x, State) else np.broadcast_to)(x, shape) for x in arrays)


def _take_over(array: Any) -> Any:
    """As a State, if it is one of numbers."""
    return asarray(array) if array.dtype.kind in "biufc" else array


@numpys("diagonal")
def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return asarray(a).diagonal(offset, axis1, axis2)


@numpys("flip")
def _flip(m: Any, axis: Any = None) -> Any:
    return syntonic.flip(m, axis=axis)


@numpys("flipud")
def _flipud(m: Any) -> Any:
    return syntonic.flip(m, axis=0)


@numpys("fliplr")
def _fliplr(m: Any) -> Any:
    return syntonic.flip(m, axis=1)


@numpys("roll")
def _roll(a: Any, shift: Any, axis: Any = None) -> Any:
    x = asarray(a)
    if not isinstance(shift, (int, list, tuple)) and hasattr(shift, "tolist"):
        # Unsigned integers too.
        shift = shift.tolist()
    if axis is None and isinstance(shift, int) and x.size:
        # Integers of any length.
        shift %= x.size
    elif isinstance(axis, int) and isinstance(shift, int) and -x.ndim <= axis < x.ndim and x.shape[axis]:
        shift %= x.shape[axis]
    return syntonic.roll(a, shift, axis=axis)


@numpys("tile")
def _tile(A: Any, reps: Any) -> Any:
    return syntonic.tile(A, reps)


@numpys("repeat")
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    a = asarray(a)
    # As a reduction, it may go along an axis of an array without any.
    return syntonic.repeat(a.reshape(1) if axis in (0, -1) and not a.ndim else a, repeats, axis=axis)


@numpys("tril")
def _tril(m: Any, k: int = 0) -> Any:
    return syntonic.tril(m, k=k)


@numpys("triu")
def _triu(m: Any, k: int = 0) -> Any:
    return syntonic.triu(m, k=k)


@numpys("pad")
def _pad(array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Any:
    known = mode in ("edge", "reflect", "symmetric", "wrap") or (mode == "constant" and set(options) <= {"constant_values"})
    need(known and (mode == "constant" or not options) and not isinstance(pad_width, dict))
    value = options.get("constant_values", 0)
    need(isinstance(value, (bool, int, float, complex)))
    return syntonic.pad(array, pad_width, mode=mode, value=value)


# Joining and parting.


@numpys("concatenate", "concat")
def _concatenate(arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    need(out is None and casting == "same_kind")
    joined = syntonic.concat(arrays, axis=axis)
    return joined if dtype is None else joined.astype(dtype, copy=False)


@numpys("stack")
def _stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    need(out is None and casting == "same_kind")
    joined = syntonic.stack(arrays, axis=axis)
    return joined if dtype is None else joined.astype(dtype, copy=False)


def _of_ndim(x: Any, ndim: int, front: int) -> State:
    """With axes of length 1 before the first or, from `front` axes on, behind the last."""
    x = asarray(x)
    while x.ndim < ndim:
        x = syntonic.expand_dims(x, x.ndim if x.ndim >= front else 0)
    return x


@numpys("atleast_1d")
def _atleast_1d(*arys: Any) -> Any:
    made = tuple(_of_ndim(x, 1, 1) for x in arys)
    return made[0] if len(made) == 1 else made


@numpys("atleast_2d")
def _atleast_2d(*arys: Any) -> Any:
    made = tuple(_of_ndim(x, 2, 2) for x in arys)
    return made[0] if len(made) == 1 else made


@numpys("vstack")
def _vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    return _concatenate([_of_ndim(x, 2, 2) for x in tup], 0, dtype=dtype, casting=casting)


@numpys("hstack")
def _hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    arrays = [_of_ndim(x, 1, 1) for x in tup]
    return _concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype, casting=casting)


@numpys("column_stack")
def _column_stack(tup: Any) -> Any:
    return syntonic.concat([_of_ndim(x, 2, 1) for x in tup], axis=1)


@numpys("split")
def _split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    return syntonic.split(ary, indices_or_sections, axis=axis)


@numpys("array_split")
def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    array = asarray(ary)
    if not hasattr(indices_or_sections, "__index__"):
        return syntonic.split(array, indices_or_sections, axis=axis)
    count = indices_or_sections.__index__()
    if count <= 0:
        raise syntonic.ArgumentError(f"array_split: {count} sections; it must be 1 or more")
    # The first parts are longer by one, where they cannot all be of one length.
    each, longer = divmod(array.shape[axis], count)
    return syntonic.split(array, [k * each + min(k, longer) for k in range(1, count)], axis=axis)


@numpys("hsplit")
def _hsplit(ary: Any, indices_or_sections: Any) -> Any:
    array = asarray(ary)
    need(array.ndim > 0)
    return syntonic.split(array, indices_or_sections, axis=0 if array.ndim == 1 else 1)


@numpys("vsplit")
def _vsplit(ary: Any, indices_or_sections: Any) -> Any:
    need(asarray(ary).ndim > 1)
    return syntonic.split(ary, indices_or_sections, axis=0)


@numpys("dsplit")
def _dsplit(ary: Any, indices_or_sections: Any) -> Any:
    need(asarray(ary).ndim > 2)
    return syntonic.split(ary, indices_or_sections, axis=2)


@numpys("unstack")
def _unstack(x: Any, /, *, axis: int = 0) -> Any:
    return syntonic.unstack(x, axis=axis)


@numpys("meshgrid")
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: Any = "xy") -> Any:
    if sparse:
        if indexing not in ("xy", "ij"):
            raise syntonic.ArgumentError(f"meshgrid: indexing is {indexing!r:.40}; it must be 'xy' or 'ij'")
        # In the order "xy" the first two axes are exchanged.
        axes = [1, 0, *range(2, len(xi))] if indexing == "xy" and len(xi) > 1 else range(len(xi))
        lines = (asarray(x) for x in xi)
        return tuple(x.reshape((1,) * axis + (x.size,) + (1,) * (len(xi) - axis - 1)).copy() for x, axis in zip(lines, axes, strict=True))
    need(copy)
    return syntonic.meshgrid(*xi, indexing=indexing)


@numpys("take_along_axis")
def _take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    if axis is None:
        return syntonic.take_along_axis(asarray(arr).ravel(), asarray(indices).ravel(), axis=0)
    return syntonic.take_along_axis(arr, indices, axis=axis)


@numpys("copyto")
def _copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    need(isinstance(dst, State) and casting in ("same_kind", "unsafe"))
    values = asarray(src, None, dst.device)
    need(casting == "unsafe" or np.can_cast(np.dtype(values.dtype), np.dtype(dst.dtype), "same_kind"))
    dst[...] = values.astype(dst.dtype, copy=False) if where is True else syntonic.where(where, values, dst).astype(dst.dtype, copy=False)


@numpys("put")
def _put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    need(isinstance(a, State))
    a.put(ind, v, mode)


def _like(ours: Callable[..., State], x: Any, value: tuple[Any, ...], dtype: Any, shape: Any, device: Any) -> State:
    x = asarray(x)
    made = ours(x, *value, dtype=dtype, device=device) if shape is None else None
    if made is None:
        fill = {syntonic.zeros_like: 0, syntonic.ones_like: 1}.get(ours, value[0] if value else 0)
        made = syntonic.full(shape, fill, dtype=x.dtype if dtype is None else dtype, device=x.device if device is None else device)
    return made


def _filled(name: str) -> None:
    ours = getattr(syntonic, name)

    def call(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None) -> Any:
        return _like(ours, a, (), dtype, shape, device)

    numpys(name)(call)


for _name in ("zeros_like", "ones_like", "empty_like"):
    _filled(_name)


@numpys("full_like")
def _full_like(a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None) -> Any:
    return _like(syntonic.full_like, a, (fill_value,), dtype, shape, device)


@numpys("copy")
def _copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    return asarray(a).copy(order)


@numpys("astype")
def _astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    return syntonic.astype(x, dtype, copy=copy, device=device)


@numpys("shape")
def _shape(a: Any) -> tuple[int, ...]:
    return asarray(a).shape


@numpys("ndim")
def _ndim(a: Any) -> int:
    return asarray(a).ndim


@numpys("size")
def _size(a: Any, axis: int | tuple[int, ...] | None = None) -> int:
    x = asarray(a)
    if not isinstance(axis, tuple):
        return x.size if axis is None else x.shape[axis]
    if len({k % max(x.ndim, 1) for k in axis}) != len(axis) or any(not -x.ndim <= k < x.ndim for k in axis):
        raise _core.AxisError(f"size: axes {axis} of an array of {x.ndim} axes")
    count = 1
    for k in axis:
        count *= x.shape[k]
    return count


@numpys("real")
def _real(val: Any) -> Any:
    return asarray(val).real


@numpys("imag")
def _imag(val: Any) -> Any:
    return asarray(val).imag
