"""Threads: each worker of each library on a processor of its own, and silence before a measurement.

Two threads that float over two virtual processors run at one or two times the speed of one, from run to run. Pinned they
run at two.
"""

from __future__ import annotations

import os
import time


def _tasks() -> set[int]:
    try:
        return {int(task) for task in os.listdir("/proc/self/task")}
    except OSError:
        return set()


def processors() -> list[int]:
    """The processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


class Pinning:
    """Watches which threads a library starts, and gives each its processor."""

    def __init__(self) -> None:
        self.allowed = processors()
        self.seen = _tasks()

    def settle(self) -> int:
        """Pins the threads that appeared since the last call; says how many."""
        new = sorted(_tasks() - self.seen)
        self.seen |= set(new)
        if not hasattr(os, "sched_setaffinity"):
            return len(new)
        # From the last processor down: a pool with a thread less than there are processors counts the caller, who sits
        # on the first one, and whoever starts two pools works with the one started last.
        for place, task in enumerate(reversed(new), start=1):
            try:
                os.sched_setaffinity(task, {self.allowed[-place % len(self.allowed)]})
            except ProcessLookupError:
                # It has ended.
                continue
        return len(new)

    def pin_caller(self) -> None:
        """The calling thread, once nobody starts threads any more: they would inherit its place."""
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {self.allowed[0]})


def quieten(limit: float = 0.06) -> None:
    """Waits until the workers of the library before have stopped spinning, at most `limit` seconds."""
    end = time.perf_counter() + limit
    while time.perf_counter() < end:
        before = time.process_time()
        time.sleep(0.001)
        if time.process_time() - before < 0.0003:
            return
