"""Indexing and assignment against NumPy, with random shapes, types and layouts."""

from typing import Any

import numpy as np
import pytest
from arrays import pairs, same
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import syntonic
from syntonic import State


def ours(key: Any) -> Any:
    """The key with States for arrays."""
    if isinstance(key, tuple):
        return tuple(ours(part) for part in key)
    return State(key) if isinstance(key, np.ndarray) else key


@given(st.data())
@settings(max_examples=300)
def test_basic_keys(data: st.DataObject) -> None:
    base, state = data.draw(pairs())
    key = data.draw(hnp.basic_indices(base.shape, allow_newaxis=True))
    same(state[key], base[key])


@given(st.data())
@settings(max_examples=200)
def test_arrays_and_masks(data: st.DataObject) -> None:
    base, state = data.draw(pairs())
    if base.ndim == 0 or base.size == 0:
        return
    index = data.draw(hnp.integer_array_indices(base.shape[:1], result_shape=hnp.array_shapes(max_dims=2, max_side=3)))
    mask = np.asarray(base).real % 2 == 0
    keys: list[Any] = [index, mask, (Ellipsis, mask[0]), (slice(None, None, -1), *index[:0])]
    if base.ndim > 1:
        keys += [(index[0], 0), (index[0], slice(None)), (slice(None), None, index[0] % base.shape[1]), (index[0], None)]
    for key in keys:
        same(state[ours(key)], base[key])


@given(st.data())
@settings(max_examples=200)
def test_assignment(data: st.DataObject) -> None:
    base, state = data.draw(pairs(["float32", "int16", "complex128"]))
    if base.ndim == 0:
        return
    base = base.copy()
    state = State(base)
    key = data.draw(st.one_of(hnp.basic_indices(base.shape), st.just(np.asarray(base).real > 4)))
    base[key] = 9
    state[ours(key)] = 9
    same(state, base)
    base[key] = base[key] * 2
    state[ours(key)] = state[ours(key)] * 2
    same(state, base)


def test_lists_and_numpy_keys() -> None:
    n = np.arange(12).reshape(3, 4)
    x = State(n)
    same(x[[0, 2]], n[[0, 2]])
    same(x[[0, 2], [1, 3]], n[[0, 2], [1, 3]])
    same(x[np.array([1])], n[np.array([1])])
    same(x[np.int64(1)], n[1])
    same(x[[]], n[[]])
    same(x[x > 5], n[n > 5])
    same(x[True], n[True])
    same(x[State(2)], n[2])
    same(x[10**30 :], n[10**30 :])
    x[x > 5] = -1
    x[[0, 0], 1:3] = State([[5, 6], [7, 8]])
    n[n > 5] = -1
    n[[0, 0], 1:3] = [[5, 6], [7, 8]]
    same(x, n)


def test_taking_and_joining() -> None:
    n = np.arange(12.0).reshape(3, 4)
    x = State(n)
    same(syntonic.take(x, State([2, 0]), axis=1), np.take(n, [2, 0], axis=1))
    same(syntonic.take_along_axis(x, State([[0], [3], [1]]), axis=1), np.take_along_axis(n, np.array([[0], [3], [1]]), 1))
    same(syntonic.concat([x, x], axis=1), np.concatenate([n, n], axis=1))
    same(syntonic.concat([x, x[0]], axis=None), np.concatenate([n, n[0]], axis=None))
    same(syntonic.stack([x, x], axis=-1), np.stack([n, n], axis=-1))
    for got, want in zip(syntonic.split(x, 2, axis=1), np.split(n, 2, axis=1), strict=True):
        same(got, want)
    for got, want in zip(syntonic.nonzero(x > 5), np.nonzero(n > 5), strict=True):
        same(got, want)
    for got, want in zip(syntonic.meshgrid(x[0], x[:, 0]), np.meshgrid(n[0], n[:, 0]), strict=True):
        same(got, want)


@pytest.mark.parametrize("key", [5, -4, (0, 9), (0, 0, 0), 1.5, "a", [1.5], State([7]), (..., ...), State([True])])
def test_wrong_keys(key: object) -> None:
    x = State(np.arange(12).reshape(3, 4))
    with pytest.raises((IndexError, ValueError)):
        x[key]
    with pytest.raises((IndexError, ValueError)):
        x[key] = 1
    same(x, np.arange(12).reshape(3, 4))


def test_iteration_and_length() -> None:
    x = State([[1, 2], [3, 4]])
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]] and len(x) == 2
    assert 3 in x and 9 not in x
    for broken in (lambda: len(State(1)), lambda: iter(State(1))):
        with pytest.raises(TypeError):
            broken()


def test_one_value_through_a_mask() -> None:
    for dtype in ("float32", "int16", "bool", "complex64"):
        array = (np.arange(24) % 7).astype(dtype).reshape(4, 6)
        state = syntonic.State(array)
        for a, s in ((array, state), (array.T[::2], state.T[::2]), (array[:0], state[:0])):
            a[a.real > 2] = 1
            s[s.real > 2] = 1
        np.testing.assert_array_equal(np.asarray(state), array)


@pytest.mark.parametrize("key", [[slice(None)], [1.5], ["1"], ((..., ...),), (slice(0.0, None), 0.0), (..., ...), (..., [0], ...), "x", {}, [None]])
def test_what_is_no_index_is_an_index_error_as_in_numpy(key: Any) -> None:
    a = np.zeros((3, 4))
    x = State(a)
    for array in (a, x):
        with pytest.raises(IndexError):
            array[key]
        with pytest.raises(IndexError):
            array[key] = 1.0


def test_truth_values_are_no_lengths_and_no_axes() -> None:
    x = State(np.zeros((2, 3)))
    for refused in (lambda: x.reshape((True, -1)), lambda: x.sum(axis=True), lambda: x.take([0], axis=False), lambda: syntonic.zeros((True, 2)), lambda: x.sum(axis=(0, True))):
        with pytest.raises(syntonic.ArgumentTypeError):
            refused()


def test_an_index_has_as_many_arrays_as_in_numpy() -> None:
    for shape, part, count in (((1,), True, 64), ((1,) * 64, False, 64), ((1,) * 64, np.array([0]), 64), ((1,), np.array([0]), 2)):
        for array in (np.ones(shape), State(np.ones(shape))):
            with pytest.raises(IndexError):
                array[(part,) * count]
            with pytest.raises(IndexError):
                array[(part,) * count] = 1.0
