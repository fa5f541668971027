"""Products of vectors and matrices."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["matmul"]


def matmul(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """The matrix product: `[.., m, k] @ [.., k, n] -> [.., m, n]`, leading axes broadcast. A vector is a row on the
    left and a column on the right."""
    return _core.matmul(x1, x2, out)
