"""Peak device memory: no more than PyTorch takes for the same, operands and result included."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import syntonic

torch = pytest.importorskip("torch")

#: Statistics, partial sums and the rounding of blocks are small beside the data; they may be distributed otherwise.
SMALL = 1 / 256

#: Operands of each computation, float32.
OPERANDS: dict[str, list[tuple[int, ...]]] = {
    "chain of six": [(64 << 20,)] * 3,
    "batch norm 1d": [(65536, 1024), (1024,), (1024,)],
    "batch norm 2d": [(128, 256, 56, 56), (256,), (256,)],
    "softmax": [(4096, 32768), (32768,)],
    "softmax of long rows": [(64, 1 << 21), (1 << 21,)],
}


def chain(x, y, z):
    return ((x * y + z) * x - y) * z + x


def norm(features: str) -> Callable:
    layer = getattr(syntonic, f"golden_batch_norm_{features}")
    return lambda x, gamma, beta: layer(x, gamma=gamma, beta=beta)


def softmax(x, log_weights):
    return syntonic.syntonic_softmax(x, log_weights=log_weights)


def torch_norm(x, gamma, beta):
    return torch.nn.functional.batch_norm(x, None, None, gamma, beta, True, 0.0, 1e-5)


def torch_softmax(x, log_weights):
    return torch.softmax(x + log_weights, -1)


OURS: dict[str, Callable] = {
    "chain of six": chain,
    "batch norm 1d": norm("1d"),
    "batch norm 2d": norm("2d"),
    "softmax": softmax,
    "softmax of long rows": softmax,
}
THEIRS: dict[str, Callable] = {
    "chain of six": chain,
    "batch norm 1d": torch_norm,
    "batch norm 2d": torch_norm,
    "softmax": torch_softmax,
    "softmax of long rows": torch_softmax,
}


def ours(name: str) -> int:
    """The peak of a process that does nothing else."""
    operands = [syntonic.full(shape, 1.5, dtype="float32", device="cuda") for shape in OPERANDS[name]]
    result = OURS[name](*operands)
    result[(0,) * result.ndim].item()
    return syntonic.cuda.memory_stats()["peak"]


def theirs(name: str) -> int:
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    operands = [torch.full(shape, 1.5, device="cuda") for shape in OPERANDS[name]]
    result = THEIRS[name](*operands)
    torch.cuda.synchronize()
    del operands, result
    return torch.cuda.max_memory_allocated()


@pytest.mark.parametrize("name", OPERANDS)
def test_peak(name: str) -> None:
    words = [sys.executable, "-c", f"import json, test_gpu_memory as t; print(json.dumps(t.ours({name!r})))"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=Path(__file__).parent, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    peak, limit = json.loads(done.stdout.splitlines()[-1]), theirs(name)
    assert peak <= limit * (1 + SMALL), f"{peak} bytes for PyTorch's {limit}"


def test_a_lazy_chain_has_no_temporaries() -> None:
    bytes = 4 * (64 << 20)
    words = [sys.executable, "-c", "import test_gpu_memory as t; print(t.ours('chain of six'))"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=Path(__file__).parent, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout.splitlines()[-1]) <= 4 * bytes * (1 + SMALL)
