//! Syntony and the phases of a resonant state.

use crate::arguments::parameter;
use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::errors::raise;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_srt::resonant::{self, Modes, Noise};

/// Squared norms and golden weights of modes, made once for many calls.
#[pyclass(frozen, name = "Modes", module = "syntonic.resonant")]
pub(crate) struct PyModes(Modes);

#[pymethods]
impl PyModes {
    #[new]
    fn new(norms: &Bound<'_, PyAny>, dtype: &Bound<'_, PyAny>) -> PyResult<PyModes> {
        let t = operand::tensor(norms)?;
        let dtype = dtype::parse(dtype)?;
        // Modes own their norms: what is written to the operand later is not seen.
        let made = enter(norms.py(), t.numel(), || Modes::new(&t.copy()?, dtype))?;
        Ok(PyModes(made))
    }
}

/// The modes that `obj` is, or those of the norms that it is for states like `psi`.
fn modes(obj: &Bound<'_, PyAny>, psi: &Tensor) -> PyResult<Modes> {
    if let Ok(made) = obj.cast::<PyModes>() {
        return Ok(made.get().0.clone());
    }
    let norms = operand::tensor_beside(obj, psi)?;
    enter(obj.py(), norms.numel(), || Modes::new(&norms, psi.dtype()))
}

fn noise<'a>(values: &'a Option<Tensor>, strength: f64) -> Option<Noise<'a>> {
    values.as_ref().map(|values| Noise { values, strength })
}

/// The strength of the noise; 1 where none is given.
fn full_unless(op: &'static str, strength: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
    strength.map_or(Ok(1.0), |s| parameter(op, "strength").real(s))
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
    n: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let n = parameter("mode_norms", "n").size(n)?;
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
    let modes = modes(norms, &t)?;
    Ok(enter(psi.py(), t.numel(), || modes.syntony(&t))?.into())
}

/// The D phase.
#[pyfunction]
#[pyo3(signature = (psi, norms, s, xi=None, strength=None), text_signature = "(psi, norms, s, xi=None, strength=1.0)")]
pub(crate) fn differentiate(
    psi: &Bound<'_, PyAny>,
    norms: &Bound<'_, PyAny>,
    s: &Bound<'_, PyAny>,
    xi: Option<&Bound<'_, PyAny>>,
    strength: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let strength = full_unless("differentiate", strength)?;
    let t = operand::tensor(psi)?;
    let modes = modes(norms, &t)?;
    let s = operand::tensor_beside(s, &t)?;
    let xi = optional(xi, &t)?;
    let work = || modes.differentiate(&t, &s, noise(&xi, strength));
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
    let modes = modes(norms, &t)?;
    let s = operand::tensor_beside(s, &t)?;
    Ok(enter(psi.py(), t.numel(), || modes.harmonize(&t, &s))?.into())
}

/// D, then H: the new state and its syntony.
#[pyfunction]
#[pyo3(signature = (psi, norms, xi=None, strength=None), text_signature = "(psi, norms, xi=None, strength=1.0)")]
pub(crate) fn cycle(
    psi: &Bound<'_, PyAny>,
    norms: &Bound<'_, PyAny>,
    xi: Option<&Bound<'_, PyAny>>,
    strength: Option<&Bound<'_, PyAny>>,
) -> PyResult<(State, State)> {
    let strength = full_unless("cycle", strength)?;
    let t = operand::tensor(psi)?;
    let modes = modes(norms, &t)?;
    let xi = optional(xi, &t)?;
    let work = || modes.cycle(&t, noise(&xi, strength));
    let (next, s) = enter(psi.py(), t.numel(), work)?;
    Ok((next.into(), s.into()))
}
