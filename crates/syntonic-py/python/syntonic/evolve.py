"""RES, the resonant evolution strategy: finds the minimum of a function without its gradient."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import contextmanager
from time import monotonic

from syntonic import _core
from syntonic._progress import Progress
from syntonic._shards import agree, telling, values
from syntonic._spread import spread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex
    from collections.abc import Callable, Iterator

    from syntonic._core import Group, State
    from syntonic._typing import ArrayLike, DeviceLike

__all__ = ["RES", "DeviceSearch", "Outcome", "spread"]


def _place(search: _core.Res | _core.DeviceSearch, checkpoint: str | os.PathLike[str] | None) -> str | None:
    """Where a checkpoint goes, if it can be written there: the objective may go to another folder."""
    if checkpoint is None:
        return None
    place = os.path.join(os.getcwd(), os.fspath(checkpoint))
    search.check_save(place)
    return place


@contextmanager
def _saved_at_the_end(search: _core.Res | _core.DeviceSearch | None, checkpoint: str | None) -> Iterator[None]:
    """Writes the checkpoint when the work is over. What the work raised comes out unchanged."""
    try:
        yield
    except BaseException as raised:
        if checkpoint is not None:
            try:
                search.save(checkpoint)
            except Exception as failed:
                raised.add_note(f"the checkpoint could not be written: {failed}")
        raise
    if checkpoint is not None:
        search.save(checkpoint)


def _try_saving(search: _core.Res | _core.DeviceSearch, checkpoint: str) -> None:
    try:
        search.save(checkpoint)
    except (OSError, _core.FileError) as failed:
        text = f"the checkpoint could not be written, the run goes on: {failed}"
        warnings.warn(text, RuntimeWarning, stacklevel=4)


class Outcome:
    """The result of a run.

    reason       why it ended: "target", "generations", "evaluations", "time", "stagnation" or "stopped"
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
    restarts        where an attempt stagnates: "growing" begins another one near the start with twice the population,
                    "off" ends the run, "auto" is the first where a run's evaluations are limited

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
        self._kernel("save").save(path)

    def ask(self) -> State:
        """The next candidates, [K, n]. Asking again before telling gives the same ones."""
        return self._search.ask()

    def tell(self, values: ArrayLike) -> None:
        """Takes the K values of the candidates last asked for, in their order. NaN counts as worst."""
        self._search.tell(values)

    def restart(self) -> bool:
        """Begins another attempt where the search's options and limits want one, as `run` does; says whether it did."""
        return isinstance(self._search, _core.DeviceSearch) and self._search.restart()

    @property
    def restarts(self) -> int:
        """Attempts before the present one."""
        return self._search.restarts if isinstance(self._search, _core.DeviceSearch) else 0

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
        return self._kernel("history").history()

    def run(
        self,
        objective: Callable[[State], ArrayLike],
        *,
        generations: int | None = 10_000,
        evaluations: int | None = None,
        seconds: float | None = None,
        target: float | None = None,
        stagnation: int | None | bool = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: int = 100,
        callback: Callable[[dict[str, Any]], object] | None = None,
        progress: bool | None = None,
    ) -> Outcome:
        """Runs until a limit holds. `objective` takes the candidates, a State [K, n], and returns their K values.

        The limits on generations and evaluations count the whole search, resumed or not. `stagnation` is the number of
        generations without a better value after which an attempt is over; None chooses one, False never gives up. What
        then happens is the option `restarts`. `callback`
        sees the record of every generation and stops the run by returning False. `checkpoint` is written every
        `checkpoint_every` generations, at the end, and when the run is interrupted or the objective raises: what it
        raised comes out unchanged, and the search is where it was before that generation. A path that cannot be written
        is an error before the run begins; where it cannot be written later, on a full disk for example, a warning says
        so and the run goes on, and only at its end, with nothing else to raise, is it an error. The search is then still
        here, for `save`. `progress` shows a line on stderr; by default where that is a terminal.
        """
        place = _place(self._search, checkpoint)
        patient = stagnation is False
        patience = None if stagnation is None or isinstance(stagnation, bool) else stagnation
        self._search.set_limits(generations, evaluations, seconds, target, patience, patient)
        started = monotonic()
        line = Progress(sys.stderr, progress)
        try:
            with _saved_at_the_end(self._search, place):
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
            if reason == "stagnation" and search.restart():
                continue
            if reason is not None:
                return reason
            search.tell(objective(search.ask()))
            if line.is_due():
                line.show(self._status(elapsed))
            if checkpoint is not None and every > 0 and search.generation % every == 0:
                _try_saving(self._kernel("checkpoint"), checkpoint)
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


# Rules whose generations run in a kernel of their own.
_KERNEL_RULES = ("res", "separable_cma", "snes", "openai")


class DeviceSearch:
    """A minimisation that lives where `x0` does: mean and deviations on its device, noise made anew from counters.

    x0             a vector of n numbers, float32 or float64, on the CPU or a GPU; a matrix [runs, n] starts independent runs
    sigma          the first step size in each coordinate
    population     candidates of a generation
    rule           "res", "separable_cma" (Ros and Hansen, 2008), "snes" (Wierstra et al., 2014) or "openai" (Salimans et al., 2017); or, by
                   tensor operations, "cma" (Hansen's tutorial, arXiv:1604.00772; at most 2,000 unknowns) or "cr_fm_nes" (Nomura and Ono, 2022)
    learning_rate  of "openai"
    seed           the same seed gives the same bits, on every device and in any chunks; of "cma" and "cr_fm_nes" on one device
    bounds         the least and the largest of each coordinate, numbers or arrays [n]; candidates are moved between them
    restarts       where an attempt stagnates: "growing" begins another one near the start with twice the population, "off" goes on

    An objective is the name of a built-in function ("sphere", "ellipsoid", "cigar", "discus", "rastrigin", "ackley", "rosenbrock"),
    whose generations run in one launch without storing a candidate, or a callable from candidates `[k, n]` to `[k]` values on the same
    device; of runs, from `[runs, k, n]` to `[runs, k]`. NaN is the worst.

    An attempt is over where its best score fell by no more than rounding for 100 + 30 n / population generations, where the best scores of
    10 + 30 n / population generations differ by rounding alone, and where all deviations are below 1e-12 of `sigma`. That is asked after
    every 64 generations of an attempt, so generations may be cut into calls at will. "growing" is for a single run, and not for "openai".

    "cma" learns a full covariance, "cr_fm_nes" one direction besides a deviation of each coordinate. They take a vector as `x0`, a population of
    at least four, and keep the candidates of a generation on the device. Their state stays finite, however long they go on after convergence.

        >>> import syntonic
        >>> search = syntonic.evolve.DeviceSearch(syntonic.full(20, 3.0), sigma=2.0, population=64)
        >>> history = search.run("sphere", 1000, target=1e-8)
        >>> len(history) < 1000 and (search.mean ** 2).sum().item() < 1e-6
        True
    """

    _search: _core.DeviceSearch | _core.MatrixSearch
    #: What was captured last: the objective, its chunk, candidates of a generation, and the graph.
    _captured: tuple[Callable[[State], ArrayLike], int | None, int, _core.CapturedGeneration] | None = None

    def __init__(
        self,
        x0: ArrayLike,
        sigma: float = 0.3,
        population: int = 64,
        *,
        rule: str = "res",
        learning_rate: float = 0.01,
        seed: int = 0,
        bounds: tuple[ArrayLike, ArrayLike] | None = None,
        restarts: str = "off",
    ) -> None:
        if rule in _KERNEL_RULES:
            self._search = _core.DeviceSearch(x0, sigma, population, rule, learning_rate, seed)
        else:
            self._search = _core.MatrixSearch(x0, sigma, population, rule, seed)
        if bounds is not None:
            self._search.bound(*bounds)
        if restarts != "off":
            self._kernel("restarts").restarting(restarts)

    def _kernel(self, what: str) -> _core.DeviceSearch:
        """The search, if its rule is of the persistent kernel."""
        if isinstance(self._search, _core.DeviceSearch):
            return self._search
        raise _core.ArgumentError(f'DeviceSearch: {what} with the rule "cma" or "cr_fm_nes"; hint: take one of {", ".join(_KERNEL_RULES)}')

    @classmethod
    def load(cls, path: str | os.PathLike[str], device: DeviceLike | None = None) -> DeviceSearch:
        """The search that `save` or a checkpoint wrote, on this device, wherever it lived; it goes on with the same bits."""
        search = cls.__new__(cls)
        search._search = _core.DeviceSearch.load(path, device)
        return search

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the search to a file of safetensors, whole or not at all.

            >>> import os, syntonic, tempfile
            >>> search = syntonic.evolve.DeviceSearch(syntonic.full(20, 3.0), sigma=2.0, population=64)
            >>> history = search.run("sphere", 20)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     search.save(os.path.join(folder, "search"))
            ...     other = syntonic.evolve.DeviceSearch.load(os.path.join(folder, "search"))
            >>> (other.run("sphere", 20) == search.run("sphere", 20)).all().item()
            True
        """
        self._kernel("save").save(path)

    @property
    def mean(self) -> State:
        """The centre of the next generation."""
        return self._search.mean

    @property
    def deviation(self) -> State:
        """The deviation of each coordinate."""
        return self._search.deviation

    @property
    def best(self) -> tuple[State, State]:
        """The best candidate so far and its score, `[1]` or `[runs, 1]`: infinity before the first generation."""
        return self._search.best()

    @property
    def generation(self) -> int:
        """The number of the next generation, from 0."""
        return self._search.generation

    @property
    def population(self) -> int:
        """Candidates of a generation."""
        return self._search.population

    @property
    def restarts(self) -> int:
        """Attempts before the present one."""
        return self._search.restarts if isinstance(self._search, _core.DeviceSearch) else 0

    @property
    def history(self) -> tuple[State, State]:
        """Numbers of generations, from 1, and the best score of each, `[k]` or `[runs, k]`.

        Every generation is there up to 4096, then every second, from 8192 on every fourth, and so on; the latest always is. A loaded
        search has the history of one that was never saved.
        """
        return self._kernel("history").history()

    def restart(self) -> bool:
        """Begins another attempt where `restarts` is "growing" and the present one is over, as `run` does; says whether it did."""
        return isinstance(self._search, _core.DeviceSearch) and self._search.restart()

    def ask(self, start: int = 0, stop: int | None = None) -> State:
        """The next generation's candidates `[stop - start, n]`, in any chunks; even places where draws are mirrored ("res", "openai", "cr_fm_nes")."""
        return self._search.candidates(start, stop)

    def tell(self, values: ArrayLike) -> None:
        """Learns from the values of all candidates of the generation, `[population]`."""
        self._search.tell(values)

    def step(self, objective: str | Callable[[State], ArrayLike], *, chunk: int | None = None, group: Group | None = None) -> State:
        """One generation: the values of its candidates. A callable gets `chunk` candidates at a time, all where it is None; of a
        `group`, every rank values its share and learns from all."""
        if isinstance(objective, str):
            _refuse(group)
            return self._search.step(objective)
        found = values(self, objective, chunk, group)
        self._search.tell(found)
        return found

    def run(
        self,
        objective: str | Callable[[State], ArrayLike],
        generations: int,
        *,
        target: float | None = None,
        chunk: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: int = 100,
        capture: bool = False,
        group: Group | None = None,
    ) -> State:
        """So many generations, fewer where every run has a score of `target` at most: the best score of each, `[generations]`.

        `capture` takes a generation of a callable down once, as `Graph.capture` does, and replays it: one launch on a GPU where the
        callable is work on States alone. What it decides, counts or draws on the host is decided once.

        `checkpoint` is written where the number of generations is a multiple of `checkpoint_every`, at the end, and when the run is
        interrupted or the objective raises, as `RES.run` does it; `load` gives the search to go on with. Of a group, rank 0 writes it.

        With a `group`, every rank runs the same search. It values its share of the candidates; of a function by name it moves its share
        of the coordinates as well. The bits are those of one rank alone. What the objective raises on one rank is a GroupError on all
        others, which names the rank.
        """
        if group is not None:
            agree(group, self)
            if capture:
                raise _core.ArgumentError("DeviceSearch: capture and group at once; hint: choose one of them")
        saver, place = None, None
        if checkpoint is not None and (group is None or group.rank == 0):
            saver = self._kernel("checkpoint")
            place = _place(saver, checkpoint)
        with _saved_at_the_end(saver, place):
            parts = list(self._parts(objective, generations, target, chunk, place, checkpoint_every, capture, group))
        return _core.concat(parts, -1) if parts else self.best[1][..., :0]

    def _parts(
        self,
        objective: str | Callable[[State], ArrayLike],
        generations: int,
        target: float | None,
        chunk: int | None,
        checkpoint: str | None,
        every: int,
        capture: bool,
        group: Group | None,
    ) -> Iterator[State]:
        """The best scores of the generations, piece by piece."""
        search, saves = self._search, checkpoint is not None and every > 0
        if isinstance(objective, str) and not saves:
            yield self._named(objective, generations, target, group)
            return
        left = len(range(generations))
        while left > 0:
            if isinstance(objective, str):
                count = min(left, every - search.generation % every)
                part = self._named(objective, count, target, group)
                ended = part.shape[-1] < count
            else:
                self.restart()
                if capture:
                    part = self._replay(objective, chunk)
                else:
                    part = self.step(objective, chunk=chunk, group=group).min(-1, keepdims=True)
                ended = target is not None and bool((self.best[1] <= target).all())
            left -= part.shape[-1]
            yield part
            if checkpoint is not None and saves and search.generation % every == 0:
                _try_saving(self._kernel("checkpoint"), checkpoint)
            if ended:
                return

    def _replay(self, objective: Callable[[State], ArrayLike], chunk: int | None) -> State:
        """A generation of an objective that is captured once for as many candidates."""
        search = self._kernel("capture")
        known = self._captured
        if known is None or known[0] is not objective or known[1:3] != (chunk, search.population):
            known = (objective, chunk, search.population, search.capture(objective, chunk))
            self._captured = known
        return search.replay(known[3])

    def _named(self, function: str, generations: int, target: float | None, group: Group | None) -> State:
        if group is None:
            return self._search.run_named(function, generations, target)
        with telling(group):
            return self._kernel("group of a function by name").run_shared(group, function, generations, target)


def _refuse(group: Group | None) -> None:
    """The scores of all candidates of a function by name are not shared."""
    if group is not None and group.size > 1:
        raise _core.ArgumentError("DeviceSearch: a step of a function by name takes no group; hint: run(function, 1, group=group)")
