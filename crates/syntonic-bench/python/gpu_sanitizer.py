"""The sanitizer's tools over the short form of the suite: a queue of jobs that may end in a later call.

A job is one tool over one part of the suite. What came of it stays on disk under the hash of the kernels, so that a call
begins where the last one stopped. A tool has a number of findings when all its parts have ended, and not before.
"""

import collections
import concurrent.futures
import contextlib
import json
import os
import re
import threading
import time

from parity import workers

#: The longest first: what is left at the end is short.
TOOLS = ("racecheck", "memcheck", "initcheck", "synccheck")
#: Neighbours in the list of checks, which load the same kernels.
PARTS = 128
#: What each tool is told beside its name.
EXTRA = {
    # Calls that are meant to fail, such as loading a text that is no kernel, are no errors of memory.
    "memcheck": ["--check-api-memory-access", "no", "--report-api-errors", "no"],
    # Barriers of a block that it keeps account of. What it finds out by itself is too few for products of half types.
    "synccheck": ["--num-cuda-barriers", "4096"],
}
#: Less time than this is not worth a start, in seconds.
LEAST = 30.0
#: Tools that take much memory for their accounts, and the processes of them that one GPU has it for.
LARGE = ("synccheck",)
FEW = 4
#: What is said where a tool did not look: by the tool, which counts it as an error of the program's, or by a program that
#: could not begin.
BLIND = ("Internal Sanitizer Error", "Device not supported", "open failed on cuda:0: CUDA_ERROR_OUT_OF_MEMORY")
#: What such an outcome begins with, and how often its job is begun in one call: others may have had the memory.
UNSEEN = "the tool did not see"
TRIES = 3


def findings(status, text):
    """The number of errors a tool names; a string where it named none, and so says nothing."""
    blind = sum(text.count(words) for words in BLIND)
    if blind:
        return f"{UNSEEN} {blind} launches or a device"
    # racecheck ends with a summary of its own, of hazards.
    summaries = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", text)
    if not summaries:
        return f"no summary, status {status}"
    errors = sum(map(int, summaries))
    if errors == 0 and status != 0:
        return f"no findings, but status {status}"
    return errors


def command(program, tool, part):
    suite = [program, "parity", "--short", "--part", f"{part}/{PARTS}"]
    return ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", *EXTRA.get(tool, []), *suite]


def without_number(outcomes):
    """The jobs, of these outcomes, that have no number of findings."""
    return [job for job, outcome in outcomes.items() if outcome is None or not isinstance(outcome["findings"], int)]


def told(outcomes):
    """The findings of all parts of a tool, by part, or how far it is and which parts gave no number."""
    counted = {part: o["findings"] for part, o in outcomes.items() if o and isinstance(o["findings"], int)}
    if len(counted) == PARTS:
        return sum(counted.values())
    text = f"{len(counted)} of {PARTS} parts, {sum(counted.values())} findings"
    strange = [f"{part}/{PARTS} {o['findings']}" for part, o in outcomes.items() if o and part not in counted]
    return "; ".join([text, *strange[:8]])


class Jobs:
    """The jobs of one set of kernels, with what came of them. A record of these kernels that has no findings vouches for the
    parts that it does not call open."""

    def __init__(self, folder, kernels_hash, record=None):
        counts, left = ((record or {}).get(field) or {} for field in ("sanitizer", "sanitizer_open"))
        clean = all(count == 0 or ", 0 findings" in str(count) for count in counts.values())
        self.open = left if left and clean else {tool: range(1, PARTS + 1) for tool in TOOLS}
        self.folder = folder / f"sanitizer-{kernels_hash}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = threading.Lock()

    def path(self, tool, part):
        return self.folder / f"{tool}-{part:02}.json"

    def ended(self, tool, part):
        """What came of a job; None where it was not begun."""
        path = self.path(tool, part)
        if path.is_file():
            return json.loads(path.read_text())
        return None if part in self.open[tool] else {"findings": 0, "seconds": 0.0}

    def outcomes(self):
        """What came of every job, tool by tool."""
        return {(tool, part): self.ended(tool, part) for tool in TOOLS for part in range(1, PARTS + 1)}

    def waiting(self):
        """Jobs without a number, tool by tool. Those that ran out of time come first, while there is most of it."""
        outcomes = self.outcomes()
        return sorted(without_number(outcomes), key=lambda job: outcomes[job] is None)

    def run(self, call, clock, program, gpus, processors):
        """Works on the jobs that wait with as many processes as there are processors, each on the next GPU. `call` runs
        a command within the clock's time and gives its status and output."""
        queue = collections.deque(self.waiting())
        turns = collections.deque(gpus)
        few = {gpu: threading.Semaphore(FEW) for gpu in gpus}
        tries = collections.Counter()
        count = max(1, min(workers(gpus, processors), len(queue)))

        def next_job():
            with self.lock:
                if not queue or clock.left() < LEAST:
                    return None
                turns.rotate(-1)
                return *queue.popleft(), turns[-1]

        def work(_):
            while job := next_job():
                tool, part, gpu = job
                with few[gpu] if tool in LARGE else contextlib.nullcontext():
                    start = time.monotonic()
                    status, text = call(command(program, tool, part), clock, CUDA_VISIBLE_DEVICES=gpu)
                seconds = round(time.monotonic() - start, 1)
                what = f"ran out of time after {seconds:.0f} s" if status == 124 else findings(status, text)
                outcome = {"findings": what, "seconds": seconds, "gpu": gpu}
                self.path(tool, part).with_suffix(".log").write_text(text[-20_000:])
                unfinished = self.path(tool, part).with_suffix(f".{os.getpid()}")
                unfinished.write_text(json.dumps(outcome))
                unfinished.replace(self.path(tool, part))
                print(f"{tool} {part}/{PARTS}: {what} in {seconds:.0f} s", flush=True)
                tries[tool, part] += 1
                if str(what).startswith(UNSEEN) and tries[tool, part] < TRIES:
                    queue.append((tool, part))

        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            list(pool.map(work, range(count)))

    def outcome(self):
        outcomes = self.outcomes()
        by_tool = {tool: {part: o for (name, part), o in outcomes.items() if name == tool} for tool in TOOLS}
        counts = {tool: told(parts) for tool, parts in by_tool.items()}
        left = without_number(outcomes)
        complete = not left
        return {
            "ok": complete and not any(counts.values()),
            "complete": complete,
            "sanitizer": counts,
            "sanitizer_open": {tool: [part for name, part in left if name == tool] for tool in TOOLS},
            "sanitizer_seconds": {
                tool: round(sum(o["seconds"] for o in parts.values() if o)) for tool, parts in by_tool.items()
            },
        }
