"""Products and linear algebra under the names and with the parameters of NumPy's."""

from __future__ import annotations

import syntonic
from syntonic import _core, linalg
from syntonic._core import asarray
from syntonic._numpy_table import need, numpys, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@numpys("dot")
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    result = asarray(a).dot(b, out)
    return result if out is None else out


@numpys("inner")
def _inner(a: Any, b: Any, /) -> Any:
    a, b = asarray(a), asarray(b)
    return a * b if not (a.ndim and b.ndim) else syntonic.tensordot(a, b, axes=([-1], [-1]))


@numpys("vdot")
def _vdot(a: Any, b: Any, /) -> Any:
    return syntonic.vecdot(asarray(a).ravel(), asarray(b).ravel())


@numpys("linalg.outer")
def _outer_of_vectors(x1: Any, x2: Any, /) -> Any:
    a, b = asarray(x1), asarray(x2)
    if a.ndim != 1 or b.ndim != 1:
        raise _core.ShapeError(f"linalg.outer: Input arrays must be one-dimensional, and these have {a.ndim} and {b.ndim} axes; hint: numpy.outer flattens")
    return syntonic.outer(a, b)


@numpys("outer")
def _outer(a: Any, b: Any, out: Any = None) -> Any:
    need(out is None)
    return syntonic.outer(asarray(a).ravel(), asarray(b).ravel())


@numpys("tensordot", "linalg.tensordot")
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    return syntonic.tensordot(a, b, axes=axes if isinstance(axes, int) else tuple(axes))


@numpys("einsum")
def _einsum(subscripts: Any, *operands: Any, optimize: Any = False, **more: Any) -> Any:
    need(isinstance(subscripts, str) and not said(**more))
    return syntonic.einsum(subscripts, *operands)


@numpys("kron")
def _kron(a: Any, b: Any) -> Any:
    return syntonic.kron(a, b)


@numpys("linalg.norm")
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    x = asarray(x)
    if x.size == 0 and ord == syntonic.inf and (x.ndim == 1 or isinstance(axis, int)):
        return abs(x).astype(syntonic.result_type(x, 1.0)).max(axis=axis, keepdims=keepdims, initial=0)
    return linalg.norm(x, ord, axis=axis, keepdims=keepdims)


def _linear(name: str, *parameters: str) -> None:
    """A function of linear algebra whose positional parameters are named so."""
    ours = getattr(linalg, name)

    def call(*arguments: Any, **options: Any) -> Any:
        given = dict(zip(parameters, arguments, strict=False), **options)
        need(len(arguments) <= len(parameters) and set(given) <= set(parameters))
        return ours(*(given[name] for name in parameters if name in given))

    numpys(f"linalg.{name}")(call)


for _name in ("inv", "det", "slogdet"):
    _linear(_name, "a")
_linear("solve", "a", "b")


@numpys("linalg.cholesky")
def _cholesky(a: Any, /, *, upper: bool = False) -> Any:
    return linalg.cholesky(a, upper=upper)


@numpys("linalg.qr")
def _qr(a: Any, mode: Any = "reduced") -> Any:
    need(mode in ("reduced", "complete", "r"))
    return linalg.qr(a)[1] if mode == "r" else linalg.qr(a, mode=mode)


@numpys("linalg.svd")
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    return linalg.svd(a, full_matrices=full_matrices) if compute_uv else linalg.svdvals(a)


@numpys("linalg.svdvals")
def _svdvals(x: Any, /) -> Any:
    return linalg.svdvals(x)


@numpys("linalg.eigh")
def _eigh(a: Any, UPLO: Any = "L") -> Any:
    return linalg.eigh(a, UPLO=UPLO.upper())


@numpys("linalg.eigvalsh")
def _eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    return linalg.eigvalsh(a, UPLO=UPLO.upper())


@numpys("linalg.vector_norm")
def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    x = asarray(x)
    if x.size == 0 and ord == syntonic.inf:
        return abs(x).astype(syntonic.result_type(x, 1.0)).max(axis=axis, keepdims=keepdims, initial=0)
    return linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)


@numpys("linalg.matrix_norm")
def _matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return linalg.matrix_norm(x, keepdims=keepdims, ord=ord)
