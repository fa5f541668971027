"""Shapes changed, arrays joined and parted, elements picked out."""

from __future__ import annotations

from syntonic import _core
from syntonic._core import Elementwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, overload
    from collections.abc import Sequence

    from syntonic._core import State
    from syntonic._typing import ArrayLike, Axes, Shape

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "clip",
    "concat",
    "diff",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "meshgrid",
    "moveaxis",
    "nonzero",
    "pad",
    "permute_dims",
    "positive",
    "repeat",
    "reshape",
    "roll",
    "scatter",
    "scatter_add",
    "split",
    "squeeze",
    "stack",
    "take",
    "take_along_axis",
    "tile",
    "transpose",
    "tril",
    "triu",
    "unstack",
    "where",
]

_where = Elementwise("where").call


def reshape(x: ArrayLike, /, shape: Shape, *, copy: bool | None = None) -> State:
    """The same elements in row-major order under `shape`; one length may be -1. A view where the layout allows it.

    `copy=True` always copies, `copy=False` makes it an error where a copy is needed.
    """
    return _core.reshape(x, shape, copy)


def permute_dims(x: ArrayLike, /, axes: Sequence[int]) -> State:
    """The axes in a new order; a view."""
    return _core.permute_dims(x, axes)


def transpose(x: ArrayLike, /, axes: Sequence[int] | None = None) -> State:
    """The axes in a new order, or reversed; a view."""
    return _core.asarray(x).T if axes is None else _core.permute_dims(x, axes)


def matrix_transpose(x: ArrayLike, /) -> State:
    """The last two axes exchanged; a view."""
    return _core.asarray(x).mT


def moveaxis(x: ArrayLike, source: Axes, destination: Axes, /) -> State:
    """Axes moved to new places, the others in their order; a view."""
    return _core.moveaxis(x, source, destination)


def expand_dims(x: ArrayLike, /, axis: Axes = 0) -> State:
    """New axes of length 1 at these places of the result; a view."""
    return _core.expand_dims(x, axis)


def squeeze(x: ArrayLike, /, axis: Axes | None = None) -> State:
    """Without these axes of length 1, or without all of them; a view."""
    return _core.asarray(x).squeeze() if axis is None else _core.squeeze(x, axis)


def broadcast_to(x: ArrayLike, /, shape: Shape) -> State:
    """Stretched to `shape`: axes of length 1 repeat; a view that cannot be written."""
    return _core.broadcast_to(x, shape)


def broadcast_arrays(*arrays: ArrayLike) -> tuple[State, ...]:
    """All stretched to their common shape; views that cannot be written."""
    return tuple(_core.broadcast_arrays(arrays))


def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]:
    """The shape that arrays of these shapes broadcast to; () for none.

    >>> broadcast_shapes((3, 1), (1, 4), 4)
    (3, 4)
    """
    return _core.broadcast_shapes(shapes)


def flip(x: ArrayLike, /, axis: Axes | None = None) -> State:
    """The order of the elements reversed along these axes, or all; a view."""
    return _core.flip(x, axis)


def concat(arrays: Sequence[ArrayLike], /, axis: int | None = 0) -> State:
    """Joined along an axis; with None each is flattened first."""
    return _core.concat(arrays, axis)


def stack(arrays: Sequence[ArrayLike], /, axis: int = 0) -> State:
    """Joined along a new axis."""
    return _core.stack(arrays, axis)


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[State, ...]:
    """The slices along an axis; views."""
    return tuple(_core.unstack(x, axis))


def split(x: ArrayLike, sections: int | Sequence[int], /, *, axis: int = 0) -> list[State]:
    """That many equal parts, or the parts between these positions; views."""
    return _core.split(x, sections, axis)


def meshgrid(*arrays: ArrayLike, indexing: Literal["xy", "ij"] = "xy") -> tuple[State, ...]:
    """Coordinates of a grid from those of its axes. `broadcast_arrays` gives views."""
    return tuple(_core.meshgrid(arrays, indexing))


def take(x: ArrayLike, indices: ArrayLike, /, axis: int | None = None) -> State:
    """The elements at these positions along an axis; without one, of the flattened array."""
    return _core.take(x, indices, axis)


def take_along_axis(x: ArrayLike, indices: ArrayLike, /, *, axis: int = -1) -> State:
    """For each place of `indices`, the element of `x` at that position along the axis."""
    return _core.take_along_axis(x, indices, axis)


def scatter(x: ArrayLike, axis: int, indices: ArrayLike, values: ArrayLike, /) -> State:
    """A copy of `x` with `values` put at these positions along an axis: the counterpart of take_along_axis."""
    return _core.scatter(x, axis, indices, values, False)


def scatter_add(x: ArrayLike, axis: int, indices: ArrayLike, values: ArrayLike, /) -> State:
    """A copy of `x`, no bool, with `values` added at these positions along an axis; a position may occur often."""
    return _core.scatter(x, axis, indices, values, True)


def diff(
    x: ArrayLike,
    /,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> State:
    """The differences of neighbours along an axis, n times over, of `prepend`, `x` and `append` joined: `[.., m, ..] -> [.., m - n, ..]`.

    Integers wrap; for bool it is whether two neighbours differ.

    >>> diff([1, 4, 9, 16]).tolist()
    [3, 5, 7]
    >>> diff([1, 4, 9, 16], prepend=0, n=2).tolist()
    [2, 2, 2]
    """
    return _core.diff(x, n, axis, prepend, append)


def nonzero(x: ArrayLike, /) -> tuple[State, ...]:
    """The positions of the elements that are not zero, one State for each axis."""
    return tuple(_core.nonzero(x))


if TYPE_CHECKING:

    @overload
    def where(condition: ArrayLike, /) -> tuple[State, ...]: ...
    @overload
    def where(condition: ArrayLike, x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State: ...


def where(
    condition: ArrayLike, x1: ArrayLike | None = None, x2: ArrayLike | None = None, /, *, out: State | None = None
) -> State | tuple[State, ...]:
    """x1 where the condition is true, else x2; the three broadcast. Of the condition alone, as `nonzero`: where it is true.

    >>> where([True, False], 1, 2).tolist()
    [1, 2]
    >>> where([0, 5, 7])[0].tolist()
    [1, 2]
    """
    if x1 is not None and x2 is not None:
        return _where(out, condition, x1, x2)
    if x1 is None and x2 is None and out is None:
        return nonzero(condition)
    raise _core.ArgumentTypeError("where: x1 and x2 go together; hint: give both, or the condition alone")


def clip(
    x: ArrayLike, /, min: ArrayLike | None = None, max: ArrayLike | None = None, *, out: State | None = None
) -> State:
    """min(max(x, low), high); without a bound there is none on that side."""
    return _core.asarray(x).clip(min, max, out=out)


def positive(x: ArrayLike, /) -> State:
    """A copy of x."""
    return _core.asarray(x, None, None, True)


def tile(x: ArrayLike, repetitions: Shape, /) -> State:
    """The array laid out so many times along each axis."""
    return _core.tile(x, repetitions)


def repeat(x: ArrayLike, repeats: ArrayLike, /, axis: int | None = None) -> State:
    """Each element so many times in a row, along an axis or of the flattened array."""
    return _core.repeat(x, repeats, axis)


def roll(x: ArrayLike, /, shift: Axes, axis: Axes | None = None) -> State:
    """Elements moved on; those pushed out come in at the other end."""
    return _core.roll(x, shift, axis)


def pad(
    x: ArrayLike,
    widths: int | Sequence[int] | Sequence[Sequence[int]],
    /,
    *,
    mode: Literal["constant", "edge", "reflect", "symmetric", "wrap"] = "constant",
    value: ArrayLike = 0,
) -> State:
    """New elements before and after each axis: one width, a pair, or either for each axis.

    >>> pad([[1, 2]], ((1,), (0, 2))).tolist()
    [[0, 0, 0, 0], [1, 2, 0, 0], [0, 0, 0, 0]]
    >>> pad([[1, 2]], ((1,), (0,))).tolist()
    [[0, 0], [1, 2], [0, 0]]
    """
    return _core.pad(x, widths, mode, value)


def tril(x: ArrayLike, /, *, k: int = 0) -> State:
    """The last two axes with zeros above diagonal k."""
    return _core.tril(x, k)


def triu(x: ArrayLike, /, *, k: int = 0) -> State:
    """The last two axes with zeros below diagonal k."""
    return _core.triu(x, k)
