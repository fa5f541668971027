"""Where the system gives no threads, or fewer than were asked for, work goes on with the same results."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# The loader takes this `pthread_create` first: it starts as many threads as the environment says, and then refuses as the
# system does.
REFUSING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int started;

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *argument) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
    const char *most = getenv("MOST_THREADS");
    if (most && atomic_fetch_add(&started, 1) >= atoi(most)) return EAGAIN;
    return real(thread, attr, run, argument);
}
"""

# Every way in which work is shared out, large enough that it would be.
WORK = """
import hashlib, os, sys
import syntonic as syn

LIMIT

def told(*states):
    for x in states:
        digest.update(bytes(memoryview(syn.asarray(x).astype(x.dtype)).cast("B")))

digest = hashlib.sha256()
g = syn.random.Generator(7)
x = g.normal((1000, 700), dtype="float64")
told(x, syn.sum(x), syn.sum(x, axis=0), syn.sum(x, axis=1), syn.std(x), syn.sin(syn.exp(x) * 0.5), x.T.copy())
told(x @ x.T, x.astype("float16") @ x.T.astype("float16"), syn.astype(x * 9, "int64") @ syn.astype(x.T * 9, "int64"))
flat = x.reshape(-1)
order = syn.argsort(flat)
told(syn.sort(flat), order, syn.take(flat, order), syn.median(flat), *syn.topk(flat, 9))
told(syn.sort(syn.astype(flat * 5, "complex128")), syn.cumulative_sum(flat), syn.cumulative_sum(x, axis=0))
told(syn.searchsorted(syn.sort(flat), flat), *syn.unique_all(syn.round(flat * 9)))
told(syn.random.Generator(3).permutation(300_000), syn.nonzero(x > 0)[0], syn.nn.softmax(x))
told(syn.scatter_add(syn.zeros(700), 0, syn.astype(syn.abs(flat) * 99, "int64"), flat))
res = syn.evolve.RES(syn.zeros(300), strategy="full", population=64, seed=0)
for _ in range(3):
    asked = res.ask()
    told(asked)
    res.tell(syn.sum(asked * asked, axis=1))
threads = dict(syn._core.build_info())["threads"]
print(digest.hexdigest(), threads)
"""


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("refusing")
    source, library = folder / "refusing.c", folder / "refusing.so"
    source.write_text(REFUSING)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def run(limit: str = "", **environment: str) -> tuple[str, int]:
    """The digest of all results, and the number of threads that made them."""
    kept = {k: v for k, v in os.environ.items() if k != "RAYON_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", WORK.replace("LIMIT", limit)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**kept, **environment},
    )
    assert done.returncode == 0, done.stderr
    assert "panicked" not in done.stderr, done.stderr
    digest, threads = done.stdout.split()
    return digest, int(threads)


@pytest.fixture(scope="module")
def usual() -> tuple[str, int]:
    return run()


@pytest.mark.parametrize(("wanted", "given", "threads"), [(16, 0, 1), (16, 2, 3), (2, 0, 1), (5, 9, 5)])
def test_fewer_threads_than_wanted(
    refusing: Path, usual: tuple[str, int], wanted: int, given: int, threads: int
) -> None:
    found = run(LD_PRELOAD=str(refusing), RAYON_NUM_THREADS=str(wanted), MOST_THREADS=str(given))
    assert found == (usual[0], threads)


# The limits of the system itself, set where the package is loaded. The first counts the threads of a user that nobody else
# is; the second leaves no room for the stack of a thread.
LIMITS = {
    "processes": """
import resource
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
if os.getuid() == 0:
    os.setuid(54_321)
""",
    "memory": """
import resource
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (400 << 20), used + (400 << 20)))
""",
}


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_of_the_system(usual: tuple[str, int], limit: str) -> None:
    digest, threads = run(LIMITS[limit], RAYON_NUM_THREADS="600")
    assert digest == usual[0]
    assert 1 <= threads < 600


@pytest.mark.parametrize(("named", "threads"), [("1", 1), ("3", 3), ("0", None), ("", None), ("many", None), ("-2", None)])
def test_the_number_that_the_environment_names(usual: tuple[str, int], named: str, threads: int | None) -> None:
    digest, found = run(RAYON_NUM_THREADS=named)
    assert digest == usual[0]
    assert found == (usual[1] if threads is None else threads)
