"""Linear algebra against NumPy and SciPy; residuals over types, layouts and sizes are tested in the engine."""

import doctest

import numpy as np
import pytest
import syntonic
from syntonic import State, linalg

RNG = np.random.default_rng(7)
N = RNG.standard_normal((3, 5, 5)) + 4 * np.eye(5)
W = RNG.standard_normal((2, 4, 6))
H = N + N.mT
D = N @ N.mT
DTYPES = ["float32", "float64", "complex64", "complex128"]


def close(state: State, want: object) -> None:
    # Condition numbers here are below 100, and the algorithms of both sides are backward stable: n eps cond, with room.
    np.testing.assert_allclose(np.asarray(state), want, rtol=1e-11, atol=1e-11)


def test_examples_of_the_documentation() -> None:
    run = doctest.testmod(linalg)
    assert run.attempted > 20 and run.failed == 0


def test_what_has_one_value() -> None:
    x = State(N)
    close(linalg.det(x), np.linalg.det(N))
    for ours, theirs in zip(linalg.slogdet(x), np.linalg.slogdet(N), strict=True):
        close(ours, theirs)
    close(linalg.inv(x), np.linalg.inv(N))
    close(linalg.solve(x, State(N[0])), np.linalg.solve(N, N[0]))
    close(linalg.solve(x, State(N[0, 0])), np.linalg.solve(N, N[0, 0]))
    close(linalg.cholesky(State(D)), np.linalg.cholesky(D))
    close(linalg.cholesky(State(D), upper=True), np.linalg.cholesky(D, upper=True))
    close(linalg.svdvals(State(W)), np.linalg.svdvals(W))
    close(linalg.eigvalsh(State(H)), np.linalg.eigvalsh(H))
    close(linalg.eigvalsh(State(N), UPLO="U"), np.linalg.eigvalsh(N, UPLO="U"))
    close(linalg.pinv(State(W)), np.linalg.pinv(W))
    close(linalg.pinv(State(W), rtol=0.5), np.linalg.pinv(W, rtol=0.5))
    close(linalg.matrix_rank(State(W), rtol=State([0.2, 0.9])), np.linalg.matrix_rank(W, rtol=np.array([0.2, 0.9])))
    for n in (-3, 0, 1, 5):
        close(linalg.matrix_power(x, n) / 1e3, np.linalg.matrix_power(N, n) / 1e3)
    close(linalg.cross(State(W[..., :3]), [1, 2, 3], axis=-1), np.cross(W[..., :3], [1, 2, 3]))
    key = lambda w: sorted(w, key=lambda z: (round(z.real, 9), round(z.imag, 9)))
    for ours, theirs in zip(linalg.eigvals(x).tolist(), np.linalg.eigvals(N), strict=True):
        np.testing.assert_allclose(key(ours), key(theirs), rtol=1e-10)


@pytest.mark.parametrize("dtype", DTYPES)
def test_factors(dtype: str) -> None:
    eps = float(syntonic.finfo(dtype).eps)
    for shape in [(1, 1), (4, 6), (6, 4), (2, 5, 5)]:
        n = RNG.standard_normal(shape) + (1j * RNG.standard_normal(shape) if dtype.startswith("complex") else 0)
        n = n.astype(dtype)
        # n eps |a| for each of a few steps.
        bound = 100 * eps * np.linalg.norm(n)
        q, r = (np.asarray(t) for t in linalg.qr(State(n), mode="complete"))
        assert np.linalg.norm(q @ r - n) < bound and (np.triu(r) == r).all()
        u, s, vh = (np.asarray(t) for t in linalg.svd(State(n), full_matrices=False))
        assert np.linalg.norm((u * s[..., None, :]) @ vh - n) < bound
        full = linalg.svd(State(n))
        assert full.U.shape[-2:] == (shape[-2],) * 2 and full.Vh.shape[-2:] == (shape[-1],) * 2
        if shape[-1] == shape[-2]:
            w, v = (np.asarray(t) for t in linalg.eig(State(n)))
            assert np.linalg.norm(n @ v - v * w[..., None, :]) < bound
            h = n + n.conj().mT
            w, v = (np.asarray(t) for t in linalg.eigh(State(h)))
            assert np.linalg.norm(h @ v - v * w[..., None, :]) < 2 * bound


def test_norms() -> None:
    x = State(W)
    for ord in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        close(linalg.matrix_norm(x, ord=ord, keepdims=True), np.linalg.matrix_norm(W, ord=ord, keepdims=True))
        close(linalg.norm(x, ord, axis=(2, 0)), np.linalg.norm(W, ord, axis=(2, 0)))
        close(linalg.norm(x, ord, axis=(0, -1), keepdims=True), np.linalg.norm(W, ord, axis=(0, -1), keepdims=True))
        close(linalg.cond(State(N[0]), ord), np.linalg.cond(N[0], ord))
    for ord in (None, 0, 1, 2.5, -1, np.inf):
        close(linalg.norm(x, ord, axis=1), np.linalg.norm(W, ord, axis=1))
    close(linalg.norm(x), np.linalg.norm(W))
    close(linalg.norm(x, keepdims=True), np.linalg.norm(W, keepdims=True))
    close(linalg.norm(State(W[0, 0]), 3), np.linalg.norm(W[0, 0], 3))
    for wrong in (lambda: linalg.norm(x, 2), lambda: linalg.norm(x, "fro", axis=1), lambda: linalg.matrix_norm(x, ord=3)):
        with pytest.raises((syntonic.ShapeError, syntonic.ArgumentError)):
            wrong()


def test_least_squares_and_exponentials() -> None:
    import scipy.linalg

    ours, theirs = linalg.lstsq(State(W[0].T), State(N[0, :, :1].repeat(2, 1)[[0, 1, 2, 3, 4, 0]])), None
    b = N[0, :, :1].repeat(2, 1)[[0, 1, 2, 3, 4, 0]]
    theirs = np.linalg.lstsq(W[0].T, b)
    close(ours.x, theirs[0])
    close(ours.residuals, theirs[1])
    assert ours.rank.item() == theirs[2]
    close(ours.s, theirs[3])
    for scale in (0.0, 1e-3, 0.1, 1.0, 5.0):
        a = scale * RNG.standard_normal((3, 6, 6))
        want = scipy.linalg.expm(a)
        error = np.abs(np.asarray(linalg.expm(State(a))) - want).max()
        # The condition of e^a is about |a|, here below 20 per unit of scale.
        assert error <= 1e-14 * (1 + 20 * scale) * max(np.abs(want).max(), 1)


def test_types_and_refusals() -> None:
    assert linalg.inv([[2]]).dtype == syntonic.float64
    assert linalg.matrix_power([[2]], 3).dtype == syntonic.int64
    assert linalg.eig(State([[1.0]], dtype="float32")).eigenvectors.dtype == syntonic.complex64
    with pytest.raises(syntonic.DTypeError, match=r"convert with \.astype\(\.\.\.\), for instance to float32"):
        linalg.svd(syntonic.ones((2, 2), dtype="float16"))
    singular = np.stack([np.eye(2), np.ones((2, 2))])
    with pytest.raises(ValueError, match=r"inv: the matrix at \[1\] of float64\[2, 2, 2\] on cpu is singular: pivot 1"):
        linalg.inv(State(singular))
    with pytest.raises(linalg.LinAlgError, match="not positive definite: its leading minor of order 2"):
        linalg.cholesky([[1.0, 2.0], [2.0, 1.0]])
    for function in (linalg.svd, linalg.eigh, linalg.eig, linalg.cholesky, linalg.pinv):
        with pytest.raises(syntonic.LinAlgError, match="NaN or an infinity"):
            function([[syntonic.nan, 0.0], [0.0, 1.0]])
    assert np.isnan(np.asarray(linalg.inv([[syntonic.inf, 0.0], [0.0, 1.0]]))).all()
    power = linalg.matrix_power(x := State([[1.0]]), 1)
    power[0, 0] = 5.0
    assert x.item() == 1.0
