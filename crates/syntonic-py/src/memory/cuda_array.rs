//! `__cuda_array_interface__`, version 3: arrays of a GPU as addresses, for libraries that do not speak DLPack.

use crate::device;
use crate::dtype_names::{code, typestr};
use crate::enter::{enter, force};
use crate::errors::{Class, error};
use crate::memory::foreign::Block;
use crate::memory::streams::{self, Handle};
use crate::state::State;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use syntonic_core::{DType, DeviceId, Tensor};

/// The name of the attribute.
pub(crate) const NAME: &str = "__cuda_array_interface__";

#[pymethods]
impl State {
    /// The array as addresses on its GPU; absent for a State on the CPU. Whoever uses the memory keeps the State alive.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let t = &self.tensor;
        if t.device_id() == DeviceId::Cpu {
            return Err(PyAttributeError::new_err(
                "__cuda_array_interface__: the State is on cpu; hint: .cuda() first",
            ));
        }
        let Some(letters) = typestr(t.dtype()) else {
            return Err(PyAttributeError::new_err(format!(
                "__cuda_array_interface__: {} has no letter in this protocol; hint: use DLPack",
                t.dtype()
            )));
        };
        let here = force(py, t)?;
        let (address, stream) = enter(py, here.numel(), || {
            let buffer = here.buffer()?;
            // Consumers that do not look at the stream work on the legacy default one.
            streams::hand_over(&buffer, Handle::LEGACY)?;
            buffer.lend()?;
            let first = buffer.address() as usize + here.layout().offset() * t.dtype().size();
            Ok((first, streams::ours(t.device_id())?))
        })?;
        let interface = PyDict::new(py);
        interface.set_item("shape", PyTuple::new(py, here.shape())?)?;
        interface.set_item("typestr", letters)?;
        interface.set_item(
            "data",
            (
                if t.numel() == 0 { 0 } else { address },
                !here.is_writable(),
            ),
        )?;
        interface.set_item("strides", strides(py, &here)?)?;
        interface.set_item("version", 3)?;
        interface.set_item("stream", stream.map(Handle::number))?;
        Ok(interface)
    }
}

/// Bytes between neighbours along each axis, or nothing where the array is row-major.
fn strides<'py>(py: Python<'py>, t: &Tensor) -> PyResult<Option<Bound<'py, PyTuple>>> {
    if t.is_contiguous() {
        return Ok(None);
    }
    let size = t.dtype().size() as isize;
    PyTuple::new(py, t.strides().iter().map(|s| s * size)).map(Some)
}

/// The object behind an imported array.
struct Owner {
    /// Kept, not read.
    _object: Py<PyAny>,
    device: DeviceId,
}

impl Drop for Owner {
    fn drop(&mut self) {
        streams::give_back(self.device);
    }
}

/// The entry of the dictionary, unless it is absent or None.
fn entry<'py>(interface: &Bound<'py, PyAny>, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let found = interface.call_method1("get", (key,))?;
    Ok(Some(found).filter(|f| !f.is_none()))
}

fn refuse(what: impl Into<String>) -> PyErr {
    error(
        Class::Argument,
        format!("__cuda_array_interface__: {}", what.into()),
    )
}

fn needed<'py>(interface: &Bound<'py, PyAny>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    entry(interface, key)?.ok_or_else(|| refuse(format!("the producer gives no {key:?}")))
}

/// A tensor over the memory of an object with the attribute, and whether it may be written.
pub(crate) fn import(obj: &Bound<'_, PyAny>) -> PyResult<(Tensor, bool)> {
    let py = obj.py();
    let interface = obj.getattr(NAME)?;
    if entry(&interface, "mask")?.is_some() {
        return Err(refuse("arrays with a mask are not supported"));
    }
    let shape = needed(&interface, "shape")?;
    let Ok(shape) = shape.extract::<Vec<usize>>() else {
        return Err(refuse(format!("{shape} is no shape")));
    };
    let letters: String = needed(&interface, "typestr")?.extract()?;
    let Some(dtype) = code(letters.trim_start_matches(['<', '|', '='])) else {
        return Err(error(
            Class::DType,
            format!(
                "__cuda_array_interface__: elements of type {letters:?} are not numbers we know"
            ),
        ));
    };
    let data = needed(&interface, "data")?;
    let Ok((address, read_only)) = data.extract::<(usize, bool)>() else {
        return Err(refuse(format!(
            "{data} is not an address and whether the memory is read-only"
        )));
    };
    let id = home(py, address)?;
    let device = device::usable(py, id)?;
    let stream = producer(&interface)?;
    let strides = match entry(&interface, "strides")? {
        Some(given) => given
            .extract::<Vec<isize>>()
            .map_err(|_| refuse(format!("{given} are no strides")))?,
        None => row_major(&shape, dtype),
    };
    if strides.len() != shape.len() {
        return Err(refuse(format!(
            "{} strides for {} axes",
            strides.len(),
            shape.len()
        )));
    }
    let block = Block::new(address, &shape, &strides, dtype, id).map_err(|m| m.of(NAME))?;
    let owner = Owner {
        _object: obj.clone().unbind(),
        device: id,
    };
    // SAFETY: the producer says that the memory is there, and the object that owns it lives in the tensor.
    let t = unsafe { block.tensor(dtype, &device, Box::new(owner)) }?;
    enter(py, 0, || streams::accept(&*t.buffer()?, stream))?;
    Ok((t, !read_only))
}

/// The GPU that the memory belongs to.
fn home(py: Python<'_>, address: usize) -> PyResult<DeviceId> {
    if address == 0 {
        return Ok(DeviceId::Cuda(device::default_gpu()));
    }
    let owner = enter(py, 0, || syntonic_cuda::owner(address as u64))?;
    owner
        .map(DeviceId::Cuda)
        .ok_or_else(|| refuse(format!("no GPU owns the memory at {address:#x}")))
}

fn row_major(shape: &[usize], dtype: DType) -> Vec<isize> {
    let steps = syntonic_core::layout::row_major(shape);
    steps
        .iter()
        .map(|s| s.wrapping_mul(dtype.size() as isize))
        .collect()
}

/// The stream to wait for. Before version 3 nobody said, and most worked on the legacy default stream.
fn producer(interface: &Bound<'_, PyAny>) -> PyResult<Option<Handle>> {
    let version: i64 = needed(interface, "version")?.extract()?;
    match entry(interface, "stream")? {
        None if version < 3 => Ok(Some(Handle::LEGACY)),
        None => Ok(None),
        Some(number) => match number.extract::<usize>()? {
            0 => Err(refuse(
                "0 names no stream; 1 is the legacy default stream, 2 the thread's own",
            )),
            number => Ok(Some(Handle::of_consumer(number))),
        },
    }
}
