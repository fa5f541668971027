"""RES on a device is RES."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import syntonic
from syntonic.evolve import RES, Outcome

State = syntonic.State


def rosenbrock(x: State) -> State:
    a, b = x[..., :-1], x[..., 1:]
    return (100.0 * (b - a * a) ** 2 + (1.0 - a) ** 2).sum(-1)


def rastrigin(x: State) -> State:
    return (x * x - 10.0 * syntonic.cos(6.283185307179586 * x) + 10.0).sum(-1)


def both(n: int, **options: Any) -> tuple[RES, RES]:
    """The search without a device, and the one with it."""
    x0 = [3.0] * n
    return RES(x0, strategy="full", seed=4, **options), RES(x0, seed=4, device="cpu", **options)


def ended(search: RES, objective: Callable[[State], State], **limits: Any) -> Outcome:
    return search.run(objective, progress=False, **limits)


@pytest.mark.parametrize(
    ("objective", "options", "limits"),
    [
        (rosenbrock, {"sigma": 0.5, "population": 12}, {}),
        (rosenbrock, {"sigma": 2.0}, {"target": 1e-8}),
        (rosenbrock, {"sigma": [1.0, 0.5, 0.5, 0.5, 2.0]}, {"generations": 60}),
        (rastrigin, {"sigma": 2.0}, {"evaluations": 8000}),
        (lambda x: -rastrigin(x), {"sigma": 2.0, "goal": "maximise", "restarts": "growing"}, {"generations": 400}),
        (lambda x: rosenbrock(x) * 0.0, {}, {"tolfun": False, "tolx": False, "stagnation": 20}),
    ],
)
def test_outcomes_are_those_without_a_device(objective: Callable[[State], State], options: dict[str, Any], limits: dict[str, Any]) -> None:
    here, there = both(5, **options)
    found, same = (ended(search, objective, **limits).to_dict() for search in (here, there))
    for name in ("reason", "generations", "evaluations", "restarts", "value", "best", "centre", "strategy", "seed"):
        assert found[name] == same[name], name
    assert found["history"] == same["history"]
    assert here.covariance.tolist() == there.covariance.tolist() and here.axis_ratio == there.axis_ratio
    assert there.deviations.tolist() == here.deviations.tolist()


def test_a_search_goes_from_one_place_to_another(tmp_path: Path) -> None:
    whole, there = both(6, sigma=1.0)
    ended(whole, rosenbrock, generations=90)
    ended(there, rosenbrock, generations=30, checkpoint=tmp_path / "search")
    here = RES.load(tmp_path / "search")
    assert here.device is None
    ended(here, rosenbrock, generations=60, checkpoint=tmp_path / "search")
    there = pickle.loads(pickle.dumps(RES.load(tmp_path / "search", device="cpu")))
    assert there.device == "cpu" and "device='cpu'" in repr(there)
    ended(there, rosenbrock, generations=90)
    assert there.centre.tolist() == whole.centre.tolist() and there.best_value == whole.best_value
    assert there.ask().tolist() == whole.ask().tolist()


def test_candidates_are_asked_for_and_told_where_they_are() -> None:
    search = RES([3.0] * 4, seed=1, device=syntonic.Device("cpu"))
    assert search.options["device"] == search.device == "cpu" and search.strategy == "full"
    with pytest.raises(syntonic.ArgumentError, match="ask"):
        search.tell([0.0] * 8)
    asked = search.ask()
    assert asked.tolist() == search.ask().tolist() and asked.dtype == syntonic.float64
    with pytest.raises(syntonic.ArgumentError, match="7 values, expected 8"):
        search.tell([0.0] * 7)
    search.tell([float("nan"), *range(7)])
    assert search.best_value == 0.0 and search.best is not None and search.best.tolist() == asked[1].tolist()
    assert search.history[-1]["nan"] == 1 and search.evaluations == 8
    outcomes = RES.batch([3.0] * 4, runs=2, seed=1, device="cpu").run(rosenbrock, generations=20, progress=False)
    assert [outcome.value for outcome in outcomes] == [ended(RES([3.0] * 4, seed=s), rosenbrock, generations=20).value for s in (1, 2)]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"strategy": "separable"}, "strategy"),
        ({"strategy": "elitist"}, "strategy"),
        ({"sampling": "independent"}, "sampling"),
        ({"survivors": 4}, "survivors"),
        ({"prefilter": 0.5}, "prefilter"),
        ({"syntony_weight": 0.5}, "syntony"),
        ({"syntony_spread": 0.5}, "syntony"),
        ({"sigma_floor": 1e-3}, "sigma_floor"),
        ({"lattice": "integers"}, "a lattice"),
        ({"population": 7}, "even"),
    ],
)
def test_what_is_not_done_on_a_device_is_an_error_that_says_so(options: dict[str, Any], named: str) -> None:
    with pytest.raises(syntonic.ArgumentError, match=named):
        RES([3.0] * 4, device="cpu", **options)


def same_states(here: RES, there: RES) -> None:
    for name in ("generation", "evaluations", "restarts", "best_value", "sigma", "repeats", "history"):
        assert getattr(here, name) == getattr(there, name), name
    assert here.centre.tolist() == there.centre.tolist() and here.covariance.tolist() == there.covariance.tolist()


def test_bounds_reflect_candidates_as_they_do_without_a_device() -> None:
    edges: list[tuple[Any, Any]] = [(2.0, None), (None, 3.5), ([1.0, -1.0, 2.9, 2.5, 0.0], [9.0, 4.0, 3.1, 9.0, 30.0])]
    for bounds in edges:
        here, there = both(5, sigma=4.0, bounds=bounds, restarts="growing")
        found, same = (ended(search, rosenbrock, generations=400) for search in (here, there))
        assert found.reason == same.reason
        same_states(here, there)
        x = there.ask()
        assert x.tolist() == here.ask().tolist()


def test_points_are_injected_into_one_search_and_the_other() -> None:
    here, there = both(5, sigma=0.5, bounds=(-4.0, None))
    for k in range(40):
        if k % 7 == 3:
            for search in (here, there):
                search.inject([1.0 + 0.1 * k] * 5)
                search.ask()
                # Of the generation after the one that was asked for.
                search.inject([0.5] * 5)
        x = there.ask()
        assert x.tolist() == here.ask().tolist() == there.ask().tolist()
        assert k % 7 != 3 or x[0].tolist() == [1.0 + 0.1 * k] * 5
        here.tell(rosenbrock(x))
        there.tell(rosenbrock(x))
        there = pickle.loads(pickle.dumps(there)) if k % 5 == 0 else there
    same_states(here, there)
    with pytest.raises(syntonic.ArgumentError, match="finite"):
        there.inject([float("inf")] * 5)
    with pytest.raises(syntonic.ArgumentError, match="half of what"):
        for _ in range(10):
            there.inject([1.0] * 5)


def test_points_with_values_are_told_to_one_search_and_the_other() -> None:
    here, there = both(5, sigma=0.5)
    for k in range(60):
        x = there.ask()
        if k % 3 == 1:
            x = syntonic.round(x * 8.0) / 8.0
            here.tell(rosenbrock(x), x)
            there.tell(rosenbrock(x), x)
        else:
            assert x.tolist() == here.ask().tolist()
            here.tell(rosenbrock(x))
            there.tell(rosenbrock(x))
    same_states(here, there)
    assert there.best_value is not None and there.best_value < 100.0
    count = there.population
    points = syntonic.zeros((count, 5), dtype="float64")
    for values, x, why in (
        (syntonic.zeros(count), points[1:], "values, expected"),
        (syntonic.zeros(count - 1), points, "values, expected"),
        (syntonic.zeros(count), points[:, 1:], "rows of 5"),
        (syntonic.zeros(count), points + float("inf"), "finite"),
    ):
        for search in (here, there):
            with pytest.raises(syntonic.SyntonicError, match=why):
                search.tell(values, x)
    same_states(here, there)


def test_noise_is_handled_as_it_is_without_a_device() -> None:
    def noisy(x: State, seed: int) -> State:
        return (x * x).sum(-1) + syntonic.random.Generator(seed).normal((x.shape[0],), dtype="float64")

    here, there = both(4, sigma=1.0, noise="auto")
    for k in range(60):
        x = there.ask()
        assert x.tolist() == here.ask().tolist()
        here.tell(noisy(x, k))
        there.tell(noisy(x, k))
    assert there.repeats > 1
    same_states(here, there)
