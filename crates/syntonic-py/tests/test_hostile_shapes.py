"""Shapes nobody should ask for: a typed error or a result, within a second, from every function."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
import syntonic
from calls import CALLS
from hostile import SHAPES, attempt
from syntonic import State


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_function_takes_or_refuses(shape: tuple[int, ...]) -> None:
    refused = 0
    for k, call in enumerate(CALLS):
        outcome = attempt(lambda c=call: c(syntonic.ones(shape, dtype=c.dtype), random.Random(1)), f"row {k}, {call.name}")
        refused += isinstance(outcome, BaseException)
    # The table must not pass because everything is refused.
    assert refused < len(CALLS) / 2, f"{refused} of {len(CALLS)} calls were refused"


#: Ways to ask for a State of this many axes.
ENTRANCES: dict[str, Callable[[int], object]] = {
    "zeros": lambda n: syntonic.zeros((1,) * n),
    "ones": lambda n: syntonic.ones([1] * n, dtype="int8"),
    "empty": lambda n: syntonic.empty((1,) * n),
    "full": lambda n: syntonic.full((1,) * n, 3),
    "State": lambda n: State(1.0, shape=[1] * n),
    "reshape": lambda n: syntonic.reshape(State([1.0]), (1,) * n),
    "State.reshape": lambda n: State([1.0]).reshape((1,) * n),
    "State.reshape with -1": lambda n: State([1.0]).reshape((-1, *(1,) * (n - 1))),
    "broadcast_to": lambda n: syntonic.broadcast_to(State([1.0]), (1,) * n),
    "expand_dims": lambda n: syntonic.expand_dims(State(1.0), axis=tuple(range(n))),
    "tile": lambda n: syntonic.tile(State([1.0]), (1,) * n),
    "tile with repetitions": lambda n: syntonic.tile(State([1.0]), (2,) * 3 + (1,) * (n - 3)),
    "index with None": lambda n: State(1.0)[(None,) * n],
    "index with None and an array": lambda n: State([1.0])[([0], *(None,) * (n - 1))],
    "index with arrays": lambda n: State([1.0])[syntonic.zeros((1,) * n, dtype="int64")],
    "meshgrid": lambda n: syntonic.meshgrid(*[State([1.0])] * n)[0],
    "nested lists": lambda n: State(nested(n)),
    "lists of States": lambda n: State([syntonic.ones((1,) * (n - 1))]),
    "stack": lambda n: syntonic.stack([syntonic.ones((1,) * (n - 1))] * 2),
    "random.uniform": lambda n: syntonic.random.uniform((1,) * n),
    "random.normal": lambda n: syntonic.random.normal((1,) * n),
    "random.integers": lambda n: syntonic.random.integers(3, shape=(1,) * n),
    "take": lambda n: syntonic.take(State([1.0]), syntonic.zeros((1,) * n, dtype="int64")),
    "einsum": lambda n: syntonic.einsum(f"{'a' * n}->", syntonic.ones((1,) * n)),
    "swap through NumPy": lambda n: syntonic.asarray(numpy.ones((1,) * min(n, 64))).reshape((1,) * n),
    "unpickled": lambda n: unpickled(n),
}


def nested(depth: int) -> object:
    item: object = 1.0
    for _ in range(depth):
        item = [item]
    return item


def unpickled(ndim: int) -> State:
    restore, arguments = State([1.0]).__reduce__()[:2]
    dtype, shape, *rest = arguments
    assert list(shape) == [1]
    return restore(dtype, [1] * ndim, *rest)


@pytest.mark.parametrize("name", ENTRANCES)
def test_axes_have_a_limit(name: str) -> None:
    entrance = ENTRANCES[name]
    most = entrance(64)
    assert not isinstance(most, State) or most.ndim in (0, 64)
    for ndim in (65, 10_000, 200_000):
        outcome = attempt(lambda n=ndim: entrance(n), f"{name} of {ndim} axes")
        assert isinstance(outcome, syntonic.SyntonicError), f"{name}: {outcome!r}"
        assert len(str(outcome)) < 1000, f"{name}: {len(str(outcome))} letters"


@pytest.mark.parametrize("ending", ["npy", "npz", "safetensors"])
def test_files_of_many_axes(ending: str, tmp_path: Path) -> None:
    for ndim in (64, 65, 10_000):
        path = tmp_path / f"deep{ndim}.{ending}"
        path.write_bytes(file_of(ndim, ending))
        outcome = attempt(lambda p=path: syntonic.load(p), f"{ending} of {ndim} axes")
        if ndim == 64:
            assert not isinstance(outcome, BaseException), outcome
        else:
            assert isinstance(outcome, syntonic.FileError) and str(ndim) in str(outcome), repr(outcome)


def file_of(ndim: int, ending: str) -> bytes:
    """A file with one float32 under so many axes."""
    import io
    import json
    import zipfile

    data = numpy.float32(1.0).tobytes()
    if ending == "safetensors":
        header = json.dumps({"x": {"dtype": "F32", "shape": [1] * ndim, "data_offsets": [0, 4]}}).encode()
        return len(header).to_bytes(8, "little") + header + data
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({'1, ' * ndim}), }}\n".encode()
    npy = b"\x93NUMPY\x02\x00" + len(text).to_bytes(4, "little") + text + data
    if ending == "npy":
        return npy
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("x.npy", npy)
    return archive.getvalue()


HUGE = 2**62
#: Sizes whose products leave the address space, or that no memory has.
SIZES: dict[str, Callable[[], object]] = {
    "zeros": lambda: syntonic.zeros((2**32, 2**32)),
    "zeros beyond 64 bits": lambda: syntonic.zeros((2**62, 2**62)),
    "zeros, one axis": lambda: syntonic.zeros(HUGE),
    "ones": lambda: syntonic.ones((2**21, 2**21, 2**21, 2)),
    "empty": lambda: syntonic.empty(HUGE, dtype="uint8"),
    "full": lambda: syntonic.full((HUGE, 2), 1.0),
    "eye": lambda: syntonic.eye(2**40),
    "arange": lambda: syntonic.arange(HUGE),
    "linspace": lambda: syntonic.linspace(0.0, 1.0, HUGE),
    "reshape": lambda: State([1.0]).reshape(2**32, 2**32),
    "broadcast_to": lambda: syntonic.broadcast_to(State(1.0), (2**32, 2**32)),
    "a copy of a broadcast": lambda: syntonic.broadcast_to(State(1.0), (2**31, 2**31)).copy(),
    "a chain over a broadcast": lambda: (syntonic.broadcast_to(State(1.0), (2**31, 2**30)) + 1.0).eval(),
    "tile": lambda: syntonic.tile(State([1.0, 2.0]), (2**62,)),
    "repeat": lambda: syntonic.repeat(State([1.0, 2.0]), 2**62),
    "repeat each": lambda: syntonic.repeat(State([1.0, 2.0]), State([2**62, 2**62])),
    "pad": lambda: syntonic.pad(State([1.0]), HUGE),
    "outer": lambda: syntonic.linalg.outer(*[syntonic.broadcast_to(State(1.0), (2**32,))] * 2),
    "kron": lambda: syntonic.kron(*[syntonic.broadcast_to(State(1.0), (2**32,))] * 2),
    "meshgrid": lambda: syntonic.meshgrid(*[syntonic.broadcast_to(State(1.0), (2**32,))] * 2),
    "concat": lambda: syntonic.concat([syntonic.broadcast_to(State(1.0), (2**62,))] * 2),
    "stack": lambda: syntonic.stack([syntonic.broadcast_to(State(1.0), (2**62,))] * 2),
    "bincount": lambda: syntonic.bincount(State([HUGE])),
    "bincount, minlength": lambda: syntonic.bincount(State([1]), minlength=HUGE),
    "random.uniform": lambda: syntonic.random.uniform((2**32, 2**32)),
    "random.normal": lambda: syntonic.random.normal(HUGE),
    "random.integers": lambda: syntonic.random.integers(3, shape=(2**40, 2**20)),
    "random.permutation": lambda: syntonic.random.permutation(HUGE),
    "mode_norms": lambda: syntonic.resonant.mode_norms(HUGE),
    "BatchNormState": lambda: syntonic.nn.BatchNormState(HUGE),
    "population": lambda: syntonic.evolve.RES([1.0, 2.0], population=HUGE).ask(),
    "population of gigabytes": lambda: syntonic.evolve.RES([1.0, 2.0], population=2**40).ask(),
    "sort of a broadcast": lambda: syntonic.sort(syntonic.broadcast_to(State(1.0), (2**40,))),
    "unique of a broadcast": lambda: syntonic.unique_values(syntonic.broadcast_to(State(1.0), (2**40,))),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_beyond_all_memory(name: str) -> None:
    outcome = attempt(SIZES[name], name)
    if name == "meshgrid":
        # Views: nothing is allocated, and 2^64 elements are still too many to count.
        assert isinstance(outcome, (syntonic.ShapeError, list, tuple)), repr(outcome)
        return
    assert isinstance(outcome, (syntonic.SyntonicError, OverflowError)), repr(outcome)
