"""Peers of the pipelines: what results are compared with has its known values, and finds what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import gpu_timing  # noqa: E402

# In a bundle the files have shorter names.
sys.modules.setdefault("timing", gpu_timing)
import gpu_pipelines as pipelines  # noqa: E402


def numbers(seed: int, n: int) -> np.ndarray:
    """Of a congruential generator, less one half."""
    made = []
    for _ in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        made.append((seed >> 11) * 2.0**-53 - 0.5)
    return np.array(made)


def test_the_definition_has_the_known_values() -> None:
    x, e = numbers(1, 256), numbers(2, 256)
    y = np.concatenate([e[:1], 0.6 * x[:-1] + e[1:]])
    assert abs(pipelines.by_definition(x, y, 1, standardise=False) - 0.214152331397671) < 1e-12
    assert abs(pipelines.by_definition(x, y, 3, standardise=False) - 0.125851144945185) < 1e-12


def test_a_wrong_estimate_is_found() -> None:
    x, e = numbers(1, 256), numbers(2, 256)
    row = {"kind": "te/1", "suite": "pipelines", "dtype": "float32", "size": [256]}
    right = np.array([pipelines.by_definition(x, e, 1)])
    assert pipelines.wrong_pipeline(row, right, [x, e], np.asarray) is None
    assert "nats and not" in pipelines.wrong_pipeline(row, right + 0.01, [x, e], np.asarray)
    assert "not finite" in pipelines.wrong_pipeline(row, right * np.nan, [x, e], np.asarray)


@pytest.mark.parametrize("kind", ["free_energy", "belief_update/3", "inference_chain/3"])
def test_a_wrong_sum_or_mean_is_found(kind: str) -> None:
    row = {"kind": kind, "suite": "pipelines", "dtype": "float64", "size": [4, 9]}
    draw = np.random.default_rng(0)
    xs = [draw.uniform(0.5, 1.5, shape) for shape in pipelines.shapes(row)]
    results = pipelines.free_energy(np, *xs) if kind == "free_energy" else pipelines.stepping(row)(np, *xs)
    results = results if isinstance(results, tuple) else (results,)
    assert pipelines.wrong_pipeline(row, results, xs, np.asarray) is None
    for at in range(len(results)):
        wrong = tuple(r * 1.01 + 0.01 if at == k else r for k, r in enumerate(results))
        assert "differs" in pipelines.wrong_pipeline(row, wrong, xs, np.asarray)


def test_steps_lead_to_the_posterior_mean() -> None:
    draw = np.random.default_rng(1)
    m, n = 3, 2
    jacobian, mu = draw.standard_normal((m, n)) * 300, np.zeros(n)
    observation, precision, prior = draw.standard_normal(m), np.full(m, 2.0), np.full(n, 5.0)
    got = pipelines.belief_update(np, 5000, mu, jacobian, observation, precision, mu + 1, prior)
    left = jacobian.T @ (precision[:, None] * jacobian) + np.diag(prior)
    want = np.linalg.solve(left, jacobian.T @ (precision * observation) + prior)
    np.testing.assert_allclose(got, want, rtol=1e-6)
