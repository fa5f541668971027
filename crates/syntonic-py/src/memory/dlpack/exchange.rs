//! The exchange API of DLPack 1.3: the same exchange by C functions, without a call of Python.
//!
//! A type that has it shows a table of functions as `__dlpack_c_exchange_api__`. None of them orders the work of the two sides: who
//! takes an array makes its own stream follow the current stream of the side that gives it.

use super::export::{managed, shown};
use super::import::{Taken, device_of, over};
use super::{CPU, CUDA, DlTensor, ManagedVersioned, Version, dtype_of};
use crate::device;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::streams::{self, Handle};
use crate::state::State;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{self, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;
use syntonic_core::{Device, DeviceId, Tensor};

const NAME: &CStr = c"dlpack_exchange_api";

#[repr(C)]
struct Header {
    version: Version,
    older: *const Header,
}

type SetError = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char);

/// `DLPackExchangeAPI`: a library's functions.
#[repr(C)]
pub(crate) struct Api {
    header: Header,
    allocate: unsafe extern "C" fn(
        *mut DlTensor,
        *mut *mut ManagedVersioned,
        *mut c_void,
        SetError,
    ) -> c_int,
    from_object: unsafe extern "C" fn(*mut PyObject, *mut *mut ManagedVersioned) -> c_int,
    to_object: unsafe extern "C" fn(*mut ManagedVersioned, *mut *mut PyObject) -> c_int,
    describe: Option<unsafe extern "C" fn(*mut PyObject, *mut DlTensor) -> c_int>,
    stream: unsafe extern "C" fn(c_int, c_int, *mut *mut c_void) -> c_int,
}

// SAFETY: the table is constant, and what it points to lives as long as the process.
unsafe impl Sync for Api {}

/// The table of the type of `obj`, if it has one of our major version.
pub(crate) fn theirs(obj: &Bound<'_, PyAny>) -> PyResult<Option<&'static Api>> {
    of_type(&obj.get_type())
}

/// The table of a type, if it has one of our major version.
pub(crate) fn of_type(class: &Bound<'_, PyType>) -> PyResult<Option<&'static Api>> {
    let found = class.getattr_opt(intern!(class.py(), "__dlpack_c_exchange_api__"))?;
    let Some(capsule) = found.and_then(|c| c.cast_into::<PyCapsule>().ok()) else {
        return Ok(None);
    };
    // SAFETY: a capsule of this name holds a pointer to a table, which the protocol keeps for as long as the process lives. Its
    // header is the same in every version.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule.as_ptr(), NAME.as_ptr()) != 1 {
            return Ok(None);
        }
        let at = ffi::PyCapsule_GetPointer(capsule.as_ptr(), NAME.as_ptr()).cast::<Header>();
        let is_known = (*at).version.major == 1;
        Ok(is_known.then(|| &*at.cast::<Api>()))
    }
}

/// What a function of the protocol said: zero, or an exception that is set.
fn said(py: Python<'_>, code: c_int) -> PyResult<()> {
    match code {
        0 => Ok(()),
        _ => Err(PyErr::take(py).unwrap_or_else(|| {
            PyBufferError::new_err("from_dlpack: the library gave no array, and no reason")
        })),
    }
}

impl Api {
    /// The stream that the library works on now, on a device; `None` for the host.
    pub(crate) fn stream(&self, py: Python<'_>, device: DeviceId) -> PyResult<Option<usize>> {
        let DeviceId::Cuda(ordinal) = device else {
            return Ok(None);
        };
        let mut stream = ptr::null_mut();
        // SAFETY: the interpreter is held, and the library writes one pointer.
        said(py, unsafe {
            (self.stream)(CUDA, ordinal as c_int, &mut stream)
        })?;
        Ok(Some(stream as usize))
    }

    /// A tensor over the memory of an object of the library's, and whether it may be written.
    pub(super) fn import(&self, obj: &Bound<'_, PyAny>) -> PyResult<(Tensor, bool)> {
        let py = obj.py();
        let mut managed = ptr::null_mut();
        // SAFETY: the interpreter is held, the object is of the table's type, and the library writes one pointer.
        said(py, unsafe {
            (self.from_object)(obj.as_ptr(), &mut managed)
        })?;
        // SAFETY: the library has given the array to us, filled, or nothing.
        let (t, writable) = unsafe { adopted(py, managed)? };
        if let Some(stream) = self.stream(py, t.device_id())? {
            // The protocol's null is the legacy default stream.
            let producer = Handle::of_consumer(stream.max(1));
            enter(py, 0, || streams::accept(&*t.buffer()?, Some(producer)))?;
        }
        Ok((t, writable))
    }

    /// A tensor over the memory of an object of the library's, which `obj` itself keeps alive, and no order of work: for an operator
    /// that the library calls.
    pub(crate) fn borrow(&self, obj: &Bound<'_, PyAny>) -> PyResult<Tensor> {
        let py = obj.py();
        let Some(describe) = self.describe else {
            return Ok(self.import(obj)?.0);
        };
        let mut tensor = DlTensor::nothing();
        // SAFETY: the interpreter is held, the object is of the table's type, and the library fills the description.
        said(py, unsafe { describe(obj.as_ptr(), &mut tensor) })?;
        let place = device_of(tensor.device.kind, tensor.device.id)?;
        let device = device::usable(py, place)?;
        over(&tensor, obj.clone().unbind(), &device)
    }

    /// A tensor in memory of ours as an object of the library's over the same memory.
    pub(crate) fn export<'py>(&self, py: Python<'py>, t: &Tensor) -> PyResult<Bound<'py, PyAny>> {
        let (tensor, context) = enter(py, t.numel(), || shown(t))?;
        let mut object = ptr::null_mut();
        // SAFETY: the interpreter is held, and the library takes the array over, also where it fails.
        unsafe {
            said(
                py,
                (self.to_object)(managed(tensor, context, 0), &mut object),
            )?;
            Bound::from_owned_ptr_or_err(py, object)
        }
    }
}

/// A tensor over an array, and whether it may be written.
///
/// # Safety
/// The array is filled, and its owner has given it to us; or there is none.
unsafe fn adopted(py: Python<'_>, array: *mut ManagedVersioned) -> PyResult<(Tensor, bool)> {
    if array.is_null() {
        return Err(PyBufferError::new_err(
            "from_dlpack: the library gave no array",
        ));
    }
    // SAFETY: the caller's promise.
    let (kind, id) = unsafe { ((*array).tensor.device.kind, (*array).tensor.device.id) };
    let place = device_of(kind, id);
    let taken = Taken::versioned(array, *place.as_ref().unwrap_or(&DeviceId::Cpu));
    let device = device::usable(py, place?)?;
    // SAFETY: as above; `taken` keeps it.
    let (tensor, writable) = unsafe { (&(*array).tensor, (*array).is_writable()) };
    Ok((over(tensor, taken, &device)?, writable))
}

/// The address, shape and type that a prototype asks for, on its device.
fn room_for(prototype: &DlTensor) -> PyResult<Tensor> {
    let unknown = || {
        error(
            Class::DType,
            "__dlpack_c_exchange_api__: an unknown element type",
        )
    };
    let dtype = dtype_of(&prototype.dtype).ok_or_else(unknown)?;
    let device: Arc<dyn Device> = match device_of(prototype.device.kind, prototype.device.id)? {
        DeviceId::Cuda(ordinal) => syntonic_cuda::device(ordinal).map_err(raise)?,
        _ => syntonic_core::cpu(),
    };
    let (shape, _) = prototype.sides("__dlpack_c_exchange_api__")?;
    Tensor::zeros_on(&shape, dtype, &device).map_err(raise)
}

/// `managed_tensor_allocator`: new memory, in the form of the prototype. May be called without the interpreter.
unsafe extern "C" fn allocate(
    prototype: *mut DlTensor,
    out: *mut *mut ManagedVersioned,
    context: *mut c_void,
    set_error: SetError,
) -> c_int {
    let made = Python::attach(|py| {
        // SAFETY: the protocol gives a filled description.
        let t = room_for(unsafe { &*prototype })?;
        let (tensor, kept) = enter(py, t.numel(), || shown(&t))?;
        Ok::<_, PyErr>(managed(tensor, kept, 0))
    });
    match made {
        Ok(managed) => {
            // SAFETY: the protocol gives room for one pointer.
            unsafe { *out = managed };
            0
        }
        Err(error) => {
            let text = Python::attach(|py| error.value(py).to_string());
            let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
            // SAFETY: the function is the caller's own, and the texts outlive the call.
            unsafe { set_error(context, c"BufferError".as_ptr(), text.as_ptr()) };
            -1
        }
    }
}

/// Sets the exception, and gives the code that says so.
fn raised(py: Python<'_>, outcome: PyResult<()>) -> c_int {
    match outcome {
        Ok(()) => 0,
        Err(error) => {
            error.restore(py);
            -1
        }
    }
}

/// `managed_tensor_from_py_object_no_sync`: a State on its way out. The interpreter is held.
unsafe extern "C" fn from_object(object: *mut PyObject, out: *mut *mut ManagedVersioned) -> c_int {
    Python::attach(|py| {
        let export = || {
            // SAFETY: the protocol gives a live object of this type.
            let state = unsafe { Bound::from_borrowed_ptr(py, object) };
            let state = state.cast_into::<State>()?;
            let (here, flags) = state.get().ready_to_share(py)?;
            let (tensor, context) = enter(py, here.numel(), || shown(&here))?;
            // SAFETY: the protocol gives room for one pointer.
            unsafe { *out = managed(tensor, context, flags) };
            Ok(())
        };
        raised(py, export())
    })
}

/// `managed_tensor_to_py_object_no_sync`: an array becomes a State, of which a read-only one cannot be written. The interpreter is held.
unsafe extern "C" fn to_object(array: *mut ManagedVersioned, out: *mut *mut PyObject) -> c_int {
    Python::attach(|py| {
        let import = || {
            // SAFETY: the protocol gives a filled array, which is ours from here on.
            let (t, writable) = unsafe { adopted(py, array)? };
            // No copy, as `from_dlpack` makes: the work that fills the array may not be ordered before ours.
            let t = if writable { t } else { t.read_only() };
            enter(py, 0, || t.buffer()?.lend())?;
            let state = Py::new(py, State::from(t))?;
            // SAFETY: the protocol gives room for one pointer.
            unsafe { *out = state.into_ptr() };
            Ok(())
        };
        raised(py, import())
    })
}

/// `current_work_stream`: this thread's stream on a device.
unsafe extern "C" fn stream(kind: c_int, id: c_int, out: *mut *mut c_void) -> c_int {
    Python::attach(|py| {
        let look = || {
            let place = if kind == CPU {
                DeviceId::Cpu
            } else {
                device_of(kind, id)?
            };
            let ours = enter(py, 0, || streams::ours(place))?;
            // SAFETY: the protocol gives room for one pointer.
            unsafe { *out = ours.map_or(0, Handle::number) as *mut c_void };
            Ok(())
        };
        raised(py, look())
    })
}

static OURS: Api = Api {
    header: Header {
        version: Version { major: 1, minor: 3 },
        older: ptr::null(),
    },
    allocate,
    from_object,
    to_object,
    // A State may be an expression still, whose memory comes only with the evaluation.
    describe: None,
    stream,
};

#[pymethods]
impl State {
    /// The functions by which libraries in C exchange arrays without calling Python: DLPack 1.3.
    #[classattr]
    fn __dlpack_c_exchange_api__(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let table = (&raw const OURS).cast_mut().cast::<c_void>();
        // SAFETY: the pointer is not null, the table and the name are static, and nothing has to be freed.
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(table, NAME.as_ptr(), None)) }
    }
}
