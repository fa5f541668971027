"""Element-wise functions, reductions, scans, order and random numbers."""

from __future__ import annotations

import math

import numpy as np

from case import Case, Expected, WrongResult, everywhere, normal, positive, spelled, wide


def _pointwise(formula, units, scale=np.abs):
    """Rounded once or a few times per element: the error is a number of roundings of the result."""

    def expect(*inputs):
        values = formula(*(wide(x) for x in inputs))
        return [Expected(values, scale(values), units)]

    return expect


def _exact(formula):
    return lambda *inputs: [Expected(formula(*inputs))]


def depth(n: int) -> float:
    """Roundings of a sum of n terms: blocks of at most 128 in order, joined as a tree, or all in order if that is less."""
    return min(n, 128 + math.log2(max(n, 2)))


def _sum(axis, units=0):
    def expect(x):
        w = wide(x)
        n = x.size if axis is None else x.shape[axis]
        return [Expected(np.asarray(w.sum(axis=axis)), np.asarray(np.abs(w).sum(axis=axis)), depth(n) + units)]

    return expect


def _mean(x):
    w = wide(x)
    return [Expected(w.mean(axis=0), np.abs(w).mean(axis=0), depth(x.shape[0]) + 2)]


def _var(axis):
    def expect(x):
        values = np.asarray(np.var(wide(x), axis=axis))
        n = x.size if axis is None else x.shape[axis]
        return [Expected(values, values, 4 * depth(n) + 8)]

    return expect


def _logsumexp(x):
    w = wide(x)
    top = w.max(axis=1, keepdims=True)
    values = np.log(np.exp(w - top).sum(axis=1)) + top[:, 0]
    return [Expected(values, 1 + np.abs(values), depth(x.shape[1]) + 16)]


def _cumsum(axis):
    def expect(x):
        w = wide(x)
        # A running sum is as deep as it is long.
        return [Expected(np.cumsum(w, axis=axis), np.cumsum(np.abs(w), axis=axis), float(x.shape[axis]))]

    return expect


def _erf(x):
    values = np.frompyfunc(math.erf, 1, 1)(wide(x)).astype(np.float64)
    return [Expected(values, np.abs(values), 8)]


def _gelu(x):
    w = wide(x)
    values = 0.5 * w * (1 + np.tanh(math.sqrt(2 / math.pi) * (w + 0.044715 * w**3)))
    # Below zero 1 + tanh cancels: what is lost is a part of x.
    return [Expected(values, np.abs(w), 8)]


def _chain(a, b, c):
    y = (wide(a) * wide(b) + wide(c)) * 1.25 - 0.5
    values = np.exp(np.maximum(y, 0))
    size = (np.abs(wide(a) * wide(b)) + np.abs(wide(c))) * 1.25 + 0.5
    return [Expected(values, values * (1 + size), 8)]


def _complex(count):
    return lambda size, rng: [rng.standard_normal(size) + 1j * rng.standard_normal(size) for _ in range(count)]


def _product(a, b):
    values = wide(a) * wide(b)
    return [Expected(values, np.abs(wide(a)) * np.abs(wide(b)), 4)]


def moments(mean, variance, fourth):
    """Sample mean and variance within six standard deviations of what they estimate."""

    def verify(got):
        x = got.astype(np.float64).reshape(-1)
        off = abs(x.mean() - mean) / math.sqrt(variance / x.size)
        spread = abs(x.var() - variance) / math.sqrt((fourth - variance**2) / x.size)
        if not max(off, spread) < 6:
            raise WrongResult(f"mean {x.mean()} and variance {x.var()} are {max(off, spread):.1f} deviations off")
        return float(max(off, spread))

    return verify


def _last(name):
    """A function along the last axis, whose keyword torch calls dim."""
    return {
        "syntonic": lambda m: lambda x: getattr(m, name)(x, axis=-1),
        "numpy": lambda m: lambda x: getattr(m, name)(x, axis=-1),
        "torch": lambda m: lambda x: getattr(m, name)(x, dim=-1),
    }


def _along(method, axis):
    """A method of the array along an axis given by position, as all three libraries take it."""
    return {name: lambda m: lambda x: getattr(x, method)(axis) for name in ("syntonic", "numpy", "torch")}


def _variance(axis):
    return {
        "syntonic": lambda m: lambda x: m.var(x, axis=axis),
        "numpy": lambda m: lambda x: np.var(x, axis=axis),
        "torch": lambda m: lambda x: m.var(x, dim=axis, correction=0),
    }


def _scan(axis):
    return {
        "syntonic": lambda m: lambda x: m.cumulative_sum(x, axis=axis),
        "numpy": lambda m: lambda x: np.cumsum(x, axis=axis),
        "torch": lambda m: lambda x: m.cumsum(x, dim=axis),
    }


def _drawn(kind, verify):
    generator = np.random.default_rng(1)
    calls = {
        "normal": {
            "numpy": lambda n: generator.standard_normal(n, dtype=np.float32),
            "torch": lambda m: lambda n: m.randn(n),
        },
        "uniform": {
            "numpy": lambda n: generator.random(n),
            "torch": lambda m: lambda n: m.rand(n, dtype=m.float64),
        },
    }[kind]
    dtype = "float32" if kind == "normal" else "float64"
    count = 4194304
    return Case(
        {
            "syntonic": lambda m: lambda: getattr(m.random, kind)((count,), dtype=dtype),
            "numpy": lambda m: lambda: calls["numpy"](count),
            "torch": lambda m: lambda: calls["torch"](m)(count),
        },
        verify=verify,
    )


CHAIN = {
    "syntonic": lambda m: lambda a, b, c: m.exp(m.relu((a * b + c) * 1.25 - 0.5)),
    "numpy": lambda m: lambda a, b, c: np.exp(np.maximum((a * b + c) * 1.25 - 0.5, 0)),
    "torch": lambda m: lambda a, b, c: m.exp(m.relu((a * b + c) * 1.25 - 0.5)),
}
GELU = {
    "syntonic": lambda m: lambda x: m.nn.gelu(x),
    "torch": lambda m: lambda x: m.nn.functional.gelu(x, approximate="tanh"),
}
ERF = {"syntonic": lambda m: m.erf, "torch": lambda m: m.special.erf}
SUM_ALL = {name: lambda m: lambda x: x.sum() for name in ("syntonic", "numpy", "torch")}
MAX = {"syntonic": lambda m: lambda x: x.max(1), "numpy": lambda m: lambda x: x.max(1), "torch": lambda m: lambda x: m.amax(x, 1)}
CAST = {
    "syntonic": lambda m: lambda x: x.astype("float64"),
    "numpy": lambda m: lambda x: x.astype("float64"),
    "torch": lambda m: lambda x: x.to(m.float64),
}
SORT = {
    "syntonic": lambda m: lambda x: m.sort(x),
    "numpy": lambda m: lambda x: np.sort(x),
    "torch": lambda m: lambda x: m.sort(x).values,
}


def _row_inputs(size, rng):
    return [rng.standard_normal(size), rng.standard_normal(size[-1:])]


def _where_inputs(size, rng):
    return [rng.random(size) < 0.5, rng.standard_normal(size), rng.standard_normal(size)]


def _distinct(size, rng):
    # Every row holds different numbers, so that the order is unique.
    return [np.argsort(rng.random(size), axis=-1).astype(np.float64)]


CASES = {
    "chain": Case(CHAIN, normal(3), _chain),
    "exp": Case(everywhere("exp"), normal(), _pointwise(np.exp, 8)),
    "add": Case(spelled(lambda a, b: a + b), lambda s, g: [g.integers(-9**4, 9**4, s) / 8 for _ in "ab"], _pointwise(np.add, 1)),
    "divide": Case(spelled(lambda a, b: a / b), lambda s, g: [g.standard_normal(s), g.random(s) + 0.5], _pointwise(np.divide, 2)),
    "multiply": Case(spelled(lambda a, b: a * b), _complex(2), _product),
    "add_row": Case(spelled(lambda a, b: a + b), _row_inputs, _pointwise(np.add, 1)),
    "less": Case(spelled(lambda a, b: a < b), normal(2), _exact(np.less)),
    "where": Case(everywhere("where"), _where_inputs, _exact(np.where), fixed=(0,)),
    "log": Case(everywhere("log"), lambda s, g: [g.random(s) * 9 + 1e-3], _pointwise(np.log, 8)),
    "sin": Case(everywhere("sin"), normal(), _pointwise(np.sin, 8)),
    "tanh": Case(everywhere("tanh"), normal(), _pointwise(np.tanh, 8)),
    "sqrt": Case(everywhere("sqrt"), positive, _pointwise(np.sqrt, 2)),
    "gelu": Case(GELU, normal(), _gelu),
    "erf": Case(ERF, normal(), _erf),
    "cast_float64": Case(CAST, normal(), _exact(lambda x: x.astype(np.float64))),
    "sum_axis0": Case(_along("sum", 0), positive, _sum(0)),
    "sum_axis1": Case(_along("sum", 1), positive, _sum(1, 2)),
    "sum_all": Case(SUM_ALL, positive, _sum(None)),
    "var_axis0": Case(_variance(0), normal(), _var(0)),
    "var_axis1": Case(_variance(1), normal(), _var(1)),
    "var_all": Case(_variance(None), normal(), _var(None)),
    "max_axis1": Case(MAX, normal(), _exact(lambda x: x.max(axis=1))),
    "argmax_axis1": Case(_along("argmax", 1), _distinct, _exact(lambda x: x.argmax(axis=1))),
    "mean_axis0": Case(_along("mean", 0), positive, _mean),
    "logsumexp_axis1": Case({k: v for k, v in _last("logsumexp").items() if k != "numpy"}, normal(), _logsumexp),
    "cumsum_axis0": Case(_scan(0), positive, _cumsum(0)),
    "cumsum_axis1": Case(_scan(1), positive, _cumsum(1)),
    "sort": Case(SORT, normal(), _exact(lambda x: np.sort(x))),
    "argsort_axis1": Case(_last("argsort"), _distinct, _exact(lambda x: np.argsort(x, axis=-1))),
    "random_normal": _drawn("normal", moments(0.0, 1.0, 3.0)),
    "random_uniform": _drawn("uniform", moments(0.5, 1 / 12, 1 / 80)),
}
