"""Several ranks that do one piece of work together: threads of a process, or processes with a GPU each.

A Group is one rank's place among them. Every rank makes the same calls in the same order. A rank that dies, stalls or raises ends
the calls of all others with a GroupError that names it, within the group's timeout; the group is of no use from then on.

    with Group.from_env() as group:
        search = DeviceSearch(syntonic.zeros(1000, device=f"cuda:{group.rank}"), seed=1)
        search.run(objective, 100, group=group)

Started as `torchrun --nproc-per-node 2 program.py`, or by anything that sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, each
process values its share of the candidates, and all have the same search, with the bits of one process.

Ranks know each other by a secret: SYNTONIC_GROUP_SECRET, the same for all, made by whoever starts them, such as by
`openssl rand -hex 32`. Who does not have it takes no rank's place and ends no start, and a rank tells nothing to a rank 0 that
does not have it. Without a secret MASTER_ADDR must be a loopback address, and whoever runs programs on that machine may come. The
secret is not sent; what ranks say afterwards is neither encrypted nor signed, so who can read or change what goes between them
can read or change the data: use a network of your own, or a tunnel.
"""

from __future__ import annotations

from syntonic import _core
from syntonic._core import Group
from syntonic._shards import digest, telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["Group", "shard"]


def shard(objective: Callable[[State], ArrayLike], group: Group) -> Callable[[ArrayLike], State]:
    """The objective with the candidates of a generation shared among the ranks of a group.

    `objective` takes some of the candidates, `[k, n]`, and returns their k values. What comes back takes all of them and returns all
    values, in their order, on every rank. It is for `RES.run`; `DeviceSearch.run` has `group`, and makes no candidates of others.

    Every rank runs the same search, with a seed that is given: candidates that differ are a GroupError. Limits must be the same too, so none on seconds, and
    checkpoints go to a path for each rank. What the objective raises on one rank comes out there; the others get a GroupError with
    the rank and the text.

        >>> import syntonic
        >>> from syntonic.distributed import Group, shard
        >>> with Group.from_env() as group:
        ...     search = syntonic.evolve.RES([3.0] * 4, seed=1)
        ...     outcome = search.run(shard(lambda x: (x * x).sum(axis=-1), group), target=1e-9)
        >>> outcome.reason
        'target'
    """

    if not callable(objective):
        raise _core.ArgumentTypeError(f"shard: objective is {type(objective).__name__}; hint: a function of candidates")
    if not isinstance(group, Group):
        raise _core.ArgumentTypeError(f"shard: group is {type(group).__name__}; hint: a Group")

    def values(candidates: ArrayLike) -> State:
        with telling(group):
            rows = _core.asarray(candidates)
            if rows.ndim < 2:
                raise _core.ShapeError(f"shard: candidates of shape {rows.shape}; hint: a row for each, [k, n]")
            first, last = group.share(rows.shape[0])
            # What they are is checked with the values: it costs no further call.
            mine = [float(digest(rows))]
            if first < last:
                mine += _core.asarray(objective(rows[first:last])).astype("float64").tolist()
            if len(mine) != 1 + last - first:
                raise _core.ShapeError(
                    f"shard: the objective returned {len(mine) - 1} values for candidates {first}..{last}; hint: one for each"
                )
            parts = group.all_gather(_core.asarray(mine))
            for rank, part in enumerate(parts):
                if part[0].item() != parts[0][0].item():
                    raise _core.GroupError(
                        f"shard: rank {rank} of {group.size} has other candidates than rank 0; hint: start every rank's search from "
                        "the same numbers, seed and options"
                    )
            return _core.concat([part[1:] for part in parts], 0).to(rows.device)

    return values
