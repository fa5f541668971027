"""Graphs: a captured function replayed over other States."""

from __future__ import annotations

import gc
import threading

import pytest
import syntonic
from syntonic import Graph, GraphError, State, captured


def layer(x: State, w: State) -> tuple[State, State]:
    y = syntonic.matmul(x, w)
    z = syntonic.exp(2 * y / (1 + syntonic.sum(y * y)) + 1)
    return z - syntonic.mean(z, axis=-1, keepdims=True), syntonic.sum(z, axis=0)


def wave(*shape: int, step: float = 0.3) -> State:
    count = 1
    for length in shape:
        count *= length
    return syntonic.sin(syntonic.arange(count, dtype="float64") * step).reshape(shape).eval()


def same(got: State, want: State) -> None:
    assert got.dtype == want.dtype and got.shape == want.shape
    assert got.tolist() == want.tolist()


@pytest.mark.parametrize("n", [3, 130])
def test_a_replay_has_the_bits_of_the_function(n: int) -> None:
    x, w = wave(n, n), wave(n, n, step=0.7)
    graph = Graph.capture(layer, x, w)
    for step in (0.3, 1.1):
        y = wave(n, n, step=step)
        for got, want in zip(graph(y, w), layer(y, w), strict=True):
            same(got, want)
    # Inputs are row-major in the graph, however they lie outside.
    got = graph(w.T, x[::-1])
    for a, b in zip(got, layer(w.T.copy(), x[::-1].copy()), strict=True):
        same(a, b)
    assert graph.inputs == (f"float64[{n}, {n}] on cpu",) * 2
    assert graph.outputs == (f"float64[{n}, {n}] on cpu", f"float64[{n}] on cpu")
    assert graph.launches > 2 and graph.device == syntonic.Device("cpu")
    assert repr(graph).startswith("Graph(float64") and "launches" in repr(graph)


def test_what_comes_back_is_as_the_function_returns_it() -> None:
    x = wave(6)
    assert isinstance(Graph.capture(lambda x: x + 1, x)(x), State)
    assert isinstance(Graph.capture(lambda x: (x + 1,), x)(x), tuple)
    assert Graph.capture(lambda x: None, x)(x) is None
    total = syntonic.zeros(6)

    def add(x: State) -> None:
        total[...] += x

    graph = Graph.capture(add, x)
    graph(2 * x)
    same(total, x + 2 * x)


def test_results_and_inputs_are_the_callers_own() -> None:
    x = wave(50)
    graph = Graph.capture(lambda x: x, x)
    first = graph(x)
    kept = first.tolist()
    graph(3 * x)
    assert first.tolist() == kept
    first[...] = 0
    same(graph(x), x)


def test_outer_states_are_read_where_they_lie() -> None:
    x, w = wave(20), wave(20, step=0.9) * 2
    graph = Graph.capture(lambda x: x + w, x)
    same(graph(x), x + w)
    w[...] = 1.0
    same(graph(x), x + 1)
    del w
    gc.collect()
    same(graph(x), x + 1)


def test_drawn_numbers_are_drawn_once() -> None:
    x = wave(20)
    graph = Graph.capture(lambda x: x * 0 + syntonic.random.normal((20,)), x)
    same(graph(x), graph(x))


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x * float(x[0]),
        lambda x: x * x.tolist()[0],
        lambda x: float(x.numpy().sum()) + x,
        memoryview,
        lambda x: print(x),
        lambda x: x.__dlpack__(),
        lambda x: bool(x[0]),
        lambda x: x[x > 0],
        lambda x: Graph.capture(lambda y: y, x)(x),
        lambda x: syntonic.linalg.inv(x.reshape(4, 4)),
    ],
)
def test_what_needs_the_host_is_refused(use: object) -> None:
    x = wave(16)
    kept = x.tolist()
    with pytest.raises(GraphError, match="hint"):
        Graph.capture(use, x)  # type: ignore[arg-type]
    assert x.tolist() == kept
    same(Graph.capture(lambda x: x + 1, x)(x), x + 1)


def test_a_function_that_goes_on_is_refused() -> None:
    def careless(x: State) -> State:
        try:
            return x * float(x[0])
        except GraphError:
            return x

    with pytest.raises(GraphError):
        Graph.capture(careless, wave(4))


def test_a_state_that_is_held_outside_is_refused() -> None:
    held = []

    def hold(x: State) -> State:
        held.append(x + 1)
        return x + 2

    with pytest.raises(GraphError, match="held outside"):
        Graph.capture(hold, wave(4))
    assert len(held[0].tolist()) == 4


def test_errors_of_the_function_come_out() -> None:
    def fails(x: State) -> State:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Graph.capture(fails, wave(4))
    with pytest.raises(syntonic.ShapeError):
        Graph.capture(lambda x: syntonic.matmul(x, x), wave(3, 4))
    with pytest.raises(syntonic.ArgumentTypeError, match="returns States"):
        Graph.capture(lambda x: 1.0, wave(4))
    with pytest.raises(syntonic.ArgumentTypeError, match="States"):
        Graph.capture(lambda x: x, 1.0)  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentError):
        Graph.capture(lambda: None)


def test_other_inputs_are_refused_by_name() -> None:
    graph = Graph.capture(lambda x: x + 1, wave(3, 4))
    for given in [(wave(3, 5),), (wave(3, 4).astype("float32"),), (), (wave(3, 4), wave(3, 4))]:
        with pytest.raises(GraphError, match=r"captured for float64\[3, 4\] on cpu"):
            graph(*given)


def test_captured_captures_once_for_each_kind_of_input() -> None:
    calls = []

    @captured
    def f(x: State) -> State:
        """Doubles."""
        calls.append(x.shape)
        return 2 * x

    assert f.__doc__ == "Doubles."
    for _ in range(3):
        same(f(wave(5)), 2 * wave(5))
        same(f(wave(7)), 2 * wave(7))
        same(f(wave(5).astype("float32")), 2 * wave(5).astype("float32"))
    assert calls == [(5,), (7,), (5,)] and len(f.graphs) == 3
    f.clear()
    assert f.graphs == ()
    with pytest.raises(syntonic.ArgumentTypeError):
        f(1.0)  # type: ignore[arg-type]


def test_threads_take_turns() -> None:
    x = wave(300, 40)
    graph = Graph.capture(lambda x: syntonic.exp(x) / syntonic.sum(syntonic.exp(x), axis=1, keepdims=True), x)
    wrong = []

    def work(k: int) -> None:
        mine = k * x
        want = graph(mine).tolist()
        wrong.extend(1 for _ in range(20) if graph(mine).tolist() != want)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_updated_graph_replays_the_other_function() -> None:
    x, w = wave(40, 30), wave(30, 20, step=0.7)
    graph = Graph.capture(layer, x, w)
    for rate in (2.0, -3.0):

        def other(x: State, w: State, rate: float = rate) -> tuple[State, State]:
            z, total = layer(x * rate, w)
            return z, total * rate

        assert graph.update(other, x, w) in ("in place", "anew")
        for got, want in zip(graph(x + 1, w), other(x + 1, w), strict=True):
            same(got, want)


def test_a_failed_update_leaves_the_graph_as_it_was() -> None:
    x = wave(30)
    graph = Graph.capture(lambda x: x * 2, x)
    held: list[State] = []

    def keeps(x: State) -> State:
        held.append((x * 3).eval())
        return x * 2

    for f, exception, text in (
        (lambda x: 1 / 0, ZeroDivisionError, "division"),
        (lambda x: x * float(x[0]), GraphError, "hint"),
        (keeps, GraphError, "held outside"),
        (lambda x: (x, x), syntonic.ArgumentTypeError, "return"),
        (lambda x: (x,), syntonic.ArgumentTypeError, "return"),
        (lambda x: None, syntonic.ArgumentTypeError, "return"),
        (lambda x: x.sum(), syntonic.ArgumentError, "capture another"),
    ):
        with pytest.raises(exception, match=text):
            graph.update(f, x)
        same(graph(x), x * 2)
    with pytest.raises(GraphError, match="captured for"):
        graph.update(lambda x: x, wave(3))
    with pytest.raises(syntonic.ArgumentTypeError, match="States"):
        graph.update(lambda x: x, 1.0)  # type: ignore[arg-type]
    same(graph(x), x * 2)


def test_a_graph_is_updated_while_others_replay_it() -> None:
    x = wave(500)
    graph = Graph.capture(lambda x: x * 1, x)
    wants = [(x * k).tolist() for k in range(1, 4)]
    wrong = []

    def replay() -> None:
        wrong.extend(1 for _ in range(40) if graph(x).tolist() not in wants or "launches" not in repr(graph))

    threads = [threading.Thread(target=replay) for _ in range(3)]
    for thread in threads:
        thread.start()
    for k in range(30):
        graph.update(lambda x, k=k: x * (k % 3 + 1), x)
    for thread in threads:
        thread.join()
    assert not wrong


def jacobi(steps: int, a: State, b: State) -> None:
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])


def test_arguments_that_are_written_in_place_are_the_callers() -> None:
    smooth = captured(jacobi)
    for steps in (1, 7, 1):
        a, b = wave(30, 40), wave(30, 40, step=0.7)
        mine, other = a.copy(), b.copy()
        assert smooth(steps, mine, other) is None
        jacobi(steps, a, b)
        same(mine, a)
        same(other, b)
    assert [graph.written for graph in smooth.graphs] == [(True, True)] * 2, "one for each number of steps"
    # A view of a larger array is written where it lies.
    whole, b = wave(34, 40), wave(30, 40)
    want = whole.copy()
    jacobi(1, want[2:-2], b.copy())
    smooth(1, whole[2:-2], b)
    same(whole, want)


def test_a_result_that_is_a_written_argument_shares_its_memory() -> None:
    def add(x: State, y: State) -> tuple[State, State]:
        x += y
        return x, y

    x, y = wave(5), wave(5)
    got, copied = captured(add)(x, y)
    got[0] = 7.0
    copied[0] = 7.0
    assert float(x[0]) == 7.0 and float(y[0]) == 0.0


def test_arguments_that_are_written_share_no_memory_and_are_writable() -> None:
    smooth = captured(jacobi)
    a = wave(10, 10)
    with pytest.raises(syntonic.ArgumentError, match="input 0 in place, which shares memory with input 1"):
        smooth(1, a, a)
    kept = a.tolist()
    with pytest.raises(syntonic.ArgumentError, match="read-only"):
        smooth(1, a, syntonic.broadcast_to(wave(10), (10, 10)))
    assert a.tolist() == kept
    # Where nothing is written they may be the same.
    same(captured(lambda x, y: x * y)(a, a), a * a)


def test_arguments_are_trees_and_settings() -> None:
    calls = []

    def loss(batch: dict[str, State], *, power: int, names: tuple[str, ...] = ()) -> dict[str, object]:
        calls.append(power)
        return {"value": syntonic.sum(batch["x"] ** power) + batch["parts"][0], "rest": [None, batch["parts"][1]]}

    step = captured(loss)
    for shift in (0.0, 1.0):
        batch = {"x": wave(6) + shift, "parts": [wave(6), (wave(2),)]}
        batch["parts"][1] = wave(2)
        got = step(batch, power=2)
        same(got["value"], loss(batch, power=2)["value"])
        assert got["rest"][0] is None
        same(got["rest"][1], wave(2))
    assert calls.count(2) == 3, "captured once, and called twice beside it"
    same(step(batch, power=3)["value"], loss(batch, power=3)["value"])
    assert len(step.graphs) == 2
    step(batch, power=True)
    assert len(step.graphs) == 3, "True is not 1"
    with pytest.raises(syntonic.ArgumentTypeError, match="hashable settings, not"):
        step(batch, power={2})
    with pytest.raises(syntonic.ArgumentTypeError, match="returns States, not"):
        captured(lambda x: (x, 1))(wave(3))


def test_a_module_is_known_by_its_settings() -> None:
    first = syntonic.nn.Linear(3, 2)
    second = syntonic.nn.Linear(3, 2)
    step = captured(lambda layer, x: layer(x))
    x = syntonic.ones((4, 3), dtype="float32")
    for layer in (first, second):
        same(step(layer, x), layer(x).eval())
    assert len(step.graphs) == 1
    norms = [syntonic.nn.GoldenNorm(3, eps=eps) for eps in (1e-5, 1.0)]
    for norm in norms:
        same(step(norm, x), norm(x).eval())
    assert len(step.graphs) == 3


def test_the_graph_that_was_used_least_recently_goes_first() -> None:
    step = captured(lambda n, x: x + n)
    x = wave(3)
    for n in range(64):
        step(n, x)
    kept = step.graphs[0]
    step(0, x)
    step(64, x)
    assert len(step.graphs) == 64 and kept in step.graphs
