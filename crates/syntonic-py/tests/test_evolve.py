"""What a user of RES holds in hand: limits, results, options, bounds, steps, points of one's own, callbacks and batches."""

from __future__ import annotations

import json
import logging
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import syntonic
from syntonic import State
from syntonic._progress import time_left
from syntonic.evolve import RES, Outcome


def sphere(x: State) -> State:
    return (x * x).sum(-1)


def quiet(search: RES, objective: Callable[[State], Any] = sphere, **limits: Any) -> Outcome:
    return search.run(objective, progress=False, **limits)


def test_a_sphere_is_over_when_it_is_solved() -> None:
    outcome = quiet(RES([3.0] * 10, sigma=2.0, seed=1), evaluations=100_000)
    assert outcome.reason == "tolfun" and outcome.restarts == 2
    assert outcome.value is not None and outcome.value < 1e-12 and outcome.evaluations < 8000
    once = quiet(RES([3.0] * 10, sigma=2.0, seed=1, restarts="off"))
    assert once.reason == "tolfun" and once.evaluations < 2000
    assert quiet(RES([3.0] * 10, seed=1, restarts="growing"), evaluations=20_000).reason == "evaluations"


def test_every_limit_has_its_reason() -> None:
    limits: dict[str, dict[str, Any]] = {
        "target": {"target": 1.0},
        "generations": {"generations": 5},
        "evaluations": {"evaluations": 50},
        "time": {"seconds": 0.0},
        "tolfun": {"tolfun": 1e-3},
        "tolx": {"tolx": 1e-3},
        "stopped": {"callback": lambda record: record["generation"] < 3},
    }
    for reason, limit in limits.items():
        assert quiet(RES([3.0] * 4, sigma=2.0, seed=1), **limit).reason == reason
    idle = quiet(RES([3.0] * 4, sigma=2.0, seed=1), lambda x: sphere(x) * 0.0, tolfun=False, tolx=False, stagnation=20)
    assert idle.reason == "stagnation"


def test_a_result_shows_what_ran(tmp_path: Path) -> None:
    outcome = quiet(RES([3.0] * 4, sigma=2.0, seed=11), generations=30)
    assert "reason='generations'" in repr(outcome) and "strategy='full'" in repr(outcome) and "seed=11" in repr(outcome)
    assert [record["generation"] for record in outcome.history] == list(range(1, 31))
    last = outcome.history[-1]
    assert set(last) == {"generation", "evaluations", "best", "mean", "median", "sigma", "deviation_ratio", "syntony", "nan"}
    assert last["best"] == outcome.value <= last["median"] and last["deviation_ratio"] >= 1.0
    kept = json.loads(json.dumps(outcome.to_dict()))
    assert kept["seed"] == 11 and len(kept["best"]) == 4 and len(kept["history"]) == 30
    lines = outcome.table(7).splitlines()
    assert len(lines) == 8 and lines[-1].split()[0] == "30"
    assert len(outcome.table(10**6).splitlines()) == 31 and len(outcome.table(1).splitlines()) == 2
    assert pickle.loads(pickle.dumps(outcome)).history == outcome.history
    assert Outcome("stopped", RES([1.0]), 0.0).table().split()[0] == "generation"


def test_a_plot_shows_the_run() -> None:
    pytest.importorskip("matplotlib")
    outcome = quiet(RES([3.0] * 4, sigma=2.0, seed=1), generations=30)
    values, steps = outcome.plot()
    assert len(values.lines) == 2 and len(steps.lines) == 2
    assert list(steps.lines[0].get_xdata()) == [record["evaluations"] for record in outcome.history]
    assert list(steps.lines[0].get_ydata()) == [record["sigma"] for record in outcome.history]


def test_a_seed_that_is_not_given_is_drawn_and_shown() -> None:
    searches = [RES([1.0, 2.0]) for _ in range(2)]
    assert searches[0].seed != searches[1].seed
    assert searches[0].ask().tolist() != searches[1].ask().tolist()
    again = RES([1.0, 2.0], seed=searches[0].seed)
    assert again.ask().tolist() == searches[0].ask().tolist()
    assert f"seed={again.seed}" in repr(again) and quiet(again, generations=1).seed == again.seed


def test_noise_is_averaged_where_ranks_change() -> None:
    def centre(noise: str, seed: int) -> float:
        drawn = syntonic.random.Generator(seed + 5)
        search = RES([3.0] * 5, sigma=2.0, seed=seed, noise=noise, restarts="off")
        # Two of eight candidates are evaluated again.
        assert search.ask().shape == ((10, 5) if noise == "auto" else (8, 5))
        search.run(
            lambda x: (x * x).sum(-1) + drawn.normal((len(x),)), evaluations=20_000, stagnation=False, progress=False
        )
        assert search.evaluations <= 20_000
        return float((search.centre * search.centre).sum())

    auto, off = (sum(centre(noise, seed) for seed in range(3)) for noise in ("auto", "off"))
    assert auto < off
    search = RES([3.0] * 5, noise="auto")
    search.ask()
    with pytest.raises(syntonic.ArgumentError, match="10"):
        search.tell([0.0] * 8)
    with pytest.raises(syntonic.ArgumentError, match="elitist"):
        RES([3.0] * 5, noise="auto", strategy="elitist")


def test_a_noisy_search_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    def value(search: RES, x: State) -> State:
        # Noise of the evaluation's number, which a resumed search has too.
        return sphere(x) + syntonic.random.Generator(search.evaluations).normal((len(x),))

    search = RES([3.0] * 4, sigma=1.0, seed=3, noise="auto")
    for _ in range(30):
        search.tell(value(search, search.ask()))
    assert search.repeats > 1
    # In the middle of a generation: its rows are asked for and not yet told.
    rows = search.ask()
    assert len(rows) == (8 + 2) * search.repeats
    search.save(tmp_path / "search.json")
    again = RES.load(tmp_path / "search.json")
    assert again.options["noise"] == "auto" and again.repeats == search.repeats
    for _ in range(10):
        assert again.ask().tolist() == search.ask().tolist()
        for each in (search, again):
            each.tell(value(each, each.ask()))
    assert again.history == search.history and again.centre.tolist() == search.centre.tolist()


def test_a_batch_asks_as_often_as_each_of_its_searches_needs() -> None:
    batch = RES.batch([3.0] * 4, runs=2, seed=1, noise="auto")
    assert batch.ask().shape == (20, 4)
    drawn = syntonic.random.Generator(5)
    outcomes = batch.run(lambda x: sphere(x) + drawn.normal((len(x),)), generations=40, progress=False)
    assert all(search.repeats > 1 for search in batch.searches)
    assert [outcome.centre.tolist() for outcome in outcomes] == [search.centre.tolist() for search in batch.searches]
    assert len(outcomes[0].to_dict()["centre"]) == 4


def test_options_can_be_read() -> None:
    given: dict[str, Any] = {
        "population": 8, "seed": 3, "goal": "maximise", "survivors": 4, "sampling": "independent", "strategy": "separable",
        "syntony_weight": 0.5, "syntony_spread": None, "mode_norms": [0.0, 1.0], "sigma_floor": 1e-9, "restarts": "growing",
        "sigma": [2.0, 1.0], "bounds": ([0.0, -math.inf], [4.0, 5.0]), "lattice": "integers", "lattice_bound": None,
        "lattice_coordinates": [1], "noise": "auto", "device": None,
    }  # fmt: skip
    search = RES([1.0, 2.0], **given)
    shown = {name: value.tolist() if isinstance(value, State) else value for name, value in search.options.items()}
    shown["bounds"] = tuple(side.tolist() for side in search.options["bounds"])
    assert shown == given
    # What was shown makes the same search.
    assert RES([1.0, 2.0], **search.options).ask().tolist() == search.ask().tolist()
    assert search.population == 8 and search.strategy == "separable"
    assert search.restart() and search.population == 16 and search.options["survivors"] == 8
    assert RES([1.0] * 65).strategy == "separable" and RES([1.0] * 64).strategy == "full"
    assert RES([1.0, 2.0], strategy="low_rank", sigma=[1.0, 0.5]).options["strategy"] == "low_rank"
    assert RES([1.0]).options["bounds"] is None


def test_an_option_that_a_strategy_ignores_is_an_error() -> None:
    for strategy in ("isotropic", "elitist"):
        with pytest.raises(syntonic.ArgumentError, match=f"step size for each coordinate.*{strategy}.*hint"):
            RES([1.0, 2.0], sigma=[1.0, 2.0], strategy=strategy)
    # What has another way out says so.
    with pytest.raises(syntonic.ArgumentError, match="antithetic sampling.*take independent ones"):
        RES([1.0, 2.0], lattice="integers", sampling="antithetic")
    with pytest.raises(syntonic.ArgumentError, match="bounds.*the lattice has a bound of its own"):
        RES([1.0, 2.0], lattice="golden", bounds=(0, 1))
    with pytest.raises(syntonic.ArgumentError, match="survivors and prefilter"):
        RES([1.0, 2.0], survivors=2, prefilter=0.5)


def test_candidates_lie_on_a_lattice() -> None:
    def objective(x: State) -> State:
        return 100.0 * (x[:, 0] - 2.0 * x[:, 1]) ** 2 + (x[:, 0] + x[:, 1] - 5.0) ** 2

    # Rounding the least real point gives (3, 2).
    outcome = quiet(RES([0.0, 0.0], sigma=3.0, lattice="integers", seed=1), objective, evaluations=4000)
    assert outcome.best.tolist() == [4.0, 2.0]
    search = RES([0.3] * 3, sigma=2.0, lattice="golden", seed=1)
    assert search.options["lattice_bound"] == 100 and search.options["sampling"] == "independent"
    assert search.population == 4 * RES([0.3] * 3).population
    for _ in range(5):
        candidates = search.ask()
        assert (syntonic.exact.snap(candidates, 100)[1] == 0.0).all().item()
        search.tell(sphere(candidates))
    mixed = RES([0.5, 0.5], lattice="integers", lattice_coordinates=[0], bounds=([-2, -2], [2, 2]), seed=1).ask()
    assert (mixed[:, 0] == mixed[:, 0].round()).all().item() and not (mixed[:, 1] == mixed[:, 1].round()).any().item()
    refused: list[dict[str, Any]] = [
        {"lattice": "integers", "lattice_bound": 3}, {"lattice_bound": 3}, {"lattice_coordinates": [0]},
        {"lattice": "golden", "bounds": (0, 1)}, {"lattice": "golden", "lattice_bound": 0}, {"lattice": "cubes"},
        {"lattice": "integers", "sampling": "antithetic"}, {"lattice": "integers", "lattice_coordinates": [2]},
        {"lattice": "integers", "lattice_coordinates": [-1]},
    ]  # fmt: skip
    for options in refused:
        with pytest.raises(syntonic.ArgumentError):
            RES([1.0, 2.0], **options)


def test_the_distribution_can_be_read() -> None:
    search = RES([3.0] * 3, sigma=[1.0, 0.5, 0.25], seed=1)
    assert search.deviations.tolist() == [1.0, 0.5, 0.25] and search.axis_ratio == pytest.approx(4.0)
    quiet(search, lambda x: (x[:, 0] + x[:, 1]) ** 2 + 100.0 * (x[:, 0] - x[:, 1]) ** 2 + x[:, 2] ** 2, generations=60)
    covariance = search.covariance
    assert covariance.shape == (3, 3) and (covariance == covariance.mT).all().item()
    assert [covariance[k, k].item() for k in range(3)] == pytest.approx([d * d for d in search.deviations.tolist()])
    # The valley along (1, 1) is found.
    assert (covariance[0, 1] / search.deviations[0] / search.deviations[1]).item() > 0.5
    values = syntonic.linalg.eigvalsh(covariance).tolist()
    assert search.axis_ratio == pytest.approx(math.sqrt(values[-1] / values[0]), rel=1e-6)


def test_step_sizes_for_each_coordinate() -> None:
    steps = [1.0, 1e-2, 1e-4]
    scale = syntonic.asarray(steps)
    known = quiet(RES([3.0] * 3, sigma=steps, seed=1), lambda x: sphere((x - 3.0) / scale - 1.0), target=1e-8)
    alike = quiet(RES([3.0] * 3, sigma=1.0, seed=1), lambda x: sphere((x - 3.0) / scale - 1.0), target=1e-8)
    assert known.reason == alike.reason == "target" and 2 * known.evaluations < alike.evaluations
    for wrong in ([1.0, 0.0, 1.0], [1.0, math.nan, 1.0], [1.0, -1.0, 1.0], [math.inf] * 3, [1.0, 1.0], [], "1"):
        with pytest.raises((syntonic.ArgumentError, TypeError)):
            RES([3.0] * 3, sigma=wrong)


@pytest.mark.parametrize("strategy", ["full", "separable", "isotropic", "elitist"])
@pytest.mark.parametrize(("bounds", "least"), [((1, 5), 1.0), ((None, 4), 0.0), (([2.0] * 4, None), 2.0), ((-1.0, math.inf), 0.0)])
def test_bounds_hold(strategy: str, bounds: Any, least: float) -> None:
    seen = []

    def objective(x: State) -> State:
        seen.extend([x.min().item(), x.max().item()])
        return sphere(x)

    search = RES([3.0] * 4, sigma=1.0, strategy=strategy, bounds=bounds, seed=1)
    outcome = quiet(search, objective)
    assert outcome.value == pytest.approx(4.0 * least * least, abs=1e-9)
    lower, upper = (side.tolist()[0] for side in search.options["bounds"])
    assert lower <= min(seen) and max(seen) <= upper


def test_bounds_are_checked() -> None:
    for bounds in ((1, 1), (2, 1), (math.nan, 1), ([0.0], [1.0]), (0, "1"), 3, (0,), "ab"):
        with pytest.raises((syntonic.ArgumentError, TypeError)):
            RES([0.5, 0.5], bounds=bounds)  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentError, match=r"x0\[1\] is 7"):
        RES([0.5, 7.0], bounds=(0, 1))


def test_injected_points_join_and_lead() -> None:
    search = RES([30.0] * 5, sigma=0.1, seed=1)
    search.inject([0.0] * 5)
    assert [0.0] * 5 in search.ask().tolist()
    # The next generation, since this one is asked for already.
    search.inject(syntonic.zeros(5) + 0.5)
    search.tell(sphere(search.ask()))
    assert search.best_value == 0.0 and [0.5] * 5 in search.ask().tolist()
    search.tell(sphere(search.ask()))
    assert [0.5] * 5 not in search.ask().tolist()
    for wrong in ([0.0], [math.inf] * 5, [[0.0] * 5]):
        with pytest.raises(syntonic.SyntonicError):
            search.inject(wrong)
    with pytest.raises(syntonic.ArgumentError, match="at most half"):
        for _ in range(100):
            search.inject([0.0] * 5)


def test_an_injected_start_is_resumed(tmp_path: Path) -> None:
    search = RES([3.0] * 4, bounds=(-5, 5), sigma=[1.0, 0.5, 1.0, 1.0], seed=1)
    search.inject([1.0, 1.0, 1.0, 1.0])
    search.save(tmp_path / "search")
    other = RES.load(tmp_path / "search")
    assert other.ask().tolist() == search.ask().tolist()
    quiet(search, generations=20)
    quiet(other, generations=20)
    assert other.history == search.history and other.centre.tolist() == search.centre.tolist()


def test_several_callbacks_see_every_generation() -> None:
    first: list[int] = []
    second: list[float] = []
    both = [lambda record: first.append(record["generation"]), lambda record: second.append(record["best"]) or len(second) < 4]
    outcome = quiet(RES([3.0] * 3, seed=1), callback=both)
    assert outcome.reason == "stopped" and first == [1, 2, 3, 4] and second[-1] == outcome.value


def test_what_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "syntonic.evolve"):
        quiet(RES([1.0] * 2, seed=1), lambda x: 1.0 + 0.0 * sphere(x), evaluations=2000)
    levels = [record.levelno for record in caplog.records]
    assert levels.count(logging.INFO) == 3 and logging.DEBUG in levels
    assert "attempt 1 of 12 candidates" in caplog.text and "Outcome(reason='tolfun'" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.WARNING, "syntonic.evolve"):
        quiet(RES([1.0] * 2, seed=1), generations=3)
    assert not caplog.records


def test_progress_says_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert time_left(10.0, (5, 50, 10.0), (10, None, None)) == ", at most 10 s left"
    assert time_left(10.0, (5, 50, 10.0), (10, 60, 1000.0)) == ", at most 2 s left"
    assert time_left(600.0, (1,), (100,)) == ", at most 990 min left"
    assert time_left(1.0, (0,), (10,)) == time_left(1.0, (5,), (None,)) == time_left(1.0, (5,), (0,)) == ""
    RES([1.0] * 3).run(sphere, seconds=0.5, generations=None, stagnation=False, progress=True)
    assert "s left" in capsys.readouterr().err


def test_a_batch_walks_as_its_searches_would_alone() -> None:
    batch = RES.batch([3.0] * 4, runs=3, seed=5, sigma=1.0)
    calls = []

    def objective(x: State) -> State:
        calls.append(x.shape[0])
        return sphere(x)

    outcomes = batch.run(objective, target=1e-8, progress=False)
    alone = [quiet(RES([3.0] * 4, sigma=1.0, seed=5 + k), target=1e-8) for k in range(3)]
    assert [o.value for o in outcomes] == [o.value for o in alone]
    assert [o.generations for o in outcomes] == [o.generations for o in alone]
    assert [o.history for o in outcomes] == [o.history for o in alone]
    assert len(calls) == max(o.generations for o in alone) and calls[0] == 3 * batch.searches[0].population
    assert batch.best.best_value == min(o.value or 0.0 for o in outcomes) and len(batch) == 3
    assert "3 searches" in repr(batch)


def test_a_batch_from_several_starts_restarts_each(capsys: pytest.CaptureFixture[str]) -> None:
    batch = RES.batch([[3.0, 3.0], [-2.0, 1.0]], goal="maximise", seed=1)
    outcomes = batch.run(lambda x: -1.0 - sphere(x), evaluations=3000, seconds=100, progress=True)
    assert [o.reason for o in outcomes] == ["tolfun", "tolfun"] and [o.restarts for o in outcomes] == [2, 2]
    assert batch.best.best_value == max(o.value or -math.inf for o in outcomes)
    capsys.readouterr()


def test_a_batch_is_checked() -> None:
    for given in ({"x0": [1.0]}, {"x0": [[1.0]], "runs": 2}, {"x0": [1.0], "runs": 0}, {"x0": 1.0, "runs": 1}, {"x0": [1.0], "runs": 1, "sigma": -1.0}):
        with pytest.raises(syntonic.SyntonicError):
            RES.batch(**given)  # type: ignore[arg-type]
    batch = RES.batch([1.0], runs=2, population=4)
    batch.ask()
    with pytest.raises(syntonic.ShapeError, match="8 candidates of 2 searches"):
        batch.tell([0.0] * 7)
    assert batch.best is batch.searches[0]

    def broken(x: State) -> State:
        raise KeyError("mine")

    with pytest.raises(KeyError):
        batch.run(broken, progress=False)
    assert [search.generation for search in batch.searches] == [0, 0]
