"""Random numbers that threads draw together: each once, and those that one thread would have drawn."""

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import State
from syntonic.random import Generator

THREADS = 16
DRAWS = 1_000_000
# How many elements one call draws: singles, some of which are computed with the interpreter held, and long ones.
SIZES = (1, 3, 40, 700, 5000)


def together(draw: Callable[[int], State], total: int) -> np.ndarray:
    """What threads draw at once, `total` elements in all."""
    share = total // THREADS
    drawn: list[list[np.ndarray]] = [[] for _ in range(THREADS)]
    start = threading.Barrier(THREADS)

    def work(mine: list[np.ndarray], kind: int) -> None:
        start.wait()
        left = share
        while left:
            size = min(SIZES[kind % len(SIZES)], left)
            mine.append(np.asarray(draw(size)))
            left -= size
            kind += 1

    threads = [threading.Thread(target=work, args=(mine, kind)) for kind, mine in enumerate(drawn)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return np.concatenate([part for mine in drawn for part in mine])


FULL = (-(2**63), 2**63 - 1)
KINDS: dict[str, Callable[[Any, int], State]] = {
    "uniform": lambda source, n: source.uniform(n),
    "normal": lambda source, n: source.normal(n),
    "integers": lambda source, n: source.integers(*FULL, n),
}


@pytest.mark.parametrize("kind", KINDS)
def test_threads_that_share_a_generator_draw_what_one_would(kind: str) -> None:
    shared, alone = Generator(21), Generator(21)
    got = together(lambda n: KINDS[kind](shared, n), DRAWS)
    want = np.asarray(KINDS[kind](alone, DRAWS))
    # Both as bits, in order: nothing twice that is not twice in the stream, and nothing left out.
    np.testing.assert_array_equal(np.sort(got.view(np.int64)), np.sort(want.view(np.int64)))
    assert shared.state == alone.state == (21, DRAWS)


def test_threads_that_use_the_functions_of_the_module() -> None:
    syntonic.random.seed(8)
    got = together(syntonic.random.uniform, DRAWS)
    want = np.asarray(Generator(8).uniform(DRAWS))
    np.testing.assert_array_equal(np.sort(got), np.sort(want))


def test_permutations_and_forks_of_many_threads() -> None:
    shared = Generator(5)
    made: list[list[int]] = []
    forks: list[int] = []

    def work(index: int) -> None:
        for _ in range(50):
            made.append(shared.permutation(30).tolist())
        forks.append(shared.fork(index).seed)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = Generator(5)
    assert sorted(made) == sorted(alone.permutation(30).tolist() for _ in range(50 * THREADS))
    assert sorted(forks) == sorted(Generator(5).fork(k).seed for k in range(THREADS))
    assert len(set(forks)) == THREADS


REFUSED: list[Callable[[Generator], object]] = [
    lambda g: g.uniform(-1),
    lambda g: g.uniform((2, -3)),
    lambda g: g.uniform("three"),
    lambda g: g.uniform(3, dtype="int64"),
    lambda g: g.uniform(3, dtype="float7"),
    lambda g: g.uniform(3, device="abacus"),
    lambda g: g.uniform(3, float("nan")),
    lambda g: g.uniform(3, None),
    lambda g: g.uniform(3, -1e308, 1e308),
    lambda g: g.uniform((2**40, 2**40)),
    lambda g: g.uniform((2**63, 2)),
    lambda g: g.uniform(2**64),
    lambda g: g.uniform(2**50),
    lambda g: g.normal(3, std=-1.0),
    lambda g: g.normal(3, "zero"),
    lambda g: g.normal(2**50, dtype="float32"),
    lambda g: g.integers(5, 5, 3),
    lambda g: g.integers(0, 2**70, 3),
    lambda g: g.integers(0.5, 3, 3),
    lambda g: g.integers(0, 3, (2**62, 4)),
    lambda g: g.permutation(-1),
    lambda g: g.permutation(2**50),
    lambda g: g.permutation(2**63),
    lambda g: g.fork(-1),
    lambda g: g.fork(2**64),
    lambda g: setattr(g, "state", (1, 2, 3)),
    lambda g: setattr(g, "state", (1, -2)),
    lambda g: setattr(g, "state", (None, 2)),
    lambda g: setattr(g, "state", 7),
    lambda g: setattr(g, "seed", -1),
    lambda g: setattr(g, "seed", 2**64),
    lambda g: setattr(g, "offset", 1.5),
]


@pytest.mark.parametrize("call", REFUSED)
def test_a_call_that_is_refused_draws_nothing(call: Callable[[Generator], object]) -> None:
    generator = Generator(4, offset=9)
    with pytest.raises(syntonic.SyntonicError):
        call(generator)
    assert generator.state == (4, 9)


def test_integers_of_numpy_are_sizes_and_seeds() -> None:
    generator, plain = Generator(np.uint64(2**64 - 1), np.int8(3)), Generator(2**64 - 1, 3)
    assert generator == plain
    for draw in (
        lambda g, i: g.uniform(i(4)),
        lambda g, i: g.normal((i(2), i(3))),
        lambda g, i: g.normal(np.array([2, 3]) if i is np.int64 else (2, 3)),
        lambda g, i: g.integers(i(-2), i(9), i(5)),
        lambda g, i: g.permutation(i(6)),
    ):
        assert draw(generator, np.int64).tolist() == draw(plain, int).tolist()
    generator.state = np.array([5, 6])
    generator.offset = np.int32(7)
    assert generator.state == (5, 7) and type(generator.offset) is int
    assert generator.fork(np.int16(2)).seed == Generator(5).fork(2).seed
    syntonic.random.seed(np.int64(3))
    assert syntonic.random.uniform(2).tolist() == Generator(3).uniform(2).tolist()


def test_copies_and_pickles_go_on_alone() -> None:
    generator = Generator(3, 5)
    for twin in (copy.copy(generator), copy.deepcopy(generator), pickle.loads(pickle.dumps(generator))):
        assert twin == generator and type(twin) is Generator
        twin.uniform(10)
        assert twin.state == (3, 15) and generator.state == (3, 5)
    # A pickle of a generator whose seed and offset were plain attributes.
    older = Generator.__new__(Generator)
    older.__setstate__({"seed": 8, "offset": 2})
    assert older.state == (8, 2)


def test_the_offset_comes_round() -> None:
    generator = Generator(1, offset=2**64 - 2)
    drawn = generator.uniform(4)
    assert generator.offset == 2
    assert drawn[2:].tolist() == Generator(1).uniform(2).tolist()
