"""RES: evaluations it needs, and what a generation costs."""

from __future__ import annotations

import numpy as np

from case import Case, WrongResult

SEEDS = range(5)
TARGET = 1e-8
# Generations of the row that measures their cost.
GENERATIONS = 20


def _sphere(x):
    return (x * x).sum(1)


def _to_target(m):
    """Evaluations to the target from 3 in each of ten coordinates with step size 2, for each seed."""

    def call():
        counts = []
        for seed in SEEDS:
            search = m.evolve.RES([3.0] * 10, sigma=2.0, seed=seed)
            outcome = search.run(_sphere, target=TARGET, evaluations=20_000, progress=False)
            reached = outcome.value is not None and outcome.value <= TARGET
            counts.append(outcome.evaluations if reached else float("inf"))
        return np.array(counts, dtype=np.float64)

    return call


def _reached(counts):
    if counts.size != len(SEEDS) or not np.isfinite(counts).all():
        raise WrongResult(f"the target was reached with these evaluations: {counts.tolist()}")
    return 0.0


def _generations(m):
    """Best value after some generations in a thousand coordinates."""

    def call():
        search = m.evolve.RES([1.0] * 1000, sigma=0.3, population=32, seed=1)
        for _ in range(GENERATIONS):
            search.tell(_sphere(search.ask()))
        return np.array([search.best_value])

    return call


def _descended(best):
    # The start has the value 1000.
    if not 0.0 < best[0] < 1000.0:
        raise WrongResult(f"the best value is {best[0]}")
    return 0.0


CASES = {
    "res_sphere": Case({"syntonic": _to_target}, verify=_reached),
    "res_generations": Case({"syntonic": _generations}, verify=_descended),
}
