"""Peers of the searches: every rule by hand gets somewhere, and what is no search of the row's function is found."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import gpu_searches as searches  # noqa: E402

ROWS = [row for row in json.loads((HERE.parent / "gpu_cases.json").read_text()) if row["suite"] == "evolve"]


class Values(np.ndarray):
    """An array with the methods of PyTorch that the rules write with."""

    device = "cpu"

    def fill_(self, value: float) -> Values:
        self[...] = value
        return self

    copy_ = fill_

    def add_(self, other: object) -> Values:
        self += other
        return self

    def mul_(self, other: object) -> Values:
        self *= other
        return self

    def clamp(self, min: float) -> Values:
        return np.maximum(self, min)

    def index_put(self, places: tuple, values: np.ndarray) -> Values:
        self[places] = values
        return self


def values(x: object) -> Values:
    return np.asarray(x).view(Values)


def torch() -> types.SimpleNamespace:
    draw = np.random.default_rng(0)
    module = types.SimpleNamespace(float32=np.float32, cat=np.concatenate)
    for name in ("log", "exp", "sqrt", "cos", "minimum", "argsort", "empty_like"):
        setattr(module, name, getattr(np, name))
    module.arange = lambda *ends, device, dtype: values(np.arange(*ends, dtype=dtype))
    module.eye = lambda n, device: values(np.eye(n))
    module.linspace = lambda *ends, device: values(np.linspace(*ends))
    module.randn = lambda *shape, device: values(draw.standard_normal(shape))
    return module


@pytest.mark.parametrize("kind", sorted({row["kind"] for row in ROWS}))
def test_every_rule_by_hand_gets_somewhere(kind: str) -> None:
    row = {"kind": kind, "size": [64, 40], "generations": 60}
    rule, name = searches.rule_and_function(row)
    state, best = values(np.zeros((searches.lines(row), 40))), values(np.array(np.inf))
    state[0], state[1], state[4] = searches.START, searches.SIGMA, searches.SIGMA
    step = searches.RULES[rule](torch(), row, state, searches.FUNCTIONS[name])
    scores = []
    for _ in range(row["generations"]):
        step(best)
        scores.append(float(best))
    assert searches.wrong_search(row, state[0], [scores[0], scores[-1]]) is None
    assert scores[-1] < 0.85 * scores[0]


def test_what_is_no_search_of_the_function_is_told() -> None:
    row = {"kind": "search/snes/rastrigin", "size": [64, 100], "generations": 10}
    mean, scores = np.full(100, 2.9), [1800.0, 1500.0]
    assert searches.wrong_search(row, mean, scores) is None
    assert "no generation" in searches.wrong_search(row, mean, [1800.0, 1800.0])
    assert "first generation" in searches.wrong_search(row, mean, [800.0, 500.0])
    for bad in (mean * np.nan, mean[:50]):
        assert "a mean that" in searches.wrong_search(row, bad, scores)
    assert "a mean that" in searches.wrong_search(row, mean, [1800.0, np.nan])


def test_a_search_is_counted_by_generations_and_numbers() -> None:
    row = {"kind": "search/snes/rastrigin", "size": [1000, 100], "generations": 10}
    call = types.SimpleNamespace(held={"bytes": 7})
    assert searches.counted(row, 50.0, call) == {"generation_us": 5.0, "giga_numbers": 20.0, "call_bytes": 7}
    assert searches.counted({"kind": "map"}, 50.0, call) == {}


def test_every_row_of_the_list_is_known_to_the_peers() -> None:
    for row in ROWS:
        rule, function = searches.rule_and_function(row)
        assert rule in searches.RULES and rule in searches.EVOSAX and function in searches.FUNCTIONS
        population, n = row["size"]
        # What a stored population of float32 would be written and read.
        assert row["bytes"] == 8 * population * n * row["generations"] and row["dtype"] == "float32"
