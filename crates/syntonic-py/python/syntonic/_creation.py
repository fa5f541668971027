"""New States: of given values, of other libraries' arrays, and filled by rule."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike, DeviceLike, DTypeLike, Number, Shape

__all__ = [
    "arange",
    "array",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def asarray(
    obj: ArrayLike,
    /,
    dtype: DTypeLike | None = None,
    *,
    device: DeviceLike | None = None,
    copy: bool | None = None,
) -> State:
    """A State of `obj`, over the same memory where that is possible.

    Memory is shared with State, and with NumPy arrays below 32 KiB and anything of that size that offers a writable buffer or DLPack, or
    `__cuda_array_interface__`: a change on either side is seen on the other. Larger arrays of the host are copied, since nothing is fused over memory
    that another library may write, and so are lists, read-only memory and conversions. `copy=False` shares at any size, or is an error. Without `device`, a State and an array on a GPU stay where they are, and what
    comes from the host goes to the device of the block (`with syntonic.device(...)`), or stays on the CPU.
    """
    return _core.asarray(obj, dtype, device, copy)


def array(obj: ArrayLike, /, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None) -> State:
    """A State with a copy of the values of `obj`; the same as State(obj)."""
    return _core.asarray(obj, dtype, device, True)


def from_dlpack(x: ArrayLike, /, *, device: DeviceLike | None = None, copy: bool | None = None) -> State:
    """A State over the memory of an array that speaks DLPack, of the CPU or a GPU; another `device` means a copy."""
    return _core.from_dlpack(x, device, copy)


def full(
    shape: Shape, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None
) -> State:
    """`shape` filled with a value."""
    return _core.full(shape, fill_value, dtype, device)


def zeros(shape: Shape, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None) -> State:
    """Zeros, of type float64 unless `dtype` says otherwise."""
    return _core.full(shape, 0, _core.float64 if dtype is None else dtype, device, "zeros")


def ones(shape: Shape, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None) -> State:
    """Ones, of type float64 unless `dtype` says otherwise."""
    return _core.full(shape, 1, _core.float64 if dtype is None else dtype, device, "ones")


def empty(shape: Shape, dtype: DTypeLike | None = None, *, device: DeviceLike | None = None) -> State:
    """Memory to be written: its values are not defined."""
    return _core.full(shape, 0, _core.float64 if dtype is None else dtype, device, "empty")


def _like(x: ArrayLike, value: ArrayLike, dtype: DTypeLike | None, device: DeviceLike | None, name: str) -> State:
    x = _core.asarray(x)
    return _core.full(x.shape, value, x.dtype if dtype is None else dtype, x.device if device is None else device, name)


def full_like(
    x: State, /, fill_value: ArrayLike, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> State:
    """The shape, type and device of `x`, filled with a value."""
    return _like(x, fill_value, dtype, device, "full_like")


def zeros_like(x: State, /, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None) -> State:
    """Zeros of the shape, type and device of `x`."""
    return _like(x, 0, dtype, device, "zeros_like")


def ones_like(x: State, /, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None) -> State:
    """Ones of the shape, type and device of `x`."""
    return _like(x, 1, dtype, device, "ones_like")


def empty_like(x: State, /, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None) -> State:
    """Memory of the shape, type and device of `x`: its values are not defined."""
    return _like(x, 0, dtype, device, "empty_like")


def arange(
    start: Number,
    /,
    stop: Number | None = None,
    step: Number = 1,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
) -> State:
    """start, start + step, ... below stop; with one number, from 0 to it. Integers if all three are.

    Into a `dtype` of integers each number is cut towards 0."""
    if stop is None:
        start, stop = 0, start
    return _core.arange(start, stop, step, dtype, device)


def linspace(
    start: Number,
    stop: Number,
    /,
    num: int = 50,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    endpoint: bool = True,
) -> State:
    """`num` evenly spaced numbers from start to stop, which is the last one if `endpoint`."""
    return _core.linspace(start, stop, num, dtype, device, endpoint)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
) -> State:
    """Ones on the diagonal `k`, zeros elsewhere."""
    wanted = _core.float64 if dtype is None else dtype
    return _core.eye(n_rows, n_rows if n_cols is None else n_cols, k, wanted, device)
