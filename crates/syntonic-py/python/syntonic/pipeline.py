"""Pipelines: programs of several stages as data, checked when they are made, which run in one launch on a GPU.

A stage makes one value of a declared shape: by a formula of elements, by such a formula and a reduction over the last axis of what it gives,
or as a product of matrices. Its number is the synchronisation: a stage reads inputs, what its loop carries, and stages with smaller numbers.
Extents are names or numbers; an axis of length 1 that is repeated is written 1.

>>> import syntonic as syn
>>> from syntonic import pipeline
>>> softmax = pipeline.Plan(
...     "Softmax",
...     inputs={"x": ("n", "m")},
...     stages=[
...         pipeline.formula("top", 1, ("n", 1), lambda x: x, reduction="max"),
...         pipeline.formula("e", 2, ("n", "m"), lambda x, top: syn.exp(x - top)),
...         pipeline.formula("total", 3, ("n", 1), lambda e: e, reduction="sum"),
...         pipeline.formula("p", 4, ("n", "m"), lambda e, total: e / total),
...     ],
...     outputs=["p"],
... )
>>> softmax([[0.0, 0.0], [3.0, 3.0]]).p.tolist()
[[0.5, 0.5], [0.5, 0.5]]
"""

from __future__ import annotations

from collections import namedtuple
from operator import index

from syntonic._core import ArgumentTypeError, Stage, State, asarray
from syntonic._core import Plan as _Plan
from syntonic._records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Any, Literal

    from syntonic._typing import ArrayLike, DeviceLike

    _Precision = Literal["operands", "single", "double", "stepwise"]
    _Mode = Literal["fused", "partial", "unfused", "captured", "reference"]

__all__ = ["Loop", "Plan", "Report", "Stage", "formula", "product", "repeat", "transposed"]


def _name(op: str, what: str, given: object) -> str:
    if not isinstance(given, str):
        raise ArgumentTypeError(f"{op}: {what} is a name, not {type(given).__name__}")
    return given


def _count(op: str, what: str, given: object) -> int:
    try:
        count = index(given)  # type: ignore[arg-type]
    except TypeError:
        count = -1
    if not 0 <= count < 2**31 or isinstance(given, bool):
        raise ArgumentTypeError(f"{op}: {what} is a whole number from 0 to 2**31 - 1, not {given!r}")
    return count


def _all(op: str, what: str, given: object) -> list[Any]:
    if not isinstance(given, (list, tuple)):
        raise ArgumentTypeError(f"{op}: {what} are a list or tuple, not {type(given).__name__}")
    return list(given)


def _extents(op: str, of: str, shape: Sequence[str | int]) -> list[str]:
    if not isinstance(shape, (list, tuple)) or not all(isinstance(extent, (str, int)) for extent in shape):
        raise ArgumentTypeError(f"{op}: the shape of {of} is a tuple of extents, names or numbers, not {shape!r}; hint: one axis is (\"n\",)")
    return [str(extent) for extent in shape]


def formula(
    name: str,
    number: int,
    shape: Sequence[str | int],
    f: Callable[..., Any],
    *,
    reduction: Literal["sum", "prod", "min", "max", "mean", "count"] | None = None,
    smallest: int | None = None,
    precision: _Precision = "operands",
) -> Stage:
    """A stage by a formula of elements: `f` takes the values whose names its parameters have, and returns one.

    `f` is called once, with symbols: operators, comparisons, numbers and the element-wise functions of `syntonic` (`syn.exp`, `syn.gelu`,
    `syn.where`) make formulas of them. With `reduction` the last axis of what the operands broadcast to becomes one number (`count`: how
    many are other than 0), which goes or stays with the length 1; with `smallest=k` it becomes the k smallest, in ascending order.

    `precision` is that of the operands, with half types in float32 and rounded once at the end; `"single"`, `"double"`; or `"stepwise"`,
    where half types are rounded after every operation."""
    if not callable(f):
        raise ArgumentTypeError(f"formula: what makes {name} is a function of symbols, not {type(f).__name__}")
    import inspect  # Takes longer than the rest of this package.

    try:
        parameters = inspect.signature(f).parameters.values()
    except ValueError:
        raise ArgumentTypeError(f"formula: the function that makes {name} does not say its parameters; hint: a lambda does") from None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(parameter.kind not in kinds for parameter in parameters):
        raise ArgumentTypeError(f"pipeline: the parameters of the formula of {name} are the names of values; hint: no *, ** or keywords")
    reads = [parameter.name for parameter in parameters]
    op = "formula"
    kept = None if smallest is None else _count(op, "smallest", smallest)
    shape = _extents(op, _name(op, "the name of a stage", name), shape)
    how = None if reduction is None else _name(op, "reduction", reduction)
    return Stage.formula(name, _count(op, "number", number), shape, reads, f, how, kept, _name(op, "precision", precision))


class _Transposed(NamedTuple):
    name: str


def transposed(name: str) -> _Transposed:
    """A factor of a product whose last two axes are swapped."""
    return _Transposed(name)


def product(
    name: str,
    number: int,
    shape: Sequence[str | int],
    a: str | _Transposed,
    b: str | _Transposed,
    *,
    precision: _Precision = "operands",
    tensor_cores: Literal["as_set", "allowed", "forbidden"] = "as_set",
) -> Stage:
    """A stage by a product of two values, as `syntonic.matmul` has it; vectors are rows on the left and columns on the right."""

    op = "product"

    def factor(x: str | _Transposed) -> tuple[str, bool]:
        return (_name(op, "a factor", x.name), True) if isinstance(x, _Transposed) else (_name(op, "a factor", x), False)

    shape = _extents(op, _name(op, "the name of a stage", name), shape)
    factors = [factor(a), factor(b)]
    chosen = [_name(op, "precision", precision), _name(op, "tensor_cores", tensor_cores)]
    return Stage.product(name, _count(op, "number", number), shape, factors, *chosen)


class Loop(NamedTuple):
    """Stages that are repeated, by `repeat`."""

    times: int
    carrying: tuple[tuple[str, str], ...]
    stages: tuple[Stage, ...]
    until: str | None


def repeat(times: int, carrying: dict[str, str], stages: Sequence[Stage], *, until: str | None = None) -> Loop:
    """Stages that run `times` times. In the loop each key of `carrying` stands for what the stage of its value made in the round before.

    With `until` the loop ends after the round that leaves that stage, a single number, other than 0: on a GPU the device decides."""
    op = "repeat"
    if not isinstance(carrying, dict):
        raise ArgumentTypeError(f"{op}: carrying is a dict of names, not {type(carrying).__name__}")
    carried = [(_name(op, "what is carried", key), _name(op, "what carries on", value)) for key, value in carrying.items()]
    ends = None if until is None else _name(op, "until", until)
    return Loop(_count(op, "times", times), tuple(carried), tuple(_stages(op, stages)), ends)


def _stages(op: str, given: object) -> list[Any]:
    stages = _all(op, "stages", given)
    odd = [stage for stage in stages if not isinstance(stage, (Stage, Loop) if op == "Plan" else Stage)]
    if odd:
        hint = "formula and product make stages" + (", repeat makes loops" if op == "Plan" else "; a loop has none within")
        raise ArgumentTypeError(f"{op}: a stage is {type(odd[0]).__name__}; hint: {hint}")
    return stages


class Report(NamedTuple):
    """What a run of a plan launches, and the same plan with every stage by itself; as text, a table of the launches."""

    launches: int
    unfused_launches: int
    text: str

    def __str__(self) -> str:
        return self.text


class Plan:
    """A pipeline as data. What is wrong with it is an ArgumentError that names the stage, before anything runs.

    Calling it takes the inputs in their order or by name, and gives a named tuple of the outputs. `mode` is `"fused"` (on a GPU one launch
    where stages are products, loops or of several shapes), `"partial"` (fused, and such stages are launches of their own), `"unfused"`
    (stage by stage), `"captured"` (the fused run as a graph) or `"reference"` (number by number in float64 on the host: slow, and what all
    else is compared with)."""

    def __init__(
        self,
        name: str,
        *,
        inputs: dict[str, Sequence[str | int]],
        stages: Sequence[Stage | Loop],
        outputs: Sequence[str],
    ) -> None:
        blocks = [
            (block.times, block.until, list(block.carrying), list(block.stages)) if isinstance(block, Loop) else (1, None, [], [block])
            for block in _stages("Plan", stages)
        ]
        if not isinstance(inputs, dict):
            raise ArgumentTypeError(f"Plan: inputs are a dict of names and shapes, not {type(inputs).__name__}")
        given = [(_name("Plan", "an input", key), _extents("Plan", key, shape)) for key, shape in inputs.items()]
        results = [_name("Plan", "an output", output) for output in _all("Plan", "outputs", outputs)]
        self._plan = _Plan(_name("Plan", "name", name), given, blocks, results)
        self._results = namedtuple(name if name.isidentifier() else "Outputs", self._plan.outputs)  # type: ignore[misc]

    def __call__(self, *inputs: ArrayLike, mode: _Mode = "fused", **named: ArrayLike) -> Any:
        return self._results(*self._plan.run(self._given(inputs, named), mode))

    def report(self, *inputs: ArrayLike, mode: _Mode = "fused", **named: ArrayLike) -> Report:
        """Runs the plan over these inputs, and once more with every stage by itself, and says what each launched."""
        return Report(*self._plan.report(self._given(inputs, named), mode))

    def save(self, path: str | PathLike[str], *inputs: ArrayLike, **named: ArrayLike) -> None:
        """Writes the launch over inputs of these shapes, types and layouts into a file of text: a kernel in PTX behind a manifest of its
        operators, types, schedule and digest. The inputs are on a GPU; `load` takes the file in another process, on any card that runs it."""
        self._plan.save(path, self._given(inputs, named))

    def load(self, path: str | PathLike[str], *, device: DeviceLike = "cuda") -> None:
        """Takes the launch that `save` wrote: calls over inputs of those shapes, types and layouts on that device begin with it, without making it.

        The file is code that the device runs: load those that you trust. Damage is a FileError, and so is a file of another plan."""
        self._plan.load(path, device)

    def _given(self, inputs: tuple[ArrayLike, ...], named: dict[str, ArrayLike]) -> tuple[State, ...]:
        names = self._plan.inputs
        if len(inputs) > len(names):
            raise ArgumentTypeError(f"{self.name}: {len(inputs)} inputs are given, it takes {len(names)}: {', '.join(names)}")
        values = dict(zip(names, inputs))
        for name, value in named.items():
            if name not in names or name in values:
                what = "twice" if name in values else "and is none"
                raise ArgumentTypeError(f"{self.name}: the input {name} is given {what}; hint: it takes {', '.join(names)}")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise ArgumentTypeError(f"{self.name}: the inputs {', '.join(missing)} are missing")
        return tuple(value if isinstance(value, State) else asarray(value) for value in (values[name] for name in names))

    @property
    def name(self) -> str:
        return self._plan.name

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs, in their order."""
        return tuple(self._plan.inputs)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs, in their order."""
        return tuple(self._plan.outputs)

    @property
    def source(self) -> str:
        """The plan as text: its stages in the order in which they run, with their formulas, an operation a line."""
        return self._plan.source

    @property
    def digest(self) -> str:
        """SHA-256 of the text: the same for equal plans, whatever the shapes, types and devices of a run."""
        return self._plan.digest

    def __repr__(self) -> str:
        return f"Plan({self.name}({', '.join(self.inputs)}) -> ({', '.join(self.outputs)}))"
