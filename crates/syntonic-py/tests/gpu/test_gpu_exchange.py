"""Arrays handed to PyTorch and CuPy and taken from them, without copying, in the right order of work."""

import gc

import cupy
import numpy as np
import pytest
import torch
from gpu_arrays import NAMES, numbers, walks

import syntonic
from syntonic import State, cuda

# Long enough that work which does not wait for it is surely done first.
SLEEP = 200_000_000


def on_gpu(name: str) -> State:
    return State(numbers((3, 4), name)).cuda()


@pytest.mark.parametrize("name", NAMES)
def test_to_torch(name: str) -> None:
    x = on_gpu(name)
    for ours in walks(x):
        theirs = torch.from_dlpack(ours)
        assert theirs.is_cuda and tuple(theirs.shape) == ours.shape
        np.testing.assert_array_equal(theirs.cpu().numpy(), ours.cpu().numpy())
    shared = torch.from_dlpack(x)
    shared[0, 0] = 0
    torch.cuda.synchronize()
    assert x[0, 0].item() == 0
    x[1, 1] = 1
    # The handshake is over: what is written later is in the order of the writer's stream alone.
    cuda.synchronize()
    assert shared[1, 1].item() == 1


@pytest.mark.parametrize("name", NAMES)
def test_from_torch(name: str) -> None:
    base = torch.from_numpy(numbers((3, 4), name)).cuda()
    for theirs in [*walks_of_torch(base), base.T]:
        for ours in (syntonic.from_dlpack(theirs), syntonic.asarray(theirs)):
            assert ours.device == "cuda:0" and ours.shape == tuple(theirs.shape)
            np.testing.assert_array_equal(ours.cpu().numpy(), theirs.cpu().numpy())
    ours = syntonic.asarray(base)
    ours[0, 0] = 0
    cuda.synchronize()
    assert base[0, 0].item() == 0
    base[1, 1] = 1
    torch.cuda.synchronize()
    assert ours[1, 1].item() == 1
    own = State(base)
    base[2, 2] = 0
    own[2, 2] = 1
    assert base[2, 2].item() == 0


def walks_of_torch(base: torch.Tensor) -> list[torch.Tensor]:
    return walks(base)  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("name", NAMES)
def test_cupy_both_ways(name: str) -> None:
    x = on_gpu(name)
    for ours in [*walks(x), x.T, x[:, ::-1]]:
        for theirs in (cupy.from_dlpack(ours), cupy.asarray(ours)):
            assert theirs.shape == ours.shape and theirs.dtype == name
            np.testing.assert_array_equal(theirs.get(), ours.cpu().numpy())
    base = cupy.asarray(numbers((3, 4), name))
    for theirs in [*walks(base), base.T, base[::-1]]:
        ours = syntonic.asarray(theirs)
        assert ours.device == "cuda:0" and ours.dtype == name and ours.shape == theirs.shape
        np.testing.assert_array_equal(ours.cpu().numpy(), theirs.get())
    shared = cupy.asarray(x)
    shared[0, 0] = 0
    cupy.cuda.get_current_stream().synchronize()
    assert x[0, 0].item() == 0


def test_bfloat16_and_complex128_go_straight_through() -> None:
    x = State([1.5, -2.0], dtype="bfloat16", device="cuda")
    theirs = torch.from_dlpack(x)
    assert theirs.dtype == torch.bfloat16 and theirs.tolist() == [1.5, -2.0]
    back = syntonic.from_dlpack(theirs)
    assert back.dtype == "bfloat16" and back.tolist() == [1.5, -2.0]
    assert not hasattr(x, "__cuda_array_interface__")
    z = torch.tensor([1 + 2j, 3 - 4j], dtype=torch.complex128, device="cuda")
    ours = syntonic.asarray(z)
    assert ours.dtype == "complex128" and (ours * 2).tolist() == [2 + 4j, 6 - 8j]


class Interface:
    """An array that speaks nothing but `__cuda_array_interface__`."""

    def __init__(self, array: cupy.ndarray, **change: object) -> None:
        self.array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **change}


@pytest.mark.parametrize("name", NAMES)
def test_the_interface_alone(name: str) -> None:
    base = cupy.asarray(numbers((3, 4), name))
    for theirs in [base, base.T, base[1:, ::-2], base[:0], base[0, 0]]:
        ours = syntonic.asarray(Interface(theirs))
        assert ours.shape == theirs.shape and ours.dtype == name
        np.testing.assert_array_equal(ours.cpu().numpy(), theirs.get())
    with pytest.raises(syntonic.ArgumentError, match="stream"):
        syntonic.asarray(Interface(base, stream=0))
    with pytest.raises(syntonic.ArgumentError, match="no GPU owns"):
        syntonic.asarray(Interface(base, data=(np.zeros(100).ctypes.data // 16 * 16, False)))


def test_memory_where_no_vector_begins() -> None:
    base = cupy.zeros(64, dtype="uint8")
    base[:] = cupy.asarray(np.arange(16, dtype="float32").view("uint8"))
    base_pointer = base.data
    for name, skip in (("float32", 2), ("complex64", 4), ("float64", 4), ("complex128", 8)):
        theirs = cupy.ndarray((2,), dtype=name, memptr=base_pointer + skip)
        for take in (syntonic.asarray, lambda x: syntonic.asarray(Interface(x))):
            with pytest.raises(syntonic.ArgumentError, match=r"not aligned.*copy"):
                take(theirs)
    theirs = cupy.ndarray((9,), dtype="float32", memptr=base_pointer + 4)
    ours = syntonic.asarray(theirs)
    assert (ours * 2 + 1).tolist() == [2.0 * k + 1 for k in range(1, 10)]


def test_what_the_interface_says() -> None:
    x = syntonic.zeros((3, 4), dtype="float32", device="cuda")
    said = x.__cuda_array_interface__
    assert (said["shape"], said["typestr"], said["strides"], said["version"]) == ((3, 4), "<f4", None, 3)
    assert said["stream"] not in (0, None) and said["data"][1] is False
    assert x.T.__cuda_array_interface__["strides"] == (4, 16)
    assert x[1:].__cuda_array_interface__["data"][0] == said["data"][0] + 16
    assert x[:0].__cuda_array_interface__["data"][0] == 0
    assert torch.as_tensor(x, device="cuda").data_ptr() == said["data"][0]


def test_the_rules_for_streams() -> None:
    x = State([1.0], device="cuda")
    assert x.__dlpack_device__() == (2, 0)
    side = cupy.cuda.Stream(non_blocking=True)
    for stream in (None, 1, 2, -1, side.ptr):
        assert "dltensor" in repr(x.__dlpack__(stream=stream, max_version=(1, 0)))
    for stream in (0, -2):
        with pytest.raises(syntonic.ArgumentError, match="names no stream"):
            x.__dlpack__(stream=stream)
    with pytest.raises(TypeError):
        x.__dlpack__(stream="one")


def test_where_the_consumer_wants_it() -> None:
    x = State([1.0, 2.0], device="cuda")
    host = np.from_dlpack(x, device="cpu")
    assert host.tolist() == [1.0, 2.0]
    with pytest.raises(BufferError, match="copy"):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(BufferError, match="to"):
        x.__dlpack__(dl_device=(2, 99))
    copied = torch.from_dlpack(x.__dlpack__(copy=True))
    copied[0] = 9
    assert x.tolist() == [1.0, 2.0]
    there = syntonic.from_dlpack(np.arange(3.0), device="cuda")
    assert there.device == "cuda:0" and there.tolist() == [0, 1, 2]
    with pytest.raises(syntonic.ArgumentError, match="another device"):
        syntonic.from_dlpack(x, device="cpu", copy=False)


def test_we_wait_for_their_stream() -> None:
    side = torch.cuda.Stream()
    theirs = torch.zeros(1 << 20, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(SLEEP)
        theirs.fill_(7)
        ours = syntonic.from_dlpack(theirs)
        got = (ours + 1).cpu().numpy()
    assert (got == 8).all()


def test_we_wait_for_the_stream_in_the_interface() -> None:
    side = cupy.cuda.Stream(non_blocking=True)
    theirs = cupy.zeros(1 << 20, dtype=cupy.float32)
    cupy.cuda.get_current_stream().synchronize()
    with side, torch.cuda.stream(torch.cuda.ExternalStream(side.ptr)):
        torch.cuda._sleep(SLEEP)
        theirs.fill(7)
        ours = syntonic.asarray(Interface(theirs))
    assert ((ours + 1).cpu().numpy() == 8).all()


@pytest.mark.parametrize("side", [None, "theirs"])
def test_their_stream_waits_for_us(side: str | None) -> None:
    x = syntonic.zeros(1 << 20, dtype="float32", device="cuda")
    slow, consumer = torch.cuda.Stream(), torch.cuda.Stream()
    cuda.synchronize()
    with cuda.Stream.adopt(slow):
        with torch.cuda.stream(slow):
            torch.cuda._sleep(SLEEP)
        x += 7
        with torch.cuda.stream(consumer if side else torch.cuda.default_stream()):
            got = (torch.from_dlpack(x) + 1).cpu()
    assert (got == 8).all()


def test_memory_in_use_by_them_is_not_given_to_the_next() -> None:
    x = syntonic.full(1 << 20, 7, dtype="float32", device="cuda")
    theirs = torch.from_dlpack(x)
    torch.cuda._sleep(SLEEP)
    result = theirs + 1
    del x, theirs
    gc.collect()
    # The same memory, written at once unless the pool waits for PyTorch's stream.
    other = syntonic.zeros(1 << 20, dtype="float32", device="cuda")
    assert (result.cpu() == 8).all() and not other.cpu().numpy().any()


def test_memory_in_use_by_us_is_not_given_to_their_next() -> None:
    slow = torch.cuda.Stream()
    theirs = torch.full((1 << 20,), 7.0, device="cuda")
    ours = syntonic.from_dlpack(theirs)
    with cuda.Stream.adopt(slow):
        with torch.cuda.stream(slow):
            torch.cuda._sleep(SLEEP)
        result = (ours + 1).eval()
        del theirs, ours
        gc.collect()
    other = torch.zeros(1 << 20, device="cuda")
    assert (result.cpu().numpy() == 8).all() and not other.any()


def test_owners_live_as_long_as_their_memory() -> None:
    torch.cuda.empty_cache()
    start = torch.cuda.memory_allocated()
    ours = syntonic.from_dlpack(torch.ones(1 << 20, device="cuda"))[10:]
    assert torch.cuda.memory_allocated() - start >= 4 << 20 and float(ours[0]) == 1.0
    del ours
    gc.collect()
    assert torch.cuda.memory_allocated() == start
    before = cuda.memory_stats()["in_use"]
    theirs = torch.from_dlpack(syntonic.ones(1 << 20, device="cuda"))
    assert cuda.memory_stats()["in_use"] - before >= 8 << 20 and float(theirs.sum()) == 1 << 20
    del theirs
    gc.collect()
    assert cuda.memory_stats()["in_use"] == before
    # A capsule that nobody takes.
    syntonic.ones(1 << 20, device="cuda").__dlpack__()
    gc.collect()
    assert cuda.memory_stats()["in_use"] == before


def test_pinned_memory_is_memory_of_the_host() -> None:
    pinned = torch.arange(4.0).pin_memory()
    ours = syntonic.asarray(pinned)
    assert ours.device == "cpu" and ours.tolist() == [0, 1, 2, 3]


def test_an_operand_of_another_library() -> None:
    x = State([1.0, 2.0], device="cuda")
    assert (x + torch.ones(2, device="cuda")).tolist() == [2.0, 3.0]
    assert (x * cupy.full(2, 3.0)).tolist() == [3.0, 6.0]
    with pytest.raises(syntonic.DeviceError):
        x + torch.ones(2)
