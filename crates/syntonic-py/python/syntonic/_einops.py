"""einops over States. It finds a library by the subclasses of its own class of backends, so that one is made when einops is loaded."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder

from syntonic import _core, _creation, _manipulation
from syntonic._core import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MODULE = "einops._backends"


def register() -> None:
    """Makes einops know States: now if it is loaded, else as soon as it is. Without einops nothing comes of it."""
    if _MODULE in sys.modules:
        define(sys.modules[_MODULE])
    else:
        sys.meta_path.insert(0, _Finder())  # type: ignore[arg-type]


class _Finder:
    """Notices that einops is imported, and leaves."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                run(module)
                define(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def define(backends: Any) -> None:
    """Makes the backend a subclass of the class by which einops finds it, which knows its subclasses weakly."""
    backends.SyntonicBackend = type("SyntonicBackend", (Backend, backends.AbstractBackend), {})


class Backend:
    """What einops asks of a library."""

    framework_name = "syntonic"

    def is_appropriate_type(self, tensor: Any) -> bool:
        return isinstance(tensor, State)

    def from_numpy(self, x: Any) -> State:
        return _core.asarray(x)

    def to_numpy(self, x: State) -> Any:
        return x.cpu().numpy()

    def arange(self, start: int, stop: int) -> State:
        return _creation.arange(start, stop)

    def stack_on_zeroth_dimension(self, tensors: list[State]) -> State:
        return _manipulation.stack(tensors)

    def add_axis(self, x: State, new_position: int) -> State:
        return _manipulation.expand_dims(x, axis=new_position)

    def tile(self, x: State, repeats: tuple[int, ...]) -> State:
        return _manipulation.tile(x, repeats)

    def concat(self, tensors: list[State], axis: int) -> State:
        return _manipulation.concat(tensors, axis=axis)

    def is_float_type(self, x: State) -> bool:
        return x.dtype.kind in "fc"

    def einsum(self, pattern: str, *x: State) -> State:
        return _core.einsum(pattern, x)
