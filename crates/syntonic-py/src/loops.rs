//! Loops of graphs: their functions are called once, and their end is decided where they run.

use crate::enter::enter;
use crate::graph::{Returned, call, tensors};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Mutex;
use syntonic_core::fork::lock;
use syntonic_core::{Error, Tensor, graph};

/// The exception that a function of Python raised.
type Raised = Mutex<Option<PyErr>>;

/// The States that a function gives.
fn ask(f: &Py<PyAny>, inputs: &[&Tensor], raised: &Raised) -> Result<Vec<Tensor>, Error> {
    let called = Python::attach(|py| call(py, f, inputs, &mut Returned::Nothing));
    called.map_err(|exception| {
        *lock(raised) = Some(exception);
        Error::value("loop", "a function of the loop raised an exception")
    })
}

/// Runs a loop over the tensors of States, without the interpreter.
fn run<'py>(
    py: Python<'py>,
    state: &Bound<'py, PyTuple>,
    raised: &Raised,
    repeat: impl FnOnce(&[&Tensor]) -> Result<Vec<Tensor>, Error> + Send,
) -> PyResult<Bound<'py, PyTuple>> {
    let tensors = tensors(state)?;
    let given: Vec<&Tensor> = tensors.iter().collect();
    let done = enter(py, usize::MAX, || repeat(&given));
    let exception = lock(raised).take();
    if let Some(exception) = exception {
        return Err(exception);
    }
    let states = done?.into_iter().map(|y| Bound::new(py, State::from(y)));
    PyTuple::new(py, states.collect::<PyResult<Vec<_>>>()?)
}

/// Repeats `body` on States as long as `condition` gives true of them.
#[pyfunction]
#[pyo3(name = "_while_loop", signature = (condition, body, /, *state))]
pub(crate) fn while_loop<'py>(
    py: Python<'py>,
    condition: Py<PyAny>,
    body: Py<PyAny>,
    state: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyTuple>> {
    let raised = Raised::default();
    let goes_on = |own: &[&Tensor]| match ask(&condition, own, &raised)?.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(Error::value("while_loop", "the condition gives one State")),
    };
    let turn = |own: &[&Tensor]| ask(&body, own, &raised);
    run(py, state, &raised, |given| {
        graph::while_loop(given, goes_on, turn)
    })
}

/// Repeats `body` on States for each number from `lower` to below `upper`, which it is given first.
#[pyfunction]
#[pyo3(name = "_fori_loop", signature = (lower, upper, body, /, *state))]
pub(crate) fn fori_loop<'py>(
    py: Python<'py>,
    lower: i64,
    upper: i64,
    body: Py<PyAny>,
    state: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyTuple>> {
    let raised = Raised::default();
    let turn = |number: &Tensor, own: &[&Tensor]| {
        let all: Vec<&Tensor> = [&[number], own].concat();
        ask(&body, &all, &raised)
    };
    run(py, state, &raised, |given| {
        graph::fori_loop(lower..upper, given, turn)
    })
}
