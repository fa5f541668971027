"""What PyTorch computes, from a committed file: no PyTorch is needed here."""

import json
from pathlib import Path

import numpy as np
import pytest
import syntonic as syn
from syntonic import nn

FIXTURES = Path(__file__).parent / "fixtures"
CASES = json.loads((FIXTURES / "torch_values.json").read_text())["cases"]


def evaluated_norm(x, mean, var):
    running = nn.BatchNormState(x.shape[1])
    running.mean, running.var = syn.astype(mean, "float64"), syn.astype(var, "float64")
    return nn.golden_batch_norm_1d(x, running=running, training=False)


def running_statistics(x):
    running = nn.BatchNormState(x.shape[1])
    nn.golden_batch_norm_1d(x, running=running)
    return syn.stack([running.mean, running.var])


def flat(states):
    return syn.concat([syn.reshape(state, (-1,)) for state in states])


def phi_residual_backward(x, r, grad):
    return flat(nn.phi_residual_backward(grad, x, r, activation="gelu"))


def phi_residual_layer_norm_backward(x, r, gamma, beta, grad):
    return flat(nn.phi_residual_layer_norm_backward(grad, x, r, gamma))


def layer_norm_backward(x, gamma, beta, grad):
    return flat(nn.layer_norm_backward(grad, x, gamma, mode="standard"))


def batch_norm_1d_backward(x, gamma, beta, grad):
    return flat(nn.golden_batch_norm_1d_backward(grad, x, gamma=gamma))


def batch_norm_2d_backward(x, gamma, beta, grad):
    axes = (0, 2, 3)
    mean, var = syn.mean(x, axis=axes), syn.var(x, axis=axes)
    return flat(nn.golden_batch_norm_2d_backward(grad, x, gamma=gamma, mean=mean, var=var))


def syntonic_softmax_backward(x, norms, grad):
    output = nn.syntonic_softmax(x, mode_norms=norms)
    of_x, of_norms, _ = nn.syntonic_softmax_gradients(grad, output, mode_norms=norms)
    return flat([of_x, of_norms])


# The operators whose call differs from `syntonic.<name>(*inputs)`.
CALLS = {
    "logsumexp": lambda x: syn.logsumexp(x, axis=-1),
    "var": lambda x: syn.var(x, axis=0, correction=1),
    "std": lambda x: syn.std(x, axis=1, correction=0),
    "leaky_relu": lambda x: syn.leaky_relu(x, 0.125),
    "softmax": lambda x: nn.softmax(x, axis=1),
    "syntonic_softmax": lambda x, norms: nn.syntonic_softmax(x, mode_norms=norms),
    "layer_norm": lambda x, gamma, beta: nn.layer_norm(x, gamma, beta, mode="standard"),
    "phi_residual_layer_norm": nn.phi_residual_layer_norm,
    "golden_batch_norm_1d": lambda x, gamma, beta: nn.golden_batch_norm_1d(x, gamma=gamma, beta=beta),
    "golden_batch_norm_2d": lambda x, gamma, beta: nn.golden_batch_norm_2d(x, gamma=gamma, beta=beta),
    "golden_batch_norm_1d_eval": evaluated_norm,
    "running_statistics": running_statistics,
    "phi_residual_backward": phi_residual_backward,
    "golden_gelu_backward": lambda x, grad: nn.golden_gelu_backward(grad, x),
    "phi_residual_layer_norm_backward": phi_residual_layer_norm_backward,
    "layer_norm_backward": layer_norm_backward,
    "golden_batch_norm_1d_backward": batch_norm_1d_backward,
    "golden_batch_norm_2d_backward": batch_norm_2d_backward,
    "syntonic_softmax_backward": syntonic_softmax_backward,
}
# Largest error relative to the largest result. Norms subtract a mean and divide by a root: 1e-12 and 2e-6. Functions
# of one element and softmaxes stay within a few units of the last place of the largest exponent, here below 2^7.
BOUNDS = {"float64": 1e-12, "float32": 2e-6}


@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.parametrize("name", CASES)
def test_same_values_as_torch(name, dtype):
    case = CASES[name]
    inputs = [syn.State(values, dtype=dtype) for values in case["inputs"]]
    call = CALLS.get(name) or getattr(syn, name)
    got, want = call(*inputs).numpy(), np.array(case["output"])
    assert got.shape == want.shape
    bound = BOUNDS[dtype] * max(1.0, np.abs(want).max())
    assert np.abs(got - want).max() <= bound


def test_the_script_makes_every_case():
    script = (FIXTURES / "make_torch_values.py").read_text()
    assert all(f'"{name}":' in script for name in CASES)
