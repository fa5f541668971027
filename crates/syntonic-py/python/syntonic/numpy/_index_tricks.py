"""What is indexed in place of being called: grids and joined pieces."""

from __future__ import annotations

import syntonic
from syntonic import _core
from syntonic._core import State, asarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["c_", "mgrid", "ogrid", "r_"]


def _line(piece: slice) -> State:
    """The numbers of a slice; an imaginary step is how many there are, with the last one."""
    start = 0 if piece.start is None else piece.start
    step = 1 if piece.step is None else piece.step
    if isinstance(step, complex):
        return syntonic.linspace(start, piece.stop, int(abs(step)))
    start, stop, step = (x.item() if isinstance(x, State) else x for x in (start, piece.stop, step))
    return syntonic.arange(start, stop, step)


class _Grid:
    """Coordinates of a grid, as NumPy's `mgrid` and `ogrid`."""

    def __init__(self, name: str, sparse: bool) -> None:
        self._name, self._sparse = name, sparse

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _line(key)
        lines = [_line(piece) for piece in key]
        if not lines:
            return syntonic.zeros((0,), _core.int64)
        common = syntonic.result_type(*lines)
        lines = [line.astype(common, copy=False).reshape((1,) * k + (line.size,) + (1,) * (len(lines) - k - 1)) for k, line in enumerate(lines)]
        return tuple(lines) if self._sparse else syntonic.stack(syntonic.broadcast_arrays(*lines))

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"<{self._name} of syntonic.numpy>"


class _Joined:
    """Pieces joined along an axis, as NumPy's `r_` and `c_`."""

    def __init__(self, name: str, axis: int, ndmin: int, front: int) -> None:
        self._name, self._rule = name, (axis, ndmin, front)

    def __getitem__(self, key: Any) -> State:
        pieces = list(key) if isinstance(key, tuple) else [key]
        axis, ndmin, front = self._rule
        if pieces and isinstance(pieces[0], str):
            try:
                numbers = [int(part) for part in pieces.pop(0).split(",")]
            except ValueError:
                raise _core.ArgumentError(f"{self._name}: matrices are not here; hint: a text has up to three integers, an axis and numbers of axes") from None
            axis, ndmin, front = (*numbers, *self._rule[len(numbers) :])[:3]
        made: list[Any] = []
        plain: list[Any] = []
        typed = []
        for piece in pieces:
            if isinstance(piece, slice):
                # Numbers of a slice come along the last of the new axes.
                line = _line(piece)
                typed.append(line.dtype)
                made.append(_widened(line, ndmin, front))
            elif type(piece) in (bool, int, float, complex):
                plain.append(piece)
                made.append(piece)
            else:
                array = asarray(piece)
                typed.append(array.dtype)
                made.append(_widened(array, ndmin, front))
        device = next((x.device for x in made if isinstance(x, State)), None)
        common = syntonic.result_type(*typed, *plain) if typed else asarray(plain).dtype
        arrays = [x if isinstance(x, State) else asarray(x, common, device).reshape((1,) * ndmin) for x in made]
        return syntonic.concat([x.astype(common, copy=False) for x in arrays], axis=axis)

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"<{self._name} of syntonic.numpy>"


def _widened(x: State, ndmin: int, front: int) -> State:
    """With new axes of length 1, so that the old ones begin at place `front`, or end at the end."""
    new = ndmin - x.ndim
    if new <= 0:
        return x
    place = front if front >= 0 else new + 1 + front
    place = min(max(place, 0), new)
    return x.reshape((1,) * place + x.shape + (1,) * (new - place))


mgrid = _Grid("mgrid", False)
ogrid = _Grid("ogrid", True)
r_ = _Joined("r_", 0, 1, -1)
c_ = _Joined("c_", -1, 2, 0)
