//! Gradients: variables that a function of Python is called with, and the way back over what it made of them.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::raise;
use crate::memory::object;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyList;
use syntonic_core::Tensor;
use syntonic_core::grad::Variables;

/// States that gradients are taken with respect to.
#[pyclass(frozen, name = "Variables", module = "syntonic._core")]
pub(crate) struct PyVariables {
    op: &'static str,
    variables: Variables,
}

/// The functions that have variables.
const OPERATIONS: [(&str, &str); 3] = [
    ("grad", "grad"),
    ("value_and_grad", "value_and_grad"),
    ("vjp", "vjp"),
];

#[pymethods]
impl PyVariables {
    #[new]
    fn new(
        py: Python<'_>,
        op: &Bound<'_, PyAny>,
        inputs: &Bound<'_, PyList>,
    ) -> PyResult<PyVariables> {
        let op = parameter("Variables", "op").word(op, &OPERATIONS)?;
        let given = parameter(op, "inputs").states(inputs)?;
        let given: Vec<&Tensor> = given.iter().collect();
        // A strided State is copied.
        let work = given.iter().map(|t| t.numel()).max().unwrap_or(0);
        let variables = enter(py, work, || Variables::new(op, &given))?;
        Ok(PyVariables { op, variables })
    }

    /// The States to call a function with, in the order of the inputs.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, State>>> {
        object::each(py, self.variables.tensors().to_vec())
    }

    /// The gradient of one real number with respect to each variable.
    fn gradient<'py>(
        &self,
        py: Python<'py>,
        loss: &Bound<'py, State>,
    ) -> PyResult<Vec<Bound<'py, State>>> {
        let loss = &loss.get().tensor;
        object::each(py, enter(py, usize::MAX, || self.variables.gradient(loss))?)
    }

    /// The cotangents of the variables from those of the outputs.
    fn pull<'py>(
        &self,
        py: Python<'py>,
        outputs: &Bound<'py, PyList>,
        cotangents: &Bound<'py, PyList>,
    ) -> PyResult<Vec<Bound<'py, State>>> {
        let outputs = parameter(self.op, "outputs").states(outputs)?;
        let cotangents = parameter(self.op, "cotangents").states(cotangents)?;
        let outputs: Vec<&Tensor> = outputs.iter().collect();
        let cotangents: Vec<&Tensor> = cotangents.iter().collect();
        let pulled = enter(py, usize::MAX, || {
            self.variables.pull(&outputs, &cotangents)
        })?;
        object::each(py, pulled)
    }

    /// The same values without the tape of these variables.
    fn release<'py>(&self, x: &Bound<'py, State>) -> PyResult<Bound<'py, State>> {
        object::new(x.py(), self.variables.release(&x.get().tensor))
    }
}

/// The same values as a constant.
#[pyfunction]
pub(crate) fn stop_gradient<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, State>> {
    let state = parameter("stop_gradient", "x").state(x)?;
    object::new(x.py(), state.tensor.stop_gradient())
}

impl State {
    /// An error where the elements of something tracked would leave unasked.
    pub(crate) fn check_untracked(&self, op: &'static str) -> PyResult<()> {
        syntonic_core::grad::refuse(op, &[&self.tensor]).map_err(raise)
    }
}
