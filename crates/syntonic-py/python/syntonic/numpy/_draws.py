"""Random numbers of all distributions by element index: arithmetic that every device rounds alike, on the bits of `syntonic.random`."""

from __future__ import annotations

import syntonic
from syntonic import _core
from syntonic._core import State
from syntonic.numpy import _exactly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from syntonic.random import Generator

__all__ = ["Draws"]

# Up to here a number of events, or of trials, is counted one by one.
_COUNTED = 16


class Draws:
    """Draws of one shape on one device."""

    def __init__(self, source: Generator, shape: tuple[int, ...], device: Any) -> None:
        self._source, self._shape, self._device = source, shape, device

    def uniform(self) -> State:
        return self._source.uniform(self._shape, device=self._device)

    def normal(self) -> State:
        return self._source.normal(self._shape, device=self._device)

    def full(self, value: Any) -> State:
        """A number or an array in this shape."""
        if isinstance(value, State):
            return syntonic.broadcast_to(value, self._shape)
        return syntonic.full(self._shape, value, _core.float64, device=self._device)

    def until(self, attempt: Callable[[], tuple[State, State]]) -> State:
        """What an attempt gives where it is accepted, attempts repeated for the rest. One truth value is read for each."""
        value, accepted = attempt()
        while not bool(syntonic.all(accepted)):
            other, now = attempt()
            value, accepted = syntonic.where(accepted, value, other).eval(), (accepted | now).eval()
        return value

    def exponential(self) -> State:
        """Half the squared length of a normal vector in the plane."""
        a, b = self.normal(), self.normal()
        return (a * a + b * b) * 0.5

    def gamma(self, shape: Any) -> State:
        """Marsaglia and Tsang, 2000: a cube of a normal number, accepted nearly always; below 1 by a power of a uniform number."""
        whole = self.full(shape)
        small = whole < 1.0
        d = syntonic.where(small, whole + 1.0, whole) - 1.0 / 3.0
        c = 1.0 / syntonic.sqrt(9.0 * d)

        def attempt() -> tuple[State, State]:
            x = self.normal()
            u = 1.0 - self.uniform()
            v = 1.0 + c * x
            v = v * v * v
            positive = syntonic.where(v > 0, v, syntonic.ones_like(v))
            fits = _exactly.log(u) < 0.5 * x * x + d - d * positive + d * _exactly.log(positive)
            return d * positive, (v > 0) & fits

        drawn = self.until(attempt)
        u = 1.0 - self.uniform()
        # A shape of 0 is a point at 0.
        raised = _exactly.power(u, 1.0 / syntonic.where(whole > 0, whole, syntonic.ones_like(whole)))
        return syntonic.where(whole == 0, syntonic.zeros_like(drawn), syntonic.where(small, drawn * raised, drawn))

    def beta(self, a: Any, b: Any) -> State:
        x, y = self.gamma(a), self.gamma(b)
        total = x + y
        # Both round to 0 for tiny shapes; then either end is as good as its weight.
        share = self.full(a) / (self.full(a) + self.full(b))
        end = syntonic.where(self.uniform() < share, syntonic.ones_like(x), syntonic.zeros_like(x))
        return syntonic.where(total > 0, x / syntonic.where(total > 0, total, syntonic.ones_like(total)), end)

    def poisson(self, rate: Any) -> State:
        """Ahrens and Dieter, 1974: a large number of events is reached at a gamma time, and only what is left over is counted."""
        rate = self.full(rate).copy()
        count = syntonic.zeros_like(rate)
        counting = syntonic.full_like(rate, 1.0) > 0
        while bool(syntonic.any(counting & (rate > _COUNTED))):
            large = counting & (rate > _COUNTED)
            n = syntonic.floor(syntonic.where(large, rate, syntonic.full_like(rate, 2.0)) * 0.875)
            time = self.gamma(n)
            early = time <= rate
            # Before the time there are n - 1 events spread evenly.
            rest = self.binomial(syntonic.where(large & ~early, n - 1.0, 0.0), syntonic.where(large & ~early, rate / time, 0.5))
            count = (count + syntonic.where(large, syntonic.where(early, n, rest), 0.0)).eval()
            counting = (counting & ~(large & ~early)).eval()
            rate = syntonic.where(large & early, rate - time, rate).eval()
        return count + self._counted(syntonic.where(counting, rate, syntonic.zeros_like(rate)))

    def _counted(self, rate: State) -> State:
        """Events until the waiting times add up to the rate, one by one."""
        count, time = syntonic.zeros_like(rate), self.exponential()
        while bool(syntonic.any(time < rate)):
            count = (count + syntonic.where(time < rate, 1.0, 0.0)).eval()
            time = (time + self.exponential()).eval()
        return count

    def binomial(self, n: Any, p: Any) -> State:
        """Relles, 1972: the middle one of n uniform numbers has a beta distribution and says which half is left; a few are counted."""
        n, p = self.full(n).copy(), self.full(p).copy()
        count = syntonic.zeros_like(n)
        while bool(syntonic.any(n > _COUNTED)):
            many = n > _COUNTED
            a = 1.0 + syntonic.floor(syntonic.where(many, n, syntonic.full_like(n, 2.0)) * 0.5)
            b = syntonic.where(many, n, syntonic.full_like(n, 2.0)) + 1.0 - a
            middle = self.beta(a, b)
            above = middle >= p
            safe = syntonic.where(above, syntonic.where(middle > 0, middle, 1.0), syntonic.where(middle < 1, 1.0 - middle, 1.0))
            count = (count + syntonic.where(many & ~above, a, 0.0)).eval()
            left = syntonic.where(above, p / safe, (p - middle) / safe)
            p = syntonic.where(many, left, p).eval()
            n = syntonic.where(many, syntonic.where(above, a - 1.0, b - 1.0), n).eval()
        for k in range(_COUNTED):
            count = count + syntonic.where((n > float(k)) & (self.uniform() < p), 1.0, 0.0)
        return count

    def hypergeometric(self, good: Any, bad: Any, sample: int) -> State:
        """Drawn one by one."""
        left, others = self.full(good).copy(), self.full(bad).copy()
        count = syntonic.zeros_like(left)
        for _ in range(sample):
            hit = self.uniform() * (left + others) < left
            count = (count + syntonic.where(hit, 1.0, 0.0)).eval()
            left, others = syntonic.where(hit, left - 1.0, left).eval(), syntonic.where(hit, others, others - 1.0).eval()
        return count

    def logseries(self, p: Any) -> State:
        """Kemp, 1981: 1 + floor(ln V / ln(1 - (1 - p)**U))."""
        u, v = self.uniform(), 1.0 - self.uniform()
        q = 1.0 - _exactly.exp(_exactly.log1m(self.full(p)) * u)
        # Of q = 1 - (1 - p)**U near 0 the logarithm is very negative, and the number is 1.
        return syntonic.floor(1.0 + _exactly.log(v) / syntonic.minimum(_exactly.log(q), -1e-300))

    def zipf(self, a: Any) -> State:
        """Devroye, 1986, by rejection from a Pareto distribution."""
        a = self.full(a)
        power = a - 1.0
        top = _exactly.exp(power * 0.6931471805599453)

        def attempt() -> tuple[State, State]:
            u, v = 1.0 - self.uniform(), self.uniform()
            x = syntonic.floor(_exactly.power(u, -1.0 / power))
            usable = (x < 9.2e18) & (x >= 1)
            x = syntonic.where(usable, x, syntonic.ones_like(x))
            t = _exactly.exp(power * _exactly.log(1.0 + 1.0 / x))
            return x, usable & (v * x * (t - 1.0) / (top - 1.0) <= t / top)

        return self.until(attempt)

    def wald(self, mean: Any, scale: Any) -> State:
        """Michael, Schucany and Haas, 1976."""
        m, scale = self.full(mean), self.full(scale)
        y = self.normal()
        y = m * y * y
        x = m + m / (2.0 * scale) * (y - syntonic.sqrt(4.0 * scale * y + y * y))
        # The smaller root loses its digits where y is large.
        x = syntonic.maximum(x, 0.0)
        return syntonic.where(self.uniform() * (m + x) <= m, x, m * m / syntonic.where(x > 0, x, 1.0))

    def vonmises(self, kappa: Any) -> State:
        """Best and Fisher, 1979, about 0. Its last bit may differ between devices: it takes cosines."""
        kappa = self.full(kappa)
        tau = 1.0 + syntonic.sqrt(1.0 + 4.0 * kappa * kappa)
        rho = (tau - syntonic.sqrt(2.0 * tau)) / (2.0 * syntonic.maximum(kappa, 1e-8))
        r = (1.0 + rho * rho) / (2.0 * syntonic.maximum(rho, 1e-300))

        def attempt() -> tuple[State, State]:
            z = syntonic.cos(syntonic.pi * self.uniform())
            f = (1.0 + r * z) / (r + z)
            c = kappa * (r - f)
            v = 1.0 - self.uniform()
            return f, (c * (2.0 - c) - v > 0) | (_exactly.log(syntonic.maximum(c / v, 1e-300)) + 1.0 - c >= 0)

        f = self.until(attempt)
        angle = syntonic.acos(f.clip(-1.0, 1.0))
        angle = syntonic.where(self.uniform() < 0.5, -angle, angle)
        even = (2.0 * self.uniform() - 1.0) * syntonic.pi
        return syntonic.where(kappa < 1e-8, even, angle)
