"""Elements are values, as in NumPy: no later write to the array changes one that was read. Views of one axis or more stay views."""

from __future__ import annotations

import bisect
import heapq
import itertools
import random
import statistics
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import State

Program = Callable[[Any], Any]


def _shuffled(x: Any) -> None:
    random.Random(7).shuffle(x)


def _swapped(x: Any) -> None:
    x[0], x[1] = x[1], x[0]
    x[-1], x[2] = x[2], x[-1]


def _sorted_in_place(x: Any) -> None:
    for i in range(1, len(x)):
        held, k = x[i], i
        while k > 0 and x[k - 1].real > held.real:
            x[k] = x[k - 1]
            k -= 1
        x[k] = held


def _turned(x: Any) -> None:
    first = x[0]
    for k in range(len(x) - 1):
        x[k] = x[k + 1]
    x[len(x) - 1] = first


def _reversed_in_place(x: Any) -> None:
    for k in range(len(x) // 2):
        x[k], x[-1 - k] = x[-1 - k], x[k]


def _read_before(x: Any) -> Any:
    old = x[0]
    x[0] = x[1]
    return old, x[0]


def _before_and_after_a_slice(x: Any) -> Any:
    old = x[1], x[-2]
    x[:] = x[2]
    return old


def _listed(x: Any) -> Any:
    values = list(x)
    x[...] = x[0]
    return values


def _from_the_end(x: Any) -> Any:
    values = list(reversed(x))
    x[...] = x[0]
    return values


def _while_iterating(x: Any) -> Any:
    seen = []
    for k, value in enumerate(x):
        x[0] = value
        seen.append(value)
        if k + 1 < len(x):
            x[k + 1] = x[k]
    return seen


def _unpacked(x: Any) -> Any:
    first, second, *_ = x
    x[:2] = x[3]
    return first, second


def _paired(x: Any) -> Any:
    pairs = list(itertools.pairwise(x))
    x[:] = x[0]
    return pairs


def _queued(x: Any) -> Any:
    last = deque(x, maxlen=2)
    x[-2:] = x[0]
    return list(last)


def _added_to(x: Any) -> None:
    x[0] += x[1]
    x[1] *= x[2]
    x[-1] -= x[0]


def _by_numpys_integer(x: Any) -> Any:
    old = x[np.int64(1)], x[np.array(2)], x[(1,)]
    x[1:3] = x[0]
    return old


def _of_two_axes(x: Any) -> Any:
    square = x[:4].reshape(2, 2)
    square[0, 1], square[1, 0] = square[1, 0], square[0, 1]
    old = square[0, 0], square[-1, -1], square[0][0], square[1, np.int32(1)]
    square[...] = square[0, 1]
    return old


def _of_a_column(x: Any) -> Any:
    column = x[:6].reshape(3, 2)[::-1, 1]
    column[0], column[2] = column[2], column[0]
    return column


def _alone(x: Any) -> Any:
    one = x[:1].reshape(())
    old = one[()]
    one[...] = x[1]
    return old, one


def _kept(x: Any) -> Any:
    held = {k: x[k] for k in range(3)}
    x[:3] = x[3]
    return list(held.values())


def _largest(x: Any) -> Any:
    best = x[0]
    for k in range(1, len(x)):
        if x[k].real > best.real:
            best = x[k]
        x[k] = x[0]
    return best


PROGRAMS: list[Program] = [
    _shuffled,
    _swapped,
    _sorted_in_place,
    _turned,
    _reversed_in_place,
    _read_before,
    _before_and_after_a_slice,
    _listed,
    _from_the_end,
    _while_iterating,
    _unpacked,
    _paired,
    _queued,
    _added_to,
    _by_numpys_integer,
    _of_two_axes,
    _of_a_column,
    _alone,
    _kept,
    _largest,
]

VALUES = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]


def _arrays(make: str) -> tuple[np.ndarray, State]:
    """The same numbers in NumPy's array and in a State: of a type, or laid out in some way."""
    if make == "pending":
        # Long enough to wait until somebody reads it.
        many = np.tile(np.array(VALUES), 2000)
        return many + 1.0, syntonic.asarray(many, copy=True) + 1.0
    if make == "strided":
        wide = np.repeat(np.array(VALUES), 3)[::-3]
        return wide.copy(), State(np.repeat(np.array(VALUES), 3))[::-3]
    if make == "shared":
        return np.array(VALUES), syntonic.asarray(np.array(VALUES))
    if make == "mask":
        truth = np.array(VALUES) > 2
        return truth, State(truth)
    array = np.array(VALUES).astype(make)
    return array, State(array)


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("make", ["float64", "float32", "float16", "int64", "uint8", "complex64", "strided", "shared", "pending", "mask"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__.strip("_"))
def test_programs_over_elements(program: Program, make: str) -> None:
    theirs, ours = _arrays(make)
    if make == "pending" and program in (_shuffled, _sorted_in_place, _turned, _while_iterating, _paired):
        theirs, ours = theirs[:300].copy(), ours[:300]
    if make == "mask" and program is _added_to:
        program = _swapped
    want = program(theirs)
    got = program(ours)
    assert _plain(got) == _plain(want)
    assert _plain(ours) == _plain(theirs)


def test_no_element_is_lost_by_a_shuffle() -> None:
    for seed in range(20):
        x = syntonic.arange(50)
        random.Random(seed).shuffle(x)
        assert sorted(x.tolist()) == list(range(50))


def test_an_element_has_memory_of_its_own() -> None:
    for dtype in ("bool", "int8", "uint64", "float16", "bfloat16", "float8_e4m3fn", "float32", "complex128"):
        x = State([0.0, 1.0, 2.0]).astype(dtype)
        one, row = x[1], x[1:2]
        assert (one.shape, one.dtype, one.device) == ((), x.dtype, x.device)
        x[...] = State(0).astype(dtype)
        assert one.astype("float64").item() == 1.0 and row.astype("float64").tolist() == [0.0]
        # And what is written to the element stays with it.
        one[...] = State(0).astype(dtype)
        x[...] = State(1).astype(dtype)
        assert one.astype("float64").item() == 0.0


def test_views_stay_views() -> None:
    n = np.arange(24.0).reshape(2, 3, 4)
    x = State(n)
    for a in (n, x):
        a[0][1] = 50
        a[1][2][3] = 60
        a[0, 0][1] += 5
        for row in a[1]:
            row[0] = -1
        a[..., 0, 0][0] = 70
        # With an ellipsis the result is an array without axes, which is a view in NumPy as well.
        a[0, 2, ..., 2][...] = 80
        a[0, 2, 3, None][0] = 90
    assert x.tolist() == n.tolist()


def test_an_element_has_a_gradient() -> None:
    x = State([1.0, 2.0, 3.0])
    assert syntonic.grad(lambda v: v[0] * v[2] + v[-1] ** 2)(x).tolist() == [3.0, 0.0, 7.0]
    assert syntonic.grad(lambda v: sum(v))(x).tolist() == [1.0, 1.0, 1.0]
    square = State([[1.0, 2.0], [3.0, 4.0]])
    assert syntonic.grad(lambda v: v[1, 0] ** 2 + v[0][1])(square).tolist() == [[0.0, 1.0], [6.0, 0.0]]


def test_a_graph_reads_elements_at_each_replay() -> None:
    graph = syntonic.Graph.capture(lambda x: x[1] * 10 + x[0], State([1.0, 2.0]))
    assert graph(State([3.0, 4.0])).item() == 43.0


# What Python's own tools do with an array of numbers.
TOOLS: dict[str, Callable[[Any], Any]] = {
    "sum": sum,
    "max": max,
    "min": min,
    "sorted": sorted,
    "sorted from the end": lambda x: sorted(x, reverse=True),
    "list": list,
    "reversed": lambda x: list(reversed(x)),
    "enumerate": lambda x: [(k, v) for k, v in enumerate(x)],
    "zip of rows": lambda x: list(zip(*x.reshape(2, 4), strict=True)),
    "heapify": lambda x: heapq.nsmallest(3, x),
    "heap": lambda x: heapq.heappop(_heap(list(x))),
    "merge": lambda x: list(heapq.merge(x[:2], x[2:4])),
    "bisect": lambda x: bisect.bisect_left(x[:1], 3),
    "insort": lambda x: _insorted(sorted(x)),
    "choice": lambda x: random.Random(3).choice(x),
    "choices": lambda x: random.Random(3).choices(x, k=5),
    "sample of a list": lambda x: random.Random(3).sample(list(x), 4),
    "accumulate": lambda x: list(itertools.accumulate(x)),
    "groupby": lambda x: [key for key, _ in itertools.groupby(x)],
    "islice": lambda x: list(itertools.islice(x, 1, 7, 2)),
    "map": lambda x: list(map(float, x)),
    "any and all": lambda x: (any(x), all(x)),
    "in": lambda x: (4 in x, 100 in x, None in x, "a" in x, np.float64(9) in x),
    "index of a list": lambda x: list(x).index(5),
    "count of a list": lambda x: list(x).count(1),
    "mean": lambda x: float(statistics.mean(x)),
    "fmean": statistics.fmean,
    "median": lambda x: float(statistics.median(x)),
    "stdev": lambda x: round(float(statistics.stdev(x)), 12),
    "dict": lambda x: dict(enumerate(x))[2],
    "unpacking": lambda x: [*x, *x[:2]],
    "slices": lambda x: x[slice(1, 7, 3)],
    "range": lambda x: [k for k in range(*x[1:3].astype("int64"))],
    "an index of a list": lambda x: [10, 20, 30, 40][x[0].astype("int64")],
    "divmod": lambda x: divmod(x[4], 2),
    "pow": lambda x: pow(x[4], 2),
    "round": lambda x: round(x[0] / 2),
    "round to digits": lambda x: float(round(x[0] / 8, 2)),
    "nditer": lambda x: [float(v) for v in np.nditer(x)],
    "ndenumerate": lambda x: [(k, v.item()) for k, v in np.ndenumerate(x)],
    "flat": lambda x: [v for v in x.flat],
}


def _heap(items: list[Any]) -> list[Any]:
    heapq.heapify(items)
    return items


def _insorted(items: list[Any]) -> list[Any]:
    bisect.insort(items, 4.5)
    return items


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_tools_of_python(name: str, dtype: str) -> None:
    array = np.array(VALUES).astype(dtype)
    # NumPy's integers hold no mean, and lack a method that `stdev` asks for.
    exact = name in ("mean", "stdev") and dtype == "int64"
    want = TOOLS[name](array.astype("float64") if exact else array)
    assert _plain(TOOLS[name](State(array))) == _plain(want)


# What NumPy writes in place.
def _put(x: Any) -> None:
    np.put(x, [0, -1], [10, 20])


def _place(x: Any) -> None:
    np.place(x, np.asarray(x) > 3, [7, 8])


def _putmask(x: Any) -> None:
    np.putmask(x, np.asarray(x) > 3, 2)


def _copyto(x: Any) -> None:
    np.copyto(x, 5, where=np.arange(8) % 2 == 0)


def _fill_diagonal(x: Any) -> None:
    np.fill_diagonal(x.reshape(2, 4), 3)


def _put_along_axis(x: Any) -> None:
    np.put_along_axis(x.reshape(2, 4), np.array([[1], [2]]), 77, axis=1)


def _shuffled_by_numpy(x: Any) -> None:
    np.random.default_rng(5).shuffle(x)


def _sort(x: Any) -> None:
    x.sort()


def _fill(x: Any) -> None:
    x.fill(4)


def _item_assignment(x: Any) -> None:
    x.flat[2] = 9
    x.reshape(2, 4)[1][3] = 8


@pytest.mark.parametrize("write", [_put, _place, _putmask, _copyto, _fill_diagonal, _put_along_axis, _sort, _fill, _item_assignment])
@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_writes_in_place(write: Callable[[Any], None], dtype: str) -> None:
    theirs = np.array(VALUES).astype(dtype)
    ours = State(theirs)
    write(theirs)
    write(ours)
    assert ours.tolist() == theirs.tolist()


@pytest.mark.filterwarnings("ignore:you are shuffling a 'State'")
def test_numpys_shuffle_loses_no_element() -> None:
    ours = State(np.array(VALUES))
    _shuffled_by_numpy(ours)
    assert sorted(ours.tolist()) == sorted(VALUES) and ours.tolist() != VALUES
