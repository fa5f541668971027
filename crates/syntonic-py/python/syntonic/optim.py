"""Optimisers: functions from parameters, gradients and a state to new parameters and a new state.

Parameters are a State or a tree of them: dicts, lists, tuples, modules. A state is a plain dict, whose trees have the form of the
parameters: `{"step": 3, "m": ..., "v": ...}`. On a GPU all parameters are updated in one launch, or in one for each combination of types that
they, their gradients and moments have.

Moments of `float16` and `bfloat16` are `float32`: squares of their gradients go beyond `float16` at 256, and a running mean stands still in few
digits. A parameter itself is rounded to its type at each update, so that steps of less than half a unit of its last place move nothing. With
`master=True` the state also has a copy of these parameters in `float32`, which all updates add to; each new parameter is its copy, rounded.

>>> import syntonic as syn
>>> w, optimizer = {"x": syn.asarray([3.0, -2.0])}, syn.optim.Adam(0.05)
>>> state = optimizer.init(w)
>>> for _ in range(400):
...     w, state = optimizer.step(w, syn.grad(lambda w: (w["x"] ** 2).sum())(w), state)
>>> bool(abs(w["x"]).max() < 1e-2)
True
"""

from __future__ import annotations

from syntonic import _core, tree
from syntonic._core import ArgumentError, ArgumentTypeError, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["SGD", "Adam", "AdamW", "Lion", "clip_by_global_norm"]


class _Optimizer:
    """What the optimisers of this module have in common.

    `learning_rate` is a number, or a schedule: a function of the number of the update, from 0 on, that gives one. With
    `max_norm`, gradients are first scaled to a common length of at most that, within the update: they are not rounded in between.
    With `master`, parameters of half types have a copy in `float32` in the state, which takes the updates; others have None there."""

    learning_rate: float | Callable[[int], float]
    max_norm: float | None
    master: bool
    _MOMENTS: tuple[str, ...] = ()
    _settings: _core.Optimizer

    def __init__(
        self, learning_rate: float | Callable[[int], float], max_norm: float | None, master: bool, settings: _core.Optimizer
    ) -> None:
        if not isinstance(master, bool):
            raise ArgumentTypeError(f"{type(self).__name__}: master is True or False, not {type(master)}")
        self.learning_rate, self.max_norm, self.master, self._settings = learning_rate, max_norm, master, settings

    def init(self, params: Any) -> dict[str, Any]:
        """The state before the first update."""
        state: dict[str, Any] = {"step": 0}
        if names := self._moments():
            rows = [self._settings.moments(_state(x)) for x in tree.leaves(params)]
            columns = [[row[k] for row in rows] for k in range(len(names))]
            state |= zip(names, tree._trees(params, columns))
        if self.master:
            state["master"] = tree.map(lambda x: self._settings.master(_state(x)), params)
        return state

    def step(self, params: Any, grads: Any, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The parameters after one update, and the state after it; what was given stays as it was."""
        names = self._moments() + (("master",) if self.master else ())
        if not isinstance(state, dict) or set(state) != {"step", *names}:
            raise ArgumentError(f"{type(self).__name__}: the state has not the entries {['step', *names]}; hint: begin with that of init(params)")
        at = state["step"]
        rate = self.learning_rate(at) if callable(self.learning_rate) else self.learning_rate
        weights, slopes, *kept = tree._columns(params, grads, *(state[name] for name in names))
        masters = kept.pop() if self.master else None
        moved, moments, copies = self._settings.step(at + 1, rate, self.max_norm, weights, slopes, kept, masters)
        moved, *after = tree._trees(params, [moved, *moments, copies] if self.master else [moved, *moments])
        return moved, {"step": at + 1} | dict(zip(names, after))

    def _moments(self) -> tuple[str, ...]:
        return self._MOMENTS


class SGD(_Optimizer):
    """`p - rate d` with `d = g + weight_decay p`; with momentum along `v' = momentum v + d`, and with `nesterov` along
    `d + momentum v'`."""

    def __init__(
        self,
        learning_rate: float | Callable[[int], float],
        *,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float = 0.0,
        max_norm: float | None = None,
        master: bool = False,
    ) -> None:
        if nesterov and momentum == 0:
            raise ArgumentError("SGD: nesterov without momentum is nothing; hint: give momentum=0.9")
        super().__init__(learning_rate, max_norm, master, _core.Optimizer.sgd(momentum, nesterov, weight_decay))
        self._has_momentum = momentum != 0

    def _moments(self) -> tuple[str, ...]:
        return ("v",) if self._has_momentum else ()


class Adam(_Optimizer):
    """`p - rate m'/(1 - b1^t) / (sqrt(v'/(1 - b2^t)) + eps)`, where m and v are running means of gradients and of their squares, and
    `weight_decay` adds a part of p to its gradient. Kingma and Ba, 2015."""

    _MOMENTS = ("m", "v")

    def __init__(
        self,
        learning_rate: float | Callable[[int], float] = 1e-3,
        *,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        max_norm: float | None = None,
        master: bool = False,
    ) -> None:
        super().__init__(learning_rate, max_norm, master, _core.Optimizer.adam(betas, eps, weight_decay, False))


class AdamW(_Optimizer):
    """Adam, where p loses `rate weight_decay p` by itself and its gradient stays as it is. Loshchilov and Hutter, 2019."""

    _MOMENTS = ("m", "v")

    def __init__(
        self,
        learning_rate: float | Callable[[int], float] = 1e-3,
        *,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        max_norm: float | None = None,
        master: bool = False,
    ) -> None:
        super().__init__(learning_rate, max_norm, master, _core.Optimizer.adam(betas, eps, weight_decay, True))


class Lion(_Optimizer):
    """`p - rate (sign(b1 m + (1 - b1) g) + weight_decay p)`, and then `m' = b2 m + (1 - b2) g`. Chen et al., 2023."""

    _MOMENTS = ("m",)

    def __init__(
        self,
        learning_rate: float | Callable[[int], float] = 1e-4,
        *,
        betas: tuple[float, float] = (0.9, 0.99),
        weight_decay: float = 0.0,
        max_norm: float | None = None,
        master: bool = False,
    ) -> None:
        super().__init__(learning_rate, max_norm, master, _core.Optimizer.lion(betas, weight_decay))


def clip_by_global_norm(grads: Any, max_norm: float) -> tuple[Any, State]:
    """The gradients, a tree of States, scaled so that all of them together are no longer than `max_norm`, and the length that they
    had: the root of the sum of their squares."""
    clipped, length = _core.clip_by_global_norm([_state(g) for g in tree.leaves(grads)], max_norm)
    return tree._rebuilt(grads, iter(clipped)), length


def _state(x: Any) -> State:
    if isinstance(x, State):
        return x
    raise ArgumentTypeError(f"optim: parameters and gradients are States, and trees of them, not {type(x)}; hint: convert it with asarray")
