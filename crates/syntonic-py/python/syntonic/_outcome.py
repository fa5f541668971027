"""What a run of a search found."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from syntonic._core import State
    from syntonic.evolve import RES

__all__ = ["Outcome"]

_COLUMNS = ("generation", "evaluations", "best", "median", "sigma", "deviation_ratio")


class Outcome:
    """The result of a run.

    reason       why it ended: "target", "generations", "evaluations", "time", "tolfun", "tolx", "stagnation" or "stopped"
    best         the best candidate; None if nothing comparable was evaluated
    value        its value
    centre       the centre of the search, which is the answer where the objective is noisy
    generations  of the whole search
    evaluations  of the whole search
    restarts     attempts before the last one
    seconds      of this run
    strategy     what ran: "full", "low_rank", "separable", "isotropic" or "elitist"
    seed         with it the run can be had again
    history      records of the generations, as `RES.history` has them; `pandas.DataFrame` takes them

        >>> import syntonic
        >>> outcome = syntonic.evolve.RES([3.0, 2.0], seed=1).run(lambda x: (x * x).sum(-1), progress=False)
        >>> outcome.reason, outcome.strategy, outcome.seed, outcome.value < 1e-11
        ('tolfun', 'full', 1, True)
        >>> outcome.history[-1]["generation"] == outcome.generations
        True
    """

    __slots__ = (
        "best", "centre", "evaluations", "generations", "history", "reason", "restarts", "seconds", "seed", "strategy", "value"
    )  # fmt: skip

    def __init__(self, reason: str, search: RES, seconds: float) -> None:
        self.reason: str = reason
        self.best: State | None = search.best
        self.value: float | None = search.best_value
        self.centre: State = search.centre
        self.generations: int = search.generation
        self.evaluations: int = search.evaluations
        self.restarts: int = search.restarts
        self.seconds: float = seconds
        self.strategy: str = search.strategy
        self.seed: int = search.seed
        self.history: list[dict[str, Any]] = search.history

    def to_dict(self) -> dict[str, Any]:
        """All of it in numbers, texts and lists, which JSON takes unless a value is not finite.

            >>> import syntonic
            >>> outcome = syntonic.evolve.RES([3.0, 2.0], seed=1).run(lambda x: (x * x).sum(-1), generations=2, progress=False)
            >>> outcome.to_dict()["reason"], len(outcome.to_dict()["best"])
            ('generations', 2)
        """
        out = {name: getattr(self, name) for name in self.__slots__}
        out["best"] = None if self.best is None else self.best.tolist()
        out["centre"] = self.centre.tolist()
        return out

    def table(self, rows: int = 20) -> str:
        """The history as a text, a line for each of so many generations spread over the run.

            >>> import syntonic
            >>> outcome = syntonic.evolve.RES([3.0, 2.0], seed=1).run(lambda x: (x * x).sum(-1), generations=30, progress=False)
            >>> outcome.table(5).splitlines()[0].split()
            ['generation', 'evaluations', 'best', 'median', 'sigma', 'deviation_ratio']
        """
        last = len(self.history) - 1
        count = min(max(rows, 1), last + 1)
        chosen = sorted({last - k * last // max(count - 1, 1) for k in range(count)})
        lines = [list(_COLUMNS)]
        for at in chosen:
            record = self.history[at]
            lines.append([str(record[name]) if name in _COLUMNS[:2] else f"{record[name]:.6g}" for name in _COLUMNS])
        widths = [max(len(line[k]) for line in lines) for k in range(len(_COLUMNS))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)

    def plot(self, axes: Any = None) -> Any:
        """Draws values and step sizes over evaluations with matplotlib. Gives the two axes, which are those of a new figure unless
        two are given.

        The best value so far and the median of each generation are drawn from the best of all, on a logarithmic scale: the distance
        to what was found.
        """
        if axes is None:
            try:
                from matplotlib.figure import Figure
            except ImportError as error:
                raise ImportError("plot: matplotlib is not installed; hint: pip install matplotlib, or print table()") from error
            axes = Figure(layout="constrained").subplots(2, sharex=True)
        values, steps = axes
        at = [record["evaluations"] for record in self.history]
        found = self.value if self.value is not None else 0.0
        for name in ("best", "median"):
            values.semilogy(at, [abs(record[name] - found) or float("nan") for record in self.history], label=name)
        values.set(ylabel=f"distance to {found:.6g}")
        values.legend()
        for name, label in (("sigma", "step size"), ("deviation_ratio", "largest over least deviation")):
            steps.semilogy(at, [record[name] for record in self.history], label=label)
        steps.set(xlabel="evaluations")
        steps.legend()
        return axes

    def __repr__(self) -> str:
        return (
            f"Outcome(reason={self.reason!r}, value={self.value}, generations={self.generations}, "
            f"evaluations={self.evaluations}, restarts={self.restarts}, strategy={self.strategy!r}, seed={self.seed}, "
            f"seconds={self.seconds:.3f})"
        )
