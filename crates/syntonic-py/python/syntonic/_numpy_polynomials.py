"""Polynomials by their coefficients, the highest power first, under the names and with the parameters of NumPy's."""

from __future__ import annotations

import syntonic
from syntonic import _core, linalg
from syntonic._core import State, asarray
from syntonic._numpy_lines import _convolve
from syntonic._numpy_table import need, numpys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _vector(p: Any) -> Any:
    p = asarray(p)
    return p.reshape(1) if p.ndim == 0 else p


@numpys("polyval")
def _polyval(p: Any, x: Any) -> State:
    x = asarray(x)
    p = asarray(p, None, x.device)
    y = syntonic.zeros_like(x)
    for k in range(p.shape[0]):
        y = y * x + p[k]
    return y


def _added(a: Any, b: Any, sign: int) -> Any:
    a = _vector(a)
    b = _vector(asarray(b, None, a.device))
    n = max(a.size, b.size)
    a, b = (syntonic.pad(x, (n - x.size, 0)) if x.size < n else x for x in (a, b))
    return a + b if sign > 0 else a - b


@numpys("polyadd")
def _polyadd(a1: Any, a2: Any) -> Any:
    return _added(a1, a2, 1)


@numpys("polysub")
def _polysub(a1: Any, a2: Any) -> Any:
    return _added(a1, a2, -1)


def _trimmed(p: State) -> State:
    """Without zeros before the first power; the count of them is read."""
    (places,) = syntonic.nonzero(p)
    return p[int(places[0]) :] if places.size else p[:0]


@numpys("polymul")
def _polymul(a1: Any, a2: Any) -> Any:
    a = _vector(a1)
    b = _vector(asarray(a2, None, a.device))
    a, b = (x if (trimmed := _trimmed(x)).size == x.size else trimmed if trimmed.size else x[-1:] for x in (a, b))
    return _convolve(a, b)


@numpys("polyder")
def _polyder(p: Any, m: int = 1) -> Any:
    p = _vector(p)
    m = int(m)
    if m < 0:
        raise _core.ArgumentError("polyder: order of derivative must be positive")
    for _ in range(m):
        powers = syntonic.arange(p.size - 1, 0, -1, dtype=_core.int64, device=p.device)
        p = p[:-1] * powers.astype(p.dtype if p.dtype.kind in "fc" else _core.int64)
    return p


@numpys("polyint")
def _polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    p = _vector(p)
    m = int(m)
    constants = [0.0] * m if k is None else asarray(k).ravel().tolist()
    constants = constants * m if len(constants) == 1 and m > 1 else constants
    if m < 0 or len(constants) < m:
        raise _core.ArgumentError("polyint: k must be a scalar or a rank-1 array of length 1 or >m.")
    p = p if p.dtype.kind in "fc" else p.astype(_core.float64)
    for constant in constants[:m]:
        powers = syntonic.arange(p.size, 0, -1, dtype=_core.int64, device=p.device).astype(p.dtype)
        p = syntonic.concat([p / powers, syntonic.full(1, constant, p.dtype, device=p.device)])
    return p


@numpys("poly")
def _poly(seq_of_zeros: Any) -> State:
    zeros = _vector(seq_of_zeros)
    if zeros.ndim == 2:
        zeros = linalg.eigvals(zeros)
    if zeros.size == 0:
        return syntonic.ones((), device=zeros.device)
    zeros = zeros if zeros.dtype.kind in "fc" else zeros.astype(_core.float64)
    p = syntonic.ones(1, zeros.dtype, device=zeros.device)
    nought = syntonic.zeros(1, zeros.dtype, device=zeros.device)
    for k in range(zeros.shape[0]):
        p = syntonic.concat([p, nought]) - syntonic.concat([nought, p * zeros[k]])
    if p.dtype.kind == "c":
        # Pairs of conjugates make real coefficients.
        order = zeros[syntonic.argsort(zeros.imag)]
        mirrored = syntonic.conj(zeros)[syntonic.argsort(syntonic.conj(zeros).imag)]
        if bool(syntonic.all(syntonic.sort(order.real) == syntonic.sort(mirrored.real)) & syntonic.all(order.imag == mirrored.imag)):
            p = p.real.copy()
    return p


@numpys("roots")
def _roots(p: Any) -> State:
    p = _vector(p)
    if p.ndim != 1:
        raise _core.ShapeError("roots: Input must be a rank-1 array.")
    (places,) = syntonic.nonzero(p)
    if places.size == 0:
        return syntonic.zeros(0, device=p.device)
    first, last = int(places[0]), int(places[-1])
    behind = p.size - last - 1
    p = p[first : last + 1]
    p = p if p.dtype.kind in "fc" else p.astype(_core.float64)
    n = p.size
    if n == 1:
        return syntonic.zeros(behind, p.dtype, device=p.device)
    companion = syntonic.eye(n - 1, k=-1, dtype=p.dtype, device=p.device)
    companion[0, :] = -p[1:] / p[0]
    found = linalg.eigvals(companion)
    if p.dtype.kind == "f" and bool(syntonic.all(found.imag == 0)):
        found = found.real.copy()
    return syntonic.concat([found, syntonic.zeros(behind, found.dtype, device=p.device)]) if behind else found


@numpys("polydiv")
def _polydiv(u: Any, v: Any) -> tuple[State, State]:
    u = _vector(u)
    v = _vector(asarray(v, None, u.device))
    common = syntonic.result_type(u, v)
    common = common if common.kind in "fc" else _core.float64
    rest, v = u.astype(common, copy=True), v.astype(common)
    m, n = rest.size - 1, v.size - 1
    quotient = syntonic.zeros(max(m - n + 1, 1), common, device=u.device)
    for k in range(m - n + 1):
        d = rest[k] / v[0]
        quotient[k] = d
        rest[k : k + n + 1] = rest[k : k + n + 1] - d * v
    while rest.size > 1 and bool(abs(rest[0]) <= 1e-8):
        rest = rest[1:]
    return quotient, rest


@numpys("polyfit")
def _polyfit(x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Any:
    x = asarray(x)
    x = x if x.dtype.kind == "f" and x.dtype.itemsize > 2 else x.astype(_core.float64)
    y = asarray(y, None, x.device)
    y = y if y.dtype.kind in "fc" else y.astype(_core.float64)
    need(x.ndim == 1 and y.ndim in (1, 2) and not full)
    if deg < 0 or x.size == 0 or x.shape[0] != y.shape[0]:
        raise _core.ArgumentError(f"polyfit: degree {deg}, {x.shape[0]} places and {y.shape[0]} values; hint: as many of both, and a degree of 0 or more")
    order = int(deg) + 1
    rcond = x.size * syntonic.finfo(x.dtype).eps if rcond is None else rcond
    powers = syntonic.arange(order - 1, -1, -1, dtype=_core.int64, device=x.device).astype(x.dtype)
    a = syntonic.pow(x[:, None], powers)
    b = y
    if w is not None:
        weights = asarray(w, None, x.device).astype(x.dtype)
        a = a * weights[:, None]
        b = y * (weights[:, None] if y.ndim == 2 else weights)
    scale = syntonic.sqrt((a * a).sum(0))
    a = a / scale
    common = syntonic.result_type(a, b)
    found, residuals, _, _ = linalg.lstsq(a.astype(common), b.astype(common) if b.ndim == 2 else b.astype(common)[:, None], rtol=rcond)
    c = found / scale[:, None]
    c = c if y.ndim == 2 else c[:, 0]
    if not cov:
        return c
    base = linalg.inv(a.T @ a) / syntonic.outer(scale, scale)
    if cov == "unscaled":
        factor: Any = 1.0
    else:
        if x.size <= order:
            raise _core.ArgumentError("polyfit: the number of data points must exceed order to scale the covariance matrix")
        factor = ((a @ found - (b if b.ndim == 2 else b[:, None])) ** 2).sum(0) / (x.size - order)
        factor = factor if y.ndim == 2 else factor[0]
    return c, base * factor if y.ndim == 1 or cov == "unscaled" else base[:, :, None] * factor
