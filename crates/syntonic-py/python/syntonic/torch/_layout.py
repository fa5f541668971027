"""How operators go over images that lie channels-last, and leave them so."""

from __future__ import annotations

import torch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def is_channels_last(x: Tensor) -> bool:
    """Whether the channels of a pixel are neighbours in memory."""
    return x.ndim == 4 and not x.is_contiguous() and x.is_contiguous(memory_format=torch.channels_last)


def like_images(x: Tensor, *_: Any) -> Tensor:
    """A new tensor of the shape of x, channels-last where x is."""
    return torch.empty_like(x, memory_format=torch.channels_last if is_channels_last(x) else torch.contiguous_format)


def pointwise(work: Callable[..., Any], x: Tensor, *others: Any) -> Any:
    """`work`, element by element, in the order of x in memory."""
    if not is_channels_last(x):
        return work(x, *others)

    def turned(value: Any) -> Any:
        return value.permute(0, 2, 3, 1) if isinstance(value, torch.Tensor) else value

    made = work(turned(x), *map(turned, others))
    if isinstance(made, tuple):
        return tuple(y.permute(0, 3, 1, 2) for y in made)
    return made.permute(0, 3, 1, 2)


def rows(x: Tensor) -> Tensor:
    """Images as one row of channels for each pixel: `[B, C, H, W] -> [B*H*W, C]`."""
    return x.permute(0, 2, 3, 1).reshape(-1, x.shape[1])


def images(pixels: Tensor, like: Tensor) -> Tensor:
    """What `rows` was made of."""
    batch, channels, height, width = like.shape
    return pixels.view(batch, height, width, channels).permute(0, 3, 1, 2)
