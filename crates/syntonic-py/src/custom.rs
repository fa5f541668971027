//! Operators that a Python program brings: the engine's [`Operator`] with functions of Python's.

use crate::arguments::parameter;
use crate::dtype;
use crate::enter::{enter, leave};
use crate::errors::{Class, error};
use crate::memory::{made, object};
use crate::state::State;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use syntonic_core::custom::{Call, Form, Operator, Step};
use syntonic_core::fork::{Lazy, lock};
use syntonic_core::num_complex::Complex;
use syntonic_core::{Error, Scalar, Tensor};

/// An operator whose functions are methods of `host`: `shapes`, `cpu`, `gpu` and `gradient`, each as far as it is there.
#[pyclass(frozen, name = "Operator", module = "syntonic._core")]
pub(crate) struct PyOperator {
    operator: Operator,
}

/// Names are as few as operators are defined, and live as long as the process.
fn interned(name: String) -> &'static str {
    static NAMES: Lazy<Mutex<HashSet<&'static str>>> = Lazy::new(Mutex::default);
    let mut names = lock(&NAMES);
    if let Some(known) = names.get(name.as_str()) {
        return known;
    }
    let name: &'static str = Box::leak(name.into_boxed_str());
    names.insert(name);
    name
}

/// Python's functions of one operator.
struct Host {
    op: &'static str,
    object: Py<PyAny>,
}

impl Host {
    /// Calls a function. What it raises comes out where the operator was called: with the operator's name, unless it ends programs.
    fn call<T>(
        &self,
        part: &str,
        call: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Result<T, Error> {
        Python::attach(|py| {
            call(py, self.object.bind(py)).map_err(|raised| {
                let what = format!("its {part} raised {raised}");
                leave(match raised.is_instance_of::<PyException>(py) {
                    true => {
                        let named = error(Class::Operator, format!("{}: {what}", self.op));
                        named.set_cause(py, Some(raised));
                        named
                    }
                    false => raised,
                });
                Error::Operator {
                    op: self.op,
                    what: what.into_boxed_str(),
                }
            })
        })
    }

    fn shapes(&self, operands: &[Form], numbers: &[Scalar]) -> Result<Vec<Form>, Error> {
        self.call("shapes", |py, host| {
            let form = |form: &Form| Ok((form.shape.clone(), dtype::object(py, form.dtype)?));
            let forms: Vec<_> = operands.iter().map(form).collect::<PyResult<_>>()?;
            let asked = host.call_method1("shapes", (forms, plain(py, numbers)?))?;
            let asked: Vec<(Vec<usize>, PyRef<'_, dtype::PyDType>)> = asked.extract()?;
            let form =
                |(shape, dtype): (Vec<usize>, PyRef<'_, dtype::PyDType>)| Form::new(shape, dtype.0);
            Ok(asked.into_iter().map(form).collect())
        })
    }

    fn cpu(&self, call: &Call<'_>) -> Result<(), Error> {
        let operands = (0..call.inputs().len()).map(|k| call.tensor(k));
        let operands: Vec<Tensor> = operands.collect::<Result<_, _>>()?;
        let made = self.call("CPU function", |py, host| {
            let states = object::each(py, operands)?;
            let made = host.call_method1(
                "cpu",
                (states, plain(py, call.numbers())?, call.outputs().len()),
            )?;
            parameter("custom_op", "cpu").states(made.cast::<PyList>()?)
        })?;
        made.iter()
            .enumerate()
            .try_for_each(|(k, y)| call.give(k, y))
    }

    fn gpu(&self, inputs: &[Tensor], outputs: &[Tensor], numbers: &[Scalar]) -> Result<(), Error> {
        self.call("GPU function", |py, host| {
            let inputs = object::each(py, inputs.iter().map(|x| x.clone().read_only()).collect())?;
            let outputs = object::each(py, outputs.to_vec())?;
            host.call_method1("gpu", (inputs, plain(py, numbers)?, outputs))?;
            Ok(())
        })
    }

    fn gradient(&self, step: &Step<'_>) -> Result<Vec<Option<Tensor>>, Error> {
        self.call("gradient", |py, host| {
            let states = |all: &[Tensor]| object::each(py, all.to_vec());
            let given = (
                states(step.gradients)?,
                states(step.outputs)?,
                states(step.inputs)?,
                plain(py, step.numbers)?,
            );
            let slopes = host.call_method1("gradient", given)?;
            let tensor = |x: Bound<'_, PyAny>| match x.is_none() {
                true => Ok(None),
                false => Ok(Some(x.cast::<State>()?.get().tensor.clone())),
            };
            slopes.cast::<PyList>()?.iter().map(tensor).collect()
        })
    }
}

/// Numbers as Python has them.
fn plain<'py>(py: Python<'py>, numbers: &[Scalar]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    numbers.iter().map(|x| made::number(py, *x)).collect()
}

/// A number of Python as the engine has it.
fn scalar(x: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    if x.is_instance_of::<PyBool>() {
        return Ok(Scalar::Bool(x.extract()?));
    }
    if x.is_instance_of::<PyInt>() {
        let parameter = parameter("custom_op", "a number");
        return Ok(Scalar::Int(i128::from(parameter.integer::<i64>(x)?)));
    }
    if x.is_instance_of::<PyFloat>() {
        return Ok(Scalar::Float(x.extract()?));
    }
    let (re, im) = (x.getattr("real")?.extract()?, x.getattr("imag")?.extract()?);
    Ok(Scalar::Complex(Complex::new(re, im)))
}

#[pymethods]
impl PyOperator {
    #[new]
    fn new(name: String, host: Py<PyAny>, cpu: bool, gpu: bool, gradient: bool) -> PyOperator {
        let op = interned(name);
        let host = Arc::new(Host { op, object: host });
        let of = host.clone();
        let mut operator = Operator::new(op, move |forms, numbers| of.shapes(forms, numbers));
        if cpu {
            let of = host.clone();
            operator = operator.cpu(move |call| of.cpu(call));
        }
        if gpu {
            let of = host.clone();
            operator =
                operator.gpu(move |inputs, outputs, numbers| of.gpu(inputs, outputs, numbers));
        }
        if gradient {
            operator = operator.gradient(move |step| host.gradient(step));
        }
        PyOperator { operator }
    }

    /// The results over these States.
    fn apply<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, PyList>,
        numbers: &Bound<'py, PyList>,
    ) -> PyResult<Vec<Bound<'py, State>>> {
        let tensors = parameter("custom_op", "operands").states(states)?;
        let operands: Vec<&Tensor> = tensors.iter().collect();
        let numbers: Vec<Scalar> = numbers
            .iter()
            .map(|x| scalar(&x))
            .collect::<PyResult<_>>()?;
        // Always without the interpreter: what is waited for may need it.
        let made = enter(py, usize::MAX, || self.operator.apply(&operands, &numbers))?;
        object::each(py, made)
    }
}
