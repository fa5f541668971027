"""Loops whose turns are captured, beside Python's."""

from __future__ import annotations

import pytest
import syntonic
from syntonic import GraphError, State, captured, fori_loop, while_loop

DEVICES = ["cpu", *(["cuda"] if syntonic.cuda.is_available() else [])]


def wave(*shape: int, step: float = 0.3, device: str = "cpu") -> State:
    count = 1
    for length in shape:
        count *= length
    return syntonic.sin(syntonic.arange(count, dtype="float64") * step).reshape(shape).eval().to(device)


def same(got: State, want: State) -> None:
    assert got.dtype == want.dtype and got.shape == want.shape and got.device == want.device
    assert got.tolist() == want.tolist()


def smooth(a: State, b: State) -> None:
    b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    a[1:-1, 1:-1] = 0.25 * (b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("turns", [0, 1, 6])
def test_a_body_may_write_its_state_in_place(device: str, turns: int) -> None:
    a, b = wave(33, 40, device=device), wave(33, 40, step=0.7, device=device)
    x, y = a.copy(), b.copy()
    got = fori_loop(2, 2 + turns, lambda i, state: smooth(*state), (a, b))
    same(a, x)
    for _ in range(turns):
        smooth(x, y)
    same(got[0], x)
    same(got[1], y)


@pytest.mark.parametrize("device", DEVICES)
def test_the_state_is_a_tree_and_the_number_a_state(device: str) -> None:
    x = wave(50, device=device)

    def body(i: State, state: dict[str, object]) -> dict[str, object]:
        assert i.dtype == "int64" and i.shape == () and i.device == x.device
        left, (right, total) = state["left"], state["rest"]
        return {"left": right, "rest": [left * i + 1.0, total + syntonic.sum(left)]}

    def python(state: dict[str, object]) -> dict[str, object]:
        for i in range(3, 8):
            left, (right, total) = state["left"], state["rest"]
            state = {"left": right, "rest": [left * i + 1.0, total + syntonic.sum(left)]}
        return state

    got = fori_loop(3, 8, body, {"left": x, "rest": [2 * x, 0.0]})
    want = python({"left": x, "rest": [2 * x, syntonic.array(0.0, dtype="float64", device=device)]})
    same(got["left"], want["left"])
    same(got["rest"][0], want["rest"][0])
    same(got["rest"][1], want["rest"][1])


@pytest.mark.parametrize("device", DEVICES)
def test_a_condition_of_the_values_ends_a_loop(device: str) -> None:
    x = wave(40, 30, device=device)

    def turn(state: tuple[State, State]) -> tuple[State, State]:
        x, turns = state
        return x * 0.75, turns + 1

    far = lambda state: syntonic.any(syntonic.abs(state[0]) > 0.01)  # noqa: E731
    got, turns = while_loop(far, turn, (x, 0))
    want, count = x, 0
    while bool(far((want, None))):
        want, count = want * 0.75, count + 1
    same(got, want)
    assert int(turns) == count > 5
    same(while_loop(far, turn, (got, 0))[0], got)


@pytest.mark.parametrize("device", DEVICES)
def test_loops_are_parts_of_graphs_and_of_loops(device: str) -> None:
    def newton(x: State, w: State) -> State:
        before = x * 2.0

        def outer(i: State, x: State) -> State:
            inner = while_loop(lambda s: s[1] < i, lambda s: (s[0] * 1.5 + w, s[1] + 1), (x, syntonic.zeros_like(i)))
            return inner[0] + before

        return fori_loop(0, 4, outer, x) - before

    def python(x: State, w: State) -> State:
        before = x * 2.0
        for i in range(4):
            for _ in range(i):
                x = x * 1.5 + w
            x = x + before
        return x - before

    step, w = captured(newton), wave(30, step=0.9, device=device)
    for k in (0.3, 1.1):
        x = wave(30, step=k, device=device)
        same(step(x, w), python(x, w))
    assert len(step.graphs) == 1


@pytest.mark.parametrize("device", DEVICES)
def test_what_a_loop_cannot_be_is_an_error(device: str) -> None:
    x, outer = wave(9, device=device), wave(9, step=0.5, device=device)
    kept = outer.tolist()

    def fails(i: State, x: State) -> State:
        raise KeyError("mine")

    def writes(i: State, x: State) -> None:
        outer[...] = x

    for error, match, body in (
        (KeyError, "mine", fails),
        (GraphError, "no part of the loop's state", writes),
        (GraphError, "item|float", lambda i, x: x * float(x[0])),
        (syntonic.ArgumentError, "the state is float64", lambda i, x: x[1:]),
        (syntonic.ArgumentTypeError, "the form of the state, and <class 'tuple'>", lambda i, x: (x, x)),
        (syntonic.ArgumentTypeError, "States", lambda i, x: 1.0),
    ):
        with pytest.raises(error, match=match):
            fori_loop(0, 3, body, x)
        assert outer.tolist() == kept
    with pytest.raises(syntonic.ArgumentError, match=r"wants one bool\[\]"):
        while_loop(lambda x: x > 0, lambda x: x, x)
    with pytest.raises(syntonic.ArgumentTypeError, match="a tree of States and numbers"):
        fori_loop(0, 3, lambda i, s: s, (x, "text"))
    with pytest.raises(syntonic.ArgumentError, match="other forms"):
        fori_loop(0, 3, lambda i, s: s[:1], (x, x))
    same(fori_loop(0, 2, lambda i, x: x + 1, x), x + 1 + 1)


def test_gradients_go_through_no_loop() -> None:
    x = wave(5)
    with pytest.raises(syntonic.GradientError, match="no gradient goes through a loop"):
        syntonic.grad(lambda x: syntonic.sum(fori_loop(0, 2, lambda i, y: y * 2, x)))(x)
