"""Counts in bins, means with weights and covariances, under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_table import need, numpys, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _numeric(a: Any) -> Any:
    """Truth values are counted as bytes."""
    a = asarray(a)
    return a.astype(_core.uint8) if a.dtype == "bool" else a


def _range(a: State, range: Any) -> tuple[Any, Any]:
    """The outer edges, with types where NumPy's numbers have them; without a range two numbers are read from the array."""
    if range is not None:
        low, high = (x.item() if isinstance(x, State) else x for x in range)
        if low > high:
            raise _core.ArgumentError("histogram: max must be larger than min in range parameter")
        origin = "supplied"
    elif a.size == 0:
        low, high, origin = 0, 1, ""
    else:
        low, high = a.min().item(), a.max().item()
        origin = "autodetected"
    if not (np.isfinite(low) and np.isfinite(high)):
        raise _core.ArgumentError(f"histogram: {origin} range of [{low}, {high}] is not finite")
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _count(a: State, rule: str, low: float, high: float) -> int:
    """How many bins a rule of that name makes."""
    n = a.size
    if n == 0:
        return 1
    spread = float(a.max().astype(_core.float64) - a.min().astype(_core.float64))
    if rule == "sqrt":
        width = spread / np.sqrt(n)
    elif rule == "sturges":
        width = spread / (np.log2(n) + 1.0)
    elif rule == "rice":
        width = spread / (2.0 * n ** (1.0 / 3))
    else:
        need(rule == "scott")
        width = (24.0 * np.pi**0.5 / n) ** (1.0 / 3.0) * float(a.std())
    if width and a.dtype.kind in "iu" and width < 1:
        width = 1
    return int(np.ceil((high - low) / width)) if width else 1


def _edges(a: State, bins: Any, range: Any, weights: Any = None) -> State:
    """The edges of the bins; where their widths are equal, NumPy's own numbers."""
    rule = bins if isinstance(bins, str) else None
    if isinstance(bins, State) and bins.ndim == 0:
        bins = int(bins)
    if rule is None and np.ndim(bins) > 0 if not isinstance(bins, State) else True:
        edges = asarray(bins, None, a.device)
        need(edges.ndim == 1)
        if bool(syntonic.any(edges[:-1] > edges[1:])):
            raise _core.ArgumentError("histogram: `bins` must increase monotonically, when an array")
        return edges
    low, high = _range(a, range)
    if rule is not None:
        if weights is not None:
            raise _core.ArgumentTypeError("histogram: automated estimation of the number of bins is not supported for weighted data")
        within = a.ravel() if range is None else a.ravel()[(a.ravel() >= low) & (a.ravel() <= high)]
        bins = _count(within, rule, low, high)
    bins = bins.__index__()
    if bins < 1:
        raise _core.ArgumentError("histogram: `bins` must be positive, when an integer")
    need(a.dtype != "bfloat16")
    common = np.result_type(*((low, high) if range is not None else ()), np.dtype(a.dtype))
    common = common if common.kind == "f" else np.result_type(common, float)
    even = np.linspace(low, high, bins + 1, dtype=common)
    if (even[:-1] >= even[1:]).any():
        raise _core.ArgumentError(f"histogram: Too many bins for data range. Cannot create {bins} finite-sized bins.")
    return asarray(even, None, a.device, True)


def _which(a: State, edges: State) -> tuple[State, State]:
    """The bin of each element, and whether there is one. The last bin has its right edge too."""
    last = edges[-1]
    bins = edges.size - 1
    place = syntonic.searchsorted(edges, a, side="right") - 1
    place = syntonic.where(a == last, bins - 1, place)
    return place.clip(0, max(bins - 1, 0)), (a >= edges[0]) & (a <= last)


@numpys("histogram_bin_edges")
def _histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> State:
    return _edges(_numeric(a), bins, range, weights)


@numpys("histogram")
def _histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> tuple[State, State]:
    a = _numeric(a)
    need(a.dtype.kind in "iuf")
    weights = None if weights is None else asarray(weights, None, a.device)
    if weights is not None and weights.shape != a.shape:
        raise _core.ShapeError("histogram: weights should have the same shape as a")
    edges = _edges(a, bins, range, weights)
    count = edges.size - 1
    place, inside = _which(a.ravel(), edges)
    # What lies outside goes to a bin of its own.
    place = syntonic.where(inside, place, count)
    counts = _sums(place, None if weights is None else weights.ravel(), count + 1)[:count]
    if density:
        return counts / syntonic.diff(edges).astype(_core.float64) / counts.sum(), edges
    return counts, edges


def _sums(place: State, weights: State | None, count: int) -> State:
    if weights is None:
        return syntonic.bincount(place, minlength=count)
    if weights.dtype.kind == "c":
        return syntonic.complex(_sums(place, weights.real, count), _sums(place, weights.imag, count))
    found = syntonic.bincount(place, weights=weights.astype(_core.float64), minlength=count)
    return found if weights.dtype.kind == "f" and weights.dtype == "float64" else found.astype(weights.dtype if weights.dtype != "bool" else _core.float64)


@numpys("histogramdd")
def _histogramdd(sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> tuple[State, list[State]]:
    if isinstance(sample, (list, tuple)):
        # An array for each axis.
        columns = [_numeric(x) for x in sample]
        columns = columns if all(x.ndim == 1 for x in columns) else [_numeric(asarray(sample)).ravel()]
    else:
        whole = _numeric(sample)
        columns = [whole.ravel()] if whole.ndim < 2 else [whole[:, k] for k in np.arange(whole.shape[1])]
    axes = len(columns)
    every = [bins] * axes if isinstance(bins, (int, np.integer)) else list(bins)
    ranges = [None] * axes if range is None else list(range)
    if len(every) != axes or len(ranges) != axes:
        raise _core.ArgumentError("histogramdd: the dimension of bins and range must be equal to the dimension of the sample")
    columns = [x if x.dtype.kind == "f" else x.astype(_core.float64) for x in columns]
    edges = [_edges(x, b, r) for x, b, r in zip(columns, every, ranges, strict=True)]
    shape = tuple(e.size - 1 for e in edges)
    total = 1
    flat: Any = 0
    there: Any = True
    for column, edge, n in zip(columns, edges, shape, strict=True):
        place, inside = _which(column, edge)
        flat, there, total = flat * n + place, inside & there, total * n
    flat = syntonic.where(there, flat, total)
    counts = _sums(flat, None if weights is None else asarray(weights, None, flat.device).ravel(), total + 1)[:total]
    counts = counts.reshape(shape).astype(_core.float64, copy=False)
    if density:
        result = counts
        for axis, edge in enumerate(edges):
            result = result / syntonic.diff(edge).reshape((1,) * axis + (-1,) + (1,) * (axes - axis - 1))
        return result / counts.sum(), edges
    return counts, edges


@numpys("histogram2d")
def _histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> tuple[State, State, State]:
    x = asarray(x)
    y = asarray(y, None, x.device)
    if x.size != y.size:
        raise _core.ArgumentError("histogram2d: x and y must have the same length.")
    if not isinstance(bins, (int, np.integer)):
        count = bins.shape[0] if isinstance(bins, State) else len(bins)
        bins = [bins, bins] if count != 2 else bins
    counts, edges = _histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


@numpys("average")
def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False) -> Any:
    a = asarray(a)
    keep = said(keepdims=keepdims)
    if weights is None:
        mean = syntonic.mean(a, axis, **keep)
        scale = syntonic.full_like(mean, a.size / max(mean.size, 1))
    else:
        w = asarray(weights, None, a.device)
        if w.shape != a.shape:
            axes = (axis,) if hasattr(axis, "__index__") else axis
            need(axes is not None and len(axes) == w.ndim)
            axes = tuple(int(k) % a.ndim for k in axes)
            if any(a.shape[k] != n for k, n in zip(axes, w.shape, strict=True)):
                raise _core.ShapeError(f"average: weights of {list(w.shape)} do not fit the axes {axes} of {list(a.shape)}")
            w = syntonic.permute_dims(w, sorted(np.arange(w.ndim).tolist(), key=lambda k: axes[k]))
            w = w.reshape(tuple(n if k in axes else 1 for k, n in enumerate(a.shape)))
        common = syntonic.result_type(a, w)
        common = common if common.kind in "fc" else _core.float64
        a, w = a.astype(common, copy=False), syntonic.broadcast_to(w.astype(common, copy=False), a.shape)
        scale = syntonic.sum(w, axis, **keep)
        if bool(syntonic.any(scale == 0)):
            raise ZeroDivisionError("average: weights sum to zero, can't be normalized")
        mean = syntonic.sum(a * w, axis, **keep) / scale
    return (mean, syntonic.broadcast_to(scale, mean.shape).copy()) if returned else mean


@numpys("cov")
def _cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, fweights: Any = None, aweights: Any = None, *, dtype: Any = None
) -> State:
    x = asarray(m)
    need(x.ndim <= 2)
    if ddof is None:
        ddof = 0 if bias else 1
    if dtype is None:
        dtype = syntonic.result_type(x.dtype, *(() if y is None else (asarray(y).dtype,)))
        dtype = dtype if dtype.kind in "fc" and dtype.itemsize >= 8 else _core.float64
    x = _rows(x, rowvar, dtype)
    if y is not None:
        x = syntonic.concat([x, _rows(asarray(y, None, x.device), rowvar, dtype)], axis=0)
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is not None:
            _check_weights(name, asarray(given), x.shape[1])
    w: Any = None
    if fweights is not None:
        w = asarray(fweights, None, x.device).astype(_core.float64)
    if aweights is not None:
        given = asarray(aweights, None, x.device).astype(_core.float64)
        w = given if w is None else w * given
    n: Any = x.shape[1]
    if w is None:
        mean, total, factor = syntonic.mean(x, 1), n, n - ddof
    else:
        total = w.sum()
        mean = (x * w).sum(1) / total
        factor = total - ddof if aweights is None or ddof == 0 else total - ddof * (w * asarray(aweights, None, x.device)).sum() / total
    x = x - mean[:, None]
    factor = max(factor, 0) if isinstance(factor, (int, float)) else factor.clip(0, None)
    product = (x if w is None else x * w) @ syntonic.conj(x.T)
    factor = syntonic.full((), factor, _core.float64, device=x.device) if isinstance(factor, (int, float)) else factor
    return syntonic.squeeze(product / factor.astype(product.real.dtype, copy=False))


def _check_weights(name: str, weights: State, count: int) -> None:
    if weights.ndim > 1:
        raise RuntimeError(f"cov: cannot handle multidimensional {name}")
    if weights.size != count:
        raise RuntimeError(f"cov: incompatible numbers of samples and {name}")
    if bool(syntonic.any(weights < 0)):
        raise _core.ArgumentError(f"cov: {name} cannot be negative")
    if name == "fweights" and not bool(syntonic.all(weights == syntonic.round(weights))):
        raise _core.ArgumentTypeError("cov: fweights must be integer")


def _rows(x: State, rowvar: bool, dtype: Any) -> State:
    """Variables in rows."""
    x = x.astype(dtype, copy=False)
    if x.ndim < 2:
        return x.reshape(1, -1)
    return x if rowvar else x.T


@numpys("corrcoef")
def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    c = _cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    d = syntonic.sqrt(c.diagonal().real)
    c = c / d[:, None] / d[None, :]
    if c.dtype.kind == "c":
        return syntonic.complex(c.real.clip(-1, 1), c.imag.clip(-1, 1))
    return c.clip(-1, 1)
