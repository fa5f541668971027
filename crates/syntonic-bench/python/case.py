"""What a benchmark case is: inputs, what must come out, and how each library computes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# Half the distance of 1 to the next number, the unit in which errors are counted.
ROUNDING = {"bfloat16": 2.0**-8, "float32": 2.0**-24, "float64": 2.0**-53, "complex64": 2.0**-24, "complex128": 2.0**-53}


class WrongResult(Exception):
    """A timed result is not what the oracle says."""


@dataclass
class Expected:
    """Allowed is `units` roundings of `scale`, element by element: |got - values| <= units * rounding * scale."""

    values: np.ndarray
    scale: np.ndarray | float = 1.0
    units: float = 0.0
    # Positions of the flat result that `values` stands for; None is all of them.
    positions: np.ndarray | None = None

    def error(self, got: np.ndarray, dtype: str, only: np.ndarray | None = None) -> float:
        """The largest error as a part of the scale; raises where it is more than allowed."""
        flat, values = got.reshape(-1), self.values.reshape(-1)
        if values.dtype == bool:
            values = values.astype(np.int8)
        scale = np.broadcast_to(self.scale, self.values.shape).reshape(-1)
        if self.positions is None:
            if flat.size != values.size:
                raise WrongResult(f"{flat.size} elements came instead of {values.size}")
            if only is not None:
                flat, values, scale = flat[only], values[only], scale[only]
        else:
            flat = flat[self.positions]
        wide = np.abs(flat.astype(values.dtype) - values)
        allowed = self.units * ROUNDING.get(dtype, 0.0)
        # Written so that NaN is a wrong result.
        wrong = ~(wide <= allowed * scale)
        if wrong.any():
            at = int(np.argmax(wrong))
            raise WrongResult(f"{int(wrong.sum())} of {flat.size} elements differ: {flat[at]} is not {values[at]}")
        return float(np.max(wide / np.where(scale > 0, scale, 1.0), initial=0.0))


@dataclass
class Case:
    """One computation. `run` maps the name of a library to a function of its module that returns the timed call."""

    run: dict[str, Callable[[Any], Callable[..., Any]]]
    inputs: Callable[[list[int], np.random.Generator], list[np.ndarray]] = lambda size, rng: []
    expect: Callable[..., list[Expected]] | None = None
    # Instead of `expect`: looks at a whole result, returns its error or raises WrongResult.
    verify: Callable[[np.ndarray], float] | None = None
    # Instead of `run`, for calls so short that a function around them would show: expressions over a, b, ...
    expressions: dict[str, str] = field(default_factory=dict)
    # Inputs that keep their own type instead of the row's.
    fixed: tuple[int, ...] = ()

    def impls(self) -> set[str]:
        """The libraries that can run it."""
        return set(self.run) | set(self.expressions)


def wide(array: np.ndarray) -> np.ndarray:
    """The same numbers in a type with more digits than the one measured."""
    more = {"f4": np.float64, "f8": np.longdouble, "c8": np.complex128, "c16": np.clongdouble}
    return array.astype(more.get(array.dtype.str[1:], array.dtype))


def normal(*counts: int) -> Callable[[list[int], np.random.Generator], list[np.ndarray]]:
    """As many standard normal arrays of the row's shape as asked for; one if nothing is said."""
    count = counts[0] if counts else 1
    return lambda size, rng: [rng.standard_normal(size) for _ in range(count)]


def positive(size: list[int], rng: np.random.Generator) -> list[np.ndarray]:
    """Numbers between 0.5 and 1.5: sums of them do not cancel, so a missing part shows."""
    return [rng.random(size) + 0.5]


def everywhere(*names: str) -> dict[str, Callable[[Any], Callable[..., Any]]]:
    """A function that all libraries offer under one of these names, the first that a module has."""

    def find(module: Any) -> Callable[..., Any]:
        for name in names:
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(f"{module.__name__} has none of {', '.join(names)}")

    return {"syntonic": find, "numpy": find, "torch": find}


def spelled(call: Callable[..., Any]) -> dict[str, Callable[[Any], Callable[..., Any]]]:
    """The same expression for all libraries."""
    return {name: lambda module: call for name in ("syntonic", "numpy", "torch")}
