"""Formulas over rows that are written out, one operation after the other: no library has a name for them."""

from __future__ import annotations

import math

import gpu_formulas as written
import numpy as np

from case import Case, Expected, wide

#: Of what an operand is drawn from, as for GPUs.
WIDTH, FIRST = written.BETWEEN


def depth(n: int) -> int:
    """Roundings of a sum of n terms: blocks of at most 128 in order, joined as a tree, or all in order if that is less."""
    return min(128 + math.ceil(math.log2(max(n, 2))), n)


def _soft(x):
    """The softmax, and how far each element lies below the largest of its row, where it has a part in it."""
    below = x.max(-1, keepdims=True) - x
    e = np.exp(-below)
    p = e / e.sum(-1, keepdims=True)
    return p, np.where(p > 0, below, 0)


def _softmax(x):
    p, below = _soft(x)
    return p * (1 + below), depth(x.shape[-1]) + 24


def _masked(x, mask):
    return _softmax(np.where(mask, x, -np.inf))


def _rms_norm(x, w):
    root = np.sqrt((x * x).mean(-1, keepdims=True) + written.EPS)
    return np.abs(x / root * w), depth(x.shape[-1]) + 16


def _normed(x, axis=-1, eps=0.0):
    mean = x.mean(axis, keepdims=True)
    root = np.sqrt(((x - mean) ** 2).mean(axis, keepdims=True) + eps)
    return (np.abs(x) + np.abs(mean)) / root, 4 * depth(x.shape[axis]) + 16


def _layer_norm(x, gamma, beta):
    scale, units = _normed(x, eps=written.EPS)
    return scale * np.abs(gamma) + np.abs(beta), units


def _loss(x, t):
    top = x.max(-1)
    logs = np.log(np.exp(x - top[:, None]).sum(-1))
    return np.mean(np.abs(top) + np.abs(logs) + np.abs(t)), depth(x.shape[-1]) + depth(len(t)) + 24


def _squared_error(x, y):
    return ((np.abs(x) + np.abs(y)) ** 2).mean(), depth(x.size) + 8


def _distances(x, c):
    return ((np.abs(x) + np.abs(c)) ** 2).sum(-1), depth(x.shape[-1]) + 8


def _cosine(x, y):
    lengths = np.sqrt((x * x).sum(-1)) * np.sqrt((y * y).sum(-1))
    return np.abs(x * y).sum(-1) / lengths, 3 * depth(x.shape[-1]) + 16


def _gelu_of_norm(x):
    # The slope of the GELU is below 1.2, and the sum of its second factor may cancel.
    scale, units = _normed(x, eps=written.EPS)
    return 1.2 * scale, units + 32


def _entropy(x):
    p, below = _soft(x)
    logs = np.abs(np.log(p))
    return (p * (logs + (1 + below) * (1 + logs))).sum(-1), 2 * depth(x.shape[-1]) + 40


#: From the operands in a wider type to what roundings are a part of, and how many there are.
BOUNDS = {
    "written_softmax": _softmax,
    "written_masked_softmax": _masked,
    "written_rms_norm": _rms_norm,
    "written_layer_norm": _layer_norm,
    "written_standard_rows": _normed,
    "written_standard_columns": lambda x: _normed(x, 0),
    "written_loss": _loss,
    "written_squared_error": _squared_error,
    "written_distances": _distances,
    "written_cosine": _cosine,
    "written_gelu_of_norm": _gelu_of_norm,
    "written_entropy": _entropy,
}


def _case(name):
    count, operands, formula, _ = written.FORMULAS[name]

    def inputs(size, rng):
        drawn = [(rng.random(size) * WIDTH + FIRST).astype(np.float32) for _ in range(count)]
        return operands(np, *drawn)

    def expect(*given):
        given = [wide(x) for x in given]
        scale, units = BOUNDS[name](*given)
        return [Expected(np.asarray(formula(np, *given)), scale, units)]

    def call(m):
        return lambda *given: formula(m, *given)

    # The mask stays a mask.
    fixed = (1,) if name == "written_masked_softmax" else ()
    return Case({"syntonic": call, "numpy": call, "torch": call}, inputs, expect, fixed=fixed)


CASES = {name: _case(name) for name in written.FORMULAS}
