"""Hostile shapes, and what a function may do with them, for the tests on either device."""

from __future__ import annotations

import time
from collections.abc import Callable

import syntonic
from syntonic import State

#: What a refused call may raise. An internal error is a fault of ours, whatever the arguments.
REFUSALS = (syntonic.SyntonicError, TypeError, ValueError, IndexError, MemoryError, OverflowError, BufferError)
#: No call takes longer, refused or not, in seconds.
LIMIT = 1.0

SHAPES: dict[str, tuple[int, ...]] = {
    "no axes": (),
    "one element": (1,),
    "as many axes as there may be": (1,) * 64,
    "long in front of many axes": (3, *(1,) * 62, 2),
    "nothing": (0,),
    "no rows": (0, 3),
    "rows of nothing": (3, 0),
    "nothing of much": (2**62, 0, 2**62),
    "four axes, one of them empty": (2, 0, 3, 2),
}


def attempt(run: Callable[[], object], label: str, limit: float = LIMIT) -> object:
    """What the call gives, or the exception that it raised; both must come soon."""
    start = time.perf_counter()
    try:
        outcome = run()
        # What is only an expression so far counts once it is computed.
        if isinstance(outcome, State):
            outcome.eval()
    except syntonic.InternalError as error:
        raise AssertionError(f"{label}: {error}") from error
    except REFUSALS as error:
        outcome = error
    took = time.perf_counter() - start
    assert took < limit, f"{label}: {took:.1f} s"
    return outcome
