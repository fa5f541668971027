//! A queue of requests for user-defined programs, on a GPU.

use crate::cuda::gpu;
use crate::device::PyDevice;
use crate::dtype_names;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::graph;
use crate::pipeline::plan::PyPlan;
use crate::service::{PySettings, reported};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use syntonic_core::fork::lock;
use syntonic_core::{DType, Error, Tensor};
use syntonic_cuda::service::{Argument, Operand, Program, Programs, Queue, Request};

/// A wait may take long: other Python threads go on meanwhile.
const LONG: usize = usize::MAX;

/// A queue, with its programs by name.
#[pyclass(frozen, name = "Queue", module = "syntonic.cuda")]
pub(crate) struct PyQueue {
    queue: Mutex<Option<Arc<Queue>>>,
    programs: HashMap<String, Program>,
}

/// A request that was made; one of its results, where it is an operand.
#[pyclass(frozen, name = "Request", module = "syntonic.cuda")]
pub(crate) struct PyRequest {
    request: Arc<Request>,
    result: usize,
}

/// An operand of a program: of this shape and type with each request, or kept.
enum Given {
    Spec(Vec<usize>, DType),
    Kept(Tensor),
}

impl Given {
    fn of(x: &Bound<'_, PyAny>) -> PyResult<Given> {
        if let Ok(state) = x.cast::<State>() {
            return Ok(Given::Kept(state.get().tensor.clone()));
        }
        let (shape, dtype) = x.extract::<(Vec<usize>, Bound<'_, PyAny>)>().map_err(|_| {
            let what =
                "Queue: an operand of a program is a State that is kept, or TensorSpec(shape, dtype)";
            error(Class::ArgumentType, what)
        })?;
        Ok(Given::Spec(shape, dtype_names::parse(&dtype)?))
    }

    fn operand(&self) -> Operand<'_> {
        match self {
            Given::Spec(shape, dtype) => Operand::Spec(shape, *dtype),
            Given::Kept(tensor) => Operand::Kept(tensor),
        }
    }
}

/// A program by its name, what it is, and its operands.
type Named<'py> = (String, Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);

fn registered(
    py: Python<'_>,
    programs: &mut Programs,
    (name, what, operands): &Named<'_>,
) -> PyResult<Program> {
    // few: operands of a program, here and below.
    let given = operands
        .iter()
        .map(Given::of)
        .collect::<PyResult<Vec<_>>>()?;
    let operands: Vec<Operand<'_>> = given.iter().map(Given::operand).collect();
    if let Ok(plan) = what.cast::<PyPlan>() {
        let plan = &plan.get().0;
        let add = || programs.plan(plan, &operands).map_err(Error::from);
        return enter(py, LONG, add);
    }
    let f = what.clone().unbind();
    let mut raised = None;
    let add = || {
        let called = |own: &[Tensor]| {
            let own: Vec<&Tensor> = own.iter().collect();
            Python::attach(|py| graph::values(py, &f, &own)).map_err(|exception| {
                raised = Some(exception);
                Error::value("Queue", "the function raised an exception")
            })
        };
        programs
            .function(name, &operands, called)
            .map_err(Error::from)
    };
    let added = enter(py, LONG, add);
    match raised {
        Some(exception) => Err(exception),
        None => added,
    }
}

impl PyQueue {
    fn open(&self) -> PyResult<Arc<Queue>> {
        let place = lock(&self.queue);
        place.clone().ok_or_else(|| {
            let text = "Queue: this queue is closed; hint: start another";
            error(Class::Argument, text)
        })
    }
}

#[pymethods]
impl PyQueue {
    /// A queue of programs, each with its name and its operands.
    #[new]
    #[pyo3(signature = (programs, lanes, settings, device=None))]
    fn new(
        py: Python<'_>,
        programs: Vec<Named<'_>>,
        lanes: usize,
        settings: &Bound<'_, PyDict>,
        device: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyQueue> {
        let settings = settings.extract::<PySettings<'_>>()?.read("Queue")?;
        let gpu = gpu(py, device)?;
        let mut all = Programs::new(&gpu);
        let mut names = HashMap::new();
        for named in &programs {
            names.insert(named.0.clone(), registered(py, &mut all, named)?);
        }
        let start = || Queue::start(all, lanes, settings).map_err(Error::from);
        let queue = enter(py, LONG, start)?;
        Ok(PyQueue {
            queue: Mutex::new(Some(Arc::new(queue))),
            programs: names,
        })
    }

    /// Asks for a run of a program over States of the CPU, and results of earlier requests.
    fn submit(
        &self,
        py: Python<'_>,
        program: &str,
        operands: &Bound<'_, PyTuple>,
    ) -> PyResult<PyRequest> {
        let queue = self.open()?;
        let Some(program) = self.programs.get(program) else {
            let mut known: Vec<&str> = self.programs.keys().map(String::as_str).collect();
            known.sort_unstable();
            let what = format!(
                "Queue: no program is called {program:?}; hint: {}",
                known.join(", ")
            );
            return Err(error(Class::Argument, what));
        };
        enum Given {
            Tensor(Tensor),
            Of(Arc<Request>, usize),
        }
        let given = operands.iter().map(|x| {
            if let Ok(request) = x.cast::<PyRequest>() {
                let PyRequest { request, result } = request.get();
                return Ok(Given::Of(request.clone(), *result));
            }
            match x.cast::<State>() {
                Ok(state) => Ok(Given::Tensor(state.get().tensor.clone())),
                Err(_) => Err(error(
                    Class::ArgumentType,
                    format!(
                        "Queue: operands are States and Request, not {}",
                        x.get_type()
                    ),
                )),
            }
        });
        // few: operands of a request.
        let given = given.collect::<PyResult<Vec<_>>>()?;
        let request = enter(py, LONG, || {
            let sent: Vec<Argument<'_>> = given
                .iter()
                .map(|given| match given {
                    Given::Tensor(tensor) => Argument::Tensor(tensor),
                    Given::Of(request, result) => Argument::Result(request, *result),
                })
                .collect();
            queue.submit(program, &sent).map_err(Error::from)
        })?;
        Ok(PyRequest {
            request: Arc::new(request),
            result: 0,
        })
    }

    /// The GPU it runs on.
    #[getter]
    fn device(&self) -> PyResult<PyDevice> {
        Ok(PyDevice(self.open()?.device()))
    }

    /// Requests that run at the same time.
    #[getter]
    fn lanes(&self) -> PyResult<usize> {
        Ok(self.open()?.lanes())
    }

    /// Ends the lease, and waits for it. The next request begins another.
    fn pause(&self, py: Python<'_>) -> PyResult<()> {
        let queue = self.open()?;
        enter(py, LONG, || queue.pause().map_err(Error::from))
    }

    /// How the queue has fared.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = self.open()?.report().map_err(|e| raise(Error::from(e)))?;
        reported(py, &report)
    }

    /// Ends the queue, once nobody waits for a request any more. Again is nothing.
    fn close(&self, py: Python<'_>) {
        let queue = lock(&self.queue).take();
        py.detach(|| drop(queue));
    }

    fn __repr__(&self) -> String {
        match self.open() {
            Ok(queue) => format!("Queue({}, {} lanes)", queue.device(), queue.lanes()),
            Err(_) => "Queue(closed)".to_owned(),
        }
    }
}

#[pymethods]
impl PyRequest {
    /// The results, States of the CPU; waits for them.
    fn wait<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let request = self.request.clone();
        let results = enter(py, LONG, move || request.wait().map_err(Error::from))?;
        let states = results
            .into_iter()
            .map(|y| Bound::new(py, State::from(y)))
            .collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, states)
    }

    /// Whether they are there.
    #[getter]
    fn done(&self) -> bool {
        self.request.is_done()
    }

    /// One of its results, as an operand of a later request.
    fn __getitem__(&self, result: usize) -> PyRequest {
        PyRequest {
            request: self.request.clone(),
            result,
        }
    }

    fn __repr__(&self) -> &'static str {
        match self.request.is_done() {
            true => "Request(done)",
            false => "Request(pending)",
        }
    }
}
