"""How much one series tells of another: transfer entropy and mutual information, by distances to nearest neighbours.

The estimator is the first of Kraskov, Stoegbauer and Grassberger (Phys. Rev. E 69, 066138, 2004), with a condition that of Frenzel and
Pompe (Phys. Rev. Lett. 99, 204101, 2007). Values are in nats and may be negative: the estimator has a bias and a spread.
"""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = [
    "conditional_mutual_information",
    "mutual_information",
    "transfer_entropy",
    "transfer_entropy_matrix",
]

_LN_2 = 0.6931471805599453


class Information:
    """Estimates of one or several tasks `T`, in nats.

    values          a float for each task; `value` is the only one, and `bits` the same in bits
    p_values        `(1 + #{surrogates >= value}) / (1 + S)` for each task, none without surrogates; `p_value` is the only one
    surrogates      a list of `S` estimates for each task
    zero_distances  how many points of each task have a distance of 0 to their k-th neighbour, which spoils its estimate: add a little noise
    local, counts, distances   `float64 [T, N]`, `int32 [T, 3, N]` (`n_yz, n_xz, n_z`) and `[T, N]` where `keep` names them, else None
    """

    def __init__(self, found: _core._FoundInformation, names: Sequence[tuple[int, int]] = ()) -> None:
        self.values, self.p_values, flat, self.zero_distances, self.local, self.counts, self.distances = found
        each = len(flat) // max(len(self.values), 1)
        self.surrogates = [flat[at * each : (at + 1) * each] for at in range(len(self.values))]
        self._names = tuple(names)

    @property
    def value(self) -> float:
        """The only estimate, in nats."""
        return self._only(self.values, "value")

    @property
    def bits(self) -> float:
        """The only estimate, in bits."""
        return self.value / _LN_2

    @property
    def p_value(self) -> float:
        """The only p-value."""
        return self._only(self.p_values, "p_value")

    @staticmethod
    def _only(values: list[float], name: str) -> float:
        if len(values) != 1:
            raise _core.ArgumentError(f"{name}: there are {len(values)} of them; hint: {name}s has all")
        return values[0]

    def to_dict(self) -> dict[tuple[int, int] | int, float]:
        """Values by `(source, target)` for a matrix, else by the number of the task."""
        return dict(zip(self._names or range(len(self.values)), self.values, strict=True))

    def __repr__(self) -> str:
        if len(self.values) == 1:
            told = f", p_value={self.p_values[0]:.4g}" if self.p_values else ""
            return f"Information({self.values[0]:.6g} nats{told})"
        lines = [f"{name}: {value:.6g}" for name, value in self.to_dict().items()]
        return "\n".join(["Information in nats", *lines])


def transfer_entropy(
    source: ArrayLike,
    target: ArrayLike,
    condition: ArrayLike | None = None,
    *,
    k: int = 4,
    source_history: int = 1,
    target_history: int = 1,
    condition_history: int = 1,
    source_step: int = 1,
    target_step: int = 1,
    delay: int = 1,
    window: int = 0,
    standardise: bool = True,
    keep: Sequence[str] = (),
    surrogates: int = 0,
    scheme: str = "permutation",
    seed: int = 0,
) -> Information:
    """Transfer entropy from `source` to `target`: `I(y_t; x_{t-delay}, x_{t-delay-source_step}, ... | y_{t-1}, ...)`, given also the past of
    `condition` where there is one. `[n]` three times, or by pairs `[B, n]`; all `float32` or all `float64`.

    `k` is the neighbour, from 1 to 32; `window` (Theiler) excludes neighbours up to so many steps away; `standardise` gives each
    series mean 0 and standard deviation 1. `keep` names what is kept for each point: "local", "counts", "distances". `surrogates` estimates of a
    source in random orders (`scheme` "permutation" or "shift", made from `seed`) give a p-value.

    >>> import syntonic
    >>> x = [0.1, 0.7, -0.4, 0.3, -0.9, 0.5, 0.2, -0.6]
    >>> round(syntonic.transfer_entropy(x, x[-1:] + x[:-1], k=2).value, 4)
    0.5167

    Errors: ShapeError, DTypeError and DeviceError for operands that do not fit; ArgumentError for `k` or histories out of range and samples
    that are not finite.
    """
    pasts = ((source_history, source_step, delay), (target_history, target_step, 1), (condition_history, 1, 1))
    settings = (k, window, standardise, keep, surrogates, scheme, seed)
    return Information(_core.transfer_entropy(source, target, condition, pasts, settings))


def transfer_entropy_matrix(
    series: ArrayLike,
    *,
    k: int = 4,
    source_history: int = 1,
    target_history: int = 1,
    delay: int = 1,
    window: int = 0,
    standardise: bool = True,
    surrogates: int = 0,
    seed: int = 0,
) -> Information:
    """Transfer entropy between all rows of `[M, n]`: `M (M - 1)` values, which `to_dict()` has by `(source, target)`. Otherwise as
    `transfer_entropy`."""
    pasts = ((source_history, 1, delay), (target_history, 1, 1), (1, 1, 1))
    found = _core.transfer_entropy_matrix(series, pasts, (k, window, standardise, (), surrogates, "permutation", seed))
    # A matrix of M rows has M (M - 1) values.
    count = int((1 + (1 + 4 * len(found[0])) ** 0.5) / 2)
    return Information(found, [(s, t) for t in range(count) for s in range(count) if s != t])


def mutual_information(
    x: ArrayLike, y: ArrayLike, *, k: int = 4, window: int = 0, standardise: bool = True, keep: Sequence[str] = ()
) -> Information:
    """Mutual information `I(x; y)` of `n` samples: `[n]`, or `[d, n]` for samples of `d` coordinates, at most 32 in all. Errors as of `transfer_entropy`."""
    return Information(_core.mutual_information(x, y, None, (k, window, standardise, keep, 0, "permutation", 0)))


def conditional_mutual_information(
    x: ArrayLike,
    y: ArrayLike,
    condition: ArrayLike,
    *,
    k: int = 4,
    window: int = 0,
    standardise: bool = True,
    keep: Sequence[str] = (),
) -> Information:
    """Mutual information `I(x; y | condition)`, otherwise as `mutual_information`."""
    settings = (k, window, standardise, keep, 0, "permutation", 0)
    return Information(_core.mutual_information(x, y, condition, settings))
