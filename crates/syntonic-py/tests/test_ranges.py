"""Ranges have no memory until somebody reads them as they are: masks and positions are computed where they are needed."""

from __future__ import annotations

import math

import syntonic


def test_a_causal_softmax_reads_its_scores_alone() -> None:
    n = 128
    x = (syntonic.reshape(syntonic.arange(n * n), (n, n)) % 17 * 0.25).eval()
    i, j = syntonic.expand_dims(syntonic.arange(n), axis=1), syntonic.arange(n)
    y = syntonic.where(i >= j, x, -math.inf)
    e = syntonic.exp(y - syntonic.max(y, axis=-1, keepdims=True))
    p = e / syntonic.sum(e, axis=-1, keepdims=True)
    assert f"reads {n * n * 8} bytes" in syntonic.explain(p)
    with syntonic.profile() as recorded:
        got = p.tolist()
    assert [line.bytes for line in recorded.lines] == [2 * n * n * 8]
    assert i.is_pending and j.is_pending
    for r in range(n):
        terms = [math.exp((r * n + c) % 17 * 0.25) for c in range(r + 1)]
        assert all(abs(v - t / sum(terms)) < 1e-14 for v, t in zip(got[r], terms, strict=False))
        assert not any(got[r][r + 1 :])


def test_a_sum_up_to_a_place() -> None:
    n = 50_000
    x = syntonic.ones((n,), dtype=syntonic.float32)
    i = syntonic.arange(n)
    assert syntonic.sum(syntonic.where(i < 777, x, 0.0)).item() == 777.0
    assert i.is_pending


def test_views_share_what_is_written() -> None:
    x = syntonic.arange(10, 0, -2)
    assert x.is_pending and x.tolist() == [10, 8, 6, 4, 2]
    assert not x.is_pending
    x = syntonic.arange(12)
    y, twice = syntonic.reshape(x, (3, 4))[::-1, 1::2], x * 2
    x[5] = 70
    assert y.tolist() == [[9, 11], [70, 7], [1, 3]]
    assert twice.tolist() == [2 * k for k in range(12)] and (x * 2).tolist()[5] == 140


def test_ranges_are_what_python_says() -> None:
    for start, stop, step in [(0, 0, 1), (3, 20_000, 1), (20_000, -5, -7), (-(1 << 40), 1 << 40, 1 << 36)]:
        want = list(range(start, stop, step))
        assert syntonic.arange(start, stop, step).tolist() == want
        assert (syntonic.arange(start, stop, step) + 1).tolist() == [v + 1 for v in want]
        for dtype in (syntonic.float64, syntonic.int64):
            assert syntonic.arange(start, stop, step, dtype=dtype).tolist() == want
    line = syntonic.linspace(0.1, 0.7, 20_001).tolist()
    assert (line[0], line[-1], len(line)) == (0.1, 0.7, 20_001)
    eye = syntonic.eye(100, 101, k=1)
    assert syntonic.sum(eye).item() == 100 and eye[3, 4].item() == 1
