"""Functions that leave NaN out, under the names and with the parameters of NumPy's."""

from __future__ import annotations

import syntonic
from syntonic import _core
from syntonic._core import DType, State, asarray
from syntonic._numpy_table import need, numpys, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _filled(a: Any, value: float) -> tuple[State, State | None]:
    """The array with a value in place of NaN, and where there was none; None for types without NaN."""
    a = asarray(a)
    if a.dtype.kind not in "fc":
        return a, None
    there = a == a
    return syntonic.where(there, a, syntonic.full_like(a, value)), there


def _neutral(name: str, value: float) -> None:
    ours = getattr(State, name)

    def call(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None) -> Any:
        filled, _ = _filled(a, value)
        result = ours(filled, **said(axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where))
        return result if out is None else out

    numpys(f"nan{name}")(call)


_neutral("sum", 0.0)
_neutral("prod", 1.0)


def _running(name: str, value: float) -> None:
    ours = getattr(State, name)

    def call(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        result = ours(_filled(a, value)[0], axis, **said(dtype=dtype, out=out))
        return result if out is None else out

    numpys(f"nan{name}")(call)


_running("cumsum", 0.0)
_running("cumprod", 1.0)


def _extreme(name: str, value: float) -> None:
    def call(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None) -> Any:
        filled, there = _filled(a, value)
        need(filled.dtype.kind != "c" and out is None)
        options = said(axis=axis, keepdims=keepdims, initial=initial, where=where)
        result = getattr(filled, name)(**options)
        if there is None or initial is not None:
            return result
        found = there.any(**said(axis=axis, keepdims=keepdims, where=where))
        return syntonic.where(found, result, syntonic.full_like(result, syntonic.nan))

    numpys(f"nan{name}")(call)


_extreme("max", -syntonic.inf)
_extreme("min", syntonic.inf)


def _place(name: str, value: float) -> None:
    def call(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
        filled, there = _filled(a, value)
        need(filled.dtype.kind != "c" and out is None)
        if filled.size == 0 and (axis is None or filled.shape[axis] == 0):
            raise _core.ArgumentError(f"nan{name}: attempt to get {name} of an empty sequence")
        if there is not None and not bool(there.any(axis).all()):
            raise _core.ArgumentError(f"nan{name}: All-NaN slice encountered")
        return getattr(filled, name)(**said(axis=axis, keepdims=keepdims))

    numpys(f"nan{name}")(call)


_place("argmax", -syntonic.inf)
_place("argmin", syntonic.inf)


def _moment(name: str, *more: str) -> None:
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = None,
        mean: Any = None,
        correction: Any = None,
    ) -> Any:
        _, there = _filled(a, 0.0)
        need(not said(mean=mean))
        for of, kind in (("dtype", dtype), ("out", out)):
            kind = kind.dtype if of == "out" and kind is not None else kind
            if kind is not None and there is not None and DType(kind).kind not in "fcV":
                raise _core.DTypeError(f"nan{name}: If a is inexact, then {of} must be inexact; it is {kind}")
        mask = there if where is None or not said(where=where) else (where if there is None else there & asarray(where, None, there.device))
        options = said(axis=axis, dtype=dtype, out=out, keepdims=keepdims, where=mask)
        if ddof != 0 and said(correction=correction):
            raise _core.ArgumentError("ddof and correction can't be provided simultaneously.")
        free = said(correction=correction).get("correction", ddof) if more else 0
        if more:
            options["ddof"] = free
        array = asarray(a)
        if mask is not None and more:
            # Too few numbers for a variance have none.
            result = getattr(array, name)(**{**options, "out": None})
            count = syntonic.broadcast_to(mask, array.shape).sum(**said(axis=axis, keepdims=keepdims))
            result = syntonic.where(count > free, result, syntonic.full_like(result, syntonic.nan))
            if out is not None:
                out[...] = result
            return result if out is None else out
        result = getattr(array, name)(**options)
        return result if out is None else out

    if more:
        numpys(f"nan{name}")(call)
    else:

        def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = None) -> Any:
            return call(a, axis, dtype, out, 0, keepdims, where=where)

        numpys("nanmean")(mean)


_moment("mean")
_moment("var", "ddof")
_moment("std", "ddof")


@numpys("nanquantile")
def _nanquantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear", keepdims: Any = False, **more: Any
) -> Any:
    need(out is None and not said(**more) and method in ("linear", "lower", "higher", "nearest", "midpoint"))
    return syntonic.nanquantile(a, q, axis=axis, method=method, **said(keepdims=keepdims))  # type: ignore[arg-type]


@numpys("nanpercentile")
def _nanpercentile(a: Any, q: Any, *arguments: Any, **options: Any) -> Any:
    q = q / 100 if type(q) in (int, float) else asarray(q) / 100
    return _nanquantile(a, q, *arguments, **options)


@numpys("nan_to_num")
def _nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    x = asarray(x)
    if x.dtype.kind not in "fc":
        return x.copy() if copy else x
    if x.dtype.kind == "c":
        result = syntonic.complex(_nan_to_num(x.real, True, nan, posinf, neginf), _nan_to_num(x.imag, True, nan, posinf, neginf))
    else:
        most = syntonic.finfo(x.dtype).max
        high, low = (most if posinf is None else posinf), (-most if neginf is None else neginf)
        result = syntonic.where(x == syntonic.inf, syntonic.full_like(x, high), syntonic.where(x == -syntonic.inf, syntonic.full_like(x, low), x))
        value = nan if isinstance(nan, (int, float)) else asarray(nan, None, x.device)
        result = syntonic.where(x != x, syntonic.full_like(x, value) if isinstance(value, (int, float)) else value.astype(x.dtype), result)
    if copy:
        return result
    x[...] = result
    return x
