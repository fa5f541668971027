"""One line on a terminal that says how far long work is."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

__all__ = ["Progress", "time_left"]


def time_left(elapsed: float, done: Sequence[float], most: Sequence[float | None]) -> str:
    """How long work may still take that ends with the first of its limits, as a text; empty where nothing limits it, or nothing is done."""
    part = max((have / limit for have, limit in zip(done, most, strict=True) if limit is not None and limit > 0), default=0.0)
    if part <= 0.0:
        return ""
    left = max(elapsed / part - elapsed, 0.0)
    return f", at most {left:.0f} s left" if left < 120 else f", at most {left / 60:.0f} min left"


class Progress:
    """A line that is written over itself a few times a second; silent unless wanted, or on a terminal."""

    _stream: TextIO | None
    _due: float
    _width: int
    _every: float

    def __init__(self, stream: TextIO | None, wanted: bool | None = None, every: float = 0.2) -> None:
        shown = wanted if wanted is not None else stream is not None and stream.isatty()
        self._stream = stream if shown else None
        self._every = every
        self._due = monotonic() + every
        self._width = 0

    def is_due(self) -> bool:
        """True where it is time for `show`."""
        return self._stream is not None and monotonic() >= self._due

    def show(self, text: str) -> None:
        """Writes the line anew."""
        if self._stream is None:
            return
        self._write("\r" + text.ljust(self._width))
        self._width = len(text)
        self._due = monotonic() + self._every

    def close(self) -> None:
        """Ends the line, if there is one."""
        if self._width:
            self._write("\n")
            self._width = 0

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            # Whoever read it has gone. That is no reason to end the work, nor to hide how it ended.
            self._stream = None
