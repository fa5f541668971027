"""What arguments may be; for readers and type checkers alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias

from syntonic._core import Device, DType, State

__all__ = ["ArrayLike", "Arrays", "Axes", "DTypeLike", "DeviceLike", "Nested", "Number", "Ord", "Shape", "SupportsDLPack"]


class SupportsDLPack(Protocol):
    """An array of any library that speaks DLPack."""

    def __dlpack__(self, /, *args: Any, **options: Any) -> Any: ...

    def __dlpack_device__(self, /) -> tuple[int, int]: ...


Number: TypeAlias = bool | int | float | complex
Nested: TypeAlias = Sequence[Any]
# Buffers and NumPy arrays cannot be told from other objects by type alone.
ArrayLike: TypeAlias = State | Number | Nested | Any
# One array, or a list or tuple of several.
Arrays: TypeAlias = ArrayLike | Sequence[ArrayLike]
DTypeLike: TypeAlias = DType | str | type[Any] | Any
DeviceLike: TypeAlias = Device | str
Axes: TypeAlias = int | Sequence[int]
# A norm of matrices.
Ord: TypeAlias = Literal["fro", "nuc"] | float
Shape: TypeAlias = int | Sequence[int]
