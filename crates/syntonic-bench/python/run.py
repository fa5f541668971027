"""Runs the committed cases through Syntonic, NumPy and PyTorch and writes what was measured as JSON.

    python run.py --cache-bytes N [--quick] [--suite core] [--case exp] [--json FILE]

`cargo xtask bench` calls this; it needs no package but the libraries themselves.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from libraries import KNOWN, absent

HERE = Path(__file__).resolve().parent
CASES = HERE.parent / "cases.json"


def load(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The rows to run, numbered by their place in the file."""
    rows = [{**row, "index": index} for index, row in enumerate(json.loads(CASES.read_text()))]
    if options.quick:
        rows = [row for row in rows if row["quick"]]
    if options.suite:
        rows = [row for row in rows if row["suite"] in options.suite]
    if options.case:
        rows = [row for row in rows if row["case"] in options.case]
    return rows


def suite(rows: list[dict[str, Any]], options: argparse.Namespace) -> list[dict[str, Any]]:
    """One suite in a process of its own. If that dies, the row it died in failed and another process does the rest."""
    results = []
    while rows:
        order = {"rows": rows, "quick": options.quick, "cache_bytes": options.cache_bytes}
        done = subprocess.run(
            [sys.executable, str(HERE / "worker.py")], input=json.dumps(order), stdout=subprocess.PIPE, text=True
        )
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        begun = [line["begin"] for line in lines if "begin" in line]
        results += [line for line in lines if "begin" not in line]
        if done.returncode == 0:
            break
        at = begun[-1] if begun else rows[0]["index"]
        results += died(next(row for row in rows if row["index"] == at), results, done.returncode)
        rows = [row for row in rows if row["index"] > at]
    return results


def died(row: dict[str, Any], results: list[dict[str, Any]], code: int) -> list[dict[str, Any]]:
    """Failures of everybody in the row in which the process ended."""
    keys = ("suite", "case", "dtype", "size")
    said = [line["impl"] for line in results if all(line[key] == row[key] for key in keys)]
    lost = [name for name in row["impls"] if name in KNOWN and absent(name) is None and name not in said]
    about = {key: row[key] for key in keys} | {"device": "cpu", "failed": f"the process ended with {code}"}
    return [about | {"impl": name} for name in lost]


def versions() -> dict[str, str]:
    """What is compared."""
    found = {"python": platform.python_version()}
    for name in ("syntonic", "numpy", "torch"):
        if absent(name) is None:
            command = f"import {name}; print({name}.__version__)"
            found[name] = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True).stdout.strip()
    return found


def main() -> int:
    """The whole run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache-bytes", type=int, default=32 << 20, help="size of the last-level cache")
    parser.add_argument("--quick", action="store_true", help="few rows, few repetitions")
    parser.add_argument("--suite", action="append", help="only this suite")
    parser.add_argument("--case", action="append", help="only this case")
    parser.add_argument("--json", type=Path, help="where the results go; standard output if not said")
    options = parser.parse_args()
    rows = load(options)
    wanted = [name for name in KNOWN if any(name in row["impls"] for row in rows)]
    skipped = [line for line in map(absent, wanted) if line]
    for line in skipped:
        print(line, file=sys.stderr)
    results = []
    for name in dict.fromkeys(row["suite"] for row in rows):
        start = time.perf_counter()
        results += suite([row for row in rows if row["suite"] == name], options)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    text = json.dumps({"versions": versions(), "skipped": skipped, "rows": results})
    if options.json:
        options.json.write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
