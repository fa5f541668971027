//! The sums of active inference.

use crate::enter::enter;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_srt::infer;

/// `kl_divergence(mean_q, mean_p, var_q, var_p)` of diagonal Gaussians, over the last axis.
#[pyfunction]
pub(crate) fn kl_divergence(
    mean_q: &Bound<'_, PyAny>,
    mean_p: &Bound<'_, PyAny>,
    var_q: &Bound<'_, PyAny>,
    var_p: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let py = mean_q.py();
    let mean_q = operand::tensor(mean_q)?;
    let mean_p = operand::tensor_beside(mean_p, &mean_q)?;
    let var_q = operand::tensor_beside(var_q, &mean_q)?;
    let var_p = operand::tensor_beside(var_p, &mean_q)?;
    let work = || infer::kl_divergence(&mean_q, &mean_p, &var_q, &var_p);
    Ok(enter(py, mean_q.numel(), work)?.into())
}

/// `categorical_kl_divergence(q, p)`, over the last axis.
#[pyfunction]
pub(crate) fn categorical_kl_divergence(
    q: &Bound<'_, PyAny>,
    p: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let py = q.py();
    let q = operand::tensor(q)?;
    let p = operand::tensor_beside(p, &q)?;
    let work = || infer::categorical_kl_divergence(&q, &p);
    Ok(enter(py, q.numel(), work)?.into())
}

/// `accuracy(observation, prediction, precision, variance)`, over the last axis.
#[pyfunction]
#[pyo3(signature = (observation, prediction, precision, variance=None))]
pub(crate) fn accuracy(
    observation: &Bound<'_, PyAny>,
    prediction: &Bound<'_, PyAny>,
    precision: &Bound<'_, PyAny>,
    variance: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let py = observation.py();
    let seen = operand::tensor(observation)?;
    let told = operand::tensor_beside(prediction, &seen)?;
    let precision = operand::tensor_beside(precision, &seen)?;
    let variance = variance
        .map(|v| operand::tensor_beside(v, &seen))
        .transpose()?;
    let work = || match &variance {
        None => infer::accuracy(&seen, &told, &precision),
        Some(variance) => infer::expected_accuracy(&seen, &told, &precision, variance),
    };
    Ok(enter(py, seen.numel(), work)?.into())
}
