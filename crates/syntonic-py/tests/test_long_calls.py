"""Every public function on large operands: Ctrl-C ends it within a second, and other threads of Python go on while it works.

Each row of `calls` in a child process, told to stop a quarter of a second after it began. What was over before tells nothing; what
was not has to answer. The few rows that always run are those of kinds of their own; `SYNTONIC_EVERY_LONG_CALL=1` runs all, some
minutes.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

# Until it is told to stop, and how long it may take from then on.
PATIENCE = 0.25
MOST = 1.0
# The longest time for which other threads may stand still. The interpreter is asked for every tenth of a second.
STILL = 0.5
# Rows that one process goes through.
TOGETHER = 40
# Calls whose operand is what they change.
IN_PLACE = tuple(f"State.{name}" for name in ("__i", "__setitem__", "real", "imag", "fill", "flat", "put", "sort"))
SHAPES = {1: (4_000_000,), 2: (2500, 2500), 3: (16, 600, 600), 4: (16, 32, 100, 112)}
# Names that always run.
SOME = (
    "array State State.tolist linalg.eig linalg.svdvals linalg.solve linalg.qr fft.fft topk unique kron exact.GoldenArray.__matmul__ "
    "exact.GoldenArray.tolist transfer_entropy evolve.RES.tell infer.belief_update unstack"
).split()


def operand(call, syn):
    """A State for which the call is valid, of some millions of elements."""
    shape = SHAPES[call.ndim or 2]
    syn.random.seed(5)
    if call.dtype == "bool":
        return (syn.random.uniform(shape) < 0.5).eval()
    if call.dtype.startswith(("int", "uint")):
        return syn.random.integers(0, 1000, shape).astype(call.dtype).eval()
    x = syn.random.uniform(shape) * 0.5 + 0.25
    if call.dtype.startswith("complex"):
        x = x + 1j * syn.random.uniform(shape)
    return x.astype(call.dtype).eval()


def child(first: int, end: int) -> None:
    """Runs the rows and says of each what came of it."""
    import syntonic as syn
    from calls import CALLS

    armed = []
    handled = []

    def handle(number, frame):
        handled.append(time.perf_counter())
        if armed:
            armed.clear()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handle)
    ticks = [time.perf_counter()]
    gap = [0.0]

    def tick():
        while True:
            now = time.perf_counter()
            gap[0] = max(gap[0], now - ticks[0])
            ticks[0] = now
            time.sleep(0.01)

    threading.Thread(target=tick, daemon=True).start()
    for row in range(first, end):
        call = CALLS[row]
        x = None
        sent = []

        def send(sent=sent):
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(PATIENCE, send)
        outcome = "finished"
        try:
            x = operand(call, syn)
            given = x if call.given is None else call.given(x)
            before = _sample(x)
            gap[0] = 0.0
            start = time.perf_counter()
            timer.start()
            armed.append(True)
            made = call.run(given, random.Random(7))
            if isinstance(made, syn.State):
                made.eval()
            armed.clear()
        except KeyboardInterrupt:
            outcome = "interrupted"
        except (syn.SyntonicError, MemoryError, TypeError, ValueError, OverflowError, BufferError) as error:
            armed.clear()
            outcome = f"refused: {type(error).__name__}: {error}"[:200]
        ended = time.perf_counter()
        still = max(gap[0], ended - ticks[0])
        timer.cancel()
        timer.join()
        made = given = None
        print(
            json.dumps({
                "row": row,
                "name": call.name,
                "outcome": outcome,
                "took": round(ended - start, 3),
                "after": round(ended - sent[0], 3) if sent and sent[0] < ended else None,
                "still": round(still, 3),
                "same": call.name.startswith(IN_PLACE) or _sample(x) == before,
                "right": float(syn.sum(syn.ones((300, 300)) @ syn.ones((300, 300)))) == 300.0**3,
            }),
            flush=True,
        )


def _sample(x) -> str:
    """Some elements of an operand, which no call may change."""
    flat = x.reshape(-1)
    some = flat[:: max(1, flat.size // 1000)]
    return repr((some.astype("float16") if x.dtype.itemsize == 1 and x.dtype.kind == "f" else some).tolist())


def told(rows: list[int]) -> list[dict]:
    """What the child says of these rows, in as many processes as it takes."""
    out: list[dict] = []
    for k in range(0, len(rows), TOGETHER):
        part = rows[k : k + TOGETHER]
        while part:
            run = [part[0]]
            while len(run) < len(part) and part[len(run)] == run[-1] + 1:
                run.append(part[len(run)])
            arguments = [sys.executable, __file__, str(run[0]), str(run[-1] + 1)]
            done = subprocess.run(arguments, capture_output=True, text=True, timeout=1200, cwd=Path(__file__).parent, check=False)
            found = [json.loads(line) for line in done.stdout.splitlines()]
            assert done.returncode == 0, (run[0] + len(found), done.returncode, done.stderr[-2000:])
            out += found
            part = part[len(run) :]
    return out


def late(said: dict) -> bool:
    return (said["after"] or 0.0) > MOST or said["still"] > STILL


def test_every_long_call_ends_within_a_second_and_lets_others_go_on() -> None:
    from calls import CALLS

    every = os.environ.get("SYNTONIC_EVERY_LONG_CALL") == "1"
    seen: set[str] = set()
    rows = []
    for row, call in enumerate(CALLS):
        if every or (call.name in SOME and call.name not in seen):
            seen.add(call.name)
            rows.append(row)
    assert every or seen == set(SOME), set(SOME) - seen
    found = told(rows)
    # A machine that others use, too, gets a second chance.
    again = {said["row"]: said for row in (said["row"] for said in found if late(said)) for said in told([row])}
    found = [again.get(said["row"], said) for said in found]
    wrong = [said for said in found if late(said) or not said["right"] or not said["same"]]
    assert not wrong, wrong
    stopped = sum(said["outcome"] == "interrupted" for said in found)
    assert stopped >= (100 if every else 5), stopped


if __name__ == "__main__":
    child(int(sys.argv[1]), int(sys.argv[2]))
