"""States on the golden lattice: defaults that work."""

from __future__ import annotations

import math

import pytest

import syntonic as syn
from syntonic import random
from syntonic.resonant import Crystallized, Flux

PHI = (1 + math.sqrt(5)) / 2


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
