//! States on their way to other libraries.

use super::{
    CPU, DlDevice, DlTensor, IS_COPIED, LEGACY, Managed, ManagedVersioned, READ_ONLY, VERSIONED,
    Version, code_of, place_of,
};
use crate::arguments::parameter;
use crate::enter::{enter, force};
use crate::errors::{Class, error};
use crate::memory::streams::{self, Handle};
use crate::state::State;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::c_void;
use std::sync::Arc;
use syntonic_core::{Buffer, DeviceId, Error, Tensor, cpu};

/// What an exported array points to.
pub(super) struct Context {
    shape: Vec<i64>,
    strides: Vec<i64>,
    buffer: Arc<Buffer>,
}

/// The array as DLPack describes it, and what keeps it alive.
fn describe(t: &Tensor) -> Result<(DlTensor, Box<Context>), Error> {
    let buffer = t.buffer()?;
    buffer.lend()?;
    let mut context = Box::new(Context {
        shape: t.shape().iter().map(|&n| n as i64).collect(),
        strides: t.strides().iter().map(|&s| s as i64).collect(),
        buffer: buffer.clone(),
    });
    let first = buffer
        .address()
        .wrapping_add(t.layout().offset() * t.dtype().size());
    let (kind, id) = place_of(t.device_id());
    let tensor = DlTensor {
        data: match t.numel() {
            0 => std::ptr::null_mut(),
            _ => first.cast(),
        },
        device: DlDevice { kind, id },
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
    streams::take_back(&context.buffer);
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

/// The array in memory as [`describe`] has it, which may leave the engine.
pub(super) fn shown(t: &Tensor) -> Result<(Carried, Box<Context>), Error> {
    describe(t).map(|(tensor, context)| (Carried(tensor), context))
}

/// The array as the consumer takes it over.
pub(super) fn managed(tensor: Carried, context: Box<Context>, flags: u64) -> *mut ManagedVersioned {
    Box::into_raw(Box::new(ManagedVersioned {
        version: Version { major: 1, minor: 0 },
        context: Box::into_raw(context).cast::<c_void>(),
        deleter: Some(free_versioned),
        flags,
        tensor: tensor.0,
    }))
}

impl State {
    /// The State in memory, over a copy where a consumer could not read it as it lies, and the flags that say what it is.
    pub(super) fn ready_to_share(&self, py: Python<'_>) -> PyResult<(Tensor, u64)> {
        let t = &self.tensor;
        let copied = must_copy(t, Some((1, 0))).is_some();
        let here = match copied {
            true => enter(py, t.numel(), || t.copy())?,
            false => force(py, t)?,
        };
        let flags = flags_of(&here, copied);
        Ok((here, flags))
    }
}

fn flags_of(t: &Tensor, copied: bool) -> u64 {
    (if copied { IS_COPIED } else { 0 }) | (if t.is_writable() { 0 } else { READ_ONLY })
}

/// Whether the consumer knows version 1.
fn is_modern(max_version: Option<(u32, u32)>) -> bool {
    max_version.is_some_and(|(major, _)| major >= 1)
}

/// Where the consumer wants the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Here,
    Host,
}

fn target(home: (i32, i32), wanted: Option<(i32, i32)>, copy: Option<bool>) -> PyResult<Target> {
    match wanted {
        None => Ok(Target::Here),
        Some(wanted) if wanted == home => Ok(Target::Here),
        Some((CPU, _)) if copy != Some(false) => Ok(Target::Host),
        Some((CPU, _)) => Err(PyBufferError::new_err(
            "__dlpack__: the State is on a GPU, and memory of the host means a copy; hint: allow copy=None",
        )),
        Some((kind, id)) => Err(PyBufferError::new_err(format!(
            "__dlpack__: the State is on device {home:?} and cannot be exported to {:?}; hint: .to(device) first",
            (kind, id)
        ))),
    }
}

/// The consumer's stream, by the rules of the protocol.
fn stream_of(stream: Option<&Bound<'_, PyAny>>, device: DeviceId) -> PyResult<Option<Handle>> {
    let given = stream.filter(|s| !s.is_none());
    if device == DeviceId::Cpu {
        return match given {
            None => Ok(None),
            Some(_) => Err(error(
                Class::Argument,
                "__dlpack__: memory of the host has no streams; hint: stream=None",
            )),
        };
    }
    let number = given.map_or(Ok(1), |s| s.extract::<i64>())?;
    match number {
        -1 => Ok(None),
        1.. => Ok(Some(Handle::of_consumer(number as usize))),
        _ => Err(error(
            Class::Argument,
            format!(
                "__dlpack__: {number} names no stream; hint: 1 is the legacy default stream, 2 the thread's own, -1 none"
            ),
        )),
    }
}

/// Why the consumer cannot be shown the memory as it lies.
fn must_copy(t: &Tensor, max_version: Option<(u32, u32)>) -> Option<&'static str> {
    if t.numel() > 0 && t.strides().iter().any(|&stride| stride < 0) {
        // Consumers take their absence for granted: PyTorch ends the process over them.
        return Some("the State runs backwards through its memory");
    }
    let says_so = is_modern(max_version);
    (!says_so && !t.is_writable())
        .then_some("the State cannot be written, and the protocol before version 1 cannot say so")
}

#[pymethods]
impl State {
    /// Device type and number, as DLPack counts them.
    fn __dlpack_device__(&self) -> (i32, i32) {
        place_of(self.tensor.device_id())
    }

    /// The array as a DLPack capsule over the same memory, or over a copy where the consumer could not read or would
    /// write what it must not; the consumer's stream waits for what was asked of ours.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let copy = copy
            .map(|copy| parameter("__dlpack__", "copy").flag(copy))
            .transpose()?;
        let t = &self.tensor;
        let stream = stream_of(stream, t.device_id())?;
        let target = target(place_of(t.device_id()), dl_device, copy)?;
        let must = must_copy(t, max_version).filter(|_| target == Target::Here);
        if let (Some(why), Some(false)) = (must, copy) {
            return Err(PyBufferError::new_err(format!(
                "__dlpack__: {why}, which means a copy; hint: allow copy=None"
            )));
        }
        let copied = copy == Some(true) || target == Target::Host || must.is_some();
        let here = match target {
            Target::Host => enter(py, t.numel(), || t.to(&cpu()))?,
            Target::Here if copied => enter(py, t.numel(), || t.copy())?,
            Target::Here => force(py, t)?,
        };
        let (tensor, context) = enter(py, here.numel(), || {
            if let (Target::Here, Some(stream)) = (target, stream) {
                streams::hand_over(&*here.buffer()?, stream)?;
            }
            shown(&here)
        })?;
        let flags = flags_of(&here, copied);
        capsule(py, tensor, context, flags, max_version)
    }
}

/// A capsule that owns the array until somebody takes it.
fn capsule<'py>(
    py: Python<'py>,
    tensor: Carried,
    context: Box<Context>,
    flags: u64,
    max_version: Option<(u32, u32)>,
) -> PyResult<Bound<'py, PyAny>> {
    let (pointer, name) = if is_modern(max_version) {
        (managed(tensor, context, flags).cast::<c_void>(), VERSIONED)
    } else {
        let managed = Managed {
            tensor: tensor.0,
            context: Box::into_raw(context).cast::<c_void>(),
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

/// A description on its way out of the engine.
pub(super) struct Carried(DlTensor);

// SAFETY: its pointers are numbers until the consumer follows them, and they stay valid on any thread.
unsafe impl Send for Carried {}
