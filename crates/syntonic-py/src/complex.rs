//! The parts of complex States as views.

use crate::assignment::assign;
use crate::enter::enter;
use crate::errors::raise;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{Tensor, way_out};

#[pymethods]
impl State {
    /// The real part: a view of a complex State, a real one itself.
    #[getter]
    fn real<'py>(slf: &Bound<'py, State>) -> PyResult<Bound<'py, State>> {
        let (py, t) = (slf.py(), &slf.get().tensor);
        if !t.dtype().is_complex() {
            return Ok(slf.clone());
        }
        Bound::new(py, State::from(enter(py, work(t), || t.real())?))
    }

    /// The imaginary part: a view of a complex State, zeros of a real one.
    #[getter]
    fn imag(&self, py: Python<'_>) -> PyResult<State> {
        let t = &self.tensor;
        if t.dtype().is_complex() {
            return Ok(enter(py, work(t), || t.imag())?.into());
        }
        Ok(enter(py, t.numel(), || t.imag())?.into())
    }

    /// Writes one value into every element.
    fn fill(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        assign(&self.tensor, value)
    }

    #[setter]
    fn set_real(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let t = &self.tensor;
        assign(&enter(value.py(), work(t), || t.real())?, value)
    }

    #[setter]
    fn set_imag(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if !self.tensor.dtype().is_complex() {
            return Err(raise(syntonic_core::Error::DType {
                op: "imag",
                operands: syntonic_core::Operands(vec![self.tensor.describe()]),
                hint: format!(
                    "a real State has no imaginary part to write; {}",
                    way_out::CONVERT
                ),
            }));
        }
        let t = &self.tensor;
        assign(&enter(value.py(), work(t), || t.imag())?, value)
    }
}

/// The elements that a part of `t` waits for: those of an expression that nobody has read.
fn work(t: &Tensor) -> usize {
    if t.is_pending() { t.numel() } else { 0 }
}
