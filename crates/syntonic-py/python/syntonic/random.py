"""Random numbers by element index (Philox): the same bits on every device, and a state of two integers."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    from syntonic._core import State
    from syntonic._typing import DeviceLike, DTypeLike, Shape

__all__ = ["Generator", "integers", "normal", "permutation", "seed", "uniform"]


class Generator:
    """A seed, and how many elements were drawn. Element `i` of a draw depends on the seed and on offset + i alone.

    Threads may share a generator: a draw takes its elements for itself before it draws, so none is drawn twice. A call that
    is refused takes none.
    """

    _shared: _core.SharedGenerator

    def __init__(self, seed: SupportsIndex, offset: SupportsIndex = 0) -> None:
        self._shared = _core.SharedGenerator(seed, offset)

    @property
    def seed(self) -> int:
        """Which family of streams."""
        return self._shared.state()[0]

    @seed.setter
    def seed(self, seed: SupportsIndex) -> None:
        self._shared.update(seed, None)

    @property
    def offset(self) -> int:
        """The next element."""
        return self._shared.state()[1]

    @offset.setter
    def offset(self, offset: SupportsIndex) -> None:
        self._shared.update(None, offset)

    @property
    def state(self) -> tuple[int, int]:
        """Seed and offset: everything there is to save."""
        return self._shared.state()

    @state.setter
    def state(self, state: tuple[SupportsIndex, SupportsIndex]) -> None:
        try:
            seed, offset = state
        except (TypeError, ValueError):
            raise _core.ArgumentTypeError("Generator: a state is a pair of integers, seed and offset") from None
        # None, which would leave one of them as it is, is no state.
        self._shared.update(*_core.SharedGenerator(seed, offset).state())

    def uniform(
        self,
        shape: Shape = (),
        low: float = 0.0,
        high: float = 1.0,
        *,
        dtype: DTypeLike | None = None,
        device: DeviceLike | None = None,
    ) -> State:
        """Uniform numbers in [low, high)."""
        return self._shared.uniform(shape, low, high, dtype, device)

    def normal(
        self,
        shape: Shape = (),
        mean: float = 0.0,
        std: float = 1.0,
        *,
        dtype: DTypeLike | None = None,
        device: DeviceLike | None = None,
    ) -> State:
        """Normal numbers of this mean and standard deviation."""
        return self._shared.normal(shape, mean, std, dtype, device)

    def integers(
        self,
        low: SupportsIndex,
        high: SupportsIndex | None = None,
        shape: Shape = (),
        *,
        device: DeviceLike | None = None,
    ) -> State:
        """Integers of low..high, without high; with one number, of 0..low."""
        bottom, top = (0, low) if high is None else (low, high)
        return self._shared.integers(shape, bottom, top, device)

    def permutation(self, n: SupportsIndex, *, device: DeviceLike | None = None) -> State:
        """The numbers 0..n in random order."""
        return self._shared.permutation(n, device)

    def fork(self, index: SupportsIndex) -> Generator:
        """An independent generator for part `index` of a job."""
        return Generator(self._shared.fork(index))

    def __getstate__(self) -> dict[str, Any]:
        seed, offset = self.state
        own = {name: value for name, value in self.__dict__.items() if name != "_shared"}
        return {**own, "seed": seed, "offset": offset}

    def __setstate__(self, state: dict[str, Any]) -> None:
        own = dict(state)
        self._shared = _core.SharedGenerator(own.pop("seed"), own.pop("offset"))
        self.__dict__.update(own)

    def __repr__(self) -> str:
        seed, offset = self.state
        return f"Generator(seed={seed}, offset={offset})"

    def __eq__(self, other: object) -> bool:
        return self.state == other.state if isinstance(other, Generator) else NotImplemented


_default = Generator(0)


def seed(seed: SupportsIndex) -> None:
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
    low: SupportsIndex, high: SupportsIndex | None = None, shape: Shape = (), *, device: DeviceLike | None = None
) -> State:
    """Integers of low..high from the shared generator."""
    return _default.integers(low, high, shape, device=device)


def permutation(n: SupportsIndex, *, device: DeviceLike | None = None) -> State:
    """The numbers 0..n in random order, from the shared generator."""
    return _default.permutation(n, device=device)
