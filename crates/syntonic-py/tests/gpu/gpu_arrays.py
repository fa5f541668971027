"""Values that the tests on a GPU share."""

from __future__ import annotations

import numpy as np

NAMES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
).split()


def numbers(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Small whole numbers that every type holds, different from place to place."""
    values = (np.arange(int(np.prod(shape))) * 7 + 3) % 11
    if dtype.startswith("complex"):
        return (values + 1j * (values % 3)).astype(dtype).reshape(shape)
    return values.astype(dtype).reshape(shape)


def walks(x: object) -> list[object]:
    """Views of an array of shape (3, 4), none of them row-major but the first; indexing is all they need."""
    return [x, x[1:, ::2], x[:, 1], x[2, 3], x[:0], x[:, 2:3]]  # type: ignore[index]
