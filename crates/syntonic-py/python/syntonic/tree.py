"""Trees of States: dicts, lists, tuples and modules that hold States, and each other, as deep as one likes."""

from __future__ import annotations

from syntonic._core import ArgumentError, ArgumentTypeError, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

__all__ = ["leaves", "map"]


def _children(node: Any) -> tuple[list[Any], Callable[[list[Any]], Any]] | None:
    """What hangs on a branch, and how to make another one of the same kind; None for a leaf."""
    if type(node) is State:
        return None
    branch = getattr(type(node), "_tree", None)
    if branch is not None:
        found: tuple[list[Any], Callable[[list[Any]], Any]] = branch(node)
        return found
    if isinstance(node, dict):
        names = list(node)
        return list(node.values()), lambda values: type(node)(zip(names, values))
    if isinstance(node, tuple):
        named = hasattr(node, "_fields")
        return list(node), lambda values: type(node)(*values) if named else type(node)(values)
    if isinstance(node, list):
        return list(node), lambda values: type(node)(values)
    return None


def leaves(tree: Any, /) -> list[Any]:
    """Everything that is no dict, list, tuple or module, and not None, in the order in which it stands.

    >>> from syntonic import tree
    >>> tree.leaves({"a": 1.0, "b": [2.0, (3.0, None)]})
    [1.0, 2.0, 3.0]
    """
    return list(_walk(tree))


def _walk(node: Any) -> Iterator[Any]:
    branch = _children(node)
    if branch is None:
        if node is not None:
            yield node
        return
    for child in branch[0]:
        yield from _walk(child)


def map(f: Callable[..., Any], tree: Any, /, *others: Any) -> Any:
    """A tree of the same form whose leaves are f of the leaves, and of those at the same places of other trees of that form.

    >>> from syntonic import tree
    >>> tree.map(lambda a, b: a + b, {"a": 1.0, "b": [2.0]}, {"a": 10.0, "b": [20.0]})
    {'a': 11.0, 'b': [22.0]}
    """
    if not callable(f):
        raise ArgumentTypeError(f"tree.map: f is a function of leaves, not {type(f)}")
    branch = _children(tree)
    if branch is None:
        return None if tree is None else f(tree, *others)
    children, make = branch
    columns = _beside(tree, children, others)
    return make([map(f, child, *(column[k] for column in columns)) for k, child in enumerate(children)])


def _beside(tree: Any, children: list[Any], others: Sequence[Any]) -> list[list[Any]]:
    """What hangs on other branches of the same form."""
    columns = []
    for other in others:
        found = _children(other)
        if found is None or len(found[0]) != len(children) or (isinstance(tree, dict) and list(tree) != list(other)):
            raise ArgumentError(f"tree.map: the trees have other forms: {type(tree).__name__} of {len(children)} beside {_form(other)}")
        columns.append(found[0])
    return columns


def _columns(*trees: Any) -> list[list[Any]]:
    """For each tree, what it has in the places of the leaves of the first."""
    columns: list[list[Any]] = [[] for _ in trees]
    _gather(columns, trees[0], trees[1:])
    return columns


def _gather(columns: list[list[Any]], node: Any, others: Sequence[Any]) -> None:
    branch = _children(node)
    if branch is not None:
        for child, *beside in zip(branch[0], *_beside(node, branch[0], others)):
            _gather(columns, child, beside)
    elif node is not None:
        for column, leaf in zip(columns, (node, *others)):
            column.append(leaf)


def _form(node: Any) -> str:
    found = _children(node)
    return type(node).__name__ if found is None else f"{type(node).__name__} of {len(found[0])}"


def _rebuilt(tree: Any, values: Iterator[State | None]) -> Any:
    """The tree with these leaves, in order."""
    return _trees(tree, [values])[0]


def _trees(tree: Any, columns: Sequence[Iterable[Any]]) -> list[Any]:
    """A tree of the same form for each column of leaves, in order."""
    return list(_grown(tree, zip(*columns), len(columns)))


def _grown(node: Any, rows: Iterator[tuple[Any, ...]], count: int) -> Sequence[Any]:
    branch = _children(node)
    if branch is None:
        return (None,) * count if node is None else next(rows)
    children, make = branch
    if not children:
        return [make([]) for _ in range(count)]
    return [make(list(beside)) for beside in zip(*[_grown(child, rows, count) for child in children])]
