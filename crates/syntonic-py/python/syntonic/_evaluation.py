"""When element-wise results and reductions are computed, and what would run."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from syntonic._core import State

__all__ = ["eager", "explain"]


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


def explain(x: State, /) -> str:
    """What reading `x` would run: the fused formula, its inputs, the bytes that move, and what is computed first."""
    return _core.explain(x)
