"""Short memory: every public function gives its result or says that there is no memory, and never ends the process.

A child has as much address space as it uses before a call, and 0.3, 1 or 3 times its operand on top. It names each call
before it makes it, so that one which ends the process is known; the table goes on after it in a new child.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import calls
import pytest

import syntonic

# Elements of an operand: 16 MB as float64.
SIZE = 1 << 21
# Address space for a call, in operands.
ROOM = (0.3, 1.0, 3.0)
# Children side by side, each with every so many'th row of the table.
CHILDREN = 4

CHILD = """
import random, resource, sys
sys.path.insert(0, {tests!r})
import numpy, syntonic, calls

def settle(result):
    # What is pending is computed, wherever it lies in the result.
    if isinstance(result, syntonic.State):
        result.eval()
    elif isinstance(result, (tuple, list)) and len(result) < 100:
        for one in result:
            settle(one)

def forget():
    # What the engine keeps for the next call it gives back where an allocation fails.
    try:
        syntonic.empty(1 << 45)
    except MemoryError:
        pass

def used():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()

# The threads, and what each call loads when it is first made.
warm = calls.operand(calls.CALLS[0], 1 << 17)
(syntonic.sort(warm), (warm.mT @ warm).eval(), syntonic.random.uniform(1 << 17))
made = {{}}
for place in range({first}, len(calls.CALLS), {step}):
    call = calls.CALLS[place]
    try:
        settle(call(calls.operand(call, 64), random.Random(5)))
    except syntonic.SyntonicError as error:
        print("WRONG", place, repr(error), flush=True)
        continue
    key = (call.dtype, call.ndim)
    if key not in made:
        made.clear()
        made[key] = calls.operand(call, {size})
    x = made[key]
    given = x if call.given is None else call.given(x)
    for room in {room}:
        print("CALL", place, room, flush=True)
        forget()
        limit = used() + int(room * x.nbytes)
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        try:
            settle(call.run(given, random.Random(5)))
            said = "DONE"
        except MemoryError:
            said = "SHORT"
        except BaseException as error:
            said = "WRONG " + type(error).__name__ + ": " + " ".join(str(error).split())[:300]
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(said, flush=True)
        if call.name.startswith("State.__i") or call.name in ("State.sort", "State.fill", "State.__setitem__"):
            made.clear()
            made[key] = x = calls.operand(call, {size})
            given = x if call.given is None else call.given(x)
print("END", flush=True)
"""


def test_every_function_has_a_row() -> None:
    assert calls.unlisted() == [], "add a row to calls.py"
    assert calls.unknown() == [], "these rows name nothing public"


@pytest.mark.parametrize("size", [64])
def test_rows_are_valid_calls(size: int) -> None:
    import random

    for call in calls.CALLS:
        call(calls.operand(call, size), random.Random(3))


def run_rows(first: int) -> tuple[list[str], dict[str, int]]:
    """Runs every CHILDREN'th row from `first`, in as many children as it takes."""
    wrong: list[str] = []
    counts = {"DONE": 0, "SHORT": 0}
    while first < len(calls.CALLS):
        program = CHILD.format(
            tests=str(Path(__file__).parent), first=first, step=CHILDREN, size=SIZE, room=ROOM
        )
        child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
        lines = child.stdout.splitlines()
        at = (first, 0.0)
        for line in lines:
            word, *rest = line.split(" ")
            if word == "CALL":
                at = (int(rest[0]), float(rest[1]))
            elif word in counts:
                counts[word] += 1
            elif word == "WRONG":
                wrong.append(f"{calls.CALLS[at[0]].name} (row {at[0]}) in {at[1]} operands: {' '.join(rest)}")
        if lines and lines[-1] == "END":
            break
        name = calls.CALLS[at[0]].name
        wrong.append(f"{name} (row {at[0]}) in {at[1]} operands ended the process: {child.returncode} {child.stderr[-400:]}")
        first = at[0] + CHILDREN
    return wrong, counts


def test_short_memory_is_an_error_and_not_the_end() -> None:
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(run_rows, range(CHILDREN)))
    wrong = [line for lines, _ in outcomes for line in lines]
    assert not wrong, "\n".join(wrong)
    # Both outcomes occur: the limits are neither too wide nor too narrow to mean anything.
    for outcome in ("DONE", "SHORT"):
        assert sum(counts[outcome] for _, counts in outcomes) > len(calls.CALLS) // 4


def test_sizes_that_no_memory_holds_are_refused_at_once() -> None:
    for population in (2**33, 2**61, 2**63 - 1):
        with pytest.raises(syntonic.ArgumentError, match=f"population of {population} candidates"):
            syntonic.evolve.RES([1.0, 2.0, 3.0], population=population)
    with pytest.raises(syntonic.ArgumentError, match=str(2**64)):
        syntonic.evolve.RES([1.0], population=2**64)
    # A search asks for its candidates when they are asked for.
    search = syntonic.evolve.RES(syntonic.zeros(1000), population=2**32 - 1, strategy="elitist")
    with pytest.raises(syntonic.OutOfMemoryError):
        search.ask()
    for huge in (2**40, 2**62):
        with pytest.raises((syntonic.OutOfMemoryError, syntonic.ShapeError)):
            # A range has no memory before somebody reads it.
            syntonic.arange(huge).numpy()
        with pytest.raises((syntonic.OutOfMemoryError, syntonic.ShapeError)):
            syntonic.tile(syntonic.ones(3), (huge,))
        with pytest.raises((syntonic.OutOfMemoryError, syntonic.ShapeError)):
            syntonic.random.permutation(huge)
        with pytest.raises((syntonic.OutOfMemoryError, syntonic.ShapeError)):
            syntonic.resonant.mode_norms(huge)


@pytest.mark.parametrize("door", [True, False])
def test_a_fault_of_ours_is_an_exception_of_ours(door: bool) -> None:
    program = f"""
import syntonic
try:
    syntonic._core._fault({door})
except syntonic.InternalError as error:
    print(error)
print(syntonic.ones(2).tolist())
"""
    environment = {name: value for name, value in os.environ.items() if name != "RUST_BACKTRACE"}
    child = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert child.returncode == 0, child.stderr
    said, goes_on = child.stdout.splitlines()
    assert "please report" in said and "panics.rs" in said and "Rust's" not in said
    assert goes_on == "[1.0, 1.0]"
    assert child.stderr == ""
