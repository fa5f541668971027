"""Measures the rows of one suite in one process, so that libraries can be compared; prints a line of JSON for each result."""

from __future__ import annotations

import importlib
import json
import statistics
import subprocess
import sys
from typing import Any

import numpy as np

import clock
from case import Case
from libraries import KNOWN, Library, absent
from threads import Pinning

IMPORT = "import time; t = time.perf_counter_ns(); import {0}; d = time.perf_counter_ns() - t; import sys; print(d, 'numpy' in sys.modules)"


def cases_of(suite: str) -> dict[str, Case]:
    """The cases of a suite by name."""
    return importlib.import_module(f"cases_{suite}").CASES


def say(line: dict[str, Any]) -> None:
    """One line to the parent."""
    print(json.dumps(line), flush=True)


def inputs_of(case: Case, row: dict[str, Any]) -> list[np.ndarray]:
    """The inputs in the row's type; for bfloat16, numbers that it holds exactly, as float32."""
    made = case.inputs(row["size"], np.random.default_rng(12345))
    return [x if i in case.fixed else cast(x, row["dtype"]) for i, x in enumerate(made)]


def cast(x: np.ndarray, dtype: str) -> np.ndarray:
    """Rounds to a type by name."""
    x = x if dtype.startswith("complex") or not np.iscomplexobj(x) else x.real
    if dtype == "bfloat16":
        bits = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32)
        return (((bits + 0x8000) >> 16) << 16).astype(np.uint32).view(np.float32)
    return np.ascontiguousarray(x.astype(dtype))


def runner(case: Case, row: dict[str, Any], library: Library, inputs: list[np.ndarray], cache: int) -> clock.Runner:
    """A library made ready for a row."""
    count = clock.rotation(inputs, row["resident"], cache)
    half = row["dtype"] if row["dtype"] == "bfloat16" else None
    sets = [
        tuple(library.array(x, None if i in case.fixed else half) for i, x in enumerate(inputs)) for _ in range(count)
    ]
    if library.name in case.expressions:
        names = {"m": library.module, **vars(sys.modules[f"cases_{row['suite']}"])}
        return clock.Runner(library, clock.expression(case.expressions[library.name], names, len(inputs)), sets)
    call = case.run[library.name](library.module)
    return clock.Runner(library, clock.forced_call(call, library.lazy), sets)


def measured(row: dict[str, Any], libraries: dict[str, Library], cache: int, effort: clock.Effort) -> None:
    """One row by all libraries."""
    case = cases_of(row["suite"])[row["case"]]
    inputs = inputs_of(case, row)
    judge = clock.Judge(case, case.expect(*inputs) if case.expect else [], row["dtype"])
    runners = []
    for name in row["impls"]:
        if name in libraries:
            try:
                runners.append(runner(case, row, libraries[name], inputs, cache))
            except Exception as complaint:
                say({**identity(row, name), "failed": f"{type(complaint).__name__}: {complaint}"})
    clock.measure(runners, judge, effort)
    for done in runners:
        say(outcome(row, done))


def identity(row: dict[str, Any], impl: str) -> dict[str, Any]:
    """What names a result."""
    return {key: row[key] for key in ("suite", "case", "dtype", "size")} | {"device": "cpu", "impl": impl}


def outcome(row: dict[str, Any], done: clock.Runner) -> dict[str, Any]:
    """The result of a library in a row."""
    line = identity(row, done.library.name)
    if done.failed is not None:
        return {**line, "failed": done.failed}
    line |= timing(row, [n / 1e3 for n in done.samples_ns], [n / 1e3 for n in done.rounds_ns])
    if row["case"] == "res_sphere":
        line["evaluations"] = float(np.max(done.library.numpy(done.timed(done.sets[0], 1)[1])))
    return {**line, "error": done.error}


def timing(row: dict[str, Any], samples_us: list[float], rounds_us: list[float]) -> dict[str, Any]:
    """Times and what follows from them."""
    median = statistics.median(samples_us)
    quarters = statistics.quantiles(samples_us, n=4) if len(samples_us) > 1 else [median] * 3
    return {
        "median_us": median,
        "min_us": min(samples_us),
        "spread": (quarters[2] - quarters[0]) / median,
        "samples": len(samples_us),
        "rounds_us": rounds_us,
        "gbps": row["floor"]["bytes"] / median / 1e3,
        "tflops": row["floor"]["flops"] / median / 1e6,
    }


def imports(row: dict[str, Any], rounds: int) -> None:
    """How long `import` takes in a fresh interpreter, in turn; ours must leave NumPy alone."""
    names = [name for name in row["impls"] if absent(name) is None]
    samples: dict[str, list[float]] = {name: [] for name in names}
    greedy = False
    for turn in range(rounds + 1):
        for name in names:
            text = IMPORT.format(KNOWN[name].package)
            out = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout.split()
            if turn:
                # The first one fills the file cache.
                samples[name].append(int(out[0]) / 1e3)
            greedy |= name == "syntonic" and out[1] == "True"
    for name in names:
        line = {**identity(row, name), **timing(row, samples[name], samples[name]), "error": 0.0}
        say({**identity(row, name), "failed": "NumPy was imported"} if greedy and name == "syntonic" else line)


def main() -> None:
    """Reads {rows, quick, cache_bytes} from standard input."""
    order = json.load(sys.stdin)
    effort = clock.QUICK if order["quick"] else clock.FULL
    wanted = {name for row in order["rows"] for name in row["impls"]} & KNOWN.keys()
    pinning = Pinning()
    libraries = {}
    for name in sorted(wanted):
        if absent(name) is None:
            libraries[name] = KNOWN[name]()
            libraries[name].warm()
            pinning.settle()
    pinning.pin_caller()
    for row in order["rows"]:
        say({"begin": row["index"]})
        if row["case"] == "import":
            imports(row, 5 if order["quick"] else 15)
        else:
            measured(row, libraries, order["cache_bytes"], effort)


if __name__ == "__main__":
    main()
