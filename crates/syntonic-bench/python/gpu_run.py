"""Runs the stages of a GPU bundle and merges what came out into one record.

    python3 run.py                     # every stage that has no outcome yet
    python3 run.py parity sanitizer    # these
    python3 run.py --force bench       # again
    python3 run.py --seconds 300 soak
    python3 run.py --together          # the bench on one GPU, everything else on the others meanwhile

A stage's outcome is a file `outcome/<stage>.json`; one of other kernels than the bundle's is made again, and so is one that
did not end. What the committed record of the same kernels says need not be run again, either. The record is written after each
stage, also after one that failed. `record/*.json` and `outcome.tar.gz` are all that has to come back from a host; where there is
no folder of outcomes, that archive is unpacked first.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import time
import xml.etree.ElementTree

from known import completed, has_done, known, of_gpu
from parity import parity as parity_in_parts
from sanitizer import Jobs
from suites import merge_rows, slower, suites, table

HERE = pathlib.Path(__file__).resolve().parent
OUTCOME = HERE / "outcome"
#: The program and the wheel, once they are unpacked.
PROGRAM = HERE / "programs" / "syntonic-gpu"
#: Where the wheel is installed, in a folder for each stage.
SITE = HERE / "site"
#: What a host without the folder of outcomes begins with, and what it leaves.
ARCHIVE = HERE / "outcome.tar.gz"
#: No stage takes longer, all its programs together, unless the command says so.
LIMIT = 590
#: The kernels and the commit that the bundle was made from.
ORIGIN = json.loads((HERE / "origin.json").read_text())
#: The committed record of the same kernels, if there is one.
KNOWN = known(HERE / "known", ORIGIN["kernels_hash"])
#: Seconds of the demonstration on a GPU, and with 1,024 candidates and 300,000 evaluations: 1.4 times what an H200 has.
MOST_SECONDS = {"cuda": 1.12, "cuda_many": 1.68}
#: Of the images that the search did not see.
LEAST_ACCURACY = 0.92
#: What the first result of a process may take at most, as a multiple of a bare context and module; and a first call, in milliseconds.
MOST_OF_BARE = 1.25
MOST_OF_A_FIRST_CALL = 40.0
#: And the first generation of a search that lives on the device.
MOST_OF_A_FIRST_GENERATION = 200.0
PEERS = ("torch", "cupy", "jax", "evosax", "numpy")
#: A soak that is recorded lasts as long as this, in seconds.
SOAK = 300
#: Processors that the bench has for itself where other stages run meanwhile: with four, short calls of compiled peers took up to
#: twice as long (kernels/notes/README.md, "What a peer's time is").
BENCH_PROCESSORS = 8


class Clock:
    """What is left of a stage's time."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.end = time.monotonic() + seconds

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


def package(clock, stage):
    """Puts the wheel into the stage's own folder, without a network; the variables with which Python finds it."""
    wheels = sorted(PROGRAM.parent.glob("*.whl"))
    site = SITE / stage
    shutil.rmtree(site, ignore_errors=True)
    install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check"]
    status, text = call([sys.executable, *install, "--target", site, *wheels], clock)
    if status != 0 or not wheels:
        raise RuntimeError(f"the wheel was not installed, status {status}: {text[-1000:]}")
    before = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join([str(site), *([before] if before else [])])}


def read(path):
    return json.loads(path.read_text()) if path.is_file() else None


def fresh(name):
    """A file in the folder of outcomes that does not exist: no earlier run's is taken for this one's."""
    path = OUTCOME / name
    path.unlink(missing_ok=True)
    return path


def parity(clock, _):
    return parity_in_parts(call, clock, PROGRAM, OUTCOME, *lent())


def visible():
    """The GPUs that this process may use, as `CUDA_VISIBLE_DEVICES` names them."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return [name for name in named.split(",") if name]
    return [str(number) for number in range(len(output_of("nvidia-smi", "-L").splitlines()))]


def lent():
    """The GPUs that work may be spread over, and how many processors there are for it."""
    return visible() or ["0"], len(os.sched_getaffinity(0))


def sanitizer(clock, _):
    """Goes on with the jobs that have not ended; they may need several calls."""
    jobs = Jobs(OUTCOME, ORIGIN["kernels_hash"], KNOWN)
    jobs.run(call, clock, PROGRAM, *lent())
    return jobs.outcome()


def bench(clock, _):
    ours, theirs = fresh("ours.json"), fresh("peers_rows.json")
    # The peers follow in the same stage, so that a ratio compares times taken close together.
    half = Clock(clock.seconds * 0.4)
    status, text = call([PROGRAM, "bench", "--cases", HERE / "gpu_cases.json", "--json", ours], half)
    status_peers, text_peers = call([sys.executable, HERE / "peers.py", theirs, str(clock.left() - 15)], clock)
    mine, others = read(ours) or [], read(theirs) or {"rows": [], "copy_tbps": None, "left_out": None}
    rows = merge_rows(mine, others)
    of_suites = suites(json.loads((HERE / "gpu_cases.json").read_text()), rows)
    table(rows, of_suites, others["copy_tbps"])
    worse = slower(rows, others["copy_tbps"], of_gpu(HERE / "known", machine()["gpu"]))
    print("\n".join(["slower than the committed record:", *worse] if worse else []))
    wrong = [row for row in rows if "error" in row and row["impl"] == "syntonic"]
    return {
        "ok": status == 0 and status_peers == 0 and not wrong and not worse,
        "copy_tbps": others["copy_tbps"],
        "peer_rows_left_out": others.get("left_out"),
        "suites": of_suites,
        "slower": worse,
        "rows": rows,
        "errors": [part[-1000:] for code, part in ((status, text), (status_peers, text_peers)) if code],
    }


def soak(clock, seconds):
    path = fresh("soak_report.json")
    seconds = int(min(seconds, clock.seconds - 60))
    status, text = call([PROGRAM, "soak", "--seconds", str(seconds), "--json", path], clock)
    report = read(path)
    if report is None:
        return {"ok": False, "error": f"status {status}: {text[-2000:]}"}
    return {"ok": status == 0, "seconds": seconds, **report}


def tests_in(place, clock, variables):
    """Runs a file or folder of Python tests: what pytest counted, and the names of those that failed."""
    path = fresh(f"{pathlib.Path(place).stem}.xml")
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
    return tests_in("tests", clock, package(clock, "python"))


def start(clock, _):
    """First results of fresh processes."""
    path = fresh("start_report.json")
    status, text = call([sys.executable, "start.py", path], clock, **package(clock, "start"))
    report = read(path)
    if report is None:
        return {"ok": False, "error": f"status {status}: {text[-2000:]}"}
    times = report["cubins"]
    calls = [time for name, time in times.items() if name not in ("bare", "add", "search")]
    soon = max(calls) <= MOST_OF_A_FIRST_CALL and times["search"] <= MOST_OF_A_FIRST_GENERATION
    return {"ok": times["add"] <= MOST_OF_BARE * times["bare"] and soon, **report}


def demo(clock, _):
    """The same program on the GPU and on the CPU, which must come out as accurate; and on the GPU with as many candidates a
    generation as it has room for, which must be fast."""
    variables = package(clock, "demo")
    runs = {"cuda": ["cuda"], "cpu": ["cpu"], "cuda_many": ["cuda", "--population", "1024", "--evaluations", "300000"]}
    outcome = {}
    for name, words in runs.items():
        path = fresh(f"demo_{name}.json")
        files = ["--data", "digits.npz", "--json", path, "--out", OUTCOME]
        status, text = call([sys.executable, "digits.py", "--device", *words, *files], clock, **variables)
        outcome[name] = read(path) or {"error": f"status {status}: {text[-1000:]}"}
    accuracies = [part.get("test_accuracy", 0.0) for part in outcome.values()]
    # Two devices round differently, so these are two samples over 360 images: a standard deviation of 0.96 is 0.010.
    same = abs(accuracies[0] - accuracies[1]) <= 0.025 and min(accuracies) >= LEAST_ACCURACY
    fast = all(outcome[name].get("seconds", 1e9) <= most for name, most in MOST_SECONDS.items())
    return {"ok": same and fast, **outcome}


def blocks(clock, _):
    """A transformer block and a ResNet block in PyTorch, with our operators and with PyTorch's."""
    path = fresh("blocks_report.json")
    status, text = call([sys.executable, "blocks.py", path], clock, **package(clock, "blocks"))
    rows = read(path)
    return {"ok": status == 0 and rows is not None, "rows": rows or [], **({} if rows else {"error": f"status {status}: {text[-2000:]}"})}


def overlap(clock, _):
    """What goes on at the same time, measured by a process that has the GPU to itself."""
    path = fresh("overlap_report.json")
    status, text = call([PROGRAM, "overlap", "--json", path], clock)
    return {"ok": status == 0, **(read(path) or {"error": f"status {status}: {text[-1000:]}"})}


def two_gpus(clock, _):
    """Two GPUs of one process; where there is one, nothing is said."""
    if len(visible()) < 2:
        return None
    path, report = fresh("pair_report.json"), fresh("second_report.json")
    status, text = call([PROGRAM, "pair", "--json", path], clock)
    second_status, _text = call([PROGRAM, "parity", "--short", "--gpu", "1", "--json", report], clock)
    second = read(report) or {"passed": 0, "failed": ["no report"], "skipped": 0}
    variables = package(clock, "two_gpus")
    tests, groups = (tests_in(f"tests/{name}.py", clock, variables) for name in ("test_two_gpus", "test_two_gpus_groups"))
    return {
        "ok": status == 0 and second_status == 0 and tests["ok"] and groups["ok"],
        "pair": read(path) or {"error": f"status {status}: {text[-1000:]}"},
        "second": {"passed": second["passed"], "failed": len(second["failed"]), "skipped": second["skipped"]},
        "tests": tests,
        "groups": groups,
    }


STAGES = {
    "parity": parity,
    "python": python,
    "start": start,
    "demo": demo,
    "overlap": overlap,
    "blocks": blocks,
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
    cuda = release[1] if release else "unknown"
    return {"gpu": name, "driver": driver, "cuda": cuda, "python": platform.python_version(), "peers": versions}


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
        "kernel_sources": of("parity").get("kernel_sources"),
        "python": part("python"),
        "start": part("start"),
        "demo": part("demo"),
        "overlap": part("overlap"),
        "blocks": part("blocks"),
        "two_gpus": part("two_gpus"),
        "sanitizer": of("sanitizer").get("sanitizer"),
        "sanitizer_open": of("sanitizer").get("sanitizer_open"),
        "soak": part("soak") if of("soak").get("seconds", 0) >= SOAK else None,
        "suites": of("bench").get("suites"),
        "slower": of("bench").get("slower"),
        "stages": {name: {"ok": part["ok"], "commit": part["commit"]} for name, part in done.items()},
        "rows": of("bench").get("rows", []),
    }
    whole = completed(whole, KNOWN)
    # A library that is installed but timed in no row is no peer of this record.
    timed = {name.split(".")[0] for row in whole["rows"] for name in row.get("ratios", {})}
    whole["peers"] = {name: version for name, version in whole["peers"].items() if name in timed}
    name = re.sub(r"[^a-z0-9]+", "-", whole["gpu"].lower()).strip("-")
    path = HERE / "record" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    rows = whole.pop("rows")
    head = json.dumps(whole, indent=1)[:-2]
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    path.write_text(f'{head},\n "rows": [\n  {lines}\n ]\n}}\n')
    keep()
    print("record:", path.relative_to(HERE))


def keep():
    """Puts the outcomes into one file, whole or not at all: stages that still run may take a file away meanwhile."""
    unfinished = ARCHIVE.with_suffix(".new")
    try:
        with tarfile.open(unfinished, "w:gz") as archive:
            archive.add(OUTCOME, arcname=OUTCOME.name)
        unfinished.replace(ARCHIVE)
    except OSError as problem:
        print(f"outcomes are kept next time: {problem}")


def begin():
    """The outcomes of earlier calls, also of those on another host."""
    if not OUTCOME.is_dir() and ARCHIVE.is_file():
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(HERE, filter="data")
    OUTCOME.mkdir(exist_ok=True)


def is_done(name):
    outcome = outcomes().get(name)
    return has_done(KNOWN, name) if outcome is None else outcome.get("complete", True)


def run_stage(name, options):
    """Runs a stage and writes what it gave; whether there was anything to be seen."""
    start = time.monotonic()
    try:
        outcome = STAGES[name](Clock(options.limit), options.seconds)
    except Exception as problem:  # The other stages are none the worse for it.
        outcome = {"ok": False, "error": f"{type(problem).__name__}: {problem}".replace(str(HERE), ".")[:2000]}
    if outcome is None:
        print(f"{name}: nothing to be seen on this machine")
        return
    outcome |= ORIGIN | {"machine": machine()}
    (OUTCOME / f"{name}.json").write_text(json.dumps(outcome, indent=1))
    word = "ok" if outcome["ok"] else "FAILED" if outcome.get("complete", True) else "to be continued"
    print(f"{name}: {word} in {time.monotonic() - start:.0f} s", flush=True)


def plan(names, gpus):
    """Which GPUs each stage has where stages run side by side: the first one is the bench's alone, the sanitizer has all
    others, and so has what needs two. What finds no room beside the bench comes afterwards, and so do the demonstration, what overlaps
    and the first calls, of which a speed is asked that processors decide, too."""
    others = gpus[1:]
    beside, after = {}, []
    turn = 0
    for name in names:
        if name == "bench":
            beside[name] = gpus[:1]
        elif name in ("blocks", "demo", "overlap", "start") or (name == "two_gpus" and len(others) < 2):
            after.append(name)
        elif name in ("sanitizer", "two_gpus"):
            beside[name] = others
        else:
            beside[name] = [others[turn % len(others)]]
            turn += 1
    return beside, after


def pinned(name, processors):
    """The words that keep a stage to its processors: the bench to a few, the others to the rest."""
    few = processors[:BENCH_PROCESSORS]
    rest = processors[BENCH_PROCESSORS:] or processors
    mine = few if name == "bench" else rest
    return ["taskset", "--cpu-list", ",".join(map(str, mine))] if shutil.which("taskset") else []


def together(names, options):
    """Each stage in a process of its own, all at the same time, each with its own limit."""
    beside, after = plan(names, visible())
    processors = sorted(os.sched_getaffinity(0))
    running = {}
    for name, gpus in beside.items():
        log = (OUTCOME / f"{name}.log").open("w")
        words = [sys.executable, __file__, "--alone", "--force"]
        words += ["--seconds", str(options.seconds), "--limit", str(options.limit), name]
        environment = os.environ | {"CUDA_VISIBLE_DEVICES": ",".join(gpus)}
        command = [*pinned(name, processors), *words]
        running[name] = (subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=HERE), log)
    for name, (process, log) in running.items():
        process.wait()
        log.close()
        print(f"--- {name}\n{(OUTCOME / f'{name}.log').read_text(errors='replace')[-3000:]}", flush=True)
        record()
    for name in after:
        run_stage(name, options)
        record()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="stage", help=", ".join(STAGES))
    parser.add_argument("--force", action="store_true", help="also stages that have an outcome")
    parser.add_argument("--seconds", type=int, default=SOAK, help="how long the soak lasts")
    parser.add_argument("--limit", type=int, default=LIMIT, help="how long a stage may take, in seconds")
    parser.add_argument("--together", action="store_true", help="the bench on the first GPU, the rest on the others meanwhile")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = set(options.stages) - set(STAGES)
    if unknown:
        parser.error(f"no stage {', '.join(sorted(unknown))}: there are {', '.join(STAGES)}")
    begin()
    if options.alone:
        # The process that started this one unpacks and records.
        for name in options.stages:
            run_stage(name, options)
        return 0
    unpack()
    names = [name for name in options.stages or STAGES if options.force or not is_done(name)]
    for name in options.stages:
        if name not in names:
            print(f"{name}: done before")
    if options.together and len(visible()) > 1:
        together(names, options)
    else:
        for name in names:
            run_stage(name, options)
            record()
    return 0 if all(part["ok"] for part in outcomes().values()) else 1


if __name__ == "__main__":
    sys.exit(main())
