"""Batches of data that are on a GPU before they are asked for."""

from __future__ import annotations

from collections import deque

from syntonic import _core
from syntonic._core import ArgumentError, ArgumentTypeError, State, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeVar

    from syntonic._typing import DeviceLike

    _T = TypeVar("_T")

__all__ = ["prefetch"]


def _send(batch: Any, device: DeviceLike) -> Any:
    """The batch with its States on the device, by way of page-locked memory."""
    if isinstance(batch, State):
        here = batch.pin_memory(device) if batch.device.type == "cpu" else batch
        return here.to(device, non_blocking=True)
    if isinstance(batch, dict):
        return {key: _send(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(_send(item, device) for item in batch))
    if isinstance(batch, list | tuple):
        return type(batch)(_send(item, device) for item in batch)
    return batch


def prefetch(iterable: Iterable[_T], device: DeviceLike = "cuda", depth: int = 2) -> Iterator[_T]:
    """The batches of `iterable` on a device, with up to `depth` of them in flight ahead of the one that is handed out.

    A batch is a State, or tuples, lists and dicts of them; whatever else is in it stays as it is. Each is copied to page-locked memory
    and from there, on a stream of its own, to the GPU, while the GPU works on those before. What is done with a batch
    follows its copy, and the host does not wait. On the CPU batches are handed on as they are.
    """
    if not hasattr(iterable, "__iter__"):
        raise ArgumentTypeError(f"prefetch: iterable is {type(iterable).__name__}; hint: batches, as a list or a loader has them")
    if isinstance(depth, bool) or not hasattr(depth, "__index__"):
        raise ArgumentTypeError(f"prefetch: depth is {type(depth).__name__}; hint: an integer, at least 1")
    if depth < 1:
        raise ArgumentError(f"prefetch: depth is {depth}; hint: at least 1, and 2 are enough for most")
    place = _core.Device(device)
    if place.type == "cpu":
        return iter(iterable)
    return _ahead(iter(iterable), place, depth, Stream(place))


def _ahead(batches: Iterator[_T], device: _core.Device, depth: int, stream: Stream) -> Iterator[_T]:
    coming: deque[_T] = deque()
    for batch in batches:
        # The batch is made before the stream is entered: what its maker asks of the GPU goes where it would go anyway.
        with stream:
            coming.append(_send(batch, device))
        if len(coming) > depth:
            yield coming.popleft()
    while coming:
        yield coming.popleft()
