"""Elementary functions of float64 by operations that every device rounds alike: the same bits on all of them, which `log` and `exp` do not give."""

from __future__ import annotations

import syntonic
from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from syntonic._core import State

__all__ = ["exp", "log", "log1m", "power"]

# ln 2 in two parts, of which the first has few digits: a whole number of them is exact.
_LN2, _LN2_REST = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_STEPS = (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)
_SMALLEST = 2.2250738585072014e-308


def _select(condition: State, a: Any, b: Any) -> Any:
    return syntonic.where(condition, a, b)


def log(x: State) -> Any:
    """The natural logarithm of positive numbers, within 3 ulp; of 0 that of the smallest normal number."""
    m = syntonic.maximum(x, _SMALLEST)
    places = syntonic.zeros_like(m)
    for s in _STEPS:
        small, large = m < 2.0 ** (1 - s), m >= 2.0**s
        places = places + _select(small, -float(s), _select(large, float(s), syntonic.zeros_like(m)))
        m = _select(small, m * 2.0**s, _select(large, m * 2.0**-s, m))
    # From 1..2 to where the series is short.
    high = m > 1.4142135623730951
    m, places = _select(high, m * 0.5, m), _select(high, places + 1.0, places)
    z = (m - 1.0) / (m + 1.0)
    square = z * z
    total = syntonic.full_like(z, 1.0 / 23.0)
    for k in range(21, 0, -2):
        total = total * square + 1.0 / k
    return places * _LN2 + (2.0 * z * total + places * _LN2_REST)


def log1m(u: State) -> Any:
    """ln(1 - u) of numbers from 0 to below 1 with as many digits as random ones have."""
    return log(1.0 - u)


def exp(x: State) -> State:
    """The exponential function, within 2 ulp for normal results."""
    k = syntonic.round(x.clip(-1200.0, 1200.0) * 1.4426950408889634)
    r = x.clip(-1200.0, 1200.0) - k * _LN2 - k * _LN2_REST
    total = syntonic.full_like(r, 1.0)
    for n in range(14, 0, -1):
        total = total * r * (1.0 / n) + 1.0
    size = abs(k)
    for s in (1024, *_STEPS):
        there = size >= float(s)
        factor = _select(k < 0, syntonic.full_like(k, 2.0**-s), syntonic.full_like(k, 2.0**s if s < 1024 else syntonic.inf))
        total = _select(there, total * factor, total)
        size = _select(there, size - float(s), size)
    return total


def power(x: State, exponent: Any) -> Any:
    """x to the power of an exponent, for positive numbers; 0 stays 0 where the exponent is positive."""
    y = exp(log(x) * exponent)
    return _select(x == 0, syntonic.zeros_like(y), y)


def float64(x: Any, device: Any) -> Any:
    """A Python number, or an array of float64 there."""
    return float(x) if isinstance(x, (bool, int, float)) else _core.asarray(x, None, device).astype(_core.float64, copy=False)
