"""What NumPy changes of an array itself: its shape, whether it can be written, how many elements it has, and the order of its bytes."""

from __future__ import annotations

import io
import itertools
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import State

SHAPES: list[Any] = [(6, 4), (4, 6), (24,), 24, (2, 3, 4), (1, 24, 1), (-1,), (2, -1), (3, -1, 2), (5, 5), (7, -1), (-1, -1), (), [8, 3]]


def _laid_out(x: Any) -> list[Any]:
    """Arrays of 24 elements over other memory each time."""
    wide = x.reshape(2, 3, 4, 2).copy()
    return [x[:24].copy(), x[:24].copy().reshape(4, 6).T, wide[..., 0], wide[0], x[::2], x[::-2], x[:24].copy().reshape(2, 3, 4)[:, ::-1]]


def test_a_shape_is_set_where_that_takes_no_copy() -> None:
    n = np.arange(48.0)
    for k, shape in itertools.product(range(7), SHAPES):
        theirs, ours = _laid_out(n)[k], _laid_out(State(n))[k]
        assert ours.tolist() == theirs.tolist()
        whole, before = ours[...], ours.shape
        try:
            theirs.shape = shape
        except (AttributeError, ValueError) as e:
            with pytest.raises(AttributeError if isinstance(e, AttributeError) else ValueError):
                ours.shape = shape
            assert ours.shape == before
            continue
        ours.shape = shape
        # Nobody walks along an axis of length 1.
        steps = [[s for s, n in zip(x.strides, x.shape, strict=True) if n > 1] for x in (ours, theirs)]
        assert ours.shape == theirs.shape and steps[0] == steps[1] and ours.tolist() == theirs.tolist()
        ours[...] = -1.0
        assert whole.shape == before and not (whole + 1.0).any(), "the memory is the same"


def test_a_shape_that_was_set_is_that_of_all_that_follows() -> None:
    x = syntonic.arange(12.0)
    y = x
    x.shape = 3, 4
    assert y.shape == (3, 4) and x.sum(0).tolist() == [12.0, 15.0, 18.0, 21.0] and (x @ x.T).shape == (3, 3)
    assert np.asarray(x).shape == (3, 4) and pickle.loads(pickle.dumps(x)).shape == (3, 4)
    assert x.flags.owndata and x.base is None
    one = State([2.5])[0]
    one.shape = 1, 1
    assert one.tolist() == [[2.5]]
    one += 1.0
    assert one.tolist() == [[3.5]]
    pending = syntonic.ones(20_000) + 1.0
    pending.shape = 100, 200
    assert pending.sum().item() == 40_000.0
    for _ in range(1000):
        x.shape = 12
        x.shape = 2, 6
    assert x.tolist() == np.arange(12.0).reshape(2, 6).tolist()
    graph = syntonic.Graph.capture(lambda v: v + x, x)
    assert graph(x).tolist() == (2 * np.arange(12.0).reshape(2, 6)).tolist()
    assert syntonic.grad(lambda v: _reshaped(v).sum())(syntonic.arange(4.0)).tolist() == [1.0] * 4


def _reshaped(v: State) -> State:
    v.shape = 2, 2
    return v[0] + v[1]


def test_whether_an_array_can_be_written() -> None:
    for make in (np.arange, syntonic.arange):
        x: Any = make(4.0)
        view = x[1:]
        x.setflags(write=False)
        assert not x.flags.writeable and not x[1:].flags.writeable and view.flags.writeable
        with pytest.raises(ValueError):
            x[0] = 1
        with pytest.raises(ValueError):
            x += 1
        view[0] = 7
        assert x[1] == 7
        x.setflags(write=True)
        x[0] = 5
        assert x.tolist() == [5, 7, 2, 3]
        x.flags.writeable = False
        assert not x.flags["W"]
        flags = x.flags
        flags["WRITEABLE"] = True
        assert not flags.writeable and x.flags.writeable
        with pytest.raises(ValueError):
            x.setflags(uic=True)
        with pytest.raises(KeyError):
            x.flags["NOTHING"] = True
    stretched = syntonic.broadcast_to(State([1.0]), (3,))
    with pytest.raises(ValueError):
        stretched.setflags(write=True)


def test_arrays_grow_and_shrink_in_place() -> None:
    for shape in ((5,), (2, 3), 3, (3, 3), (0,), ()):
        theirs, ours = np.arange(4.0), syntonic.arange(4.0)
        theirs.resize(shape)
        ours.resize(shape)
        assert ours.shape == theirs.shape and ours.tolist() == theirs.tolist()
    ours.resize(2, 2)
    assert ours.shape == (2, 2) and ours.flags.owndata
    ours.resize()
    view = ours[0]
    with pytest.raises(ValueError, match="references"):
        ours.resize(9)
    assert view.shape == (2,)
    ours.resize(4)
    with pytest.raises(ValueError):
        ours.resize(-1)
    with pytest.raises(ValueError, match="single-segment"):
        syntonic.arange(6.0)[::2].resize(4)


@pytest.mark.parametrize("dtype", ["int8", "int16", "uint32", "int64", "float16", "float32", "float64", "complex64", "complex128", "bool"])
def test_bytes_are_swapped(dtype: str) -> None:
    n = np.arange(6).reshape(2, 3).astype(dtype)
    x = State(n)
    assert x.byteswap().tobytes() == n.byteswap().tobytes() and x.byteswap().shape == (2, 3)
    assert x.T.byteswap().tobytes() == n.T.byteswap().tobytes()
    same = x.byteswap(inplace=True)
    assert same is x and x.tobytes() == n.byteswap().tobytes()


def test_parts_of_elements() -> None:
    n = np.array([1 + 2j, 3 - 4j])
    x = State(n)
    assert x.getfield("float64", 8).tolist() == n.getfield("float64", 8).tolist()
    x.setfield([5.0, 6.0], "float64", 8)
    assert x.tolist() == [1 + 5j, 3 + 6j]
    with pytest.raises(ValueError):
        x.getfield("float64", 9)


def test_arrays_are_dumped(tmp_path: Path) -> None:
    x = syntonic.arange(3)
    assert pickle.loads(x.dumps()).tolist() == [0, 1, 2]
    file = io.BytesIO()
    x.dump(file)
    x.dump(tmp_path / "x")
    for text in (file.getvalue(), (tmp_path / "x").read_bytes()):
        assert pickle.loads(text).tolist() == [0, 1, 2]
