"""The medians of turned ellipsoids, without the library that they are compared with."""

from __future__ import annotations

import sys
from math import inf
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import evolve_ellipsoids as ellipsoids  # noqa: E402
import evolve_problems as problems  # noqa: E402


def test_a_turned_ellipsoid_has_its_condition() -> None:
    task = problems.turned_ellipsoid(1e4, 6, 3, 10)
    f, eye = task.problem.f, np.eye(6)
    hessian = [[(f(a + b) - f(a) - f(b)) / 2 for b in eye] for a in eye]
    values = np.linalg.eigvalsh(hessian)
    assert np.allclose(values, 1e4 ** (np.arange(6) / 5)) and np.abs(hessian[0][1]) > 1
    assert f(np.zeros(6)) == 0.0 and problems.turned_ellipsoid(1e4, 6, 4, 10).problem.f(eye[0]) != f(eye[0])


def test_our_default_solves_them_small() -> None:
    for condition in (None, 1e4):
        assert ellipsoids.run(("res", condition, 4, 1, 20_000)) < 20_000
        assert ellipsoids.run(("res", condition, 4, 1, 40)) == inf


def test_a_table_of_medians_says_what_is_not_solved() -> None:
    results = {"res": {"a": [10, 30, 20], "b": [5, inf, 7]}, "pycma-even": {"a": [40, 50, 10], "b": [inf, 9, inf]}}
    text = ellipsoids.table(results, "pycma-even")
    assert "| a | 20 (3/3) | 40 (3/3) | 0.50 |" in text and "| b | 7 (2/3) | not solved (1/3) |  |" in text
    assert ellipsoids.name_of(1e6, 65) == "turned ellipsoid, d = 65, condition 1e6"
