"""The stages' script of a GPU bundle, as far as it needs no GPU: how outcomes become a record."""

import importlib.util
import json
import pathlib
import shutil
import types

import pytest

SCRIPT = pathlib.Path(__file__).with_name("gpu_run.py")


@pytest.fixture
def run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The script in a bundle of its own."""
    shutil.copy(SCRIPT, tmp_path / "run.py")
    (tmp_path / "origin.json").write_text(json.dumps({"kernels_hash": "aa", "commit": "c"}))
    (tmp_path / "outcome").mkdir()
    specification = importlib.util.spec_from_file_location("gpu_run", tmp_path / "run.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    machine = {"gpu": "NVIDIA H200", "driver": "1", "cuda": "13.0", "peers": {}}
    monkeypatch.setattr(module, "machine", lambda: machine)
    return module


def put(run: types.ModuleType, stage: str, outcome: dict, kernels: str = "aa") -> None:
    whole = {"ok": True} | outcome | {"kernels_hash": kernels, "commit": "c"}
    (run.OUTCOME / f"{stage}.json").write_text(json.dumps(whole))


def recorded(run: types.ModuleType) -> dict:
    run.record()
    return json.loads((run.HERE / "record" / "nvidia-h200.json").read_text())


def test_a_record_counts_the_tests_of_both_languages(run: types.ModuleType) -> None:
    put(run, "parity", {"passed": 10, "failed": 1, "skipped": 0, "failures": ["x"]})
    put(run, "python", {"passed": 3, "failed": 0, "skipped": 2, "failures": []})
    put(run, "two_gpus", {"pair": {"failed": []}})
    record = recorded(run)
    assert record["tests"] == {"passed": 13, "failed": 1, "skipped": 2}
    assert record["python"]["passed"] == 3 and "kernels_hash" not in record["python"]
    assert record["two_gpus"] == {"pair": {"failed": []}}
    assert record["stages"]["parity"] == {"ok": True, "commit": "c"}


def test_a_record_names_the_machine_of_its_rows_wherever_it_is_put_together(run: types.ModuleType) -> None:
    theirs = {"gpu": "NVIDIA H200", "driver": "2", "cuda": "13.0", "peers": {"torch": "9"}}
    put(run, "parity", {"passed": 1, "failed": 0, "skipped": 0, "machine": theirs | {"driver": "3"}})
    put(run, "bench", {"rows": [], "machine": theirs})
    record = recorded(run)
    assert record["driver"] == "2" and record["peers"] == {"torch": "9"}


def test_what_was_not_run_or_with_other_kernels_is_null(run: types.ModuleType) -> None:
    put(run, "parity", {"passed": 10, "failed": 0, "skipped": 0}, kernels="bb")
    put(run, "python", {"passed": 3, "failed": 0, "skipped": 0})
    record = recorded(run)
    # Without the parity suite nothing was tested that a record vouches for.
    assert record["tests"] is None and record["demo"] is None and record["sanitizer"] is None
    assert record["rows"] == [] and set(record["stages"]) == {"python"}


def test_ratios_and_fractions(run: types.ModuleType) -> None:
    row = {"case": "add", "dtype": "float32", "size": [1_000_000], "bytes": 8_000_000}
    mine = [row | {"impl": "syntonic", "median_us": 4.0}, row | {"impl": "syntonic", "error": "wrong"}]
    other = row | {"size": [10], "impl": "torch", "median_us": 1.0}
    theirs = [row | {"impl": "torch", "median_us": 6.0}, other, row | {"impl": "jax", "median_us": 1.0, "error": "wrong"}]
    merged = run.merge_rows(mine, {"copy_tbps": 4.0, "rows": theirs})
    assert merged[0]["ratios"] == {"torch": 1.5} and merged[0]["fraction"] == 0.5
    assert "ratios" not in merged[1] and len(merged) == 5


@pytest.mark.parametrize(
    ("status", "text", "said"),
    [
        (0, "ERROR SUMMARY: 0 errors", 0),
        (9, "ERROR SUMMARY: 3 errors", 3),
        (9, "RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)", 2),
        (1, "ERROR SUMMARY: 0 errors", "no findings, but status 1"),
        (124, "", "no summary, status 124"),
    ],
)
def test_findings_of_a_tool(run: types.ModuleType, status: int, text: str, said: object) -> None:
    assert run.findings(status, text) == said


def test_python_tests_are_counted(run: types.ModuleType, tmp_path: pathlib.Path) -> None:
    tests = tmp_path / "test_some.py"
    tests.write_text("def test_a(): pass\ndef test_b(): assert False\n")
    outcome = run.tests_in(tests, run.Clock(), {})
    assert outcome == {"ok": False, "passed": 1, "failed": 1, "skipped": 0, "failures": ["test_b"]}


def test_findings_of_all_parts(run: types.ModuleType) -> None:
    clean = (0, "ERROR SUMMARY: 0 errors")
    assert run.all_findings([clean, clean]) == 0
    assert run.all_findings([clean, (9, "ERROR SUMMARY: 3 errors"), (9, "ERROR SUMMARY: 2 errors")]) == 5
    assert run.all_findings([clean, (124, ""), (9, "ERROR SUMMARY: 2 errors")]) == "no summary, status 124"
