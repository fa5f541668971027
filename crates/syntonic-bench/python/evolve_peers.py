"""Search algorithms by name, each a function that works on a task until the task raises Finished or it gives up."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from evolve_problems import Finished, Task


def res(**options: object) -> Callable[[Task], None]:
    def solve(task: Task) -> None:
        import syntonic

        search = syntonic.evolve.RES(task.start, sigma=task.sigma, seed=task.seed, **options)
        search.run(task.problem.batch, generations=None, evaluations=task.problem.budget, progress=False)

    return solve


def on_device(rule: str) -> Callable[[Task], None]:
    """One attempt of a rule of ours that lives on a device, here on the CPU, with the population of the other one-attempt algorithms."""

    def solve(task: Task) -> None:
        import syntonic

        n = task.start.size
        population = 4 + int(3 * np.log(n))
        population += population % 2 if rule == "cr_fm_nes" else 0
        search = syntonic.evolve.DeviceSearch(syntonic.asarray(task.start), task.sigma, population, rule=rule, seed=task.seed)
        while True:
            search.tell(task.problem.batch(search.ask()))

    return solve


def pycma(restarts: int = 0, bipop: bool = False) -> Callable[[Task], None]:
    def solve(task: Task) -> None:
        with warnings.catch_warnings():
            # It warns that it cannot draw.
            warnings.simplefilter("ignore")
            import cma
        rng = np.random.default_rng(task.seed)
        starts = iter([task.start])

        def start() -> np.ndarray:
            return next(starts, None) if restarts == 0 else next(starts, task.another(rng))

        options = {"seed": task.seed + 1, "verbose": -9, "maxfevals": task.problem.budget, "verb_log": 0}
        cma.fmin2(task.problem, start, task.sigma, options, restarts=restarts, bipop=bipop)

    return solve


def cr_fm_nes(task: Task) -> None:
    from crfmnes import CRFMNES

    n = task.start.size
    population = 4 + int(3 * np.log(n))
    population += population % 2
    search = CRFMNES(
        n,
        lambda x: task.problem(np.ravel(x)),
        task.start.reshape(-1, 1).copy(),
        task.sigma,
        population,
        seed=task.seed,
    )
    while True:
        search.one_iteration()


ALGORITHMS: dict[str, Callable[[Task], None]] = {
    "res": res(),
    "res-once": res(restarts="off"),
    "snes": on_device("snes"),
    "device-cma": on_device("cma"),
    "device-cr-fm-nes": on_device("cr_fm_nes"),
    "pycma": pycma(),
    "pycma-ipop": pycma(restarts=9),
    "pycma-bipop": pycma(restarts=9, bipop=True),
    "cr-fm-nes": cr_fm_nes,
}


def solve(name: str, task: Task) -> None:
    """Runs an algorithm by name; what it learnt is in the task's problem."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ALGORITHMS[name](task)
    except Finished:
        pass
