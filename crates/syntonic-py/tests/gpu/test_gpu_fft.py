"""Fourier transforms on a GPU against NumPy's; lengths, layouts and types are checks of `syntonic-gpu parity`."""

import numpy as np
import pytest
import syntonic
from syntonic import State, fft

RNG = np.random.default_rng(11)
Z = RNG.standard_normal((4, 6, 5)) + 1j * RNG.standard_normal((4, 6, 5))
REAL = ("rfft", "ihfft", "rfftn")
NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn")


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("name", NAMES)
def test_transforms_are_those_of_numpy(name: str, norm: str) -> None:
    array = Z.real if name in REAL else Z
    x = State(array).cuda()
    for view in (slice(None), (slice(None), slice(None, None, -1)), (Ellipsis, slice(1, None))):
        found = getattr(fft, name)(x[view], norm=norm)
        want = getattr(np.fft, name)(array[view], norm=norm)
        assert found.device == "cuda:0" and found.dtype.name == want.dtype.name and found.shape == want.shape
        # Two transforms of up to 240 numbers, each within 6 eps log2 n of the exact one in the length of the result.
        assert np.linalg.norm(found.cpu().numpy() - want) <= 2 * 6 * 8 * np.finfo(float).eps * np.linalg.norm(want)
    np.testing.assert_array_equal(x.cpu().numpy(), array)


def test_frequencies_are_made_where_they_are_asked_for() -> None:
    for name in ("fftfreq", "rfftfreq"):
        found = getattr(fft, name)(9, d=0.5, device="cuda")
        assert found.device == "cuda:0"
        np.testing.assert_allclose(found.cpu().numpy(), getattr(np.fft, name)(9, d=0.5), rtol=4e-16)


def test_streams_have_their_own_work() -> None:
    x = State(Z).cuda()
    with syntonic.cuda.Stream():
        beside = fft.fft(x * 2)
    np.testing.assert_allclose(beside.cpu().numpy(), np.fft.fft(2 * Z), rtol=1e-12, atol=1e-12)
