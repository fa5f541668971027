"""The example of control problems: its dynamics are those of Gymnasium, written once more for one run, and a short search learns."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import syntonic as syn

PATH = Path(__file__).resolve().parents[1] / "examples" / "control.py"
SPECIFICATION = importlib.util.spec_from_file_location("control", PATH)
control = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(control)

Policy = Callable[[list[float]], float]


def wrapped(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi


def pendulum(state: list[float], policy: Policy) -> float:
    angle, speed = state
    total = 0.0
    for _ in range(200):
        torque = 2 * math.tanh(policy([math.cos(angle), math.sin(angle), speed / 8]))
        total += wrapped(angle) ** 2 + 0.1 * speed**2 + 0.001 * torque**2
        speed = min(max(speed + (3 * 10 / 2 * math.sin(angle) + 3 * torque) * 0.05, -8.0), 8.0)
        angle += speed * 0.05
    return total


def cart_pole(state: list[float], policy: Policy) -> float:
    x, v, angle, turning = state
    for step in range(500):
        force = 10.0 if policy([x / 2.4, v / 2, angle * 5, turning / 2]) > 0 else -10.0
        pull = (force + 0.05 * turning**2 * math.sin(angle)) / 1.1
        spin = (9.8 * math.sin(angle) - math.cos(angle) * pull) / (0.5 * (4 / 3 - 0.1 * math.cos(angle) ** 2 / 1.1))
        push = pull - 0.05 * spin * math.cos(angle) / 1.1
        x, v, angle, turning = x + 0.02 * v, v + 0.02 * push, angle + 0.02 * turning, turning + 0.02 * spin
        if abs(x) > 2.4 or abs(angle) > 12 * math.pi / 180:
            return 500.0 - step
    return 0.0


def acrobot(state: list[float], policy: Policy) -> float:
    def slopes(s: np.ndarray, torque: float) -> np.ndarray:
        a, b, da, db = s
        d1 = 0.5**2 + (1 + 0.5**2 + 2 * 0.5 * math.cos(b)) + 1 + 1
        d2 = (0.5**2 + 0.5 * math.cos(b)) + 1
        phi2 = 0.5 * 9.8 * math.cos(a + b - math.pi / 2)
        phi1 = -0.5 * db**2 * math.sin(b) - 2 * 0.5 * db * da * math.sin(b) + 1.5 * 9.8 * math.cos(a - math.pi / 2) + phi2
        ddb = (torque + d2 / d1 * phi1 - 0.5 * da**2 * math.sin(b) - phi2) / (0.5**2 + 1 - d2**2 / d1)
        return np.array([da, db, -(d2 * ddb + phi1) / d1, ddb])

    s = np.array(state)
    for step in range(500):
        a, b, da, db = s
        said = policy([math.cos(a), math.sin(a), math.cos(b), math.sin(b), da / 4, db / 8])
        torque = float(said > 0.5) - float(said < -0.5)
        k1 = slopes(s, torque)
        k2 = slopes(s + 0.1 * k1, torque)
        k3 = slopes(s + 0.1 * k2, torque)
        k4 = slopes(s + 0.2 * k3, torque)
        s = s + 0.2 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        s[:2] = [wrapped(angle) for angle in s[:2]]
        s[2:] = np.clip(s[2:], [-4 * math.pi, -9 * math.pi], [4 * math.pi, 9 * math.pi])
        if -math.cos(s[0]) - math.cos(s[0] + s[1]) > 1:
            return float(step)
    return 500.0


# Linear policies that do something: those of the cart hold it for a while, and the acrobot is pumped up.
LINEAR = {
    "pendulum": (pendulum, [[0.5, -2.0, 3.0, 0.1], [-1.0, 1.0, -8.0, 0.0]]),
    "cartpole": (cart_pole, [[0.1, 0.2, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0, 0.1]]),
    "acrobot": (acrobot, [[0.0, 0.0, 0.0, 0.0, 0.0, -9.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0]]),
}


@pytest.mark.parametrize("name", LINEAR)
def test_a_population_costs_what_runs_of_one_policy_cost(name: str) -> None:
    of_one, policies = LINEAR[name]
    task = control.Task(control.PROBLEMS[name], hidden=0, starts=3)
    starts = np.stack([np.asarray(row)[0] for row in task.starts], axis=1)
    want = [np.mean([of_one(list(s), lambda seen, w=w: float(np.dot(seen, w[:-1])) + w[-1]) for s in starts]) for w in policies]
    got = task(syn.asarray(policies, dtype="float64"))
    assert np.asarray(got) == pytest.approx(want, rel=1e-6)
    # Runs of both kinds, where there are two.
    assert len(set(want)) == 2


def test_a_short_search_balances_the_pole() -> None:
    task = control.Task(control.CartPole, hidden=0, starts=4)
    _, cost = control.evolved(task, 320, seed=1)
    assert cost == 0
