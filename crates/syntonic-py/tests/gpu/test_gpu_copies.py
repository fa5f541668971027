"""Pinned States, copies that do not wait, batches that come ahead, and graphs that are updated, from Python."""

import gc

import numpy as np
import pytest

import syntonic
from syntonic import Graph, State, cuda

#: A copy of so many float32 takes a while.
MANY = 1 << 23


def numbers(n: int = MANY) -> State:
    return syntonic.arange(n, dtype="float32")


def same(got: State, want: State) -> None:
    np.testing.assert_array_equal(got.cpu().numpy(), want.cpu().numpy())


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32", "complex128"])
@pytest.mark.parametrize("n", [0, 1, 4097, 3_000_001])
def test_pinned_states_hold_their_values(dtype: str, n: int) -> None:
    x = (syntonic.arange(n) % 7).astype(dtype)
    y = x.pin_memory()
    assert y.is_pinned and not x.is_pinned and y.pin_memory() is y
    same(y, x)
    same(y.cuda(), x)
    same(y.cuda(non_blocking=True), x)
    same(y.cuda().to("cpu", non_blocking=True), x)
    zeros = cuda.pinned_empty((n,), dtype)
    assert zeros.is_pinned and zeros.shape == (n,)
    same(zeros, syntonic.zeros(n, dtype=dtype))


def test_writes_in_place_stay_pinned() -> None:
    x = cuda.pinned_empty((4, 5), "float32")
    x[1] = 3
    x += 1
    x.fill(2)
    assert x.is_pinned and x[1:3].is_pinned and not (x + 1).eval().is_pinned
    same(x, syntonic.full((4, 5), 2, dtype="float32"))


def test_a_source_may_be_written_and_dropped_at_once() -> None:
    x, want = cuda.pinned_empty(MANY, "float32"), numbers()
    sent = []
    for k in range(8):
        x.copy_(want + k)
        sent.append(x.to("cuda", non_blocking=True))
        x.fill(-1)  # Waits for the copy.
    del x
    gc.collect()
    cuda.pinned_empty(MANY, "float32").fill(-2)
    for k, y in enumerate(sent):
        same(y, want + k)


def test_a_result_may_be_read_at_once() -> None:
    x, y = numbers().cuda(), cuda.pinned_empty(MANY, "float32")
    for k in range(8):
        slow = x + k
        for _ in range(20):
            slow = (slow * 1).eval()
        assert y.copy_(slow, non_blocking=True) is y and y.is_pinned
        assert float(y[-1]) == MANY - 1 + k
        same(y, numbers() + k)
        y.copy_(slow * 2, non_blocking=True)
        assert y[5].item() == 2 * (5 + k)


@pytest.mark.parametrize("non_blocking", [False, True])
def test_copies_broadcast_and_cast_between_all_devices(non_blocking: bool) -> None:
    row = syntonic.asarray([1, 2, 3])
    here = {"pageable": row, "pinned": row.pin_memory(), "gpu": row.cuda()}
    for source in here.values():
        for target in (
            syntonic.zeros((2, 3), dtype="float32"),
            cuda.pinned_empty((2, 3), "float32"),
            cuda.pinned_empty((3, 2), "float32").T,
            syntonic.zeros((2, 3), dtype="float32", device="cuda"),
        ):
            target.copy_(source, non_blocking=non_blocking)
            assert target.cpu().tolist() == [[1.0, 2.0, 3.0]] * 2
    for target in (cuda.pinned_empty(4), syntonic.zeros(4, device="cuda")):
        for source in here.values():
            with pytest.raises(syntonic.ShapeError, match="hint"):
                target.copy_(source, non_blocking=non_blocking)
        with pytest.raises(syntonic.DTypeError, match="hint"):
            target.copy_(syntonic.asarray([1j]).cuda(), non_blocking=non_blocking)


def test_memory_that_numpy_sees_is_copied_with_a_wait() -> None:
    x = cuda.pinned_empty(MANY, "float32")
    array = x.numpy()
    array[:] = 3
    y = x.cuda(non_blocking=True)
    array[:] = 4
    assert float(y[-1]) == 3
    x.copy_(y * 2, non_blocking=True)
    assert array[-1] == 6


def test_an_array_that_is_made_while_a_copy_is_under_way_has_its_values() -> None:
    x, y = numbers().cuda(), cuda.pinned_empty(MANY, "float32")
    for _ in range(20):
        x = (x * 1).eval()
    y.copy_(x, non_blocking=True)
    np.testing.assert_array_equal(y.numpy(), np.arange(MANY, dtype="float32"))


def test_copies_that_do_not_wait_are_no_part_of_a_graph() -> None:
    x, y = numbers(10).cuda(), cuda.pinned_empty(10, "float32")
    for f in (lambda x: y.copy_(x, non_blocking=True), lambda x: y.cuda(non_blocking=True), lambda x: x.to("cpu", non_blocking=True)):
        with pytest.raises(syntonic.GraphError, match="hint"):
            Graph.capture(f, x)
    same(y.cuda(non_blocking=True).cpu(), y)


def test_streams_have_priorities() -> None:
    x = numbers(1000).cuda()
    for priority in ("high", "normal", "low"):
        with cuda.Stream(priority=priority):
            same(x * 2, numbers(1000) * 2)
    with pytest.raises(syntonic.ArgumentError, match="priority"):
        cuda.Stream(priority="highest")


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_batches_come_ahead_and_in_order(depth: int) -> None:
    asked = []

    def batches():
        for k in range(9):
            asked.append(k)
            yield {"x": syntonic.full(1 << 18, k, dtype="float32"), "pair": (syntonic.asarray([k]), "name")}

    for k, batch in enumerate(cuda.prefetch(batches(), depth=depth)):
        assert len(asked) == min(9, k + depth + 1)
        assert batch["x"].device == "cuda:0" and batch["pair"][1] == "name"
        assert float((batch["x"] * 2).max()) == 2 * k == 2 * batch["pair"][0].item()
    assert k == 8
    with pytest.raises(syntonic.ArgumentError, match="depth"):
        cuda.prefetch([], depth=0)


def test_a_graph_is_updated_in_place() -> None:
    x, g = numbers(1000).cuda(), (numbers(1000) * 0.5).cuda()

    def step(rate: float):
        return lambda x, g: (x - g * rate).eval() * 1

    graph = Graph.capture(step(0.5), x, g)
    for rate in (0.25, 0.125):
        assert graph.update(step(rate), x, g) == "in place"
        same(graph(x, g), step(rate)(x, g))
    assert graph.update(lambda x, g: ((x + g).eval() * 2).eval().sum() + x, x, g) == "anew"
    same(graph(x, g), ((x + g).eval() * 2).eval().sum() + x)
    for f in (lambda x, g: x.sum(), lambda x, g: (x, g), lambda x, g: 1 / 0, lambda x, g: x + float(g[0])):
        with pytest.raises((syntonic.SyntonicError, ZeroDivisionError)):
            graph.update(f, x, g)
        same(graph(x, g), ((x + g).eval() * 2).eval().sum() + x)
