//! Choices that are callables of the user's.

use super::{Picked, PyAdvice};
use crate::errors::{Class, error, raise};
use crate::operand;
use crate::state::State;
use pyo3::exceptions::{PyException, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Mutex;
use syntonic_core::advisor::{Advisor, Runner, Workload, apart};
use syntonic_core::fork::lock;
use syntonic_core::{DeviceId, Error, Tensor, cpu};

/// Picks one of callables, each with a name and a promised error, which are called with these arguments.
///
/// They run with the interpreter held, as they would elsewhere. An exception leaves a callable out, and is raised where all raise; what
/// ends a program, such as KeyboardInterrupt, ends this.
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
    let thrown = Mutex::new(Vec::new());
    let distance = |a: &Py<PyAny>, b: &Py<PyAny>| {
        Python::attach(|py| {
            between(a.bind(py), b.bind(py)).map_err(|e| failed(py, COMPARED, e, &thrown))
        })
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
        let thrown = &thrown;
        workload = workload.choice(name, *promised, move |_: &Py<PyTuple>| {
            Ok(Runner::new(move |arguments: &Py<PyTuple>| {
                Python::attach(|py| {
                    let made = run(py, callable, arguments.bind(py));
                    made.map_err(|e| failed(py, RAISED, e, thrown))
                })
            }))
        });
    }
    let sample = arguments.clone().unbind();
    let chosen = advisor.choose(workload, &sample);
    let advice = match chosen {
        Ok(chosen) => chosen.advice,
        Err(error) => {
            let mut all = lock(&thrown);
            let all = std::mem::take(&mut *all);
            return Err(behind(py, all, error));
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
        (Ok(a), Ok(b)) => apart(&a, &b).map_err(raise),
        _ if a.eq(b)? => Ok(0.0),
        _ => Ok(f64::INFINITY),
    }
}

/// The operation of an error that stands for an exception of a callable.
const RAISED: &str = "choice";
/// And of one that was raised when results were compared.
const COMPARED: &str = "compare";

/// An exception as an error of the engine. One that ends programs ends the measurement.
fn failed(py: Python<'_>, op: &'static str, exception: PyErr, thrown: &Mutex<Vec<PyErr>>) -> Error {
    let stands_for = if !exception.is_instance_of::<PyException>(py) {
        Error::Interrupted { op: op.to_owned() }
    } else if exception.is_instance_of::<PyMemoryError>(py) {
        Error::NoRoomFor {
            op: op.to_owned(),
            device: DeviceId::Cpu,
            what: exception.to_string(),
        }
    } else {
        Error::value(op, exception.to_string())
    };
    let mut thrown = lock(thrown);
    thrown.push(exception); // few: choices.
    stands_for
}

/// The exception that an error stands for, or one for the error.
fn behind(py: Python<'_>, mut thrown: Vec<PyErr>, error: Error) -> PyErr {
    let ends = |e: &PyErr| !e.is_instance_of::<PyException>(py);
    let short = |e: &PyErr| e.is_instance_of::<PyMemoryError>(py);
    let at = match &error {
        Error::Interrupted { op } if op == RAISED || op == COMPARED => thrown.iter().position(ends),
        Error::NoRoomFor { op, .. } if op == RAISED || op == COMPARED => {
            thrown.iter().position(short)
        }
        Error::Value { op: RAISED, .. } => (!thrown.is_empty()).then_some(0),
        Error::Value { op: COMPARED, .. } => thrown.len().checked_sub(1),
        _ => None,
    };
    match at {
        Some(at) => thrown.swap_remove(at),
        None => raise(error),
    }
}
