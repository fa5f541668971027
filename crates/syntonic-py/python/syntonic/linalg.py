"""Linear algebra: the extension `linalg` of the Array API, with least squares, exponentials and condition numbers.

Every function takes stacks of matrices: the last two axes are those of a matrix, the others are walked. Decompositions take float32,
float64, complex64 and complex128; integers and bool are taken as float64, as NumPy does, and float16 and bfloat16 are an error. A
matrix for which there is no result is a LinAlgError with its place in the stack. Where a matrix has a NaN or an infinity, `solve`,
`inv`, `det`, `slogdet`, `qr` and `expm` give NaN for that matrix, and the others raise.
"""

from __future__ import annotations

import operator

from syntonic import _core
from syntonic._core import LinAlgError, State
from syntonic._manipulation import matrix_transpose
from syntonic._products import matmul, outer, tensordot, trace, vecdot
from syntonic._records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from syntonic._typing import ArrayLike, Axes, DTypeLike, Ord

if not TYPE_CHECKING:

    def __getattr__(name):
        from syntonic._other_names import missing_from_linalg

        raise missing_from_linalg(name)


__all__ = [
    "EigResult",
    "EighResult",
    "GemvChain",
    "LinAlgError",
    "LstsqResult",
    "MatmulReport",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "gemv_chain",
    "inv",
    "lstsq",
    "matmul",
    "matmul_report",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "norm",
    "outer",
    "pinv",
    "qr",
    "scaled_matmul",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


class MatmulReport(NamedTuple):
    """What became of a matrix product: the precision that was asked for, the arithmetic that was chosen ("low" for
    bfloat16, "medium" for TF32, "high", "native" or "float64"), the estimate of |result - a @ b| in units of | |a| @ |b| |, and how
    often it was computed again. There is no estimate for integers, which are exact, and where factors are not finite."""

    asked: str | float
    chosen: str
    estimated_error: float | None
    retries: int


def matmul_report(
    x1: ArrayLike, x2: ArrayLike, /, *, precision: str | float | None = None
) -> tuple[State, MatmulReport]:
    """The matrix product of operands with at least two axes, computed now, and what became of it."""
    out, asked, chosen, estimated_error, retries = _core.matmul_report(x1, x2, precision)
    return out, MatmulReport(asked, chosen, estimated_error, retries)


def scaled_matmul(
    a: ArrayLike,
    b: ArrayLike,
    /,
    *,
    scale_a: float | State,
    scale_b: float | State,
    out_dtype: DTypeLike = "float32",
) -> State:
    """scale_a * scale_b * (a @ b) of 8-bit floats or int8: `[m, k]`, `[k, n] -> [m, n]` of float32, float16 or bfloat16.

    `a` and `b` are both int8, whose sums are exact, or float8_e4m3fn or float8_e5m2, but not both float8_e5m2. A scale is a number of Python, or a
    State of float32: `[]`, or one for each row of `a`, `[m]` or `[m, 1]`, and for each column of `b`, `[n]` or `[1, n]`. Sums of floats are those
    of float32; a GPU of compute capability 8.9 or newer multiplies the codes themselves where k and n are multiples of 16, and adds with fewer
    bits in between, others go through float16. int8 has tensor cores of 9.0; other cards do without them.

    >>> import syntonic
    >>> w = syntonic.asarray([[100.0, 200.0], [-300.0, 50.0]]).astype("float8_e4m3fn")
    >>> x = syntonic.ones((1, 2), dtype="float8_e4m3fn")
    >>> print(syntonic.linalg.scaled_matmul(x, w, scale_a=0.5, scale_b=2.0))
    [[-192.,  240.]]

    A scale for each row and column, as of weights and activations that were made int8:

    >>> x, w = syntonic.asarray([[3], [5]], dtype="int8"), syntonic.asarray([[2, 7]], dtype="int8")
    >>> rows, columns = syntonic.asarray([0.5, 0.25], dtype="float32"), syntonic.asarray([1.0, 10.0], dtype="float32")
    >>> print(syntonic.linalg.scaled_matmul(x, w, scale_a=rows, scale_b=columns))
    [[  3., 105.],
     [ 2.5, 87.5]]
    """
    return _core.scaled_matmul(a, b, scale_a, scale_b, out_dtype)


class GemvChain(NamedTuple):
    """What `gemv_chain` gives; None for what was not asked for.

    y  alpha A x + beta y0, `[m]`
    z  a y + b w, `[m]`
    r  the number of z, `[]`
    """

    y: State | None
    z: State | None
    r: State | None


class SlogdetResult(NamedTuple):
    """The sign of a determinant and the logarithm of its magnitude."""

    sign: State
    logabsdet: State


class QRResult(NamedTuple):
    """Orthonormal columns and an upper triangle."""

    Q: State
    R: State


class SVDResult(NamedTuple):
    """Left singular vectors, singular values, and right singular vectors as conjugated rows."""

    U: State
    S: State
    Vh: State


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and orthonormal eigenvectors as columns."""

    eigenvalues: State
    eigenvectors: State


class EigResult(NamedTuple):
    """Eigenvalues in no order, and eigenvectors of length 1 as columns."""

    eigenvalues: State
    eigenvectors: State


class LstsqResult(NamedTuple):
    """Solutions, sums of squares of what they miss, ranks, singular values."""

    x: State
    residuals: State
    rank: State
    s: State


def solve(x1: ArrayLike, x2: ArrayLike, /) -> State:
    """The solutions of x1 X = x2: `[.., n, n], [.., n, k] -> [.., n, k]`, leading axes broadcast; x2 may be one vector `[n]`.

    A singular matrix is a LinAlgError.

    >>> solve([[3, 1], [1, 2]], [9, 8]).tolist()
    [2.0, 3.0]
    """
    return _core.solve(x1, x2)


def inv(x: ArrayLike, /) -> State:
    """The inverses: `[.., n, n] -> [.., n, n]`. A singular matrix is a LinAlgError.

    >>> inv([[2.0, 0.0], [0.0, 4.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return _core.inv(x)


def det(x: ArrayLike, /) -> State:
    """The determinants: `[.., n, n] -> [..]`.

    >>> det([[0, 1], [1, 0]]).item()
    -1.0
    """
    return _core.det(x)


def slogdet(x: ArrayLike, /) -> SlogdetResult:
    """The determinants as sign and ln |det|, which do not overflow: `[.., n, n] -> [..]` twice; 0 and -inf for a singular matrix.

    >>> sign, logabsdet = slogdet([[0, 1], [1, 0]])
    >>> sign.item(), logabsdet.item()
    (-1.0, 0.0)
    """
    return SlogdetResult(*_core.slogdet(x))


def cholesky(x: ArrayLike, /, *, upper: bool = False) -> State:
    """L with x = L L^H, or U with x = U^H U, of Hermitian positive definite matrices: `[.., n, n] -> [.., n, n]`.

    Only that triangle of x is read. A matrix that is not positive definite is a LinAlgError.

    >>> cholesky([[4, 2], [2, 5]]).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    return _core.cholesky(x, upper)


def qr(x: ArrayLike, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """x = Q R with orthonormal columns in Q and R upper triangular: `[.., m, n] -> [.., m, p], [.., p, n]`.

    p is the smaller of m and n, or m for complete factors. The diagonal of R may have any sign. For a gradient the first columns, as many as
    there are rows, must be independent, and complete factors of a matrix with m > n have none (GradientError).

    >>> Q, R = qr([[0.0, 2.0], [1.0, 0.0]])
    >>> (Q @ R).tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """
    return QRResult(*_core.qr(x, mode))


def svd(x: ArrayLike, /, *, full_matrices: bool = True) -> SVDResult:
    """x = U diag(S) Vh with S descending: `[.., m, n] -> [.., m, p], [.., k], [.., q, n]`, k the smaller of m and n.

    p = m and q = n for full matrices, else both are k. Full matrices have a gradient where m = n, else GradientError. Vectors have a sign or
    a phase that is nowhere said: take gradients of what does not hang on it. Where values meet, that of the vectors is infinite or NaN.

    >>> svd([[3.0, 0.0], [0.0, 4.0]]).S.tolist()
    [4.0, 3.0]
    """
    return SVDResult(*_core.svd(x, full_matrices))


def svdvals(x: ArrayLike, /) -> State:
    """The singular values in descending order: `[.., m, n] -> [.., k]`.

    >>> svdvals([[0.0, -3.0], [2.0, 0.0]]).tolist()
    [3.0, 2.0]
    """
    return _core.svdvals(x)


def eigh(x: ArrayLike, /, *, UPLO: Literal["L", "U"] = "L") -> EighResult:
    """The eigenvalues in ascending order and the eigenvectors of Hermitian matrices, of which one triangle is read:
    `[.., n, n] -> [.., n], [.., n, n]`. The triangle that is read has the gradient, and the other one zeros. Vectors have a sign or a phase that
    is nowhere said: take gradients of what does not hang on it. Where eigenvalues meet, that of the vectors is infinite or NaN.

    >>> eigh([[2.0, 0.0], [0.0, 1.0]]).eigenvalues.tolist()
    [1.0, 2.0]
    """
    return EighResult(*_core.eigh(x, UPLO))


def eigvalsh(x: ArrayLike, /, *, UPLO: Literal["L", "U"] = "L") -> State:
    """The eigenvalues of Hermitian matrices in ascending order: `[.., n, n] -> [.., n]`.

    >>> eigvalsh([[2.0, 0.0], [0.0, 1.0]]).tolist()
    [1.0, 2.0]
    """
    return _core.eigvalsh(x, UPLO)


def eig(x: ArrayLike, /) -> EigResult:
    """The eigenvalues and eigenvectors of any square matrices: `[.., n, n] -> [.., n], [.., n, n]`, always complex, as the
    Array API has it; NumPy gives real ones where all imaginary parts are 0.

    >>> eig([[2.0, 0.0], [0.0, 1.0]]).eigenvalues.tolist()
    [(2+0j), (1+0j)]
    """
    return EigResult(*_core.eig(x))


def eigvals(x: ArrayLike, /) -> State:
    """The eigenvalues of any square matrices, complex: `[.., n, n] -> [.., n]`.

    >>> eigvals([[2.0, 0.0], [0.0, 1.0]]).tolist()
    [(2+0j), (1+0j)]
    """
    return _core.eigvals(x)


def pinv(x: ArrayLike, /, *, rtol: ArrayLike | None = None) -> State:
    """The Moore-Penrose pseudoinverses: `[.., m, n] -> [.., n, m]`. Singular values up to `rtol` times the largest count as 0;
    `rtol` is one number, or one for each matrix, and max(m, n) eps where none is given. In a gradient what counts as 0 stays 0.

    >>> pinv([[2.0, 0.0], [0.0, 0.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    return _core.pinv(x, rtol)


def matrix_rank(x: ArrayLike, /, *, rtol: ArrayLike | None = None) -> State:
    """How many singular values are above `rtol` times the largest: `[.., m, n] -> [..]`, int64; `rtol` as for `pinv`.

    >>> matrix_rank([[1, 2], [2, 4]]).item()
    1
    """
    return _core.matrix_rank(x, rtol)


def matrix_power(x: ArrayLike, n: int, /) -> State:
    """The product of n factors x, the identity for 0, that of inverses below: `[.., n, n] -> [.., n, n]`. Powers of integers are
    integers, and wrap, unless they are negative.

    >>> matrix_power([[1, 1], [1, 0]], 10).tolist()
    [[89, 55], [55, 34]]
    """
    return _core.matrix_power(x, n)


def lstsq(
    x1: ArrayLike, x2: ArrayLike, /, rcond: ArrayLike | None = None, *, rtol: ArrayLike | None = None
) -> LstsqResult:
    """Of all X for which |x1 X - x2| is least, the shortest: `[.., m, n], [.., m, k] -> [.., n, k]`; x2 may be one vector `[m]`.

    With the sums of squares |x1 X - x2|^2, `[.., k]`, in every case; the ranks, `[..]`; and the singular values. `rtol` as for `pinv`;
    `rcond` is NumPy's name for it.

    >>> lstsq([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]], [3.0, 4.0, 5.0]).residuals.item()
    25.0
    """
    return LstsqResult(*_core.lstsq(x1, x2, rcond if rtol is None else rtol))


def expm(x: ArrayLike, /) -> State:
    """The exponentials 1 + x + x^2 / 2 + ...: `[.., n, n] -> [.., n, n]`, by scaling and squaring (Al-Mohy and Higham 2009).

    >>> expm([[0.0, 3.0], [0.0, 0.0]]).tolist()
    [[1.0, 3.0], [0.0, 1.0]]
    """
    return _core.expm(x)


def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> State:
    """The cross products of vectors of three numbers along an axis; the other axes broadcast.

    >>> cross([1, 2, 3], [4, 5, 6]).tolist()
    [-3, 6, -3]
    """
    return _core.cross(x1, x2, axis)


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> State:
    """A diagonal of the last two axes; a view."""
    return _core.asarray(x).diagonal(offset, -2, -1)


def vector_norm(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False, ord: float = 2.0) -> State:
    """(sum of |x|^ord)^(1/ord) along the axes, with its limits for 0 and the infinities."""
    return _core.vector_norm(x, axis, ord, keepdims)


def gemv_chain(
    matrix: ArrayLike,
    x: ArrayLike,
    /,
    *,
    alpha: float = 1.0,
    y0: ArrayLike | None = None,
    beta: float = 1.0,
    a: float = 1.0,
    w: ArrayLike | None = None,
    b: float = 1.0,
    reduce: Literal["sum", "sum_of_squares", "max_abs", "dot"] | None = None,
    v: ArrayLike | None = None,
    keep: Literal["neither", "y", "z", "both"] = "z",
) -> GemvChain:
    """`y = alpha matrix x + beta y0`, `z = a y + b w` and a number of z: `[m, n], [n]` and vectors `[m]` to `y: [m]`,
    `z: [m]`, `r: []`. The matrix is read once, and what is not kept is never written.

    reduce  the number: the sum of z, of its squares, its largest magnitude (NaN if any is NaN), or its inner product with v
    keep    which vectors are wanted beside it

    Real floats, in their common type and at least `float32`; a half-precision matrix beside `float32` vectors stays as it is.
    Terms without their vector, or with a factor of 0, are not read.
    """
    return GemvChain(*_core.gemv_chain(matrix, x, (alpha, beta, a, b), y0, w, v, reduce, keep))


def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Ord = "fro") -> State:
    """Norms of matrices: `[.., m, n] -> [..]`.

    `ord` is "fro", the root of the sum of squares; "nuc", the sum of the singular values; 2 or -2, the largest or the smallest of
    them; 1 or -1, the largest or the smallest sum of a column's magnitudes; inf or -inf, of a row's.

    >>> matrix_norm([[3.0, 0.0], [0.0, 4.0]]).item()
    5.0
    """
    return _core.matrix_norm(x, ord, keepdims)


def _axes(axis: Axes) -> tuple[int, ...]:
    """One axis or several as a tuple of integers."""
    try:
        return (operator.index(axis),)  # type: ignore[arg-type]
    except TypeError:
        pass
    try:
        return tuple(operator.index(one) for one in axis)  # type: ignore[union-attr]
    except TypeError:
        name = type(axis).__qualname__
        raise _core.ArgumentTypeError(f"norm: axis is of type {name}; it must be an integer or a pair of integers") from None


def norm(x: ArrayLike, ord: Ord | None = None, axis: Axes | None = None, keepdims: bool = False) -> State:
    """As NumPy's function of this name: without `ord` and `axis` the root of the sum of all squares; for two axes a matrix
    norm, for one a vector norm; without `axis`, `x` is a vector or a matrix.

    >>> norm([3.0, 4.0]).item()
    5.0
    """
    x = _core.asarray(x)
    if axis is None and ord is None:
        return _core.vector_norm(x, None, 2.0, keepdims)
    if axis is None:
        if x.ndim not in (1, 2):
            raise _core.ShapeError(
                f"norm: with ord and without axis x has one axis or two, not {x.ndim}; hint: name the axes"
            )
        axis = tuple(range(x.ndim))
    axes = _axes(axis)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise _core.ArgumentError(f"norm: ord {ord!r} is one of matrices; hint: name two axes, or give a number")
        return _core.vector_norm(x, axes, 2.0 if ord is None else ord, keepdims)
    if len(axes) != 2:
        raise _core.ArgumentError(f"norm: {len(axes)} axes; hint: one for vectors, two for matrices")
    result = _core.matrix_norm(_core.moveaxis(x, axes, (-2, -1)), "fro" if ord is None else ord, False)
    return _core.expand_dims(result, axes) if keepdims else result


def cond(x: ArrayLike, p: Ord | None = None) -> State:
    """Condition numbers: `[.., m, n] -> [..]`. For p None, 2 or -2 by the singular values; for another `ord` of `matrix_norm`
    the norm times that of the inverse.

    >>> cond([[2.0, 0.0], [0.0, 8.0]]).item()
    4.0
    """
    return _core.cond(x, 2 if p is None else p)
