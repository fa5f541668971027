"""Loops whose turns are captured once, and whose end is decided on the device."""

from __future__ import annotations

import operator

from syntonic import _core, tree
from syntonic._core import ArgumentError, ArgumentTypeError, State
from syntonic._creation import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["fori_loop", "while_loop"]


def while_loop(condition: Callable[[Any], State], body: Callable[[Any], Any], state: Any, /) -> Any:
    """Repeats `state = body(state)` as long as `condition(state)` is true, and gives the last state.

    The state is a State, or a tree of them: dicts, lists and tuples; numbers become States. Both functions are called once, with States of
    the loop's own, and captured as by `Graph.capture`: the device decides where the loop ends, on a GPU as a conditional node
    of one graph. The body returns a tree of the same form, shapes and types, or None where it writes its State in place;
    it writes nothing else in place. In a function of `syntonic.captured` the loop is a part of the graph; elsewhere each call captures.

    >>> import syntonic as syn
    >>> x, turns = syn.while_loop(lambda s: s[0] > 1, lambda s: (s[0] / 2, s[1] + 1), (syn.array(100.0), 0))
    >>> float(x), int(turns)
    (0.78125, 7)
    """
    _callable("while_loop", condition=condition, body=body)
    form, states = _states("while_loop", state)

    def goes_on(*own: State) -> Any:
        return condition(tree._rebuilt(form, iter(own)))

    return tree._rebuilt(form, iter(_core._while_loop(goes_on, _turn(form, body), *states)))


def fori_loop(lower: int, upper: int, body: Callable[[State, Any], Any], state: Any, /) -> Any:
    """Repeats `state = body(i, state)` for i from lower to upper - 1, and gives the last state.

    i is an int64 State without axes on the state's device; else as `while_loop`.

    >>> import syntonic as syn
    >>> syn.fori_loop(1, 5, lambda i, x: x * i, syn.array([1.0, 2.0])).tolist()
    [24.0, 48.0]
    """
    _callable("fori_loop", body=body)
    form, states = _states("fori_loop", state)
    turn = _turn(form, lambda number, own: body(number, own), 1)
    return tree._rebuilt(form, iter(_core._fori_loop(_number("lower", lower), _number("upper", upper), turn, *states)))


def _callable(op: str, **functions: Any) -> None:
    for name, f in functions.items():
        if not callable(f):
            raise ArgumentTypeError(f"{op}: {name} is a function of the state, not {type(f)}")


def _number(name: str, x: Any) -> int:
    try:
        number = operator.index(x)
    except TypeError:
        raise ArgumentTypeError(f"fori_loop: {name} is an integer, not {type(x)}; hint: a loop whose end a State decides is a while_loop") from None
    if abs(number) >= 1 << 63:
        raise ArgumentError(f"fori_loop: {name} is {number}, which int64 cannot hold; hint: count in another loop around it")
    return number


def _states(name: str, state: Any) -> tuple[Any, list[State]]:
    """A tree of States, and those in it: numbers go to the device of the first State."""
    leaves = tree.leaves(state)
    device = next((x.device for x in leaves if isinstance(x, State)), None)
    for x in leaves:
        if not isinstance(x, (State, bool, int, float, complex)):
            raise ArgumentTypeError(f"{name}: a state is a tree of States and numbers, not of {type(x)}; hint: make States of arrays")
    form = tree.map(lambda x: x if isinstance(x, State) else array(x, device=device), state)
    return form, tree.leaves(form)


def _turn(form: Any, body: Callable[..., Any], before: int = 0) -> Callable[..., Any]:
    """The body as a function of the States of the tree, after so many others."""

    def turn(*own: State) -> Any:
        result = body(*own[:before], tree._rebuilt(form, iter(own[before:])))
        if result is None:
            return None
        states: list[State] = []

        def place(_: State, y: Any) -> None:
            if not isinstance(y, State):
                raise ArgumentTypeError(f"loop: the body returns a tree of States that has the form of the state, and {type(y)} in the place of one; hint: make States of numbers outside of it")
            states.append(y)

        tree.map(place, form, result)
        return tuple(states)

    return turn
