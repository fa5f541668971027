"""The operators and their gradients in PyTorch's own arithmetic: what transforms, gradients of gradients and fusing compilers see.

Half types are calculated with in float32 and rounded once, as the kernels do. Nothing here asks for a tensor's values, and nothing is
written in place.
"""

from __future__ import annotations

import torch
from torch.nn import functional

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor

_HALVES = (torch.float16, torch.bfloat16)
#: Types that PyTorch's settings let it multiply less exactly, and the next wider ones.
_WIDER = {torch.float32: torch.float64, torch.complex64: torch.complex128}


def _wide(x: Tensor) -> Tensor:
    """Numbers to calculate with: those of half types in float32, so that the result is rounded once."""
    return x.float() if x.dtype in _HALVES else x


# phi_residual

def residual_slopes(mode: str) -> tuple[float, float]:
    """What the sum has of x and of the residual."""
    slopes = {"phi": (1.0, _core.INV_PHI), "phi_symmetric": (_core.INV_PHI, _core.INV_PHI), "standard": (1.0, 1.0)}
    slope: tuple[float, float] = _one_of(slopes, "mode", mode)
    return slope


def _one_of(known: dict[str, Any], what: str, word: str) -> Any:
    if word not in known:
        raise _core.ArgumentError(f"phi_residual: {what} is {word!r:.40}; it must be one of {', '.join(map(repr, known))}")
    return known[word]


def _joined(x: Tensor, residual: Tensor, mode: str) -> Tensor:
    if x.shape != residual.shape:
        raise _core.ShapeError(f"phi_residual: operands of shapes {tuple(x.shape)} and {tuple(residual.shape)}; hint: one shape")
    a, b = residual_slopes(mode)
    left, right = _wide(x), _wide(residual)
    return (left + right) * a if a == b else left + right * b


_ACTIVATIONS = {
    "none": lambda y: y,
    "relu": torch.relu,
    "gelu": lambda y: functional.gelu(y, approximate="tanh"),
    "gelu_erf": functional.gelu,
}
_ACTIVATION_SLOPES = {
    "none": lambda grad, y: grad,
    "relu": lambda grad, y: torch.ops.aten.threshold_backward(grad, y, 0),
    "gelu": lambda grad, y: torch.ops.aten.gelu_backward(grad, y, approximate="tanh"),
    "gelu_erf": lambda grad, y: torch.ops.aten.gelu_backward(grad, y),
}


def _activated(x: Tensor, residual: Tensor, mode: str, activation: str) -> Tensor:
    activate = _one_of(_ACTIVATIONS, "activation", activation)
    y: Tensor = activate(_joined(x, residual, mode))
    return y


def phi_residual(x: Tensor, residual: Tensor, mode: str, activation: str) -> Tensor:
    """The sum, and its activation."""
    return _activated(x, residual, mode, activation).to(x.dtype)


def _residual_gradients(grad: Tensor, x: Tensor, residual: Tensor, mode: str, activation: str) -> tuple[Tensor, Tensor]:
    of_sum = _one_of(_ACTIVATION_SLOPES, "activation", activation)(grad, _joined(x, residual, mode))
    a, b = residual_slopes(mode)
    return (of_sum * a).to(x.dtype), (of_sum * b).to(x.dtype)


def phi_residual_backward(grad: Tensor, x: Tensor, residual: Tensor, mode: str, activation: str) -> tuple[Tensor, Tensor]:
    """Of x and of the residual."""
    return _residual_gradients(_wide(grad), x, residual, mode, activation)


# Norms: y = s (x - mean)/sqrt(var + eps), or x/sqrt(mean(x^2) + eps), then weight and bias

def _inverse(square: Tensor, over: tuple[int, ...], eps: float) -> Tensor:
    return torch.rsqrt(square.mean(over, True) + eps)


def _standard(x: Tensor, over: tuple[int, ...], eps: float) -> tuple[Tensor, Tensor]:
    """x with mean 0 and variance 1, and what it was multiplied by for that."""
    centred = x - x.mean(over, True)
    scale = _inverse(centred.square(), over, eps)
    return centred * scale, scale


def _through_standard(grad: Tensor, y: Tensor, scale: Tensor, over: tuple[int, ...]) -> Tensor:
    """The gradient of what `_standard` made y of."""
    return scale * (grad - grad.mean(over, True) - y * (grad * y).mean(over, True))


def _of_parameter(grad: Tensor, weight: Tensor) -> Tensor:
    """The gradient of a parameter that was broadcast over the axes in front."""
    lead = tuple(range(grad.ndim - weight.ndim))
    return (grad.sum(lead) if lead else grad).to(weight.dtype)


def layer_norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, variance: float, axes: int, eps: float) -> Tensor:
    """The layer norm over the last `axes` axes."""
    y, _ = _standard(_wide(x), tuple(range(-axes, 0)), eps)
    y = y * variance**0.5
    y = y if weight is None else y * _wide(weight)
    return (y if bias is None else y + _wide(bias)).to(x.dtype)


def layer_norm_backward(
    grad: Tensor, x: Tensor, weight: Tensor, variance: float, axes: int, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Of x, weight and bias."""
    g = _wide(grad)
    y, _ = _standard(_wide(x), tuple(range(-axes, 0)), eps)
    of_x = _layer_slope(g * _wide(weight), x, variance, axes, eps)
    return of_x.to(x.dtype), _of_parameter(g * y * variance**0.5, weight), _of_parameter(g, weight)


def layer_norm_backward_plain(grad: Tensor, x: Tensor, variance: float, axes: int, eps: float) -> Tensor:
    """Of x, without parameters."""
    return _layer_slope(_wide(grad), x, variance, axes, eps).to(x.dtype)


def _layer_slope(grad: Tensor, x: Tensor, variance: float, axes: int, eps: float) -> Tensor:
    over = tuple(range(-axes, 0))
    y, scale = _standard(_wide(x), over, eps)
    return _through_standard(grad * variance**0.5, y, scale, over)


def phi_residual_layer_norm(
    x: Tensor, residual: Tensor, weight: Tensor, bias: Tensor, mode: str, activation: str, eps: float
) -> Tensor:
    """`phi_residual` and its layer norm over the last axis."""
    y = _activated(x, residual, mode, activation)
    return layer_norm(y, _wide(weight), _wide(bias), 1.0, 1, eps).to(x.dtype)


def phi_residual_layer_norm_backward(
    grad: Tensor, x: Tensor, residual: Tensor, weight: Tensor, mode: str, activation: str, eps: float
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of x, the residual, weight and bias."""
    joined = _activated(x, residual, mode, activation)
    of_joined, of_weight, of_bias = layer_norm_backward(_wide(grad), joined, _wide(weight), 1.0, 1, eps)
    of_x, of_residual = _residual_gradients(of_joined, x, residual, mode, activation)
    return of_x, of_residual, of_weight.to(weight.dtype), of_bias.to(weight.dtype)


def _rms_slope(mode: str) -> float:
    return float(_core.INV_PHI) ** 0.5 if mode == "golden" else 1.0


def rms_norm(x: Tensor, weight: Tensor, mode: str, eps: float) -> Tensor:
    """The RMS norm over the last axis."""
    y = _wide(x)
    return (y * _inverse(y.square(), (-1,), eps) * _rms_slope(mode) * _wide(weight)).to(x.dtype)


def rms_norm_backward(grad: Tensor, x: Tensor, weight: Tensor, mode: str, eps: float) -> tuple[Tensor, Tensor]:
    """Of x and the weight."""
    z = _wide(x)
    scale = _inverse(z.square(), (-1,), eps)
    y, g = z * scale, _wide(grad) * _rms_slope(mode)
    of_y = g * _wide(weight)
    of_x = scale * (of_y - y * (of_y * y).mean(-1, True))
    return of_x.to(x.dtype), _of_parameter(g * y, weight)


def _channels(x: Tensor, parameter: Tensor) -> Tensor:
    """A parameter of the channels beside x."""
    return _wide(parameter).reshape(-1, *[1] * (x.ndim - 2))


def _positions(x: Tensor) -> tuple[int, ...]:
    return (0, *range(2, x.ndim))


def batch_norm(x: Tensor, weight: Tensor, bias: Tensor, variance: float, eps: float) -> tuple[Tensor, Tensor, Tensor]:
    """The normed images; the mean and variance of each channel, which are not differentiated."""
    z, over = _wide(x), _positions(x)
    y, _ = _standard(z, over, eps)
    y = y * variance**0.5 * _channels(x, weight) + _channels(x, bias)
    still = z.detach()
    return y.to(x.dtype), still.mean(over).to(x.dtype), still.var(over, correction=0).to(x.dtype)


def batch_norm_backward(
    grad: Tensor, x: Tensor, weight: Tensor, mean: Tensor, var: Tensor, variance: float, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Of x, weight and bias. Mean and variance are what x has."""
    g, over = _wide(grad), _positions(x)
    y, scale = _standard(_wide(x), over, eps)
    g_y = g * variance**0.5
    of_x = _through_standard(g_y * _channels(x, weight), y, scale, over)
    return of_x.to(x.dtype), (g_y * y).sum(over).to(weight.dtype), g.sum(over).to(weight.dtype)


# syntonic_softmax

def _classes(x: Tensor, weights: Tensor, dim: int) -> Tensor:
    """Numbers of the classes along the axis `dim` of x."""
    return weights.reshape(-1, *[1] * (x.ndim - 1 - dim % x.ndim))


def syntonic_softmax(x: Tensor, weights: Tensor | None, kind: str, dim: int, scale: float, masked_zero: bool) -> Tensor:
    """The probabilities."""
    if x.numel() == 0:
        return x.clone()
    z = _wide(x)
    if weights is not None and scale != 0:
        w = _wide(weights)
        if kind == "provided":
            z = z + w.log() * scale
        else:
            z = z + _classes(x, w * -_core.INV_PHI if kind == "norms" else w, dim) * scale
    # Not PyTorch's function, whose forward-mode derivative cannot be differentiated again.
    largest = z.detach().amax(dim, True)
    e = torch.exp(z - (torch.where(torch.isneginf(largest), 0.0, largest) if masked_zero else largest))
    total = e.sum(dim, True)
    return (e / (torch.where(total == 0, 1.0, total) if masked_zero else total)).to(x.dtype)


def syntonic_softmax_backward(grad: Tensor, output: Tensor, dim: int) -> Tensor:
    """Of the logits."""
    return _softmax_slope(grad, output, dim).to(output.dtype)


def _softmax_slope(grad: Tensor, output: Tensor, dim: int) -> Tensor:
    g, p = _wide(grad), _wide(output)
    return p * (g - (g * p).sum(dim, True))


def syntonic_softmax_gradients(
    grad: Tensor, output: Tensor, weights: Tensor, kind: str, dim: int, scale: float
) -> tuple[Tensor, Tensor]:
    """Of the logits and of the weights."""
    of_x = _softmax_slope(grad, output, dim)
    if kind == "provided":
        w = _wide(weights)
        of_weights = torch.where(w == 0, 0.0, of_x * scale / torch.where(w == 0, 1.0, w))
    else:
        slope = -_core.INV_PHI * scale if kind == "norms" else scale
        others = tuple(k for k in range(of_x.ndim) if k != dim % of_x.ndim)
        of_weights = (of_x.sum(others) if others else of_x) * slope
    return of_x.to(output.dtype), of_weights.to(weights.dtype)


# golden_gelu

def golden_gelu(x: Tensor) -> Tensor:
    """x/(1 + e^(-phi x))."""
    y = _wide(x)
    return (y * torch.sigmoid(y * _core.PHI)).to(x.dtype)


def golden_gelu_backward(grad: Tensor, x: Tensor) -> Tensor:
    """Of x."""
    y = _wide(x)
    s = torch.sigmoid(y * _core.PHI)
    # 1 - s as its own function: where s rounds to 1 the difference has no digits left.
    return (_wide(grad) * (s + y * s * torch.sigmoid(-_core.PHI * y) * _core.PHI)).to(x.dtype)


# matmul

def matmul(a: Tensor, b: Tensor, precision: str) -> Tensor:
    """The product, in the next wider type unless "medium" allows what PyTorch's settings do."""
    wide = torch.float32 if a.dtype in _HALVES else _WIDER.get(a.dtype, a.dtype) if precision != "medium" else a.dtype
    return torch.matmul(a.to(wide), b.to(wide)).to(a.dtype)
