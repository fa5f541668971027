"""Every public function and method with a valid call of it.

One table for the tests that go over all of them: short memory, hostile shapes, other types. A row says which State its call
is valid for; the call itself takes any State, so that another one can be handed in to see how it is refused. `unlisted`
names what is public and has no row.
"""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import syntonic
from syntonic import Graph, State

Run = Callable[[Any, random.Random], object]


@dataclass(frozen=True)
class Call:
    """A valid call of a public name.

    name   "sort", "nn.relu", "State.tolist", "evolve.RES.ask"
    run    the call, of a State and a source of random numbers
    dtype  the type of the State for which it is valid
    ndim   the number of axes for which it is valid, or None where any will do
    given  what `run` takes in place of the State, made of it beforehand
    """

    name: str
    run: Run
    dtype: str = "float64"
    ndim: int | None = None
    given: Callable[[State], Any] | None = None

    def __call__(self, x: State, rng: random.Random) -> object:
        return self.run(x if self.given is None else self.given(x), rng)


# What is looked through for names besides the package itself.
MODULES = tuple(
    "cuda distributed evolve exact fft geometry golden infer information linalg nn optim pipeline random resonant tree".split()
)
# Classes whose methods are called, and what is no function of an array although it looks like one.
CLASSES = (
    "State",
    "distributed.Group",
    "evolve.Batch",
    "evolve.DeviceSearch",
    "evolve.RES",
    "evolve.Outcome",
    "exact.GoldenArray",
    "exact.GoldenBigArray",
    "exact.GoldenInt",
    "exact.GoldenRational",
    "nn.BatchNormState",
    "nn.Dropout",
    "nn.Embedding",
    "nn.GoldenNorm",
    "nn.Lambda",
    "nn.LayerNorm",
    "nn.Linear",
    "nn.Module",
    "nn.PhiResidual",
    "nn.RMSNorm",
    "nn.Sequential",
    "random.Generator",
    "pipeline.Plan",
    "infer.DiscreteAgent",
    "infer.DiscreteModel",
    "optim.Adam",
    "optim.AdamW",
    "optim.Lion",
    "optim.SGD",
    "resonant.Attractors",
    "resonant.Crystallized",
    "resonant.Flux",
    "resonant.Modes",
    "__array_namespace_info__",
    "Advice",
    "Advisor",
    "DType",
    "Device",
    "Graph",
    "captured",
    "eager",
    "matmul_precision",
    "profile",
    "rounding",
    "nn.GoldenNormMode",
)


def _resolve(name: str) -> Any:
    found: Any = syntonic
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    return found


def _is_exception(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, BaseException)


def _is_enum(thing: object) -> bool:
    import enum

    return isinstance(thing, type) and issubclass(thing, enum.Enum)


def public() -> list[str]:
    """The names of all functions, methods and properties that a user can call."""
    names = []
    for name in syntonic.__all__:
        thing = getattr(syntonic, name)
        if callable(thing) and not _is_exception(thing) and not _is_enum(thing) and not isinstance(thing, syntonic.DType):
            names.append(name)
    for module in MODULES:
        whole = getattr(syntonic, module)
        for name in whole.__all__:
            thing = getattr(whole, name)
            # The same function under two names needs one row.
            if getattr(syntonic, name, None) is thing or _is_enum(thing) or _is_exception(thing):
                continue
            if callable(thing):
                names.append(f"{module}.{name}")
    for path in CLASSES:
        owner = _resolve(path)
        # What it has of its own, and not of every object.
        for name in sorted({name for base in owner.__mro__[:-1] for name in vars(base)}):
            thing = inspect.getattr_static(owner, name)
            if (name.startswith("_") and not name.endswith("_")) or name in ("__dict__", "__weakref__", "__class_getitem__"):
                continue
            if callable(thing) or isinstance(thing, (property, classmethod, staticmethod)) or inspect.isdatadescriptor(thing):
                names.append(f"{path}.{name}")
    return sorted(set(names))


def _places(x: State, rng: random.Random, axis: int = 0) -> list[int]:
    """Five positions along an axis."""
    return [rng.randrange(x.shape[axis]) for _ in range(5)] if x.ndim and x.shape[axis] else []


def _zeros(x: State) -> State:
    """A position for each element, along the last axis."""
    return syntonic.zeros(x.shape, dtype="int64")


def _vector(x: State, value: float = 1.0) -> State:
    """As many numbers as the last axis is long."""
    return syntonic.full(x.shape[-1:], value, dtype=x.dtype)


def _channels(x: State, value: float = 1.0) -> State:
    """As many numbers as the second axis is long."""
    return syntonic.full(x.shape[1:2], value, dtype=x.dtype)


def _norms(x: State) -> State:
    return syntonic.resonant.mode_norms(x.shape[-1] if x.ndim else 1)


def _advisor() -> syntonic.Advisor:
    """One that takes a single round."""
    return syntonic.Advisor(in_memory=True, budget=0)


def _advised(x: State) -> syntonic.Advice:
    return _advisor().choose("twice", {"sum": (lambda x: x + x, 0), "product": (lambda x: 2 * x, 0)}, x)


def _forgotten(x: State) -> None:
    advisor = _advisor()
    advisor.forget(advisor.choose("twice", {"sum": lambda x: x + x}, x))


def _queue() -> str:
    """Registers a program; nothing is launched for it."""
    with syntonic.cuda.Queue({"twice": (lambda x: x + x, [syntonic.cuda.TensorSpec((2,))])}) as queue:
        return repr(queue)


class _Twice(syntonic.nn.Module):
    def forward(self, x: State) -> State:
        return x + x


# Modules over the last axis of a State, and what they are called with besides it.
LAYER_OF: dict[str, Callable[[State], object]] = {
    "Dropout": lambda x: syntonic.nn.Dropout(0.5)(x, syntonic.random.Generator(0)),
    "Embedding": lambda x: syntonic.nn.Embedding(2, 3)((x < 0.5).astype("int64")),
    "GoldenNorm": lambda x: syntonic.nn.GoldenNorm(x.shape[-1], dtype="float64")(x),
    "Lambda": lambda x: syntonic.nn.Lambda(syntonic.nn.relu)(x),
    "LayerNorm": lambda x: syntonic.nn.LayerNorm(x.shape[-1], dtype="float64")(x),
    "Linear": lambda x: syntonic.nn.Linear(x.shape[-1], 2, dtype="float64")(x),
    "Module": lambda x: _Twice()(x),
    "PhiResidual": lambda x: syntonic.nn.PhiResidual(syntonic.nn.relu)(x),
    "RMSNorm": lambda x: syntonic.nn.RMSNorm(x.shape[-1], dtype="float64")(x),
    "Sequential": lambda x: syntonic.nn.Sequential(syntonic.nn.relu, syntonic.nn.Linear(x.shape[-1], 2, dtype="float64"))(x),
}


def _listed(x: State) -> object:
    """What a module says of its parts, after it was called."""
    module = syntonic.nn.Sequential(syntonic.nn.Linear(x.shape[-1], 2, dtype="float64"))
    y = module(x)
    module.load_state_dict(module.state_dict())
    return repr(module), module.named_parameters(), module.parameters(), len(module), module[0](x), y


def _stepped(optimizer: Any, x: State) -> object:
    return optimizer.step([x], [x], optimizer.init([x]))[0]


def _file(ending: str, states: Callable[[State], Any]) -> Run:
    """Writes a file and reads it."""

    def run(x: State, rng: random.Random) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, f"states.{ending}")
            syntonic.save(path, states(x))
            return syntonic.load(path)

    return run


def _with_metadata(x: State, rng: random.Random) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "states.safetensors")
        syntonic.save(path, {"x": x}, metadata={"a": "b"})
        return syntonic.load_with_metadata(path)


def _search(x: Any, **options: Any) -> syntonic.evolve.RES:
    """A search as wide as the State has elements, in two candidates or so."""
    return syntonic.evolve.RES(x, **{"population": 4, "strategy": "separable", "seed": 0, **options})


def _values(candidates: State) -> list[float]:
    return [float(k) for k in range(candidates.shape[0])]


def _told(x: Any) -> syntonic.evolve.RES:
    """A search after one generation."""
    search = _search(x)
    search.tell(_values(search.ask()))
    return search


def _told_there(x: State) -> syntonic.evolve.RES:
    """A search on the State's device after one generation."""
    search = _search(x.reshape(-1)[:50], strategy="full", device=x.device)
    candidates = search.ask()
    search.tell((candidates * candidates).sum(-1))
    return search


def _searches(x: Any) -> syntonic.evolve.Batch:
    return syntonic.evolve.RES.batch(x, runs=2, seed=1, population=4, strategy="separable")


def _told_batch(x: Any) -> syntonic.evolve.Batch:
    batch = _searches(x)
    batch.tell(_values(batch.ask()))
    return batch


class _Axes:
    """Two axes that draw nothing."""

    def __iter__(self) -> Any:
        return iter((self, self))

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **named: None


def _res_file(x: Any, rng: random.Random) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "search.json")
        search = _search(x)
        search.save(path)
        return syntonic.evolve.RES.load(path).centre


def _run(x: Any, rng: random.Random) -> object:
    return repr(_search(x).run(lambda candidates: _values(candidates), generations=2, stagnation=False, progress=False))


def _with_precision(x: State, rng: random.Random) -> object:
    with syntonic.matmul_precision("high"):
        return x @ x.mT


def _set_precision(x: State, rng: random.Random) -> object:
    former = syntonic.set_matmul_precision(1e-3)
    try:
        return x @ x.mT
    finally:
        syntonic.set_matmul_precision(former)


def _profile(x: State, rng: random.Random) -> object:
    with syntonic.profile() as recorded:
        (x + x).tolist()
    return str(recorded)


def _eager(x: State, rng: random.Random) -> object:
    with syntonic.eager():
        return (x + x) * x


def _rounding(x: State, rng: random.Random) -> object:
    with syntonic.rounding("each"):
        return (x + x) * x


def _set(x: State, key: Any, value: Any) -> object:
    x[key] = value
    return x


def _set_part(x: State, name: str) -> object:
    setattr(x, name, 1.0)
    return x


def _flat(x: State) -> State:
    return x.ravel()


def _batch(x: State, run: Callable[[syntonic.nn.BatchNormState], object]) -> object:
    return run(syntonic.nn.BatchNormState(x.size))


# A kernel that does nothing with an address and a number.
_PTX = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing(.param .u64 x, .param .u32 n) { ret; }"


def _gpu(run: Callable[[], object]) -> Run:
    """A call that needs a GPU, or says that there is none."""

    def attempt(x: State, rng: random.Random) -> object:
        try:
            return run()
        except syntonic.DeviceError as error:
            return str(error)

    return attempt


def _service(start: Callable[[], syntonic.cuda.Service]) -> syntonic.cuda.ServiceModel:
    """Starts a service and has it take a model; nothing is launched for either."""
    with start() as service:
        return service.register([[1.0, 2.0]], [1.0])


def _elementwise() -> list[Call]:
    """The generated functions: each takes as many States of one shape as it has operands that must be there."""
    dtypes = {"complex": "float64", "conj": "complex128", "imag": "complex128", "real": "complex128"}
    rows = []
    for name in syntonic._elementwise.__all__:
        function = getattr(syntonic, name)
        parameters = inspect.signature(function).parameters.values()
        count = sum(p.kind is p.POSITIONAL_ONLY and p.default is p.empty for p in parameters)
        default = "int64" if name.startswith("bitwise") else "bool" if name.startswith("logical") else "float64"
        dtype = dtypes.get(name, default)
        rows.append(Call(name, lambda x, rng, f=function, n=count: f(*[x] * n), dtype))
    return rows


def _operators() -> list[Call]:
    """The operators of Python, with the State on either side and in place."""
    rows = []
    numbers = {"add": 0, "sub": 0, "mul": 1, "truediv": 1, "floordiv": 1, "mod": 2, "pow": 1}
    whole = {"and": -1, "or": 0, "xor": 0, "lshift": 0, "rshift": 0}
    for table, dtype in ((numbers, "float64"), (whole, "int64")):
        for name, neutral in table.items():
            for form in ("", "r"):
                method = f"__{form}{name}__"
                rows.append(Call(f"State.{method}", lambda x, rng, m=method: getattr(x, m)(x), dtype))
            method = f"__i{name}__"
            rows.append(Call(f"State.{method}", lambda x, rng, m=method, n=neutral: getattr(x, m)(n), dtype))
    # Python 3.12 shows what the buffer protocol is made of; before that it has no names.
    if sys.version_info >= (3, 12):
        rows += [
            Call("State.__buffer__", lambda x, rng: memoryview(x).nbytes),
            Call("State.__release_buffer__", lambda x, rng: memoryview(x).release()),
        ]
    rows += [
        Call(f"State.__{name}__", lambda x, rng, m=f"__{name}__": getattr(x, m)(x))
        for name in ("eq", "ne", "lt", "le", "gt", "ge", "divmod", "rdivmod")
    ]
    rows += [Call(f"State.__{name}__", lambda x, rng, m=f"__{name}__": getattr(x, m)()) for name in ("neg", "pos", "abs")]
    return [
        *rows,
        Call("State.__invert__", lambda x, rng: ~x, "int64"),
        Call("State.__matmul__", lambda x, rng: x.mT @ x, ndim=2),
        Call("State.__matmul__", lambda x, rng: x @ _vector(x)),
        Call("State.__rmatmul__", lambda x, rng: x.__rmatmul__(x.mT), ndim=2),
        Call("State.__imatmul__", lambda x, rng: x.__imatmul__(syntonic.eye(x.shape[-1])), ndim=2),
    ]


def _reductions() -> list[Call]:
    """The reductions as functions and as methods: over everything, along the rows, and across them."""
    rows = []
    for name in syntonic._reductions.__all__:
        function = getattr(syntonic, name)
        for axis in (None, -1, 0):
            rows.append(Call(name, lambda x, rng, f=function, a=axis: f(x, axis=a)))
            rows.append(Call(f"State.{name}", lambda x, rng, m=name, a=axis: getattr(x, m)(axis=a, keepdims=True)))
    return rows


CREATION = [
    Call("arange", lambda x, rng: syntonic.arange(x.size)),
    Call("arange", lambda x, rng: syntonic.arange(0.0, float(x.size), 0.5, dtype="float32")),
    Call("array", lambda x, rng: syntonic.array(x)),
    Call("array", lambda x, rng: syntonic.array(x), given=lambda x: [[0.5] * x.size]),
    Call("array", lambda x, rng: syntonic.array(x, dtype="int8"), given=lambda x: [1] * x.size),
    Call("array", lambda x, rng: syntonic.array(x), given=lambda x: [[k, 1j] for k in range(min(x.size, 100_000))]),
    Call("asarray", lambda x, rng: syntonic.asarray(x)),
    Call("asarray", lambda x, rng: syntonic.asarray(x, dtype="float32")),
    Call("asarray", lambda x, rng: syntonic.asarray(x), given=lambda x: [1.5] * x.size),
    Call("asarray", lambda x, rng: syntonic.asarray(x), given=lambda x: [(True,)] * x.size),
    Call("asarray", lambda x, rng: syntonic.asarray(x), given=lambda x: memoryview(bytes(x.size))),
    Call("empty", lambda x, rng: syntonic.empty(x.shape)),
    Call("empty_like", lambda x, rng: syntonic.empty_like(x)),
    Call("eye", lambda x, rng: syntonic.eye(x.size, 1, k=-1)),
    Call("from_dlpack", lambda x, rng: syntonic.from_dlpack(x)),
    Call("from_dlpack", lambda x, rng: syntonic.from_dlpack(x, copy=True)),
    Call("full", lambda x, rng: syntonic.full(x.shape, 2.5)),
    Call("full_like", lambda x, rng: syntonic.full_like(x, 7)),
    Call("linspace", lambda x, rng: syntonic.linspace(0.0, 1.0, x.size)),
    Call("ones", lambda x, rng: syntonic.ones(x.shape)),
    Call("ones_like", lambda x, rng: syntonic.ones_like(x)),
    Call("zeros", lambda x, rng: syntonic.zeros(x.shape)),
    Call("zeros_like", lambda x, rng: syntonic.zeros_like(x)),
    Call("State", lambda x, rng: State(x)),
    Call("State", lambda x, rng: State(x), given=lambda x: [0.5] * x.size),
    Call("State", lambda x, rng: State(1.0, shape=x.shape)),
]

MANIPULATION = [
    Call("broadcast_arrays", lambda x, rng: syntonic.broadcast_arrays(x, 1.0, x)),
    Call("broadcast_shapes", lambda x, rng: syntonic.broadcast_shapes(x.shape, (1,), 1)),
    Call("broadcast_to", lambda x, rng: syntonic.broadcast_to(x, (2, *x.shape))),
    Call("clip", lambda x, rng: syntonic.clip(x, 0.25, 0.75)),
    Call("concat", lambda x, rng: syntonic.concat([x, x])),
    Call("concat", lambda x, rng: syntonic.concat([x, x], axis=None)),
    Call("concat", lambda x, rng: syntonic.concat([x, x], axis=-1)),
    Call("diff", lambda x, rng: syntonic.diff(x)),
    Call("diff", lambda x, rng: syntonic.diff(x, axis=0, n=2, prepend=0.0, append=x), "complex128"),
    Call("expand_dims", lambda x, rng: syntonic.expand_dims(x, axis=0)),
    Call("flip", lambda x, rng: syntonic.flip(x)),
    Call("flip", lambda x, rng: syntonic.flip(x, axis=0) + 0),
    Call("matrix_transpose", lambda x, rng: syntonic.matrix_transpose(x), ndim=2),
    Call("meshgrid", lambda x, rng: syntonic.meshgrid(x, State([1.0, 2.0])), ndim=1),
    Call("moveaxis", lambda x, rng: syntonic.moveaxis(x, 0, -1)),
    Call("nonzero", lambda x, rng: syntonic.nonzero(x)),
    Call("nonzero", lambda x, rng: syntonic.nonzero(x), "bool"),
    Call("pad", lambda x, rng: syntonic.pad(x, 1)),
    Call("pad", lambda x, rng: syntonic.pad(x, 1, mode="edge")),
    Call("pad", lambda x, rng: syntonic.pad(x, 1, mode="wrap")),
    Call("pad", lambda x, rng: syntonic.pad(x, 2, mode="reflect")),
    Call("pad", lambda x, rng: syntonic.pad(x, [(1, 2)] * x.ndim, mode="symmetric")),
    Call("permute_dims", lambda x, rng: syntonic.permute_dims(x, tuple(reversed(range(x.ndim))))),
    Call("positive", lambda x, rng: syntonic.positive(x)),
    Call("repeat", lambda x, rng: syntonic.repeat(x, 2)),
    Call("repeat", lambda x, rng: syntonic.repeat(x, 2, axis=0)),
    Call("repeat", lambda x, rng: syntonic.repeat(*x), given=lambda x: (x, syntonic.ones(x.size, dtype="int64"))),
    Call("reshape", lambda x, rng: syntonic.reshape(x, (-1,))),
    Call("reshape", lambda x, rng: syntonic.reshape(x.mT, (-1,)), ndim=2),
    Call("reshape", lambda x, rng: syntonic.reshape(x, x.shape, copy=True)),
    Call("roll", lambda x, rng: syntonic.roll(x, 1)),
    Call("roll", lambda x, rng: syntonic.roll(x, 1, axis=0)),
    Call("scatter", lambda x, rng: syntonic.scatter(*x), given=lambda x: (x, -1, _zeros(x), x)),
    Call("scatter_add", lambda x, rng: syntonic.scatter_add(*x), given=lambda x: (x, -1, _zeros(x), x)),
    Call("scatter_multiply", lambda x, rng: syntonic.scatter_multiply(*x), given=lambda x: (x, -1, _zeros(x), x)),
    Call("add_at", lambda x, rng: syntonic.add_at(x, [0, 0], 1.0)),
    Call("multiply_at", lambda x, rng: syntonic.multiply_at(x, [0, 0], 2.0)),
    Call("split", lambda x, rng: syntonic.split(x, 2)),
    Call("split", lambda x, rng: syntonic.split(x, x.shape[0])),
    Call("split", lambda x, rng: syntonic.split(x, [1])),
    Call("squeeze", lambda x, rng: syntonic.squeeze(x)),
    Call("stack", lambda x, rng: syntonic.stack([x, x])),
    Call("stack", lambda x, rng: syntonic.stack([x, x], axis=-1)),
    Call("take", lambda x, rng: syntonic.take(x, _places(x, rng), axis=0)),
    Call("take", lambda x, rng: syntonic.take(*x), given=lambda x: (x, syntonic.arange(x.size))),
    Call("take_along_axis", lambda x, rng: syntonic.take_along_axis(*x), given=lambda x: (x, _zeros(x))),
    Call("tile", lambda x, rng: syntonic.tile(x, (2,))),
    Call("transpose", lambda x, rng: syntonic.transpose(x)),
    Call("tril", lambda x, rng: syntonic.tril(x, k=1), ndim=2),
    Call("triu", lambda x, rng: syntonic.triu(x), ndim=2),
    Call("unstack", lambda x, rng: syntonic.unstack(x)),
    Call("unstack", lambda x, rng: syntonic.unstack(x, axis=0), ndim=1),
    Call("where", lambda x, rng: syntonic.where(x, x, x), "bool"),
]

ORDERING = [
    Call("argsort", lambda x, rng: syntonic.argsort(x)),
    Call("argsort", lambda x, rng: syntonic.argsort(x, axis=0, descending=True)),
    Call("argsort", lambda x, rng: syntonic.argsort(x), ndim=1),
    Call("bincount", lambda x, rng: syntonic.bincount(x), "int64", 1),
    Call("bincount", lambda x, rng: syntonic.bincount(x, weights=x * 0.5, minlength=x.size), "int64", 1),
    Call("cumulative_prod", lambda x, rng: syntonic.cumulative_prod(x, axis=-1)),
    Call("cumulative_sum", lambda x, rng: syntonic.cumulative_sum(x, axis=0, include_initial=True)),
    Call("cumulative_sum", lambda x, rng: syntonic.cumulative_sum(x), ndim=1),
    Call("isin", lambda x, rng: syntonic.isin(x, [0.25, 0.5])),
    Call("isin", lambda x, rng: syntonic.isin(x, x)),
    Call("isin", lambda x, rng: syntonic.isin(x, x, invert=True), "int64"),
    Call("median", lambda x, rng: syntonic.median(x)),
    Call("median", lambda x, rng: syntonic.median(x, axis=0)),
    Call("quantile", lambda x, rng: syntonic.quantile(x, 0.3)),
    Call("nanquantile", lambda x, rng: syntonic.nanquantile(x, [0.1, 0.9], axis=0)),
    Call("nanmedian", lambda x, rng: syntonic.nanmedian(x)),
    Call("unique", lambda x, rng: syntonic.unique(x)),
    Call("unique", lambda x, rng: syntonic.unique(x[..., :2], True, True, axis=0), ndim=2),
    Call("searchsorted", lambda x, rng: syntonic.searchsorted(x, x[:, :1]), ndim=2),
    Call("quantile", lambda x, rng: syntonic.quantile(x, [0.1, 0.9], axis=-1, method="nearest")),
    Call("searchsorted", lambda x, rng: syntonic.searchsorted(x, 0.5), ndim=1),
    Call("searchsorted", lambda x, rng: syntonic.searchsorted(State([0.25, 0.5]), x)),
    Call("searchsorted", lambda x, rng: syntonic.searchsorted(*x[:2], sorter=x[2]), ndim=1, given=lambda x: (x, x, syntonic.arange(x.size))),
    Call("sort", lambda x, rng: syntonic.sort(x)),
    Call("sort", lambda x, rng: syntonic.sort(x, axis=0, descending=True)),
    Call("sort", lambda x, rng: syntonic.sort(x), ndim=1),
    Call("sort", lambda x, rng: syntonic.sort(x), "int64", 1),
    Call("sort", lambda x, rng: syntonic.sort(x), "complex128", 1),
    Call("topk", lambda x, rng: syntonic.topk(x, 1)),
    Call("topk", lambda x, rng: syntonic.topk(x, x.size // 2 + 1, largest=False), ndim=1),
    Call("topk", lambda x, rng: syntonic.topk(x, x.shape[0], axis=0, ranked=False)),
    Call("UniqueAllResult", lambda x, rng: syntonic.unique_all(x)),
    Call("UniqueCountsResult", lambda x, rng: syntonic.unique_counts(x)),
    Call("UniqueInverseResult", lambda x, rng: syntonic.unique_inverse(x)),
    Call("unique_all", lambda x, rng: syntonic.unique_all(x)),
    Call("unique_counts", lambda x, rng: syntonic.unique_counts(x), "int64"),
    Call("unique_inverse", lambda x, rng: syntonic.unique_inverse(x)),
    Call("unique_values", lambda x, rng: syntonic.unique_values(x)),
    Call("unique_values", lambda x, rng: syntonic.unique_values(x), "complex128"),
]

PRODUCTS = [
    Call("bmm", lambda x, rng: syntonic.bmm(x, x.mT[..., :4]), ndim=3),
    Call("einsum", lambda x, rng: syntonic.einsum("...i,...i->...", x, x)),
    Call("einsum", lambda x, rng: syntonic.einsum("ij,jk->ki", x, x[:8].mT), ndim=2),
    Call("einsum", lambda x, rng: syntonic.einsum("ij,ij,ij->j", x, x, x), ndim=2),
    Call("kron", lambda x, rng: syntonic.kron(x, [1.0, 2.0])),
    Call("matmul", lambda x, rng: syntonic.matmul(x.mT, x), ndim=2),
    Call("matmul", lambda x, rng: syntonic.matmul(x, x[:8].mT), "int64", 2),
    Call("matmul", lambda x, rng: syntonic.matmul(x.mT, x), "float16", 2),
    Call("matmul", lambda x, rng: syntonic.matmul(x, _vector(x))),
    Call("matmul", lambda x, rng: syntonic.matmul(x, x.mT, precision=1e-3), "float32", 2),
    Call("get_matmul_precision", lambda x, rng: syntonic.get_matmul_precision()),
    Call("set_matmul_precision", _set_precision, ndim=2),
    Call("matmul_precision", _with_precision, ndim=2),
    Call("matmul_precision.__init__", _with_precision, ndim=2),
    Call("matmul_precision.__enter__", _with_precision, ndim=2),
    Call("matmul_precision.__exit__", _with_precision, ndim=2),
    Call("linalg.MatmulReport", lambda x, rng: syntonic.linalg.MatmulReport("high", "native", None, 0)),
    Call("linalg.matmul_report", lambda x, rng: syntonic.linalg.matmul_report(x, x.mT, precision=1e-3), "float32", 2),
    Call("nn.attention", lambda x, rng: syntonic.nn.attention(x, x, x, causal=True), "float32", 2),
    Call("nn.attention", lambda x, rng: syntonic.nn.attention(x, x, x, score=lambda s, b, h, q, k, w: s + w * (k - q), operands=(x[:, :1],)), ndim=2),
    Call("nn.golden_attention", lambda x, rng: syntonic.nn.golden_attention(x, x, x, log_weights=x[:, 0]), ndim=2),
    Call("nn.linear", lambda x, rng: syntonic.nn.linear(x, x.mT[:, :3], activation="gelu"), "float32", 2),
    Call("nn.linear", lambda x, rng: syntonic.nn.linear(x, x.mT, _vector(x.mT), activation="silu"), ndim=2),
    Call("nn.linear_backward", lambda x, rng: syntonic.nn.linear_backward(x @ x.mT, x, x.mT), ndim=2),
    Call("outer", lambda x, rng: syntonic.outer(x, [1.0, 2.0]), ndim=1),
    Call("tensordot", lambda x, rng: syntonic.tensordot(x, x, axes=x.ndim)),
    Call("tensordot", lambda x, rng: syntonic.tensordot(x, x, axes=([0], [0])), ndim=2),
    Call("trace", lambda x, rng: syntonic.trace(x), ndim=2),
    Call("vecdot", lambda x, rng: syntonic.vecdot(x, x)),
    Call(
        "linalg.scaled_matmul",
        lambda x, rng: syntonic.linalg.scaled_matmul(x, x.mT, scale_a=2.0, scale_b=0.5, out_dtype="float16"),
        "float8_e4m3fn",
        2,
    ),
    Call("linalg.GemvChain", lambda x, rng: syntonic.linalg.GemvChain(x, x, x)),
    Call(
        "linalg.gemv_chain",
        lambda x, rng: syntonic.linalg.gemv_chain(x, _vector(x), w=x[:, 0], reduce="dot", v=x[:, 0], keep="both"),
        ndim=2,
    ),
    Call("linalg.gemv_chain", lambda x, rng: syntonic.linalg.gemv_chain(x, _vector(x), reduce="max_abs", keep="neither"), "float16", 2),
    Call("linalg.diagonal", lambda x, rng: syntonic.linalg.diagonal(x, offset=1), ndim=2),
    Call("linalg.vector_norm", lambda x, rng: syntonic.linalg.vector_norm(x)),
    Call("linalg.vector_norm", lambda x, rng: syntonic.linalg.vector_norm(x, axis=-1, ord=3.0)),
]

FOURIER = [
    Call("fft.fft", lambda x, rng: syntonic.fft.fft(x)),
    Call("fft.fft", lambda x, rng: syntonic.fft.fft(x, n=5, axis=0, norm="ortho"), "complex64"),
    Call("fft.ifft", lambda x, rng: syntonic.fft.ifft(x, norm="forward"), "complex128"),
    Call("fft.fftn", lambda x, rng: syntonic.fft.fftn(x), "complex128"),
    Call("fft.fftn", lambda x, rng: syntonic.fft.fftn(x, s=(3,), axes=(0,)), "int64"),
    Call("fft.ifftn", lambda x, rng: syntonic.fft.ifftn(x, s=(-1,), axes=(-1,)), "complex128"),
    Call("fft.rfft", lambda x, rng: syntonic.fft.rfft(x)),
    Call("fft.irfft", lambda x, rng: syntonic.fft.irfft(x, n=2 * x.shape[-1]), "complex128"),
    Call("fft.rfftn", lambda x, rng: syntonic.fft.rfftn(x), "float32"),
    Call("fft.irfftn", lambda x, rng: syntonic.fft.irfftn(x, s=(4,), axes=(0,)), "complex128"),
    Call("fft.hfft", lambda x, rng: syntonic.fft.hfft(x, n=4), "complex128"),
    Call("fft.ihfft", lambda x, rng: syntonic.fft.ihfft(x)),
    Call("fft.fftfreq", lambda x, rng: syntonic.fft.fftfreq(x.size, d=0.5)),
    Call("fft.rfftfreq", lambda x, rng: syntonic.fft.rfftfreq(x.size, dtype="float32")),
    Call("fft.fftshift", lambda x, rng: syntonic.fft.fftshift(x)),
    Call("fft.fftshift", lambda x, rng: syntonic.fft.fftshift(x, axes=0), "complex128"),
    Call("fft.ifftshift", lambda x, rng: syntonic.fft.ifftshift(x, axes=(0, -1))),
]



def _square(x: State) -> State:
    """Square matrices, diagonally dominant, made of the first rows."""
    first = x[..., :4, :]
    return first.mT @ first + 4 * syntonic.eye(x.shape[-1])


def _definite(x: State) -> State:
    return x.mT @ x + syntonic.eye(x.shape[-1]) * x.shape[-1]


LINEAR = [
    *[
        Call(f"linalg.{name}", lambda x, rng, n=name: getattr(syntonic.linalg, n)(_definite(x)), ndim=2)
        for name in ("cholesky", "cond", "det", "eig", "eigh", "eigvals", "eigvalsh", "expm", "inv", "matrix_norm")
    ],
    *[
        Call(f"linalg.{name}", lambda x, rng, n=name: getattr(syntonic.linalg, n)(_square(x)), "complex128", ndim=3)
        for name in ("det", "eig", "eigh", "expm", "inv", "matrix_rank", "pinv", "qr", "slogdet", "svd")
    ],
    *[
        Call(f"linalg.{name}", lambda x, rng, n=name: getattr(syntonic.linalg, n)(x), ndim=2)
        for name in ("matrix_rank", "norm", "pinv", "qr", "svdvals")
    ],
    *[
        Call(f"linalg.{name}Result", lambda x, rng, n=name.lower(): getattr(syntonic.linalg, n)(_definite(x)), ndim=2)
        for name in ("Eig", "Eigh", "QR", "SVD", "Slogdet")
    ],
    Call("linalg.LstsqResult", lambda x, rng: syntonic.linalg.lstsq(x, x[:, 0]), ndim=2),
    Call("linalg.cholesky", lambda x, rng: syntonic.linalg.cholesky(_definite(x), upper=True), ndim=2),
    Call("linalg.cross", lambda x, rng: syntonic.linalg.cross(x[..., :3], [1.0, 2.0, 3.0])),
    Call("linalg.lstsq", lambda x, rng: syntonic.linalg.lstsq(x, x[:, :1], rtol=1e-9), ndim=2),
    Call("linalg.matrix_norm", lambda x, rng: syntonic.linalg.matrix_norm(x, ord="nuc", keepdims=True), ndim=2),
    Call("linalg.matrix_norm", lambda x, rng: syntonic.linalg.matrix_norm(x, ord=-1), ndim=2),
    Call("linalg.matrix_power", lambda x, rng: syntonic.linalg.matrix_power(_square(x), -3), ndim=2),
    Call("linalg.norm", lambda x, rng: syntonic.linalg.norm(x, ord=1, axis=(-1, 0)), ndim=2),
    Call("linalg.qr", lambda x, rng: syntonic.linalg.qr(x.mT, mode="complete"), ndim=3),
    Call("linalg.slogdet", lambda x, rng: syntonic.linalg.slogdet(_definite(x)), ndim=2),
    Call("linalg.solve", lambda x, rng: syntonic.linalg.solve(_definite(x), x.mT), ndim=2),
    Call("linalg.solve", lambda x, rng: syntonic.linalg.solve(_square(x), _vector(x)), ndim=3),
    Call("linalg.svd", lambda x, rng: syntonic.linalg.svd(x, full_matrices=False), ndim=2),
]

GOLDEN = [
    *[
        Call(f"golden.{name}", lambda x, rng, n=name: getattr(syntonic.golden, n)(x.mT, x), ndim=2)
        for name in ("mm", "mm_golden_phase", "mm_golden_weighted", "mm_phi")
    ],
    Call("golden.mm", lambda x, rng: syntonic.golden.mm(x[:8], x.mT), "int64", 2),
    Call("golden.mm_phi", lambda x, rng: syntonic.golden.mm_phi(x.mT, x, -3), "float16", 2),
    Call("golden.mm_golden_phase", lambda x, rng: syntonic.golden.mm_golden_phase(x.mT, x, 2), "complex128", 2),
    Call("golden.mm_tn", lambda x, rng: syntonic.golden.mm_tn(x, x), ndim=2),
    Call("golden.mm_nt", lambda x, rng: syntonic.golden.mm_nt(x, x[:8]), ndim=2),
    Call("golden.mm_tt", lambda x, rng: syntonic.golden.mm_tt(x, x.mT), ndim=2),
    Call("golden.mm_hn", lambda x, rng: syntonic.golden.mm_hn(x, x), "complex128", 2),
    Call("golden.mm_nh", lambda x, rng: syntonic.golden.mm_nh(x, x[:8]), "complex128", 2),
    Call("golden.mm_add", lambda x, rng: syntonic.golden.mm_add(x.mT, x, _vector(x), alpha=0.5, beta=2), ndim=2),
    Call("golden.mm_gemm", lambda x, rng: syntonic.golden.mm_gemm(x, x, "transpose", alpha=2.0), ndim=2),
    Call("golden.mm_gemm", lambda x, rng: syntonic.golden.mm_gemm(x, x, "adjoint", beta=1j, c=_vector(x)), ndim=2),
    Call("golden.mm_corrected", lambda x, rng: syntonic.golden.mm_corrected(x.mT, x, "E8_roots", -1), ndim=2),
    Call("golden.mm_q_corrected", lambda x, rng: syntonic.golden.mm_q_corrected(x.mT, x, 3.5), ndim=2),
    Call("golden.phi_bracket", lambda x, rng: syntonic.golden.phi_bracket(x.mT @ x, syntonic.eye(x.shape[-1])), ndim=2),
    Call("golden.phi_antibracket", lambda x, rng: syntonic.golden.phi_antibracket(x.mT @ x, syntonic.eye(x.shape[-1])), ndim=2),
    Call("golden.projection_sum", lambda x, rng: syntonic.golden.projection_sum(x.mT, [x.mT @ x] * 2, [0.5, 2]), ndim=2),
    Call("golden.projection_sum", lambda x, rng: syntonic.golden.projection_sum(x, [], [])),
    Call("golden.factor", lambda x, rng: syntonic.golden.factor("E8_dim", -1)),
    Call("golden.factor", lambda x, rng: syntonic.golden.factor(x * 0 + 3)),
    Call("golden.deficit", lambda x, rng: syntonic.golden.deficit("E8_dim")),
    Call("golden.deficit", lambda x, rng: syntonic.golden.deficit(x * 0 + 3)),
    Call("golden.ratio", lambda x, rng: syntonic.golden.ratio(x * 0 + 3, "E6_dim")),
    Call("golden.compound", lambda x, rng: syntonic.golden.compound(x * 0 + 3, ["E6_dim"])),
    Call("golden.compound", lambda x, rng: syntonic.golden.compound(["E8_dim", 3.0], [x.size + 1])),
    Call("golden.ratio", lambda x, rng: syntonic.golden.ratio("E6_dim", x.size + 1)),
    Call("golden.levels", lambda x, rng: syntonic.golden.levels()),
]

COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")

TYPES = [
    Call("__array_namespace_info__", lambda x, rng: syntonic.__array_namespace_info__()),
    Call("__array_namespace_info__.capabilities", lambda x, rng: syntonic.__array_namespace_info__().capabilities()),
    Call("__array_namespace_info__.default_device", lambda x, rng: syntonic.__array_namespace_info__().default_device()),
    Call("__array_namespace_info__.default_dtypes", lambda x, rng: syntonic.__array_namespace_info__().default_dtypes()),
    Call("__array_namespace_info__.devices", lambda x, rng: syntonic.__array_namespace_info__().devices()),
    Call("__array_namespace_info__.dtypes", lambda x, rng: syntonic.__array_namespace_info__().dtypes(kind="integral")),
    Call("DType", lambda x, rng: syntonic.DType(x.dtype)),
    *[
        Call(f"DType.{name}", lambda x, rng, n=name: getattr(x.dtype, n))
        for name in ("name", "itemsize", "kind", "dtype", "__numpy_dtype__", "__hash__", "__repr__", "__str__", "__reduce__")
    ],
    *[
        Call(f"DType.{name}", lambda x, rng, n=name: getattr(x.dtype, n))
        for name in (
            "char str type num alignment byteorder isnative isbuiltin isalignedstruct hasobject names fields subdtype shape ndim descr"
            " flags metadata base"
        ).split()
    ],
    Call("DType.newbyteorder", lambda x, rng: x.dtype.newbyteorder("=")),
    *[Call(f"DType.{name}", lambda x, rng, n=name: getattr(x.dtype, n)(x.dtype)) for name in COMPARISONS],
    Call("DType.numpy", lambda x, rng: x.dtype.numpy()),
    Call("DType.torch", lambda x, rng: _imported(x.dtype.torch)),
    Call("DType.__new__", lambda x, rng: syntonic.DType("float32")),
    Call("Device", lambda x, rng: syntonic.Device("cpu")),
    Call("Device.__new__", lambda x, rng: syntonic.Device(x.device)),
    *[
        Call(f"Device.{name}", lambda x, rng, n=name: getattr(x.device, n))
        for name in ("type", "index", "__hash__", "__repr__", "__str__", "__reduce__")
    ],
    *[Call(f"Device.{name}", lambda x, rng, n=name: getattr(x.device, n)(x.device)) for name in COMPARISONS],
    Call("Device.__enter__", lambda x, rng: _on(x)),
    Call("Device.__exit__", lambda x, rng: _on(x)),
    Call("device", lambda x, rng: syntonic.device("cpu")),
    Call("default_device", lambda x, rng: syntonic.default_device()),
    Call("set_default_rounding", lambda x, rng: syntonic.set_default_rounding("stored")),
    Call("set_default_device", lambda x, rng: syntonic.set_default_device("cpu")),
    Call("astype", lambda x, rng: syntonic.astype(x, "float32")),
    Call("astype", lambda x, rng: syntonic.astype(x, x.dtype)),
    Call("can_cast", lambda x, rng: syntonic.can_cast(x, "complex128")),
    Call("finfo", lambda x, rng: syntonic.finfo(x)),
    Call("iinfo", lambda x, rng: syntonic.iinfo(x), "int64"),
    Call("isdtype", lambda x, rng: syntonic.isdtype(x.dtype, "numeric")),
    Call("result_type", lambda x, rng: syntonic.result_type(x, 1.0, "float32")),
    Call("eager", _eager),
    Call("profile", _profile),
    Call("profile.__init__", _profile),
    Call("profile.__enter__", _profile),
    Call("profile.__exit__", _profile),
    Call("profile.__str__", _profile),
    Call("eager.__init__", _eager),
    Call("eager.__enter__", _eager),
    Call("eager.__exit__", _eager),
    Call("rounding", _rounding),
    Call("rounding.__init__", _rounding),
    Call("rounding.__enter__", _rounding),
    Call("rounding.__exit__", _rounding),
    *[
        Call(f"Graph{name}", lambda x, rng: Graph.capture(lambda x: x * x + 1, x)(x))
        for name in ("", ".capture", ".__call__")
    ],
    *[
        Call(f"Graph.{name}", lambda x, rng, n=name: getattr(Graph.capture(lambda x: x * x, x), n))
        for name in ("inputs", "outputs", "written", "launches", "device")
    ],
    *[
        Call(f"Advisor{name}", lambda x, rng: _advised(x)(x))
        for name in ("", ".__init__", ".choose")
    ],
    Call("Advisor.product", lambda x, rng: _advisor().product(x, x.mT, 1e-3)(x, x.mT), ndim=2),
    Call("Advisor.free_energy", lambda x, rng: _advisor().free_energy(x, x, abs(x), abs(x), x, x, abs(x))(x, x, abs(x), abs(x), x, x, abs(x)), ndim=1),
    Call("Advisor.belief_update", lambda x, rng: _advisor().belief_update(x[0], x, x[:, 0], abs(x[:, 0]), rate=1e-6, steps=2)(x[0], x[:, 0]), ndim=2),
    Call("Advisor.transfer_entropy", lambda x, rng: _advisor().transfer_entropy(x, x, k=1)(x, x), ndim=1),
    Call("Advisor.forget", lambda x, rng: _forgotten(x)),
    *[
        Call(f"Advice.{name}", lambda x, rng, n=name: getattr(_advised(x), n))
        for name in ("left_out", "origin", "picked", "precision", "seconds", "workload")
    ],
    Call("Advice", lambda x, rng: _advised(x)(x)),
    Call("Advice.__call__", lambda x, rng: _advised(x)(x)),
    Call("Advice.__repr__", lambda x, rng: repr(_advised(x))),
    Call("Advice.table", lambda x, rng: _advised(x).table()),
    Call("grad", lambda x, rng: syntonic.grad(lambda x: (x * x).sum())(x)),
    Call("value_and_grad", lambda x, rng: syntonic.value_and_grad(lambda x: (x * x).sum())(x)),
    Call("vjp", lambda x, rng: syntonic.vjp(lambda x: x * x, x)[1](x)),
    Call("custom_op", lambda x, rng: syntonic.custom_op("calls::twice", cpu=lambda x: x + x)(x)),
    Call("stop_gradient", lambda x, rng: syntonic.stop_gradient({"x": x})),
    *[
        Call(f"optim.{kind}{name}", lambda x, rng, k=kind: _stepped(getattr(syntonic.optim, k)(0.1), x))
        for kind in ("Adam", "AdamW", "Lion", "SGD")
        for name in ("", ".__init__", ".init", ".step")
    ],
    *[
        Call(f"nn.{kind}{name}", lambda x, rng, k=kind: LAYER_OF[k](x))
        for kind in LAYER_OF
        for name in ("", ".__call__", ".forward", *(() if kind == "Module" else (".__init__",)))
    ],
    *[
        Call(f"nn.{kind}.{name}", lambda x, rng: _listed(x))
        for kind in LAYER_OF
        for name in ("__repr__", "load_state_dict", "named_parameters", "parameters", "state_dict", *(("__len__", "__getitem__") if kind == "Sequential" else ()))
    ],
    Call("optim.clip_by_global_norm", lambda x, rng: syntonic.optim.clip_by_global_norm({"x": x}, 1.0)),
    Call("tree.leaves", lambda x, rng: syntonic.tree.leaves({"x": [x, (x, None)]})),
    Call("tree.map", lambda x, rng: syntonic.tree.map(lambda a, b: a + b, [x], [x])),
    Call("Graph.update", lambda x, rng: Graph.capture(lambda x: x * x, x).update(lambda x: x * x, x)),
    Call("Graph.written", lambda x, rng: Graph.capture(lambda x: x * x, x).written),
    Call("Graph.__repr__", lambda x, rng: repr(Graph.capture(lambda x: x * x, x))),
    *[
        Call(f"captured{name}", lambda x, rng: syntonic.captured(lambda x: x * x)(x))
        for name in ("", ".__init__", ".__call__")
    ],
    Call("fori_loop", lambda x, rng: syntonic.fori_loop(0, 3, lambda i, y: y * y, x)),
    Call("while_loop", lambda x, rng: syntonic.while_loop(lambda y: y[1] < 3, lambda y: (y[0] * y[0], y[1] + 1), (x, 0))),
    Call("captured.graphs", lambda x, rng: syntonic.captured(lambda x: x).graphs),
    Call("captured.clear", lambda x, rng: syntonic.captured(lambda x: x).clear()),
    Call("explain", lambda x, rng: syntonic.explain(x * x + x)),
]


def _on(x: State) -> object:
    with syntonic.device("cpu"):
        return x + 1


FILES = [
    Call("load", _file("npy", lambda x: x)),
    Call("load", _file("npz", lambda x: {"x": x, "y": x})),
    Call("load", _file("safetensors", lambda x: {"x": x})),
    Call("save", _file("npy", lambda x: x.T)),
    Call("save", _file("npz", lambda x: {"x": x.T})),
    Call("save", _file("safetensors", lambda x: {"x": x.T})),
    Call("load_with_metadata", _with_metadata),
]

RANDOM = [
    *[
        Call(f"random.{owner}{name}", lambda x, rng, s=source, n=name, p=parameters: getattr(s(), n)(**p(x)))
        for owner, source in (("", lambda: syntonic.random), ("Generator.", lambda: syntonic.random.Generator(7)))
        for name, parameters in (
            ("uniform", lambda x: {"shape": x.shape, "high": 2.0}),
            ("normal", lambda x: {"shape": x.shape}),
            ("normal", lambda x: {"shape": x.shape, "dtype": "float32", "std": 2.0}),
            ("integers", lambda x: {"low": -5, "high": 5, "shape": x.shape}),
            ("permutation", lambda x: {"n": x.size}),
        )
    ],
    Call("random.seed", lambda x, rng: syntonic.random.seed(rng.randrange(100))),
    Call("random.Generator", lambda x, rng: syntonic.random.Generator(3, offset=x.size)),
    Call("random.Generator.__init__", lambda x, rng: syntonic.random.Generator(3)),
    Call("random.Generator.__eq__", lambda x, rng: syntonic.random.Generator(3) == syntonic.random.Generator(3)),
    Call("random.Generator.__repr__", lambda x, rng: repr(syntonic.random.Generator(3))),
    Call("random.Generator.fork", lambda x, rng: syntonic.random.Generator(3).fork(x.size)),
    *[
        Call(f"random.Generator.{name}", lambda x, rng, n=name: getattr(syntonic.random.Generator(3), n))
        for name in ("offset", "seed", "state")
    ],
    Call("random.Generator.__getstate__", lambda x, rng: pickle.dumps(syntonic.random.Generator(3))),
    Call("random.Generator.__setstate__", lambda x, rng: copy.copy(syntonic.random.Generator(3)).state),
]


def _row_operator(name: str) -> list[Call]:
    """The operator and its gradient, over operands that are all the State, or rows of ones."""
    operator, gradient = getattr(syntonic.nn, name), getattr(syntonic.nn, f"{name}_backward")
    shapes = syntonic._core.RowOperator(name).operands

    def operands(x: State) -> list[State]:
        return [_vector(x) if row else x for _, row in shapes]

    return [
        Call(f"nn.{name}", lambda x, rng: operator(*operands(x))),
        Call(f"nn.{name}", lambda x, rng: operator(*operands(x.T), axis=-1)),
        Call(f"nn.{name}_backward", lambda x, rng: gradient(operator(*operands(x)), *operands(x))),
    ]


ROW_OPERATORS = [name for name in syntonic._rows.__all__ if not name.endswith("_backward")]

LAYERS = [
    *[call for name in ROW_OPERATORS for call in _row_operator(name)],
    Call("nn.BatchNormState", lambda x, rng: syntonic.nn.BatchNormState(x.size)),
    Call("nn.BatchNormState.__init__", lambda x, rng: syntonic.nn.BatchNormState(x.size)),
    Call("nn.BatchNormState.update", lambda x, rng: _batch(x, lambda s: s.update(x.ravel(), x.ravel(), 4))),
    Call("GoldenNormMode", lambda x, rng: syntonic.nn.GoldenNormMode("golden")),
    Call("nn.GoldenNormMode.__init__", lambda x, rng: syntonic.nn.GoldenNormMode("standard")),
    Call("nn.GoldenNormMode.__eq__", lambda x, rng: syntonic.nn.GoldenNormMode() == syntonic.nn.GoldenNormMode()),
    Call("nn.GoldenNormMode.__hash__", lambda x, rng: hash(syntonic.nn.GoldenNormMode())),
    Call("nn.GoldenNormMode.__repr__", lambda x, rng: repr(syntonic.nn.GoldenNormMode())),
    Call("nn.GoldenNormMode.custom", lambda x, rng: syntonic.nn.GoldenNormMode.custom(0.5)),
    Call("golden_batch_norm_1d", lambda x, rng: syntonic.golden_batch_norm_1d(x), ndim=2),
    Call(
        "golden_batch_norm_1d",
        lambda x, rng: syntonic.golden_batch_norm_1d(x, running=syntonic.nn.BatchNormState(x.shape[1]), training=False),
        ndim=2,
    ),
    Call("golden_batch_norm_2d", lambda x, rng: syntonic.golden_batch_norm_2d(x, gamma=_channels(x)), ndim=4),
    Call(
        "golden_batch_norm_2d",
        lambda x, rng: syntonic.golden_batch_norm_2d(x, running=syntonic.nn.BatchNormState(x.shape[1])),
        ndim=4,
    ),
    Call("nn.golden_batch_norm_1d_backward", lambda x, rng: syntonic.nn.golden_batch_norm_1d_backward(x, x, gamma=_channels(x)), ndim=2),
    Call("nn.golden_batch_norm_2d_backward", lambda x, rng: syntonic.nn.golden_batch_norm_2d_backward(x, x, gamma=_channels(x)), ndim=4),
    Call("nn.golden_batch_norm_2d_backward", lambda x, rng: syntonic.nn.golden_batch_norm_2d_backward(x, x), ndim=4),
    Call("nn.golden_gelu", lambda x, rng: syntonic.nn.golden_gelu(x)),
    Call("nn.golden_gelu_backward", lambda x, rng: syntonic.nn.golden_gelu_backward(x, x)),
    Call("nn.layer_norm", lambda x, rng: syntonic.nn.layer_norm(x)),
    Call("nn.layer_norm", lambda x, rng: syntonic.nn.layer_norm(x, _vector(x), _vector(x), mode="standard")),
    Call("nn.layer_norm", lambda x, rng: syntonic.nn.layer_norm(x, axes=x.ndim)),
    Call("nn.layer_norm_backward", lambda x, rng: syntonic.nn.layer_norm_backward(x, x, _vector(x))),
    Call("nn.layer_norm_backward", lambda x, rng: syntonic.nn.layer_norm_backward(x, x)),
    Call("phi_residual", lambda x, rng: syntonic.phi_residual(x, x, "phi_symmetric", activation="gelu")),
    Call("phi_residual_relu", lambda x, rng: syntonic.phi_residual_relu(x, x)),
    Call("nn.phi_residual_gelu", lambda x, rng: syntonic.nn.phi_residual_gelu(x, x)),
    Call("nn.phi_residual_backward", lambda x, rng: syntonic.nn.phi_residual_backward(x, x, x, activation="relu")),
    Call("nn.phi_residual_layer_norm", lambda x, rng: syntonic.nn.phi_residual_layer_norm(x, x, _vector(x), _vector(x))),
    Call(
        "nn.phi_residual_layer_norm_backward",
        lambda x, rng: syntonic.nn.phi_residual_layer_norm_backward(x, x, x, _vector(x), activation="gelu"),
    ),
    Call("nn.softmax", lambda x, rng: syntonic.nn.softmax(x)),
    Call("nn.softmax", lambda x, rng: syntonic.nn.softmax(x, axis=0)),
    Call("nn.softmax_backward", lambda x, rng: syntonic.nn.softmax_backward(x, x)),
    Call("syntonic_softmax", lambda x, rng: syntonic.syntonic_softmax(x, mode_norms=_norms(x))),
    Call("syntonic_softmax", lambda x, rng: syntonic.syntonic_softmax(x, weights=x, scale=0.5, masked_zero=True)),
    Call("syntonic_softmax", lambda x, rng: syntonic.syntonic_softmax(x, axis=0, log_weights=[0.5] * x.shape[0]), ndim=2),
    Call("nn.syntonic_softmax_backward", lambda x, rng: syntonic.nn.syntonic_softmax_backward(x, x)),
    Call("nn.syntonic_softmax_gradients", lambda x, rng: syntonic.nn.syntonic_softmax_gradients(x, x, mode_norms=_norms(x))),
    Call("nn.syntonic_softmax_gradients", lambda x, rng: syntonic.nn.syntonic_softmax_gradients(x, x, weights=x)),
]



def _points(x: State) -> Any:
    """An array of the lattice points nearest to numbers of a State."""
    return syntonic.exact.snap(x, 50)[0]


def _wide(x: State) -> Any:
    """The same of the first rows, as numbers of any size, which take ten times the memory."""
    return _points(x[:256]).wide()


def _point(x: State) -> Any:
    return syntonic.exact.GoldenInt(x.size % 7, 1)


def _ratio(x: State) -> Any:
    return syntonic.exact.GoldenRational(x.size % 7, 1, 3)


def _crystal(x: State) -> Any:
    return syntonic.resonant.Crystallized(x, bound=1000)


def _flux(x: State) -> Any:
    return syntonic.resonant.Flux(x)


def _saved(made: Any) -> Any:
    """States that were written to a file and read."""
    with tempfile.TemporaryDirectory() as folder:
        made.save(f"{folder}/states.npz")
        return syntonic.resonant.load(f"{folder}/states.npz")


def _states() -> list[Call]:
    """What both kinds of states do."""
    rows = []
    binary = "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__"
    for kind, make in (("Crystallized", _crystal), ("Flux", _flux)):
        many: list[tuple[str, Callable[[Any], Any]]] = [
            ("__getitem__", lambda s: s[..., None]),
            ("__getitem__", lambda s: s[-1:]),
            ("__len__", len),
            ("__neg__", lambda s: -s),
            ("reshape", lambda s: s.reshape(-1)),
            ("transpose", lambda s: s.transpose()),
            ("T", lambda s: s.T),
            ("with_norms", lambda s: s.with_norms(s.norms)),
            ("save", _saved),
            *((name, lambda s, n=name: getattr(s, n)) for name in ("shape", "ndim", "size", "norms")),
            *((name, lambda s, n=name: getattr(s, n)(s)) for name in binary.split()),
        ]
        rows += [Call(f"resonant.{kind}.{name}", lambda x, rng, m=make, f=of: f(m(x))) for name, of in many]
        for name in ("__matmul__", "__rmatmul__"):
            rows.append(Call(f"resonant.{kind}.{name}", lambda x, rng, m=make: m(x) @ m(x.T), ndim=2))
        rows.append(Call("resonant.stack", lambda x, rng, m=make: syntonic.resonant.stack([m(x), m(x)])))
        rows.append(Call("resonant.concat", lambda x, rng, m=make: syntonic.resonant.concat([m(x), m(x)])))
        rows.append(Call("resonant.load", lambda x, rng, m=make: _saved(m(x))))
    rows += [
        Call("resonant.Crystallized.__getattribute__", lambda x, rng: getattr(_crystal(x), "softmax", None)),
        Call("resonant.Flux.__truediv__", lambda x, rng: _flux(x) / 2),
        Call("resonant.Flux.__rtruediv__", lambda x, rng: _flux(x) / _flux(x)),
        Call("resonant.Flux.to", lambda x, rng: _flux(x).to(x.device)),
        Call("resonant.Flux.map", lambda x, rng: _flux(x).map(lambda t: t * 2)),
        Call("resonant.Flux.softmax", lambda x, rng: _flux(x).softmax()),
        Call("resonant.Flux.syntonic_softmax", lambda x, rng: _flux(x).syntonic_softmax()),
        Call("resonant.Flux.layer_norm", lambda x, rng: _flux(x).layer_norm()),
        Call("resonant.Flux.batch_norm", lambda x, rng: _flux(x).batch_norm(), ndim=2),
        Call("resonant.Flux.phi_residual", lambda x, rng: _flux(x).phi_residual(_flux(x))),
        Call("resonant.Flux.snap_gradient", lambda x, rng: _flux(x).snap_gradient(bound=1000)),
    ]
    return rows


def _attractors(x: State) -> Any:
    """A store with the first row of a State in it."""
    kept = syntonic.resonant.Attractors(least=0.0)
    kept.offer(_crystal(x.reshape(-1)[: x.shape[-1]]))
    return kept


def _lattice() -> list[Call]:
    """States on the lattice."""
    rows = [
        Call("resonant.Attractors", lambda x, rng: _attractors(x)),
        Call("resonant.Attractors.__new__", lambda x, rng: syntonic.resonant.Attractors(4, 0.5, 0.9)),
        Call("resonant.Attractors.offer", lambda x, rng: _attractors(x)),
        Call("resonant.Attractors.age", lambda x, rng: _attractors(x).age()),
        Call("resonant.Attractors.blend", lambda x, rng: _attractors(x).blend(_flux(x), 0.5)),
        Call("resonant.Attractors.__len__", lambda x, rng: len(_attractors(x))),
        Call("resonant.Crystallized", lambda x, rng: syntonic.resonant.Crystallized(_points(x), _norms(x))),
        Call("resonant.Crystallized.__new__", lambda x, rng: _crystal(x)),
        Call("resonant.Crystallized.cycle", lambda x, rng: _crystal(x).cycle(rng.randrange(9), strength=0.1, dwell=1)),
        Call("resonant.Crystallized.to", lambda x, rng: _crystal(x).to(x.device)),
        Call("resonant.Crystallized.prune", lambda x, rng: _crystal(x).prune(1.0)),
        Call("resonant.Flux", lambda x, rng: syntonic.resonant.Flux(x, _norms(x))),
        Call("resonant.Flux.__new__", lambda x, rng: _flux(x)),
        Call("resonant.Flux.differentiate", lambda x, rng: _flux(x).differentiate(_flux(x).syntony(), 3)),
        Call("resonant.Flux.harmonize", lambda x, rng: _flux(x).harmonize(_flux(x).syntony())),
        Call("resonant.Flux.fitted", lambda x, rng: _flux(x).fitted(rng.randrange(1, 9))),
        Call("resonant.Flux.crystallize", lambda x, rng: _flux(x).crystallize(1000)),
        Call("resonant.golden_recursion", lambda x, rng: syntonic.resonant.golden_recursion(x), dtype="int64"),
        Call("resonant.golden_recursion_inverse", lambda x, rng: syntonic.resonant.golden_recursion_inverse(x), dtype="int64"),
    ]
    rows += _states()
    for name in ("values", "syntony", "wake", "recur", "unrecur", "relu", "__repr__"):
        rows.append(Call(f"resonant.Crystallized.{name}", lambda x, rng, n=name: getattr(_crystal(x), n)()))
    for name in ("points", "bound"):
        rows.append(Call(f"resonant.Crystallized.{name}", lambda x, rng, n=name: getattr(_crystal(x), n)))
    rows.append(Call("resonant.Flux.values", lambda x, rng: _flux(x).values))
    for name in ("syntony", "__repr__"):
        rows.append(Call(f"resonant.Flux.{name}", lambda x, rng, n=name: getattr(_flux(x), n)()))
    return rows


def _eights(x: State) -> State:
    """As many vectors of eight numbers as a State has."""
    return x.reshape(-1)[: x.size // 8 * 8].reshape((-1, 8))


def _fours(x: State) -> State:
    return x.reshape(-1)[: x.size // 4 * 4].reshape((-1, 4))


GEOMETRY = [
    Call("geometry.e8_roots", lambda x, rng: syntonic.geometry.e8_roots(device=x.device)),
    Call("geometry.e8_simple_roots", lambda x, rng: syntonic.geometry.e8_simple_roots(device=x.device)),
    Call("geometry.project", lambda x, rng: syntonic.geometry.project(_eights(x))),
    Call("geometry.cone_mask", lambda x, rng: syntonic.geometry.cone_mask(_eights(x))),
    Call("geometry.cone_weights", lambda x, rng: syntonic.geometry.cone_weights(_eights(x))),
    Call("geometry.windings", lambda x, rng: syntonic.geometry.windings(x.size % 9, device=x.device)),
    Call("geometry.winding_count", lambda x, rng: syntonic.geometry.winding_count(x.size % 99)),
    Call("geometry.winding_weights", lambda x, rng: syntonic.geometry.winding_weights(_fours(x)), dtype="int64"),
    Call("geometry.golden_generations", lambda x, rng: syntonic.geometry.golden_generations(_fours(x)), dtype="int64"),
    Call("geometry.theta", lambda x, rng: syntonic.geometry.theta(1.0 + x.size, weights="golden")),
    Call("geometry.theta_derivative", lambda x, rng: syntonic.geometry.theta_derivative(1.0 + x.size)),
    Call("geometry.heat_kernel", lambda x, rng: syntonic.geometry.heat_kernel(0.1)),
    Call("geometry.winding_zeta", lambda x, rng: syntonic.geometry.winding_zeta(3.0)),
]


def _exact() -> list[Call]:
    """Golden numbers, and arrays of them with every operator that they have."""
    rows = [
        Call("exact.fibonacci", lambda x, rng: syntonic.exact.fibonacci(x.size % 90)),
        Call("exact.lucas", lambda x, rng: syntonic.exact.lucas(x.size % 90)),
        Call("exact.phi_power", lambda x, rng: syntonic.exact.phi_power(x.size % 90)),
        Call("exact.snap", lambda x, rng: syntonic.exact.snap(x)),
        Call("exact.snap", lambda x, rng: syntonic.exact.snap(x, 1000), dtype="float32"),
        Call("exact.snap_gradient", lambda x, rng: syntonic.exact.snap_gradient(x, weights=x)),
        Call("exact.GoldenArray", lambda x, rng: syntonic.exact.GoldenArray(x, x), dtype="int64"),
        Call("exact.GoldenInt", lambda x, rng: _point(x)),
        Call("exact.GoldenRational", lambda x, rng: _ratio(x)),
        Call("exact.GoldenArray.__matmul__", lambda x, rng: _points(x) @ _points(x.T), ndim=2),
        Call("exact.GoldenArray.__rmatmul__", lambda x, rng: _points(x) @ _points(x.T), ndim=2),
        Call("exact.GoldenArray.reshape", lambda x, rng: _points(x).reshape(-1)),
        Call("exact.GoldenArray.transpose", lambda x, rng: _points(x).transpose()),
        Call("exact.GoldenArray.__getitem__", lambda x, rng: _points(x)[..., None]),
        Call("exact.GoldenArray.__iter__", lambda x, rng: list(_points(x[:4])), ndim=1),
        Call("exact.GoldenArray.item", lambda x, rng: _points(x).sum().item()),
        Call("exact.GoldenArray.inverse", lambda x, rng: (_points(x) * 0 + 1).inverse()),
        Call("exact.GoldenArray.prod", lambda x, rng: (_points(x) * 0 + 1).prod()),
        Call("exact.GoldenArray.__rfloordiv__", lambda x, rng: 7 // (_points(x) * 0 + 2)),
        Call("exact.GoldenArray.__rmod__", lambda x, rng: 7 % (_points(x) * 0 + 2)),
        Call("exact.GoldenArray.__rdivmod__", lambda x, rng: divmod(7, _points(x) * 0 + 2)),
        Call("exact.GoldenArray.__pow__", lambda x, rng: _points(x) ** 1),
        Call("exact.GoldenArray.__rpow__", lambda x, rng: _points(x) ** 0),
        Call("exact.GoldenBigArray.__matmul__", lambda x, rng: _wide(x[:8]) @ _wide(x[:8]).T, ndim=2),
        Call("exact.GoldenBigArray.__rmatmul__", lambda x, rng: _wide(x[:8]) @ _wide(x[:8]).T, ndim=2),
        Call("exact.GoldenBigArray.reshape", lambda x, rng: _wide(x).reshape(-1)),
        Call("exact.GoldenBigArray.transpose", lambda x, rng: _wide(x).transpose()),
        Call("exact.GoldenBigArray.__getitem__", lambda x, rng: _wide(x)[..., None]),
        Call("exact.GoldenBigArray.__iter__", lambda x, rng: list(_wide(x[:4])), ndim=1),
        Call("exact.GoldenBigArray.item", lambda x, rng: _wide(x).sum().item()),
        Call("exact.GoldenBigArray.inverse", lambda x, rng: (_wide(x) * 0 + 1).inverse()),
        Call("exact.GoldenBigArray.prod", lambda x, rng: (_wide(x) * 0 + 1).prod()),
        Call("exact.GoldenBigArray.__rfloordiv__", lambda x, rng: 7 // (_wide(x) * 0 + 2)),
        Call("exact.GoldenBigArray.__rmod__", lambda x, rng: 7 % (_wide(x) * 0 + 2)),
        Call("exact.GoldenBigArray.__rdivmod__", lambda x, rng: divmod(7, _wide(x) * 0 + 2)),
        Call("exact.GoldenBigArray.__pow__", lambda x, rng: _wide(x) ** 1),
        Call("exact.GoldenBigArray.__rpow__", lambda x, rng: _wide(x) ** 0),
        Call("exact.concat", lambda x, rng: syntonic.exact.concat([_points(x), _points(x)]), ndim=1),
        Call("exact.stack", lambda x, rng: syntonic.exact.stack([_points(x), _points(x)])),
        Call("exact.GoldenArray.wide", lambda x, rng: _points(x).wide()),
        Call("exact.GoldenBigArray", lambda x, rng: syntonic.exact.GoldenBigArray(_points(x).tolist())),
        Call("exact.GoldenArray.to", lambda x, rng: _points(x).to(x.device)),
    ]
    makers = {"GoldenArray": _points, "GoldenBigArray": _wide, "GoldenInt": _point, "GoldenRational": _ratio}
    alone = {
        "GoldenArray": "to_float conjugate times_phi over_phi norm tolist ravel squeeze sum __neg__ __abs__ __len__ __repr__ __reduce__",
        "GoldenBigArray": "narrow to_float conjugate times_phi over_phi norm floor ceil round tolist ravel squeeze sum __neg__ __abs__ __len__ __repr__ __reduce__",
        "GoldenInt": "conjugate norm trace __neg__ __pos__ __abs__ __floor__ __ceil__ __trunc__ __int__ __round__ __float__ __bool__ __hash__ __repr__ __str__ __reduce__",
        "GoldenRational": "__neg__ __abs__ __floor__ __ceil__ __trunc__ __int__ __round__ __float__ __bool__ __hash__ __repr__ __str__ __reduce__",
    }
    fields = {"GoldenArray": "a b shape ndim size T", "GoldenBigArray": "a b shape ndim size T", "GoldenInt": "a b", "GoldenRational": "numerator denominator"}
    order = "__lt__ __le__ __eq__ __ne__ __gt__ __ge__"
    both = {
        "GoldenArray": f"maximum minimum gcd __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __floordiv__ __mod__ __divmod__ {order}",
        "GoldenBigArray": f"maximum minimum gcd __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __floordiv__ __mod__ __divmod__ {order}",
        "GoldenInt": f"gcd __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __divmod__ __rdivmod__ {order}",
        "GoldenRational": f"__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __divmod__ __rdivmod__ {order}",
    }
    for kind, make in makers.items():
        rows.append(Call(f"exact.{kind}.__new__", lambda x, rng, m=make: m(x)))
        for name in alone[kind].split():
            rows.append(Call(f"exact.{kind}.{name}", lambda x, rng, m=make, n=name: getattr(m(x), n)()))
        for name in fields[kind].split():
            rows.append(Call(f"exact.{kind}.{name}", lambda x, rng, m=make, n=name: getattr(m(x), n)))
        for name in both[kind].split():
            rows.append(Call(f"exact.{kind}.{name}", lambda x, rng, m=make, n=name: getattr(m(x), n)(2)))
        if not kind.endswith("Array"):
            rows.append(Call(f"exact.{kind}.__pow__", lambda x, rng, m=make: m(x) ** 2))
            rows.append(Call(f"exact.{kind}.__rpow__", lambda x, rng, m=make: m(x) ** -1))
    return rows


def _distribution(x: State) -> State:
    weights = syntonic.exp(x)
    return weights / weights.sum(axis=-1, keepdims=True)


def _model(x: State) -> Any:
    """A discrete model of two factors and two modalities with numbers of the State in it."""
    one = _distribution(x.ravel()[:3])
    shown = syntonic.broadcast_to(one[:, None, None], (3, 2, 2))
    turn = syntonic.stack([syntonic.eye(2), 1 - syntonic.eye(2)], axis=-1).astype(x.dtype).to(x.device)
    return syntonic.infer.DiscreteModel([shown, shown], [turn, turn], [[0.0, 0.0, 1.0]] * 2)


def _agent(x: State) -> Any:
    agent = syntonic.infer.DiscreteAgent(_model(x), 2)
    agent.observe([0, 1])
    return agent


def _halves(x: State) -> list[State]:
    """Beliefs of many agents about two factors of two states each."""
    rows = _distribution(x.ravel()[: x.size // 2 * 2].reshape(-1, 2))
    return [rows, rows]


def _planned(x: State) -> Any:
    model = _model(x)
    return model, syntonic.infer.policies(model, 1)


RESONANT = [
    Call("resonant.Modes", lambda x, rng: syntonic.resonant.Modes(_norms(x), x.dtype)),
    Call("resonant.Modes", lambda x, rng: syntonic.resonant.Modes(x, x.dtype), ndim=1),
    Call("resonant.Modes.__new__", lambda x, rng: syntonic.resonant.syntony(x, syntonic.resonant.Modes(_norms(x), x.dtype))),
    Call("resonant.cycle", lambda x, rng: syntonic.resonant.cycle(x)),
    Call("resonant.cycle", lambda x, rng: syntonic.resonant.cycle(x, noise=x, strength=0.5)),
    Call("resonant.cycle", lambda x, rng: syntonic.resonant.cycle(x), "complex128"),
    Call("resonant.differentiate", lambda x, rng: syntonic.resonant.differentiate(x)),
    Call("resonant.differentiate", lambda x, rng: syntonic.resonant.differentiate(x, noise=x)),
    Call("resonant.golden_weights", lambda x, rng: syntonic.resonant.golden_weights(x)),
    Call("resonant.harmonize", lambda x, rng: syntonic.resonant.harmonize(x)),
    Call("resonant.mode_norms", lambda x, rng: syntonic.resonant.mode_norms(x.size)),
    Call("resonant.syntony", lambda x, rng: syntonic.resonant.syntony(x)),
    Call("resonant.syntony", lambda x, rng: syntonic.resonant.syntony(x), "complex128"),
    Call("resonant.syntony", lambda x, rng: syntonic.resonant.syntony(x), ndim=1),
    Call("infer.accuracy", lambda x, rng: syntonic.infer.accuracy(x, x, x)),
    Call("infer.accuracy", lambda x, rng: syntonic.infer.accuracy(x, x, x, variance=x)),
    Call("infer.belief_update", lambda x, rng: syntonic.infer.belief_update(x[0], x, x[:, 0], abs(x[:, 0]), rate=1e-6, history=True).mean),
    Call("infer.categorical_free_energy", lambda x, rng: syntonic.infer.categorical_free_energy(x, x, x).free_energy),
    Call("infer.categorical_kl_divergence", lambda x, rng: syntonic.infer.categorical_kl_divergence(x, x)),
    Call("infer.free_energy", lambda x, rng: syntonic.infer.free_energy(x, x, x, x, x, x, x).free_energy),
    Call("infer.DiscreteAgent", lambda x, rng: _agent(x).plan()),
    Call("infer.DiscreteAgent.__init__", lambda x, rng: _agent(x).beliefs[0]),
    Call("infer.DiscreteAgent.act", lambda x, rng: (_agent(x).act(), _agent(x).act(seed=3))[0]),
    Call("infer.DiscreteAgent.observe", lambda x, rng: _agent(x).observe([[0, 1], 2]).beliefs[1]),
    Call("infer.DiscreteAgent.plan", lambda x, rng: _agent(x).plan()),
    Call("infer.DiscreteModel", lambda x, rng: _model(x).initial[0]),
    Call("infer.DiscreteModel.__new__", lambda x, rng: _model(x).initial[1]),
    Call("infer.DiscreteModel.__repr__", lambda x, rng: repr(_model(x))),
    *[
        Call(f"infer.DiscreteModel.{name}", lambda x, rng, n=name: getattr(_model(x), n))
        for name in ("actions", "device", "dtype", "initial", "outcomes", "states")
    ],
    Call("infer.action_marginals", lambda x, rng: syntonic.infer.action_marginals(_planned(x)[0], [0.25] * 4, _planned(x)[1])[0]),
    Call("infer.choose_action", lambda x, rng: syntonic.infer.choose_action(_halves(x))),
    Call("infer.expected_free_energy", lambda x, rng: syntonic.infer.expected_free_energy(_planned(x)[0], _halves(x), _planned(x)[1]).utility),
    Call("infer.infer_states", lambda x, rng: syntonic.infer.infer_states(_model(x), [0, 1], _halves(x), sweeps=3).beliefs[0]),
    Call("infer.policies", lambda x, rng: syntonic.infer.policies(_model(x), 3)),
    Call("infer.policy_posterior", lambda x, rng: syntonic.infer.policy_posterior(x)),
    Call("infer.predict_states", lambda x, rng: syntonic.infer.predict_states(_model(x), _halves(x), [0, 1])[0]),
    Call("infer.sample_action", lambda x, rng: syntonic.infer.sample_action(_halves(x), 3)),
    Call("infer.kl_divergence", lambda x, rng: syntonic.infer.kl_divergence(x, x, x, x)),
    Call("infer.kl_divergence", lambda x, rng: syntonic.infer.kl_divergence(x, _vector(x), x, _vector(x))),
    Call("transfer_entropy", lambda x, rng: syntonic.transfer_entropy(x, x, k=1, surrogates=2), ndim=1),
    Call("transfer_entropy", lambda x, rng: syntonic.transfer_entropy(x, x, x, k=1, keep=["local", "counts"]), ndim=1),
    Call("information.TransferEntropy", lambda x, rng: syntonic.information.TransferEntropy(x, x, k=1, delay=[1, 2]).values(x, x), ndim=1),
    Call("information.transfer_entropy_matrix", lambda x, rng: syntonic.information.transfer_entropy_matrix(x[:4], k=1), ndim=2),
    Call("information.mutual_information", lambda x, rng: syntonic.information.mutual_information(x, x, k=1), ndim=1),
    Call(
        "information.conditional_mutual_information",
        lambda x, rng: syntonic.information.conditional_mutual_information(x, x, x, k=1),
        ndim=1,
    ),
]

def _centred() -> syntonic.pipeline.Plan:
    """A vector less its mean."""
    return syntonic.pipeline.Plan(
        "Centred",
        inputs={"x": ("n",)},
        stages=[
            syntonic.pipeline.formula("mean", 1, (1,), lambda x: x, reduction="mean"),
            syntonic.pipeline.formula("y", 2, ("n",), lambda x, mean: x - mean),
        ],
        outputs=["y"],
    )


def _multiplied(x: State) -> object:
    """The squares of a matrix's rows, by a product."""
    product = syntonic.pipeline.product("y", 1, ("m", "m"), "x", syntonic.pipeline.transposed("x"))
    return syntonic.pipeline.Plan("Squares", inputs={"x": ("m", "n")}, stages=[product], outputs=["y"])(x).y


def _repeated(x: State) -> object:
    halved = syntonic.pipeline.formula("half", 1, ("n",), lambda x: 0.5 * x)
    loop = syntonic.pipeline.repeat(3, {"x": "half"}, [halved])
    return syntonic.pipeline.Plan("Eighth", inputs={"x": ("n",)}, stages=[loop], outputs=["half"])(x).half


def _plan_file(x: State) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plan.ptx")
        plan = _centred()
        try:
            plan.save(path, x)
            plan.load(path, device=x.device)
        except syntonic.SyntonicError as error:
            return str(error)
        return plan(x).y


PIPELINES = [
    *[Call(f"pipeline.{name}", lambda x, rng: _centred()(x).y, ndim=1) for name in ("Plan", "Plan.__call__", "Stage", "formula")],
    *[Call(f"pipeline.{name}", lambda x, rng: _multiplied(x), ndim=2) for name in ("product", "transposed")],
    *[Call(f"pipeline.{name}", lambda x, rng: _repeated(x), ndim=1) for name in ("Loop", "repeat")],
    *[Call(f"pipeline.{name}", lambda x, rng: str(_centred().report(x)), ndim=1) for name in ("Plan.report", "Report")],
    *[Call(f"pipeline.Plan.{name}", lambda x, rng: _plan_file(x), ndim=1) for name in ("load", "save")],
    *[
        Call(f"pipeline.Plan.{name}", lambda x, rng, n=name: getattr(_centred(), n))
        for name in ("digest", "inputs", "name", "outputs", "source")
    ],
    Call("pipeline.Plan.__init__", lambda x, rng: _centred()),
    Call("pipeline.Plan.__repr__", lambda x, rng: repr(_centred())),
]


def _device_search(x: State, **settings: Any) -> Any:
    return syntonic.evolve.DeviceSearch(x.reshape(-1)[:50], 0.5, 8, **settings)


def _device_search_file(x: State, **settings: Any) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "search.safetensors")
        search = _device_search(x, bounds=(-9, 9), **settings)
        search.run("sphere", 2, checkpoint=path, checkpoint_every=1)
        search.save(path)
        return syntonic.evolve.DeviceSearch.load(path, device=x.device).run(lambda c: (c * c).sum(-1), 2, checkpoint=path)


def _with_pool(x: State) -> State:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        return syntonic.evolve.spread(lambda rows: (rows * rows).sum(-1), pool, parts=3)(x)


def _alone() -> Any:
    return syntonic.distributed.Group.alone()


def _entered() -> object:
    with _alone() as group:
        return group.rank


def _nccl() -> object:
    """The group, or why this machine has none of the kind."""
    try:
        return _alone().with_nccl()
    except syntonic.DeviceError as absent:
        return str(absent)


EVOLUTION = [
    Call("distributed.Group", lambda x, rng: _alone().all_gather(x)),
    Call("distributed.Group.all_gather", lambda x, rng: _alone().all_gather(x)),
    Call("distributed.Group.all_gather_bytes", lambda x, rng: _alone().all_gather_bytes(b"mine")),
    Call("distributed.Group.concat", lambda x, rng: _alone().concat(x, x.shape[-1])),
    Call("distributed.Group.share", lambda x, rng: _alone().share(10)),
    Call("distributed.Group.barrier", lambda x, rng: _alone().barrier()),
    Call("distributed.Group.abort", lambda x, rng: _alone().abort("enough")),
    Call("distributed.Group.close", lambda x, rng: _alone().close()),
    Call("distributed.Group.alone", lambda x, rng: _alone().size),
    Call("distributed.Group.threads", lambda x, rng: syntonic.distributed.Group.threads(1)[0].all_gather(x)),
    Call("distributed.Group.connect", lambda x, rng: syntonic.distributed.Group.connect(0, 1, "127.0.0.1", 29500).all_gather(x)),
    Call("distributed.Group.from_env", lambda x, rng: syntonic.distributed.Group.from_env().all_gather(x)),
    Call("distributed.Group.with_nccl", lambda x, rng: _nccl()),
    Call("distributed.Group.rank", lambda x, rng: _alone().rank),
    Call("distributed.Group.size", lambda x, rng: _alone().size),
    Call("distributed.Group.__enter__", lambda x, rng: _entered()),
    Call("distributed.Group.__exit__", lambda x, rng: _entered()),
    Call("distributed.Group.__repr__", lambda x, rng: repr(_alone())),
    Call("distributed.shard", lambda x, rng: syntonic.distributed.shard(lambda rows: (rows * rows).sum(-1), _alone())(x), ndim=2),
    Call("evolve.spread", lambda x, rng: _with_pool(x), ndim=2),
    Call("evolve.DeviceSearch", lambda x, rng: _device_search(x)),
    Call("evolve.DeviceSearch.__init__", lambda x, rng: _device_search(x.astype("float32"), rule="openai", learning_rate=0.1)),
    Call("evolve.DeviceSearch.ask", lambda x, rng: _device_search(x).ask(2, 6)),
    Call("evolve.DeviceSearch.tell", lambda x, rng: _device_search(x).tell(syntonic.zeros(8, device=x.device))),
    Call("evolve.DeviceSearch.step", lambda x, rng: _device_search(x).step("ackley")),
    Call("evolve.DeviceSearch.step", lambda x, rng: _device_search(x).step(lambda c: (c * c).sum(-1), chunk=4)),
    Call("evolve.DeviceSearch.run", lambda x, rng: _device_search(x).run("rastrigin", 2)),
    Call("evolve.DeviceSearch.run", lambda x, rng: _device_search(x, rule="separable_cma", bounds=(-2, x.reshape(-1)[:1])).run("sphere", 2)),
    Call("evolve.DeviceSearch.run", lambda x, rng: _device_search(x).run(lambda c: (c * c).sum(-1), 3, capture=True)),
    Call("evolve.DeviceSearch.save", lambda x, rng: _device_search_file(x, restarts="growing")),
    Call("evolve.DeviceSearch.load", lambda x, rng: _device_search_file(x, restarts="growing")),
    Call("evolve.DeviceSearch.save", lambda x, rng: _device_search_file(x, rule="cr_fm_nes")),
    Call("evolve.DeviceSearch.load", lambda x, rng: _device_search_file(x, rule="cma")),
    Call("evolve.DeviceSearch.run", lambda x, rng: _device_search(x).run("rastrigin", 2, seconds=60.0)),
    Call("evolve.DeviceSearch.restart", lambda x, rng: _device_search(x, restarts="growing").restart()),
    Call("evolve.DeviceSearch.__init__", lambda x, rng: _device_search(x, rule="cma")),
    Call("evolve.DeviceSearch.run", lambda x, rng: _device_search(x, rule="cma", bounds=(-2, x.reshape(-1)[:1])).run("ackley", 3)),
    Call("evolve.DeviceSearch.run", lambda x, rng: _device_search(x, rule="cr_fm_nes").run("rosenbrock", 3, target=1e-9)),
    Call("evolve.DeviceSearch.step", lambda x, rng: _device_search(x, rule="cr_fm_nes").step(lambda c: (c * c).sum(-1), chunk=4)),
    *[
        Call(f"evolve.DeviceSearch.{name}", lambda x, rng, n=name: getattr(_device_search(x), n))
        for name in ("best", "mean", "deviation", "generation", "history", "population", "restarts")
    ],
    Call("evolve.RES", lambda x, rng: _search(x).dimension, ndim=1),
    Call("evolve.RES", lambda x, rng: _search(x, mode_norms=x).sigma, ndim=1),
    Call("evolve.RES", lambda x, rng: _search([1.0, 2.0], population=max(4, x.size)).ask()),
    Call("evolve.RES", lambda x, rng: _search([1.0] * min(x.size, 2000), strategy="full").ask()),
    Call("evolve.RES.__init__", lambda x, rng: _search(x, strategy="elitist").ask(), ndim=1),
    Call("evolve.RES.__repr__", lambda x, rng: repr(_search(x)), ndim=1),
    Call("evolve.RES.ask", lambda x, rng: _search(x).ask(), ndim=1),
    Call("evolve.RES.ask", lambda x, rng: _search(x, sampling="independent", prefilter=0.5).ask(), ndim=1),
    Call("evolve.RES.tell", lambda x, rng: _told(x).generation, ndim=1),
    Call("evolve.RES", lambda x, rng: _search(x.reshape(-1)[:50], strategy="full", device=x.device).ask()),
    Call("evolve.RES.tell", lambda x, rng: _told_there(x).centre),
    Call("evolve.RES.tell", lambda x, rng: _search([1.0, 2.0], population=4).tell(x.reshape(-1)[:4], [[0.5, 0.5]] * 4)),
    Call("evolve.RES.run", lambda x, rng: _told_there(x).run(lambda c: (c * c).sum(-1), generations=3, progress=False).value),
    Call("evolve.RES.run", _run, ndim=1),
    Call("evolve.RES.save", _res_file, ndim=1),
    Call("evolve.RES.load", _res_file, ndim=1),
    Call("evolve.RES.restart", lambda x, rng: _told(x).restart(), ndim=1),
    Call("evolve.RES.inject", lambda x, rng: _told(x).inject(x), ndim=1),
    Call("evolve.RES.__init__", lambda x, rng: _search(x, sigma=x + 1.0, bounds=(x - 1.0, None)).ask(), ndim=1),
    # A covariance has n * n numbers.
    Call("evolve.RES.covariance", lambda x, rng: _told(x.reshape(-1)[:50]).covariance),
    Call("evolve.RES.axis_ratio", lambda x, rng: _told(x.reshape(-1)[:50]).axis_ratio),
    Call("evolve.RES.batch", lambda x, rng: _searches(x).ask(), ndim=1),
    *[
        Call(f"evolve.RES.{name}", lambda x, rng, n=name: getattr(_told(x), n), ndim=1)
        for name in (
            "best", "best_value", "centre", "deviations", "dimension", "device", "evaluations", "generation", "history", "options",
            "population", "repeats", "restarts", "seed", "sigma", "strategy"
        )
    ],
    Call("evolve.RES.ask", lambda x, rng: _search(x, noise="auto").ask(), ndim=1),
    Call("evolve.Batch", lambda x, rng: len(_searches(x)), ndim=1),
    Call("evolve.Batch.__init__", lambda x, rng: len(syntonic.evolve.Batch([_told(x)])), ndim=1),
    Call("evolve.Batch.__len__", lambda x, rng: len(_searches(x)), ndim=1),
    Call("evolve.Batch.__repr__", lambda x, rng: repr(_searches(x)), ndim=1),
    Call("evolve.Batch.ask", lambda x, rng: _searches(x).ask(), ndim=1),
    Call("evolve.Batch.tell", lambda x, rng: _told_batch(x).searches[1].generation, ndim=1),
    Call("evolve.Batch.best", lambda x, rng: _told_batch(x).best.best_value, ndim=1),
    Call("evolve.Batch.searches", lambda x, rng: _searches(x).searches[0].centre, ndim=1),
    Call("evolve.Batch.run", lambda x, rng: repr(_searches(x).run(_values, generations=2, stagnation=False, progress=False)), ndim=1),
    Call("evolve.Outcome", lambda x, rng: repr(syntonic.evolve.Outcome("target", _told(x), 1.0)), ndim=1),
    Call("evolve.Outcome.__init__", lambda x, rng: syntonic.evolve.Outcome("target", _told(x), 1.0).value, ndim=1),
    Call("evolve.Outcome.to_dict", lambda x, rng: syntonic.evolve.Outcome("target", _told(x), 1.0).to_dict(), ndim=1),
    Call("evolve.Outcome.table", lambda x, rng: syntonic.evolve.Outcome("target", _told(x), 1.0).table(3), ndim=1),
    Call("evolve.Outcome.plot", lambda x, rng: syntonic.evolve.Outcome("target", _told(x), 1.0).plot(_Axes()), ndim=1),
    Call("evolve.Outcome.__repr__", lambda x, rng: repr(syntonic.evolve.Outcome("target", _told(x), 1.0)), ndim=1),
    *[
        Call(f"evolve.Outcome.{name}", lambda x, rng, n=name: getattr(syntonic.evolve.Outcome("target", _told(x), 1.0), n), ndim=1)
        for name in ("best", "centre", "evaluations", "generations", "history", "reason", "restarts", "seconds", "seed", "strategy", "value")
    ],
]

GPU = [
    Call("cuda.DeviceGroup", _gpu(lambda: syntonic.cuda.DeviceGroup([0]).all_reduce([syntonic.ones(3, device="cuda:0")]))),
    Call("cuda.Event", _gpu(lambda: syntonic.cuda.Event())),
    Call("cuda.Request", _gpu(lambda: _queue())),
    Call("cuda.Queue", _gpu(lambda: _queue())),
    Call("cuda.TensorSpec", lambda x, rng: syntonic.cuda.TensorSpec((2,)).shape),
    Call("cuda.Service", _gpu(lambda: _service(syntonic.cuda.Service))),
    Call("cuda.ServiceModel", _gpu(lambda: _service(syntonic.cuda.Service).sizes)),
    Call("cuda.Stream", _gpu(lambda: syntonic.cuda.Stream())),
    Call("cuda.advise", _gpu(lambda: syntonic.cuda.advise(syntonic.cuda.managed_empty(3), "read_mostly"))),
    Call("cuda.can_access_peer", _gpu(lambda: syntonic.cuda.can_access_peer(0, "cuda:0"))),
    Call("cuda.current_stream", _gpu(lambda: syntonic.cuda.current_stream())),
    Call("cuda.device_count", _gpu(lambda: syntonic.cuda.device_count())),
    Call("cuda.device_name", _gpu(lambda: syntonic.cuda.device_name())),
    Call("cuda.empty_cache", _gpu(lambda: syntonic.cuda.empty_cache())),
    Call("cuda.is_available", _gpu(lambda: syntonic.cuda.is_available())),
    Call("cuda.is_managed", lambda x, rng: syntonic.cuda.is_managed(x)),
    Call("cuda.kernel", lambda x, rng: syntonic.cuda.kernel(_PTX, "nothing", "const float*, int")),
    Call("cuda.kernel_sources", lambda x, rng: syntonic.cuda.kernel_sources()),
    Call("cuda.managed", lambda x, rng: _gpu(lambda: syntonic.cuda.managed(x))(x, rng)),
    Call("cuda.managed_empty", _gpu(lambda: syntonic.cuda.managed_empty((2, 3), "float32"))),
    Call("cuda.memory_stats", _gpu(lambda: syntonic.cuda.memory_stats())),
    Call("cuda.pinned_empty", _gpu(lambda: syntonic.cuda.pinned_empty((2, 3), "float32"))),
    Call("cuda.prefetch", _gpu(lambda: [batch.sum() for batch in syntonic.cuda.prefetch([syntonic.arange(4)])])),
    Call("cuda.prefetch_to", _gpu(lambda: syntonic.cuda.prefetch_to(syntonic.cuda.managed_empty(3), "cpu"))),
    Call("cuda.set_memory_limit", _gpu(lambda: syntonic.cuda.set_memory_limit(None))),
    Call("cuda.synchronize", _gpu(lambda: syntonic.cuda.synchronize())),
    Call("cuda.why_unavailable", _gpu(lambda: syntonic.cuda.why_unavailable())),
    Call("State.cuda", lambda x, rng: _gpu(lambda: x.cuda())(x, rng)),
    Call("State.cuda", lambda x, rng: _gpu(lambda: x.cuda(non_blocking=True))(x, rng)),
    Call("State.pin_memory", lambda x, rng: _gpu(lambda: x.pin_memory())(x, rng)),
    Call("State.__dir__", lambda x, rng: dir(x)),
    *(
        Call(f"State.{name}", lambda x, rng, name=name: getattr(x, name, None))
        for name in ("matmul_async", "prefetch_to_gpu", "reshape_inplace")
    ),
    Call("State.copy_", lambda x, rng: x.copy().copy_(x, non_blocking=True)),
    Call("State.is_pinned", lambda x, rng: x.is_pinned),
    Call("State.__cuda_array_interface__", lambda x, rng: getattr(x, "__cuda_array_interface__", None)),
]

METHODS = [
    *[
        Call(f"State.{name}", lambda x, rng, n=name: getattr(x, n))
        for name in ("T", "base", "device", "dtype", "flags", "is_pending", "itemsize", "nbytes", "ndim", "shape", "size", "strides")
    ],
    Call("State.mT", lambda x, rng: x.mT, ndim=2),
    *[
        Call(f"State.{name}", lambda x, rng, n=name: getattr(x, n)())
        for name in ("argsort", "conj", "conjugate", "copy", "cpu", "cumprod", "cumsum", "eval", "flatten", "nonzero")
    ],
    *[
        Call(f"State.{name}", lambda x, rng, n=name: getattr(x, n)())
        for name in ("numpy", "ravel", "round", "squeeze", "tolist", "transpose", "__copy__", "__dlpack_device__")
    ],
    Call("State.tolist", lambda x, rng: x.tolist(), "complex128"),
    Call("State.tolist", lambda x, rng: x.tolist(), "bool", 1),
    Call("State.conj", lambda x, rng: x.conj(), "complex128"),
    Call("State.real", lambda x, rng: x.real, "complex128"),
    Call("State.real", lambda x, rng: _set_part(x, "real"), "complex128"),
    Call("State.imag", lambda x, rng: x.imag, "complex128"),
    Call("State.imag", lambda x, rng: _set_part(x, "imag"), "complex128"),
    Call("State.__new__", lambda x, rng: State(x, dtype="float32")),
    Call("State.__repr__", lambda x, rng: repr(x)),
    Call("State._repr_html_", lambda x, rng: x._repr_html_()),
    Call("State.__str__", lambda x, rng: str(x * x)),
    Call("State.__format__", lambda x, rng: format(x, "")),
    Call("State.__format__", lambda x, rng: format(x, ".3e")),
    Call("State.__array__", lambda x, rng: x.__array__(copy=True)),
    Call("State.__array__", lambda x, rng: x.__array__("float32")),
    Call("State.__array_namespace__", lambda x, rng: x.__array_namespace__()),
    Call("State.__array_function__", lambda x, rng: _function_of_numpy(x)),
    Call("State.__array_interface__", lambda x, rng: _interface(x)),
    Call("State.__array_ufunc__", lambda x, rng: _from_numpy(x)),
    Call("State.__bool__", lambda x, rng: bool(x.ravel()[0])),
    Call("State.__int__", lambda x, rng: int(x.ravel()[0])),
    Call("State.__float__", lambda x, rng: float(x.ravel()[0])),
    Call("State.__complex__", lambda x, rng: complex(x.ravel()[0])),
    Call("State.__index__", lambda x, rng: x.ravel()[0].__index__(), "int64"),
    Call("State.item", lambda x, rng: x.ravel()[0].item()),
    Call("State.as_integer_ratio", lambda x, rng: x.ravel()[0].as_integer_ratio()),
    Call("State.is_integer", lambda x, rng: x.ravel()[0].is_integer()),
    *[Call(f"State.{name}", lambda x, rng, n=name: getattr(x.ravel()[0], n)()) for name in ("__floor__", "__ceil__", "__trunc__", "__round__")],
    Call("State.tobytes", lambda x, rng: x.tobytes()),
    Call("State.tobytes", lambda x, rng: x.T.tobytes(order="F")),
    Call("State.__bytes__", lambda x, rng: bytes(x)),
    Call("State.data", lambda x, rng: x.cpu().data),
    Call("State.ctypes", lambda x, rng: x.cpu().ctypes),
    Call("State.__arrow_array__", lambda x, rng: _imported(x.cpu().ravel().__arrow_array__)),
    Call("State.__len__", lambda x, rng: len(x)),
    Call("State.__iter__", lambda x, rng: list(x), ndim=2),
    Call("State.__iter__", lambda x, rng: list(x[:4]), ndim=1),
    Call("State.__reversed__", lambda x, rng: next(reversed(x), None), ndim=2),
    Call("State.__contains__", lambda x, rng: -1.0 in x),
    Call("State.__getitem__", lambda x, rng: x[0]),
    Call("State.__getitem__", lambda x, rng: x[0, -1], ndim=2),
    Call("State.__getitem__", lambda x, rng: x[_places(x, rng)]),
    Call("State.__getitem__", lambda x, rng: x[x > 0.5]),
    Call("State.__getitem__", lambda x, rng: x[0][x[1]], ndim=1, given=lambda x: (x, syntonic.arange(x.size))),
    Call("State.__getitem__", lambda x, rng: x[::-1] + 0),
    Call("State.__setitem__", lambda x, rng: _set(x, 0, 1.0)),
    Call("State.__setitem__", lambda x, rng: _set(x, slice(None), x * x)),
    Call("State.__setitem__", lambda x, rng: _set(x, x > 0.5, 0.0)),
    Call("State.__setitem__", lambda x, rng: _set(x[0], x[1], x[0]), ndim=1, given=lambda x: (x, syntonic.arange(x.size))),
    Call("State.__delitem__", lambda x, rng: _deleted(x)),
    Call("State.__deepcopy__", lambda x, rng: copy.deepcopy(x)),
    Call("State.__reduce__", lambda x, rng: pickle.loads(pickle.dumps(x))),
    Call("State.__dlpack__", lambda x, rng: x.__dlpack__()),
    Call("State.__dlpack__", lambda x, rng: x.__dlpack__(copy=True)),
    Call("State.astype", lambda x, rng: x.astype("int32")),
    Call("State.clip", lambda x, rng: x.clip(0.25, 0.75)),
    Call("State.clip", lambda x, rng: x.clip()),
    Call("State.diagonal", lambda x, rng: x.diagonal(), ndim=2),
    Call("State.fill", lambda x, rng: x.fill(0.5)),
    Call("State.flat", lambda x, rng: x.flat),
    Call("State.flat", lambda x, rng: _set_part(x, "flat")),
    Call("State.dot", lambda x, rng: x.dot(x.mT), ndim=2),
    Call("round", lambda x, rng: syntonic.round(x, 1)),
    Call("State.put", lambda x, rng: x.put([0], 1.0)),
    Call("State.argpartition", lambda x, rng: x.argpartition(0)),
    Call("State.choose", lambda x, rng: (x > 0.5).astype("int64").choose([x, x])),
    Call("State.compress", lambda x, rng: x.compress([True], axis=0)),
    Call("State.partition", lambda x, rng: x.partition(0)),
    Call("State.tofile", lambda x, rng: x.tofile(os.devnull)),
    Call("State.byteswap", lambda x, rng: x.byteswap()),
    Call("State.getfield", lambda x, rng: x.getfield(x.dtype)),
    Call("State.setfield", lambda x, rng: x.copy().setfield(1, x.dtype)),
    Call("State.dump", lambda x, rng: x.dump(os.devnull)),
    Call("State.dumps", lambda x, rng: x.dumps()),
    Call("State.setflags", lambda x, rng: x.copy().setflags(write=False)),
    Call("State.resize", lambda x, rng: x.copy().resize(2, 3)),
    Call("State.view", lambda x, rng: x.view("int64")),
    Call("State.__round__", lambda x, rng: round(x, 2)),
    Call("State.repeat", lambda x, rng: x.repeat(2)),
    Call("State.reshape", lambda x, rng: x.reshape(-1)),
    Call("State.reshape", lambda x, rng: x.T.reshape(-1, 1), ndim=2),
    Call("State.searchsorted", lambda x, rng: x.searchsorted(x), ndim=1),
    Call("State.sort", lambda x, rng: x.sort()),
    Call("State.sort", lambda x, rng: x.sort(axis=0)),
    Call("State.swapaxes", lambda x, rng: x.swapaxes(0, -1)),
    Call("State.take", lambda x, rng: x.take(_places(_flat(x), rng))),
    Call("State.to", lambda x, rng: x.to("float32")),
    Call("State.to", lambda x, rng: x.to("cpu", copy=True)),
    Call("State.to_device", lambda x, rng: x.to_device("cpu")),
    Call("State.trace", lambda x, rng: x.trace(), ndim=2),
]


def _imported(run: Callable[[], object]) -> object:
    """A call that needs a package, or says that it is not there."""
    try:
        return run()
    except ImportError as error:
        return str(error)


def _function_of_numpy(x: State) -> object:
    import numpy

    return numpy.sum(x, axis=0)


def _interface(x: State) -> object:
    """What a library sees that reads memory by its address; 8-bit floats have no letter for it."""
    return getattr(x, "__array_interface__", None)


def _from_numpy(x: State) -> object:
    import numpy

    return numpy.add(numpy.float64(1.0), x)


def _deleted(x: State) -> object:
    """Elements cannot be deleted: what comes back is the refusal."""
    try:
        del x[0]
    except TypeError as error:
        return str(error)
    raise AssertionError("an element was deleted")


CALLS: list[Call] = [
    *_elementwise(),
    *_operators(),
    *_reductions(),
    *CREATION,
    *MANIPULATION,
    *ORDERING,
    *PRODUCTS,
    *LINEAR,
    *FOURIER,
    *GOLDEN,
    *TYPES,
    *FILES,
    *RANDOM,
    *LAYERS,
    *RESONANT,
    *_exact(),
    *GEOMETRY,
    *PIPELINES,
    *_lattice(),
    *EVOLUTION,
    *GPU,
    *METHODS,
]


def unlisted() -> list[str]:
    """Public names without a row."""
    listed = {call.name for call in CALLS}
    return [name for name in public() if name not in listed]


def unknown() -> list[str]:
    """Rows whose name is no public one."""
    return sorted({call.name for call in CALLS} - set(public()))


def operand(call: Call, size: int) -> State:
    """A State for which the call is valid, of about `size` elements: numbers from 0 to 1, whole ones from 0 to 999."""
    row = 256 if size >= 1 << 16 else 4
    rows = max(size // row, 1)
    shapes = {1: (rows * row,), 2: (rows, row), 3: (4, max(rows // 4, 1), row), 4: (4, max(rows // 16, 1), 4, row)}
    shape = shapes[2 if call.ndim is None else call.ndim]
    count = 1
    for length in shape:
        count *= length
    whole = syntonic.arange(count) * 7919 % 1000
    x = whole.astype(call.dtype) if call.dtype in ("int64", "bool") else (whole.astype("float64") / 1000).astype(call.dtype)
    return x.reshape(shape).eval()
