//! The sums of active inference.

use crate::arguments::parameter;
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

/// `free_energy(mean_q, mean_p, var_q, var_p, observation, prediction, precision, jacobian)`: F, complexity and accuracy.
#[pyfunction]
#[pyo3(signature = (mean_q, mean_p, var_q, var_p, observation, prediction, precision, jacobian=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "these are the arguments of the Python function"
)]
pub(crate) fn free_energy(
    mean_q: &Bound<'_, PyAny>,
    mean_p: &Bound<'_, PyAny>,
    var_q: &Bound<'_, PyAny>,
    var_p: &Bound<'_, PyAny>,
    observation: &Bound<'_, PyAny>,
    prediction: &Bound<'_, PyAny>,
    precision: &Bound<'_, PyAny>,
    jacobian: Option<&Bound<'_, PyAny>>,
) -> PyResult<(State, State, State)> {
    let py = mean_q.py();
    let mean_q = operand::tensor(mean_q)?;
    let beside = |x: &Bound<'_, PyAny>| operand::tensor_beside(x, &mean_q);
    let (mean_p, var_q, var_p) = (beside(mean_p)?, beside(var_q)?, beside(var_p)?);
    let (seen, told, precision) = (
        beside(observation)?,
        beside(prediction)?,
        beside(precision)?,
    );
    let jacobian = jacobian.map(beside).transpose()?;
    let work = || {
        let evidence = infer::Evidence {
            observation: &seen,
            prediction: &told,
            precision: &precision,
            jacobian: jacobian.as_ref(),
        };
        infer::free_energy(&mean_q, &mean_p, &var_q, &var_p, evidence)
    };
    let numel = mean_q.numel() + jacobian.as_ref().map_or(0, |t| t.numel());
    let made = enter(py, numel, work)?;
    Ok((
        made.free_energy.into(),
        made.complexity.into(),
        made.accuracy.into(),
    ))
}

/// `categorical_free_energy(q, p, log_likelihood)`: F, complexity and accuracy.
#[pyfunction]
pub(crate) fn categorical_free_energy(
    q: &Bound<'_, PyAny>,
    p: &Bound<'_, PyAny>,
    log_likelihood: &Bound<'_, PyAny>,
) -> PyResult<(State, State, State)> {
    let py = q.py();
    let q = operand::tensor(q)?;
    let p = operand::tensor_beside(p, &q)?;
    let seen = operand::tensor_beside(log_likelihood, &q)?;
    let work = || infer::categorical_free_energy(&q, &p, &seen);
    let made = enter(py, q.numel(), work)?;
    Ok((
        made.free_energy.into(),
        made.complexity.into(),
        made.accuracy.into(),
    ))
}

/// `belief_update(mu, jacobian, observation, precision, reference, prior_mean, prior_precision, rate, steps, tolerance, history)`: mean,
/// steps, where it converged and diverged, change, free energy and history.
#[pyfunction]
#[pyo3(signature = (mu, jacobian, observation, precision, reference, prior_mean, prior_precision, rate, steps, tolerance, history))]
#[expect(
    clippy::too_many_arguments,
    reason = "these are the arguments of the Python function"
)]
#[expect(
    clippy::type_complexity,
    reason = "the Python layer gives the parts their names"
)]
pub(crate) fn belief_update(
    mu: &Bound<'_, PyAny>,
    jacobian: &Bound<'_, PyAny>,
    observation: &Bound<'_, PyAny>,
    precision: &Bound<'_, PyAny>,
    reference: Option<&Bound<'_, PyAny>>,
    prior_mean: Option<&Bound<'_, PyAny>>,
    prior_precision: Option<&Bound<'_, PyAny>>,
    rate: &Bound<'_, PyAny>,
    steps: &Bound<'_, PyAny>,
    tolerance: &Bound<'_, PyAny>,
    history: &Bound<'_, PyAny>,
) -> PyResult<(State, State, State, State, State, State, Option<State>)> {
    let py = mu.py();
    let asked = |name| parameter("belief_update", name);
    let (rate, tolerance) = (
        asked("rate").real(rate)?,
        asked("tolerance").real(tolerance)?,
    );
    let (steps, history) = (asked("steps").size(steps)?, asked("history").flag(history)?);
    let mu = operand::tensor(mu)?;
    let beside = |x: &Bound<'_, PyAny>| operand::tensor_beside(x, &mu);
    let (jacobian, seen, precision) = (beside(jacobian)?, beside(observation)?, beside(precision)?);
    let reference = reference.map(beside).transpose()?;
    let prior = prior_mean
        .map(beside)
        .transpose()?
        .zip(prior_precision.map(beside).transpose()?);
    let work = || {
        let model = infer::Model {
            jacobian: &jacobian,
            reference: reference.as_ref(),
            prior: prior
                .as_ref()
                .map(|(mean, precision)| infer::Prior { mean, precision }),
        };
        let history = match history {
            true => infer::History::Kept,
            false => infer::History::Last,
        };
        let stepping = infer::Stepping {
            rate,
            steps,
            tolerance,
            history,
        };
        let made = infer::belief_update(&mu, &seen, &precision, model, stepping)?;
        let (converged, diverged) = (made.converged()?, made.diverged()?);
        Ok((made, converged, diverged))
    };
    let numel = jacobian.numel().saturating_mul(steps.max(1));
    let (made, converged, diverged) = enter(py, numel, work)?;
    Ok((
        made.mean.into(),
        made.steps.into(),
        converged.into(),
        diverged.into(),
        made.change.into(),
        made.free_energy.into(),
        made.history.map(Into::into),
    ))
}
