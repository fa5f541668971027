"""SciPy and scikit-learn over States, with dispatch by the Array API."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, str | None]]:
    script = Path(__file__).with_name("dispatch.py")
    paths = [str(script.parent), *sys.path]
    ran = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, dict[str, str | None]] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize(("library", "least"), [("scipy", 110), ("scikit-learn", 50)])
def test_calls_give_what_they_give_over_arrays(results: dict[str, dict[str, str | None]], library: str, least: int) -> None:
    calls = results[library]
    wrong = [f"{name}: {why}" for name, why in calls.items() if why is not None]
    assert not wrong, "\n".join(wrong)
    assert len(calls) >= least, len(calls)
