"""Queues for programs of a user's own: results, chains on the device, threads, and what is refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import syntonic as syn
from syntonic import cuda, pipeline
from syntonic.cuda import Queue, TensorSpec


def _softmax(x: syn.State) -> tuple[syn.State, syn.State]:
    e = syn.exp(x - syn.max(x))
    p = e / syn.sum(e)
    return p, syn.max(p)


def _descent() -> pipeline.Plan:
    step = [
        pipeline.product("predicted", 1, ("m",), "jacobian", "mu"),
        pipeline.formula("error", 2, ("m",), lambda seen, predicted: seen - predicted),
        pipeline.product("slope", 3, ("n",), pipeline.transposed("jacobian"), "error"),
        pipeline.formula("mean", 4, ("n",), lambda mu, slope: mu + 0.1 * slope),
    ]
    return pipeline.Plan(
        "Descent",
        inputs={"jacobian": ("m", "n"), "mu": ("n",), "seen": ("m",)},
        stages=[pipeline.repeat(5, {"mu": "mean"}, step)],
        outputs=["mean"],
    )


# Leases that are short, so that a kernel which runs within its launch ends soon, too.
SHORT: dict[str, Any] = {"idle": 1e-6, "deadline": 20}
JACOBIAN = np.array([[1.0, 0.5, 0.0], [0.0, 1.0, -1.0]])


@pytest.fixture
def queue() -> Iterator[Queue]:
    programs = {
        "softmax": (_softmax, [TensorSpec((5,), "float32")]),
        "descent": (_descent(), [syn.asarray(JACOBIAN), TensorSpec((3,), "float64"), TensorSpec((2,), "float64")]),
    }
    with Queue(programs, lanes=2, **SHORT) as queue:
        yield queue


def _stepped(mu: np.ndarray, seen: np.ndarray, rounds: int) -> np.ndarray:
    for _ in range(5 * rounds):
        mu = mu + 0.1 * JACOBIAN.T @ (seen - JACOBIAN @ mu)
    return mu


def test_results_are_those_of_numpy_in_any_order(queue: Queue) -> None:
    rng = np.random.default_rng(1)
    given = [rng.normal(size=5).astype(np.float32) for _ in range(9)]
    asked = [queue.submit("softmax", x) for x in given]
    for x, request in reversed(list(zip(given, asked, strict=True))):
        p, most = request.wait()
        want = np.exp(x.astype(np.float64)) / np.exp(x.astype(np.float64)).sum()
        # A softmax has some roundings of each entry, all of magnitude 1 at most.
        assert p.dtype == "float32" and p.device == "cpu"
        assert np.allclose(p.numpy(), want, rtol=0, atol=16 * np.finfo(np.float32).eps)
        assert float(most) == p.numpy().max()
        assert request.done
    mu, seen = rng.normal(size=3), rng.normal(size=2)
    assert np.allclose(queue.submit("descent", mu, seen).wait()[0].numpy(), _stepped(mu, seen, 1), rtol=0, atol=1e-13)


def test_a_request_reads_what_another_one_gives(queue: Queue) -> None:
    mu, seen = np.array([1.0, -1.0, 0.5]), np.array([0.25, 2.0])
    asked = queue.submit("descent", mu, seen)
    for _ in range(5):
        asked = queue.submit("descent", asked, seen)
    assert np.allclose(asked.wait()[0].numpy(), _stepped(mu, seen, 6), rtol=0, atol=1e-12)
    first = queue.submit("softmax", np.zeros(5, np.float32))
    assert np.allclose(queue.submit("softmax", first[0]).wait()[0].numpy(), 0.2, rtol=0, atol=1e-6)
    with pytest.raises(syn.ArgumentError, match=r"\[\]"):
        queue.submit("softmax", first[1])


def test_threads_ask_at_once(queue: Queue) -> None:
    wrong: list[object] = []

    def work(k: int) -> None:
        try:
            for turn in range(10):
                x = np.zeros(5, np.float32)
                x[turn % 5] = k
                p, most = queue.submit("softmax", x).wait()
                want = np.exp(k) / (np.exp(k) + 4)
                if int(syn.argmax(p)) != (turn % 5 if k else 0) or abs(float(most) - want) > 1e-5:
                    wrong.append((k, turn, p))
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert queue.report()["commands"] == 40


def test_a_layer_of_a_network_is_a_program() -> None:
    rng = np.random.default_rng(1)
    w, b = (syn.asarray(rng.standard_normal(shape).astype(np.float32)) for shape in [(7, 5), (5,)])

    def layer(x: syn.State, w: syn.State, b: syn.State) -> syn.State:
        return syn.nn.softmax(x @ w + b)

    with Queue({"layer": (layer, [TensorSpec((3, 7)), w, b])}, lanes=2, **SHORT) as queue:
        for _ in range(4):
            x = syn.asarray(rng.standard_normal((3, 7)).astype(np.float32))
            (got,) = queue.submit("layer", x).wait()
            np.testing.assert_allclose(got.numpy(), layer(x, w, b).numpy(), rtol=1e-5, atol=1e-6)


def test_positions_are_part_of_a_formula() -> None:
    rng = np.random.default_rng(2)
    keys = rng.standard_normal((6, 4)).astype(np.float32)

    def scores(q: syn.State, k: syn.State) -> syn.State:
        return syn.tril(q @ k.T) - syn.arange(6, device=q.device)

    with Queue({"scores": (scores, [TensorSpec((6, 4)), syn.asarray(keys)])}, lanes=1, **SHORT) as queue:
        q = rng.standard_normal((6, 4)).astype(np.float32)
        (got,) = queue.submit("scores", q).wait()
        np.testing.assert_allclose(got.numpy(), np.tril(q @ keys.T) - np.arange(6), rtol=1e-5, atol=1e-5)


def test_what_does_not_fit_is_refused_by_name(queue: Queue) -> None:
    with pytest.raises(syn.ArgumentError, match='no program is called "sofmax"; hint: descent, softmax'):
        queue.submit("sofmax", np.zeros(5))
    with pytest.raises(syn.ArgumentError, match="softmax was registered for float32"):
        queue.submit("softmax", np.zeros(5))
    with pytest.raises(syn.ArgumentError, match="takes 2 operands"):
        queue.submit("descent", np.zeros(3))
    with pytest.raises(syn.DeviceError):
        queue.submit("softmax", syn.zeros(5, dtype="float32", device="cuda"))
    with pytest.raises(syn.GraphError, match="a kernel of the library; hint: leave it to an ordinary call"):
        Queue({"sorted": (lambda x: syn.sort(x), [TensorSpec((64,))])})
    with pytest.raises(ZeroDivisionError):
        Queue({"raises": (lambda x: 1 // 0, [TensorSpec((2,))])})
    with pytest.raises(syn.ArgumentError, match="lanes"):
        Queue({"same": (lambda x: x + 0, [TensorSpec((2,))])}, lanes=3)
    with pytest.raises(syn.ArgumentTypeError, match="a State that is kept, or TensorSpec"):
        Queue({"same": (lambda x: x, [3])})
    queue.close()
    with pytest.raises(syn.ArgumentError, match="closed"):
        queue.submit("softmax", np.zeros(5, np.float32))


def test_a_lease_ends_and_another_begins(queue: Queue) -> None:
    x = np.ones(5, np.float32)
    queue.submit("softmax", x).wait()
    queue.pause()
    report = queue.report()
    assert not report["live"] and report["leases"] >= 1
    queue.submit("softmax", x).wait()
    assert queue.report()["leases"] > report["leases"]
    assert cuda.is_available() and repr(queue).startswith("Queue(cuda:0, 2 lanes")
