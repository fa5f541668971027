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
