"""Gradients: of functions of States and trees of them, what is refused, and what stays lazy."""

from __future__ import annotations

import gc
import math
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import syntonic
from syntonic import GradientError, State, grad, stop_gradient, tree, value_and_grad, vjp


def numbers(*shape: int, seed: int = 0) -> State:
    return syntonic.asarray(np.random.default_rng(seed).standard_normal(shape))


def difference(f: Callable[[State], State], x: State) -> np.ndarray:
    """Central differences with a step of the third root of eps: off by 1e-11 third derivatives and 3e-11 of the value."""
    step, base = 2.0**-17, x.numpy().copy()
    out = np.empty_like(base)
    for at in np.ndindex(base.shape):
        sides = []
        for by in (step, -step):
            moved = base.copy()
            moved[at] += by
            sides.append(f(syntonic.asarray(moved)).item())
        out[at] = (sides[0] - sides[1]) / (2 * step)
    return out


FUNCTIONS: list[Callable[[State], Any]] = [
    lambda x: (x * x.T @ x).sum(),
    lambda x: syntonic.nn.softmax(x, axis=0)[1, 2],
    lambda x: x[1:, ::-1].reshape(-1)[[0, 2, 2]].sum(),
    lambda x: syntonic.where(x > 0, x, x * x).mean(),
    lambda x: syntonic.concat([x, 2 * x], axis=0).var(),
    lambda x: syntonic.linalg.det(x) + syntonic.linalg.inv(x + 4 * syntonic.eye(3)).sum(),
    lambda x: syntonic.sort(x, axis=1)[:, 0].sum() + syntonic.nn.golden_gelu(x).max(),
    lambda x: syntonic.cumulative_sum(x, axis=1).std() + np.sin(x).sum(),
    lambda x: syntonic.einsum("ij,jk->", x, x) + syntonic.nn.linear(x, x, activation="gelu").sum(),
    lambda x: syntonic.nn.layer_norm(x)[0, 1] + syntonic.nn.syntonic_softmax(x, mode="identity")[0, 0],
    lambda x: x.astype(syntonic.complex128).real.sum() * syntonic.exp(1j * x).imag.sum(),
]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_gradients_are_those_of_differences(f: Callable[[State], State]) -> None:
    x = numbers(3, 3)
    value, g = value_and_grad(f)(x)
    assert value.item() == pytest.approx(f(x).item(), rel=1e-14)
    # Values of at most 100 with some 100 roundings, and third derivatives to 1000.
    np.testing.assert_allclose(g.numpy(), difference(f, x), rtol=1e-7, atol=1e-7)


class Pair(NamedTuple):
    left: Any
    right: Any


def test_arguments_may_be_trees_and_gradients_have_their_form() -> None:
    def f(w: dict[str, Any], x: State) -> State:
        return (w["a"][0] * x).sum() + w["b"].left * w["b"].right.sum()

    w = {"a": [numbers(3)], "b": Pair(2.0, (numbers(2, seed=1))), "c": None}
    x = numbers(3, seed=2)
    g = grad(f)(w, x)
    assert list(g) == ["a", "b", "c"] and g["c"] is None and isinstance(g["b"], Pair)
    np.testing.assert_array_equal(g["a"][0].numpy(), x.numpy())
    assert g["b"].left.item() == pytest.approx(w["b"].right.sum().item(), rel=1e-15)
    np.testing.assert_array_equal(g["b"].right.numpy(), [2.0, 2.0])
    both = grad(f, argnums=(1, 0))(w, x)
    np.testing.assert_array_equal(both[0].numpy(), w["a"][0].numpy())
    np.testing.assert_array_equal(grad(f, argnums=-1)(w, x).numpy(), w["a"][0].numpy())


def test_what_else_a_function_gives_is_given_too() -> None:
    def f(x: State) -> tuple[State, dict[str, Any]]:
        y = x * x
        return y.sum(), {"y": y, "n": 3}

    x = numbers(4)
    (value, aux), g = value_and_grad(f, has_aux=True)(x)
    np.testing.assert_array_equal(aux["y"].numpy(), (x * x).numpy())
    assert aux["n"] == 3 and value.numpy() == pytest.approx((x * x).sum().item())
    np.testing.assert_array_equal(g.numpy(), (2 * x).numpy())
    assert grad(f, has_aux=True)(x)[1]["n"] == 3


def test_cotangents_are_pulled_back_through_trees() -> None:
    x, y = numbers(2), numbers(2, seed=1)
    value, back = vjp(lambda x, y: {"p": x * y, "s": [x.sum()]}, x, y)
    np.testing.assert_array_equal(value["p"].numpy(), (x * y).numpy())
    for _ in range(2):
        gx, gy = back({"p": syntonic.ones(2, dtype="float64"), "s": [syntonic.asarray(10.0)]})
        np.testing.assert_array_equal(gx.numpy(), (y + 10).numpy())
        np.testing.assert_array_equal(gy.numpy(), x.numpy())
    _, back, aux = vjp(lambda x: (x * x, x + 1), x, has_aux=True)
    np.testing.assert_array_equal(aux.numpy(), (x + 1).numpy())
    with pytest.raises(syntonic.ArgumentError, match="2 cotangents for 1"):
        back([x, x])
    with pytest.raises(syntonic.ShapeError, match="vjp"):
        back(syntonic.asarray(1.0))


def test_second_derivatives() -> None:
    x = numbers(4)
    loss = lambda x: -syntonic.log(syntonic.nn.softmax(x))[2]  # noqa: E731
    p = syntonic.nn.softmax(x).numpy()
    hessian = np.stack([grad(lambda x, k=k: grad(loss)(x)[k])(x).numpy() for k in range(4)])
    # Numbers of at most 1, in some ten operations.
    np.testing.assert_allclose(hessian, np.diag(p) - np.outer(p, p), atol=1e-14)
    third = grad(grad(grad(lambda x: x**5)))
    assert third(syntonic.asarray(2.0)).item() == 240.0


def test_numbers_leave_and_arrays_do_not() -> None:
    seen: list[Any] = []

    def f(x: State) -> State:
        y = x * x
        seen.extend([y[0].item(), float(y[0]), y.tolist(), repr(y), f"{y[0]:.1f}", bool(y[0] > 0), int(y[0])])
        for leaves in (lambda: y.numpy(), lambda: np.asarray(y), lambda: np.from_dlpack(y), lambda: memoryview(y), lambda: syntonic.save("x.npy", y)):
            with pytest.raises(GradientError, match="stop_gradient"):
                leaves()
        seen.append(stop_gradient(y).numpy())
        return y.sum()

    grad(f)(syntonic.asarray([3.0, 1.0]))
    assert seen[:3] == [9.0, 9.0, [9.0, 1.0]] and seen[3].startswith("State([9., 1.]") and seen[4:7] == ["9.0", True, 9]


@pytest.mark.parametrize(
    ("f", "error", "words"),
    [
        (lambda x: x, syntonic.ShapeError, "vjp"),
        (lambda x: float(x.sum()), syntonic.ArgumentTypeError, "float"),
        (lambda x: syntonic.asarray(float(x.sum())), GradientError, "depends on no variable"),
        (lambda x: syntonic.argmax(x).astype("float64"), GradientError, "depends on no variable"),
        (lambda x: syntonic.exp(1j * x).sum(), syntonic.DTypeError, "complex"),
        (lambda x: syntonic.linalg.eigvals(syntonic.linalg.outer(x, x)).real.sum(), GradientError, "eigvals"),
        (lambda x: syntonic.linalg.svd(x.reshape(1, -1)).S.sum(), GradientError, "svd: .*full_matrices=False"),
        (lambda x: syntonic.linalg.qr(x.reshape(-1, 1), mode="complete").R.sum(), GradientError, 'qr: .*mode="reduced"'),
        (lambda x: syntonic.information.transfer_entropy(x, x * 2)[0], GradientError, "transfer_entropy"),
        (lambda x: syntonic.information.mutual_information(x, x * 2)[0], GradientError, "mutual_information"),
        (lambda x: syntonic.exact.snap(x).sum(), GradientError, "snap"),
        (lambda x: x.__setitem__(0, 1.0), GradientError, "in place"),
        (lambda x: x.__iadd__(1.0), GradientError, "in place"),
        (lambda x: syntonic.zeros(3, dtype="float64").__setitem__(0, x[0]), GradientError, "in place"),
        (lambda x: syntonic.add(x, 1.0, out=syntonic.zeros(3, dtype="float64")), GradientError, "in place"),
    ],
)
def test_what_has_no_gradient_says_so(f: Callable[[State], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as told:
        grad(f)(syntonic.asarray([1.0, 2.0, 3.0]))
    assert "hint" in str(told.value)


@pytest.mark.parametrize("x", [syntonic.asarray([1, 2]), 3, True, "x", np.ones(2)])
def test_only_floats_have_gradients(x: Any) -> None:
    with pytest.raises((syntonic.DTypeError, syntonic.ArgumentTypeError), match="hint"):
        grad(lambda x: x.sum())(x)


def test_mistakes_in_the_call() -> None:
    square = lambda x: x * x  # noqa: E731
    x = syntonic.asarray(1.0)
    for argnums in (1, -2, (0, -1)):
        with pytest.raises(syntonic.ArgumentError, match="argnums"):
            grad(square, argnums=argnums)(x)
    for wrong in ("0", 0.5, (), True):
        with pytest.raises(syntonic.ArgumentTypeError, match="argnums"):
            grad(square, argnums=wrong)  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentTypeError, match="function"):
        grad(3)  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentTypeError, match="pair"):
        grad(square, has_aux=True)(x)


def test_a_weight_that_is_overwritten_meanwhile_is_an_error() -> None:
    w = syntonic.asarray([1.0, 2.0])

    def f(x: State) -> State:
        y = (x * w).sum()
        w[0] = 5.0
        return y

    with pytest.raises(GradientError, match="written in place"):
        grad(f)(syntonic.asarray([1.0, 1.0]))


def test_long_chains_and_freed_tapes() -> None:
    def long(x: State) -> State:
        for _ in range(10_000):
            x = x * 1.0001
        return x

    # 10,000 factors with a rounding each.
    assert grad(long)(syntonic.asarray(1.0)).item() == pytest.approx(1.0001**10_000, rel=3e-12)
    kept: list[Any] = []

    def f(x: State) -> State:
        y = syntonic.exp(x)
        kept.append(weakref.ref(y))
        return y.sum()

    grad(f)(numbers(3))
    gc.collect()
    assert kept[0]() is None


def test_gradients_of_elements_stay_lazy() -> None:
    x = numbers(50_000)
    g = grad(lambda x: (syntonic.exp(x) * 3).sum())(x)
    assert g.is_pending
    np.testing.assert_allclose(g.numpy(), 3 * np.exp(x.numpy()), rtol=1e-15 * 8)


def test_trees() -> None:
    t = {"a": 1, "b": [2, (3, None)], "c": Pair(4, {})}
    assert tree.leaves(t) == [1, 2, 3, 4]
    assert tree.map(lambda v: v + 1, t) == {"a": 2, "b": [3, (4, None)], "c": Pair(5, {})}
    assert tree.map(math.hypot, [3.0], [4.0]) == [5.0]
    for other in ([1.0, 2.0], 1.0, {"x": 1.0}):
        with pytest.raises(syntonic.ArgumentError, match="forms"):
            tree.map(lambda a, b: a, {"a": 1.0}, other)


def test_a_graph_may_have_a_gradient() -> None:
    x = numbers(30_000)
    step = lambda x: x - 0.1 * grad(lambda x: syntonic.sin(x).sum())(x)  # noqa: E731
    graph = syntonic.Graph.capture(step, x)
    np.testing.assert_array_equal(graph(x).numpy(), step(x).numpy())
