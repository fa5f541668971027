//! Memory of other libraries: the buffer protocol, `__dlpack__`, and NumPy's protocols behind it.

use super::{cuda_array, dlpack, made};
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{
    Buffer, DType, Device, DeviceId, Layout, Tensor, cpu, interrupt, room, with_element,
};

/// True where `obj` speaks the buffer protocol.
pub(crate) fn has_buffer(obj: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the pointer is that of a live object, and the call only looks at its type.
    unsafe { pyo3::ffi::PyObject_CheckBuffer(obj.as_ptr()) == 1 }
}

/// A tensor over the memory of `obj` for reading now; the caller copies it before the object can change.
pub(crate) fn borrow(obj: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    match find(obj)? {
        Found::Shared(t) | Found::ReadOnly(t) => Ok(t),
        Found::Unfit => by_numpy(obj),
    }
}

/// A tensor that shares the memory of `obj` both ways, or `None` where that is impossible.
pub(crate) fn share(obj: &Bound<'_, PyAny>) -> PyResult<Option<Tensor>> {
    let Found::Shared(t) = find(obj)? else {
        return Ok(None);
    };
    let lend = || t.buffer()?.lend();
    enter(obj.py(), 0, lend)?;
    Ok(Some(t))
}

/// What an object offers.
enum Found {
    Shared(Tensor),
    ReadOnly(Tensor),
    /// An array that is not laid out as ours are: NumPy has to look at it.
    Unfit,
}

fn find(obj: &Bound<'_, PyAny>) -> PyResult<Found> {
    if has_buffer(obj)
        && let Ok(buffer) = PyUntypedBuffer::get(obj)
    {
        let format = buffer.format().to_string_lossy().into_owned();
        return match dtype_of_format(&format, buffer.item_size()) {
            Some(dtype) => over_buffer(buffer, dtype),
            None => Ok(Found::Unfit),
        };
    }
    if let Some((bits, dtype)) = bits(obj)? {
        return Ok(match find(&bits)? {
            Found::Shared(t) => Found::Shared(reinterpret(&t, dtype)?),
            Found::ReadOnly(t) => Found::ReadOnly(reinterpret(&t, dtype)?),
            Found::Unfit => Found::Unfit,
        });
    }
    let imported = if obj.hasattr("__dlpack__")? {
        dlpack::import(obj)?
    } else if obj.hasattr(cuda_array::NAME)? {
        cuda_array::import(obj)?
    } else {
        return Ok(Found::Unfit);
    };
    Ok(match imported {
        (t, true) => Found::Shared(t),
        (t, false) => Found::ReadOnly(t),
    })
}

/// A NumPy array of a type of ml_dtypes, which no buffer can describe, seen as integers of its size; and the type.
fn bits<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Option<(Bound<'py, PyAny>, DType)>> {
    let Ok(dtype) = obj.getattr("dtype") else {
        return Ok(None);
    };
    if !obj.hasattr("__array_interface__")? {
        return Ok(None);
    }
    let name = dtype.getattr("name");
    let is = |d: &DType| name.as_ref().is_ok_and(|n| n.eq(d.name()).unwrap_or(false));
    let Some(dtype) = BY_ML_DTYPES.into_iter().find(is) else {
        return Ok(None);
    };
    let bits = obj.call_method1("view", (integers(dtype).name(),))?;
    Ok(Some((bits, dtype)))
}

/// The types that NumPy has from the package ml_dtypes only.
pub(crate) const BY_ML_DTYPES: [DType; 3] = [DType::BF16, DType::F8E4M3, DType::F8E5M2];

/// Integers of the size of one of them.
pub(crate) fn integers(dtype: DType) -> DType {
    if dtype == DType::BF16 {
        DType::U16
    } else {
        dtype.moved()
    }
}

/// The same memory as another type of the same size.
pub(crate) fn reinterpret(t: &Tensor, dtype: DType) -> PyResult<Tensor> {
    let same = t
        .eval()
        // SAFETY: both types have one size, every bit pattern is a number of either, and the buffer is the same.
        .and_then(|t| unsafe { Tensor::from_buffer(dtype, t.layout().clone(), t.buffer()?) });
    same.map(|same| same.with_access_of(t)).map_err(raise)
}

/// Whatever NumPy makes of the object: other byte orders, odd alignments, `__array__` and the like.
fn by_numpy(obj: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    let numpy = obj.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (obj,))?;
    let native = array
        .getattr("dtype")?
        .call_method1("newbyteorder", ("=",))?;
    let array = numpy.call_method1("array", (array, native))?;
    match find(&array)? {
        Found::Shared(t) | Found::ReadOnly(t) => Ok(t),
        Found::Unfit => {
            let dtype = array.getattr("dtype")?.str()?;
            Err(error(
                Class::DType,
                format!(
                    "State: elements of type {dtype} are not numbers we know; hint: convert the array first"
                ),
            ))
        }
    }
}

/// The element type of a format of the `struct` module with NumPy's letters for halves and complex numbers.
fn dtype_of_format(format: &str, size: usize) -> Option<DType> {
    let native = if cfg!(target_endian = "little") {
        '<'
    } else {
        '>'
    };
    let letters = format.trim_start_matches(['@', '=', native]);
    let dtype = match letters {
        "?" => DType::Bool,
        "b" | "h" | "i" | "l" | "q" | "n" => match size {
            1 => DType::I8,
            2 => DType::I16,
            4 => DType::I32,
            _ => DType::I64,
        },
        "" | "B" | "H" | "I" | "L" | "Q" | "N" => match size {
            1 => DType::U8,
            2 => DType::U16,
            4 => DType::U32,
            _ => DType::U64,
        },
        "e" => DType::F16,
        "f" => DType::F32,
        "d" => DType::F64,
        "Zf" => DType::C64,
        "Zd" => DType::C128,
        _ => return None,
    };
    (dtype.size() == size).then_some(dtype)
}

fn over_buffer(buffer: PyUntypedBuffer, dtype: DType) -> PyResult<Found> {
    let read_only = buffer.readonly();
    let shape = buffer.shape().to_vec();
    let strides = buffer.strides().to_vec();
    let address = buffer.buf_ptr() as usize;
    if buffer.suboffsets().is_some() {
        return Ok(Found::Unfit);
    }
    let Some(block) = Block::new(address, &shape, &strides, dtype, DeviceId::Cpu) else {
        return Ok(Found::Unfit);
    };
    // SAFETY: the exporter keeps the memory that shape and strides describe alive until the buffer,
    // which lives in the tensor, is released.
    let t = unsafe { block.tensor(dtype, &cpu(), Box::new(buffer)) }?;
    Ok(if read_only {
        Found::ReadOnly(t)
    } else {
        Found::Shared(t)
    })
}

/// The bytes a strided array touches, and its layout from their first.
pub(crate) struct Block {
    first: usize,
    bytes: usize,
    layout: Layout,
}

impl Block {
    /// From the address of the element at index zero on a device, and strides in bytes; `None` where addresses or
    /// strides are no multiples of what its elements need.
    pub(crate) fn new(
        address: usize,
        shape: &[usize],
        strides: &[isize],
        dtype: DType,
        place: DeviceId,
    ) -> Option<Block> {
        let size = dtype.size() as isize;
        let align = place.alignment(dtype);
        if shape.contains(&0) {
            let layout = Layout::contiguous("State", shape).ok()?;
            return Some(Block {
                first: 64,
                bytes: 0,
                layout,
            });
        }
        let ragged = |(&n, &s): (&usize, &isize)| n > 1 && s % size != 0;
        if !address.is_multiple_of(align) || shape.iter().zip(strides).any(ragged) {
            return None;
        }
        let (mut low, mut high) = (0isize, size);
        for (&n, &s) in shape.iter().zip(strides) {
            let reach = isize::try_from(n - 1).ok()?.checked_mul(s)?;
            if reach < 0 {
                low = low.checked_add(reach)?;
            } else {
                high = high.checked_add(reach)?;
            }
        }
        let steps: Vec<isize> = shape
            .iter()
            .zip(strides)
            .map(|(&n, &s)| if n > 1 { s / size } else { 0 })
            .collect();
        Some(Block {
            first: address.checked_add_signed(low)?,
            bytes: (high - low) as usize,
            layout: Layout::from_parts(shape, &steps, (-low / size) as usize),
        })
    }

    /// A tensor over the block.
    ///
    /// # Safety
    /// The block is live memory of `device` as long as `owner` is.
    pub(crate) unsafe fn tensor<O: Send + Sync + 'static>(
        self,
        dtype: DType,
        device: &Arc<dyn Device>,
        owner: Box<O>,
    ) -> PyResult<Tensor> {
        // SAFETY: the caller's promise.
        let buffer = unsafe { Buffer::foreign(device, self.first as *mut u8, self.bytes, owner) };
        // Any byte is an integer, but only 0 and 1 are a `bool`.
        let plain = if dtype.is_bool() { DType::U8 } else { dtype };
        // SAFETY: the caller's promise; the layout was made for exactly these bytes.
        let t =
            unsafe { Tensor::from_buffer(plain, self.layout, Arc::new(buffer)) }.map_err(raise)?;
        // Windows and the like overlap as a whole, a part of them does not: what it is taken from has to be remembered.
        let t = if t.is_writable() { t } else { t.read_only() };
        if plain == dtype { Ok(t) } else { truths(t) }
    }
}

/// Bytes as `bool`, of which other libraries are known to write others than 0 and 1.
fn truths(t: Tensor) -> PyResult<Tensor> {
    let largest = || match t.numel() {
        0 => Ok(0),
        _ => Ok(reduce::max(&t, &Over::all())?.item()?.to_i128()),
    };
    if largest().map_err(raise)? > 1 {
        return Err(error(
            Class::DType,
            "State: a bool array holds bytes other than 0 and 1; hint: compare it with 0 first",
        ));
    }
    reinterpret(&t, DType::Bool)
}

/// True where both tensors lie in one allocation.
pub(crate) fn shares(a: &Tensor, b: &Tensor) -> PyResult<bool> {
    let same = || Ok(Arc::ptr_eq(&a.buffer()?, &b.buffer()?));
    same().map_err(raise)
}

/// The bytes of the elements of a row-major tensor in memory of the host.
pub(crate) fn bytes<'py>(py: Python<'py>, t: &Tensor) -> PyResult<Bound<'py, PyBytes>> {
    with_element!(t.dtype(), T => {
        let values = t.host_slice::<T>().map_err(raise)?;
        // SAFETY: elements have no padding, and the slice lives across the copy.
        let raw = unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(&values[..])) };
        made::bytes(py, raw)
    })
}

/// A tensor of the bytes of its elements; as many as the shape holds, which the caller has checked.
pub(crate) fn from_bytes(
    bytes: &[u8],
    shape: &[usize],
    dtype: DType,
) -> syntonic_core::Result<Tensor> {
    // Bytes from outside may be other than 0 and 1, which no `bool` may be.
    let stored = if dtype.is_bool() { DType::U8 } else { dtype };
    let tensor = with_element!(stored, T => {
        let mut values = room::filled(bytes.len() / size_of::<T>(), T::default())?;
        let mut to = values.as_mut_ptr().cast::<u8>();
        for part in bytes.chunks(UNASKED) {
            interrupt::poll()?;
            // SAFETY: the vector has room for these bytes, and every bit pattern is an element of a type
            // other than `bool`.
            unsafe { std::ptr::copy_nonoverlapping(part.as_ptr(), to, part.len()) };
            to = to.wrapping_add(part.len());
        }
        Tensor::from_vec(values, shape)
    });
    tensor.and_then(|t| t.cast(dtype)?.eval())
}

/// Bytes that are copied before somebody is asked whether to go on.
const UNASKED: usize = 8 << 20;
