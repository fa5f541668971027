"""Moving elements: transposes, gathers, joins, copies. Nothing is rounded, so results are exact."""

from __future__ import annotations

import numpy as np

from case import Case, Expected, normal, spelled

FILL = 1.5


def _exact(formula):
    return lambda *inputs: [Expected(np.ascontiguousarray(formula(*inputs)))]


def _copied(view):
    """A view of the input, written out row-major."""
    return {
        "syntonic": lambda m: lambda x: view(x).copy(),
        "numpy": lambda m: lambda x: np.ascontiguousarray(view(x)),
        "torch": lambda m: lambda x: view(x).contiguous(),
    }


COPY = {
    "syntonic": lambda m: lambda x: x.copy(),
    "numpy": lambda m: lambda x: x.copy(),
    "torch": lambda m: lambda x: x.clone(),
}
PERMUTE = {
    "syntonic": lambda m: lambda x: m.permute_dims(x, (2, 0, 1)).copy(),
    "numpy": lambda m: lambda x: np.ascontiguousarray(np.transpose(x, (2, 0, 1))),
    "torch": lambda m: lambda x: x.permute(2, 0, 1).contiguous(),
}
TAKE_ROWS = {
    "syntonic": lambda m: lambda x, i: m.take(x, i, axis=0),
    "numpy": lambda m: lambda x, i: np.take(x, i, axis=0),
    "torch": lambda m: lambda x, i: m.index_select(x, 0, i),
}
TAKE = {
    "syntonic": lambda m: lambda x, i: m.take(x, i, axis=0),
    "numpy": lambda m: lambda x, i: np.take(x, i),
    "torch": lambda m: lambda x, i: m.take(x, i),
}
CONCAT = {
    "syntonic": lambda m: lambda a, b: m.concat([a, b], axis=1),
    "numpy": lambda m: lambda a, b: np.concatenate([a, b], axis=1),
    "torch": lambda m: lambda a, b: m.cat([a, b], dim=1),
}


def _full(count):
    return {
        "syntonic": lambda m: lambda: m.full((count,), FILL, dtype="float32"),
        "numpy": lambda m: lambda: np.full((count,), FILL, dtype=np.float32),
        "torch": lambda m: lambda: m.full((count,), FILL, dtype=m.float32),
    }


def _gather_inputs(count):
    return lambda size, rng: [rng.standard_normal(size), rng.integers(0, size[0], count)]


def _mask_inputs(size, rng):
    return [rng.standard_normal(size), rng.random(size) < 0.5]


CASES = {
    "transpose_copy": Case(_copied(lambda x: x.T), normal(), _exact(np.transpose)),
    "copy": Case(COPY, normal(), _exact(np.array)),
    "copy_stride2": Case(_copied(lambda x: x[::2]), normal(), _exact(lambda x: x[::2])),
    "permute_copy": Case(PERMUTE, normal(), _exact(lambda x: np.transpose(x, (2, 0, 1)))),
    "take_rows": Case(TAKE_ROWS, _gather_inputs(32768), _exact(lambda x, i: x[i]), fixed=(1,)),
    "take": Case(TAKE, _gather_inputs(1048576), _exact(lambda x, i: x[i]), fixed=(1,)),
    "mask_select": Case(spelled(lambda x, mask: x[mask]), _mask_inputs, _exact(lambda x, mask: x[mask]), fixed=(1,)),
    "concat_axis1": Case(CONCAT, normal(2), _exact(lambda a, b: np.concatenate([a, b], axis=1))),
    "fill": Case(_full(4194304), expect=lambda: [Expected(np.full(4194304, FILL))]),
}
