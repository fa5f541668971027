"""NumPy's universal functions over States: called, and along axes by `reduce`, `accumulate`, `reduceat`, `outer` and `at`."""

from __future__ import annotations

import numpy as np

from syntonic import _core, _numpy
from syntonic._core import State
from syntonic._numpy_table import NumpysOwn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["ufunc"]

_set_rounding = _core.set_rounding
# What is taken as it is beside a State.
_PLAIN = frozenset((State, int, float, bool, complex, list, tuple, np.ndarray, np.float64, np.int64))


def _placed(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Lists, NumPy's numbers and arrays, or the first of numbers alone, on the device of the block."""
    if any(type(x) is State for x in inputs):
        # The other one takes its device.
        return inputs
    plain = [type(x) in (bool, int, float, complex) for x in inputs]
    return tuple(x if is_plain and (k or not all(plain)) else _core.asarray(x) for k, (x, is_plain) in enumerate(zip(inputs, plain, strict=True)))


def _array(x: Any) -> Any:
    """A State, or what stays as it is since its type is none of ours."""
    if _numpy.is_special(x):
        return x
    try:
        return _core.asarray(x)
    except (BufferError, _core.DTypeError, _core.IntegerOverflowError):
        return x


class ufunc:
    """A universal function: NumPy's names, parameters and methods; what it computes are States.

    >>> import syntonic.numpy as np
    >>> np.add.reduce([1, 2, 3]).item(), np.minimum.outer([1, 3], [2, 4]).tolist()
    (6, [[1, 2], [2, 3]])
    """

    __slots__ = ("_count", "_direct", "_theirs")

    def __init__(self, theirs: Any) -> None:
        self._theirs = theirs
        self._count = theirs.nin
        # Ours, for calls without options.
        self._direct: Any = None
        try:
            self._direct = _numpy.direct(theirs)
        except NumpysOwn:
            pass

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        """The function of these arrays. After them, or by keyword: `out`; by keyword `where`, `dtype`, `casting`, `order`."""
        if self._direct is not None and not options and len(inputs) == self._count:
            former = _set_rounding("each")
            try:
                # No ufunc has three inputs.
                first, last = type(inputs[0]), type(inputs[-1])
                if first is State and last in _PLAIN or last is State and first in _PLAIN:
                    return self._direct(*inputs)
                if not any(x is None or _numpy.is_special(x) for x in inputs):
                    return self._direct(*_placed(inputs))
            except (NumpysOwn, BufferError, _core.DTypeError, _core.IntegerOverflowError):
                # NumPy may have it, or says better why not.
                pass
            finally:
                _set_rounding(former)
        count = self._count
        if options.get("out") is ...:
            # An array in any case, which a result is.
            del options["out"]
        if len(inputs) > count:
            if "out" in options or len(inputs) > self._theirs.nargs:
                raise _core.ArgumentTypeError(f"{self.__name__}: {len(inputs)} positional arguments; it takes {count}, and then `out`")
            inputs, given = inputs[:count], inputs[count:]
            if any(one is not None for one in given):
                options["out"] = given + (None,) * (self._theirs.nout - len(given))
        if any(map(_numpy.is_special, inputs)):
            return _numpy.by_numpy(self.__name__, self._theirs, inputs, options)
        return _numpy.ufunc(self._theirs, "__call__", inputs, options)

    def _along(self, method: str, inputs: tuple[Any, ...], names: tuple[str, ...], options: dict[str, Any]) -> Any:
        # Names of positional arguments, which are an axis, a type and an output.
        if len(inputs) > len(names) + 1:
            raise _core.ArgumentTypeError(f"{self.__name__}.{method}: {len(inputs)} positional arguments; it takes at most {len(names) + 1}")
        options = {**dict(zip(names, inputs[1:], strict=False)), **options}
        if "out" in options and options["out"] is None:
            del options["out"]
        if _numpy.is_special(inputs[0]):
            return _numpy.by_numpy(self.__name__, getattr(self._theirs, method), (inputs[0],), options)
        return _numpy.ufunc(self._theirs, method, (_array(inputs[0]),), options)

    def reduce(self, array: Any, *arguments: Any, **options: Any) -> Any:
        """The function over all elements along `axis`, which is 0 where none is given."""
        return self._along("reduce", (array, *arguments), ("axis", "dtype", "out", "keepdims", "initial", "where"), options)

    def accumulate(self, array: Any, *arguments: Any, **options: Any) -> Any:
        """What `reduce` has after each element along `axis`."""
        return self._along("accumulate", (array, *arguments), ("axis", "dtype", "out"), options)

    def reduceat(self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        """`reduce` over the parts that begin at these indices; one element where the next index is no larger."""
        given = {"dtype": dtype, "out": out}
        options = {name: value for name, value in given.items() if value is not None}
        return _numpy.ufunc(self._theirs, "reduceat", (_array(array), indices), {"axis": axis, **options})

    def outer(self, a: Any, b: Any, /, **options: Any) -> Any:
        """The function of all pairs of elements."""
        return _numpy.ufunc(self._theirs, "outer", (_array(a), b), options)

    def at(self, array: Any, indices: Any, values: Any = None, /) -> None:
        """In place at these indices, as often as each occurs."""
        if isinstance(array, np.ndarray):
            # NumPy's own array, or one of a type that is none of ours.
            _numpy.by_numpy(f"{self.__name__}.at", self._theirs.at, (array, indices) if values is None else (array, indices, values), {})
            return
        if not isinstance(array, State):
            raise _core.ArgumentTypeError(f"{self.__name__}.at: writes to a State, and not to {type(array).__name__}")
        _numpy.ufunc(self._theirs, "at", (array, indices) if values is None else (array, indices, values), {})

    @property
    def __name__(self) -> str:
        return str(self._theirs.__name__)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return str(self._theirs.__doc__)

    def __getattr__(self, name: str) -> Any:
        # Numbers of arguments, types, the identity.
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._theirs, name)

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}' of syntonic.numpy>"

    def __reduce__(self) -> Any:
        return _named, (self.__name__,)


def _named(name: str) -> Any:
    """The ufunc of that name, for pickles."""
    from syntonic import numpy

    return getattr(numpy, name)
