"""Fourier transforms against NumPy's; lengths, layouts and types are tested in the engine against the definition."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import syntonic
from syntonic import State, fft

RNG = np.random.default_rng(11)
Z = RNG.standard_normal((4, 6, 5)) + 1j * RNG.standard_normal((4, 6, 5))
LINES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn")
NORMS = ("backward", "ortho", "forward")


def operand(name: str, dtype: str) -> np.ndarray:
    return (Z.real if name in ("rfft", "ihfft", "rfftn") else Z).astype(np.result_type(dtype, "complex64" if name not in ("rfft", "ihfft", "rfftn") else dtype))


def close(got: State, want: np.ndarray) -> None:
    # Two transforms of up to 240 numbers, each within 6 eps log2 n of the exact one in the length of the result.
    assert got.dtype.name == want.dtype.name and got.shape == want.shape
    eps = np.finfo(want.dtype).eps
    assert np.linalg.norm(np.asarray(got) - want) <= 2 * 6 * eps * 8 * np.linalg.norm(want) + 1e-300


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", LINES)
@given(axis=st.integers(-3, 2), n=st.none() | st.integers(1, 12), step=st.sampled_from([1, -1, 2]))
def test_lines_are_those_of_numpy(name: str, norm: str, dtype: str, axis: int, n: int | None, step: int) -> None:
    array = operand(name, dtype)[:, ::step]
    got = getattr(fft, name)(State(operand(name, dtype))[:, ::step], n=n, axis=axis, norm=norm)
    close(got, getattr(np.fft, name)(array, n=n, axis=axis, norm=norm))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", SEVERAL)
@given(data=st.data())
def test_several_axes_are_those_of_numpy(name: str, norm: str, data: st.DataObject) -> None:
    array = operand(name, "float64")
    axes = data.draw(st.none() | st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True))
    count = 3 if axes is None else len(axes)
    s = data.draw(st.none() | st.lists(st.integers(2, 8) | st.just(-1), min_size=count, max_size=count))
    got = getattr(fft, name)(State(array), s=s, axes=axes, norm=norm)
    if s is not None and axes is None:
        axes = [0, 1, 2]
    if s is not None and name == "irfftn" and s[-1] == -1:
        s[-1] = 2 * (array.shape[axes[-1]] - 1)
    close(got, getattr(np.fft, name)(array, s=s, axes=axes, norm=norm))


def test_frequencies_and_shifts_are_those_of_numpy() -> None:
    for n in (1, 2, 5, 8):
        for name in ("fftfreq", "rfftfreq"):
            got = getattr(fft, name)(n, d=0.3)
            np.testing.assert_allclose(np.asarray(got), getattr(np.fft, name)(n, d=0.3), rtol=4e-16)
            assert getattr(fft, name)(n, dtype="float32").dtype == "float32"
    for name in ("fftshift", "ifftshift"):
        for axes in (None, 0, (0, -1), (1, 2)):
            np.testing.assert_array_equal(np.asarray(getattr(fft, name)(State(Z), axes=axes)), getattr(np.fft, name)(Z, axes=axes))
    assert fft.fftshift(x := State(Z), axes=()) is not x


def test_integers_are_doubles_as_numpy_has_it() -> None:
    for array in (np.arange(6), np.arange(6) > 2, np.arange(6, dtype="uint8")):
        close(fft.fft(State(array)), np.fft.fft(array))
        close(fft.rfft(State(array)), np.fft.rfft(array))
    assert fft.fft([1, 2]).dtype == "complex128"
    assert fft.fft(State([1, 2], dtype="float32")).dtype == "complex64"


def test_operands_stay_as_they_are() -> None:
    for name in LINES + SEVERAL:
        array = operand(name, "float64")
        x = State(array)
        getattr(fft, name)(x)
        np.testing.assert_array_equal(np.asarray(x), array)
    pending = State(Z) * 2
    close(fft.ifft(pending), np.fft.ifft(Z * 2))


def test_what_has_no_transform_is_refused() -> None:
    x = State(Z)
    for wrong, kind, said in (
        (lambda: fft.fft(x, n=0), ValueError, r"^fft: .*complex128\[4, 6, 5\].*name a length"),
        (lambda: fft.fft(x, n=-1), ValueError, "^fft: n is -1"),
        (lambda: fft.fft(x, axis=3), ValueError, "^fft: axis 3"),
        (lambda: fft.fft(x, norm="backwards"), ValueError, '^fft: norm is .*one of "backward", "ortho", "forward"'),
        (lambda: fft.rfft(x), TypeError, "^rfft: not defined for complex128"),
        (lambda: fft.fft(State([1.0, 2.0], dtype="float16")), TypeError, "^fft: not defined for float16"),
        (lambda: fft.fftn(x, axes=(0, 0)), ValueError, "^fftn: axis 0"),
        (lambda: fft.fftn(x, s=(3,), axes=(0, 1)), ValueError, "^fftn: 1 lengths for 2 axes"),
        (lambda: fft.irfft(State([1.0])), ValueError, "^irfft: .*name a length"),
        (lambda: fft.fft([]), ValueError, "^fft: "),
        (lambda: fft.fftfreq(0), ValueError, "^fftfreq: n is 0"),
        (lambda: fft.fftfreq(3, d=0.0), ValueError, "^fftfreq: "),
        (lambda: fft.fftshift(x, axes=7), ValueError, "^fftshift: axis 7"),
    ):
        with pytest.raises(kind, match=said):
            wrong()


def test_examples_of_the_documentation() -> None:
    run = doctest.testmod(fft)
    assert run.attempted > 14 and run.failed == 0
