"""One search on several ranks: each values its share of the candidates."""

from __future__ import annotations

import zlib
from contextlib import contextmanager

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from syntonic._core import Group, State
    from syntonic._typing import ArrayLike
    from syntonic.evolve import DeviceSearch


@contextmanager
def telling(group: Group) -> Iterator[None]:
    """What is raised in the block is told to the other ranks, whose calls are errors then."""
    try:
        yield
    except BaseException as raised:
        group.abort(f"raised {type(raised).__name__}: {raised}")
        raise


def digest(x: State) -> int:
    """A number that States with other elements hardly share."""
    return zlib.crc32(x.cpu().numpy().tobytes())


def agree(group: Group, search: DeviceSearch) -> None:
    """An error unless every rank has the same search."""
    state = [digest(x) for x in (search.mean, search.deviation, search.ask(0, 2), *search.best)]
    told = group.all_gather_bytes(repr((search.generation, search.population, state)).encode())
    for rank, theirs in enumerate(told):
        if theirs != told[0]:
            raise _core.GroupError(
                f"DeviceSearch: rank {rank} of {group.size} has another search than rank 0; hint: start every rank's search from the same "
                "numbers, seed and options"
            )


def values(search: DeviceSearch, objective: Callable[[State], ArrayLike], chunk: int | None, group: Group | None) -> State:
    """The values of a generation's candidates: of all of them, or of this rank's share and then those of the others."""
    if chunk is not None and (not isinstance(chunk, int) or isinstance(chunk, bool) or chunk < 1):
        raise _core.ArgumentError(f"DeviceSearch: chunk is {chunk!r:.40}; it must be at least 1, or None for all candidates at once")
    if group is None:
        return _core.asarray(_concat(search, objective, chunk, 0, search.population))
    with telling(group):
        part = _concat(search, objective, chunk, *group.share(search.population))
        return group.concat(part.astype("float64"), search.population)


def _concat(search: DeviceSearch, objective: Callable[[State], ArrayLike], chunk: int | None, first: int, last: int) -> State:
    each = max(last - first, 1) if chunk is None else chunk
    parts = [_core.asarray(objective(search.ask(k, min(k + each, last)))) for k in range(first, last, each)]
    if not parts:
        return search.best[1][..., :0]
    return parts[0] if len(parts) == 1 else _core.concat(parts, -1)
