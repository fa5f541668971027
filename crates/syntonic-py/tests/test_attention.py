"""Attention with any score beside its definition in float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import syntonic
from syntonic import State, nn

RNG = np.random.default_rng(5)
Q = RNG.standard_normal((2, 4, 37, 16))
K = RNG.standard_normal((2, 2, 300, 16))
V = RNG.standard_normal((2, 2, 300, 24))
SLOPES = np.array([0.5, 0.25, 0.125, 0.0625]).reshape(4, 1, 1)
LENGTHS = np.array([300, 41]).reshape(2, 1, 1, 1)
WEIGHTS = RNG.uniform(0.1, 2.0, 300)


def defined(q: Any, k: Any, v: Any, score: Callable[[Any, Any, Any, Any, Any], Any] | None, scale: float | None = None) -> Any:
    k, v = (np.repeat(np.asarray(x, np.float64), q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    s = np.asarray(q, np.float64) @ np.swapaxes(k, -1, -2) * (scale or 1 / math.sqrt(q.shape[-1]))
    at = [np.arange(n).reshape([-1 if i == axis else 1 for i in range(4)]) for axis, n in enumerate(s.shape)]
    s = s if score is None else score(s, *at)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total) @ v


# A score as a function of States, of arrays, and what it reads.
SCORES: dict[str, tuple[Callable[..., State], Callable[..., Any], tuple[Any, ...]]] = {
    "alibi": (lambda s, b, h, q, k, m: s + m * (k - q), lambda s, b, h, q, k: s + SLOPES * (k - q), (SLOPES,)),
    "cap": (lambda s, b, h, q, k: 5 * syntonic.tanh(s / 5), lambda s, b, h, q, k: 5 * np.tanh(s / 5), ()),
    "window": (
        lambda s, b, h, q, k: syntonic.where(abs(q - k) < 9, s, -math.inf),
        lambda s, b, h, q, k: np.where(abs(q - k) < 9, s, -math.inf),
        (),
    ),
    "lengths": (
        lambda s, b, h, q, k, n: syntonic.where(k < n, s, -math.inf),
        lambda s, b, h, q, k: np.where(k < LENGTHS, s, -math.inf),
        (LENGTHS,),
    ),
    "no keys": (
        lambda s, b, h, q, k: syntonic.where(q % 3 == 1, -math.inf, s),
        lambda s, b, h, q, k: np.where(q % 3 == 1, -math.inf, s),
        (),
    ),
    "weights": (lambda s, b, h, q, k, w: s + syntonic.log(w), lambda s, b, h, q, k: s + np.log(WEIGHTS), (WEIGHTS,)),
}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("name", SCORES)
def test_scores_agree_with_their_definition(name: str, dtype: str) -> None:
    score, formula, operands = SCORES[name]
    q, k, v = (syntonic.asarray(x).astype(dtype) for x in (Q, K, V))
    # Of operands that are wider than scores there would be wider scores.
    sums = "float64" if dtype == "float64" else "float32"
    given = [syntonic.asarray(x).astype("int64" if x.dtype.kind == "i" else sums) for x in operands]
    got = nn.attention(q, k, v, score=score, operands=given)
    want = defined(*(x.astype("float64").numpy() for x in (q, k, v)), formula)
    unit = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24, "float64": 2.0**-53}[dtype]
    within = 2.0**-53 if dtype == "float64" else 2.0**-24
    # Scores of up to 20 are sums of 16 products and a formula, the sum is of 300 weights, and the result is rounded once.
    bound = within * (2 * 40 * 20 + 300) * np.abs(V).max() + unit * np.abs(want)
    assert got.dtype == dtype and got.shape == want.shape
    assert np.all(np.abs(got.astype("float64").numpy() - want) <= bound)
    assert np.abs(want).max() > 100 * bound.max() or dtype in ("float16", "bfloat16")


def test_masks_causal_and_golden_weights() -> None:
    causal = lambda s, b, h, q, k: np.where(k <= q, s, -math.inf)  # noqa: E731
    close = lambda got, want: np.testing.assert_allclose(got.numpy(), want, rtol=1e-12, atol=1e-13)  # noqa: E731
    close(nn.attention(Q, K, V, causal=True, scale=0.3), defined(Q, K, V, causal, 0.3))
    seen = RNG.random((37, 300)) < 0.3
    close(nn.attention(Q, K, V, mask=seen), defined(Q, K, V, lambda s, b, h, q, k: np.where(seen, s, -math.inf)))
    bias = RNG.standard_normal((4, 37, 300))
    close(nn.attention(Q, K, V, mask=bias), defined(Q, K, V, lambda s, b, h, q, k: s + bias))
    golden = defined(Q, K, V, lambda s, b, h, q, k: s + 2 * np.log(WEIGHTS))
    close(nn.golden_attention(Q, K, V, weights=WEIGHTS, power=2), golden)
    close(nn.golden_attention(Q, K, V, log_weights=np.log(WEIGHTS), power=2), golden)
    norms = np.arange(300.0)
    close(
        nn.golden_attention(Q, K, V, mode_norms=norms),
        defined(Q, K, V, lambda s, b, h, q, k: s - norms / syntonic.phi),
    )
    close(nn.golden_attention(Q, K, V), defined(Q, K, V, None))


def test_documents_are_picked_by_position() -> None:
    document = syntonic.asarray(np.arange(300) // 50)
    got = nn.attention(Q, K, V, score=lambda s, b, h, q, k: syntonic.where(document[q] == document[k], s, -math.inf))
    want = defined(Q, K, V, lambda s, b, h, q, k: np.where(q // 50 == k // 50, s, -math.inf))
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12, atol=1e-13)


def test_gradients_are_those_of_the_formula_in_operators() -> None:
    q, k, v, m = (syntonic.asarray(x) for x in (Q[:, :2], K[:, :2], V[:, :2], SLOPES[:2]))

    def ours(q: State, k: State, v: State, m: State) -> State:
        score = lambda s, b, h, i, j, m: s + m * (j - i)  # noqa: E731
        return (nn.attention(q, k, v, score=score, operands=(m,)) ** 2).sum()

    def theirs(q: State, k: State, v: State, m: State) -> State:
        far = syntonic.arange(300) - syntonic.arange(37)[:, None]
        return syntonic.square(syntonic.nn.softmax(q @ k.mT / 4 + m * far) @ v).sum()

    wrt = (0, 1, 2, 3)
    for a, b in zip(syntonic.grad(ours, wrt)(q, k, v, m), syntonic.grad(theirs, wrt)(q, k, v, m), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-9, atol=1e-9 * float(abs(b).max()))


X = syntonic.ones((1, 2, 3, 4))


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (syntonic.ArgumentTypeError, "score", lambda: nn.attention(X, X, X, score=3)),
        (syntonic.ArgumentTypeError, "score", lambda: nn.attention(X, X, X, score=lambda s, b, h, q, k: 3.0)),
        (syntonic.ArgumentTypeError, "causal", lambda: nn.attention(X, X, X, causal="yes")),
        (syntonic.ArgumentTypeError, "scale", lambda: nn.attention(X, X, X, scale="large")),
        (syntonic.ArgumentError, "finite", lambda: nn.attention(X, X, X, scale=math.nan)),
        (syntonic.ArgumentTypeError, "operands", lambda: nn.attention(X, X, X, score=lambda s, *_: s, operands=3)),
        (syntonic.ArgumentError, "score", lambda: nn.attention(X, X, X, operands=(X,))),
        (syntonic.ArgumentError, "element-wise", lambda: nn.attention(X, X, X, score=lambda s, *_: s.sum(-1))),
        (syntonic.ArgumentError, "element by element", lambda: nn.attention(X, X, X, score=lambda s, *_: s - s.max())),
        (syntonic.ArgumentError, "element by element", lambda: nn.attention(X, X, X, score=lambda s, *_: s * float(s[0, 0, 0, 0]))),
        (ZeroDivisionError, "zero", lambda: nn.attention(X, X, X, score=lambda s, *_: 1 / 0)),
        (syntonic.ShapeError, "multiple", lambda: nn.attention(syntonic.ones((3, 3, 4)), syntonic.ones((2, 3, 4)), syntonic.ones((2, 3, 4)))),
        (syntonic.ShapeError, "width", lambda: nn.attention(X, X[..., :2], X)),
        (syntonic.ShapeError, "value for each key", lambda: nn.attention(X, X, X[:, :, :2])),
        (syntonic.ShapeError, "mask", lambda: nn.attention(X, X, X, mask=syntonic.ones((2, 2)))),
        (syntonic.ShapeError, "mask", lambda: nn.attention(X, X, X, mask=syntonic.ones((1, 1, 1, 1, 3, 3)))),
        (syntonic.ShapeError, "operands", lambda: nn.attention(X, X, X, score=lambda s, *_: s, operands=(syntonic.ones(7),))),
        (syntonic.DTypeError, "mask", lambda: nn.attention(X, X, X, mask=syntonic.ones((3, 3), dtype="int64"))),
        (syntonic.DTypeError, "one real float type", lambda: nn.attention(X, X.astype("float16"), X)),
        (syntonic.ArgumentError, "power", lambda: nn.golden_attention(X, X, X, weights=X, power=math.inf)),
    ],
)
def test_what_does_not_fit_says_so(error: type[Exception], message: str, call: Callable[[], State]) -> None:
    with pytest.raises(error, match=message):
        call()


def test_what_is_tracked_is_an_operand() -> None:
    with pytest.raises(syntonic.GradientError, match="give it as an operand"):
        syntonic.grad(lambda w: nn.attention(X, X, X, score=lambda s, *_: s + w).sum())(syntonic.ones(3))
    with pytest.raises(syntonic.GradientError, match="second derivative"):
        syntonic.grad(lambda x: syntonic.grad(lambda y: syntonic.square(nn.attention(y, X, X)).sum())(x).sum())(X)
