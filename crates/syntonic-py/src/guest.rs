//! Operators that another library calls over its own tensors, in its own stream and memory.

use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::evaluation::Each;
use crate::memory::apart;
use crate::memory::dlpack::exchange::{self, Api};
use crate::memory::streams;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use std::sync::{Arc, Mutex};
use syntonic_core::fork::lock;
use syntonic_core::{DeviceId, Error, Result, Tensor};
use syntonic_cuda::guest::{Host, Lodging};

/// Memory that a visit was given, by its address.
#[derive(Default)]
struct Given(Mutex<Vec<(usize, Py<PyAny>)>>);

impl Given {
    fn add(&self, address: usize, object: Py<PyAny>) {
        let mut all = lock(&self.0);
        all.push((address, object));
    }

    /// The object, to be dropped by the caller, who holds no lock.
    fn take(&self, address: usize) -> Option<Py<PyAny>> {
        let mut all = lock(&self.0);
        let at = all.iter().position(|(a, _)| *a == address)?;
        Some(all.swap_remove(at).1)
    }

    fn find(&self, py: Python<'_>, address: usize) -> Option<Py<PyAny>> {
        let all = lock(&self.0);
        let found = all.iter().find(|(a, _)| *a == address);
        found.map(|(_, object)| object.clone_ref(py))
    }
}

/// The allocator of the library: a Python function from a number of bytes to a tensor of so many.
struct Allocator {
    device: DeviceId,
    empty: Py<PyAny>,
    given: Arc<Given>,
    /// What the function raised: want of memory is told in the library's own words.
    raised: Mutex<Option<PyErr>>,
}

/// One piece of its memory.
struct Piece {
    address: usize,
    given: Arc<Given>,
}

impl Drop for Piece {
    fn drop(&mut self) {
        let object = self.given.take(self.address);
        Python::try_attach(|_| drop(object));
    }
}

impl Allocator {
    fn ask(&self, bytes: usize) -> PyResult<usize> {
        Python::attach(|py| {
            let made = self.empty.bind(py).call1((bytes,))?;
            let address: usize = made
                .call_method0(pyo3::intern!(py, "data_ptr"))?
                .extract()?;
            self.given.add(address, made.unbind());
            Ok(address)
        })
    }
}

impl Host for Allocator {
    fn allocate(&self, bytes: usize) -> Result<Lodging> {
        let address = self.ask(bytes).map_err(|raised| {
            let mut slot = lock(&self.raised);
            *slot = Some(raised);
            Error::OutOfMemory {
                device: self.device,
                requested: bytes,
                in_use: 0,
                cached: 0,
            }
        })?;
        let given = self.given.clone();
        Ok(Lodging {
            address: address as u64,
            owner: Box::new(Piece { address, given }),
        })
    }
}

/// The tensors among `arguments` as States over the same memory, and the device of all of them.
fn borrowed<'py>(
    api: &Api,
    class: &Bound<'py, PyType>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<(Vec<Bound<'py, PyAny>>, DeviceId)> {
    let py = class.py();
    let mut place = None;
    let mut all = Vec::new(); // few: the arguments of one call
    for argument in arguments {
        if !argument.is_instance(class)? {
            all.push(argument);
            continue;
        }
        let t = api.borrow(&argument)?;
        let here = t.device_id();
        let first = *place.get_or_insert(here);
        if first != here {
            return Err(error(
                Class::Device,
                format!(
                    "the tensors of one operator are on {first} and {here}; hint: move them to one device with .to(device)"
                ),
            ));
        }
        all.push(Bound::new(py, State::from(t))?.into_any());
    }
    Ok((all, place.unwrap_or(DeviceId::Cpu)))
}

/// `function(*arguments)`, where tensors of another library's type `kind` are States over the same memory, and the
/// States of the result, one or a tuple, become the library's tensors. On a GPU the work is asked of the library's current stream,
/// and all memory comes from its allocator: `empty(bytes)`, which `tensor(made, dtype, shape)` turns into a result.
/// The tensors are what lies in their memory and nothing more: PyTorch's dispatcher has resolved the others, and who goes past it asks
/// for their dispatch keys first.
#[pyfunction]
#[pyo3(signature = (kind, empty, tensor, function, *arguments))]
pub(crate) fn _visit<'py>(
    kind: &Bound<'py, PyType>,
    empty: &Bound<'py, PyAny>,
    tensor: &Bound<'py, PyAny>,
    function: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = kind.py();
    // As the library's own operators, of which each stores its result.
    let _each = Each::begin();
    let Some(api) = exchange::of_type(kind)? else {
        let kind = kind.name()?;
        return Err(error(
            Class::ArgumentType,
            format!("{kind} has no exchange API of DLPack; hint: PyTorch has it from 2.10 on"),
        ));
    };
    let (arguments, device) = borrowed(api, kind, arguments)?;
    let arguments = PyTuple::new(py, arguments)?;
    let DeviceId::Cuda(ordinal) = device else {
        let result = function.call1(&arguments)?;
        return each(&result, &|t| {
            let operands = arguments.iter().filter_map(|a| a.cast_into::<State>().ok());
            let operands: Vec<_> = operands.collect(); // few: the arguments of one call
            let operands: Vec<&Tensor> = operands.iter().map(|o| &*o.get().tensor).collect(); // few: as many
            let t = enter(py, t.numel(), || apart(row_major(t)?, &operands))?;
            api.export(py, &t)
        });
    };
    let stream = api.stream(py, device)?.unwrap_or(0);
    let allocator = Arc::new(Allocator {
        device,
        empty: empty.clone().unbind(),
        given: Arc::default(),
        raised: Mutex::default(),
    });
    let visit = streams::visit(ordinal, stream, allocator.clone()).map_err(raise)?;
    let result = function.call1(&arguments).and_then(|result| {
        each(&result, &|t| {
            let t = in_memory_of_its_own(py, t, &allocator)?;
            let address = t.buffer().map_err(raise)?.address() as usize;
            let Some(made) = allocator.given.find(py, address) else {
                return Err(error(
                    Class::Internal,
                    "a result is not in the library's memory",
                ));
            };
            let shape = PyTuple::new(py, t.shape())?;
            tensor.call1((made, t.dtype().name(), shape))
        })
    });
    drop(visit);
    let raised = lock(&allocator.raised).take();
    match (result, raised) {
        (Err(_), Some(raised)) => Err(raised),
        (result, _) => result,
    }
}

/// The result of an operator: a State, `None` or a number, or a tuple of them, whose States `turn` turns into something else.
fn each<'py>(
    result: &Bound<'py, PyAny>,
    turn: &dyn Fn(&Tensor) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(state) = result.cast::<State>() {
        return turn(&state.get().tensor);
    }
    match result.cast::<PyTuple>() {
        Ok(several) => {
            let turned = several.iter().map(|one| each(&one, turn));
            let turned: Vec<_> = turned.collect::<PyResult<_>>()?; // few: the results of one call
            Ok(PyTuple::new(result.py(), turned)?.into_any())
        }
        Err(_) => Ok(result.clone()),
    }
}

/// The tensor in memory, row-major.
fn row_major(t: &Tensor) -> Result<Tensor> {
    let here = t.eval()?;
    match here.is_contiguous() {
        true => Ok(here),
        false => here.copy(),
    }
}

/// The tensor, row-major from the first byte of memory that the allocator gave.
fn in_memory_of_its_own(py: Python<'_>, t: &Tensor, allocator: &Allocator) -> PyResult<Tensor> {
    enter(py, t.numel(), || {
        let here = t.eval()?;
        let buffer = here.buffer()?;
        let is_fresh = Python::attach(|py| {
            allocator
                .given
                .find(py, buffer.address() as usize)
                .is_some()
        });
        match is_fresh && here.is_contiguous() && here.layout().offset() == 0 {
            true => Ok(here),
            false => here.copy(),
        }
    })
}
