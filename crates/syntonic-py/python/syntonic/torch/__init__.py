"""Operators for PyTorch: over PyTorch's tensors, in its streams and memory, with gradients, autocast and `torch.compile`.

    import torch
    from syntonic.torch import nn, phi_residual

    norm = nn.LayerNorm(512)              # a torch.nn.Module with the parameters of torch.nn.LayerNorm
    y = phi_residual(x, norm(x))          # x + norm(x)/phi; y.backward() works, and so does torch.compile

Importing this package imports PyTorch 2.10 or newer, which is no dependency of `syntonic`. The operators are also there as
`torch.ops.syntonic.*`. On a GPU they take PyTorch's current stream, its allocator gives all memory, and CUDA graphs of PyTorch
capture them. Transforms of `torch.func`, forward-mode tangents and gradients of gradients run an operator's formula in PyTorch's own
arithmetic; a trace or a graph of any kind has the operator in it. Layouts other than strided, and devices other than the CPU and CUDA,
are a NotImplementedError that names the operator.
"""

from __future__ import annotations

try:
    import torch as _torch
except ImportError as error:
    raise ImportError("syntonic.torch needs PyTorch 2.10 or newer; hint: pip install torch") from error

if not hasattr(_torch.Tensor, "__dlpack_c_exchange_api__"):
    raise ImportError(f"syntonic.torch needs PyTorch 2.10 or newer, and this is {_torch.__version__}; hint: pip install -U torch")

from syntonic.torch import nn
from syntonic.torch._functions import *  # noqa: F403
from syntonic.torch._functions import __all__ as _functions

__all__ = [*_functions, "nn"]
