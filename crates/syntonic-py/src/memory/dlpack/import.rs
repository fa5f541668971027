//! Arrays of other libraries on their way to us.

use super::{
    CPU, CUDA, CUDA_HOST, CUDA_MANAGED, DlTensor, LEGACY, LEGACY_USED, Managed, ManagedVersioned,
    VERSIONED, VERSIONED_USED, dtype_of, exchange,
};
use crate::arguments::parameter;
use crate::device;
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::memory::foreign::{self, Block, Misfit, is_read_only};
use crate::memory::streams::{self, Handle};
use crate::state::State;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyDict, PyString};
use std::sync::Arc;
use syntonic_core::{DType, Device, DeviceId, Tensor};

const OP: &str = "from_dlpack";

/// An array of another library; its deleter is called when the last view of it is gone.
pub(super) struct Taken {
    managed: Form,
    device: DeviceId,
}

/// The two forms of a managed array.
enum Form {
    Legacy(*mut Managed),
    Versioned(*mut ManagedVersioned),
}

// SAFETY: DLPack lets the deleter be called from any thread; the description is not changed.
unsafe impl Send for Taken {}
// SAFETY: as above.
unsafe impl Sync for Taken {}

impl Taken {
    /// An array that its producer has given away.
    pub(super) fn versioned(managed: *mut ManagedVersioned, device: DeviceId) -> Taken {
        Taken {
            managed: Form::Versioned(managed),
            device,
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        streams::give_back(self.device);
        // Producers written in Python free Python objects here.
        Python::try_attach(|_| {
            // SAFETY: the capsule was renamed when it was taken, so this is the only call of the deleter.
            unsafe {
                match self.managed {
                    Form::Legacy(managed) => (*managed).deleter.map(|free| free(managed)),
                    Form::Versioned(managed) => (*managed).deleter.map(|free| free(managed)),
                }
            }
        });
    }
}

/// The device that memory of a DLPack device type is used on.
pub(super) fn device_of(kind: i32, id: i32) -> PyResult<DeviceId> {
    match (kind, u32::try_from(id)) {
        (CPU | CUDA_HOST, _) => Ok(DeviceId::Cpu),
        (CUDA | CUDA_MANAGED, Ok(ordinal)) => Ok(DeviceId::Cuda(ordinal)),
        _ => Err(error(
            Class::Device,
            format!(
                "from_dlpack: device type {kind}, number {id}, is neither memory of the host nor of a CUDA GPU; hint: move the array first"
            ),
        )),
    }
}

/// The capsule of `obj`, in the newest form it knows, made visible to our stream.
fn ask<'py>(obj: &Bound<'py, PyAny>, stream: Option<Handle>) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(obj.py());
    if let Some(stream) = stream {
        options.set_item("stream", stream.number())?;
    }
    options.set_item("max_version", (1u32, 0u32))?;
    match obj.call_method("__dlpack__", (), Some(&options)) {
        Err(e) if e.is_instance_of::<pyo3::exceptions::PyTypeError>(obj.py()) => {
            options.del_item("max_version")?;
            obj.call_method("__dlpack__", (), Some(&options))
        }
        other => other,
    }
}

/// An object whose memory says all of it: `obj` itself, or what it resolves to, which nobody else has. PyTorch conjugates, negates and
/// makes zeros where a tensor is read, and the protocols hand out the memory as it lies.
fn resolved<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = obj.py();
    let mut made: Option<Bound<'py, PyAny>> = None;
    for (is_lazy, resolve) in [
        (intern!(py, "is_conj"), intern!(py, "resolve_conj")),
        (intern!(py, "is_neg"), intern!(py, "resolve_neg")),
        (intern!(py, "_is_zerotensor"), intern!(py, "clone")),
    ] {
        let now = made.as_ref().unwrap_or(obj);
        if says(now, is_lazy)? {
            made = Some(now.call_method0(resolve)?);
        }
    }
    Ok(made)
}

/// Whether an object has this attribute, and it or what it gives when it is called is true.
fn says(obj: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    match obj.getattr_opt(name)? {
        Some(found) if found.is_callable() => found.call0()?.is_truthy(),
        Some(found) => found.is_truthy(),
        None => Ok(false),
    }
}

/// Why an array that is no plain memory was not handed out, where it is one of these: its library's own words name no way out.
fn unfit(obj: &Bound<'_, PyAny>, said: PyErr) -> PyErr {
    let py = obj.py();
    let kinds = [
        ("is_meta", "has no values", "make it on a device"),
        ("is_sparse", "is sparse", ".to_dense()"),
        ("is_sparse_csr", "is sparse", ".to_dense()"),
        ("is_mkldnn", "lies in oneDNN's own order", ".to_dense()"),
        ("is_quantized", "is quantised", ".dequantize()"),
        (
            "is_nested",
            "is nested",
            ".to_padded_tensor(0.0), or its parts by .unbind()",
        ),
    ];
    let is = |name: &str| says(obj, &PyString::new(py, name)).unwrap_or(false);
    let Some((_, what, hint)) = kinds.into_iter().find(|(name, _, _)| is(name)) else {
        return said;
    };
    let refused = error(
        Class::Argument,
        format!("from_dlpack: the array {what}, and no plain memory; hint: {hint}"),
    );
    refused.set_cause(py, Some(said));
    refused
}

/// A tensor over the memory of an object with `__dlpack__`, and whether it may be written. One that is lazy is resolved first, into memory
/// of its own that may not: what is written there would not reach it.
pub(crate) fn import(obj: &Bound<'_, PyAny>) -> PyResult<(Tensor, bool)> {
    match resolved(obj)? {
        Some(made) => Ok((imported(&made)?.0, false)),
        None => imported(obj),
    }
}

fn imported(obj: &Bound<'_, PyAny>) -> PyResult<(Tensor, bool)> {
    // The exchange API hands out what a gradient is wanted of; `__dlpack__` refuses it.
    let made = match exchange::theirs(obj)? {
        Some(api) if !says(obj, intern!(obj.py(), "requires_grad"))? => api.import(obj),
        _ => by_capsule(obj),
    };
    let (t, writable) = made.map_err(|said| unfit(obj, said))?;
    Ok((t, writable && !is_immutable(obj)))
}

fn by_capsule(obj: &Bound<'_, PyAny>) -> PyResult<(Tensor, bool)> {
    let py = obj.py();
    let (kind, id): (i32, i32) = obj.call_method0("__dlpack_device__")?.extract()?;
    let id = device_of(kind, id)?;
    let device = device::usable(py, id)?;
    let stream = enter(py, 0, || streams::ours(id))?;
    let capsule = ask(obj, stream)?;
    let (taken, tensor, writable) = take(&capsule, id)?;
    // SAFETY: `taken` keeps the description alive, and it was filled by the producer.
    let tensor = unsafe { &*tensor };
    if device_of(tensor.device.kind, tensor.device.id)? != id {
        return Err(error(
            Class::Device,
            format!(
                "from_dlpack: the array was announced on {id} and came on device type {}, number {}",
                tensor.device.kind, tensor.device.id
            ),
        ));
    }
    let t = over(tensor, taken, &device)?;
    enter(py, 0, || streams::accept(&*t.buffer()?, None))?;
    Ok((t, writable))
}

/// A tensor over the memory that the description names, which lives as long as `owner`.
pub(super) fn over<O: Send + Sync + 'static>(
    tensor: &DlTensor,
    owner: O,
    device: &Arc<dyn Device>,
) -> PyResult<Tensor> {
    let Some(dtype) = dtype_of(&tensor.dtype) else {
        let (code, bits, lanes) = (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes);
        return Err(error(
            Class::DType,
            format!(
                "from_dlpack: element type code {code} of {bits} bits in {lanes} lanes is unknown"
            ),
        ));
    };
    let (shape, strides) = tensor.sides(OP)?;
    let strides = match strides {
        None => packed(&shape, dtype),
        Some(given) => in_bytes(&shape, &given, dtype).map_err(|m| m.of(OP))?,
    };
    let address = match tensor.data as usize {
        0 => 0,
        data => usize::try_from(tensor.byte_offset)
            .ok()
            .and_then(|offset| data.checked_add(offset))
            .ok_or_else(|| Misfit::Endless.of(OP))?,
    };
    let block = Block::new(address, &shape, &strides, dtype, device.id());
    let block = block.map_err(|m| m.of(OP))?;
    // SAFETY: the producer keeps the memory alive as long as `owner` lives.
    unsafe { block.tensor(dtype, device, Box::new(owner)) }
}

/// Takes the array out of its capsule, which is marked as used. Of several threads that have the capsule one gets the array, also where
/// the interpreter lets them in at once.
fn take(capsule: &Bound<'_, PyAny>, device: DeviceId) -> PyResult<(Taken, *const DlTensor, bool)> {
    with_critical_section(capsule, || take_alone(capsule, device))
}

fn take_alone(
    capsule: &Bound<'_, PyAny>,
    device: DeviceId,
) -> PyResult<(Taken, *const DlTensor, bool)> {
    let raw = capsule.as_ptr();
    let owned = |managed| Taken { managed, device };
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
            let writable = (*managed).is_writable();
            let tensor = &raw const (*managed).tensor;
            return Ok((owned(Form::Versioned(managed)), tensor, writable));
        }
        if ffi::PyCapsule_IsValid(raw, LEGACY.as_ptr()) == 1 {
            let managed = ffi::PyCapsule_GetPointer(raw, LEGACY.as_ptr()).cast::<Managed>();
            ffi::PyCapsule_SetName(raw, LEGACY_USED.as_ptr());
            let tensor = &raw const (*managed).tensor;
            return Ok((owned(Form::Legacy(managed)), tensor, true));
        }
    }
    Err(error(
        Class::Argument,
        "from_dlpack: __dlpack__ returned no unused DLPack capsule",
    ))
}

/// Strides in bytes of an array that is row-major.
fn packed(shape: &[usize], dtype: DType) -> Vec<isize> {
    let steps = syntonic_core::layout::row_major(shape);
    // What wraps is refused by the shape.
    steps
        .iter()
        .map(|s| s.wrapping_mul(dtype.size() as isize))
        .collect()
}

/// Strides in bytes; those of an axis of one element mean nothing, and no strides do where there is no element.
fn in_bytes(shape: &[usize], strides: &[i64], dtype: DType) -> Result<Vec<isize>, Misfit> {
    let empty = shape.contains(&0);
    let bytes = |(&n, &stride): (&usize, &i64)| {
        if n < 2 || empty {
            return Ok(0);
        }
        let product = i128::from(stride) * dtype.size() as i128;
        // CuPy divides the bytes of a negative stride as an unsigned number of 64 bits.
        let negative = (1 << 63..1 << 64).contains(&product);
        let product = if negative {
            product - (1 << 64)
        } else {
            product
        };
        isize::try_from(product).map_err(|_| Misfit::Endless)
    };
    shape.iter().zip(strides).map(bytes).collect()
}

/// True for an array that must not be written, though its description may not say so, which the form before version 1 cannot: one of
/// JAX, which has no others, or one that its owner shows as read-only elsewhere.
fn is_immutable(obj: &Bound<'_, PyAny>) -> bool {
    let module = obj.get_type().module();
    let module = module.map_or_else(|_| String::new(), |name| name.to_string());
    matches!(module.split('.').next(), Some("jax" | "jaxlib")) || is_read_only(obj)
}

/// A State over the memory of an object with `__dlpack__`, on its device or copied to another.
#[pyfunction]
#[pyo3(signature = (obj, device=None, copy=None))]
pub(crate) fn from_dlpack(
    obj: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
    copy: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let py = obj.py();
    let copy = copy
        .map(|copy| parameter("from_dlpack", "copy").flag(copy))
        .transpose()?;
    let wanted = device
        .filter(|d| !d.is_none())
        .map(|d| device::parse(py, Some(d)))
        .transpose()?;
    if !obj.hasattr("__dlpack__")? || !obj.hasattr("__dlpack_device__")? {
        let wanted = "an array with __dlpack__ and __dlpack_device__";
        return Err(parameter("from_dlpack", "x").refuse(Class::ArgumentType, obj, wanted));
    }
    foreign::refuse_masked("from_dlpack", obj)?;
    let (t, writable) = import(obj)?;
    let moves = wanted.as_ref().is_some_and(|d| d.id() != t.device_id());
    if copy == Some(false) && (!writable || moves) {
        return Err(error(
            Class::Argument,
            "from_dlpack: the array is read-only or on another device; hint: allow copy=None",
        ));
    }
    if let Some(wanted) = wanted.filter(|_| moves) {
        return Ok(enter(py, t.numel(), || t.to(&wanted))?.into());
    }
    if copy == Some(true) || !writable {
        return Ok(enter(py, t.numel(), || t.copy())?.into());
    }
    enter(py, 0, || t.buffer()?.lend())?;
    Ok(t.into())
}
