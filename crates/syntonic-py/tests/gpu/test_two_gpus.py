"""Two GPUs in one process."""

import numpy as np
import pytest
import torch

import syntonic
from syntonic import State, cuda


def test_values_on_both_and_between_them() -> None:
    array = np.arange(1 << 20, dtype="float64")
    first, second = State(array).cuda(0), State(array).cuda(1)
    assert (first.device, second.device) == ("cuda:0", "cuda:1")
    crossed = (first * 2).to(second.device)
    assert crossed.device == "cuda:1"
    np.testing.assert_array_equal((crossed + second).cpu().numpy(), array * 3)
    np.testing.assert_array_equal(second[::-3].to("cuda:0").cpu().numpy(), array[::-3])


def test_operands_on_two_gpus_are_named() -> None:
    x, y = State([1.0], device="cuda:0"), State([1.0], device="cuda:1")
    with pytest.raises(syntonic.DeviceError, match=r"cuda:0.*cuda:1.*\.to\(device\)"):
        x + y


def test_the_block_chooses_the_gpu() -> None:
    with syntonic.device("cuda:1"):
        x = syntonic.ones(4)
        assert x.device == "cuda:1" and State([1]).cuda().device == "cuda:1" and syntonic.Device("cuda") == "cuda:1"
        assert cuda.current_stream().device == "cuda:1"
    assert x.cuda().device == "cuda:0"
    assert cuda.memory_stats(1)["in_use"] > 0 and cuda.device_name(1)


def test_arrays_of_the_second_gpu_are_shared() -> None:
    theirs = torch.arange(4.0, device="cuda:1")
    ours = syntonic.asarray(theirs)
    assert ours.device == "cuda:1" and ours.__dlpack_device__() == (2, 1)
    ours += 1
    back = torch.from_dlpack(ours)
    assert back.device == theirs.device and theirs.tolist() == [1, 2, 3, 4] and back.data_ptr() == theirs.data_ptr()
