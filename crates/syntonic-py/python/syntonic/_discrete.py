"""Active inference over discrete states: beliefs about what is hidden, and actions. `syntonic.infer` has all of it.

Gradients flow through all but the choice of an action: from beliefs, and from the numbers of the model."""

from __future__ import annotations

from syntonic import _core
from syntonic._core import DiscreteModel
from syntonic._records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike, Arrays


class InferredStates(NamedTuple):
    """What `infer_states` finds, each part with a number for each agent.

    `beliefs` about each factor, `[..., s_f]`; `free_energy = complexity - accuracy` in nats; where the observation is `impossible` under the
    prior, so that beliefs are the prior and the free energy is infinite; where sweeps have `converged`.
    """

    beliefs: list[State]
    free_energy: State
    complexity: State
    accuracy: State
    impossible: State
    converged: State


class PolicyValues(NamedTuple):
    """`negative_efe = utility + information_gain` in nats, `[..., policies]` each; larger is better."""

    negative_efe: State
    utility: State
    information_gain: State


def infer_states(
    model: DiscreteModel, observations: Arrays, prior: Arrays | None = None, *, sweeps: int = 64, tolerance: float = 1e-6
) -> InferredStates:
    """Beliefs about the hidden states after an observation: for each modality outcomes `[...]` as integers from 0, or distributions over them
    `[..., obs_m]` as floats `-> [..., s_f]` for each factor, with the free energy `[...]`. The prior is `[..., s_f]` for each factor, that of
    the model where none is given. Leading axes are agents and broadcast. A list or tuple has an array for each modality or factor; where there
    is one, its State or NumPy array will do.

    One factor: the exact posterior, `softmax(ln p(s) + ln p(o | s))`, and its free energy is minus the log evidence. Several: a product of
    beliefs, from equal ones on; each factor in turn takes `softmax(ln p(s_f) + E[ln p(o | s)])`, which never raises the free energy,
    until no probability of an agent moves by `tolerance` or after so many `sweeps`. A likelihood of 0 counts there as 2**-52,
    as in pymdp. A distribution adds `sum p(o) ln p(o | s)`, and one of zeros nothing: that modality was not looked at.

    Where no state that the prior allows can show what was seen, `impossible` is true, beliefs are the prior and the free energy is infinite.
    Errors are shapes that do not fit, outcomes outside their modality, other types and several devices.

    >>> from syntonic import infer
    >>> model = infer.DiscreteModel([[[0.9, 0.1], [0.1, 0.9]]], [[[[1.0], [0.0]], [[0.0], [1.0]]]])
    >>> [round(p, 6) for p in infer.infer_states(model, 0).beliefs[0].tolist()]
    [0.9, 0.1]
    """
    return InferredStates(*_core.infer_states(model, observations, prior, sweeps, tolerance))


def predict_states(model: DiscreteModel, beliefs: Arrays, actions: ArrayLike) -> list[State]:
    """Beliefs one action later, `q'(s') = sum over s of p(s' | s, a) q(s)`: `[..., s_f]` for each factor and actions `[..., factors]` as integers
    `-> [..., s_f]` for each factor, the prior of the next observation. Leading axes broadcast."""
    return _core.predict_states(model, beliefs, actions)


def policies(model: DiscreteModel, horizon: int) -> State:
    """All sequences of actions over a horizon: `int64` `[policies, horizon, factors]` on the CPU, the last action of the last factor fastest.

    There are `(a_1 .. a_F)**horizon`.
    """
    return _core.policies(model, horizon)


def expected_free_energy(model: DiscreteModel, beliefs: Arrays, policies: ArrayLike) -> PolicyValues:
    """What each policy is expected to bring: beliefs `[..., s_f]` for each factor and policies `[policies, horizon, factors]`
    `-> [..., policies]` three times.

    With the predicted states q(s) and outcomes q(o) of a step, `utility = sum q(o) C(o)` and `information_gain = H[q(o)] - sum q(s) H[p(o | s)]`
    (Bayesian surprise), summed over modalities and steps. `negative_efe` is their sum, minus the expected free energy: what pymdp
    calls G or `neg_efe`. `0 ln 0` is 0, and so is 0 times a preference of minus infinity. Policies may be on any device.
    """
    return PolicyValues(*_core.expected_free_energy(model, beliefs, policies))


def policy_posterior(negative_efe: ArrayLike, gamma: float = 16.0, prior: ArrayLike | None = None) -> State:
    """How probable each policy is, `softmax(gamma negative_efe + ln prior)`: `[..., policies]` and a prior `[policies]` `-> [..., policies]`.

    A value of minus infinity has the probability 0; where all values are such the posterior is the prior, and for a `gamma` of 0 too.
    """
    return _core.policy_posterior(negative_efe, gamma, prior)


def action_marginals(model: DiscreteModel, posterior: ArrayLike, policies: ArrayLike) -> list[State]:
    """How probable each first action is: `[..., policies] -> [..., a_f]` for each factor, the sum over the policies that begin with it."""
    return _core.action_marginals(model, posterior, policies)


def choose_action(marginals: Arrays) -> State:
    """The most probable action of each factor, the first of those that are alike: `[..., a_f]` for each `-> int64` `[..., factors]`."""
    return _core.choose_action(marginals)


def sample_action(marginals: Arrays, seed: int, *, alpha: float = 16.0, offset: int = 0) -> State:
    """An action of each factor drawn with probabilities that go as `marginals**alpha`: `[..., a_f]` for each `-> int64` `[..., factors]`.

    Agent i takes random number `offset + i * factors + f` of the seed for factor f, so an action depends on seed and place alone, and not on
    the device or the type. An `alpha` of 1 draws from the marginals; larger ones keep closer to the most probable action.
    """
    return _core.sample_action(marginals, alpha, seed, offset)


class DiscreteAgent:
    """Agents that share a model, in a loop of `observe`, `plan` and `act`; any number of them in one call, by leading axes of observations.

    `policies` `[policies, horizon, factors]` are all of the `horizon` where none are given, and `policy_prior` `[policies]` is how probable they
    are by habit. `beliefs` are those of now: the initial ones, after `observe` the posterior, after `act` what the action leads to.

    What is given is copied, and so is what methods give: writing to it changes nothing here, and nothing of the model. The attributes are the
    agent's own States and no copies: writing to `beliefs` changes what it believes, to `policy_posterior` what it will do, and what is set there is
    used as it is.

    >>> from syntonic import infer
    >>> switch = [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]
    >>> model = infer.DiscreteModel([[[0.9, 0.1], [0.1, 0.9]]], [switch], [[0.0, 2.0]])
    >>> agent = infer.DiscreteAgent(model)
    >>> agent.observe(0).beliefs[0].tolist() == agent.beliefs[0].tolist()
    True
    >>> agent.act().tolist(), [round(p, 6) for p in agent.beliefs[0].tolist()]
    ([1], [0.1, 0.9])
    """

    def __init__(
        self,
        model: DiscreteModel,
        horizon: int = 1,
        *,
        gamma: float = 16.0,
        alpha: float = 16.0,
        policies: ArrayLike | None = None,
        policy_prior: ArrayLike | None = None,
        sweeps: int = 64,
        tolerance: float = 1e-6,
    ) -> None:
        self.model = model
        self.policies: State = _owned(_core.policies(model, horizon) if policies is None else policies)
        steps = self.policies.shape[1] if self.policies.ndim > 1 else 1
        if policies is not None and horizon not in (1, steps):
            raise _core.ArgumentError(f"DiscreteAgent: horizon={horizon!r:.40} with policies of {steps} steps; hint: leave one of them out")
        self.policy_prior: State | None = None if policy_prior is None else _owned(policy_prior, model)
        self.gamma, self.alpha, self.sweeps, self.tolerance = gamma, alpha, sweeps, tolerance
        self.beliefs = model.initial
        self.values: PolicyValues | None = None
        self.policy_posterior: State | None = None
        self.steps = 0

    def observe(self, observations: Arrays) -> InferredStates:
        """What the agents believe now, after an observation `[...]` for each modality; as `infer_states`, with the beliefs so far as the prior."""
        found = infer_states(self.model, observations, self.beliefs, sweeps=self.sweeps, tolerance=self.tolerance)
        self.beliefs, self.policy_posterior = [belief.copy() for belief in found.beliefs], None
        return found

    def plan(self) -> State:
        """How probable each policy is, `[..., policies]`; `values` then has what it is expected to bring."""
        self.values = expected_free_energy(self.model, self.beliefs, self.policies)
        self.policy_posterior = policy_posterior(self.values.negative_efe, self.gamma, self.policy_prior)
        return self.policy_posterior.copy()

    def act(self, seed: int | None = None) -> State:
        """The action of each agent, `int64` `[..., factors]`: the most probable one, or drawn where there is a seed. Beliefs become what it leads to.

        Plans first where nothing was planned since the last observation or action. Each step draws other random numbers of the same seed.
        """
        planned = self.plan() if self.policy_posterior is None else self.policy_posterior
        marginals = action_marginals(self.model, planned, self.policies)
        if seed is None:
            action = choose_action(marginals)
        else:
            agents = planned.size // planned.shape[-1]
            action = sample_action(marginals, seed, alpha=self.alpha, offset=self.steps * agents * len(marginals))
        self.beliefs, self.policy_posterior = predict_states(self.model, self.beliefs, action), None
        self.steps += 1
        return action


def _owned(x: ArrayLike, model: DiscreteModel | None = None) -> State:
    """A State that nobody else writes to; numbers without a type or place get those of the model."""
    if isinstance(x, _core.State):
        return x.copy()
    if model is not None and isinstance(x, (list, tuple, float, int)):
        return _core.asarray(x, model.dtype, model.device, copy=True)
    return _core.asarray(x, copy=True)
