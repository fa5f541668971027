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
    # Deviations are rounded on their way here.
    assert [r["deviation_ratio"] for r in same["history"]] == pytest.approx([r["deviation_ratio"] for r in found["history"]], rel=1e-12)
    for record in found["history"] + same["history"]:
        del record["deviation_ratio"]
    assert found["history"] == same["history"]
    assert here.covariance.tolist() == there.covariance.tolist() and here.axis_ratio == there.axis_ratio
    assert there.deviations.tolist() == pytest.approx(here.deviations.tolist(), rel=1e-12)


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
        ({"bounds": (0.0, None)}, "bounds"),
        ({"noise": "auto"}, "noise"),
        ({"lattice": "integers"}, "a lattice"),
        ({"population": 7}, "even"),
    ],
)
def test_what_is_not_done_on_a_device_is_an_error_that_says_so(options: dict[str, Any], named: str) -> None:
    with pytest.raises(syntonic.ArgumentError, match=named):
        RES([3.0] * 4, device="cpu", **options)


def test_points_are_injected_on_the_host() -> None:
    with pytest.raises(syntonic.ArgumentError, match="inject on a device"):
        RES([3.0] * 4, device="cpu").inject([0.0] * 4)
