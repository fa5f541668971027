"""What a call costs when there is next to nothing to compute. Expressions, so that no function call is added."""

from __future__ import annotations

import numpy as np

from case import Case, Expected, normal, wide

LIST = [float(i) for i in range(100)]


def _same(numpy, forced=True, torch=None):
    """One expression for all; ours is also evaluated, which a view does not need."""
    return {"syntonic": f"({numpy}).eval()" if forced else numpy, "numpy": numpy, "torch": torch or numpy}


def _exact(formula):
    return lambda *inputs: [Expected(np.ascontiguousarray(formula(*inputs)))]


def _close(formula, units, scale=np.abs):
    def expect(*inputs):
        values = np.asarray(formula(*(wide(x) for x in inputs)))
        return [Expected(values, scale(values), units)]

    return expect


def _chain(a, b, c):
    values = np.exp(np.maximum((wide(a) * wide(b) + wide(c)) * 1.25 - 0.5, 0))
    return [Expected(values, values, 256.0)]


CHAIN = {
    "syntonic": "m.exp(m.relu((a * b + c) * 1.25 - 0.5)).eval()",
    "numpy": "m.exp(m.maximum((a * b + c) * 1.25 - 0.5, 0))",
    "torch": "m.exp(m.relu((a * b + c) * 1.25 - 0.5))",
}
FROM_LIST = {"syntonic": "m.State(LIST)", "numpy": "m.array(LIST)", "torch": "m.tensor(LIST, dtype=m.float64)"}

CASES = {
    "add": Case({}, normal(2), _close(np.add, 1), expressions=_same("a + b")),
    "add_number": Case({}, normal(), _close(lambda a: a + 1.5, 1), expressions=_same("a + 1.5")),
    "exp": Case({}, normal(), _close(np.exp, 8), expressions=_same("m.exp(a)")),
    "chain": Case({}, normal(3), _chain, expressions=CHAIN),
    "sum": Case({}, lambda s, g: [g.random(s) + 0.5], _close(np.sum, 100), expressions=_same("a.sum()")),
    "reshape": Case({}, normal(), _exact(lambda a: a.reshape(10, 100)), expressions=_same("a.reshape(10, 100)", False)),
    "slice": Case({}, normal(), _exact(lambda a: a[10:900:2]), expressions=_same("a[10:900:2]", False)),
    "index_row": Case({}, normal(), _exact(lambda a: a[3]), expressions=_same("a[3]", False)),
    "transpose": Case({}, normal(), _exact(lambda a: a.T), expressions=_same("a.T", False)),
    "matmul": Case(
        {}, lambda s, g: [g.random(s[:2]), g.random(s[1:])], _close(np.matmul, 18), expressions=_same("a @ b")
    ),
    "from_list": Case({}, expect=lambda: [Expected(np.array(LIST))], expressions=FROM_LIST),
}
