"""Values at the ends of what the types hold, as Python calls them. Core's `tests/extremes` has the tables of every function."""

from __future__ import annotations

import math

import numpy as np
import pytest

import syntonic as syn

INF = math.inf


@pytest.mark.parametrize(("dtype", "offset"), [("float32", 1e6), ("float32", 1e7), ("float64", 1e7), ("float64", 1e15)])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_under_a_mask_an_offset_in_common_costs_no_digits(dtype: str, offset: float, axis: int | None) -> None:
    whole = np.arange(3000).reshape(3, 1000) * 7919 % 1009 % 5
    x = syn.asarray((whole + offset).astype(dtype))
    # Each column has an element under it.
    mask = np.arange(3000).reshape(3, 1000) % 3 != 1
    given = {"axis": axis, "where": syn.asarray(mask)}
    # Sums in double precision of at most 3000 terms, and one rounding.
    bound = np.finfo(dtype).eps + 3000 * np.finfo("float64").eps
    for name in ("var", "std"):
        want = getattr(np, name)(whole.astype("float64"), axis=axis, where=mask)
        got = np.asarray(getattr(syn, name)(x, **given))
        assert np.all(abs(got - want) <= 2 * bound * want), name
    want = np.mean(whole.astype("float64"), axis=axis, where=mask) + offset
    assert np.all(abs(np.asarray(syn.mean(x, **given)) - want) <= bound * want)


@pytest.mark.parametrize(("dtype", "most"), [("float32", 3e38), ("float64", 1.7e308)])
def test_means_under_a_mask_stay_in_range(dtype: str, most: float) -> None:
    x = syn.full(1000, most, dtype=dtype)
    mean = syn.mean(x, where=syn.asarray(np.arange(1000) % 2 == 0))
    assert abs(mean.item() / most - 1) <= 2 * np.finfo(dtype).eps + 1000 * np.finfo("float64").eps


@pytest.mark.parametrize(
    ("row", "want"),
    [
        ([INF, INF], INF),
        ([1.0, INF], INF),
        ([-INF, 1.0], -INF),
        ([-INF, INF], math.nan),
        ([1.7e308, -1.7e308], 0.0),
        ([1.0, 2.0, INF], 2.0),
    ],
)
def test_medians_of_infinities(row: list[float], want: float) -> None:
    full, holed = syn.asarray(row), syn.asarray([*row, math.nan])
    for got in (
        syn.median(full),
        syn.quantile(full, 0.5),
        syn.nanmedian(holed),
        syn.nanquantile(holed, 0.5),
        syn.nanquantile(holed, 0.5, method="midpoint"),
    ):
        assert got.item() == want or (math.isnan(got.item()) and math.isnan(want))


@pytest.mark.parametrize(("row", "want"), [([6e4, -6e4], 0.0), ([-52.4, 50], -1.203125), ([65504, -65504], 0.0)])
def test_half_types_are_interpolated_in_float32(row: list[float], want: float) -> None:
    x = syn.asarray(row, dtype="float16")
    for got in (syn.median(x), syn.nanmedian(x), syn.quantile(x, 0.5), syn.nanquantile(x, 0.5)):
        assert (got.dtype, got.item()) == (syn.float16, want)


def test_integers_of_64_bits_are_compared_as_they_are() -> None:
    u = syn.asarray(np.array([2**63, 2**63 - 1, 2**53 + 1, 0, 2**64 - 1], dtype="uint64"))
    i = syn.asarray(np.array([2**63 - 1, 2**63 - 1, 2**53, -1, -1], dtype="int64"))
    for op in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        # NumPy compares these two types exactly from 2.0 on; objects are compared so by any.
        want = getattr(np, op)(np.asarray(u).astype(object), np.asarray(i).astype(object)).astype(bool)
        assert np.array_equal(np.asarray(getattr(syn, op)(u, i)), want), op
    assert np.asarray(syn.isin(u, i)).tolist() == [False, True, False, False, False]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize(("low", "high"), [(1.0, 2.0), (1000.0, 1001.0), (-6e4, 6e4), (0.7, 0.9)])
def test_uniform_numbers_are_below_their_end(dtype: str, low: float, high: float) -> None:
    x = syn.random.Generator(3).uniform(50_000, low, high, dtype=dtype).astype("float64")
    assert low <= x.min().item() and x.max().item() < high


def test_the_second_derivative_of_a_product_with_zeros() -> None:
    def f(a: syn.State) -> syn.State:
        return syn.prod(1 - a)

    x = syn.asarray([1.0, 0.5, 0.2])
    rows = [np.asarray(syn.grad(lambda a, k=k: syn.grad(f)(a)[k])(x)) for k in range(3)]
    assert np.allclose(rows, [[0, 0.8, 0.5], [0.8, 0, 0], [0.5, 0, 0]], rtol=0, atol=1e-15)


def test_the_gradient_of_a_singular_determinant() -> None:
    a = syn.asarray([[1.0, 2.0], [2.0, 4.0]])
    assert np.allclose(np.asarray(syn.grad(syn.linalg.det)(a)), [[4, -2], [-2, 1]], rtol=0, atol=1e-14)


def test_gelu_far_out() -> None:
    x = syn.asarray([256.0, -256.0], dtype="float16")
    slope = syn.grad(lambda x: syn.nn.gelu(x).sum())(x)
    assert np.asarray(slope.astype("float64")).tolist() == [1.0, 0.0]
