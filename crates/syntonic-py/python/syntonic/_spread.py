"""An objective over the workers of an executor."""

from __future__ import annotations

import os

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["WorkerError", "WorkerTimeoutError", "spread"]


class WorkerError(_core.SyntonicError, RuntimeError):
    """The workers of an executor are gone, or it takes no more work."""

    __module__ = "syntonic"


class WorkerTimeoutError(WorkerError, TimeoutError):
    """Workers took longer than they were given."""

    __module__ = "syntonic"


def spread(
    objective: Callable[[State], ArrayLike],
    executor: Executor,
    *,
    parts: int | None = None,
    timeout: float | None = None,
) -> Callable[[ArrayLike], State]:
    """The objective with its candidates spread over the workers of any `concurrent.futures.Executor`.

    objective  takes some of the candidates, a State `[k, n]` on the CPU, which NumPy takes too, and returns their k values; where
               workers are processes, a function that they can import
    executor   `ThreadPoolExecutor`, `ProcessPoolExecutor`, `MPIPoolExecutor` of mpi4py, `client.get_executor()` of Dask
    parts      into how many parts the candidates are cut; as many as there are workers if not given
    timeout    seconds that the values of all candidates may take together; without end if not given

    What comes back is an objective for `RES.run` and `DeviceSearch.run`. It takes `[k, n]`, or `[runs, k, n]`, on any device, and
    returns a State `[k]`, or `[runs, k]`, there, in the order of the candidates. The search has the same bits with any number of
    workers and parts, as long as the value of a candidate does not depend on its neighbours.

    What the objective raises comes out unchanged, with a note that names its candidates. A WorkerError says that the workers died or
    that the executor takes no more work, a WorkerTimeoutError that they took longer than `timeout`. In each case the parts that
    have not begun are cancelled, and the search is as it was before the generation. A part that is being computed cannot be
    stopped from here: `executor.shutdown(wait=False)` does not wait for it.

        >>> from concurrent.futures import ThreadPoolExecutor
        >>> import syntonic
        >>> from syntonic.evolve import RES, spread
        >>> def sphere(x):
        ...     return (x * x).sum(axis=-1)
        >>> with ThreadPoolExecutor(2) as pool:
        ...     outcome = RES([3.0] * 4).run(spread(sphere, pool), target=1e-9)
        >>> outcome.reason
        'target'
    """
    if not callable(objective):
        raise _core.ArgumentTypeError(f"spread: objective is {type(objective).__name__}; hint: a function of candidates")
    if not hasattr(executor, "submit"):
        raise _core.ArgumentTypeError(f"spread: executor is {type(executor).__name__}; hint: an Executor of concurrent.futures")
    if parts is not None and (not isinstance(parts, int) or parts < 1):
        raise _core.ArgumentError(f"spread: parts is {_short(parts)}; hint: a whole number, at least 1, or None")
    if timeout is not None and (not isinstance(timeout, (int, float)) or not timeout > 0):
        raise _core.ArgumentError(f"spread: timeout is {_short(timeout)}; hint: a positive number of seconds, or None")
    cuts = parts or getattr(executor, "_max_workers", None) or os.cpu_count() or 1

    def values(candidates: ArrayLike) -> State:
        given = _core.asarray(candidates)
        if given.ndim < 2:
            raise _core.ShapeError(f"spread: candidates of shape {given.shape}; hint: a row for each, [k, n]")
        rows = given.reshape(-1, given.shape[-1]).to("cpu").eval()
        count = rows.shape[0]
        edges = sorted({count * k // cuts for k in range(cuts + 1)})
        work = _Work(objective, executor, timeout, rows, list(zip(edges, edges[1:])))
        found = _core.concat(work.done(), 0) if count else _core.asarray([0.0])[:0]
        return found.reshape(*given.shape[:-1]).to(given.device)

    return values


def _short(argument: object) -> str:
    return repr(argument) if isinstance(argument, (int, float)) else type(argument).__name__


def _value(objective: Callable[[State], ArrayLike], rows: State) -> State:
    """Done by a worker."""
    return _core.asarray(objective(rows)).to("cpu").astype("float64").eval()


class _Work:
    """The parts of one generation."""

    def __init__(
        self,
        objective: Callable[[State], ArrayLike],
        executor: Executor,
        timeout: float | None,
        rows: State,
        ranges: list[tuple[int, int]],
    ) -> None:
        self.timeout = timeout
        self.ranges = ranges
        self.futures: list[Future[State]] = []
        try:
            for first, last in ranges:
                self.futures.append(executor.submit(_value, objective, rows[first:last]))
        except RuntimeError as refused:
            # Executors say so of workers that died and of a shutdown.
            self._cancel()
            raise WorkerError(f"spread: the executor takes no more work: {refused}; hint: make another one") from refused
        except BaseException:
            self._cancel()
            raise

    def done(self) -> list[State]:
        """The values of each part."""
        # A quarter of what importing the package takes; whoever has an executor has it already.
        from concurrent.futures import FIRST_EXCEPTION, wait

        try:
            wait(self.futures, timeout=self.timeout, return_when=FIRST_EXCEPTION)
            failed = [k for k, part in enumerate(self.futures) if part.done() and (part.cancelled() or part.exception())]
            if failed:
                self._raise(failed[0])
            late = [k for k, part in enumerate(self.futures) if not part.done()]
            if late:
                names = ", ".join(self._name(k) for k in late[:4]) + (", .." if len(late) > 4 else "")
                raise WorkerTimeoutError(f"spread: no values after {self.timeout} seconds from {names}")
        finally:
            self._cancel()
        results = [part.result() for part in self.futures]
        for k, ((first, last), values) in enumerate(zip(self.ranges, results)):
            if values.shape != (last - first,):
                raise _core.ShapeError(
                    f"spread: the objective returned values of shape {values.shape} for {self._name(k)}; hint: one value for each, "
                    f"{(last - first,)}"
                )
        return results

    def _raise(self, k: int) -> None:
        from concurrent.futures import BrokenExecutor, CancelledError

        part = self.futures[k]
        cause: BaseException | None = CancelledError("cancelled") if part.cancelled() else part.exception()
        assert cause is not None
        # Dask has a class of its own for a worker that died.
        if isinstance(cause, (BrokenExecutor, CancelledError)) or type(cause).__name__ == "KilledWorker":
            raise WorkerError(f"spread: the workers died, or were stopped, before {self._name(k)} was done: {cause}") from cause
        cause.add_note(f"spread: raised by {self._name(k)}")
        raise cause

    def _name(self, k: int) -> str:
        first, last = self.ranges[k]
        return f"part {k} of {len(self.ranges)}, candidates {first}..{last}"

    def _cancel(self) -> None:
        for part in self.futures:
            part.cancel()
