//! Making a State of Python objects.

use crate::arguments::parameter;
use crate::device;
use crate::dtype;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::memory::{cuda_array, foreign};
use crate::nested;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyRange, PyString, PyTuple};
use std::sync::Arc;
use syntonic_core::ops::create;
use syntonic_core::{DType, Device, DeviceId, Error, Scalar, Tensor, cpu};

/// True for objects that hold an array: sequences of numbers, buffers, and what speaks an array protocol.
pub(crate) fn is_array_like(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    if is_sequence(obj) {
        return Ok(true);
    }
    if obj.is_instance_of::<PyString>() || obj.is_none() {
        return Ok(false);
    }
    Ok(foreign::has_buffer(obj)
        || obj.hasattr("__dlpack__")?
        || obj.hasattr(cuda_array::NAME)?
        || obj.hasattr("__array_interface__")?
        || obj.hasattr("__array__")?)
}

/// The exception for an object that no array can be made of.
pub(crate) fn unfit(obj: &Bound<'_, PyAny>) -> PyErr {
    let class = obj.get_type();
    let name = class
        .name()
        .map_or_else(|_| "object".to_owned(), |n| n.to_string());
    error(
        Class::DType,
        format!(
            "State: cannot make an array of {name}; hint: give numbers, nested lists of them, a buffer or an array"
        ),
    )
}

/// A tensor of its own with the values of `obj`.
pub(crate) fn tensor(obj: &Bound<'_, PyAny>, dtype: Option<DType>) -> PyResult<Tensor> {
    let py = obj.py();
    if let Ok(state) = obj.cast::<State>() {
        let t = &state.get().tensor;
        let dtype = dtype.unwrap_or(t.dtype());
        return enter(py, t.numel(), || {
            if dtype == t.dtype() {
                t.copy()
            } else {
                t.cast(dtype)
            }
        });
    }
    if let Some(x) = operand::number("State", obj, dtype)? {
        return Tensor::scalar(x, dtype.unwrap_or(operand::default_dtype(x))).map_err(raise);
    }
    // A fraction or a decimal number: what says of itself which float it is, and is no array.
    if !is_array_like(obj)? && !obj.is_instance_of::<PyString>() && obj.hasattr("__float__")? {
        let x: f64 = obj.extract()?;
        return Tensor::scalar(x, dtype.unwrap_or(DType::F64)).map_err(raise);
    }
    own_array(obj, dtype)
}

/// As [`tensor`], of what stands in an expression: no State, and no plain number.
pub(crate) fn of_operand(obj: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    own_array(obj, None)
}

fn own_array(obj: &Bound<'_, PyAny>, dtype: Option<DType>) -> PyResult<Tensor> {
    let py = obj.py();
    if let Ok(range) = obj.cast::<PyRange>() {
        return of_range(range, dtype);
    }
    if is_sequence(obj) {
        return nested::tensor(obj, dtype);
    }
    let borrowed = borrow(obj)?;
    let dtype = dtype.unwrap_or(borrowed.dtype());
    enter(py, borrowed.numel(), || {
        let own = borrowed.copy()?;
        if dtype == own.dtype() {
            Ok(own)
        } else {
            own.cast(dtype)?.eval()
        }
    })
}

/// The integers of a range.
fn of_range(range: &Bound<'_, PyRange>, dtype: Option<DType>) -> PyResult<Tensor> {
    let end = |name| -> PyResult<Scalar> {
        let end: i64 = parameter("State", name).integer(&range.getattr(name)?)?;
        Ok(Scalar::Int(end.into()))
    };
    let (start, stop, step) = (end("start")?, end("stop")?, end("step")?);
    enter(range.py(), range.len()?, || {
        create::arange(start, stop, step, Some(DType::I64), &cpu())?
            .cast(dtype.unwrap_or(DType::I64))?
            .eval()
    })
}

/// A tensor over the memory of `obj`, which must hold an array already.
fn borrow(obj: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    if !is_array_like(obj)? {
        return Err(unfit(obj));
    }
    foreign::borrow(obj)
}

/// Whether [`asarray`] may share memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copying {
    Always,
    Never,
    IfNeeded,
}

/// Where an array of `obj` goes that was asked for on `device`: there, or where a GPU's array lies already, or to the
/// device that new States go to.
fn place(
    py: Python<'_>,
    device: Option<&Bound<'_, PyAny>>,
    have: Option<&Tensor>,
) -> PyResult<Arc<dyn Device>> {
    match have {
        Some(t) if device.is_none_or(|d| d.is_none()) => Ok(t.device().clone()),
        _ => device::parse(py, device),
    }
}

/// What of `obj` has a place already: a State wherever it is, and arrays in the memory of a GPU.
fn placed<'a>(obj: &'a Bound<'_, PyAny>, shared: Option<&'a Tensor>) -> Option<&'a Tensor> {
    match obj.cast::<State>() {
        Ok(state) => Some(&state.get().tensor),
        Err(_) => shared.filter(|t| t.device_id() != DeviceId::Cpu),
    }
}

/// From here on a copy costs less than what expressions over memory of the host that another library may write cannot be: fused.
const COPIED_BYTES: usize = 32 << 10;

/// `asarray(obj, dtype, device, copy)`: shares the memory of `obj` where it can, arrays of other libraries from 32 KiB on with `copy=False` alone.
#[pyfunction]
#[pyo3(signature = (obj, dtype=None, device=None, copy=None))]
pub(crate) fn asarray<'py>(
    obj: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    copy: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, State>> {
    let py = obj.py();
    let wanted = dtype::parse_optional(dtype)?;
    let copy = copy
        .map(|copy| parameter("asarray", "copy").flag(copy))
        .transpose()?;
    let copying = match copy {
        Some(true) => Copying::Always,
        Some(false) => Copying::Never,
        None => Copying::IfNeeded,
    };
    if copying == Copying::Always {
        return Bound::new(py, State::from(own(obj, wanted, device)?));
    }
    let fits = |t: &Tensor, device: &Arc<dyn Device>| {
        wanted.is_none_or(|d| d == t.dtype()) && t.device_id() == device.id()
    };
    if let Ok(state) = obj.cast::<State>() {
        let t = &state.get().tensor;
        if fits(t, &place(py, device, Some(t))?) {
            return Ok(state.clone());
        }
    } else if is_array_like(obj)? && !is_sequence(obj) {
        let shared = foreign::share(obj)?;
        let target = place(py, device, placed(obj, shared.as_ref()))?;
        if let Some(t) = shared.filter(|t| fits(t, &target)) {
            // What somebody outside may write at any time is read at once, operator by operator.
            let large = t.numel().saturating_mul(t.dtype().size()) >= COPIED_BYTES;
            let t = match copying == Copying::IfNeeded && large && t.device_id() == DeviceId::Cpu {
                true => enter(py, t.numel(), || t.copy())?,
                false => t,
            };
            return Bound::new(py, State::from(t));
        }
    }
    if copying == Copying::Never {
        return Err(error(
            Class::Argument,
            "asarray: the memory cannot be shared (other type, device, byte order, alignment, or not writable); hint: allow copy=None",
        ));
    }
    Bound::new(py, State::from(own(obj, wanted, device)?))
}

/// A tensor of its own with the values of `obj`, on `device` or where [`place`] says.
fn own(
    obj: &Bound<'_, PyAny>,
    dtype: Option<DType>,
    device: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tensor> {
    let made = tensor(obj, dtype)?;
    let have = placed(obj, Some(&made));
    let target = place(obj.py(), device, have)?;
    if made.device_id() == target.id() {
        return Ok(made);
    }
    enter(obj.py(), made.numel(), || made.to(&target))
}

/// True for lists, tuples and ranges.
pub(crate) fn is_sequence(obj: &Bound<'_, PyAny>) -> bool {
    obj.is_instance_of::<PyList>()
        || obj.is_instance_of::<PyTuple>()
        || obj.is_instance_of::<PyRange>()
}

#[pymethods]
impl State {
    /// State(obj, dtype=None, device=None, shape=None): a copy of the values of `obj`.
    #[new]
    #[pyo3(signature = (obj, dtype=None, device=None, shape=None))]
    fn new(
        obj: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        device: Option<&Bound<'_, PyAny>>,
        shape: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<State> {
        let shape = shape
            .map(|shape| parameter("State", "shape").integers(shape))
            .transpose()?;
        let t = own(obj, dtype::parse_optional(dtype)?, device)?;
        let t = match shape {
            None => t,
            Some(shape) if t.numel() == 1 => fill(&t, &shape)?,
            Some(shape) => t.reshape(&shape).map_err(raise)?,
        };
        Ok(t.into())
    }
}

/// One value under any shape.
fn fill(value: &Tensor, shape: &[isize]) -> PyResult<Tensor> {
    let lengths: Option<Vec<usize>> = shape.iter().map(|&n| usize::try_from(n).ok()).collect();
    let Some(lengths) = lengths else {
        return value.reshape(shape).map_err(raise);
    };
    let make = || value.reshape(&[])?.broadcast_to(&lengths)?.copy();
    make().map_err(|e: Error| raise(e))
}
