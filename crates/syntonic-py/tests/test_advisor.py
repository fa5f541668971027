"""Advice: what is picked, kept, refused and left out."""

from __future__ import annotations

import os
import pathlib
import stat
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
import syntonic as syn


def sleeping(seconds: float, counts: list[int], result: Any = 1.0) -> Callable[..., Any]:
    def work(*args: Any) -> Any:
        counts.append(1)
        time.sleep(seconds)
        return result

    return work


def test_the_quickest_is_picked_and_kept(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "advice"
    counts: list[int] = []
    # A factor of twenty, which no machine turns around.
    choices = {"slow": sleeping(0.02, counts), "quick": sleeping(0.001, counts)}
    first = syn.Advisor(folder, budget=0.2).choose("sleep", choices)
    assert (first.picked, first.origin) == ("quick", "measured")
    assert first.seconds["slow"] > first.seconds["quick"] >= 0.001
    assert first() == 1.0
    assert len(list(folder.iterdir())) == 1
    counts.clear()
    advisor = syn.Advisor(os.fspath(folder))
    again = advisor.choose("sleep", choices)
    assert (again.picked, again.origin, again.seconds) == ("quick", "from disk", first.seconds)
    assert advisor.choose("sleep", choices).origin == "from memory"
    assert not counts
    advisor.forget(again)
    assert not list(folder.iterdir())
    assert advisor.choose("sleep", choices).origin == "measured"
    assert advisor.choose("sleep", choices, tolerance=0.5).origin == "measured"
    assert advisor.choose("sleep", choices, syn.ones(3)).origin == "measured"


def test_a_folder_of_no_use_fails_no_call(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    for folder in (blocked, blocked / "below"):
        advisor = syn.Advisor(folder, budget=0)
        assert [advisor.choose("one", {"a": lambda: 1}).origin for _ in range(2)] == ["measured", "from memory"]
    monkeypatch.setenv("SYNTONIC_ADVICE", "")
    assert syn.Advisor(budget=0).choose("one", {"a": lambda: 1}).origin == "measured"
    monkeypatch.setenv("SYNTONIC_ADVICE", os.fspath(tmp_path / "named"))
    syn.Advisor(budget=0).choose("one", {"a": lambda: 1})
    (kept,) = (tmp_path / "named").iterdir()
    assert stat.S_ISREG(kept.stat().st_mode)
    with pytest.raises(syn.ArgumentError, match="in_memory"):
        syn.Advisor(tmp_path, in_memory=True)


def test_coarse_and_broken_choices_are_left_out() -> None:
    def broken(x: syn.State) -> syn.State:
        raise RuntimeError("no such thing")

    x = syn.linspace(0, 1, 100)
    choices = {"exact": (lambda x: x * 2, 0), "coarse": (lambda x: x * 2.0001, 1e-4), "broken": (broken, 0)}
    advice = syn.Advisor(in_memory=True, budget=0).choose("double", choices, x, tolerance=1e-6)
    assert advice.picked == "exact"
    assert "no such thing" in advice.left_out["broken"]
    assert "tolerance" in advice.left_out["coarse"]
    assert "left out" in repr(advice) and advice.table() == repr(advice)
    with pytest.raises(syn.ArgumentError, match="no choice of double.*tolerance.*no such thing"):
        syn.Advisor(in_memory=True).choose("double", {"broken": broken, "coarse": choices["coarse"]}, x, tolerance=1e-6)
    with pytest.raises(RuntimeError, match="no such thing"):
        syn.Advisor(in_memory=True).choose("double", {"broken": broken}, x)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1.0, 1.1), ([1.0, 2.0], (1.0, 2.5)), ("a", "b"), (syn.ones(3), syn.ones(4)), ({"k": 1}, {"k": 2})],
)
def test_results_that_differ_are_refused_by_name(one: Any, other: Any) -> None:
    advisor = syn.Advisor(in_memory=True, budget=0)
    with pytest.raises(syn.ArgumentError, match="wrong differs from right"):
        advisor.choose("differ", {"right": (lambda: one, 0), "wrong": (lambda: other, 1e-3)})
    assert advisor.choose("agree", {"right": (lambda: one, 0), "same": (lambda: one, 0)}).picked in ("right", "same")


def test_what_ends_a_program_ends_the_measurement() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        syn.Advisor(in_memory=True).choose("stop", {"stop": stop, "go": lambda: None})


def test_what_is_no_choice_is_refused() -> None:
    advisor = syn.Advisor(in_memory=True)
    with pytest.raises(syn.ArgumentError, match="no choice"):
        advisor.choose("none", {})
    with pytest.raises(syn.ArgumentTypeError, match="callable"):
        advisor.choose("number", {"a": 3})  # type: ignore[dict-item]
    with pytest.raises(syn.ArgumentError, match="promises"):
        advisor.choose("negative", {"a": (lambda: 1, -1)})
    with pytest.raises(syn.ArgumentError, match="budget"):
        syn.Advisor(budget=-1)


def test_a_product_keeps_its_tolerance() -> None:
    a = syn.random.Generator(1).normal((48, 48), dtype="float32")
    advisor = syn.Advisor(in_memory=True, budget=0)
    advice = advisor.product(a, a, 1e-3)
    assert set(advice.seconds) == {"highest", "high", "medium", "tolerance"}
    with syn.matmul_precision(advice.precision):
        b = a @ a
    assert float(syn.max(abs(advice(a, a) - b))) < 1e-3
    strict = advisor.product(a, a, 1e-7)
    assert (strict.picked, strict.precision) == ("tolerance", 1e-7)
    with pytest.raises(syn.ShapeError):
        advisor.product(a, a[:5], 1e-3)


def test_beliefs_and_energies_are_those_of_infer() -> None:
    g = syn.random.Generator(2)
    n, m = 12, 7
    mu, o, j = g.normal((n,)), g.normal((m,)), g.normal((m, n))
    pi, var = abs(g.normal((m,))) + 0.5, abs(g.normal((n,))) + 0.5
    advisor = syn.Advisor(in_memory=True, budget=0)
    update = advisor.belief_update(mu, j, o, pi, rate=1e-2, steps=5)
    assert set(update.seconds) == {"resident", "resident, captured", "launches", "launches, captured"}
    want = syn.infer.belief_update(mu, j, o, pi, rate=1e-2, steps=5).mean
    assert syn.all(update(mu, o) == want)
    energy = advisor.free_energy(mu, -mu, var, 2 * var, o, j @ mu, pi)
    want = syn.infer.free_energy(mu, -mu, var, 2 * var, o, j @ mu, pi)
    got = energy(mu, -mu, var, 2 * var, o, j @ mu, pi)
    assert got == pytest.approx([float(want.free_energy), float(want.complexity), float(want.accuracy)], rel=1e-12)
    with pytest.raises(syn.ArgumentError, match="prepared for"):
        energy(*[syn.ones(3)] * 7)
    with pytest.raises(syn.ArgumentTypeError, match="3 arguments"):
        update(mu, o, o)
    with pytest.raises(syn.ArgumentError, match="prior"):
        advisor.belief_update(mu, j, o, pi, prior_mean=mu, rate=1e-2, steps=5)


def test_transfer_entropy_by_three_ways() -> None:
    g = syn.random.Generator(3)
    x, y = g.normal((120,)), g.normal((120,))
    advice = syn.Advisor(in_memory=True, budget=0).transfer_entropy(x, y, k=3)
    assert set(advice.seconds) == {"plain", "prepared", "captured"}
    assert advice(x, y) == syn.transfer_entropy(x, y, k=3).values


def test_threads_share_advice() -> None:
    a = syn.ones((20, 20))
    advice = syn.Advisor(in_memory=True, budget=0).product(a, a, 1e-12)
    found: list[float] = []
    threads = [threading.Thread(target=lambda: found.extend(float(advice(a, a)[0, 0]) for _ in range(20))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [20.0] * 80
