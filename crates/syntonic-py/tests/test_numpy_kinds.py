"""Functions over kinds of numbers and shapes that NumPy has answers for: truth values, complex numbers, half types, rows and repeated positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import syntonic
from syntonic import State

TRUTH = np.array([[False, True, True], [True, False, True]])
OTHER = np.array([[False, False, True], [True, True, True]])
BOOL: dict[str, Callable[..., Any]] = {
    "order": lambda x, y: (x < y, x <= y, x > y, x >= y, x < 1, x >= True),
    "extremes": lambda x, y: (np.maximum(x, y), np.minimum(x, y), np.maximum(x, 2), x.max(), x.min(0), x.argmax(1), np.clip(x, y, True)),
    "questions": lambda x, y: (np.isnan(x), np.isinf(x), np.isfinite(x), np.signbit(x + 0.0)),
    "itself": lambda x, y: (abs(x), np.floor(x), np.trunc(x), np.square(x)),
    "numbers": lambda x, y: (x // y, x % y, x**y, x << y, x >> y),
    "sums": lambda x, y: (x.sum(), x.sum(0), x.mean(1), x.std(), x.prod(), x.cumsum(), np.add.accumulate(x, axis=1, dtype="int64")),
    "sorted": lambda x, y: (np.sort(x), np.argsort(x, kind="stable"), np.unique(x), np.median(x), np.isin(x, [True])),
}


def agrees(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, tuple):
        for one, other in zip(ours, theirs, strict=True):
            agrees(one, other)
        return
    assert type(ours) is State and ours.shape == np.shape(theirs)
    assert ours.dtype == theirs.dtype, (ours.dtype, theirs.dtype)
    np.testing.assert_array_equal(ours.numpy(), theirs)


@pytest.mark.parametrize("name", BOOL)
def test_truth_values(name: str) -> None:
    with np.errstate(all="ignore"):
        agrees(BOOL[name](State(TRUTH), State(OTHER)), BOOL[name](TRUTH, OTHER))
    for refused in (lambda x: -x, lambda x: x - x, syntonic.sign):
        with pytest.raises(syntonic.DTypeError):
            refused(State(TRUTH))


def test_complex_numbers() -> None:
    z = np.array([[1.5 - 0.75j, -40 + 3j, 2j], [0.25, -3 - 3j, 30 + 0.5j]])
    sigmoid = 1 / (1 + np.exp(-z))
    for got, want in (
        (syntonic.exp2(z), np.exp2(z)),
        (syntonic.rsqrt(z), 1 / np.sqrt(z)),
        (syntonic.sigmoid(z), sigmoid),
        (syntonic.silu(z), z * sigmoid),
        (syntonic.logsumexp(z, axis=1), np.log(np.exp(z).sum(1))),
    ):
        np.testing.assert_allclose(got.numpy(), want, rtol=2e-14)
    assert np.isfinite(syntonic.sigmoid(State([-800 + 1j, 800 + 1j])).numpy()).all()


def test_nothing_has_a_softmax() -> None:
    for x in (syntonic.zeros((2, 0)), syntonic.zeros((0, 2)), syntonic.zeros((3, 0, 2))):
        for axis in (0, 1):
            assert syntonic.nn.softmax(x, axis=axis).shape == x.shape == syntonic.nn.syntonic_softmax(x, axis=axis).shape
    assert syntonic.logsumexp(syntonic.zeros((2, 0)), axis=1).tolist() == [-np.inf, -np.inf]


def test_norms_with_one_of_their_weights() -> None:
    x = State(np.arange(12.0).reshape(3, 4) ** 1.5)
    g, b = State([1.0, 2.0, 3.0, 4.0]), State([0.5, 0.0, -1.0, 2.0])
    plain = syntonic.nn.layer_norm(x).numpy()
    np.testing.assert_allclose(syntonic.nn.layer_norm(x, g).numpy(), plain * g.numpy(), rtol=1e-14)
    np.testing.assert_allclose(syntonic.nn.layer_norm(x, beta=b).numpy(), plain + b.numpy(), rtol=1e-14)


ACTIVATIONS = ("gelu", "gelu_erf", "silu", "sigmoid", "softplus", "log_sigmoid", "mish", "tanh", "golden_gelu", "phi_exp", "relu", "erf")


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("size", [4000, 40_000])
@pytest.mark.parametrize("half", ["float16", "bfloat16"])
def test_activations_of_half_types_are_rounded_once(name: str, size: int, half: str) -> None:
    # What is computed at once, and what waits in a chain.
    x = State(np.linspace(-9, 9, size)).astype(half)
    # Stored, and so rounded, before it is converted.
    got = (getattr(syntonic, name)(x) * 1.0).numpy().astype("float64")
    exact = getattr(syntonic, name)(x.astype("float64")).numpy()
    want = exact.astype(np.float16 if half == "float16" else ml_dtypes.bfloat16).astype(np.float64)
    unit = 2.0**-10 if half == "float16" else 2.0**-7
    # float32 is off by few of its units, so the half number differs where the value lies between two of them, and by one; and the tail of a
    # function, where numbers are not normal, has the distance of those.
    tiny = 2.0**-24 if half == "float16" else 0.0
    # GELU's own formula adds 1 to what is nearly -1 there, and keeps of the difference what float32 has of 1.
    lost = 4 * 2.0**-24 * abs(x.astype("float64").numpy()) if name == "gelu" else 0.0
    assert (abs(got - want) <= 1.001 * unit * abs(want) + tiny + lost).all()
    assert (got != want).mean() <= (0.2 if name == "gelu" else 0.005)


def test_unique_along_an_axis() -> None:
    rng = np.random.default_rng(3)
    for dtype in ("float64", "int32", "bool"):
        for shape in ((5, 4), (4, 2, 3), (6, 0), (0, 3)):
            a = rng.integers(0, 2, shape).astype(dtype)
            for axis in (0, 1, -1):
                if a.size == 0 and a.shape[axis] != 0:
                    continue
                for ours, theirs in zip(syntonic.unique(State(a), True, True, True, axis), np.unique(a, True, True, True, axis), strict=True):
                    agrees(ours, theirs.reshape(ours.shape))
    x = np.array([1, np.nan, 3, np.nan, 1, -0.0, 0.0])
    for options in ({}, {"equal_nan": False}):
        for ours, theirs in zip(syntonic.unique(State(x), True, True, True, **options), np.unique(x, True, True, True, **options), strict=True):
            np.testing.assert_array_equal(ours.numpy(), theirs)


def test_searches_in_rows() -> None:
    rng = np.random.default_rng(0)
    rows = np.sort(rng.integers(0, 9, (3, 2, 7)), axis=-1).astype(float)
    values = rng.integers(-1, 10, (3, 2, 4)).astype(float)
    rows[0, 0, -2:], values[0, 0, 0], values[1, 1, 2] = np.nan, np.nan, np.nan
    order = rng.permutation(7)
    for side in ("left", "right"):
        want = np.array([[np.searchsorted(r, v, side) for r, v in zip(a, b, strict=True)] for a, b in zip(rows, values, strict=True)])  # type: ignore[call-overload]
        agrees(syntonic.searchsorted(rows, values, side=side), want)
        back = np.broadcast_to(np.argsort(order), rows.shape)
        agrees(syntonic.searchsorted(rows[..., order], values, side=side, sorter=back), want)
        turned = syntonic.searchsorted(np.moveaxis(rows, -1, 0), np.moveaxis(values, -1, 0), side=side, axis=0)
        agrees(turned, np.moveaxis(want, -1, 0))
    assert syntonic.searchsorted(syntonic.zeros((2, 0)), syntonic.ones((2, 3))).tolist() == [[0] * 3] * 2
    with pytest.raises(syntonic.ShapeError, match="differ in their axes"):
        syntonic.searchsorted(rows, [1.0])
    with pytest.raises(syntonic.ShapeError, match="not as many"):
        syntonic.searchsorted(rows, values[:1])


def test_positions_that_occur_several_times() -> None:
    rng = np.random.default_rng(1)
    values = np.array([2, 3, 4, 5, 6])
    for dtype in ("float64", "int64", "float32", "complex64", "bool"):
        a = (rng.standard_normal((4, 5)) * 3).astype(dtype)
        cases: list[tuple[Any, int]] = [(([0, 0, 1, 3, 0], [1, 1, 2, 4, 1]), 5), ([1, 1, 2], 5), ((slice(None), [0, 0, 3]), 3), (..., 1)]
        for index, count in cases:
            v = values[:count].astype(dtype)
            for ours, theirs in ((syntonic.add_at, np.add), (syntonic.multiply_at, np.multiply)):
                want = a.copy()
                theirs.at(want, index, v)  # type: ignore[attr-defined]
                got = ours(State(a), index, v)
                assert got.dtype == a.dtype
                np.testing.assert_allclose(got.numpy(), want, rtol=1e-5)
    x, places, factors = np.arange(1.0, 9), rng.integers(0, 8, 50), rng.random(50) + 0.5
    want = x.copy()
    np.multiply.at(want, places, factors)
    np.testing.assert_allclose(syntonic.scatter_multiply(State(x), 0, places, factors).numpy(), want, rtol=1e-13)
    assert syntonic.scatter_multiply(State([[1, 2], [3, 4]]), -1, [[0, 0], [1, 1]], 5).tolist() == [[25, 2], [3, 100]]
    nothing = syntonic.zeros(0, dtype="int64")
    assert syntonic.multiply_at(State([1.0, 2.0]), nothing, 3.0).tolist() == [1.0, 2.0] == syntonic.add_at(State([1.0, 2.0]), nothing, 3.0).tolist()
    for refused in (syntonic.add_at, syntonic.multiply_at):
        with pytest.raises(syntonic.DTypeError, match="do not fit into int64"):
            refused(State([1, 2]), [0], 0.5)


@pytest.mark.parametrize("dtype", ["int8", "float16", "bfloat16", "float32", "complex64"])
def test_a_number_takes_the_type_of_what_it_is_joined_to(dtype: str) -> None:
    x = syntonic.ones(3, dtype=dtype)
    number = 2 if dtype == "int8" else 2.5
    for joined, want in (
        (syntonic.add_at(x, [0, 0], number), [1 + 2 * number, 1, 1]),
        (syntonic.multiply_at(x, [0, 0], number), [number**2, 1, 1]),
        (syntonic.scatter_multiply(x, 0, [0, 0], number), [number**2, 1, 1]),
    ):
        assert joined.dtype == dtype and joined.tolist() == want
    with pytest.raises(syntonic.IntegerOverflowError, match="multiply_at: 300 does not fit int8"):
        syntonic.multiply_at(syntonic.ones(3, dtype="int8"), [0], 300)
    with pytest.raises(syntonic.DTypeError, match="add_at: values of type complex64 do not fit into float32"):
        syntonic.add_at(syntonic.ones(3, dtype="float32"), [0], 2j)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "midpoint", "nearest"])
def test_quantiles_of_all_forms(method: str) -> None:
    x = np.random.default_rng(4).standard_normal((4, 5))
    holes = np.where(x > 0.8, np.nan, x)
    for axis in (None, 0, -1, (0, 1)):
        for keepdims in (False, True):
            for q in (0.3, [0.0, 0.5, 1.0], [[0.1, 0.2], [0.3, 0.4]]):
                options: dict[str, Any] = {"axis": axis, "keepdims": keepdims, "method": method}
                np.testing.assert_allclose(syntonic.quantile(x, q, **options).numpy(), np.quantile(x, q, **options), rtol=1e-14)
                np.testing.assert_allclose(syntonic.nanquantile(holes, q, **options).numpy(), np.nanquantile(holes, q, **options), rtol=1e-14)
    np.testing.assert_allclose(syntonic.nanmedian(holes, axis=1).numpy(), np.nanmedian(holes, axis=1), rtol=1e-14)
    assert np.isnan(syntonic.nanmedian(State([np.nan])).item())
    with pytest.raises(syntonic.ArgumentError, match="between 0 and 1"):
        syntonic.nanquantile(x, 1.5)
