"""A process that forks while its threads work: every child computes, whatever the threads were at."""

from __future__ import annotations

import os
import select
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import syntonic
from syntonic import State
from syntonic.random import Generator

FORKS = 150
PATIENCE = 60.0


def equal(x: object, y: object) -> None:
    if x != y:
        raise ValueError(f"{x} is not {y}")


def memory() -> None:
    equal(float((syntonic.zeros(40_000, dtype="float64") + 1).sum()), 40_000.0)


def later() -> None:
    equal(float(WAITING[ROUND[0] % len(WAITING)][17]), 18.0)


def in_place() -> None:
    x = syntonic.ones(20_000, dtype="float64")
    y = x * 3
    x[5] = 100.0
    equal([float(y[5]), float(x[5])], [3.0, 100.0])


def transform() -> None:
    n = 100 + ROUND[0] % 40
    equal(round(float(syntonic.fft.rfft(syntonic.ones(n, dtype="float64"))[0].real), 6), float(n))


def product() -> None:
    x = syntonic.ones((80, 80), dtype="float32")
    equal(float((x @ x)[3, 4]), 80.0)


def decomposition() -> None:
    x = syntonic.eye(12, dtype="float64") * 4
    equal(float(syntonic.linalg.cholesky(x)[3, 3]), 2.0)


def draws() -> None:
    equal(bool((GENERATOR.uniform(shape=4000) < 1).all()), True)


def files() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        syntonic.save(path, syntonic.arange(5000))
        equal(int(syntonic.load(path)[4999]), 4999)


def profiled() -> None:
    with syntonic.profile() as report:
        syntonic.exp(syntonic.ones(20_000)).eval()
    equal(len(report.lines) > 0, True)


def gradient() -> None:
    slope = syntonic.grad(lambda x: (x * x).sum())(syntonic.full(9000, 3.0, dtype="float64"))
    equal(float(slope[0]), 6.0)


def search() -> None:
    try:
        equal(SEARCH.dimension, 4)
        SEARCH.tell((SEARCH.ask() ** 2).sum(axis=1))
    except syntonic.ArgumentError as error:
        if "was at work in another thread when this process was forked" not in str(error) and "ask" not in str(error):
            raise


WORKS: list[Callable[[], None]] = [
    memory,
    later,
    in_place,
    transform,
    product,
    decomposition,
    draws,
    files,
    profiled,
    gradient,
    search,
]
ROUND = [0]
BASE = syntonic.arange(10_000, dtype="float64")
WAITING = [BASE + 1 for _ in range(FORKS)]
GENERATOR = Generator(3)
SEARCH = syntonic.evolve.RES([1.0] * 4)


def live(told: int) -> None:
    """What a child does; a byte for each work that is done."""
    code = 1
    try:
        for work in WORKS:
            work()
            os.write(told, b"+")
        code = 0
    except BaseException as error:
        os.write(told, f"{type(error).__name__}: {error}".encode())
    finally:
        os._exit(code)


def outcome(child: int, heard: int) -> str:
    """What a child said, however it ended."""
    said = b""
    began = time.monotonic()
    while True:
        if not select.select([heard], [], [], max(0.0, PATIENCE - (time.monotonic() - began)))[0]:
            os.kill(child, signal.SIGKILL)
            said += b" hangs"
            break
        more = os.read(heard, 4096)
        if not more:
            break
        said += more
    os.waitpid(child, 0)
    return said.decode()


# Forking with threads is what is tested here.
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_forked_amid_work_computes() -> None:
    over = threading.Event()
    failed: list[str] = []

    def busy(first: int) -> None:
        k = first
        while not over.is_set():
            try:
                WORKS[k % len(WORKS)]()
            except Exception as error:
                failed.append(f"{WORKS[k % len(WORKS)].__name__}: {error}")
                return
            k += 1

    threads = [threading.Thread(target=busy, args=(3 * k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    try:
        for k in range(FORKS):
            ROUND[0] = k
            heard, told = os.pipe()
            child = os.fork()
            if child == 0:
                live(told)
            os.close(told)
            said = outcome(child, heard)
            os.close(heard)
            assert said == "+" * len(WORKS), (k, WORKS[said.count("+") % len(WORKS)].__name__, said)
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert failed == []


def test_a_profile_is_of_the_process_that_began_it() -> None:
    heard, told = os.pipe()
    with syntonic.profile() as report:
        syntonic.exp(syntonic.ones(20_000)).eval()
        child = os.fork()
        if child == 0:
            for _ in range(50):
                syntonic.exp(syntonic.ones(20_000)).eval()
            os.write(told, b"done")
            os._exit(0)
        os.waitpid(child, 0)
    assert os.read(heard, 10) == b"done"
    os.close(heard)
    os.close(told)
    assert sum(line.calls for line in report.lines) < 50


def test_views_and_pending_values_of_the_parent_are_the_childs_own() -> None:
    x = State([1.0] * 9000)
    y = x + 1
    child = os.fork()
    if child == 0:
        x[0] = 5.0
        os._exit(0 if (float(y[0]), float(x[0])) == (2.0, 5.0) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (float(x[0]), float(y[0])) == (1.0, 2.0)
