"""Sets, partial orders and places in order, under the names and with the parameters of NumPy's."""

from __future__ import annotations

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_table import need, numpys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _flat_pair(a: Any, b: Any) -> tuple[State, State]:
    """As vectors of one type."""
    a = asarray(a)
    b = asarray(b, None, a.device if isinstance(a, State) else None)
    common = syntonic.result_type(a, b)
    return a.ravel().astype(common, copy=False), b.ravel().astype(common, copy=False)


def _distinct(x: State) -> State:
    found: Any = syntonic.unique(x)
    return found  # type: ignore[no-any-return]


@numpys("union1d")
def _union1d(ar1: Any, ar2: Any) -> State:
    return _distinct(syntonic.concat(_flat_pair(ar1, ar2)))


@numpys("intersect1d")
def _intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    a, b = _flat_pair(ar1, ar2)
    first: Any = None
    second: Any = None
    if not assume_unique:
        a, first = syntonic.unique(a, return_index=True)
        b, second = syntonic.unique(b, return_index=True)
    joined = syntonic.concat([a, b])
    order = syntonic.argsort(joined)
    ordered = syntonic.take(joined, order)
    twice = ordered[1:] == ordered[:-1]
    common = ordered[:-1][twice]
    if not return_indices:
        return common
    i, j = order[:-1][twice], order[1:][twice] - a.size
    return common, i if first is None else syntonic.take(first, i), j if second is None else syntonic.take(second, j)


@numpys("setdiff1d")
def _setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> State:
    a = asarray(ar1).ravel()
    b = asarray(ar2, None, a.device).ravel()
    if not assume_unique:
        a = _distinct(a)
    return a[syntonic.isin(a, b, invert=True)]


@numpys("setxor1d")
def _setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> State:
    a, b = _flat_pair(ar1, ar2)
    if not assume_unique:
        a, b = _distinct(a), _distinct(b)
    ordered = syntonic.sort(syntonic.concat([a, b]))
    if ordered.size == 0:
        return ordered
    edge = syntonic.ones(1, _core.bool, device=ordered.device)
    differs = syntonic.concat([edge, ordered[1:] != ordered[:-1], edge])
    return ordered[differs[1:] & differs[:-1]]


@numpys("trim_zeros")
def _trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    x = asarray(filt)
    need(axis is None and x.ndim == 1)
    if trim.lower() not in ("f", "b", "fb", "bf"):
        raise _core.ArgumentError(f"trim_zeros: unexpected character(s) in `trim`: {trim!r:.40}")
    (places,) = syntonic.nonzero(x)
    if places.size == 0:
        return filt[:0] if isinstance(filt, (list, tuple)) else x[:0]
    first = int(places[0]) if "f" in trim.lower() else 0
    last = int(places[-1]) + 1 if "b" in trim.lower() else x.size
    # A list stays one.
    return filt[first:last] if isinstance(filt, (list, tuple)) else x[first:last]


# A whole order is a partial one.


@numpys("partition")
def _partition(a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None) -> State:
    need(order is None)
    x = asarray(a)
    x, axis = (x.flatten(), 0) if axis is None else (x.copy(), axis)
    x.partition(kth, axis)
    return x


@numpys("argpartition")
def _argpartition(a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None) -> State:
    need(order is None)
    return asarray(a).argpartition(kth, axis)


@numpys("lexsort")
def _lexsort(keys: Any, axis: int = -1) -> State:
    lines = [asarray(key) for key in keys]
    need(len(lines) > 0 and lines[0].ndim > 0)
    # Sorts keep the order of equal elements, so the last key goes last.
    order: State | None = None
    for line in lines:
        step = syntonic.argsort(line if order is None else syntonic.take_along_axis(line, order, axis=axis), axis=axis)
        order = step if order is None else syntonic.take_along_axis(order, step, axis=axis)
    assert order is not None
    return order


@numpys("sort_complex")
def _sort_complex(a: Any) -> State:
    x = asarray(a)
    wide = x.dtype if x.dtype.kind == "c" else _core.complex64 if x.dtype.itemsize <= 2 and x.dtype.kind != "b" else _core.complex128
    x = x.astype(wide, copy=True)
    order = _lexsort((x.imag, x.real))
    return syntonic.take_along_axis(x, order, axis=-1)


@numpys("digitize")
def _digitize(x: Any, bins: Any, right: bool = False) -> State:
    x = asarray(x)
    edges = asarray(bins, None, x.device)
    need(edges.ndim == 1 and "c" not in (x.dtype.kind, edges.dtype.kind))
    if edges.size and bool(syntonic.all(edges[1:] >= edges[:-1])):
        return syntonic.searchsorted(edges, x.ravel(), side="left" if right else "right").reshape(x.shape)
    if not bool(syntonic.all(edges[1:] <= edges[:-1])):
        raise _core.ArgumentError("digitize: bins must be monotonically increasing or decreasing")
    found = syntonic.searchsorted(syntonic.flip(edges), x.ravel(), side="left" if right else "right")
    return (edges.size - found).reshape(x.shape)


for _name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
    numpys(_name)(getattr(syntonic, _name))
