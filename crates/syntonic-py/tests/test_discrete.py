"""Active inference over discrete states: against pymdp, by fixture, and against the rule of Bayes in NumPy."""

from __future__ import annotations

import doctest
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import syntonic
from syntonic import _discrete, infer

FIXTURE = json.loads((Path(__file__).parent / "fixtures" / "discrete_inference.json").read_text(encoding="utf-8"))
CASES: dict[str, Any] = FIXTURE["cases"]
# Free energies and values are sums of at most 300 terms, which together are below 40: in float64 they lose less than 300 * 40 * 2^-53 and
# pymdp's as much, in float32 less than 40 * sqrt(300) * 2^-24 where rounding errors are independent. The posterior of policies multiplies
# this by gamma = 2.
WITHIN = {"float64": 3e-12, "float32": 1e-4}


def built(case: dict[str, Any], dtype: str = "float64") -> infer.DiscreteModel:
    parts = ([syntonic.asarray(np.array(part), dtype=dtype) for part in case["model"][name]] for name in "ABCD")
    return infer.DiscreteModel(*parts)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", CASES)
def test_as_pymdp(name: str, dtype: str) -> None:
    case = CASES[name]
    model, within = built(case, dtype), WITHIN[dtype]
    policies = infer.policies(model, case["horizon"])
    assert policies[-2:].tolist() == case["last_policies"]

    def near(got: syntonic.State, want: object) -> None:
        assert str(got.dtype) == dtype
        np.testing.assert_allclose(got.numpy(), want, rtol=0, atol=within)

    # All observations at once: agents.
    seen = [np.array(column) for column in zip(*(f["observation"] for f in case["found"]), strict=True)]
    made = infer.infer_states(model, seen, sweeps=400, tolerance=0.0)
    values = infer.expected_free_energy(model, made.beliefs, policies)
    posterior = infer.policy_posterior(values.negative_efe, FIXTURE["gamma"])
    marginals = infer.action_marginals(model, posterior, policies)
    actions = infer.choose_action(marginals)
    assert not made.impossible.numpy().any()
    for agent, want in enumerate(case["found"]):
        for belief, expected in zip(made.beliefs, want["beliefs"], strict=True):
            near(belief[agent], expected)
        near(made.free_energy[agent], want["free_energy"])
        for part in ("negative_efe", "utility", "information_gain"):
            near(getattr(values, part)[agent], want[part])
        near(posterior[agent], want["posterior"])
        for marginal, expected in zip(marginals, want["marginals"], strict=True):
            near(marginal[agent], expected)
        for f, expected in enumerate(want["marginals"]):
            # Where two actions are alike to within rounding, either is the most probable.
            assert expected[actions[agent, f].item()] >= max(expected) - within


def test_filtering_is_exact() -> None:
    """A hidden Markov chain of 7 states: beliefs are those of the forward algorithm, and free energies add up to its evidence."""
    rng = np.random.default_rng(8)
    a, b, d = rng.dirichlet(np.ones(4), 7).T, np.moveaxis(rng.dirichlet(np.ones(7), (7, 3)), -1, 0), rng.dirichlet(np.ones(7))
    model = infer.DiscreteModel([a], [b], initial=[d])
    belief, forward, total = [syntonic.asarray(d)], d.copy(), 0.0
    for _ in range(50):
        outcome, action = int(rng.integers(4)), int(rng.integers(3))
        made = infer.infer_states(model, outcome, belief)
        total += made.free_energy.item()
        forward *= a[outcome]
        np.testing.assert_allclose(made.beliefs[0].numpy(), forward / forward.sum(), rtol=0, atol=1e-14)
        belief = infer.predict_states(model, made.beliefs, [action])
        forward = b[:, :, action] @ forward
    # The weights of the forward algorithm are never divided: their sum is the evidence. 50 sums of numbers below 3.
    assert total == pytest.approx(-math.log(forward.sum()), abs=1e-12)


def test_a_mouse_asks_for_the_way() -> None:
    """In the T-maze agents go to the cue first, since it tells where the reward is, and then into the arm that it named."""
    model = built(CASES["t-maze"])
    agent = infer.DiscreteAgent(model, 2)
    agent.observe([[0, 0], [0, 0], [0, 0]])
    first = agent.act()
    assert first[:, 0].tolist() == [3, 3]
    found = agent.observe([[3, 3], [0, 0], [1, 2]])
    assert np.allclose(found.beliefs[1].numpy(), np.eye(2), rtol=0, atol=1e-12)
    assert agent.act()[:, 0].tolist() == [1, 2]
    assert agent.steps == 2
    assert agent.values is not None and agent.values.information_gain.shape == (2, 16)


def test_draws_have_places() -> None:
    model = built(CASES["grid"])
    agent, again = (infer.DiscreteAgent(model, 2, gamma=0.5, alpha=1.0) for _ in range(2))
    taken = []
    for each in (agent, again):
        each.observe([np.arange(9)])
        taken.append([each.act(seed=3).tolist() for _ in range(4)])
    assert taken[0] == taken[1]
    # The second step draws on from where the first ended, and another seed draws others.
    assert len({str(step) for step in taken[0]}) == 4
    planned = again.plan()
    marginals = infer.action_marginals(model, planned, again.policies)
    assert again.act(seed=3).tolist() == infer.sample_action(marginals, 3, alpha=1.0, offset=4 * 9).tolist()
    assert infer.sample_action(marginals, 4, alpha=1.0).tolist() != infer.sample_action(marginals, 3, alpha=1.0).tolist()
    # As marginals are: 20,000 draws, five deviations.
    drawn = infer.sample_action([syntonic.broadcast_to(marginals[0][0], (20000, 5))], 1, alpha=1.0).numpy()
    shares = np.bincount(drawn[:, 0], minlength=5) / 20000
    assert np.abs(shares - marginals[0][0].numpy()).max() < 5 * 0.5 / math.sqrt(20000)


def test_policies_and_habits_of_ones_own() -> None:
    model = built(CASES["grid"])
    agent = infer.DiscreteAgent(model, policies=[[[1], [1]], [[4], [4]]], policy_prior=[0.0, 1.0])
    agent.observe(0)
    assert agent.plan().tolist() == [0.0, 1.0]
    assert agent.act().tolist() == [4]


def test_what_cannot_be_is_said() -> None:
    model = infer.DiscreteModel([np.eye(2)], [np.eye(2)[..., None]], initial=[[1.0, 0.0]])
    made = infer.infer_states(model, [[0, 1]])
    assert made.impossible.tolist() == [False, True]
    assert made.beliefs[0].tolist() == [[1.0, 0.0], [1.0, 0.0]]
    assert made.free_energy.tolist() == [0.0, math.inf] and made.accuracy.tolist() == [0.0, -math.inf]


def test_a_model_shows_itself() -> None:
    model = built(CASES["t-maze"], "float32")
    assert repr(model) == "DiscreteModel(outcomes=(4, 3, 3), states=(4, 2), actions=(4, 1), dtype=float32, device=cpu)"
    assert (model.outcomes, model.states, model.actions) == ((4, 3, 3), (4, 2), (4, 1))
    assert [part.tolist() for part in model.initial] == [[1.0, 0.0, 0.0, 0.0], [0.5, 0.5]]
    assert str(model.dtype) == "float32" and str(model.device) == "cpu"


def test_mistakes_say_what_fits() -> None:
    model = built(CASES["two factors"])
    with pytest.raises(ValueError, match=r"DiscreteModel: shapes do not fit.*transition 0 is \[states, states before, actions\]"):
        infer.DiscreteModel([np.eye(2)], [np.eye(2)])
    with pytest.raises(ValueError, match=r"likelihood 0 has a distribution .* divide by the sum"):
        infer.DiscreteModel([2 * np.eye(2)], [np.eye(2)[..., None]])
    with pytest.raises(TypeError, match="real floats"):
        infer.DiscreteModel([[[1, 0], [0, 1]]], [np.eye(2)[..., None]])
    with pytest.raises(ValueError, match="observation 1 has the number 4; it goes from 0 to 3"):
        infer.infer_states(model, [0, 4])
    with pytest.raises(ValueError, match="1 observations for 2 modalities"):
        infer.infer_states(model, 0)
    with pytest.raises(TypeError, match="infer_states: model is 3; it must be a DiscreteModel"):
        infer.infer_states(3, 0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"actions are \[..., 2\]"):
        infer.predict_states(model, model.initial, [0])
    with pytest.raises(ValueError, match="gamma"):
        infer.policy_posterior([0.0, 1.0], math.nan)
    with pytest.raises(ValueError, match="alpha"):
        infer.sample_action([[0.5, 0.5]], 1, alpha=0.0)
    with pytest.raises(ValueError, match="preferences are given for 3 steps"):
        timed = built(CASES["preferences in time"])
        infer.expected_free_energy(timed, timed.initial, infer.policies(timed, 4))


def test_examples_of_the_documentation() -> None:
    for module in (infer, _discrete):
        run = doctest.testmod(module)
        assert run.attempted > 2 and not run.failed
