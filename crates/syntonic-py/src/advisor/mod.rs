//! Advice on the quickest of several ways to do the same work.

mod callables;
mod ready;

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::{Class, error};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use ready::Ready;
use std::path::PathBuf;
use std::time::Duration;
use syntonic_core::advisor::{self, Advisor};

/// Choices are timed with the interpreter released, where they are ours.
const LONG: usize = usize::MAX;

/// Times the ways to do a thing, and remembers which is the quickest.
#[pyclass(frozen, name = "_Advisor", module = "syntonic._core")]
pub(crate) struct PyAdvisor(Advisor);

/// What runs when advice is called.
enum Picked {
    /// What the user gave.
    Callable(Py<PyAny>),
    Ready(Box<dyn Ready>),
}

/// What an advisor says, ready to be called.
#[pyclass(frozen, name = "Advice", module = "syntonic")]
pub(crate) struct PyAdvice {
    advice: advisor::Advice,
    precision: Option<String>,
    picked: Picked,
}

#[pymethods]
impl PyAdvisor {
    /// With the folder; the usual one where there is none, and memory alone for `in_memory`.
    #[new]
    fn new(
        folder: Option<PathBuf>,
        in_memory: bool,
        budget: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyAdvisor> {
        let advisor = match folder {
            Some(folder) => Advisor::new(folder),
            None if in_memory => Advisor::in_memory(),
            None => Advisor::default(),
        };
        let Some(budget) = budget else {
            return Ok(PyAdvisor(advisor));
        };
        let given = parameter("Advisor", "budget").real(budget)?;
        let budget = Duration::try_from_secs_f64(given).map_err(|_| {
            let text = format!("Advisor: budget is a time in seconds, not {given}");
            error(Class::Argument, text)
        })?;
        Ok(PyAdvisor(advisor.with_budget(budget)))
    }

    /// The quickest of callables: `choices` are `(name, promised error, callable)`.
    fn choose(
        &self,
        name: &Bound<'_, PyAny>,
        choices: Vec<(String, f64, Py<PyAny>)>,
        arguments: &Bound<'_, PyTuple>,
        tolerance: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyAdvice> {
        let name = parameter("Advisor.choose", "name").text(name)?;
        let tolerance = tolerance_of("Advisor.choose", tolerance)?;
        callables::choose(&self.0, name, &choices, arguments, tolerance)
    }

    /// A product within a tolerance.
    fn product(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        tolerance: &Bound<'_, PyAny>,
    ) -> PyResult<PyAdvice> {
        let tolerance = parameter("Advisor.product", "tolerance").real(tolerance)?;
        ready::product(&self.0, a, b, tolerance)
    }

    /// A free energy of numbers of the host, on a device.
    fn free_energy(
        &self,
        arguments: &Bound<'_, PyTuple>,
        device: Option<&Bound<'_, PyAny>>,
        tolerance: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyAdvice> {
        let tolerance = tolerance_of("Advisor.free_energy", tolerance)?;
        ready::free_energy(&self.0, arguments, device, tolerance)
    }

    /// A belief update of numbers of the host, by `(jacobian, precision, reference, prior_mean, prior_precision)` on their device.
    fn belief_update(
        &self,
        request: &Bound<'_, PyTuple>,
        model: [Option<Bound<'_, PyAny>>; 5],
        stepping: [Bound<'_, PyAny>; 3],
    ) -> PyResult<PyAdvice> {
        ready::belief_update(&self.0, request, &model, &stepping)
    }

    /// Forgets advice.
    fn forget(&self, py: Python<'_>, advice: &PyAdvice) -> PyResult<()> {
        enter(py, LONG, || self.0.forget(&advice.advice.key))
    }
}

#[pymethods]
impl PyAdvice {
    /// The name of the choice.
    #[getter]
    fn picked(&self) -> &str {
        &self.advice.picked
    }

    /// What was measured, with its operands.
    #[getter]
    fn workload(&self) -> &str {
        &self.advice.workload
    }

    /// `"measured"`, `"from memory"` or `"from disk"`.
    #[getter]
    fn origin(&self) -> &'static str {
        self.advice.origin.name()
    }

    /// For a product, what `matmul_precision` takes: a word, or the tolerance.
    #[getter]
    fn precision<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(name) = &self.precision else {
            return Ok(py.None().into_bound(py));
        };
        match name.parse::<f64>() {
            Ok(tolerance) => Ok(tolerance.into_pyobject(py)?.into_any()),
            Err(_) => Ok(name.into_pyobject(py)?.into_any()),
        }
    }

    /// Seconds for a request, by choice.
    #[getter]
    fn seconds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for row in &self.advice.measured {
            all.set_item(&row.choice, row.seconds)?;
        }
        Ok(all)
    }

    /// Why choices were left out, by choice.
    #[getter]
    fn left_out<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for row in &self.advice.left_out {
            all.set_item(&row.choice, &row.reason)?;
        }
        Ok(all)
    }

    /// A line for each choice.
    fn table(&self) -> String {
        self.advice.to_string().trim_end().to_owned()
    }

    /// One request by the picked choice.
    #[pyo3(signature = (*arguments))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match &self.picked {
            Picked::Callable(callable) => callable.bind(py).call1(arguments.clone()),
            Picked::Ready(ready) => ready.call(py, arguments),
        }
    }

    fn __repr__(&self) -> String {
        self.table()
    }
}

/// The tolerance, infinite where there is none.
fn tolerance_of(op: &'static str, tolerance: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
    match tolerance {
        Some(tolerance) => parameter(op, "tolerance").real(tolerance),
        None => Ok(f64::INFINITY),
    }
}
