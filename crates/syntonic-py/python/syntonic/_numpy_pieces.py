"""Elements chosen, put in and taken out, under the names and with the parameters of NumPy's."""

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


@numpys("append")
def _append(arr: Any, values: Any, axis: Any = None) -> State:
    x = asarray(arr)
    more = asarray(values, None, x.device)
    if axis is None:
        x, more, axis = x.ravel(), more.ravel(), 0
    return syntonic.concat([x, more], axis=axis)


def _along(op: str, arr: Any, axis: Any) -> tuple[State, int]:
    x = asarray(arr)
    if axis is None:
        x, axis = x.ravel(), 0
    if not -x.ndim <= axis < x.ndim:
        raise _core.AxisError(f"{op}: axis {axis} of an array of {x.ndim} axes")
    return x, axis % x.ndim


def _integers(op: str, of: Any, x: State) -> State:
    """The places that an index names; an empty list, which has the type of floats, names none."""
    places = asarray(of, None, x.device)
    if places.dtype.kind not in "biu" and (places.size or isinstance(of, (State, np.ndarray))):
        raise _core.OutOfRangeError(f"{op}: an index of type {places.dtype.name}; hint: indices are integers, or a mask")
    return places


@numpys("delete")
def _delete(arr: Any, obj: Any, axis: Any = None) -> State:
    x, axis = _along("delete", arr, axis)
    n = x.shape[axis]
    keep = syntonic.ones(n, _core.bool, device=x.device)
    if isinstance(obj, slice) or hasattr(obj, "__index__") and not isinstance(obj, (State, np.ndarray, bool)):
        if not isinstance(obj, slice) and not -n <= obj.__index__() < n:
            raise _core.OutOfRangeError(f"delete: index {obj} is out of bounds for axis {axis} with size {n}")
        keep[obj] = False
    else:
        places = _integers("delete", obj, x)
        if places.dtype == "bool":
            if places.shape != (n,):
                raise _core.ArgumentError(f"delete: a mask of {list(places.shape)} for {n} elements")
            keep = ~places
        elif places.size:
            keep[places.ravel().astype(_core.int64)] = False
    return syntonic.take(x, syntonic.nonzero(keep)[0], axis=axis)


@numpys("insert")
def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> State:
    x, axis = _along("insert", arr, axis)
    n = x.shape[axis]
    single = not isinstance(obj, (slice, list, tuple)) and (not isinstance(obj, (State, np.ndarray)) or obj.ndim == 0)
    if isinstance(obj, slice):
        places = syntonic.arange(*obj.indices(n), dtype=_core.int64, device=x.device)
    else:
        places = _integers("insert", obj, x)
        if places.ndim > 1:
            raise _core.ArgumentError(f"insert: obj has {places.ndim} axes; hint: it is an integer, a slice, or an array of one axis")
        if places.dtype == "bool" and places.ndim:
            (places,) = syntonic.nonzero(places)
        places = places.astype(_core.int64).ravel()
    if places.size and not bool(syntonic.all((places >= -n) & (places <= n))):
        raise _core.OutOfRangeError(f"insert: an index is out of bounds for axis {axis} with size {n}")
    places = syntonic.where(places < 0, places + n, places)
    new = asarray(values, None, x.device).astype(x.dtype, copy=False)
    if places.size == 1:
        # The values are slices before one place; a number of it, and no list, takes them as an assignment does.
        new = new.reshape((1,) * (x.ndim - new.ndim) + new.shape) if new.ndim < x.ndim else new
        new = syntonic.moveaxis(new, 0, axis) if single else new
        places = syntonic.broadcast_to(places, (new.shape[axis],))
    count = places.size
    shape = tuple(count if k == axis else length for k, length in enumerate(x.shape))
    new = syntonic.broadcast_to(new, shape)
    # Elements in order of the place before which they go, new ones before old ones.
    rank = syntonic.concat([2 * places, 2 * syntonic.arange(n, dtype=_core.int64, device=x.device) + 1])
    joined = syntonic.concat([new, x], axis=axis)
    return syntonic.take(joined, syntonic.argsort(rank), axis=axis)


@numpys("select")
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> State:
    if len(condlist) != len(choicelist) or not len(condlist):
        raise _core.ArgumentError(f"select: {len(condlist)} conditions and {len(choicelist)} choices; there must be as many, and some")
    conditions = [asarray(c) for c in condlist]
    device = conditions[0].device
    choices = [c if type(c) in (bool, int, float, complex) else asarray(c, None, device) for c in choicelist]
    if any(c.dtype != "bool" for c in conditions):
        raise _core.ArgumentTypeError("select: conditions are arrays of truth values")
    plain = [type(c) in (bool, int, float, complex) for c in (*choices, default)]
    typed = [c if p else c.dtype for c, p in zip((*choices, asarray(default, None, device) if not plain[-1] else default), plain, strict=True)]
    common = syntonic.result_type(*typed) if not all(plain) else asarray([*choices, default]).dtype
    arrays = [syntonic.full((), c, common, device=device) if p else asarray(c, None, device).astype(common) for c, p in zip((*choices, default), plain, strict=True)]
    *parts, result = arrays
    for condition, part in zip(reversed(conditions), reversed(parts), strict=True):
        result = syntonic.where(condition, part, result)
    return result


@numpys("choose")
def _choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> State:
    place = asarray(a)
    arrays = [asarray(c, None, place.device) for c in choices]
    count = len(arrays)
    need(out is None and count > 0 and mode in ("raise", "wrap", "clip"))
    if mode == "wrap":
        place = place % count
    elif mode == "clip":
        place = place.clip(0, count - 1)
    elif not bool(syntonic.all((place >= 0) & (place < count))):
        raise _core.ArgumentError("choose: invalid entry in choice array")
    common = syntonic.result_type(*arrays)
    result = arrays[-1].astype(common)
    for k in range(count - 1):
        result = syntonic.where(place == k, arrays[k].astype(common, copy=False), result)
    return syntonic.broadcast_to(result, syntonic.broadcast_shapes(place.shape, result.shape)).copy()


@numpys("compress")
def _compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> State:
    need(out is None)
    a = asarray(a)
    x, axis = _along("compress", a.reshape(1) if axis in (0, -1) and not a.ndim else a, axis)
    (places,) = syntonic.nonzero(asarray(condition, None, x.device))
    return syntonic.take(x, places, axis=axis)


@numpys("extract")
def _extract(condition: Any, arr: Any) -> State:
    x = asarray(arr)
    return syntonic.take(x.ravel(), syntonic.nonzero(asarray(condition, None, x.device).ravel())[0])


@numpys("place")
def _place(arr: Any, mask: Any, vals: Any) -> None:
    need(isinstance(arr, State))
    mask = asarray(mask, None, arr.device).astype(_core.bool).reshape(arr.shape)
    values = asarray(vals, None, arr.device).astype(arr.dtype, copy=False).ravel()
    if values.size == 0:
        if bool(syntonic.any(mask)):
            raise _core.ArgumentError("place: cannot insert from an empty array")
        return
    order = syntonic.cumulative_sum(mask.ravel().astype(_core.int64)).reshape(arr.shape) - 1
    arr[...] = syntonic.where(mask, syntonic.take(values, order.ravel() % values.size).reshape(arr.shape), arr)


@numpys("putmask")
def _putmask(a: Any, mask: Any, values: Any) -> None:
    need(isinstance(a, State))
    given = asarray(values, None, a.device).astype(a.dtype, copy=False).ravel()
    if given.size == 0:
        return
    where = syntonic.arange(a.size, dtype=_core.int64, device=a.device) % given.size
    a[...] = syntonic.where(asarray(mask, None, a.device) != 0, syntonic.take(given, where).reshape(a.shape), a)


@numpys("put_along_axis")
def _put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    need(isinstance(arr, State) and axis is not None)
    places = asarray(indices, None, arr.device)
    if places.ndim != arr.ndim:
        raise _core.ArgumentError(f"put_along_axis: indices of {places.ndim} axes for an array of {arr.ndim}; there must be as many")
    axis %= arr.ndim
    lines = [
        places if k == axis else syntonic.arange(n, dtype=_core.int64, device=arr.device).reshape((1,) * k + (n,) + (1,) * (arr.ndim - k - 1))
        for k, n in enumerate(arr.shape)
    ]
    arr[tuple(lines)] = asarray(values, None, arr.device).astype(arr.dtype, copy=False)


@numpys("piecewise")
def _piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> State:
    x = asarray(x)
    if isinstance(condlist, (bool, State, np.ndarray)) and asarray(condlist).ndim <= max(x.ndim, 0) and not (x.ndim == 1 and asarray(condlist).ndim == 2):
        condlist = [condlist]
    elif isinstance(condlist, (list, tuple)) and condlist and isinstance(condlist[0], (bool, int)) and x.ndim:
        condlist = [condlist]
    conditions = [asarray(c, None, x.device).astype(_core.bool) for c in condlist]
    if len(funclist) == len(conditions) + 1:
        others = conditions[0]
        for c in conditions[1:]:
            others = others | c
        conditions.append(~others)
    elif len(funclist) != len(conditions):
        raise _core.ArgumentError(f"piecewise: with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} functions are expected")
    y = syntonic.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if not callable(function):
            y = syntonic.where(condition, syntonic.full_like(y, function), y)
            continue
        place = syntonic.nonzero(condition.ravel())[0] if condition.ndim else None
        if place is None:
            if bool(condition):
                y[...] = function(x, *args, **kw)
        elif place.size:
            some = asarray(function(syntonic.take(x.ravel(), place), *args, **kw), None, x.device).astype(y.dtype, copy=False)
            y = syntonic.scatter(y.ravel(), 0, place, syntonic.broadcast_to(some, place.shape)).reshape(x.shape)
    return y


@numpys("apply_along_axis")
def _apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> State:
    x = asarray(arr)
    lines = syntonic.moveaxis(x, axis, -1)
    others = lines.shape[:-1]
    results = [asarray(func1d(lines[place], *args, **kwargs), None, x.device) for place in np.ndindex(others)]
    if not results:
        raise _core.ArgumentError("apply_along_axis: Cannot apply_along_axis when any iteration dimensions are 0")
    joined = syntonic.stack(results).reshape((*others, *results[0].shape))
    # The axes of the results go where the axis was.
    place = axis % x.ndim
    extra = results[0].ndim
    return syntonic.moveaxis(joined, tuple(range(len(others), len(others) + extra)), tuple(range(place, place + extra))) if extra else joined


@numpys("apply_over_axes")
def _apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> State:
    x = asarray(a)
    ndim = x.ndim
    for axis in (axes,) if hasattr(axes, "__index__") else axes:
        axis = int(axis) % ndim
        found = asarray(func(x, axis))
        x = found if found.ndim == ndim else syntonic.expand_dims(found, axis)
    return x


@numpys("block")
def _block(arrays: Any) -> State:
    def depth(part: Any) -> int:
        return 1 + max(map(depth, part)) if isinstance(part, list) else 0

    def least(part: Any) -> int:
        return max(map(least, part)) if isinstance(part, list) else asarray(part).ndim

    levels = depth(arrays)
    ndim = max(levels, least(arrays))

    def joined(part: Any, level: int) -> State:
        if not isinstance(part, list):
            x = asarray(part)
            return x.reshape((1,) * (ndim - x.ndim) + x.shape)
        if not part:
            raise _core.ArgumentError("block: lists cannot be empty")
        return syntonic.concat([joined(one, level + 1) for one in part], axis=ndim - levels + level)

    return joined(arrays, 0) if levels else asarray(arrays).copy()


@numpys("rot90")
def _rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> State:
    x = asarray(m)
    if not all(-x.ndim <= axis < x.ndim for axis in axes):
        raise _core.ArgumentError(f"rot90: axes {tuple(axes)} are out of range for an array of {x.ndim} axes")
    if len(axes) != 2 or axes[0] % x.ndim == axes[1] % x.ndim:
        raise _core.ArgumentError("rot90: axes must be two different ones")
    k %= 4
    if k == 0:
        return x[...]
    if k == 2:
        return syntonic.flip(x, axis=tuple(axes))
    if k == 1:
        return syntonic.flip(x, axis=axes[1]).swapaxes(axes[0], axes[1])
    return syntonic.flip(x.swapaxes(axes[0], axes[1]), axis=axes[1])


@numpys("resize")
def _resize(a: Any, new_shape: Any) -> State:
    x = asarray(a).ravel()
    shape = (new_shape,) if hasattr(new_shape, "__index__") else tuple(int(n) for n in new_shape)
    count = 1
    for n in shape:
        count *= n
    if x.size == 0:
        return syntonic.zeros(shape, x.dtype, device=x.device)
    return syntonic.tile(x, -(-count // x.size))[:count].reshape(shape)


@numpys("rollaxis")
def _rollaxis(a: Any, axis: int, start: int = 0) -> State:
    x = asarray(a)
    if not -x.ndim <= axis < x.ndim or not -x.ndim <= start <= x.ndim:
        raise _core.AxisError(f"rollaxis: axis {axis} before axis {start} of an array of {x.ndim} axes")
    axis %= x.ndim
    start = start + x.ndim if start < 0 else start
    start -= axis < start
    return syntonic.moveaxis(x, axis, start)


@numpys("atleast_3d")
def _atleast_3d(*arys: Any) -> Any:
    made = []
    for one in arys:
        x = asarray(one)
        shape = {0: (1, 1, 1), 1: (1, *x.shape, 1), 2: (*x.shape, 1)}.get(x.ndim, x.shape)
        made.append(x if x.ndim > 2 else x.reshape(shape))
    return made[0] if len(made) == 1 else tuple(made)


@numpys("dstack")
def _dstack(tup: Any) -> State:
    made = _atleast_3d(*tup)
    return syntonic.concat(list(made) if isinstance(made, tuple) else [made], axis=2)


@numpys("array_equiv")
def _array_equiv(a1: Any, a2: Any) -> bool:
    a = asarray(a1)
    b = asarray(a2, None, a.device)
    try:
        return bool(syntonic.all(a == b))
    except _core.ShapeError:
        return False
