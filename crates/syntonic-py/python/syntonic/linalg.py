"""The linear algebra of the Array API, under its own name."""

from __future__ import annotations

from syntonic import _core
from syntonic._manipulation import matrix_transpose
from syntonic._products import matmul, outer, tensordot, trace, vecdot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike, Axes

__all__ = ["diagonal", "matmul", "matrix_transpose", "outer", "tensordot", "trace", "vecdot", "vector_norm"]


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> State:
    """A diagonal of the last two axes; a view."""
    return _core.asarray(x).diagonal(offset, -2, -1)


def vector_norm(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False, ord: float = 2.0) -> State:
    """(sum of |x|^ord)^(1/ord) along the axes, with its limits for 0 and the infinities."""
    return _core.vector_norm(x, axis, ord, keepdims)
