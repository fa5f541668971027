"""How many evaluations Rosenbrock's function and turned ellipsoids take until 1e-8, by RES's default and beside pycma's.

    pip install cma numpy
    python evolve_ellipsoids.py --seeds 11 --budget 1000000 --out ellipsoids.json
    python evolve_ellipsoids.py --dims 100 --algorithms pycma-even --seeds 3

`pycma-even` is pycma's default with the population that RES begins with; `device-res` is `DeviceSearch(rule="res")`. A median is over all seeds, where one
that is not solved took longer than any.
"""

from __future__ import annotations

import argparse
import json
from math import inf
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import evolve_peers
from evolve_problems import Task, plain, turned_ellipsoid
from evolve_quality import numbers, versions

# A condition and a number of unknowns; Rosenbrock's function has no condition here.
PROBLEMS: list[tuple[float | None, int]] = [(None, 10), *((condition, n) for n in (10, 65, 100) for condition in (1e4, 1e6))]


def name_of(condition: float | None, n: int) -> str:
    return f"Rosenbrock, d = {n}" if condition is None else f"turned ellipsoid, d = {n}, condition {condition:.0e}".replace("e+0", "e")


def task_of(condition: float | None, n: int, seed: int, budget: int) -> Task:
    if condition is None:
        return plain("rosenbrock", n, seed, budget // n)
    return turned_ellipsoid(condition, n, seed, budget)


def run(job: tuple[str, float | None, int, int, int]) -> float:
    """Evaluations until 1e-8, infinite if it is not reached."""
    name, condition, n, seed, budget = job
    task = task_of(condition, n, seed, budget)
    evolve_peers.solve(name, task)
    problem = task.problem
    return problem.evaluations if problem.best <= problem.last else inf


def cell(found: list[float]) -> str:
    solved, middle = sum(at < inf for at in found), median(found)
    return f"{middle:.0f} ({solved}/{len(found)})" if middle < inf else f"not solved ({solved}/{len(found)})"


def table(results: dict[str, dict[str, list[float]]], baseline: str) -> str:
    names = list(results)
    others = [name for name in names if name != baseline and baseline in results]
    head = ["problem", *names, *(f"{name} / {baseline}" for name in others)]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for problem in results[names[0]]:
        cells = [problem, *(cell(results[name][problem]) for name in names)]
        base = median(results[baseline][problem]) if others else inf
        cells += [f"{median(results[name][problem]) / base:.2f}" if base < inf else "" for name in others]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithms", default="res,device-res,pycma-even")
    parser.add_argument("--baseline", default="pycma-even")
    parser.add_argument("--seeds", type=int, default=11)
    parser.add_argument("--dims", type=numbers, default=sorted({n for _, n in PROBLEMS}), help="problems of so many unknowns alone")
    parser.add_argument("--budget", type=int, default=10**6, help="evaluations of a run")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--merge", type=Path, nargs="*", default=[], help="results of earlier runs to show beside")
    parser.add_argument("--out", type=Path, help="where to write the results as JSON")
    given = parser.parse_args()
    setting = {"seeds": given.seeds, "budget": given.budget, "versions": versions()}
    print(json.dumps(setting), flush=True)
    results: dict[str, dict[str, list[float]]] = {}
    for path in given.merge:
        results |= json.loads(path.read_text())["results"]
    for name in filter(None, given.algorithms.split(",")):
        results[name] = {}
        for condition, n in (problem for problem in PROBLEMS if problem[1] in given.dims):
            jobs = [(name, condition, n, seed, given.budget) for seed in range(given.seeds)]
            with get_context("spawn").Pool(given.processes) as pool:
                found = pool.map(run, jobs, chunksize=1)
            results[name][name_of(condition, n)] = found
            print(f"{name}, {name_of(condition, n)}: {cell(found)}", flush=True)
        if given.out is not None:
            given.out.write_text(json.dumps(setting | {"results": results}) + "\n")
    print(table(results, given.baseline))


if __name__ == "__main__":
    main()
