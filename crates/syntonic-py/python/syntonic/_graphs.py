"""Functions of States that are captured once and replayed."""

from __future__ import annotations

from syntonic import tree
from syntonic._core import ArgumentTypeError, Graph, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Graph", "captured"]

#: Graphs that one function keeps; the one that was used least recently goes first.
_MOST = 64


class captured:
    """`syntonic.captured(f)`, also as a decorator, is f with a Graph for each kind of arguments: the first call captures, all calls
    replay.

    States may stand in dicts, lists, tuples and modules, and so may the States that f returns. They are of one kind where their shapes,
    types and devices are the same. All other arguments are settings, which are hashable: each value is a kind of its own, as f decides
    by it on the host. What f writes into its arguments in place is written into the caller's. On a GPU, States that come again in the
    memory of the call before are used where they lie, without copies; f is called again for that. The last 64 graphs are kept, with their
    memory, until this is dropped, or `clear()` is called. Else see `Graph`.

    >>> import syntonic as syn
    >>> @syn.captured
    ... def smooth(steps, x):
    ...     for _ in range(steps):
    ...         x[1:-1] = (x[:-2] + x[2:]) / 2
    >>> x = syn.array([0.0, 0.0, 8.0, 0.0, 0.0])
    >>> smooth(2, x)
    >>> x.tolist()
    [0.0, 0.0, 4.0, 0.0, 0.0]
    """

    _function: Callable[..., Any]
    _graphs: dict[object, tuple[Graph, list[Any]]]

    def __init__(self, f: Callable[..., Any], /) -> None:
        self._function, self._graphs = f, {}
        self.__doc__ = f.__doc__ or self.__doc__

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        given = (arguments, settings)
        states: list[State] = []
        kind = _kind(given, states)
        if not states:
            raise ArgumentTypeError("captured: there is no State among the arguments, which says on what device it runs; hint: make States of numbers and arrays")
        known = self._graphs.pop(kind, None)
        if known is None:
            flat, form = _flat(self._function, given)
            known = Graph.capture(flat, *states), form
        self._graphs[kind] = known
        if len(self._graphs) > _MOST:
            self._graphs.pop(next(iter(self._graphs)), None)
        graph, form = known
        if not graph._come_again(*states):
            return _filled(form[0], graph(*states))
        # Where nothing is copied, the kernels may be others: they are ready once f has run.
        result = self._function(*arguments, **settings)
        written = [x for x, is_written in zip(states, graph.written) if is_written]
        result = tree.map(lambda y: y if any(y is x for x in written) else y.copy(), result)
        graph._bind(_flat(self._function, given)[0], *states)
        return result

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """Those that are there, the one that was called last at the end."""
        return tuple(graph for graph, _ in self._graphs.values())

    def clear(self) -> None:
        """Drops the graphs and their memory; later calls capture again."""
        self._graphs.clear()


def _flat(f: Callable[..., Any], given: Any) -> tuple[Callable[..., tuple[State, ...]], list[Any]]:
    """f as a function of the States in its arguments alone, and the form of what it returned last."""
    form: list[Any] = [None]

    def flat(*own: State) -> tuple[State, ...]:
        mine = iter(own)
        arguments, settings = tree.map(lambda x: next(mine) if isinstance(x, State) else x, given)
        result = f(*arguments, **settings)
        states = tree.leaves(result)
        for y in states:
            if not isinstance(y, State):
                raise ArgumentTypeError(f"captured: the function returns States, not {type(y)}; hint: a number of the host is the same at every call")
        form[0] = tree.map(lambda y: _PLACE, result)
        return tuple(states)

    return flat, form


#: Where a State stands in a result.
_PLACE = object()


def _filled(form: Any, results: tuple[State, ...]) -> Any:
    """The result of a function from the States in it."""
    if form is _PLACE:
        return results[0]
    left = iter(results)
    return tree.map(lambda _: next(left), form)


class _Same:
    """A setting of a module that has no value to be known by: it is itself."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other._value is self._value

    def __hash__(self) -> int:
        return id(self._value)


def _kind(node: Any, states: list[State]) -> object:
    """What arguments have to share to be served by one graph; their States go to the list, in the order of `tree.leaves`."""
    if isinstance(node, State):
        states.append(node)
        return node.shape, node.dtype, node.device
    branch = tree._children(node)
    if branch is None:
        return type(node), _value(node)
    children = tuple(_kind(child, states) for child in branch[0])
    if isinstance(node, dict):
        return type(node), tuple(node), children
    return type(node), _settings(node), children


def _value(x: Any) -> Any:
    try:
        hash(x)
    except TypeError:
        raise ArgumentTypeError(f"captured: arguments are States, trees of them, or hashable settings, not {type(x)}; hint: make States of arrays") from None
    return x


def _settings(node: Any) -> object:
    """What a module has besides its parameters."""
    if isinstance(node, (list, tuple)):
        return None
    from syntonic._modules import _parts, _states

    parameters = {path for path, _, is_buffer in _states(node, ()) if not is_buffer}
    found: list[object] = []

    def walk(x: Any, path: tuple[str, ...]) -> None:
        if path in parameters:
            return
        parts = _parts(x)
        for name, part in parts.items():
            walk(part, (*path, name))
        if not parts:
            try:
                hash(x)
                found.append((path, type(x), x))
            except TypeError:
                found.append((path, _Same(x)))

    walk(node, ())
    return tuple(found)
