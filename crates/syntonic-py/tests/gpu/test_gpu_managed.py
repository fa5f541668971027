"""States in unified memory, from Python."""

import numpy as np
import pytest

import syntonic
from syntonic import State, cuda


def same(got: State, want: State) -> None:
    np.testing.assert_array_equal(got.cpu().numpy(), want.cpu().numpy())


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32", "complex128"])
@pytest.mark.parametrize("n", [0, 1, 4097, 3_000_001])
def test_values_are_there_and_come_back(dtype: str, n: int) -> None:
    x = (syntonic.arange(n) % 7).astype(dtype)
    y = cuda.managed(x)
    assert cuda.is_managed(y) and not cuda.is_managed(x) and cuda.managed(y).device == y.device == "cuda:0"
    same(y, x)
    same(cuda.managed(x.cuda()), x)
    same(cuda.managed(x[::-1]), x[::-1])
    same(cuda.managed_empty((n,), dtype), syntonic.zeros(n, dtype=dtype))


def test_operations_are_those_of_any_state() -> None:
    x = syntonic.arange(12, dtype="float32").reshape(3, 4)
    y = cuda.managed(x)
    same(y * 2 + 1, x * 2 + 1)
    same(y.T @ y, x.T @ x)
    same(y[1:, ::2].sum(0), x[1:, ::2].sum(0))
    assert not cuda.is_managed((y * 2).eval())


def test_writes_in_place_stay_in_unified_memory() -> None:
    x = cuda.managed_empty((4, 5), "float32")
    x[1] = 3
    x += 1
    assert cuda.is_managed(x) and cuda.is_managed(x[1:3])
    want = syntonic.ones((4, 5), dtype="float32")
    want[1] = 4
    same(x, want)


def test_pages_move_and_values_stay() -> None:
    x = cuda.managed(syntonic.arange(1 << 20, dtype="float32"))
    want = syntonic.arange(1 << 20, dtype="float32")
    for device in ("cuda:0", "cpu", "cuda:0"):
        cuda.prefetch_to(x, device)
        same(x, want)
    for advice in ("read_mostly", "preferred_location", "accessed_by"):
        for device in ("cpu", "cuda:0", None):
            cuda.advise(x, advice, device)
            x += 0
            same(x, want)
            cuda.advise(x, advice, device, withdraw=True)
    with pytest.raises(syntonic.SyntonicError, match="not row-major"):
        cuda.prefetch_to(x[::2], "cpu")


def test_more_than_there_is_is_refused() -> None:
    with pytest.raises(syntonic.SyntonicError, match="unified memory of"):
        cuda.managed_empty(1 << 46)
    cuda.managed_empty(3)
