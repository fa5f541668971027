"""Functions of States that are captured once and replayed."""

from __future__ import annotations

from syntonic._core import ArgumentTypeError, Graph, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Graph", "captured"]


class captured:
    """`syntonic.captured(f)`, also as a decorator, is f with a Graph for each set of shapes, types and devices that it is called
    with: the first call captures, all calls replay. f takes States, and returns a State, a tuple of them or nothing.

    What f decides on the host is decided at the capture, see `Graph`; the graphs hold memory until this is dropped, or
    `clear()` is called."""

    _function: Callable[..., Any]
    _graphs: dict[tuple[object, ...], Graph]

    def __init__(self, f: Callable[..., Any], /) -> None:
        self._function, self._graphs = f, {}
        self.__doc__ = f.__doc__ or self.__doc__

    def __call__(self, *inputs: State) -> Any:
        for x in inputs:
            if not isinstance(x, State):
                raise ArgumentTypeError(f"captured: inputs are States, not {type(x)}; hint: give numbers as parts of the function")
        key = tuple((x.shape, x.dtype, x.device) for x in inputs)
        graph = self._graphs.get(key)
        if graph is None:
            graph = self._graphs[key] = Graph.capture(self._function, *inputs)
        return graph(*inputs)

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """Those that are there, in the order of their captures."""
        return tuple(self._graphs.values())

    def clear(self) -> None:
        """Drops the graphs and their memory; later calls capture again."""
        self._graphs.clear()
