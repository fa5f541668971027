"""Layers of golden networks, against the same formulas in PyTorch.

`torch` is the formula spelled out in eager operations; `torch.native` uses the library's own fused function where one
covers most of the formula. What does not depend on the input is computed beforehand for all.
"""

from __future__ import annotations

import math

import numpy as np

from case import Case, Expected, normal, wide
from cases_core import depth

INV_PHI = (math.sqrt(5) - 1) / 2
EPS = 1e-5


def _softmax_inputs(size, rng):
    norms = rng.integers(0, 12, size[-1:]).astype(np.float64)
    # Ours takes the mode norms; the peers get the logarithms of the weights, computed once.
    return [rng.standard_normal(size) * 3, norms, -norms * INV_PHI]


def _softmax(x, norms, log_w):
    z = wide(x) - wide(norms) * INV_PHI
    z -= z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    p = e / e.sum(axis=-1, keepdims=True)
    return [Expected(p, p * (1 + np.abs(z)), depth(x.shape[-1]) + 24)]


def _torch_softmax(m):
    def call(x, norms, log_w):
        z = x + log_w
        e = m.exp(z - m.amax(z, -1, keepdim=True))
        return e / e.sum(-1, keepdim=True)

    return call


SOFTMAX = {
    "syntonic": lambda m: lambda x, norms, log_w: m.nn.syntonic_softmax(x, mode_norms=norms),
    "torch": _torch_softmax,
    "torch.native": lambda m: lambda x, norms, log_w: m.softmax(x + log_w, -1),
}


def _batch_inputs(size, rng):
    c = size[1]
    return [rng.standard_normal(size) * 2 + 1, rng.random(c) + 0.5, rng.standard_normal(c)]


def _normed(y, axes, target, gamma, beta):
    mu = y.mean(axis=axes, keepdims=True)
    rate = math.sqrt(target) / np.sqrt(y.var(axis=axes, keepdims=True) + EPS)
    count = math.prod(y.shape[a] for a in axes)
    scale = (np.abs(y) + np.abs(mu)) * rate * np.abs(gamma) + np.abs(beta)
    return [Expected((y - mu) * rate * gamma + beta, scale, 4 * depth(count) + 16)]


def _batch(x, gamma, beta):
    return _normed(wide(x), (0, 2, 3), INV_PHI, wide(gamma)[:, None, None], wide(beta)[:, None, None])


def _torch_batch(m):
    def call(x, gamma, beta):
        mu = x.mean((0, 2, 3), keepdim=True)
        centred = x - mu
        var = (centred * centred).mean((0, 2, 3), keepdim=True)
        rate = m.rsqrt(var + EPS) * math.sqrt(INV_PHI) * gamma[:, None, None]
        return centred * rate + beta[:, None, None]

    return call


def _torch_native_batch(m):
    def call(x, gamma, beta):
        weight = gamma * math.sqrt(INV_PHI)
        return m.nn.functional.batch_norm(x, None, None, weight, beta, training=True, eps=EPS)

    return call


BATCH = {
    "syntonic": lambda m: lambda x, gamma, beta: m.nn.golden_batch_norm_2d(x, gamma=gamma, beta=beta),
    "torch": _torch_batch,
    "torch.native": _torch_native_batch,
}


def _residual_inputs(size, rng):
    n = size[-1:]
    return [rng.standard_normal(size), rng.standard_normal(size), rng.random(n) + 0.5, rng.standard_normal(n)]


def _residual_norm(x, r, gamma, beta):
    return _normed(wide(x) + wide(r) * INV_PHI, (1,), 1.0, wide(gamma), wide(beta))


def _torch_residual_norm(m):
    def call(x, r, gamma, beta):
        y = x + r * INV_PHI
        centred = y - y.mean(-1, keepdim=True)
        var = (centred * centred).mean(-1, keepdim=True)
        return centred * m.rsqrt(var + EPS) * gamma + beta

    return call


def _torch_native_residual_norm(m):
    def call(x, r, gamma, beta):
        y = m.add(x, r, alpha=INV_PHI)
        return m.nn.functional.layer_norm(y, gamma.shape, gamma, beta, EPS)

    return call


RESIDUAL_NORM = {
    "syntonic": lambda m: lambda x, r, gamma, beta: m.nn.phi_residual_layer_norm(x, r, gamma, beta),
    "torch": _torch_residual_norm,
    "torch.native": _torch_native_residual_norm,
}


def _layer_inputs(size, rng):
    x, _, gamma, beta = _residual_inputs(size, rng)
    return [x, gamma, beta]


def _torch_layer(m):
    def call(x, gamma, beta):
        centred = x - x.mean(-1, keepdim=True)
        var = (centred * centred).mean(-1, keepdim=True)
        return centred * m.rsqrt(var + EPS) * math.sqrt(INV_PHI) * gamma + beta

    return call


LAYER = {
    "syntonic": lambda m: lambda x, gamma, beta: m.nn.layer_norm(x, gamma, beta),
    "torch": _torch_layer,
    "torch.native": lambda m: lambda x, gamma, beta: m.nn.functional.layer_norm(
        x, gamma.shape, gamma * math.sqrt(INV_PHI), beta, EPS
    ),
}

RESIDUAL = {
    "syntonic": lambda m: lambda x, r: m.nn.phi_residual(x, r),
    "torch": lambda m: lambda x, r: x + r * INV_PHI,
}


def _tanh_gelu(m):
    def call(x, r):
        y = x + r * INV_PHI
        return 0.5 * y * (1 + m.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y * y * y)))

    return call


RESIDUAL_GELU = {
    "syntonic": lambda m: lambda x, r: m.nn.phi_residual_gelu(x, r),
    "torch": _tanh_gelu,
    "torch.native": lambda m: lambda x, r: m.nn.functional.gelu(m.add(x, r, alpha=INV_PHI), approximate="tanh"),
}


def _residual(x, r):
    w, s = wide(x), wide(r)
    return [Expected(w + s * INV_PHI, np.abs(w) + np.abs(s), 4)]


def _residual_gelu(x, r):
    y = wide(x) + wide(r) * INV_PHI
    values = 0.5 * y * (1 + np.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
    return [Expected(values, np.abs(wide(x)) + np.abs(wide(r)), 12)]


GOLDEN_GELU = {
    "syntonic": lambda m: m.nn.golden_gelu,
    "torch": lambda m: lambda x: x * m.sigmoid(x * (1 / INV_PHI)),
}


def _golden_gelu(x):
    w = wide(x)
    values = w / (1 + np.exp(-w / INV_PHI))
    return [Expected(values, np.abs(values) * (1 + np.abs(w)), 12)]


def _syntony_inputs(size, rng):
    norms = np.arange(size[-1], dtype=np.float64) ** 2
    return [rng.standard_normal(size), norms, np.exp(-norms * INV_PHI)]


def _syntony(x, norms, weights):
    energy = wide(x) ** 2
    values = (energy * np.exp(-wide(norms) * INV_PHI)).sum(-1) / energy.sum(-1)
    return [Expected(values, values, 2 * depth(x.shape[-1]) + 24)]


def _torch_syntony(m):
    def call(x, norms, weights):
        energy = x * x
        return (energy * weights).sum(-1) / energy.sum(-1)

    return call


SYNTONY = {"syntonic": lambda m: lambda x, norms, weights: m.resonant.syntony(x, norms), "torch": _torch_syntony}

CASES = {
    "syntonic_softmax": Case(SOFTMAX, _softmax_inputs, _softmax),
    "golden_batch_norm": Case(BATCH, _batch_inputs, _batch),
    "phi_residual_layer_norm": Case(RESIDUAL_NORM, _residual_inputs, _residual_norm),
    "phi_residual": Case(RESIDUAL, normal(2), _residual),
    "phi_residual_gelu": Case(RESIDUAL_GELU, normal(2), _residual_gelu),
    "golden_layer_norm": Case(LAYER, _layer_inputs, lambda x, g, b: _normed(wide(x), (1,), INV_PHI, wide(g), wide(b))),
    "golden_gelu": Case(GOLDEN_GELU, normal(), _golden_gelu),
    "syntony": Case(SYNTONY, _syntony_inputs, _syntony),
}
