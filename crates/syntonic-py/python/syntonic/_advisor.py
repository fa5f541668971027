"""Which of several ways to do the same work is the quickest here."""

from __future__ import annotations

from syntonic._core import Advice, ArgumentError, ArgumentTypeError, _Advisor
from syntonic.information import TransferEntropy
from syntonic.information import transfer_entropy as _transfer_entropy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from os import PathLike
    from typing import Any

    from syntonic._typing import ArrayLike, DeviceLike

__all__ = ["Advice", "Advisor"]


class Advisor:
    """Times the ways to do a thing, picks the quickest, and remembers it.

    >>> import syntonic
    >>> x = syntonic.linspace(0, 1, 1000)
    >>> graph = syntonic.Graph.capture(lambda x: syntonic.sum(x * x), x)
    >>> advisor = syntonic.Advisor(in_memory=True)
    >>> sums = advisor.choose("squares", {"plain": lambda x: syntonic.sum(x * x), "captured": graph}, x)
    >>> abs(float(sums(x)) - 333.5) < 1e-6, sorted(sums.seconds)
    (True, ['captured', 'plain'])

    Printing the `Advice` shows a table; calling it runs what was picked. Each choice is warmed up, then all take turns, and medians count;
    of choices within 5 % the first is picked. Requests follow each other without a pause. First results are compared: a choice that
    is further from the most precise one than both promise is an ArgumentError that names it. A choice that promises more than the tolerance, or
    raises, is left out with its reason (`left_out`). Where all raise, the first exception is raised; where none is left for other
    reasons, that is an ArgumentError with all of them.

    Advice is kept in `folder` under all that it depends on: name, operands, choices, tolerance, the device with its driver, and the kernels.
    Without one it is the folder that `SYNTONIC_ADVICE` names, else `syntonic/advice` in the user's caches; with `in_memory`, or an empty
    variable, nothing is written. A folder that is of no use fails no call. `budget` bounds the seconds that turns take, 2 otherwise."""

    def __init__(self, folder: str | PathLike[str] | None = None, *, in_memory: bool = False, budget: float | None = None) -> None:
        if folder is not None and in_memory:
            raise ArgumentError("Advisor: a folder and in_memory=True; hint: give one of them")
        self._native = _Advisor(folder, in_memory, budget)

    def choose(
        self,
        name: str,
        choices: Mapping[str, Callable[..., Any] | tuple[Callable[..., Any], float]],
        /,
        *args: Any,
        tolerance: float | None = None,
    ) -> Advice:
        """The quickest of callables that are called with `args`, a request like those that follow. `name` says what they do.

        A choice is a callable, which promises the exact result up to `1e-12`, or a pair of one and the relative error that it promises.
        Results are States, numbers, arrays, or tuples of such, compared by Euclidean norms; others by `==`. States are computed before
        the clock stops; what other libraries leave on a GPU, the callable has to wait for."""
        rows = []
        for key, choice in choices.items():
            call, promised = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, 1e-12)
            if not callable(call):
                raise ArgumentTypeError(
                    f"choose: {key} is of type {type(call).__name__}; hint: give a callable, or a pair of one and the error that it promises"
                )
            rows.append((key, promised, call))
        return self._native.choose(name, rows, args, tolerance)

    def product(self, a: ArrayLike, b: ArrayLike, tolerance: float) -> Advice:
        """`a @ b` in every precision of its type that keeps `tolerance`, in the units of `set_matmul_precision`: the error over
        `| |a| @ |b| |`. `precision` of the advice is what `matmul_precision` takes, and a request is `(a, b)`.

        >>> import syntonic
        >>> a = syntonic.ones((64, 64), dtype="float32")
        >>> advice = syntonic.Advisor(in_memory=True).product(a, a, 1e-4)
        >>> with syntonic.matmul_precision(advice.precision):
        ...     b = a @ a
        >>> b.shape
        (64, 64)
        """
        return self._native.product(a, b, tolerance)

    def free_energy(
        self,
        mean_q: ArrayLike,
        mean_p: ArrayLike,
        var_q: ArrayLike,
        var_p: ArrayLike,
        observation: ArrayLike,
        prediction: ArrayLike,
        precision: ArrayLike,
        *,
        device: DeviceLike | None = None,
        tolerance: float | None = None,
    ) -> Advice:
        """`infer.free_energy` of numbers of the host, `[n]` four times and `[m]` three times, in `float64` on a device: a plain launch, a graph,
        or on a GPU a `cuda.Service`. A request has the seven arguments, and gives free energy, complexity and accuracy as floats. Errors
        are parts of the sum of all terms without their signs."""
        request = (mean_q, mean_p, var_q, var_p, observation, prediction, precision)
        return self._native.free_energy(request, device, tolerance)

    def belief_update(
        self,
        mu: ArrayLike,
        jacobian: ArrayLike,
        observation: ArrayLike,
        precision: ArrayLike,
        reference: ArrayLike | None = None,
        prior_mean: ArrayLike | None = None,
        prior_precision: ArrayLike | None = None,
        *,
        rate: float,
        steps: int,
        tolerance: float = 0.0,
    ) -> Advice:
        """`infer.belief_update` of one agent whose `mu [n]` and `observation [m]` the host has, in `float64`, on the device of the Jacobian
        `[m, n]`: all steps in one launch, a launch for each, graphs of both, or on a GPU a `cuda.Service`. A request is `(mu, observation)`
        and gives the mean on the CPU; all choices give the same bits. `tolerance` is that of the steps."""
        model = (jacobian, precision, reference, prior_mean, prior_precision)
        return self._native.belief_update((mu, observation), model, (rate, steps, tolerance))

    def transfer_entropy(self, source: ArrayLike, target: ArrayLike, condition: ArrayLike | None = None, **settings: Any) -> Advice:
        """`transfer_entropy` of series of one length, of which one set after the other comes: prepared each time, prepared once, or as a graph.
        A request is `(source, target)`, or three series, and gives a list of floats, one for each task. Keywords are those of
        `transfer_entropy`."""
        series = (source, target) if condition is None else (source, target, condition)
        prepared = TransferEntropy(*series, **settings)
        captured = TransferEntropy(*series, **settings, captured=True)
        choices: dict[str, tuple[Callable[..., Any], float]] = {
            "plain": (lambda *series: _transfer_entropy(*series, **settings).values, 0.0),
            "prepared": (lambda *series: prepared(*series).values, 0.0),
            "captured": (lambda *series: captured(*series).values, 0.0),
        }
        return self.choose(f"transfer_entropy {sorted(settings.items())}", choices, *series)

    def forget(self, advice: Advice) -> None:
        """Forgets advice, so that the same workload is measured anew the next time."""
        self._native.forget(advice)
