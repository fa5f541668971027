"""How far element-wise formulas are off: measured, where no table declares a bound."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

import numpy as np
import syntonic

#: Numbers that a formula is tried with, in float32: from -8 to 8, of which each operand gets another order.
_COUNT, _REACH = 20_001, 8.0


@dataclass(frozen=True)
class Measured:
    """The largest error in units of the last place of a float32 result, the operands that have it, and the largest absolute error."""

    ulp: float
    at: tuple[float, ...]
    absolute: float


def measured(name: str) -> Measured | None:
    """The error of an element-wise function in float32 beside the same formula in float64; None where it makes no float32 of them."""
    function = getattr(syntonic, name)
    parameters = inspect.signature(function).parameters.values()
    count = sum(p.kind is p.POSITIONAL_ONLY and p.default is p.empty for p in parameters)
    points = np.linspace(-_REACH, _REACH, _COUNT, dtype=np.float32)
    order = np.random.default_rng(0)
    operands = [points, *(order.permutation(points) for _ in range(count - 1))]
    got = function(*map(syntonic.asarray, operands))
    if got.dtype.name != "float32":
        return None
    want = function(*(syntonic.asarray(operand.astype(np.float64)) for operand in operands)).numpy()
    # Outside of its domain a formula is NaN, in either type.
    inside = np.isfinite(want) & np.isfinite(got.numpy())
    want, kept = want[inside], [operand[inside] for operand in operands]
    absolute = np.abs(got.numpy()[inside].astype(np.float64) - want)
    ulps = absolute / np.spacing(np.abs(want).astype(np.float32)).astype(np.float64)
    worst = int(np.argmax(ulps))
    return Measured(float(ulps[worst]), tuple(float(operand[worst]) for operand in kept), float(absolute.max()))


def section(found: Measured) -> str:
    """The part of a page on the error."""
    at = ", ".join(f"{x:.4g}" for x in found.at)
    ulp = f"{found.ulp:.1f}" if found.ulp < 1000 else f"{found.ulp:,.0f}"
    return (
        f"## Accuracy\n\nNo bound is declared. The largest error found in float32 is {ulp} units of the last place of the result, at {at}; the "
        f"largest absolute error is {found.absolute:.1e}. Tried: {_COUNT:,} numbers from {-_REACH:g} to {_REACH:g} for each operand, beside the same "
        "formula in float64, on the CPU that made this page."
    )


def of_composites(declared: set[str]) -> dict[str, Measured]:
    """The errors of the element-wise functions of floats that no table declares a bound for, by name."""
    found = {}
    for name in syntonic._elementwise.__all__:
        if name not in declared:
            error = measured(name)
            if error is not None:
                found[name] = error
    return found
