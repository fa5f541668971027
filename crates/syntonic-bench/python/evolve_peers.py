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


#: Rules of searches on a device, and whether one begins again with twice the population where an attempt is over.
DEVICE_RULES = {"res": True, "separable": True, "separable_cma": True, "snes": True, "openai": False, "cma": False, "cr_fm_nes": False}


def on_device(rule: str, restarts: bool) -> Callable[[Task], None]:
    """A rule of ours that lives on a device, here on the CPU, which gives the bits of a GPU. The first population is that of RES."""

    def solve(task: Task) -> None:
        import syntonic

        search = syntonic.evolve.DeviceSearch(
            syntonic.asarray(task.start),
            task.sigma,
            population_of_res(task.start.size),
            rule=rule,
            seed=task.seed,
            restarts="growing" if restarts else "off",
        )
        while True:
            search.restart()
            search.tell(task.problem.batch(search.ask()))

    return solve


def population_of_res(n: int) -> int:
    """What RES begins with if nothing is given: pairs of candidates."""
    population = 4 + int(3 * np.log(n))
    return population + population % 2


def pycma(restarts: int = 0, bipop: bool = False, population: Callable[[int], int] | None = None) -> Callable[[Task], None]:
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
        if population is not None:
            options["popsize"] = population(task.start.size)
        cma.fmin2(task.problem, start, task.sigma, options, restarts=restarts, bipop=bipop)

    return solve


def cr_fm_nes(task: Task) -> None:
    from crfmnes import CRFMNES

    n = task.start.size
    search = CRFMNES(
        n,
        lambda x: task.problem(np.ravel(x)),
        task.start.reshape(-1, 1).copy(),
        task.sigma,
        population_of_res(n),
        seed=task.seed,
    )
    while True:
        search.one_iteration()


ALGORITHMS: dict[str, Callable[[Task], None]] = {
    "res": res(),
    "res-once": res(restarts="off"),
    "res-golden": res(lattice="golden", lattice_bound=1000),
    **{f"device-{rule.replace('_', '-')}": on_device(rule, restarts) for rule, restarts in DEVICE_RULES.items()},
    "device-res-once": on_device("res", False),
    "pycma": pycma(),
    "pycma-even": pycma(population=population_of_res),
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
