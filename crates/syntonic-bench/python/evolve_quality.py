"""How good evolution strategies are: the share of BBOB's targets that each reaches, and a table of plain functions.

    pip install coco-experiment cma crfmnes numpy
    python evolve_quality.py --dims 2,3,5,10,20 --instances 1-5 --budget 1000 --out quality.json --plot quality.png
    python evolve_quality.py --suite bbob-noisy --algorithms res,device-res,pycma-bipop
    python evolve_quality.py --suite bbob-largescale --dims 160,320 --instances 1 --budget 200
    python evolve_quality.py --table

A target is a distance to the least value, 51 of them from 10^2 to 10^-8. The share of a group of functions is that of
pairs of a function's instance and a target which were reached within the budget, `--budget` evaluations a coordinate. Of noisy functions
the distance is that of the value without its noise, as COCO has it.
"""

from __future__ import annotations

import argparse
import json
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import evolve_peers
import numpy as np
from evolve_problems import PLAIN, SUITES, TARGETS, of_suite, plain

# Of an algorithm on one function's instance: the dimension, the function, the instance, and when each target was reached.
Row = tuple[int, int, int, list[int]]
DIMENSIONS = {"bbob": [2, 3, 5, 10, 20], "bbob-largescale": [160], "bbob-noisy": [10]}


def numbers(text: str) -> list[int]:
    """`1,3-5` as 1, 3, 4, 5."""
    out: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        out += range(int(first), int(last or first) + 1)
    return out


def versions() -> dict[str, str]:
    """Of the libraries that are here, what a figure depends on."""
    found = {}
    for name in ("coco-experiment", "cma", "crfmnes", "numpy"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def run_function(job: tuple[str, str, int, int, list[int], int]) -> list[Row]:
    """All instances of one function."""
    name, suite, dimension, function, instances, budget = job
    done = []
    for instance, task in of_suite(suite, dimension, [function], instances, budget):
        evolve_peers.solve(name, task)
        done.append((instance, task.problem))
    return [(dimension, function, instance, problem.reached) for instance, problem in done]


def run_plain(job: tuple[str, str, int, int, int]) -> tuple[int | None, float]:
    """Evaluations to 1e-8 or none, and the best value."""
    name, function, dimension, seed, budget = job
    task = plain(function, dimension, seed, budget)
    evolve_peers.solve(name, task)
    problem = task.problem
    return (problem.evaluations if problem.best <= problem.last else None), problem.best


def share(rows: list[Row], functions: range | None = None) -> float:
    found = [len(reached) for _, function, _, reached in rows if functions is None or function in functions]
    return sum(found) / (len(found) * len(TARGETS)) if found else float("nan")


def slower(rows: list[Row], other: list[Row]) -> float:
    """The median of evaluations to the last target over those of another, where both reach it."""
    there = {row[:3]: row[3] for row in other}
    pairs = [(row[3], there.get(row[:3], [])) for row in rows]
    ratios = [a[-1] / b[-1] for a, b in pairs if len(a) == len(b) == len(TARGETS)]
    return median(ratios) if ratios else float("nan")


def summary(results: dict[str, list[Row]], groups: dict[str, range], baseline: str) -> str:
    head = ["algorithm", "all", *groups, f"evaluations / {baseline}"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name, rows in results.items():
        shares = [share(rows), *(share(rows, functions) for functions in groups.values())]
        ratio = slower(rows, results[baseline]) if baseline in results else float("nan")
        lines.append(f"| {name} | {' | '.join(f'{s:.3f}' for s in shares)} | {ratio:.2f} |")
    dims = sorted({row[0] for rows in results.values() for row in rows})
    lines += ["", f"| algorithm | {' | '.join(f'd = {d}' for d in dims)} |", "|---" * (len(dims) + 1) + "|"]
    for name, rows in results.items():
        cells = (f"{share([row for row in rows if row[0] == d]):.3f}" for d in dims)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def plot(results: dict[str, list[Row]], path: Path) -> None:
    """The share of targets reached over evaluations a coordinate."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    axes = plt.figure(figsize=(7, 4.5)).gca()
    for name, rows in results.items():
        times = np.sort([at / row[0] for row in rows for at in row[3]])
        axes.step(times, np.arange(1, times.size + 1) / (len(rows) * len(TARGETS)), where="post", label=name)
    axes.set(xscale="log", xlabel="evaluations / dimension", ylabel="share of targets", ylim=(0, 1))
    axes.legend()
    axes.figure.savefig(path, dpi=150, bbox_inches="tight")


def table(names: list[str], dims: list[int], seeds: int, budget: int, processes: int) -> str:
    lines = []
    for dimension in dims:
        lines += [f"n = {dimension}", "", f"| algorithm | {' | '.join(PLAIN)} |", "|---" * (len(PLAIN) + 1) + "|"]
        for name in names:
            jobs = [(name, function, dimension, seed, budget) for function in PLAIN for seed in range(seeds)]
            with get_context("spawn").Pool(processes) as pool:
                found = pool.map(run_plain, jobs, chunksize=1)
            cells = []
            for k in range(0, len(found), seeds):
                hits = sorted(at for at, _ in found[k : k + seeds] if at is not None)
                middle = median(best for _, best in found[k : k + seeds])
                cells.append(f"{hits[len(hits) // 2]} ({len(hits)}/{seeds})" if hits else f"{middle:.2e}")
            lines.append(f"| {name} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithms", default=",".join(evolve_peers.ALGORITHMS))
    parser.add_argument("--suite", choices=SUITES, default="bbob", help="a suite of COCO")
    parser.add_argument("--dims", type=numbers)
    parser.add_argument("--functions", type=numbers, help="their numbers; all of the suite")
    parser.add_argument("--instances", type=numbers, default=numbers("1-5"))
    parser.add_argument("--budget", type=int, help="evaluations a coordinate; 1000, and 2000 for the table")
    parser.add_argument("--seeds", type=int, default=5, help="of the table")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--baseline", default="pycma", help="whose evaluations the others' are compared with")
    parser.add_argument("--table", action="store_true", help="plain functions instead of BBOB")
    parser.add_argument("--merge", type=Path, nargs="*", default=[], help="results of earlier runs to show beside")
    parser.add_argument("--out", type=Path, help="where to write the results as JSON")
    parser.add_argument("--plot", type=Path, help="where to draw the share of targets over evaluations")
    given = parser.parse_args()
    names = [name for name in given.algorithms.split(",") if name]
    if given.table:
        print(table(names, given.dims or [10, 100], given.seeds, given.budget or 2000, given.processes))
        return
    groups = SUITES[given.suite]
    functions = given.functions or [function for group in groups.values() for function in group]
    results: dict[str, list[Row]] = {}
    for path in given.merge:
        earlier = json.loads(path.read_text())
        results |= {name: [tuple(row) for row in rows] for name, rows in earlier["results"].items()}
    dims, budget = given.dims or DIMENSIONS[given.suite], given.budget or 1000
    setting = {"suite": given.suite, "dims": dims, "instances": given.instances, "budget": budget, "versions": versions()}
    print(json.dumps(setting), flush=True)
    # The noise of COCO is one stream for a process: a new one for each function gives the same again.
    tasks = 1 if given.suite == "bbob-noisy" else None
    for name in names:
        started = time.perf_counter()
        jobs = [(name, given.suite, d, function, given.instances, budget) for d in reversed(dims) for function in functions]
        with get_context("spawn").Pool(given.processes, maxtasksperchild=tasks) as pool:
            parts = pool.map(run_function, jobs, chunksize=1)
        results[name] = [row for part in parts for row in part]
        print(f"{name}: {share(results[name]):.3f} in {time.perf_counter() - started:.0f} s", flush=True)
        if given.out is not None:
            shares = {n: {g: share(rows, f) for g, f in groups.items()} | {"all": share(rows)} for n, rows in results.items()}
            given.out.write_text(json.dumps(setting | {"shares": shares, "results": results}) + "\n")
    print(summary(results, groups, given.baseline))
    if given.plot is not None:
        plot(results, given.plot)


if __name__ == "__main__":
    main()
