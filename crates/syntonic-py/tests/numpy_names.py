"""Calls of NumPy's functions on random arguments, by name: the table that `test_numpy_module.py` goes over.

A row makes a call of a module that has NumPy's names, `numpy` or `syntonic.numpy`, and of a source of arrays which gives both the same
values. Rows of one name are several calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from syntonic import State

Row = Callable[[Any, "Source"], Any]
ROWS: dict[str, list[Row]] = {}


class Source:
    """Random arrays, as arrays of the module that is asked."""

    def __init__(self, seed: int, module: Any) -> None:
        self.rng = numpy.random.default_rng(seed)
        self.module = module

    def of(self, array: Any) -> Any:
        return self.module.array(array)

    def __call__(self, *shape: int, dtype: str = "float64", low: float = -3.0, high: float = 3.0) -> Any:
        """Numbers between these, of a few digits, so that some are equal and none is close to another."""
        if dtype == "bool":
            return self.of(self.rng.random(shape) < 0.5)
        if dtype.startswith("complex"):
            parts = self.rng.integers(-12, 13, (2, *shape)) / 4
            return self.of((parts[0] + 1j * parts[1]).astype(dtype))
        if dtype.startswith(("int", "uint")):
            return self.of(self.rng.integers(max(low, 0) if dtype.startswith("u") else low, high + 1, shape).astype(dtype))
        return self.of((low + (high - low) * self.rng.integers(0, 65, shape) / 64).astype(dtype))

    def missing(self, *shape: int, dtype: str = "float64") -> Any:
        """With some NaNs."""
        x = (self.rng.integers(-20, 21, shape) / 8).astype(dtype)
        x[self.rng.random(shape) < 0.3] = numpy.nan
        return self.of(x)

    def pick(self, *choices: Any) -> Any:
        return choices[self.rng.integers(len(choices))]

    def type(self, kinds: str = "bifuc") -> str:
        names = {"b": ["bool"], "i": ["int8", "int32", "int64"], "u": ["uint8", "uint16"], "f": ["float32", "float64"], "c": ["complex64", "complex128"]}
        return str(self.rng.choice([name for kind in kinds for name in names[kind]]))


def row(*names: str) -> Callable[[Row], Row]:
    def put(call: Row) -> Row:
        for name in names:
            ROWS.setdefault(name, []).append(call)
        return call

    return put


def rows(kinds: str, names: str, call: Callable[[Any, Source, str], Any]) -> None:
    """For each name a call of the function, the source and a type of one of these kinds."""
    for name in names.split():

        def run(np: Any, s: Source, name: str = name) -> Any:
            target = np
            for part in name.split("."):
                target = getattr(target, part)
            return call(target, s, s.type(kinds))

        row(name)(run)


def agrees(ours: Any, theirs: Any, path: str) -> None:
    """Both the same up to rounding, in type, shape and values."""
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs), (path, ours, theirs)
        for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            agrees(a, b, f"{path}[{k}]")
        return
    if isinstance(theirs, (numpy.ndarray, numpy.generic)) and theirs.dtype.kind in "biufc":
        found = numpy.asarray(ours.cpu().numpy() if isinstance(ours, State) else ours)
        assert found.shape == theirs.shape, (path, found.shape, theirs.shape)
        assert found.dtype == theirs.dtype, (path, found.dtype, theirs.dtype)
        if theirs.dtype.kind in "biu":
            assert numpy.array_equal(found, theirs), (path, found, theirs)
        else:
            tolerance = 2e-5 if theirs.dtype.itemsize == (8 if theirs.dtype.kind == "c" else 4) else 1e-10
            numpy.testing.assert_allclose(found, theirs, rtol=tolerance, atol=tolerance, err_msg=path)
        return
    if isinstance(ours, State):
        ours = ours.item()
    if isinstance(theirs, float):
        numpy.testing.assert_allclose(ours, theirs, rtol=1e-10, err_msg=path)
    else:
        assert ours == theirs, (path, ours, theirs)


# Element-wise functions: of one array and of two, with numbers, with `out`, a mask and a type.
ONE = "absolute abs negative positive sign square conjugate conj"
FLOAT = (
    "sin cos tan sinh cosh tanh arctan atan arcsinh asinh exp exp2 expm1 cbrt deg2rad rad2deg radians degrees fabs floor ceil trunc rint "
    "isfinite isinf isnan signbit spacing sinc i0 fix nan_to_num"
)
POSITIVE = "sqrt log log2 log10 log1p reciprocal"
UNIT = "arcsin asin arccos acos arctanh atanh"
TWO = "add subtract multiply maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor"
TWO_FLOATS = "arctan2 atan2 hypot copysign nextafter logaddexp logaddexp2 true_divide divide float_power heaviside fmod mod remainder floor_divide"
BITS = "bitwise_and bitwise_or bitwise_xor"
rows("iuf", ONE, lambda f, s, t: f(s(3, 4, dtype=t)))
rows("c", "absolute negative square conjugate exp sqrt sin angle real imag iscomplex isreal real_if_close", lambda f, s, t: f(s(3, 4, dtype=t)))
rows("f", FLOAT, lambda f, s, t: f(s(4, 3, dtype=t)))
rows("f", POSITIVE, lambda f, s, t: f(s(5, dtype=t, low=0.25)))
rows("iu", "reciprocal", lambda f, s, t: f(s(5, dtype=t, low=1)))
ORDERED = {"maximum": 1, "clip": 2}
rows("c", "max min argmax argmin median maximum clip", lambda f, s, t: f(s(5, dtype=t), *(s(5, dtype=t),) * ORDERED.get(f.__name__, 0)))
rows("c", "max min argmax argmin median ptp sort", lambda f, s, t: f(s(4, 5, dtype=t), axis=s.pick(None, 0, 1, -1)))
rows("c", "less less_equal greater greater_equal maximum minimum fmax fmin", lambda f, s, t: f(s(3, 8, dtype=t), s(8, dtype=t)))


@row("argsort")
def _order_of_complex_numbers(np: Any, s: Source) -> Any:
    x = s(3, 9, dtype=s.type("c"))
    return np.take_along_axis(x, np.argsort(x, axis=1), axis=1)


def _placed(name: str) -> None:
    @row(f"{name}.at")
    def changed(np: Any, s: Source) -> Any:
        x, at = s(6, 3, dtype=s.type("if")), s.of(s.rng.integers(0, 6, 9))
        values = s(9, 3, dtype=str(x.dtype))
        getattr(np, name).at(x, at, s.pick(values, 2, values[0]))
        return x


for _name in "add subtract multiply maximum minimum fmax fmin".split():
    _placed(_name)


@row("negative.at")
def _turned(np: Any, s: Source) -> Any:
    x = s(6, 3)
    np.negative.at(x, s.of(s.rng.integers(0, 6, 9)))
    return x


@row("frexp", "ldexp")
def _ends_of_floats(np: Any, s: Source) -> Any:
    x = s.of(numpy.array([0.0, -0.0, numpy.inf, numpy.nan, 5e-324, 2.2e-308, 1.7e308, -1e-310, 3.0]))
    return np.frexp(x)[0], np.ldexp(x, s.of(s.rng.integers(-1100, 1100, 9).astype("int32")))
rows("f", "arccosh acosh", lambda f, s, t: f(s(5, dtype=t, low=1.0)))
rows("f", UNIT, lambda f, s, t: f(s(5, dtype=t, low=-0.875, high=0.875)))
rows("iuf", TWO, lambda f, s, t: f(s(3, 1, dtype=t), s(1, 4, dtype=t)))
rows("f", TWO_FLOATS, lambda f, s, t: f(s(3, 1, dtype=t, low=0.5), s(4, dtype=t, low=0.5)))
rows("f", "fmod mod remainder floor_divide", lambda f, s, t: f(s(9, dtype=t), s(9, dtype=t, low=0.25)))
rows("i", "fmod mod remainder floor_divide", lambda f, s, t: f(s(9, dtype=t, low=-50, high=50), s(9, dtype=t, low=1, high=7)))
rows("biu", BITS, lambda f, s, t: f(s(6, dtype=t), s(6, dtype=t)))
rows("iu", "bitwise_count gcd lcm", lambda f, s, t: f(s(6, dtype=t)) if f.nin == 1 else f(s(6, dtype=t, low=1, high=60), s(6, dtype=t, low=1, high=60)))
rows("iu", "left_shift right_shift bitwise_left_shift bitwise_right_shift", lambda f, s, t: f(s(6, dtype=t, low=0, high=9), s(6, dtype=t, low=0, high=3)))
rows("biu", "invert bitwise_not bitwise_invert", lambda f, s, t: f(s(6, dtype=t)))
rows("bif", "logical_not", lambda f, s, t: f(s(6, dtype=t)))
rows("iuf", "power pow", lambda f, s, t: f(s(6, dtype=t, low=1, high=4), s(6, dtype=t, low=0, high=3)))
rows("f", "divmod", lambda f, s, t: f(s(6, dtype=t), s(6, dtype=t, low=0.5)))
rows("f", "modf frexp", lambda f, s, t: f(s(6, dtype=t)))
rows("f", "ldexp", lambda f, s, t: f(s(6, dtype=t), s(6, dtype="int32")))
rows("f", "add multiply maximum subtract", lambda f, s, t: f(s(3, 4, dtype=t), s(4, dtype=t), out=s.module.zeros((3, 4), t)))
rows("f", "add multiply hypot", lambda f, s, t: f(s(3, 4, dtype=t), s(4, dtype=t), s.module.zeros((3, 4), t)))
rows("f", "add multiply subtract", lambda f, s, t: f(s(4, dtype=t), s(4, dtype=t), out=s.module.ones(4, t), where=s(4, dtype="bool")))
rows("iu", "add multiply", lambda f, s, t: f(s(4, dtype=t), s(4, dtype=t), dtype="float64"))
# Python numbers in either place.
rows("if", "add subtract multiply maximum", lambda f, s, t: (f(s(4, dtype=t), 2), f(3, s(4, dtype=t))))
# Along axes.
rows("if", "add.reduce multiply.reduce maximum.reduce minimum.reduce", lambda f, s, t: (f(s(4, 3, dtype=t)), f(s(4, 3, dtype=t), s.pick(0, 1, -1, None))))
rows("b", "logical_and.reduce logical_or.reduce logical_xor.reduce", lambda f, s, t: f(s(4, 3, dtype=t), axis=s.pick(0, 1), keepdims=s.pick(True, False)))
rows("i", "bitwise_and.reduce bitwise_or.reduce bitwise_xor.reduce", lambda f, s, t: f(s(5, 3, dtype=t), axis=s.pick(0, 1)))
rows("f", "logaddexp.reduce hypot.reduce fmax.reduce fmin.reduce", lambda f, s, t: f(s(5, 3, dtype="float64"), axis=s.pick(0, 1)))
ACCUMULATED = "add.accumulate multiply.accumulate maximum.accumulate minimum.accumulate"
rows("if", ACCUMULATED, lambda f, s, t: f(s(5, 3, dtype=t), axis=s.pick(0, 1)))
rows("if", "add.outer subtract.outer minimum.outer multiply.outer", lambda f, s, t: f(s(3, dtype=t), s(2, 2, dtype=t)))
rows("if", "add.reduceat maximum.reduceat", lambda f, s, t: f(s(8, dtype=t), [0, 4, 2, 6]))


@row("add.at", "subtract.at", "multiply.at")
def _at(np: Any, s: Source) -> Any:
    found = []
    for function in (np.add, np.subtract, np.multiply):
        x = s(5, dtype="float64")
        function.at(x, [0, 3, 0], s(3))
        found.append(x)
    return found


# Reductions.
rows("if", "sum prod mean std var max min amax amin ptp", lambda f, s, t: f(s(3, 4, dtype=t), axis=s.pick(None, 0, -1), keepdims=s.pick(True, False)))
rows("if", "sum mean max min", lambda f, s, t: f(s(2, 3, 4, dtype=t), axis=s.pick((0, 1), (0, 2), (-1, 0))))
rows("f", "std var nanstd nanvar", lambda f, s, t: f(s(3, 5, dtype=t), axis=1, ddof=1))
rows("bif", "any all count_nonzero", lambda f, s, t: f(s(3, 4, dtype=t), axis=s.pick(None, 0, 1), keepdims=s.pick(True, False)))
rows("if", "argmax argmin", lambda f, s, t: f(s(3, 4, dtype=t), axis=s.pick(None, 0, 1)))
rows("if", "cumsum cumprod", lambda f, s, t: f(s(3, 4, dtype=t), axis=s.pick(None, 0, 1)))
rows("if", "cumulative_sum cumulative_prod", lambda f, s, t: f(s(3, 4, dtype=t), axis=s.pick(0, 1), include_initial=s.pick(True, False)))
rows("if", "median", lambda f, s, t: f(s(3, 5, dtype="float64"), axis=s.pick(None, 0, 1), keepdims=s.pick(True, False)))
rows("f", "quantile nanquantile", lambda f, s, t: f(s(3, 5), s.pick(0.3, [0.1, 0.5]), axis=s.pick(None, 0, 1)))
rows("f", "percentile nanpercentile", lambda f, s, t: f(s(3, 5), s.pick(30, [10, 50.0]), axis=s.pick(None, 0, 1), method=s.pick("linear", "lower", "midpoint")))
NAN = "nansum nanprod nanmean nanmax nanmin nanstd nanvar nanmedian"
rows("f", NAN, lambda f, s, t: f(s.missing(4, 6, dtype=t), axis=s.pick(None, 0, 1), keepdims=s.pick(True, False)))
rows("f", "nancumsum nancumprod", lambda f, s, t: f(s.missing(4, 6, dtype=t), axis=s.pick(None, 0, 1)))
rows("f", "nanargmax nanargmin", lambda f, s, t: f(s.missing(3, 40, dtype=t), axis=1))
rows("f", "nanquantile", lambda f, s, t: f(s.missing(4, 6), 0.25, axis=0))
rows("f", "nanpercentile", lambda f, s, t: f(s.missing(4, 6), [25, 75]))
rows("f", "nan_to_num", lambda f, s, t: f(s.missing(4, 6, dtype=t), nan=1.5))
rows("if", "average", lambda f, s, t: f(s(3, 4, dtype=t), axis=s.pick(0, 1), weights=s(3, 4, low=0.25), returned=s.pick(True, False)))
rows("if", "average", lambda f, s, t: f(s(3, 4, dtype=t), axis=1, weights=s(4, low=0.25)))
rows("f", "cov corrcoef", lambda f, s, t: f(s(3, 9, dtype=t)))
rows("f", "cov", lambda f, s, t: f(s(9), s(9), bias=s.pick(True, False)))
rows("f", "cov", lambda f, s, t: f(s(3, 9), aweights=s(9, low=0.5), fweights=s(9, dtype="int64", low=1)))
rows("c", "cov corrcoef", lambda f, s, t: f(s(3, 9, dtype="complex128")))
rows("f", "cov corrcoef", lambda f, s, t: f(s(9, 3), rowvar=False))
rows("f", "cov", lambda f, s, t: f(s(1, 3), rowvar=False, ddof=0))
rows("iuf", "histogram", lambda f, s, t: f(s(50, dtype=t), bins=s.pick(5, 7, [-2, 0, 1, 3])))
rows("f", "histogram", lambda f, s, t: f(s(50), bins=6, range=(-2, 2), weights=s(50, low=0.5), density=s.pick(True, False)))
rows("f", "histogram_bin_edges histogram", lambda f, s, t: f(s(50, dtype=t), s.pick("sturges", "sqrt", "rice", "scott")))
rows("f", "histogram2d", lambda f, s, t: f(s(40), s(40), bins=s.pick(4, (3, 5))))
rows("f", "histogramdd", lambda f, s, t: f(s(40, 3), bins=(2, 3, 4)))
rows("f", "histogram", lambda f, s, t: f(s(40, low=-1, high=2), bins=6))
rows("f", "histogramdd", lambda f, s, t: f([s(40), s(40)], bins=[[-1, 0, 2], 3], density=True))
rows("f", "histogram", lambda f, s, t: f(s(40, dtype=t), "rice", range=(-1, 1)))
rows("if", "digitize", lambda f, s, t: f(s(12, dtype=t), s.pick([-1, 0, 2], [2.0, 0.0, -1.0]), right=s.pick(True, False)))
rows("u", "bincount", lambda f, s, t: f(s(12, dtype="int64", low=0, high=6), minlength=s.pick(0, 9)))
rows("f", "bincount", lambda f, s, t: f(s(12, dtype="int64", low=0, high=6), weights=s(12)))

# Lines.
rows("iuf", "diff", lambda f, s, t: f(s(3, 6, dtype=t), n=s.pick(1, 2), axis=s.pick(0, 1)))
rows("if", "ediff1d", lambda f, s, t: f(s(6, dtype=t), to_begin=s.pick(None, 0), to_end=s.pick(None, [1, 2])))
rows("if", "gradient", lambda f, s, t: f(s(5, 6, dtype="float64"), s.pick(0.5, 2.0), edge_order=s.pick(1, 2)))
rows("f", "gradient", lambda f, s, t: f(s(6), s.module.cumsum(s(6, low=0.5)), edge_order=s.pick(1, 2)))
rows("f", "trapezoid", lambda f, s, t: f(s(3, 6, dtype=t), dx=0.5, axis=s.pick(0, 1)))
rows("f", "trapezoid", lambda f, s, t: f(s(3, 6), s.module.cumsum(s(6, low=0.5))))
rows("f", "interp", lambda f, s, t: f(s(9, dtype=t, low=-1, high=9), s.module.cumsum(s(5, low=0.5)), s(5), left=s.pick(None, -1.0), right=s.pick(None, 7.0)))
rows("f", "interp", lambda f, s, t: f(s(9), s.module.cumsum(s(5, low=0.25, high=0.5)), s(5), period=2.0))
rows("c", "interp", lambda f, s, t: f(s(9, low=-1, high=9), s.module.cumsum(s(5, low=0.5)), s(5, dtype=t), left=s.pick(None, -1.0, 1j)))
rows("f", "unwrap", lambda f, s, t: f(s(3, 8, low=-9, high=9), axis=s.pick(0, 1)))
rows("ifc", "convolve correlate", lambda f, s, t: f(s(7, dtype=t), s(4, dtype=t), mode=s.pick("full", "same", "valid")))
rows("ifc", "convolve correlate", lambda f, s, t: f(s(3, dtype=t), s(6, dtype=t), mode=s.pick("full", "same", "valid")))
rows("if", "cross linalg.cross", lambda f, s, t: f(s(4, 3, dtype=t), s(4, 3, dtype=t)))

# Order and sets.
rows("iuf", "sort argsort", lambda f, s, t: f(s(3, 6, dtype=t), axis=s.pick(None, 0, 1), kind="stable"))
rows("if", "searchsorted", lambda f, s, t: f(s.module.sort(s(7, dtype=t)), s(5, dtype=t), side=s.pick("left", "right")))
rows("i", "lexsort", lambda f, s, t: f((s(9, dtype=t), s(9, dtype=t))))
rows("c", "sort_complex", lambda f, s, t: f(s(9, dtype=t)))
rows("if", "partition", lambda f, s, t: f(s(9, dtype=t), 4)[4])
rows("if", "argpartition", lambda f, s, t: s.module.take(x := s(9, dtype=t), f(x, 4))[4])
rows("if", "unique", lambda f, s, t: f(s(12, dtype=t), return_index=True, return_inverse=True, return_counts=True))
rows("i", "union1d intersect1d setdiff1d setxor1d", lambda f, s, t: f(s(8, dtype=t), s(6, dtype=t)))
rows("i", "intersect1d", lambda f, s, t: f(s(8, dtype=t), s(6, dtype=t), return_indices=True))
rows("if", "isin", lambda f, s, t: f(s(3, 4, dtype=t), s(3, dtype=t), invert=s.pick(True, False)))
rows("i", "setdiff1d", lambda f, s, t: f(s(8, dtype=t), []))
rows("f", "unique", lambda f, s, t: f(s.missing(9, dtype=t), axis=0))
rows("i", "trim_zeros", lambda f, s, t: f(s.of([0, 0, 1, 0, 2, 0]), s.pick("fb", "f", "b")))
rows("i", "unique_all unique_counts unique_inverse", lambda f, s, t: tuple(f(s(12, dtype=t))))
rows("i", "unique_values", lambda f, s, t: s.module.sort(f(s(12, dtype=t))))

# Pieces.
rows("bif", "append", lambda f, s, t: f(s(3, 4, dtype=t), s(1, 4, dtype=t), axis=s.pick(None, 0) if s.pick(0, 1) == 0 else 0))
rows("if", "delete", lambda f, s, t: f(s(4, 5, dtype=t), s.pick(1, [0, 2], slice(0, 3, 2), -1), axis=s.pick(None, 0, 1)))
rows("if", "insert", lambda f, s, t: f(s(4, 5, dtype=t), s.pick(1, [0, 2, 2], -1), s.pick(7, 1), axis=s.pick(None, 0, 1)))
rows("if", "insert", lambda f, s, t: f(s(4, 5, dtype=t), 2, s(4, dtype=t), axis=1))
rows("if", "insert", lambda f, s, t: f(s(6, dtype=t), [1, 4], s(2, dtype=t)))
rows("if", "insert", lambda f, s, t: f(s(3, 3, dtype=t), [1], s(3, dtype=t), axis=1))
rows("if", "select", lambda f, s, t: f([(x := s(6, dtype=t)) > 1, x < -1], [x, x * x], s.pick(0, 5)))
rows("i", "choose", lambda f, s, t: f(s(5, dtype="int64", low=0, high=2), [s(5, dtype=t), s(5, dtype=t), s(5, dtype=t)], mode=s.pick("raise", "clip", "wrap")))
rows("if", "compress", lambda f, s, t: f(s(4, dtype="bool"), s(4, 3, dtype=t), axis=0))
rows("if", "extract", lambda f, s, t: f(s(4, 3, dtype="bool"), s(4, 3, dtype=t)))
rows("f", "piecewise", lambda f, s, t: f(x := s(9, dtype=t), [x < 0, x >= 1], [lambda v: -v, lambda v: v * v, s.pick(4, 2)]))
rows("f", "apply_along_axis", lambda f, s, t: f(s.pick(lambda v: v.sum(), lambda v: v * 2), s.pick(0, 1), s(3, 4, dtype=t)))
rows("f", "apply_over_axes", lambda f, s, t: f(s.module.sum, s(2, 3, 4, dtype=t), [0, 2]))
rows("if", "block", lambda f, s, t: f([[s(2, 2, dtype=t), s(2, 3, dtype=t)], [s(1, 2, dtype=t), s(1, 3, dtype=t)]]))
rows("if", "rot90", lambda f, s, t: f(s(3, 4, 2, dtype=t), s.pick(1, 2, 3, -1), axes=s.pick((0, 1), (1, 2), (2, 0))))
rows("if", "resize", lambda f, s, t: f(s(3, 4, dtype=t), s.pick((2, 3), (5, 5), 7)))
rows("if", "roll", lambda f, s, t: f(s(3, 4, dtype=t), s.pick(1, -2), axis=s.pick(None, 0, 1)))
rows("if", "rollaxis", lambda f, s, t: f(s(2, 3, 4, dtype=t), s.pick(0, 1, 2), s.pick(0, 1, 3)))
rows("if", "repeat", lambda f, s, t: f(s(3, 4, dtype=t), 2, axis=s.pick(None, 0, 1)))
rows("if", "tile", lambda f, s, t: f(s(3, 4, dtype=t), s.pick(2, (2, 1, 3))))
rows("if", "pad", lambda f, s, t: f(s(3, 4, dtype=t), s.pick(1, (1, 2), ((1, 0), (2, 1))), mode=s.pick("constant", "edge", "reflect", "wrap")))
rows("if", "flip", lambda f, s, t: f(s(3, 4, dtype=t), s.pick(None, 0, (0, 1))))
rows("if", "flipud fliplr", lambda f, s, t: f(s(3, 4, dtype=t)))
JOINED = "concatenate concat stack vstack hstack dstack column_stack"
rows("if", JOINED, lambda f, s, t: f([s(3, 4, dtype=t), s(3, 4, dtype=t)]))
rows("if", "vstack hstack dstack column_stack", lambda f, s, t: f((s(4, dtype=t), s(4, dtype=t))))
rows("if", "split array_split", lambda f, s, t: f(s(6, 4, dtype=t), s.pick(2, 3, [1, 4])))
rows("if", "hsplit vsplit unstack", lambda f, s, t: f(s(4, 4, dtype=t), 2) if f.__name__ != "unstack" else f(s(2, 3, dtype=t)))
rows("if", "dsplit", lambda f, s, t: f(s(2, 2, 4, dtype=t), 2))
rows("if", "atleast_1d atleast_2d atleast_3d", lambda f, s, t: (f(s(dtype=t)), f(s(3, dtype=t)), f(s(2, 3, dtype=t), s(2, dtype=t))))
rows("if", "reshape", lambda f, s, t: f(s(3, 4, dtype=t), s.pick((4, 3), -1, (2, -1)), order=s.pick("C", "F")))
rows("if", "ravel transpose", lambda f, s, t: f(s(3, 4, dtype=t)))
rows("if", "permute_dims", lambda f, s, t: f(s(2, 3, 4, dtype=t), s.pick((2, 0, 1), (1, 0, 2))))
rows("if", "matrix_transpose linalg.matrix_transpose", lambda f, s, t: f(s(2, 3, 4, dtype=t)))
rows("if", "swapaxes moveaxis", lambda f, s, t: f(s(2, 3, 4, dtype=t), 0, s.pick(1, 2)))
rows("if", "squeeze expand_dims", lambda f, s, t: f(s(1, 3, 1, dtype=t), s.pick(0, 2)))
rows("if", "broadcast_to", lambda f, s, t: f(s(3, 1, dtype=t), (2, 3, 4)))
rows("if", "broadcast_arrays", lambda f, s, t: f(s(3, 1, dtype=t), s(4, dtype=t)))
rows("bif", "where", lambda f, s, t: f(s(3, 4, dtype="bool"), s(4, dtype=t), s(3, 1, dtype=t)))
rows("bif", "where nonzero flatnonzero argwhere", lambda f, s, t: f(s(3, 4, dtype=t)))
rows("if", "take", lambda f, s, t: f(s(3, 4, dtype=t), s.pick([0, 2], 1, [[0, 1]]), axis=s.pick(None, 0)))
rows("if", "take_along_axis", lambda f, s, t: f(x := s(3, 4, dtype=t), s.module.argsort(x, axis=0, kind="stable"), axis=0))
rows("if", "clip", lambda f, s, t: f(s(3, 4, dtype=t), s.pick(-1, None), 1))
rows("if", "diagonal", lambda f, s, t: f(s(3, 4, dtype=t), offset=s.pick(0, 1, -1)))
rows("if", "diag", lambda f, s, t: (f(s(4, dtype=t), s.pick(0, 1, -2)), f(s(3, 4, dtype=t), s.pick(0, 1, -1))))
rows("if", "diagflat", lambda f, s, t: f(s(2, 2, dtype=t), s.pick(0, 1, -1)))
rows("if", "tril triu", lambda f, s, t: f(s(3, 4, dtype=t), s.pick(0, 1, -1)))
rows("if", "trace", lambda f, s, t: f(s(3, 4, dtype=t), s.pick(0, 1)))
rows("if", "copy shape ndim size real imag isfortran iscomplexobj isrealobj", lambda f, s, t: f(s(3, 4, dtype=t)))
rows("if", "array_equal array_equiv", lambda f, s, t: (f(x := s(3, dtype=t), x), f(s(3, dtype=t), s(3, dtype=t)), f(s(3, dtype=t), s(4, dtype=t))))
rows("f", "isclose allclose", lambda f, s, t: f(x := s(6, dtype=t), x + s(6, dtype=t) * 1e-6, rtol=1e-4))
rows("f", "isposinf isneginf", lambda f, s, t: f(s(5, dtype=t) / s.of([0.0, 1.0, 0.0, 1.0, 0.0])))
rows("if", "astype", lambda f, s, t: f(s(3, dtype=t), s.pick("float32", "int16")))
rows("bifc", "around round", lambda f, s, t: f(s(5, dtype="float64"), s.pick(0, 1)))
rows("u", "packbits unpackbits", lambda f, s, t: f(s(16, dtype="uint8")))


@row("fill_diagonal", "place", "putmask", "put", "put_along_axis", "copyto")
def _written(np: Any, s: Source) -> Any:
    a, b, c, d, e, f = (s(4, 4, dtype=s.pick("float64", "int64")) for _ in range(6))
    np.fill_diagonal(a, s.pick(7, [1, 2]))
    mask = s(4, 4, dtype="bool")
    np.place(b, mask, [1, 2, 3])
    np.putmask(c, mask, s.of([1, 2, 3]))
    np.put(d, [0, 5, -1], [7, 8, 9])
    np.put_along_axis(e, np.argmax(e, axis=1, keepdims=True), 99, axis=1)
    np.copyto(f, 3, where=mask)
    g = s(3, 4, 1)
    np.put_along_axis(g, s.of(s.rng.integers(0, 4, (1, 2, 5))), 20, axis=1)
    return a, b, c, d, e, f, g


# New arrays.
rows("if", "zeros ones", lambda f, s, t: f(s.pick(3, (2, 3)), t))
rows("if", "full", lambda f, s, t: f((2, 3), s.pick(2, 3), t))
rows("if", "zeros_like ones_like", lambda f, s, t: f(s(2, 3, dtype=t)))
rows("if", "full_like", lambda f, s, t: f(s(2, 3, dtype=t), 2))
rows("if", "empty", lambda f, s, t: f((2, 3), t).shape)
rows("if", "empty_like", lambda f, s, t: f(s(2, 3, dtype=t)).shape)
rows("if", "arange", lambda f, s, t: (f(5), f(1, 7, 2), f(0.0, 2.0, 0.5), f(4, dtype=t)))
rows("f", "linspace", lambda f, s, t: (f(0, 3, 7), f(0, 1, 5, endpoint=False, retstep=True), f(s(3), s(3), 4), f(0, 10, 7, dtype="int64")))
rows("f", "logspace", lambda f, s, t: (f(0, 3, 4), f(0, 3, 4, base=2.0)))
rows("f", "geomspace", lambda f, s, t: (f(1, 1000, 4), f(-8, -1, 4)))
rows("if", "eye", lambda f, s, t: f(3, 4, s.pick(0, 1, -1), dtype=t))
rows("if", "identity", lambda f, s, t: f(3, t))
rows("if", "tri", lambda f, s, t: f(3, 4, s.pick(0, 1, -1), dtype=t))
rows("if", "vander", lambda f, s, t: f(s(4, dtype=t), s.pick(None, 3), increasing=s.pick(True, False)))
rows("if", "indices", lambda f, s, t: (f((2, 3)), f((2, 3), dtype=t), f((2, 3), sparse=True)))
rows("if", "meshgrid", lambda f, s, t: f(s(3, dtype=t), s(2, dtype=t), indexing=s.pick("xy", "ij"), sparse=s.pick(True, False)))
rows("f", "fromfunction", lambda f, s, t: f(lambda i, j: i * 10 + j, (2, 3)))
rows("if", "array asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite", lambda f, s, t: (f([[1, 2], [3, 4]], dtype=t), f(s(3, 4, dtype=t).T)))
rows("if", "require", lambda f, s, t: f(s(3, 4, dtype=t), requirements=s.pick("C", "F")))
rows("f", "bartlett blackman hamming hanning", lambda f, s, t: f(s.pick(1, 6, 7)))
rows("f", "kaiser", lambda f, s, t: f(6, 3.0))
rows("i", "tril_indices triu_indices", lambda f, s, t: f(4, s.pick(0, 1, -1), s.pick(None, 3)))
rows("i", "tril_indices_from triu_indices_from", lambda f, s, t: f(s(3, 4), s.pick(0, 1)))
rows("i", "diag_indices", lambda f, s, t: f(3))
rows("i", "diag_indices_from", lambda f, s, t: f(s(3, 3)))
rows("i", "mask_indices", lambda f, s, t: f(3, s.module.triu, 1))
rows("i", "ix_", lambda f, s, t: f([0, 2], s.of([True, False, True])))
rows("i", "unravel_index", lambda f, s, t: f(s.of([3, 7, 11]), (3, 4), order=s.pick("C", "F")))
rows("i", "ravel_multi_index", lambda f, s, t: f((s.of([1, 2]), s.of([3, 1])), (3, 4), order=s.pick("C", "F"), mode=s.pick("raise", "wrap", "clip")))


@row("mgrid", "ogrid", "r_", "c_", "s_", "index_exp")
def _indexed(np: Any, s: Source) -> Any:
    x = s(3)
    return (
        np.mgrid[0:3, 1:7:2],
        np.mgrid[-1:1:5j],
        np.ogrid[0:2, 0:1:3j],
        np.r_[1:4, 9, x],
        np.r_["0,2", x, [1, 2, 3]],
        np.r_["1,2,0", x, x],
        np.c_[x, x],
        np.c_[x.reshape(3, 1), s(3, 2)],
        np.arange(10)[np.s_[2:7:2]],
    )


# Products.
rows("ifc", "dot matmul", lambda f, s, t: f(s(3, 4, dtype=t), s(4, 2, dtype=t)))
rows("ifc", "inner vdot", lambda f, s, t: f(s(3, 4, dtype=t), s(3, 4, dtype=t)))
rows("ifc", "outer linalg.outer", lambda f, s, t: f(s(3, dtype=t), s(4, dtype=t)))
rows("if", "tensordot linalg.tensordot", lambda f, s, t: f(s(2, 3, 4, dtype=t), s(3, 4, 5, dtype=t), axes=s.pick(2, ([1, 2], [0, 1]))))
rows("if", "einsum", lambda f, s, t: f("ij,jk->ik", s(3, 4, dtype=t), s(4, 2, dtype=t)))
rows("if", "kron", lambda f, s, t: f(s(2, 2, dtype=t), s(2, 3, dtype=t)))
rows("ifc", "vecdot linalg.vecdot", lambda f, s, t: f(s(3, 4, dtype=t), s(3, 4, dtype=t)))
rows("ifc", "matvec", lambda f, s, t: f(s(3, 4, dtype=t), s(4, dtype=t)))
rows("ifc", "vecmat", lambda f, s, t: f(s(3, dtype=t), s(3, 4, dtype=t)))
rows("if", "linalg.matmul", lambda f, s, t: f(s(3, 4, dtype=t), s(4, 2, dtype=t)))
rows("if", "linalg.trace linalg.diagonal", lambda f, s, t: f(s(3, 4, dtype=t), offset=s.pick(0, 1)))
rows("if", "linalg.multi_dot", lambda f, s, t: f([s(2, 5, dtype="float64"), s(5, 3, dtype="float64"), s(3, 4, dtype="float64")]))


def _square(s: Source, n: int = 4) -> Any:
    """A matrix that is far from singular, and symmetric."""
    a = s.rng.integers(-4, 5, (n, n)) / 8
    return s.of(a + a.T + 4 * numpy.eye(n))


rows("bifuc", "generic number integer signedinteger unsignedinteger inexact floating complexfloating", lambda kind, s, t: isinstance(s(3, dtype=t)[1], kind))


@row("issubdtype")
def _kind_of_types(np: Any, s: Source) -> Any:
    return np.issubdtype(s(2, dtype=s.type()).dtype, s.pick(np.floating, np.integer, np.inexact, np.generic, np.unsignedinteger, "float64"))


@row("linalg.LinAlgError")
def _no_inverse(np: Any, s: Source) -> Any:
    refused = [lambda: np.linalg.inv(np.zeros((2, 2))), lambda: np.linalg.solve(np.ones((2, 3)), np.ones(2)), lambda: np.linalg.cond(np.zeros((0, 0)))]
    try:
        s.pick(*refused)()
    except np.linalg.LinAlgError as error:
        return isinstance(error, ValueError)


@row("exceptions")
def _no_axis(np: Any, s: Source) -> Any:
    x = s(2, 3)
    try:
        s.pick(lambda: np.sum(x, axis=2), lambda: x.max(axis=-3), lambda: np.rollaxis(x, 4), lambda: np.size(x, axis=(0, 5)))()
    except np.exceptions.AxisError as error:
        return isinstance(error, IndexError)


@row("linalg.cond")
def _cond_of_no_inverse(np: Any, s: Source) -> Any:
    return np.linalg.cond(np.ones((2, 2)), s.pick(1, -1, "fro", np.inf)), np.linalg.cond(np.zeros((2, 2)))


@row("linalg.eig", "linalg.eigvals")
def _types_of_eigenvalues(np: Any, s: Source) -> Any:
    x = s(3, 3)
    return np.linalg.eigvals(s.pick(x + x.T, x - x.T)).dtype, np.linalg.eig(x @ x.T)[1].dtype


rows("iu", "quantile percentile", lambda f, s, t: f(s(3, 5, dtype=t), s.pick(0.3, [0.2, 0.9]), axis=s.pick(None, 0, -1), method=s.pick("lower", "higher", "nearest")))
rows("iuf", "convolve", lambda f, s, t: f(s(7, dtype=t), s(3, dtype=t), s.pick(0, 1, 2)))
rows("iuf", "size", lambda f, s, t: f(s(3, 4, 2, dtype=t), axis=s.pick((0, 1), (-1,), ())))
rows("iuf", "roll", lambda f, s, t: f(s(3, 4, dtype=t), s.pick(2**70 + 1, -(2**65)), axis=s.pick(None, 1)))
rows("f", "median nanmedian", lambda f, s, t: f(s(0, 3, dtype=t), axis=s.pick(None, 0)))
rows("f", "isclose", lambda f, s, t: f(s(4, dtype=t), s.pick(0.1, 1 - 1e-17, 1), rtol=0, atol=0))
rows("f", "sum prod any all max min add.reduce", lambda f, s, t: f(s.of(numpy.array(2.5, t)), axis=s.pick(0, -1)))


@row("add.at", "maximum.at")
def _numpys_own_array(np: Any, s: Source) -> Any:
    x = numpy.zeros(4, s.pick(object, "float64"))
    np.add.at(x, [0, 2, 2], s.pick(1, [1, 2, 3]))
    return np.add(x.astype(float), 1.0, out=...)


@row("add.reduce")
def _no_place_for_a_result(np: Any, s: Source) -> Any:
    try:
        np.add.reduce(s(3, 4), out=s(s.pick(2, 1), 4))
    except ValueError:
        return True


rows("i", "gcd", lambda f, s, t: f(s.of(numpy.array([-128, -96, 0], "int8")), s.of(numpy.array([96, -128, -7], "int8"))))
rows("c", "sign", lambda f, s, t: f(s.of(numpy.array([complex(numpy.inf, numpy.inf), complex(3, -4), complex(0, -numpy.inf)], t))))
rows("f", "linalg.inv linalg.det linalg.slogdet linalg.cholesky linalg.eigvalsh linalg.svdvals linalg.pinv linalg.matrix_rank linalg.cond", lambda f, s, t: f(_square(s)))
rows("f", "linalg.solve", lambda f, s, t: f(_square(s), s(4)))
rows("f", "linalg.lstsq", lambda f, s, t: f(s(7, 3), s(7), rcond=None)[0])
rows("f", "linalg.matrix_power", lambda f, s, t: f(_square(s), s.pick(0, 2, 3, -1)))
rows("f", "linalg.norm", lambda f, s, t: f(s(3, 4), s.pick(None, "fro", 1, 2)))
rows("f", "linalg.vector_norm linalg.matrix_norm", lambda f, s, t: f(s(3, 4)))
rows("f", "linalg.tensorinv", lambda f, s, t: f(_square(s).reshape(2, 2, 2, 2)))
rows("f", "linalg.tensorsolve", lambda f, s, t: f(_square(s).reshape(2, 2, 2, 2), s(2, 2)))
rows("f", "linalg.qr linalg.svd linalg.eigh linalg.eig linalg.eigvals", lambda f, s, t: sum(x.size for x in r) if isinstance(r := f(_square(s)), tuple) else r.size)

# Fourier transforms.
rows("fc", "fft.fft fft.ifft fft.hfft", lambda f, s, t: f(s(3, 6, dtype="complex128"), s.pick(None, 5), axis=s.pick(0, 1), norm=s.pick(None, "ortho")))
rows("c", "fft.fft fft.ifft fft.fftn", lambda f, s, t: f(s(3, 6, dtype="complex128"), out=s(3, 6, dtype="complex128")))
rows("f", "fft.rfft fft.ihfft", lambda f, s, t: f(s(3, 6), s.pick(None, 5)))
rows("c", "fft.irfft", lambda f, s, t: f(s(3, 5, dtype="complex128"), s.pick(None, 6)))
rows("c", "fft.fft2 fft.ifft2 fft.fftn fft.ifftn", lambda f, s, t: f(s(3, 4, dtype="complex128"), norm=s.pick(None, "forward")))
rows("f", "fft.rfft2 fft.rfftn", lambda f, s, t: f(s(3, 4)))
rows("c", "fft.irfft2 fft.irfftn", lambda f, s, t: f(s(3, 4, dtype="complex128")))
rows("f", "fft.fftfreq fft.rfftfreq", lambda f, s, t: f(s.pick(6, 7), 0.5))
rows("f", "fft.fftshift fft.ifftshift", lambda f, s, t: f(s(3, 4)))

# Polynomials.
rows("if", "polyval", lambda f, s, t: f(s(4, dtype=t), s(3, dtype=t)))
rows("if", "polyadd polysub polymul", lambda f, s, t: f(s(4, dtype=t), s(3, dtype=t)))
rows("f", "polyder polyint", lambda f, s, t: f(s(5), s.pick(1, 2)))
rows("f", "polydiv", lambda f, s, t: f(s(5), s(3, low=0.5)))
rows("f", "poly", lambda f, s, t: f(s(4)))
rows("f", "roots", lambda f, s, t: s.module.sort(f([1.0, -6.0, 11.0, -6.0]).real))
rows("f", "polyfit", lambda f, s, t: f(s.module.arange(8.0), s(8), s.pick(1, 2, 3)))
rows("f", "polyfit", lambda f, s, t: f(s.module.arange(8.0), s(8), 2, w=s(8, low=0.5), cov=s.pick(True, "unscaled")))

# Types and small things.
rows("f", "finfo", lambda f, s, t: (f(t).eps, f(t).max, f(t).bits))
rows("i", "iinfo", lambda f, s, t: (f(t).min, f(t).max))
rows("if", "result_type", lambda f, s, t: str(numpy.dtype(f(s(3, dtype=t), 2.0))))
rows("f", "promote_types", lambda f, s, t: str(numpy.dtype(f(t, "float64"))))
rows("if", "can_cast", lambda f, s, t: (f(t, "float64"), f("int64", "int8"), f("float64", t, "same_kind")))
rows("f", "common_type", lambda f, s, t: f(s(3, dtype=t), s(3, dtype="float64")).__name__)
rows("if", "isscalar", lambda f, s, t: (f(3.0), f("a"), f([1])))
rows("if", "isdtype", lambda f, s, t: f(s(2, dtype=t).dtype if s.module is not numpy else numpy.dtype(t), "integral"))
rows("if", "min_scalar_type", lambda f, s, t: str(numpy.dtype(f(s.pick(3, 300, -1, 2.5)))))
rows("if", "shares_memory may_share_memory", lambda f, s, t: (f(x := s(4, dtype=t), x[1:]), f(x, s(4, dtype=t))))
rows("f", "vectorize", lambda f, s, t: f(lambda a, b: a + 2 * b)(s(3, 1), s(4)))
rows("i", "ndenumerate", lambda f, s, t: [(index, int(x)) for index, x in f(s(2, 3, dtype=t))])
rows("i", "ndindex", lambda f, s, t: list(f(2, 3)))
rows("i", "broadcast", lambda f, s, t: (f(s(3, 1), s(4)).shape, f(s(3, 1), s(4)).size))
rows("f", "ndarray", lambda f, s, t: (f((2, 3), t).shape, isinstance(s(3), f)))
rows("f", "dtype", lambda f, s, t: (f(t).itemsize, f(t).kind, f(t).char, f(t).name, isinstance(s(3).dtype, f)))
rows("f", "einsum_path", lambda f, s, t: f("ij,jk->ik", s(3, 4), s(4, 2))[0])
rows("f", "array_repr", lambda f, s, t: f(s(3)))
rows("f", "array_str array2string", lambda f, s, t: f(s(3)))
rows("i", "frombuffer", lambda f, s, t: f(b"abcdefgh", dtype="uint8"))
rows("f", "fromstring", lambda f, s, t: f("1 2 3", sep=" "))
rows("i", "fromiter", lambda f, s, t: f(range(4), dtype="int64"))
rows("f", "from_dlpack", lambda f, s, t: f(s(4)))
rows("f", "ufunc", lambda f, s, t: (isinstance(s.module.add, f), s.module.add.nin, s.module.divmod.nout, s.module.add.identity))
