"""The example that tracks thrown balls: its flight, and that descent on the free energy is as good as the exact filter."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).resolve().parents[1] / "examples" / "tracking.py"
SPECIFICATION = importlib.util.spec_from_file_location("tracking", PATH)
tracking = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(tracking)


def test_balls_fly_as_they_do() -> None:
    former = tracking.DRAG, tracking.GUST
    tracking.DRAG, tracking.GUST = 0.0, 0.0
    try:
        states, seen = tracking.thrown(16)
    finally:
        tracking.DRAG, tracking.GUST = former
    # Without air: a parabola, to the first order of the step.
    t = tracking.STEP * np.arange(1, tracking.STEPS + 1)
    first = states.numpy()[0, :, 2:] + [0.0, tracking.GRAVITY * tracking.STEP]
    height = first[:, 1] * t[:, None] - tracking.GRAVITY * (t * (t + tracking.STEP) / 2)[:, None]
    np.testing.assert_allclose(states.numpy()[:, :, 1], height, rtol=0, atol=1e-10)
    noise = (seen - states[..., :2]).numpy()
    # 1280 numbers: five deviations of their deviation.
    assert noise.std() == pytest.approx(tracking.OFF, rel=5 / np.sqrt(2 * 1280))


def test_descent_finds_what_the_exact_filter_finds() -> None:
    states, seen = tracking.thrown(32, seed=2)
    (means, deviations, energies), (exact, surprises) = tracking.tracked(seen), tracking.kalman(seen)
    # Steps end where the free energy changes by 1e-13, with curvatures of 1 or more: means are then within some 1e-6 of rest. They are the prior
    # of the next step, whose free energy has slopes of a few nats by metre.
    np.testing.assert_allclose(means.numpy(), exact.numpy(), rtol=0, atol=1e-5)
    np.testing.assert_allclose(energies.numpy(), surprises.numpy(), rtol=0, atol=1e-5)
    raw, tracked, best = (tracking.error(places, states) for places in (seen, means, exact))
    assert tracked < 0.75 * raw and tracked < 1.001 * best
    # Where the tracker believes balls to be, they are: its deviations are neither small nor wide.
    believed = np.sqrt((deviations.numpy()[:, :2] ** 2).sum(-1).mean())
    assert 0.8 < tracked / believed < 1.25


def test_it_prints_a_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tracking.py", "--balls", "4"])
    tracking.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 16 and lines[0].startswith("seconds") and lines[-1].startswith("all steps: seen")
