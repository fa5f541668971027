"""The leased service: its answers, and what becomes of the GPU when the process that asks dies, is stopped, or is not alone."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import syntonic
from syntonic import State, cuda

#: A process whose service has a command that takes minutes.
LONG = """
    import signal, sys, time
    # Whoever runs the tests in the background may have the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    import numpy as np
    import syntonic
    from syntonic import cuda
    rng = np.random.default_rng(1)
    service = cuda.Service(deadline=float(sys.argv[1]))
    model = service.register(rng.normal(size=(100, 900)), np.ones(100))
    def ask(steps):
        return service.belief_update(model, np.zeros(900), rng.normal(size=100), 1e-6, steps)
    ask(3)
    print("ready", flush=True)
"""
#: Waits for a line with all but the GPU at hand, and says how long the GPU then took.
FRESH = """
    import sys, time
    import syntonic
    from syntonic import State, cuda
    print("ready", flush=True)
    sys.stdin.readline()
    begun = time.monotonic()
    assert (State([1.0, 2.0]).cuda() + 1).tolist() == [2.0, 3.0]
    with cuda.Service() as service:
        assert service.sum([1.0, 2.0]) == 3.0
    print(time.monotonic() - begun, flush=True)
"""


@contextmanager
def process(program: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A Python process, once it is ready."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment) as child:
        try:
            assert child.stdout is not None
            line = child.stdout.readline()
            if line.strip() != "ready":
                raise AssertionError(line + child.communicate(timeout=60)[1][-3000:])
            yield child
        finally:
            child.kill()


def told(child: subprocess.Popen[str], text: str = "") -> str:
    """The last line of a process that comes to its end."""
    out, err = child.communicate(text, timeout=120)
    assert child.returncode == 0, out[-2000:] + err[-3000:]
    return out.splitlines()[-1]


def test_answers_are_those_of_the_operators() -> None:
    rng = np.random.default_rng(7)
    n, m = 900, 100
    mean_q, mean_p, observation, prediction = rng.normal(size=n), rng.normal(size=n), rng.normal(size=m), rng.normal(size=m)
    var_q, var_p, precision = rng.uniform(0.5, 2, n), rng.uniform(0.5, 2, n), rng.uniform(0.5, 2, m)
    jacobian = rng.normal(size=(m, n)) / 30
    with cuda.Service() as service:
        assert service.echo(mean_q).numpy().tobytes() == mean_q.tobytes()
        assert service.affine(2.0, 1.0, [1, 2, 3]).tolist() == [3.0, 5.0, 7.0]
        got = service.free_energy(mean_q, mean_p, var_q, var_p, observation, prediction, precision)
        parts = syntonic.infer.free_energy(mean_q, mean_p, var_q, var_p, observation, prediction, precision)
        wanted = [parts.free_energy.item(), parts.complexity.item(), parts.accuracy.item()]
        # A thousand terms below 10 in another order: a rounding for each of about 20 levels of two trees.
        assert np.allclose(got, wanted, rtol=0, atol=1000 * 10 * 40 * 2.0**-53)
        model = service.register(jacobian, precision, prior_mean=mean_p, prior_precision=var_p)
        assert model.sizes == (m, n)
        made = service.belief_update(model, mean_q, observation, 0.01, 25, 1e-6)
        same = syntonic.infer.belief_update(
            mean_q, jacobian, observation, precision, prior_mean=mean_p, prior_precision=var_p, rate=0.01, steps=25, tolerance=1e-6
        )
        assert made["mean"].numpy().tobytes() == same.mean.numpy().tobytes()
        assert made["steps"] == same.steps.item() and made["free_energy"] == same.free_energy.item()
        report = service.report()
        assert report["commands"] == 4 and report["live"] and not report["poisoned"], report
        service.pause()
        assert service.report()["ending"] == "asked" and service.sum([0.5]) == 0.5


def test_refusals_say_the_way_out() -> None:
    with cuda.Service(most_doubles=64) as service:
        for work, kind in (
            (lambda: service.echo(State([1.0]).cuda()), TypeError),
            (lambda: service.echo([[1.0]]), syntonic.ShapeError),
            (lambda: service.echo(np.zeros(65)), syntonic.ArgumentError),
            (lambda: service.call(99, [1.0], 1), syntonic.ArgumentError),
            (lambda: service.call(1, [1.0], 2**40), syntonic.ArgumentError),
            (lambda: service.register(np.zeros((4000, 4000)), np.zeros(4000)), syntonic.ArgumentError),
            (lambda: service.register(np.zeros((2, 2)), np.zeros(2), prior_mean=[0.0, 0.0]), syntonic.ArgumentError),
            (lambda: cuda.Service(idle=float("inf")), syntonic.ArgumentError),
            (lambda: cuda.Service(deadline=-1), syntonic.ArgumentError),
            (lambda: cuda.Service(most_commands=0), syntonic.ArgumentError),
        ):
            with pytest.raises(kind, match="hint|a lease|a time"):
                work()
        assert service.sum([1.0, 2.0]) == 3.0
    with pytest.raises(syntonic.ArgumentError, match="closed"):
        service.sum([1.0])
    assert repr(service) == "Service(closed)"


def test_other_threads_go_on_and_several_may_ask() -> None:
    with cuda.Service() as service:
        wrong: list[object] = []

        def ask(k: int) -> None:
            for i in range(500):
                if service.sum([k, i]) != k + i:
                    wrong.append((k, i))

        threads = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong and service.report()["commands"] == 2000


def test_a_process_that_is_killed_in_a_command_leaves_the_gpu() -> None:
    with process(LONG + "    ask((1 << 24) - 1)\n", 30) as victim, process(FRESH) as fresh:
        time.sleep(0.3)
        assert victim.poll() is None
        victim.kill()
        assert float(told(fresh, "go\n")) < 2.0


def test_a_process_that_is_stopped_leaves_the_gpu_and_goes_on() -> None:
    asks = """
    begun, k = time.monotonic(), 0
    while time.monotonic() - begun < 2.5:
        assert service.sum([k, 1.0]) == k + 1.0
        k += 1
    report = service.report()
    assert report["leases"] >= 3 and report["commands"] == k + 1 and not report["poisoned"], (report, k)
    print("well")
    """
    with process(LONG + asks, 5) as child, process(FRESH) as fresh:
        time.sleep(0.3)
        child.send_signal(signal.SIGSTOP)
        try:
            begun = time.monotonic()
            assert float(told(fresh, "go\n")) < 2.0
            time.sleep(max(0.0, 1.0 - (time.monotonic() - begun)))
        finally:
            child.send_signal(signal.SIGCONT)
        assert told(child) == "well"


def test_a_command_of_a_process_that_is_stopped_ends_by_itself() -> None:
    """The device gives up at twice the deadline, and the host hears of that or of its own deadline."""
    asks = """
    try:
        ask((1 << 24) - 1)
        print("it was answered")
    except (syntonic.DeviceError, syntonic.ArgumentError) as error:
        assert "no answer" in str(error) or "longer than a command may" in str(error), error
        print("well")
    """
    with process(LONG + asks, 0.4) as child:
        time.sleep(0.1)
        child.send_signal(signal.SIGSTOP)
        time.sleep(1.0)
        child.send_signal(signal.SIGCONT)
        assert told(child) == "well"


def test_ctrl_c_ends_a_request_and_the_service_goes_on() -> None:
    asks = """
    try:
        ask((1 << 24) - 1)
    except KeyboardInterrupt:
        ask(3)
        assert not service.report()["poisoned"]
        print("well")
    """
    with process(LONG + asks, 30) as child:
        time.sleep(0.3)
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert told(child) == "well"
        assert time.monotonic() - begun < 3.0


def test_another_library_allocates_beside_a_lease() -> None:
    torch = pytest.importorskip("torch")
    lifetime = 0.3
    torch.ones(1, device="cuda")
    done = threading.Event()
    failed: list[BaseException] = []
    with cuda.Service(lifetime=lifetime) as service:

        def ask() -> None:
            try:
                while not done.is_set():
                    assert service.sum([1.0, 2.0]) == 3.0
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        try:
            longest = 0.0
            for _ in range(10):
                begun = time.monotonic()
                x = torch.ones(1 << 22, device="cuda")
                assert float(x.sum()) == float(1 << 22)
                del x
                torch.cuda.empty_cache()
                torch.cuda.synchronize()
                longest = max(longest, time.monotonic() - begun)
        finally:
            done.set()
            thread.join()
        assert not failed, failed
        # Loading two kernels, allocating twice, reading, freeing and waiting: each for the rest of a lease at most.
        assert longest < 7 * lifetime + 0.5, longest


def test_memory_freed_by_a_thread_that_uses_the_driver_waits_for_a_lease_at_most() -> None:
    """`cuMemAlloc` and `cuMemFree` of another thread, which know nothing of services, while requests come all the time."""
    driver = ctypes.CDLL("libcuda.so.1")
    lifetime, longest, failed = 0.3, 0.0, []
    done = threading.Event()

    def allocate() -> None:
        nonlocal longest
        try:
            context, address = ctypes.c_void_p(), ctypes.c_uint64()
            assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
            assert driver.cuCtxSetCurrent(context) == 0
            for _ in range(10):
                begun = time.monotonic()
                assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(1 << 22)) == 0
                assert driver.cuMemFree_v2(address) == 0
                longest = max(longest, time.monotonic() - begun)
            assert driver.cuDevicePrimaryCtxRelease_v2(0) == 0
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    with cuda.Service(lifetime=lifetime) as service:
        assert service.sum([1.0, 2.0]) == 3.0
        thread = threading.Thread(target=allocate)
        thread.start()
        asked = 0
        while not done.is_set():
            assert service.sum([asked, 2.0]) == asked + 2.0
            asked += 1
        thread.join()
    assert not failed, failed
    # Allocating and freeing: each for the rest of a lease at most.
    assert asked > 0 and longest < 2 * lifetime + 0.5, (asked, longest)
