//! DLPack: arrays handed between libraries without copying, version 1 and the form before it.

use super::foreign::Block;
use super::writing::repeats;
use crate::enter::{enter, force};
use crate::errors::{Class, error};
use crate::state::State;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::{CStr, c_void};
use std::sync::Arc;
use syntonic_core::{Buffer, DType, Kind, Tensor};

/// The only device type of this build: memory of the host.
const CPU: i32 = 1;
const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;
const LEGACY: &CStr = c"dltensor";
const LEGACY_USED: &CStr = c"used_dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const VERSIONED_USED: &CStr = c"used_dltensor_versioned";

#[repr(C)]
struct DlDevice {
    kind: i32,
    id: i32,
}

#[repr(C)]
struct DlDataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device: DlDevice,
    ndim: i32,
    dtype: DlDataType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

#[repr(C)]
struct Version {
    major: u32,
    minor: u32,
}

#[repr(C)]
struct ManagedVersioned {
    version: Version,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: DlTensor,
}

/// What an exported array points to.
struct Context {
    shape: Vec<i64>,
    strides: Vec<i64>,
    buffer: Arc<Buffer>,
}

fn code_of(dtype: DType) -> DlDataType {
    let code = match dtype {
        DType::BF16 => 4,
        _ => match dtype.kind() {
            Kind::Signed => 0,
            Kind::Unsigned => 1,
            Kind::Float => 2,
            Kind::Complex => 5,
            Kind::Bool => 6,
        },
    };
    DlDataType {
        code,
        bits: 8 * dtype.size() as u8,
        lanes: 1,
    }
}

fn dtype_of(code: &DlDataType) -> Option<DType> {
    let same = |d: &DType| {
        let ours = code_of(*d);
        ours.code == code.code && ours.bits == code.bits
    };
    DType::ALL
        .into_iter()
        .find(same)
        .filter(|_| code.lanes == 1)
}

/// The array as DLPack describes it, and what keeps it alive.
fn describe(t: &Tensor) -> Result<(DlTensor, Box<Context>), syntonic_core::Error> {
    let buffer = t.buffer()?;
    buffer.lend()?;
    let mut context = Box::new(Context {
        shape: t.shape().iter().map(|&n| n as i64).collect(),
        strides: t.strides().iter().map(|&s| s as i64).collect(),
        buffer: buffer.clone(),
    });
    let tensor = DlTensor {
        data: buffer
            .address()
            .wrapping_add(t.layout().offset() * t.dtype().size())
            .cast(),
        device: DlDevice { kind: CPU, id: 0 },
        ndim: t.ndim() as i32,
        dtype: code_of(t.dtype()),
        shape: context.shape.as_mut_ptr(),
        strides: context.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    Ok((tensor, context))
}

/// # Safety
/// `context` is the pointer of a leaked [`Context`], freed once.
unsafe fn free_context(context: *mut c_void) {
    // SAFETY: the caller's promise.
    let context = unsafe { Box::from_raw(context.cast::<Context>()) };
    context.buffer.take_back();
}

unsafe extern "C" fn free_legacy(managed: *mut Managed) {
    // SAFETY: the consumer calls this once with what `__dlpack__` leaked.
    unsafe { free_context(Box::from_raw(managed).context) }
}

unsafe extern "C" fn free_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: the consumer calls this once with what `__dlpack__` leaked.
    unsafe { free_context(Box::from_raw(managed).context) }
}

/// Frees an array that nobody took.
unsafe extern "C" fn free_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter destroys a live capsule of ours; under its first name nobody has taken the array.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            free_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        } else if ffi::PyCapsule_IsValid(capsule, LEGACY.as_ptr()) == 1 {
            free_legacy(ffi::PyCapsule_GetPointer(capsule, LEGACY.as_ptr()).cast());
        }
    }
}

/// Whether the consumer knows version 1.
fn is_modern(max_version: Option<(u32, u32)>) -> bool {
    max_version.is_some_and(|(major, _)| major >= 1)
}

#[pymethods]
impl State {
    /// Device type and number, as DLPack counts them.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (CPU, 0)
    }

    /// The array as a DLPack capsule over the same memory.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if stream.is_some_and(|s| !s.is_none()) {
            return Err(error(
                Class::Argument,
                "__dlpack__: memory of the host has no streams; hint: stream=None",
            ));
        }
        if dl_device.is_some_and(|d| d != (CPU, 0)) {
            return Err(PyBufferError::new_err(
                "this State can only be exported as memory of the host",
            ));
        }
        let copied = copy == Some(true);
        let here = if copied {
            enter(py, self.tensor.numel(), || self.tensor.copy())?
        } else {
            force(py, &self.tensor)?
        };
        let (tensor, context) = enter(py, here.numel(), || {
            describe(&here).map(|(t, c)| (Carried(t), c))
        })?;
        let (tensor, context) = (tensor.0, Box::into_raw(context).cast::<c_void>());
        let flags = if copied { IS_COPIED } else { 0 } | if repeats(&here) { READ_ONLY } else { 0 };
        let (pointer, name) = if is_modern(max_version) {
            let version = Version { major: 1, minor: 0 };
            let managed = ManagedVersioned {
                version,
                context,
                deleter: Some(free_versioned),
                flags,
                tensor,
            };
            (Box::into_raw(Box::new(managed)).cast::<c_void>(), VERSIONED)
        } else {
            let managed = Managed {
                tensor,
                context,
                deleter: Some(free_legacy),
            };
            (Box::into_raw(Box::new(managed)).cast::<c_void>(), LEGACY)
        };
        // SAFETY: the pointer is not null, the name is static, and the destructor fits both.
        unsafe {
            Bound::from_owned_ptr_or_err(
                py,
                ffi::PyCapsule_New(pointer, name.as_ptr(), Some(free_capsule)),
            )
        }
    }
}

/// A description on its way out of the engine.
struct Carried(DlTensor);

// SAFETY: its pointers are numbers until the consumer follows them, and they stay valid on any thread.
unsafe impl Send for Carried {}

/// An array of another library; its deleter is called when the last view of it is gone.
enum Taken {
    Legacy(*mut Managed),
    Versioned(*mut ManagedVersioned),
}

// SAFETY: DLPack lets the deleter be called from any thread; the description is not changed.
unsafe impl Send for Taken {}
// SAFETY: as above.
unsafe impl Sync for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        // Producers written in Python free Python objects here.
        Python::try_attach(|_| {
            // SAFETY: the capsule was renamed when it was taken, so this is the only call of the deleter.
            unsafe {
                match *self {
                    Taken::Legacy(managed) => (*managed).deleter.map(|free| free(managed)),
                    Taken::Versioned(managed) => (*managed).deleter.map(|free| free(managed)),
                }
            }
        });
    }
}

/// A tensor over the memory of an object with `__dlpack__`, and whether it may be written.
pub(crate) fn import(obj: &Bound<'_, PyAny>) -> PyResult<(Tensor, bool)> {
    let py = obj.py();
    let (kind, _): (i32, i32) = obj.call_method0("__dlpack_device__")?.extract()?;
    if kind != CPU {
        return Err(error(
            Class::Device,
            format!(
                "from_dlpack: device type {kind} is not memory of the host; hint: move the array first"
            ),
        ));
    }
    let modern = PyDict::new(py);
    modern.set_item("max_version", (1u32, 0u32))?;
    let capsule = match obj.call_method("__dlpack__", (), Some(&modern)) {
        Err(e) if e.is_instance_of::<pyo3::exceptions::PyTypeError>(py) => {
            obj.call_method0("__dlpack__")?
        }
        other => other?,
    };
    let (taken, tensor, writable) = take(&capsule)?;
    // SAFETY: `taken` keeps the description alive, and it was filled by the producer.
    let tensor = unsafe { &*tensor };
    let Some(dtype) = dtype_of(&tensor.dtype) else {
        let (code, bits) = (tensor.dtype.code, tensor.dtype.bits);
        return Err(error(
            Class::DType,
            format!("from_dlpack: element type code {code} of {bits} bits is unknown"),
        ));
    };
    let (shape, strides) = walk(tensor, dtype);
    let address = (tensor.data as usize).wrapping_add(tensor.byte_offset as usize);
    let Some(block) = Block::new(address, &shape, &strides, dtype) else {
        return Err(error(
            Class::Argument,
            "from_dlpack: the memory is not aligned to its elements",
        ));
    };
    // SAFETY: the producer keeps the memory alive until the deleter, which `taken` calls on drop.
    let t = unsafe { block.tensor(dtype, Box::new(taken)) }?;
    Ok((t, writable))
}

/// Takes the array out of its capsule, which is marked as used.
fn take(capsule: &Bound<'_, PyAny>) -> PyResult<(Taken, *const DlTensor, bool)> {
    let raw = capsule.as_ptr();
    // SAFETY: the names are checked first, and say what the pointers are; renaming makes the array ours.
    unsafe {
        if ffi::PyCapsule_IsValid(raw, VERSIONED.as_ptr()) == 1 {
            let managed =
                ffi::PyCapsule_GetPointer(raw, VERSIONED.as_ptr()).cast::<ManagedVersioned>();
            if (*managed).version.major != 1 {
                return Err(error(
                    Class::Argument,
                    format!(
                        "from_dlpack: version {} is unknown",
                        (*managed).version.major
                    ),
                ));
            }
            ffi::PyCapsule_SetName(raw, VERSIONED_USED.as_ptr());
            let writable = (*managed).flags & READ_ONLY == 0;
            return Ok((
                Taken::Versioned(managed),
                &raw const (*managed).tensor,
                writable,
            ));
        }
        if ffi::PyCapsule_IsValid(raw, LEGACY.as_ptr()) == 1 {
            let managed = ffi::PyCapsule_GetPointer(raw, LEGACY.as_ptr()).cast::<Managed>();
            ffi::PyCapsule_SetName(raw, LEGACY_USED.as_ptr());
            return Ok((Taken::Legacy(managed), &raw const (*managed).tensor, true));
        }
    }
    Err(error(
        Class::Argument,
        "from_dlpack: __dlpack__ returned no unused DLPack capsule",
    ))
}

/// Shape, and strides in bytes, which are left out where the array is row-major.
fn walk(tensor: &DlTensor, dtype: DType) -> (Vec<usize>, Vec<isize>) {
    let ndim = tensor.ndim.max(0) as usize;
    let list = |pointer: *const i64| -> Vec<i64> {
        if ndim == 0 || pointer.is_null() {
            return Vec::new();
        }
        // SAFETY: the producer gives `ndim` numbers at a pointer that is not null.
        unsafe { std::slice::from_raw_parts(pointer, ndim) }.to_vec()
    };
    let shape: Vec<usize> = list(tensor.shape)
        .into_iter()
        .map(|n| n.max(0) as usize)
        .collect();
    let size = dtype.size() as isize;
    let strides = if tensor.strides.is_null() {
        syntonic_core::layout::row_major(&shape)
            .iter()
            .map(|s| s * size)
            .collect()
    } else {
        list(tensor.strides)
            .into_iter()
            .map(|s| s as isize * size)
            .collect()
    };
    (shape, strides)
}

/// A State over the memory of an object with `__dlpack__`.
#[pyfunction]
#[pyo3(signature = (obj, copy=None))]
pub(crate) fn from_dlpack(obj: &Bound<'_, PyAny>, copy: Option<bool>) -> PyResult<State> {
    let py = obj.py();
    let (t, writable) = import(obj)?;
    if copy == Some(false) && !writable {
        return Err(error(
            Class::Argument,
            "from_dlpack: the array is read-only; hint: allow copy=None",
        ));
    }
    if copy == Some(true) || !writable {
        return Ok(enter(py, t.numel(), || t.copy())?.into());
    }
    enter(py, 0, || t.buffer()?.lend())?;
    Ok(t.into())
}
