"""Random NumPy programs that write in place: slices, overlapping views, masks and positions, in loops, on arrays small and large.

A program is a function of Python's text over `np` and three matrices, of which all is exact: elements are whole numbers over powers of two,
what is summed is rounded to whole numbers, and functions are those of one rounding. So States have to have NumPy's bits, on every device,
and captured as well. `numpy_programs` has programs over all types, whose steps are compared one by one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SIZES = [(5, 7), (7, 7), (12, 9), (40, 50), (50, 50), (110, 96), (100, 100)]
DTYPES = ["float64", "float64", "float32", "int64", "int32"]
NAMES = "ABC"


@dataclass
class Program:
    """The matrices to begin with, and the lines of the function's body."""

    seed: int
    inputs: list[np.ndarray]
    lines: list[str] = field(default_factory=list)
    #: Names that live at the end: the matrices, views, and values that were kept.
    kept: list[str] = field(default_factory=list)

    def text(self) -> str:
        body = "\n".join(f"    {line}" for line in (*self.lines, f"return [{', '.join((*NAMES, *self.kept))}]"))
        return f"def program(np, A, B, C):\n{body}\n"

    def function(self) -> Callable[..., list[Any]]:
        space: dict[str, Any] = {}
        exec(self.text(), space)
        found: Callable[..., list[Any]] = space["program"]
        return found


class Writer:
    """Draws the lines of one program. All that they name has the rows and columns of the matrices, or a part of them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.rows, self.columns = self.rng.choice(SIZES)
        self.dtype = self.rng.choice(DTYPES)
        self.is_float = self.dtype.startswith("float")
        draws = np.random.default_rng(seed)
        inputs = [draws.integers(-9, 10, (self.rows, self.columns)).astype(self.dtype) for _ in NAMES]
        self.made = Program(seed, [x / x.dtype.type(4) if self.is_float else x for x in inputs])
        self.views: list[str] = []
        self.masks: list[str] = []
        # Columns and rows that the parts of this program have.
        self.high, self.wide = max(self.rows - self.rng.randrange(0, 3), 1), max(self.columns - self.rng.randrange(0, 3), 1)

    def of(self, *choices: Any) -> Any:
        return self.rng.choice(choices)

    def name(self) -> str:
        return str(self.rng.choice(NAMES))

    def part(self, of: str | None = None) -> str:
        """A view of `high` rows and `wide` columns."""
        if of is None and self.views and self.rng.random() < 0.3:
            return str(self.rng.choice(self.views))
        of = of or self.name()
        i, j = self.rng.randint(0, self.rows - self.high), self.rng.randint(0, self.columns - self.wide)
        text = f"{of}[{i}:{i + self.high}, {j}:{j + self.wide}]"
        if self.rng.random() < 0.1 and self.rows == self.columns and self.high == self.wide:
            return f"{of}.T[{i}:{i + self.high}, {j}:{j + self.wide}]"
        return text + str(self.of("", "", "", "", "[::-1]", "[:, ::-1]"))

    def number(self) -> str:
        return str(self.of("0.5", "2.0", "-1.0", "0.25", "3.0") if self.is_float else self.of("2", "-1", "3", "5"))

    def operand(self) -> str:
        """What fits beside a part."""
        draw = self.rng.random()
        if draw < 0.7:
            return self.part()
        if draw < 0.85:
            return self.number()
        row, column = self.rng.randrange(self.rows), self.rng.randrange(self.columns)
        return str(self.of(f"{self.name()}[{row}, :{self.wide}]", f"{self.name()}[:{self.high}, {column}:{column + 1}]", f"{self.name()}[{row}, {column}]"))

    def value(self) -> str:
        """An expression of a part's shape."""
        text = self.part()
        for _ in range(self.rng.randint(0, 4)):
            operator = self.of("+", "-", "+", "-", "*")
            text = f"({text} {operator} {self.operand()})"
        if self.rng.random() < 0.25:
            functions = ["np.abs({})", "np.minimum({}, {})", "np.maximum({}, {})", "np.where({} > 0, {}, {})", "np.negative({})", "np.clip({}, -8, 8)"]
            functions += ["np.sqrt(np.abs({}))", "np.floor({})"] if self.is_float else ["({} // 3)", "({} % 5)"]
            shape = self.rng.choice(functions)
            text = shape.format(text, *(self.part() for _ in range(shape.count("{}") - 1)))
        return f"0.5 * {text}" if self.is_float and self.rng.random() < 0.3 else text

    def mask(self) -> str:
        return f"{self.part()} {self.of('>', '<', '>=', '!=')} {self.of('0', '1', self.part())}"

    def assigned(self) -> list[str]:
        to, how = self.part(), self.of("=", "+=", "-=", "*=", "=")
        to = to if to in self.views and how != "=" else to if to.endswith("]") else f"{to}[...]"
        return [f"{to} {how} {self.value() if how != '*=' else self.operand()}"]

    def kept(self) -> list[str]:
        """A value that is read at the end, or a view that is written later."""
        name = f"k{len(self.made.kept)}"
        if self.rng.random() < 0.5:
            view = self.part(self.name())
            self.views.append(name)
            line = f"{name} = {view}"
        else:
            line = f"{name} = {self.of(self.value(), f'{self.name()}[{self.rng.randrange(self.rows)}, {self.rng.randrange(self.columns)}]')}"
        self.made.kept.append(name)
        return [line]

    def masked(self) -> list[str]:
        """One mask for several reads and writes, and a mask that changes between them."""
        name, to, other = f"m{len(self.masks)}", self.part(self.name()), self.part(self.name())
        lines = [f"t = {to}", f"u = {other}", f"{name} = {self.of(self.mask(), f't > {self.number()}')}"]
        body = [f"t[{name}] = {self.of(self.number(), f'u[{name}]', f'u[{name}] * {self.number()} + t[{name}]', f't[{name}] - u[{name}]')}"]
        body += [f"t[{name}] {self.of('+=', '*=', '-=')} {self.of(self.number(), f'u[{name}]')}"]
        body += [f"{name} &= {self.mask()}", f"{name}[{self.rng.randrange(self.high)}] = {self.of(True, False)}", f"u[~{name}] = {self.number()}"]
        body += [f"np.copyto(t, {self.value()}, where={name})", f"t[...] = np.where({name}, {self.value()}, t)"]
        self.masks.append(name)
        if self.rng.random() < 0.3:
            self.made.kept.append(name)
        return lines + self.rng.sample(body, self.rng.randint(1, 3))

    def placed(self) -> list[str]:
        """Rows, columns, elements and lists of places."""
        i, k = (self.rng.randrange(self.rows) for _ in range(2))
        j, q = (self.rng.randrange(self.columns) for _ in range(2))
        n, x, y = self.rng.randint(1, self.columns), self.name(), self.name()
        places = [self.rng.randrange(self.rows) for _ in range(self.rng.randint(1, 5))]
        others = [self.rng.randrange(self.columns) for _ in places]
        return [
            str(
                self.of(
                    f"{x}[{i}] = {y}[{k}]",
                    f"{x}[{i}, :{n}] *= {y}[{k}, :{n}]",
                    f"{x}[{i}, :{n}] -= {x}[{i}, {j}]",
                    f"{x}[:, {j}] = {y}[:, {q}]",
                    f"{x}[{i}, {j}] += {y}[{k}, {q}]",
                    f"{x}[{places}] = {y}[{self.rng.randrange(self.rows)}]",
                    f"{x}[{places}] += {self.number()}",
                    f"{x}[{places}, {others}] = {y}[{places[::-1]}, {others}]",
                    f"np.add.at({x}, {places}, {self.number()})",
                    f"{x}[1:] = {x}[:-1]",
                    f"{x}[:, 1:] -= {x}[:, :-1]",
                    f"{x}[::-1] += {x}",
                    f"{x}.reshape(-1)[::{self.rng.randint(2, 5)}] = {self.number()}",
                    f"{x}[...] = {x}[::-1, ::-1]",
                    f"{x} += {x}.T" if self.rows == self.columns else f"{x} += {y}",
                )
            )
        ]

    def aliased(self) -> list[str]:
        """Reads and writes of the same memory in one statement, by other names, other strides and other functions."""
        x, y = self.name(), self.name()
        i, k = (self.rng.randrange(self.rows) for _ in range(2))
        j, step = self.rng.randrange(self.columns), self.of("2", "-1", "-2", "3")
        t, u = self.part(x), self.part(x)
        swapped = sorted({i, k, 0})
        count = self.rng.randint(1, self.rows)
        lines = [
            f"np.add({t}, {u}, out={self.part(x)})",
            f"np.multiply({t}, {self.number()}, out={u})",
            f"np.subtract({t}, {u}, out={self.part(y)}, where={self.mask()})",
            f"np.copyto({t}, {u})",
            f"{x}[{i}], {x}[{k}] = {x}[{k}], {x}[{i}]",
            f"{x}[{swapped}] = {x}[{swapped[::-1]}]",
            f"{x}[::{step}] = {x}[::-1][::{step}]",
            f"{x}[::{step}, ::-1] += {y}[::{step}]",
            f"{x}[:, ::{step}] *= {self.number()}",
            f"{x}.flat[::{self.rng.randint(2, 7)}] = {self.number()}",
            f"{x}.fill({self.number()})" if self.rng.random() < 0.2 else f"{x}[{i}].fill({self.number()})",
            f"{x}[{i}].sort()",
            f"{x}[:, {j}] = np.sort({x}[:, {j}])[::-1]",
            f"{x}[:{count}] = {x}[-{count}:]",
            f"{x}[{i}] = {x}[:, :][{k}, ::-1]",
            f"r = {x}.reshape(-1)",
            f"np.put({x}, {[i, k, self.rng.randrange(self.rows * self.columns)]}, {self.number()})",
            f"{t}[...] = np.broadcast_to({x}[{i}, :{self.wide}], ({self.high}, {self.wide}))",
            f"{x}[...] = np.roll({x}, {self.rng.randint(-3, 3)}, axis={self.of(0, 1)})",
            f"{x}[{i}] = np.cumsum({x}[{i}] % 2)" if not self.is_float else f"{x}[{i}] = np.floor({x}[{i}]).cumsum() % 8",
            f"{x} = {y}" if self.rng.random() < 0.5 else f"{x} = {y}.copy()",
            f"{x}[{t} > 0] = 1" if self.high == self.rows and self.wide == self.columns else f"{x}[:{self.high}, :{self.wide}][{t} > 0] = 1",
        ]
        if self.rng.random() < 0.15:
            # A refused statement leaves everything as it was.
            wrong = self.of(f"{x}[1:] = {y}", f"{x} += {y}[:, 1:]", f"np.add({x}, {y}, out={x}[1:])", f"{x}[{self.rows}] = 0")
            return ["try:", f"    {wrong}", "except (ValueError, IndexError):", "    pass"]
        if self.rng.random() < 0.1:
            return [f"for row in {self.part(x)}:", f"    row {self.of('*=', '+=')} {self.of(self.number(), f'{y}[{i}, :{self.wide}]')}"]
        if self.rng.random() < 0.1:
            return [f"r = {x}.reshape(-1)", "r[1:] -= r[:-1]"]
        return [str(self.of(*lines))]

    def folded(self) -> list[str]:
        """Sums of whole numbers, and extremes."""
        x, y, i = self.name(), self.name(), self.rng.randrange(self.rows)
        whole = f"np.rint({y})" if self.is_float else y
        lines = [f"{x}[{i}] = {whole}.sum(axis=0) % 16", f"{x} -= {y}.max(axis={self.of(0, 1)}, keepdims=True)", f"{x}[{i}, :] = {y}.min(axis=0)"]
        lines += [f"s = {whole}.sum()", f"{x}[{i}, 0] = {whole}[{i}].sum() % 32", f"np.maximum({x}, {y}, out={x})", f"np.add({x}, {y}, out={self.name()})"]
        return [str(self.of(*lines))]

    def lines(self, depth: int = 0) -> list[str]:
        kind = self.rng.random()
        if kind < 0.12 and not depth:
            count = self.rng.randint(2, 4)
            body = [line for _ in range(self.rng.randint(1, 3)) for line in self.lines(1)]
            return [f"for _ in range({count}):", *(f"    {line}" for line in (*body, *self.smaller()))]
        if kind < 0.4:
            return self.assigned()
        if kind < 0.5 and not depth:
            return self.kept()
        if kind < 0.65:
            return self.masked() if not depth else self.assigned()
        if kind < 0.78:
            return self.placed()
        return self.aliased() if kind < 0.96 else self.folded()

    def smaller(self) -> list[str]:
        """Keeps numbers where they are exact, or far from the ends of their type."""
        if self.is_float:
            return [f"{x}[...] = np.clip({x}, -32.0, 32.0)" for x in NAMES]
        return [f"{x} %= 17" for x in NAMES]


def program(seed: int) -> Program:
    """The program of this seed: some ten lines."""
    writer = Writer(seed)
    for _ in range(writer.rng.randint(3, 9)):
        writer.made.lines += writer.lines()
        if writer.rng.random() < 0.5:
            writer.made.lines += writer.smaller()
    return writer.made


def expected(made: Program) -> list[np.ndarray] | None:
    """What NumPy gives, and after that what it made of the matrices that it was given; nothing where it refuses the program."""
    given = [x.copy() for x in made.inputs]
    with np.errstate(all="ignore"):
        try:
            return [np.array(x) for x in (*made.function()(np, *given), *given)]
        except (ValueError, TypeError):
            return None


def differences(made: Program, want: list[np.ndarray], got: list[Any]) -> list[str]:
    """What is different of the values at the end, in words."""
    wrong = []
    for name, a, b in zip((*NAMES, *made.kept, *(f"the given {name}" for name in NAMES)), want, got, strict=True):
        x = np.asarray(b)
        if x.dtype != a.dtype or x.shape != a.shape:
            wrong.append(f"{name} is {x.dtype}{list(x.shape)}, NumPy's {a.dtype}{list(a.shape)}")
        elif not np.array_equal(a, x, equal_nan=a.dtype.kind == "f"):
            places = np.argwhere((a != x) & ~((a != a) & (x != x)))
            wrong.append(f"{name} differs at {len(places)} places, first {places[0].tolist()}: {x[tuple(places[0])]}, NumPy's {a[tuple(places[0])]}")
    return wrong
