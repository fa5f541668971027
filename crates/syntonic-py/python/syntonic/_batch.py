"""Independent searches whose candidates are valued together."""

from __future__ import annotations

import sys
from time import monotonic

from syntonic import _core
from syntonic._outcome import Outcome
from syntonic._progress import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from collections.abc import Callable

    from syntonic._core import State
    from syntonic._typing import ArrayLike
    from syntonic.evolve import RES

__all__ = ["Batch", "attempt_end"]

# Reasons after which another attempt may begin.
_ENDS_OF_ATTEMPTS = ("stagnation", "tolfun", "tolx")


def attempt_end(search: _core.Res, elapsed: float) -> str | None:
    """Why a run is over, if it is. Where an attempt is, and another is wanted, that one begins."""
    reason = search.finished(elapsed)
    while reason in _ENDS_OF_ATTEMPTS and search.restart():
        reason = search.finished(elapsed)
    return reason


class Batch:
    """Independent searches, made by `RES.batch`: each walks as it would alone, and one call of the objective values the candidates of all.

        >>> import syntonic
        >>> batch = syntonic.evolve.RES.batch([3.0] * 5, runs=4, seed=1)
        >>> outcomes = batch.run(lambda x: (x * x).sum(-1), target=1e-8)
        >>> [outcome.reason for outcome in outcomes], batch.best.best_value <= 1e-8
        (['target', 'target', 'target', 'target'], True)
        >>> alone = syntonic.evolve.RES([3.0] * 5, seed=2).run(lambda x: (x * x).sum(-1), target=1e-8)
        >>> alone.value == outcomes[1].value
        True
    """

    __slots__ = ("searches",)

    def __init__(self, searches: list[RES]) -> None:
        self.searches: list[RES] = searches

    def __len__(self) -> int:
        return len(self.searches)

    def ask(self) -> State:
        """The next candidates of all searches, one after the other, `[K, n]`.

            >>> import syntonic
            >>> syntonic.evolve.RES.batch([3.0] * 5, runs=4, population=8).ask().shape
            (32, 5)
        """
        return _joined([search.ask() for search in self.searches])

    def tell(self, values: ArrayLike) -> None:
        """Takes the values of the candidates last asked for, in their order.

            >>> import syntonic
            >>> batch = syntonic.evolve.RES.batch([3.0] * 5, runs=4, population=8)
            >>> batch.tell((batch.ask() ** 2).sum(-1))
            >>> [search.generation for search in batch.searches]
            [1, 1, 1, 1]
        """
        _tell(self.searches, [search.ask() for search in self.searches], values)

    @property
    def best(self) -> RES:
        """The search with the best value so far; the first one while no value is known.

            >>> import syntonic
            >>> batch = syntonic.evolve.RES.batch([3.0] * 5, runs=4)
            >>> batch.best is batch.searches[0]
            True
        """
        sign = -1.0 if self.searches[0].options["goal"] == "maximise" else 1.0
        known = [search for search in self.searches if search.best_value is not None]
        return min(known, key=lambda search: sign * (search.best_value or 0.0), default=self.searches[0])

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
        progress: bool | None = None,
    ) -> list[Outcome]:
        """Runs every search until one of its limits holds, which are those of `RES.run`, each for itself; what came of each.

            >>> import syntonic
            >>> batch = syntonic.evolve.RES.batch([[3.0, 2.0], [-1.0, 4.0]])
            >>> [outcome.generations for outcome in batch.run(lambda x: (x * x).sum(-1), generations=7)]
            [7, 7]
        """
        for search in self.searches:
            search._search.set_limits(generations, evaluations, seconds, target, stagnation, tolfun, tolx)
        started = monotonic()
        line = Progress(sys.stderr, progress)
        outcomes: list[Outcome | None] = [None] * len(self.searches)
        try:
            while True:
                elapsed, live = monotonic() - started, []
                for at, search in enumerate(self.searches):
                    if outcomes[at] is not None:
                        continue
                    reason = attempt_end(search._search, elapsed)
                    if reason is None:
                        live.append(search)
                    else:
                        outcomes[at] = Outcome(reason, search, elapsed)
                if not live:
                    return [outcome for outcome in outcomes if outcome is not None]
                asked = [search.ask() for search in live]
                _tell(live, asked, objective(_joined(asked)))
                if line.is_due():
                    best = self.best.best_value
                    told = "none yet" if best is None else f"{best:.6g}"
                    line.show(f"RES: {len(live)} of {len(outcomes)} runs, best {told}, {elapsed:.1f} s")
        finally:
            line.close()

    def __repr__(self) -> str:
        best: Any = self.best
        return f"Batch({len(self.searches)} searches, n={best.dimension}, best_value={best.best_value})"


def _joined(asked: list[State]) -> State:
    return _core.concat(asked, 0)


def _tell(searches: list[RES], asked: list[State], values: ArrayLike) -> None:
    given = _core.asarray(values)
    counts = [candidates.shape[0] for candidates in asked]
    if given.shape != (sum(counts),):
        raise _core.ShapeError(f"RES: {sum(counts)} candidates of {len(searches)} searches and values of {list(given.shape)}; hint: one for each")
    first = 0
    for search, count in zip(searches, counts, strict=True):
        search.tell(given[first : first + count])
        first += count
