"""Functions that are captured over the memory of their arguments, which a GPU alone can have: it runs nothing that it captures."""

from __future__ import annotations

import pytest
import syntonic
from syntonic import State, captured
from test_graphs import jacobi, same, wave


def test_states_that_come_again_are_used_where_they_lie() -> None:
    calls = []

    def step(steps: int, a: State, b: State) -> tuple[State, State, State]:
        calls.append(a.shape)
        jacobi(steps, a, b)
        return a, a[1:], b * 2.0

    smooth = captured(step)
    whole, b = wave(34, 40).to("cuda"), wave(30, 40, step=0.7).to("cuda")
    want, other = whole.copy(), b.copy()
    memory = []
    for turn in range(6):
        a = whole[2:-2]
        got = smooth(2, a, b)
        jacobi(2, want[2:-2], other)
        same(whole, want)
        same(b, other)
        same(got[0], want[2:-2])
        same(got[1], want[3:-2])
        same(got[2], other * 2.0)
        assert len(calls) == (2 if turn == 0 else 4), "twice for each capture, one of which is a call of its own"
        got[1][...] = 0.0
        same(whole, want)
        memory.append(got[2])
    # Others are copied, and may come in between.
    for turn in range(2):
        mine = wave(30, 40).to("cuda")
        x, y = mine.copy(), b.copy()
        smooth(2, mine, y.copy())
        jacobi(2, x, y)
        same(mine, x)
        smooth(2, whole[2:-2], b)
        jacobi(2, want[2:-2], other)
        same(whole, want)
    assert len(calls) == 4
    # Memory that was given back, and belongs to others now, is not what the graph is bound to.
    del a, got, memory
    whole = wave(34, 40).to("cuda")
    want = whole.copy()
    smooth(2, whole[2:-2], b)
    jacobi(2, want[2:-2], other)
    same(whole, want)
    # What shares memory is one array, as the function sees it.
    both = captured(lambda x, y: x.__iadd__(y))
    x = wave(40).to("cuda")
    for _ in range(2):
        with pytest.raises(syntonic.ArgumentError, match="shares memory"):
            both(x, x)


def test_random_numbers_are_the_same_at_each_replay_of_captured() -> None:
    step = captured(lambda x: x * 0.0 + syntonic.random.normal((20,), dtype="float64", device="cuda"))
    x = wave(20).to("cuda")
    first = step(x)
    for _ in range(4):
        same(step(x), first)
