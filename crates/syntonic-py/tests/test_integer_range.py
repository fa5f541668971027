"""Python integers that an element type cannot hold: compared as they are, refused everywhere else, never another number."""

import itertools
import operator
from collections.abc import Callable

import numpy as np
import pytest

import syntonic
from syntonic import State

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
COMPARISONS = {
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt,
    "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
}  # fmt: skip


def beyond(dtype: str) -> list[int]:
    limits = syntonic.iinfo(dtype)
    far = [2**64, -(2**64), 2**70, 2**127 - 1, 2**127, -(2**127) - 1, 2**200, -(2**200), 10**400, -(10**400)]
    return [limits.max + 1, limits.min - 1, *far]


def ends(dtype: str) -> list[int]:
    limits = syntonic.iinfo(dtype)
    return [limits.min, limits.min + 1, 0, 1, limits.max - 1, limits.max]


@pytest.mark.parametrize("dtype", (*INTEGERS, "bool"))
def test_comparisons_are_exact(dtype: str) -> None:
    values = [0, 1] if dtype == "bool" else ends(dtype)
    numbers = [-1, 2, *beyond("int64")] if dtype == "bool" else [*ends(dtype), *beyond(dtype)]
    # Few are computed at once, many when they are read.
    for copies in (1, 3000):
        x = State(values * copies, dtype=dtype)
        for (name, op), number in itertools.product(COMPARISONS.items(), numbers):
            want = [op(value, number) for value in values] * copies
            assert op(x, number).tolist() == want, (op, number)
            assert getattr(syntonic, name)(x, number).tolist() == want, (op, number)
            want = [op(number, value) for value in values] * copies
            assert getattr(syntonic, name)(number, x).tolist() == want, (op, number)
            assert op(x, number).dtype == "bool"
    assert 10**400 not in State(values, dtype=dtype)


def test_comparisons_of_floats_with_long_integers() -> None:
    for dtype in ("float32", "float64"):
        x = State([-np.inf, -1.0, 3.0, np.inf], dtype=dtype)
        assert (x < 2**200).tolist() == [True, True, True, False]
        assert (x == 2**70).tolist() == [False] * 4
        with pytest.raises(OverflowError, match="1329 bits"):
            x < 10**400
    assert (State([1.0, 2.0]) + 2**200).tolist() == [1.0 + 2**200, 2.0 + 2**200]


ARITHMETIC: dict[str, Callable[[State, int], object]] = {
    "add": lambda x, n: x + n,
    "add, reflected": lambda x, n: n + x,
    "subtract": lambda x, n: x - n,
    "subtract, reflected": lambda x, n: n - x,
    "multiply": lambda x, n: x * n,
    "floor_divide": lambda x, n: x // n,
    "floor_divide, reflected": lambda x, n: n // x,
    "remainder": lambda x, n: x % n,
    "pow": lambda x, n: x**n,
    "pow, reflected": lambda x, n: n**x,
    "bitwise_and": lambda x, n: x & n,
    "bitwise_or": lambda x, n: x | n,
    "bitwise_xor": lambda x, n: x ^ n,
    "bitwise_left_shift": lambda x, n: x << n,
    "bitwise_right_shift": lambda x, n: x >> n,
    "add, function": lambda x, n: syntonic.add(x, n),
    "maximum": lambda x, n: syntonic.maximum(x, n),
    "minimum": lambda x, n: syntonic.minimum(n, x),
    "where": lambda x, n: syntonic.where(x > 0, x, n),
    "where, first": lambda x, n: syntonic.where(x > 0, n, x),
    "leaky_relu": lambda x, n: syntonic.leaky_relu(x, n),
    "clip, wrong end": lambda x, n: syntonic.clip(x, n, None) if n > 0 else syntonic.clip(x, None, n),
    "clip, both": lambda x, n: syntonic.clip(x, n, n),
    "iadd": lambda x, n: operator.iadd(x, n),
    "imul": lambda x, n: operator.imul(x, n),
    "ipow": lambda x, n: operator.ipow(x, n),
    "set": lambda x, n: x.__setitem__(0, n),
    "set all": lambda x, n: x.__setitem__(..., n),
    "set list": lambda x, n: x.__setitem__(slice(0, 2), [0, n]),
    "set mask": lambda x, n: x.__setitem__(x > 0, n),
    "set mask list": lambda x, n: x.__setitem__(x > 0, [n] * 3),
    "set array": lambda x, n: x.__setitem__([0, 1], n),
    "fill": lambda x, n: x.fill(n),
    "full": lambda x, n: syntonic.full(3, n, dtype=x.dtype),
    "full of a list": lambda x, n: syntonic.full((2, 2), [0, n], dtype=x.dtype),
    "full_like": lambda x, n: syntonic.full_like(x, n),
    "pad": lambda x, n: syntonic.pad(x, 1, value=n),
    "State": lambda x, n: State(n, dtype=x.dtype),
    "State of a list": lambda x, n: State([0, n], dtype=x.dtype),
    "asarray": lambda x, n: syntonic.asarray([n], dtype=x.dtype),
    "arange": lambda x, n: syntonic.arange(n, n + 3, dtype=x.dtype),
    "arange, last": lambda x, n: syntonic.arange(0, n + (1 if n > 0 else -1), n, dtype=x.dtype),
    "linspace": lambda x, n: syntonic.linspace(0, n, 3, dtype=x.dtype),
}


@pytest.mark.parametrize("way", ARITHMETIC)
def test_everything_else_refuses_them(way: str) -> None:
    for dtype in INTEGERS:
        x = State([1, 2, 3], dtype=dtype)
        for number in beyond(dtype):
            if way == "arange" and abs(number) < 2**127 and number < syntonic.iinfo(dtype).min:
                number -= 2
            with pytest.raises(OverflowError) as refused:
                ARITHMETIC[way](x, number)
            assert isinstance(refused.value, syntonic.IntegerOverflowError), (dtype, number)
            text = str(refused.value)
            assert ":" in text and ("fit" in text) and "hint" in text
            assert x.tolist() == [1, 2, 3], (dtype, number)


def test_the_message_names_operation_type_and_value() -> None:
    with pytest.raises(OverflowError, match=r"^add: 300 does not fit uint8; hint: .*dtype"):
        State([1], dtype="uint8") + 300
    with pytest.raises(OverflowError, match=r"^set_item: -1 does not fit uint64"):
        State([1], dtype="uint64")[0] = -1
    with pytest.raises(OverflowError, match=r"^clip: 300 does not fit uint8"):
        syntonic.clip(State([1], dtype="uint8"), 300, 10)
    with pytest.raises(OverflowError, match=r"int64"):
        State([True]) + 2**70
    with pytest.raises(OverflowError, match=r"1329 bits.*float64"):
        State([1.0]) + 10**400
    with pytest.raises(OverflowError, match=r"1329 bits"):
        State(10**400, dtype="float64")
    with pytest.raises(OverflowError):
        State([2**64])
    with pytest.raises(OverflowError):
        syntonic.add(2**64, 1)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bounds_that_no_element_reaches_are_none(dtype: str) -> None:
    limits = syntonic.iinfo(dtype)
    values = np.array([limits.min, 3, limits.max], dtype=dtype)
    x = State(values)
    wide = [(limits.min - 1, limits.max + 1), (None, 2**70), (-(2**70), None), (-(10**400), 10**400), (limits.min - 1, 5), (2, 10**300)]
    for low, high in wide:
        want = [max(v, low) if low is not None else v for v in values.tolist()]
        want = [min(v, high) if high is not None else v for v in want]
        for got in (syntonic.clip(x, low, high), x.clip(low, high), np.clip(x, low, high) if None not in (low, high) else x.clip(low, high)):
            assert got.tolist() == want and got.dtype == dtype
            got[0] = 1
            np.testing.assert_array_equal(np.asarray(x), values)
    assert syntonic.clip(State([True]), 0, 300).dtype == "int64"


@pytest.mark.parametrize("dtype", INTEGERS)
def test_what_is_looked_for_is_compared_exactly(dtype: str) -> None:
    values = ends(dtype)
    x = State(values, dtype=dtype)
    for number in (*values, *beyond(dtype)):
        assert syntonic.isin(x, number).tolist() == [value == number for value in values]
        assert syntonic.isin(x, number, invert=True).tolist() == [value != number for value in values]
        ordered = State(sorted(values), dtype=dtype)
        for side, before in (("left", operator.lt), ("right", operator.le)):
            found = syntonic.searchsorted(ordered, number, side=side)
            assert found.item() == sum(before(value, number) for value in values), (number, side)
            assert ordered.searchsorted(number, side).item() == found.item()


def test_operations_on_floats_take_any_integer_there_is_a_float_of() -> None:
    x = State([1, 2], dtype="uint8")
    np.testing.assert_allclose(np.asarray(x / 300), np.array([1, 2]) / 300)
    np.testing.assert_allclose(np.asarray(syntonic.atan2(x, 300)), np.arctan2([1.0, 2.0], 300.0))
    assert (x + 300.0).dtype == "float64" and (x * 1.5).tolist() == [1.5, 3.0]
    assert State(2**200, dtype="float64").item() == 2.0**200
    assert syntonic.full(2, 2**200, dtype="float32").tolist() == [np.inf] * 2
    assert (x + True).tolist() == [2, 3] and (State([True]) + 300).tolist() == [301]
    assert syntonic.arange(2**64 - 3, 2**64, dtype="uint64").tolist() == [2**64 - 3, 2**64 - 2, 2**64 - 1]
    assert syntonic.arange(-128, 128, 85, dtype="int8").tolist() == [-128, -43, 42, 127]
    assert syntonic.linspace(0, 255, 2, dtype="uint8").tolist() == [0, 255]
    x[...] = [255, 0]
    assert x.tolist() == [255, 0]
