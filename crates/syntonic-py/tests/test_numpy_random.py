"""`syntonic.numpy.random`: NumPy's names, and distributions that are NumPy's by their numbers, beside samples of NumPy's own."""

from __future__ import annotations

import inspect
from typing import Any

import numpy
import pytest

import syntonic.numpy as np
from syntonic import State

MANY = 20_000
# Each as a call of a generator of either module.
DRAWS: dict[str, tuple[Any, ...]] = {
    "random": (),
    "uniform": (-2.0, 3.0),
    "standard_normal": (),
    "normal": (1.0, 2.0),
    "lognormal": (0.0, 0.5),
    "chisquare": (3.0,),
    "noncentral_chisquare": (3.0, 2.0),
    "f": (5.0, 8.0),
    "noncentral_f": (5.0, 8.0, 2.0),
    "standard_t": (5.0,),
    "standard_cauchy": (),
    "rayleigh": (2.0,),
    "wald": (1.5, 2.0),
    "vonmises": (0.5, 2.0),
    "standard_exponential": (),
    "exponential": (2.0,),
    "standard_gamma": (0.4,),
    "gamma": (3.5, 2.0),
    "beta": (0.5, 2.0),
    "laplace": (1.0, 2.0),
    "gumbel": (1.0, 2.0),
    "logistic": (1.0, 2.0),
    "weibull": (1.5,),
    "pareto": (3.0,),
    "power": (2.5,),
    "triangular": (-1.0, 0.5, 2.0),
    "poisson": (70.0,),
    "binomial": (90, 0.3),
    "negative_binomial": (5, 0.3),
    "geometric": (0.2,),
    "hypergeometric": (15, 20, 12),
    "logseries": (0.7,),
    "zipf": (2.5,),
    "integers": (3, 11),
}


def farthest(a: numpy.ndarray, b: numpy.ndarray) -> float:
    """The largest distance of the distribution functions of two samples."""
    places = numpy.unique(numpy.concatenate([a, b]))
    both = [numpy.searchsorted(numpy.sort(x), places, side="right") / x.size for x in (a, b)]
    return float(numpy.abs(both[0] - both[1]).max())


@pytest.mark.parametrize("name", sorted(DRAWS))
def test_a_distribution_is_numpys(name: str) -> None:
    ours = getattr(np.random.default_rng(11), name)(*DRAWS[name], size=MANY)
    theirs = getattr(numpy.random.default_rng(12), name)(*DRAWS[name], size=MANY)
    assert type(ours) is State and ours.shape == (MANY,) and ours.dtype == theirs.dtype
    # Kolmogorov and Smirnov: two samples of one distribution are farther apart once in 1,000 times.
    assert farthest(ours.numpy(), theirs) < 1.95 * (2 / MANY) ** 0.5


@pytest.mark.parametrize(("name", "arguments"), [("poisson", (3.0,)), ("poisson", (5000.0,)), ("binomial", (5, 0.5)), ("binomial", (100_000, 0.01))])
def test_counts_small_and_large(name: str, arguments: tuple[Any, ...]) -> None:
    ours = getattr(np.random.default_rng(3), name)(*arguments, size=MANY)
    theirs = getattr(numpy.random.default_rng(4), name)(*arguments, size=MANY)
    assert farthest(ours.numpy(), theirs) < 1.95 * (2 / MANY) ** 0.5


def test_parameters_are_arrays_too() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal([0.0, 100.0], [[1.0], [2.0]], (4000, 2, 2))
    numpy.testing.assert_allclose(x.mean(0).numpy(), [[0, 100], [0, 100]], atol=0.2)
    assert rng.poisson(np.array([1.0, 50.0])).shape == (2,) and rng.gamma([0.5, 3.0], size=(3, 2)).shape == (3, 2)
    whole = rng.integers([0, 10], [5, 20], size=(200, 2)).numpy()
    assert whole.min(0).tolist() == [0, 10] and whole.max(0).tolist() == [4, 19]
    assert rng.normal().shape == ()


def test_vectors_have_their_means() -> None:
    rng = np.random.default_rng(6)
    cov = [[2.0, 0.5], [0.5, 1.0]]
    x = rng.multivariate_normal([1.0, -1.0], cov, 8000).numpy()
    numpy.testing.assert_allclose(numpy.cov(x.T), cov, atol=0.15)
    shares = rng.dirichlet([1.0, 2.0, 3.0], 4000).numpy()
    numpy.testing.assert_allclose(shares.sum(1), 1.0)
    numpy.testing.assert_allclose(shares.mean(0), [1 / 6, 1 / 3, 1 / 2], atol=0.02)
    counts = rng.multinomial(20, [0.2, 0.3, 0.5], 4000).numpy()
    assert (counts.sum(1) == 20).all()
    numpy.testing.assert_allclose(counts.mean(0), [4, 6, 10], atol=0.2)
    drawn = rng.multivariate_hypergeometric([5, 10, 15], 6, 2000).numpy()
    assert (drawn.sum(1) == 6).all()
    numpy.testing.assert_allclose(drawn.mean(0), [1, 2, 3], atol=0.1)


def test_choice_and_order() -> None:
    rng = np.random.default_rng(7)
    assert sorted(rng.permutation(5).tolist()) == [0, 1, 2, 3, 4]
    table = np.arange(12).reshape(4, 3)
    assert sorted(rng.permutation(table)[:, 0].tolist()) == [0, 3, 6, 9]
    rng.shuffle(table)
    assert sorted(table[:, 0].tolist()) == [0, 3, 6, 9]
    rows = rng.permuted(table, axis=1)
    assert np.sort(rows, axis=1).tolist() == np.sort(table, axis=1).tolist()
    cards = list("abcd")
    rng.shuffle(cards)
    assert sorted(cards) == list("abcd")
    often = rng.choice(3, 6000, p=[0.2, 0.0, 0.8])
    numpy.testing.assert_allclose(np.bincount(often).numpy() / 6000, [0.2, 0.0, 0.8], atol=0.03)
    assert sorted(rng.choice(5, 5, replace=False).tolist()) == [0, 1, 2, 3, 4]
    assert set(rng.choice(4, 2, replace=False, p=[0.5, 0.5, 0.0, 0.0]).tolist()) == {0, 1}
    assert rng.choice(np.array([10.0, 20.0]), (2, 3)).shape == (2, 3)
    with pytest.raises(ValueError, match="larger sample"):
        rng.choice(3, 4, replace=False)


def test_a_seed_is_a_stream() -> None:
    a, b = np.random.default_rng(1), np.random.Generator(np.random.PCG64(1))
    assert a.random(3).tolist() == b.random(3).tolist() != a.random(3).tolist()
    saved = a.bit_generator.state
    first = a.normal(size=2).tolist()
    a.bit_generator.state = saved
    assert a.normal(size=2).tolist() == first
    one, other = a.spawn(2)
    assert one.random() != other.random()
    np.random.seed(5)
    first = np.random.rand(2, 2).tolist()
    np.random.seed(5)
    assert np.random.rand(2, 2).tolist() == first
    assert np.random.default_rng([1, 2]).random() != np.random.default_rng([1, 3]).random()
    assert np.random.default_rng(a) is a


def test_every_public_name_of_numpys_is_here() -> None:
    theirs = [name for name in dir(numpy.random.Generator) if not name.startswith("_")]
    assert [name for name in theirs if not hasattr(np.random.Generator, name)] == []
    assert [name for name in numpy.random.__all__ if not hasattr(np.random, name)] == []
    for name in theirs:
        ours, want = getattr(np.random.Generator, name), getattr(numpy.random.Generator, name)
        if callable(ours) and name != "choice":
            given = list(inspect.signature(ours).parameters)[1:]
            line = (want.__doc__ or "").strip().partition("\n\n")[0]
            for parameter in given:
                assert parameter in line, (name, parameter, line)


def test_parameters_out_of_range_are_refused() -> None:
    rng = np.random.default_rng(1)
    for call in (
        lambda: rng.normal(0, -1),
        lambda: rng.gamma(-1.0),
        lambda: rng.binomial(3, 1.5),
        lambda: rng.integers(3, 3),
        lambda: rng.poisson([-1.0]),
        lambda: rng.triangular(1.0, 0.0, 2.0),
        lambda: np.random.default_rng(-1),
    ):
        with pytest.raises(ValueError):
            call()
