"""The steps of random NumPy programs: lines that a NumPy user writes, each with what bounds the error of a step.

A step is drawn by dice over the values before it. A line that is an expression makes one more value; a statement changes one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

FLOATS = ("float16", "float32", "float64")
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", *FLOATS, "complex64", "complex128")
SHAPES: list[tuple[int, ...]] = [(), (1,), (3,), (4, 3), (2, 3, 4), (3, 1), (1, 4), (2, 2), (0, 3), (5,), (3, 3)]

# Of one rounding, or of none: the same bits.
SAME = "np.abs np.negative np.positive np.sign np.floor np.ceil np.trunc np.rint np.isnan np.isfinite np.isinf np.logical_not np.conj np.real np.imag".split()
SAME_REAL = "np.signbit np.fabs np.nan_to_num np.isneginf np.isposinf np.spacing".split()
SMOOTH = "exp sin cos tan sinh cosh tanh arctan arcsinh expm1 sqrt log1p exp2 log log2 log10 cbrt arcsin arccos arctanh arccosh deg2rad rad2deg".split()
COMPLEX = "exp sin cos tanh sqrt log square".split()
BINARY = "add subtract multiply maximum minimum fmax fmin equal not_equal less greater less_equal greater_equal logical_and logical_or logical_xor".split()
REAL_BINARY = "copysign fmod remainder floor_divide nextafter heaviside".split()
ROUNDED = "true_divide hypot arctan2 logaddexp logaddexp2 power float_power".split()
WHOLE = "bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm floor_divide remainder".split()
NUMBERS = ["2", "-1", "0", "0.5", "True", "1j", "np.float16(0.5)", "np.float32(1.5)", "np.float64(0.25)", "np.int8(3)", "np.int64(2)", "np.uint8(1)", "np.bool_(True)"]
NUMBERS += ["np.complex64(1j)", "np.float64('nan')"]


class NothingFits(Exception):
    """No value before this step is of the kind that it takes."""


@dataclass
class Step:
    """A line, and what bounds its error: "same" bits, "ulp" of each number, "near" for one of 1, "sum" of terms, "spread" of
    squares, "loose" by the size of its operands."""

    text: str
    bound: str = "same"
    # The value that a statement changes; it makes none.
    changes: str = ""
    # Whether NumPy's value is a number, no array.
    is_number: bool = False


@dataclass
class Dice:
    """What a step is drawn from: chance, and the values before it."""

    rng: random.Random
    v: list[Any]

    def one(self, *choices: Any) -> Any:
        return self.rng.choice(choices)

    def of(self, choices: Any) -> Any:
        return self.rng.choice(list(choices))

    def value(self, kinds: str = "biufc", test: Callable[[Any], bool] = lambda x: True) -> tuple[str, Any]:
        """A value of these kinds, by name."""
        fits = [k for k, x in enumerate(self.v) if x.dtype.kind in kinds and test(x)]
        if not fits:
            raise NothingFits
        k = self.rng.choice(fits)
        return f"v[{k}]", self.v[k]

    def array(self, kinds: str = "biufc", ndim: int = 1, test: Callable[[Any], bool] = lambda x: True) -> tuple[str, Any]:
        """A value that is no number, with elements and so many axes or more."""
        return self.value(kinds, lambda x: x.ndim >= ndim and x.size > 0 and test(x))

    def like(self, x: Any, kinds: str = "biufc") -> tuple[str, Any]:
        """A value that can be joined with `x` without the float growing for the integer's sake, as `mixes` says."""
        return self.value(kinds, lambda y: not mixes(x, y))

    def axis(self, x: Any) -> int:
        return self.rng.randrange(-x.ndim, x.ndim)

    def index(self, x: Any) -> str:
        """What stands between the brackets."""
        if not x.ndim:
            return self.one("...", "()", "None", "..., None")
        n, rng = x.shape[0], self.rng
        low, high, by = rng.randrange(-4, 4), rng.randrange(-4, 6), rng.choice([1, 2, -1, -2])
        at = [rng.randrange(-n, n) for _ in range(rng.randrange(1, 4))]
        some = [f"{low}:{high}:{by}", f"..., {low}:{high}", f"None, ::{by}", "::-1", "...", f"{at[0]}", f"{at}", f"np.array({at})", f"[{at}, {at}]"]
        some += [f"np.array({[k % 2 == 0 for k in range(n)]})", f"{[k != 1 for k in range(n)]}", "..., None"]
        if x.ndim > 1:
            m = x.shape[1]
            other = [rng.randrange(-m, m) for _ in at]
            some += [f":, {other[0]}", f"{at}, {other}", f"{at}, ::-1", f":, {other}", f"{at[0]}, {other[0]}", f"{low}:{high}, {other}", f"np.ix_({at}, {other})"]
            some += [f"..., {at if x.shape[-1] >= n else [0]}", f"None, {at}, None, 1:", f"1:, {[k % 2 == 1 for k in range(m)]}"]
        return rng.choice(some)

    def number(self, x: Any) -> str:
        """A scalar of Python's or NumPy's that does not mix with `x`."""
        fits = [n for n in NUMBERS if not mixes(x, eval(n, {"np": np}))]
        return self.rng.choice(fits)


def mixes(a: Any, b: Any) -> bool:
    """True for an integer beside a float or complex number: NumPy widens the float there, and the Array API, which says nothing, here not."""
    if not all(isinstance(x, (np.ndarray, np.generic)) for x in (a, b)):
        # Python's numbers take the array's type, or the default type of their kind.
        return False
    kinds = {a.dtype.kind, b.dtype.kind}
    return bool(kinds & set("iu")) and bool(kinds & set("fc"))


def undefined(by: str, a: Any, b: Any) -> None:
    """Leaves what is not the same on purpose.

    Complex numbers have no order. The whole part of infinity / x is infinite, and so is (-infinity)^0.5, which NumPy takes as a root. Truth
    values to the power of a number are those of the number's type, in NumPy at times `int8`. A complex number divided by 0 is
    infinite, with the signs of the standard of C.
    """
    a, b = np.asarray(a), np.asarray(b)
    by, is_complex = by.removesuffix("="), np.result_type(a, b).kind == "c"
    left = {"<": is_complex, ">": is_complex, "/": is_complex and not (finite(a) and finite(b) and b.all())}
    left |= {"//": not finite(a), "**": not finite(a) or a.dtype.kind == "b"}
    if left.get(by):
        raise NothingFits


STEPS: list[tuple[int, Callable[[Dice], Step]]] = []


def step(weight: int = 1) -> Callable[[Callable[[Dice], Step]], Callable[[Dice], Step]]:
    """Puts a kind of step among those that are drawn, so many times."""

    def put(draw: Callable[[Dice], Step]) -> Callable[[Dice], Step]:
        STEPS.append((weight, draw))
        return draw

    return put


def finite(x: Any) -> bool:
    return bool(np.isfinite(x).all())


def moderate(x: Any) -> bool:
    """Of no infinity, no NaN and no size whose products leave the range of the type."""
    return finite(x) and (not x.size or float(np.abs(x.astype(np.complex128)).max()) < 60)


def castable(x: Any) -> bool:
    """Whether each type holds the values, so that a conversion means one thing."""
    return x.dtype.kind != "c" and moderate(x) and bool(np.all(x >= 0))


# One value.


@step(3)
def _same(d: Dice) -> Step:
    name, x = d.value()
    functions = SAME + (SAME_REAL if x.dtype.kind == "f" else []) + (["np.invert", "np.bitwise_count"] if x.dtype.kind in "iu" else [])
    # The size of a complex number is a root.
    f = d.of(functions)
    return Step(f"{f}({name})", "ulp" if x.dtype.kind == "c" and f in ("np.abs", "np.sign") else "same")


@step(3)
def _smooth(d: Dice) -> Step:
    # NumPy takes short integers to short floats, the Array API says nothing of them.
    name, x = d.value("f") if d.rng.random() < 0.8 else d.value("iu", lambda x: x.dtype.itemsize >= 4)
    return Step(f"np.{d.of(SMOOTH)}({name})", "ulp")


@step()
def _of_complex(d: Dice) -> Step:
    name, x = d.value("c", moderate)
    return Step(f"np.{d.of(COMPLEX)}({name})", "ulp")


@step(2)
def _cast(d: Dice) -> Step:
    name, x = d.value("biuf", castable)
    to = d.of(DTYPES)
    return Step(d.one(f"{name}.astype('{to}')", f"{name}.astype(np.{to}_)" if to == "bool" else f"{name}.astype(np.{to})", f"np.astype({name}, '{to}')"))


@step()
def _rounded(d: Dice) -> Step:
    name, x = d.value("fiu", moderate)
    return Step(d.one(f"{name}.round()", f"np.round({name}, 1)", f"np.around({name}, decimals=2)", f"np.fix({name})"), "ulp")


@step()
def _parts(d: Dice) -> Step:
    name, x = d.value()
    return Step(d.one(f"{name}.real", f"{name}.imag", f"{name}.copy()", f"{name}.flatten()", f"np.iscomplex({name})", f"np.isreal({name})"))


# Two values.


@step(5)
def _binary(d: Dice) -> Step:
    name, x = d.value()
    other, y = d.like(x)
    f = d.of(BINARY)
    if "c" in x.dtype.kind + y.dtype.kind and f in ("maximum", "minimum", "fmax", "fmin", "less", "greater", "less_equal", "greater_equal"):
        raise NothingFits
    return Step(f"np.{f}({name}, {other})", "ulp" if "c" in (x.dtype.kind, y.dtype.kind) else "same")


@step(3)
def _float_binary(d: Dice) -> Step:
    name, x = d.value("f")
    other, y = d.value("f", lambda y: y.dtype == x.dtype)
    f = d.of(REAL_BINARY + ROUNDED)
    undefined({"floor_divide": "//", "power": "**", "float_power": "**"}.get(f, ""), x, y)
    return Step(f"np.{f}({name}, {other})", "near" if "logadd" in f else "ulp" if f in ROUNDED else "same")


@step(2)
def _whole(d: Dice) -> Step:
    name, x = d.value("biu")
    other, y = d.value("biu")
    return Step(f"np.{d.of(WHOLE)}({name}, {other})")


@step(4)
def _operator(d: Dice) -> Step:
    name, x = d.value()
    other, y = d.like(x)
    by = d.one("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">")
    undefined(by, x, y)
    return Step(f"{name} {by} {other}", "ulp" if by in ("/", "**", "*", "+", "-") else "same")


@step(6)
def _number(d: Dice) -> Step:
    name, x = d.value()
    number = d.number(x)
    by = d.one("+", "-", "*", "/", "//", "%", "**", "==", "<", ">", "&", "|", "<<")
    left, right = d.one((name, number), (number, name))
    undefined(by, *(eval(text, {"np": np, "v": d.v}) for text in (left, right)))
    return Step(f"{left} {by} {right}", "ulp" if by in ("/", "**", "*", "+", "-") else "same")


@step(2)
def _call_of_number(d: Dice) -> Step:
    name, x = d.value()
    f, number = d.one("add", "multiply", "maximum", "minimum", "power", "true_divide", "equal"), d.number(x)
    undefined({"power": "**", "maximum": "<", "minimum": "<", "true_divide": "/"}.get(f, ""), x, eval(number, {"np": np}))
    return Step(f"np.{f}({name}, {number})", "ulp")


@step(2)
def _choice(d: Dice) -> Step:
    name, x = d.value()
    other, y = d.like(x)
    mask, _ = d.value("b")
    return Step(d.one(f"np.where({mask}, {name}, {other})", f"np.where({mask}, {name}, {d.number(x)})" if x.dtype.kind != "u" else f"np.where({mask}, {name}, 3)", f"np.where({name} != 0, {name}, 1)"))


@step(2)
def _clip(d: Dice) -> Step:
    name, x = d.value("fiu")
    return Step(d.one(f"np.clip({name}, 0, 2)", f"{name}.clip(1)", f"np.clip({name}, None, 1)", f"{name}.clip(max=2)", f"np.clip({name}, {name}, 3)", f"np.clip({name}, max=1)"))


@step()
def _close(d: Dice) -> Step:
    name, x = d.value("fiuc")
    return Step(d.one(f"np.isclose({name}, {name}, equal_nan=True)", f"np.isclose({name}, {d.number(x)})", f"np.nan_to_num({name}, nan=1.0, posinf=2.0)" if x.dtype.kind == "f" else f"np.isin({name}, [1, 2])"))


# Along axes.


def _where(d: Dice, x: Any) -> str:
    axis = d.axis(x) if x.ndim else None
    some = ["", f"axis={axis}", f"axis={axis}, keepdims=True", "keepdims=True", "axis=None"]
    if x.ndim > 1:
        some += ["axis=(0, 1)", "axis=(-1, 0), keepdims=True"]
    return d.of(some)


@step(5)
def _reduced(d: Dice) -> Step:
    name, x = d.value()
    f = d.one("sum", "max", "min", "any", "all", "mean")
    if x.dtype.kind == "c" and (f in ("max", "min") or not finite(x)):
        raise NothingFits
    where = _where(d, x)
    bound = "sum" if f in ("sum", "mean") else "same"
    return Step(d.one(f"np.{f}({name}{', ' if where else ''}{where})", f"{name}.{f}({where})"), bound)


@step(2)
def _product(d: Dice) -> Step:
    # Which parts of a complex product with an infinity are NaN depends on the order of its factors.
    name, x = d.value(test=lambda x: moderate(x) and x.size < 13)
    return Step(f"{name}.prod({_where(d, x)})", "sum")


@step(2)
def _reduced_as(d: Dice) -> Step:
    name, x = d.value("biuf", lambda x: moderate(x) and x.size > 0)
    f, to = d.one("sum", "prod", "cumsum", "mean"), d.one("int64", "float32", "float64", "complex128")
    if x.dtype.kind == "f" and to == "int64":
        raise NothingFits
    return Step(d.one(f"np.{f}({name}, dtype='{to}')", f"{name}.{f}(dtype=np.{to})"), "sum")


@step(2)
def _reduced_of_some(d: Dice) -> Step:
    name, x = d.array("biuf")
    mask = f"{name} > 0"
    return Step(
        d.one(
            f"np.sum({name}, where={mask})",
            f"np.max({name}, where={mask}, initial=0)" if x.dtype.kind != "b" else f"np.any({name}, where={mask})",
            f"np.sum({name}, axis=0, initial=2)",
            f"{name}.sum(where={mask}, axis=-1)",
            f"np.count_nonzero({name}, axis=0, keepdims=True)",
        ),
        "sum",
    )


@step(3)
def _spread(d: Dice) -> Step:
    name, x = d.array("biufc", test=moderate)
    f, where = d.one("var", "std"), _where(d, x)
    more = d.one("", "ddof=1", "ddof=0", "correction=1")
    options = ", ".join(o for o in (where, more) if o)
    return Step(d.one(f"np.{f}({name}{', ' if options else ''}{options})", f"{name}.{f}({options.replace('correction=1', 'ddof=1')})"), "spread")


@step(3)
def _running(d: Dice) -> Step:
    name, x = d.array("biuf", test=moderate)
    f, axis = d.one("cumsum", "cumprod"), d.axis(x)
    if f == "cumprod" and x.size > 16:
        raise NothingFits
    return Step(d.one(f"np.{f}({name}, axis={axis})", f"{name}.{f}()", f"np.{f}({name})", f"{name}.{f}(axis={axis}, dtype='float64')", f"np.nan{f}({name}, axis={axis})"), "sum")


@step()
def _standard(d: Dice) -> Step:
    name, x = d.array("biuf", test=moderate)
    return Step(
        d.one(f"np.cumulative_sum({name}.ravel(), include_initial=True)", f"np.cumulative_prod({name}[..., :3].ravel()[:9])", f"np.cumulative_sum({name}, axis={d.axis(x)})"), "sum"
    )


@step(2)
def _order(d: Dice) -> Step:
    name, x = d.array("biuf")
    axis = d.axis(x)
    return Step(
        d.one(
            f"np.sort({name}, axis={axis})",
            f"np.argsort({name}, axis={axis}, kind='stable')",
            f"np.sort({name}, axis=None)",
            f"np.unique({name})",
            f"np.unique({name}, return_counts=True)[1]",
            f"np.unique({name}, return_inverse=True)[1]",
            f"np.unique({name}, return_index=True)[1]",
            f"{name}.argsort(axis={axis}, stable=True)",
            f"np.partition({name}, 0, axis={axis})[..., :0]",
            f"np.lexsort({name})" if x.ndim == 2 else f"np.sort({name}, stable=True)",
            f"np.take_along_axis({name}, np.argsort({name}, axis={axis}, kind='stable'), axis={axis})",
        )
    )


@step(2)
def _found(d: Dice) -> Step:
    name, x = d.array("biuf")
    axis = d.axis(x)
    return Step(
        d.one(
            f"np.argmax({name})",
            f"{name}.argmin(axis={axis})",
            f"np.argmax({name}, axis={axis}, keepdims=True)",
            f"np.count_nonzero({name})",
            f"np.nonzero({name})[0]",
            f"np.flatnonzero({name})",
            f"np.argwhere({name})",
            f"np.searchsorted(np.sort({name}.ravel()), {name})",
            f"np.searchsorted(np.sort({name}, axis=None), {name}, side='right')",
            f"np.digitize({name}, [-1.0, 0.5, 2.0])",
        )
    )


@step(2)
def _middle(d: Dice) -> Step:
    name, x = d.array("fiu", test=moderate)
    axis = d.axis(x)
    return Step(
        d.one(
            f"np.median({name}, axis={axis})",
            f"np.quantile({name}, 0.3)",
            f"np.percentile({name}, [10, 60], axis={axis})",
            f"np.ptp({name}, axis={axis})",
            f"np.average({name}, axis={axis})",
            f"np.trapezoid({name}, axis={axis})",
        ),
        "loose",
    )


@step(2)
def _nans(d: Dice) -> Step:
    name, x = d.array("f", test=lambda x: not np.isnan(x).all())
    f = d.one("nansum", "nanmax", "nanmin", "nanprod", "nanargmax")
    return Step(f"np.{f}({name}{d.one('', f', axis={d.axis(x)}')})", "sum" if f in ("nansum", "nanprod") else "same")


@step(2)
def _difference(d: Dice) -> Step:
    name, x = d.array("fiubc")
    axis = d.axis(x)
    some = [f"np.diff({name}, axis={axis})", f"np.diff({name}, n=2, axis={axis})", f"np.ediff1d({name})"]
    if x.dtype.kind == "f":
        some += [f"np.diff({name}, prepend=0, axis={axis})", f"np.gradient({name}, axis={axis})"]
    return Step(d.of(some), "ulp")


@step(2)
def _ufunc_method(d: Dice) -> Step:
    name, x = d.array("biuf", test=moderate)
    other, y = d.array("biuf", test=lambda y: y.dtype == x.dtype and y.size < 13)
    axis = d.axis(x)
    return Step(
        d.one(
            f"np.add.reduce({name}, axis={axis})",
            f"np.maximum.reduce({name}, axis={axis})",
            f"np.multiply.reduce({name}, axis=0, keepdims=True)",
            f"np.add.accumulate({name}, axis={axis})",
            f"np.maximum.accumulate({name}, axis={axis})",
            f"np.subtract.outer({name}, {other})",
            f"np.multiply.outer({other}, {name})",
            f"np.add.reduceat({name}, [0], axis={axis})",
            f"np.logical_or.reduce({name}, axis={axis})",
            f"np.bitwise_xor.reduce({name})",
        ),
        "sum",
    )


# Products.


@step(3)
def _matrix_product(d: Dice) -> Step:
    # A product with an infinity or NaN in it depends on the order of its sums.
    name, x = d.array("fciu", test=finite)
    if x.ndim == 1:
        return Step(d.one(f"{name} @ {name}", f"np.dot({name}, {name})", f"np.outer({name}, {name})", f"np.inner({name}, {name})", f"np.vdot({name}, {name})", f"np.kron({name}, {name})"), "sum")
    turned = d.one(f"{name}.mT", f"np.swapaxes({name}, -1, -2)", f"np.matrix_transpose({name})")
    some = [f"{name} @ {turned}", f"np.matmul({name}, {turned})", f"{turned} @ {name}", f"np.inner({name}, {name})", f"np.einsum('...ij,...kj->...i', {name}, {name})"]
    some += [f"np.tensordot({name}, {name}, axes=([0], [0]))", f"np.tensordot({name}, {name}, axes={x.ndim})", f"np.vecdot({name}, {name})", f"np.einsum('...j->...', {name})"]
    if x.ndim == 2:
        some += [f"np.dot({name}, {name}.T)", f"{name}.dot({name}.T)", f"np.einsum('ij,kj->ik', {name}, {name})", f"np.einsum('ij->ji', {name}).copy()", f"np.einsum('ij->', {name})"]
        some += [f"np.kron({name}, {name}[0])", f"np.linalg.multi_dot([{name}, {name}.T, {name}])", f"np.matvec({name}, {name}[0])", f"np.vecmat({name}[:, 0], {name})"]
        some += [f"np.trace({name})", f"{name}.trace(1)", f"np.kron({name}, {2.5 if x.dtype.kind in 'fc' else 2})", f"np.linalg.norm({name})", f"np.cross({name}[:, :3], {name}[:, :3])"]
        if x.shape[0] == x.shape[1]:
            some += [f"np.einsum('ii->i', {name}).copy()", f"np.einsum('ii', {name})", f"np.linalg.matrix_power({name}, 2)"]
    return Step(d.of(some), "sum")


@step()
def _product_of_two(d: Dice) -> Step:
    name, x = d.array("fc", test=finite)
    other, y = d.array("fc", test=lambda y: finite(y) and y.shape[0] == x.shape[-1])
    return Step(d.one(f"np.dot({name}, {other})", f"np.tensordot({name}, {other}, 1)", f"{name} @ {other}", f"np.kron({name}, {other})", f"np.outer({name}, {other})"), "sum")


# Elements and shapes.


@step(6)
def _indexed(d: Dice) -> Step:
    name, x = d.array()
    return Step(d.one(f"{name}[{d.index(x)}]", f"{name}[{d.index(x)}]", f"{name}[{name} != {name}]", f"{name}[{name} == {name}]", f"{name}[~({name} == 0)]"))


@step(2)
def _taken(d: Dice) -> Step:
    name, x = d.array()
    n, axis = x.shape[0], d.axis(x)
    at = [d.rng.randrange(-n, n) for _ in range(d.rng.randrange(1, 4))]
    return Step(
        d.one(
            f"np.take({name}, {at}, axis=0)",
            f"np.take({name}, 0)",
            f"{name}.take([[0, -1]], axis={axis})",
            f"np.take({name}, [0, 7], mode='clip')",
            f"np.take({name}, [5, -9], axis={axis}, mode='wrap')",
            f"np.compress([True, False], {name}, axis={axis})",
            f"np.extract({name} == {name}, {name})",
            f"np.delete({name}, 0, axis={axis})",
            f"np.append({name}, {name}, axis={axis})",
            f"np.insert({name}, 0, {name}.ravel()[0], axis={axis})",
            f"np.trim_zeros({name}.ravel())",
            f"np.diagonal({name})" if x.ndim > 1 else f"np.diag({name})",
            f"np.choose({name}.astype(bool).astype(int), [{name}, {name}])",
        )
    )


@step(4)
def _shaped(d: Dice) -> Step:
    name, x = d.value(test=lambda x: x.size > 0)
    some = [f"{name}.reshape(-1)", f"np.reshape({name}, (-1, 1))", f"{name}.ravel(order='F')", f"{name}.T", f"np.transpose({name})", f"{name}.flatten()", f"np.atleast_2d({name})"]
    some += [f"np.squeeze({name})", f"{name}[None].squeeze(0)", f"np.expand_dims({name}, (0, -1))", f"np.broadcast_to({name}, {(2, *x.shape)})", f"np.atleast_3d({name})", f"np.atleast_1d({name})"]
    some += [f"np.reshape({name}, (1, -1), order='F')", f"np.broadcast_arrays({name}, np.ones({x.shape[-1:]}))[0].copy()", f"np.tile({name}, 2)", f"np.ravel({name})"]
    if x.ndim > 1:
        axis, other = d.axis(x), d.axis(x)
        some += [f"np.swapaxes({name}, {axis}, {other})", f"np.moveaxis({name}, {axis}, {other})", f"np.rollaxis({name}, {axis})", f"np.rot90({name})", f"np.fliplr({name})"]
        some += [f"np.transpose({name}, {d.rng.sample(range(x.ndim), x.ndim)})", f"np.tril({name})", f"np.triu({name}, 1)", f"{name}.diagonal(1)", f"np.tile({name}, (2, 1, 2))"]
        some += [f"np.moveaxis({name}, [0, 1], [1, 0])"]
    return Step(d.of(some))


@step(3)
def _moved(d: Dice) -> Step:
    name, x = d.array()
    axis = d.axis(x)
    return Step(
        d.one(
            f"np.flip({name})",
            f"np.flip({name}, axis={axis})",
            f"np.roll({name}, 1, axis={axis})",
            f"np.roll({name}, -2)",
            f"np.repeat({name}, 2, axis={axis})",
            f"np.repeat({name}, {[k % 3 for k in range(x.shape[axis])]}, axis={axis})",
            f"{name}.repeat(2)",
            f"np.expand_dims({name}, {axis})",
            f"np.pad({name}, 1)",
            f"np.pad({name}, (0, 2), mode='edge')",
            f"np.pad({name}, 1, constant_values=1)",
            f"np.pad({name}, 1, mode='{d.one('wrap', 'symmetric', 'edge')}')",
            f"np.pad({name}, {[(k, 1) for k in range(x.ndim)]}, mode='constant')",
        )
    )


@step(3)
def _joined(d: Dice) -> Step:
    name, x = d.array()
    axis = d.axis(x)
    other, y = d.value(test=lambda y: y.shape == x.shape and not mixes(x, y))
    return Step(
        d.one(
            f"np.concatenate([{name}, {other}], axis={axis})",
            f"np.concatenate(({name}, {other}), axis=None)",
            f"np.stack([{name}, {other}], axis={axis})",
            f"np.vstack([{name}, {other}])",
            f"np.hstack([{name}, {other}])",
            f"np.dstack([{name}, {other}])",
            f"np.column_stack([{name}, {other}])",
            f"np.concat([{name}, {other}], dtype='complex128')",
            f"np.block([{name}, {other}])",
            f"np.split({name}, {x.shape[axis]}, axis={axis})[0]",
            f"np.array_split({name}, 2, axis={axis})[-1]",
            f"np.split({name}, [1], axis={axis})[1]",
            f"np.unstack({name})[0]",
            f"np.meshgrid({name}.ravel()[:3], {other}.ravel()[:4])[1]",
        )
    )


@step(2)
def _made(d: Dice) -> Step:
    name, x = d.value()
    return Step(d.one(f"np.zeros_like({name})", f"np.ones_like({name}, dtype='int16')", f"np.full_like({name}, 3)", f"np.full_like({name}, True, dtype=bool)", f"np.zeros_like({name}, shape=(2, 2))"))


# Into memory that is there. Where NumPy has a number instead of an array without axes, nothing can be written.


def _writable(x: Any) -> bool:
    return x.size > 0 and x.flags.writeable and not _repeats(x)


def _repeats(x: Any) -> bool:
    """Whether elements share memory, so that the order of writes counts."""
    return any(s == 0 and n > 1 for s, n in zip(x.strides, x.shape, strict=True))


@step(4)
def _in_place(d: Dice) -> Step:
    name, x = d.value(test=_writable)
    number, (other, y) = d.number(x), d.value(test=lambda y: not mixes(x, y) and (y.dtype.kind == x.dtype.kind or y.dtype.kind == "b"))
    other, y = d.one((other, y), (number, eval(number, {"np": np})))
    by = d.one("+=", "-=", "*=", "/=", "//=", "%=", "&=", "|=", "**=")
    undefined(by, x, y)
    return Step(f"{name} {by} {other}", "ulp", name)


@step(4)
def _assigned(d: Dice) -> Step:
    name, x = d.value(test=_writable)
    # What a conversion of an infinity or a part of a complex number gives, each library says for itself.
    other, y = d.value(test=lambda y: y.dtype.kind in "b" + x.dtype.kind and not mixes(x, y))
    index = d.index(x)
    return Step(
        d.one(
            f"{name}[{index}] = {d.one('1', '0', 'True', '2.0' if x.dtype.kind in 'fc' else '3')}",
            f"{name}[{index}] = {other}",
            f"{name}[...] = {other}",
            f"{name}[{name} == 0] = 1",
            f"{name}[:] = {name}[::-1]",
            f"{name}[{name} > 1] -= 1" if x.dtype.kind in "fiu" else f"{name}[0] = 1",
            f"{name}[0] += {other}" if x.dtype.kind == other[0] else f"{name}[-1] = 0",
        ),
        "ulp",
        name,
    )


@step(2)
def _written(d: Dice) -> Step:
    name, x = d.value(test=_writable)
    other, y = d.value(test=lambda y: y.dtype == x.dtype)
    return Step(
        d.one(
            f"np.add({other}, {other}, out={name})",
            f"np.multiply({name}, {other}, out={name})",
            f"np.negative({name}, out={name})",
            f"np.copyto({name}, {other})",
            f"np.copyto({name}, {other}, where={name} != 0)",
            f"np.putmask({name}, {name} == 0, 1)",
            f"np.put({name}, [0, -1], 1)",
            f"np.place({name}, {name} == 1, [0])",
            f"{name}.fill(1)",
            f"{name}.sort()" if x.dtype.kind != "c" else f"{name}.fill(0)",
            f"np.add.at({name}, [0], 1)",
            # The sums of truth values are integers, which are no truth values.
            f"np.cumsum({name}, axis=0, out={name})" if x.dtype.kind != "b" else f"{name}.fill(True)",
            f"np.clip({name}, 0, 1, out={name})" if x.dtype.kind != "c" else f"{name}.fill(0)",
            f"np.fill_diagonal({name}, 1)" if x.ndim == 2 else f"{name}.put(0, 1)",
            f"np.maximum({name}, {other}, out={name}, where={name} == {name})",
            f"np.put_along_axis({name}, np.zeros({(1,) * x.ndim}, int), 1, axis=-1)",
            f"np.sqrt({name}, out={name})",
        ),
        "sum",
        name,
    )


@step(2)
def _typed(d: Dice) -> Step:
    name, x = d.value("biuf", castable)
    other, y = d.value("biuf", castable)
    to = d.one("float64", "complex128", "float32")
    return Step(f"np.{d.one('add', 'multiply', 'subtract', 'maximum')}({name}, {other}, dtype='{to}')")


def draw(rng: random.Random, v: list[Any]) -> Step | None:
    """One more step over the values, or none where the dice gave nothing that fits."""
    weights = [weight for weight, _ in STEPS]
    chosen = rng.choices([f for _, f in STEPS], weights)[0]
    try:
        return chosen(Dice(rng, v))
    except NothingFits:
        return None
