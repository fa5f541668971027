"""Devices by name, the block that sets the default, and what is said where there is no GPU."""

import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import syntonic
from syntonic import State


@pytest.mark.parametrize("name", ["abacus", "cuda:", "cuda:x", "cuda:-1", "cuda:+1", "CUDA", "cuda:99999999999", -1, ""])
def test_names_of_no_device(name: object) -> None:
    with pytest.raises(syntonic.DeviceError, match="no device has this name.*hint"):
        syntonic.Device(name)  # type: ignore[arg-type]
    with pytest.raises(syntonic.DeviceError):
        syntonic.zeros(3, device=name)  # type: ignore[arg-type]


def test_a_device_says_what_it_is() -> None:
    cpu, second = syntonic.Device("cpu"), syntonic.device(1)
    assert (cpu.type, cpu.index, str(cpu)) == ("cpu", None, "cpu")
    assert (second.type, second.index, str(second)) == ("cuda", 1, "cuda:1")
    assert second == "cuda:1" and second == syntonic.Device(second) and second != cpu
    assert syntonic.Device("cuda") == "cuda:0" and hash(second) == hash("cuda:1")
    assert pickle.loads(pickle.dumps(second)) == second


def test_the_block_and_its_thread() -> None:
    assert syntonic.default_device() == "cpu"
    with syntonic.device("cpu") as inside:
        assert inside == "cpu" and syntonic.ones(2).device == "cpu"
        assert syntonic.__array_namespace_info__().default_device() == "cpu"
        elsewhere: list[object] = []
        thread = threading.Thread(target=lambda: elsewhere.append(syntonic.default_device()))
        thread.start()
        thread.join()
        assert elsewhere == ["cpu"]
    with pytest.raises(RuntimeError, match="not entered"):
        inside.__exit__(None, None, None)
    assert "cpu" in [str(device) for device in syntonic.__array_namespace_info__().devices()]


def test_to_takes_a_device_a_type_or_a_state() -> None:
    x = State([1.5, 2.5])
    assert x.to("cpu") is x and x.to(syntonic.float64) is x and x.to(x) is x and x.cpu() is x
    assert x.to_device("cpu") is x and x.to_device(x.device) is x
    assert x.to("cpu", copy=True) is not x
    for single in (x.to("float32"), x.to(syntonic.float32), x.to("cpu", "float32"), x.to(State(1, dtype="float32"))):
        assert single.dtype == "float32" and single.tolist() == [1.5, 2.5]
    assert x.to(np.float32).dtype == "float32"
    with pytest.raises(syntonic.DeviceError, match="abacus"):
        x.to("abacus")
    with pytest.raises(syntonic.ArgumentError, match=r"\.cpu\(\)"):
        x.cuda("cpu")
    with pytest.raises(syntonic.ArgumentError, match="with stream"):
        x.to_device("cpu", stream=1)  # type: ignore[arg-type]


def test_random_numbers_take_a_device() -> None:
    generator = syntonic.random.Generator(7)
    draws = [
        generator.uniform(5, device="cpu"),
        generator.normal((2, 3), dtype="float32", device="cpu"),
        generator.integers(10, shape=4, device="cpu"),
        generator.permutation(6, device="cpu"),
    ]
    assert all(draw.device == "cpu" for draw in draws) and generator.offset == 21
    again = syntonic.random.Generator(7)
    assert again.uniform(5).tolist() == draws[0].tolist()


WITHOUT = """
import pickle
import numpy as np
import pytest
import syntonic
from syntonic import State, cuda

why = cuda.why_unavailable()
assert not cuda.is_available() and cuda.device_count() == 0
assert why and ("libcuda.so.1" in why or "CUDA_VISIBLE_DEVICES" in why), why
x = State([1.0, 2.0])
saying = why.splitlines()[0][:40]

def refused(work, what=syntonic.DeviceError, text=saying):
    with pytest.raises(what) as caught:
        work()
    assert isinstance(caught.value, RuntimeError) and text in str(caught.value), str(caught.value)
    return str(caught.value)

text = refused(x.cuda)
assert text == f"device cuda:0 is not available: {why}"
assert "cuda:3" in refused(lambda: x.cuda(3))
refused(lambda: x.to("cuda"))
refused(lambda: x.to_device("cuda:1"))
refused(lambda: syntonic.zeros(3, device="cuda"))
refused(lambda: syntonic.full(3, x[0], device="cuda"))
refused(lambda: syntonic.arange(3, device="cuda"))
refused(lambda: syntonic.linspace(0, 1, 3, device="cuda"))
refused(lambda: syntonic.eye(3, device="cuda"))
refused(lambda: syntonic.asarray([1], device="cuda"))
refused(lambda: syntonic.asarray(np.ones(2), device="cuda"))
refused(lambda: syntonic.asarray(x, device="cuda"))
refused(lambda: syntonic.from_dlpack(np.ones(2), device="cuda"))
refused(lambda: syntonic.random.uniform(3, device="cuda"))
refused(lambda: State([1], device="cuda"))
refused(lambda: syntonic.device("cuda:1").__enter__())
refused(lambda: cuda.device_name(0))
refused(lambda: cuda.memory_stats())
refused(lambda: cuda.empty_cache("cuda"))
refused(lambda: cuda.set_memory_limit(1 << 20))
refused(lambda: cuda.synchronize())
refused(lambda: cuda.current_stream())
refused(lambda: cuda.Service())
refused(lambda: cuda.Service("cuda:1", idle=0.5))
refused(lambda: cuda.Stream())
refused(lambda: cuda.Stream.adopt(1))
refused(lambda: cuda.Event().record())
restore, parts = x.__reduce__()
refused(lambda: restore(*parts[:3], "cuda:0"), text="hint: pickle x.cpu()")

class Elsewhere:
    def __dlpack_device__(self):
        return (2, 0)
    def __dlpack__(self, **options):
        raise AssertionError("asked before the device was there")

refused(lambda: syntonic.from_dlpack(Elsewhere()))
refused(lambda: syntonic.asarray(Elsewhere()))

class Interface:
    __cuda_array_interface__ = {"shape": (2,), "typestr": "<f4", "data": (4096, False), "version": 3}

refused(lambda: syntonic.asarray(Interface()))
assert syntonic.default_device() == "cpu" and x.tolist() == [1.0, 2.0]
print("well")
"""


def test_where_there_is_no_gpu_everything_says_why() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
    )
    assert done.returncode == 0 and done.stdout == "well\n", done.stderr


def test_what_needs_no_gpu_to_be_wrong() -> None:
    event = syntonic.cuda.Event()
    for use in (event.synchronize, event.query, lambda: event.elapsed_time(event)):
        with pytest.raises(syntonic.ArgumentError, match="nothing was recorded"):
            use()
    with pytest.raises(syntonic.DeviceError, match="cpu is no GPU"):
        syntonic.cuda.memory_stats("cpu")
    with pytest.raises(TypeError):
        syntonic.cuda.set_memory_limit("much")  # type: ignore[arg-type]
