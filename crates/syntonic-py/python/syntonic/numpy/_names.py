"""What stands under each name of NumPy's."""

from __future__ import annotations

import importlib

import numpy as np

from syntonic import _core, _numpy
from syntonic._numpy_errors import SHARED, shared
from syntonic._numpy_table import FUNCTIONS, NumpysOwn
from syntonic.numpy._table import HOST, OBJECTS, OURS, REFUSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["dir_of", "public", "resolved", "where"]

_MODULES = ("", "linalg", "fft")
_LEFT_TO_NUMPY = (NumpysOwn, BufferError, _core.DTypeError, _core.IntegerOverflowError)
_set_rounding = _core.set_rounding
# Functions that make an array of numbers alone of one with a mask.
_WITHOUT_MASK = frozenset(
    """
    append array asarray asarray_chkfinite ascontiguousarray asfortranarray block column_stack concat concatenate copyto dstack from_dlpack
    full full_like hstack insert pad place putmask require row_stack select stack tile vstack where
    """.split()
)


def public(module: str) -> list[str]:
    """The public names of the installed NumPy's main namespace, or of this module of it."""
    theirs: Any = getattr(np, module) if module else np
    names = sorted({*dir(theirs), *getattr(theirs, "__all__", ())}) if not module else theirs.__all__
    return sorted(name for name in names if not name.startswith("_"))


def dir_of(module: str) -> list[str]:
    """The names that are here: those of NumPy, without those that are not."""
    return [name for name in public(module) if where(module, name) != "not here"]


def where(module: str, name: str) -> str:
    """Where a name's work is done: "each device", "host", "NumPy's own object", "not here"; "" for one that the table does not know."""
    path = f"{module}.{name}" if module else name
    if path in REFUSED:
        return "not here"
    if path in OBJECTS:
        return "NumPy's own object"
    if path in OURS:
        return "each device"
    if path in HOST:
        return "host"
    theirs = _theirs(module, name)
    if isinstance(theirs, np.ufunc):
        try:
            _numpy.direct(theirs)
        except NumpysOwn:
            return ""
        return "each device"
    return "each device" if _hashable(theirs) and theirs in FUNCTIONS else ""


def _hashable(thing: object) -> bool:
    return getattr(type(thing), "__hash__", None) is not None


def _theirs(module: str, name: str) -> Any:
    return getattr(getattr(np, module) if module else np, name, None)


def resolved(module: str, name: str) -> Any:
    """What is under this name here; AttributeError with a hint if nothing is."""
    path = f"{module}.{name}" if module else name
    here = f"syntonic.numpy.{module}" if module else "syntonic.numpy"
    if path in REFUSED:
        raise AttributeError(f"module {here!r} has no attribute {name!r}; hint: {REFUSED[path]}", name=name)
    if name.startswith("_") or name not in public(module):
        raise AttributeError(f"module {here!r} has no attribute {name!r}, nor has NumPy", name=name)
    if path in OURS:
        of, _, attribute = OURS[path].partition(":")
        found = importlib.import_module(f"syntonic.numpy.{of}")
        return getattr(found, attribute) if attribute else found
    theirs = _theirs(module, name)
    if path in OBJECTS:
        return theirs
    if isinstance(theirs, np.ufunc):
        from syntonic.numpy._ufuncs import ufunc

        return ufunc(theirs)
    return _Function(theirs, f"{here}.{name}") if callable(theirs) else theirs


class _Function:
    """A function that computes with States what NumPy's does with arrays. In a class it does not become a method, as NumPy's do not."""

    def __init__(self, theirs: Any, path: str) -> None:
        self._theirs, self._path = theirs, path
        self._ours = FUNCTIONS.get(theirs) if _hashable(theirs) else None
        self.__module__, _, self.__name__ = path.rpartition(".")
        self.__qualname__ = self.__name__
        self.__doc__ = getattr(theirs, "__doc__", None)
        # For `inspect.signature`.
        self.__wrapped__ = theirs

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        # Small arrays are the usual ones: what is asked here is as much as a product of two of them costs.
        for one in arguments:
            if type(one) is not _core.State and _numpy.is_special(one):
                return self._of_special(arguments, options)
        if self._ours is not None:
            former = _set_rounding("each")
            try:
                return self._ours(*arguments, **options)
            except _LEFT_TO_NUMPY:
                # NumPy may have it, or says better why not.
                pass
            except SHARED as error:
                raise shared(error, self._theirs) from None
            finally:
                _set_rounding(former)
        try:
            return _numpy.array_function(self._theirs, (), arguments, options)
        except (BufferError, _core.DTypeError, _core.IntegerOverflowError) as refused:
            # A type that ours does not know, such as complex numbers in an order.
            try:
                return _numpy.by_numpy(self._path, self._theirs, arguments, options)
            except Exception as error:
                if not _numpy.has_state((arguments, options)) or not isinstance(refused, _core.SyntonicError):
                    # What NumPy says of its own arrays.
                    raise
                if isinstance(error, _core.SyntonicError):
                    raise refused from None
                raise type(refused)(f"{refused}; in NumPy's words: {error}") from None

    def _of_special(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """NumPy's result for arrays of a class below its own."""
        if self.__name__ in _WITHOUT_MASK:
            for masked in filter(_numpy.is_masked, arguments):
                # Refused, where NumPy would forget the mask.
                _core.asarray(masked)
        return _numpy.by_numpy(self._path, self._theirs, arguments, options)

    def __repr__(self) -> str:
        return f"<function {self.__name__} of {self.__module__}>"

    def __reduce__(self) -> Any:
        return self.__name__
