"""What ran, how long it took and who asked for memory."""

from __future__ import annotations

from syntonic import _core
from syntonic._records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["profile"]


class Launches(NamedTuple):
    """All launches of one operator over one shape and type, from one line of a program."""

    name: str
    """The operator; of a fused chain the primitives it is made of."""
    dtype: str
    """The type of the result."""
    shape: str
    """The index space of a formula, the shape of an operator's result."""
    device: str
    """Where it ran."""
    site: str | None
    """The file and line that asked for it, as far as that is known."""
    calls: int
    """How often it ran."""
    total_us: float
    """Microseconds of all calls together."""
    bytes: int
    """Bytes of a call, each operand once."""
    copy_fraction: float | None
    """The speed as a part of a copy's on the same device."""

    @property
    def rate(self) -> float:
        """Gigabytes a second."""
        return self.calls * self.bytes / max(self.total_us, 1e-3) / 1e3


class Allocations(NamedTuple):
    """Memory that one line of a program asked for."""

    site: str
    """The file and line, or the operation where no line is known."""
    times: int
    """How often."""
    bytes: int
    """Bytes together."""


class Held(NamedTuple):
    """Memory of one line of a program that was in use at some moment."""

    site: str
    """The file and line that asked for it, or the operation where no line is known."""
    bytes: int
    """Bytes together."""


class Peak(NamedTuple):
    """The most memory of a device that was in use at once, and whose it was."""

    bytes: int
    """Bytes in use; on the CPU of blocks of 64 KiB and more."""
    site: str | None
    """The line that asked for the block with which it was reached."""
    held: list[Held]
    """What was in use then and was asked for in the block of `profile`, line by line, most bytes first."""
    before: int
    """The rest: mostly States that were there before."""


class profile:
    """`with syntonic.profile() as p:` records every launch of the process, of all threads; `print(p)` afterwards is a table of
    them: calls, microseconds, GB/s, the fraction of a copy's speed, and the line of the program that read the result, since
    results are computed when they are read. Nothing waits for the GPU before the block ends.

    `p.lines` are the launches by operator, shape and line, `p.allocations` the memory by line, `p.peaks` the most bytes in use
    by device (on the CPU of blocks of 64 KiB and more), `p.seconds` how long the block took. `p.at_peak` says by device which line
    reached the most, and how much of it each line had asked for:

    >>> import syntonic
    >>> x = syntonic.ones((256, 1024), dtype=syntonic.float64)
    >>> with syntonic.profile() as p:
    ...     y = (x * 2).eval()
    ...     z = (y + x).eval()
    >>> peak = p.at_peak["cpu"]
    >>> [held.bytes for held in peak.held], peak.bytes == p.peaks["cpu"]
    ([2097152, 2097152], True)
    """

    lines: list[Launches]
    seconds: float
    peaks: dict[str, int]
    at_peak: dict[str, Peak]
    allocations: list[Allocations]
    _recording: _core.Recording
    _table: str

    def __init__(self) -> None:
        self.lines, self.seconds, self.peaks, self.at_peak, self.allocations = [], 0.0, {}, {}, []
        self._table = "nothing is recorded yet: the block goes on"

    def __enter__(self) -> profile:
        self._recording = _core.Recording()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        lines, self.seconds, peaks, allocations, self._table = self._recording.finish()
        self.lines = [Launches(*line) for line in lines]
        self.at_peak = {
            device: Peak(most, site, [Held(*line) for line in held], before) for device, most, site, held, before in peaks
        }
        self.peaks = {device: peak.bytes for device, peak in self.at_peak.items()}
        self.allocations = [Allocations(*place) for place in allocations]

    def __str__(self) -> str:
        return self._table
