"""Memory that another thread writes while a function reads it: the outcome is a value or an error, never a crash.

A child has a thread that writes an array back and forth between what is valid and what is not, without the interpreter's lock, while
one function after the other reads it. It names each call before it makes it, so that one which ends the process is known; the table
goes on after it in a new child.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

# Seconds that each function is called again and again.
EACH = float(os.environ.get("SYNTONIC_SHARED_SECONDS", "0.05"))
CHILDREN = 2

BEGIN = """
import ctypes, random, sys, threading, time
sys.path.insert(0, {tests!r})
import numpy as np, syntonic as syn, calls

class Writer:
    # Writes the array back and forth, in pieces, so that a reader meets every mixture.
    def __init__(self, array, *faces):
        self.over = False
        self.array = array
        self.faces = [np.ascontiguousarray(np.broadcast_to(f, array.shape).astype(array.dtype)) for f in faces]
        self.thread = threading.Thread(target=self.run)

    def run(self):
        size, one = self.array.nbytes, self.array.itemsize
        to, (valid, *others) = self.array.ctypes.data, [face.ctypes.data for face in self.faces]
        last = size - one
        while not self.over:
            for face in (valid, *others):
                ctypes.memmove(to, face, size)
            # And the last element alone, which a reader that looks twice meets once so and once so.
            ctypes.memmove(to, valid, size)
            for face in others * 30:
                ctypes.memmove(to + last, face + last, one)
                ctypes.memmove(to + last, valid + last, one)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.over = True
        self.thread.join()

def settle(result):
    if isinstance(result, syn.State):
        result.eval()
    elif isinstance(result, (tuple, list)) and len(result) < 100:
        for one in result:
            settle(one)

def meet(place, name, run):
    print("CALL", place, name, flush=True)
    said, end = "DONE", time.perf_counter() + {each}
    while said != "WRONG" and time.perf_counter() < end:
        try:
            settle(run())
        except syn.InternalError as error:
            print("WRONG", repr(error)[:300], flush=True)
            return
        except (syn.SyntonicError, TypeError, ValueError, IndexError, MemoryError, OverflowError, BufferError):
            pass
    print("DONE", flush=True)
"""

# Functions that take positions, counts or a mask, with what they are valid for. Of NumPy's those that we answer: what it computes itself,
# such as `put_along_axis`, it computes over indices that it looked at before.
PLACES = """
N = 40_000
flat, grid = syn.ones(1000), syn.ones((200, 1000))
values = syn.arange(float(N))

def of_places(dtype):
    huge = min(2**62 + 12345, np.iinfo(dtype).max)
    least = max(-(2**61), np.iinfo(dtype).min)
    array = np.zeros(N, dtype)
    i = syn.asarray(array, copy=False)
    wide = i.reshape((40, 1000))
    top = min(1000, int(np.iinfo(dtype).max))
    faces = (np.arange(N) % top, huge, np.arange(N) % top, least)
    def target(run, *shape, dtype="float64"):
        return lambda: run(syn.zeros(shape, dtype=dtype))
    table = {{
        "x[i]": lambda: flat[i],
        "x[:, i]": lambda: grid[:, i],
        "x[i, i]": lambda: grid[i % 200, i],
        "x[i, j]": lambda: syn.ones((1000, 1000), dtype="int8")[i, i],
        "x[i][..., None]": lambda: flat[wide][..., None],
        "take": lambda: syn.take(flat, i),
        "take along": lambda: syn.take(grid, i, axis=1),
        "take_along_axis": lambda: syn.take_along_axis(grid[:40], wide, axis=1),
        "x[i] = v": target(lambda x: x.__setitem__(i, values), 1000),
        "x[i] = 1": target(lambda x: x.__setitem__(i, 1.0), 1000),
        "x[:, i] = 1": target(lambda x: x.__setitem__((slice(None), i), 1.0), 3, 1000),
        "x[i, i] = 1": target(lambda x: x.__setitem__((i, i), 1), 1000, 1000, dtype="int8"),
        "add_at": target(lambda x: syn.add_at(x, i, values), 1000),
        "multiply_at": target(lambda x: syn.multiply_at(x, i, values), 1000),
        "scatter": target(lambda x: syn.scatter(x, 1, wide, 1.0), 40, 1000),
        "scatter_add": target(lambda x: syn.scatter_add(x, 1, wide, 1.0), 40, 1000),
        "scatter_multiply": target(lambda x: syn.scatter_multiply(x, 1, wide, 1.0), 40, 1000),
        "bincount": lambda: syn.bincount(i % 1000),
        "bincount of it": lambda: syn.bincount(i),
        "bincount with weights": lambda: syn.bincount(i, weights=values),
        "repeat": lambda: syn.repeat(values, i),
        "searchsorted with a sorter": lambda: syn.searchsorted(values, values[:9], sorter=i),
        "embedding": lambda: syn.nn.Embedding(1000, 3)(i),
        "np.take": lambda: np.take(flat, i),
        "np.take_along_axis": lambda: np.take_along_axis(grid[:40], wide, axis=1),
        "np.bincount": lambda: np.bincount(i),
        "sort": lambda: syn.sort(i),
        "argsort": lambda: flat[syn.argsort(i) % 1000],
        "unique_all": lambda: syn.unique_all(i),
        "isin": lambda: syn.isin(i, i),
        "topk": lambda: syn.topk(i, 99),
        "matmul": lambda: wide @ wide.mT,
        "winding_weights": lambda: syn.geometry.winding_weights(i.reshape((-1, 4))),
    }}
    if dtype is np.int32:
        # There is memory for as many counts as that, and for as many copies.
        table = {{name: run for name, run in table.items() if "bincount" not in name and name != "repeat"}}
    return table, array, faces

def of_masks():
    array = np.zeros((40, 1000), np.uint8)
    m = syn.asarray(array.view(np.bool_), copy=False)
    x = syn.ones((40, 1000))
    faces = (0, 1, np.arange(1000) % 3 == 0, 255)
    def target(run):
        return lambda: run(syn.zeros((40, 1000)))
    table = {{
        "x[m]": lambda: x[m],
        "x[m, 0]": lambda: syn.ones((40, 1000, 3))[m, 0],
        "x[m[0]]": lambda: x[:, m[0]],
        "x[i, m]": lambda: x[[[0], [1]], m[0]],
        "x[m] = 1": target(lambda y: y.__setitem__(m, 1.0)),
        "x[m] = v": target(lambda y: y.__setitem__(m, syn.ones(13_360))),
        "add_at": target(lambda y: syn.add_at(y, m, 1.0)),
        "nonzero": lambda: x[syn.nonzero(m)],
        "count_nonzero": lambda: syn.count_nonzero(m),
        "m[m]": lambda: m[m],
        "where": lambda: syn.where(m, x, 0.0),
        "sum": lambda: syn.sum(x, where=m),
        "sort": lambda: syn.sort(m),
        "argsort": lambda: syn.argsort(m),
        "unique_all": lambda: syn.unique_all(m),
        "repr": lambda: repr(m),
        "tolist": lambda: m.tolist(),
        "np.compress": lambda: np.compress(m[0], x, axis=1),
        "np.argwhere": lambda: np.argwhere(m),
        "np.extract": lambda: np.extract(m, x),
        "np.nonzero": lambda: np.nonzero(m),
    }}
    return table, array, faces

if {kind!r} == "masks":
    table, array, faces = of_masks()
else:
    table, array, faces = of_places(np.dtype({kind!r}).type)
place = 0
with Writer(array, *faces):
    for place, (name, run) in enumerate(table.items()):
        if place >= {first}:
            meet(place, name, run)
print("END", flush=True)
"""

# Every function of the package, of an array that is written between numbers and the worst of its type.
EVERY = """
WORST = {{
    "float64": (float("nan"), float("inf"), -1e308, 0.0),
    "float32": (float("nan"), float("inf"), -3e38, 0.0),
    "float16": (float("nan"), float("inf"), -6e4, 0.0),
    "int64": (2**62, -(2**62), 0),
    "bool": (False, True),
    "complex128": (complex(float("nan"), 1), complex(1, float("inf")), 0),
    "complex64": (complex(float("nan"), 1), complex(1, float("inf")), 0),
}}
# What keeps a tensor of its own, waits for others, or writes the array itself.
LEFT = ("cuda.", "distributed.", "Graph", "captured", "profile", "Advi", "save", "load", "State.fill", "State.sort", "State.__i", "State.__setitem__")
for place in range({first}, len(calls.CALLS), {step}):
    call = calls.CALLS[place]
    if call.dtype not in WORST or call.name.startswith(LEFT):
        continue
    plain = np.asarray(calls.operand(call, 1 << 13))
    array = plain.copy()
    x = syn.asarray(array, copy=False)
    try:
        given = x if call.given is None else call.given(x)
    except syn.SyntonicError:
        continue
    with Writer(array, plain, *WORST[call.dtype]):
        meet(place, call.name, lambda: call.run(given, random.Random(5)))
print("END", flush=True)
"""


def outcomes(program: str, first: int, step: int, **options: object) -> list[str]:
    """What went wrong: each line the call, and how."""
    wrong: list[str] = []
    while True:
        text = (BEGIN + program).format(tests=str(Path(__file__).parent), first=first, step=step, **options)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=900)
        lines = done.stdout.splitlines()
        call = ""
        for line in lines:
            if line.startswith("CALL"):
                call = line
            elif line.startswith("WRONG"):
                wrong.append(f"{call}: {line}")
        if lines and lines[-1] == "END":
            return wrong
        wrong.append(f"{call}: the process ended, {done.returncode}: {done.stderr[-300:]}")
        if not call or len(wrong) > 30:
            return wrong
        first = int(call.split()[1]) + step


@pytest.mark.parametrize("kind", ["int64", "int32", "uint64", "uint8", "masks"])
def test_positions_and_masks(kind: str) -> None:
    assert outcomes(PLACES, 0, 1, kind=kind, each=2 * EACH) == []


def test_every_function() -> None:
    with ThreadPoolExecutor(CHILDREN) as pool:
        children = pool.map(lambda first: outcomes(EVERY, first, CHILDREN, each=EACH), range(CHILDREN))
    assert [line for child in children for line in child] == []
