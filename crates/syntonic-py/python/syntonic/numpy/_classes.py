"""Classes that NumPy's programs ask for by name."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core, _numpy
from syntonic._core import DType, LinAlgError, State, asarray
from syntonic._flat import Flat as flatiter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["LinAlgError", "broadcast", "dtype", "finfo", "flatiter", "iinfo", "isscalar", "ndarray", "ndenumerate", "vectorize"]


class _Arrays(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, State)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return subclass in (State, ndarray)

    def __eq__(cls, other: object) -> bool:
        # For `type(x) == np.ndarray`.
        return other is cls or other is State

    def __hash__(cls) -> int:
        return hash(State)

    def __getattr__(cls, name: str) -> Any:
        # Methods as functions: `np.ndarray.sum(x)`.
        return getattr(State, name)


class ndarray(metaclass=_Arrays):
    """The class of arrays, which is `State`: for `isinstance`, and to make one that is to be written.

    >>> import syntonic.numpy as np
    >>> isinstance(np.zeros(3), np.ndarray), np.ndarray((2, 3), np.float32).shape
    (True, (2, 3))
    """

    def __new__(cls, shape: Any, dtype: Any = float, buffer: Any = None, offset: int = 0, strides: Any = None, order: str | None = None) -> Any:
        if buffer is None and strides is None:
            return _numpy.array_function(np.empty, (), (shape, dtype, order or "C"), {})
        options = {"dtype": dtype, "offset": offset, "strides": strides, "order": order}
        return _numpy.by_numpy("numpy.ndarray", np.ndarray, (shape,), {"buffer": buffer, **options})


class _Types(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, (DType, np.dtype))

    def __subclasscheck__(cls, subclass: type) -> bool:
        return subclass is DType or issubclass(subclass, (np.dtype, dtype))

    def __getattr__(cls, name: str) -> Any:
        return getattr(np.dtype, name)


class dtype(metaclass=_Types):
    """A type of elements, `syntonic.DType` where it is one of ours; others are NumPy's own.

    >>> import syntonic.numpy as np
    >>> np.dtype("f4") == np.float32, np.dtype(np.int16).itemsize, isinstance(np.ones(2).dtype, np.dtype)
    (True, 2, True)
    """

    def __new__(cls, of: Any, *arguments: Any, **options: Any) -> Any:
        if not arguments and not options:
            try:
                return DType(of)
            except _core.SyntonicError:
                pass
        return np.dtype(of, *arguments, **options)


def finfo(dtype: Any) -> Any:
    """The limits of a type of floats: NumPy's object, or ours where NumPy has not the type."""
    of = dtype.dtype if isinstance(dtype, State) else dtype
    return syntonic.finfo(of) if isinstance(of, DType) and of.kind in "Vf" and of.name not in ("float16", "float32", "float64") else np.finfo(of)


def iinfo(type: Any) -> Any:
    """The limits of a type of integers."""
    return np.iinfo(np.dtype(type.dtype) if isinstance(type, State) else type)


def isscalar(element: Any) -> bool:
    """True for numbers, and for an array without axes, which stands for one here."""
    return element.ndim == 0 if isinstance(element, State) else np.isscalar(element)


class ndenumerate:
    """Indices and elements of an array, in order. Each element of an array on a GPU is a State there.

    >>> import syntonic.numpy as np
    >>> [(index, float(x)) for index, x in np.ndenumerate(np.array([[1.0, 2.0]]))]
    [((0, 0), 1.0), ((0, 1), 2.0)]
    """

    def __init__(self, arr: Any) -> None:
        self._array = asarray(arr)
        self._places = np.ndindex(self._array.shape)

    def __iter__(self) -> Iterator[tuple[tuple[int, ...], State]]:
        return self

    def __next__(self) -> tuple[tuple[int, ...], State]:
        place = next(self._places)
        return place, self._array[place]


class broadcast:
    """The common shape of arrays, and its elements side by side."""

    def __init__(self, *args: Any) -> None:
        self._arrays = syntonic.broadcast_arrays(*args)
        self.shape: tuple[int, ...] = self._arrays[0].shape if args else ()
        self.ndim = self.nd = len(self.shape)
        self.size = 1
        for n in self.shape:
            self.size *= n
        self.numiter = len(args)

    def __iter__(self) -> Iterator[tuple[State, ...]]:
        return zip(*(x.reshape(-1) for x in self._arrays), strict=True)


class vectorize(np.vectorize):
    """A Python function over elements in memory of the host, one call each, as NumPy's; the results are States.

    For arrays on a GPU it is called once, with whole arrays, which is the same for a function that is made of operators: its result has
    to be one of elements, and the first and the last one what the function makes of those elements alone.

    >>> import syntonic.numpy as np
    >>> np.vectorize(lambda a, b: a if a > b else -b)([1, 5], [2, 3]).tolist()
    [-2, 5]
    """

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        if not hasattr(self.pyfunc, "__call__"):
            # As a decorator with options.
            return super().__call__(*arguments, **options)
        if any(isinstance(x, State) and x.device != "cpu" for x in arguments) and not (options or self.excluded or self.signature):
            device = next(x.device for x in arguments if isinstance(x, State) and x.device != "cpu")
            return self._at_once([x if isinstance(x, State) else asarray(x, None, device) for x in arguments])
        return _numpy.by_numpy("numpy.vectorize", super().__call__, arguments, options)

    def _at_once(self, arguments: list[State]) -> Any:
        refused = "vectorize: {} on a GPU; hint: write it with where and operators of whole arrays, or give it arrays in memory of the host, .cpu()"
        arrays = syntonic.broadcast_arrays(*arguments)
        try:
            found = self.pyfunc(*arrays)
        except _core.SyntonicError as error:
            raise _core.TransferError(refused.format("the function takes single elements, which it cannot have") + f" ({error})") from error
        if type(found) in (bool, int, float, complex):
            found = syntonic.full(arrays[0].shape, found, device=arrays[0].device)
        if not isinstance(found, State) or found.shape != arrays[0].shape:
            raise _core.TransferError(refused.format("the function gives no element for each one, and cannot run"))
        if found.size:
            ends = [(x.ravel()[0], x.ravel()[-1]) for x in (found, *arrays)]
            for k, end in enumerate(ends[0]):
                alone = self.pyfunc(*(pair[k].copy() for pair in ends[1:]))
                if not bool((alone == end) | ((alone != alone) & (end != end))):
                    raise _core.TransferError(refused.format("the function looks at more than one element at a time, and cannot run"))
        return found.astype(self.otypes[0]) if self.otypes and len(self.otypes) == 1 else found
