"""The classes above the types of numbers, for `isinstance` and `issubdtype`: an element of an array is an array without axes here."""

from __future__ import annotations

import numpy as np

from syntonic._core import DType, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["complexfloating", "floating", "generic", "inexact", "integer", "issubdtype", "number", "signedinteger", "unsignedinteger"]


class _Kind(type):
    """NumPy's class, to which arrays without axes belong as NumPy's numbers do."""

    theirs: Any

    def __instancecheck__(cls, instance: object) -> bool:
        if isinstance(instance, State):
            return instance.ndim == 0 and instance.dtype.name != "bfloat16" and issubclass(np.dtype(instance.dtype).type, cls.theirs)
        return isinstance(instance, cls.theirs)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(getattr(subclass, "theirs", subclass), cls.theirs)

    def __getitem__(cls, parameters: Any) -> Any:
        return cls.theirs[parameters]

    def __repr__(cls) -> str:
        return f"<class 'syntonic.numpy.{cls.__name__}'>"


def _kind(name: str) -> Any:
    return _Kind(name, (), {"theirs": getattr(np, name), "__doc__": getattr(np, name).__doc__})


generic = _kind("generic")
number = _kind("number")
integer = _kind("integer")
signedinteger = _kind("signedinteger")
unsignedinteger = _kind("unsignedinteger")
inexact = _kind("inexact")
floating = _kind("floating")
complexfloating = _kind("complexfloating")


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """True if the first type is the second one or below it.

    >>> import syntonic.numpy as np
    >>> np.issubdtype(np.ones(2).dtype, np.floating), np.issubdtype("int8", np.unsignedinteger), isinstance(np.ones(2)[0], np.floating)
    (True, False, True)
    """
    first, second = (np.dtype(x) if isinstance(x, DType) else getattr(x, "theirs", x) for x in (arg1, arg2))
    return np.issubdtype(first, second)
