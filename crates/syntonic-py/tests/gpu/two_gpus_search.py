"""For a machine with two GPUs: `python crates/syntonic-py/tests/gpu/two_gpus_search.py` with syntonic and nvidia-nccl-cu13 installed.

One search on two GPUs has the bits of one GPU, in two processes and in two threads of one, and a rank that is killed is named."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import syntonic
from syntonic.distributed import Group
from syntonic.evolve import DeviceSearch

os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # This host needs NVLink multicast off.


def named(device: int, group: Group | None) -> tuple[str, float]:
    """RES on rastrigin over 100,000 unknowns with 16,384 candidates: bits, and seconds a generation."""
    found = DeviceSearch(syntonic.full(100_000, 3.0, dtype="float32", device=f"cuda:{device}"), 0.5, 16_384, rule="separable", seed=4)
    found.run("rastrigin", 3, group=group)[-1].item()
    began = time.perf_counter()
    last = found.run("rastrigin", 50, group=group)[-1].item()
    return " ".join(value.hex() for value in [last, *found.mean[:64].cpu().tolist()]), (time.perf_counter() - began) / 50


def search(device: int, group: Group | None, killed: int | None = None) -> str:
    found = DeviceSearch(syntonic.full(1000, 3.0, device=f"cuda:{device}"), 0.5, 250, seed=4)

    def objective(x: syntonic.State) -> syntonic.State:
        if killed == found.generation and group is not None and group.rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return (x * x).sum(-1)

    found.run(objective, 20, group=group)
    return " ".join(value.hex() for value in found.mean.cpu().tolist())


def processes(*arguments: str) -> list[subprocess.Popen[str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free.getsockname()[1])}
    command = [sys.executable, __file__, *arguments]
    return [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **place, "RANK": str(r)}) for r in range(2)]


if len(sys.argv) > 1:
    with Group.from_env(20.0) as host, host.with_nccl(host.rank, 20.0) as group:
        if sys.argv[1] == "named":
            print(*named(host.rank, group), sep="|")
        else:
            print(search(host.rank, group, 7 if sys.argv[1] == "killed" else None))
    sys.exit()
bits, alone = named(0, None)
for told in [p.communicate(timeout=120)[0].strip() for p in processes("named")]:
    both = told.split("|")
    assert both[0] == bits, "a function by name"
    print(f"a function by name: the bits of one GPU, {alone / float(both[1]):.3f} x as fast ({alone * 1e3:.3f} ms a generation alone)")
want = search(0, None)
assert [p.communicate(timeout=120)[0].strip() for p in processes("whole")] == [want] * 2
print("two processes: the bits of one GPU")
results: dict[int, str] = {}
ranks = Group.threads(2, 20.0)
threads = [threading.Thread(target=lambda g=g: results.update({g.rank: search(g.rank, g.with_nccl(g.rank))})) for g in ranks]
[thread.start() for thread in threads], [thread.join() for thread in threads]
assert results == {0: want, 1: want}, "threads"
print("two threads: the bits of one GPU")
began, both = time.monotonic(), processes("killed")
assert both[0].wait(60) != 0 and both[1].wait(60) == -signal.SIGKILL
print(f"a killed rank ended the other after {time.monotonic() - began:.1f} s; its GroupError above names rank 1")
