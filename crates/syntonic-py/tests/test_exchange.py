"""The rules of DLPack and of `__cuda_array_interface__`, with producers made for the purpose."""

import ctypes
import gc
import weakref
from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import State


class Producer:
    """An array that says of itself what the test wants said."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self.array, self.device = array, device
        self.asked: list[dict[str, Any]] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **options: Any) -> Any:
        self.asked.append(options)
        return self.array.__dlpack__()


class Old(Producer):
    """A producer from before version 1."""

    def __dlpack__(self, stream: None = None) -> Any:
        self.asked.append({})
        return self.array.__dlpack__()


@pytest.mark.parametrize("device", [(1, 0), (3, 0)])
def test_memory_of_the_host_is_shared(device: tuple[int, int]) -> None:
    producer = Producer(np.arange(4.0), device)
    x = syntonic.from_dlpack(producer)
    producer.array[0] = 9
    assert x.tolist() == [9, 1, 2, 3] and x.device == "cpu"
    # Memory of the host has no stream to name.
    assert producer.asked == [{"max_version": (1, 0)}]


def test_a_producer_that_knows_no_versions() -> None:
    producer = Old(np.arange(3))
    assert syntonic.asarray(producer).tolist() == [0, 1, 2] and producer.asked == [{}]


@pytest.mark.parametrize("device", [(8, 0), (10, 1), (2, -1)])
def test_other_devices_are_refused(device: tuple[int, int]) -> None:
    producer = Producer(np.arange(3), device)
    with pytest.raises(syntonic.DeviceError, match=f"device type {device[0]}, number {device[1]}"):
        syntonic.from_dlpack(producer)
    assert producer.asked == []


def test_a_capsule_is_taken_once() -> None:
    capsule = np.arange(3).__dlpack__()

    class Again:
        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

        def __dlpack__(self, **_: Any) -> Any:
            return capsule

    assert syntonic.from_dlpack(Again()).tolist() == [0, 1, 2]
    with pytest.raises(syntonic.ArgumentError, match="no unused"):
        syntonic.from_dlpack(Again())


def test_negative_strides_divided_as_unsigned_numbers() -> None:
    # What CuPy writes for an array whose axis runs backwards.
    array = np.arange(5, dtype=np.int32)[::-1]
    capsule = array.__dlpack__()
    ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
    ctypes.pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    tensor = ctypes.pythonapi.PyCapsule_GetPointer(capsule, b"dltensor")
    # Behind the data, the device, the number of axes, the type and the shape.
    strides = ctypes.c_void_p.from_address(tensor + 32).value
    assert strides is not None
    stride = ctypes.c_int64.from_address(strides)
    assert stride.value == -1
    stride.value = (2**64 - 4) // 4

    class Backwards:
        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

        def __dlpack__(self, **_: Any) -> Any:
            return capsule

    assert syntonic.from_dlpack(Backwards()).tolist() == [4, 3, 2, 1, 0]


def test_the_producer_lives_as_long_as_the_last_view() -> None:
    class Array(np.ndarray):
        pass

    base = np.arange(6.0).view(Array)
    alive = weakref.ref(base)
    view = syntonic.from_dlpack(base)[2:]
    del base
    gc.collect()
    assert view.tolist() == [2, 3, 4, 5] and alive() is not None
    del view
    gc.collect()
    assert alive() is None


def test_streams_of_the_host() -> None:
    x = State([1.0])
    for stream in (0, 1, 2, -1, 4096):
        with pytest.raises(syntonic.ArgumentError, match="no streams"):
            x.__dlpack__(stream=stream)
    assert "dltensor" in repr(x.__dlpack__(stream=None))


def test_where_the_consumer_wants_it() -> None:
    x = State([1.0, 2.0])
    assert "versioned" in repr(x.__dlpack__(dl_device=(1, 0), max_version=(1, 0), copy=False))
    for device in ((2, 0), (13, 0), (8, 0)):
        with pytest.raises(BufferError, match="to"):
            x.__dlpack__(dl_device=device)
    copied = np.from_dlpack(x, copy=True)
    copied[0] = 7
    assert x.tolist() == [1.0, 2.0]
    shared = np.from_dlpack(x)
    assert not shared.flags.writeable or shared.base is not None
    x[0] = 5
    assert shared[0] == 5


def test_from_dlpack_takes_a_device() -> None:
    base = np.arange(3.0)
    assert np.shares_memory(np.asarray(syntonic.from_dlpack(base, device="cpu", copy=False)), base)
    with pytest.raises(syntonic.DeviceError):
        syntonic.from_dlpack(base, device="abacus")


@pytest.mark.parametrize("name", ["bfloat16", "complex64", "complex128", "bool", "float16", "uint8"])
def test_types_that_other_libraries_lack(name: str) -> None:
    x = State([[0, 1, 1], [1, 0, 1]], dtype=name)
    for view in (x, x.T, x[:, ::-1], x[::-1, 1:], x[0, 0], x[:0], syntonic.broadcast_to(x[0], (2, 3))):
        back = syntonic.from_dlpack(view)
        assert back.dtype == name and back.shape == view.shape and back.tolist() == view.tolist()
    shared = syntonic.from_dlpack(x)
    x[0, 0] = 1
    assert shared[0, 0].item() == 1


def test_a_state_of_the_host_has_no_interface_of_a_gpu() -> None:
    assert not hasattr(State([1.0]), "__cuda_array_interface__")


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"mask": object()}, syntonic.ArgumentError, "mask"),
        ({"typestr": "|V2"}, syntonic.DTypeError, "V2"),
        ({"typestr": ">f4"}, syntonic.DTypeError, ">f4"),
        ({"shape": None}, syntonic.ArgumentError, "shape"),
        ({"data": None}, syntonic.ArgumentError, "data"),
    ],
)
def test_interfaces_that_are_wrong(change: dict[str, Any], error: type[Exception], text: str) -> None:
    class Interface:
        __cuda_array_interface__ = {
            "shape": (2,),
            "typestr": "<f4",
            "data": (4096, False),
            "version": 3,
        } | change

    with pytest.raises(error, match=text):
        syntonic.asarray(Interface())
