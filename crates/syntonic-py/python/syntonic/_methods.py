"""Methods of States that are written in Python: parts in order, choices, and the same memory as another type."""

from __future__ import annotations

from syntonic import _core, _flat
from syntonic._core import DType, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from syntonic._typing import ArrayLike, DTypeLike

__all__ = ["register"]


def partition(self: State, kth: int | Sequence[int], axis: int = -1, kind: str = "introselect", order: None = None) -> None:
    """Puts the elements along an axis in an order, in place, in which those at the places `kth` are where a sort has them: here a sort."""
    _known_places("partition", self, kth, axis)
    self.sort(axis)


def argpartition(self: State, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None) -> State:
    """The positions that put the elements along an axis in such an order as `partition` does."""
    line, place = (self.ravel(), 0) if axis is None else (self, axis)
    _known_places("argpartition", line, kth, place)
    return line.argsort(place)


def _known_places(op: str, x: State, kth: Any, axis: int) -> None:
    length = x.shape[axis]
    places = kth.tolist() if hasattr(kth, "tolist") else kth
    for k in places if isinstance(places, (list, tuple)) else (places,):
        if not -length <= k < length:
            raise _core.ArgumentError(f"{op}: kth = {k} is outside of {length} elements along axis {axis}")


def choose(self: State, choices: Sequence[ArrayLike], out: None = None, mode: str = "raise") -> State:
    """For each element that one of `choices` which it numbers; a number without a choice is an error, or mode "wrap" or "clip"."""
    import numpy as np

    theirs: Any = np.choose
    return theirs(self, choices, out=out, mode=mode)  # type: ignore[no-any-return]


def compress(self: State, condition: ArrayLike, axis: int | None = None, out: None = None) -> State:
    """The slices along an axis where the condition is true; without an axis, elements."""
    import numpy as np

    theirs: Any = np.compress
    return theirs(condition, self, axis, out)  # type: ignore[no-any-return]


def tofile(self: State, fid: Any, sep: str = "", format: str = "%s") -> None:
    """Writes the elements to a file, without shape and type. An array on a GPU goes to the host first, as this asks for."""
    self.cpu().numpy().tofile(fid, sep, format)


def view(self: State, dtype: DTypeLike | None = None) -> State:
    """The same memory as another type, or as the same: a longer or shorter last axis where the sizes of elements differ.

    An error where the last axis is not dense and the sizes differ, or does not divide. Memory viewed as two types is computed with at once, as
    memory that another library can write. `view(...)` of a class of arrays is a view.

    >>> import syntonic
    >>> syntonic.asarray([1.0, -2.0], dtype="float32").view("int32").tolist()
    [1065353216, -1073741824]
    """
    if dtype is None or isinstance(dtype, type) and (issubclass(dtype, State) or dtype.__name__ in ("ndarray", "State")):
        return self[...]
    old, new = self.dtype, DType(dtype)
    if old == new:
        return self[...]
    if "bfloat16" in (old.name, new.name) or "V" in (old.kind, new.kind):
        raise _core.DTypeError(f"view: {old.name} as {new.name}; hint: types that NumPy has not are converted, with .astype(...)")
    shape, strides = self.shape, self.strides
    if old.itemsize != new.itemsize:
        if not shape or strides[-1] != old.itemsize and shape[-1] != 1:
            raise _core.ShapeError(f"view: {old.name}{list(shape)} as {new.name}; hint: the last axis must be dense, .copy() makes it so")
        bytes_in_a_row = shape[-1] * old.itemsize
        if bytes_in_a_row % new.itemsize:
            raise _core.ShapeError(f"view: a last axis of {bytes_in_a_row} bytes is no whole number of elements of {new.name}")
        shape, strides = (*shape[:-1], bytes_in_a_row // new.itemsize), (*strides[:-1], new.itemsize)
    memory: Any = _Memory(self, new, shape, strides)
    if self.device == "cpu":
        import numpy as np

        memory = np.asarray(memory)
    return _core.asarray(memory, None, None, False)


def byteswap(self: State, inplace: bool = False) -> State:
    """The elements with their bytes in the reverse order, of complex numbers those of each part; in place where that is asked for.

    >>> import syntonic
    >>> syntonic.asarray([1, 256], dtype="int16").byteswap().tolist()
    [256, 1]
    """
    width = self.dtype.itemsize // (2 if self.dtype.kind == "c" else 1)
    row = self.copy().reshape(-1)
    if width > 1 and row.size:
        row = row.view("uint8").reshape(-1, width)[:, ::-1].copy().reshape(-1).view(self.dtype)
    swapped = row.reshape(self.shape).copy()
    if not inplace:
        return swapped
    self[...] = swapped
    return self


def getfield(self: State, dtype: DTypeLike, offset: int = 0) -> State:
    """The bytes of each element from `offset` on as another type, in the same memory: the imaginary parts of complex numbers, say."""
    old, new = self.dtype, DType(dtype)
    if "bfloat16" in (old.name, new.name) or "V" in (old.kind, new.kind):
        raise _core.DTypeError(f"getfield: {new.name} of {old.name}; hint: types that NumPy has not are converted, with .astype(...)")
    if not 0 <= offset <= old.itemsize - new.itemsize:
        raise _core.ArgumentError(f"getfield: {new.name} at byte {offset} is no part of {old.name}")
    if self.device != "cpu":
        raise _core.DeviceError(f"getfield: the State is on {self.device}; hint: .cpu() first")
    import numpy as np

    theirs: Any = np.asarray(_Memory(self, old, self.shape, self.strides))
    return _core.asarray(theirs.getfield(np.dtype(new.name), offset), None, None, False)


def setfield(self: State, val: ArrayLike, dtype: DTypeLike, offset: int = 0) -> None:
    """Writes values over the bytes of each element from `offset` on, as `getfield` names them."""
    getfield(self, dtype, offset)[...] = val


def dumps(self: State) -> bytes:
    """The State as `pickle` writes it."""
    import pickle

    return pickle.dumps(self)


def dump(self: State, file: Any) -> None:
    """Writes what `dumps` gives to a file, which is open or named."""
    text = dumps(self)
    if hasattr(file, "write"):
        file.write(text)
        return
    with open(file, "wb") as opened:
        opened.write(text)


class _Memory:
    """Memory of a State, described anew."""

    def __init__(self, owner: State, dtype: DType, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self._owner = owner
        on_host = owner.device == "cpu"
        theirs = owner.eval().__array_interface__ if on_host else owner.eval().__cuda_array_interface__
        described = {"data": theirs["data"], "shape": shape, "strides": strides, "typestr": dtype.str, "version": 3}
        if on_host:
            self.__array_interface__ = described
        else:
            self.__cuda_array_interface__ = {**described, "stream": theirs.get("stream")}


def flat(self: State) -> _flat.Flat:
    """The elements in row-major order, to loop over, to read and to write. Of values that are assigned to it the first come again where there are fewer."""
    return _flat.Flat(self)


def _write_flat(self: State, values: ArrayLike) -> None:
    _flat.Flat(self)[...] = values


def register() -> None:
    """Gives them to the class."""
    setattr(State, "flat", property(flat, _write_flat))  # noqa: B010
    for method in (argpartition, byteswap, choose, compress, dump, dumps, getfield, partition, setfield, tofile, view):
        method.__qualname__ = f"State.{method.__name__}"
        setattr(State, method.__name__, method)
