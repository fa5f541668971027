"""Gradients of Python functions over States."""

from __future__ import annotations

from functools import wraps

from syntonic import _core, tree
from syntonic._core import ArgumentError, ArgumentTypeError, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

__all__ = ["grad", "stop_gradient", "value_and_grad", "vjp"]


def value_and_grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that gives the value of f, one real number, and its gradient with respect to the argument `argnums`, or to
    each of several.

    An argument is a State of floats, or a dict, list, tuple or module of them; its gradient has the same form. With `has_aux`, f
    gives a pair of its value and of something else, and so does this: ((value, aux), gradient). f is called with States that
    are tracked: operations on them are recorded, and the gradient is walked back from the value. GradientError for an operation
    that has no gradient, for a write in place and for NumPy; `item()` and `float()` give numbers, which are constants.

    >>> import syntonic as syn
    >>> loss = lambda w, x: ((x @ w["a"] + w["b"]) ** 2).sum()
    >>> w = {"a": syn.asarray([1.0, 2.0]), "b": syn.asarray(3.0)}
    >>> value, g = syn.value_and_grad(loss)(w, syn.asarray([1.0, -1.0]))
    >>> value.item(), g["a"].tolist(), g["b"].item()
    (4.0, [4.0, -4.0], 4.0)
    """
    return _differentiated("value_and_grad", f, argnums, has_aux)


def grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that gives the gradient of f, or with `has_aux` the pair (gradient, aux). See `value_and_grad`.

    >>> import syntonic as syn
    >>> syn.grad(syn.grad(lambda x: x ** 3))(syn.asarray(2.0)).item()
    12.0
    """
    both = _differentiated("grad", f, argnums, has_aux)

    @wraps(f)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def vjp(f: Callable[..., Any], /, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value of f at `primals`, a State or a tree of them, and a function from a cotangent, a tree of the same form, to a tuple
    of the cotangents of the primals. With `has_aux`, f gives a pair, and what else it gives comes third.

    >>> import syntonic as syn
    >>> y, back = syn.vjp(lambda x: x * x, syn.asarray([1.0, 2.0]))
    >>> back(syn.asarray([1.0, 10.0]))[0].tolist()
    [2.0, 40.0]
    """
    _check_function("vjp", f)
    variables = _core.Variables("vjp", [_state("vjp", x) for x in tree.leaves(primals)])
    outputs = f(*tree._rebuilt(primals, iter(variables.states())))
    aux = None
    if has_aux:
        outputs, aux = _pair("vjp", outputs)
    made = [_output("vjp", y) for y in tree.leaves(outputs)]

    def pull(cotangents: Any, /) -> tuple[Any, ...]:
        """The cotangents of the primals from that of the value."""
        if len(tree.leaves(cotangents)) != len(made):
            raise ArgumentError(f"vjp: {len(tree.leaves(cotangents))} cotangents for {len(made)} outputs; hint: give a tree of the form of the value")
        given = [_state("vjp", g) for g in tree.leaves(cotangents)]
        pulled: tuple[Any, ...] = tree._rebuilt(primals, iter(variables.pull(made, given)))
        return pulled

    value = tree.map(variables.release, outputs)
    return (value, pull, _released(variables, aux)) if has_aux else (value, pull)


def stop_gradient(x: Any, /) -> Any:
    """The same values as constants: a State, or a tree of them.

    >>> import syntonic as syn
    >>> syn.grad(lambda x: x * syn.stop_gradient(x))(syn.asarray(3.0)).item()
    3.0
    """
    return tree.map(_core.stop_gradient, x)


def _differentiated(op: str, f: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool) -> Callable[..., Any]:
    _check_function(op, f)
    single = isinstance(argnums, int)
    numbers = [argnums] if isinstance(argnums, int) else list(argnums) if isinstance(argnums, (tuple, list)) else []
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers) or not numbers:
        raise ArgumentTypeError(f"{op}: argnums are the numbers of arguments, not {argnums!r:.40}; hint: 0, or (0, 1)")

    @wraps(f)
    def both(*args: Any, **kwargs: Any) -> Any:
        if not all(-len(args) <= n < len(args) for n in numbers) or len({n % max(len(args), 1) for n in numbers}) < len(numbers):
            raise ArgumentError(f"{op}: argnums {argnums} of {len(args)} arguments; hint: name arguments that are given by position, each once")
        chosen = [args[n] for n in numbers]
        variables = _core.Variables(op, [_state(op, x) for x in tree.leaves(chosen)])
        given = list(args)
        for n, argument in zip(numbers, tree._rebuilt(chosen, iter(variables.states()))):
            given[n] = argument
        value, aux = f(*given, **kwargs), None
        if has_aux:
            value, aux = _pair(op, value)
        gradients = tree._rebuilt(chosen, iter(variables.gradient(_output(op, value))))
        found = gradients[0] if single else tuple(gradients)
        released = variables.release(value)
        return ((released, _released(variables, aux)) if has_aux else released), found

    return both


def _check_function(op: str, f: Any) -> None:
    if not callable(f):
        raise ArgumentTypeError(f"{op}: f is a function of States, not {type(f)}")


def _state(op: str, x: Any) -> State:
    if isinstance(x, State):
        return x
    if isinstance(x, float):
        return _core.full((), x)
    raise ArgumentTypeError(f"{op}: takes States of floats, and trees of them, not {type(x)}; hint: give it as another argument, or convert it with asarray")


def _output(op: str, y: Any) -> State:
    if isinstance(y, State):
        return y
    raise ArgumentTypeError(f"{op}: the function returns States, not {type(y)}; hint: item(), float() and NumPy end a gradient")


def _pair(op: str, result: Any) -> tuple[Any, Any]:
    if isinstance(result, tuple) and len(result) == 2:
        return result
    raise ArgumentTypeError(f"{op}: with has_aux the function returns a pair of its value and something else, not {type(result)}")


def _released(variables: _core.Variables, aux: Any) -> Any:
    return tree.map(lambda x: variables.release(x) if isinstance(x, State) else x, aux)
