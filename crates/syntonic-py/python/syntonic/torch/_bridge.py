"""How an operator of ours runs over PyTorch's tensors: over their memory, in PyTorch's stream, with memory of PyTorch's allocator."""

from __future__ import annotations

import math
from functools import cache, partial

import torch

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _result(made: torch.Tensor, dtype: str, shape: tuple[int, ...]) -> torch.Tensor:
    """The bytes of a result as the tensor that it is."""
    kind: torch.dtype = getattr(torch, dtype)
    wanted = math.prod(shape) * kind.itemsize
    if made.numel() != wanted:
        made = made[:wanted]
    return made.view(kind).view(shape)


@cache
def _empty(device: torch.device) -> Callable[[int], torch.Tensor]:
    return partial(torch.empty, dtype=torch.uint8, device=device)


def run(function: Callable[..., Any], device: torch.device, *arguments: Any) -> Any:
    """`function(*arguments)`, where tensors are States over the same memory, and States of the result become new tensors."""
    return _core._visit(torch.Tensor, _empty(device), _result, function, *arguments)
