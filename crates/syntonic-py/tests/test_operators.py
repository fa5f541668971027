"""Operators in both orders, promotion, reductions and special values, against NumPy."""

import copy
import math
import operator
import pickle

import numpy as np
import pytest
from arrays import NAMES, numbers, pairs, same
from hypothesis import given
from hypothesis import strategies as st

import syntonic
from syntonic import State

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow]
COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]
BITS = [operator.and_, operator.or_, operator.xor]


@pytest.mark.parametrize("op", ARITHMETIC + COMPARISONS)
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_both_orders_with_arrays_and_numbers(op: object, dtype: str) -> None:
    n = numbers((2, 3), dtype) + 1
    x = State(n)
    other = np.asarray(3, dtype=dtype)
    for ours, theirs in [
        (op(x, x), op(n, n)),
        (op(x, n), op(n, n)),
        (op(n, x), op(n, n)),
        (op(x, 3), op(n, 3)),
        (op(3, x), op(3, n)),
        (op(x, other[()]), op(n, other[()])),
        (op(other[()], x), op(other[()], n)),
        (op(x, n.tolist()), op(n, np.array(n.tolist()))),
    ]:
        assert type(ours) is State
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=4e-7 if dtype == "float32" else 1e-15)


@pytest.mark.parametrize("op", BITS)
def test_bit_operators(op: object) -> None:
    for dtype in ("bool", "uint8", "int64"):
        n = numbers((7,), dtype)
        same(op(State(n), State(n[::-1])), op(n, n[::-1]))
    same(State([1, 2]) << 3, np.array([1, 2]) << 3)
    same(~State([True, False]), np.array([False, True]))


@pytest.mark.parametrize("a", NAMES)
@pytest.mark.parametrize("b", NAMES)
def test_promotion_is_numpys_but_for_integers_with_floats(a: str, b: str) -> None:
    x, y = syntonic.zeros(1, dtype=a), syntonic.zeros(1, dtype=b)
    got = (x * y).dtype
    assert got == syntonic.result_type(a, b) == syntonic.result_type(b, a)
    inexact = [name for name in (a, b) if syntonic.isdtype(name, ("real floating", "complex floating"))]
    if len(inexact) == 1:
        assert got == inexact[0]
    else:
        assert got.name == np.result_type(a, b).name


def test_in_place_keeps_type_and_identity() -> None:
    x = State([1.0, 2.0], dtype="float32")
    before = x
    x += 1
    x *= State([2, 3])
    assert x is before
    same(x, np.array([4, 9], dtype="float32"))
    i = State([1, 2])
    with pytest.raises(TypeError, match="float64"):
        i += 0.5
    same(i, np.array([1, 2]))
    with pytest.raises(ValueError):
        x += State([1, 2, 3])
    n = np.array([1.0, 2.0])
    n += State([1.0, 1.0])
    assert isinstance(n, np.ndarray) and n.tolist() == [2.0, 3.0]


def test_numpys_functions_give_states() -> None:
    x = State([0.0, 1.0])
    same(np.add(x, np.array([1.0, 1.0])), np.array([1.0, 2.0]))
    angle = np.arctan2(x, x + 1)
    assert type(angle) is State
    np.testing.assert_allclose(np.asarray(angle), np.arctan2([0.0, 1.0], [1.0, 2.0]), rtol=1e-15)
    out = np.zeros(2)
    assert np.exp(x, out=out) is out and out[0] == 1.0
    same(np.add.reduce(x), np.array(1.0))


def test_out() -> None:
    x, out = State([1.0, 4.0]), syntonic.zeros(2)
    assert syntonic.sqrt(x, out=out) is out
    same(out, np.array([1.0, 2.0]))
    with pytest.raises(syntonic.ShapeError):
        syntonic.sqrt(x, out=syntonic.zeros(3))
    with pytest.raises(syntonic.DTypeError):
        syntonic.sqrt(x, out=syntonic.zeros(2, dtype="int64"))


def test_special_values() -> None:
    x = State([math.nan, math.inf, -math.inf, -0.0])
    assert syntonic.isnan(x).tolist() == [True, False, False, False]
    assert math.isnan(x.max().item()) and math.isnan(x.min().item())
    assert syntonic.argmax(x).item() == 0
    assert math.isnan(syntonic.maximum(x, 0.0)[0].item()) and math.isnan(syntonic.relu(x)[0].item())
    assert (State([-0.0]) == 0.0).item() and syntonic.signbit(x[3]).item()
    assert (State([5, 0]) // State([0, 0])).tolist() == [0, 0] and (State([5]) % 0).tolist() == [0]
    assert State([math.nan, 1e30, -1e30]).astype("int32").tolist() == [0, 2**31 - 1, -(2**31)]


@given(pairs(["int32", "float64", "bool"]), st.booleans(), st.data())
def test_reductions(pair: tuple[np.ndarray, State], keep: bool, data: st.DataObject) -> None:
    base, state = pair
    axes = data.draw(st.one_of(st.none(), st.sampled_from(range(-base.ndim, base.ndim)) if base.ndim else st.none()))
    for name in ("sum", "prod", "any", "all"):
        theirs = getattr(np, name)(base, axis=axes, keepdims=keep)
        same(getattr(syntonic, name)(state, axis=axes, keepdims=keep), theirs)
        same(getattr(state, name)(axis=axes, keepdims=keep), theirs)
    if base.size and base.dtype != bool:
        for name in ("min", "max", "mean", "var", "std"):
            theirs = getattr(np, name)(base, axis=axes, keepdims=keep)
            np.testing.assert_allclose(
                np.asarray(getattr(syntonic, name)(state, axis=axes, keepdims=keep)), theirs, rtol=1e-13, atol=1e-13
            )


def test_numbers_out_of_states() -> None:
    assert bool(State([1.5])) and int(State(2.9)) == 2 and float(State([3])) == 3.0 and complex(State(1j)) == 1j
    assert list(range(5))[State(3)] == 3 and f"{State(1.25):.1f}" == "1.2"
    for broken in (lambda: bool(State([1, 2])), lambda: State([1, 2]).item()):
        with pytest.raises(ValueError):
            broken()
    for broken in (lambda: float(State(1j)), lambda: operator.index(State(1.0)), lambda: hash(State(1))):
        with pytest.raises(TypeError):
            broken()
    assert State([1]).__add__(object()) is NotImplemented
    assert (State([1]) == "x").tolist() == [False] and (State([1]) != None).tolist() == [True]  # noqa: E711


@given(pairs([*NAMES]))
def test_pickles_and_copies(pair: tuple[np.ndarray, State]) -> None:
    base, state = pair
    same(pickle.loads(pickle.dumps(state)), base)
    for twin in (copy.copy(state), copy.deepcopy(state), state.copy()):
        same(twin, base)
        if base.size:
            twin[...] = 0
            same(state, base)


def test_damaged_pickles() -> None:
    from syntonic import _core

    with pytest.raises(ValueError):
        _core._restore(syntonic.float64, [3], b"1234")
    assert _core._restore(syntonic.bool, [2], b"\x07\x00").tolist() == [True, False]


def test_matrix_products() -> None:
    a, b = numbers((2, 3), "float64"), numbers((3, 4), "float64")
    for ours in (State(a) @ State(b), a @ State(b), State(a) @ b, syntonic.matmul(a, State(b))):
        same(ours, a @ b)
    with pytest.raises(ValueError):
        State(a) @ State(a)


def test_types_have_limits() -> None:
    for name in ("float16", "float32", "float64"):
        ours, theirs = syntonic.finfo(name), np.finfo(name)
        assert (ours.bits, ours.eps, ours.max, ours.smallest_normal) == (
            theirs.bits, float(theirs.eps), float(theirs.max), float(theirs.smallest_normal),
        )  # fmt: skip
    for name in NAMES[1:9]:
        assert (syntonic.iinfo(name).min, syntonic.iinfo(name).max) == (np.iinfo(name).min, np.iinfo(name).max)
    assert syntonic.can_cast("int8", "int16") and not syntonic.can_cast("float64", "float32")
    assert State([1]).__array_namespace__() is syntonic
