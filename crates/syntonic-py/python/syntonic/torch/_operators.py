"""The operators as PyTorch knows them, `torch.ops.syntonic.*`: schema, kernel, shapes, formula, gradient and autocast of each.

Each is one `define`. A gradient is an operator too. Images stay channels-last where they are.
"""

from __future__ import annotations

import math

import torch
from torch.utils.flop_counter import register_flop_formula

from syntonic import _core
from syntonic._core import RowOperator
from syntonic.torch import _formulas
from syntonic.torch._layout import images, is_channels_last, like_images, pointwise, rows
from syntonic.torch._registry import define

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor

_HALVES = (torch.float16, torch.bfloat16)


def _like(x: Tensor, *_: Any) -> Tensor:
    return x.new_empty(x.shape)


def _needs(ctx: Any, *positions: int) -> bool:
    return any(ctx.needs_input_grad[k] for k in positions)


# phi_residual

def _phi_residual_keep(ctx: Any, inputs: Any, output: Any) -> None:
    x, residual, ctx.mode, ctx.activation = inputs
    if ctx.activation != "none":
        ctx.save_for_backward(x, residual)


def _phi_residual_backward(ctx: Any, grad: Tensor) -> Any:
    if ctx.activation == "none":
        # Plain products, which PyTorch's compiler fuses with what stands beside them.
        a, b = _formulas.residual_slopes(ctx.mode)
        return grad if a == 1.0 else grad * a, grad if b == 1.0 else grad * b, None, None
    x, residual = ctx.saved_tensors
    dx, dr = phi_residual_backward(grad, x, residual, ctx.mode, ctx.activation)
    return dx, dr, None, None


phi_residual = define(
    "phi_residual(Tensor x, Tensor residual, str mode, str activation) -> Tensor",
    _core.residual,
    like_images,
    _formulas.phi_residual,
    around=pointwise,
    fuses=True,
    keep=_phi_residual_keep,
    backward=_phi_residual_backward,
)
phi_residual_backward = define(
    "phi_residual_backward(Tensor grad, Tensor x, Tensor residual, str mode, str activation) -> (Tensor, Tensor)",
    _core.phi_residual_backward,
    lambda grad, *_: (like_images(grad), like_images(grad)),
    _formulas.phi_residual_backward,
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


phi_residual_layer_norm = define(
    "phi_residual_layer_norm(Tensor x, Tensor residual, Tensor weight, Tensor bias, str mode, str activation, float eps) -> Tensor",
    _core.phi_residual_layer_norm,
    _like,
    _formulas.phi_residual_layer_norm,
    keep=_residual_norm_keep,
    backward=_residual_norm_backward,
    autocast=torch.float32,
)
phi_residual_layer_norm_backward = define(
    "phi_residual_layer_norm_backward(Tensor grad, Tensor x, Tensor residual, Tensor weight, str mode, str activation, float eps)"
    " -> (Tensor, Tensor, Tensor, Tensor)",
    _core.phi_residual_layer_norm_backward,
    lambda grad, x, residual, weight, *_: (_like(x), _like(x), _like(weight), _like(weight)),
    _formulas.phi_residual_layer_norm_backward,
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


layer_norm = define(
    "layer_norm(Tensor x, Tensor? weight, Tensor? bias, float variance, int axes, float eps) -> Tensor",
    _core.layer_norm,
    _like,
    _formulas.layer_norm,
    keep=_layer_norm_keep,
    backward=_layer_norm_backward,
    autocast=torch.float32,
)
layer_norm_backward = define(
    "layer_norm_backward(Tensor grad, Tensor x, Tensor weight, float variance, int axes, float eps) -> (Tensor, Tensor, Tensor)",
    _core.layer_norm_backward,
    lambda grad, x, weight, *_: (_like(x), _like(weight), _like(weight)),
    _formulas.layer_norm_backward,
)
layer_norm_backward_plain = define(
    "layer_norm_backward_plain(Tensor grad, Tensor x, float variance, int axes, float eps) -> Tensor",
    lambda grad, x, *settings: _core.layer_norm_backward(grad, x, None, *settings)[0],
    lambda grad, x, *_: _like(x),
    _formulas.layer_norm_backward_plain,
)


# rms_norm

_RMS_NORMS = {"standard": RowOperator("rms_norm"), "golden": RowOperator("golden_rms_norm")}


def _rms_norm_keep(ctx: Any, inputs: Any, output: Any) -> None:
    x, weight, ctx.mode, ctx.eps = inputs
    ctx.save_for_backward(x, weight)


def _rms_norm_backward(ctx: Any, grad: Tensor) -> Any:
    x, weight = ctx.saved_tensors
    return *rms_norm_backward(grad, x, weight, ctx.mode, ctx.eps), None, None


rms_norm = define(
    "rms_norm(Tensor x, Tensor weight, str mode, float eps) -> Tensor",
    lambda x, weight, mode, eps: _RMS_NORMS[mode].call((x, weight), (eps,), -1),
    _like,
    _formulas.rms_norm,
    keep=_rms_norm_keep,
    backward=_rms_norm_backward,
    autocast=torch.float32,
)
rms_norm_backward = define(
    "rms_norm_backward(Tensor grad, Tensor x, Tensor weight, str mode, float eps) -> (Tensor, Tensor)",
    lambda grad, x, weight, mode, eps: tuple(_RMS_NORMS[mode].backward(grad, (x, weight), (eps,), -1)),
    lambda grad, x, weight, *_: (_like(x), _like(weight)),
    _formulas.rms_norm_backward,
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


batch_norm = define(
    "batch_norm(Tensor x, Tensor weight, Tensor bias, float variance, float eps) -> (Tensor, Tensor, Tensor)",
    _batch_norm,
    lambda x, *_: (like_images(x), _statistics_like(x), _statistics_like(x)),
    _formulas.batch_norm,
    around=_batch_norm_in_order,
    keep=_batch_norm_keep,
    backward=_batch_norm_backward,
    autocast=torch.float32,
)
batch_norm_backward = define(
    "batch_norm_backward(Tensor grad, Tensor x, Tensor weight, Tensor mean, Tensor var, float variance, float eps)"
    " -> (Tensor, Tensor, Tensor)",
    _batch_norm_gradients,
    lambda grad, x, weight, *_: (like_images(x), _like(weight), _like(weight)),
    _formulas.batch_norm_backward,
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


syntonic_softmax = define(
    "syntonic_softmax(Tensor x, Tensor? weights, str kind, int dim, float scale, bool masked_zero) -> Tensor",
    lambda x, weights, kind, *settings: _core.syntonic_softmax(x, kind, weights, *settings),
    _like,
    _formulas.syntonic_softmax,
    keep=_softmax_keep,
    backward=_softmax_backward,
    autocast=torch.float32,
)
syntonic_softmax_backward = define(
    "syntonic_softmax_backward(Tensor grad, Tensor output, int dim) -> Tensor",
    _core.syntonic_softmax_backward,
    lambda grad, output, dim: _like(output),
    _formulas.syntonic_softmax_backward,
)
syntonic_softmax_gradients = define(
    "syntonic_softmax_gradients(Tensor grad, Tensor output, Tensor weights, str kind, int dim, float scale) -> (Tensor, Tensor)",
    lambda grad, output, weights, kind, dim, scale: _core.syntonic_softmax_gradients(grad, output, kind, weights, dim, scale)[:2],
    lambda grad, output, weights, *_: (_like(output), _like(weights)),
    _formulas.syntonic_softmax_gradients,
)


# golden_gelu

def _gelu_keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(inputs[0])


def _gelu_backward(ctx: Any, grad: Tensor) -> Any:
    (x,) = ctx.saved_tensors
    return golden_gelu_backward(grad, x)


golden_gelu = define(
    "golden_gelu(Tensor x) -> Tensor",
    _core.golden_gelu,
    like_images,
    _formulas.golden_gelu,
    around=pointwise,
    fuses=True,
    keep=_gelu_keep,
    backward=_gelu_backward,
)
golden_gelu_backward = define(
    "golden_gelu_backward(Tensor grad, Tensor x) -> Tensor",
    _core.golden_gelu_backward,
    lambda grad, x: like_images(grad),
    _formulas.golden_gelu_backward,
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


matmul = define(
    "matmul(Tensor a, Tensor b, str precision) -> Tensor",
    lambda a, b, precision: _core.matmul(a, b, None, precision),
    _matmul_shape,
    _formulas.matmul,
    keep=_matmul_keep,
    backward=_matmul_backward,
    autocast=torch.float32,
)


@register_flop_formula(torch.ops.syntonic.matmul)
def _matmul_operations(a: Any, b: Any, *_: Any, out_shape: Any = None, **__: Any) -> int:
    """Products and sums, for PyTorch's counter of them."""
    return 2 * math.prod(out_shape) * int(a[-1])
