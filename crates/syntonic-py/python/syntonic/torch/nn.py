"""Modules with the names, arguments and parameters of PyTorch's: a state_dict of one loads into the other.

The norms are subclasses of PyTorch's, so that what goes by the class (`update_bn`, weight decay lists, wrapping policies) finds them. What
would replace or fold one by PyTorch's formula is refused by its `eps`.
"""

from __future__ import annotations

import torch

from syntonic import _core
from syntonic.torch import _functions as F
from syntonic.torch._overrides import one_node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor

__all__ = [
    "GELU",
    "BatchNorm1d",
    "BatchNorm2d",
    "LayerNorm",
    "Linear",
    "PhiResidual",
    "PhiResidualLayerNorm",
    "RMSNorm",
    "Softmax",
]


def _refuse(use: str) -> _core.ArgumentError:
    return _core.ArgumentError(
        f"{use}: this eps is of a golden norm, whose formula has the factor 1/sqrt(phi); PyTorch's own formula with its parts would drop it; "
        "hint: call the norm itself, make it with mode='standard', or read the number by float(norm.eps)"
    )


class _GoldenEps:
    """The eps of a golden norm. Programs that put a norm together from its parts, such as those that fold it into a convolution or
    replace it by one of PyTorch's, add this to a variance or hand it to a function of PyTorch's: both refuse it."""

    def __init__(self, eps: float | None) -> None:
        self._eps = eps

    def __float__(self) -> float:
        if self._eps is None:
            raise TypeError("the eps of this norm is the distance of 1 from the next larger number of the input's type")
        return self._eps

    def __repr__(self) -> str:
        return repr(self._eps)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise _refuse(getattr(function, "__name__", repr(function)))

    def _compared(self, other: object) -> bool:
        raise _refuse("comparison")

    __lt__ = __le__ = __gt__ = __ge__ = _compared


class _Golden(torch.nn.Module):
    """A norm of PyTorch's with a mode."""

    def __init__(self, *args: Any, mode: str = "golden", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.mode = mode

    @property
    def eps(self) -> Any:
        """What is added to the variance; for "golden" no number but an object that `float` reads."""
        eps = self.__dict__["eps"]
        return eps if self.mode == "standard" else _GoldenEps(eps)

    @eps.setter
    def eps(self, eps: Any) -> None:
        self.__dict__["eps"] = float(eps) if isinstance(eps, _GoldenEps) else eps

    def extra_repr(self) -> str:
        """What PyTorch shows, and the mode."""
        return f"{super().extra_repr()}, mode={self.mode!r}"


class LayerNorm(_Golden, torch.nn.LayerNorm):
    """`torch.nn.LayerNorm` whose result has the variance of the mode: 1/phi for "golden", 1 for "standard"."""

    @one_node
    def forward(self, input: Tensor) -> Tensor:
        """The normed input."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.__dict__["eps"], mode=self.mode)


class RMSNorm(_Golden, torch.nn.RMSNorm):
    """`torch.nn.RMSNorm` over the last axis, with the mean square 1/phi for "golden"."""

    @one_node
    def forward(self, x: Tensor) -> Tensor:
        """The normed input."""
        return F.rms_norm(x, self.normalized_shape, self.weight, self.__dict__["eps"], mode=self.mode)


class _BatchNorm(_Golden, torch.nn.modules.batchnorm._BatchNorm):
    @one_node
    def forward(self, input: Tensor) -> Tensor:
        """The normed input; in training the running statistics take the batch in."""
        self._check_input_dim(input)
        momentum: float | Tensor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                # A tensor, which a graph computes anew; a number would be written into it.
                momentum = self.num_batches_tracked.to(self.running_mean.dtype).reciprocal()
        training = self.training or self.running_mean is None
        keeps = not self.training or self.track_running_stats
        mean, var = (self.running_mean, self.running_var) if keeps else (None, None)
        return F.batch_norm(input, mean, var, self.weight, self.bias, training, momentum, self.__dict__["eps"], mode=self.mode)


class BatchNorm1d(_BatchNorm):
    """`torch.nn.BatchNorm1d` of `[B, C]`, whose result has the variance of the mode per channel."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim != 2:
            raise ValueError(f"expected [B, C], got an input of shape {tuple(input.shape)}")


class BatchNorm2d(_BatchNorm):
    """`torch.nn.BatchNorm2d` of `[B, C, H, W]`, whose result has the variance of the mode per channel."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim != 4:
            raise ValueError(f"expected [B, C, H, W], got an input of shape {tuple(input.shape)}")


class GELU(torch.nn.Module):
    """The golden GELU, x/(1 + e^(-phi x))."""

    @one_node
    def forward(self, input: Tensor) -> Tensor:
        """The activated input."""
        return F.gelu(input)


class Softmax(torch.nn.Module):
    """The syntonic softmax along `dim`; `mode_norms`, a tensor with |n|^2 of each class, is saved with the module."""

    mode_norms: Tensor | None

    def __init__(self, dim: int = -1, *, mode_norms: Tensor | None = None, scale: float = 1.0) -> None:
        super().__init__()
        self.dim, self.scale = dim, scale
        self.register_buffer("mode_norms", mode_norms)

    @one_node
    def forward(self, input: Tensor) -> Tensor:
        """Probabilities."""
        norms = None if self.mode_norms is None else self.mode_norms.to(input.dtype)
        return F.softmax(input, self.dim, mode_norms=norms, scale=self.scale)

    def extra_repr(self) -> str:
        """The axis and the scale."""
        return f"dim={self.dim}, scale={self.scale}"


class Linear(torch.nn.Linear):
    """`torch.nn.Linear` whose product of float32 is as exact as float32's own arithmetic, whatever PyTorch's settings are."""

    def __init__(self, *args: Any, precision: str = "high", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.precision = precision

    @one_node
    def forward(self, input: Tensor) -> Tensor:
        """input @ weight.T + bias."""
        rows = input if input.ndim > 1 else input[None]
        y = F.matmul(rows, self.weight.mT, precision=self.precision)
        y = y if self.bias is None else y + self.bias
        return y if input.ndim > 1 else y[0]


class PhiResidual(torch.nn.Module):
    """`phi_residual(x, inner(x))`."""

    def __init__(self, inner: Callable[..., Tensor], *, mode: str = "phi", activation: str = "none") -> None:
        super().__init__()
        self.inner, self.mode, self.activation = inner, mode, activation

    def forward(self, x: Tensor) -> Tensor:
        """The sum."""
        return F.phi_residual(x, self.inner(x), self.mode, activation=self.activation)


class PhiResidualLayerNorm(torch.nn.Module):
    """`phi_residual(x, residual)` and its layer norm over the last axis of length `width`, in one pass."""

    def __init__(self, width: int, eps: float = 1e-5, *, mode: str = "phi", device: Any = None, dtype: torch.dtype | None = None) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width, device=device, dtype=dtype))
        self.bias = torch.nn.Parameter(torch.zeros(width, device=device, dtype=dtype))
        self.eps, self.mode = eps, mode

    @one_node
    def forward(self, x: Tensor, residual: Tensor) -> Tensor:
        """The normed sum."""
        return F.phi_residual_layer_norm(x, residual, self.weight, self.bias, self.mode, eps=self.eps)
