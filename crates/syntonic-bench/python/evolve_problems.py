"""Problems of the quality suite: BBOB through `cocoex`, and a few plain functions; each counts what is asked of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

# Distances to the optimum's value that count, from 10^2 down to 10^-8.
TARGETS = 10.0 ** np.linspace(2, -8, 51)
# Groups of functions of BBOB (Hansen, Finck, Ros, Auger, 2009), and of its noisy functions (the same four, 2009).
BBOB = {
    "separable": range(1, 6),
    "moderate": range(6, 10),
    "ill-conditioned": range(10, 15),
    "multimodal": range(15, 20),
    "weak structure": range(20, 25),
}
NOISY = {"moderate noise": range(101, 107), "severe noise": range(107, 122), "severe noise, multimodal": range(122, 131)}
SUITES = {"bbob": BBOB, "bbob-largescale": BBOB, "bbob-noisy": NOISY}


class Finished(Exception):
    """The budget is spent, or the last target reached."""


@dataclass
class Counted:
    """An objective that counts, remembers when each target was first reached, and raises Finished at the end."""

    f: Callable[[np.ndarray], float]
    optimum: float
    budget: int
    last: float = float(TARGETS[-1])
    evaluations: int = 0
    best: float = float("inf")
    reached: list[int] = field(default_factory=list)

    def __call__(self, x: np.ndarray) -> float:
        if self.evaluations >= self.budget or self.best <= self.last:
            raise Finished
        value = float(self.f(np.asarray(x, dtype=np.float64)))
        self.evaluations += 1
        distance = value - self.optimum
        if distance < self.best:
            self.best = distance
            while len(self.reached) < len(TARGETS) and distance <= TARGETS[len(self.reached)]:
                self.reached.append(self.evaluations)
        return value

    def batch(self, candidates: object) -> np.ndarray:
        """The values of the rows of a matrix."""
        return np.array([self(x) for x in np.asarray(candidates)])


@dataclass
class Task:
    """Where a search begins, and what it is given."""

    problem: Counted
    start: np.ndarray
    sigma: float
    seed: int
    # A start of another attempt, for algorithms that take one.
    another: Callable[[np.random.Generator], np.ndarray]


def of_suite(suite: str, dimension: int, functions: list[int], instances: list[int], budget: int) -> Iterator[tuple[int, Task]]:
    """Functions of a suite, by their instances; starts are uniform in [-4, 4], as most entries of COCO begin, with step size 2. What a
    task reached is known when the next one is asked for."""
    import cocoex

    first = min(number for group in SUITES[suite].values() for number in group)
    indices = [function - first + 1 for function in functions]
    which = f"function_indices:{listed(indices)} dimensions:{dimension}"
    for problem in cocoex.Suite(suite, f"instances:{listed(instances)}", which):
        _, _, instance = problem.id_triple
        # Starts and seeds are those of an instance, for all functions the same.
        rng = np.random.default_rng([dimension, dimension, instance])
        task = Task(
            problem=Counted(problem, -np.inf if suite == "bbob-noisy" else optimum_of(problem), budget * dimension),
            start=rng.uniform(-4, 4, dimension),
            sigma=2.0,
            seed=1000 * dimension + instance,
            another=lambda rng: rng.uniform(-4, 4, dimension),
        )
        if suite == "bbob-noisy":
            # Its values are noisy, so they say nothing of targets.
            with observed(problem, task.problem):
                yield instance, task
        else:
            yield instance, task


@contextmanager
def observed(problem: object, counted: Counted) -> Iterator[None]:
    """Has COCO write down the values of a noisy function without their noise, which it tells nobody; the targets they reached are put
    into `counted`."""
    import cocoex

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            cocoex.log_level("warning")
            problem.observe_with(cocoex.Observer("bbob-noisy", "result_folder:noise-free precision_f:17"))
            yield
            problem.free()
            (log,) = Path(folder).rglob("*.dat")
            counted.reached = reached_in(log.read_text())
        finally:
            os.chdir(before)


def reached_in(log: str) -> list[int]:
    """When each target was first reached: a line of COCO's log has the number of an evaluation, and in its third column the least
    distance so far, of values without noise."""
    reached: list[int] = []
    for line in log.splitlines():
        if not line.startswith("%"):
            evaluation, _, distance, *_ = line.split()
            while len(reached) < len(TARGETS) and float(distance) <= TARGETS[len(reached)]:
                reached.append(int(evaluation))
    return reached


def listed(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


def optimum_of(problem: object) -> float:
    """The least value. COCO tells where it is, by a file in the working folder; all of BBOB's have two decimals."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            problem._best_parameter("print")
            (name,) = os.listdir(folder)
            x = np.loadtxt(name, ndmin=1)
        finally:
            os.chdir(before)
    return round(problem(x), 2)


def sphere(x: np.ndarray) -> float:
    return float(x @ x)


def ellipsoid(x: np.ndarray) -> float:
    return float(10.0 ** (6 * np.arange(x.size) / max(x.size - 1, 1)) @ (x * x))


def rosenbrock(x: np.ndarray) -> float:
    return float(100 * ((x[1:] - x[:-1] ** 2) ** 2).sum() + ((1 - x[:-1]) ** 2).sum())


def rastrigin(x: np.ndarray) -> float:
    return float((x * x - 10 * np.cos(2 * np.pi * x) + 10).sum())


def ackley(x: np.ndarray) -> float:
    radius, waves = np.sqrt((x * x).mean()), np.cos(2 * np.pi * x).mean()
    return float(-20 * np.exp(-0.2 * radius) - np.exp(waves) + 20 + np.e)


PLAIN = {"sphere": sphere, "ellipsoid": ellipsoid, "rosenbrock": rosenbrock, "rastrigin": rastrigin, "ackley": ackley}


def plain(name: str, dimension: int, seed: int, budget: int) -> Task:
    """A plain function, from 3 in each coordinate with step size 2."""
    start = np.full(dimension, 3.0)
    problem = Counted(PLAIN[name], 0.0, budget * dimension)
    return Task(problem, start, 2.0, seed, lambda rng: start + 2.0 * rng.standard_normal(dimension))


def turned_ellipsoid(condition: float, dimension: int, seed: int, budget: int) -> Task:
    """An ellipsoid whose axes lie in directions of their own for each seed, from 3 in each coordinate with step size 2."""
    axes, _ = np.linalg.qr(np.random.default_rng([dimension, seed]).standard_normal((dimension, dimension)))
    weights = condition ** (np.arange(dimension) / (dimension - 1))
    start = np.full(dimension, 3.0)

    def value(x: np.ndarray) -> float:
        y = axes @ x
        return float(weights @ (y * y))

    return Task(Counted(value, 0.0, budget), start, 2.0, seed, lambda rng: start + 2.0 * rng.standard_normal(dimension))
