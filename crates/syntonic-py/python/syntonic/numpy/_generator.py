"""NumPy's `Generator` on the counter-based generator of `syntonic.random`."""

from __future__ import annotations

import secrets

import numpy as np

import syntonic
from syntonic import _core, linalg
from syntonic._core import State, asarray
from syntonic.numpy import _exactly
from syntonic.numpy._draws import Draws
from syntonic.random import Generator as _Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BitGenerator", "Generator"]


class BitGenerator:
    """A seed. Under all of NumPy's names there is one generator here: Philox by element index, which is the same on every device."""

    def __init__(self, seed: Any = None) -> None:
        self._source = _Source(_seed(seed))

    @property
    def state(self) -> dict[str, int]:
        """All there is to save: the seed, and how many elements were drawn."""
        seed, offset = self._source.state
        return {"seed": seed, "offset": offset}

    @state.setter
    def state(self, state: dict[str, int]) -> None:
        self._source.state = (state["seed"], state["offset"])


def _seed(seed: Any) -> int:
    """A number of 63 bits from what NumPy takes for a seed."""
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, np.random.SeedSequence):
        return int(seed.generate_state(1, np.uint64)[0]) >> 1
    if hasattr(seed, "__index__"):
        number = seed.__index__()
        if number < 0:
            raise _core.ArgumentError(f"default_rng: seed is {number}; it must not be negative")
        return number if number < 2**63 else int(np.random.SeedSequence(number).generate_state(1, np.uint64)[0]) >> 1
    return int(np.random.SeedSequence([int(k) for k in seed]).generate_state(1, np.uint64)[0]) >> 1


class Generator:
    """NumPy's methods and distributions; the numbers are others than NumPy's, and the same bits on every device.

    What is drawn lies on the device of the block, or where an array among the parameters lies.

    >>> import syntonic.numpy as np
    >>> rng = np.random.default_rng(7)
    >>> rng.normal(0.0, 1.0, (2, 3)).shape, rng.integers(6, size=4).dtype.name, float(rng.random()) < 1
    ((2, 3), 'int64', True)
    """

    def __init__(self, bit_generator: Any) -> None:
        self._bits = bit_generator if isinstance(bit_generator, BitGenerator) else BitGenerator(bit_generator)
        self._children = 0

    @property
    def bit_generator(self) -> BitGenerator:
        """What holds the seed."""
        return self._bits

    @property
    def _source(self) -> _Source:
        return self._bits._source

    def __repr__(self) -> str:
        return f"Generator(seed={self._source.seed}, offset={self._source.offset})"

    def spawn(self, n_children: int) -> list[Generator]:
        """Independent generators."""
        first, self._children = self._children, self._children + n_children
        made = []
        for k in range(first, self._children):
            bits = BitGenerator(0)
            bits._source = self._source.fork(k)
            made.append(Generator(bits))
        return made

    def _draws(self, size: Any, *parameters: Any) -> tuple[Draws, list[Any]]:
        """Draws of the size, or of the shape that the parameters have together; and the parameters in float64."""
        device = next((x.device for x in parameters if isinstance(x, State)), None)
        numbers = [_exactly.float64(x, device) for x in parameters]
        arrays = [x for x in numbers if isinstance(x, State)]
        if size is None:
            shape = syntonic.broadcast_shapes(*(x.shape for x in arrays))
        else:
            shape = (int(size),) if hasattr(size, "__index__") else tuple(int(n) for n in size)
        return Draws(self._source, shape, device), numbers

    # Uniform numbers and integers.

    def random(self, size: Any = None, dtype: Any = float, out: Any = None) -> State:
        """Uniform numbers in [0, 1)."""
        draws, _ = self._draws(size if out is None or size is not None else out.shape, *(() if out is None else (out,)))
        return _put(self._source.uniform(draws._shape, dtype=dtype, device=draws._device), out)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Uniform numbers in [low, high)."""
        draws, (low, high) = self._draws(size, low, high)
        return low + (high - low) * draws.uniform()

    def integers(self, low: Any, high: Any = None, size: Any = None, dtype: Any = "int64", endpoint: bool = False) -> State:
        """Integers from low to below high, or to high with `endpoint`; with one number from 0 to it."""
        low, high = (0, low) if high is None else (low, high)
        if all(hasattr(x, "__index__") and getattr(x, "ndim", 0) == 0 for x in (low, high)):
            draws, _ = self._draws(size)
            whole = self._source.integers(int(low), int(high) + bool(endpoint), draws._shape, device=draws._device)
        else:
            draws, (bottom, top) = self._draws(size, low, high)
            span = top - bottom + float(endpoint)
            if not bool(syntonic.all(draws.full(span) >= 1.0)):
                raise _core.ArgumentError("integers: low >= high")
            whole = (bottom + syntonic.floor(draws.uniform() * span)).astype(_core.int64)
        return whole.astype(dtype, copy=False)

    def bytes(self, length: int) -> bytes:
        """Random bytes."""
        return self._source.integers(0, 256, (int(length),), device="cpu").astype(_core.uint8).tobytes()

    # Choice and order.

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True) -> State:
        """Elements of an array, or of the numbers below `a`: with equal probabilities or `p`, with or without repetition."""
        among = None if hasattr(a, "__index__") and getattr(a, "ndim", 0) == 0 else asarray(a)
        count = int(a) if among is None else among.shape[axis]
        draws, _ = self._draws(() if size is None else size, *(() if among is None else (among,)))
        total = 1
        for n in draws._shape:
            total *= n
        if count < 1 and total:
            raise _core.ArgumentError("choice: a must be positive, or not empty")
        device = draws._device
        weights = None if p is None else asarray(p, None, device).astype(_core.float64)
        if weights is not None:
            device = weights.device
            if weights.shape != (count,):
                raise _core.ArgumentError("choice: a and p must have same size")
            if bool(syntonic.any(weights < 0)) or abs(float(weights.sum()) - 1.0) > 1e-6:
                raise _core.ArgumentError("choice: probabilities are not negative and sum to 1")
        if replace and weights is None:
            place = self._source.integers(0, count, draws._shape, device=device)
        elif replace and weights is not None:
            bounds = syntonic.cumulative_sum(weights)
            place = syntonic.searchsorted(bounds / bounds[-1], self._source.uniform((total,), device=device), side="right").clip(0, count - 1)
        elif total > count or (weights is not None and total > int(syntonic.count_nonzero(weights))):
            raise _core.ArgumentError("choice: cannot take a larger sample than population when replace is False")
        elif weights is None:
            place = self._source.permutation(count, device=device)[:total]
        else:
            # Waiting times: the first to come are the sample.
            time = Draws(self._source, (count,), device).exponential() / weights
            place = syntonic.argsort(time)[:total]
        place = place.reshape(draws._shape)
        if among is None:
            return place
        found = syntonic.take(among, place.reshape(-1), axis=axis)
        return found.reshape((*among.shape[: axis % among.ndim], *draws._shape, *among.shape[axis % among.ndim + 1 :]))

    def permutation(self, x: Any, axis: int = 0) -> State:
        """The numbers below `x`, or the slices of an array, in random order."""
        if hasattr(x, "__index__") and getattr(x, "ndim", 0) == 0:
            return self._source.permutation(int(x))
        x = asarray(x)
        return syntonic.take(x, self._source.permutation(x.shape[axis], device=x.device), axis=axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Puts the slices of an array, or the elements of a list, in random order in place."""
        if isinstance(x, State):
            x[...] = self.permutation(x, axis)
        else:
            x[:] = [x[k] for k in self._source.permutation(len(x), device="cpu").tolist()]

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> State:
        """Each row along the axis in a random order of its own; without an axis all elements."""
        x = asarray(x)
        if axis is None:
            found = syntonic.take(x.ravel(), self._source.permutation(x.size, device=x.device)).reshape(x.shape)
        else:
            order = syntonic.argsort(self._source.uniform(x.shape, device=x.device), axis=axis)
            found = syntonic.take_along_axis(x, order, axis=axis)
        return _put(found, out)

    # Around the normal distribution.

    def standard_normal(self, size: Any = None, dtype: Any = float, out: Any = None) -> State:
        """Normal numbers of mean 0 and variance 1."""
        draws, _ = self._draws(size if out is None or size is not None else out.shape, *(() if out is None else (out,)))
        return _put(self._source.normal(draws._shape, dtype=dtype, device=draws._device), out)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Normal numbers of this mean and standard deviation."""
        draws, (loc, scale) = self._draws(size, loc, scale)
        _positive("normal", "scale", scale, zero=True)
        return loc + scale * draws.normal()

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> State:
        """e to the power of normal numbers."""
        return _exactly.exp(self.normal(mean, sigma, size))

    def multivariate_normal(self, mean: Any, cov: Any, size: Any = None, check_valid: str = "warn", tol: float = 1e-8, *, method: str = "svd") -> State:
        """Normal vectors of this mean and covariance: `[n], [n, n] -> [size, n]`."""
        mean = asarray(mean).astype(_core.float64, copy=False)
        # Factored on the CPU, so that every device adds up the same numbers.
        root = linalg.eigh(asarray(cov).astype(_core.float64).cpu())
        factor = (root[1] * syntonic.sqrt(root[0].clip(0, None))).to(mean.device)
        draws, _ = self._draws(() if size is None else size)
        z = self._source.normal((*draws._shape, mean.shape[0]), device=mean.device)
        total = syntonic.broadcast_to(mean, z.shape)
        for k in range(mean.shape[0]):
            total = total + z[..., k : k + 1] * factor[:, k]
        return total

    def chisquare(self, df: Any, size: Any = None) -> State:
        """Sums of squares of `df` standard normal numbers."""
        draws, (df,) = self._draws(size, df)
        _positive("chisquare", "df", df)
        return 2.0 * draws.gamma(df / 2.0)

    def noncentral_chisquare(self, df: Any, nonc: Any, size: Any = None) -> State:
        """As `chisquare`, of normal numbers whose squared means sum up to `nonc`."""
        draws, (df, nonc) = self._draws(size, df, nonc)
        _positive("noncentral_chisquare", "df", df)
        # That many degrees of freedom more as a Poisson distribution says.
        return 2.0 * draws.gamma(draws.full(df) / 2.0 + draws.poisson(draws.full(nonc) / 2.0))

    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Any:
        """The ratio of two chi-square numbers, each divided by its degrees of freedom."""
        draws, (dfnum, dfden) = self._draws(size, dfnum, dfden)
        _positive("f", "dfnum", dfnum)
        _positive("f", "dfden", dfden)
        return (draws.gamma(dfnum / 2.0) / dfnum) / (draws.gamma(dfden / 2.0) / dfden)

    def noncentral_f(self, dfnum: Any, dfden: Any, nonc: Any, size: Any = None) -> Any:
        """As `f` with a numerator that is not central."""
        draws, (dfnum, dfden, nonc) = self._draws(size, dfnum, dfden, nonc)
        top = draws.gamma(draws.full(dfnum) / 2.0 + draws.poisson(draws.full(nonc) / 2.0)) / dfnum
        return top / (draws.gamma(dfden / 2.0) / dfden)

    def standard_t(self, df: Any, size: Any = None) -> State:
        """Student's distribution with `df` degrees of freedom."""
        draws, (df,) = self._draws(size, df)
        _positive("standard_t", "df", df)
        return draws.normal() * syntonic.sqrt(df / 2.0 / draws.gamma(df / 2.0))

    def standard_cauchy(self, size: Any = None) -> State:
        """The ratio of two normal numbers."""
        draws, _ = self._draws(size)
        return draws.normal() / draws.normal()

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        """The length of a normal vector in the plane."""
        draws, (scale,) = self._draws(size, scale)
        return scale * syntonic.sqrt(2.0 * draws.exponential())

    def wald(self, mean: Any, scale: Any, size: Any = None) -> State:
        """The inverse Gaussian distribution."""
        draws, (mean, scale) = self._draws(size, mean, scale)
        _positive("wald", "mean", mean)
        _positive("wald", "scale", scale)
        return draws.wald(mean, scale)

    def vonmises(self, mu: Any, kappa: Any, size: Any = None) -> State:
        """Angles about `mu`, from -pi to pi. The last bit may differ between devices."""
        draws, (mu, kappa) = self._draws(size, mu, kappa)
        angle = mu + draws.vonmises(kappa)
        return syntonic.remainder(angle + syntonic.pi, 2.0 * syntonic.pi) - syntonic.pi

    # Around the exponential distribution.

    def standard_exponential(self, size: Any = None, dtype: Any = float, method: str = "zig", out: Any = None) -> State:
        """Exponential numbers of mean 1."""
        draws, _ = self._draws(size if out is None or size is not None else out.shape, *(() if out is None else (out,)))
        return _put(draws.exponential().astype(dtype, copy=False), out)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Exponential numbers of mean `scale`."""
        draws, (scale,) = self._draws(size, scale)
        _positive("exponential", "scale", scale, zero=True)
        return scale * draws.exponential()

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = float, out: Any = None) -> State:
        """The gamma distribution of scale 1."""
        draws, (shape,) = self._draws(size, shape)
        _positive("standard_gamma", "shape", shape, zero=True)
        return _put(draws.gamma(shape).astype(dtype, copy=False), out)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """The gamma distribution."""
        draws, (shape, scale) = self._draws(size, shape, scale)
        _positive("gamma", "shape", shape, zero=True)
        return scale * draws.gamma(shape)

    def beta(self, a: Any, b: Any, size: Any = None) -> State:
        """The beta distribution."""
        draws, (a, b) = self._draws(size, a, b)
        _positive("beta", "a", a)
        _positive("beta", "b", b)
        return draws.beta(a, b)

    def dirichlet(self, alpha: Any, size: Any = None) -> State:
        """Shares that sum up to 1: `[n] -> [size, n]`."""
        alpha = asarray(alpha).astype(_core.float64, copy=False)
        _positive("dirichlet", "alpha", alpha)
        draws, _ = self._draws(() if size is None else size)
        parts = Draws(self._source, (*draws._shape, alpha.shape[0]), alpha.device).gamma(alpha)
        total = parts[..., :1]
        for k in range(1, alpha.shape[0]):
            total = total + parts[..., k : k + 1]
        return parts / total

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """The difference of two exponential numbers."""
        draws, (loc, scale) = self._draws(size, loc, scale)
        return loc + scale * (draws.exponential() - draws.exponential())

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """The distribution of the largest of many."""
        draws, (loc, scale) = self._draws(size, loc, scale)
        return loc - scale * _exactly.log(draws.exponential())

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """The logistic distribution: ln of the ratio of two exponential numbers."""
        draws, (loc, scale) = self._draws(size, loc, scale)
        return loc + scale * (_exactly.log(draws.exponential()) - _exactly.log(draws.exponential()))

    def weibull(self, a: Any, size: Any = None) -> Any:
        """Weibull's distribution of shape `a`."""
        draws, (a,) = self._draws(size, a)
        _positive("weibull", "a", a)
        return _exactly.power(draws.exponential(), 1.0 / a)

    def pareto(self, a: Any, size: Any = None) -> State:
        """Lomax's distribution of shape `a`, Pareto's less 1."""
        draws, (a,) = self._draws(size, a)
        _positive("pareto", "a", a)
        return _exactly.exp(draws.exponential() / a) - 1.0

    def power(self, a: Any, size: Any = None) -> Any:
        """Numbers of 0..1 with a density that goes as x**(a - 1)."""
        draws, (a,) = self._draws(size, a)
        _positive("power", "a", a)
        return _exactly.power(1.0 - draws.uniform(), 1.0 / a)

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> State:
        """From left over the most probable number to right."""
        draws, (left, mode, right) = self._draws(size, left, mode, right)
        span, rise = draws.full(right) - left, draws.full(mode) - left
        if not bool(syntonic.all((rise >= 0) & (draws.full(right) >= mode) & (span > 0))):
            raise _core.ArgumentError("triangular: left <= mode <= right, and left < right")
        u = draws.uniform()
        rising = u * span <= rise
        under = syntonic.where(rising, u * span * rise, (1.0 - u) * span * (span - rise))
        return syntonic.where(rising, left + syntonic.sqrt(under), right - syntonic.sqrt(under))

    # Counts.

    def poisson(self, lam: Any = 1.0, size: Any = None) -> State:
        """How many events there are where `lam` are expected."""
        draws, (lam,) = self._draws(size, lam)
        _positive("poisson", "lam", lam, zero=True)
        return draws.poisson(lam).astype(_core.int64)

    def binomial(self, n: Any, p: Any, size: Any = None) -> State:
        """How many of n trials of this probability succeed."""
        draws, (n, p) = self._draws(size, n, p)
        _positive("binomial", "n", n, zero=True)
        _probability("binomial", p)
        return draws.binomial(n, p).astype(_core.int64)

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> State:
        """How many trials fail before n succeed."""
        draws, (n, p) = self._draws(size, n, p)
        _positive("negative_binomial", "n", n)
        _probability("negative_binomial", p)
        return draws.poisson(draws.gamma(n) * ((1.0 - p) / p)).astype(_core.int64)

    def geometric(self, p: Any, size: Any = None) -> State:
        """How many trials there are up to the first success."""
        draws, (p,) = self._draws(size, p)
        _probability("geometric", p)
        rate = -_exactly.log(1.0 - draws.full(p))
        return syntonic.maximum(syntonic.ceil(draws.exponential() / rate), 1.0).astype(_core.int64)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> State:
        """How many of a sample without repetition are good. One pass for each of the sample, which is one number."""
        draws, (good, bad) = self._draws(size, ngood, nbad)
        sample = int(nsample)
        if not bool(syntonic.all(draws.full(good) + bad >= float(sample))):
            raise _core.ArgumentError("hypergeometric: ngood + nbad < nsample")
        return draws.hypergeometric(good, bad, sample).astype(_core.int64)

    def multivariate_hypergeometric(self, colors: Any, nsample: int, size: Any = None, method: str = "marginals") -> State:
        """How many of each color there are in a sample without repetition: `[n] -> [size, n]`."""
        draws, _ = self._draws(() if size is None else size)
        counts = [int(c) for c in asarray(colors).tolist()]
        if sum(counts) < nsample:
            raise _core.ArgumentError("multivariate_hypergeometric: nsample > sum(colors)")
        # One by one, whichever color each has.
        left = [draws.full(float(c)).copy() for c in counts]
        found = [syntonic.zeros_like(x) for x in left]
        for k in range(int(nsample)):
            place = draws.uniform() * float(sum(counts) - k)
            below = syntonic.zeros_like(place)
            for c in range(len(counts)):
                hit = syntonic.where((place >= below) & (place < below + left[c]), 1.0, 0.0)
                below = below + left[c]
                left[c], found[c] = (left[c] - hit).eval(), (found[c] + hit).eval()
        return syntonic.stack(found, axis=-1).astype(_core.int64)

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> State:
        """How many of n trials come to each outcome: `[k] -> [size, k]`."""
        pvals = asarray(pvals).astype(_core.float64, copy=False)
        draws, (n,) = self._draws(size, n)
        shape = draws._shape if size is not None else syntonic.broadcast_shapes(draws._shape, pvals.shape[:-1])
        draws = Draws(self._source, shape, pvals.device)
        left, rest, found = draws.full(n), draws.full(1.0), []
        for k in range(pvals.shape[-1] - 1):
            share = (pvals[..., k] / syntonic.where(rest > 0, rest, 1.0)).clip(0.0, 1.0)
            found.append(draws.binomial(left, share).eval())
            left, rest = left - found[-1], rest - pvals[..., k]
        return syntonic.stack([*found, left], axis=-1).astype(_core.int64)

    def logseries(self, p: Any, size: Any = None) -> State:
        """The logarithmic series distribution."""
        draws, (p,) = self._draws(size, p)
        _probability("logseries", p)
        return draws.logseries(p).astype(_core.int64)

    def zipf(self, a: Any, size: Any = None) -> State:
        """Zipf's distribution: a number k as often as k**-a."""
        draws, (a,) = self._draws(size, a)
        _positive("zipf", "a - 1", a - 1.0)
        return draws.zipf(a).astype(_core.int64)


def _put(value: State, out: Any) -> State:
    if out is None:
        return value
    out[...] = value
    return out  # type: ignore[no-any-return]


def _positive(op: str, name: str, value: Any, zero: bool = False) -> None:
    """Refuses parameters below 0; of an array a truth value is read."""
    fits = (value >= 0 if zero else value > 0) if isinstance(value, float) else bool(syntonic.all(value >= 0 if zero else value > 0))
    if not fits:
        raise _core.ArgumentError(f"{op}: {name} must be {'0 or more' if zero else 'above 0'}")


def _probability(op: str, p: Any) -> None:
    fits = 0 <= p <= 1 if isinstance(p, float) else bool(syntonic.all((p >= 0) & (p <= 1)))
    if not fits:
        raise _core.ArgumentError(f"{op}: p must be from 0 to 1")
