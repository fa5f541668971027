"""How an operator becomes one of PyTorch's: its kernel, its shapes, its gradient, autocast, and every transform.

PyTorch's compiler sees a node with known shapes and no Python in it, so nothing breaks its graph; of an operator that `fuses` it sees the
formula, and fuses that with its neighbours. A plain call in eager mode goes past the dispatcher, which takes two thirds of the host's
time of an operator written in Python; everything that may have to see or change the call, a lazy tensor included, gets the operator.

A transform (`torch.func`, forward-mode tangents, batched gradients) and a gradient of a gradient run the operator's formula in
PyTorch's own arithmetic, which has all of them.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import _C
from torch.autograd import forward_ad

from syntonic import _core
from syntonic.torch._bridge import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor

# The library lives as long as the process: its operators go with it.
_LIBRARY = torch.library.Library("syntonic", "DEF")  # noqa: TOR901


def define(
    schema: str,
    kernel: Callable[..., Any],
    fake: Callable[..., Any],
    formula: Callable[..., Any],
    *,
    around: Callable[..., Any] | None = None,
    fuses: bool = False,
    backward: Callable[..., Any] | None = None,
    keep: Callable[..., Any] | None = None,
    autocast: torch.dtype | None = None,
) -> Callable[..., Any]:
    """Registers an operator, and gives the function that calls it. `kernel` takes States where the schema has tensors; `fake` gives
    tensors of the result's shapes and strides; `formula` gives the result in PyTorch's own arithmetic; `around(work, *arguments)`
    calls `work`, which is the kernel over tensors, with the tensors as they lie in memory; a compiler sees the formula of one that
    `fuses`; `keep(ctx, inputs, output)` saves what `backward(ctx, *grads)` needs, and without them the formula is differentiated;
    under autocast the operands become `autocast`."""
    name = schema.split("(", 1)[0]
    _LIBRARY.define(schema, tags=(torch.Tag.pt2_compliant_tag,))

    def call(*arguments: Any) -> Any:
        device = _together(name, arguments).device
        if around is None:
            return run(kernel, device, *arguments)
        return around(partial(run, kernel, device), *arguments)

    def shapes(*arguments: Any) -> Any:
        _together(name, arguments)
        return fake(*arguments)

    def written_out(*arguments: Any) -> Any:
        _together(name, arguments)
        return formula(*arguments)

    for device in ("CPU", "CUDA"):
        _LIBRARY.impl(name, call, device)
    torch.library.register_fake(f"syntonic::{name}", shapes, lib=_LIBRARY)
    # As PyTorch's own composites: `vmap` sees what they are made of.
    _LIBRARY.impl(name, written_out, "FuncTorchBatched")
    if autocast is not None:
        for kind in ("cpu", "cuda"):
            torch.library.register_autocast(f"syntonic::{name}", kind, autocast, lib=_LIBRARY)
    operator = getattr(torch.ops.syntonic, name).default
    recorded = _recorded(name, keep, backward)

    def below(keyset: _C.DispatchKeySet, *arguments: Any) -> Any:
        with _C._AutoDispatchBelowAutograd():
            return operator.redispatch(keyset & _C._after_autograd_keyset, *arguments)

    def differentiated(keyset: _C.DispatchKeySet, *arguments: Any) -> Any:
        if _is_transformed():
            return written_out(*arguments)
        if not (torch.is_grad_enabled() and _C._any_requires_grad(*arguments)):
            return below(keyset, *arguments)
        return written_out(*arguments) if recorded is None else recorded(*arguments, partial(below, keyset))

    _LIBRARY.impl(name, differentiated, "Autograd", with_keyset=True)

    def invoke(*arguments: Any) -> Any:
        if torch.compiler.is_compiling():
            return written_out(*arguments) if fuses else operator(*arguments)
        if _is_observed():
            return operator(*arguments)
        wanted = False
        for a in arguments:
            if isinstance(a, torch.Tensor):
                if not is_plain(a):
                    return operator(*arguments)
                wanted = wanted or a.requires_grad
        if not (wanted and torch.is_grad_enabled()):
            return call(*arguments)
        return written_out(*arguments) if recorded is None else recorded(*arguments, call)

    return invoke


def _recorded(name: str, keep: Callable[..., Any] | None, backward: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """The operator as a function that PyTorch's tape records; its last argument is how the result is computed."""
    if keep is None or backward is None:
        return None

    def forward(ctx: Any, *arguments: Any) -> Any:
        *arguments, work = arguments  # type: ignore[assignment]
        output = work(*arguments)
        keep(ctx, arguments, output)
        return output

    def back(ctx: Any, *grads: Any) -> Any:
        found = backward(ctx, *grads)
        return (*found, None) if isinstance(found, tuple) else (found, None)

    parts = {"forward": staticmethod(forward), "backward": staticmethod(back)}
    function: Any = type(f"syntonic_{name}", (torch.autograd.Function,), parts)
    apply: Callable[..., Any] = function.apply
    return apply


def _is_transformed() -> bool:
    """Whether tensors may carry more than one derivative or number each: a transform of `torch.func`, or forward-mode tangents."""
    return forward_ad._current_level >= 0 or _C._functorch.maybe_current_level() is not None


def _is_observed() -> bool:
    """Whether something beside eager mode has to see the call: a mode, a transform, a trace, a profiler or autocast."""
    return (
        _C._is_any_autocast_enabled()
        or _C._len_torch_dispatch_stack() != 0
        or _C._len_torch_function_stack() != 0
        or _is_transformed()
        or _C._is_tracing()
        or _C._autograd._profiler_enabled()
    )


# The sets of dispatch keys, as numbers, of tensors that are their memory and nothing else.
_PLAIN: set[int] = set()


def is_plain(t: Tensor) -> bool:
    """Whether a tensor is what lies in memory of the host or a GPU: no subclass, layout or bit (conjugate, negative, zero) and no
    transform is between the two."""
    if type(t) is not torch.Tensor and type(t) is not torch.nn.Parameter:
        return False
    keys = _C._dispatch_keys(t).raw_repr()
    return keys in _PLAIN or (t.device.type in ("cpu", "cuda") and keys in _learned(t.device))


def _learned(device: torch.device) -> set[int]:
    """The sets of plain tensors, with those of a device that has just been met."""
    for is_inference in (False, True):
        with torch.inference_mode(is_inference):
            _PLAIN.add(_C._dispatch_keys(torch.empty(0, device=device)).raw_repr())
    return _PLAIN


def _together(name: str, arguments: tuple[Any, ...]) -> Tensor:
    """The first tensor, with which all others share type and device."""
    first: Tensor = arguments[0]
    for other in arguments[1:]:
        if not isinstance(other, torch.Tensor):
            continue
        if other.dtype != first.dtype:
            raise _core.DTypeError(
                f"syntonic::{name}: tensors of {first.dtype} and {other.dtype}; hint: .to(dtype) makes them one type"
            )
        if other.device != first.device:
            raise _core.DeviceError(
                f"syntonic::{name}: tensors on {first.device} and {other.device}; hint: .to(device) brings them together"
            )
    return first
