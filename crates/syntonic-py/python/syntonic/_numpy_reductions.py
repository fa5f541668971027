"""Reductions, orders and comparisons under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

import syntonic
from syntonic import _core
from syntonic._core import State, asarray
from syntonic._numpy_orders import COMPARED, argsorted, extreme, is_complex, middle, placed
from syntonic._numpy_table import need, numpys, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# Those that NumPy lets have an axis where there is none.
_OF_ALL = ("sum", "prod", "any", "all", "max", "min")


def _method(name: str, *theirs: str) -> None:
    """A reduction by the method of that name, whose parameters are NumPy's."""

    def call(a: Any, *arguments: Any, **options: Any) -> Any:
        options = said(**options)
        need("mean" not in options)
        out = options.get("out")
        if name in ("max", "min", "argmax", "argmin") and is_complex(a) and len(arguments) < 2 and set(options) <= {"axis", "keepdims"}:
            return extreme(name, a, *arguments, **options)
        x = asarray(a)
        if x.ndim == 0 and name in _OF_ALL and (arguments[:1] or (options.get("axis"),))[0] in (0, -1):
            # As if there were an axis.
            arguments = (None, *arguments[1:]) if arguments else ()
            options.pop("axis", None)
        if x.ndim == 0 and name == "take" and (arguments[1:2] or (options.get("axis"),))[0] in (0, -1):
            x = x.reshape(1)
        result = getattr(x, name)(*arguments, **options)
        return result if out is None else out

    numpys(*theirs)(call)


for _name in ("sum", "prod", "mean", "std", "var", "any", "all", "argmax", "argmin", "cumsum", "cumprod", "take", "trace"):
    _method(_name, _name)
_method("max", "max", "amax")
_method("min", "min", "amin")
_method("round", "round", "around")


@numpys("count_nonzero")
def _count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return syntonic.count_nonzero(a, axis, keepdims=keepdims)


@numpys("ptp")
def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    need(out is None)
    keep = said(keepdims=keepdims)
    if is_complex(a):
        return extreme("max", a, axis, keepdims) - extreme("min", a, axis, keepdims)
    return syntonic.max(a, axis, **keep) - syntonic.min(a, axis, **keep)


@numpys("cumulative_sum")
def _cumulative_sum(x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False) -> Any:
    need(out is None)
    return syntonic.cumulative_sum(x, axis=axis, dtype=dtype, include_initial=include_initial)


@numpys("cumulative_prod")
def _cumulative_prod(x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False) -> Any:
    need(out is None)
    return syntonic.cumulative_prod(x, axis=axis, dtype=dtype, include_initial=include_initial)


@numpys("median")
def _median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False) -> Any:
    need(out is None)
    a = asarray(a)
    if a.size == 0:
        # Of nothing there is none: NumPy's mean of it, without its warning.
        wide = a.dtype if a.dtype.kind in "fc" else _core.float64
        return a.astype(wide, copy=False).mean(axis=axis, keepdims=keepdims)
    if is_complex(a):
        return middle(a, axis, keepdims)
    return syntonic.median(a, axis=axis, keepdims=keepdims)


@numpys("quantile")
def _quantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear", keepdims: Any = False, **more: Any
) -> Any:
    need(out is None and not said(**more) and method in ("linear", "lower", "higher", "nearest", "midpoint"))
    if method in ("lower", "higher", "nearest") and asarray(a).dtype.kind in "iu":
        return _element_at(asarray(a), q, axis, method, keepdims)
    if type(q) not in (int, float):
        # Positions that have a type count as operands; those that are whole numbers pick elements.
        a, q = asarray(a), asarray(q)
        if syntonic.isdtype(q.dtype, "real floating"):
            a = a.astype(syntonic.result_type(a.dtype, q.dtype), copy=False)
    return syntonic.quantile(a, q, axis=axis, keepdims=keepdims, method=method)  # type: ignore[arg-type]


def _element_at(a: State, q: Any, axis: Any, method: Any, keepdims: Any) -> Any:
    """One of the integers, which stay what they are."""
    axes = tuple(range(a.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    need(a.size > 0 and len(axes) in (1, a.ndim) and not keepdims)
    line = syntonic.sort(a.ravel() if len(axes) == a.ndim else syntonic.moveaxis(a, axes[0], -1), axis=-1)
    n = line.shape[-1]
    at = syntonic.quantile(syntonic.arange(n, dtype=_core.float64, device=a.device), q, method=method).astype(_core.int64)
    found = syntonic.take(line, at.ravel(), axis=-1)
    return syntonic.moveaxis(found, -1, 0).reshape((*at.shape, *line.shape[:-1])) if at.ndim else found[..., 0]


@numpys("percentile")
def _percentile(a: Any, q: Any, *arguments: Any, **options: Any) -> Any:
    q = q / 100 if type(q) in (int, float) else asarray(q) / 100
    return _quantile(a, q, *arguments, **options)


@numpys("clip")
def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None, **more: Any) -> Any:
    need(not said(**more))
    if is_complex(a):
        need(out is None)
        low, high = ((a_min if min is None else min), (a_max if max is None else max))
        for bound, pick in ((low, "maximum"), (high, "minimum")):
            a = a if bound is None or bound is np._NoValue else COMPARED[pick](a, bound)
        return a
    a_min, a_max = (None if bound is np._NoValue else bound for bound in (a_min, a_max))
    result = asarray(a).clip(a_min if min is None else min, a_max if max is None else max, out)
    return result if out is None else out


@numpys("sort")
def _sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    need(order is None)
    if is_complex(a):
        return placed(a, axis)
    return syntonic.sort(asarray(a).ravel() if axis is None else a, axis=-1 if axis is None else axis)


@numpys("argsort")
def _argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    need(order is None)
    if is_complex(a):
        return argsorted(a, axis)
    return syntonic.argsort(asarray(a).ravel() if axis is None else a, axis=-1 if axis is None else axis)


@numpys("searchsorted")
def _searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    return syntonic.searchsorted(a, v, side=side, sorter=sorter)


@numpys("unique")
def _unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    if axis is not None:
        ar = asarray(ar)
        # Slices of a vector are its elements.
        axis = None if ar.ndim == 1 and axis in (0, -1) else axis
    return syntonic.unique(ar, return_index, return_inverse, return_counts, axis, equal_nan=equal_nan)


@numpys("nanmedian")
def _nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False) -> Any:
    need(out is None)
    return syntonic.nanmedian(a, axis=axis, **said(keepdims=keepdims))


@numpys("isin")
def _isin(element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None) -> Any:
    if kind not in (None, "sort", "table"):
        raise _core.ArgumentError(f"isin: kind is {kind!r:.40}; it must be None, 'sort' or 'table'")
    return syntonic.isin(element, test_elements, invert=invert)


@numpys("bincount")
def _bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    return syntonic.bincount(x, weights=weights, minlength=minlength)


def _inexact(x: Any) -> State:
    x = asarray(x)
    return x if syntonic.isdtype(x.dtype, ("real floating", "complex floating")) else x.astype(_core.float64)


def _side(x: Any, other: Any) -> Any:
    """As floats; a Python number takes the type of the other side."""
    if type(x) in (bool, int, float) and isinstance(other, State) and other.dtype.kind in "fcV":
        return _core.full((), x, other.dtype, device=other.device)
    return _inexact(x)


@numpys("isclose")
def _isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    a, b = _side(a, b), _side(b, a)
    close = (abs(a - b) <= atol + rtol * abs(b)) & syntonic.isfinite(b) | (a == b)
    return close | (syntonic.isnan(a) & syntonic.isnan(b)) if equal_nan else close


@numpys("allclose")
def _allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> bool:
    return bool(syntonic.all(_isclose(a, b, rtol, atol, equal_nan)))


@numpys("array_equal")
def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    a1, a2 = asarray(a1), asarray(a2)
    if a1.shape != a2.shape:
        return False
    same = a1 == a2
    return bool(syntonic.all(same | (_isnan(a1) & _isnan(a2)) if equal_nan else same))


def _isnan(x: State) -> State:
    return x != x
