"""The stages' script of a GPU bundle, as far as it needs no GPU: how outcomes become a record."""

import importlib.util
import json
import pathlib
import shutil
import sys
import time
import types

import pytest

SCRIPT = pathlib.Path(__file__).with_name("gpu_run.py")
#: What lies beside the script in a bundle, under a shorter name.
BESIDE = ("known", "parity", "sanitizer", "suites")


@pytest.fixture
def run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The script in a bundle of its own."""
    shutil.copy(SCRIPT, tmp_path / "run.py")
    monkeypatch.syspath_prepend(tmp_path)
    for name in BESIDE:
        shutil.copy(SCRIPT.with_name(f"gpu_{name}.py"), tmp_path / f"{name}.py")
        monkeypatch.delitem(sys.modules, name, raising=False)
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
    theirs = {"gpu": "NVIDIA H200", "driver": "2", "cuda": "13.0", "peers": {"torch": "9", "jax": "8"}}
    put(run, "parity", {"passed": 1, "failed": 0, "skipped": 0, "machine": theirs | {"driver": "3"}})
    put(run, "bench", {"rows": [{"ratios": {"torch.compile": 1.2}}], "machine": theirs})
    record = recorded(run)
    # Both are installed, but no row stands beside JAX.
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
        (0, "Internal Sanitizer Error: ...\nERROR SUMMARY: 1 error", "the tool did not see 1 launches or a device"),
        (124, "", "no summary, status 124"),
    ],
)
def test_findings_of_a_tool(run: types.ModuleType, status: int, text: str, said: object) -> None:
    assert sys.modules[run.Jobs.__module__].findings(status, text) == said


def test_python_tests_are_counted(run: types.ModuleType, tmp_path: pathlib.Path) -> None:
    tests = tmp_path / "test_some.py"
    tests.write_text("def test_a(): pass\ndef test_b(): assert False\n")
    outcome = run.tests_in(tests, run.Clock(60), {})
    assert outcome == {"ok": False, "passed": 1, "failed": 1, "skipped": 0, "failures": ["test_b"]}


class Tools:
    """A sanitizer of three parts a tool that takes no time: what it is told to say, and who called it."""

    def __init__(self, run: types.ModuleType, says: dict[tuple[str, int], tuple[int, str]]) -> None:
        sys.modules[run.Jobs.__module__].PARTS = 3
        self.says, self.calls = says, []

    def __call__(self, command: list, clock: object, **variables: str) -> tuple[int, str]:
        tool, part = command[2], int(command[-1].split("/")[0])
        self.calls.append((tool, part, variables["CUDA_VISIBLE_DEVICES"]))
        return self.says.get((tool, part), (0, "ERROR SUMMARY: 0 errors"))


class Hours:
    def __init__(self, seconds: float = 1e6) -> None:
        self.end = time.monotonic() + seconds

    def left(self) -> float:
        return self.end - time.monotonic()


def test_every_tool_sees_every_part_on_every_gpu(run: types.ModuleType, tmp_path: pathlib.Path) -> None:
    tools = Tools(run, {("memcheck", 2): (9, "ERROR SUMMARY: 3 errors"), ("memcheck", 3): (9, "ERROR SUMMARY: 2 errors")})
    jobs = run.Jobs(tmp_path, "aa")
    jobs.run(tools, Hours(), "program", ["0", "3"], 1)
    assert [call[:2] for call in tools.calls[:4]] == [("racecheck", 1), ("racecheck", 2), ("racecheck", 3), ("memcheck", 1)]
    assert len(tools.calls) == 12 and {call[2] for call in tools.calls[:2]} == {"0", "3"}
    outcome = jobs.outcome()
    assert outcome["sanitizer"] == {"racecheck": 0, "memcheck": 5, "initcheck": 0, "synccheck": 0}
    assert outcome["complete"] and not outcome["ok"]
    # Nothing is left to be done, and other kernels know nothing of it.
    assert jobs.waiting() == [] and len(run.Jobs(tmp_path, "bb").waiting()) == 12


def test_a_queue_goes_on_where_it_stopped(run: types.ModuleType, tmp_path: pathlib.Path) -> None:
    late = Tools(run, {("racecheck", 2): (124, "")})
    jobs = run.Jobs(tmp_path, "aa")
    jobs.run(late, Hours(), "program", ["0"], 4)
    outcome = jobs.outcome()
    assert not outcome["complete"] and not outcome["ok"] and outcome["sanitizer"]["memcheck"] == 0
    assert outcome["sanitizer"]["racecheck"].startswith("2 of 3 parts, 0 findings; 2/3 ran out of time")
    again = Tools(run, {})
    run.Jobs(tmp_path, "aa").run(again, Hours(), "program", ["0"], 4)
    assert [call[:2] for call in again.calls] == [("racecheck", 2)]
    assert run.Jobs(tmp_path, "aa").outcome()["ok"]


def test_no_job_begins_when_time_is_up(run: types.ModuleType, tmp_path: pathlib.Path) -> None:
    tools = Tools(run, {})
    jobs = run.Jobs(tmp_path, "aa")
    jobs.run(tools, Hours(5), "program", ["0"], 4)
    assert tools.calls == [] and jobs.outcome()["sanitizer"]["racecheck"] == "0 of 3 parts, 0 findings"


def test_what_ran_out_of_time_comes_first(run: types.ModuleType, tmp_path: pathlib.Path) -> None:
    jobs = run.Jobs(tmp_path, "aa")
    jobs.run(Tools(run, {("memcheck", 3): (124, "")}), Hours(), "program", ["0"], 1)
    jobs.path("racecheck", 1).unlink()
    assert jobs.waiting() == [("memcheck", 3), ("racecheck", 1)]


@pytest.mark.parametrize(
    "text", ["Internal Sanitizer Error: no memory", "Error: open failed on cuda:0: CUDA_ERROR_OUT_OF_MEMORY (2)"]
)
def test_what_a_tool_did_not_see_is_tried_again(run: types.ModuleType, tmp_path: pathlib.Path, text: str) -> None:
    blind = Tools(run, {("synccheck", 2): (0, text + "\nERROR SUMMARY: 0 errors")})
    jobs = run.Jobs(tmp_path, "aa")
    jobs.run(blind, Hours(), "program", ["0"], 1)
    assert [call[:2] for call in blind.calls].count(("synccheck", 2)) == 3
    outcome = jobs.outcome()
    assert outcome["sanitizer_open"] == {"racecheck": [], "memcheck": [], "initcheck": [], "synccheck": [2]}
    assert outcome["sanitizer"]["synccheck"].startswith("2 of 3 parts, 0 findings; 2/3 the tool did not see")


def test_a_record_is_gone_on_with(run: types.ModuleType, tmp_path: pathlib.Path) -> None:
    put(run, "demo", {"cuda": 1})
    put(run, "sanitizer", {"sanitizer": {"racecheck": 0}, "sanitizer_open": {"racecheck": []}})
    run.KNOWN = recorded(run)
    assert run.is_done("demo") and not run.is_done("soak")
    for stage in ("demo", "sanitizer"):
        (run.OUTCOME / f"{stage}.json").unlink()
    assert run.is_done("demo") and run.is_done("sanitizer")
    put(run, "soak", {"seconds": 300})
    record = recorded(run)
    assert record["demo"] == {"cuda": 1} and set(record["stages"]) == {"demo", "sanitizer", "soak"}
    # Of other kernels or another GPU it says nothing.
    (tmp_path / "known").mkdir()
    (tmp_path / "known" / "a.json").write_text(json.dumps(record))
    known = sys.modules[run.completed.__module__]
    assert known.known(tmp_path / "known", "aa") == record and known.known(tmp_path / "known", "bb") == {}
    assert run.completed({"gpu": "another", "stages": {}}, record) == {"gpu": "another", "stages": {}}


def test_tests_of_both_languages_are_of_one_time(run: types.ModuleType) -> None:
    before = {"gpu": "g", "stages": {"parity": {}, "python": {}}, "tests": 9, "unused_kernels": [], "python": 4}
    assert run.completed({"gpu": "g", "stages": {"parity": {}}, "tests": 5}, before)["tests"] == 5
    assert run.completed({"gpu": "g", "stages": {}, "tests": None}, before)["tests"] == 9


def test_parts_that_a_record_vouches_for_are_left_out(run: types.ModuleType, tmp_path: pathlib.Path) -> None:
    tools = Tools(run, {})
    clean = dict.fromkeys(("racecheck", "memcheck", "initcheck"), 0) | {"synccheck": "1 of 3 parts, 0 findings"}
    open_ = dict.fromkeys(("racecheck", "memcheck", "initcheck"), []) | {"synccheck": [2, 3]}
    jobs = run.Jobs(tmp_path, "aa", {"sanitizer": clean, "sanitizer_open": open_})
    jobs.run(tools, Hours(), "program", ["0"], 1)
    assert [call[:2] for call in tools.calls] == [("synccheck", 2), ("synccheck", 3)]
    assert jobs.outcome()["ok"]
    found = run.Jobs(tmp_path, "bb", {"sanitizer": clean | {"memcheck": 1}, "sanitizer_open": open_})
    assert len(found.waiting()) == 12


def test_commands_of_the_tools(run: types.ModuleType) -> None:
    command = sys.modules[run.Jobs.__module__].command
    assert command("p", "racecheck", 2)[-5:] == ["p", "parity", "--short", "--part", "2/128"]
    assert "--num-cuda-barriers" in command("p", "synccheck", 1)


def test_a_stage_that_did_not_end_is_not_done(run: types.ModuleType) -> None:
    assert not run.is_done("sanitizer")
    put(run, "sanitizer", {"complete": False, "sanitizer": {"racecheck": "2 of 3 parts"}})
    assert not run.is_done("sanitizer") and recorded(run)["sanitizer"] == {"racecheck": "2 of 3 parts"}
    put(run, "sanitizer", {"complete": True, "sanitizer": {"racecheck": 0}})
    assert run.is_done("sanitizer")


def test_a_short_soak_is_not_recorded(run: types.ModuleType) -> None:
    put(run, "soak", {"seconds": 60, "compared": 5})
    assert recorded(run)["soak"] is None
    put(run, "soak", {"seconds": 300, "compared": 5})
    assert recorded(run)["soak"]["compared"] == 5


def test_outcomes_travel_in_one_file(run: types.ModuleType) -> None:
    put(run, "parity", {"passed": 1, "failed": 0, "skipped": 0})
    recorded(run)
    shutil.rmtree(run.OUTCOME)
    run.begin()
    assert run.is_done("parity")
    # What is there is not replaced by what was kept.
    (run.OUTCOME / "parity.json").unlink()
    run.begin()
    assert not run.is_done("parity")


def test_the_bench_has_a_gpu_for_itself(run: types.ModuleType) -> None:
    names = ["parity", "python", "demo", "overlap", "blocks", "two_gpus", "sanitizer", "bench", "soak"]
    beside, after = run.plan(names, ["0", "1", "2", "3"])
    assert after == ["demo", "overlap", "blocks"] and beside["bench"] == ["0"] and beside["sanitizer"] == beside["two_gpus"] == ["1", "2", "3"]
    assert [beside[name] for name in ("parity", "python", "soak")] == [["1"], ["2"], ["3"]]
    beside, after = run.plan(names, ["4", "5"])
    assert after == ["demo", "overlap", "blocks", "two_gpus"] and all(gpus == ["5"] for name, gpus in beside.items() if name != "bench")


def test_suites(run: types.ModuleType) -> None:
    case = {"dtype": "float32", "size": [8], "bytes": 8}
    cases = [case | {"suite": "maps", "case": name} for name in ("a", "b", "c")] + [case | {"suite": "memory", "case": "d"}]
    rows = [
        cases[0]
        | {"impl": "syntonic", "median_us": 1.0, "fraction": 0.9, "ratios": {"torch": 4.0, "torch.compile": 2.0, "jax": 0.97}},
        cases[1] | {"impl": "syntonic", "median_us": 1.0, "fraction": 0.4, "ratios": {"jax": 0.5}},
        cases[2] | {"impl": "syntonic", "error": "wrong", "ratios": {"torch": 9.0}},
        cases[3] | {"impl": "torch", "median_us": 1.0},
    ]
    made = run.suites(cases, rows)
    assert list(made) == ["maps", "memory"]
    assert made["maps"] == {
        "rows": 3,
        "best": round((0.97 * 0.5 * 0.1) ** (1 / 3), 3),
        "best_missing": 1,
        "eager": round((4.0 * 0.1 * 0.1) ** (1 / 3), 3),
        "eager_missing": 2,
        "compiled": 2.0,
        "compiled_rows": 1,
        "fraction": 0.6,
        "level": 1,
    }
    # Of what nobody ran there is no mean.
    assert made["memory"]["compiled"] is None and made["memory"]["fraction"] is None
    assert made["memory"]["best"] == 0.1 and made["memory"]["level"] == 0
    put(run, "bench", {"rows": rows, "suites": made})
    assert recorded(run)["suites"] == made


def test_rows_that_lost_are_told(run: types.ModuleType) -> None:
    row = {"case": "a", "dtype": "float32", "size": [8], "impl": "syntonic"}
    timed = lambda us, **others: row | {"median_us": us} | others
    before = {"commit": "0123456789", "copy_tbps": 3.0, "rows": [timed(100.0), timed(10.0, case="b"), timed(1.0, impl="torch")]}
    assert run.slower([timed(114.0), timed(13.0, case="b"), timed(9.0, case="new")], 3.0, before) == []
    # A card whose copy is slower may take longer.
    assert run.slower([timed(140.0)], 2.4, before) == []
    lines = run.slower([timed(120.0), timed(14.0, case="b"), row | {"error": "wrong"}], 3.0, before)
    assert lines[0] == "a float32 [8]: 120.0 us, 20% more than in the record of 01234567"
    assert lines[1].startswith("b float32 [8]: 14.0 us, 40%") and len(lines) == 2
    assert run.slower([timed(120.0)], None, before) == [] and run.slower([timed(120.0)], 3.0, {}) == []
    put(run, "bench", {"rows": [], "slower": lines})
    assert recorded(run)["slower"] == lines


def test_the_table_has_a_line_for_each_row_and_suite(run: types.ModuleType, capsys: pytest.CaptureFixture) -> None:
    case = {"suite": "formulas", "case": "written_softmax", "dtype": "float32", "size": [8, 4], "bytes": 4_000_000}
    mine = [
        case | {"impl": "syntonic", "median_us": 2.0},
        case | {"case": "written_loss", "impl": "syntonic", "error": "a wrong result"},
    ]
    theirs = [case | {"impl": "torch", "median_us": 12.0}, case | {"impl": "torch.compile", "median_us": 3.0}]
    rows = run.merge_rows(mine, {"copy_tbps": 4.0, "rows": theirs})
    run.table(rows, run.suites([case, case | {"case": "written_loss"}], rows), 4.0)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    softmax, wrong, suite = (" ".join(line.split()) for line in lines[1:])
    assert softmax == "written_softmax float32 [8, 4] 2.0 us 0.50 torch 6.00 torch.compile 1.50"
    assert wrong == "written_loss float32 FAILED a wrong result"
    assert "0.500 of a copy" in suite and "eager 0.775" in suite and "compiled 1.500" in suite


def test_one_suite_of_two_files_is_printed(
    run: types.ModuleType, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture
) -> None:
    shutil.copy(SCRIPT.parent.parent / "gpu_cases.json", tmp_path / "gpu_cases.json")
    cases = json.loads((tmp_path / "gpu_cases.json").read_text())
    timed = [case | {"impl": "syntonic", "median_us": 10.0} for case in cases]
    theirs = {"copy_tbps": 4.0, "rows": [row | {"impl": "torch", "median_us": 20.0} for row in timed]}
    (tmp_path / "ours.json").write_text(json.dumps(timed))
    (tmp_path / "theirs.json").write_text(json.dumps(theirs))
    files = [str(tmp_path / "ours.json"), str(tmp_path / "theirs.json")]
    sys.modules[run.suites.__module__].main([*files, "--suite", "formulas"])
    lines = capsys.readouterr().out.splitlines()
    written = [case for case in cases if case["suite"] == "formulas"]
    assert len(lines) == 2 + len(written) and "eager 2.000" in lines[-1] and lines[-1].startswith("formulas")


def test_a_stage_that_breaks_says_so_and_names_the_machine(
    run: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_clock: object, _seconds: int) -> dict:
        raise RuntimeError(f"nothing in {run.HERE}")

    monkeypatch.setitem(run.STAGES, "demo", broken)
    run.run_stage("demo", types.SimpleNamespace(limit=60, seconds=1))
    outcome = json.loads((run.OUTCOME / "demo.json").read_text())
    assert outcome["error"] == "RuntimeError: nothing in ." and outcome["machine"]["gpu"] == "NVIDIA H200"
    assert outcome["kernels_hash"] == "aa" and not outcome["ok"]


def test_parts_of_the_comparison_make_one_report(run: types.ModuleType) -> None:
    def call(command: list, _clock: object, **_variables: str) -> tuple[int, str]:
        number = int(command[3].split("/")[0])
        report = {"passed": 10, "failed": [], "skipped": 0, "unused": ["never", f"but in {number}"]}
        if number == 5:
            report["failed"] = [["map/add", "differs"]]
        if number != 7:
            pathlib.Path(command[5]).write_text(json.dumps(report))
        return 0, ""

    whole = run.parity_in_parts(call, None, "p", run.OUTCOME, ["0", "1"], 3)
    parts = sys.modules["parity"].PARTS
    assert whole["passed"] == 10 * (parts - 1) and not whole["ok"]
    assert whole["failures"] == [["map/add", "differs"], [f"part 7 of {parts}", "no report"]]
    assert whole["failed"] == 2 and whole["unused_kernels"] == ["never"]
