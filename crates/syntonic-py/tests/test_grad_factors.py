"""Gradients of decompositions beside formulas that are known from elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import State, grad, linalg
from syntonic.infer import DiscreteModel, infer_states

EPS = 2.0**-52


def matrix(m: int, n: int, dtype: str = "float64", seed: int = 1) -> State:
    """With singular values between about 1 and 10, so that what follows loses three digits at most."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(m, n)) + (1j * draw.normal(size=(m, n)) if dtype == "complex128" else 0)
    u, _, vh = np.linalg.svd(x, full_matrices=False)
    return syntonic.asarray((u * np.linspace(10, 1, min(m, n))) @ vh, dtype=dtype)


def near(got: State, want: Any, digits_lost: float = 1e3) -> None:
    want = np.asarray(want)
    assert got.shape == want.shape
    assert np.abs(np.asarray(got) - want).max() <= digits_lost * EPS * (1 + np.abs(want).max())


def h(x: Any) -> np.ndarray:
    return np.asarray(x).conj().swapaxes(-1, -2)


BOTH = pytest.mark.parametrize("dtype", ["float64", "complex128"])


@BOTH
@pytest.mark.parametrize(("m", "n"), [(3, 3), (5, 3), (3, 5)])
def test_the_nuclear_norm_goes_along_the_polar_factor(m: int, n: int, dtype: str) -> None:
    a = matrix(m, n, dtype)
    u, _, vh = np.linalg.svd(np.asarray(a), full_matrices=False)
    near(grad(lambda a: linalg.matrix_norm(a, ord="nuc"))(a), u @ vh)
    near(grad(lambda a: linalg.svdvals(a).sum())(a), u @ vh)
    near(grad(lambda a: linalg.matrix_norm(a, ord=2))(a), np.outer(u[:, 0], vh[0]))
    # The squares of singular values are those of the elements.
    near(grad(lambda a: (linalg.svdvals(a) ** 2).sum())(a), 2 * np.asarray(a))


@BOTH
def test_eigenvalues_go_along_their_vectors(dtype: str) -> None:
    a = matrix(4, 4, dtype)
    a = syntonic.asarray(np.asarray(a) @ h(a))
    w, v = np.linalg.eigh(np.asarray(a))

    def symmetric(f: Any) -> State:
        """The gradient with respect to a, where both triangles are those of one Hermitian matrix."""
        g = grad(lambda x: f((x + x.mT.conj()) / 2))(a)
        return (g + g.mT.conj()) / 2

    for k in range(4):
        near(symmetric(lambda x, k=k: linalg.eigvalsh(x)[k]), np.outer(v[:, k], v[:, k].conj()), 1e4)
    near(symmetric(lambda x: syntonic.log(linalg.eigvalsh(x)).sum()), np.linalg.inv(np.asarray(a)), 1e4)

    def root(x: State) -> State:
        found = linalg.eigh(x)
        scaled = found.eigenvectors * syntonic.sqrt(found.eigenvalues)[None, :]
        return (scaled @ found.eigenvectors.mT.conj()).real.sum()

    # The root r has r dr + dr r = da: with ones for the cotangent, g solves r g + g r = 1.
    r = (v * np.sqrt(w)) @ v.conj().T
    weights = np.ones((4, 4)) if dtype == "float64" else np.ones((4, 4), complex)
    sums = np.sqrt(w)[:, None] + np.sqrt(w)[None, :]
    want = v @ ((v.conj().T @ weights @ v) / sums) @ v.conj().T
    near(symmetric(root), want, 1e4)
    assert np.allclose(r @ want + want @ r, weights)


def test_one_triangle_is_read() -> None:
    a = syntonic.asarray([[2.0, 77.0], [1.0, 5.0]])
    below, above = (grad(lambda x, t=t: linalg.eigvalsh(x, UPLO=t)[1])(a) for t in "LU")
    assert below[0, 1].item() == 0.0 and above[1, 0].item() == 0.0
    # The larger eigenvalue of [[2, 1], [1, 5]] is (7 + sqrt(13))/2, and its slope by the element beside the diagonal 2/sqrt(13).
    near(below, [[0.5 - 1.5 / 13**0.5, 0.0], [2 / 13**0.5, 0.5 + 1.5 / 13**0.5]])


@BOTH
def test_where_values_meet_only_the_vectors_have_no_gradient(dtype: str) -> None:
    one = syntonic.eye(3, dtype=dtype)
    near(grad(lambda x: linalg.eigvalsh(x).sum())(one), np.eye(3))
    near(grad(lambda x: linalg.svdvals(x).sum())(one), np.eye(3))
    assert not np.isfinite(np.asarray(grad(lambda x: linalg.eigh(x).eigenvectors.real[0, 1] ** 2 + 0.0 * x.real.sum())(one))).all()
    assert not np.isfinite(np.asarray(grad(lambda x: (linalg.svd(x).U.real[0] * syntonic.asarray([1.0, 2.0, 3.0])).sum())(one))).all()


@BOTH
def test_pseudoinverses_of_regular_matrices_are_inverses(dtype: str) -> None:
    a, by = matrix(4, 4, dtype), matrix(4, 4, dtype, seed=2)
    of = lambda f: grad(lambda a: (f(a) * by).real.sum())(a)  # noqa: E731
    near(of(linalg.pinv), np.asarray(of(linalg.inv)), 1e4)


@BOTH
@pytest.mark.parametrize(("m", "n"), [(5, 3), (3, 5)])
def test_least_squares_are_those_of_the_normal_equations(m: int, n: int, dtype: str) -> None:
    a, b = matrix(m, n, dtype), matrix(m, 2, dtype, seed=3)
    by = matrix(n, 2, dtype, seed=4)

    def normal(a: State, b: State) -> State:
        ah = a.mT.conj()
        return linalg.solve(ah @ a, ah @ b) if m > n else ah @ linalg.solve(a @ ah, b)

    got = grad(lambda a, b: (linalg.lstsq(a, b)[0] * by).real.sum(), argnums=(0, 1))(a, b)
    want = grad(lambda a, b: (normal(a, b) * by).real.sum(), argnums=(0, 1))(a, b)
    for g, w in zip(got, want):
        # The condition of the normal equations is 100.
        near(g, np.asarray(w), 1e6)
    near(got[1], h(np.linalg.pinv(np.asarray(a))) @ np.asarray(by).conj())


def test_the_squared_residual_falls_along_itself() -> None:
    a, b = matrix(5, 3), syntonic.asarray([1.0, -2.0, 0.5, 3.0, 1.0])
    missed = np.asarray(b) - np.asarray(a) @ np.linalg.lstsq(np.asarray(a), np.asarray(b))[0]
    x = np.linalg.lstsq(np.asarray(a), np.asarray(b))[0]
    # By the envelope theorem x may be taken as fixed.
    got = grad(lambda a, b: linalg.lstsq(a, b)[1].sum(), argnums=(0, 1))(a, b)
    near(got[0], -2 * np.outer(missed, x), 1e4)
    near(got[1], 2 * missed, 1e4)


@BOTH
@pytest.mark.parametrize(("m", "n"), [(4, 4), (5, 3), (3, 5)])
def test_the_diagonal_of_r_is_a_determinant(m: int, n: int, dtype: str) -> None:
    a = matrix(m, n, dtype)
    k = min(m, n)
    got = grad(lambda a: syntonic.log(abs(linalg.diagonal(linalg.qr(a).R))).sum())(a)
    # The product of its magnitudes is the root of the determinant of a^H a, of the left square part where it is wide.
    left = np.asarray(a)[:, :k]
    want = np.zeros((m, n), dtype)
    want[:, :k] = h(np.linalg.pinv(left))
    near(got, want, 1e5)


def test_second_derivatives_of_eigenvalues_are_those_of_perturbation_theory() -> None:
    diagonal = syntonic.asarray(np.diag([1.0, 2.0, 4.0]))
    way = syntonic.asarray([[0.3, 1.0, -0.5], [1.0, 0.2, 2.0], [-0.5, 2.0, 0.1]])
    second = grad(grad(lambda t: linalg.eigvalsh(diagonal + t * way)[0]))(syntonic.asarray(0.0))
    # 2 sum |v_0k|^2/(w_0 - w_k).
    near(second, 2 * (1.0 / (1 - 2) + 0.25 / (1 - 4)))


def test_single_precision_stays_single() -> None:
    a = matrix(4, 3).astype("float32")
    for f in (linalg.svdvals, linalg.pinv, lambda x: linalg.qr(x).R, lambda x: linalg.lstsq(x, syntonic.ones(4, dtype="float32"))[0]):
        g = grad(lambda a, f=f: f(a).sum())(a)
        assert g.dtype == a.dtype and np.isfinite(np.asarray(g)).all()


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 0, 3)])
def test_of_nothing_nothing_flows(shape: tuple[int, ...]) -> None:
    a = syntonic.zeros(shape)
    for f in (linalg.svdvals, linalg.pinv, lambda x: linalg.qr(x).R, lambda x: linalg.svd(x, full_matrices=False).U):
        assert grad(lambda a, f=f: f(a).sum() + a.sum())(a).shape == shape


def test_beliefs_have_the_slope_of_bayes_rule() -> None:
    model = DiscreteModel([[[0.9, 0.2], [0.1, 0.8]]], [[[[1.0], [0.0]], [[0.0], [1.0]]]])
    g = grad(lambda p: infer_states(model, 0, p).beliefs[0][0])(syntonic.asarray([0.3, 0.7]))
    # q = 0.9 p / (0.9 p + 0.2 r).
    near(g, np.array([0.9 * 0.2 * 0.7, -0.9 * 0.2 * 0.3]) / 0.41**2)
