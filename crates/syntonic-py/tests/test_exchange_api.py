"""The exchange API of DLPack 1.3, called as a library in C calls it, and operators that another library calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest
import syntonic as syn
from capsules import POINTER, Tensor, Version
from syntonic import _core


SET_ERROR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)


class Api(ctypes.Structure):
    _fields_ = [
        ("version", Version),
        ("older", ctypes.c_void_p),
        ("allocate", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Tensor), ctypes.POINTER(POINTER), ctypes.c_void_p, SET_ERROR)),
        ("from_object", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(POINTER))),
        ("to_object", ctypes.PYFUNCTYPE(ctypes.c_int, POINTER, ctypes.POINTER(ctypes.py_object))),
        ("describe", ctypes.c_void_p),
        ("stream", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))),
    ]


def table() -> Api:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Api.from_address(get(syn.State.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


API = table()
ERRORS: list[tuple[bytes, bytes]] = []


@SET_ERROR
def set_error(_: Any, kind: bytes, message: bytes) -> None:
    ERRORS.append((kind, message))


def test_the_table_says_its_version() -> None:
    assert (API.version.major, API.version.minor) == (1, 3) and not API.older


def test_a_state_goes_out_and_comes_back() -> None:
    x = syn.reshape(syn.arange(12.0), (3, 4))[:, 1:]
    array = POINTER()
    assert API.from_object(x, ctypes.byref(array)) == 0
    shown = array.contents.tensor
    assert [shown.shape[k] for k in range(shown.ndim)] == [3, 3] and [shown.strides[k] for k in range(2)] == [4, 1]
    assert (shown.code, shown.bits, shown.lanes, shown.device_kind) == (2, 64, 1, 1)
    back = ctypes.py_object()
    assert API.to_object(array, ctypes.byref(back)) == 0
    y = back.value
    later = y + 1.0
    x[0, 0] = 100.0
    assert y.tolist() == x.tolist() and y[0, 0].item() == 100.0 and later[0, 0].item() == 2.0


def test_what_cannot_be_read_as_it_lies_is_copied() -> None:
    for x in (syn.arange(4.0)[::-1], syn.broadcast_to(syn.arange(3.0), (2, 3)), syn.sqrt(syn.arange(5.0))):
        array = POINTER()
        assert API.from_object(x, ctypes.byref(array)) == 0
        back = ctypes.py_object()
        assert API.to_object(array, ctypes.byref(back)) == 0
        assert back.value.tolist() == x.tolist()


def test_what_may_not_be_written_is_not() -> None:
    x = syn.arange(4.0)
    array = POINTER()
    assert API.from_object(x, ctypes.byref(array)) == 0
    array.contents.flags |= 1
    back = ctypes.py_object()
    assert API.to_object(array, ctypes.byref(back)) == 0
    y = back.value
    for write in (lambda: y.fill(0), lambda: y.__setitem__(0, 1.0), lambda: y[1:].__iadd__(1.0), lambda: syn.exp(x, out=y)):
        with pytest.raises(syn.ArgumentError, match="read-only"):
            write()
    x[0] = 7.0
    assert y.tolist() == x.tolist() == [7.0, 1.0, 2.0, 3.0]
    again = POINTER()
    assert API.from_object(y, ctypes.byref(again)) == 0 and again.contents.flags & 1
    assert API.to_object(again, ctypes.byref(back)) == 0 and not back.value.numpy().flags.writeable
    y = y.copy()
    y[0] = 1.0
    assert y[0].item() == 1.0 and x[0].item() == 7.0


def test_an_object_of_another_type_is_an_exception() -> None:
    with pytest.raises(TypeError):
        API.from_object([1.0], ctypes.byref(POINTER()))


def prototype(code: int, bits: int, *lengths: int) -> Tensor:
    shape = (ctypes.c_int64 * len(lengths))(*lengths)
    made = Tensor(device_kind=1, ndim=len(lengths), code=code, bits=bits, lanes=1)
    made.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
    made._shape = shape
    return made


def test_memory_by_a_prototype() -> None:
    array = POINTER()
    assert API.allocate(ctypes.byref(prototype(0, 32, 2, 5)), ctypes.byref(array), None, set_error) == 0
    back = ctypes.py_object()
    assert API.to_object(array, ctypes.byref(back)) == 0
    assert back.value.shape == (2, 5) and back.value.dtype == "int32"
    ERRORS.clear()
    assert API.allocate(ctypes.byref(prototype(2, 7, 1)), ctypes.byref(array), None, set_error) == -1
    assert ERRORS[0][0] == b"BufferError" and b"element type" in ERRORS[0][1]


def test_the_host_has_no_stream() -> None:
    stream = ctypes.c_void_p(5)
    assert API.stream(1, 0, ctypes.byref(stream)) == 0 and stream.value is None


def refuse(*_: Any) -> Any:
    raise AssertionError("memory of the host is not asked for")


def visit(function: Callable[..., Any], *arguments: Any) -> Any:
    # States stand for the other library's tensors: they have the table too.
    return _core._visit(syn.State, refuse, refuse, function, *arguments)


def test_an_operator_that_another_library_calls() -> None:
    x = syn.arange(6.0)
    y, rest, none = visit(lambda a, k: (syn.exp(a) * k, (a[::2], 7), None), x, 2.0)
    assert y.tolist() == (syn.exp(x) * 2).tolist() and none is None
    assert rest[0].tolist() == [0.0, 2.0, 4.0] and rest[1] == 7


def test_a_result_is_memory_of_its_own() -> None:
    x = syn.arange(4.0)
    y = visit(lambda a: a, x)
    y[0] = 9.0
    assert x[0].item() == 0.0 and y[0].item() == 9.0


def test_an_error_of_the_operator_comes_through() -> None:
    with pytest.raises(syn.ShapeError):
        visit(syn.add, syn.ones(2), syn.ones(3))
    with pytest.raises(syn.ArgumentTypeError, match="exchange API"):
        _core._visit(list, refuse, refuse, refuse)
