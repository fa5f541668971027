"""The pages of public names: signature, documentation, types, accuracy, gradient and speed, and an index for each module."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

from . import docstring, error, facts, signature, speed
from .catalogue import KINDS, Entry

#: The folder of all pages of names.
FOLDER = "operators"


@dataclass(frozen=True)
class Known:
    """What is known of operators beside what the package says itself."""

    primitives: dict[str, facts.Declared]
    gradients: dict[str, str]
    errors: dict[str, error.Measured]
    examples: dict[str, str]
    records: list[speed.Record]


class Pages:
    """All pages of names, made of the catalogue and of what is known."""

    def __init__(self, entries: list[Entry], known: Known) -> None:
        self._entries, self._known = entries, known
        self._paths = {path: entry for entry in entries for path in (entry.path, *entry.also)}

    def all(self, modules: dict[str, ModuleType]) -> Iterator[tuple[str, str]]:
        """Name of a file and its text."""
        for entry in self._entries:
            if entry.has_page:
                yield f"{entry.path}.md", self.page(entry)
        for path, module in modules.items():
            yield f"module-{path or 'syntonic'}.md", self.index(path, module)
        yield "index.md", self.contents(modules)

    def page(self, entry: Entry) -> str:
        """The page of one name. It is in no table of contents but its module's index, which has hundreds of them."""
        link = self._linker(entry.module)
        parts = ["---\norphan: true\n---", f"# {entry.name}"]
        if entry.kind == "function":
            text = docstring.markdown(_documented(entry.thing), link)
            parts += _directives("py:function", f"syntonic.{entry.path}", signature.of_function(entry.thing), text)
        else:
            parts += self._class(entry, link)
        example = self._known.examples.get(entry.path) if entry.kind == "function" else None
        if example is not None and ">>>" not in _documented(entry.thing):
            parts.append(f"## Example\n\n{example}")
        if entry.also:
            parts.append("Also " + ", ".join(f"`syntonic.{path}`" for path in entry.also) + ".")
        declared = self._known.primitives.get(entry.path)
        if declared is not None:
            parts.append(facts.types(declared))
        off = self._known.errors.get(entry.path)
        if off is not None:
            parts.append(error.section(off))
        gradient = self._known.gradients.get(entry.path) if entry.kind == "function" else None
        if gradient is not None:
            parts.append(f"## Gradient\n\n{gradient}")
        parts += filter(None, [speed.section(self._known.records, entry.path)])
        module = entry.module or "syntonic"
        return "\n\n".join([*parts, f"All of {{doc}}`{module} <module-{module}>`."]) + "\n"

    def index(self, path: str, module: ModuleType) -> str:
        """The names of a module with a line each, and the page of the module."""
        full = f"syntonic.{path}".rstrip(".")
        parts = [f"# {full}", f"```{{py:module}} {full}\n```", docstring.markdown(_documented(module), self._linker(path))]
        listed = {name: self._paths[f"{path}.{name}".lstrip(".")] for name in module.__all__ if f"{path}.{name}".lstrip(".") in self._paths}
        for kind, heading in KINDS.items():
            lines = [self._line(name, entry, path) for name, entry in sorted(listed.items()) if entry.kind == kind]
            if lines:
                parts += [f"## {heading}", "\n".join(lines)]
        return "\n\n".join(parts) + "\n"

    def contents(self, modules: dict[str, ModuleType]) -> str:
        """The list of modules."""
        named = [path or "syntonic" for path in modules]
        lines = [
            f"- {{doc}}`{module.__name__} <module-{path or 'syntonic'}>`: {docstring.prose(docstring.summary(_documented(module)))}"
            for path, module in modules.items()
        ]
        tree = "\n".join(["```{toctree}", ":hidden:", "", *(f"module-{name}" for name in named), "```"])
        text = "A page for each public name of the Python package, made from its sources. The search finds them by name and by word."
        return "\n\n".join(["# Operators", text, "\n".join(lines), tree]) + "\n"

    def _line(self, name: str, entry: Entry, path: str) -> str:
        """A line of an index: a link with a summary, or the value of what has no page."""
        if not entry.has_page:
            return f"- `{name}`" if callable(entry.thing) else f"- `{name}` is `{entry.thing!r}`"
        return f"- {{doc}}`{name} <{entry.path}>`: {docstring.prose(docstring.summary(_documented(entry.thing)), self._linker(path))}"

    def _class(self, entry: Entry, link: docstring.Link) -> list[str]:
        thing = entry.thing
        kind = "py:exception" if entry.kind == "error" else "py:class"
        made = "" if entry.kind in ("enum", "error") else signature.of_class(thing)
        parts = _directives(kind, f"syntonic.{entry.path}", [made], docstring.markdown(_documented(thing), link))
        bases = [base.__name__ for base in thing.__mro__[1:] if base not in (object, BaseException) and not base.__name__.startswith("_")]
        if bases:
            parts.append("Is a " + ", ".join(f"`{base}`" for base in bases) + ".")
        if issubclass(thing, enum.Enum):
            parts += ["## Choices", "\n".join(f"- `{choice.name}`: `{choice.value!r}`" for choice in thing)]
        for heading, names in (("Properties", _properties(thing)), ("Methods", _methods(thing))):
            if names and entry.kind == "class":
                parts.append(f"## {heading}")
                for name in names:
                    parts += self._member(entry, name, link)
        return parts

    def _member(self, entry: Entry, name: str, link: docstring.Link) -> list[str]:
        found, full = inspect.getattr_static(entry.thing, name), f"syntonic.{entry.path}.{name}"
        text = docstring.markdown(_documented(getattr(entry.thing, name)), link)
        if _is_property(found):
            return _directives("py:property", full, [""], text)
        return _directives("py:method", full, signature.of_member(entry.thing, name), text)

    def _linker(self, module: str) -> docstring.Link:
        """Code that is the name of an entry, seen from a module, leads to its page."""

        def link(code: str) -> str | None:
            for path in (f"{module}.{code}".lstrip("."), code, code.removeprefix("syntonic.")):
                entry = self._paths.get(path)
                if entry is not None and entry.has_page:
                    return f"{{doc}}`{code} <{entry.path}>`"
            return None

        return link


def _documented(thing: object) -> str:
    """The documentation of a thing, which everything public has."""
    doc = inspect.getdoc(thing)
    if not doc or not doc.strip():
        raise ValueError(f"{thing!r} is public and has no documentation")
    return doc


def _directives(kind: str, name: str, signatures: list[str], text: str) -> list[str]:
    """One directive for each signature; the first has the text, and is what links lead to."""
    fence = "`" * 4
    heads = [f"{fence}{{{kind}}} {name}{told}" for told in signatures]
    first = f"{heads[0]}\n\n{text}\n{fence}"
    return [first, *(f"{head}\n:no-index:\n{fence}" for head in heads[1:])]


def _is_property(found: object) -> bool:
    return isinstance(found, property) or inspect.isgetsetdescriptor(found) or inspect.ismemberdescriptor(found)


def _members(thing: type, wanted: Callable[[object], bool]) -> list[str]:
    """Public members of a class of ours and of its bases of ours."""
    owners = [base for base in thing.__mro__ if base.__module__.startswith("syntonic")]
    names = {name for base in owners for name in vars(base) if not name.startswith("_")}
    return sorted(name for name in names if wanted(inspect.getattr_static(thing, name)) and inspect.getdoc(getattr(thing, name)))


def _properties(thing: type) -> list[str]:
    return _members(thing, lambda found: isinstance(found, property) or inspect.isgetsetdescriptor(found))


def _methods(thing: type) -> list[str]:
    return _members(thing, lambda found: isinstance(found, (staticmethod, classmethod)) or callable(found) and not isinstance(found, type))
