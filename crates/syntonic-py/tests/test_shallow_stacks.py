"""Every public call on a thread with little stack, as servers and musl give them, and chains of any length."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# What runs on a thread with 128 KiB of stack prints what it is at: a stack that overflows ends the process.
SMALL = """
import random, sys, threading
sys.path.insert(0, {here!r})
import syntonic
threading.stack_size(128 << 10)

def small(work):
    raised = []
    def run():
        try:
            work()
        except BaseException as error:
            raised.append(error)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
"""

CALLS = """
import calls
for number, call in enumerate(calls.CALLS):
    print(number, call.name, flush=True)
    for size in (64, 1 << 14):
        x = calls.operand(call, size)
        def work():
            made = call(x, random.Random(5))
            if isinstance(made, syntonic.State):
                made.eval()
                repr(made)
        small(work)
print("done", flush=True)
"""

CHAINS = {
    "sum": "x = x + 1",
    "formulas": "x = syntonic.sin(x) * 0.5 + x",
    "views": "x = x.T + 1",
    "turned": "x = x[::-1] + 1",
    "rows": "x = x - x.mean(axis=-1, keepdims=True)",
    "columns": "x = x - x.mean(axis=k % 2, keepdims=True)",
    "layers": "x = syntonic.nn.rms_norm(x, ones) if hasattr(syntonic.nn, 'rms_norm') else x + 1",
    "products": "x = (x @ eye) * 0.5",
    "places": "x[k % 100] = x[(k + 1) % 100] + 1",
    "pieces": "x = syntonic.concat([x[1:], x[:1] + 1], 0)",
    "where": "x = syntonic.where(x > 0, x + 1, x - 1)",
}

CHAIN = """
def work():
    x = syntonic.zeros((100, 100), dtype="float64")
    ones = syntonic.ones(100, dtype="float64")
    eye = syntonic.eye(100, dtype="float64")
    held = []
    for k in range(3000):
        {step}
        if k < 40:
            held.append(x)
    float(x[0, 0])
    [float(y[0, 0]) for y in held]
small(work)

def slope():
    def f(x):
        for k in range(1500):
            x = x * 1.0001 + 1e-9
        return x.sum()
    g = syntonic.grad(f)(syntonic.ones(50, dtype="float64"))
    syntonic.value_and_grad(lambda x: syntonic.grad(lambda y: (y * y * y).sum())(x).sum())(syntonic.ones(5, dtype="float64"))
    return float(g[0])
small(slope)
print("done", flush=True)
"""


def run(program: str) -> str:
    """What the program says last, where it does not come to its end."""
    source = SMALL.format(here=str(Path(__file__).parent)) + program
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=900)
    lines = done.stdout.splitlines() or [""]
    return "" if lines[-1] == "done" and done.returncode == 0 else f"{lines[-1]}: {done.returncode} {done.stderr[-2000:]}"


def test_every_call_runs_on_a_small_stack() -> None:
    assert run(CALLS) == ""


@pytest.mark.parametrize("name", CHAINS)
def test_chains_run_on_a_small_stack(name: str) -> None:
    assert run(CHAIN.replace("{step}", CHAINS[name])) == ""
