"""DLPack's structures, and capsules that say what a test wants said."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_kind", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [
    ("version", Version),
    ("context", ctypes.c_void_p),
    ("deleter", DELETER),
    ("flags", ctypes.c_uint64),
    ("tensor", Tensor),
]
POINTER = ctypes.POINTER(Managed)


class Legacy(ctypes.Structure):
    """The form before version 1."""


LEGACY_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Legacy))
Legacy._fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", LEGACY_DELETER)]

READ_ONLY = 1


def numbers(*values: int) -> Any:
    """A list of 64-bit integers in memory, as shapes and strides are."""
    return (ctypes.c_int64 * max(len(values), 1))(*values)


class Producer:
    """An array of six `float32`, 0 to 5, in two rows of three, of which `change` says something else.

    change    called with the description before it goes out
    flags     those of version 1; None for a capsule of the form before it
    """

    def __init__(self, change: Callable[[Tensor], object] = lambda _: None, flags: int | None = 0) -> None:
        self.memory = (ctypes.c_float * 6)(*range(6))
        self.shape, self.strides = numbers(2, 3), numbers(3, 1)
        self.flags, self.freed = flags, 0
        tensor = Tensor(ctypes.addressof(self.memory), 1, 0, 2, 2, 32, 1, self.shape, self.strides, 0)
        change(tensor)
        if flags is None:
            self.deleter: Any = LEGACY_DELETER(self._free)
            self.managed: Any = Legacy(tensor, None, self.deleter)
        else:
            self.deleter = DELETER(self._free)
            self.managed = Managed(Version(1, 0), None, self.deleter, flags, tensor)

    def _free(self, _: object) -> None:
        self.freed += 1

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **_: Any) -> Any:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        name = b"dltensor" if self.flags is None else b"dltensor_versioned"
        return new(ctypes.addressof(self.managed), name, None)
