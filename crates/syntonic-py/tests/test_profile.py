"""`syntonic.profile` and the variable `SYNTONIC_LOG`."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
import syntonic


def test_a_chain_is_one_launch_from_the_line_that_reads_it() -> None:
    x = syntonic.ones((400, 401))
    with syntonic.profile() as recorded:
        for _ in range(4):
            y = syntonic.exp(x * 0.5) + 1
            y.tolist()
    (line,) = [line for line in recorded.lines if line.shape == "[400, 401]"]
    assert line.name == "chain multiply exp add" and line.dtype == "float64" and line.device == "cpu"
    assert line.calls == 4 and line.bytes == 2 * 8 * 400 * 401
    assert line.site is not None and line.site.startswith("test_profile.py:")
    assert line.total_us > 0 and line.rate > 0 and line.copy_fraction is not None
    assert line.name in str(recorded) and "test_profile.py:" in str(recorded)
    assert recorded.peaks["cpu"] >= 8 * 400 * 401
    assert any(place.site == line.site and place.bytes >= 4 * 8 * 400 * 401 for place in recorded.allocations)
    assert 1e-6 * line.total_us <= recorded.seconds


def test_the_peak_of_memory_is_told_by_line() -> None:
    x = syntonic.ones((256, 1024), dtype=syntonic.float32)
    with syntonic.profile() as recorded:
        y = (x * 2).eval()
        z = (y + x).eval()
        del y
        w = (z * 0.5).eval()
    peak = recorded.at_peak["cpu"]
    assert recorded.peaks == {"cpu": peak.bytes}
    assert [held.bytes for held in peak.held] == [1 << 20, 1 << 20] and peak.before >= 1 << 20
    first, second = (int(held.site.removeprefix("test_profile.py:")) for held in peak.held)
    assert second == first + 1 and peak.site == f"test_profile.py:{second}"
    assert f"reached at {peak.site}" in str(recorded)
    del w


def test_other_threads_are_recorded_and_nothing_after_the_block() -> None:
    x = syntonic.ones((211, 307))

    def work() -> None:
        (x * 3).tolist()

    with syntonic.profile() as recorded:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    work()
    assert [line.calls for line in recorded.lines if line.shape == "[211, 307]"] == [1]


def test_an_exception_ends_the_recording() -> None:
    recorded = syntonic.profile()
    assert "goes on" in str(recorded)
    with pytest.raises(syntonic.ShapeError), recorded:
        syntonic.ones(3) + syntonic.ones(4)
    assert "launches" in str(recorded)


PROGRAM = "import syntonic as s; x = s.ones((99, 100)); (s.exp(x * 2) + 1).tolist()"


@pytest.mark.parametrize(
    ("level", "told", "untold"),
    [
        ("", "", "chain"),
        ("1", "3 expressions fused", "GB/s"),
        ("2", "chain multiply exp add float64 [99, 100] cpu", "nothing"),
        ("yes", "is no level", "expressions fused"),
    ],
)
def test_levels_of_the_log(level: str, told: str, untold: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={"SYNTONIC_LOG": level}, capture_output=True, text=True, check=True
    )
    assert told in done.stderr and untold not in done.stderr and done.stdout == ""
