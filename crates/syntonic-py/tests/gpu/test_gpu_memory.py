"""Memory that programs need beside their operands: at most what PyTorch needs for the same programs."""

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
import torch

from syntonic import State, cuda, nn

SHAPES = {
    "chain": [(4096, 4096)] * 3,
    "batch norm 1d": [(8192, 2048), (2048,), (2048,)],
    "batch norm 2d": [(32, 128, 64, 64), (128,), (128,)],
    "softmax": [(8192, 2048)],
    "softmax of long rows": [(8, 1 << 21)],
}
OURS: dict[str, Callable[..., State]] = {
    "chain": lambda a, b, c: ((a * b + c) * a - b) * c + a,
    "batch norm 1d": lambda x, w, b: nn.golden_batch_norm_1d(x, gamma=w, beta=b),
    "batch norm 2d": lambda x, w, b: nn.golden_batch_norm_2d(x, gamma=w, beta=b),
    "softmax": nn.softmax,
    "softmax of long rows": nn.softmax,
}
THEIRS: dict[str, Callable[..., torch.Tensor]] = {
    "chain": lambda a, b, c: ((a * b + c) * a - b) * c + a,
    "batch norm 1d": lambda x, w, b: torch.nn.functional.batch_norm(x, None, None, w, b, training=True),
    "batch norm 2d": lambda x, w, b: torch.nn.functional.batch_norm(x, None, None, w, b, training=True),
    "softmax": lambda x: torch.softmax(x, -1),
    "softmax of long rows": lambda x: torch.softmax(x, -1),
}


def operands(name: str) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [random.random(shape, dtype="float32") for shape in SHAPES[name]]


def our_peak(name: str) -> int:
    inputs = [State(array).cuda() for array in operands(name)]
    before = cuda.memory_stats()["in_use"]
    result = OURS[name](*inputs).eval()
    cuda.synchronize()
    assert result.device == inputs[0].device
    return cuda.memory_stats()["peak"] - before


def their_peak(name: str) -> int:
    inputs = [torch.from_numpy(array).cuda() for array in operands(name)]
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    result = THEIRS[name](*inputs)
    torch.cuda.synchronize()
    assert result.is_cuda
    return torch.cuda.max_memory_allocated() - before


@pytest.mark.parametrize("name", SHAPES)
def test_the_peak_is_at_most_pytorchs(name: str) -> None:
    # The peak is that of the process, so each program has one of its own.
    child = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    ours, theirs = int(child.stdout), their_peak(name)
    # In mebibytes: statistics of a channel or a row are rounded up to some hundred bytes on both sides.
    assert ours >> 20 <= theirs >> 20, f"{name}: {ours} bytes, PyTorch {theirs}"


if __name__ == "__main__":
    print(our_peak(sys.argv[1]))
