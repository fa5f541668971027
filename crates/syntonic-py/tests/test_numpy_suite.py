"""NumPy's own tests with `syntonic.numpy` in NumPy's place: the list of those that may fail, and one file of them. `numpy_suite/run.py` runs all."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy

FOLDER = Path(__file__).parent / "numpy_suite"
LISTED = json.loads((FOLDER / "exceptions.json").read_text())
OUTCOME = json.loads((FOLDER / "outcome.json").read_text())


def test_every_test_that_may_fail_has_one_reason() -> None:
    names = [(file, test) for row in LISTED["reasons"].values() for file, tests in row["tests"].items() for test in tests]
    assert len(names) == len(set(names))
    assert all(row["reason"].endswith(".") and row["tests"] for row in LISTED["reasons"].values())


def test_the_outcome_is_of_this_list() -> None:
    assert OUTCOME["numpy"] == LISTED["numpy"]
    for file, found in OUTCOME["files"].items():
        assert found["failed"] == sum(found["reasons"].values()), file
        assert set(found["reasons"]) == {name for name, row in LISTED["reasons"].items() if file in row["tests"]}, file


def test_a_file_of_numpys_tests_fails_where_the_list_says_so() -> None:
    if numpy.__version__ != LISTED["numpy"]:
        return
    command = [sys.executable, str(FOLDER / "run.py"), "--files", "indexing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path))))
    assert done.returncode == 0, done.stdout + done.stderr
