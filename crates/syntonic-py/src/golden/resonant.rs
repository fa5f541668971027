//! Syntony and the phases of a resonant state.

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

fn optional(obj: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Tensor>> {
    obj.map(operand::tensor).transpose()
}

/// The mode norms 0, 1, 4, 9, ... of n modes.
#[pyfunction]
pub(crate) fn mode_norms(n: usize) -> PyResult<State> {
    Ok(resonant::mode_norms(n).map_err(raise)?.into())
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
    let (t, norms) = (operand::tensor(psi)?, operand::tensor(norms)?);
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
    let (t, norms, s, xi) = (
        operand::tensor(psi)?,
        operand::tensor(norms)?,
        operand::tensor(s)?,
        optional(xi)?,
    );
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
    let (t, norms, s) = (
        operand::tensor(psi)?,
        operand::tensor(norms)?,
        operand::tensor(s)?,
    );
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
    let (t, norms, xi) = (
        operand::tensor(psi)?,
        operand::tensor(norms)?,
        optional(xi)?,
    );
    let (next, s) = enter(psi.py(), t.numel(), || {
        resonant::cycle(&t, &norms, noise(&xi, strength))
    })?;
    Ok((next.into(), s.into()))
}
