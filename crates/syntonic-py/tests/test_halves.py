"""Half types are rounded where a program stores them, and after each operator where that is asked for."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import syntonic as syn


def _back(x: syn.State) -> list[float]:
    return (x + 256 - 256).tolist()


def test_a_program_rounds_where_it_stores() -> None:
    x = syn.full(3, 0.5, dtype="bfloat16")
    assert _back(x) == [0.5] * 3
    with syn.rounding("each"):
        assert _back(x) == [0.0] * 3
        with syn.rounding("stored"):
            assert _back(x) == [0.5] * 3
        assert _back(x) == [0.0] * 3
    large = x + 256
    assert (large.astype("bfloat16") - 256).tolist() == [0.0] * 3
    large = x + 256
    before = large - 256
    assert large.tolist() == [256.0] * 3  # from here on readers see what is stored
    assert (large - 256).tolist() == [0.0] * 3
    assert before.tolist() == [0.5] * 3


def test_the_choice_is_the_threads_own() -> None:
    x, seen = syn.full(3, 0.5, dtype="bfloat16"), []
    with syn.rounding("each"):
        other = threading.Thread(target=lambda: seen.append(_back(x)))
        other.start()
        other.join()
    assert seen == [[0.5] * 3]


def test_the_process_has_a_choice_for_threads_that_have_none() -> None:
    x, seen = syn.full(3, 0.5, dtype="bfloat16"), []
    assert syn.set_default_rounding("each") == "stored"
    try:
        other = threading.Thread(target=lambda: seen.append(_back(x)))
        other.start()
        other.join()
        assert seen == [[0.0] * 3] == [_back(x)]
        with syn.rounding("stored"):
            assert _back(x) == [0.5] * 3
            np.add(x, 1)
            assert _back(x) == [0.5] * 3
        with syn.rounding("default"):
            assert _back(x) == [0.0] * 3
    finally:
        assert syn.set_default_rounding("stored") == "each"
    assert _back(x) == [0.5] * 3
    for wrong in ("never", "default", 1, None):
        with pytest.raises(syn.SyntonicError, match="set_default_rounding"):
            syn.set_default_rounding(wrong)  # type: ignore[arg-type]


def test_another_word_is_an_error() -> None:
    with pytest.raises(ValueError, match="each"), syn.rounding("never"):
        pass


def test_numpy_rounds_each_result() -> None:
    x = syn.full(3, 0.5, dtype="float16")
    assert np.subtract(np.add(x, 4096), 4096).tolist() == [0.0] * 3


@pytest.mark.parametrize("shape", [3, (2000, 3)])
def test_a_value_beside_slopes_is_the_value(shape: int | tuple[int, int]) -> None:
    x = syn.random.Generator(3).normal(shape, dtype="bfloat16")

    def loss(x: syn.State) -> syn.State:
        return syn.sum(syn.exp(-syn.abs(x + 256 - 256)) * x)

    assert syn.value_and_grad(loss)(x)[0].item() == loss(x).item()
