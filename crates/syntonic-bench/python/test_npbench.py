"""Tests of the runner of NPBench, with a suite of one program."""

from __future__ import annotations

import json
from pathlib import Path

import npbench
import npbench_worker
import numpy as np
import pytest

INFO = {
    "benchmark": {
        "short_name": "halves",
        "relative_path": "halves",
        "module_name": "halves",
        "func_name": "kernel",
        "parameters": {"S": {"N": 5}},
        "init": {"func_name": "initialize", "input_args": ["N"], "output_args": ["A"]},
        "input_args": ["N", "A"],
        "output_args": ["A"],
    }
}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "bench_info").mkdir()
    (tmp_path / "bench_info" / "halves.json").write_text(json.dumps(INFO))
    folder = tmp_path / "npbench" / "benchmarks" / "halves"
    folder.mkdir(parents=True)
    (folder / "halves.py").write_text("import numpy as np\n\ndef initialize(N):\n    return np.arange(float(N))\n")
    (folder / "halves_numpy.py").write_text("import numpy as np\n\ndef kernel(N, A):\n    A[1:] *= 0.5\n    return np.sum(A) + N\n")
    return tmp_path


def job(suite: Path, library: str) -> dict[str, object]:
    results = suite / f"{library}.npz"
    return {"suite": str(suite), "program": INFO["benchmark"], "library": library, "size": "S", "device": "cpu", "seconds": 0.0, "results": str(results)}


def test_a_program_runs_with_another_import(suite: Path) -> None:
    for library in ("numpy", "syntonic"):
        row = npbench_worker.run(job(suite, library))
        assert row["ms"] > 0.0
    assert npbench_worker.difference(suite / "numpy.npz", suite / "syntonic.npz") is None
    with np.load(suite / "syntonic.npz") as found:
        # What it returns, then what it changes.
        assert found["arr_0"] == 10.0 and found["arr_1"].tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert npbench_worker.run(job(suite, "jax")) == {"error": "the suite has no version for it"} if npbench_worker.is_here("jax") else True


@pytest.mark.parametrize(
    ("found", "said"),
    [([1.0, 2.0], None), ([1.0, 2.00001], None), ([1.0, 2.1], "differs by"), ([1.0], "is [1] for [2]"), ([1.0, np.nan], "differs by")],
)
def test_results_are_compared(tmp_path: Path, found: list[float], said: str | None) -> None:
    np.savez(tmp_path / "a.npz", np.array([1.0, 2.0]))
    np.savez(tmp_path / "b.npz", np.array(found))
    off = npbench_worker.difference(tmp_path / "a.npz", tmp_path / "b.npz")
    assert off is None if said is None else off is not None and said in off


def test_integers_are_equal_or_not(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", np.array([1, 2]))
    np.savez(tmp_path / "b.npz", np.array([1, 3]))
    assert npbench_worker.difference(tmp_path / "a.npz", tmp_path / "b.npz") == "result 0 differs"
    np.savez(tmp_path / "b.npz", np.array([1, 2]), np.array([1]))
    assert npbench_worker.difference(tmp_path / "a.npz", tmp_path / "b.npz") == "2 results for 1"


def test_ratios_are_of_what_is_right() -> None:
    rows = {
        "a": {"numpy": {"ms": 2.0}, "syntonic": {"ms": 1.0}, "jax": {"ms": 4.0}},
        "chanflow": {"numpy": {"ms": 8.0}, "syntonic": {"ms": 1.0}, "jax": {"ms": 1.0}},
        "b": {"numpy": {"ms": 1.0}, "syntonic": {"error": "no"}},
    }
    assert npbench.summary(rows) == [
        "syntonic: 2 of 3 programs right",
        "numpy's time over ours: 4.00 over 2; lowest: a 2.00, chanflow 8.00",
        "jax's time over ours: 4.00 over 1; lowest: a 4.00",
    ]
