"""The measurement of one row: all libraries in turn, round after round, every timed result forced and checked."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any

import numpy as np

from case import Case, Expected
from libraries import Library
from threads import quieten

# A sample of a short call repeats it for about this long.
SAMPLE_NS = 200_000
# Elements of each timed result that are looked at; of the last one of each library it is all of them.
LOOKED_AT = 1009
# A call that takes this long gets fewer rounds, and no untimed call before each.
SLOW_NS = 150_000_000
LONGEST_BLOCK = 60


@dataclass
class Effort:
    """How much time a row may take."""

    rounds: int
    block_ns: int


QUICK = Effort(3, 15_000_000)
FULL = Effort(7, 40_000_000)


@dataclass
class Runner:
    """One library's way to compute a case, with its inputs."""

    library: Library
    # Calls `repeats` times on the inputs of a set: nanoseconds of one call, and the last result.
    timed: Callable[[tuple, int], tuple[float, Any]]
    sets: list[tuple]
    turn: itertools.cycle = field(init=False)
    rounds_ns: list[float] = field(default_factory=list)
    samples_ns: list[float] = field(default_factory=list)
    error: float = 0.0
    estimate_ns: float = 0.0
    failed: str | None = None
    last: Any = None

    def __post_init__(self) -> None:
        self.turn = itertools.cycle(self.sets)


def rotation(inputs: list[np.ndarray], resident: bool, cache_bytes: int) -> int:
    """How many copies of the inputs make up more than four times the last-level cache."""
    size = sum(array.nbytes for array in inputs)
    return 1 if resident or size == 0 else 4 * cache_bytes // size + 2


def forced_call(call: Callable[..., Any], lazy: bool) -> Callable[[tuple, int], tuple[float, Any]]:
    """Times a function; a lazy result is evaluated inside the clock."""

    def timed(args: tuple, repeats: int) -> tuple[float, Any]:
        start = perf_counter_ns()
        for _ in range(repeats):
            result = call(*args)
            if lazy and hasattr(result, "eval"):
                result.eval()
        return (perf_counter_ns() - start) / repeats, result

    return timed


def expression(text: str, names: dict[str, Any], arity: int) -> Callable[[tuple, int], tuple[float, Any]]:
    """Times an expression without a function call around it."""
    letters = "abc"[:arity]
    unpack = "".join(f"{letter}, " for letter in letters) + "= args" if arity else "pass"
    source = (
        "def timed(args, repeats):\n"
        f"    {unpack}\n"
        "    turns = repeat(None, repeats)\n"
        "    start = clock()\n"
        "    for _ in turns:\n"
        f"        result = {text}\n"
        "    return (clock() - start) / repeats, result\n"
    )
    scope = {**names, "repeat": itertools.repeat, "clock": perf_counter_ns}
    exec(source, scope)
    return scope["timed"]


class Judge:
    """Compares results with the oracle."""

    def __init__(self, case: Case, expected: list[Expected], dtype: str) -> None:
        self.case, self.expected, self.dtype = case, expected, dtype
        size = expected[0].values.size if expected else 0
        rng = np.random.default_rng(3)
        self.places = rng.integers(0, size, LOOKED_AT) if size > LOOKED_AT else None

    def glance(self, got: np.ndarray) -> float:
        """A look at some elements of a result."""
        if self.case.verify:
            return self.case.verify(got)
        return self.expected[0].error(got, self.dtype, self.places)

    def whole(self, got: np.ndarray) -> float:
        """All elements of a result."""
        if self.case.verify:
            return self.case.verify(got)
        return max(expected.error(got, self.dtype) for expected in self.expected)


def _repeats(estimate_ns: float) -> int:
    return max(1, int(SAMPLE_NS / max(estimate_ns, 1.0))) if estimate_ns < SAMPLE_NS / 4 else 1


def _guarded(runner: Runner, step: Callable[[], None]) -> None:
    try:
        step()
    except Exception as complaint:  # whatever a library raises makes this row of it a failed row
        runner.failed = f"{type(complaint).__name__}: {complaint}"


def _first(runner: Runner, judge: Judge) -> None:
    """The first results, checked entire; a call takes about this long."""
    runner.timed(next(runner.turn), 1)
    runner.estimate_ns, result = runner.timed(next(runner.turn), 1)
    if runner.estimate_ns < 50_000:
        runner.estimate_ns, result = runner.timed(next(runner.turn), 20)
    runner.error = judge.whole(runner.library.numpy(result))


def _block(runner: Runner, judge: Judge, effort: Effort) -> None:
    repeats = _repeats(runner.estimate_ns)
    if runner.estimate_ns < SLOW_NS:
        # Untimed: brings this library's code and memory back after the others.
        runner.timed(next(runner.turn), repeats)
    block, spent = [], 0.0
    while spent < effort.block_ns and len(block) < LONGEST_BLOCK:
        nanoseconds, result = runner.timed(next(runner.turn), repeats)
        block.append(nanoseconds)
        spent += nanoseconds * repeats
        got = runner.library.numpy(result)
        runner.error = max(runner.error, judge.glance(got))
    runner.last = got
    runner.samples_ns += block
    runner.rounds_ns.append(statistics.median(block))


def measure(runners: list[Runner], judge: Judge, effort: Effort) -> None:
    """All runners in turn, each round in another order; what goes wrong is noted in the runner."""
    for runner in runners:
        _guarded(runner, lambda: _first(runner, judge))
    alive = [runner for runner in runners if runner.failed is None]
    slow = any(runner.estimate_ns > SLOW_NS for runner in alive)
    for turn in range(min(effort.rounds, 3) if slow else effort.rounds):
        for runner in alive[turn % max(len(alive), 1) :] + alive[: turn % max(len(alive), 1)]:
            if runner.failed is None:
                quieten()
                _guarded(runner, lambda: _block(runner, judge, effort))
    for runner in alive:
        if runner.failed is None:
            _guarded(runner, lambda: _finish(runner, judge))


def _finish(runner: Runner, judge: Judge) -> None:
    runner.error = max(runner.error, judge.whole(runner.last))
    runner.last = None
