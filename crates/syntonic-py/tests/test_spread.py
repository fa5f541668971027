"""Objectives over the workers of executors."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import executors
import pytest

import syntonic
from syntonic.evolve import RES, DeviceSearch, spread


def trajectory(objective: object) -> list[object]:
    """The numbers of a few generations of both kinds of search."""
    device = DeviceSearch(syntonic.full((2, 5), 3.0), 1.0, 10, seed=3)
    history = device.run(objective, 3).tolist()  # type: ignore[arg-type]
    search = RES([3.0] * 5, population=7, seed=2)
    search.run(objective, generations=3, progress=False)  # type: ignore[arg-type]
    return [history, device.mean.tolist(), search.centre.tolist(), search.sigma]


@pytest.mark.parametrize("name", sorted(executors.EXECUTORS))
def test_any_number_of_workers_and_parts_gives_one_trajectory(name: str) -> None:
    want = trajectory(executors.sphere)
    with executors.EXECUTORS[name](2) as pool:
        for parts in (None, 1, 3, 50):
            assert trajectory(spread(executors.sphere, pool, parts=parts)) == want
        assert trajectory(spread(executors.with_numpy, pool)) == trajectory(executors.with_numpy)


@pytest.mark.parametrize("name", sorted(executors.EXECUTORS))
def test_what_an_objective_raises_comes_out_and_names_its_candidates(name: str) -> None:
    with executors.EXECUTORS[name](2) as pool:
        far = syntonic.asarray([[1.0, 1.0]] * 5 + [[9.0, 9.0]] + [[1.0, 1.0]] * 2)
        with pytest.raises(LookupError, match="mine") as caught:
            spread(executors.raises, pool, parts=4)(far)
        assert caught.value.__notes__ == ["spread: raised by part 2 of 4, candidates 4..6"]
        search = DeviceSearch(syntonic.full(3, 30.0), 1.0, 8)
        before = search.mean.tolist()
        with pytest.raises(LookupError, match="mine"):
            search.run(spread(executors.raises, pool), 2)
        assert (search.generation, search.mean.tolist()) == (0, before)
        # The pool is as good as before.
        assert spread(executors.sphere, pool)(far).shape == (8,)
        with pytest.raises(syntonic.ShapeError, match=r"shape \(1,\) for part 0 of 4, candidates 0..2"):
            spread(executors.says_too_little, pool, parts=4)(far)


def test_a_pool_that_breaks_is_told_and_the_search_goes_on_elsewhere() -> None:
    search = RES([3.0] * 4, population=6, seed=1)
    with executors.processes(2) as pool:
        started = time.monotonic()
        for _ in range(2):
            with pytest.raises(syntonic.WorkerError, match="workers died|no more work") as caught:
                search.run(spread(executors.dies, pool), progress=False)
        assert isinstance(caught.value, RuntimeError) and time.monotonic() - started < 10.0
    assert search.generation == 0
    with ThreadPoolExecutor(2) as pool:
        search.run(spread(executors.sphere, pool), generations=2, progress=False)
    alone = RES([3.0] * 4, population=6, seed=1)
    alone.run(executors.sphere, generations=2, progress=False)
    assert search.centre.tolist() == alone.centre.tolist()


def test_a_part_that_takes_too_long_is_told_in_time() -> None:
    search = DeviceSearch(syntonic.full(3, 3.0), 1.0, 8)
    with executors.processes(1) as pool:
        spread(executors.sphere, pool)(search.ask())
        started = time.monotonic()
        with pytest.raises(syntonic.WorkerTimeoutError, match=r"0.2 seconds from part 0 of 1, candidates 0..8") as caught:
            search.run(spread(executors.sleeps, pool, timeout=0.2), 1)
        assert isinstance(caught.value, TimeoutError) and time.monotonic() - started < 5.0
    assert search.generation == 0


def test_an_executor_that_was_shut_down_and_arguments_of_no_sense() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(syntonic.WorkerError, match="no more work"):
        spread(executors.sphere, pool)(syntonic.ones((2, 2)))
    with pytest.raises(syntonic.ArgumentError, match="parts is 0"):
        spread(executors.sphere, pool, parts=0)
    with pytest.raises(syntonic.ArgumentError, match="timeout"):
        spread(executors.sphere, pool, timeout=-1.0)
    with pytest.raises(syntonic.ShapeError, match="a row for each"):
        spread(executors.sphere, pool)([1.0])
