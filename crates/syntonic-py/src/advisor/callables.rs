//! Choices that are callables of the user's.

use super::{Picked, PyAdvice, raised};
use crate::errors::{Class, error};
use crate::operand;
use crate::state::State;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::{Mutex, PoisonError};
use syntonic_core::advisor::{Advisor, Runner, Workload, apart};
use syntonic_core::{Error, Tensor, cpu};

/// Picks one of callables, each with a name and a promised error, which are called with these arguments.
///
/// They run with the interpreter held, as they would elsewhere. An exception leaves a callable out; what ends a program, such as
/// KeyboardInterrupt, ends this.
pub(super) fn choose(
    advisor: &Advisor,
    name: String,
    choices: &[(String, f64, Py<PyAny>)],
    arguments: &Bound<'_, PyTuple>,
    tolerance: f64,
) -> PyResult<PyAdvice> {
    let py = arguments.py();
    let given: Vec<Tensor> = arguments
        .iter()
        .filter_map(|x| Some(x.cast::<State>().ok()?.get().tensor.clone()))
        .collect();
    let operands: Vec<&Tensor> = given.iter().collect();
    let device = given.first().map_or_else(cpu, |t| t.device().clone());
    let ended: Mutex<Option<PyErr>> = Mutex::new(None);
    let distance = |a: &Py<PyAny>, b: &Py<PyAny>| {
        Python::attach(|py| between(a.bind(py), b.bind(py)).map_err(|e| failed(py, e, &ended)))
    };
    let mut workload = Workload::new(name, &device, distance)
        .operands(&operands)
        .within(tolerance);
    for (name, promised, callable) in choices {
        if !callable.bind(py).is_callable() {
            let text = format!(
                "Advisor.choose: {name} is of type {}; hint: give a callable, or a pair of one and the error that it promises",
                callable.bind(py).get_type()
            );
            return Err(error(Class::ArgumentType, text));
        }
        let ended = &ended;
        workload = workload.choice(name, *promised, move |_: &Py<PyTuple>| {
            Ok(Runner::new(move |arguments: &Py<PyTuple>| {
                Python::attach(|py| {
                    let made = run(py, callable, arguments.bind(py));
                    made.map_err(|e| failed(py, e, ended))
                })
            }))
        });
    }
    let sample = arguments.clone().unbind();
    let chosen = advisor.choose(workload, &sample);
    let advice = match chosen {
        Ok(chosen) => chosen.advice,
        Err(error) => {
            let stashed = ended.lock().unwrap_or_else(PoisonError::into_inner).take();
            return Err(raised(stashed, error));
        }
    };
    let picked = choices.iter().find(|(name, ..)| *name == advice.picked);
    let Some((_, _, callable)) = picked else {
        return Err(error(Class::Internal, "Advisor.choose: nothing was picked"));
    };
    Ok(PyAdvice {
        advice,
        precision: None,
        picked: Picked::Callable(callable.clone_ref(py)),
    })
}

/// One call, until its States are in memory.
fn run<'py>(
    py: Python<'py>,
    callable: &Py<PyAny>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Py<PyAny>> {
    py.check_signals()?;
    let made = callable.bind(py).call1(arguments.clone())?;
    for state in parts(&made) {
        if let Ok(state) = state.cast::<State>() {
            let tensor = crate::enter::force(py, &state.get().tensor)?;
            crate::enter::enter(py, usize::MAX, || tensor.device().synchronize())?;
        }
    }
    Ok(made.unbind())
}

/// The items of a tuple or list, or the one result.
fn parts<'py>(made: &Bound<'py, PyAny>) -> Vec<Bound<'py, PyAny>> {
    if let Ok(all) = made.cast::<PyTuple>() {
        all.iter().collect()
    } else if let Ok(all) = made.cast::<PyList>() {
        all.iter().collect()
    } else if made.is_none() {
        Vec::new()
    } else {
        vec![made.clone()]
    }
}

/// How far results are apart: by their numbers where they have some, else by `==`.
fn between(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<f64> {
    let numbers = |made: &Bound<'_, PyAny>| -> PyResult<Vec<Tensor>> {
        parts(made).iter().map(operand::tensor).collect()
    };
    match (numbers(a), numbers(b)) {
        (Ok(a), Ok(b)) => apart(&a, &b).map_err(crate::errors::raise),
        _ if a.eq(b)? => Ok(0.0),
        _ => Ok(f64::INFINITY),
    }
}

/// An exception as an error of the engine. One that ends programs is kept, and ends the measurement.
fn failed(py: Python<'_>, exception: PyErr, ended: &Mutex<Option<PyErr>>) -> Error {
    if exception.is_instance_of::<PyException>(py) {
        return Error::value("choice", exception.to_string());
    }
    *ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(exception);
    Error::Interrupted {
        op: "advise".to_owned(),
    }
}
