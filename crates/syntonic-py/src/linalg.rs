//! Products of vectors and matrices.

use crate::enter::enter;
use crate::operand::{self, Operand};
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_core::ops::linalg;

/// The work of a product in elements, roughly: enough to decide whether the interpreter waits.
fn work(a: &Tensor, b: &Tensor) -> usize {
    a.numel()
        .saturating_mul(b.shape().last().copied().unwrap_or(1))
}

fn product(py: Python<'_>, a: &Tensor, b: &Tensor) -> PyResult<Tensor> {
    enter(py, work(a, b), || linalg::matmul(a, b))
}

/// `matmul(a, b)`.
#[pyfunction]
#[pyo3(signature = (a, b, out=None))]
pub(crate) fn matmul<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, State>>,
) -> PyResult<Bound<'py, State>> {
    let py = a.py();
    let (a, b) = (operand::tensor(a)?, operand::tensor(b)?);
    State::deliver(py, "matmul", product(py, &a, &b)?, out)
}

#[pymethods]
impl State {
    fn __matmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(b) = Operand::try_from_any(other)? else {
            return Ok(py.NotImplemented());
        };
        let out = product(py, &self.tensor, &b.into_tensor()?)?;
        Ok(Py::new(py, State::from(out))?.into_any())
    }

    fn __rmatmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(a) = Operand::try_from_any(other)? else {
            return Ok(py.NotImplemented());
        };
        let out = product(py, &a.into_tensor()?, &self.tensor)?;
        Ok(Py::new(py, State::from(out))?.into_any())
    }

    fn __imatmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = other.py();
        let out = product(py, &self.tensor, &operand::tensor(other)?)?;
        self.check_kind("matmul", &out)?;
        self.write(py, &out)
    }
}
