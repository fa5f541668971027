"""Runs NPBench's programs, spcl/npbench, with `syntonic` in NumPy's place, beside NumPy, CuPy and JAX where they are.

    python npbench.py --suite FOLDER --device cpu --size S --json outcome.json

FOLDER is a checkout of the suite. Of NumPy's version of a program the import changes and nothing else; `captured` is that as one graph, by
`syntonic.captured`, where a program asks nothing of the host. CuPy and JAX run the suite's versions for them. Every program runs in a process of its own, from copies of its arguments, and what it returns or changes is compared with what
NumPy's version does. A time is the median of several calls, each from fresh copies, with the device idle before and after.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import npbench_worker

LIBRARIES = ("numpy", "syntonic", "captured", "cupy", "jax")
#: Programs whose version for a library computes something else, so its time stands for nothing.
OTHERWISE = {"jax": {"chanflow": "drops the solution for the pressure", "covarian": "is one product, where NumPy's has one for each column"}}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", type=Path, required=True, help="a checkout of spcl/npbench")
    parser.add_argument("--device", default="cpu", help="where arrays of syntonic are: cpu, cuda or cuda:1")
    parser.add_argument("--size", default="S", choices=("S", "M", "L", "paper"))
    parser.add_argument("--libraries", default=",".join(LIBRARIES), help="only these, with commas; NumPy is always among them")
    parser.add_argument("--programs", default="", help="only those of these short names, with commas")
    parser.add_argument("--seconds", type=float, default=3.0, help="of timed calls for each program and library")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds that a process may take")
    parser.add_argument("--json", type=Path, help="where the outcome goes; those of other devices and sizes that stand there stay")
    return parser.parse_args()


def programs(suite: Path, wanted: str) -> list[dict[str, Any]]:
    """What the suite says of each program."""
    found = [json.loads(path.read_text())["benchmark"] for path in sorted((suite / "bench_info").glob("*.json"))]
    names = set(filter(None, wanted.split(",")))
    unknown = names - {program["short_name"] for program in found}
    if unknown or not found:
        sys.exit(f"{suite} has no program {', '.join(sorted(unknown)) or 'at all'}; hint: a checkout of spcl/npbench")
    return [program for program in found if not names or program["short_name"] in names]


def run_one(options: argparse.Namespace, program: dict[str, Any], library: str, folder: Path, changed: list[str] | None) -> dict[str, Any]:
    """The row of a program and a library: its time, or what went wrong. What NumPy's version changes is known once it ran."""
    job = {"suite": str(options.suite), "program": program, "library": library, "size": options.size, "device": options.device}
    job |= {"seconds": options.seconds, "results": str(folder / f"{library}.npz")}
    job |= {} if changed is None else {"changed": changed}
    command = [sys.executable, str(Path(npbench_worker.__file__)), json.dumps(job)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=False)
    except subprocess.TimeoutExpired:
        return {"error": f"more than {options.limit:g} s"}
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        said = (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]
        return {"error": said[:200]}
    row: dict[str, Any] = json.loads(lines[-1])
    return row


def measure(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    libraries = [name for name in LIBRARIES if name in options.libraries.split(",")]
    libraries = ["numpy", *(name for name in libraries if name != "numpy" and npbench_worker.is_here(name))]
    for program in programs(options.suite, options.programs):
        row: dict[str, Any] = {}
        changed: list[str] | None = None
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for library in libraries:
                found = run_one(options, program, library, folder, changed)
                changed = found.pop("changed", None) if library == "numpy" else changed
                found.pop("changed", None)
                otherwise = OTHERWISE.get(library, {}).get(program["short_name"])
                if otherwise is not None:
                    found = {"otherwise": otherwise, **found}
                elif library != "numpy" and "error" not in found and "error" not in row["numpy"]:
                    off = npbench_worker.difference(folder / "numpy.npz", folder / f"{library}.npz", program)
                    found = found if off is None else {"error": off}
                row[library] = found
        rows[program["short_name"]] = row
        print(line(program["short_name"], row), flush=True)
    return rows


def line(name: str, row: dict[str, Any]) -> str:
    parts = [f"{name:10}"]
    for library, found in row.items():
        if "error" in found:
            parts.append(f"{library} {found['error'][:90]}")
        else:
            ours = row.get("syntonic", {}).get("ms")
            ratio = f" ({found['ms'] / ours:.2f})" if ours and library != "syntonic" else ""
            parts.append(f"{library} {found['ms']:.3f} ms{ratio}" + (f", which {found['otherwise']}" if "otherwise" in found else ""))
    return "  ".join(parts)


def mean(ratios: Iterable[float]) -> float:
    """Their geometric mean."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def summary(rows: dict[str, dict[str, Any]]) -> list[str]:
    """How many are right, and the peers' times over ours where both are."""
    lines = []
    for ours in ("syntonic", "captured"):
        right = [name for name, row in rows.items() if "ms" in row.get(ours, {})]
        if not any(ours in row for row in rows.values()):
            continue
        lines.append(f"{ours}: {len(right)} of {len(rows)} programs right")
        for peer in ("numpy", "cupy", "jax"):
            there = [name for name in right if "ms" in rows[name].get(peer, {}) and "otherwise" not in rows[name][peer]]
            of = {name: rows[name][peer]["ms"] / rows[name][ours]["ms"] for name in there}
            if of:
                slowest = sorted(of, key=lambda name: of[name])[:5]
                shown = ", ".join(f"{name} {of[name]:.2f}" for name in slowest)
                lines.append(f"{peer}'s time over that of {ours}: {mean(of.values()):.2f} over {len(of)}; lowest: {shown}")
    for peer in ("cupy", "jax"):
        apart = [f"{name}, which {row[peer]['otherwise']}" for name, row in rows.items() if "otherwise" in row.get(peer, {})]
        if apart:
            lines.append(f"{peer} computes something else in {'; '.join(apart)}")
    return lines


def main() -> None:
    options = arguments()
    options.suite = options.suite.resolve()
    rows = measure(options)
    if not any("syntonic" in row for row in rows.values()):
        return
    print("\n".join(summary(rows)))
    if options.json is not None and not options.programs:
        kept = json.loads(options.json.read_text()) if options.json.exists() else {}
        kept[f"{options.device.split(':')[0]} {options.size}"] = {"rows": rows, "versions": npbench_worker.versions(), "threads": os.cpu_count()}
        options.json.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
