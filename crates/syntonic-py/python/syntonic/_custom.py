"""Operators of one's own, with functions for the CPU, for GPUs and for the gradient."""

from __future__ import annotations

from syntonic import _core
from syntonic._core import ArgumentError, ArgumentTypeError, DType, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any
    from weakref import WeakValueDictionary

__all__ = ["custom_op"]


class _Form:
    """The shape and the type of an operand, as the function `shapes` gets it."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: DType) -> None:
        self.shape, self.dtype = shape, dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"


class _Host:
    """What the engine calls: the functions of an operator, with lists in and lists out."""

    def __init__(self, functions: dict[str, Callable[..., Any] | None]) -> None:
        self._functions: dict[str, Any] = functions

    def shapes(self, forms: list[tuple[list[int], DType]], numbers: list[Any]) -> list[tuple[list[int], DType]]:
        operands = [_Form(tuple(shape), dtype) for shape, dtype in forms]
        asked = self._functions["shapes"](*operands, *numbers) if self._functions["shapes"] else operands[0]
        return [_form(one) for one in (asked if isinstance(asked, list) else [asked])]

    def cpu(self, states: list[State], numbers: list[Any], count: int) -> list[State]:
        made = self._functions["cpu"](*states, *numbers)
        if made is None:
            raise TypeError("it returned None; hint: return the result, or a tuple of them")
        made = list(made) if isinstance(made, (tuple, list)) and count > 1 else [made]
        if len(made) != count:
            raise ValueError(f"it returned {len(made)} results where the shapes have {count}")
        return [y if isinstance(y, State) else _core.asarray(y, None, "cpu") for y in made]

    def gpu(self, states: list[State], numbers: list[Any], outputs: list[State]) -> None:
        self._functions["gpu"](*states, *numbers, out=_one(outputs))

    def gradient(self, slopes: list[State], outputs: list[State], states: list[State], numbers: list[Any]) -> list[State | None]:
        found = self._functions["gradient"](_one(slopes), _one(outputs), *states, *numbers)
        found = list(found) if isinstance(found, (tuple, list)) else [found]
        for one in found:
            if one is not None and not isinstance(one, State):
                raise TypeError(f"it returned {type(one)}; hint: return a State for each operand, or None where nothing flows")
        return found


class CustomOp:
    """An operator of one's own, see `custom_op`. It is called with its States, and then its numbers."""

    name: str
    _operator: _core.Operator

    def __init__(self, name: str, operator: _core.Operator) -> None:
        self.name, self._operator = name, operator

    def __call__(self, *args: Any) -> Any:
        """The result over these operands, or a tuple of results."""
        states = [x for x in args if isinstance(x, State)]
        numbers = [_number(self.name, x) for x in args[len(states) :]]
        made = self._operator.apply(states, numbers)
        return made[0] if len(made) == 1 else tuple(made)

    def __repr__(self) -> str:
        return f"CustomOp({self.name})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self.name,)


def custom_op(
    name: str,
    *,
    shapes: Callable[..., Any] | None = None,
    cpu: Callable[..., Any] | None = None,
    gpu: Callable[..., Any] | None = None,
    gradient: Callable[..., Any] | None = None,
) -> CustomOp:
    """An operator of one's own: called as `op(*states, *numbers)`, it is on the tape of a gradient, in graphs and in a profile, as ours are.

    `shapes(*operands, *numbers)` gives what the result is: an operand, if it is like that one, or a pair (shape, dtype); a list of these for
    several results. It sees `.shape`, `.ndim` and `.dtype` of the operands. Without it the result is like the first operand.

    `cpu(*states, *numbers)` returns the result, or a tuple of them: States, or arrays of NumPy and others. Its States are row-major and cannot be written.
    Inside of a graph it is called at each replay.

    `gpu(*states, *numbers, out=out)` writes `out`, a State or a tuple of them, by a `cuda.kernel`. A graph captures what it launches, and does not call
    it at a replay. An operator without it is an OperatorError on a GPU: nothing moves to the host.

    `gradient(g, out, *states, *numbers)` returns the slope for each State, or None where nothing flows, from that of the result; with several results g and out
    are tuples. Written with operations that have a gradient it has one itself. Without it what is tracked is a GradientError.

    What a function raises, and results that do not fit, are an OperatorError with the operator's name; the cause is with it. A second operator of
    a name takes the place of the first where a pickle names it.

    >>> import syntonic as syn
    >>> cube = syn.custom_op("cube", cpu=lambda x: x.numpy() ** 3, gradient=lambda g, out, x: 3 * x * x * g)
    >>> cube(syn.asarray([1.0, 2.0])).tolist()
    [1.0, 8.0]
    >>> syn.grad(lambda x: cube(x).sum())(syn.asarray([1.0, 2.0])).tolist()
    [3.0, 12.0]
    """
    if not isinstance(name, str) or not name:
        raise ArgumentTypeError(f"custom_op: name is {name!r:.40}; it must be a str that is not empty")
    functions = {"shapes": shapes, "cpu": cpu, "gpu": gpu, "gradient": gradient}
    for what, function in functions.items():
        if function is not None and not callable(function):
            raise ArgumentTypeError(f"custom_op: {what} of {name} is a function, not {type(function)}")
    if cpu is None and gpu is None:
        raise ArgumentError(f"custom_op: {name} has no function that computes it; hint: give cpu=, gpu= or both")
    operator = _core.Operator(name, _Host(functions), cpu is not None, gpu is not None, gradient is not None)
    made = CustomOp(name, operator)
    _known()[name] = made
    return made


_KNOWN: WeakValueDictionary[str, CustomOp] | None = None


def _known() -> WeakValueDictionary[str, CustomOp]:
    """The operators that there are, by name."""
    global _KNOWN
    if _KNOWN is None:
        from weakref import WeakValueDictionary

        _KNOWN = WeakValueDictionary()
    return _KNOWN


def _named(name: str) -> CustomOp:
    """The operator that a pickle names."""
    found = _known().get(name)
    if found is None:
        raise ArgumentError(f"custom_op: there is no operator {name} here; hint: import the module that makes it first")
    return found


def _form(asked: Any) -> tuple[list[int], DType]:
    if isinstance(asked, tuple):
        if len(asked) != 2:
            raise TypeError(f"it returned {asked!r:.60}; hint: a result is an operand or a pair (shape, dtype), and several are a list")
        shape, dtype = asked
    else:
        shape, dtype = asked.shape, asked.dtype
    shape = [shape] if isinstance(shape, int) else list(shape)
    return shape, DType(dtype)


def _one(all: list[Any]) -> Any:
    return all[0] if len(all) == 1 else tuple(all)


def _number(name: str, x: Any) -> Any:
    """A number of Python's."""
    if isinstance(x, (bool, int, float, complex)):
        return x
    if isinstance(x, State):
        raise ArgumentTypeError(f"{name}: a State comes after a number; hint: States first, then numbers")
    # Numbers of NumPy and others.
    item = getattr(x, "item", None)
    if item is not None and getattr(x, "shape", None) == ():
        return item()
    raise ArgumentTypeError(f"{name}: takes States, then numbers, not {type(x)}; hint: make a State of an array with asarray")
