"""Minima without gradients: RES, the resonant evolution strategy, and searches that live on the device of their start."""

from __future__ import annotations

import os
import sys
from time import monotonic

from syntonic import _core
from syntonic._checkpoints import place_of, saved_at_the_end, try_saving
from syntonic._device_search import DeviceSearch
from syntonic._progress import Progress
from syntonic._spread import spread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex
    from collections.abc import Callable

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["RES", "DeviceSearch", "Outcome", "spread"]

# Reasons after which another attempt may begin.
_ENDS_OF_ATTEMPTS = ("stagnation", "tolfun", "tolx")


class Outcome:
    """The result of a run.

    reason       why it ended: "target", "generations", "evaluations", "time", "tolfun", "tolx", "stagnation" or "stopped"
    best         the best candidate; None if nothing comparable was evaluated
    value        its value
    generations  of the whole search
    evaluations  of the whole search
    seconds      of this run
    """

    __slots__ = ("best", "evaluations", "generations", "reason", "seconds", "value")

    def __init__(self, reason: str, search: RES, seconds: float) -> None:
        self.reason = reason
        self.best = search.best
        self.value = search.best_value
        self.generations = search.generation
        self.evaluations = search.evaluations
        self.seconds = seconds

    def __repr__(self) -> str:
        return (
            f"Outcome(reason={self.reason!r}, value={self.value}, generations={self.generations}, "
            f"evaluations={self.evaluations}, seconds={self.seconds:.3f})"
        )


class RES:
    """A search from `x0`, a vector of n numbers, for the smallest value of an objective.

    sigma           the first step size: about a third of the distance to where the answer may be
    population      candidates of a generation; 4 + 3 ln n if not given
    seed            the same seed gives the same bits, also after a resume
    goal            "minimise" or "maximise", with s or with z
    survivors       how many candidates are evaluated, the most syntonic ones; or prefilter, the part of them
    sampling        "antithetic" pairs or "independent" candidates
    strategy        "auto", "isotropic", "separable", "full", or "elitist"
    syntony_weight  bonus of syntony in units of the objective; or syntony_spread, in units of the generation's spread
    mode_norms      squared mode norms, one for each coordinate; 0, 1, 4, ... if not given
    sigma_floor     the smallest step size
    restarts        where an attempt is over: "growing" begins another one near the start with twice the population,
                    "off" ends the run, "auto" is the first where a run's evaluations are limited, until three attempts
                    from the first on have converged at the same value

    None in place of any of them is its default.
    """

    _search: _core.Res

    def __init__(
        self,
        x0: ArrayLike,
        *,
        sigma: float | None = 0.3,
        population: int | None = None,
        seed: SupportsIndex | None = 0,
        goal: str | None = "minimise",
        survivors: int | None = None,
        prefilter: float | None = None,
        sampling: str | None = "antithetic",
        strategy: str | None = "auto",
        syntony_weight: float | None = None,
        syntony_spread: float | None = None,
        mode_norms: ArrayLike | None = None,
        sigma_floor: float | None = None,
        restarts: str | None = "auto",
    ) -> None:
        options: dict[str, Any] = {
            "sigma": sigma,
            "population": population,
            "seed": seed,
            "goal": goal,
            "survivors": survivors,
            "prefilter": prefilter,
            "sampling": sampling,
            "strategy": strategy,
            "syntony_weight": syntony_weight,
            "syntony_spread": syntony_spread,
            "mode_norms": mode_norms,
            "sigma_floor": sigma_floor,
            "restarts": restarts,
        }
        self._search = _core.Res(x0, options)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> RES:
        """The search that `save` or a checkpoint wrote; it goes on with the same bits."""
        search = cls.__new__(cls)
        search._search = _core.Res.load(path)
        return search

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the search to a file, whole or not at all."""
        self._search.save(path)

    def ask(self) -> State:
        """The next candidates, [K, n]. Asking again before telling gives the same ones."""
        return self._search.ask()

    def tell(self, values: ArrayLike) -> None:
        """Takes the K values of the candidates last asked for, in their order. NaN counts as worst."""
        self._search.tell(values)

    def restart(self) -> bool:
        """Begins another attempt where the search's options and limits want one, as `run` does; says whether it did."""
        return self._search.restart()

    @property
    def restarts(self) -> int:
        """Attempts before the present one."""
        return self._search.restarts

    @property
    def dimension(self) -> int:
        """n, the number of unknowns."""
        return self._search.dimension

    @property
    def generation(self) -> int:
        """Generations finished."""
        return self._search.generation

    @property
    def evaluations(self) -> int:
        """Evaluations of the objective so far."""
        return self._search.evaluations

    @property
    def sigma(self) -> float:
        """The step size."""
        return self._search.sigma

    @property
    def centre(self) -> State:
        """The centre of the search."""
        return self._search.centre

    @property
    def best(self) -> State | None:
        """The best candidate so far."""
        return self._search.best

    @property
    def best_value(self) -> float | None:
        """Its value."""
        return self._search.best_value

    @property
    def history(self) -> list[dict[str, Any]]:
        """Records of the generations: generation, evaluations, best, mean, sigma, syntony, nan.

        Every generation has one while there are at most 4096. From then on every second one is kept, from 8192 on every
        fourth, and so on; the latest is always there. A resumed search has the history of one never interrupted.
        """
        return self._search.history()

    def run(
        self,
        objective: Callable[[State], ArrayLike],
        *,
        generations: int | None = 10_000,
        evaluations: int | None = None,
        seconds: float | None = None,
        target: float | None = None,
        stagnation: int | bool | None = None,
        tolfun: float | bool | None = None,
        tolx: float | bool | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: int = 100,
        callback: Callable[[dict[str, Any]], object] | None = None,
        progress: bool | None = None,
    ) -> Outcome:
        """Runs until a limit holds. `objective` takes the candidates, a State [K, n], and returns their K values.

        The limits on generations and evaluations count the whole search, resumed or not; `seconds` are those of this run.

        An attempt is over after `stagnation` generations without a better value; where the values of the latest generation
        and the best ones of the 10 + 30 n / K latest generations differ by `tolfun` at most; and where the step size times
        the largest deviation of a coordinate is `tolx` at most. None chooses: 100 + 30 n / K generations, 1e-11, and 1e-11
        of the first step size. False never ends an attempt for that reason; `stagnation=False` has no tolerances but given
        ones. What happens then is the option `restarts`. `callback`
        sees the record of every generation and stops the run by returning False. `checkpoint` is written every
        `checkpoint_every` generations, at the end, and when the run is interrupted or the objective raises: what it
        raised comes out unchanged, and the search is where it was before that generation. A path that cannot be written
        is an error before the run begins; where it cannot be written later, on a full disk for example, a warning says
        so and the run goes on, and only at its end, with nothing else to raise, is it an error. The search is then still
        here, for `save`. `progress` shows a line on stderr; by default where that is a terminal.
        """
        place = place_of(self._search, checkpoint)
        self._search.set_limits(generations, evaluations, seconds, target, stagnation, tolfun, tolx)
        started = monotonic()
        line = Progress(sys.stderr, progress)
        try:
            with saved_at_the_end(self._search, place):
                reason = self._loop(objective, started, line, callback, place, checkpoint_every)
        finally:
            line.close()
        return Outcome(reason, self, monotonic() - started)

    def _loop(
        self,
        objective: Callable[[State], ArrayLike],
        started: float,
        line: Progress,
        callback: Callable[[dict[str, Any]], object] | None,
        checkpoint: str | None,
        every: int,
    ) -> str:
        search = self._search
        while True:
            elapsed = monotonic() - started
            reason = search.finished(elapsed)
            if reason in _ENDS_OF_ATTEMPTS and search.restart():
                continue
            if reason is not None:
                return reason
            search.tell(objective(search.ask()))
            if line.is_due():
                line.show(self._status(elapsed))
            if checkpoint is not None and every > 0 and search.generation % every == 0:
                try_saving(search, checkpoint)
            if callback is not None and callback(search.latest() or {}) is False:
                return search.finished(monotonic() - started) or "stopped"

    def _status(self, elapsed: float) -> str:
        value = self.best_value
        best = "none yet" if value is None else f"{value:.6g}"
        return (
            f"RES: generation {self.generation}, {self.evaluations} evaluations, best {best}, "
            f"step {self.sigma:.3g}, {elapsed:.1f} s"
        )

    def __repr__(self) -> str:
        return f"RES(n={self.dimension}, generation={self.generation}, best_value={self.best_value})"
