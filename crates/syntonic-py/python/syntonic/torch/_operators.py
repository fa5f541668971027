"""The operators as PyTorch knows them, `torch.ops.syntonic.*`: schema, kernel, shapes, gradient and autocast of each.

Each is one `_define`. PyTorch's compiler sees a node with known shapes and no Python in it, so nothing breaks its graph; of those that
work element by element it sees the formula, and fuses that with its neighbours. A plain call in eager mode goes past the dispatcher,
which takes two thirds of the host's time of an operator written in Python. Images stay channels-last where they are.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import _C

from syntonic import _core
from syntonic._core import RowOperator
from syntonic.torch._bridge import run
from syntonic.torch._layout import images, is_channels_last, like_images, pointwise, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor

# The library lives as long as the process: its operators go with it.
_LIBRARY = torch.library.Library("syntonic", "DEF")  # noqa: TOR901


def _define(
    schema: str,
    kernel: Callable[..., Any],
    fake: Callable[..., Any],
    *,
    around: Callable[..., Any] | None = None,
    plain: Callable[..., Any] | None = None,
    backward: Callable[..., Any] | None = None,
    keep: Callable[..., Any] | None = None,
    autocast: torch.dtype | None = None,
) -> Callable[..., Any]:
    """Registers an operator, and gives the function that calls it. `kernel` takes States where the schema has tensors; `fake` gives
    tensors of the result's shapes and strides; `around(work, *arguments)` calls `work`, which is the kernel over tensors, with
    the tensors as they lie in memory; `plain` is the formula for a compiler that fuses it; `keep(ctx, inputs, output)` saves what
    `backward(ctx, *grads)` needs; under autocast the operands become `autocast`."""
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

    for device in ("CPU", "CUDA"):
        _LIBRARY.impl(name, call, device)
    torch.library.register_fake(f"syntonic::{name}", shapes, lib=_LIBRARY)
    if backward is None:
        backward = _refusal(name)
    torch.library.register_autograd(f"syntonic::{name}", backward, setup_context=keep, lib=_LIBRARY)
    if autocast is not None:
        for kind in ("cpu", "cuda"):
            torch.library.register_autocast(f"syntonic::{name}", kind, autocast, lib=_LIBRARY)
    operator = getattr(torch.ops.syntonic, name).default
    recorded = _recorded(name, call, keep, backward)

    def invoke(*arguments: Any) -> Any:
        if torch.compiler.is_compiling():
            return operator(*arguments) if plain is None else plain(*arguments)
        if _is_observed():
            return operator(*arguments)
        wanted = False
        for a in arguments:
            if isinstance(a, torch.Tensor):
                if type(a) is not torch.Tensor and type(a) is not torch.nn.Parameter:
                    return operator(*arguments)
                wanted = wanted or a.requires_grad
        return recorded(*arguments) if wanted and torch.is_grad_enabled() else call(*arguments)

    return invoke


def _recorded(
    name: str, call: Callable[..., Any], keep: Callable[..., Any] | None, backward: Callable[..., Any]
) -> Callable[..., Any]:
    """The operator as a function that PyTorch's tape records itself."""

    def forward(ctx: Any, *arguments: Any) -> Any:
        output = call(*arguments)
        if keep is not None:
            keep(ctx, arguments, output)
        return output

    parts = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    function: Any = type(f"syntonic_{name}", (torch.autograd.Function,), parts)
    apply: Callable[..., Any] = function.apply
    return apply


def _is_observed() -> bool:
    """Whether something beside eager mode has to see the call: a mode, a transform or autocast."""
    return (
        _C._is_any_autocast_enabled()
        or _C._len_torch_dispatch_stack() != 0
        or _C._len_torch_function_stack() != 0
        or _C._functorch.maybe_current_level() is not None
    )


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


def _refusal(name: str) -> Callable[..., Any]:
    """The gradient of an operator that is itself a gradient: there is none, and that is said where it is asked for."""

    def refuse(ctx: Any, *grads: Any) -> Any:
        raise _core.GradientError(
            f"syntonic::{name}: gradients of gradients are not there; hint: call backward without create_graph, or "
            "syntonic.grad, which differentiates to any order"
        )

    return refuse


_HALVES = (torch.float16, torch.bfloat16)


def _like(x: Tensor, *_: Any) -> Tensor:
    return x.new_empty(x.shape)


def _wide(x: Tensor) -> Tensor:
    """Numbers to calculate with: those of half types in float32, so that the result is rounded once."""
    return x.float() if x.dtype in _HALVES else x


def _again(plain: Callable[..., Any], grad: Tensor, tensors: tuple[Tensor, ...], *settings: Any) -> list[Tensor | None]:
    """The gradients for `tensors` in PyTorch's own arithmetic, which it can differentiate again."""
    wanted = [t for t in tensors if t.requires_grad]
    found = iter(torch.autograd.grad(plain(*tensors, *settings), wanted, grad, create_graph=True))
    return [next(found) if t.requires_grad else None for t in tensors]


def _needs(ctx: Any, *positions: int) -> bool:
    return any(ctx.needs_input_grad[k] for k in positions)


# phi_residual

def _residual_slopes(mode: str) -> tuple[float, float]:
    """What the sum has of x and of the residual."""
    return {"phi": (1.0, _core.INV_PHI), "phi_symmetric": (_core.INV_PHI, _core.INV_PHI), "standard": (1.0, 1.0)}[mode]


def _phi_residual_keep(ctx: Any, inputs: Any, output: Any) -> None:
    x, residual, ctx.mode, ctx.activation = inputs
    if ctx.activation != "none":
        ctx.save_for_backward(x, residual)


def _phi_residual_backward(ctx: Any, grad: Tensor) -> Any:
    if ctx.activation == "none":
        # Plain products, which PyTorch's compiler fuses with what stands beside them.
        a, b = _residual_slopes(ctx.mode)
        return grad if a == 1.0 else grad * a, grad if b == 1.0 else grad * b, None, None
    x, residual = ctx.saved_tensors
    if torch.is_grad_enabled():
        return *_again(_phi_residual_plain, grad, (x, residual), ctx.mode, ctx.activation), None, None
    dx, dr = phi_residual_backward(grad, x, residual, ctx.mode, ctx.activation)
    return dx, dr, None, None


_ACTIVATIONS = {
    "none": lambda y: y,
    "relu": torch.relu,
    "gelu": partial(torch.nn.functional.gelu, approximate="tanh"),
    "gelu_erf": torch.nn.functional.gelu,
}


def _phi_residual_plain(x: Tensor, residual: Tensor, mode: str, activation: str) -> Tensor:
    _together("phi_residual", (x, residual))
    if x.shape != residual.shape:
        raise _core.ShapeError(f"phi_residual: operands of shapes {tuple(x.shape)} and {tuple(residual.shape)}; hint: one shape")
    a, b = _residual_slopes(mode)
    left, right = _wide(x), _wide(residual)
    total = (left + right) * a if a == b else left + right * b
    return _ACTIVATIONS[activation](total).to(x.dtype)


phi_residual = _define(
    "phi_residual(Tensor x, Tensor residual, str mode, str activation) -> Tensor",
    _core.phi_residual,
    like_images,
    around=pointwise,
    plain=_phi_residual_plain,
    keep=_phi_residual_keep,
    backward=_phi_residual_backward,
)
phi_residual_backward = _define(
    "phi_residual_backward(Tensor grad, Tensor x, Tensor residual, str mode, str activation) -> (Tensor, Tensor)",
    _core.phi_residual_backward,
    lambda grad, *_: (like_images(grad), like_images(grad)),
    around=pointwise,
)


# phi_residual_layer_norm

def _residual_norm_keep(ctx: Any, inputs: Any, output: Any) -> None:
    x, residual, weight, _, ctx.mode, ctx.activation, ctx.eps = inputs
    ctx.save_for_backward(x, residual, weight)


def _residual_norm_backward(ctx: Any, grad: Tensor) -> Any:
    x, residual, weight = ctx.saved_tensors
    grads = phi_residual_layer_norm_backward(grad, x, residual, weight, ctx.mode, ctx.activation, ctx.eps)
    return *grads, None, None, None


phi_residual_layer_norm = _define(
    "phi_residual_layer_norm(Tensor x, Tensor residual, Tensor weight, Tensor bias, str mode, str activation, float eps) -> Tensor",
    _core.phi_residual_layer_norm,
    _like,
    keep=_residual_norm_keep,
    backward=_residual_norm_backward,
    autocast=torch.float32,
)
phi_residual_layer_norm_backward = _define(
    "phi_residual_layer_norm_backward(Tensor grad, Tensor x, Tensor residual, Tensor weight, str mode, str activation, float eps)"
    " -> (Tensor, Tensor, Tensor, Tensor)",
    _core.phi_residual_layer_norm_backward,
    lambda grad, x, residual, weight, *_: (_like(x), _like(x), _like(weight), _like(weight)),
)


# layer_norm

def _layer_norm_keep(ctx: Any, inputs: Any, output: Any) -> None:
    x, weight, _, *ctx.settings = inputs
    ctx.save_for_backward(x, weight)


def _layer_norm_backward(ctx: Any, grad: Tensor) -> Any:
    x, weight = ctx.saved_tensors
    if weight is None:
        return layer_norm_backward_plain(grad, x, *ctx.settings), None, None, None, None, None
    return *layer_norm_backward(grad, x, weight, *ctx.settings), None, None, None


layer_norm = _define(
    "layer_norm(Tensor x, Tensor? weight, Tensor? bias, float variance, int axes, float eps) -> Tensor",
    _core.layer_norm,
    _like,
    keep=_layer_norm_keep,
    backward=_layer_norm_backward,
    autocast=torch.float32,
)
layer_norm_backward = _define(
    "layer_norm_backward(Tensor grad, Tensor x, Tensor weight, float variance, int axes, float eps) -> (Tensor, Tensor, Tensor)",
    _core.layer_norm_backward,
    lambda grad, x, weight, *_: (_like(x), _like(weight), _like(weight)),
)
layer_norm_backward_plain = _define(
    "layer_norm_backward_plain(Tensor grad, Tensor x, float variance, int axes, float eps) -> Tensor",
    lambda grad, x, *settings: _core.layer_norm_backward(grad, x, None, *settings)[0],
    lambda grad, x, *_: _like(x),
)


# rms_norm

_RMS_NORMS = {"standard": RowOperator("rms_norm"), "golden": RowOperator("golden_rms_norm")}


def _rms_norm_keep(ctx: Any, inputs: Any, output: Any) -> None:
    x, weight, ctx.mode, ctx.eps = inputs
    ctx.save_for_backward(x, weight)


def _rms_norm_backward(ctx: Any, grad: Tensor) -> Any:
    x, weight = ctx.saved_tensors
    return *rms_norm_backward(grad, x, weight, ctx.mode, ctx.eps), None, None


rms_norm = _define(
    "rms_norm(Tensor x, Tensor weight, str mode, float eps) -> Tensor",
    lambda x, weight, mode, eps: _RMS_NORMS[mode].call((x, weight), (eps,), -1),
    _like,
    keep=_rms_norm_keep,
    backward=_rms_norm_backward,
    autocast=torch.float32,
)
rms_norm_backward = _define(
    "rms_norm_backward(Tensor grad, Tensor x, Tensor weight, str mode, float eps) -> (Tensor, Tensor)",
    lambda grad, x, weight, mode, eps: tuple(_RMS_NORMS[mode].backward(grad, (x, weight), (eps,), -1)),
    lambda grad, x, weight, *_: (_like(x), _like(weight)),
)


# batch_norm

def _batch_norm(x: Any, weight: Any, bias: Any, variance: float, eps: float) -> Any:
    y, mean, var, _ = _core.batch_norm(x, x.ndim == 4, weight, bias, variance, eps)
    return y, mean, var


def _batch_norm_in_order(work: Callable[..., Any], x: Tensor, *others: Any) -> Any:
    if not is_channels_last(x):
        return work(x, *others)
    y, mean, var = work(rows(x), *others)
    return images(y, x), mean, var


def _statistics_like(x: Tensor) -> Tensor:
    """Those of half types are float32, which holds their variances."""
    return x.new_empty(x.shape[1], dtype=torch.float32 if x.dtype in _HALVES else x.dtype)


def _batch_norm_keep(ctx: Any, inputs: Any, output: Any) -> None:
    x, weight, _, ctx.variance, ctx.eps = inputs
    _, mean, var = output
    ctx.save_for_backward(x, weight, mean, var)
    # Running statistics are no part of what is differentiated, as in PyTorch's own.
    ctx.mark_non_differentiable(mean, var)


def _batch_norm_backward(ctx: Any, grad: Tensor, *_: Any) -> Any:
    x, weight, mean, var = ctx.saved_tensors
    return *batch_norm_backward(grad, x, weight, mean, var, ctx.variance, ctx.eps), None, None


def _batch_norm_backward_in_order(work: Callable[..., Any], grad: Tensor, x: Tensor, *others: Any) -> Any:
    if not is_channels_last(x):
        return work(grad, x, *others)
    if x.dtype in _HALVES:
        # No kernel has this over columns; one over planes with transposed copies is several times as fast as maps and folds.
        of_x, of_weight, of_bias = work(grad.contiguous(), x.contiguous(), *others)
        return of_x.contiguous(memory_format=torch.channels_last), of_weight, of_bias
    of_x, of_weight, of_bias = work(rows(grad), rows(x), *others)
    return images(of_x, x), of_weight, of_bias


def _batch_norm_gradients(grad: Any, x: Any, weight: Any, mean: Any, var: Any, variance: float, eps: float) -> Any:
    return _core.batch_norm_backward(grad, x, x.ndim == 4, weight, (mean, var), variance, eps)


batch_norm = _define(
    "batch_norm(Tensor x, Tensor weight, Tensor bias, float variance, float eps) -> (Tensor, Tensor, Tensor)",
    _batch_norm,
    lambda x, *_: (like_images(x), _statistics_like(x), _statistics_like(x)),
    around=_batch_norm_in_order,
    keep=_batch_norm_keep,
    backward=_batch_norm_backward,
    autocast=torch.float32,
)
batch_norm_backward = _define(
    "batch_norm_backward(Tensor grad, Tensor x, Tensor weight, Tensor mean, Tensor var, float variance, float eps)"
    " -> (Tensor, Tensor, Tensor)",
    _batch_norm_gradients,
    lambda grad, x, weight, *_: (like_images(x), _like(weight), _like(weight)),
    around=_batch_norm_backward_in_order,
)


# syntonic_softmax

def _softmax_keep(ctx: Any, inputs: Any, output: Any) -> None:
    _, weights, ctx.kind, ctx.dim, ctx.scale, _ = inputs
    ctx.save_for_backward(output, weights)


def _softmax_backward(ctx: Any, grad: Tensor) -> Any:
    output, weights = ctx.saved_tensors
    if weights is None or not _needs(ctx, 1):
        return syntonic_softmax_backward(grad, output, ctx.dim), None, None, None, None, None
    of_x, of_weights = syntonic_softmax_gradients(grad, output, weights, ctx.kind, ctx.dim, ctx.scale)
    return of_x, of_weights, None, None, None, None


syntonic_softmax = _define(
    "syntonic_softmax(Tensor x, Tensor? weights, str kind, int dim, float scale, bool masked_zero) -> Tensor",
    lambda x, weights, kind, *settings: _core.syntonic_softmax(x, kind, weights, *settings),
    _like,
    keep=_softmax_keep,
    backward=_softmax_backward,
    autocast=torch.float32,
)
syntonic_softmax_backward = _define(
    "syntonic_softmax_backward(Tensor grad, Tensor output, int dim) -> Tensor",
    _core.syntonic_softmax_backward,
    lambda grad, output, dim: _like(output),
)
syntonic_softmax_gradients = _define(
    "syntonic_softmax_gradients(Tensor grad, Tensor output, Tensor weights, str kind, int dim, float scale) -> (Tensor, Tensor)",
    lambda grad, output, weights, kind, dim, scale: _core.syntonic_softmax_gradients(grad, output, kind, weights, dim, scale)[:2],
    lambda grad, output, weights, *_: (_like(output), _like(weights)),
)


# golden_gelu

def _gelu_keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(inputs[0])


def _gelu_backward(ctx: Any, grad: Tensor) -> Any:
    (x,) = ctx.saved_tensors
    return _again(_gelu_plain, grad, (x,))[0] if torch.is_grad_enabled() else golden_gelu_backward(grad, x)


def _gelu_plain(x: Tensor) -> Tensor:
    y = _wide(x)
    return (y * torch.sigmoid(y * _core.PHI)).to(x.dtype)


golden_gelu = _define(
    "golden_gelu(Tensor x) -> Tensor",
    _core.golden_gelu,
    like_images,
    around=pointwise,
    plain=_gelu_plain,
    keep=_gelu_keep,
    backward=_gelu_backward,
)
golden_gelu_backward = _define(
    "golden_gelu_backward(Tensor grad, Tensor x) -> Tensor",
    _core.golden_gelu_backward,
    lambda grad, x: like_images(grad),
    around=pointwise,
)


# matmul

def _matmul_shape(a: Tensor, b: Tensor, precision: str) -> Tensor:
    lead = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.new_empty((*lead, a.shape[-2], b.shape[-1]))


def _matmul_keep(ctx: Any, inputs: Any, output: Any) -> None:
    a, b, ctx.precision = inputs
    ctx.save_for_backward(a, b)


def _matmul_backward(ctx: Any, grad: Tensor) -> Any:
    a, b = ctx.saved_tensors
    of_a = matmul(grad, b.mH, ctx.precision).sum_to_size(a.shape) if _needs(ctx, 0) else None
    of_b = matmul(a.mH, grad, ctx.precision).sum_to_size(b.shape) if _needs(ctx, 1) else None
    return of_a, of_b, None


matmul = _define(
    "matmul(Tensor a, Tensor b, str precision) -> Tensor",
    lambda a, b, precision: _core.matmul(a, b, None, precision),
    _matmul_shape,
    keep=_matmul_keep,
    backward=_matmul_backward,
    autocast=torch.float32,
)
