"""Random numbers: NumPy's `default_rng` and `Generator`, and the older functions and `RandomState`, on one generator for all devices.

The numbers are others than NumPy's of the same seed, and the same bits on every device.

>>> import syntonic.numpy as np
>>> a, b = np.random.default_rng(3), np.random.default_rng(3)
>>> bool(np.all(a.standard_normal(4) == b.standard_normal(4)))
True
"""

from __future__ import annotations

from syntonic.numpy._generator import BitGenerator, Generator
from syntonic._core import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BitGenerator", "Generator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "RandomState", "SFC64", "default_rng", "get_state", "set_state"]

# One generator has all their names.
MT19937 = PCG64 = PCG64DXSM = Philox = SFC64 = BitGenerator


def default_rng(seed: Any = None) -> Generator:
    """A generator from a seed; from another number each time without one. A generator is given back as it is.

    >>> import syntonic.numpy as np
    >>> np.random.default_rng(1).integers(10, size=3).shape
    (3,)
    """
    return seed if isinstance(seed, Generator) else Generator(seed)


class RandomState(Generator):
    """The older interface of NumPy's, with its names: the numbers are those of `Generator`."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed)

    def seed(self, seed: Any = None) -> None:
        """Begins anew."""
        self._bits = BitGenerator(seed)

    def get_state(self, legacy: bool = True) -> dict[str, int]:
        """All there is to save."""
        return self._bits.state

    def set_state(self, state: dict[str, int]) -> None:
        """What was saved."""
        self._bits.state = state

    def rand(self, *shape: int) -> State:
        """Uniform numbers in [0, 1) of this shape."""
        return self.random(shape)

    def randn(self, *shape: int) -> State:
        """Normal numbers of this shape."""
        return self.standard_normal(shape)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = "int64") -> State:
        """Integers from low to below high; with one number from 0 to it."""
        return self.integers(low, high, size, dtype)

    def random_integers(self, low: Any, high: Any = None, size: Any = None) -> State:
        """Integers from low to high, with both; with one number from 1 to it."""
        return self.integers(1, low, size, endpoint=True) if high is None else self.integers(low, high, size, endpoint=True)

    def random_sample(self, size: Any = None) -> State:
        """Uniform numbers in [0, 1)."""
        return self.random(size)

    def tomaxint(self, size: Any = None) -> State:
        """Integers from 0 to the largest of int64."""
        return self.integers(0, 2**63 - 1, size)


# Behind the functions of this module; its seed is another one in each process.
_shared = RandomState()
_OLDER = {"ranf": "random_sample", "sample": "random_sample"}
_FUNCTIONS = sorted(
    name for name in {*vars(Generator), *vars(RandomState)} if not name.startswith("_") and name not in ("bit_generator", "spawn", "integers", "permuted", "tomaxint")
)
__all__ += [*(name for name in _FUNCTIONS if name not in __all__), *_OLDER]


def __getattr__(name: str) -> Any:
    if name in _FUNCTIONS or name in _OLDER:
        return getattr(_shared, _OLDER.get(name, name))
    if name == "SeedSequence":
        from numpy.random import SeedSequence

        return SeedSequence
    raise AttributeError(f"module 'syntonic.numpy.random' has no attribute {name!r}", name=name)


def __dir__() -> list[str]:
    return sorted(__all__)
