"""`x.flat`: the elements one after the other, beside NumPy's."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from arrays import same

import syntonic
import syntonic.numpy as snp
from syntonic import State

LAYOUTS = {
    "whole": lambda x: x, "turned": lambda x: x.T, "flipped": lambda x: x[::-1, 1::2], "row": lambda x: x[1], "element": lambda x: x[1, 2, ...],
}  # fmt: skip


def both(layout: str) -> tuple[State, Any, State, Any]:
    a = np.arange(12).reshape(3, 4)
    x = State(a)
    return x, a, LAYOUTS[layout](x), LAYOUTS[layout](a)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_elements_are_read_and_written_wherever_they_lie(layout: str) -> None:
    x, a, ours, theirs = both(layout)
    n = theirs.size
    indices = [0, -1, np.int8(0), slice(None), slice(None, None, -1), slice(1, 40, 2), [], [0, -1], ..., np.arange(n) % 2 == 0, np.array([[0, n - 1]]), (0,)]
    for index in indices:
        same(ours.flat[index], np.asarray(theirs.flat[index]))
        for value in (7, [8, 9], np.array([[1], [2], [3]])):
            if isinstance(index, (int, np.int8, tuple)) and not isinstance(value, int):
                continue
            ours.flat[index] = value
            theirs.flat[index] = value
            same(x, a)
    ours.flat = theirs.flat = [5, 6]
    same(x, a)
    ours.flat[...] = []
    same(ours.flat[State([0])], theirs.flat[[0]])


def test_it_is_an_iterator() -> None:
    for layout in LAYOUTS:
        _, _, ours, theirs = both(layout)
        mine, numpys = ours.flat, theirs.flat
        assert len(mine) == len(numpys) and isinstance(mine, snp.flatiter) and iter(mine) is mine and mine.base is ours
        for element in numpys:
            assert next(mine).item() == element
            assert mine.index == numpys.index
            if mine.index < len(mine):
                assert mine.coords == numpys.coords
        with pytest.raises(StopIteration):
            next(mine)
        same(ours.flat.copy(), theirs.flat.copy())
        np.testing.assert_array_equal(np.asarray(ours.flat), np.asarray(theirs.flat))
        same(syntonic.asarray(ours.flat), theirs.ravel())
        same(snp.sum(ours.flat), theirs.sum())
        same(ours.flat == ours.ravel(), np.ones(theirs.size, bool))
        same(ours.flat < 3, theirs.flat < 3)
    assert list(inspect.signature(snp.flatiter.copy).parameters) == ["self"]
    assert "flat of" in repr(State([1]).flat)


def test_what_is_no_index_is_refused_in_numpys_words() -> None:
    x, a, ours, theirs = both("turned")
    refused: list[tuple[Any, str]] = [
        (12, "index 12 is out of bounds"), (-13, "index -13 is out of bounds"), (None, "only integers"), ((1, 2), "too many indices"), ([True, False], "boolean indices"),
        (np.ones(13, bool), "boolean index did not match"), (np.array([1.0]), "only integers"), (["a"], "only integers"), ([99], "out of (range|bounds)"),
    ]  # fmt: skip
    for index, words in refused:
        with pytest.raises(IndexError):
            theirs.flat[index]
        with pytest.raises(syntonic.OutOfRangeError, match=words):
            ours.flat[index]
        with pytest.raises(syntonic.OutOfRangeError, match=words):
            ours.flat[index] = 1
    with pytest.raises(syntonic.OutOfRangeError, match="0-D"):
        ours.flat[()] = 1
    same(x, a)
    for index in (True, False, [1.0, 2.0]):
        with pytest.warns(DeprecationWarning):
            found, wanted = ours.flat[index], theirs.flat[index]
        np.testing.assert_array_equal(np.asarray(found), wanted)
    with pytest.raises(TypeError):
        hash(ours.flat)
