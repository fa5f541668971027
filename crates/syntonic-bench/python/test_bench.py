"""The committed rows can run, and a wrong result does not pass for a fast one."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import clock  # noqa: E402
import worker  # noqa: E402
from case import Case, Expected, WrongResult  # noqa: E402
from libraries import KNOWN, Library, Syntonic  # noqa: E402

ROWS = json.loads((HERE.parent / "cases.json").read_text())
PYTHON_SIDE = {*KNOWN}


def name(row):
    return f"{row['suite']}-{row['case']}-{row['dtype']}"


def small(row):
    """The row at a size that takes no time; what is tied to its size stays as it is."""
    if row["suite"] == "latency":
        return row
    return {**row, "size": [48 if n > 64 else n for n in row["size"]]}


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_every_row_has_a_runner_for_everybody_it_names(row):
    if row["case"] != "import":
        case = worker.cases_of(row["suite"])[row["case"]]
        assert set(row["impls"]) & PYTHON_SIDE <= case.impls()
    assert set(row["impls"]) <= PYTHON_SIDE | {"syntonic-rust"}


CALLS = [(row, kind) for row in ROWS if row["case"] != "import" for kind in (Syntonic, Library) if kind.name in row["impls"]]


@pytest.mark.parametrize(("row", "kind"), CALLS, ids=[f"{name(row)}-{kind.name}" for row, kind in CALLS])
def test_every_runner_gives_what_the_oracle_says(row, kind):
    row, library = small(row), kind()
    case = worker.cases_of(row["suite"])[row["case"]]
    inputs = worker.inputs_of(case, row)
    judge = clock.Judge(case, case.expect(*inputs) if case.expect else [], row["dtype"])
    runner = worker.runner(case, {**row, "resident": True}, library, inputs, 1)
    _, result = runner.timed(runner.sets[0], 1)
    assert judge.whole(library.numpy(result)) < 6


def broken(inputs):
    """A case whose result is off in one element."""

    def call(module):
        def wrong(x):
            y = module.exp(x)
            y[7] *= 1.001
            return y

        return wrong

    return Case({"numpy": call}, lambda size, rng: inputs, lambda x: [Expected(np.exp(x), np.exp(x), 8)])


def test_a_wrong_result_fails_its_row_and_takes_no_time():
    inputs = [np.linspace(0, 1, 100)]
    case, library = broken(inputs), Library()
    row = {"suite": "core", "case": "exp", "dtype": "float64", "size": [100], "resident": True, "floor": {"bytes": 1, "flops": 1}}
    runner = worker.runner(case, row, library, inputs, 1 << 20)
    clock.measure([runner], clock.Judge(case, case.expect(*inputs), "float64"), clock.Effort(2, 100_000))
    line = worker.outcome(row, runner)
    assert "WrongResult" in line["failed"] and "median_us" not in line


def test_a_right_result_has_a_time_for_every_round():
    inputs = [np.linspace(0, 1, 100)]
    case = Case({"numpy": lambda m: m.exp}, lambda size, rng: inputs, lambda x: [Expected(np.exp(x), np.exp(x), 8)])
    row = {"suite": "core", "case": "exp", "dtype": "float64", "size": [100], "resident": True, "floor": {"bytes": 1, "flops": 1}}
    runner = worker.runner(case, row, Library(), inputs, 1 << 20)
    clock.measure([runner], clock.Judge(case, case.expect(*inputs), "float64"), clock.Effort(2, 100_000))
    line = worker.outcome(row, runner)
    assert line["median_us"] > 0 and len(line["rounds_us"]) == 2


def test_nan_is_wrong():
    with pytest.raises(WrongResult):
        Expected(np.ones(3), 1.0, 1e9).error(np.array([1.0, np.nan, 1.0]), "float64")


def test_inputs_rotate_through_more_than_four_caches_unless_resident():
    inputs = [np.zeros(1000), np.zeros(1000)]
    assert clock.rotation(inputs, False, 1 << 20) * 16_000 > 4 << 20
    assert clock.rotation(inputs, True, 1 << 20) == 1


def test_an_expression_is_evaluated_as_often_as_asked():
    counter = itertools.count()
    timed = clock.expression("next(counter) + a", {"counter": counter}, 1)
    nanoseconds, result = timed((10,), 5)
    assert result == 14 and nanoseconds > 0
