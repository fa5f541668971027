"""The table of our functions by those of NumPy, and what every row of it needs."""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["FUNCTIONS", "NumpysOwn", "need", "numpys", "said"]

# By the function of NumPy.
FUNCTIONS: dict[Any, Callable[..., Any]] = {}


class NumpysOwn(Exception):
    """A call that ours does not know."""


def numpys(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Puts a function into the table under these names of NumPy's, of which some are only in newer versions."""

    def put(ours: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            theirs: Any = np
            for part in name.split("."):
                theirs = getattr(theirs, part, None)
            if theirs is not None:
                FUNCTIONS[theirs] = ours
        return ours

    return put


def need(known: bool) -> None:
    """Leaves a call to NumPy that ours does not know."""
    if not known:
        raise NumpysOwn


def said(**options: Any) -> dict[str, Any]:
    """The options that say something: `where=True` and what was not given do not."""
    return {
        key: value
        for key, value in options.items()
        if value is not None and value is not np._NoValue and not (key == "where" and value is True)
    }
