"""What a library may say of its array: all that cannot be true is refused before it is believed, and what may not be written is not."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

import pytest
from capsules import READ_ONLY, Producer, Tensor, numbers

import syntonic as syn

FORMS = pytest.mark.parametrize("flags", [0, None], ids=["versioned", "legacy"])
# Kept for as long as the descriptions that point to them.
KEPT: list[Any] = []


def listed(*values: int) -> Any:
    KEPT.append(numbers(*values))
    return KEPT[-1]


def put(**fields: Any) -> Callable[[Tensor], None]:
    def change(tensor: Tensor) -> None:
        for name, value in fields.items():
            setattr(tensor, name, value)

    return change


def of(*shape: int, strides: tuple[int, ...] | None = None, **fields: Any) -> Callable[[Tensor], None]:
    """An array of this shape."""
    own = {"ndim": len(shape), "shape": listed(*shape), "strides": None if strides is None else listed(*strides)}
    return put(**own, **fields)


TOP = 2**63 - 1
BAD: dict[str, tuple[Callable[[Tensor], object], type[Exception], str]] = {
    "no data": (put(data=None), syn.ArgumentError, "null"),
    "no data, with an offset": (put(data=None, byte_offset=64), syn.ArgumentError, "null"),
    "no data of a number": (put(data=None, ndim=0), syn.ArgumentError, "null"),
    "no shape": (put(shape=None), syn.ArgumentError, "no shape"),
    "fewer than no axes": (put(ndim=-1), syn.ArgumentError, "axes"),
    "fewest axes": (put(ndim=-(2**31)), syn.ArgumentError, "axes"),
    "65 axes": (of(*[1] * 65), syn.ArgumentError, "axes"),
    "most axes": (put(ndim=2**31 - 1), syn.ArgumentError, "axes"),
    "a negative length": (of(2, -3), syn.ArgumentError, "negative"),
    "two negative lengths": (of(-2, -3), syn.ArgumentError, "negative"),
    "a negative length beside none": (of(0, -3), syn.ArgumentError, "negative"),
    "the longest axis": (of(TOP), syn.ArgumentError, "beyond"),
    "lengths whose product wraps to 0": (of(2**32, 2**32), syn.ArgumentError, "beyond"),
    "lengths whose product wraps, in one place": (of(2**40, 2**40, strides=(0, 0)), syn.ArgumentError, "beyond"),
    "bytes that wrap": (of(2**62), syn.ArgumentError, "beyond"),
    "a stride that wraps to 0": (of(2, 3, strides=(2**62, 1)), syn.ArgumentError, "beyond"),
    "a stride that wraps to 4 bytes": (of(2, 3, strides=(2**62 + 1, 1)), syn.ArgumentError, "beyond"),
    "the longest stride": (of(2, 3, strides=(TOP, 1)), syn.ArgumentError, "beyond"),
    "the longest stride back": (of(2, 3, strides=(-TOP - 1, 1)), syn.ArgumentError, "beyond"),
    "before all memory": (of(2, 3, strides=(-(2**60), 1)), syn.ArgumentError, "beyond"),
    "behind all memory": (of(9, 3, strides=(2**58, 1)), syn.ArgumentError, "beyond"),
    "there and back": (of(2, 2, strides=(2**60, -(2**60))), syn.ArgumentError, "beyond"),
    "an offset that wraps": (put(byte_offset=2**64 - 4), syn.ArgumentError, "beyond"),
    "an offset behind all memory": (put(byte_offset=2**63), syn.ArgumentError, "beyond"),
    "an odd offset": (put(byte_offset=2), syn.ArgumentError, "aligned"),
    "no lanes": (put(lanes=0), syn.DTypeError, "0 lanes"),
    "several lanes": (put(lanes=4), syn.DTypeError, "4 lanes"),
    "no bits": (put(bits=0), syn.DTypeError, "0 bits"),
    "odd bits": (put(bits=7), syn.DTypeError, "7 bits"),
    "a bool of 32 bits": (put(code=6), syn.DTypeError, "code 6"),
    "an opaque handle": (put(code=3), syn.DTypeError, "code 3"),
    "another device": (put(device_kind=2), syn.DeviceError, "announced"),
    "a device that is none": (put(device_kind=-1), syn.DeviceError, "device type"),
}

GOOD: dict[str, tuple[Callable[[Tensor], object], Any]] = {
    "as it is": (lambda _: None, [[0, 1, 2], [3, 4, 5]]),
    "row-major by default": (put(strides=None), [[0, 1, 2], [3, 4, 5]]),
    "transposed": (of(3, 2, strides=(1, 3)), [[0, 3], [1, 4], [2, 5]]),
    "a number": (put(ndim=0, shape=None, strides=None), 0),
    "an offset": (of(2, byte_offset=8), [2, 3]),
    "backwards": (of(3, strides=(-1,), byte_offset=20), [5, 4, 3]),
    "backwards, as CuPy says it": (of(3, strides=(2**62 - 1,), byte_offset=20), [5, 4, 3]),
    "strides of axes of one element": (of(1, 3, 1, strides=(TOP, 1, -TOP)), [[[0], [1], [2]]]),
    "nothing": (of(2, 0), [[], []]),
    "nothing nowhere": (of(2, 0, data=None, byte_offset=2**64 - 1), [[], []]),
    "nothing of much": (of(0, TOP, strides=(TOP, TOP), data=None), []),
    "everywhere in one place": (of(2, 2, strides=(0, 0)), [[0, 0], [0, 0]]),
    "64 axes": (of(*[1] * 63, 2), [0, 1]),
}


@FORMS
@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_true_is_refused(name: str, flags: int | None) -> None:
    change, error, text = BAD[name]
    for take in (syn.from_dlpack, lambda p: syn.from_dlpack(p, copy=True), syn.asarray, syn.State, lambda p: syn.add(p, 1.0)):
        producer = Producer(change, flags)
        with pytest.raises(error, match=text):
            take(producer)
        # Its owner has it back.
        assert producer.freed == 1


@FORMS
@pytest.mark.parametrize("name", GOOD)
def test_what_may_be_true_is_believed(name: str, flags: int | None) -> None:
    change, values = GOOD[name]
    producer = Producer(change, flags)
    x = syn.from_dlpack(producer)
    flat = [x.reshape(-1).tolist()] if x.ndim == 64 else [x.tolist()]
    assert flat == [values] and x.dtype == "float32" and producer.freed == 0
    del x
    gc.collect()
    assert producer.freed == 1


def test_an_unknown_version_stays_its_owners() -> None:
    producer = Producer()
    producer.managed.version.major = 2
    with pytest.raises(syn.ArgumentError, match="version 2"):
        syn.from_dlpack(producer)
    assert producer.freed == 0


def test_nobody_to_tell() -> None:
    producer = Producer()
    producer.managed.deleter = ctypes.cast(None, type(producer.deleter))
    x = syn.from_dlpack(producer)
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    del x


class Frozen(Producer):
    """An array of a library whose arrays do not change, which its capsules may not say."""

    __module__ = "jaxlib.xla_extension"


class Shown(bytes):
    """An array that its owner shows as read-only by the buffer protocol."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **options: Any) -> Any:
        return self.producer.__dlpack__(**options)


def shown() -> tuple[Any, Producer]:
    array = Shown(24)
    array.producer = producer = Producer(flags=None)
    return array, producer


@pytest.mark.parametrize(
    "make",
    [lambda: (p := Producer(flags=READ_ONLY), p), lambda: (p := Frozen(flags=None), p), lambda: (p := Frozen(flags=0), p), shown],
    ids=["a flag", "JAX", "JAX without a flag", "the buffer protocol"],
)
def test_what_may_not_be_written_is_not(make: Callable[[], tuple[Any, Producer]]) -> None:
    array, producer = make()
    with pytest.raises(ValueError, match="read-only"):
        syn.from_dlpack(array, copy=False)
    for take in (syn.from_dlpack, syn.asarray):
        array, producer = make()
        x = take(array)
        for write in (lambda x: x.fill(9), lambda x: x.__setitem__(..., 9), lambda x: syn.exp(x, out=x), lambda x: x.numpy().fill(9)):
            try:
                write(x)
            except (ValueError, TypeError):
                pass
        assert list(producer.memory) == [0, 1, 2, 3, 4, 5]


def test_what_may_be_written_is_shared() -> None:
    for flags in (0, None):
        producer = Producer(flags=flags)
        x = syn.from_dlpack(producer)
        x[0, 0] = 7
        assert producer.memory[0] == 7
