"""What copies, copies: a result is memory of its own, unless it is a view in NumPy as well."""

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from calls import CALLS, Call, operand

import syntonic
from syntonic import State

# Views, all of which NumPy has as views too under this or another name.
VIEWS = {
    "State.T", "State.__getitem__", "State.__iter__", "State.__reversed__", "State.cpu", "State.diagonal", "State.eval",
    "State.getfield", "State.imag", "State.mT",
    "State.ravel", "State.real", "State.reshape", "State.squeeze", "State.swapaxes", "State.to_device", "State.transpose", "State.view",
    "asarray", "expand_dims", "flip", "from_dlpack", "linalg.diagonal", "matrix_transpose", "moveaxis", "permute_dims",
    "reshape", "split", "squeeze", "stop_gradient", "transpose", "unstack",
}  # fmt: skip
# What changes the State itself, and hands it back.
IN_PLACE = {"State.__setitem__", "State.fill", "State.flat", "State.partition", "State.put", "State.sort", "State.real", "State.imag"}
# A tuple with names holds what it is given, and the leaves of a tree are those that it has.
HOLDERS = {"linalg.GemvChain", "tree.leaves"}


def states(result: object) -> Iterator[State]:
    if isinstance(result, State):
        yield result
    elif isinstance(result, (tuple, list)):
        for part in result:
            yield from states(part)
    elif isinstance(result, dict):
        yield from states(list(result.values()))


def overwrite(state: State) -> None:
    """Other values than before, wherever that is allowed."""
    try:
        state[...] = ~state if state.dtype == "bool" else state + 1
    except syntonic.ArgumentError as refused:
        assert "read-only" in str(refused)


def aliases(run: Callable[[State], object], x: State) -> bool:
    before = np.array(x)
    for state in states(run(x)):
        overwrite(state)
    return not np.array_equal(np.asarray(x), before, equal_nan=before.dtype.kind in "fc")


def changes(call: Call) -> bool:
    return call.name in IN_PLACE or call.name.startswith("State.__i") and call.name not in ("State.__iter__", "State.__invert__", "State.__int__", "State.__index__")


@pytest.mark.parametrize("size", [16, 40_000])
@pytest.mark.parametrize("index", range(len(CALLS)), ids=[call.name for call in CALLS])
def test_results_are_memory_of_their_own(index: int, size: int) -> None:
    call = CALLS[index]
    if changes(call) or call.name in HOLDERS or call.given is not None and call.name == "evolve.RES":
        return
    x = operand(call, size)
    if aliases(lambda x: call(x, random.Random(1)), x):
        assert call.name in VIEWS


# Calls that change nothing: what was handed in is the easiest answer.
NEUTRAL: dict[str, Callable[[State], object]] = {
    "tile 1": lambda x: syntonic.tile(x, 1),
    "tile nothing": lambda x: syntonic.tile(x, ()),
    "repeat once": lambda x: syntonic.repeat(x, 1),
    "repeat once along an axis": lambda x: syntonic.repeat(x, 1, axis=0),
    "repeat each once": lambda x: syntonic.repeat(x, [1] * x.shape[0], axis=0),
    "roll 0": lambda x: syntonic.roll(x, 0),
    "roll 0 along an axis": lambda x: syntonic.roll(x, 0, axis=0),
    "roll no axis": lambda x: syntonic.roll(x, (), axis=()),
    "pad 0": lambda x: syntonic.pad(x, 0),
    "pad 0 of the edge": lambda x: syntonic.pad(x, 0, mode="edge"),
    "concat one": lambda x: syntonic.concat([x]),
    "concat one flat": lambda x: syntonic.concat([x], axis=None),
    "stack one": lambda x: syntonic.stack([x]),
    "tril of all": lambda x: syntonic.tril(x, k=100),
    "triu of all": lambda x: syntonic.triu(x, k=-100),
    "meshgrid of one": lambda x: syntonic.meshgrid(x),
    "meshgrid of two": lambda x: syntonic.meshgrid(x, x, indexing="ij"),
    "einsum": lambda x: syntonic.einsum("...->...", x),
    "einsum ij->ij": lambda x: syntonic.einsum("ij->ij", x),
    "einsum ij->ji": lambda x: syntonic.einsum("ij->ji", x),
    "einsum ii->i": lambda x: syntonic.einsum("ii->i", x),
    "astype": lambda x: syntonic.astype(x, x.dtype),
    "astype, method": lambda x: x.astype(x.dtype),
    "State": lambda x: State(x),
    "array": lambda x: syntonic.array(x),
    "asarray, copied": lambda x: syntonic.asarray(x, copy=True),
    "reshape, copied": lambda x: syntonic.reshape(x, x.shape, copy=True),
    "from_dlpack, copied": lambda x: syntonic.from_dlpack(x, copy=True),
    "to, copied": lambda x: x.to("cpu", copy=True),
    "full": lambda x: syntonic.full(x.shape, x),
    "full_like": lambda x: syntonic.full_like(x, x),
    "clip": lambda x: syntonic.clip(x),
    "clip far away": lambda x: syntonic.clip(x, -(10**30), 10**30),
    "take": lambda x: syntonic.take(x, syntonic.arange(x.shape[0]), axis=0),
    "positive": lambda x: +x,
    "copy": lambda x: x.copy(),
    "flatten": lambda x: x.flatten(),
    "topk of all": lambda x: syntonic.topk(x, x.shape[-1]),
    "sort of one": lambda x: syntonic.sort(x, axis=-1),
    "kron 1": lambda x: syntonic.kron(x, 1),
    "tensordot 1": lambda x: syntonic.tensordot(x, 1, axes=0),
    "where": lambda x: syntonic.where(True, x, x),
    "scatter nothing": lambda x: syntonic.scatter(x, 0, syntonic.zeros((0,) * x.ndim, dtype="int64"), syntonic.zeros((0,) * x.ndim, dtype=x.dtype)),
    "index array": lambda x: x[list(range(x.shape[0]))],
    "index mask": lambda x: x[syntonic.ones(x.shape, dtype="bool")],
    "index True": lambda x: x[True],
    "index array of one": lambda x: x[State(0)],
    "index NumPy array of one": lambda x: x[np.array(0)],
    "imaginary part of reals": lambda x: x.imag if x.dtype != "complex128" else x + 0,
    "gradients that are passed on": lambda x: syntonic.nn.phi_residual_backward(x, x, x, "standard"),
    **{
        f"{name} over no axis": lambda x, n=name: getattr(syntonic, n)(x, axis=())
        for name in ("sum", "prod", "min", "max", "mean", "any", "all", "count_nonzero", "logsumexp", "std", "var", "median")
    },
    **{
        name: lambda x, n=name: getattr(syntonic, n)(x)
        for name in ("round", "floor", "ceil", "trunc", "conj", "real", "abs", "relu", "cumulative_sum", "unique_values")
    },
}
# States for which the easiest answer is the State itself.
SIMPLE = {
    "matrix": lambda: State([[1.0, 2.0], [3.0, 4.0]]),
    "vector": lambda: State([1.0, 2.0]),
    "number": lambda: State(2.0),
    "one element": lambda: State([[1.0]]),
    "integers": lambda: State([[1, 2], [3, 4]]),
    "truths": lambda: State([True, False]),
    "complex": lambda: State([[1j, 2.0], [3.0, 4j]]),
    "backwards": lambda: State([[1.0, 2.0], [3.0, 4.0]])[::-1, ::-1],
    "pending": lambda: syntonic.ones((100, 100)) * 2,
}


@pytest.mark.parametrize("way", NEUTRAL)
def test_results_of_calls_that_change_nothing_are_memory_of_their_own(way: str) -> None:
    answered = 0
    for kind, make in SIMPLE.items():
        x = make()
        try:
            NEUTRAL[way](x)
        except (syntonic.SyntonicError, IndexError):
            continue
        answered += 1
        assert not aliases(NEUTRAL[way], x), kind
    assert answered


def test_numpy_has_the_same_views() -> None:
    n = np.arange(6.0).reshape(2, 3)
    x = State(n)
    pairs = [
        (n.T, x.T), (n[0], x[0]), (n[np.int64(0)], x[np.int64(0)]), (n.ravel(), x.ravel()), (n.reshape(3, 2), x.reshape(3, 2)),
        (np.flip(n), syntonic.flip(x)), (np.squeeze(n[:1]), syntonic.squeeze(x[:1])), (np.expand_dims(n, 0), syntonic.expand_dims(x)),
        (np.moveaxis(n, 0, 1), syntonic.moveaxis(x, 0, 1)), (np.split(n, 2)[0], syntonic.split(x, 2)[0]), (n.real, x.real),
    ]  # fmt: skip
    for theirs, ours in pairs:
        assert np.shares_memory(theirs, n) and np.shares_memory(np.asarray(ours), np.asarray(x))
    for theirs, ours in [
        (np.tile(n, 1), syntonic.tile(x, 1)), (np.repeat(n, 1, axis=0), syntonic.repeat(x, 1, axis=0)), (n[np.array(0)], x[State(0)]),
        (np.meshgrid(n[0])[0], syntonic.meshgrid(x[0])[0]), (n.flatten(), x.flatten()), (np.roll(n, 0), syntonic.roll(x, 0)),
    ]:  # fmt: skip
        assert not np.shares_memory(theirs, n) and not np.shares_memory(np.asarray(ours), np.asarray(x))


EMPTY_VIEWS: dict[str, Callable[[object], object]] = {
    "real": lambda a: a.real,
    "imag": lambda a: a.imag,
    "imag of real": lambda a: a.real.imag,
    "T": lambda a: a.T,
    "mT": lambda a: a.mT if a.ndim > 1 else a,
    "slice": lambda a: a[1:],
    "slice from the end": lambda a: a[-1:],
    "backwards": lambda a: a[::-1],
    "steps": lambda a: a[5::-3],
    "inner": lambda a: a[..., 1:],
    "new axis": lambda a: a[None, ..., None],
    "reshape": lambda a: a.reshape(0, 7),
    "ravel": lambda a: a.ravel(),
    "diagonal": lambda a: a.diagonal() if a.ndim > 1 else a,
    "diagonal beyond": lambda a: a.diagonal(3) if a.ndim > 1 else a,
    "diagonal below": lambda a: a.diagonal(-3) if a.ndim > 1 else a,
    "swapaxes": lambda a: a.swapaxes(0, -1),
    "squeeze": lambda a: a.squeeze(),
    "sum": lambda a: a.sum(),
}


@pytest.mark.parametrize("dtype", ["complex64", "complex128", "float64", "int8"])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 3), (0, 0), (1, 0, 1)])
def test_views_of_nothing(shape: tuple[int, ...], dtype: str) -> None:
    n = np.zeros(shape, dtype=dtype)
    x = syntonic.zeros(shape, dtype=dtype)
    # A view whose first element would lie behind the memory, and one from NumPy.
    whole = syntonic.ones((4, *shape[1:]), dtype=dtype)[4:] if shape[0] == 0 else x
    for (first, a), (second, b) in itertools_pairs(EMPTY_VIEWS):
        want = b(a(n)) if second != "sum" else a(n)
        for state in (x, whole, syntonic.asarray(n)):
            got = b(a(state)) if second != "sum" else a(state)
            assert got.shape == want.shape, (first, second)
            if first != "sum" and second != "sum":
                assert got.dtype.name == want.dtype.name, (first, second)
            assert np.asarray(got).shape == want.shape and got.tolist() == want.tolist()
            if got.size == 0:
                got[...] = 1
                assert (got + 1).shape == want.shape


def itertools_pairs(views: dict[str, Callable[[object], object]]) -> Iterator[tuple[tuple[str, Callable], tuple[str, Callable]]]:
    """Every view of every view but those of a sum, which is no view."""
    for first in views.items():
        for second in views.items():
            if first[0] != "sum":
                yield first, second
