//! Syntony and the phases of a resonant state.

use crate::device;
use crate::enter::enter;
use crate::errors::raise;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_srt::resonant::{self, Noise};

fn noise<'a>(values: &'a Option<Tensor>, strength: f64) -> Option<Noise<'a>> {
    values.as_ref().map(|values| Noise { values, strength })
}

fn optional(obj: Option<&Bound<'_, PyAny>>, beside: &Tensor) -> PyResult<Option<Tensor>> {
    obj.map(|obj| operand::tensor_beside(obj, beside))
        .transpose()
}

/// The mode norms 0, 1, 4, 9, ... of n modes.
#[pyfunction]
#[pyo3(signature = (n, device=None))]
pub(crate) fn mode_norms(
    py: Python<'_>,
    n: usize,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let device = device::parse(py, device)?;
    Ok(enter(py, n, || resonant::mode_norms(n)?.to(&device))?.into())
}

/// Golden weights of mode norms.
#[pyfunction]
pub(crate) fn golden_weights(norms: &Bound<'_, PyAny>) -> PyResult<State> {
    let norms = operand::tensor(norms)?;
    Ok(resonant::golden_weights(&norms).map_err(raise)?.into())
}

/// Syntony of states along the last axis.
#[pyfunction]
pub(crate) fn syntony(psi: &Bound<'_, PyAny>, norms: &Bound<'_, PyAny>) -> PyResult<State> {
    let t = operand::tensor(psi)?;
    let norms = operand::tensor_beside(norms, &t)?;
    Ok(enter(psi.py(), t.numel(), || resonant::syntony(&t, &norms))?.into())
}

/// The D phase.
#[pyfunction]
#[pyo3(signature = (psi, norms, s, xi=None, strength=1.0))]
pub(crate) fn differentiate(
    psi: &Bound<'_, PyAny>,
    norms: &Bound<'_, PyAny>,
    s: &Bound<'_, PyAny>,
    xi: Option<&Bound<'_, PyAny>>,
    strength: f64,
) -> PyResult<State> {
    let t = operand::tensor(psi)?;
    let norms = operand::tensor_beside(norms, &t)?;
    let s = operand::tensor_beside(s, &t)?;
    let xi = optional(xi, &t)?;
    let work = || resonant::differentiate(&t, &norms, &s, noise(&xi, strength));
    Ok(enter(psi.py(), t.numel(), work)?.into())
}

/// The H phase.
#[pyfunction]
pub(crate) fn harmonize(
    psi: &Bound<'_, PyAny>,
    norms: &Bound<'_, PyAny>,
    s: &Bound<'_, PyAny>,
) -> PyResult<State> {
    let t = operand::tensor(psi)?;
    let norms = operand::tensor_beside(norms, &t)?;
    let s = operand::tensor_beside(s, &t)?;
    Ok(enter(psi.py(), t.numel(), || resonant::harmonize(&t, &norms, &s))?.into())
}

/// D, then H: the new state and its syntony.
#[pyfunction]
#[pyo3(signature = (psi, norms, xi=None, strength=1.0))]
pub(crate) fn cycle(
    psi: &Bound<'_, PyAny>,
    norms: &Bound<'_, PyAny>,
    xi: Option<&Bound<'_, PyAny>>,
    strength: f64,
) -> PyResult<(State, State)> {
    let t = operand::tensor(psi)?;
    let norms = operand::tensor_beside(norms, &t)?;
    let xi = optional(xi, &t)?;
    let (next, s) = enter(psi.py(), t.numel(), || {
        resonant::cycle(&t, &norms, noise(&xi, strength))
    })?;
    Ok((next.into(), s.into()))
}
