"""Runs NumPy's own tests of the names that `syntonic.numpy` has, with it in NumPy's place, and compares what fails with what is expected.

    python run.py --json outcome.json

The interpreter has the package `syntonic`, pytest, hypothesis and the NumPy whose tests these are, which its wheel has among its files. What a
test says of warnings and of floating-point errors is left out, since our operators give none; its values count. What may fail is a row of
exceptions.json, with its reason. The run fails where another test does, and where a listed one passes. Two minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy

HERE = Path(__file__).resolve().parent
#: Of NumPy's folder, without the directories of tests.
FILES = {
    "umath": "_core/tests/test_umath.py",
    "numeric": "_core/tests/test_numeric.py",
    "indexing": "_core/tests/test_indexing.py",
    "function_base": "lib/tests/test_function_base.py",
    "nanfunctions": "lib/tests/test_nanfunctions.py",
    "linalg": "linalg/tests/test_linalg.py",
}
#: How a test reaches NumPy, and how it reaches us.
IMPORTS = (
    (r"^import numpy as np$", "import stand_in as np"),
    (r"^from numpy import ", "from stand_in import "),
    (r"^from numpy\.(exceptions|linalg|testing|random) import ", r"from stand_in.\1 import "),
    (r"^import numpy\.(linalg|testing|random)(?![.\w])", r"import stand_in.\1"),
)
#: What a test says of the number of warnings, which our operators do not give, of references, and of a class
#: that is equal to ours without being the same object.
OTHERWISE = (
    (r"^( *)assert_?\(? ?len\((r|w|rec|sup\.log)\) == \d+\)?$", r"\1pass"),
    (r"^( *)assert_equal\(len\(w\), \d+\)$", r"\1pass"),
    (r"^( *)assert_\((issubclass\()?w\[0\]\.category.*\)$", r"\1pass"),
    (r"^( *)assert_equal\(sys\.getrefcount\(.*\)$", r"\1pass"),
    (r"return type\(out\) is \(", "return type(out) == ("),
    (r"assert_\(type\((.*)\) is np\.ndarray\)", r"assert_(type(\1) == np.ndarray)"),
)
#: Some tests ask for all the memory there is.
MEMORY = 8 << 30


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", default=",".join(FILES), help="some of the files, with commas: " + ", ".join(FILES))
    parser.add_argument("--json", type=Path, help="where the outcome goes")
    parser.add_argument("--said", type=Path, help="where goes what each failing test said")
    parser.add_argument("-k", dest="only", help="some tests, as pytest takes them; then no listed one is missed")
    return parser.parse_args()


def rewritten(text: str) -> str:
    """The tests of a file with `syntonic.numpy` in NumPy's place."""
    for before, after in IMPORTS + OTHERWISE:
        text = re.sub(before, after, text, flags=re.MULTILINE)
    return text


def outcomes(name: str, only: str | None) -> dict[str, dict[str, str]]:
    """What became of each test of a file, by the test's name."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "outcomes.json")
        tests = Path(folder, f"test_{name}.py")
        tests.write_text(rewritten(Path(numpy.__file__).parent.joinpath(FILES[name]).read_text()))
        paths = [str(HERE), os.environ.get("PYTHONPATH", "")]
        environment = dict(os.environ, SYNTONIC_SUITE_OUTCOMES=str(report), PYTHONPATH=os.pathsep.join(filter(None, paths)))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "suite_plugin", "-p", "no:cacheprovider", "--tb=short", "--rootdir", folder, "-c", os.devnull]
        command += ["--no-header", "--no-summary", *(["-k", only] if only else []), str(tests)]
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        )
        if not report.is_file():
            sys.exit(f"{name}: the tests did not run to their end: pytest ended with {done.returncode}")
        found: dict[str, dict[str, str]] = json.loads(report.read_text())
        return {test.partition("::")[2]: outcome for test, outcome in found.items()}


def listed(rows: dict[str, Any], name: str, tests: set[str]) -> dict[str, str]:
    """Tests of a file that are expected to fail, each with the name of its reason. A row's test without parameters is all of them."""
    found: dict[str, str] = {}
    for reason, row in rows.items():
        for wanted in row["tests"].get(name, []):
            all_of_it = [test for test in tests if wanted in (test, test.partition("[")[0])]
            found |= dict.fromkeys(all_of_it or [wanted], reason)
    return found


def main() -> int:
    options = arguments()
    expected = json.loads((HERE / "exceptions.json").read_text())
    if expected["numpy"] != numpy.__version__:
        print(f"the list of exceptions is of NumPy {expected['numpy']}, and this is {numpy.__version__}")
    table, wrong = {}, 0
    said: dict[str, str] = {}
    for name in options.files.split(","):
        found = outcomes(name, options.only)
        failed = {test for test, outcome in found.items() if outcome["outcome"] == "failed"}
        rows = listed(expected["reasons"], name, set(found))
        for test in sorted(failed - rows.keys()):
            print(f"{name}: fails, and is not listed: {test}\n{found[test]['said'][-600:]}\n")
        mended = sorted(test for test in rows if test not in failed and (test in found or not options.only))
        for test in mended:
            print(f"{name}: {'passes' if test in found else 'is not there'}, and is listed as {rows[test]}: {test}")
        wrong += len(failed - rows.keys()) + len(mended)
        counts = Counter(outcome["outcome"] for outcome in found.values())
        print(f"{name}: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
        why = Counter(rows[test] for test in failed & rows.keys())
        table[name] = {"passed": counts["passed"], "failed": counts["failed"], "skipped": counts["skipped"], "reasons": dict(sorted(why.items()))}
        said |= {f"{name}::{test}": found[test]["said"] for test in sorted(failed)}
    if options.said is not None:
        options.said.write_text(json.dumps(said, indent=1))
    if options.json is not None:
        options.json.write_text(json.dumps({"numpy": numpy.__version__, "files": table}, indent=2) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
