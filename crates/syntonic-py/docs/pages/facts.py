"""What the engine's tables and its tape say of an operator: types, accuracy, and whether there is a gradient."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from calls import CALLS, Call, operand

import syntonic
from syntonic import State, tree

#: How the table of primitives calls what a primitive accepts and yields.
ACCEPTS = {
    "Any": "every type",
    "Numeric": "every type but bool",
    "Real": "integers and real floats",
    "Float": "real floats; integers and bool become float64",
    "Inexact": "real and complex floats; integers and bool become float64",
    "Integer": "integers",
    "Bits": "bool and integers",
    "Truth": "bool; other types are first compared with zero",
}
YIELDS = {
    "Same": "the operands' common type",
    "Bool": "bool",
    "Real": "the type of the real part",
    "Complex": "the complex type of the operands' precision",
}

#: Where no gradient is looked for: what has effects or makes random numbers, and methods, which are functions once more.
_WITH_EFFECTS = {"State", "cuda", "distributed", "evolve", "random"}


@dataclass(frozen=True)
class Declared:
    """A row of the table of primitives."""

    accepts: str
    yields: str
    ulp: int


def primitives(table: Path) -> dict[str, Declared]:
    """The rows of primitives that `elementwise_table` printed: name, operands, formula, accepts, yields, ulp. Composites end before."""
    rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines())
    return {row[0]: Declared(row[3], row[4], int(row[5])) for row in rows if len(row) == 6}


def types(declared: Declared) -> str:
    """The part of a page on types and accuracy."""
    told = f"Operands: {ACCEPTS[declared.accepts]}. Result: {YIELDS[declared.yields]}."
    if declared.yields == "Bool" or declared.accepts in ("Integer", "Bits", "Truth"):
        return f"## Types\n\n{told}"
    exact = "Floats are rounded exactly." if declared.ulp == 0 else f"Floats are off by at most {declared.ulp} units of the last place."
    return f"## Types and accuracy\n\n{told} {exact} The table of primitives declares this bound, and tests of the CPU and of GPUs hold it."


def gradients() -> dict[str, str]:
    """For each function that the table of calls calls with floats, by its name there: what the tape makes of the call."""
    found: dict[str, str] = {}
    for call in CALLS:
        owner = call.name.partition(".")[0]
        if call.dtype == "float64" and call.given is None and call.name not in found and owner not in _WITH_EFFECTS:
            told = _gradient(call)
            if told:
                found[call.name] = told
    return found


def _gradient(call: Call) -> str | None:
    """One line on the gradient, or None where the call says nothing of it: its result has no floats, or hangs on none of its operands."""

    def total(x: State) -> State:
        try:
            result = call(x, random.Random(0))
        except syntonic.GradientError as error:
            raise _Refused from error
        leaves = [leaf.ravel() for leaf in _states(result) if leaf.dtype.name == "float64"]
        return syntonic.sum(syntonic.concat(leaves)) if leaves else syntonic.asarray(0.0)

    try:
        syntonic.grad(total)(operand(call, 8))
    except _Refused:
        return "None: a {py:exc}`~syntonic.GradientError` where an operand depends on a variable."
    except syntonic.GradientError:
        return None
    return "On the tape: {py:func}`~syntonic.grad`, {py:func}`~syntonic.value_and_grad`, {py:func}`~syntonic.vjp`."


class _Refused(Exception):
    """The operator has no gradient, and says so."""


def _states(result: object) -> list[State]:
    """The States of a result that is one, or a tuple or list of them."""
    try:
        leaves = tree.leaves(result)
    except syntonic.SyntonicError:
        return []
    return [leaf for leaf in leaves if isinstance(leaf, State)]
