"""Rounding to a number of decimals."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["round"]


def round(x: ArrayLike, /, decimals: int = 0, *, out: State | None = None) -> State:
    """The nearest number with so many decimals, halves to even; of a negative number of them the nearest ten, hundred and so on."""
    return _core.asarray(x).round(decimals, out)
