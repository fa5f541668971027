"""Products of vectors, matrices and arrays of more axes."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from syntonic._core import State
    from syntonic._typing import ArrayLike, DTypeLike

__all__ = ["bmm", "einsum", "kron", "matmul", "outer", "tensordot", "trace", "vecdot"]


def matmul(
    x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None, precision: str | float | None = None
) -> State:
    """The matrix product: `[.., m, k] @ [.., k, n] -> [.., m, n]`, leading axes broadcast. A vector is a row on the
    left and a column on the right. A large product is computed when it is read, together with the element-wise operations
    that follow: `relu(x @ w + b)` is one pass. `precision` is what `matmul_precision` takes; None is the process's choice."""
    return _core.matmul(x1, x2, out, precision)


def bmm(x1: ArrayLike, x2: ArrayLike, /) -> State:
    """A stack of matrix products: `[b, m, k], [b, k, n] -> [b, m, n]`, without broadcasting."""
    return _core.bmm(x1, x2)


def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> State:
    """The inner products, sum of conj(x1) x2 along an axis; the other axes broadcast."""
    return _core.vecdot(x1, x2, axis)


def outer(x1: ArrayLike, x2: ArrayLike, /) -> State:
    """The products of all pairs: `[m], [n] -> [m, n]`."""
    return _core.outer(x1, x2)


def kron(x1: ArrayLike, x2: ArrayLike, /) -> State:
    """The Kronecker product; shapes are multiplied axis by axis."""
    return _core.kron(x1, x2)


def tensordot(x1: ArrayLike, x2: ArrayLike, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> State:
    """The sum of products over pairs of axes of the same length: the last `axes` of x1 with the first of x2, or those named."""
    return _core.tensordot(x1, x2, axes)


def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> State:
    """The sum of a diagonal of the last two axes."""
    return _core.trace(x, offset, dtype)


def einsum(equation: str, /, *operands: ArrayLike) -> State:
    """The sum of products that letters describe: `einsum("ij,jk->ik", a, b)` is the matrix product.

    Axes under `...` stay in the result. Its type is the common one of the operands, also for sums of integers, as in NumPy.
    """
    return _core.einsum(equation, operands)
