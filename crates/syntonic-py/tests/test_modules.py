"""Modules: their parameters by name, their gradients, and what is saved of them."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import State, nn, optim, random, tree, value_and_grad


def model(seed: int = 0) -> nn.Sequential:
    g = random.Generator(seed)
    return nn.Sequential(
        nn.Linear(3, 8, activation="gelu", generator=g, dtype="float64"),
        nn.PhiResidual(nn.Linear(8, 8, generator=g, dtype="float64"), activation="relu"),
        nn.GoldenNorm(8, dtype="float64"),
        nn.golden_gelu,
        nn.Dropout(0.5),
        nn.RMSNorm(8, dtype="float64"),
        nn.Linear(8, 2, bias=False, generator=g, dtype="float64"),
    )


X = syntonic.asarray(np.random.default_rng(1).standard_normal((5, 3)))
NAMES = ["0.weight", "0.bias", "1.inner.weight", "1.inner.bias", "2.weight", "2.bias", "5.weight", "6.weight"]


def test_names_and_shapes_are_those_of_pytorch() -> None:
    m = model()
    assert list(m.named_parameters()) == NAMES and len(m.parameters()) == len(NAMES)
    assert m.named_parameters()["0.weight"].shape == (8, 3)
    assert m(X).shape == (5, 2) and len(m) == 7 and isinstance(m[0], nn.Linear)
    w, b = m[0].weight.numpy(), m[0].bias.numpy()
    np.testing.assert_allclose(nn.Linear.forward(m[0], X).numpy(), nn.gelu(syntonic.asarray(X.numpy() @ w.T + b)).numpy(), rtol=1e-13, atol=1e-15)
    assert np.abs(w).max() <= 1 / np.sqrt(3) and "0.weight=(8, 3)" in repr(m)


def test_a_gradient_is_a_module_of_the_same_kind() -> None:
    m = model()
    loss = lambda m, x: (m(x) ** 2).mean()  # noqa: E731
    value, g = value_and_grad(loss)(m, X)
    assert isinstance(g, nn.Sequential) and list(g.named_parameters()) == NAMES and g[3] is nn.golden_gelu
    step = 2.0**-17
    for name in ("1.inner.weight", "2.bias"):
        sides = []
        for by in (step, -step):
            states = dict(m.state_dict())
            moved = states[name].numpy().copy()
            moved.flat[0] += by
            other = model()
            other.load_state_dict({**states, name: syntonic.asarray(moved)})
            sides.append(loss(other, X).item())
        # Third derivatives to 100 and a value near 1 with some 100 roundings.
        assert g.named_parameters()[name].numpy().flat[0] == pytest.approx((sides[0] - sides[1]) / (2 * step), abs=1e-8)
    assert value.item() == loss(m, X).item() and not any(x is y for x, y in zip(m.parameters(), g.parameters()))


def test_optimisers_take_modules() -> None:
    m, optimizer = model(), optim.AdamW(1e-2)
    state = optimizer.init(m)
    assert isinstance(state["m"], nn.Sequential)
    loss = lambda m: ((m(X) - 1.0) ** 2).mean()  # noqa: E731
    before = loss(m).item()
    for _ in range(60):
        m, state = optimizer.step(m, syntonic.grad(loss)(m), state)
    assert loss(m).item() < 0.1 * before and list(m.named_parameters()) == NAMES and m[3] is nn.golden_gelu


def test_what_is_saved_comes_back(tmp_path: pathlib.Path) -> None:
    m, other = model(0), model(1)
    syntonic.save(tmp_path / "m.safetensors", m.state_dict())
    assert not np.array_equal(m(X).numpy(), other(X).numpy())
    loaded = syntonic.load(tmp_path / "m.safetensors")
    assert isinstance(loaded, dict)
    other.load_state_dict(loaded)
    np.testing.assert_array_equal(m(X).numpy(), other(X).numpy())
    before = other.state_dict()
    for wrong, error in (({}, syntonic.ArgumentError), ({**loaded, "0.weight": X}, syntonic.ShapeError)):
        with pytest.raises(error, match="load_state_dict"):
            other.load_state_dict(wrong)
    assert all(before[name] is x for name, x in other.state_dict().items())


class Odd(nn.Module):
    _buffers = ("seen",)

    def __init__(self) -> None:
        self.parts: list[Any] = [nn.Linear(2, 2), nn.relu, {"deep": (syntonic.ones(2), 3)}]
        self.seen = syntonic.zeros(1)
        self.count = syntonic.asarray([1, 2])

    def forward(self, x: State) -> State:
        for part in self.parts[:2]:
            x = part(x)
        return x * self.parts[2]["deep"][0] + self.seen


def test_parameters_are_found_among_other_things_and_buffers_are_none() -> None:
    m = Odd()
    names = ["parts.0.weight", "parts.0.bias", "parts.2.deep.0"]
    assert list(m.named_parameters()) == names and list(m.state_dict()) == [*names, "seen"]
    g = syntonic.grad(lambda m: m(syntonic.ones((3, 2))).sum())(m)
    assert g.parts[1] is nn.relu and g.parts[2]["deep"][1] == 3 and len(tree.leaves(g)) == 3
    assert g.seen is m.seen and g.count is m.count
    doubled = tree.map(lambda x: x + x, m)
    np.testing.assert_array_equal(doubled.parts[2]["deep"][0].numpy(), [2.0, 2.0])
    lengths = tree.map(lambda x: x.ndim, m)
    assert tree.leaves(lengths) == [2, 1, 1]


def test_layers() -> None:
    x = syntonic.asarray(np.random.default_rng(0).standard_normal((400, 50)))
    e = nn.Embedding(7, 3, generator=random.Generator(0))
    np.testing.assert_array_equal(e(syntonic.asarray([[1, 6]])).numpy(), e.weight.numpy()[[[1, 6]]])
    normed = nn.LayerNorm(50, dtype="float64")(x).numpy()
    np.testing.assert_allclose(normed.std(axis=-1), 1, atol=1e-4)
    golden = nn.GoldenNorm(50, dtype="float64")(x).numpy()
    np.testing.assert_allclose(golden.var(axis=-1), 1 / syntonic.phi, atol=1e-4)
    dropout = nn.Dropout(0.25)
    assert dropout(x) is x
    left = dropout(x, random.Generator(3)).numpy()
    zero = left == 0
    # 20,000 draws: the part is off by 0.25 with a probability of 1e-10 at most at 6.5 standard deviations, 0.02.
    assert abs(zero.mean() - 0.25) < 0.02
    np.testing.assert_allclose(left[~zero], x.numpy()[~zero] / 0.75, rtol=1e-15)
    assert nn.Lambda(nn.relu)(x).shape == x.shape
    with pytest.raises(syntonic.ArgumentError, match="Dropout"):
        nn.Dropout(1.0)
    with pytest.raises(syntonic.ArgumentTypeError, match="forward"):
        nn.Module()(x)
