"""Runs the stages of a GPU bundle and merges what came out into one record.

    python3 run.py                     # every stage that has no outcome yet
    python3 run.py parity sanitizer    # these
    python3 run.py --force bench       # again
    python3 run.py --seconds 300 soak

A stage's outcome is a file `outcome/<stage>.json`; one of other kernels than the bundle's is made again. The record is
written after each stage, also after one that failed.
"""

import argparse
import concurrent.futures
import importlib.metadata
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import time
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
OUTCOME = HERE / "outcome"
#: The program and the wheel, once they are unpacked.
PROGRAM = HERE / "programs" / "syntonic-gpu"
#: Where the wheel is installed.
SITE = HERE / "site"
#: The slowest last: it has what the others leave.
TOOLS = ("memcheck", "initcheck", "synccheck", "racecheck")
#: Processes that share the suite under one tool.
PARTS = 6
#: No stage takes longer, all its programs together.
LIMIT = 590
#: The kernels and the commit that the bundle was made from.
ORIGIN = json.loads((HERE / "origin.json").read_text())
#: What the objective of the demonstration does at least, 2 x parameters x samples x evaluations in a second, in 10^12.
LEAST_TFLOPS = 5.0
#: Of the images that the search did not see.
LEAST_ACCURACY = 0.92
PEERS = ("torch", "cupy", "jax", "numpy")


class Clock:
    """What is left of a stage's time."""

    def __init__(self):
        self.end = time.monotonic() + LIMIT

    def left(self):
        return max(1.0, self.end - time.monotonic())


def call(command, clock, **variables):
    """Exit status and output; status 124 where the time ran out. Variables are added to the environment."""
    print("$", " ".join(pathlib.Path(str(word)).name for word in command), flush=True)
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=clock.left(),
            cwd=HERE,
            env=os.environ | variables,
        )
        status, text = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        text = late.stdout or ""
        status, text = 124, text if isinstance(text, str) else text.decode(errors="replace")
    print(text[-3000:], flush=True)
    return status, text.replace(str(HERE), ".")


def unpack():
    """One archive of the program and the wheel: both hold the same kernels, which are packed once."""
    packed = HERE / "programs.tar.xz"
    if packed.is_file():
        shutil.rmtree(PROGRAM.parent, ignore_errors=True)
        with tarfile.open(packed) as archive:
            archive.extractall(PROGRAM.parent, filter="data")


def package(clock):
    """Puts the wheel into a folder of its own, without a network; the variables with which Python finds it."""
    wheels = sorted(PROGRAM.parent.glob("*.whl"))
    shutil.rmtree(SITE, ignore_errors=True)
    install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check"]
    status, text = call([sys.executable, *install, "--target", SITE, *wheels], clock)
    if status != 0 or not wheels:
        raise RuntimeError(f"the wheel was not installed, status {status}: {text[-1000:]}")
    before = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join([str(SITE), *([before] if before else [])])}


def read(path):
    return json.loads(path.read_text()) if path.is_file() else None


def fresh(name):
    """A file in the folder of outcomes that does not exist: no earlier run's is taken for this one's."""
    path = OUTCOME / name
    path.unlink(missing_ok=True)
    return path


def parity(clock, _):
    path = fresh("parity_report.json")
    status, text = call([PROGRAM, "parity", "--json", path], clock)
    report = read(path)
    if report is None:
        return {"ok": False, "error": f"status {status}: {text[-2000:]}"}
    failed = len(report["failed"])
    return {
        "ok": status == 0,
        "passed": report["passed"],
        "failed": failed,
        "skipped": report["skipped"],
        "failures": report["failed"][:50],
        "unused_kernels": report["unused"],
    }


def findings(status, text):
    """The number of errors a tool names; a string where it named none, and so says nothing."""
    # racecheck ends with a summary of its own, of hazards.
    summaries = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", text)
    if not summaries:
        return f"no summary, status {status}"
    errors = sum(map(int, summaries))
    if errors == 0 and status != 0:
        return f"no findings, but status {status}"
    return errors


def under(tool, part, clock):
    """Runs one part of the short form of the suite under a tool; exit status and output."""
    # Calls that are meant to fail, such as loading a text that is no kernel, are no errors of memory.
    extra = ["--check-api-memory-access", "no", "--report-api-errors", "no"] if tool == "memcheck" else []
    suite = [PROGRAM, "parity", "--short", "--part", part]
    return call(["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", *extra, *suite], clock)


def all_findings(parts):
    """The errors of all parts together; what the first part said that named none."""
    counts = [findings(status, text) for status, text in parts]
    return next((count for count in counts if isinstance(count, str)), None) or sum(counts)


def sanitizer(clock, _):
    outcome = {}
    for place, tool in enumerate(TOOLS):
        # What is left is shared by the tools that are still to come.
        share = Clock()
        share.end = time.monotonic() + clock.left() / (len(TOOLS) - place)
        start = time.monotonic()
        # The tools keep one processor busy each, and racecheck many times as long as the others.
        with concurrent.futures.ThreadPoolExecutor(PARTS) as pool:
            names = [f"{k + 1}/{PARTS}" for k in range(PARTS)]
            parts = list(pool.map(lambda part: under(tool, part, share), names))
        outcome[tool] = all_findings(parts)
        (OUTCOME / f"{tool}.log").write_text("".join(text[-200_000:] for _, text in parts))
        print(f"{tool}: {outcome[tool]} in {time.monotonic() - start:.0f} s", flush=True)
    return {"ok": all(outcome[tool] == 0 for tool in TOOLS), "sanitizer": outcome}


def bench(clock, _):
    ours, theirs = fresh("ours.json"), fresh("peers_rows.json")
    # The peers follow in the same stage, so that a ratio compares times taken close together.
    half = Clock()
    half.end = time.monotonic() + LIMIT * 0.4
    status, text = call([PROGRAM, "bench", "--cases", HERE / "gpu_cases.json", "--json", ours], half)
    status_peers, text_peers = call([sys.executable, HERE / "peers.py", theirs, str(clock.left() - 15)], clock)
    mine, others = read(ours) or [], read(theirs) or {"rows": [], "copy_tbps": None, "left_out": None}
    rows = merge_rows(mine, others)
    table(rows, others["copy_tbps"])
    wrong = [row for row in rows if "error" in row and row["impl"] == "syntonic"]
    return {
        "ok": status == 0 and status_peers == 0 and not wrong,
        "copy_tbps": others["copy_tbps"],
        "peer_rows_left_out": others.get("left_out"),
        "rows": rows,
        "errors": [part[-1000:] for code, part in ((status, text), (status_peers, text_peers)) if code],
    }


def merge_rows(mine, others):
    """Every implementation's rows, ours with the fraction of the copy bandwidth and the ratio to each peer."""
    speed = others["copy_tbps"]
    # A case may be measured at several sizes.
    key = lambda row: (row["case"], row["dtype"], tuple(row["size"]))
    times = {}
    for row in others["rows"]:
        if "median_us" in row and "error" not in row:
            times.setdefault(key(row), {})[row["impl"]] = row["median_us"]
    for row in mine:
        if "median_us" not in row:
            continue
        if speed:
            row["fraction"] = round(row["bytes"] / row["median_us"] / 1e6 / speed, 4)
        peers = times.get(key(row), {})
        row["ratios"] = {name: round(time / row["median_us"], 3) for name, time in peers.items()}
    return mine + others["rows"]


def table(rows, speed):
    print(f"copy: {speed} TB/s; fraction of it, and peer time over ours")
    for row in rows:
        if row["impl"] != "syntonic":
            continue
        name = f"{row['case']:12} {row['dtype']:5}"
        if "error" in row:
            print(name, "FAILED", row["error"][:100])
            continue
        ratios = " ".join(f"{peer} {ratio:.2f}" for peer, ratio in row.get("ratios", {}).items())
        print(f"{name} {row['median_us']:10.1f} us  {row.get('fraction', 0):.2f}  {ratios}")


def soak(clock, seconds):
    path = fresh("soak_report.json")
    status, text = call([PROGRAM, "soak", "--seconds", str(min(seconds, LIMIT - 60)), "--json", path], clock)
    report = read(path)
    if report is None:
        return {"ok": False, "error": f"status {status}: {text[-2000:]}"}
    return {"ok": status == 0, **report}


def tests_in(place, clock, variables):
    """Runs a file or folder of Python tests: what pytest counted, and the names of those that failed."""
    path = fresh("pytest.xml")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--quiet", "--tb=short", f"--junitxml={path}"]
    # Plugins of whatever else is installed on the host have no part in it.
    status, text = call([*command, place], clock, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", **variables)
    if not path.is_file():
        return {"ok": False, "error": f"status {status}: {text[-2000:]}"}
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    failures = []
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        marks = {child.tag for child in case}
        word = "failed" if marks & {"failure", "error"} else "skipped" if "skipped" in marks else "passed"
        counts[word] += 1
        if word == "failed":
            failures.append(case.get("name"))
    ok = status == 0 and counts["passed"] > 0 and counts["skipped"] == 0
    return {"ok": ok, **counts, "failures": failures[:50]}


def python(clock, _):
    return tests_in("tests", clock, package(clock))


def demo(clock, _):
    """The same program on the GPU and on the CPU, which must come out as accurate; and on the GPU with as many candidates a
    generation as it has room for, which must be fast."""
    variables = package(clock)
    runs = {"cuda": ["cuda"], "cpu": ["cpu"], "cuda_many": ["cuda", "--population", "1024", "--evaluations", "300000"]}
    outcome = {}
    for name, words in runs.items():
        path = fresh(f"demo_{name}.json")
        files = ["--data", "digits.npz", "--json", path, "--out", OUTCOME]
        status, text = call([sys.executable, "digits.py", "--device", *words, *files], clock, **variables)
        outcome[name] = read(path) or {"error": f"status {status}: {text[-1000:]}"}
    accuracies = [part.get("test_accuracy", 0.0) for part in outcome.values()]
    same = abs(accuracies[0] - accuracies[1]) <= 0.01 and min(accuracies) >= LEAST_ACCURACY
    fast = outcome["cuda_many"].get("objective_tflops", 0.0) >= LEAST_TFLOPS
    return {"ok": same and fast, **outcome}


def two_gpus(clock, _):
    """Two GPUs of one process; where there is one, nothing is said."""
    if len(output_of("nvidia-smi", "-L").splitlines()) < 2:
        return None
    path, report = fresh("pair_report.json"), fresh("second_report.json")
    status, text = call([PROGRAM, "pair", "--json", path], clock)
    second_status, _text = call([PROGRAM, "parity", "--short", "--gpu", "1", "--json", report], clock)
    second = read(report) or {"passed": 0, "failed": ["no report"], "skipped": 0}
    tests = tests_in("tests/test_two_gpus.py", clock, package(clock))
    return {
        "ok": status == 0 and second_status == 0 and tests["ok"],
        "pair": read(path) or {"error": f"status {status}: {text[-1000:]}"},
        "second": {"passed": second["passed"], "failed": len(second["failed"]), "skipped": second["skipped"]},
        "tests": tests,
    }


STAGES = {
    "parity": parity,
    "python": python,
    "demo": demo,
    "two_gpus": two_gpus,
    "sanitizer": sanitizer,
    "bench": bench,
    "soak": soak,
}


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def machine():
    fields = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").splitlines()
    name, driver = fields[0].split(", ") if fields else ("unknown", "unknown")
    release = re.search(r"CUDA Version: ([\d.]+)", output_of("nvidia-smi"))
    versions = {}
    for peer in PEERS:
        for package in (peer, f"{peer}-cuda13x", f"{peer}-cuda12x"):
            try:
                versions[peer] = importlib.metadata.version(package)
                break
            except importlib.metadata.PackageNotFoundError:
                continue
    return {"gpu": name, "driver": driver, "cuda": release[1] if release else "unknown", "peers": versions}


def outcomes():
    """What the stages gave, of this bundle's kernels alone."""
    all_of_them = {name: read(OUTCOME / f"{name}.json") for name in STAGES}
    return {
        name: outcome
        for name, outcome in all_of_them.items()
        if outcome is not None and outcome["kernels_hash"] == ORIGIN["kernels_hash"]
    }


def record():
    """A stage that was not run is null, so that nobody takes it for one that found nothing."""
    done = outcomes()
    of = lambda stage: done.get(stage, {})
    part = lambda stage: {k: v for k, v in of(stage).items() if k not in ("ok", "machine", *ORIGIN)} or None
    suites = {name: of(name) for name in ("parity", "python") if "passed" in of(name)}
    tests = {key: sum(suite[key] for suite in suites.values()) for key in ("passed", "failed", "skipped")}
    # Of the machine that timed the rows, or else of any that did something.
    machines = [stage["machine"] for stage in (of("bench"), *done.values()) if "machine" in stage]
    whole = ORIGIN | (machines[0] if machines else machine())
    whole |= {
        "copy_tbps": of("bench").get("copy_tbps"),
        "peer_rows_left_out": of("bench").get("peer_rows_left_out"),
        "tests": tests if "parity" in suites else None,
        "unused_kernels": of("parity").get("unused_kernels"),
        "python": part("python"),
        "demo": part("demo"),
        "two_gpus": part("two_gpus"),
        "sanitizer": of("sanitizer").get("sanitizer"),
        "soak": part("soak"),
        "stages": {name: {"ok": part["ok"], "commit": part["commit"]} for name, part in done.items()},
        "rows": of("bench").get("rows", []),
    }
    name = re.sub(r"[^a-z0-9]+", "-", whole["gpu"].lower()).strip("-")
    path = HERE / "record" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    rows = whole.pop("rows")
    head = json.dumps(whole, indent=1)[:-2]
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    path.write_text(f'{head},\n "rows": [\n  {lines}\n ]\n}}\n')
    print("record:", path.relative_to(HERE))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="stage", help=", ".join(STAGES))
    parser.add_argument("--force", action="store_true", help="also stages that have an outcome")
    parser.add_argument("--seconds", type=int, default=300, help="how long the soak lasts")
    options = parser.parse_args()
    unknown = set(options.stages) - set(STAGES)
    if unknown:
        parser.error(f"no stage {', '.join(sorted(unknown))}: there are {', '.join(STAGES)}")
    OUTCOME.mkdir(exist_ok=True)
    unpack()
    for name in options.stages or STAGES:
        if name in outcomes() and not options.force:
            print(f"{name}: done before")
            continue
        start = time.monotonic()
        outcome = STAGES[name](Clock(), options.seconds)
        if outcome is None:
            print(f"{name}: nothing to be seen on this machine")
            continue
        outcome |= ORIGIN | {"machine": machine()}
        (OUTCOME / f"{name}.json").write_text(json.dumps(outcome, indent=1))
        word = "ok" if outcome["ok"] else "FAILED"
        print(f"{name}: {word} in {time.monotonic() - start:.0f} s", flush=True)
        record()
    return 0 if all(part["ok"] for part in outcomes().values()) else 1


if __name__ == "__main__":
    sys.exit(main())
