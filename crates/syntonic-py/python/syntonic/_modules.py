"""Layers with parameters. A module is a tree of its parameters, so gradients and optimisers take it as it stands."""

from __future__ import annotations

import math

from syntonic import _core, random
from syntonic import nn as _functions
from syntonic._core import ArgumentError, ArgumentTypeError, State
from syntonic._dtypes import isdtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from syntonic._typing import ArrayLike, DeviceLike, DTypeLike

__all__ = ["Dropout", "Embedding", "GoldenNorm", "Lambda", "LayerNorm", "Linear", "Module", "PhiResidual", "RMSNorm", "Sequential"]


class Module:
    """A layer: parameters, and what it does with a State when it is called.

    A subclass sets its parameters, States of floats, and its parts, modules or lists and dicts of them, as attributes in
    `__init__`, and says in `forward` what it computes. Everything else that it has is a setting. A module is a tree whose leaves
    are its parameters, so it is an argument as any other, and its gradient is a module of the same kind:

    >>> import syntonic as syn
    >>> model = syn.nn.Sequential(syn.nn.Linear(2, 8), syn.nn.relu, syn.nn.Linear(8, 1))
    >>> loss = lambda model, x: (model(x) ** 2).mean()
    >>> value, g = syn.value_and_grad(loss)(model, syn.ones((4, 2)))
    >>> optimizer = syn.optim.AdamW(1e-2)
    >>> model, state = optimizer.step(model, g, optimizer.init(model))

    `_buffers` names attributes that are saved and are no parameters.

    Parameters and buffers are shared: attributes, `parameters()`, `named_parameters()` and `state_dict()` give the very States that `forward`
    reads, not copies, so writing to one writes to the module. `load_state_dict` copies what it is given. An optimiser's step makes a new module
    with parameters of its own and the same buffers.
    """

    _buffers: tuple[str, ...] = ()

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes."""
        raise ArgumentTypeError(f"{type(self).__name__}: has no forward; hint: a subclass says in it what it computes")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def _tree(self) -> tuple[list[Any], Callable[[list[Any]], Module]]:
        # A module that holds something else than States in their place says itself where they are.
        paths = vars(self).get("_paths")
        if paths:
            found = [_at(self, path) for path in paths]
        else:
            own = [(path, x) for path, x, is_buffer in _states(self, ()) if not is_buffer]
            paths, found = [path for path, _ in own], [x for _, x in own]

        def make(values: list[Any]) -> Module:
            made: Module = _with(self, dict(zip(paths, values)), ())
            vars(made).pop("_paths", None)
            if not all(map(_is_parameter, values)):
                vars(made)["_paths"] = paths
            return made

        return found, make

    def named_parameters(self) -> dict[str, State]:
        """The parameters by the names of the attributes on the way to them: "layers.0.weight"."""
        return {".".join(path): x for path, x, is_buffer in _states(self, ()) if not is_buffer}

    def parameters(self) -> list[State]:
        """The parameters, in the order of their names."""
        return list(self.named_parameters().values())

    def state_dict(self) -> dict[str, State]:
        """Parameters and buffers by name, for `syntonic.save("model.safetensors", model.state_dict())`."""
        return {".".join(path): x for path, x, _ in _states(self, ())}

    def load_state_dict(self, states: dict[str, State]) -> None:
        """Puts States, as `syntonic.load` gives them, in the place of parameters and buffers. Names and shapes must be the same; values
        take the types that are there. On an error nothing changes."""
        mine = {".".join(path): (path, x) for path, x, _ in _states(self, ())}
        if set(mine) != set(states):
            missing, surplus = sorted(set(mine) - set(states)), sorted(set(states) - set(mine))
            raise ArgumentError(
                f"load_state_dict: the names differ: {missing[:5]} are missing, {surplus[:5]} are not there; hint: save state_dict() of a module of the same form"
            )
        new = {}
        for name, (path, x) in mine.items():
            given = states[name]
            if given.shape != x.shape:
                raise _core.ShapeError(f"load_state_dict: {name} has the shape {x.shape}, and {given.shape} was given; hint: make the module with the sizes of what was saved")
            new[path] = given.astype(x.dtype).to(x.device)
        vars(self).update(vars(_with(self, new, ())))

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={tuple(x.shape)}" for name, x in self.named_parameters().items())
        return f"{type(self).__name__}({parts})"


def _is_parameter(value: object) -> bool:
    return isinstance(value, State) and isdtype(value.dtype, ("real floating", "complex floating"))


_Path = tuple[str, ...]


def _states(node: Any, path: _Path, is_buffer: bool = False) -> Iterator[tuple[_Path, State, bool]]:
    """Every parameter and buffer of a module with the way to it, and whether it is a buffer."""
    if _is_parameter(node) or (is_buffer and isinstance(node, State)):
        yield path, node, is_buffer
        return
    for name, child in _parts(node).items():
        inner = is_buffer or (isinstance(node, Module) and name in node._buffers)
        yield from _states(child, (*path, name), inner)


def _parts(node: Any) -> dict[str, Any]:
    if isinstance(node, Module):
        return {name: child for name, child in vars(node).items() if name != "_paths"}
    if isinstance(node, dict):
        return {str(name): child for name, child in node.items()}
    if isinstance(node, (list, tuple)):
        return {str(k): child for k, child in enumerate(node)}
    return {}


def _at(node: Any, path: _Path) -> Any:
    for name in path:
        node = _parts(node)[name]
    return node


def _with(node: Any, new: dict[_Path, Any], path: _Path) -> Any:
    """A copy of the node with other leaves where `new` says so."""
    if path in new:
        return new[path]
    children = [_with(child, new, (*path, name)) for name, child in _parts(node).items()]
    if isinstance(node, Module):
        made = object.__new__(type(node))
        vars(made).update(zip(_parts(node), children))
        return made
    if isinstance(node, dict):
        return type(node)(zip(node, children))
    if isinstance(node, tuple):
        return type(node)(*children) if hasattr(node, "_fields") else type(node)(children)
    return type(node)(children) if isinstance(node, list) else node


def _uniform(shape: tuple[int, ...], bound: float, generator: random.Generator | None, dtype: DTypeLike | None, device: DeviceLike | None) -> State:
    draw = random.uniform if generator is None else generator.uniform
    return draw(shape, -bound, bound, dtype=dtype, device=device)


class Linear(Module):
    """`x @ weight.T + bias`: `[.., inputs] -> [.., outputs]`, with `weight: [outputs, inputs]` as PyTorch has it.

    Both begin uniform within 1/sqrt(inputs)."""

    weight: State
    bias: State | None

    def __init__(
        self,
        inputs: int,
        outputs: int,
        *,
        bias: bool = True,
        activation: str = "none",
        generator: random.Generator | None = None,
        dtype: DTypeLike | None = None,
        device: DeviceLike | None = None,
    ) -> None:
        bound = 1.0 / math.sqrt(max(inputs, 1))
        self.weight = _uniform((outputs, inputs), bound, generator, dtype, device)
        self.bias = _uniform((outputs,), bound, generator, dtype, device) if bias else None
        self.activation = activation

    def forward(self, x: ArrayLike) -> State:
        """One product, with the bias and the activation in its epilogue."""
        return _functions.linear(x, self.weight.mT, self.bias, activation=self.activation)


class Embedding(Module):
    """Row `i` of `weight: [count, width]` for each integer i: `[..] -> [.., width]`. Rows begin normal."""

    weight: State

    def __init__(
        self, count: int, width: int, *, generator: random.Generator | None = None, dtype: DTypeLike | None = None, device: DeviceLike | None = None
    ) -> None:
        draw = random.normal if generator is None else generator.normal
        self.weight = draw((count, width), dtype=dtype, device=device)

    def forward(self, indices: State) -> State:
        """The rows."""
        return _core.take(self.weight, indices, 0)


class LayerNorm(Module):
    """`(x - mean)/sqrt(var + eps) * weight + bias` over the last axis, of length `width`."""

    weight: State
    bias: State
    _mode = "standard"

    def __init__(self, width: int, *, eps: float = 1e-5, dtype: DTypeLike | None = None, device: DeviceLike | None = None) -> None:
        self.weight = _core.full((width,), 1.0, dtype, device)
        self.bias = _core.full((width,), 0.0, dtype, device)
        self.eps = eps

    def forward(self, x: ArrayLike) -> State:
        """The normed rows."""
        return _functions.layer_norm(x, self.weight, self.bias, mode=self._mode, eps=self.eps)


class GoldenNorm(LayerNorm):
    """A LayerNorm whose target is the variance 1/phi."""

    _mode = "golden"


class RMSNorm(Module):
    """`x / sqrt(mean(x^2) + eps) * weight` over the last axis, of length `width`."""

    weight: State

    def __init__(self, width: int, *, eps: float = 1e-6, dtype: DTypeLike | None = None, device: DeviceLike | None = None) -> None:
        self.weight = _core.full((width,), 1.0, dtype, device)
        self.eps = eps

    def forward(self, x: ArrayLike) -> State:
        """The normed rows."""
        return _functions.rms_norm(x, self.weight, eps=self.eps)


class Dropout(Module):
    """Zeros in the place of a part `p` of the elements, and the others divided by 1 - p, where a generator is given; without one, as in
    evaluation, x as it is."""

    def __init__(self, p: float = 0.5) -> None:
        if not 0.0 <= p < 1.0:
            raise ArgumentError(f"Dropout: p is {p!r:.40}; it must be at least 0, and less than 1")
        self.p = p

    def forward(self, x: State, generator: random.Generator | None = None) -> State:
        """x, or what is left of it."""
        if generator is None or self.p == 0.0:
            return x
        kept = generator.uniform(x.shape, device=x.device) >= self.p
        return x * kept.astype(x.dtype) / (1.0 - self.p)


class PhiResidual(Module):
    """`phi_residual(x, inner(x))`: x and what a module makes of it, joined as the mode says."""

    inner: Any

    def __init__(self, inner: Callable[..., State], *, mode: Any = "phi", activation: str = "none") -> None:
        self.inner, self.mode, self.activation = inner, mode, activation

    def forward(self, x: State) -> State:
        """The sum."""
        return _functions.phi_residual(x, self.inner(x), self.mode, activation=self.activation)


class Lambda(Module):
    """A function as a module."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f

    def forward(self, *args: Any) -> Any:
        """What the function gives."""
        return self._f(*args)


class Sequential(Module):
    """Modules, or functions such as `nn.relu`, one after the other. Parameters are named "0.weight", as PyTorch's."""

    def __init__(self, *layers: Callable[..., Any]) -> None:
        for k, layer in enumerate(layers):
            vars(self)[str(k)] = layer

    def __len__(self) -> int:
        return len(vars(self))

    def __getitem__(self, k: int) -> Any:
        return list(vars(self).values())[k]

    def forward(self, x: Any) -> Any:
        """What the last one gives."""
        for layer in vars(self).values():
            x = layer(x)
        return x
