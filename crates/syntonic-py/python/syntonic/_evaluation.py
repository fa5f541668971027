"""When element-wise results and reductions are computed, and what would run."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from syntonic._core import State

__all__ = ["eager", "explain", "rounding"]


class eager:
    """`with syntonic.eager():` computes every operation at once, one by one, in the whole process."""

    _former: list[bool]

    def __init__(self) -> None:
        self._former = []

    def __enter__(self) -> None:
        self._former.append(_core.set_eager(True))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _core.set_eager(self._former.pop())


class rounding:
    """`with syntonic.rounding("each"):` rounds float16 and bfloat16 after each operator, for the expressions that this thread makes in it.

    With "stored", as it is otherwise, an expression is computed in float32 and rounded where the text stores a value: where somebody
    reads it, and at a conversion to a half type. Operators that PyTorch and NumPy call are "each" ones. `set_default_rounding` chooses for the
    process, and "default" is what it has chosen."""

    _place: str
    _former: list[str]

    def __init__(self, place: str, /) -> None:
        self._place = place
        self._former = []

    def __enter__(self) -> None:
        self._former.append(_core.set_rounding(self._place))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _core.set_rounding(self._former.pop())


def explain(x: State, /) -> str:
    """What reading `x` would run: the fused formula, its inputs, the bytes that move, and what is computed first."""
    return _core.explain(x)
