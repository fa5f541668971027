"""Minima without gradients: RES, the resonant evolution strategy, and searches that live on the device of their start."""

from __future__ import annotations

import operator
import os
import sys
from time import monotonic

from syntonic import _core
from syntonic._batch import Batch, attempt_end
from syntonic._checkpoints import place_of, saved_at_the_end, try_saving
from syntonic._device_search import DeviceSearch
from syntonic._outcome import Outcome
from syntonic._progress import Progress, time_left
from syntonic._spread import spread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex
    from collections.abc import Callable, Sequence
    from logging import Logger

    from syntonic._core import Device, State
    from syntonic._typing import ArrayLike, DeviceLike

__all__ = ["RES", "Batch", "DeviceSearch", "Outcome", "spread"]

class RES:
    """A search from `x0`, a vector of n numbers, for the smallest value of an objective.

    sigma           the first step size: about a third of the distance to where the answer may be; or one for each coordinate, with a
                    separable or full matrix, or one of low rank
    population      candidates of a generation; 4 + 3 ln n if not given
    seed            the same seed gives the same bits, also after a resume; None draws one, which `seed` and the outcome show
    goal            "minimise" or "maximise", with s or with z
    survivors       how many candidates are evaluated, the most syntonic ones; or prefilter, the part of them
    sampling        "antithetic" pairs, or "independent" candidates, which is the default on a lattice
    strategy        "isotropic", "separable", "full", "low_rank" or "elitist"; "auto" is full up to 64 unknowns and separable
                    beyond; where the search sees that coordinates depend on each other it becomes full, or "low_rank", with
                    some twenty long axes, of more than 1,000 unknowns. `search.strategy` and the outcome say which one runs
    syntony_weight  bonus of syntony in units of the objective; or syntony_spread, in units of the generation's spread
    mode_norms      squared mode norms, one for each coordinate; 0, 1, 4, ... if not given
    sigma_floor     the smallest step size
    bounds          the least and the largest of each coordinate, `(lower, upper)`: numbers, arrays `[n]`, or None for no bound.
                    Candidates beyond a bound are reflected at it (R. Biedrzycki, "Handling bound constraints in CMA-ES", 2020)
    lattice         "integers", between the bounds, or "golden": candidates are a + b phi of integers up to lattice_bound, 100 if
                    not given. They settle on it by the covariance that the search has learnt; the guide has an example.
                    A full matrix is then learnt up to 200 unknowns, and a generation has four times as many candidates
    lattice_coordinates  the coordinates that lie on the lattice, all if not given; the others are real numbers
    restarts        where an attempt is over: "growing" begins another one near the start with twice the population,
                    "off" ends the run, "auto" is the first where a run's evaluations are limited, until three attempts
                    from the first on have converged at the same value

    noise           "auto" evaluates some candidates again and, where their ranks change, all of them several times: what counts is the mean
                    (UH-CMA-ES: Hansen et al., "A method for handling uncertainty in evolutionary optimization", 2009). `ask` then
                    gives a row for each evaluation and `tell` takes as many values; `centre` is the answer, for the best one is a
                    lucky one, and no attempt is over for want of a better one, unless `stagnation` says so. "off" takes every
                    value as it is

    device          where candidates are drawn and learnt from, a `syntonic.Device` or its name: `ask` then gives float64 States there. A
                    seed gives the bits of `strategy="full"` without a device, which is what "auto" comes to on one, for at most
                    4,096 unknowns. The values of every generation are read on the host, where `centre`, `best`, `history` and the
                    limits of a run are; one that has injected points is drawn there. Other strategies, a lattice, sampling="independent",
                    survivors, prefilter, syntony_weight, syntony_spread, sigma_floor and an odd population are ArgumentErrors there

    None in place of any of them is its default. An option that the strategy would not look at is an ArgumentError.

        >>> import syntonic
        >>> search = syntonic.evolve.RES([3.0, 2.0], sigma=[1.0, 0.1], bounds=(0, None), goal="maximize", seed=7)
        >>> outcome = search.run(lambda x: -(x * x).sum(-1), progress=False)
        >>> outcome.reason, abs(outcome.value) < 1e-10, search.strategy
        ('tolfun', True, 'full')
    """

    _search: _core.Res

    def __init__(
        self,
        x0: ArrayLike,
        *,
        sigma: ArrayLike | None = 0.3,
        population: int | None = None,
        seed: SupportsIndex | None = None,
        goal: str | None = "minimise",
        survivors: int | None = None,
        prefilter: float | None = None,
        sampling: str | None = None,
        strategy: str | None = "auto",
        syntony_weight: float | None = None,
        syntony_spread: float | None = None,
        mode_norms: ArrayLike | None = None,
        sigma_floor: float | None = None,
        restarts: str | None = "auto",
        bounds: tuple[ArrayLike | None, ArrayLike | None] | None = None,
        lattice: str | None = None,
        lattice_bound: int | None = None,
        lattice_coordinates: Sequence[int] | None = None,
        noise: str | None = "off",
        device: DeviceLike | None = None,
    ) -> None:
        options: dict[str, Any] = {
            "sigma": sigma,
            "population": population,
            "seed": _drawn_seed() if seed is None else seed,
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
            "bounds": bounds,
            "lattice": lattice,
            "lattice_bound": lattice_bound,
            "lattice_coordinates": lattice_coordinates,
            "noise": noise,
        }
        self._search = _core.Res(x0, options, device)

    @classmethod
    def batch(cls, x0: ArrayLike, *, runs: int | None = None, seed: SupportsIndex | None = None, **options: Any) -> Batch:
        """Independent searches, from each row of `x0`, or `runs` of them from one start; the k-th has the seed `seed + k`. `options`
        are those of `RES`.

            >>> import syntonic
            >>> batch = syntonic.evolve.RES.batch([3.0] * 5, runs=3, seed=10, sigma=1.0)
            >>> [search.seed for search in batch.searches]
            [10, 11, 12]
        """
        starts = _core.asarray(x0)
        if (starts.ndim, runs is None) not in ((1, False), (2, True)):
            raise _core.ShapeError(f"RES.batch: starts of {list(starts.shape)} and runs={runs!r:.40}; hint: [runs, n], or [n] and runs")
        count = len(starts) if runs is None else operator.index(runs)
        if count < 1:
            raise _core.ArgumentError(f"RES.batch: {count} runs; hint: one at least")
        first = _drawn_seed() if seed is None else operator.index(seed)
        rows = [starts if runs is not None else starts[k] for k in range(count)]
        return Batch([cls(row, seed=first + k, **options) for k, row in enumerate(rows)])

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, device: DeviceLike | None = None) -> RES:
        """The search that `save` or a checkpoint wrote, on a device if one is given, wherever it lived; it goes on with the same bits.

            >>> import os, syntonic, tempfile
            >>> search = syntonic.evolve.RES([3.0, 2.0], seed=1)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     search.save(os.path.join(folder, "search.json"))
            ...     there = syntonic.evolve.RES.load(os.path.join(folder, "search.json"), device="cpu")
            >>> there.device == "cpu" and there.ask().tolist() == search.ask().tolist()
            True
        """
        search = cls.__new__(cls)
        search._search = _core.Res.load(path, device)
        return search

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the search to a file, whole or not at all."""
        self._search.save(path)

    def ask(self) -> State:
        """The next candidates, [K, n]; with noise="auto" a row for each evaluation of one. Asking again before telling gives the same ones."""
        return self._search.ask()

    def tell(self, values: ArrayLike, x: ArrayLike | None = None) -> None:
        """Takes the values of the rows last asked for, in their order. NaN counts as worst.

        With `x` they are the values of points [K, n] of your own, as many as a generation evaluates: candidates that you repaired, or
        what another search has evaluated. Each is learnt from as if it had been drawn alone, by a step of at most the length of a long one
        (Hansen, "Injecting external solutions into CMA-ES", arXiv:1110.4181); candidates that wait are forgotten.

            >>> import syntonic
            >>> search = syntonic.evolve.RES([3.0, 2.0], seed=1)
            >>> for _ in range(100):
            ...     x = syntonic.round(search.ask() * 1000.0) / 1000.0
            ...     search.tell((x * x).sum(-1), x)
            >>> search.best_value <= 1e-5
            True
        """
        self._search.tell(values, x)

    def inject(self, x: ArrayLike) -> None:
        """Puts a point among the candidates of the next generation that is asked for, in the place of a random one: a guess of yours, or
        what another search found. It is valued as it is; where it is good the search moves towards it, by a long step of its own at
        most (N. Hansen, "Injecting external solutions into CMA-ES", arXiv:1110.4181). A generation takes half as many points as it
        values.

            >>> import syntonic
            >>> search = syntonic.evolve.RES([3.0, 2.0])
            >>> search.inject([0.5, 0.25])
            >>> search.ask()[0].tolist()
            [0.5, 0.25]
        """
        self._search.inject(x)

    def restart(self) -> bool:
        """Begins another attempt where the search's options and limits want one, as `run` does; says whether it did."""
        return self._search.restart()

    @property
    def restarts(self) -> int:
        """Attempts before the present one."""
        return self._search.restarts

    @property
    def options(self) -> dict[str, Any]:
        """What the search was made with, by the names of the keywords, and what defaults come to: the strategy that runs, the seed that
        was drawn, the population and the survivors of the present attempt.

            >>> import syntonic
            >>> options = syntonic.evolve.RES([3.0] * 100, seed=5).options
            >>> options["strategy"], options["population"], options["seed"]
            ('separable', 18, 5)
        """
        return self._search.options()

    @property
    def device(self) -> Device | None:
        """The device that was asked for."""
        return self._search.device

    @property
    def seed(self) -> int:
        """The seed, given or drawn."""
        seed: int = self._search.options()["seed"]
        return seed

    @property
    def strategy(self) -> str:
        """What runs: "full", "low_rank", "separable", "isotropic" or "elitist"."""
        strategy: str = self._search.options()["strategy"]
        return strategy

    @property
    def population(self) -> int:
        """Candidates that a generation of the present attempt samples."""
        population: int = self._search.options()["population"]
        return population

    @property
    def covariance(self) -> State:
        """The covariance of the next candidates, `[n, n]`.

            >>> import syntonic
            >>> syntonic.evolve.RES([3.0, 2.0], sigma=[2.0, 1.0]).covariance.tolist()
            [[4.0, 0.0], [0.0, 1.0]]
        """
        return self._search.covariance()

    @property
    def deviations(self) -> State:
        """The deviation of each coordinate of the next candidates, `[n]`."""
        return self._search.deviations()

    @property
    def axis_ratio(self) -> float:
        """The longest axis of the covariance over the shortest one: the root of its condition. Singular values of a full matrix are made
        for it, so it is not in the history."""
        return self._search.axis_ratio()

    @property
    def dimension(self) -> int:
        """n, the number of unknowns."""
        return self._search.dimension

    @property
    def generation(self) -> int:
        """Generations finished."""
        return self._search.generation

    @property
    def repeats(self) -> int:
        """Evaluations that the value of a candidate of the next generation is the mean of: 1, but with noise="auto".

            >>> import syntonic
            >>> syntonic.evolve.RES([3.0, 2.0], noise="auto").repeats
            1
        """
        return self._search.repeats

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
        """Records of the generations: generation, evaluations, best so far, mean and median of the generation, sigma, deviation_ratio (of
        the largest deviation of a coordinate to the least), syntony, nan.

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
        callback: Callable[[dict[str, Any]], object] | Sequence[Callable[[dict[str, Any]], object]] | None = None,
        progress: bool | None = None,
    ) -> Outcome:
        """Runs until a limit holds. `objective` takes the candidates, a State [K, n], and returns their K values.

        The limits on generations and evaluations count the whole search, resumed or not; `seconds` are those of this run.

        An attempt is over after `stagnation` generations without a better value; where the values of the latest generation
        and the best ones of the 10 + 30 n / K latest generations differ by `tolfun` at most; and where the step size times
        the largest deviation of a coordinate is `tolx` at most. None chooses: 100 + 30 n / K generations, 1e-11, and 1e-11
        of the first step size. False never ends an attempt for that reason; `stagnation=False` has no tolerances but given
        ones. What happens then is the option `restarts`. 

        `callback`, one or several, sees the record of every generation and stops the run by returning False. `checkpoint` is written
        every `checkpoint_every` generations, at the end, and when the run is interrupted or the objective raises: what it
        raised comes out unchanged, and the search is where it was before that generation. A path that cannot be written
        is an error before the run begins; where it cannot be written later, on a full disk for example, a warning says
        so and the run goes on, and only at its end, with nothing else to raise, is it an error. The search is then still
        here, for `save`. `progress` shows a line on stderr, with the time that is left at most; by default where that is a terminal. The logger
        "syntonic.evolve" of Python's `logging` is told attempts and the end at the level INFO, generations at DEBUG.

            >>> import syntonic
            >>> search = syntonic.evolve.RES([3.0, 2.0], seed=1)
            >>> outcome = search.run(lambda x: (x * x).sum(-1), callback=lambda record: record["best"] > 1e-3, progress=False)
            >>> outcome.reason, outcome.value <= 1e-3
            ('stopped', True)
        """
        callbacks = [] if callback is None else [callback] if callable(callback) else list(callback)
        place = place_of(self._search, checkpoint)
        self._search.set_limits(generations, evaluations, seconds, target, stagnation, tolfun, tolx)
        started = monotonic()
        line = Progress(sys.stderr, progress)
        begun = (self.generation, self.evaluations)
        limits = (generations, evaluations, seconds)
        try:
            with saved_at_the_end(self._search, place):
                reason = self._loop(objective, started, (line, begun, limits), callbacks, place, checkpoint_every)
        finally:
            line.close()
        outcome = Outcome(reason, self, monotonic() - started)
        _logger().info("%r", outcome)
        return outcome

    def _loop(
        self,
        objective: Callable[[State], ArrayLike],
        started: float,
        shown: tuple[Progress, tuple[int, int], tuple[int | None, int | None, float | None]],
        callbacks: list[Callable[[dict[str, Any]], object]],
        checkpoint: str | None,
        every: int,
    ) -> str:
        search, logger = self._search, _logger()
        (line, begun, limits), attempts = shown, self.restarts
        # Of the module `logging`, which is not imported for its name.
        tells = logger.isEnabledFor(10)
        while True:
            elapsed = monotonic() - started
            reason = attempt_end(search, elapsed)
            if search.restarts != attempts:
                attempts = search.restarts
                logger.info("attempt %d of %d candidates after %d evaluations", attempts, self.population, self.evaluations)
            if reason is not None:
                return reason
            search.tell(objective(search.ask()))
            if tells:
                logger.debug("%s", search.latest())
            if line.is_due():
                done = (self.generation - begun[0], self.evaluations - begun[1], elapsed)
                most = [None if limit is None else limit - first for limit, first in zip(limits, (*begun, 0), strict=True)]
                line.show(self._status(elapsed) + time_left(elapsed, done, most))
            if checkpoint is not None and every > 0 and search.generation % every == 0:
                try_saving(search, checkpoint)
            # Every one is called, also where the first says stop.
            if callbacks and any([callback(search.latest() or {}) is False for callback in callbacks]):
                return search.finished(monotonic() - started) or "stopped"

    def _status(self, elapsed: float) -> str:
        value = self.best_value
        best = "none yet" if value is None else f"{value:.6g}"
        return (
            f"RES: generation {self.generation}, {self.evaluations} evaluations, best {best}, "
            f"step {self.sigma:.3g}, {elapsed:.1f} s"
        )

    def __repr__(self) -> str:
        there = "" if self.device is None else f"device={str(self.device)!r}, "
        return (
            f"RES(n={self.dimension}, strategy={self.strategy!r}, {there}seed={self.seed}, generation={self.generation}, "
            f"best_value={self.best_value})"
        )


def _drawn_seed() -> int:
    """A seed of the system's, with room for those of a batch above it."""
    return int.from_bytes(os.urandom(8), "little") >> 1


def _logger() -> Logger:
    """What the runs tell goes here; imported where it is needed, for it takes longer than most of the package."""
    import logging

    return logging.getLogger("syntonic.evolve")
