"""States on the golden lattice as tensors: operators, modes, forms, gradients and files."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import syntonic as syn
from syntonic import nn, random, resonant
from syntonic.exact import GoldenArray, GoldenInt, GoldenRational
from syntonic.resonant import Crystallized, Flux

PHI = (1 + math.sqrt(5)) / 2
phi = GoldenInt(0, 1)


def normal(n: int, seed: int = 1) -> syn.State:
    return random.Generator(seed).normal(n)


@pytest.mark.parametrize(("n", "cycles"), [(10, 200), (1000, 40), (100_000, 20)])
def test_normal_states_survive_the_default_cycle(n: int, cycles: int) -> None:
    state = Crystallized(normal(n))
    for k in range(cycles):
        state, s = state.cycle(seed=k) if k % 2 else state.cycle()
    assert 0 <= s.item() <= 1 and state.shape == (n,)


def test_a_flux_that_leaves_the_range_is_fitted() -> None:
    flux = Flux([[1.0, 2.0], [0.0, 1000.0]])
    with pytest.raises(syn.ArgumentError, match="fitted"):
        flux.crystallize()
    fitted, powers = flux.fitted()
    assert powers.tolist() == [0, 6] and powers.dtype == syn.int64
    assert fitted.values.tolist() == [[1.0, 2.0], [0.0, pytest.approx(1000 / PHI**6, rel=1e-14)]]
    assert fitted.syntony().tolist() == pytest.approx(flux.syntony().tolist(), rel=1e-14)
    assert fitted.crystallize()[0].shape == (2, 2)


def test_the_default_prune_drops_high_modes() -> None:
    state = Crystallized(normal(50))
    before, after = state.values().tolist(), state.prune().values().tolist()
    for n, (x, kept) in enumerate(zip(before, after, strict=True)):
        assert kept == (0.0 if abs(x) * math.exp(-n * n / PHI) < syn.golden.q / 248 else x)
    assert after[5:] == [0.0] * 45 and after[0] == before[0] != 0
    assert state.prune().syntony().item() > state.syntony().item()
    # By values alone: no point of this bound is as near to 0 as q / 248, and some are as near as q.
    assert state.prune(weighted=False).points.tolist() == state.points.tolist()
    assert Crystallized([3.0, 0.0131556]).prune(1, weighted=False).values().tolist() == [3.0, 0.0]


def test_operators_are_exact_and_natural() -> None:
    a, b = Crystallized([3.0, -2.0, 5.0]), Crystallized([1.0, 4.0, -1.0])
    assert (a + b).points.tolist() == [4, 2, 4] and (a - b).points.tolist() == [2, -6, 6] and (-a).points.tolist() == [-3, 2, -5]
    assert (2 * a).points.tolist() == (a * 2).points.tolist() == [6, -4, 10]
    assert (phi**3 * a).points.tolist() == [3 * phi**3, -2 * phi**3, 5 * phi**3]
    assert (phi**-2 * (phi**2 * a)).points.tolist() == [3, -2, 5]
    assert (a * b).points.tolist() == [3, -8, -5]
    assert (a + GoldenArray([1, 1, 1], [1, 1, 1])).points.tolist() == [4 + phi, -1 + phi, 6 + phi]
    assert (1 - a).points.tolist() == [-2, 3, -4] and (a + 1).points.tolist() == [4, -1, 6]
    w = GoldenArray([[1, 0], [0, 1], [0, 0]], [[0, 1], [0, 0], [1, 0]])
    assert (a @ w).points.tolist() == [3 + 5 * phi, -2 + 3 * phi]
    rows = resonant.stack([a, b])
    assert (rows @ Crystallized(w)).points.tolist() == [[3 + 5 * phi, -2 + 3 * phi], [1 - phi, 4 + phi]]
    assert (a @ w).norms.tolist() == [0, 1]
    assert (a + b).bound == 100 and (a + b).norms.tolist() == [0, 1, 4]


def test_floats_stand_beside_a_flux_alone() -> None:
    a = Crystallized([3.0, -2.0])
    for wrong in (
        lambda: 0.5 * a,
        lambda: a + 0.5,
        lambda: a + syn.asarray([0.5, 1.0]),
        lambda: a + a.wake(),
        lambda: a * GoldenRational(1, 0, 2),
        lambda: a @ [[1.0], [2.0]],
    ):
        with pytest.raises(syn.ArgumentTypeError, match="wake"):
            wrong()
    with pytest.raises(syn.ArgumentTypeError, match="wake"):
        a.wake() + a
    for name in ("softmax", "syntonic_softmax", "layer_norm", "batch_norm", "phi_residual", "snap_gradient"):
        with pytest.raises(AttributeError, match=rf"wake\(\)\.{name}"):
            getattr(a, name)
    assert not hasattr(a, "nothing_like_it")
    with pytest.raises(TypeError):
        a + object()
    with pytest.raises(TypeError):
        a.wake() * object()
    f = a.wake()
    assert (0.5 * f).values.tolist() == [1.5, -1.0] and (f / 2 + 1).values.tolist() == [2.5, 0.0]
    assert (f - syn.asarray([1.0, 1.0])).values.tolist() == [2.0, -3.0] and (1 - f).values.tolist() == [-2.0, 3.0]
    assert (syn.asarray([1.0, 1.0]) + f).values.tolist() == [4.0, -1.0]
    assert (phi * f).values.tolist() == [3 * PHI, -2 * PHI] and (f * GoldenRational(1, 0, 2)).values.tolist() == [1.5, -1.0]
    assert (6 / f).values.tolist() == [2.0, -3.0] and (f / f).values.tolist() == [1.0, 1.0]
    assert (f @ [[1.0], [2.0]]).values.tolist() == [-1.0] and (f @ f.reshape(2, 1)).values.tolist() == [13.0]
    assert (f + GoldenArray([1, 1], [0, 1])).values.tolist() == [4.0, -1 + PHI]


@pytest.mark.parametrize("kind", [Crystallized, Flux])
def test_elements_keep_their_modes_where_they_go(kind: Callable[..., Any]) -> None:
    x = kind([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    def values(s: Any) -> Any:
        return s.values().tolist() if kind is Crystallized else s.values.tolist()

    norms = np.broadcast_to(np.array([0.0, 1.0, 4.0]), (2, 3))
    data = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    indices: list[Any] = [0, -1, slice(0, 1), (slice(None), slice(1, 3)), (slice(None), 2), (..., None), [1, 0, 1], (slice(None), [2, 0])]
    indices += [(slice(None), slice(None, None, -1)), ([0, 1], [2, 1]), np.array([True, False]), data > 2.5]
    for index in indices:
        got, want = x[index], data[index]
        assert values(got) == want.tolist() and got.shape == want.shape
        assert np.broadcast_to(np.array(got.norms.tolist()), want.shape).tolist() == norms[index].tolist()
    assert x[0].shape == (3,) and x[0].norms.tolist() == [0, 1, 4]
    # One element alone is a number.
    alone = x[1, 2]
    assert (alone.item() if kind is Flux else alone.tolist()) == 6
    assert [values(row) for row in x] == data.tolist()
    assert x.T.shape == (3, 2) and x.T.norms.tolist() == norms.T.tolist() and values(x.T) == data.T.tolist()
    assert x.reshape(-1).norms.tolist() == norms.reshape(-1).tolist() and x.reshape((3, 2)).norms.tolist() == norms.reshape(3, 2).tolist()
    assert x.reshape(2, 1, 3).norms.tolist() == [0, 1, 4] and len(x) == 2 and x.ndim == 2 and x.size == 6
    assert x.transpose(1, 0).shape == x.transpose((1, 0)).shape == (3, 2)
    assert resonant.stack([x, x]).shape == (2, 2, 3) and resonant.stack([x, x]).norms.tolist() == [0, 1, 4]
    assert resonant.concat([x, x[:, :1]], axis=1).norms.tolist() == [0, 1, 4, 0]
    assert resonant.concat([x, x]).shape == (4, 3)
    other = x.with_norms([0.0, 2.0, 3.0])
    assert other.norms.tolist() == [0, 2, 3] and (other + other).norms.tolist() == [0, 2, 3]
    with pytest.raises(syn.ArgumentError, match="with_norms"):
        x + other
    with pytest.raises(syn.ShapeError):
        x.with_norms([0.0])
    with pytest.raises(IndexError):
        x[2]
    with pytest.raises(syn.SyntonicError):
        x.reshape(5)
    wrong: list[Any] = [[], [x, 1], [x, Flux([1.0]) if kind is Crystallized else Crystallized([1.0])], 5]
    for states in wrong:
        with pytest.raises(syn.ArgumentTypeError):
            resonant.stack(states)


def test_modes_of_each_element_count_in_syntony_and_cycles() -> None:
    flat = Crystallized([float(k % 5) - 1.5 for k in range(12)])
    after, s = flat.reshape(3, 4).cycle()
    for row in range(3):
        alone = flat[4 * row : 4 * row + 4]
        assert alone.norms.tolist() == [k * k for k in range(4 * row, 4 * row + 4)]
        moved, own = alone.cycle()
        assert after[row].points.tolist() == moved.points.tolist() and s[row].item() == own.item()


def test_forms_of_a_flux_are_those_of_its_values() -> None:
    x = syn.asarray([[0.3, -0.7, 0.2], [0.9, 0.1, -0.4], [1.0, 2.0, -1.0]])
    f = Flux(x)
    assert f.softmax().values.tolist() == nn.softmax(x).tolist() and f.softmax(axis=0).values.tolist() == nn.softmax(x, axis=0).tolist()
    assert f.syntonic_softmax().values.tolist() == nn.syntonic_softmax(x, mode_norms=f.norms).tolist()
    own = f.with_norms([[float(k) for k in range(j, j + 3)] for j in range(3)])
    weights = resonant.golden_weights(own.norms)
    assert own.syntonic_softmax().values.tolist() == nn.syntonic_softmax(x, weights=weights).tolist()
    assert f.layer_norm(mode="standard").values.tolist() == nn.layer_norm(x, mode="standard").tolist()
    assert f.batch_norm().values.tolist() == nn.golden_batch_norm_1d(x).tolist()
    planes = x.reshape(1, 1, 3, 3)
    assert Flux(planes).batch_norm().values.tolist() == nn.golden_batch_norm_2d(planes).tolist()
    assert f.phi_residual(f * 2).values.tolist() == nn.phi_residual(x, x * 2).tolist()
    got = f.phi_residual(x, "standard", activation="relu").values
    assert got.tolist() == nn.phi_residual(x, x, "standard", activation="relu").tolist()
    with pytest.raises(syn.ArgumentError, match="modes"):
        f.phi_residual(f.with_norms([1.0, 1.0, 1.0]))
    assert f.map(syn.tanh).values.tolist() == syn.tanh(x).tolist() and f.map(syn.tanh).norms.tolist() == [0, 1, 4]
    with pytest.raises(syn.ShapeError):
        f.map(lambda t: t[:, :2])


def test_the_gradient_that_snapping_stands_for() -> None:
    before, after = Flux([1.5, 2.5, 3.5]), Crystallized([2.0, 2.0, 4.0])
    assert before.snap_gradient(after, weighted=False).tolist() == [0.5, -0.5, 0.5]
    w = resonant.golden_weights([0.0, 1.0, 4.0]).tolist()
    assert before.snap_gradient(after).tolist() == [0.5 * w[0], -0.5 * w[1], 0.5 * w[2]]
    nearest = before.crystallize(10)[0]
    assert before.snap_gradient(bound=10).tolist() == before.snap_gradient(nearest).tolist()
    with pytest.raises(syn.ArgumentError, match="bound"):
        before.snap_gradient(after, 10)
    with pytest.raises(syn.ShapeError):
        before.snap_gradient(Crystallized([2.0]))


def test_gradients_flow_through_a_flux() -> None:
    x = syn.asarray([0.3, -0.7, 0.2, 0.9])
    found = syn.grad(lambda v: Flux(v).syntony())(x).tolist()
    s, total = Flux(x).syntony().item(), sum(v * v for v in x.tolist())
    for n, (got, v) in enumerate(zip(found, x.tolist(), strict=True)):
        assert got == pytest.approx(2 * v * (math.exp(-n * n / PHI) - s) / total, abs=1e-15)

    def form(v: syn.State) -> syn.State:
        f = Flux(v)
        s = f.syntony()
        moved = f.differentiate(s).harmonize(s)
        soft = (2 * moved.layer_norm().phi_residual(f) - f / 3)[::-1].syntonic_softmax()
        made = resonant.concat([soft @ [[1.0], [0.5], [-1.0], [2.0]], soft[:1]]).reshape(-1)
        return (made.values**2).sum() + made.T.syntony()

    slope = syn.grad(form)(x).tolist()
    for k in range(4):
        step = syn.asarray([1e-5 * (j == k) for j in range(4)])
        want = (form(x + step).item() - form(x - step).item()) / 2e-5
        # The error of a central difference is h^2 f'''/6 and a rounding over h.
        assert slope[k] == pytest.approx(want, abs=1e-7)
    with pytest.raises(syn.GradientError, match="snap"):
        syn.grad(lambda v: Flux(v).crystallize()[0].values().sum())(x)


@pytest.mark.parametrize("end", ["npz", "safetensors"])
def test_files_give_the_same_state(tmp_path: Path, end: str) -> None:
    path = tmp_path / f"state.{end}"
    modes: list[Any] = [[2.0, 5.0], [[2.0, 5.0], [1.0, 0.0]]]
    for norms in modes:
        state = Crystallized([[1.0, -2.0], [0.5, 3.0]], norms=norms, bound=1000)
        state.save(path)
        same = resonant.load(path)
        assert isinstance(same, Crystallized) and same.points.tolist() == state.points.tolist() and same.bound == 1000
        assert same.norms.tolist() == norms and same.syntony().tolist() == state.syntony().tolist()
        flux = state.wake() / 3
        flux.save(path)
        read = resonant.load(path)
        assert isinstance(read, Flux) and read.values.tolist() == flux.values.tolist() and read.norms.tolist() == norms
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(syn.FileError):
            resonant.load(path)
    syn.save(path, {"x": syn.asarray([1.0])})
    with pytest.raises(syn.FileError, match="no states"):
        resonant.load(path)
    with pytest.raises(syn.MissingFileError):
        resonant.load(tmp_path / f"absent.{end}")
    with pytest.raises(syn.FileError, match="npz"):
        flux.save(tmp_path / "state.txt")
