"""One search on several ranks, which are threads or processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import ranks

import syntonic
from syntonic.distributed import Group, shard
from syntonic.evolve import RES, DeviceSearch


def in_threads(size: int, work: Callable[[Group], Any], timeout: float = 20.0) -> list[Any]:
    """What each rank made of it, or what it raised."""
    results: list[Any] = [None] * size

    def run(group: Group) -> None:
        try:
            with group:
                results[group.rank] = work(group)
        except Exception as raised:
            results[group.rank] = raised

    threads = [threading.Thread(target=run, args=(group,)) for group in Group.threads(size, timeout)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    return results


def in_processes(size: int, kind: str, **environment: str) -> list[subprocess.Popen[str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, str(Path(__file__).with_name("ranks.py")), kind]
    return [
        subprocess.Popen(
            program,
            stdout=subprocess.PIPE,
            text=True,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("TORCHELASTIC")},
                **{"RANK": str(rank), "WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)},
                **environment,
            },
        )
        for rank in range(size)
    ]


SECRET = "a secret of these tests"


def listening(port: int) -> socket.socket:
    """A connection to the port, once somebody listens there."""
    began = time.monotonic()
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=20.0)
        except ConnectionRefusedError:
            assert time.monotonic() - began < 20.0


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def said(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, _ = process.communicate(timeout=60.0)
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found


def test_any_number_of_shards_has_the_bits_of_one() -> None:
    want = [ranks.device_search(None), ranks.res(None)]
    for size in (1, 2, 3, 7):
        for found in in_threads(size, lambda group: [ranks.device_search(group), ranks.res(group)]):
            assert found == want, size


@pytest.mark.parametrize("rule", ["res", "snes"])
def test_a_function_by_name_is_shared_too(rule: str) -> None:
    def new() -> DeviceSearch:
        return DeviceSearch(syntonic.full(300, 3.0, dtype="float32"), 0.5, 22, rule=rule, seed=4)

    alone = new()
    history = alone.run("ackley", 6)

    def work(group: Group) -> tuple[list[float], list[float]]:
        search = new()
        return search.run("ackley", 6, group=group).tolist(), search.mean.tolist()

    for size in (2, 3):
        assert in_threads(size, work) == [(history.tolist(), alone.mean.tolist())] * size


def test_processes_have_the_bits_of_one() -> None:
    want = [ranks.device_search(None), ranks.res(None)]
    for process in in_processes(3, "searches"):
        assert said(process) == {"value": want}


@pytest.mark.parametrize(("kind", "culprit"), [("killed", 0), ("killed", 1), ("raises", 0), ("raises", 2), ("stopped", 2)])
def test_a_rank_that_dies_stalls_or_raises_is_named_to_all_others(kind: str, culprit: int) -> None:
    patience = "1" if kind == "stopped" else "30"
    processes = in_processes(3, kind, CULPRIT=str(culprit), PATIENCE=patience)
    began = time.monotonic()
    try:
        for rank, process in enumerate(processes):
            if rank == culprit:
                continue
            told = said(process)
            assert told["raised"] == "GroupError" and f"rank {culprit} of 3" in told["text"], told
            assert ("raised ValueError: mine" in told["text"]) == (kind == "raises"), told
        assert time.monotonic() - began < 20.0
        if kind == "raises":
            assert said(processes[culprit]) | {"at": 0} == {"raised": "ValueError", "text": "mine", "at": 0}
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_ctrl_c_ends_a_wait() -> None:
    processes = in_processes(2, "waits", CULPRIT="9")
    try:
        for process in processes:
            assert process.stdout is not None and process.stdout.readline() == "here\n"
        processes[0].send_signal(signal.SIGINT)
        assert processes[0].wait(10.0) != 0
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def test_an_objective_that_raises_in_a_thread_leaves_the_searches_as_they_were() -> None:
    searches = {}

    def work(group: Group) -> None:
        search = searches[group.rank] = DeviceSearch(syntonic.full(4, 3.0), 1.0, 8)
        search.run(lambda x: 1 / 0 if group.rank == 1 else ranks.sphere(x), 3, group=group)

    found = in_threads(3, work)
    assert isinstance(found[1], ZeroDivisionError)
    for k in (0, 2):
        assert isinstance(found[k], syntonic.GroupError) and isinstance(found[k], RuntimeError)
        assert "rank 1 of 3 raised ZeroDivisionError" in str(found[k])
    assert all(search.generation == 0 and search.mean.tolist() == [3.0] * 4 for search in searches.values())


def test_searches_that_differ_are_told_before_they_run_apart() -> None:
    def device(group: Group) -> None:
        DeviceSearch(syntonic.full(4, 3.0), 1.0, 8, seed=group.rank // 2).run(ranks.sphere, 2, group=group)

    def res(group: Group) -> None:
        RES([3.0] * 4, seed=group.rank // 2).run(shard(ranks.sphere, group), generations=2, progress=False)

    for work in (device, res):
        for raised in in_threads(3, work):
            assert isinstance(raised, syntonic.GroupError) and "rank 2 of 3" in str(raised), raised


def test_states_of_all_ranks() -> None:
    def work(group: Group) -> object:
        first, last = group.share(7)
        mine = syntonic.arange(first, last, dtype="float32")
        rows = [x.tolist() for x in group.all_gather(mine)]
        group.barrier()
        whole = group.concat(mine, 7)
        assert whole.dtype == syntonic.float32 and group.all_gather_bytes(b"x" * group.rank) == [b"", b"x", b"xx"]
        return [rows, whole.tolist(), repr(group)]

    for rank, (rows, whole, text) in enumerate(in_threads(3, work)):
        assert rows == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0, 6.0]] and whole == list(range(7))
        assert text == f"Group(rank={rank}, size=3)"


def test_arguments_of_no_sense_and_a_group_that_is_closed() -> None:
    group = Group.alone()
    search = DeviceSearch(syntonic.zeros(2), 1.0, 4)
    assert search.run("sphere", 1, group=group).shape == (1,)
    with pytest.raises(syntonic.ArgumentError, match="timeout"):
        Group.from_env(timeout=-1.0)
    with pytest.raises(syntonic.ArgumentError, match="rank 2 of 2"):
        Group.connect(2, 2, "127.0.0.1", 29500)
    with pytest.raises(syntonic.GroupError, match="rank 0 of 2 was not found at 127.0.0.1:9"):
        Group.connect(1, 2, "127.0.0.1", 9, timeout=0.2)
    group.close()
    with pytest.raises(syntonic.GroupError, match="closed"):
        group.barrier()
    with pytest.raises(syntonic.ArgumentError, match="by name"):
        search.step("sphere", group=Group.threads(2)[0])
    with pytest.raises((syntonic.DeviceError, syntonic.GroupError)):
        Group.threads(2, 0.1)[0].with_nccl(0)


@pytest.mark.parametrize("secret", [None, SECRET, SECRET.encode()])
def test_strangers_end_no_start_and_take_no_place(secret: str | bytes | None) -> None:
    port = free_port()
    results: dict[int, object] = {}

    def rank(number: int) -> None:
        try:
            with Group.connect(number, 2, "127.0.0.1", port, timeout=20.0, secret=secret) as group:
                results[number] = group.all_gather_bytes(b"x" * number)
        except Exception as raised:
            results[number] = raised

    threads = [threading.Thread(target=rank, args=(number,)) for number in range(2)]
    threads[0].start()
    head = b"SyGr" + (9).to_bytes(2, "little") + (1).to_bytes(2, "little") + bytes(16)
    hello = b"SyGr" + (1).to_bytes(2, "little") + (1).to_bytes(2, "little") + bytes(8) + (16).to_bytes(8, "little")
    hello += (1).to_bytes(8, "little") + (2).to_bytes(8, "little")
    now = b"SyGr" + (2).to_bytes(2, "little") + (1).to_bytes(2, "little") + bytes(8) + b"\xff" * 8
    strangers = [listening(port) for _ in range(80)]
    for words in (head, hello, now, b"GET / HTTP/1.1\r\n\r\n", bytes(40), bytes(1000)):
        strangers.append(listening(port))
        strangers[-1].sendall(words)
    threads[1].start()
    for thread in threads:
        thread.join(40.0)
    for stranger in strangers:
        stranger.close()
    assert results == {number: [b"", b"x"] for number in range(2)}


def test_ranks_without_the_secret_are_told() -> None:
    port = free_port()
    told: list[str] = []

    def host() -> None:
        with pytest.raises(syntonic.GroupError) as raised:
            Group.connect(0, 2, "127.0.0.1", port, timeout=2.0, secret=SECRET)
        told.append(str(raised.value))

    thread = threading.Thread(target=host)
    thread.start()
    for other in (None, "another secret than theirs"):
        with pytest.raises(syntonic.GroupError, match="SYNTONIC_GROUP_SECRET"):
            Group.connect(1, 2, "127.0.0.1", port, timeout=20.0, secret=other)
    thread.join(20.0)
    assert len(told) == 1 and "2 came with another secret" in told[0] and SECRET not in told[0]
    with pytest.raises(syntonic.ArgumentError, match="SYNTONIC_GROUP_SECRET"):
        Group.connect(0, 2, "0.0.0.0", port)
    with pytest.raises(syntonic.ArgumentError, match="16 at least"):
        Group.connect(0, 2, "127.0.0.1", port, secret="short")
    with pytest.raises(syntonic.ArgumentTypeError):
        Group.connect(0, 2, "127.0.0.1", port, secret=7)  # type: ignore[arg-type]


def test_a_gather_may_take_longer_than_the_timeout_while_bytes_move() -> None:
    port = free_port()
    results: dict[int, object] = {}
    size = 160_000_000

    def rank(number: int) -> None:
        try:
            with Group.connect(number, 2, "127.0.0.1", port, timeout=1.0, secret=SECRET) as group:
                results[number] = [len(part) for part in group.all_gather_bytes(bytes([number]) * size)]
        except Exception as raised:
            results[number] = raised

    threads = [threading.Thread(target=rank, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert results == {number: [size] * 2 for number in range(2)}


def test_what_an_exception_says_moves_no_cursor_elsewhere() -> None:
    port = free_port()
    told: list[str] = []

    def host() -> None:
        with Group.connect(0, 2, "127.0.0.1", port, secret=SECRET) as group:
            with pytest.raises(syntonic.GroupError) as raised:
                group.barrier()
            told.append(str(raised.value))

    thread = threading.Thread(target=host)
    thread.start()
    with pytest.raises(ValueError, match="mine"), Group.connect(1, 2, "127.0.0.1", port, secret=SECRET):
        raise ValueError("mine\x1b[2J\x07")
    thread.join(20.0)
    assert len(told) == 1 and "raised ValueError: mine" in told[0] and all(c.isprintable() for c in told[0]), told


def test_a_forked_child_does_not_speak_for_its_parent() -> None:
    for group in (Group.threads(2)[0], None):
        port = free_port()
        partner: list[Group] = []
        if group is None:
            thread = threading.Thread(target=lambda port=port: partner.append(Group.connect(1, 2, "127.0.0.1", port, secret=SECRET)))
            thread.start()
            group = Group.connect(0, 2, "127.0.0.1", port, secret=SECRET)
            thread.join(20.0)
        child = os.fork()
        if child == 0:
            try:
                group.barrier()
            except syntonic.SyntonicError as error:
                os._exit(0 if "forked" in str(error) else 2)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        if partner:
            # The connection is as it was.
            thread = threading.Thread(target=partner[0].barrier)
            thread.start()
            group.barrier()
            thread.join(20.0)
