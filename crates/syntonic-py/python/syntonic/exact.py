"""Exact numbers of the golden field Q(phi): integers a + b phi, fractions, arrays of them, and the nearest point to a float.

    >>> from syntonic.exact import GoldenInt, phi_power
    >>> GoldenInt(0, 1) ** 2 == GoldenInt(1, 1)
    True
    >>> GoldenInt(5, -3) > 0
    True
    >>> 1 / GoldenInt(0, 1)
    GoldenRational(-1, 1, 1)

GoldenInt and GoldenRational grow as int does, up to 2**20 bits a part. A GoldenArray has 64 bits a part and raises OverflowError beyond;
its `wide()` is a GoldenBigArray, whose elements grow too, in the host's memory.

    >>> phi_power(100)
    GoldenInt(218922995834555169026, 354224848179261915075)
"""

from __future__ import annotations

from syntonic import _core
from syntonic._core import GoldenArray, GoldenBigArray, GoldenInt, GoldenRational, fibonacci, lucas, phi_power
from syntonic._elementwise import multiply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from syntonic._core import State
    from syntonic._typing import ArrayLike

    #: Arrays of one kind; of both kinds together a type checker wants `wide()` first.
    _Arrays = TypeVar("_Arrays", GoldenArray, GoldenBigArray)

__all__ = [
    "GoldenArray",
    "GoldenBigArray",
    "GoldenInt",
    "GoldenRational",
    "concat",
    "fibonacci",
    "lucas",
    "phi_power",
    "snap",
    "snap_gradient",
    "stack",
]


def concat(arrays: Sequence[_Arrays], axis: int = 0) -> _Arrays:
    """Arrays one behind the other along an axis that they have; their other axes are alike. With a GoldenBigArray among them it is one.

    >>> from syntonic.exact import GoldenArray, concat
    >>> concat([GoldenArray([1, 2], [0, 0]), GoldenArray([3], [1])])
    GoldenArray([1 + 0φ, 2 + 0φ, 3 + 1φ], shape=[3])
    """
    return _core.golden_concat(arrays, axis)


def stack(arrays: Sequence[_Arrays], axis: int = 0) -> _Arrays:
    """Arrays of one shape along a new axis. With a GoldenBigArray among them it is one.

    >>> from syntonic.exact import GoldenArray, stack
    >>> stack([GoldenArray([1, 2], [0, 0]), GoldenArray([3, 4], [1, 1])], axis=1).shape
    (2, 2)
    """
    return _core.golden_stack(arrays, axis)


def snap(x: ArrayLike, bound: int = 100) -> tuple[GoldenArray, State]:
    """The nearest a + b phi with |a|, |b| <= bound to each element, and the residual, x less the points' values.

    `[..] -> [..]`. Of two points that are equally near the one with the smaller |b|, then with the smaller |a|. The integers are
    the same on every device. Elements that are not finite, or beyond bound phi^2, are an error that names the first of them.
    """
    return _core.snap(x, bound)


def snap_gradient(x: ArrayLike, bound: int = 100, *, weights: ArrayLike | None = None) -> State:
    """What snapping moves each element by, its point's value less x, times `weights` where they are given.

    The golden weights e^(-|n|^2/phi) of `resonant.golden_weights` make it the gradient that favours low modes.
    """
    moved = -_core.snap(x, bound)[1]
    return moved if weights is None else multiply(moved, weights)
