//! The parts of complex States as views.

use crate::enter::{enter, force};
use crate::errors::raise;
use crate::memory::foreign::parts;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;

#[pymethods]
impl State {
    /// The real part: a view of a complex State, a real one itself.
    #[getter]
    fn real<'py>(slf: &Bound<'py, State>) -> PyResult<Bound<'py, State>> {
        let (py, t) = (slf.py(), &slf.get().tensor);
        if !t.dtype().is_complex() {
            return Ok(slf.clone());
        }
        Bound::new(py, State::from(parts(&force(py, t)?, 0)?))
    }

    /// The imaginary part: a view of a complex State, zeros of a real one.
    #[getter]
    fn imag(&self, py: Python<'_>) -> PyResult<State> {
        let t = &self.tensor;
        if t.dtype().is_complex() {
            return Ok(parts(&force(py, t)?, 1)?.into());
        }
        let zeros = enter(py, t.numel(), || {
            Tensor::full_on(t.shape(), 0i64, t.dtype(), t.device())
        });
        Ok(zeros?.into())
    }

    /// Writes one value into every element.
    fn fill(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.assign(value)
    }

    #[setter]
    fn set_real(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let view = State::from(parts_or_whole(value.py(), &self.tensor)?);
        view.assign(value)
    }

    #[setter]
    fn set_imag(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if !self.tensor.dtype().is_complex() {
            return Err(raise(syntonic_core::Error::DType {
                op: "imag",
                operands: syntonic_core::Operands(vec![self.tensor.describe()]),
                hint: "a real State has no imaginary part to write; convert with .astype(...)"
                    .into(),
            }));
        }
        State::from(parts(&force(value.py(), &self.tensor)?, 1)?).assign(value)
    }
}

fn parts_or_whole(py: Python<'_>, t: &Tensor) -> PyResult<Tensor> {
    if t.dtype().is_complex() {
        parts(&force(py, t)?, 0)
    } else {
        Ok(t.clone())
    }
}
