"""NumPy's functions over States on a GPU: ours where there is one, and else a refusal with the way out."""

from collections.abc import Callable

import numpy as np
import pytest

import syntonic
from syntonic import State

N = np.arange(20.0).reshape(4, 5) - 7


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.sum(x, axis=0),
        lambda x: np.std(x, ddof=1),
        lambda x: np.max(x, axis=1, initial=3.0),
        lambda x: np.mean(x, where=x > 0),
        lambda x: np.add.reduce(x, axis=1),
        lambda x: np.multiply.outer(x[0], x[1]),
        lambda x: np.concatenate([x, x]),
        lambda x: np.clip(x, -2, 4),
        lambda x: np.unique(np.sign(x), axis=0),
        lambda x: np.isclose(x, x + 1e-9),
        lambda x: np.float64(2) * x.astype("float32"),
        lambda x: np.nanmedian(x, axis=0),
    ],
)
def test_functions_stay_on_the_gpu(call: Callable[..., State]) -> None:
    got = call(State(N, device="cuda"))
    assert type(got) is State and got.device == "cuda:0"
    np.testing.assert_allclose(got.cpu().numpy(), call(N), rtol=1e-12)


def test_elements_are_changed_in_place() -> None:
    x, want = State(N, device="cuda"), N.copy()
    for target in (x, want):
        np.add.at(target, ([0, 0, 1], [1, 1, 2]), 5.0)
        np.multiply.at(target, [1, 1], 2.0)
    np.testing.assert_allclose(x.cpu().numpy(), want, rtol=1e-12)


def test_what_numpy_alone_has_is_refused() -> None:
    x = State(N, device="cuda")
    for call in (lambda: np.frexp(x), lambda: np.i0(x), lambda: np.add.reduceat(x, [0], dtype="float32")):
        with pytest.raises(syntonic.TransferError, match=r"cuda:0; hint: \.cpu\(\) first"):
            call()
    assert not hasattr(x, "__array_interface__")
