"""An argument that a call would not look at is an error, which names it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import syntonic as syn
from syntonic import evolve, golden, infer, information, nn, resonant

X = syn.asarray([0.5, -1.0, 0.25, 2.0, 1.5, -0.5, 0.75, -2.0])
SQUARE = [[1.0, 2.0], [3.0, 4.0]]
SEARCH = lambda **settings: evolve.DeviceSearch(syn.ones(4, dtype="float64"), 0.5, 8, **settings)

MODEL = infer.DiscreteModel([[[0.9, 0.1], [0.1, 0.9]]], [[[[1.0], [0.0]], [[0.0], [1.0]]]])

#: The argument that is named, and a call that would ignore it.
CALLS: list[tuple[str, Callable[[], object]]] = [
    ("mode 'identity'", lambda: nn.syntonic_softmax(X, mode="identity", weights=syn.ones(8))),
    ("mode 'identity'", lambda: nn.syntonic_softmax(X, mode="identity", mode_norms=syn.ones(8))),
    ("mode 'identity'", lambda: nn.syntonic_softmax(X, mode=nn.SyntonicSoftmaxMode.IDENTITY, log_weights=syn.ones(8))),
    ("mode 'identity'", lambda: syn.syntonic_softmax(X, mode="identity", weights=syn.ones(8))),
    ("mode 'identity'", lambda: nn.syntonic_softmax_gradients(X, nn.softmax(X), mode="identity", weights=syn.ones(8))),
    ("mode 'learned'", lambda: nn.syntonic_softmax(X, mode="learned", weights=syn.ones(8))),
    ("mode 'provided'", lambda: nn.syntonic_softmax(X, mode="provided")),
    ("learning_rate", lambda: SEARCH(learning_rate=0.1)),
    ("learning_rate", lambda: SEARCH(rule="snes", learning_rate=0.01)),
    ("learning_rate", lambda: SEARCH(rule="cma", learning_rate=0.1)),
    ("chunk", lambda: SEARCH().step("sphere", chunk=2)),
    ("chunk", lambda: SEARCH().run("sphere", 2, chunk=2)),
    ("capture", lambda: SEARCH().run("sphere", 2, capture=True)),
    ("block", lambda: information.transfer_entropy(X, X, k=1, block=3)),
    ("block", lambda: information.transfer_entropy(X, X, k=1, block=3, surrogates=2, scheme="shift")),
    ("scheme", lambda: information.transfer_entropy(X, X, k=1, scheme="shift")),
    ("condition", lambda: information.transfer_entropy(X, X, k=1, condition_history=2)),
    ("delay", lambda: information.transfer_entropy_matrix(syn.stack([X, X]), k=1, delay=[1, 2])),  # type: ignore[arg-type]
    ("horizon", lambda: infer.DiscreteAgent(MODEL, 3, policies=[[[0]]])),
    ("beta", lambda: golden.mm_gemm(SQUARE, SQUARE, beta=2)),
    ("offset", lambda: resonant.Crystallized([3.0, 0.0]).cycle(offset=3)),
    ("strength", lambda: resonant.Crystallized([3.0, 0.0]).cycle(strength=0.5)),
    ("strength", lambda: resonant.differentiate(X, strength=0.5)),
    ("strength", lambda: resonant.cycle(X, strength=0.5)),
    ("strength", lambda: resonant.Flux([3.0, 0.0]).differentiate(0.5, strength=0.5)),
]


@pytest.mark.parametrize(("named", "call"), CALLS, ids=[f"{at} {named}" for at, (named, _) in enumerate(CALLS)])
def test_what_would_be_ignored_is_an_error(named: str, call: Callable[[], object]) -> None:
    with pytest.raises(syn.ArgumentError, match=named):
        call()


def test_a_chunk_is_one_candidate_or_more() -> None:
    for chunk in (0, -1):
        with pytest.raises(syn.ArgumentError, match="chunk"):
            SEARCH().step(lambda x: x.sum(-1), chunk=chunk)


@pytest.mark.parametrize("rule", ["res", "separable", "separable_cma", "snes", "openai", "cma", "cr_fm_nes"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_candidates_are_the_same_in_any_chunks(rule: str, dtype: str) -> None:
    search = evolve.DeviceSearch(syn.ones(5, dtype=dtype), 0.5, 10, rule=rule, seed=2)
    search.step("sphere")
    whole = search.ask().tolist()
    for chunk in (1, 2, 3, 7, 10, 11):
        parts = [search.ask(k, min(k + chunk, 10)) for k in range(0, 10, chunk)]
        assert syn.concat(parts).tolist() == whole
        # A sum over the last axis is of each candidate by itself.
        other = evolve.DeviceSearch(syn.ones(5, dtype=dtype), 0.5, 10, rule=rule, seed=2)
        other.step("sphere")
        assert other.step(lambda x: (x**2).sum(-1), chunk=chunk).tolist() == (search.ask() ** 2).sum(-1).tolist()
