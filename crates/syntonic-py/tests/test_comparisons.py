"""Comparisons of States with what is no number of theirs, and of complex numbers, beside NumPy's."""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from arrays import same

import syntonic
import syntonic.numpy as snp
from syntonic import State

COMPARED: dict[str, Callable[[Any, Any], Any]] = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
NAN = float("nan")


class Plain:
    """A class without an equality of its own."""


class Agreeing:
    """One that has a say."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("other", [None, "x", {}, {1}, Plain()])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)])
def test_what_is_no_number_equals_no_element(other: object, shape: tuple[int, ...]) -> None:
    x = syntonic.ones(shape)
    for made, wanted in ((x == other, False), (other == x, False), (x != other, True), (other != x, True)):
        same(made, np.full(shape, wanted))
    with pytest.raises(TypeError):
        x < other  # type: ignore[operator]  # noqa: B015
    assert syntonic.ones(3).T[::2].__eq__(None).shape == (2,)
    assert (x == Agreeing()) is True


def test_arrays_of_what_is_no_number_are_compared_element_by_element() -> None:
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    x = State(a)
    for other in (np.array(["a", "b"]), [None, 2.0], ["a", "b"], np.array([2.0, None], dtype=object), np.array("a"), [Decimal(3), Decimal(4)], (None, None)):
        same(x == other, a == other)
        same(x != other, a != other)
        same(other == x, other == a)
    with pytest.raises(ValueError):
        x == ["a", "b", "c"]  # noqa: B015
    with pytest.raises(TypeError):
        x < ["a", "b"]  # noqa: B015


def test_names_of_numpy_take_none() -> None:
    x = snp.asarray([1.0, 2.0])
    assert snp.equal(x, None).tolist() == [False, False] == np.equal(x, None).tolist()  # type: ignore[arg-type]
    assert snp.not_equal(None, x).tolist() == [True, True]


@pytest.mark.parametrize("name", COMPARED)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "int64", "float16", "float32", "float64", "bfloat16"])
def test_exact_numbers_are_compared_exactly(name: str, dtype: str) -> None:
    compare = COMPARED[name]
    x = syntonic.asarray([0.0, 1.0, 0.5, 0.100006103515625, 100.0]).astype(dtype)
    # What each element is, exactly.
    elements = [Fraction(v) for v in x.astype("float64").tolist()]
    others: list[Any] = [Decimal("0.1"), Decimal(1), Decimal("1e-400"), Decimal("1e400"), Decimal("-1e400"), Fraction(1, 2), Fraction(1, 3), Fraction(10**400)]
    for other in others:
        exact = Fraction(other)
        assert compare(x, other).tolist() == [compare(v, exact) for v in elements], (other, dtype)
        assert compare(x[1], other).item() == compare(elements[1], exact)
    assert compare(x, Decimal("inf")).tolist() == [compare(v, float("inf")) for v in elements]
    assert compare(x, Decimal("nan")).tolist() == [name == "ne"] * 5


def test_integers_beyond_floats_are_compared_exactly() -> None:
    x = syntonic.asarray([2**53, 2**53 + 1, 2**53 + 2])
    assert (x == Decimal(2**53 + 1)).tolist() == [False, True, False]
    assert (x < Fraction(2**54 + 3, 2)).tolist() == [True, True, False]
    assert (syntonic.asarray([1 + 0j, 1j]) == Fraction(1)).tolist() == [True, False]
    with pytest.raises(TypeError):
        syntonic.asarray([1j]) < Fraction(1)  # noqa: B015


def test_exact_numbers_in_arithmetic_and_assignments() -> None:
    x = syntonic.asarray([1.0, 3.0])
    assert (x * Fraction(1, 2)).tolist() == [0.5, 1.5] and (Fraction(1, 2) - x).tolist() == [-0.5, -2.5]
    for refused in (lambda: x + Decimal(1), lambda: Decimal(1) + x, lambda: syntonic.arange(3) * Fraction(1, 2)):
        with pytest.raises(TypeError):
            refused()
    x[0] = Decimal("2.5")
    n = syntonic.zeros(4, dtype="int64")
    n[:2], n[2] = Fraction(7, 2), Decimal(2**60 + 1)
    assert x.tolist() == [2.5, 3.0] and n.tolist() == [3, 3, 2**60 + 1, 0]
    a = np.zeros(4, dtype="int64")
    for target in (n, a):
        target[1:] = np.array(["2", "-3", "-1"])
        target[[0, 1]] = np.array([7.0, 8.0], dtype=object)
        target[3:] = ["11"]
    same(n, a)
    with pytest.raises(TypeError):
        n[:2] = ["a", "b"]
    with pytest.raises(TypeError):
        n[:2] = [None, None]


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge"])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers_are_in_numpys_order(name: str, dtype: str) -> None:
    compare = COMPARED[name]
    parts = [-1.0, -0.0, 0.0, 2.0, NAN, float("inf")]
    a = np.array([complex(re, im) for re in parts for im in parts], dtype=dtype)
    x = State(a)
    same(compare(x[:, None], x), compare(a[:, None], a))
    for other in (0j, 1, 2.0, True, complex(2, -1), complex(NAN, 1), complex(2, NAN)):
        same(compare(x, other), compare(a, other))
        same(compare(x[3], other), np.asarray(compare(a[3:4], other))[0])
    for real in (np.array([0.0, 2.0, NAN]), np.array([0, 2, -1], dtype="int32"), np.array([True, False, True])):
        same(compare(x[:, None], State(real)), compare(a[:, None], real))
        same(compare(State(real), x[:, None]), compare(real, a[:, None]))
    same(compare(State(np.array([1, 0])), 1j), compare(np.array([1, 0]), 1j))
    same(compare(State(np.array([1, 0])), complex(1, NAN)), compare(np.array([1, 0]), complex(1, NAN)))
    with pytest.raises(ValueError):
        compare(x, x[:2])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_extremes_of_complex_numbers(dtype: str) -> None:
    rng = np.random.default_rng(3)
    for nans in (False, True):
        a = (rng.integers(-2, 3, (4, 5)) + 1j * rng.integers(-2, 3, (4, 5))).astype(dtype)
        if nans:
            a[1, 2], a[3, 0] = complex(NAN, 1), complex(0, NAN)
        x = State(a)
        for options in ({}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"keepdims": True}):
            for name in ("max", "min", "argmax", "argmin"):
                same(getattr(x, name)(**options), getattr(a, name)(**options))
                same(getattr(syntonic, name)(x, **options), getattr(np, name)(a, **options))
        for low, high in ((-1j, None), (None, 1 + 1j), (-1 - 1j, 1), (a[0], a[0] + 1)):
            same(x.clip(low, high), a.clip(low, high))
        same(x.real.clip(-1j, 1 + 1j).astype(dtype), a.real.clip(-1j, 1 + 1j).astype(dtype))
        out = State(np.zeros_like(a))
        x.clip(0, 1, out=out)
        same(out, a.clip(0, 1))
    for refused in (lambda: x.max(axis=(0, 1)), lambda: x[:0].max(), lambda: x.max(initial=0)):
        with pytest.raises(syntonic.SyntonicError):
            refused()


def test_arrays_with_a_mask_keep_it_or_are_refused() -> None:
    masked = np.ma.array([1.0, 2.0], mask=[True, False])
    x = snp.asarray([1.0, 2.0])
    for refused in (
        lambda: syntonic.asarray(masked), lambda: State(masked), lambda: snp.array(masked), lambda: snp.asarray(masked), lambda: syntonic.asarray([1.0, np.ma.masked]),
        lambda: x.__iadd__(masked), lambda: x.__setitem__(slice(None), masked), lambda: x.__setitem__(0, np.ma.masked), lambda: x.__getitem__(masked > 1),
        lambda: snp.concatenate([x, masked]), lambda: np.concatenate([x, masked]), lambda: snp.where(x > 1, x, masked), lambda: syntonic.sum(masked),
        lambda: syntonic.from_dlpack(masked), lambda: snp.from_dlpack(masked), lambda: snp.full(2, masked), lambda: snp.copyto(x, masked), lambda: x @ masked,
    ):  # fmt: skip
        with pytest.raises(syntonic.ArgumentTypeError, match=r"mask.*\.filled\("):
            refused()
    for made in (x + masked, masked + x, x * masked, np.add(x, masked), snp.add(x, masked), x < masked):
        assert np.ma.getmaskarray(made).tolist() == [True, False]
    assert x.tolist() == [1.0, 2.0] and (x + masked.filled(0.0)).tolist() == [1.0, 4.0]
    assert float(snp.mean(masked)) == 2.0


def test_complex_nans_are_one_value_where_the_first_of_them_lies() -> None:
    a = np.array([complex(NAN, 0), 1, complex(0, NAN), complex(NAN, NAN), complex(NAN, 5), 2, 1, complex(0, NAN)])
    for some in (a, a[::-1], a[3:]):
        for ours, theirs in zip(snp.unique(State(some), True, True, True), np.unique(some, True, True, True), strict=True):
            same(ours, theirs)


def test_sums_of_negative_zeros() -> None:
    for dtype in ("float32", "float64"):
        for a in (np.full((2, 3), -0.0, dtype), np.array([[-0.0, 0.0], [1.0, -1.0]], dtype)):
            for options in ({}, {"initial": -0.0}, {"initial": 0.0}, {"axis": 0, "initial": -0.0}, {"axis": 1, "initial": -0.0, "where": [[True], [False]]}):
                ours, theirs = np.asarray(State(a).sum(**options)), np.asarray(a.sum(**options))
                np.testing.assert_array_equal(np.signbit(ours), np.signbit(theirs), str((a, options)))
                np.testing.assert_array_equal(ours, theirs)
