"""Attributes, conversions and calls of libraries: a State answers as NumPy's array of the same numbers does."""

from __future__ import annotations

import warnings

import numpy as np
import numpy_reads
import pytest

import syntonic
from syntonic import State

ARRAYS = [np.array([[0, 1, 2], [2, 0, 1]]).astype(dtype) for dtype in ("float64", "float32", "int64", "int8", "uint8", "bool", "complex64")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
def test_numpy_and_python(array: np.ndarray) -> None:
    names, found, otherwise = numpy_reads.names(), [], set()
    for row in numpy_reads.rows(dtype=array.dtype):
        different = numpy_reads.difference(row, array, names)
        if row in numpy_reads.DIFFERENT:
            otherwise |= {row} if different else set()
        elif different:
            found.append(different)
    assert not found, "\n".join(found)
    # What is said to be different is, for numbers that the row is about.
    if array.dtype == "float64":
        assert otherwise == {row for row in numpy_reads.DIFFERENT if row in numpy_reads.rows()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", numpy_reads.installed())
def test_libraries(library: str) -> None:
    names = numpy_reads.names(library)
    found = [
        different
        for array in ARRAYS
        for row in numpy_reads.rows(library)
        if array.dtype in ("float64", "int64", "float32") and (different := numpy_reads.difference(row, array, names))
    ]
    assert not found, "\n".join(found)


def test_the_table_is_long() -> None:
    assert len(numpy_reads.rows()) > 200 and {"scipy.sparse", "matplotlib"} <= set(numpy_reads.installed())


def test_the_bytes_of_an_array() -> None:
    assert bytes(syntonic.asarray([3], "uint8")) == b"\x03"
    assert bytes(syntonic.asarray([1, 2], "int16")) == b"\x01\x00\x02\x00"
    # An integer without axes stands for an integer, as in NumPy.
    assert bytes(syntonic.asarray(3, "uint8")) == bytes(np.array(3, "uint8")) == b"\0\0\0"
    # Types that the buffer protocol cannot describe have bytes as well.
    for dtype in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        x = State([1.0, -2.0]).astype(dtype)
        assert x.tobytes() == bytes(x) == x.numpy().tobytes()
    assert (syntonic.ones(20_000) * 2).tobytes() == np.full(20_000, 2.0).tobytes()


@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool", "float64"])
@pytest.mark.parametrize("shape", [(1,), (1, 1), (2,), (0,)])
def test_an_index_has_no_axes(dtype: str, shape: tuple[int, ...]) -> None:
    import operator

    x = syntonic.ones(shape, dtype=dtype)
    for use in (operator.index, hex, range, lambda x: [10, 20][x], lambda x: "ab" * x, lambda x: (1, 2)[x:], lambda x: [0, 1][:x]):
        with pytest.raises(TypeError):
            use(x)  # type: ignore[operator]
    assert [10, 20][State(1)] == 20 and "ab" * State(2) == "abab" and (1, 2)[State(1) :] == (2,)


def test_types_have_numpys_attributes() -> None:
    for dtype in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"):
        ours, theirs = getattr(syntonic, dtype), np.dtype(dtype)
        for name in dir(theirs):
            if not name.startswith("_") and name not in ("names", "base"):
                want = getattr(theirs, name)
                assert callable(want) or getattr(ours, name) == want, (dtype, name)
        assert ours.base is ours and ours.newbyteorder("=") is ours
        assert ours.newbyteorder() == theirs.newbyteorder()
    # bfloat16 is a float here, which code that asks for NumPy's letter wants to know; 8-bit floats are storage and no numbers.
    assert syntonic.bfloat16.kind == "f" and syntonic.float8_e5m2.kind == syntonic.float8_e4m3fn.kind == "V"
    assert syntonic.bfloat16.char == np.dtype(syntonic.bfloat16).char


def test_flags_say_who_else_has_the_memory() -> None:
    x = syntonic.ones((2, 3))
    assert x.base is None and x.flags.owndata
    row = x[0]
    assert row.base is not None and not row.flags.owndata and x.base is not None
    base = row.base
    assert base is not None and np.shares_memory(np.asarray(base), np.asarray(x))
    del row, base
    assert x.base is None
    assert not syntonic.broadcast_to(x, (4, 2, 3)).flags.writeable
    with pytest.raises(KeyError):
        x.flags["NOTHING"]
    with pytest.raises(AttributeError):
        x.flags.aligned = False  # type: ignore[misc]
    assert str(x.flags) == str(np.ones((2, 3)).flags)
    assert x.flags == x.copy().flags


def test_formats_of_elements() -> None:
    x = State([[1.0, -2.5], [100.0, 0.0]])
    assert f"{x:.2f}" == "[[  1.00,  -2.50],\n [100.00,   0.00]]"
    assert f"{x[0]:+.1e}" == "[+1.0e+00, -2.5e+00]"
    assert f"{x[1, 0]:.1f}" == "100.0" and f"{x[1, 0]:>8.1f}" == "   100.0"
    assert f"{State([1, 20, 300]):x}" == "[  1,  14, 12c]" and f"{State([5]):04d}" == "[0005]"
    assert f"{State([1 + 2j]):.1f}" == "[1.0+2.0j]"
    assert f"{x}" == str(x) and f"{syntonic.zeros(0):.2f}" == "[]"
    # As the printed array it shows the ends of a large one.
    assert f"{syntonic.arange(5000.0):.1f}".replace(" ", "") == "[0.0,1.0,2.0,...,4997.0,4998.0,4999.0]"
    for spec in ("nonsense", "d", ".2q"):
        with pytest.raises(ValueError, match="format"):
            format(x, spec)


def test_rounding_gives_what_python_expects() -> None:
    x = State([2.5, -3.7])
    assert type(round(x[0])) is int and round(x[0]) == 2 and list(range(round(State(2.2)))) == [0, 1]
    assert round(x).tolist() == [2.0, -4.0] and round(x[1], 0).item() == -4.0
    assert State(2**60 + 1).__floor__() == State(2**60 + 1).__ceil__() == State(2**60 + 1).__trunc__() == 2**60 + 1
    assert State(0.75).as_integer_ratio() == (3, 4) and State(2.0).is_integer() and not State(2.5).is_integer()
    for wrong in (State(1j), State([1.0, 2.0])):
        with pytest.raises((TypeError, ValueError)):
            wrong.as_integer_ratio()


@pytest.mark.parametrize("name", ["broadcast_arrays", "atleast_1d", "where"])
def test_none_beside_a_state(name: str) -> None:
    x = State([1.0, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = np.where(x > 1, x, None) if name == "where" else getattr(np, name)(x, None)  # type: ignore[call-overload]
    if name == "where":
        assert got.tolist() == [None, 2.0]
    else:
        assert isinstance(got[0], State) and got[1].dtype == object
