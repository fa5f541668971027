"""A rank of a group of processes, started by the tests: prints what came of its search as JSON."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

import syntonic
from syntonic.distributed import Group, shard
from syntonic.evolve import RES, DeviceSearch


def sphere(x: Any) -> Any:
    return (x * x).sum(axis=-1)


def device_search(group: Group | None, objective: Any = sphere, generations: int = 4) -> list[object]:
    """Two kinds of search, alone or with others."""
    search = DeviceSearch(syntonic.full((2, 5), 3.0), 1.0, 14, seed=3)
    history = search.run(objective, generations, chunk=4, group=group).tolist()
    odd = DeviceSearch(syntonic.full(3, 2.0, dtype="float64"), 0.5, 9, rule="snes", seed=5)
    odd.run(objective, generations, group=group)
    return [history, search.mean.tolist(), odd.mean.tolist(), odd.deviation.tolist()]


def res(group: Group | None) -> list[object]:
    search = RES([3.0] * 5, population=7, seed=2)
    search.run(sphere if group is None else shard(sphere, group), generations=5, progress=False)
    return [search.centre.tolist(), search.sigma]


def main(kind: str) -> object:
    with Group.from_env(timeout=float(os.environ.get("PATIENCE", "30"))) as group:
        calls = 0

        def objective(x: Any) -> Any:
            nonlocal calls
            calls += 1
            if group.rank == int(os.environ["CULPRIT"]) and calls == 3:
                if kind == "killed":
                    os.kill(os.getpid(), signal.SIGKILL)
                if kind == "stopped":
                    os.kill(os.getpid(), signal.SIGSTOP)
                raise ValueError("mine")
            return sphere(x)

        if kind == "waits" and group.rank == 1:
            print("here", flush=True)
            time.sleep(30.0)
        if kind == "waits":
            print("here", flush=True)
            group.barrier()
        return [device_search(group), res(group)] if kind == "searches" else device_search(group, objective)


if __name__ == "__main__":
    # Whoever runs the tests in the background may have the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        print(json.dumps({"value": main(sys.argv[1])}))
    except Exception as raised:
        print(json.dumps({"raised": type(raised).__name__, "text": str(raised), "at": time.monotonic()}))
