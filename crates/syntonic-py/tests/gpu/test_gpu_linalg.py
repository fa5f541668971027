"""Linear algebra on a GPU against NumPy; residuals over types, layouts and sizes are checks of `syntonic-gpu parity`."""

from collections.abc import Callable

import numpy as np
import pytest
import syntonic
from syntonic import State, linalg

RNG = np.random.default_rng(7)
N = RNG.standard_normal((3, 5, 5)) + 4 * np.eye(5)
W = RNG.standard_normal((2, 4, 6))
D = N @ N.mT

#: Results that have one value: what is called, on which array, and NumPy's.
UNIQUE: dict[str, tuple[Callable, np.ndarray, Callable]] = {
    "solve": (lambda x: linalg.solve(x, x[0]), N, lambda x: np.linalg.solve(x, x[0])),
    "solve a vector": (lambda x: linalg.solve(x, x[0, 0]), N, lambda x: np.linalg.solve(x, x[0, 0])),
    "inv": (linalg.inv, N, np.linalg.inv),
    "inv of a view": (lambda x: linalg.inv(x.mT[:, ::-1]), N, lambda x: np.linalg.inv(x.mT[:, ::-1])),
    "det": (linalg.det, N, np.linalg.det),
    "slogdet": (lambda x: linalg.slogdet(x).logabsdet, N, lambda x: np.linalg.slogdet(x).logabsdet),
    "cholesky": (linalg.cholesky, D, np.linalg.cholesky),
    "svdvals": (linalg.svdvals, W, lambda x: np.linalg.svd(x, compute_uv=False)),
    "eigvalsh": (linalg.eigvalsh, D, np.linalg.eigvalsh),
    "pinv": (linalg.pinv, W, np.linalg.pinv),
    "matrix_rank": (linalg.matrix_rank, W, np.linalg.matrix_rank),
    "matrix_norm": (lambda x: linalg.matrix_norm(x, ord="nuc"), W, lambda x: np.linalg.norm(x, "nuc", axis=(-2, -1))),
    "cond": (linalg.cond, N, np.linalg.cond),
    "matrix_power": (lambda x: linalg.matrix_power(x, -3), N, lambda x: np.linalg.matrix_power(x, -3)),
    "lstsq": (
        lambda x: linalg.lstsq(x, x[:, 0]).x,
        W[0].T.copy(),
        lambda x: np.linalg.lstsq(x, x[:, 0], rcond=None)[0],
    ),
}


@pytest.mark.parametrize("name", UNIQUE)
def test_what_has_one_value(name: str) -> None:
    call, array, numpy_call = UNIQUE[name]
    found = call(State(array).cuda())
    assert found.device == "cuda:0"
    # Condition numbers are below 100, and the algorithms of both sides are backward stable: n eps cond, with room.
    np.testing.assert_allclose(found.cpu().numpy(), numpy_call(array), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_factors_multiply_to_the_matrix(dtype: str) -> None:
    array = (W + 1j * W[::-1] if dtype.startswith("complex") else W).astype(dtype)
    x, square = State(array).cuda(), State(array @ array.conj().mT).cuda()
    bound = 100 * float(syntonic.finfo(dtype).eps) * np.linalg.norm(array) ** 2
    q, r = linalg.qr(x)
    u, s, vh = linalg.svd(x, full_matrices=False)
    w, v = linalg.eigh(square)
    values, vectors = linalg.eig(square)
    for product, want in [
        (q @ r, x),
        (u * s[:, None, :] @ vh, x),
        (square @ v, v * w[:, None, :]),
        (square @ vectors, vectors * values[:, None, :]),
    ]:
        assert product.device == "cuda:0"
        off = product.cpu().numpy() - want.cpu().numpy()
        assert np.abs(off).max() <= bound


def test_matrices_without_a_result_are_named() -> None:
    singular = np.stack([np.eye(2), [[1.0, 2.0], [2.0, 4.0]]])
    for call in (linalg.inv, linalg.cholesky):
        with pytest.raises(linalg.LinAlgError) as here:
            call(State(singular))
        with pytest.raises(linalg.LinAlgError) as there:
            call(State(singular).cuda())
        assert str(there.value) == str(here.value).replace("cpu", "cuda:0")
