"""Attributes and methods of arrays that NumPy's programs ask for, beside NumPy's own."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy
import pytest

import syntonic
import syntonic.numpy as np
from syntonic import State

N = numpy.arange(12.0).reshape(3, 4)


def test_types_say_what_numpys_say() -> None:
    for name in ("bool", "int8", "int64", "uint16", "float16", "float32", "float64", "complex64"):
        ours, theirs = np.zeros(1, name).dtype, numpy.dtype(name)
        for attribute in ("char", "str", "type", "name", "kind", "itemsize", "num", "byteorder"):
            assert getattr(ours, attribute) == getattr(theirs, attribute), (name, attribute)
        assert np.dtype(name) == theirs and np.issubdtype(ours, theirs.type) and isinstance(ours, np.dtype)


def test_arrays_say_what_numpys_say() -> None:
    x = np.array(N)
    for attribute in ("shape", "ndim", "size", "itemsize", "nbytes", "strides"):
        assert getattr(x, attribute) == getattr(N, attribute), attribute
    assert x.flags.c_contiguous and x.T.flags.f_contiguous and x.flags["WRITEABLE"] and x.flags.writeable
    assert x.tobytes() == N.tobytes() and x.base is None and x[1:].base is not None
    assert isinstance(x, np.ndarray) and not isinstance(N, np.ndarray) and not isinstance([1], np.ndarray)
    assert np.ndarray((2, 3), np.float32).dtype == "float32" and np.ndarray.sum(x) == 66


def test_partitions() -> None:
    rng = numpy.random.default_rng(1)
    values = rng.integers(0, 50, (4, 9))
    for kth in (3, [2, 5], -1):
        x, y = np.array(values), values.copy()
        x.partition(kth, axis=1)
        y.partition(kth, axis=1)
        places = [kth] if isinstance(kth, int) else kth
        assert x[:, places].tolist() == y[:, places].tolist()
        order = np.array(values).argpartition(kth)
        assert np.take_along_axis(np.array(values), order, axis=-1)[:, places].tolist() == y[:, places].tolist()
    for call in (lambda: x.partition(9), lambda: x.argpartition([0, -10])):
        with pytest.raises(ValueError, match="outside"):
            call()


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32", "int16", "complex128", None, "float64"])
def test_the_same_memory_as_another_type(dtype: Any) -> None:
    x, y = np.array(N), N.copy()
    ours, theirs = x.view(dtype) if dtype else x.view(), y.view(dtype) if dtype else y.view()
    assert ours.shape == theirs.shape and ours.tobytes() == theirs.tobytes()
    x[0, 0] = y[0, 0] = 9.5
    assert ours.tobytes() == theirs.tobytes(), "one memory"
    # A pending value has its own.
    assert (x + 1).view("int64").tolist() == (y + 1).view("int64").tolist()


def test_views_that_are_none() -> None:
    for x, dtype in ((np.array(N).T, "float32"), (np.array(N)[:, :3], "complex128"), (np.array(N), "bfloat16")):
        with pytest.raises((ValueError, TypeError), match="hint|whole number"):
            x.view(dtype)
    assert np.array(N).T.view("int64").shape == (4, 3) and np.array(N).view(np.ndarray).shape == (3, 4)
    assert type(np.array(3.0).view("int64")) is State


def test_chosen_and_left_out() -> None:
    x = np.array([0, 2, 1])
    assert x.choose([[1, 2, 3], [4, 5, 6], [7, 8, 9]]).tolist() == [1, 8, 6]
    assert np.array(N).compress([True, False, True], axis=0).tolist() == N.compress([True, False, True], axis=0).tolist()


def test_written_to_a_file(tmp_path: Path) -> None:
    np.array(N).tofile(tmp_path / "x")
    assert np.fromfile(tmp_path / "x").tolist() == N.ravel().tolist()
    file = io.BytesIO()
    np.save(file, np.array(N))
    file.seek(0)
    assert np.load(file).tolist() == N.tolist()


def test_the_module_is_an_attribute_of_the_package() -> None:
    assert syntonic.numpy is np
