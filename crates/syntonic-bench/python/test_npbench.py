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
        assert row["ms"] > 0.0 and row["changed"] == ["A"]
    assert npbench_worker.difference(suite / "numpy.npz", suite / "syntonic.npz", {}) is None
    with np.load(suite / "syntonic.npz") as found:
        # What it returns, then what it changes.
        assert found["returned 0"] == 10.0 and found["argument A"].tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert npbench_worker.run(job(suite, "jax")) == {"error": "the suite has no version for it"} if npbench_worker.is_here("jax") else True


def test_what_is_written_with_what_it_had_is_compared(suite: Path) -> None:
    path = suite / "npbench/benchmarks/halves/halves_numpy.py"
    path.write_text("import numpy as np\n\ndef kernel(N, A):\n    A *= 1.0\n")
    assert npbench_worker.run(job(suite, "numpy"))["changed"] == ["A"]


@pytest.mark.parametrize(
    ("found", "said"),
    [([1.0, 2.0], None), ([1.0, 2.00001], None), ([1.0, 2.1], "differs by"), ([1.0], "is [1] for [2]"), ([1.0, np.nan], "differs by")],
)
def test_results_are_compared(tmp_path: Path, found: list[float], said: str | None) -> None:
    off = compared(tmp_path, {"returned 0": [1.0, 2.0]}, {"returned 0": found})
    assert off is None if said is None else off is not None and said in off


def compared(folder: Path, want: dict[str, list[float]], got: dict[str, list[float]], **program: float) -> str | None:
    for name, values in (("a", want), ("b", got)):
        np.savez(folder / f"{name}.npz", **{label: np.array(value) for label, value in values.items()})
    return npbench_worker.difference(folder / "a.npz", folder / "b.npz", program)


def test_integers_are_equal_or_not(tmp_path: Path) -> None:
    assert compared(tmp_path, {"returned 0": [1, 2]}, {"returned 0": [1, 3]}) == "returned 0 differs"
    assert compared(tmp_path, {"returned 0": [1, 2], "returned 1": [1]}, {"returned 0": [1, 2]}) == "no returned 1"


def test_the_suite_says_how_close_a_program_is(tmp_path: Path) -> None:
    want, got = {"returned 0": [1.0, 2.0]}, {"returned 0": [1.0, 2.001]}
    assert compared(tmp_path, want, got) is not None and compared(tmp_path, want, got, norm_error=1e-3) is None


@pytest.mark.parametrize(
    ("want", "got", "said"),
    [
        # In another order, by their names; what nobody asks for is left out.
        ({"argument A": [1.0], "argument w": [2.0], "argument x": [3.0]}, {"returned 0 A": [1.0], "returned 1 x": [3.0], "returned 2 w": [2.0], "returned 3 t": [5.0]}, None),
        ({"argument A": [1.0], "argument w": [2.0]}, {"returned 0 A": [1.0], "returned 1 w": [4.0]}, "argument w"),
        # Without names in turn, or the one of the shape.
        ({"argument A": [1.0], "argument B": [2.0]}, {"returned 0": [1.0], "returned 1": [2.0]}, None),
        ({"argument x": [1.0, 2.0]}, {"returned 0": [9.0], "returned 1 t": [1.0, 2.0]}, None),
        ({"argument x": [1.0, 2.0]}, {"returned 0": [9.0], "returned 1": [8.0]}, "no argument x"),
        ({"argument x": [1.0, 2.0]}, {}, "no argument x"),
        ({}, {}, "nothing"),
        # Room to work in is changed beside what is returned.
        ({"returned 0 Q": [1.0], "argument A": [7.0]}, {"returned 0 Q": [1.0]}, None),
        ({"returned 0 u": [1.0], "argument u": [1.0]}, {"returned 0 u": [2.0]}, "returned 0"),
    ],
)
def test_results_of_a_library_that_changes_nothing(tmp_path: Path, want: dict[str, list[float]], got: dict[str, list[float]], said: str | None) -> None:
    off = compared(tmp_path, want, got)
    assert off is None if said is None else off is not None and said in off


def test_names_are_those_of_the_last_line() -> None:
    text = "def kernel(A, x):\n    def step(i):\n        return i\n    return {}\n"
    assert npbench_worker.names_returned(text.format("(A, x + 1)"), "kernel") == ["A", ""]
    assert npbench_worker.names_returned(text.format("x"), "kernel") == ["x"] and npbench_worker.names_returned(text.format("x"), "step") == []


def test_ratios_are_of_what_is_right() -> None:
    rows = {
        "a": {"numpy": {"ms": 2.0}, "syntonic": {"ms": 1.0}, "captured": {"ms": 0.5}, "jax": {"ms": 4.0}},
        "chanflow": {"numpy": {"ms": 8.0}, "syntonic": {"ms": 1.0}, "jax": {"ms": 1.0, "otherwise": "drops half"}},
        "b": {"numpy": {"ms": 1.0}, "syntonic": {"error": "no"}},
    }
    assert npbench.summary(rows) == [
        "syntonic: 2 of 3 programs right",
        "numpy's time over that of syntonic: 4.00 over 2; lowest: a 2.00, chanflow 8.00",
        "jax's time over that of syntonic: 4.00 over 1; lowest: a 4.00",
        "captured: 1 of 3 programs right",
        "numpy's time over that of captured: 4.00 over 1; lowest: a 4.00",
        "jax's time over that of captured: 8.00 over 1; lowest: a 8.00",
        "jax computes something else in chanflow, which drops half",
    ]
