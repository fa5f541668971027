"""Runs the public suite of the Array API, data-apis/array-api-tests, and compares its outcome with what is expected.

    python run.py --suite FOLDER --device cpu --json outcome.json

FOLDER is a checkout of the suite with its submodule; the interpreter has the package `syntonic`, pytest, pytest-json-report, hypothesis and ndindex.
What may fail is a row of exceptions.json, with its reason. The run fails where another test does, and where a listed one passes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
#: So many examples find each listed exception in every run.
EXAMPLES = 200


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", type=Path, required=True, help="a checkout of data-apis/array-api-tests, with its submodule")
    parser.add_argument("--device", default="cpu", help="where arrays are made: cpu, cuda or cuda:1")
    parser.add_argument("--max-examples", type=int, default=EXAMPLES, help="examples for each property")
    parser.add_argument("--seed", type=int, help="of the examples; another one in each run where it is not given")
    parser.add_argument("--json", type=Path, help="where the outcome goes; those of other devices that stand there stay")
    parser.add_argument("tests", nargs="*", default=["array_api_tests"], help="some tests of the suite, in place of all")
    return parser.parse_args()


def outcomes(options: argparse.Namespace) -> dict[str, dict[str, str]]:
    """What became of each test, by name."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "outcomes.json")
        environment = dict(
            os.environ,
            ARRAY_API_TESTS_MODULE="syntonic",
            SYNTONIC_SUITE_DEVICE=options.device,
            SYNTONIC_SUITE_OUTCOMES=str(report),
            HYPOTHESIS_STORAGE_DIRECTORY=folder,
            PYTHONPATH=os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")])),
        )
        command = [sys.executable, "-m", "pytest", "-q", "-p", "suite_plugin", "-p", "no:cacheprovider", "--tb=short", "-W", "ignore"]
        command += ["--disable-deadline", "--max-examples", str(options.max_examples)]
        if options.seed is not None:
            command.append(f"--hypothesis-seed={options.seed}")
        done = subprocess.run([*command, *options.tests], cwd=options.suite, env=environment, check=False)
        if not report.is_file():
            sys.exit(f"the suite did not run to its end: pytest ended with {done.returncode}")
        found: dict[str, dict[str, str]] = json.loads(report.read_text())
        return found


def commit(suite: Path) -> str:
    """Which version of the suite this is."""
    said = subprocess.run(["git", "-C", str(suite), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return said.stdout.strip() or "unknown"


def expected(device: str, rows: dict[str, Any]) -> dict[str, str]:
    """Tests that fail on the device, each with the name of its reason."""
    kind = device.split(":")[0]
    return {test: name for name, row in rows.items() if kind in row["devices"] for test in row["tests"]}


def main() -> int:
    options = arguments()
    found = outcomes(options)
    counts = Counter(test["outcome"] for test in found.values())
    failed = {name for name, test in found.items() if test["outcome"] == "failed"}
    reasons = json.loads((HERE / "exceptions.json").read_text())
    listed = expected(options.device, reasons)
    unlisted = sorted(failed - listed.keys())
    # With few examples a listed exception may not show, and some show for few numbers alone.
    certain = {name for name in listed if reasons[listed[name]].get("shows") != "sometimes" and options.max_examples >= EXAMPLES}
    mended = sorted(name for name in certain if found.get(name, {}).get("outcome") == "passed")
    for name in unlisted:
        print(f"fails, and is not listed: {name}\n{found[name]['said']}\n")
    for name in mended:
        print(f"passes, and is listed as {listed[name]}: {name}")
    total = sum(counts.values())
    print(f"{options.device}: {counts['passed']} of {total} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    if options.json is not None:
        table = json.loads(options.json.read_text()) if options.json.is_file() else {}
        kinds = Counter(listed[name] for name in failed & listed.keys())
        table[options.device.split(":")[0]] = {
            "suite": commit(options.suite),
            "examples": options.max_examples,
            "tests": total,
            "passed": counts["passed"],
            "skipped": sorted(name for name, test in found.items() if test["outcome"] == "skipped"),
            "exceptions": {kind: {"tests": count, "reason": reasons[kind]["reason"]} for kind, count in sorted(kinds.items())},
            "failed": unlisted,
        }
        options.json.write_text(json.dumps(table, indent=2, sort_keys=True) + "\n")
    return 1 if unlisted or mended else 0


if __name__ == "__main__":
    sys.exit(main())
