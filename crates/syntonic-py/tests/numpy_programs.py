"""Random short programs that run over NumPy's arrays and over States alike.

A program is a list of steps over values made before it; each step is a line of Python in which `np` is NumPy for both, or `syntonic.numpy`
for States, so that what is compared is what a NumPy user writes. Every program follows from its seed. `numpy_steps` has the lines.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy_steps import DTYPES, SHAPES, Step, draw

from syntonic import State, rounding

# What a program may refuse, and then is none.
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, np.linalg.LinAlgError)


@dataclass
class Program:
    """Arrays to begin with, and the steps over the values before them, `v[0]`, `v[1]`, ..."""

    seed: int
    inputs: list[np.ndarray]
    steps: list[Step] = field(default_factory=list)

    def run(self, names: Any = np) -> list[State]:
        """The values over States, of which none is read before the last step; `np` is NumPy, or another module with its names."""
        v: list[Any] = [State(a) for a in self.inputs]
        # NumPy stores the result of each step.
        with rounding("each"):
            for step in self.steps:
                take(step, v, names)
        return v

    def text(self) -> str:
        """The program as one can run it."""
        lines, count = [f"v[{k}] = {a!r}" for k, a in enumerate(self.inputs)], len(self.inputs)
        for step in self.steps:
            lines.append(step.text if step.changes else f"v[{count}] = {step.text}")
            count += not step.changes
        return "\n".join([f"seed {self.seed}", *lines])


def take(step: Step, v: list[Any], names: Any = np) -> None:
    """Runs a step over the values, of which it makes one more or changes one."""
    if step.changes:
        exec(step.text, {"np": names, "v": v})
        return
    value = eval(step.text, {"np": names, "v": v})
    # An element of an array is a number in NumPy. Here it is a view, which a later assignment would change.
    step.is_number |= isinstance(value, np.generic)
    if step.is_number:
        value = value.copy() if type(value) is State else np.array(value)
    if isinstance(value, np.ndarray) and not any(np.may_share_memory(value, x) for x in v):
        # The order of new memory follows the operands in NumPy, is row-major here, and decides whether `ravel` copies.
        value = value.copy(order="C")
    v.append(value)


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
        # Exact eighths, or numbers with all their digits; in half of the arrays half of the numbers are special.
        eighths, special = rng.random() < 0.5, rng.random() < 0.5
        values = [rng.randrange(-16, 17) / 8 if eighths else rng.gauss(0, 1) for _ in range(count)]
        values = [rng.choice([x, x, x, float("nan"), float("inf"), -0.0]) if special else x for x in values]
    return np.array(values, dtype).reshape(shape)


def program(seed: int) -> Program:
    """The program of this seed: some arrays and up to eight steps."""
    rng = random.Random(seed)
    made = Program(seed, [_array(rng) for _ in range(rng.randrange(1, 4))])
    v: list[Any] = [a.copy() for a in made.inputs]
    wanted, tries = rng.randrange(1, 9), 0
    while len(made.steps) < wanted and tries < 60:
        tries += 1
        step = draw(rng, v)
        if step is None:
            continue
        before = [x.copy() for x in v]
        with np.errstate(all="ignore"):
            try:
                take(step, v)
            except REFUSALS:
                # An assignment may have got half way.
                for x, old in zip(v, before, strict=True):
                    if isinstance(x, np.ndarray) and x.flags.writeable:
                        x[...] = old
                continue
        if step.changes or isinstance(v[-1], np.ndarray) and v[-1].size <= 2000 and v[-1].dtype.name in DTYPES:
            made.steps.append(step)
        else:
            v.pop()
    return made


EPS = {"float16": 2.0**-10, "float32": 2.0**-23, "complex64": 2.0**-23}
SMALLEST = {"float16": 2.0**-24, "float32": 2.0**-149, "complex64": 2.0**-149}


def _sizes(x: np.ndarray) -> np.ndarray:
    """The sizes of the numbers, with nothing for those that are none."""
    return np.where(np.isfinite(x), np.abs(x.astype(np.complex128)), 0.0)


def _error(step: Step, before: list[Any], want: np.ndarray) -> Any:
    """By how much floats may differ after a step: each side errs by some roundings of what it adds up."""
    eps, smallest = EPS.get(want.dtype.name, 2.0**-52), SMALLEST.get(want.dtype.name, 5e-324)
    # Both sides have functions of at most 4 ulp.
    close = 8 * eps * _sizes(want) + 2 * smallest
    if step.bound == "same":
        return 0.0
    used = [np.asarray(x) for k, x in enumerate(before) if f"v[{k}]" in step.text and x.size]
    if want.dtype.kind == "c" and ("**" in step.text or "power" in step.text):
        # a^b is e^(b ln a), and NumPy rounds b ln a to the type.
        most = max([2.0, *(float(_sizes(x).max()) for x in used)])
        close = close * (1 + most * (np.log(most) + np.pi))
    if step.bound in ("ulp", "near"):
        return close if step.bound == "ulp" else np.maximum(close, 8 * eps)
    n = max([8, *(x.size for x in used)])
    scale = max([1.0, *(float(_sizes(x).max()) for x in used)])
    if step.bound == "spread":
        variance = 4 * n * eps * scale**2
        return np.minimum(variance / np.maximum(_sizes(want), 1e-300), variance**0.5) if "std(" in step.text else variance
    if step.bound == "loose":
        # NumPy computes the parts of a wider result in the type of its operands.
        eps = max([eps, *(EPS.get(x.dtype.name, 0.0) for x in used)])
        return 4 * n * eps * scale
    # The sum of the sizes of the terms: the same step over sizes.
    try:
        terms = [np.abs(x).astype(np.float64) if x.dtype.kind in "fc" else np.abs(x) if x.dtype.kind != "b" else x.copy() for x in before]
        take(step, terms)
        terms = np.asarray(terms[int(step.changes[2:-1])] if step.changes else terms[-1])
        if terms.shape == want.shape:
            return 2 * n * eps * _sizes(terms) + close
    except REFUSALS:
        pass
    return 2 * n * eps * scale**2 * n


def _differs(ours: Any, want: Any, error: Any) -> str:
    """What is different of one value, in words; nothing where it is the same."""
    want = np.asarray(want)
    if type(ours) is not State:
        return f"is of type {type(ours).__name__}"
    if ours.shape != want.shape or ours.dtype != want.dtype:
        return f"is {ours.dtype}{list(ours.shape)}, NumPy's {want.dtype}{list(want.shape)}"
    got = ours.numpy()
    same = got == want
    if want.dtype.kind in "fc":
        with np.errstate(all="ignore"):
            same |= (np.isnan(got) & np.isnan(want)) | (np.isfinite(want) & (np.abs(got.astype(np.complex128) - want) <= error))
    return "" if same.all() else f"is {got.tolist()}, NumPy's {want.tolist()}"


def _follow(theirs: list[Any], ours: list[Any]) -> None:
    """Gives NumPy's values the bits of ours, so that the next step begins with the same numbers."""
    for x, y in zip(theirs, ours, strict=True):
        if x.flags.writeable:
            x[...] = y.numpy()


def differences(made: Program, names: Any = np) -> list[str]:
    """What is different over States, in words; nothing where all is the same.

    Each step is compared with what NumPy makes of the numbers that the step before it gave, so that no error of floats grows along a
    program. Then the whole program runs once more and is read at its end, which has to give the same bits.
    """
    theirs: list[Any] = [a.copy() for a in made.inputs]
    ours: list[Any] = [State(a) for a in made.inputs]
    with np.errstate(all="ignore"):
        for step in made.steps:
            before = [x.copy() for x in theirs]
            try:
                take(step, theirs)
            except REFUSALS:
                # The last bits of a number before it decide over this step.
                return []
            try:
                take(step, ours, names)
                changed = range(len(ours)) if step.changes else [len(ours) - 1]
                for k in changed:
                    wrong = _differs(ours[k], theirs[k], _error(step, before, np.asarray(theirs[k])))
                    if wrong:
                        return [f"{step.text}: v[{k}] {wrong}"]
            except Exception as error:
                return [f"{step.text}: {type(error).__name__}: {error}"]
            _follow(theirs, ours)
        later = made.run(names)
    wrong = [(k, _differs(x, y.numpy(), 0.0)) for k, (x, y) in enumerate(zip(later, ours, strict=True))]
    return [f"read at the end: v[{k}] {text}" for k, text in wrong if text]
