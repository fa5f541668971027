"""The elements of a State one after the other, as NumPy's `flatiter`: what `x.flat` is."""

from __future__ import annotations

import operator
import warnings

from syntonic import _core
from syntonic._core import State, asarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Flat"]

# What NumPy says.
_VALID = "only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid indices"


class Flat:
    """The elements of a State in row-major order: to loop over, to read by an index of one axis, and to write, wherever they lie.

    What is written begins again with its first element where there are fewer than places. What is read is a copy.

    >>> import syntonic
    >>> x = syntonic.arange(6).reshape(2, 3)
    >>> x.T.flat[:3] = [-1, -2]
    >>> x.tolist(), x.flat[1::2].tolist(), next(x.flat).item()
    ([[-1, -1, 2], [-2, 4, 5]], [-1, -2, 5], -1)
    """

    __slots__ = ("_base", "_index", "_row")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, base: State) -> None:
        self._base = base
        self._index = 0
        # The elements in one axis, where that is a view.
        self._row = base.reshape(-1) if base.flags.c_contiguous else None

    @property
    def base(self) -> State:
        """The State whose elements these are."""
        return self._base

    @property
    def index(self) -> int:
        """The place of the element that comes next."""
        return self._index

    @property
    def coords(self) -> tuple[int, ...]:
        """The place of the element that comes next, in the State."""
        return self._place(self._index)

    def __len__(self) -> int:
        return self._base.size

    def __iter__(self) -> Flat:
        return self

    def __next__(self) -> State:
        if self._index >= len(self):
            raise StopIteration
        self._index += 1
        return self._element(self._index - 1)

    def __getitem__(self, index: Any) -> State:
        found = self._read(index)
        if isinstance(found, int):
            return self._element(found)
        return self._elements()[found].copy()

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, tuple) and not index:
            raise _core.OutOfRangeError("flat: Assigning to a flat iterator with a 0-D index is not supported; hint: x.flat[...] = value")
        found = self._read(index)
        if self._row is not None and (type(value) in (bool, int, float, complex) or isinstance(value, State) and not value.ndim):
            self._row[found] = value
            return
        values = asarray(value, None, self._base.device)
        if self._row is not None and isinstance(found, slice) and values.shape == (len(range(*found.indices(len(self)))),):
            # None comes again.
            self._row[found] = values
            return
        places = _core.arange(0, len(self), 1, None, self._base.device)[found]
        if values.size:
            self._base.put(places.reshape(-1), values)

    def __array__(self, /, dtype: Any = None, *, copy: bool | None = None) -> Any:
        import numpy as np

        return np.array(self._elements().numpy(), dtype)

    def __dlpack__(self, **options: Any) -> Any:
        return self._elements().copy().__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._base.__dlpack_device__()

    def copy(self, /) -> State:
        """The elements in one axis."""
        return self._base.flatten()

    def __eq__(self, other: object) -> Any:
        return self._elements() == other

    def __ne__(self, other: object) -> Any:
        return self._elements() != other

    def __lt__(self, other: Any) -> Any:
        return self._elements() < other

    def __le__(self, other: Any) -> Any:
        return self._elements() <= other

    def __gt__(self, other: Any) -> Any:
        return self._elements() > other

    def __ge__(self, other: Any) -> Any:
        return self._elements() >= other

    def __repr__(self) -> str:
        return f"<flat of {list(self._base.shape)}>"

    def _elements(self) -> State:
        return self._base.reshape(-1) if self._row is None else self._row

    def _element(self, index: int) -> State:
        return self._base[self._place(index)] if self._row is None else self._row[index]

    def _place(self, index: int) -> tuple[int, ...]:
        place: tuple[int, ...] = ()
        for n in reversed(self._base.shape):
            index, at = divmod(index, n)
            place = (at, *place)
        return place

    def _read(self, index: Any) -> Any:
        """The index as one of an axis: a place, a slice, places or a mask."""
        if isinstance(index, tuple):
            if len(index) > 1:
                raise _core.OutOfRangeError(f"flat: too many indices for flat iterator: flat iterator is 1-dimensional, but {len(index)} were indexed")
            index = index[0] if index else ...
        if index is ...:
            return slice(None)
        if isinstance(index, slice):
            return index
        if isinstance(index, bool):
            _deprecated("a 0-dimensional boolean index is deprecated for flat iterators, where True is the first element and False is none")
            return slice(0, int(index))
        if isinstance(index, Flat):
            index = index.copy()
        if not isinstance(index, State):
            if not hasattr(index, "__len__") and hasattr(index, "__index__"):
                return self._within(operator.index(index))
            index = _places(index)
        if index.dtype.kind == "b":
            if index.shape != (len(self),):
                raise _core.OutOfRangeError(f"flat: boolean index did not match indexed flat iterator of {len(self)} elements; the index is {list(index.shape)}")
            return index
        if index.dtype.kind not in "iu":
            raise _core.OutOfRangeError(f"flat: {_VALID}; this one is of {index.dtype.name}")
        return index if index.ndim else self._within(int(index))

    def _within(self, index: int) -> int:
        n = len(self)
        if not -n <= index < n:
            raise _core.OutOfRangeError(f"flat: index {index} is out of bounds for size {n}")
        return index % n


def _places(index: Any) -> State:
    """Of lists and arrays."""
    listed = isinstance(index, (list, tuple))
    try:
        found = asarray(index, None, None)
    except _core.DTypeError:
        if hasattr(index, "__len__") and not len(index):
            return _core.full((0,), 0, _core.int64, None)
        raise _core.OutOfRangeError(f"flat: {_VALID}") from None
    if not found.size:
        return found.astype(_core.int64)
    if listed and found.dtype.kind == "b":
        raise _core.OutOfRangeError("flat: boolean indices for iterators are not supported in a list, because of their ambiguous meaning; hint: asarray(mask)")
    if listed and found.dtype.kind == "f":
        _deprecated("Invalid non-array indices for iterator objects are deprecated: floats are read as integers")
        return found.astype(_core.int64)
    return found


def _deprecated(message: str) -> None:
    warnings.warn(message, DeprecationWarning, stacklevel=4)
