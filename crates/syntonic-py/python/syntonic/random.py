"""Random numbers by element index (Philox): the same bits on every device, and a state of two integers."""

from __future__ import annotations

from math import prod

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import DeviceLike, DTypeLike, Shape

__all__ = ["Generator", "integers", "normal", "permutation", "seed", "uniform"]


def _count(shape: Shape) -> int:
    return shape if isinstance(shape, int) else prod(shape)


class Generator:
    """A seed, and how many elements were drawn. Element `i` of a draw depends on the seed and on offset + i alone."""

    seed: int
    offset: int

    def __init__(self, seed: int, offset: int = 0) -> None:
        for name, value in (("seed", seed), ("offset", offset)):
            if not 0 <= value < 2**64:
                raise _core.ArgumentError(f"Generator: {name} is {value}; it must be from 0 to 2**64 - 1")
        self.seed = seed
        self.offset = offset

    @property
    def state(self) -> tuple[int, int]:
        """Seed and offset: everything there is to save."""
        return self.seed, self.offset

    @state.setter
    def state(self, state: tuple[int, int]) -> None:
        self.seed, self.offset = state

    def _take(self, count: int) -> int:
        start = self.offset
        self.offset = (start + count) % 2**64
        return start

    def uniform(
        self, shape: Shape = (), low: float = 0.0, high: float = 1.0, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
    ) -> State:
        """Uniform numbers in [low, high)."""
        drawn = _core.random_uniform(shape, dtype or _core.float64, self.seed, self.offset, device)
        self._take(_count(shape))
        return drawn if (low, high) == (0.0, 1.0) else drawn * (high - low) + low

    def normal(
        self, shape: Shape = (), mean: float = 0.0, std: float = 1.0, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
    ) -> State:
        """Normal numbers of this mean and standard deviation."""
        drawn = _core.random_normal(shape, dtype or _core.float64, self.seed, self.offset, device)
        self._take(_count(shape))
        return drawn if (mean, std) == (0.0, 1.0) else drawn * std + mean

    def integers(
        self, low: int, high: int | None = None, shape: Shape = (), *, device: DeviceLike | None = None
    ) -> State:
        """Integers of low..high, without high; with one number, of 0..low."""
        bottom, top = (0, low) if high is None else (low, high)
        drawn = _core.random_integers(shape, bottom, top, self.seed, self.offset, device)
        self._take(_count(shape))
        return drawn

    def permutation(self, n: int, *, device: DeviceLike | None = None) -> State:
        """The numbers 0..n in random order."""
        drawn = _core.random_permutation(n, self.seed, self.offset, device)
        self._take(n)
        return drawn

    def fork(self, index: int) -> Generator:
        """An independent generator for part `index` of a job."""
        return Generator(_core.random_fork(self.seed, index))

    def __repr__(self) -> str:
        return f"Generator(seed={self.seed}, offset={self.offset})"

    def __eq__(self, other: object) -> bool:
        return self.state == other.state if isinstance(other, Generator) else NotImplemented


_default = Generator(0)


def seed(seed: int) -> None:
    """Starts the generator behind the functions of this module anew."""
    _default.state = Generator(seed).state


def uniform(
    shape: Shape = (),
    low: float = 0.0,
    high: float = 1.0,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
) -> State:
    """Uniform numbers in [low, high) from the shared generator."""
    return _default.uniform(shape, low, high, dtype=dtype, device=device)


def normal(
    shape: Shape = (),
    mean: float = 0.0,
    std: float = 1.0,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
) -> State:
    """Normal numbers from the shared generator."""
    return _default.normal(shape, mean, std, dtype=dtype, device=device)


def integers(
    low: int, high: int | None = None, shape: Shape = (), *, device: DeviceLike | None = None
) -> State:
    """Integers of low..high from the shared generator."""
    return _default.integers(low, high, shape, device=device)


def permutation(n: int, *, device: DeviceLike | None = None) -> State:
    """The numbers 0..n in random order, from the shared generator."""
    return _default.permutation(n, device=device)
