"""Searches that live where their start does."""

from __future__ import annotations

import os
import sys
from time import monotonic

from syntonic import _core
from syntonic._checkpoints import place_of, saved_at_the_end, try_saving
from syntonic._shards import agree, telling, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from syntonic._core import Group, State
    from syntonic._typing import ArrayLike, DeviceLike

# Rules whose generations run in a kernel of their own.
_KERNEL_RULES = ("res", "separable", "separable_cma", "snes", "openai")


class Pace:
    """How many generations fit into a piece of the time of a run."""

    #: No piece is to take more of them.
    PIECE = 0.1

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else monotonic() + seconds
        self._began, self._most = monotonic(), 1

    def is_over(self) -> bool:
        return self._end is not None and monotonic() >= self._end

    def most(self) -> int:
        """The most generations of the next piece."""
        self._began = monotonic()
        return sys.maxsize if self._end is None else self._most

    def see(self, count: int) -> None:
        """Sees that a piece of so many is done."""
        took = monotonic() - self._began
        self._most = max(1, count * 2 if took < 0.5 * self.PIECE else int(count * self.PIECE / took))


class DeviceSearch:
    """A minimisation that lives where `x0` does: mean and deviations on its device, noise made anew from counters.

    x0             a vector of n numbers, float32 or float64, on the CPU or a GPU; a matrix [runs, n] starts independent runs
    sigma          the first step size in each coordinate
    population     candidates of a generation
    rule           "res"; with a deviation for each coordinate "separable", "separable_cma" (Ros and Hansen, 2008), "snes" (Wierstra et al.,
                   2014) or "openai" (Salimans et al., 2017); or, by tensor operations, "cma" (Hansen's tutorial, arXiv:1604.00772; at most 2,000 unknowns) or "cr_fm_nes" (Nomura and Ono, 2022)
    learning_rate  of "openai", 0.01 if not given; no other rule has one
    seed           the same seed gives the same candidates to the bit, on every device and however `ask` cuts them into chunks; of "cma" and
                   "cr_fm_nes" on one device
    bounds         the least and the largest of each coordinate, numbers or arrays [n]; candidates are moved between them
    restarts       where an attempt stagnates: "growing" begins another one near the start with twice the population, "off" goes on

    "res" is `RES(strategy="full")` on every device: the same seed, population and start give its centres, step sizes and candidates to the
    bit. It learns a full matrix of at most 4,096 unknowns, all in float64; candidates are rounded to the type of `x0`. The population is
    `population` throughout, and the prefilter and the syntony of `RES` are its alone. "separable" is its variant for more unknowns, in time
    that grows with their number: separable CMA-ES with mirrored pairs, whose step size is corrected for them, and no weight for the worse half.

    An objective is the name of a built-in function ("sphere", "ellipsoid", "cigar", "discus", "rastrigin", "ackley", "rosenbrock"),
    whose generations run in one launch without storing a candidate, or a callable from candidates `[k, n]` to `[k]` values on the same
    device; of runs, from `[runs, k, n]` to `[runs, k]`. NaN is the worst.

    An attempt is over where one of `RES` is that has its default limits: where the best score fell by no more than rounding for
    100 + 30 n / population generations, where the scores of a generation and the best ones of the 10 + 30 n / population latest differ by
    1e-11 at most, and where all deviations are below 1e-11 of `sigma`. "res" has the bits of `RES(restarts="growing")` then. That is asked after
    every generation, whose scores are read on the host: a launch has one generation. "growing" is for a single run, and not for "openai".

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
        learning_rate: float | None = None,
        seed: int = 0,
        bounds: tuple[ArrayLike, ArrayLike] | None = None,
        restarts: str = "off",
    ) -> None:
        if learning_rate is None:
            learning_rate = 0.01
        elif rule != "openai":
            raise _core.ArgumentError(f'DeviceSearch: learning_rate={learning_rate!r:.40} for the rule {rule!r:.40}; hint: "openai" alone has one')
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
        """The search that `save` or a checkpoint wrote, on this device, wherever it lived; it goes on with the same bits, by "cma" and
        "cr_fm_nes" on a device like the one it was on."""
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
        self._search.save(path)

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
        """The next generation's candidates `[stop - start, n]`: the bits of all of them at once, however they are cut. Where draws are mirrored
        ("res", "openai", "cr_fm_nes") two that begin at an even place are a pair."""
        return self._search.candidates(start, stop)

    def tell(self, values: ArrayLike) -> None:
        """Learns from the values of all candidates of the generation, `[population]`."""
        self._search.tell(values)

    def step(self, objective: str | Callable[[State], ArrayLike], *, chunk: int | None = None, group: Group | None = None) -> State:
        """One generation: the values of its candidates. A callable gets `chunk` candidates at a time, all where it is None; of a
        `group`, every rank values its share and learns from all. Chunks change nothing where the callable gives each candidate the same value in
        them; matrix products and sums of other sizes may round otherwise."""
        if isinstance(objective, str):
            _refuse(group)
            _only_of_callables(chunk=chunk)
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
        seconds: float | None = None,
    ) -> State:
        """So many generations, fewer where every run has a score of `target` at most: the best score of each, `[generations]`.

        No generation begins after `seconds` of this call; a function by name then runs in launches of a tenth of a second or so, and its
        results are those of so many generations. Ranks of a group have no common time.

        `capture` takes a generation of a callable down once, as `Graph.capture` does, and replays it: one launch on a GPU where the
        callable is work on States alone. What it decides, counts or draws on the host is decided once.

        `checkpoint` is written where the number of generations is a multiple of `checkpoint_every`, at the end, and when the run is
        interrupted or the objective raises, as `RES.run` does it; `load` gives the search to go on with. Of a group, rank 0 writes it.

        With a `group`, every rank runs the same search. It values its share of the candidates; of a function by name it moves its share
        of the coordinates as well. The bits are those of one rank alone. What the objective raises on one rank is a GroupError on all
        others, which names the rank.
        """
        if isinstance(objective, str):
            _only_of_callables(chunk=chunk, capture=capture or None)
        if seconds is not None and not seconds >= 0.0:
            raise _core.ArgumentError(f"DeviceSearch: seconds={seconds!r:.40}; hint: not negative")
        if group is not None:
            if seconds is not None:
                raise _core.ArgumentError("DeviceSearch: seconds and group at once; hint: limit the generations")
            agree(group, self)
            if capture:
                raise _core.ArgumentError("DeviceSearch: capture and group at once; hint: choose one of them")
        saver, place = None, None
        if checkpoint is not None and (group is None or group.rank == 0):
            saver = self._search
            place = place_of(saver, checkpoint)
        with saved_at_the_end(saver, place):
            parts = list(self._parts(objective, generations, target, chunk, place, checkpoint_every, capture, group, seconds))
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
        seconds: float | None,
    ) -> Iterator[State]:
        """The best scores of the generations, piece by piece."""
        search, saves = self._search, checkpoint is not None and every > 0
        if isinstance(objective, str) and not saves and seconds is None:
            yield self._named(objective, generations, target, group)
            return
        left, pace = len(range(generations)), Pace(seconds)
        while left > 0 and not pace.is_over():
            if isinstance(objective, str):
                count = min(left, pace.most(), every - search.generation % every if saves else left)
                part = self._named(objective, count, target, group)
                ended = part.shape[-1] < count
                if seconds is not None:
                    # What was launched is waited for.
                    search.best()[1].tolist()
                    pace.see(count)
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
                try_saving(search, checkpoint)
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


def _only_of_callables(**given: object) -> None:
    """Functions by name make no candidates that could be cut, and are one launch already."""
    for name, value in given.items():
        if value is not None:
            raise _core.ArgumentError(f"DeviceSearch: {name}={value!r:.40} with a function by name; hint: leave it out, or give a callable")
