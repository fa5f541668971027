"""Fourier transforms: the names and parameters of NumPy's `fft`, over States.

>>> import syntonic.numpy as np
>>> np.fft.irfft(np.fft.rfft([1.0, 2.0, 3.0, 4.0])).round(6).tolist()
[1.0, 2.0, 3.0, 4.0]
"""

from __future__ import annotations

from syntonic.numpy._names import dir_of, resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = dir_of("fft")


def __getattr__(name: str) -> Any:
    value = globals()[name] = resolved("fft", name)
    return value


def __dir__() -> list[str]:
    return __all__
