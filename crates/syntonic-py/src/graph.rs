//! Graphs: a function of States, captured once and replayed over others.

use crate::device::PyDevice;
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::memory::writing;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::{Arc, Mutex};
use syntonic_core::fork::{Locked, lock};
use syntonic_core::graph::Updated;
use syntonic_core::{DeviceId, Error, Graph, Operands, Tensor};

/// What the captured function returned, and so what a replay returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    Nothing,
    One,
    Many,
}

/// A captured piece of tensor work.
#[pyclass(frozen, name = "Graph", module = "syntonic")]
pub(crate) struct PyGraph {
    graph: Graph,
    returned: Returned,
    again: Mutex<Again>,
}

/// What is known of the memory of States that come again and again.
#[derive(Default)]
enum Again {
    /// Where the last ones lie; nothing before the first.
    Last(Vec<Lies>),
    /// The same work over the memory of such States.
    Bound(Arc<Graph>),
    /// The work stays one over copies.
    #[default]
    Never,
}

/// Where a State lies: the address of its first element, and its strides.
type Lies = (usize, Vec<isize>);

fn lies(inputs: &[&Tensor]) -> Result<Vec<Lies>, Error> {
    let lies = |x: &&Tensor| {
        let first = x.buffer()?.address() as usize + x.layout().offset() * x.dtype().size();
        Ok((first, x.strides().to_vec())) // few: axes
    };
    inputs.iter().map(lies).collect() // few: one for each State of a call.
}

/// The tensors of States.
pub(crate) fn tensors(inputs: &Bound<'_, PyTuple>) -> PyResult<Vec<Tensor>> {
    inputs.iter().map(|x| tensor(&x, "inputs are")).collect()
}

fn tensor(x: &Bound<'_, PyAny>, what: &str) -> PyResult<Tensor> {
    match x.cast::<State>() {
        Ok(state) => Ok(state.get().tensor.clone()),
        Err(_) => Err(error(
            Class::ArgumentType,
            format!(
                "Graph: {what} States, not {}; hint: make States of numbers and arrays outside of the captured function",
                x.get_type()
            ),
        )),
    }
}

/// Calls the function. Nothing of the call is held when this returns.
pub(crate) fn call(
    py: Python<'_>,
    f: &Py<PyAny>,
    inputs: &[&Tensor],
    returned: &mut Returned,
) -> PyResult<Vec<Tensor>> {
    let states = inputs
        .iter()
        .map(|&x| Bound::new(py, State::from(x.clone())));
    let states: Vec<Bound<'_, State>> = states.collect::<PyResult<_>>()?;
    let result = f.bind(py).call1(PyTuple::new(py, states)?)?;
    let items: Vec<Bound<'_, PyAny>> = if result.is_none() {
        *returned = Returned::Nothing;
        Vec::new()
    } else if let Ok(all) = result.cast::<PyTuple>() {
        *returned = Returned::Many;
        all.iter().collect()
    } else if let Ok(all) = result.cast::<PyList>() {
        *returned = Returned::Many;
        all.iter().collect()
    } else {
        *returned = Returned::One;
        vec![result.clone()]
    };
    items
        .iter()
        .map(|x| tensor(x, "the captured function returns"))
        .collect()
}

/// The State that a function gives for another.
pub(crate) fn value(py: Python<'_>, f: &Py<PyAny>, x: &Tensor) -> PyResult<Tensor> {
    let mut returned = Returned::One;
    let mut values = call(py, f, &[x], &mut returned)?;
    match (values.pop(), values.is_empty(), returned) {
        (Some(value), true, Returned::One) => Ok(value),
        _ => Err(error(
            Class::ArgumentType,
            "Graph: the captured function returns one State here, the value of each candidate",
        )),
    }
}

/// The States that a function gives for others, one or several.
pub(crate) fn values(py: Python<'_>, f: &Py<PyAny>, inputs: &[&Tensor]) -> PyResult<Vec<Tensor>> {
    call(py, f, inputs, &mut Returned::One)
}

/// A function to be captured.
pub(crate) type Function<'a> = &'a mut (dyn FnMut(&[&Tensor]) -> Result<Vec<Tensor>, Error> + Send);

/// Has `f` captured, whose result is to be `wanted`, and says what it returned.
fn capturing<T: Send>(
    py: Python<'_>,
    f: &Py<PyAny>,
    inputs: &Bound<'_, PyTuple>,
    wanted: Option<Returned>,
    capture: impl FnOnce(&[&Tensor], Function<'_>) -> Result<T, Error> + Send,
) -> PyResult<(T, Returned)> {
    let tensors = tensors(inputs)?;
    let given: Vec<&Tensor> = tensors.iter().collect();
    let (mut returned, mut raised) = (Returned::Nothing, None);
    // What is waited for meanwhile may need the interpreter itself; only the function has it.
    let captured = enter(py, usize::MAX, || {
        capture(&given, &mut |own| {
            let called = Python::attach(|py| call(py, f, own, &mut returned));
            let fits = called.and_then(|all| match wanted.is_none_or(|w| w == returned) {
                true => Ok(all),
                false => Err(error(
                    Class::ArgumentType,
                    "Graph: the function returns one State where the graph gives several, or the other way; hint: return as the captured one did",
                )),
            });
            fits.map_err(|exception| {
                raised = Some(exception);
                Error::value("capture", "the captured function raised an exception")
            })
        })
    });
    match raised {
        Some(exception) => Err(exception),
        None => Ok((captured?, returned)),
    }
}

fn texts(operands: Operands) -> Vec<String> {
    operands.0.iter().map(ToString::to_string).collect()
}

impl PyGraph {
    fn again(&self) -> Locked<'_, Again> {
        lock(&self.again)
    }
}

#[pymethods]
impl PyGraph {
    /// Captures what `f` does with States like `inputs`.
    #[staticmethod]
    #[pyo3(signature = (f, /, *inputs))]
    fn capture(py: Python<'_>, f: Py<PyAny>, inputs: &Bound<'_, PyTuple>) -> PyResult<PyGraph> {
        let (graph, returned) = capturing(py, &f, inputs, None, |given, function| {
            Graph::capture(given, function)
        })?;
        let binds = graph.device_id() != DeviceId::Cpu && !enter(py, usize::MAX, || graph.draws())?;
        let again = Mutex::new(match binds {
            true => Again::Last(Vec::new()),
            false => Again::Never,
        });
        Ok(PyGraph {
            graph,
            returned,
            again,
        })
    }

    /// True where these States lie where those of the last call did, and the work may be captured over their memory.
    #[pyo3(signature = (*inputs))]
    fn _come_again(&self, py: Python<'_>, inputs: &Bound<'_, PyTuple>) -> PyResult<bool> {
        let again = |last: &Again| matches!(last, Again::Last(_));
        if !again(&self.again()) {
            return Ok(false);
        }
        let tensors = tensors(inputs)?;
        let given: Vec<&Tensor> = tensors.iter().collect();
        let now = enter(py, usize::MAX, || lies(&given))?;
        let mut last = self.again();
        let come = matches!(&*last, Again::Last(places) if *places == now);
        if again(&last) {
            *last = Again::Last(now);
        }
        Ok(come)
    }

    /// Captures `f` over the memory of these States, for later calls with them. What cannot be captured so stays as it was.
    #[pyo3(signature = (f, /, *inputs))]
    fn _bind(&self, py: Python<'_>, f: Py<PyAny>, inputs: &Bound<'_, PyTuple>) -> PyResult<()> {
        let wanted = Some(self.returned);
        let bound = capturing(py, &f, inputs, wanted, writing::bind);
        *self.again() = match bound {
            Ok((graph, _)) if graph.outputs() == self.graph.outputs() => {
                Again::Bound(Arc::new(graph))
            }
            Ok(_) => Again::Never,
            Err(error) => {
                tracing::debug!(%error, "a graph stays one over copies");
                Again::Never
            }
        };
        Ok(())
    }

    /// Captures `f` anew and replays that from now on. The answer is "in place" where the device keeps what it made of the
    /// work before, as it does where only numbers changed, and "anew" where it does not.
    #[pyo3(signature = (f, /, *inputs))]
    fn update(
        &self,
        py: Python<'_>,
        f: Py<PyAny>,
        inputs: &Bound<'_, PyTuple>,
    ) -> PyResult<&'static str> {
        let wanted = Some(self.returned);
        let (updated, _) = capturing(py, &f, inputs, wanted, |given, function| {
            self.graph.update(given, function)
        })?;
        *self.again() = Again::Never;
        Ok(match updated {
            Updated::InPlace => "in place",
            Updated::Anew => "anew",
        })
    }

    /// Replays the captured work over other States of the same shapes, types and device; those that it writes in place are written.
    #[pyo3(signature = (*inputs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tensors = tensors(inputs)?;
        let given: Vec<&Tensor> = tensors.iter().collect();
        let bound = match &*self.again() {
            Again::Bound(graph) => Some(graph.clone()),
            _ => None,
        };
        let bound = match bound {
            Some(graph) if enter(py, usize::MAX, || graph.is_bound_to(&given))? => Some(graph),
            _ => None,
        };
        let graph = bound.as_deref().unwrap_or(&self.graph);
        let results = writing::replay(py, graph, &given).inspect_err(|_| {
            let mut again = self.again();
            if let Again::Last(places) = &mut *again {
                places.clear();
            }
        })?;
        let mut states = results
            .into_iter()
            .map(|y| Ok(Bound::new(py, State::from(y))?.into_any()));
        match self.returned {
            Returned::Nothing => Ok(py.None().into_bound(py)),
            Returned::One => match states.next() {
                Some(state) => state,
                None => Ok(py.None().into_bound(py)),
            },
            Returned::Many => {
                let all: Vec<Bound<'_, PyAny>> = states.collect::<PyResult<_>>()?;
                Ok(PyTuple::new(py, all)?.into_any())
            }
        }
    }

    /// Type, shape and device of each State that it takes, as `float32[3, 4] on cpu`.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, texts(self.graph.inputs()))
    }

    /// Type, shape and device of each State that it gives.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, texts(self.graph.outputs()))
    }

    /// For each State that it takes, whether it writes it in place.
    #[getter]
    fn written<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, enter(py, usize::MAX, || self.graph.written())?)
    }

    /// How many launches a replay stands for.
    #[getter]
    fn launches(&self) -> usize {
        self.graph.launches()
    }

    /// Where it runs.
    #[getter]
    fn device(&self) -> PyDevice {
        PyDevice(self.graph.device_id())
    }

    fn __repr__(&self) -> String {
        let (from, to) = (self.graph.inputs(), self.graph.outputs());
        format!("Graph({from} -> {to}; {} launches)", self.graph.launches())
    }
}
