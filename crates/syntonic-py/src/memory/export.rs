//! Sharing the memory of a State with other libraries through the buffer protocol.

use super::foreign::{BY_ML_DTYPES, integers, reinterpret};
use crate::device::elsewhere;
use crate::dtype::of_numpy;
use crate::dtype_names::typestr;
use crate::enter::{enter, force};
use crate::errors::raise;
use crate::flags::is_fortran;
use crate::state::State;
use pyo3::exceptions::{PyAttributeError, PyBufferError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::Arc;
use syntonic_core::graph::check as check_capture;
use syntonic_core::{Buffer, DType, DeviceId, Tensor};

/// What an exported view points to, kept until the consumer lets go.
struct Export {
    shape: Vec<isize>,
    strides: Vec<isize>,
    buffer: Arc<Buffer>,
    format: CString,
    /// Whether the consumer may write.
    lent: bool,
}

/// NumPy's letter for the type, as `struct` spells it with additions; bfloat16 and 8-bit floats have none.
fn format(dtype: DType) -> Option<&'static CStr> {
    Some(match dtype {
        DType::Bool => c"?",
        DType::I8 => c"b",
        DType::I16 => c"h",
        DType::I32 => c"i",
        DType::I64 if size_of::<std::ffi::c_long>() == 8 => c"l",
        DType::I64 => c"q",
        DType::U8 => c"B",
        DType::U16 => c"H",
        DType::U32 => c"I",
        DType::U64 if size_of::<std::ffi::c_long>() == 8 => c"L",
        DType::U64 => c"Q",
        DType::F16 => c"e",
        DType::F32 => c"f",
        DType::F64 => c"d",
        DType::C64 => c"Zf",
        DType::C128 => c"Zd",
        DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => return None,
    })
}

/// Whether the consumer can live with the layout and with what it may do.
fn check(t: &Tensor, flags: c_int) -> PyResult<()> {
    let asks = |flag: c_int| flags & flag == flag;
    let refuse = |why: &str| Err(PyBufferError::new_err(why.to_owned()));
    if t.device_id() != DeviceId::Cpu {
        return refuse("the State is not in memory of the host; hint: .cpu() first");
    }
    if asks(ffi::PyBUF_WRITABLE) && !t.is_writable() {
        return refuse("a broadcast view cannot be written; hint: export a .copy() of it");
    }
    // PyTorch's `asarray` would read whatever it gets this way as numbers of one axis.
    let is_bytes = t.ndim() == 1 && t.dtype() == DType::U8;
    if !asks(ffi::PyBUF_ND) && !is_bytes {
        return refuse(
            "the consumer asked for plain bytes, in which shape and element type are lost; hint: memoryview(x).cast('B') if bytes are meant, torch.from_dlpack(x) for PyTorch",
        );
    }
    if asks(ffi::PyBUF_C_CONTIGUOUS) && !t.is_contiguous() {
        return refuse("the State is not row-major; hint: export a .copy() of it");
    }
    if asks(ffi::PyBUF_F_CONTIGUOUS) && !is_fortran(t) {
        return refuse("the State is not column-major");
    }
    if asks(ffi::PyBUF_ANY_CONTIGUOUS) && !t.is_contiguous() && !is_fortran(t) {
        return refuse("the State has gaps; hint: export a .copy() of it");
    }
    if !asks(ffi::PyBUF_STRIDES) && !t.is_contiguous() {
        return refuse(
            "the State is strided and the consumer asked for none; hint: export a .copy() of it",
        );
    }
    Ok(())
}

#[pymethods]
impl State {
    /// # Safety
    /// `view` is what the interpreter gives to an exporter: room for one view.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let py = slf.py();
        let tensor = &slf.get().tensor;
        let Some(letter) = format(tensor.dtype()) else {
            return Err(PyBufferError::new_err(format!(
                "{} has no letter in the buffer protocol; hint: use .numpy() with ml_dtypes",
                tensor.dtype()
            )));
        };
        check(tensor, flags)?;
        let here = force(py, tensor)?;
        let buffer = enter(py, 0, || here.buffer())?;
        let size = here.dtype().size();
        let export = Box::new(Export {
            shape: here.shape().iter().map(|&n| n as isize).collect(),
            strides: here.strides().iter().map(|&s| s * size as isize).collect(),
            buffer: buffer.clone(),
            format: letter.to_owned(),
            lent: here.is_writable(),
        });
        // Who may only read changes nothing that waits, and nothing that a tape has kept.
        match export.lent {
            true => enter(py, here.numel(), || buffer.lend())?,
            false => check_capture("sharing memory with another library", DeviceId::Cpu)
                .map_err(raise)?,
        }
        let asks = |flag: c_int| flags & flag == flag;
        let export = Box::into_raw(export);
        // SAFETY: the interpreter gives room for a view; every pointer put into it is into `export`, which
        // lives until `__releasebuffer__`, or into the buffer it holds.
        unsafe {
            (*view).buf = buffer
                .address()
                .wrapping_add(here.layout().offset() * size)
                .cast::<c_void>();
            (*view).len = (here.numel() * size) as isize;
            (*view).itemsize = size as isize;
            (*view).readonly = c_int::from(!here.is_writable());
            (*view).ndim = here.ndim() as c_int;
            (*view).format = if asks(ffi::PyBUF_FORMAT) {
                (*export).format.as_ptr().cast_mut()
            } else {
                std::ptr::null_mut()
            };
            (*view).shape = if asks(ffi::PyBUF_ND) {
                (*export).shape.as_mut_ptr()
            } else {
                std::ptr::null_mut()
            };
            (*view).strides = if asks(ffi::PyBUF_STRIDES) {
                (*export).strides.as_mut_ptr()
            } else {
                std::ptr::null_mut()
            };
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = export.cast::<c_void>();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }

    /// # Safety
    /// `view` was filled by `__getbuffer__` and is released once.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: `internal` is the box that `__getbuffer__` put there.
        let export = unsafe { Box::from_raw((*view).internal.cast::<Export>()) };
        if export.lent {
            export.buffer.take_back();
        }
    }

    /// The State as a NumPy array over the same memory; bfloat16 and 8-bit floats need the package ml_dtypes.
    pub(crate) fn numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let tensor = &slf.get().tensor;
        if tensor.device_id() != DeviceId::Cpu {
            return Err(elsewhere("numpy", tensor.device_id()));
        }
        // NumPy asks for the array again where it gets no buffer, and again.
        check_capture("numpy", tensor.device_id()).map_err(raise)?;
        slf.get().check_untracked("numpy")?;
        let numpy = py.import("numpy")?;
        let dtype = tensor.dtype();
        if !BY_ML_DTYPES.contains(&dtype) {
            return numpy.call_method1("asarray", (slf,));
        }
        let stored = of_numpy(py, dtype)?;
        let bits = State::from(reinterpret(&force(py, tensor)?, integers(dtype))?);
        numpy
            .call_method1("asarray", (bits,))?
            .call_method1("view", (stored,))
    }

    /// The array as an address in memory of the host, for libraries that know neither the buffer protocol nor DLPack; absent for
    /// a State on a GPU. Whoever uses the memory keeps the State alive.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let t = &self.tensor;
        if t.device_id() != DeviceId::Cpu {
            return Err(PyAttributeError::new_err(format!(
                "__array_interface__: the State is on {}; hint: .cpu() first",
                t.device_id()
            )));
        }
        let Some(letters) = typestr(t.dtype()) else {
            return Err(PyAttributeError::new_err(format!(
                "__array_interface__: {} has no letter in this protocol; hint: .numpy() with ml_dtypes",
                t.dtype()
            )));
        };
        let here = force(py, t)?;
        let buffer = enter(py, here.numel(), || {
            let buffer = here.buffer()?;
            buffer.lend()?;
            Ok(buffer)
        })?;
        let size = here.dtype().size();
        let first = buffer.address() as usize + here.layout().offset() * size;
        let strides = here.strides().iter().map(|s| s * size as isize);
        let interface = PyDict::new(py);
        interface.set_item("shape", PyTuple::new(py, here.shape())?)?;
        interface.set_item("typestr", letters)?;
        interface.set_item("data", (first, !here.is_writable()))?;
        interface.set_item("strides", PyTuple::new(py, strides)?)?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }

    /// NumPy's protocol, for what the buffer protocol cannot carry.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = State::numpy(slf)?;
        let numpy = slf.py().import("numpy")?;
        let arguments = pyo3::types::PyDict::new(slf.py());
        arguments.set_item("dtype", dtype)?;
        arguments.set_item("copy", copy)?;
        numpy.call_method("array", (array,), Some(&arguments))
    }
}
