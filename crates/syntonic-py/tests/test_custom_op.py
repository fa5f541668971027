"""Operators of one's own: values, gradients, graphs and errors on the CPU. `gpu/test_gpu_custom.py` has their kernels."""

from __future__ import annotations

import gc
import pickle
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import syntonic
from syntonic import ArgumentError, ArgumentTypeError, GradientError, OperatorError, State, captured, custom_op, grad


def bend(x: State, y: State, a: float) -> Any:
    return a * x.numpy() + y.numpy() ** 2


def slopes(g: State, out: State, x: State, y: State, a: float) -> tuple[State, State]:
    return a * g, 2 * y * g


bent = custom_op("tests::bent", cpu=bend, gradient=slopes)


def wave(*shape: int, step: float = 0.3) -> State:
    n = int(np.prod(shape))
    return syntonic.sin(syntonic.arange(n, dtype="float64") * step).reshape(shape)


def test_operands_come_row_major_whatever_they_are() -> None:
    x, y = wave(4, 6), wave(6, 4, step=0.7)
    seen: list[State] = []

    def look(x: State) -> State:
        seen.append(x)
        with pytest.raises(ArgumentError, match="read-only"):
            x[...] = 0
        return x + 1

    plus = custom_op("tests::plus", cpu=look)
    for operand in (x, x.T, x[::-1, ::2], syntonic.broadcast_to(x[0], (3, 6)), 2 * wave(200, 100)):
        before = operand.tolist()
        np.testing.assert_array_equal(plus(operand).numpy(), np.asarray(before) + 1)
        assert operand.tolist() == before
        assert seen[-1].strides == np.asarray(before).strides
    np.testing.assert_array_equal(bent(x, y.T, 2.0).numpy(), 2 * x.numpy() + y.numpy().T ** 2)
    assert plus(x[:0]).shape == (0, 6)
    assert "in memory" in syntonic.explain(bent(x, y.T, 1.0))


def test_shapes_types_and_several_results() -> None:
    def both(x: State, k: int) -> tuple[Any, Any]:
        order = np.argsort(x.numpy())[:k]
        return x.numpy()[order], order

    first = custom_op("tests::first", shapes=lambda x, k: [((k,), x.dtype), (k, "int64")], cpu=both)
    values, places = first(syntonic.asarray([3.0, 1.0, 2.0]), 2)
    assert (values.tolist(), places.tolist(), places.dtype) == ([1.0, 2.0], [1, 2], syntonic.int64)
    numbers: list[Any] = []
    keep = custom_op("tests::keep", cpu=lambda x, *rest: numbers.extend(rest) or x)
    keep(syntonic.zeros(2), True, 3, 0.5, 2j, np.float32(1.5))
    assert numbers == [True, 3, 0.5, 2j, 1.5] and [type(n) for n in numbers] == [bool, int, float, complex, float]


def test_the_gradient_is_that_of_differences_and_has_one() -> None:
    x, y = wave(5), wave(5, step=1.1)

    def loss(x: State, y: State) -> State:
        return syntonic.sin(bent(x, y, 1.5)).sum()

    found = grad(loss, argnums=(0, 1))(x, y)
    h = 1e-5
    for k in range(5):
        unit = syntonic.asarray([h if i == k else 0.0 for i in range(5)])
        # Third derivatives below 40 times h^2 / 6, and roundings of a sum below 5 over 2 h.
        by_x = (loss(x + unit, y) - loss(x - unit, y)).item() / (2 * h)
        by_y = (loss(x, y + unit) - loss(x, y - unit)).item() / (2 * h)
        assert abs(found[0][k].item() - by_x) < 1e-8 and abs(found[1][k].item() - by_y) < 1e-8
    second = grad(lambda y: grad(lambda y: bent(x, y, 1.0).sum())(y).sum())(y)
    assert second.tolist() == [2.0] * 5
    # A result of several that leads nowhere has a slope of zeros.
    twice = custom_op("tests::twice", shapes=lambda x: [x, x], cpu=lambda x: (2 * x, 3 * x), gradient=lambda g, out, x: 2 * g[0] + 3 * g[1])
    assert grad(lambda x: twice(x)[1].sum())(x).tolist() == [3.0] * 5
    assert grad(lambda x: (twice(x)[0] + twice(x)[1]).sum())(x).tolist() == [5.0] * 5


def test_what_a_function_reads_by_numpy_is_not_written_for_a_tape() -> None:
    cube = custom_op("tests::cube", cpu=lambda x: x.numpy() ** 3, gradient=lambda g, out, x: 3 * x * x * g)
    x = syntonic.asarray([1.0, 2.0])
    assert grad(lambda x: ((x * x) * cube(x)).sum() + cube(x * x).sum())(x).tolist() == [11.0, 272.0]


def test_a_graph_calls_it_at_each_replay() -> None:
    calls = []

    def square(x: State) -> Any:
        calls.append(x)  # what is kept stays as it was
        return x * x

    squares = custom_op("tests::squares", cpu=square)
    step = captured(lambda x: squares(x + 1) * 2)
    for k in range(3):
        x = wave(5000, step=0.1 * (k + 1))
        np.testing.assert_array_equal(step(x).numpy(), 2 * (x.numpy() + 1) ** 2)
    assert len(step.graphs) == 1 and len(calls) == 4
    np.testing.assert_array_equal(calls[1].numpy(), wave(5000, step=0.1).numpy() + 1)


def test_a_function_may_have_graphs_of_its_own_and_not_replay_the_one_it_is_in() -> None:
    inner = captured(lambda x: x + 10)
    op = custom_op("tests::inner", cpu=lambda x: inner(x))
    step = captured(lambda x: op(x * 2) * 100)
    for k in (1.0, 5.0):
        assert step(syntonic.asarray([k])).tolist() == [(2 * k + 10) * 100]
    graphs: list[syntonic.Graph] = []
    own = custom_op("tests::own", cpu=lambda x: graphs[0](x) if graphs else x)
    graphs.append(syntonic.Graph.capture(own, wave(3)))
    with pytest.raises(OperatorError, match="replays the graph itself"):
        graphs[0](wave(3))


def test_a_profile_has_its_name() -> None:
    x = wave(1000)
    x.eval()
    with syntonic.profile() as profile:
        bent(x, x, 1.0)
    assert "tests::bent" in str(profile)


def raising(x: State) -> State:
    raise KeyError("on purpose")


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        ({"cpu": raising}, "its CPU function raised KeyError: 'on purpose'"),
        ({"cpu": lambda x: None}, "returned None"),
        ({"cpu": lambda x: x[1:]}, r"result 0 is float64\[3\] on cpu by its shapes, and its CPU function gave float64\[2\]"),
        ({"cpu": lambda x: x > 0}, r"gave bool\[3\]"),
        ({"cpu": lambda x: "words"}, "its CPU function raised"),
        ({"cpu": lambda x: x, "shapes": raising}, "its shapes raised KeyError"),
        ({"cpu": lambda x: x, "shapes": lambda x: (1, 2, 3)}, "a pair"),
        ({"cpu": lambda x: x, "shapes": lambda x: [x, x]}, "1 results where the shapes have 2"),
        ({"gpu": lambda x, out: None}, "no function for cpu; hint: give custom_op a function cpu="),
    ],
)
def test_what_goes_wrong_has_the_name(functions: dict[str, Callable[..., Any]], said: str) -> None:
    op, x = custom_op("tests::wrong", **functions), syntonic.asarray([1.0, 2.0, 3.0])
    with pytest.raises(OperatorError, match=f"^tests::wrong: .*{said}"):
        op(x)
    with pytest.raises(OperatorError, match=said):
        captured(op)(x)
    assert x.tolist() == [1.0, 2.0, 3.0]
    assert syntonic.sum(x).item() == 6.0


def test_the_cause_is_with_the_error_and_what_ends_programs_goes_through() -> None:
    with pytest.raises(OperatorError) as caught:
        custom_op("tests::raises", cpu=raising)(wave(3))
    assert isinstance(caught.value.__cause__, KeyError) and isinstance(caught.value, RuntimeError)

    def leave(x: State) -> State:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        custom_op("tests::leaves", cpu=leave)(wave(3))


@pytest.mark.parametrize(
    ("gradient", "error", "said"),
    [
        (None, GradientError, "tests::slope: has no gradient"),
        (lambda g, out, x: raising(x), OperatorError, "tests::slope: its gradient raised KeyError"),
        (lambda g, out, x: (g, g), OperatorError, "2 slopes for 1 operands"),
        (lambda g, out, x: g[1:], OperatorError, r"gives float64\[2\] on cpu as the slope of operand 0"),
        (lambda g, out, x: 1.0, OperatorError, "return a State"),
    ],
)
def test_gradients_that_go_wrong(gradient: Any, error: type[Exception], said: str) -> None:
    op = custom_op("tests::slope", cpu=lambda x: x + 0, gradient=gradient)
    with pytest.raises(error, match=said):
        grad(lambda x: op(x).sum())(wave(3))
    none = custom_op("tests::flat", cpu=lambda x: x + 0, gradient=lambda g, out, x: None)
    assert grad(lambda x: none(x).sum() + x.sum())(wave(3)).tolist() == [1.0] * 3


def test_arguments_are_checked() -> None:
    with pytest.raises(ArgumentTypeError, match="States first"):
        bent(wave(3), 1.0, wave(3))
    with pytest.raises(ArgumentTypeError, match="takes States, then numbers"):
        bent(wave(3), "words")
    with pytest.raises(ArgumentError, match="no function that computes it"):
        custom_op("tests::nothing")
    with pytest.raises(ArgumentTypeError, match="name is 3"):
        custom_op(3, cpu=bend)  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="cpu of a is a function"):
        custom_op("a", cpu=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="at least one"):
        bent()


def test_it_is_pickled_by_name_and_goes_when_nobody_has_it() -> None:
    assert pickle.loads(pickle.dumps(bent)) is bent
    assert repr(bent) == "CustomOp(tests::bent)"

    def function(x: State) -> State:
        return x

    op, alive = custom_op("tests::gone", cpu=function), weakref.ref(function)
    text = pickle.dumps(op)
    del op, function
    gc.collect()
    assert alive() is None
    with pytest.raises(ArgumentError, match="no operator tests::gone"):
        pickle.loads(text)


def test_threads_call_it_at_once() -> None:
    meet = threading.Barrier(4, timeout=60)

    def wait(x: State) -> State:
        meet.wait()
        return x + 1

    op, found = custom_op("tests::meets", cpu=wait), []
    threads = [threading.Thread(target=lambda k=k: found.append(op(wave(10 ** (k + 2))).shape)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(100,), (1000,), (10_000,), (100_000,)]
