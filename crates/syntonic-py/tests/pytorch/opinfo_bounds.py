"""How far a result may be from PyTorch's: error bounds, each from the formula of the operator.

The reference of floats is PyTorch's own function of the same numbers in double precision. Of float64 it is as good as ours, no better.
"""

from dataclasses import dataclass

import torch

HALVES = (torch.float16, torch.bfloat16)
WIDE = {torch.float16: torch.float64, torch.bfloat16: torch.float64, torch.float32: torch.float64, torch.complex64: torch.complex128}


def mapped(tree, leaf):
    """The tree of lists, tuples and dictionaries with `leaf` put in the place of each leaf."""
    if isinstance(tree, dict):
        return {key: mapped(value, leaf) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)) and not isinstance(tree, torch.Size):
        return type(tree)(mapped(value, leaf) for value in tree) if type(tree) in (list, tuple) else tuple(mapped(v, leaf) for v in tree)
    return leaf(tree)


def leaves(tree):
    found = []
    mapped(tree, found.append)
    return found


def widened(tree):
    """Tensors, and types that are asked for, in double precision."""

    def leaf(value):
        if isinstance(value, torch.Tensor):
            return value.detach().to(WIDE.get(value.dtype, value.dtype), copy=True)
        return WIDE.get(value, value) if isinstance(value, torch.dtype) else value

    return mapped(tree, leaf)


def epsilon(dtype):
    return torch.finfo(dtype).eps


def inner(dtype):
    """The type that is computed in: halves are computed in float32."""
    return torch.float32 if dtype in HALVES else dtype


@dataclass
class Call:
    """One call of an operator: PyTorch's function and its operands in double precision."""

    function: object
    operands: tuple
    options: dict

    def __call__(self, change=lambda value: value):
        return self.function(*mapped(widened(self.operands), change), **mapped(widened(self.options), change))

    def tensors(self):
        return [t for t in leaves((self.operands, self.options)) if isinstance(t, torch.Tensor)]

    def terms(self):
        """No dimension that is reduced has more elements than the largest operand."""
        return max([t.numel() for t in self.tensors()], default=1)

    def magnitudes(self):
        """The result for the magnitudes of all operands: what the terms of its sums come to if nothing cancels."""

        def leaf(value):
            if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
                return value.abs().to(value.dtype)
            return abs(value) if isinstance(value, (float, complex)) else value

        return self(leaf)


class Exact:
    """The same number: what moves, compares, counts, or rounds exactly."""

    def allowed(self, call, place, want, dtype):
        return torch.zeros(want.shape, dtype=torch.float64)


@dataclass
class Ulps:
    """So many units of the last place, in the type that is computed in, and a rounding to the type of the result.

    `roundings` is how many operators of ours the row is made of, for each rounds.
    """

    ulps: float = 4
    roundings: int = 1

    def relative(self, dtype):
        return self.ulps * epsilon(inner(dtype)) + self.roundings * epsilon(dtype) / 2

    def allowed(self, call, place, want, dtype):
        # Below the normal numbers an ulp is the smallest of them.
        return self.relative(dtype) * want.abs() + self.roundings * torch.finfo(dtype).smallest_normal * epsilon(dtype)


@dataclass
class Terms(Ulps):
    """Sums of n terms: n units of the last place of the sum of their magnitudes (Higham, Accuracy and Stability, section 4.2)."""

    def allowed(self, call, place, want, dtype):
        scale = call.magnitudes()
        scale = leaves(scale)[place].abs().to(torch.float64)
        n = call.terms() + self.ulps
        return (n * epsilon(inner(dtype)) + self.roundings * epsilon(dtype)) * scale + torch.finfo(dtype).tiny


@dataclass
class Largest(Ulps):
    """So many units of the last place of the largest number that enters or leaves: sums of a few terms whose parts may cancel."""

    def allowed(self, call, place, want, dtype):
        numbers = [t.abs().to(torch.float64) for t in [*call.tensors(), want] if t.is_floating_point() or t.is_complex()]
        largest = max([float(t[t.isfinite()].max()) for t in numbers if t.isfinite().any()], default=0.0)
        allowed = (self.ulps * epsilon(inner(dtype)) + self.roundings * epsilon(dtype)) * max(largest, 1.0)
        return torch.full(want.shape, allowed, dtype=torch.float64)


@dataclass
class Backward:
    """The result of operands off by `factor * n` units of the last place of the largest of each: what backward stable algorithms give.

    How far that moves the result is tried with a few random perturbations. In a `chain` of operators each rounds to the type of the
    operands, else the last alone does.
    """

    factor: float = 8
    chain: bool = False
    tries: int = 4

    def length(self, call):
        return max([max(t.shape, default=1) for t in call.tensors()], default=1)

    def scale(self, value):
        return value.abs().max()

    def spread(self, apart):
        """The largest change stands for that of every element."""
        return apart.max().expand(apart.shape) if apart.numel() else apart

    def allowed(self, call, place, want, dtype):
        generator = torch.Generator().manual_seed(0)
        unit = epsilon(dtype if self.chain else inner(dtype))

        def moved(value):
            if not (isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())) or value.numel() == 0:
                return value
            change = torch.rand(value.shape, generator=generator, dtype=torch.float64) * 2 - 1
            return value + change.to(value.dtype) * self.scale(value) * unit

        apart = torch.zeros(want.shape, dtype=torch.float64)
        for _ in range(self.tries):
            near = leaves(call(moved))[place]
            apart = torch.maximum(apart, (near - want).abs().nan_to_num(0.0, 0.0))
        largest = self.spread(want.abs().nan_to_num(0.0, 0.0))
        return self.factor * self.length(call) * (self.spread(apart) + unit * largest) + epsilon(dtype) * largest


@dataclass
class Conditioned(Backward):
    """A function of each element, of operands that are off by `factor` units of their own last place."""

    def length(self, call):
        return 1

    def scale(self, value):
        return value.abs()

    def spread(self, apart):
        return apart


class Power(Conditioned):
    """A power, as well as its operands determine it; of complex numbers as e^(w ln z). With u = eps/2 a complex logarithm errs by 4 u of
    its length, a complex product by 3 u of its own, and an exponential by 8 u and by what its operand is off: relative to the
    result, u (7 |w ln z| + 8). PyTorch's in double precision errs as much."""

    def __init__(self, base, exponent):
        super().__init__(4)
        self.base, self.exponent = base, exponent

    def allowed(self, call, place, want, dtype):
        usual = super().allowed(call, place, want, dtype)
        if not dtype.is_complex:
            return usual
        z, w = (torch.as_tensor(call.operands[k]).to(torch.complex128) for k in (self.base, self.exponent))
        turn = torch.nan_to_num((w * torch.log(z)).abs(), posinf=0.0)
        return torch.maximum(usual, 2 * (7 * turn + 8) * (epsilon(dtype) / 2) * torch.nan_to_num(want.abs(), posinf=0.0))
