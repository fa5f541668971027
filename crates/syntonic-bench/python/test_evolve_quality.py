"""The quality suite, without the libraries that it compares with: problems, our own algorithms, and its tables."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import evolve_peers as peers  # noqa: E402
import evolve_problems as problems  # noqa: E402
import evolve_quality as quality  # noqa: E402

OURS = [name for name in peers.ALGORITHMS if name.startswith(("res", "device-"))]


@pytest.mark.parametrize("name", OURS)
def test_each_of_our_algorithms_spends_its_budget_and_gets_somewhere(name: str) -> None:
    task = problems.plain("sphere", 4, 1, 150)
    peers.solve(name, task)
    problem = task.problem
    # A generation on a lattice is four times as large, and the budget is no multiple of it.
    left = 4 * peers.population_of_res(4) if name == "res-golden" else 1
    assert problem.budget - left < problem.evaluations <= problem.budget or problem.best <= problem.last
    assert problem.best < 36.0 and problem.reached == sorted(problem.reached)


def test_every_rule_of_a_device_is_there() -> None:
    import syntonic

    for rule, restarts in peers.DEVICE_RULES.items():
        assert f"device-{rule.replace('_', '-')}" in OURS
        settings = {"rule": rule, "population": 8, "restarts": "growing"}
        if restarts:
            syntonic.evolve.DeviceSearch([1.0] * 4, **settings)
        else:
            with pytest.raises(syntonic.ArgumentError, match="restarts"):
                syntonic.evolve.DeviceSearch([1.0] * 4, **settings)


def test_targets_are_read_from_a_log_of_values_without_noise() -> None:
    log = "% evaluations | constraints | best noise-free - optimum\n1 0 +2.5e+02 +1 +1\n7 0 +9.0e+01 -3 -3\n9 0 +5.0e+01 +1 -3\n"
    assert problems.reached_in(log) == [7, 9]
    assert problems.reached_in(log + "12 0 -0.0 +1 -3\n") == [7, 9] + [12] * 49


def test_a_share_is_of_targets_and_functions() -> None:
    rows = [(10, 101, 1, list(range(51))), (10, 107, 1, []), (10, 122, 1, [3])]
    assert quality.share(rows) == pytest.approx(52 / 153)
    text = quality.summary({"res": rows}, problems.NOISY, "res")
    assert "| res | 0.340 | 1.000 | 0.000 | 0.020 | 1.00 |" in text
