"""Free energy and belief updates, against NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import syntonic
from syntonic import infer


def _drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape)


def test_free_energy_of_unequal_lengths() -> None:
    mq, mp, o, g = _drawn(3, 900), _drawn(900), _drawn(3, 100), _drawn(100)
    vq, vp, pi = _drawn(3, 900) ** 2 + 0.1, _drawn(900) ** 2 + 0.1, _drawn(100) ** 2 + 0.1
    made = infer.free_energy(mq, mp, vq, vp, o, g, pi)
    complexity = 0.5 * (vq / vp - 1 - np.log(vq / vp) + (mq - mp) ** 2 / vp).sum(-1)
    accuracy = -0.5 * (pi * (o - g) ** 2 - np.log(pi) + math.log(2 * math.pi)).sum(-1)
    np.testing.assert_allclose(made.complexity.numpy(), complexity, rtol=1e-12)
    np.testing.assert_allclose(made.accuracy.numpy(), accuracy, rtol=1e-12)
    np.testing.assert_allclose(made.free_energy.numpy(), complexity - accuracy, rtol=1e-12)
    jacobian = _drawn(100, 900)
    expected = infer.free_energy(mq, mp, vq, vp, o, g, pi, jacobian=jacobian)
    trace = 0.5 * (pi * (vq @ (jacobian**2).T)).sum(-1)
    np.testing.assert_allclose(expected.accuracy.numpy(), accuracy - trace, rtol=1e-12)


def test_categories() -> None:
    q, p, seen = np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.5, 0.25]), np.array([math.log(0.5), math.log(0.25), -math.inf])
    made = infer.categorical_free_energy(q, p, seen)
    # q is the posterior: what is left is minus the log evidence, ln 4.
    assert abs(made.free_energy.item() - math.log(4)) < 1e-15


@pytest.mark.parametrize("turned", [False, True])
def test_belief_update_is_its_definition(turned: bool) -> None:
    m, n, rate = 100, 900, 2e-4
    j, mu, o, pi, reference = _drawn(m, n), _drawn(n), _drawn(m), _drawn(m) ** 2, _drawn(m + 1)[1:]
    mean, weight = _drawn(n + 1)[1:], _drawn(n) ** 2
    given = syntonic.asarray(j.T.copy()).T if turned else j
    made = infer.belief_update(
        mu, given, o, pi, reference=reference, prior_mean=mean, prior_precision=weight, rate=rate, steps=10, history=True
    )
    want = mu
    for _ in range(10):
        want = want + rate * (j.T @ (pi * (o - j @ want - reference)) - weight * (want - mean))
    np.testing.assert_allclose(made.mean.numpy(), want, rtol=1e-11, atol=1e-11)
    d = o - j @ want - reference
    energy = 0.5 * (pi * d * d).sum() + 0.5 * (weight * (want - mean) ** 2).sum()
    assert made.free_energy.item() == pytest.approx(energy, rel=1e-11)
    assert made.history is not None and made.history.shape == (11,)
    assert made.steps.item() == 10 and not made.converged and not made.diverged


def test_belief_update_ends() -> None:
    mu, o, j = np.ones((3, 1)), np.zeros(1), np.ones((1, 1))
    made = infer.belief_update(mu, j, o, [[1.0], [8.0], [-1.0]], rate=0.5, steps=700, tolerance=1e-12)
    assert made.converged.tolist() == [True, False, False]
    assert made.diverged.tolist() == [False, True, True]
    assert all(math.isfinite(x) for [x] in made.mean.tolist())
    assert made.mean.tolist()[2] == [1.0] and made.steps.tolist()[2] == 0


def test_mistakes_say_what_fits() -> None:
    with pytest.raises(ValueError, match=r"belief_update: shapes do not fit.*hint"):
        infer.belief_update([0.0, 0.0], [[1.0]], [1.0], [1.0])
    with pytest.raises(ValueError, match="rate"):
        infer.belief_update([0.0], [[1.0]], [1.0], [1.0], rate=-1.0)
    with pytest.raises(ValueError, match="prior"):
        infer.belief_update([0.0], [[1.0]], [1.0], [1.0], prior_mean=[0.0])
    with pytest.raises(TypeError, match="real floats"):
        infer.belief_update([0], [[1]], [1], [1])
    with pytest.raises(ValueError, match="free_energy: shapes do not fit"):
        infer.free_energy([0.0], [0.0], [1.0], [1.0], [1.0], [1.0], [1.0], jacobian=[[1.0, 2.0]])
