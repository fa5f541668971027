"""What runs on a GPU is recorded with the GPU's own times, and the text of its kernels can be read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import syntonic

PROGRAM = """
import syntonic as s
x = s.ones((64, 100), dtype=s.float32, device="cuda")
e = s.exp(x - s.max(x, axis=-1, keepdims=True))
(e / s.sum(e, axis=-1, keepdims=True)).tolist()
"""


def test_a_launch_has_a_time_of_the_gpu() -> None:
    x = syntonic.ones((300, 301), dtype=syntonic.float32, device="cuda")
    with syntonic.profile() as recorded:
        for _ in range(2):
            (syntonic.exp(x) * 2).tolist()
    (line,) = [line for line in recorded.lines if line.shape == "[300, 301]"]
    assert line.device == "cuda:0" and line.calls == 2 and line.bytes == 2 * 4 * 300 * 301
    assert line.total_us > 0 and line.copy_fraction is not None and line.site is not None
    assert line.site.startswith("test_gpu_profile.py:")
    assert recorded.peaks["cuda:0"] >= 2 * 4 * 300 * 301


def test_a_small_formula_with_reductions_is_one_launch() -> None:
    x = syntonic.asarray([[1.0, 2.0, 3.0], [0.0, -1.0, 1.0]], dtype="float32").to("cuda")
    with syntonic.profile() as recorded:
        e = syntonic.exp(x - syntonic.max(x, axis=-1, keepdims=True))
        sums = syntonic.sum(e / syntonic.sum(e, axis=-1, keepdims=True), axis=-1).tolist()
    assert sums == pytest.approx([1.0, 1.0], rel=1e-6)
    assert sum(line.calls for line in recorded.lines) == 1


def test_kernels_are_told_and_written_as_the_driver_gets_them(tmp_path: Path) -> None:
    paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    environment = os.environ | paths | {"SYNTONIC_LOG": "1", "SYNTONIC_DUMP_PTX": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = [line.split("loaded ")[1].split()[0] for line in done.stderr.splitlines() if "loaded " in line]
    assert told and "expressions fused" in done.stderr
    written = {file.stem: file.read_text() for file in tmp_path.iterdir()}
    assert set(told) == set(written)
    assert all(".visible .entry " + name in text for name, text in written.items())
