//! Layers: phi-residual, golden norms, syntonic softmax, and the activations of the golden table.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_srt::nn::{
    self, Activation, AllMasked, BatchNorm, BatchStats, Channels, LayerNorm, Mode, Running,
    Softmax, TargetVariance, Weights,
};

/// How the residual joins, and what follows, of the function `op`.
pub(super) fn residual_form(
    op: &'static str,
    mode: &Bound<'_, PyAny>,
    activation: &Bound<'_, PyAny>,
) -> PyResult<(Mode, Activation)> {
    let modes = [
        ("phi", Mode::Phi),
        ("phi_symmetric", Mode::PhiSymmetric),
        ("standard", Mode::Standard),
    ];
    let activations = [
        ("none", Activation::None),
        ("relu", Activation::Relu),
        ("gelu", Activation::Gelu),
        ("gelu_erf", Activation::GeluErf),
    ];
    Ok((
        parameter(op, "mode").word(mode, &modes)?,
        parameter(op, "activation").word(activation, &activations)?,
    ))
}

/// What a normalised value is multiplied by and what is then added: both, or one with a 1 or 0 in the place of the other.
fn affine(
    x: &Tensor,
    gamma: Option<&Bound<'_, PyAny>>,
    beta: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<(Tensor, Tensor)>> {
    let read =
        |given: Option<&Bound<'_, PyAny>>| given.map(|g| operand::tensor_beside(g, x)).transpose();
    let like = |t: &Tensor, value: f64| {
        Tensor::full_on(t.shape(), value, t.dtype(), t.device()).map_err(raise)
    };
    Ok(match (read(gamma)?, read(beta)?) {
        (None, None) => None,
        (Some(gamma), Some(beta)) => Some((gamma, beta)),
        (Some(gamma), None) => {
            let beta = like(&gamma, 0.0)?;
            Some((gamma, beta))
        }
        (None, Some(beta)) => Some((like(&beta, 1.0)?, beta)),
    })
}

fn borrowed(pair: &Option<(Tensor, Tensor)>) -> Option<(&Tensor, &Tensor)> {
    pair.as_ref().map(|(a, b)| (a, b))
}

/// `golden_gelu(x)` as a layer: half types are rounded once.
#[pyfunction]
pub(crate) fn golden_gelu(x: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(x)?;
    Ok(enter(x.py(), t.numel(), || nn::golden_gelu(&t))?.into())
}

/// `residual(x, r, mode, activation)`: the phi-residual, whose name is that of the function for people.
#[pyfunction]
pub(crate) fn residual(
    x: &Bound<'_, PyAny>,
    r: &Bound<'_, PyAny>,
    mode: &Bound<'_, PyAny>,
    activation: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let r = operand::tensor_beside(r, &t)?;
    let (mode, activation) = residual_form("phi_residual", mode, activation)?;
    Ok(enter(x.py(), t.numel(), || {
        nn::phi_residual(&t, &r, mode, activation)
    })?
    .into())
}

/// `phi_residual_layer_norm(x, r, gamma, beta, mode, activation, eps)`.
#[pyfunction]
#[pyo3(name = "phi_residual_layer_norm")]
pub(crate) fn residual_layer_norm(
    x: &Bound<'_, PyAny>,
    r: &Bound<'_, PyAny>,
    gamma: &Bound<'_, PyAny>,
    beta: &Bound<'_, PyAny>,
    mode: &Bound<'_, PyAny>,
    activation: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let r = operand::tensor_beside(r, &t)?;
    let gamma = operand::tensor_beside(gamma, &t)?;
    let beta = operand::tensor_beside(beta, &t)?;
    let op = "phi_residual_layer_norm";
    let (mode, activation) = residual_form(op, mode, activation)?;
    let eps = parameter(op, "eps").real(eps)?;
    let work = || nn::phi_residual_layer_norm(&t, &r, mode, activation, &gamma, &beta, eps);
    Ok(enter(x.py(), t.numel(), work)?.into())
}

/// `layer_norm(x, gamma, beta, target_variance, axes, eps)`.
#[pyfunction]
pub(crate) fn layer_norm(
    x: &Bound<'_, PyAny>,
    gamma: Option<&Bound<'_, PyAny>>,
    beta: Option<&Bound<'_, PyAny>>,
    target_variance: &Bound<'_, PyAny>,
    axes: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let affine = affine(&t, gamma, beta)?;
    let settings = layer_settings("layer_norm", target_variance, axes, eps)?;
    Ok(enter(x.py(), t.numel(), || {
        nn::layer_norm(&t, borrowed(&affine), settings)
    })?
    .into())
}

/// What a layer norm aims at and over what, of the function `op`.
pub(super) fn layer_settings(
    op: &'static str,
    target_variance: &Bound<'_, PyAny>,
    axes: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<LayerNorm> {
    Ok(LayerNorm {
        axes: parameter(op, "axes").size(axes)?,
        target: TargetVariance::Custom(parameter(op, "mode").real(target_variance)?),
        eps: parameter(op, "eps").real(eps)?,
    })
}

/// `batch_norm(x, planes, gamma, beta, target_variance, eps)`: the result, and mean, variance and count of the batch.
#[pyfunction]
pub(crate) fn batch_norm(
    x: &Bound<'_, PyAny>,
    planes: bool,
    gamma: Option<&Bound<'_, PyAny>>,
    beta: Option<&Bound<'_, PyAny>>,
    target_variance: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<(State, State, State, usize)> {
    let t = operand::tensor(x)?;
    let affine = affine(&t, gamma, beta)?;
    let settings = settings("golden_batch_norm", planes, target_variance, eps)?;
    let (y, BatchStats { mean, var, count }) = enter(x.py(), t.numel(), || {
        nn::batch_norm(&t, borrowed(&affine), settings)
    })?;
    Ok((y.into(), mean.into(), var.into(), count))
}

/// `running_update(mean, var, batch_mean, batch_var, count, momentum)`: the averages with a batch taken in.
#[pyfunction]
pub(crate) fn running_update(
    mean: &Bound<'_, PyAny>,
    var: &Bound<'_, PyAny>,
    batch_mean: &Bound<'_, PyAny>,
    batch_var: &Bound<'_, PyAny>,
    count: &Bound<'_, PyAny>,
    momentum: &Bound<'_, PyAny>,
) -> PyResult<(State, State)> {
    const OP: &str = "BatchNormState.update";
    let mean = operand::tensor(mean)?;
    let beside = |x| operand::tensor_beside(x, &mean);
    let (var, batch) = (
        beside(var)?,
        BatchStats {
            mean: beside(batch_mean)?,
            var: beside(batch_var)?,
            count: parameter(OP, "count").size(count)?,
        },
    );
    let momentum = parameter(OP, "momentum").real(momentum)?;
    let mut running = Running {
        mean,
        var,
        momentum,
    };
    enter(count.py(), running.mean.numel(), || {
        running.update(&batch)?;
        Ok((running.mean, running.var))
    })
    .map(|(mean, var)| (mean.into(), var.into()))
}

/// What a batch norm aims at and over what, of the function `op`.
pub(super) fn settings(
    op: &'static str,
    planes: bool,
    target_variance: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<BatchNorm> {
    let channels = if planes {
        Channels::Planes
    } else {
        Channels::Features
    };
    Ok(BatchNorm {
        channels,
        target: TargetVariance::Custom(parameter(op, "mode").real(target_variance)?),
        eps: parameter(op, "eps").real(eps)?,
    })
}

/// `batch_norm_eval(x, planes, mean, var, gamma, beta, target_variance, eps)`.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    reason = "one door from Python, whose callers name them"
)]
pub(crate) fn batch_norm_eval(
    x: &Bound<'_, PyAny>,
    planes: bool,
    mean: &Bound<'_, PyAny>,
    var: &Bound<'_, PyAny>,
    gamma: Option<&Bound<'_, PyAny>>,
    beta: Option<&Bound<'_, PyAny>>,
    target_variance: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let t = operand::tensor(x)?;
    let mean = operand::tensor_beside(mean, &t)?;
    let var = operand::tensor_beside(var, &t)?;
    let affine = affine(&t, gamma, beta)?;
    let settings = settings("golden_batch_norm", planes, target_variance, eps)?;
    let work = || nn::batch_norm_eval(&t, (&mean, &var), borrowed(&affine), settings);
    Ok(enter(x.py(), t.numel(), work)?.into())
}

/// The weights that the Python half has sorted out: their kind, and what they come from.
pub(super) fn weights<'a>(kind: &str, given: Option<&'a Tensor>) -> PyResult<Weights<'a>> {
    match (kind, given) {
        ("identity", None) => Ok(Weights::Identity),
        ("norms", Some(norms)) => Ok(Weights::ModeNorms(norms)),
        ("log", Some(log)) => Ok(Weights::Log(log)),
        ("provided", Some(provided)) => Ok(Weights::Provided(provided)),
        _ => Err(error(
            Class::Argument,
            format!(
                "syntonic_softmax: weights {kind:?} are unknown; hint: \"identity\" without weights, \"norms\", \"log\" and \"provided\" with them"
            ),
        )),
    }
}

/// `syntonic_softmax(x, kind, weights, axis, scale, masked_zero)`.
#[pyfunction]
pub(crate) fn syntonic_softmax(
    x: &Bound<'_, PyAny>,
    kind: &str,
    weights: Option<&Bound<'_, PyAny>>,
    axis: &Bound<'_, PyAny>,
    scale: &Bound<'_, PyAny>,
    masked_zero: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let op = "syntonic_softmax";
    let t = operand::tensor(x)?;
    let beside = |given| operand::tensor_beside(given, &t);
    let given = weights.map(beside).transpose()?;
    let weights = self::weights(kind, given.as_ref())?;
    let axis = parameter(op, "axis").integer(axis)?;
    let scale = parameter(op, "scale").real(scale)?;
    let all_masked = if parameter(op, "masked_zero").flag(masked_zero)? {
        AllMasked::Zero
    } else {
        AllMasked::Nan
    };
    let settings = Softmax {
        axis,
        scale,
        all_masked,
    };
    Ok(enter(x.py(), t.numel(), || {
        nn::syntonic_softmax(&t, weights, settings)
    })?
    .into())
}
