"""Graphs on a GPU, where a replay is one launch."""

from __future__ import annotations

import pytest
import syntonic
from syntonic import Graph, GraphError, State, captured


def wave(n: int, step: float = 0.3) -> State:
    return syntonic.sin(syntonic.arange(n, dtype="float32") * step).cuda().eval()


def work(x: State, y: State) -> tuple[State, State]:
    z = 2 * x + y
    ones = syntonic.ones(x.shape, dtype=x.dtype, device=x.device)
    return syntonic.exp(z) / (ones + syntonic.sum(z * z)), z - syntonic.max(z)


@pytest.mark.parametrize("n", [7, 100_000])
def test_a_replay_has_the_bits_of_the_function(n: int) -> None:
    x, y = wave(n), wave(n, 0.7)
    graph = Graph.capture(work, x, y)
    for given in [(x, y), (y, x), (x[::-1], 2 * y)]:
        for got, want in zip(graph(*given), work(*[x.copy() for x in given]), strict=True):
            assert got.device == want.device and got.tolist() == want.tolist()
    assert graph.device == x.device and graph.launches > 2


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x * float(x[0]),
        lambda x: x.cpu(),
        lambda x: x + syntonic.asarray([1.0] * 16, dtype="float32", device=x.device),
        lambda x: x[x > 0],
        lambda x: (x.__cuda_array_interface__, x)[1],
        lambda x: syntonic.cuda.synchronize(),
    ],
)
def test_what_needs_the_host_is_refused(use: object) -> None:
    x = wave(16)
    with pytest.raises(GraphError, match="hint"):
        Graph.capture(use, x)  # type: ignore[arg-type]
    assert Graph.capture(lambda x: x + 1, x)(x).tolist() == (x + 1).tolist()


def test_memory_comes_back() -> None:
    x = wave(1 << 16)
    Graph.capture(work, x, x)
    before = syntonic.cuda.memory_stats()
    graph = captured(work)
    graph(x, x)
    assert syntonic.cuda.memory_stats() != before
    graph.clear()
    after = syntonic.cuda.memory_stats()
    assert after["in_use"] == before["in_use"]


@pytest.mark.parametrize("rule", ["res", "snes"])
def test_a_captured_generation_of_a_search_has_the_bits_of_the_callable(rule: str) -> None:
    def objective(x: State) -> State:
        return syntonic.sum(x * x - syntonic.cos(3 * x), axis=-1)

    def new() -> syntonic.evolve.DeviceSearch:
        return syntonic.evolve.DeviceSearch(wave(1000), 0.5, 64, rule=rule, seed=2)

    plain, other = new(), new()
    want = plain.run(objective, 10)
    got = syntonic.concat([other.run(objective, 4, capture=True), other.run(objective, 6, capture=True)])
    assert got.tolist() == want.tolist() and other.mean.tolist() == plain.mean.tolist()
