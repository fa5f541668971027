"""Gradients of the layers from Python: what comes back, and what is refused. Their values are in test_torch_values.py."""

import numpy as np
import pytest
import syntonic
from syntonic import nn

INV_PHI = 0.6180339887498949
X = syntonic.State([[1.0, 2.0, 4.0], [0.5, -1.0, 3.0]], dtype="float64")
GRAD = syntonic.State([[1.0, 0.0, -1.0], [2.0, 1.0, 0.5]], dtype="float64")


def test_modes_share_the_gradient_between_identity_and_residual():
    for mode, (of_x, of_residual) in {
        "phi": (1.0, INV_PHI),
        "phi_symmetric": (INV_PHI, INV_PHI),
        nn.PhiResidualMode.STANDARD: (1.0, 1.0),
    }.items():
        got = nn.phi_residual_backward(GRAD, X, X, mode)
        assert np.array_equal(got[0].numpy(), GRAD.numpy() * of_x)
        assert np.array_equal(got[1].numpy(), GRAD.numpy() * of_residual)


def test_gradients_that_are_equal_are_still_two_arrays():
    for mode in ("phi", "phi_symmetric", "standard"):
        for activation in ("none", "relu"):
            first, second = nn.phi_residual_backward(GRAD, X, X, mode, activation=activation)
            before = second[0, 0].item()
            first[0, 0] = 100.0
            assert second[0, 0].item() == before and GRAD[0, 0].item() == 1.0
    first, second, *_ = nn.phi_residual_layer_norm_backward(GRAD, X, X, [1.0, 1.0, 1.0], "standard")
    before = second[0, 0].item()
    first[0, 0] = 100.0
    assert second[0, 0].item() == before


def test_what_has_no_factor_has_no_gradient_of_one():
    assert nn.layer_norm_backward(GRAD, X)[1:] == (None, None)
    assert nn.golden_batch_norm_1d_backward(GRAD, X)[1:] == (None, None)
    output = nn.softmax(X)
    of_x, of_weights, of_scale = nn.syntonic_softmax_gradients(GRAD, output)
    assert of_weights is None and of_scale.item() == 0.0
    assert np.array_equal(of_x.numpy(), nn.softmax_backward(GRAD, output).numpy())


def test_kept_statistics_give_the_same_gradient():
    gamma = syntonic.State([0.5, 2.0, -1.0], dtype="float64")
    mean, var = syntonic.mean(X, axis=0), syntonic.var(X, axis=0)
    kept = nn.golden_batch_norm_1d_backward(GRAD, X, gamma=gamma, mean=mean, var=var)
    again = nn.golden_batch_norm_1d_backward(GRAD, X, gamma=gamma)
    for a, b in zip(kept, again):
        assert np.allclose(a.numpy(), b.numpy(), rtol=1e-13, atol=1e-13)


def test_half_types_come_back_as_they_are():
    x, grad = (syntonic.astype(t, "bfloat16") for t in (X, GRAD))
    gamma = syntonic.ones(3, dtype="bfloat16")
    for state in nn.phi_residual_layer_norm_backward(grad, x, x, gamma):
        assert state.dtype == syntonic.bfloat16


def test_mistakes():
    short = syntonic.zeros((2, 2))
    with pytest.raises(syntonic.ShapeError, match="phi_residual_backward"):
        nn.phi_residual_backward(short, X, X)
    with pytest.raises(syntonic.ShapeError, match="layer_norm_backward"):
        nn.layer_norm_backward(GRAD, X, [1.0, 2.0])
    with pytest.raises(syntonic.ArgumentError, match="together"):
        nn.golden_batch_norm_1d_backward(GRAD, X, mean=[0.0, 0.0, 0.0])
    with pytest.raises(syntonic.ArgumentError, match="activation"):
        nn.phi_residual_backward(GRAD, X, X, activation="tan")
    with pytest.raises(syntonic.ArgumentError, match="give one of"):
        nn.syntonic_softmax_gradients(GRAD, X, weights=X, log_weights=[0.0, 0.0, 0.0])
