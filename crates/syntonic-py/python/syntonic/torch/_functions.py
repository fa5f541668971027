"""The operators as functions with PyTorch's signatures."""

from __future__ import annotations

import torch

from syntonic import _core
from syntonic.nn import _weights
from syntonic.torch import _operators
from syntonic.torch._overrides import overridable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = [
    "batch_norm",
    "gelu",
    "layer_norm",
    "matmul",
    "phi_residual",
    "phi_residual_layer_norm",
    "rms_norm",
    "softmax",
]


def _variance(op: str, mode: str) -> float:
    known = {"golden": _core.INV_PHI, "standard": 1.0}
    if mode not in known:
        raise _core.ArgumentError(f"{op}: mode is {mode!r:.40}; it must be 'golden' or 'standard'")
    return known[mode]


def _together(*tensors: Tensor) -> tuple[Tensor, ...]:
    """The tensors in the type that PyTorch's own arithmetic would give them."""
    dtype = tensors[0].dtype
    for t in tensors[1:]:
        dtype = torch.promote_types(dtype, t.dtype)
    return tuple(t if t.dtype == dtype else t.to(dtype) for t in tensors)


@overridable
def phi_residual(x: Tensor, residual: Tensor, mode: str = "phi", *, activation: str = "none") -> Tensor:
    """x + residual/phi, then an activation, in one pass: tensors of one shape.

    `mode` is "phi", "phi_symmetric" ((x + residual)/phi) or "standard" (x + residual); `activation` is "none", "relu", "gelu" or
    "gelu_erf". Types are promoted as by `+`."""
    x, residual = _together(x, residual)
    return _operators.phi_residual(x, residual, mode, activation)


@overridable
def phi_residual_layer_norm(
    x: Tensor, residual: Tensor, weight: Tensor, bias: Tensor, mode: str = "phi", *, activation: str = "none", eps: float = 1e-5
) -> Tensor:
    """`phi_residual`, then its layer norm over the last axis, in one pass: `[.., n], [.., n], [n], [n] -> [.., n]`."""
    x, residual = _together(x, residual)
    return _operators.phi_residual_layer_norm(x, residual, weight, bias, mode, activation, eps)


@overridable
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    *,
    mode: str = "golden",
) -> Tensor:
    """sqrt(v) (x - mean)/sqrt(var + eps) * weight + bias over the last axes, as `torch.nn.functional.layer_norm`; v is the variance
    that the result has, 1/phi for "golden" and 1 for "standard"."""
    shape = tuple(normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise _core.ShapeError(f"layer_norm: the input of shape {tuple(input.shape)} does not end in normalized_shape {shape}")
    weight, bias = _pair(weight, bias)
    return _operators.layer_norm(input, weight, bias, _variance("layer_norm", mode), len(shape), eps)


def _pair(weight: Tensor | None, bias: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """Both or neither, with a 1 or 0 in the place of one that is missing."""
    if weight is not None and bias is None:
        return weight, torch.zeros_like(weight)
    if bias is not None and weight is None:
        return torch.ones_like(bias), bias
    return weight, bias


@overridable
def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None, *, mode: str = "golden"
) -> Tensor:
    """x/sqrt(mean(x^2) + eps) * weight over the last axis, times 1/sqrt(phi) for "golden", as `torch.nn.functional.rms_norm`.
    Without `eps` it is the distance of 1 from the next larger number of the type."""
    shape = tuple(normalized_shape)
    if len(shape) != 1 or input.ndim == 0 or input.shape[-1] != shape[0]:
        raise _core.ShapeError(
            f"rms_norm: the input of shape {tuple(input.shape)} and normalized_shape {shape}; hint: one axis, the last one"
        )
    _variance("rms_norm", mode)
    if weight is None:
        weight = input.new_ones(shape)
    return _operators.rms_norm(input, weight, mode, torch.finfo(input.dtype).eps if eps is None else eps)


def _is_mapped(t: Tensor) -> bool:
    """Whether a tensor is one of a batch to a function that `torch.vmap` calls."""
    mapped: bool = torch._C._functorch.is_batchedtensor(t)
    return mapped


@overridable
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float | Tensor = 0.1,
    eps: float = 1e-5,
    *,
    mode: str = "golden",
) -> Tensor:
    """sqrt(v) (x - mean)/sqrt(var + eps) * weight + bias per channel of `[B, C]`, `[B, C, H, W]`, as
    `torch.nn.functional.batch_norm`; v as in `layer_norm`. In training the statistics are the batch's, and the running ones, if
    given, take them in, with the variance divided by one less than the count; else the running ones are used."""
    variance = _variance("batch_norm", mode)
    if input.ndim not in (2, 4):
        raise _core.ShapeError(f"batch_norm: the input has the shape {tuple(input.shape)}; hint: [B, C] or [B, C, H, W]")
    channels = input.shape[1]
    weight = input.new_ones(channels) if weight is None else weight
    bias = input.new_zeros(channels) if bias is None else bias
    if not training:
        if running_mean is None or running_var is None:
            raise _core.ArgumentError("batch_norm: evaluation needs running statistics; hint: running_mean and running_var")
        # Nothing is summed here: plain arithmetic, which PyTorch fuses with its neighbours.
        if input.dtype in (torch.float16, torch.bfloat16):
            # PyTorch takes parameters in float32 beside images of half types: the factor is not rounded to them.
            weight, bias, running_mean, running_var = (t.float() for t in (weight, bias, running_mean, running_var))
        scale = weight * (variance**0.5)
        return torch.nn.functional.batch_norm(input, running_mean, running_var, scale, bias, False, 0.0, eps)
    y, mean, var = _operators.batch_norm(input, weight, bias, variance, eps)
    if running_mean is not None and running_var is not None:
        if _is_mapped(mean) and not (_is_mapped(running_mean) and _is_mapped(running_var)):
            raise _core.ArgumentError(
                "batch_norm: vmap over batches that update one running_mean and running_var, which would have to take in all of them; hint: "
                "track_running_stats=False, torch.func.replace_all_batch_norm_modules_, or running statistics for each batch"
            )
        count = input.numel() // max(channels, 1)
        with torch.no_grad():
            running_mean.lerp_(mean.to(running_mean.dtype), momentum)
            if count > 1:
                running_var.lerp_(var.to(running_var.dtype) * (count / (count - 1)), momentum)
    return y


@overridable
def softmax(
    input: Tensor,
    dim: int = -1,
    *,
    mode_norms: Tensor | None = None,
    log_weights: Tensor | None = None,
    weights: Tensor | None = None,
    scale: float = 1.0,
    masked_zero: bool = False,
) -> Tensor:
    """The syntonic softmax p_i = w_i^s e^(x_i)/sum_j w_j^s e^(x_j) along `dim`, of C classes. The weights come from `mode_norms` ([C],
    |n|^2 of each class: w = e^(-|n|^2/phi)), from `log_weights` ([C]) or from `weights` of the input's shape; without any, all
    are 1."""
    kind, values = _weights("softmax", None, mode_norms, weights, log_weights)
    return _operators.syntonic_softmax(input, values, kind, dim, scale, masked_zero)


@overridable
def gelu(input: Tensor) -> Tensor:
    """The golden GELU, x/(1 + e^(-phi x)). Half types are rounded once."""
    return _operators.golden_gelu(input)


@overridable
def matmul(a: Tensor, b: Tensor, *, precision: str = "high") -> Tensor:
    """a @ b: `[.., m, k], [.., k, n] -> [.., m, n]`. With "high", products of float32 are as exact as float32's own arithmetic, by
    whichever way the GPU finds quicker; "highest" is the type's own arithmetic, and "medium" rounds factors to TF32. Under autocast
    the operands stay float32, which is what the operator is for."""
    if a.ndim < 2 or b.ndim < 2:
        raise _core.ShapeError(
            f"matmul: operands of shapes {tuple(a.shape)} and {tuple(b.shape)}; hint: two axes or more, x[None, :] for a vector"
        )
    return _operators.matmul(a, b, precision)
