//! Gradients of the layers.

use super::nn::{layer_settings, residual_form, settings, weights as weighting};
use crate::arguments::parameter;
use crate::enter::enter;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{Result, Tensor};
use syntonic_srt::nn::{
    self, Activation, BatchNormGradients, BatchStats, LayerNormGradients, Mode, ResidualGradients,
    ResidualNormGradients, Softmax, SoftmaxGradients,
};

/// Of the elements, and of gamma and beta where there are any.
type Norms = (State, Option<State>, Option<State>);

fn states(x: Tensor, affine: Option<(Tensor, Tensor)>) -> Norms {
    let (gamma, beta) = affine.unzip();
    (x.into(), gamma.map(State::from), beta.map(State::from))
}

/// The gradient of the residual in memory of its own: but for mode phi it is that of the identity.
fn apart(residual: Tensor, mode: Mode) -> Result<Tensor> {
    match mode {
        Mode::Phi => Ok(residual),
        Mode::PhiSymmetric | Mode::Standard => residual.copy(),
    }
}

/// `golden_gelu_backward(grad, x)`.
#[pyfunction]
pub(crate) fn golden_gelu_backward(
    grad: &Bound<'_, PyAny>,
    x: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let grad = operand::tensor_beside(grad, &t)?;
    let work = || nn::golden_gelu_backward(&grad, &t);
    Ok(enter(x.py(), t.numel(), work)?.into())
}

/// `phi_residual_backward(grad, x, r, mode, activation)`: of `x` and of `r`.
#[pyfunction]
#[pyo3(name = "phi_residual_backward")]
pub(crate) fn residual_backward(
    grad: &Bound<'_, PyAny>,
    x: &Bound<'_, PyAny>,
    r: &Bound<'_, PyAny>,
    mode: &Bound<'_, PyAny>,
    activation: &Bound<'_, PyAny>,
) -> PyResult<(State, State)> {
    let t = operand::tensor(x)?;
    let r = operand::tensor_beside(r, &t)?;
    let grad = operand::tensor_beside(grad, &t)?;
    let (mode, activation) = residual_form("phi_residual_backward", mode, activation)?;
    let work = || {
        let made = nn::phi_residual_backward(&grad, &t, &r, mode, activation)?;
        // Values may share memory; arrays that may be written may not.
        let passed = activation == Activation::None && mode != Mode::PhiSymmetric;
        Ok(ResidualGradients {
            x: if passed { made.x.copy()? } else { made.x },
            residual: apart(made.residual, mode)?,
        })
    };
    let ResidualGradients { x: of_x, residual } = enter(x.py(), t.numel(), work)?;
    Ok((of_x.into(), residual.into()))
}

/// `phi_residual_layer_norm_backward(grad, x, r, gamma, mode, activation, eps)`: of `x`, `r`, gamma and beta.
#[pyfunction]
#[pyo3(name = "phi_residual_layer_norm_backward")]
pub(crate) fn residual_layer_norm_backward(
    grad: &Bound<'_, PyAny>,
    x: &Bound<'_, PyAny>,
    r: &Bound<'_, PyAny>,
    gamma: &Bound<'_, PyAny>,
    mode: &Bound<'_, PyAny>,
    activation: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<(State, State, State, State)> {
    let t = operand::tensor(x)?;
    let r = operand::tensor_beside(r, &t)?;
    let gamma = operand::tensor_beside(gamma, &t)?;
    let grad = operand::tensor_beside(grad, &t)?;
    let op = "phi_residual_layer_norm_backward";
    let (mode, activation) = residual_form(op, mode, activation)?;
    let eps = parameter(op, "eps").real(eps)?;
    let work = || {
        let made =
            nn::phi_residual_layer_norm_backward(&grad, &t, &r, mode, activation, &gamma, eps)?;
        let residual = apart(made.residual.clone(), mode)?;
        Ok(ResidualNormGradients { residual, ..made })
    };
    let ResidualNormGradients {
        x: of_x,
        residual,
        gamma,
        beta,
    } = enter(x.py(), t.numel(), work)?;
    Ok((of_x.into(), residual.into(), gamma.into(), beta.into()))
}

/// `layer_norm_backward(grad, x, gamma, target_variance, axes, eps)`: of `x`, gamma and beta.
#[pyfunction]
pub(crate) fn layer_norm_backward(
    grad: &Bound<'_, PyAny>,
    x: &Bound<'_, PyAny>,
    gamma: Option<&Bound<'_, PyAny>>,
    target_variance: &Bound<'_, PyAny>,
    axes: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<Norms> {
    let t = operand::tensor(x)?;
    let beside = |given| operand::tensor_beside(given, &t);
    let (gamma, grad) = (gamma.map(beside).transpose()?, beside(grad)?);
    let settings = layer_settings("layer_norm_backward", target_variance, axes, eps)?;
    let work = || nn::layer_norm_backward(&grad, &t, gamma.as_ref(), settings);
    let LayerNormGradients { x: of_x, affine } = enter(x.py(), t.numel(), work)?;
    Ok(states(of_x, affine))
}

/// `batch_norm_backward(grad, x, planes, gamma, stats, target_variance, eps)`: of `x`, gamma and beta. `stats` are mean
/// and variance of the batch.
#[pyfunction]
pub(crate) fn batch_norm_backward(
    grad: &Bound<'_, PyAny>,
    x: &Bound<'_, PyAny>,
    planes: bool,
    gamma: Option<&Bound<'_, PyAny>>,
    stats: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    target_variance: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<Norms> {
    let t = operand::tensor(x)?;
    let beside = |given: &Bound<'_, PyAny>| operand::tensor_beside(given, &t);
    let (gamma, grad) = (gamma.map(beside).transpose()?, beside(grad)?);
    let stats = match stats {
        Some((mean, var)) => Some(BatchStats {
            mean: beside(&mean)?,
            var: beside(&var)?,
            count: t.numel() / t.shape().get(1).copied().unwrap_or(1).max(1),
        }),
        None => None,
    };
    let op = "golden_batch_norm_backward";
    let settings = settings(op, planes, target_variance, eps)?;
    let work = || nn::batch_norm_backward(&grad, &t, gamma.as_ref(), stats.as_ref(), settings);
    let BatchNormGradients { x: of_x, affine } = enter(x.py(), t.numel(), work)?;
    Ok(states(of_x, affine))
}

/// `syntonic_softmax_backward(grad, p, axis)`.
#[pyfunction]
pub(crate) fn syntonic_softmax_backward(
    grad: &Bound<'_, PyAny>,
    p: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let axis = parameter("softmax_backward", "axis").integer(axis)?;
    let t = operand::tensor(p)?;
    let grad = operand::tensor_beside(grad, &t)?;
    let work = || nn::syntonic_softmax_backward(&grad, &t, axis);
    Ok(enter(p.py(), t.numel(), work)?.into())
}

/// `syntonic_softmax_gradients(grad, p, kind, weights, axis, scale)`: of the logits, the weights and the scale.
#[pyfunction]
pub(crate) fn syntonic_softmax_gradients(
    grad: &Bound<'_, PyAny>,
    p: &Bound<'_, PyAny>,
    kind: &str,
    weights: Option<&Bound<'_, PyAny>>,
    axis: &Bound<'_, PyAny>,
    scale: &Bound<'_, PyAny>,
) -> PyResult<(State, Option<State>, State)> {
    let op = "syntonic_softmax_gradients";
    let axis = parameter(op, "axis").integer(axis)?;
    let scale = parameter(op, "scale").real(scale)?;
    let t = operand::tensor(p)?;
    let beside = |given| operand::tensor_beside(given, &t);
    let (given, grad) = (weights.map(beside).transpose()?, beside(grad)?);
    let weights = weighting(kind, given.as_ref())?;
    let settings = Softmax {
        axis,
        scale,
        ..Softmax::default()
    };
    let work = || nn::syntonic_softmax_gradients(&grad, &t, weights, settings);
    let SoftmaxGradients { x, weights, scale } = enter(p.py(), t.numel(), work)?;
    Ok((x.into(), weights.map(State::from), scale.into()))
}
