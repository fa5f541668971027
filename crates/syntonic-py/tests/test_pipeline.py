"""Pipelines of stages, written in Python: against NumPy, in every way to run them, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import syntonic as syn
from syntonic import pipeline

MODES = ("reference", "unfused", "partial", "fused", "captured")


def _belief() -> pipeline.Plan:
    step = [
        pipeline.product("predicted", 1, ("m",), "jacobian", "mu"),
        pipeline.formula("error", 2, ("m",), lambda seen, predicted, precision: precision * (seen - predicted)),
        pipeline.product("gradient", 3, ("n",), pipeline.transposed("jacobian"), "error"),
        pipeline.formula("mean", 4, ("n",), lambda mu, gradient: mu + 0.01 * gradient),
    ]
    energy = pipeline.formula("energy", 5, (), lambda error: 0.5 * error**2, reduction="sum", precision="double")
    return pipeline.Plan(
        "Belief",
        inputs={"mu": ("n",), "jacobian": ("m", "n"), "seen": ("m",), "precision": ("m",)},
        stages=[pipeline.repeat(10, {"mu": "mean"}, step), energy],
        outputs=["mean", "energy"],
    )


@pytest.mark.parametrize("mode", MODES)
def test_a_belief_steps_as_numpy_does(mode: str) -> None:
    rng = np.random.default_rng(1)
    mu, jacobian = rng.normal(size=7), rng.normal(size=(3, 7))
    seen, precision = rng.normal(size=3), rng.uniform(1, 2, size=3)
    plan = _belief()
    found = plan(mu, jacobian, seen=seen, precision=precision, mode=mode)
    for _ in range(10):
        error = precision * (seen - jacobian @ mu)
        mu = mu + 0.01 * jacobian.T @ error
    # Sums of ten numbers of magnitude 3, ten rounds long.
    assert np.allclose(found.mean.numpy(), mu, rtol=0, atol=1e-13)
    assert np.allclose(found.energy.numpy(), 0.5 * (error**2).sum(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_neighbours_are_kept_in_order_and_counted(mode: str) -> None:
    x = np.array([0.0, 1.0, 3.0, 7.0, 1.5])
    plan = pipeline.Plan(
        "Near",
        inputs={"x": ("n",), "y": ("n", 1)},
        stages=[
            pipeline.formula("near", 1, ("n", 3), lambda x, y: abs(x - y), smallest=3),
            pipeline.formula("third", 2, ("n", 1), lambda near: near, reduction="max"),
            pipeline.formula("nearer", 3, ("n",), lambda x, y, third: abs(x - y) < third, reduction="count"),
        ],
        outputs=["near", "nearer"],
    )
    found = plan(x, x[:, None], mode=mode)
    distances = np.sort(abs(x - x[:, None]), axis=1)[:, :3]
    assert np.array_equal(found.near.numpy(), distances)
    assert np.array_equal(found.nearer.numpy(), (abs(x - x[:, None]) < distances[:, 2:]).sum(1))


@pytest.mark.parametrize("mode", MODES[:3])
def test_a_loop_ends_by_its_condition(mode: str) -> None:
    plan = pipeline.Plan(
        "Roots",
        inputs={"square": ("n",), "guess": ("n",), "count": (1,)},
        stages=[
            pipeline.repeat(
                50,
                {"guess": "next", "count": "rounds"},
                [
                    pipeline.formula("next", 1, ("n",), lambda guess, square: 0.5 * (guess + square / guess)),
                    pipeline.formula("step", 2, (), lambda guess, next: abs(next - guess), reduction="max"),
                    pipeline.formula("done", 3, (), lambda step: syn.where(step < 1e-9, 1.0, 0.0)),
                    pipeline.formula("rounds", 1, (1,), lambda count: count + 1),
                ],
                until="done",
            )
        ],
        outputs=["next", "rounds"],
    )
    found = plan([4.0, 1e6], [3.0, 3.0], [0.0], mode=mode)
    assert np.allclose(found.next.numpy(), [2.0, 1000.0], rtol=1e-12, atol=0)
    assert found.rounds.tolist() == [14.0]


def test_a_formula_has_the_operators_and_functions_of_arrays() -> None:
    def f(x: object, y: object) -> object:
        return syn.gelu(x) + syn.where((x > 0) & ~(y == 1), 2 - x, y**2) / (1 + abs(-y)) // 1 % 3

    plan = pipeline.Plan("Mixed", inputs={"x": ("n",), "y": ("n",)}, stages=[pipeline.formula("z", 1, ("n",), f)], outputs=["z"])
    x, y = syn.asarray([-1.5, 0.5, 2.0]), syn.asarray([1.0, 1.0, -3.0])
    assert plan(x, y).z.tolist() == f(x, y).tolist()


def test_a_plan_says_what_it_is_and_what_it_launches() -> None:
    plan = _belief()
    assert (plan.name, plan.inputs, plan.outputs) == ("Belief", ("mu", "jacobian", "seen", "precision"), ("mean", "energy"))
    assert "repeat 10 carrying mu <- mean" in plan.source and len(plan.digest) == 64
    assert plan.digest == _belief().digest
    report = plan.report(np.zeros(4), np.ones((2, 4)), np.ones(2), np.ones(2))
    assert report.unfused_launches == 41 and "launches" in str(report)


def test_what_is_wrong_is_named() -> None:
    def plan(*stages: object, outputs: tuple[str, ...] = ("y",)) -> pipeline.Plan:
        return pipeline.Plan("Bad", inputs={"x": ("n",)}, stages=stages, outputs=outputs)

    with pytest.raises(syn.ArgumentError, match="stage y reads z, which is no input and no stage makes"):
        plan(pipeline.formula("y", 1, ("n",), lambda z: z))
    with pytest.raises(syn.ArgumentError, match="z is an output that no stage makes"):
        plan(pipeline.formula("y", 1, ("n",), lambda x: x), outputs=("z",))
    with pytest.raises(syn.ArgumentError, match="is no single number"):
        plan(pipeline.repeat(3, {"x": "y"}, [pipeline.formula("y", 1, ("n",), lambda x: x)], until="y"))
    with pytest.raises(syn.ArgumentError, match="reduction is one of sum, prod"):
        pipeline.formula("y", 1, (), lambda x: x, reduction="median")  # type: ignore[arg-type]
    with pytest.raises(syn.ArgumentTypeError, match="has no truth value; hint: choose by syntonic.where"):
        pipeline.formula("y", 1, ("n",), lambda x: x if x > 0 else -x)
    with pytest.raises(syn.ArgumentTypeError, match="hint: give arrays as operands"):
        pipeline.formula("y", 1, ("n",), lambda x: x + syn.ones(3))
    with pytest.raises(syn.ArgumentTypeError, match="a tuple of extents"):
        pipeline.formula("y", 1, "n", lambda x: x)
    good = plan(pipeline.formula("y", 1, ("n",), lambda x: x + 1))
    with pytest.raises(syn.ShapeError):
        good([[1.0]])
    with pytest.raises(syn.ArgumentTypeError, match="the inputs x are missing"):
        good()
    with pytest.raises(syn.ArgumentTypeError, match="is given twice"):
        good([1.0], x=[1.0])
    with pytest.raises(syn.ArgumentError, match="mode is one of fused, unfused"):
        good([1.0], mode="quick")  # type: ignore[arg-type]


def test_a_symbol_of_another_formula_is_refused() -> None:
    kept: list[object] = []
    pipeline.formula("y", 1, ("n",), lambda x: kept.append(x) or x)  # type: ignore[func-returns-value]
    with pytest.raises(syn.ArgumentError, match="a symbol of another formula"):
        pipeline.formula("z", 1, ("n",), lambda x: x + kept[0])
