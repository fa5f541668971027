"""Searches that live where their start does."""

from __future__ import annotations

import math
import time

import pytest
import syntonic
from syntonic.evolve import RES, DeviceSearch

State = syntonic.State


def sphere(x: State) -> State:
    return (x * x).sum(-1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_snes_finds_a_minimum_by_name_and_by_callable(dtype: str) -> None:
    start = syntonic.full(10, 3.0, dtype=dtype)
    named, called = (DeviceSearch(start, 2.0, 64, rule="snes", seed=3) for _ in range(2))
    assert named.run("sphere", 200).shape == called.run(sphere, 200, chunk=20).shape == (200,)
    assert sphere(named.mean).item() < 1e-6 and sphere(called.mean).item() < 1e-6
    assert named.mean.dtype == start.dtype and named.generation == 200 and named.population == 64


def test_chunks_of_any_size_give_one_trajectory() -> None:
    runs = []
    for chunk in (None, 2, 6, 10):
        search = DeviceSearch(syntonic.arange(7, dtype="float64"), 0.5, 10, rule="openai", learning_rate=0.2, seed=5)
        search.run(sphere, 5, chunk=chunk)
        runs.append(search.mean.tolist())
    assert runs[0] == runs[1] == runs[2] == runs[3]


def test_res_on_a_device_is_res() -> None:
    start = syntonic.full(7, 3.0, dtype="float64")
    search = DeviceSearch(start, 0.5, 10, seed=4)
    plain = RES(start, sigma=0.5, population=10, seed=4, strategy="full")
    for _ in range(60):
        asked = search.ask()
        assert asked.tolist() == plain.ask().tolist()
        values = sphere(asked * syntonic.arange(1, 8, dtype="float64"))
        search.tell(values)
        plain.tell(values)
    assert search.mean.tolist() == plain.centre.tolist() and search.best[1].item() == plain.best_value


def test_more_unknowns_than_a_matrix_has_are_refused_with_the_way_out() -> None:
    with pytest.raises(syntonic.ArgumentError, match="separable"):
        DeviceSearch(syntonic.zeros(5000), 1.0)
    assert DeviceSearch(syntonic.zeros(5000), 1.0, rule="separable").population == 64


def test_a_generation_by_hand() -> None:
    search = DeviceSearch(syntonic.zeros(4, dtype="float64"), 1.0, 6, seed=1)
    asked = search.ask()
    assert asked.shape == (6, 4) and search.ask(2, 4).tolist() == asked[2:4].tolist()
    values = sphere(asked)
    search.tell([math.nan if k == 2 else v for k, v in enumerate(values.tolist())])
    assert all(math.isfinite(x) for x in search.mean.tolist() + search.deviation.tolist())


@pytest.mark.parametrize("rule", ["res", "separable", "separable_cma"])
def test_a_run_ends_at_its_target_and_keeps_the_best(rule: str) -> None:
    for objective in ("sphere", sphere):
        search = DeviceSearch(syntonic.full(8, 3.0, dtype="float64"), 1.0, 16, rule=rule)
        history = search.run(objective, 1000, target=1e-9)
        x, score = search.best
        assert history.shape == (search.generation,) and search.generation < 1000
        assert history[-1].item() == score.item() <= 1e-9 and abs(sphere(x).item() - score.item()) < 1e-15


@pytest.mark.parametrize("rule", ["res", "separable", "cma"])
def test_a_run_ends_when_its_time_is_over(rule: str) -> None:
    for objective in ("sphere", sphere):
        search, whole = (DeviceSearch(syntonic.full(8, 3.0, dtype="float64"), 1.0, 16, rule=rule) for _ in range(2))
        began = time.monotonic()
        history = search.run(objective, 10**9, seconds=0.3)
        assert 0.3 <= time.monotonic() - began < 20.0
        assert history.shape == (search.generation,) and search.generation > 0
        assert whole.run(objective, search.generation).tolist() == history.tolist()
        assert search.run(objective, 5, seconds=0.0).shape == (0,) and search.run(objective, 5, seconds=60.0).shape == (5,)
    with pytest.raises(syntonic.ArgumentError, match="seconds"):
        search.run("sphere", 5, seconds=-1.0)


def test_runs_share_launches_and_candidates_keep_to_bounds() -> None:
    search = DeviceSearch(syntonic.full((3, 4), 3.0), 4.0, 10, seed=2, bounds=(2.0, [5.0, 5.0, 5.0, math.inf]))
    assert search.ask().shape == (3, 10, 4) and search.mean.shape == (3, 4)
    assert search.run("sphere", 50).shape == (3, 50) and search.run(sphere, 2, chunk=4).shape == (3, 2)
    x, score = search.best
    assert x.tolist() == [[2.0] * 4] * 3 and score.tolist() == [[16.0]] * 3
    with pytest.raises(syntonic.ArgumentError, match="coordinate 0"):
        DeviceSearch(syntonic.zeros(2), 1.0, bounds=(1.0, 0.0))


def test_what_is_no_search_is_told() -> None:
    start = syntonic.zeros(4, dtype="float32")
    with pytest.raises(syntonic.ArgumentError, match="step size"):
        DeviceSearch(start, 0.0)
    with pytest.raises(syntonic.ArgumentError, match="population of 7"):
        DeviceSearch(start, 1.0, 7, rule="openai")
    with pytest.raises(syntonic.ArgumentError, match="rule"):
        DeviceSearch(start, 1.0, 8, rule="adam")
    with pytest.raises(syntonic.DTypeError):
        DeviceSearch(syntonic.zeros(4, dtype="int64"), 1.0)
    search = DeviceSearch(start, 1.0, 8, rule="snes")
    with pytest.raises(syntonic.ArgumentError, match="function"):
        search.step("schaffer")
    with pytest.raises(syntonic.ShapeError, match="one real value"):
        search.tell([1.0])
    with pytest.raises(RuntimeError, match="mine"):
        search.step(_raises)
    assert search.generation == 0


@pytest.mark.parametrize("rule", ["res", "separable", "separable_cma", "snes", "openai"])
def test_a_captured_generation_has_the_bits_of_the_callable(rule: str) -> None:
    def new() -> DeviceSearch:
        return DeviceSearch(syntonic.full(5, 3.0, dtype="float32"), 0.5, 8, rule=rule, seed=2)

    plain, other = new(), new()
    want = plain.run(sphere, 12, target=1e-9)
    got = syntonic.concat([other.run(sphere, 5, capture=True, chunk=4), other.run(sphere, 7, capture=True)])
    assert got.tolist() == want.tolist() and other.mean.tolist() == plain.mean.tolist()
    assert other.generation == 12 and other.best[1].item() == plain.best[1].item()


def test_a_capture_is_of_work_on_states_alone() -> None:
    search = DeviceSearch(syntonic.zeros(4), 1.0, 8)
    with pytest.raises(syntonic.GraphError):
        search.run(lambda x: syntonic.asarray(x.sum(-1).tolist()), 1, capture=True)
    with pytest.raises(RuntimeError, match="mine"):
        search.run(_raises, 1, capture=True)
    with pytest.raises(syntonic.ArgumentError, match="capture"):
        DeviceSearch(syntonic.zeros(4), 1.0, 8, rule="cma").run(sphere, 1, capture=True)
    assert search.generation == 0


def _raises(x: State) -> State:
    raise RuntimeError("mine")
