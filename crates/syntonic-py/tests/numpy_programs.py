"""Random short programs that run over NumPy's arrays and over States alike.

A program is a list of steps over values made before it; each step is a line of Python in which `np` is NumPy for both, so that what is
compared is what a NumPy user writes. Every program follows from its seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from syntonic import State

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float16", "float32", "float64", "complex64", "complex128")
FLOATS = ("float32", "float64")
SHAPES: list[tuple[int, ...]] = [(), (1,), (3,), (4, 3), (2, 3, 4), (3, 1), (1, 4), (2, 2), (0, 3), (5,)]

UNARY = "np.abs np.negative np.square np.sign np.floor np.ceil np.trunc np.isnan np.isfinite np.isinf np.logical_not np.conj np.real np.imag".split()
SMOOTH = "np.exp np.sin np.cos np.tanh np.arctan np.expm1 np.sqrt np.log1p np.exp2 np.arcsinh".split()
BINARY = "np.add np.subtract np.multiply np.maximum np.minimum np.equal np.not_equal np.less np.greater_equal np.logical_and np.logical_xor".split()
REAL_BINARY = "np.true_divide np.hypot np.arctan2 np.copysign np.fmin np.logaddexp".split()
WHOLE = "np.bitwise_and np.bitwise_or np.bitwise_xor".split()
REDUCE = "sum prod max min any all mean".split()
OWN = "np.cbrt np.deg2rad np.nan_to_num np.fabs".split()


@dataclass
class Program:
    """Arrays to begin with, and the steps: each is the text of an expression over the values before it, `v[0]`, `v[1]`, ..."""

    seed: int
    inputs: list[np.ndarray]
    steps: list[str] = field(default_factory=list)

    def run(self, states: bool) -> list[Any]:
        """The values of all inputs and steps."""
        v: list[Any] = [State(a) if states else a.copy() for a in self.inputs]
        for step in self.steps:
            v.append(eval(step, {"np": np, "v": v}))
        return v

    def text(self) -> str:
        """The program as one can run it."""
        inputs = [f"v[{k}] = {a!r}" for k, a in enumerate(self.inputs)]
        return "\n".join([f"seed {self.seed}", *inputs, *(f"v[{k + len(inputs)}] = {step}" for k, step in enumerate(self.steps))])


def _array(rng: random.Random) -> np.ndarray:
    dtype, shape = rng.choice(DTYPES), rng.choice(SHAPES)
    count = int(np.prod(shape))
    if dtype == "bool":
        values: list[Any] = [rng.random() < 0.5 for _ in range(count)]
    elif dtype.startswith(("int", "uint")):
        values = [rng.randrange(0, 6) - (3 if dtype.startswith("int") else 0) for _ in range(count)]
    elif dtype.startswith("complex"):
        values = [complex(rng.randrange(-8, 9) / 4, rng.randrange(-8, 9) / 4) for _ in range(count)]
    else:
        values = [rng.choice([rng.randrange(-16, 17) / 8, rng.randrange(-16, 17) / 8, rng.randrange(-16, 17) / 8, float("nan"), float("inf"), -0.0]) for _ in range(count)]
    return np.array(values, dtype).reshape(shape)


def _mixes(a: Any, b: Any) -> bool:
    """True for an integer beside a float or complex number: NumPy widens the float there, and the Array API, which says nothing, here not."""
    kinds = {np.asarray(a).dtype.kind, np.asarray(b).dtype.kind}
    return bool(kinds & set("iu")) and bool(kinds & set("fc"))


def _step(rng: random.Random, v: list[Any]) -> str | None:
    """One more expression over the values, or none where the dice gave nothing that both can say."""
    k = rng.randrange(len(v))
    x, name = v[k], f"v[{k}]"
    kind = x.dtype.kind
    axis = rng.randrange(-x.ndim, x.ndim) if x.ndim else None
    match rng.randrange(22):
        case 0:
            return f"{rng.choice(UNARY)}({name})"
        case 1 if kind in "f":
            return f"{rng.choice(SMOOTH)}({name})" if x.dtype.name in FLOATS else None
        case 2 | 3 | 4:
            j = rng.randrange(len(v))
            return None if _mixes(x, v[j]) else f"{rng.choice(BINARY)}({name}, v[{j}])"
        case 5:
            j = rng.randrange(len(v))
            same = x.dtype == v[j].dtype and x.dtype.name in FLOATS
            return f"{rng.choice(REAL_BINARY)}({name}, v[{j}])" if same else None
        case 6:
            j = rng.randrange(len(v))
            both = kind in "biu" and v[j].dtype.kind in "biu"
            return f"{rng.choice(WHOLE)}({name}, v[{j}])" if both else None
        case 7 | 8:
            number = rng.choice(["2", "-1", "0.5", "True", "np.float32(1.5)", "np.float64(0.25)", "np.int8(3)"])
            if _mixes(x, eval(number, {"np": np})) and "np." in number:
                return None
            if kind in "iub" and "." in number and x.dtype.itemsize < 8 and "np." not in number:
                return None
            return f"{name} {rng.choice(['+', '*', '-'])} {number}"
        case 9 | 10:
            reduce = rng.choice(REDUCE)
            if x.dtype.name == "float16" or kind == "c" and reduce in ("max", "min"):
                return None
            # Which parts of a complex product with an infinity are NaN depends on the order of its factors.
            if kind == "c" and reduce == "prod" and not np.isfinite(x).all():
                return None
            where = rng.choice(["", f", axis={axis}", f", axis={axis}, keepdims=True"])
            return rng.choice([f"np.{reduce}({name}{where})", f"{name}.{reduce}({where[2:]})"])
        case 11:
            return f"{name}.astype('{rng.choice(DTYPES)}')" if _castable(x) else None
        case 12 if x.ndim:
            low, high, by = rng.randrange(-4, 4), rng.randrange(-4, 6), rng.choice([1, 2, -1, -2])
            return rng.choice([f"{name}[{low}:{high}:{by}]", f"{name}[..., {low}:{high}]", f"{name}[None, ::{by}]", f"{name}[::-1]"])
        case 13 if x.ndim and x.shape[0]:
            at = [rng.randrange(-x.shape[0], x.shape[0]) for _ in range(rng.randrange(1, 4))]
            return rng.choice([f"{name}[{at}]", f"{name}[{at[0]}]", f"np.take({name}, {at}, axis=0)", f"{name}[{name} != {name}]"])
        case 14 if x.size:
            return rng.choice([f"{name}.reshape(-1)", f"np.reshape({name}, (-1, 1))", f"{name}.ravel(order='F')", f"{name}.T", f"np.transpose({name})"])
        case 15 if x.ndim:
            return rng.choice([f"np.flip({name})", f"np.roll({name}, 1, axis={axis})", f"np.tile({name}, 2)", f"np.repeat({name}, 2, axis={axis})", f"np.expand_dims({name}, {axis})"])
        case 16 if x.ndim and kind not in "c":
            return rng.choice([f"np.sort({name}, axis={axis})", f"np.argsort({name}, axis={axis}, kind='stable')", f"np.unique({name})"])
        case 17 if x.ndim and kind not in "b":
            return rng.choice([f"np.concatenate([{name}, {name}], axis={axis})", f"np.stack([{name}, {name}])", f"np.diff({name}, axis={axis})"]) if x.shape[axis or 0] else None
        case 18 if kind in "fiu" and x.dtype.itemsize > 2:
            return rng.choice([f"np.clip({name}, 0, 2)", f"np.where({name} > 0, {name}, 0)", f"np.cumsum({name}, axis={axis})", f"{name}.round()"])
        case 19 if x.dtype.name in FLOATS:
            return f"{rng.choice(OWN)}({name})"
        # A product with an infinity or NaN in it depends on the order of its sums.
        case 20 if x.ndim == 2 and kind in "fc" and x.dtype.itemsize > 2 and np.isfinite(x).all():
            return rng.choice([f"{name} @ {name}.T", f"np.dot({name}, {name}.T)", f"np.einsum('ij,kj->i', {name}, {name})"])
        case 21 if x.size and x.ndim and kind in "fiub":
            return rng.choice([f"np.argmax({name})", f"{name}.argmin(axis={axis})", f"np.count_nonzero({name})", f"np.nonzero({name})[0]"])
    return None


def _castable(x: np.ndarray) -> bool:
    """Whether each type holds the values, so that a conversion means one thing."""
    if x.dtype.kind == "c":
        return False
    return bool(np.all(np.isfinite(x)) and np.all(np.abs(x.astype(np.float64)) < 100) and np.all(x >= 0))


def program(seed: int) -> Program:
    """The program of this seed: some arrays and up to eight steps."""
    rng = random.Random(seed)
    made = Program(seed, [_array(rng) for _ in range(rng.randrange(1, 4))])
    v: list[Any] = list(made.inputs)
    wanted, tries = rng.randrange(1, 9), 0
    while len(made.steps) < wanted and tries < 60:
        tries += 1
        step = _step(rng, v)
        if step is None:
            continue
        with np.errstate(all="ignore"):
            try:
                value = eval(step, {"np": np, "v": v})
            except (TypeError, ValueError, IndexError, OverflowError):
                continue
        if not isinstance(value, (np.ndarray, np.generic)) or np.asarray(value).size > 2000:
            continue
        made.steps.append(step)
        v.append(value)
    return made


def differences(made: Program) -> list[str]:
    """What is different over States, in words; nothing where all is the same.

    Whole numbers, truth values and shapes are the same. Floats may differ by what the functions and the orders of sums allow: some units of
    the last place, which the steps after them carry on.
    """
    with np.errstate(all="ignore"):
        want = made.run(False)
        try:
            got = made.run(True)
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]
    wrong, unit = [], 0.0
    for k, (ours, theirs) in enumerate(zip(got, want, strict=True)):
        theirs = np.asarray(theirs)
        if type(ours) is not State:
            wrong.append(f"v[{k}] is of type {type(ours).__name__}")
            continue
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            wrong.append(f"v[{k}] is {ours.dtype}{list(ours.shape)}, NumPy's {theirs.dtype}{list(theirs.shape)}")
            continue
        if theirs.dtype.kind in "fc":
            # What was computed in a narrow type stays as exact as that.
            unit = max(unit, {"float16": 2e-3, "float32": 4e-6, "complex64": 4e-6}.get(theirs.dtype.name, 1e-12))
            finite = theirs[np.isfinite(theirs)]
            scale = float(np.abs(finite).max()) if finite.size else 0.0
            same = np.allclose(ours.numpy(), theirs, rtol=unit, atol=unit * scale, equal_nan=True)
        else:
            same = np.array_equal(ours.numpy(), theirs)
        if not same:
            wrong.append(f"v[{k}] is {ours.tolist()}, NumPy's {theirs.tolist()}")
    return wrong
