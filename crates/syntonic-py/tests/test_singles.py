"""An element that is read alone has no memory until somebody asks for it: operators over such numbers give what operators over arrays give."""

from __future__ import annotations

import copy
import operator
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import State

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "float8_e4m3fn",
]  # fmt: skip

BINARY: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.and_,
    operator.or_, operator.xor, operator.lshift, operator.rshift, operator.lt, operator.le, operator.eq, operator.ne, operator.gt,
    operator.ge, divmod, syntonic.maximum, syntonic.minimum, syntonic.atan2, syntonic.hypot, syntonic.copysign, syntonic.logical_and,
]  # fmt: skip

UNARY: list[Callable[[Any], Any]] = [
    operator.neg, operator.pos, abs, operator.invert, syntonic.sqrt, syntonic.exp, syntonic.log, syntonic.sin, syntonic.floor,
    syntonic.isnan, syntonic.sign, syntonic.square, syntonic.conj, syntonic.real, syntonic.logical_not, bool, float, int, complex, round,
    repr, str, lambda x: x.dtype.name, lambda x: x.shape, lambda x: x.item(), lambda x: x.tolist(), lambda x: x.astype("float64"),
    lambda x: x.flags.owndata, lambda x: x.strides, operator.index,
]  # fmt: skip

IN_PLACE: list[Callable[[Any, Any], Any]] = [
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow, operator.iand,
    operator.ior, operator.ixor, operator.ilshift, operator.irshift,
]  # fmt: skip

NUMBERS: list[Any] = [0, 1, -1, 2, 3, 7, 127, 128, 255, 256, -129, 2**31, 2**63, -(2**63), 2**64, 2**200, True, False, 0.0, -0.0, 0.5, 2.0, -1.5]
NUMBERS += [1e300, float("inf"), float("nan"), 1j, 2.5 - 1j, np.float32(1.5), np.float64(2.5), np.int8(3), np.bool_(True), None, "a"]


def _values() -> Any:
    values = [0.0, 1.0, -1.0, 2.0, 3.0, 5.0, 100.0, 127.0, -128.0, 0.5, -2.5, 1e-3, 6e4, 255.0, np.nan, np.inf, -np.inf]
    return np.array(values)


def _array(dtype: str) -> State:
    values = _values()
    if dtype.startswith(("int", "uint")):
        ends = np.iinfo(dtype)
        whole = [0, 1, 2, 3, 5, 7, 100, ends.max, ends.min, ends.max - 1, 13, 64, 17, 31, 8, 9, 10]
        return State(np.array(whole, dtype))
    if dtype.startswith("complex"):
        both = np.empty(len(values), dtype)
        both.real, both.imag = values, values[::-1]
        return State(both)
    return State(values).astype(dtype)


def _ordinary(x: State, k: int) -> State:
    """The element in memory of its own, as a slice gives it."""
    return x[k : k + 1].copy().reshape(())


def _said(x: Any) -> Any:
    if isinstance(x, State):
        return x.dtype.name, x.shape, x.tobytes(), x.flags.writeable
    if isinstance(x, tuple):
        return tuple(_said(part) for part in x)
    return type(x), repr(x)


def _outcome(f: Callable[[], Any]) -> Any:
    try:
        return _said(f())
    except Exception as e:
        return type(e), str(e)


@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_give_what_those_of_arrays_give(dtype: str) -> None:
    rng = random.Random(dtype)
    arrays = {name: _array(name) for name in DTYPES}
    x = arrays[dtype]
    for _ in range(400):
        k, other, j = rng.randrange(len(x)), arrays[rng.choice(DTYPES)], rng.randrange(17)
        number, f, g, h = rng.choice(NUMBERS), rng.choice(BINARY), rng.choice(BINARY), rng.choice(UNARY)
        programs: list[Callable[[Any, Any], Any]] = [
            lambda a, b: f(a, b),
            lambda a, b: f(a, number),
            lambda a, b: f(number, a),
            lambda a, b: h(a),
            lambda a, b: g(f(a, b), number),
            lambda a, b: h(f(a, b)),
        ]
        for program in programs:
            got = _outcome(lambda: program(x[k], other[j]))
            want = _outcome(lambda: program(_ordinary(x, k), _ordinary(other, j)))
            assert got == want, (f, g, h, x[k], other[j], number)


@pytest.mark.parametrize("dtype", DTYPES)
def test_writes_in_place_are_those_of_arrays(dtype: str) -> None:
    rng = random.Random(dtype)
    arrays = {name: _array(name) for name in DTYPES}
    x = arrays[dtype]
    for _ in range(300):
        k, other, j = rng.randrange(len(x)), arrays[rng.choice(DTYPES)], rng.randrange(17)
        number, f, g = rng.choice(NUMBERS), rng.choice(IN_PLACE), rng.choice(IN_PLACE)

        def program(a: Any, b: Any, f: Any = f, g: Any = g, number: Any = number) -> Any:
            same = a
            a = f(a, b)
            read = a.tolist()
            a = g(a, number)
            return a, same, a is same, read

        got = _outcome(lambda: program(x[k], other[j]))
        want = _outcome(lambda: program(_ordinary(x, k), _ordinary(other, j)))
        assert got == want, (f, g, x[k], other[j], number)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_are_written_as_by_slices(dtype: str) -> None:
    arrays = {name: _array(name) for name in DTYPES}
    for name in DTYPES:
        for j in range(17):
            for value in (arrays[name][j], NUMBERS[j], NUMBERS[-j]):
                ours, theirs = _array(dtype), _array(dtype)

                def put(x: State, key: Any, value: Any = value) -> State:
                    x[key] = value
                    return x

                # A slice of one element takes a value without axes as an element does.
                got, want = _outcome(lambda: put(ours, 5)), _outcome(lambda: put(theirs, slice(5, 6)))
                assert got[:3] == want[:3] or got[0] is want[0], (value, got, want)
                assert ours.tobytes() == theirs.tobytes(), (value, got, want)


def test_small_operators_over_views_give_what_those_of_copies_give() -> None:
    rng = random.Random(5)
    keys: list[Any] = [slice(None), slice(1, 4), slice(None, None, 2), slice(None, None, -1), slice(3, 4)]
    numbers = (np.arange(48) % 11 + 1).reshape(6, 8)
    whole = {name: numbers.astype(np.dtype(name)) for name in DTYPES if name[0] != "b" and "8_e" not in name}
    for _ in range(3000):
        one, other = (whole[rng.choice(list(whole))] for _ in range(2))
        key, (f, g) = (rng.choice(keys), rng.choice(keys)), rng.sample(BINARY[:6] + IN_PLACE[:4], 2)
        second: Any = rng.choice([lambda x: x[key], lambda x: x[:1][(slice(None), key[1])], lambda x: x[2, 3], lambda x: 2, lambda x: 1.5])

        def program(a: Any, b: Any, f: Any = f, g: Any = g, key: Any = key, second: Any = second) -> Any:
            a[key] = f(a[key], second(b))
            part = a[key].T
            part += g(part, 1)
            return a

        def apart(a: State, b: State, f: Any = f, g: Any = g, key: Any = key, second: Any = second) -> Any:
            with syntonic.profile():  # whatever is recorded takes the long way
                return program(a, b, f, g, key, second)

        got = _outcome(lambda: program(State(one), State(other)))
        want = _outcome(lambda: apart(State(one), State(other)))
        assert got == want, (f, g, key, one.dtype, other.dtype)


def test_a_float_of_numpys_counts_with_its_type() -> None:
    half: Any = np.float64(0.5)
    for dtype in DTYPES[:9] + ["float32", "float64", "complex64"]:
        # What complex numbers have not here, NumPy's functions have: they order them.
        operators = [operator.add, operator.sub, operator.mul, operator.truediv] if dtype == "complex64" else BINARY[:6] + BINARY[12:18]
        x = State(np.array([1, 2, 3], dtype="int8")).astype(dtype)
        for f in operators:
            for one in (x, x[1], x[1:2].copy().reshape(())):
                got, want = _outcome(lambda f=f, one=one: f(half, one)), _outcome(lambda f=f, one=one: f(State(0.5), one))
                assert got == want or got[0] is want[0], (f, one, got, want)
                got, want = _outcome(lambda f=f, one=one: f(one, half)), _outcome(lambda f=f, one=one: f(one, State(0.5)))
                assert got == want or got[0] is want[0], (f, one, got, want)
    assert (half * State(np.ones(2, np.float32))).dtype == "float64" and (2.0 * State(np.ones(2, np.float32))).dtype == "float32"
    y = State(np.ones(3, np.float32))
    y *= half
    y[0] = half
    assert y.dtype == "float32" and y.tolist() == [0.5, 0.5, 0.5]


def test_what_overlaps_is_read_before_it_is_written() -> None:
    pairs: list[Callable[[Any], Any]] = [
        lambda x: (x[1:], x[:-1]),
        lambda x: (x[::2], x[:4]),
        lambda x: (x, x[::-1]),
        lambda x: (x[:4], x[:1]),
    ]
    for f in IN_PLACE[:3]:
        for take in pairs:
            theirs: Any = np.arange(1.0, 9.0)
            ours = State(theirs)
            f(*take(theirs))
            f(*take(ours))
            assert ours.tolist() == theirs.tolist()
    theirs = np.arange(16.0).reshape(4, 4)
    ours = State(theirs)
    theirs += theirs.T
    ours += ours.T
    assert ours.tolist() == theirs.tolist()


def test_an_expression_keeps_what_it_was_made_of() -> None:
    x = syntonic.ones(20_000)
    later = x + 1.0
    x[7] = 5.0
    x[:3] *= 4.0
    assert later[7].item() == 2.0 and later[0].item() == 2.0 and x[:8].tolist() == [4.0, 4.0, 4.0, 1.0, 1.0, 1.0, 1.0, 5.0]


def test_an_element_is_an_array_to_all_else() -> None:
    x = State([1.5, 2.5])
    one = x[1]
    assert pickle.loads(pickle.dumps(x[1])).item() == 2.5 and copy.deepcopy(x[1]).item() == 2.5 and copy.copy(x[1]).item() == 2.5
    assert np.asarray(x[1]).item() == 2.5 and np.from_dlpack(x[1]).item() == 2.5
    assert np.sin(x[0]).item() == syntonic.sin(x[0]).item()
    assert one.reshape(1, 1).shape == (1, 1) and one.sum().item() == 2.5 and (x * one).tolist() == [3.75, 6.25]
    view = one[...]
    one += 1
    assert view.item() == 3.5 and one.item() == 3.5 and x.tolist() == [1.5, 2.5]
    with pytest.raises(TypeError):
        hash(one)
    locked = syntonic.broadcast_to(x, (2, 2))[0, 1]
    with pytest.raises(ValueError):
        locked += 1


def test_an_element_in_a_graph_is_a_constant_of_its_own() -> None:
    scale = State([10.0, 20.0])[1]
    graph = syntonic.Graph.capture(lambda x: x * scale + scale, State([1.0, 2.0]))
    assert graph(State([3.0, 4.0])).tolist() == [80.0, 100.0]
