"""How long the first result of a row takes the peers: a process for each row, no cache of the driver's or of a compiler's, the
operands on the card, from the call until the result is there.

    python3 first.py FIRST.json [--suite formulas] [--case softmax] [--libraries torch,torch.compile]
    python3 first.py --beside OURS.json FIRST.json

The second form prints a line for each row of ours beside the peers. Ours are `syntonic-gpu first --json OURS.json`.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
#: What a process is started with: nothing that an earlier one compiled is there.
NO_CACHE = {"CUDA_CACHE_DISABLE": "1", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}
#: Folders that compilers fill, which are new for each process.
FOLDERS = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR")
#: No compiler takes so many seconds.
LIMIT = 300


def name(row):
    return row["case"], row["dtype"], tuple(row["size"])


def timed(row, library):
    """Microseconds of the first and the second call, in this process."""
    import peers

    call = library.call(row)
    if call is None:
        return None
    given = library.prepare(row, library.inputs(row, peers.drawn(row), 0))
    library.wait()
    times = []
    for _ in range(2):
        start = time.perf_counter()
        result = call(*given)
        library.wait()
        times.append((time.perf_counter() - start) * 1e6)
        del result
    return {"first_us": times[0], "second_us": times[1]}


def in_a_process(row, library):
    """The same in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        folders = {variable: os.path.join(folder, variable) for variable in FOLDERS}
        command = [sys.executable, HERE / "first.py", "--row", json.dumps(row), "--libraries", library]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=LIMIT,
                env=os.environ | NO_CACHE | folders,
            )
        except subprocess.TimeoutExpired:
            return {"error": f"more than {LIMIT} s"}
    if done.returncode:
        return {"error": done.stderr[-300:].replace(str(HERE), ".")}
    # Libraries may say something before.
    return json.loads(done.stdout.splitlines()[-1])


def measured(rows, names, run=in_a_process):
    """What came of each row and library; a library that does not run a row is left out."""
    for row in rows:
        for library in names:
            outcome = run(row, library)
            if outcome is not None:
                yield {key: row[key] for key in ("suite", "case", "dtype", "size")} | {"impl": library} | outcome


def beside(ours, theirs):
    """A line for each row of ours: milliseconds of its first result, and those of the peers."""
    times = {}
    for row in theirs:
        if "first_us" in row:
            times.setdefault(name(row), {})[row["impl"]] = row["first_us"] / 1e3
    lines = []
    for row in ours:
        first = f"{row['first_us'] / 1e3:9.1f} ms" if "first_us" in row else f"FAILED {row['error'][:80]}"
        others = " ".join(f"{peer} {time:.1f}" for peer, time in times.get(name(row), {}).items())
        lines.append(f"{row['case']:28} {row['dtype']:10} {row['size']!s:15} {first}  {others}".rstrip())
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=pathlib.Path, nargs="?", help="where the rows go, or lie")
    parser.add_argument("--suite", default="formulas", help="only the rows of this suite")
    parser.add_argument("--case", default="", help="only the rows whose name contains this")
    parser.add_argument("--libraries", default="torch,torch.compile", help="only these, with commas")
    parser.add_argument("--beside", type=pathlib.Path, help="rows of ours, to be printed beside those that there are")
    parser.add_argument("--row", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.libraries.split(",")
    if options.row:
        import peers

        outcome = [timed(options.row, library) for library in peers.libraries(names)]
        print(json.dumps(outcome[0]))
        return
    if options.target is None:
        parser.error("where do the rows go?")
    if options.beside:
        print("\n".join(beside(json.loads(options.beside.read_text()), json.loads(options.target.read_text()))))
        return
    rows = json.loads((HERE / "gpu_cases.json").read_text())
    rows = [row for row in rows if row["suite"] == options.suite and options.case in row["case"]]
    done = []
    for outcome in measured(rows, names):
        done.append(outcome)
        print(json.dumps(outcome), flush=True)
        options.target.write_text(json.dumps(done))


if __name__ == "__main__":
    main()
