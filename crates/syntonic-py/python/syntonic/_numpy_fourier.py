"""Fourier transforms under the names and with the parameters of NumPy's."""

from __future__ import annotations

import numpy as np

from syntonic import fft
from syntonic._core import ShapeError, State
from syntonic._numpy_table import need, numpys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _put(result: Any, out: Any) -> Any:
    if out is None:
        return result
    if out.shape != result.shape:
        raise ShapeError(f"fft: out of {list(out.shape)} for a result of {list(result.shape)}")
    out[...] = result if isinstance(out, State) else result.numpy()
    return out


def _one(name: str) -> None:
    ours = getattr(fft, name)

    def call(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
        return _put(ours(a, n=n, axis=axis, norm=norm or "backward"), out)

    numpys(f"fft.{name}")(call)


def _several(name: str, ours: Any, default: Any) -> None:
    def call(a: Any, s: Any = None, axes: Any = default, norm: Any = None, out: Any = None) -> Any:
        need(s is None or axes is not None and None not in s)
        # NumPy takes an axis several times.
        need(axes is None or isinstance(axes, int) or len({k % max(np.ndim(a), 1) for k in axes}) == len(axes))
        return _put(ours(a, s=s, axes=axes, norm=norm or "backward"), out)

    numpys(f"fft.{name}")(call)


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    _one(_name)
for _name in ("fft", "ifft", "rfft", "irfft"):
    _several(f"{_name}n", getattr(fft, f"{_name}n"), None)
    _several(f"{_name}2", getattr(fft, f"{_name}n"), (-2, -1))


@numpys("fft.fftfreq")
def _fftfreq(n: int, d: float = 1.0, device: Any = None) -> Any:
    return fft.fftfreq(n, d=d, device=device)


@numpys("fft.rfftfreq")
def _rfftfreq(n: int, d: float = 1.0, device: Any = None) -> Any:
    return fft.rfftfreq(n, d=d, device=device)


@numpys("fft.fftshift")
def _fftshift(x: Any, axes: Any = None) -> Any:
    return fft.fftshift(x, axes=axes)


@numpys("fft.ifftshift")
def _ifftshift(x: Any, axes: Any = None) -> Any:
    return fft.ifftshift(x, axes=axes)
