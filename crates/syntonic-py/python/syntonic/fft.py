"""Discrete Fourier transforms: the extension `fft` of the Array API, on the CPU and on GPUs.

Numbers are float32, float64, complex64 and complex128; integers and bool are taken as float64, as NumPy does, and float16 and bfloat16
are an error. Axes may have any length, primes too, and operands any strides. `norm` says where the factor goes that makes a pair of
transforms each other's inverse: 1/n with the inverse ("backward"), 1/n with the forward one ("forward"), or 1/sqrt(n) with both
("ortho"). A length of -1 in `s` is that of the operand.
"""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from syntonic._core import State
    from syntonic._typing import ArrayLike, Axes, DeviceLike, DTypeLike

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def fft(
    x: ArrayLike,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The transform along an axis: y[k] = sum_j x[j] e^(-2 pi i j k / n), `[.., m, ..] -> [.., n, ..]`, complex.

    The axis is cut to `n` elements, or filled up with zeros.

    >>> fft([1, 0, 0, 0]).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return _core.fft(x, n, axis, norm)


def ifft(
    x: ArrayLike,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The inverse of `fft`: x[j] = 1/n sum_k y[k] e^(2 pi i j k / n), `[.., m, ..] -> [.., n, ..]`.

    >>> ifft([4, 0, 0, 0]).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return _core.ifft(x, n, axis, norm)


def rfft(
    x: ArrayLike,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The first half of the transform of real numbers, whose rest are conjugates: `[.., m, ..] -> [.., n // 2 + 1, ..]`.

    >>> import syntonic
    >>> syntonic.real(rfft([1, 0, 0, 0])).tolist()
    [1.0, 1.0, 1.0]
    """
    return _core.rfft(x, n, axis, norm)


def irfft(
    x: ArrayLike,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The inverse of `rfft`, real: `[.., m, ..] -> [.., n, ..]`, with n = 2 (m - 1) where it is not given.

    >>> irfft([0, 0, 4]).tolist()
    [1.0, -1.0, 1.0, -1.0]
    """
    return _core.irfft(x, n, axis, norm)


def hfft(
    x: ArrayLike,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The transform, real, of numbers of which the first half is given and the rest are conjugates; n = 2 (m - 1) where it is not given.

    >>> hfft([1, 1, 1]).tolist()
    [4.0, 0.0, 0.0, 0.0]
    """
    return _core.hfft(x, n, axis, norm)


def ihfft(
    x: ArrayLike,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The inverse of `hfft`: the first half of the inverse transform of real numbers, `[.., m, ..] -> [.., n // 2 + 1, ..]`.

    >>> import syntonic
    >>> syntonic.real(ihfft([4, 0, 0, 0])).tolist()
    [1.0, 1.0, 1.0]
    """
    return _core.ihfft(x, n, axis, norm)


def fftn(
    x: ArrayLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The transform along several axes, or all: `fft` along each, `[.., m_a, ..] -> [.., n_a, ..]`.

    >>> import syntonic
    >>> syntonic.real(fftn([[1, 1], [1, 1]])).tolist()
    [[4.0, 0.0], [0.0, 0.0]]
    """
    return _core.fftn(x, s, axes, norm)


def ifftn(
    x: ArrayLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The inverse of `fftn`.

    >>> import syntonic
    >>> syntonic.real(ifftn([[4, 0], [0, 0]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    return _core.ifftn(x, s, axes, norm)


def rfftn(
    x: ArrayLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """`rfft` along the last of the axes, and `fft` along the others: real numbers into half of their transform.

    >>> import syntonic
    >>> rfftn(syntonic.ones((3, 4))).shape
    (3, 3)
    """
    return _core.rfftn(x, s, axes, norm)


def irfftn(
    x: ArrayLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
) -> State:
    """The inverse of `rfftn`, real; 2 (m - 1) elements along the last axis where no length is given.

    >>> irfftn(rfftn([[1, 2], [3, 4]])).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return _core.irfftn(x, s, axes, norm)


def fftfreq(
    n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> State:
    """The frequencies of a transform of n numbers that are d apart, in cycles for a unit of d: 0, 1, .., -2, -1 over d n.

    >>> fftfreq(4, d=0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    return _core.fftfreq(n, d, dtype, device)


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> State:
    """The frequencies of half a transform: 0, 1, .., n // 2 over d n.

    >>> rfftfreq(4, d=0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    return _core.rfftfreq(n, d, dtype, device)


def fftshift(x: ArrayLike, /, *, axes: Axes | None = None) -> State:
    """The frequency 0 moved to the middle of each axis, or of these.

    >>> fftshift(fftfreq(4)).tolist()
    [-0.5, -0.25, 0.0, 0.25]
    """
    return _core.fftshift(x, axes)


def ifftshift(x: ArrayLike, /, *, axes: Axes | None = None) -> State:
    """The inverse of `fftshift`.

    >>> ifftshift([-0.5, -0.25, 0.0, 0.25]).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    return _core.ifftshift(x, axes)
