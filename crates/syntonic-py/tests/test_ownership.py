"""Classes that keep arrays: what is given is copied, and what is handed out changes nothing inside, unless it is said to be shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import syntonic as syn
from syntonic import State, evolve, exact, infer, nn, optim, random, resonant

#: An object, what it was made of, and a function of it that gives all that it knows.
Made = tuple[Any, list[Any], Callable[[Any], Any]]


def floats(*shape: int, seed: int = 0) -> State:
    return random.Generator(seed).uniform(shape, 0.5, 1.5, dtype="float64")


def told(x: Any) -> Any:
    """Everything of a result as plain Python."""
    if isinstance(x, State):
        return x.tolist()
    if isinstance(x, dict):
        return {name: told(part) for name, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [told(part) for part in x]
    return x


def states(x: Any) -> Iterator[State]:
    """Every State of a result."""
    if isinstance(x, State):
        yield x
    elif isinstance(x, dict):
        for part in x.values():
            yield from states(part)
    elif isinstance(x, (list, tuple)):
        for part in x:
            yield from states(part)


def spoil(x: Any) -> int:
    """Overwrites every State that can be written to; how many they were."""
    count = 0
    for state in states(x):
        state[...] = 7
        count += state.size > 0
    return count


def distribution(*shape: int) -> State:
    x = floats(*shape)
    return x / x.sum(0, keepdims=True)


def model() -> Made:
    likelihood, move = distribution(2, 2), distribution(2, 2, 2)
    preferences, initial = floats(2), distribution(2)
    given = [[likelihood], [move], [preferences], [initial]]

    def known(made: infer.DiscreteModel) -> Any:
        beliefs = made.initial
        found = infer.infer_states(made, 0)
        policies = infer.policies(made, 2)
        return beliefs, found, infer.expected_free_energy(made, beliefs, policies), infer.predict_states(made, beliefs, [1])

    return infer.DiscreteModel(*given), given, known


def one_state_model() -> Made:
    """Where nothing has to be permuted, joined or converted on the way in."""
    given = [[syn.ones((1, 1))], [syn.ones((1, 1, 1))], [floats(1)], [syn.ones(1)]]

    def known(made: infer.DiscreteModel) -> Any:
        return made.initial, infer.infer_states(made, 0), infer.expected_free_energy(made, made.initial, infer.policies(made, 1))

    return infer.DiscreteModel(*given), given, known


def agent() -> Made:
    """Its attributes are its own States, and it says so: they are copied here."""
    inner = model()[0]
    policies, prior = infer.policies(inner, 2), distribution(4)
    made = infer.DiscreteAgent(inner, policies=policies, policy_prior=prior)

    def known(made: infer.DiscreteAgent) -> Any:
        values = () if made.values is None else tuple(value.copy() for value in made.values)
        posterior = None if made.policy_posterior is None else made.policy_posterior.copy()
        prior = None if made.policy_prior is None else made.policy_prior.copy()
        return [x.copy() for x in made.beliefs], made.policies.copy(), prior, posterior, values, made.model.initial

    return made, [policies, prior], known


def agent_on_its_way() -> Made:
    made, _, known = agent()
    observation = syn.asarray(1)
    return made, [observation, made.observe(observation), made.plan()], known


def modes() -> Made:
    norms, psi = floats(4), floats(3, 4)

    def known(made: resonant.Modes) -> Any:
        # The roots of the norms are first taken here.
        return resonant.syntony(psi.copy(), made), resonant.differentiate(psi.copy(), made), resonant.harmonize(psi.copy(), made)

    return resonant.Modes(norms, "float64"), [norms], known


def crystallized() -> Made:
    x, norms = floats(2, 4), floats(4)
    known = lambda made: (made.values(), made.syntony(), made.norms, made.points.a, made.points.b, made.wake().values, made.cycle()[1])
    return resonant.Crystallized(x, norms), [x, norms], known


def crystallized_of_points() -> Made:
    a, b = syn.asarray([1, 2]), syn.asarray([0, 1])
    points = exact.GoldenArray(a, b)
    norms = floats(2)
    known = lambda made: (made.values(), made.syntony(), made.norms, made.points.a, made.points.b)
    return resonant.Crystallized(points, norms), [a, b, norms, points.a, points.to_float()], known


def flux() -> Made:
    x, norms = floats(2, 4), floats(4)
    known = lambda made: (made.values, made.syntony(), made.harmonize(made.syntony()).values)
    return resonant.Flux(x, norms), [x, norms], known


def attractors() -> Made:
    made, x = resonant.Attractors(), syn.asarray([3.0, 0.0, 0.0])
    kept = resonant.Crystallized(x)
    assert made.offer(kept)
    return made, [x, kept.values(), kept.points.a], lambda made: made.blend(resonant.Flux([0.0, 1.0, 2.0]), 0.5).values


def golden_array() -> Made:
    a, b = syn.asarray([[1, 2]]), syn.asarray([[3, 4]])
    known = lambda made: (made.a, made.b, made.to_float(), made.norm(), made.reshape((2, 1)).a)
    return exact.GoldenArray(a, b), [a, b], known


def res() -> Made:
    x0, norms = floats(5), floats(5)
    made = evolve.RES(x0, mode_norms=norms, seed=3)
    asked = made.ask()
    values = (asked**2).sum(-1)
    made.tell(values)

    def known(made: evolve.RES) -> Any:
        return made.ask(), made.centre, made.best, made.best_value, made.history

    return made, [x0, norms, asked, values], known


def device_search(rule: str, **settings: Any) -> Callable[[], Made]:
    def make() -> Made:
        x0, bounds = floats(6), (syn.full(6, -4.0), syn.full(6, 4.0))
        made = evolve.DeviceSearch(x0, 0.5, 8, rule=rule, bounds=bounds, seed=3, **settings)
        asked = made.ask()
        values = (asked**2).sum(-1)
        made.tell(values)
        handed = [made.step("sphere"), made.step(lambda x: (x**2).sum(-1)), made.run("sphere", 1), made.run(lambda x: (x**2).sum(-1), 1)]
        by_kernel = rule not in ("cma", "cr_fm_nes")
        if by_kernel:
            handed.append(made.run(lambda x: (x**2).sum(-1), 1, capture=True))

        def known(made: evolve.DeviceSearch) -> Any:
            return made.ask(), made.mean, made.deviation, made.best, made.history if by_kernel else None

        return made, [x0, bounds, asked, values, handed], known

    return make


def runs() -> Made:
    x0 = floats(2, 6)
    made = evolve.DeviceSearch(x0, 0.5, 8, seed=3)
    objective = lambda x: (x**2).sum(-1)
    handed = [made.run(objective, 1, capture=True), made.step("sphere"), made.run("sphere", 1)]
    return made, [x0, handed], lambda made: (made.ask(), made.mean, made.deviation, made.best, made.history)


def optimizer(kind: str, **settings: Any) -> Callable[[], Made]:
    def make() -> Made:
        """A state is a value: a step gives a new one, and neither parameters nor gradients are parts of it."""
        chosen = getattr(optim, kind)(0.1, **settings)
        params = {"half": floats(3).astype("float16"), "whole": floats(3)}
        grads = {"half": floats(3, seed=1).astype("float16"), "whole": floats(3, seed=2)}
        state = chosen.init(params)
        after, later = chosen.step(params, grads, state)
        return later, [params, grads, after, state], lambda made: syn.tree.map(lambda x: x.copy() if isinstance(x, State) else x, made)

    return make


def transfer_entropy() -> Made:
    x, y = floats(40), floats(40, seed=1)
    made = syn.information.TransferEntropy(x, y, surrogates=3, jitter=1e-3, captured=True)
    first, second = x.copy(), y.copy()

    def known(made: syn.information.TransferEntropy) -> Any:
        found = made(first.copy(), second.copy())
        return made.values(first.copy(), second.copy()), found.values, found.surrogates

    return made, [x, y], known


def graph() -> Made:
    x = floats(4)
    made = syn.Graph.capture(lambda a: a * 2 + 1, x)
    return made, [x], lambda made: made(syn.full(4, 3.0))


def module() -> Made:
    made = nn.Linear(3, 2)
    saved = {name: x.copy() + 1 for name, x in made.state_dict().items()}
    made.load_state_dict(saved)
    # Parameters are shared, and the module says so; what is loaded is not.
    return made, [saved], lambda made: {name: x.copy() for name, x in made.state_dict().items()}


def batch_norm_state() -> Made:
    made, x = nn.BatchNormState(3), floats(5, 3)
    y = nn.golden_batch_norm_1d(x, running=made)
    return made, [x, y], lambda made: (made.mean.copy(), made.var.copy())


CLASSES: dict[str, Callable[[], Made]] = {
    "DiscreteModel": model,
    "DiscreteModel of one state": one_state_model,
    "DiscreteAgent": agent,
    "DiscreteAgent on its way": agent_on_its_way,
    "Modes": modes,
    "Crystallized": crystallized,
    "Crystallized of points": crystallized_of_points,
    "Flux": flux,
    "Attractors": attractors,
    "GoldenArray": golden_array,
    "RES": res,
    "DeviceSearch of runs": runs,
    "TransferEntropy": transfer_entropy,
    "Graph": graph,
    "Module": module,
    "BatchNormState": batch_norm_state,
}
CLASSES |= {f"DeviceSearch {rule}": device_search(rule) for rule in ("res", "separable", "separable_cma", "snes", "cma", "cr_fm_nes")}
CLASSES["DeviceSearch openai"] = device_search("openai", learning_rate=0.1)
OPTIMIZERS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"momentum": 0.9}),
    ("SGD", {"momentum": 0.9, "nesterov": True, "master": True}),
    ("Adam", {}),
    ("Adam", {"master": True}),
    ("AdamW", {"master": True, "max_norm": 1e6}),
    ("Lion", {"master": True}),
]
CLASSES |= {f"{kind} {settings}": optimizer(kind, **settings) for kind, settings in OPTIMIZERS}


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_given_is_copied(name: str) -> None:
    made, given, known = CLASSES[name]()
    before = told(known(made))
    assert spoil(given) > 0
    assert told(known(made)) == before


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_handed_out_changes_nothing_inside(name: str) -> None:
    made, _, known = CLASSES[name]()
    before = told(known(made))
    for _ in range(2):
        assert spoil(known(made)) > 0
        assert told(known(made)) == before


def test_a_models_prior_stays_whatever_its_agents_do() -> None:
    made, _, _ = model()
    before = told(made.initial)
    one = infer.DiscreteAgent(made)
    one.beliefs[0][:] = 0.25
    made.initial[0][:] = 0.125
    assert told(made.initial) == before == told(infer.DiscreteAgent(made).beliefs)
    assert told(infer.DiscreteAgent(made).observe(0)) == told(infer.infer_states(made, 0))
    # What an agent believes is its own, and can be told to it.
    assert told(one.beliefs) == [[0.25, 0.25]]


def test_what_a_function_gives_is_not_what_it_was_given() -> None:
    """Results that equal an operand are no views of it."""
    made, _, _ = model()
    certain = infer.DiscreteModel([[[1.0, 0.0], [0.0, 1.0]]], [[[[1.0], [0.0]], [[0.0], [1.0]]]], None, [[1.0, 0.0]])
    prior = [syn.asarray([1.0, 0.0])]
    # What cannot be: beliefs are the prior.
    found = infer.infer_states(certain, 1, prior)
    assert bool(found.impossible) and told(found.beliefs) == [[1.0, 0.0]]
    spoil(found)
    assert told(prior) == [[1.0, 0.0]] and told(certain.initial) == [[1.0, 0.0]]
    habit = distribution(4)
    before = told(habit)
    spoil(infer.policy_posterior(floats(4), 0.0, habit))
    assert told(habit) == before
    psi = floats(3)
    spoil(syn.golden.projection_sum(floats(3, 1), [], []))
    x, before = psi.copy(), told(psi)
    spoil([syn.phi_residual(x, syn.zeros(3)), nn.softmax(x), nn.syntonic_softmax(x), syn.golden_gelu(x)])
    assert told(x) == before
    assert made is not None
