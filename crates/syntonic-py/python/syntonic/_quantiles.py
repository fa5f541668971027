"""Quantiles of what is a number."""

from __future__ import annotations

from operator import index

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from syntonic._core import State
    from syntonic._typing import ArrayLike, Axes

__all__ = ["nanmedian", "nanquantile"]

_where = _core.Elementwise("where").call
_floor = _core.Elementwise("floor").call
_round = _core.Elementwise("round").call
_lerp = _core.Elementwise("lerp").call


def nanmedian(x: ArrayLike, /, *, axis: Axes | None = None, keepdims: bool = False) -> State:
    """The median along the axes of the elements that are not NaN; NaN where there is none."""
    return _nanquantile("nanmedian", x, 0.5, axis, keepdims, "linear")


def nanquantile(
    x: ArrayLike,
    q: ArrayLike,
    /,
    *,
    axis: Axes | None = None,
    keepdims: bool = False,
    method: Literal["linear", "lower", "higher", "nearest", "midpoint"] = "linear",
) -> State:
    """As `quantile` of the elements that are not NaN; NaN where there is none. Several q are new first axes."""
    return _nanquantile("nanquantile", x, q, axis, keepdims, method)


def _nanquantile(op: str, x: ArrayLike, q: ArrayLike, axis: Axes | None, keepdims: bool, method: str) -> State:
    x = _core.asarray(x)
    if x.dtype.kind not in "fbiu":
        raise _core.DTypeError(f"{op}: not defined for {x.dtype}; hint: take the real part or the magnitude")
    if x.dtype.kind != "f":
        x = x.astype(_core.float64)
    wanted = _core.asarray(q, _core.float64, x.device)
    if not bool((wanted >= 0).all()) or not bool((wanted <= 1).all()):
        raise _core.ArgumentError(f"{op}: q = {wanted.tolist()}; hint: quantiles lie between 0 and 1")
    # The shape of a sum says which axes stay, and it refuses what is none.
    kept = x.sum(axis, keepdims=keepdims).shape
    axes = tuple(a % x.ndim for a in _axes(axis, x.ndim))
    others = [a for a in range(x.ndim) if a not in axes]
    line = _core.permute_dims(x, (*others, *axes))
    line = line.reshape((*(x.shape[a] for a in others), -1 if x.size else 0))
    if line.shape[-1] == 0:
        return _core.full((*wanted.shape, *kept), float("nan"), x.dtype, x.device)
    ordered = _core.sort(line, -1, False)
    last = (line == line).sum(-1, dtype=_core.float64) - 1
    place = wanted.reshape((*wanted.shape, *(1,) * last.ndim)) * last.clip(0, None)
    low = _floor(None, place)
    high = low + 1
    part = place - low
    a = _picked(ordered, low)
    b = _picked(ordered, _where(None, part > 0, high, low))
    if method == "lower":
        result = a
    elif method == "higher":
        result = b
    elif method == "nearest":
        result = _picked(ordered, _round(None, place))
    elif method == "midpoint":
        result = _lerp(None, a, b, 0.5)
    elif method == "linear":
        result = _lerped(a, b, part)
    else:
        known = "'linear', 'lower', 'higher', 'nearest', 'midpoint'"
        raise _core.ArgumentError(f"{op}: method is {method!r:.40}; it must be one of {known}")
    return result.reshape((*wanted.shape, *kept))


def _lerped(a: State, b: State, part: State) -> State:
    """The part of the way from a to b; half types go it in float32, lest the part be rounded first."""
    wide = a.astype(_core.float32) if a.dtype in (_core.float16, _core.bfloat16) else a
    return _lerp(None, wide, b.astype(wide.dtype), part.astype(wide.dtype)).astype(a.dtype)


def _axes(axis: Axes | None, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return (index(axis),) if hasattr(axis, "__index__") else tuple(map(index, axis))


def _picked(ordered: State, place: State) -> State:
    """The elements of sorted rows at these places, of which each row has any number in front."""
    rows = _core.broadcast_to(ordered, (*place.shape, ordered.shape[-1]))
    return _core.take_along_axis(rows, place.astype(_core.int64)[..., None], -1)[..., 0]
