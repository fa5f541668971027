"""A queue of requests for user-defined programs, answered by a persistent kernel."""

from __future__ import annotations

from syntonic._core import ArgumentTypeError, Request, State, asarray
from syntonic._core import Queue as _Queue
from syntonic._records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from syntonic._core import Device
    from syntonic._typing import ArrayLike, DeviceLike, DTypeLike
    from syntonic.pipeline import Plan

__all__ = ["Queue", "Request", "TensorSpec"]


class TensorSpec(NamedTuple):
    """An operand that comes with each request: its shape and type."""

    shape: tuple[int, ...]
    dtype: DTypeLike = "float32"


class Queue:
    """A persistent kernel that runs user-defined programs over small arrays of the host, without a launch for each.

    `programs` has, by name, a plan of stages (`syntonic.pipeline.Plan`) or a function of States with its operands: `TensorSpec(shape, dtype)` comes
    with each request, a State is kept on the GPU. A function is called once, with States that have no values: its formulas,
    reductions and products become the program.

    `submit` returns at once; `wait` gives the results, States of the CPU, in any order and from any thread. An operand may be an earlier
    request, or one of its results (`request[1]`): the device waits for it, without the host in between. `lanes` requests, 1, 2, 4 or 8,
    run at the same time; 256 may be in flight.

    All else is as for `Service`: `idle`, `lifetime` and `most_commands` (of a lane, looked at every sixteenth) end a lease, the next request
    begins another, and a request without an
    answer after `deadline` seconds is a DeviceError, after which the queue takes no more. `most_doubles` bounds a request by 8 bytes each.

    >>> import syntonic
    >>> if syntonic.cuda.is_available():
    ...     half = lambda x: x * 0.5
    ...     with syntonic.cuda.Queue({"half": (half, [syntonic.cuda.TensorSpec((2,))])}) as queue:
    ...         first = queue.submit("half", syntonic.asarray([4.0, 8.0], dtype="float32"))
    ...         second = queue.submit("half", first)
    ...         assert second.wait()[0].tolist() == [1.0, 2.0]
    """

    def __init__(
        self,
        programs: dict[str, tuple[Plan | Callable[..., Any], Sequence[TensorSpec | State]]],
        *,
        device: DeviceLike | int | None = None,
        lanes: int = 4,
        idle: float | None = None,
        lifetime: float | None = None,
        most_commands: int | None = None,
        deadline: float | None = None,
        most_doubles: int | None = None,
    ) -> None:
        if not isinstance(programs, dict):
            raise ArgumentTypeError(f"Queue: programs are a dict of names, not {type(programs).__name__}")
        if not isinstance(lanes, int) or isinstance(lanes, bool) or not 0 <= lanes < 2**31:
            raise ArgumentTypeError(f"Queue: lanes is 1, 2, 4 or 8, not {lanes!r}")
        settings = {
            "idle": idle,
            "lifetime": lifetime,
            "most_commands": most_commands,
            "deadline": deadline,
            "most_doubles": most_doubles,
        }
        named = [_named(name, program) for name, program in programs.items()]
        self._queue = _Queue(named, lanes, settings, device)

    def submit(self, program: str, *operands: ArrayLike | Request) -> Request:
        """Submits a run of a program, and does not wait for it."""
        if not isinstance(program, str):
            raise ArgumentTypeError(f"Queue: a program has a name, not {type(program).__name__}")
        return self._queue.submit(program, tuple(x if isinstance(x, (State, Request)) else asarray(x) for x in operands))

    @property
    def device(self) -> Device:
        """The GPU it runs on."""
        return self._queue.device

    @property
    def lanes(self) -> int:
        """Requests that run at the same time."""
        return self._queue.lanes

    def pause(self) -> None:
        """Ends the lease and waits until it has; the next request begins another."""
        self._queue.pause()

    def report(self) -> dict[str, Any]:
        """How it has fared: leases, requests that were waited for, whether a lease is live, why the last one ended."""
        return self._queue.report()

    def close(self) -> None:
        """Ends the queue, once nobody waits for a request any more."""
        self._queue.close()

    def __enter__(self) -> Queue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._queue)


def _named(name: object, program: object) -> tuple[str, Any, list[Any]]:
    from syntonic.pipeline import Plan

    if not isinstance(name, str):
        raise ArgumentTypeError(f"Queue: a program has a name, not {type(name).__name__}")
    if not isinstance(program, tuple) or len(program) != 2 or not isinstance(program[1], (list, tuple)):
        raise ArgumentTypeError(f"Queue: the program {name} is a plan or function with a list of its operands")
    what, operands = program
    if not isinstance(what, Plan) and not callable(what):
        raise ArgumentTypeError(f"Queue: the program {name} is a plan or function, not {type(what).__name__}")
    given = [(tuple(x.shape), x.dtype) if isinstance(x, TensorSpec) else x for x in operands]
    return name, what._plan if isinstance(what, Plan) else what, given
