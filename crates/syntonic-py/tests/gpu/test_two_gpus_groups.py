"""States on two GPUs of one process: groups of them, and copies between them that do not wait."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np
import pytest

import syntonic
from syntonic import State, cuda

#: Not the order of their numbers.
GPUS = ("cuda:1", "cuda:0")
#: How NumPy joins two.
JOINS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "sum": np.add,
    "prod": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}


@pytest.fixture
def group() -> cuda.DeviceGroup:
    return cuda.DeviceGroup(GPUS)


def both(arrays: list[np.ndarray]) -> list[State]:
    return [State(array, device=device) for array, device in zip(arrays, GPUS, strict=True)]


def assert_on_all(got: list[State], wanted: list[np.ndarray]) -> None:
    assert [x.device for x in got] == list(GPUS)
    for x, want in zip(got, wanted, strict=True):
        assert x.cpu().numpy().tobytes() == want.tobytes() and x.shape == want.shape


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0), (7, 5), (20, 3000)])
def test_what_arrives_is_what_numpy_says(group: cuda.DeviceGroup, dtype: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    arrays = [rng.integers(0, 2 if dtype == "bool" else 9, shape).astype(dtype) for _ in GPUS]
    there = both(arrays)
    for k, x in enumerate(there):
        assert_on_all(group.broadcast(x), [arrays[k]] * 2)
    assert_on_all(group.broadcast(State(arrays[0])), [arrays[0]] * 2)
    for reduction, join in JOINS.items():
        if reduction in ("max", "min") and dtype in ("bool", "complex64"):
            with pytest.raises(syntonic.DTypeError, match="all_reduce"):
                group.all_reduce(there, reduction)
            continue
        want = reduce(join, arrays).astype(dtype)
        assert_on_all(group.all_reduce(there, reduction), [want] * 2)
        if shape:
            assert_on_all(group.reduce_scatter(there, reduction), np.array_split(want, 2))
    if dtype.startswith(("float", "complex")):
        # Sums of two numbers below 9 are exact, and so are their halves.
        assert_on_all(group.all_reduce(there, "mean"), [((arrays[0] + arrays[1]) / 2).astype(dtype)] * 2)
    if shape:
        assert_on_all(group.all_gather(there), [np.concatenate(arrays)] * 2)
        for axis in range(-1, len(shape)):
            parts = group.scatter(there[1], axis)
            assert_on_all(parts, [np.ascontiguousarray(part) for part in np.array_split(arrays[1], 2, axis)])
            whole = group.gather(parts, axis, device="cuda:0")
            assert whole.device == "cuda:0" and whole.tolist() == arrays[1].tolist()
            assert group.gather(parts, axis).device == GPUS[0]


def test_views_go_as_they_are_seen(group: cuda.DeviceGroup) -> None:
    array = np.arange(6000.0).reshape(60, 100)
    there = [x[::-2, 3:].mT for x in both([array, array * 2])]
    seen = [np.ascontiguousarray((array * k)[::-2, 3:].T) for k in (1, 2)]
    assert_on_all(group.broadcast(there[1]), [seen[1]] * 2)
    assert_on_all(group.all_reduce(there), [seen[0] + seen[1]] * 2)
    assert_on_all(group.all_gather(there), [np.concatenate(seen)] * 2)
    # Results are no views of what they came from, but for a broadcast on its own GPU.
    sums, before = group.all_reduce(there), [x.tolist() for x in there]
    for x in sums + group.all_gather(there) + group.scatter(there[0]) + group.reduce_scatter(there):
        x += 1
    assert [x.tolist() for x in there] == before


def test_a_group_of_one(group: cuda.DeviceGroup) -> None:
    one, x = cuda.DeviceGroup(["cuda:1"]), State([1.0, 5.0], device="cuda:1")
    assert len(one) == 1 and one.devices == ["cuda:1"] and one.transport == "copies"
    for got in (one.broadcast(x), one.all_gather([x]), one.all_reduce([x], "mean"), one.reduce_scatter([x]), one.scatter(x)):
        assert len(got) == 1 and got[0].device == "cuda:1" and got[0].tolist() == [1.0, 5.0]
    moved = one.reduce_scatter([x])[0]
    moved += 1
    assert x.tolist() == [1.0, 5.0] and one.gather([x]).tolist() == [1.0, 5.0]
    assert len(group) == 2 and repr(group) == "DeviceGroup(cuda:1, cuda:0, copies)"


def test_refusals_say_the_way_out(group: cuda.DeviceGroup) -> None:
    x, y = both([np.ones((2, 3)), np.ones((2, 3))])
    for work, kind, text in (
        (lambda: cuda.DeviceGroup([]), syntonic.ArgumentError, "no GPU"),
        (lambda: cuda.DeviceGroup(["cuda:0", 0]), syntonic.ArgumentError, "cuda:0 is named twice"),
        (lambda: cuda.DeviceGroup("cuda:0"), TypeError, "a sequence of GPUs"),
        (lambda: cuda.DeviceGroup(["cpu"]), syntonic.DeviceError, "cpu is no GPU"),
        (lambda: cuda.DeviceGroup([0], "post"), syntonic.ArgumentError, '"copies", "nccl"'),
        (lambda: group.all_reduce([x]), syntonic.ArgumentError, "1 tensors for 2 GPUs"),
        (lambda: group.all_reduce([y, x]), syntonic.DeviceError, r"float64\[2, 3\] on cuda:0"),
        (lambda: group.all_reduce([x, y.cpu()]), syntonic.DeviceError, "on cpu"),
        (lambda: group.all_reduce([x, y[:1]]), syntonic.ShapeError, r"\[1, 3\] on cuda:0"),
        (lambda: group.all_reduce([x, y.astype("float32")]), syntonic.DTypeError, "float32"),
        (lambda: group.all_reduce([x, y], "median"), syntonic.ArgumentError, '"sum", "mean"'),
        (lambda: group.all_reduce(both([np.ones(2, int), np.ones(2, int)]), "mean"), syntonic.DTypeError, "mean"),
        (lambda: group.all_gather([x, y.mT]), syntonic.ShapeError, r"\[3, 2\]"),
        (lambda: group.reduce_scatter(both([np.float64(1), np.float64(2)])), syntonic.ShapeError, "axis"),
        (lambda: group.scatter(x, 2), IndexError, "axis 2"),
        (lambda: cuda.DeviceGroup([0]).gather([y], device=1), syntonic.ArgumentError, "cuda:1 is none of"),
    ):
        with pytest.raises(kind, match=text):
            work()
    assert x.tolist() == y.tolist() == [[1.0] * 3] * 2


def test_what_does_not_wait_is_in_order() -> None:
    assert isinstance(cuda.can_access_peer(0, 1), bool) and cuda.can_access_peer("cuda:0", 0)
    array = np.arange(1 << 20, dtype="float32")
    x = State(array, device="cuda:0")
    sent = []
    for k in range(8):
        passing = (x + k).eval()
        sent.append(passing.to("cuda:1", non_blocking=True))
        # The source is written while the copy may be on its way.
        passing *= 0
    for k, y in enumerate(sent):
        np.testing.assert_array_equal((y * 2).cpu().numpy(), (array + k) * 2)
    target = syntonic.zeros((3, 1 << 20), dtype="float64", device="cuda:1")
    row = target[1]
    assert row.copy_(x, non_blocking=True) is row
    x += 1
    np.testing.assert_array_equal(target.cpu().numpy(), np.stack([array * 0, array, array * 0]))
    cuda.synchronize(1)


def test_copies_to_and_fro_on_streams_of_both() -> None:
    array = np.arange(1 << 18, dtype="float64")
    streams = [cuda.Stream(device) for device in (0, 1, 0, 1)]
    x, want = State(array, device="cuda:0"), array
    for turn in range(20):
        with streams[turn % 4]:
            x = (x + 1).eval().to(f"cuda:{1 - turn % 2}", non_blocking=turn % 3 > 0)
            want = want + 1
    np.testing.assert_array_equal(x.cpu().numpy(), want)


@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "float64"])
def test_nccl_carries_the_same_where_it_is_installed(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Read when the first communicator is made; NVLink multicast stays off.
    monkeypatch.setenv("NCCL_NVLS_ENABLE", "0")
    try:
        theirs = cuda.DeviceGroup(GPUS, "nccl")
    except syntonic.DeviceError as error:
        assert "nvidia-nccl" in str(error) and "searched" in str(error), error
        return
    assert theirs.transport == "nccl"
    arrays = [(np.arange(5000).reshape(50, 100) * k % 7).astype(dtype) for k in (3, 5)]
    there = both(arrays)
    assert_on_all(theirs.broadcast(there[1]), [arrays[1]] * 2)
    assert_on_all(theirs.broadcast(State(arrays[0])), [arrays[0]] * 2)
    assert_on_all(theirs.all_gather(there), [np.concatenate(arrays)] * 2)
    for reduction, join in JOINS.items():
        # Small whole numbers: exact in any order.
        assert_on_all(theirs.all_reduce([x.mT for x in there], reduction), [join(*arrays).T.copy()] * 2)
    assert_on_all(theirs.reduce_scatter(there), np.array_split(arrays[0] + arrays[1], 2))
    if dtype.startswith("float"):
        assert_on_all(theirs.all_reduce(there, "mean"), [((arrays[0] + arrays[1]) / 2).astype(dtype)] * 2)
    with pytest.raises(syntonic.ShapeError, match="with copies"):
        theirs.all_gather([there[0], there[1][:7]])
