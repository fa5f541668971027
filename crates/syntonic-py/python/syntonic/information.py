"""How much one series tells of another: transfer entropy and mutual information, by distances to nearest neighbours.

The estimator is the first of Kraskov, Stoegbauer and Grassberger (Phys. Rev. E 69, 066138, 2004), with a condition that of Frenzel and
Pompe (Phys. Rev. Lett. 99, 204101, 2007). Values are in nats and may be negative: the estimator has a bias and a spread.
It counts, so it has no gradient: GradientError for what is tracked, unless it is given as a constant by `syntonic.stop_gradient`.
"""

from __future__ import annotations

import warnings

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = [
    "TiesWarning",
    "TransferEntropy",
    "conditional_mutual_information",
    "mutual_information",
    "transfer_entropy",
    "transfer_entropy_matrix",
]

_LN_2 = 0.6931471805599453

# Where a tenth of the samples is tied, their local values, which are then of the noise alone, move the mean by as much as its spread is. Chance
# ties far fewer: 3 in 100 of a million float32 normals.
_MANY = 0.1


class TiesWarning(UserWarning):
    """More than a tenth of a series' samples have a value that occurs more than once."""


class Information:
    """Estimates of one or several tasks `T`, in nats.

    values          a float for each task; `value` is the only one, and `bits` the same in bits
    p_values        `(1 + #{surrogates >= value}) / (1 + S)` for each task, none without surrogates; `p_value` is the only one
    surrogates      a list of `S` estimates for each task
    scheme, block   how the surrogates were made, "permutation", "shift" or "blocks", and of how many points blocks are; else None
    zero_distances  how many points of each task have a distance of 0 to their k-th neighbour, which spoils its estimate: `jitter` is too small
    ties            how many samples of each series have a value that occurs more than once in it, before there is noise: those of the first
                    operand, of the second and of the condition, or of a matrix's rows. More than a tenth of a series is a `TiesWarning`
    local, counts, distances   `float64 [T, N]`, `int32 [T, 3, N]` (`n_yz, n_xz, n_z`) and `[T, N]` where `keep` names them, else None
    """

    def __init__(self, found: _core._FoundInformation, names: Sequence[tuple[int, int] | int] = ()) -> None:
        self.values, self.p_values, flat, self.zero_distances, tied, made, self.local, self.counts, self.distances = found
        self.ties = tied[0]
        self.scheme, self.block = made
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
        """Values by `(source, target)` for a matrix, by delay where there are several, else by the number of the task."""
        return dict(zip(self._names or range(len(self.values)), self.values, strict=True))

    def table(self, names: Sequence[str] = ()) -> str:
        """A text with a line for each source and a column for each target, of a matrix; else a line for each task. p-values stand behind
        their estimates. `names` are those of the series."""
        cells = {}
        for at, (name, value) in enumerate(self.to_dict().items()):
            told = f" ({self.p_values[at]:.3g})" if self.p_values else ""
            cells[name] = f"{value:.4g}{told}"
        pairs = [name for name in cells if isinstance(name, tuple)]
        if not pairs:
            return "\n".join(f"{name}  {cell}" for name, cell in cells.items())
        count = 1 + max(max(pair) for pair in pairs)
        series = list(names) or [str(at) for at in range(count)]
        if len(series) != count:
            raise _core.ArgumentError(f"table: {len(series)} names for {count} series; hint: one each")
        rows = [["from \\ to", *series]]
        rows += [[series[s], *(cells.get((s, t), "-") for t in range(count))] for s in range(count)]
        widths = [max(len(row[at]) for row in rows) for at in range(count + 1)]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)

    def plot(self, axes: Any = None) -> Any:
        """Draws the estimates with matplotlib: a matrix as an image, delays and tasks as a line, one task as the histogram of its surrogates
        with the estimate. Gives the axes, which are those of a new figure unless some are given."""
        if axes is None:
            try:
                from matplotlib.figure import Figure
            except ImportError as error:
                raise ImportError("plot: matplotlib is not installed; hint: pip install matplotlib, or print table()") from error
            axes = Figure(layout="constrained").subplots()
        pairs = [name for name in self._names if isinstance(name, tuple)]
        if pairs:
            count = 1 + max(max(pair) for pair in pairs)
            found = self.to_dict()
            image = [[found.get((s, t), float("nan")) for t in range(count)] for s in range(count)]
            axes.figure.colorbar(axes.imshow(image), ax=axes, label="nats")
            axes.set(xlabel="target", ylabel="source")
        elif len(self.values) == 1 and self.surrogates[0]:
            axes.hist(self.surrogates[0], label="surrogates")
            axes.axvline(self.value, color="black", label=f"estimate, p = {self.p_value:.3g}")
            axes.set(xlabel="nats", ylabel="surrogates")
            axes.legend()
        else:
            axes.plot(list(self.to_dict()), self.values, marker="o")
            axes.set(xlabel="delay" if self._names else "task", ylabel="nats")
        return axes

    def __repr__(self) -> str:
        if len(self.values) == 1:
            told = f", p_value={self.p_values[0]:.4g}" if self.p_values else ""
            return f"Information({self.values[0]:.6g} nats{told})"
        lines = [f"{name}: {value:.6g}" for name, value in self.to_dict().items()]
        return "\n".join(["Information in nats", *lines])


def _warned(
    op: str, names: Sequence[str], jitter: float, found: _core._FoundInformation, level: int
) -> _core._FoundInformation:
    """Warns of series with many ties, once, at the caller `level` calls up."""
    ties, rows, length = found[4]
    each = tuple(zip(names, rows, strict=False))
    named = [f"{name} [{row}]" if count > 1 else name for name, count in each for row in range(count)]
    many = [f"{count} of {name}" for name, count in zip(named, ties, strict=True) if count > _MANY * length]
    if many:
        told = ", ".join(many[:3]) + (f" and of {len(many) - 3} more" if len(many) > 3 else "")
        noise = f"noise of {float(jitter):g} of a deviation parts them" if jitter else "nothing parts them: with a jitter of 0 the estimate is off"
        hint = "hint: series of few different values want an estimator for discrete data"
        text = f"{op}: of {length} samples have a value that occurs more than once: {told}; {noise}; {hint}"
        warnings.warn(text, TiesWarning, stacklevel=level + 1)
    return found


class TransferEntropy:
    """`transfer_entropy` of many series like `source`, `target` and `condition`, with all prepared that does not hang on their samples: a
    call uploads nothing. Keywords are those of `transfer_entropy`.

    With `captured=True` it is one graph, which a GPU replays in one launch. Surrogates and jitter are the same at each call.

    >>> import syntonic
    >>> x = syntonic.array([0.1, 0.7, -0.4, 0.3, -0.9, 0.5, 0.2, -0.6])
    >>> te = syntonic.information.TransferEntropy(x, x, k=2, delay=[1, 2])
    >>> sorted(te(x, syntonic.roll(x, 1)).to_dict())
    [1, 2]
    """

    def __init__(
        self,
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
        delay: int | Sequence[int] = 1,
        window: int = 0,
        standardise: bool = True,
        jitter: float = 1e-8,
        keep: Sequence[str] = (),
        surrogates: int = 0,
        scheme: str = "auto",
        block: int = 1,
        seed: int = 0,
        captured: bool = False,
    ) -> None:
        pasts = ((source_history, source_step, delay), (target_history, target_step, 1), (condition_history, 1, 1))
        settings = (k, window, standardise, jitter, keep, surrogates, scheme, block, seed)
        self._core = _core.TransferEntropy(source, target, condition, pasts, settings, captured)
        self._delays = () if isinstance(delay, int) else tuple(delay)  # the core has refused all else
        self._jitter = jitter

    def __call__(self, source: ArrayLike, target: ArrayLike, condition: ArrayLike | None = None) -> Information:
        """The estimates, read."""
        return self._read(source, target, condition, 3)

    def _read(self, source: ArrayLike, target: ArrayLike, condition: ArrayLike | None, level: int) -> Information:
        found = self._core.run(source, target, condition).read()
        _warned("transfer_entropy", ("source", "target", "condition"), self._jitter, found, level)
        one_pair = len(found[0]) == len(self._delays)
        return Information(found, self._delays if one_pair else ())

    def values(self, source: ArrayLike, target: ArrayLike, condition: ArrayLike | None = None) -> State:
        """The estimates as a State of their device, `float64 [tasks, 1 + surrogates]`, NaN where a series is not finite. Nothing waits."""
        return self._core.run(source, target, condition).values()


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
    delay: int | Sequence[int] = 1,
    window: int = 0,
    standardise: bool = True,
    jitter: float = 1e-8,
    keep: Sequence[str] = (),
    surrogates: int = 0,
    scheme: str = "auto",
    block: int = 1,
    seed: int = 0,
) -> Information:
    """Transfer entropy from `source` to `target`: `I(y_t; x_{t-delay}, x_{t-delay-source_step}, ... | y_{t-1}, ...)`, given also the past of
    `condition` where there is one. `[n]` three times; by pairs `[B, n]`; or pairs of several variables that are taken together, `[B, d, n]`
    with a `d` of each its own. All `float32` or all `float64`. Several delays give a value each, over the points that all have.

    `k` is the neighbour, from 1 to 32; `window` (Theiler) excludes neighbours up to so many steps away; `standardise` gives each
    series mean 0 and standard deviation 1, of whatever magnitude it is, and zeros where it is constant. `jitter` adds normal noise of that
    many standard deviations of the series, made from `seed`: without it (0) rounded series and others with ties are far off, for the estimator
    counts what is strictly nearer. `ties` of the result counts them, and more than a tenth of a series is a `TiesWarning`. `keep` names what
    is kept for each point: "local", "counts", "distances".

    `surrogates` estimates of a source in other orders, made from `seed`, give a p-value. `scheme` is "shift": the source later, its end
    first, by shifts that differ, each of at least a twentieth of the points, which keeps the source's own rhythm; "blocks" of `block` points
    in a random order; "permutation", a random order of all, whose p-values are too small where source and target are autocorrelated (of 300
    samples that keep 0.9 from step to step, 9 % reject at 5 %); or "auto": "shift" where there are as many shifts as surrogates, else "blocks"
    of the root of the points. The result's `scheme` and `block` say which it was.

    >>> import syntonic
    >>> x = [0.1, 0.7, -0.4, 0.3, -0.9, 0.5, 0.2, -0.6]
    >>> round(syntonic.transfer_entropy(x, x[-1:] + x[:-1], k=2).value, 4)
    0.2786

    Errors: ShapeError, DTypeError and DeviceError for operands that do not fit; ArgumentError for `k`, histories or blocks out of range,
    samples that are not finite, and a `scheme`, `block` or `condition_history` that nothing would look at.
    """
    prepared = TransferEntropy(
        source,
        target,
        condition,
        k=k,
        source_history=source_history,
        target_history=target_history,
        condition_history=condition_history,
        source_step=source_step,
        target_step=target_step,
        delay=delay,
        window=window,
        standardise=standardise,
        jitter=jitter,
        keep=keep,
        surrogates=surrogates,
        scheme=scheme,
        block=block,
        seed=seed,
    )
    return prepared._read(source, target, condition, 3)


def transfer_entropy_matrix(
    series: ArrayLike,
    *,
    k: int = 4,
    source_history: int = 1,
    target_history: int = 1,
    delay: int = 1,
    window: int = 0,
    standardise: bool = True,
    jitter: float = 1e-8,
    surrogates: int = 0,
    scheme: str = "auto",
    block: int = 1,
    seed: int = 0,
) -> Information:
    """Transfer entropy between all rows of `[M, n]`: `M (M - 1)` values, which `to_dict()` has by `(source, target)` and `table()` as a
    table. Otherwise as `transfer_entropy`."""
    pasts = ((source_history, 1, delay), (target_history, 1, 1), (1, 1, 1))
    settings = (k, window, standardise, jitter, (), surrogates, scheme, block, seed)
    found = _warned("transfer_entropy_matrix", ("series",), jitter, _core.transfer_entropy_matrix(series, pasts, settings), 2)
    # A matrix of M rows has M (M - 1) values.
    count = int((1 + (1 + 4 * len(found[0])) ** 0.5) / 2)
    return Information(found, [(s, t) for t in range(count) for s in range(count) if s != t])


def mutual_information(
    x: ArrayLike,
    y: ArrayLike,
    *,
    k: int = 4,
    window: int = 0,
    standardise: bool = True,
    jitter: float = 1e-8,
    keep: Sequence[str] = (),
    seed: int = 0,
) -> Information:
    """Mutual information `I(x; y)` of `n` samples: `[n]`, or `[d, n]` for samples of `d` coordinates, at most 32 in all. Errors as of `transfer_entropy`."""
    found = _core.mutual_information(x, y, None, (k, window, standardise, jitter, keep, 0, "auto", 1, seed))
    return Information(_warned("mutual_information", ("x", "y"), jitter, found, 2))


def conditional_mutual_information(
    x: ArrayLike,
    y: ArrayLike,
    condition: ArrayLike,
    *,
    k: int = 4,
    window: int = 0,
    standardise: bool = True,
    jitter: float = 1e-8,
    keep: Sequence[str] = (),
    seed: int = 0,
) -> Information:
    """Mutual information `I(x; y | condition)`, otherwise as `mutual_information`."""
    found = _core.mutual_information(x, y, condition, (k, window, standardise, jitter, keep, 0, "auto", 1, seed))
    return Information(_warned("conditional_mutual_information", ("x", "y", "condition"), jitter, found, 2))
