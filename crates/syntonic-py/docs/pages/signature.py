"""Signatures as users write them: of Python functions their own, of native ones those of the stub."""

from __future__ import annotations

import ast
import enum
import inspect
from functools import cache
from pathlib import Path
from typing import Any

import syntonic


def of_function(thing: Any) -> list[str]:
    """Parameters and result, `(x: ArrayLike, /, *, axis: int = -1) -> State`; several where the function is overloaded."""
    native = _stub().get(thing.__name__) if inspect.isbuiltin(thing) else None
    return native or [_inspected(thing)]


def of_member(owner: type, name: str) -> list[str]:
    """The same of a method, without what stands for the object."""
    for base in owner.__mro__:
        if name in vars(base):
            found = vars(base)[name]
            native = None if _is_python(found) else _stub().get(f"{base.__name__}.{name}")
            return native or [_inspected(getattr(owner, name), _takes_object(found))]
    raise AttributeError(f"{owner.__name__} has no {name}")


def of_class(thing: type) -> str:
    """What an object is made of, or nothing where users make none."""
    if not any(map(_is_python, vars(thing).values())):
        native = _stub().get(f"{thing.__name__}.__new__")
        return native[0].rpartition(" -> ")[0] if native else ""
    if inspect.getattr_static(thing, "__init__") is object.__init__ and not hasattr(thing, "_fields"):
        return ""
    return _inspected(thing).partition(" -> ")[0]


def _is_python(found: object) -> bool:
    """Whether it was written in Python, so that it says itself what it takes."""
    return inspect.isfunction(found) or isinstance(found, property) or inspect.isfunction(getattr(found, "__func__", None))


def _takes_object(found: object) -> bool:
    return inspect.isfunction(found) or inspect.ismethoddescriptor(found) and not isinstance(found, (staticmethod, classmethod))


def _inspected(thing: Any, takes_object: bool = False) -> str:
    signature = inspect.signature(thing)
    parameters = list(signature.parameters.values())
    if takes_object:
        parameters = parameters[1:]
    told = inspect.Signature([_told(p) for p in parameters])
    result = "" if signature.return_annotation is signature.empty else f" -> {_Text(signature.return_annotation)!r}"
    return f"{told}{result}"


def _told(parameter: inspect.Parameter) -> inspect.Parameter:
    """The parameter as it was written: annotations are texts already, which inspect would put into quotes, and choices have a name."""
    if parameter.annotation is not parameter.empty:
        parameter = parameter.replace(annotation=_Text(parameter.annotation))
    return parameter.replace(default=_Text(str(parameter.default))) if isinstance(parameter.default, enum.Enum) else parameter


class _Text:
    """What is shown as it was written."""

    def __init__(self, annotation: Any) -> None:
        self._text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)

    def __repr__(self) -> str:
        return self._text


@cache
def _stub() -> dict[str, list[str]]:
    """From `name` and `Class.name` to the signatures in the stub, several where it is overloaded."""
    path = Path(syntonic.__file__).with_name("_core.pyi")
    found: dict[str, list[str]] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(_written(node, drop=0))
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    static = any(ast.unparse(mark) == "staticmethod" for mark in member.decorator_list)
                    found.setdefault(f"{node.name}.{member.name}", []).append(_written(member, drop=0 if static else 1))
    return found


def _written(node: ast.FunctionDef, drop: int) -> str:
    arguments = node.args
    for _ in range(drop):
        (arguments.posonlyargs or arguments.args).pop(0)
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"({ast.unparse(arguments)}){result}"
