"""How States show themselves."""

import numpy as np
import pytest

import syntonic
from syntonic import State


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (State([1, 2]), "State([1, 2], shape=(2,), dtype=int64, device='cpu')"),
        (State(1.5), "State(1.5, shape=(), dtype=float64, device='cpu')"),
        (State([]), "State([], shape=(0,), dtype=float64, device='cpu')"),
        (State([True, False]), "State([ True, False], shape=(2,), dtype=bool, device='cpu')"),
        (State([0.1, -2.0], dtype="float32"), "State([0.1, -2.], shape=(2,), dtype=float32, device='cpu')"),
        (State([1e-9, 1.0]), "State([1.e-09, 1.e+00], shape=(2,), dtype=float64, device='cpu')"),
        (State([1 - 2j]), "State([1.-2.j], shape=(1,), dtype=complex128, device='cpu')"),
        (State([np.nan, np.inf]), "State([nan, inf], shape=(2,), dtype=float64, device='cpu')"),
    ],
)
def test_small_states(state: State, text: str) -> None:
    assert repr(state) == text


def test_rows_line_up() -> None:
    assert repr(State([[1, 20], [300, 4]])) == (
        "State([[  1,  20],\n       [300,   4]],\n      shape=(2, 2), dtype=int64, device='cpu')"
    )
    assert str(State([[1, 2], [3, 4]])) == "[[1, 2],\n [3, 4]]"


def test_a_large_state_is_not_copied() -> None:
    # A terabyte of virtual numbers, of which the corners are read.
    huge = syntonic.broadcast_to(State([1.0]), (10**6, 10**6))
    text = repr(huge)
    assert "..." in text and "shape=(1000000, 1000000)" in text and len(text) < 1000
    assert "..." in huge._repr_html_()


def test_the_edges_of_a_long_state() -> None:
    text = str(syntonic.arange(5000))
    assert text.replace(" ", "") == "[0,1,2,...,4997,4998,4999]"
    assert str(syntonic.arange(1000)).count(",") == 999


def test_nothing_is_shown_as_nothing() -> None:
    for shape in ((0,), (3, 0), (0, 3), (2**62, 0, 2**62)):
        assert str(syntonic.zeros(shape)) == "[]" and f"shape={shape}" in repr(syntonic.zeros(shape))


def test_of_many_axes_little_is_shown() -> None:
    deep = syntonic.broadcast_to(State(1.5), (2,) * 62)
    assert len(repr(deep)) < 100_000 and "..." in str(deep)
    assert str(syntonic.ones((1,) * 64)) == "[" * 64 + "1." + "]" * 64
    assert str(syntonic.ones((20, 2))).count("1.") == 40


def significant(text: str) -> str:
    """The digits that count."""
    return text.lower().split("e")[0].replace("-", "").replace(".", "").strip("0")


def test_a_number_on_its_own_shows_every_digit_it_has() -> None:
    rng = np.random.default_rng(0)
    for dtype in ("float16", "float32", "float64"):
        values = [0.1, 1 / 3, 0.1 + 0.2, 1e-5, 123456.789, 1e15, 1e16, 1e20, 5e-324, -0.0, 65504.0, 2.0**-24, np.inf, np.nan]
        values += list(rng.normal(size=200) * 10.0 ** rng.integers(-20, 20, 200))
        with np.errstate(over="ignore"):
            numbers = np.array(values).astype(dtype)
        for number in numbers:
            text = str(State(number))
            read = np.array(float(text)).astype(dtype)
            assert read == number or np.isnan(number), (text, number)
            # With no more digits than NumPy's own.
            assert len(significant(text)) <= len(significant(str(number))), (text, number)
    assert str(State(0.1 + 0.2)) == "0.30000000000000004"
    assert str(State(0.1, dtype="float32")) == str(State(0.1, dtype="float16")) == "0.1"
    assert str(State(1 / 3, dtype="bfloat16")) == "0.334"
    assert repr(State(1e300)).startswith("State(1.e+300,")
    assert str(State(0.1 + 0.2 + 1j / 3)) == "0.30000000000000004+0.3333333333333333j"
    assert str(State([0.1 + 0.2])) == "[0.3]"
