"""`syntonic.numpy` in a block of a GPU: every name that is said to be computed on each device, beside NumPy; and random numbers beside the CPU's."""

import zlib

import numpy
import numpy_names
import pytest
import test_numpy_random

import syntonic
import syntonic.numpy as snp
from syntonic.numpy import _names

# Where memory of the host is the point.
HOST = ("may_share_memory", "shares_memory", "vectorize")


def _place(name: str) -> str:
    module, _, short = name.rpartition(".")
    return _names.where(module, short) if module in ("", "linalg", "fft") else "each device"


THERE = [name for name in sorted(numpy_names.ROWS) if _place(name) != "host" and name not in HOST]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", THERE)
def test_a_name_gives_on_a_gpu_what_numpys_gives(name: str) -> None:
    for k, call in enumerate(numpy_names.ROWS[name]):
        for seed in range(3):
            start = zlib.crc32(f"{name}{k}".encode()) + seed
            theirs = call(numpy, numpy_names.Source(start, numpy))
            with syntonic.device("cuda"):
                ours = call(snp, numpy_names.Source(start, snp))
            numpy_names.agrees(ours, theirs, f"{name}, row {k}, seed {seed}")


def test_a_function_of_operators_is_called_with_whole_arrays() -> None:
    x = syntonic.array([1.0, 2.0, 3.0], device="cuda")
    found = snp.vectorize(lambda a, b: snp.where(a > 1, a * b, -a))(x, 2.0)
    assert found.device == "cuda:0" and found.tolist() == [-1.0, 4.0, 6.0]
    assert snp.vectorize(lambda a: 3)(x).tolist() == [3, 3, 3]
    for function in (lambda a: a if a > 1 else -a, lambda a: a - snp.mean(a), snp.sum, lambda a: (a, a)):
        with pytest.raises(syntonic.TransferError, match="vectorize.*hint"):
            snp.vectorize(function)(x)


@pytest.mark.parametrize("name", "array_repr array2string einsum_path shares_memory".split())
def test_nothing_goes_to_the_host_unasked(name: str) -> None:
    with pytest.raises(syntonic.TransferError, match="hint: .cpu"), syntonic.device("cuda"):
        numpy_names.ROWS[name][0](snp, numpy_names.Source(1, snp))


@pytest.mark.parametrize("name", [name for name in sorted(test_numpy_random.DRAWS) if name != "vonmises"])
def test_random_numbers_are_those_of_the_cpu(name: str) -> None:
    arguments = test_numpy_random.DRAWS[name]
    here = getattr(snp.random.default_rng(5), name)(*arguments, size=500)
    with syntonic.device("cuda"):
        there = getattr(snp.random.default_rng(5), name)(*arguments, size=500)
    assert there.device == "cuda:0" and bool((here == there.cpu()).all())
