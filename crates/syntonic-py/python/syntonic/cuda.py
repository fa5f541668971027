"""NVIDIA GPUs: which there are, their memory, and the order of work on them.

States go to a GPU with `x.cuda()`, `x.to("cuda:1")`, `device="cuda"` in the functions that make them, or all at once with
`with syntonic.device("cuda:1"):`. A GPU is opened when it is first used, and not by importing this module.

`x.pin_memory()` and `pinned_empty` give States of the CPU in page-locked memory. From there `x.cuda(non_blocking=True)`,
`x.to("cuda", non_blocking=True)` and `y.copy_(x, non_blocking=True)` return as soon as the GPU was asked, and so do `y.copy_(g, non_blocking=True)`
and `g.to("cpu", non_blocking=True)` of a State g on a GPU; the latter's result is in page-locked memory. Nobody has to wait for such a copy:
work on the GPU follows it, reading a State that is still being filled waits, and so does writing one that is still being read. Copies of other memory
wait, and so do those of memory that is shared with another library, as by `x.numpy()`.

Copies between two GPUs with `non_blocking=True` go beside the work of both: what uses either State follows the copy, and all else
overlaps it; `synchronize` of the GPU that is copied to waits for them too. `DeviceGroup` has States on all GPUs of a process at once.

Work is asynchronous anyway. A product returns when the GPU was asked, and two streams work side by side:

    start, end, work, other = Event(), Event(), Stream(), Stream()
    with work:
        start.record(work)
        y = (a @ b).eval()
        end.record(work)
    with other:
        z = x.cuda(non_blocking=True) * 2  # overlaps the product
    start.elapsed_time(end)  # milliseconds of the product alone, however long the others took

`managed` and `managed_empty` give States of a GPU in unified memory, whose pages move between its memory and the host's as they are used: data may
be larger than the GPU's memory. `prefetch_to` moves pages before they are used, and `advise` says how they are going to be used.

`kernel` makes a kernel of CUDA C or PTX, and `syntonic.custom_op` an operator with one.
"""

from __future__ import annotations

from syntonic import _core
from syntonic._core import DeviceGroup, Event, Service, ServiceModel, Stream
from syntonic._kernels import kernel
from syntonic._prefetch import prefetch
from syntonic._queue import Queue, Request, TensorSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, SupportsIndex

    from syntonic import State
    from syntonic._typing import DeviceLike, DTypeLike

__all__ = [
    "DeviceGroup",
    "Event",
    "Queue",
    "Request",
    "Service",
    "ServiceModel",
    "Stream",
    "TensorSpec",
    "advise",
    "can_access_peer",
    "current_stream",
    "device_count",
    "device_name",
    "empty_cache",
    "is_available",
    "is_managed",
    "kernel",
    "kernel_sources",
    "managed",
    "managed_empty",
    "memory_stats",
    "pinned_empty",
    "prefetch",
    "prefetch_to",
    "set_memory_limit",
    "synchronize",
    "why_unavailable",
]


def is_available() -> bool:
    """Whether States can live on a GPU."""
    return _core.cuda_why_unavailable() is None


def why_unavailable() -> str | None:
    """Why no GPU can be used, with every place where a driver was looked for; None where one can."""
    return _core.cuda_why_unavailable()


def device_count() -> int:
    """How many GPUs there are."""
    return _core.cuda_device_count()


def device_name(device: DeviceLike | int | None = None) -> str:
    """The name of a GPU."""
    return _core.cuda_device_name(device)


def can_access_peer(device: DeviceLike | int, peer: DeviceLike | int) -> bool:
    """Whether a GPU reaches the memory of another, over NVLink or PCIe. Copies between two that do take no way through the host; between
    others the driver takes it, and they are as right."""
    return _core.cuda_can_access_peer(device, peer)


def kernel_sources() -> dict[str, int]:
    """How many kernels this process loaded as machine code (`cubins`), how many the driver had to assemble (`ptx`), and how many of
    both were made at run time for a formula (`made`).

    A wheel brings machine code for the usual cards and first calls; with another card, or a build from source, the first call of a kernel
    takes longer.
    """
    cubins, ptx, made = _core.cuda_kernel_sources()
    return {"cubins": cubins, "ptx": ptx, "made": made}


def memory_stats(device: DeviceLike | int | None = None) -> dict[str, int]:
    """Bytes: `in_use` by States, their `peak`, `cached` for the next ones; `free` and `total` on the card."""
    return _core.cuda_memory_stats(device)


def empty_cache(device: DeviceLike | int | None = None) -> None:
    """Gives the cached memory back to the driver, for other libraries and processes."""
    _core.cuda_empty_cache(device)


def set_memory_limit(bytes: int | None, device: DeviceLike | int | None = None) -> None:
    """States and cache hold no more than so many bytes on a GPU from now on; None lifts the limit."""
    _core.cuda_set_memory_limit(bytes, device)


def pinned_empty(
    shape: SupportsIndex | Sequence[SupportsIndex], dtype: DTypeLike | None = None, device: DeviceLike | int | None = None
) -> State:
    """A State of zeros on the CPU, float64 unless `dtype` says otherwise, in page-locked memory: GPUs copy from and to it by
    themselves, and `non_blocking` copies do not wait. `device` is the GPU that keeps the memory for the next one when it is freed;
    `empty_cache` gives it back."""
    return _core.cuda_pinned_empty(shape, dtype, device)


def managed_empty(
    shape: SupportsIndex | Sequence[SupportsIndex], dtype: DTypeLike | None = None, device: DeviceLike | int | None = None
) -> State:
    """A State of zeros on a GPU, float64 unless `dtype` says otherwise, in unified memory of this GPU and the host. Writes in place stay there;
    results of operations have the GPU's own memory."""
    return _core.cuda_managed_empty(shape, dtype, device)


def managed(x: State, device: DeviceLike | int | None = None) -> State:
    """The values of `x` in unified memory of a GPU and the host: `x` itself where it lies so already, row-major.

    The State is one of the GPU like any other:

        table = managed(syntonic.asarray(numbers))
        advise(table, "read_mostly")
        total = table.sum()
    """
    return _core.cuda_managed(x, device)


def is_managed(x: State) -> bool:
    """Whether the elements lie in memory that `managed` or `managed_empty` gave."""
    return _core.cuda_is_managed(x)


def prefetch_to(x: State, device: DeviceLike) -> None:
    """Moves the pages of a State in unified memory to `device`, "cpu" or a GPU, after the work that this thread's stream was asked for. Nobody waits:
    a page that is used before it has come moves by itself."""
    _core.cuda_prefetch_to(x, device)


def advise(
    x: State,
    advice: Literal["read_mostly", "preferred_location", "accessed_by"],
    device: DeviceLike | None = None,
    *,
    withdraw: bool = False,
) -> None:
    """Says how a State in unified memory is going to be used. It changes where pages lie, never a value; `withdraw` takes it back.

    - "read_mostly": it is read much more than written, so each device that reads a page gets a copy of its own.
    - "preferred_location": pages stay on `device` where it has room; without one on the State's GPU.
    - "accessed_by": `device` reads and writes pages where they are, where it can reach them, in place of moving them.
    """
    _core.cuda_advise(x, advice, device, withdraw)


def synchronize(device: DeviceLike | int | None = None) -> None:
    """Waits for everything that this thread's stream was asked to do."""
    _core.cuda_synchronize(device)


def current_stream(device: DeviceLike | int | None = None) -> Stream:
    """The stream that this thread's work on a GPU goes to."""
    return _core.cuda_current_stream(device)
