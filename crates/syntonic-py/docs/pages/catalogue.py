"""What the package offers to users: every public name, once, with the module that it is read under."""

from __future__ import annotations

import enum
import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import syntonic

#: What a name may be, in the order in which a module's page lists them, with the heading there.
KINDS = {"function": "Functions", "class": "Classes", "enum": "Choices", "error": "Errors", "value": "Types and constants"}


@dataclass(frozen=True)
class Entry:
    """A public name.

    path   as behind `syntonic.`: "softmax", "nn.layer_norm"
    kind   a key of KINDS
    thing  what the name means
    also   other paths of the same thing
    """

    path: str
    kind: str
    thing: Any
    also: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The public module of the path, "" for the package itself."""
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]

    @property
    def has_page(self) -> bool:
        """Types and constants are lines of their module's page."""
        return self.kind != "value"


def modules() -> dict[str, ModuleType]:
    """The public modules by their path: the package itself first, then those that it names."""
    named = sorted(name for name in syntonic.__all__ if isinstance(getattr(syntonic, name), ModuleType))
    return {"": syntonic} | {name: importlib.import_module(f"syntonic.{name}") for name in named}


def entries() -> list[Entry]:
    """Every public name that is no module, by path. What has several paths is listed under the shortest one."""
    paths: dict[object, list[str]] = {}
    things: dict[str, Any] = {}
    for module, whole in modules().items():
        for name in whole.__all__:
            thing = getattr(whole, name)
            if isinstance(thing, ModuleType):
                continue
            path = f"{module}.{name}".lstrip(".")
            things[path] = thing
            # Numbers that happen to be equal are not one thing.
            paths.setdefault(id(thing) if callable(thing) else path, []).append(path)
    found = []
    for same in paths.values():
        thing = things[same[0]]
        same.sort(key=lambda path: (path.count("."), path.rpartition(".")[2] != getattr(thing, "__name__", ""), path))
        found.append(Entry(same[0], _kind(thing), thing, tuple(same[1:])))
    return sorted(found, key=lambda entry: entry.path)


def _kind(thing: object) -> str:
    if isinstance(thing, type):
        if issubclass(thing, BaseException):
            return "error"
        return "enum" if issubclass(thing, enum.Enum) else "class"
    return "function" if callable(thing) and not isinstance(thing, syntonic.DType) else "value"
