"""A bool is true unless its byte is 0, whoever wrote it: every function gives for bytes that NumPy reads as true what it gives for 1."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import calls
import numpy as np
import pytest

import syntonic as syn
from syntonic import State


def truths(shape: tuple[int, ...], bytes_of_true: tuple[int, ...]) -> np.ndarray:
    """About half of the elements true, written as these bytes in turn."""
    count = int(np.prod(shape, dtype=int))
    places = np.arange(count)
    true = places * 7919 % 1000 % 2 == 1
    given = np.array(bytes_of_true, dtype=np.uint8)[places // 2 % len(bytes_of_true)]
    return np.where(true, given, 0).astype(np.uint8).view(np.bool_).reshape(shape)


STRANGE = (2, 255, 128, 3)


def shared(array: np.ndarray) -> State:
    return syn.asarray(array, copy=False)


def written(array: np.ndarray) -> State:
    """Memory of our own, into which NumPy wrote these bytes, and which it has let go."""
    x = syn.zeros(array.shape, dtype="bool")
    np.asarray(x).view(np.uint8)[...] = array.view(np.uint8)
    return x


MADE = {"shared": shared, "written": written}


def told(result: Any) -> Any:
    """What a result says, as a value that can be compared."""
    if isinstance(result, State):
        return ("State", str(result.dtype), result.shape, repr(result.tolist()))
    if isinstance(result, (tuple, list)):
        return [told(one) for one in result]
    if isinstance(result, dict):
        return {repr(key): told(one) for key, one in result.items()}
    if isinstance(result, np.ndarray):
        return (result.dtype.str, result.shape, repr(result.tolist()))
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return [told(getattr(result, f.name)) for f in dataclasses.fields(result)]
    if isinstance(result, (bool, int, float, complex, str, bytes, type(None))):
        return repr(result)
    return type(result).__name__


def outcome(call: calls.Call, x: State) -> Any:
    """What the call gives, or how it refuses."""
    try:
        result = call(x, random.Random(3))
        return told(result), told(x)
    except syn.InternalError:
        raise
    except (syn.SyntonicError, TypeError, ValueError, IndexError, OverflowError, BufferError, ZeroDivisionError) as error:
        return type(error).__name__, str(error)


# What says where a State lies, shares its memory as it is, or takes time and counts it.
LEFT = {"State.__array_interface__", "State.__dlpack__", "profile", "Advisor", "Advice"}


@pytest.mark.parametrize("made", MADE)
def test_every_function(made: str) -> None:
    for place, call in enumerate(calls.CALLS):
        if call.name in LEFT or call.name.partition(".")[0] in LEFT:
            continue
        shape = calls.operand(call, 64).shape
        plain = outcome(call, MADE[made](truths(shape, (1,))))
        strange = outcome(call, MADE[made](truths(shape, STRANGE)))
        # What draws numbers without a seed draws others each time.
        same = strange == plain or (call.name.startswith(("nn.", "random.")) and outcome(call, MADE[made](truths(shape, (1,)))) != plain)
        assert same, f"{call.name}, row {place}: {strange} is not {plain}"


VIEWS: dict[str, Callable[[State], State]] = {
    "all": lambda x: x,
    "transposed": lambda x: x.T,
    "backwards": lambda x: x[::-1, ::-3],
    "one row": lambda x: x[1],
    "broadcast": lambda x: syn.broadcast_to(x[0], (3, *x[0].shape)),
    "broadcast without end": lambda x: syn.broadcast_to(x[0, 1], (1 << 40,))[:5],
    "one": lambda x: x[0, 1],
    "none": lambda x: x[:0],
}

READERS: dict[str, Callable[[State, Path], Any]] = {
    "printed": lambda x, _: (repr(x), str(x)),
    "listed": lambda x, _: x.tolist(),
    "counted": lambda x, _: (syn.sum(x), syn.any(x), syn.all(x), syn.count_nonzero(x), syn.mean(x.astype("float64"))),
    "converted": lambda x, _: [x.astype(name) for name in ("uint8", "int64", "float16", "bfloat16", "float32", "complex128")],
    "compared": lambda x, _: (x == True, x != True, x < 1, x & True, x ^ True, ~x, x * 3),  # noqa: E712
    "copied": lambda x, _: x.copy(),
    "copied by the library": lambda x, _: (copy.copy(x), copy.deepcopy(x), State(x), syn.asarray(x, copy=True), syn.from_dlpack(x, copy=True)),
    "sorted": lambda x, _: (syn.sort(x), syn.argsort(x), syn.sort(x, descending=True), syn.topk(x, min(2, x.shape[-1])) if x.size and x.ndim else 0),
    "found": lambda x, _: (syn.nonzero(x) if x.ndim else 0, syn.unique_all(x), syn.isin(x, [True]), syn.searchsorted(State([False, True]), x)),
    "run along": lambda x, _: syn.cumulative_sum(x.reshape(-1)),
    "joined": lambda x, _: (syn.concat([x, x], axis=None), syn.stack([x, x]), syn.tile(x, 2), syn.repeat(x, 2), syn.pad(x, 1), syn.roll(x, 1)),
    "picked": lambda x, _: (syn.take(x.reshape(-1), [0, -1]) if x.size else 0, x[[0, -1]] if x.ndim and x.size else 0, x[x]),
    "chosen by": lambda x, _: (syn.where(x, 5, 7), syn.where(x, x, ~x), syn.sum(syn.ones(x.shape), where=x)),
    "a mask": lambda x, _: syn.ones(x.shape)[x],
    "a mask to write by": lambda x, _: (y := syn.zeros(x.shape), y.__setitem__(x, 3.0))[0],
    "values to write": lambda x, _: (y := syn.zeros(x.shape, dtype="bool"), y.__setitem__(..., x))[0],
    "values to scatter": lambda x, _: (y := syn.zeros(x.size, dtype="bool"), y.__setitem__(syn.arange(x.size), x.reshape(-1)))[0],
    "written to": lambda x, _: (y := x.copy(), y.__ior__(x), y.__iand__(x))[0],
    "multiplied": lambda x, _: (x.astype("int32").reshape(-1) @ x.astype("int32").reshape(-1), syn.where(x, 1.0, 0.0).reshape(-1) @ x.astype("float64").reshape(-1)),
    "by NumPy": lambda x, _: (np.sum(x), np.where(x, 1, 2), np.count_nonzero(x)),
    "pickled": lambda x, _: (pickle.loads(pickle.dumps(x)), pickle.dumps(x.copy())),
    "a truth": lambda x, _: bool(x) if x.size == 1 else None,
    "a file of NumPy's": lambda x, folder: (syn.save(folder / "a.npy", x), syn.load(folder / "a.npy"), np.load(folder / "a.npy"))[1:],
    "an archive": lambda x, folder: (syn.save(folder / "a.npz", {"x": x}), syn.load(folder / "a.npz")["x"])[1:],
    "a file of safetensors": lambda x, folder: (syn.save(folder / "a.safetensors", {"x": x}), syn.load(folder / "a.safetensors")["x"])[1:],
    "later": lambda x, _: syn.sum(syn.where(syn.concat([syn.broadcast_to(x, (4096, *x.shape))]), 2.0, 1.0)),
    "a graph": lambda x, _: syn.Graph(lambda a: syn.where(a, 1, 2), x)(x),
}


def said(read: Callable[[State, Path], Any], x: State, folder: Path) -> Any:
    try:
        return told(read(x, folder))
    except syn.InternalError:
        raise
    except (syn.SyntonicError, TypeError, ValueError, IndexError, OverflowError, BufferError) as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("reader", READERS)
def test_whatever_reads_it(reader: str, tmp_path: Path) -> None:
    read = READERS[reader]
    for make in MADE.values():
        for shape in ((8, 9), (40, 130)):
            for view, see in VIEWS.items():
                plain, strange = (see(make(truths(shape, true))) for true in ((1,), STRANGE))
                assert said(read, strange, tmp_path) == said(read, plain, tmp_path), view


def raw(x: State) -> set[int]:
    return set(np.asarray(x).view(np.uint8).reshape(-1).tolist())


def test_results_are_ours() -> None:
    """Memory that a result does not share holds 0 and 1."""
    for make in MADE.values():
        x = make(truths((64, 80), STRANGE))
        assert raw(x) == {0, *STRANGE}
        results = [x.copy(), ~x, x | x, x[[3, 1]], x[x], syn.concat([x, x]), syn.sort(x), syn.topk(x, 3)[0], x.astype("bool", copy=True), syn.take_along_axis(x, syn.argsort(x), axis=-1)]
        y = syn.zeros(x.shape, dtype="bool")
        y[...] = x
        z = syn.zeros(x.shape, dtype="bool")
        z[syn.arange(64)] = x
        for k, result in enumerate([*results, y, z]):
            assert raw(result) <= {0, 1}, k
        # Reading changes nothing.
        assert raw(x) == {0, *STRANGE}


def test_views_share_what_is_there() -> None:
    base = truths((8, 8), STRANGE)
    x = shared(base)
    view = x[::2]
    base.view(np.uint8)[...] = 0
    assert not syn.any(x) and not syn.any(view)
    base.view(np.uint8)[0] = 200
    assert syn.sum(view).item() == 8 and np.shares_memory(np.asarray(view), base)


def test_bytes_that_numpy_wrote_and_let_go_of() -> None:
    x = syn.zeros(4, dtype="bool")
    np.asarray(x).view("uint8")[:] = 2
    assert syn.any(x) and syn.sum(x).item() == 4 and "True, True" in repr(x) and x.tolist() == [True] * 4
