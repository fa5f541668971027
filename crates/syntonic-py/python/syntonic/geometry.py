"""The geometry around the golden ratio: E8 and its golden projections, the winding lattice of the four-torus, theta and heat sums.

    >>> from syntonic import geometry
    >>> int(geometry.cone_mask(geometry.e8_roots()).sum().item())
    36
    >>> geometry.winding_count(20)
    2041
"""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from syntonic._core import State
    from syntonic._typing import ArrayLike, DeviceLike

__all__ = [
    "cone_mask",
    "cone_weights",
    "e8_roots",
    "e8_simple_roots",
    "golden_generations",
    "heat_kernel",
    "project",
    "theta",
    "theta_derivative",
    "winding_count",
    "winding_weights",
    "winding_zeta",
    "windings",
]


def e8_roots(*, device: DeviceLike | None = None) -> State:
    """The 240 roots of E8, `[240, 8]` in float64: +-e_i +- e_j for i < j, then (+-1, ..)/2 with an even number of minus signs."""
    return _core.e8_roots(device)


def e8_simple_roots(*, device: DeviceLike | None = None) -> State:
    """Simple roots of E8, `[8, 8]` in Bourbaki's order."""
    return _core.e8_simple_roots(device)


def project(x: ArrayLike) -> tuple[State, State, State]:
    """Golden projections of vectors `[.., 8]`: the parallel part (v + phi w)/sqrt(1 + phi^2) and the perpendicular part
    (phi v - w)/sqrt(1 + phi^2) of the halves v and w, `[.., 4]` each, and the quadratic form, the difference of their squares, `[..]`.
    """
    return _core.golden_project(x)


def cone_mask(x: ArrayLike, tolerance: float = 1e-10) -> State:
    """Whether vectors `[.., 8]` lie in the golden cone, `[..]`: their products with its four vectors are above `tolerance`."""
    return _core.cone_mask(x, tolerance)


def cone_weights(x: ArrayLike, tolerance: float = 1e-10) -> State:
    """e^(-Q/phi) with the quadratic form Q of `project` inside the golden cone, and 1e-9 outside: `[.., 8] -> [..]`."""
    return _core.cone_weights(x, tolerance)


def windings(most: int, *, device: DeviceLike | None = None) -> State:
    """All windings, integers (n7, n8, n9, n10) of a squared norm of at most `most`, `[count, 4]`, in lexicographic order."""
    return _core.windings(most, device)


def winding_count(most: int) -> int:
    """How many windings have a squared norm of at most `most`, up to 65535."""
    return _core.winding_count(most)


def winding_weights(n: ArrayLike) -> State:
    """Golden weights e^(-|n|^2/phi) of windings: `[.., 4] -> [..]`."""
    return _core.winding_weights(n)


def golden_generations(n: ArrayLike) -> State:
    """1 + floor(log_phi max |n_j|) of windings, and 0 of the zero winding, exactly: `[.., 4] -> [..]`, int64."""
    return _core.golden_generations(n)


def theta(t: float, *, weights: Literal["plain", "golden"] = "plain") -> float:
    """The sum of e^(-pi |n|^2/t) over all windings, with golden weights where they are asked for. t is positive."""
    return _core.winding_sum("theta", t, weights)


def theta_derivative(t: float, *, weights: Literal["plain", "golden"] = "plain") -> float:
    """The derivative of `theta`."""
    return _core.winding_sum("theta_derivative", t, weights)


def heat_kernel(t: float, *, weights: Literal["plain", "golden"] = "plain") -> float:
    """The heat kernel's trace, the sum of e^(-4 pi^2 |n|^2 t) over all windings. t is positive."""
    return _core.winding_sum("heat_kernel", t, weights)


def winding_zeta(s: float) -> float:
    """The sum of (4 pi^2 |n|^2)^-s over all windings but zero, for s > 2."""
    return _core.winding_sum("winding_zeta", s, "plain")
