"""What this namespace of the Array API offers."""

from __future__ import annotations

import sys

from syntonic import _core
from syntonic._dtypes import isdtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from types import ModuleType

    from syntonic._core import Device, DType

__all__ = ["__array_api_version__", "__array_namespace_info__"]

__array_api_version__ = "2025.12"
_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
_NAMES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
).split()


def namespace(api_version: str | None = None) -> ModuleType:
    """The package, as the namespace of a version of the Array API."""
    if api_version is not None and api_version not in _VERSIONS:
        raise _core.ArgumentError(f"version {api_version!r} of the Array API is unknown; hint: one of {_VERSIONS}")
    return sys.modules["syntonic"]


class __array_namespace_info__:
    """Capabilities, devices and types of this namespace."""

    def capabilities(self) -> dict[str, Any]:
        """What is supported of the optional parts."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Device:
        """Where new States go."""
        return _core.default_device()

    def default_dtypes(self, *, device: Device | str | None = None) -> dict[str, DType]:
        """The types of results whose inputs have none."""
        return {
            "real floating": _core.float64,
            "complex floating": _core.complex128,
            "integral": _core.int64,
            "indexing": _core.int64,
        }

    def dtypes(
        self, *, device: Device | str | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, DType]:
        """Those types that the standard names, all or of a kind; float16, bfloat16 and 8-bit floats are ours beside them."""
        found = {name: getattr(_core, name) for name in _NAMES}
        return {name: dtype for name, dtype in found.items() if kind is None or isdtype(dtype, kind)}

    def devices(self) -> tuple[Device, ...]:
        """The devices one can name."""
        return (_core.Device("cpu"), *(_core.Device(gpu) for gpu in range(_core.cuda_device_count())))
