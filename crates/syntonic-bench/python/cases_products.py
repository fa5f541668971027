"""Matrix products. Elements at random places are recomputed with more digits; the sums of all rows cover the rest."""

from __future__ import annotations

import numpy as np

from case import Case, Expected, wide

PLACES = 499


def _random(rng, shape, dtype_is_complex=True):
    real = rng.standard_normal(shape)
    return real + 1j * rng.standard_normal(shape) if dtype_is_complex else real


def _pair(size, rng):
    m, k, n = size[-3:]
    stack = size[:-3]
    # The imaginary part is dropped where the row's type is real.
    return [_random(rng, [*stack, m, k]), _random(rng, [*stack, k, n])]


def _places(a, b):
    """Entries of the product of stacks [.., m, k] and [.., k, n] at random places, and all of its row sums."""
    rng = np.random.default_rng(7)
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    a3, b3 = a.reshape(-1, m, k), b.reshape(-1, k, n)
    s, i, j = (rng.integers(0, limit, PLACES) for limit in (a3.shape[0], m, n))
    rows, columns = wide(a3[s, i]), wide(b3[s, :, j])
    values, scale = (rows * columns).sum(1), (np.abs(rows) * np.abs(columns)).sum(1)
    # A sum of k products in any order, complex ones with four multiplications each.
    return Expected(values, scale, k + 8.0, positions=(s * m + i) * n + j)


class RowSums(Expected):
    """Compares the sum of every row of the result with A times the row sums of B."""

    width: int = 0

    def error(self, got, dtype, only=None):
        return super().error(got.reshape(-1, self.width).astype(self.values.dtype).sum(1), dtype)


def _row_sums(a, b):
    kind = np.complex128 if np.iscomplexobj(a) else np.float64
    values = (a.astype(kind) @ b.astype(kind).sum(-1, keepdims=True))[..., 0]
    # Entries err independently; the norm of the products bounds their sum far better than the sum of absolute values.
    norms = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=(-2, -1), keepdims=True)[..., 0]
    sums = RowSums(values, norms.astype(np.float64), 16.0 * np.sqrt(a.shape[-1]))
    sums.width = b.shape[-1]
    return sums


def _product(a, b):
    return [_places(a, b), _row_sums(a, b)]


def _transposed(a, b):
    return _product(a, np.swapaxes(b, -1, -2))


def _matvec_inputs(size, rng):
    return [rng.standard_normal(size), rng.standard_normal(size[1])]


def _matvec(a, x):
    return [Expected(wide(a) @ wide(x), np.abs(wide(a)) @ np.abs(wide(x)), a.shape[1] + 2.0)]


def _vecdot(a, b):
    w, v = wide(a), wide(b)
    return [Expected(np.asarray((w * v).sum()), np.asarray((w * v).sum()), 4096.0)]


def _call(call):
    """One function for all; ours is also evaluated."""
    peers = {name: lambda m: call for name in ("numpy", "torch")}
    return {"syntonic": lambda m: lambda a, b: call(a, b).eval(), **peers}


VECDOT = {
    "syntonic": lambda m: lambda a, b: m.vecdot(a, b),
    "numpy": lambda m: lambda a, b: np.vecdot(a, b),
    "torch": lambda m: lambda a, b: m.dot(a, b),
}

CASES = {
    "matmul": Case(_call(lambda a, b: a @ b), _pair, _product),
    "matmul_transposed": Case(_call(lambda a, b: a @ b.T), _pair, _transposed),
    "bmm": Case(_call(lambda a, b: a @ b), _pair, _product),
    "matvec": Case(_call(lambda a, x: a @ x), _matvec_inputs, _matvec),
    "vecdot": Case(VECDOT, lambda size, rng: [rng.random(size) + 0.5 for _ in "ab"], _vecdot),
}
