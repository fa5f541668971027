"""The example that evolves a policy: its physics, and that a short search learns to swing the pole."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import syntonic as syn

PATH = Path(__file__).resolve().parents[1] / "examples" / "swing_up.py"
SPECIFICATION = importlib.util.spec_from_file_location("swing_up", PATH)
swing_up = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(swing_up)


def test_a_cart_that_nobody_pushes_keeps_its_energy() -> None:
    state = [syn.astype(part, "float64") for part in swing_up.hanging(1, 8, "cpu")]
    before = swing_up.energy(state)
    # The method is of first order: a tenth of the step, a tenth of the error.
    errors = []
    for step in (1e-3, 1e-4):
        moved = state
        for _ in range(round(0.2 / step)):
            moved = swing_up.move(moved, 0.0, step)
        errors.append(syn.max(syn.abs(swing_up.energy(moved) - before)).item())
    # Of poles that do move.
    assert syn.max(syn.abs(moved[2] - state[2])).item() > 0.1
    assert errors[0] < 0.01 and errors[1] == pytest.approx(errors[0] / 10, rel=0.2)


def test_a_short_search_learns_to_swing() -> None:
    search = swing_up.evolved(40, 32)
    costs, upright = swing_up.drive(syn.stack([syn.zeros_like(search.mean), search.mean]), 2)
    # A pole that hangs has the cost 2 at each step.
    assert 1.8 < costs[0].item() < 2.1 and upright[0].item() == 0
    assert costs[1].item() < 1.5
