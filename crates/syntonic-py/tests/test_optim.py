"""Optimisers beside the same formulas in plain NumPy, and what they say of mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import optim

Array = np.ndarray
Slow = Callable[[int, Array, Array, dict[str, Array]], Array]
RATE = 0.1


def sgd(t: int, p: Array, g: Array, s: dict[str, Array]) -> Array:
    return p - RATE * g


def momentum(t: int, p: Array, g: Array, s: dict[str, Array]) -> Array:
    s["v"] = 0.9 * s["v"] + (g + 0.2 * p)
    return p - RATE * s["v"]


def nesterov(t: int, p: Array, g: Array, s: dict[str, Array]) -> Array:
    s["v"] = 0.5 * s["v"] + g
    return p - RATE * (g + 0.5 * s["v"])


def adam(t: int, p: Array, g: Array, s: dict[str, Array]) -> Array:
    s["m"] = 0.9 * s["m"] + 0.1 * g
    s["v"] = 0.999 * s["v"] + 0.001 * g**2
    return p - RATE * (s["m"] / (1 - 0.9**t)) / (np.sqrt(s["v"] / (1 - 0.999**t)) + 1e-8)


def adam_with_decay(t: int, p: Array, g: Array, s: dict[str, Array]) -> Array:
    return adam(t, p, g + 0.3 * p, s)


def adamw(t: int, p: Array, g: Array, s: dict[str, Array]) -> Array:
    return adam(t, p - RATE * 0.01 * p, g, s)


def lion(t: int, p: Array, g: Array, s: dict[str, Array]) -> Array:
    along = np.sign(0.9 * s["m"] + 0.1 * g)
    s["m"] = 0.99 * s["m"] + 0.01 * g
    return p - RATE * (along + 0.3 * p)


CASES: list[tuple[optim._Optimizer, Slow, str]] = [
    (optim.SGD(RATE), sgd, ""),
    (optim.SGD(RATE, momentum=0.9, weight_decay=0.2), momentum, "v"),
    (optim.SGD(RATE, momentum=0.5, nesterov=True), nesterov, "v"),
    (optim.Adam(RATE), adam, "mv"),
    (optim.Adam(RATE, weight_decay=0.3), adam_with_decay, "mv"),
    (optim.AdamW(RATE), adamw, "mv"),
    (optim.Lion(RATE, weight_decay=0.3), lion, "m"),
]


@pytest.mark.parametrize(("optimizer", "slow", "names"), CASES)
def test_updates_are_those_of_the_formulas(optimizer: optim._Optimizer, slow: Slow, names: str) -> None:
    rng = np.random.default_rng(0)
    start = {"w": rng.standard_normal((3, 2)), "b": [rng.standard_normal(2)]}
    params: Any = syntonic.tree.map(syntonic.asarray, start)
    state = optimizer.init(params)
    assert set(state) == {"step", *names}
    want, kept = [start["w"], start["b"][0]], [{n: np.zeros((3, 2)) for n in names}, {n: np.zeros(2) for n in names}]
    for t in range(1, 6):
        g = [rng.standard_normal((3, 2)), rng.standard_normal(2)]
        grads = {"w": syntonic.asarray(g[0]), "b": [syntonic.asarray(g[1])]}
        params, state = optimizer.step(params, grads, state)
        want = [slow(t, p, d, s) for p, d, s in zip(want, g, kept)]
        # Some twenty roundings a step, of numbers below 4.
        np.testing.assert_allclose(params["w"].numpy(), want[0], atol=5 * 20 * 4 * 2.3e-16)
        np.testing.assert_allclose(params["b"][0].numpy(), want[1], atol=5 * 20 * 4 * 2.3e-16)
    assert state["step"] == 5


def test_a_schedule_is_asked_for_each_step() -> None:
    asked: list[int] = []

    def rate(step: int) -> float:
        asked.append(step)
        return 1.0 / (step + 1)

    optimizer, p = optim.SGD(rate), syntonic.asarray(0.0)
    state = optimizer.init(p)
    for _ in range(3):
        p, state = optimizer.step(p, syntonic.asarray(1.0), state)
    assert asked == [0, 1, 2] and p.item() == pytest.approx(-(1 + 1 / 2 + 1 / 3), rel=1e-15)


def test_gradients_are_clipped_together() -> None:
    grads = {"a": syntonic.asarray([3.0, 0.0]), "b": syntonic.asarray([[4.0]])}
    clipped, length = optim.clip_by_global_norm(grads, 2.5)
    assert length.item() == 5.0
    np.testing.assert_allclose(clipped["b"].numpy(), [[4 * 2.5 / (5 + 1e-6)]], rtol=1e-15)
    optimizer = optim.SGD(1.0, max_norm=2.5)
    moved, _ = optimizer.step(grads, grads, optimizer.init(grads))
    np.testing.assert_allclose(moved["b"].numpy(), [[4 - 4 * 2.5 / (5 + 1e-6)]], rtol=1e-15)


def test_what_is_given_stays_as_it_was() -> None:
    p, g = syntonic.asarray([1.0]), syntonic.asarray([2.0])
    optimizer = optim.Adam()
    state = optimizer.init(p)
    optimizer.step(p, g, state)
    assert p.item() == 1.0 and g.item() == 2.0 and state["step"] == 0 and state["m"].item() == 0.0


def test_mistakes_are_named() -> None:
    p = syntonic.asarray([1.0, 2.0])
    adam = optim.Adam()
    with pytest.raises(syntonic.ArgumentError, match="init"):
        adam.step(p, p, {})
    with pytest.raises(syntonic.ArgumentError, match="forms"):
        adam.step([p], [p, p], adam.init([p]))
    with pytest.raises(syntonic.ShapeError, match="adam"):
        adam.step(p, p[:1], adam.init(p))
    with pytest.raises(syntonic.ArgumentTypeError, match="gradients"):
        adam.step(p, 3.0, adam.init(p))
    with pytest.raises(syntonic.ArgumentError, match="learning rate"):
        optim.SGD(-1.0).step(p, p, {"step": 0})
    with pytest.raises(syntonic.ArgumentError, match="beta"):
        optim.Adam(betas=(1.0, 0.9)).step(p, p, adam.init(p))
    with pytest.raises(syntonic.ArgumentError, match="nesterov"):
        optim.SGD(0.1, nesterov=True)
    with pytest.raises(syntonic.ArgumentTypeError, match="betas"):
        optim.Lion(betas=0.9)  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentTypeError, match="momentum"):
        optim.SGD(0.1, momentum="much")  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentError, match="bound"):
        optim.clip_by_global_norm(p, -1.0)


def half_unit(name: str, x: float) -> float:
    """Half a unit of the last place of a number of this size."""
    digits, least = {"float16": (11, -24), "bfloat16": (8, -133), "float32": (24, -149)}[name]
    return float(2.0 ** max(np.floor(np.log2(max(abs(x), 1e-300))) - digits, least - 1))


@pytest.mark.parametrize("master", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("kind", [optim.Adam, optim.AdamW, optim.Lion, optim.SGD])
def test_half_types_move_as_double_precision_does(kind: Callable[..., optim._Optimizer], dtype: str, master: bool) -> None:
    """200 steps of 1e-3 along gradients from the smallest half number to the largest. Each step is off by half a unit of what keeps the
    parameter and, of its length, by the roundings of moments and mean, at most 4 of 2^-24 for each step before."""
    for magnitude in (1e-7, 1e-5, 1e-3, 1.0, 300.0, 3e4, 6e4):
        gradient = syntonic.asarray([magnitude]).astype(dtype)
        g = gradient.astype("float64").item()
        optimizer = kind(1e-3, master=master) if kind is not optim.SGD else kind(1e-3 / g, momentum=0.5, master=master)
        p = syntonic.asarray([1.0 if master else 0.0]).astype(dtype)
        state = optimizer.init(p)
        want = begin = float(p.item())
        m = v = bound = 0.0
        for t in range(1, 201):
            p, state = optimizer.step(p, gradient, state)
            if kind is optim.SGD:
                m = 0.5 * m + g
                step = 1e-3 / g * m
            elif kind is optim.Lion:
                step = 1e-3
            else:
                m, v = m + 0.1 * (g - m), v + (1 - 0.999) * (g * g - v)
                step = 1e-3 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
                step += 1e-5 * want if kind is optim.AdamW else 0.0
            want -= step
            bound += abs(step) * (8 * t + 60) * 2.0**-24 + (1 + master) * half_unit("float32" if master else dtype, abs(want) + bound + step)
        assert abs(want - begin) > 1.2 * bound
        assert abs(p.astype("float64").item() - want) <= bound + half_unit(dtype, abs(want) + bound), (magnitude, p, want)
        assert p.dtype.name == dtype and all(state[name].dtype.name == "float32" for name in state if name != "step")
        assert ("master" in state) == master


def test_a_master_copy_is_of_half_types_alone_and_survives_a_file(tmp_path: Any) -> None:
    params = {"half": syntonic.ones(3, dtype="bfloat16"), "whole": syntonic.ones(2, dtype="float64")}
    grads = {"half": syntonic.full(3, 0.1, dtype="bfloat16"), "whole": syntonic.full(2, 0.1, dtype="float64")}
    optimizer = optim.AdamW(1e-3, master=True)
    state = optimizer.init(params)
    assert state["master"]["whole"] is None and state["master"]["half"].dtype.name == "float32"
    for _ in range(5):
        params, state = optimizer.step(params, grads, state)
    flat = {f"{entry}.{name}": x for entry in ("m", "v", "master") for name, x in state[entry].items() if x is not None}
    flat |= {f"p.{name}": x for name, x in params.items()}
    syntonic.save(tmp_path / "state.safetensors", flat)
    loaded = syntonic.load(tmp_path / "state.safetensors")
    assert isinstance(loaded, dict)
    again: dict[str, Any] = {"step": state["step"]}
    for entry in ("m", "v", "master"):
        again[entry] = {name: loaded.get(f"{entry}.{name}") for name in params}
    one = optimizer.step(params, grads, state)
    other = optimizer.step({name: loaded[f"p.{name}"] for name in params}, grads, again)
    for a, b in zip(syntonic.tree.leaves(list(one)), syntonic.tree.leaves(list(other)), strict=True):
        assert a == b if isinstance(a, int) else a.tolist() == b.tolist()
    with pytest.raises(syntonic.ArgumentError, match="master"):
        optimizer.step(params, grads, optim.AdamW().init(params))
    with pytest.raises(syntonic.ArgumentTypeError, match="master"):
        optim.SGD(0.1, master=1)  # type: ignore[arg-type]
    wrong = optimizer.init(params) | {"master": {"half": syntonic.ones(4), "whole": None}}
    with pytest.raises(syntonic.ShapeError, match="master"):
        optimizer.step(params, grads, wrong)


def test_half_gradients_are_clipped_by_their_length() -> None:
    for dtype in ("float16", "bfloat16"):
        for magnitude in (1e-7, 1e-3, 300.0, 6e4):
            grads = [syntonic.full(1000, magnitude, dtype=dtype), syntonic.full(24, magnitude, dtype=dtype)]
            held = grads[0][0].astype("float64").item()
            clipped, length = optim.clip_by_global_norm(grads, 16 * held)
            assert length.dtype.name == "float32" and length.item() == pytest.approx(32 * held, rel=1100 * 2.0**-24)
            factor = 16 * held / (32 * held + 1e-6)
            want = held * factor
            assert abs(clipped[1][0].astype("float64").item() - want) <= want * 1100 * 2.0**-24 + half_unit(dtype, want)
