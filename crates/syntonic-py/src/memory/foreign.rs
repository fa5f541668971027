//! Memory of other libraries: the buffer protocol, `__dlpack__`, and NumPy's protocols behind it.

use super::{cuda_array, dlpack, made};
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use syntonic_core::layout::count;
use syntonic_core::{
    Buffer, DType, Device, DeviceId, Layout, Tensor, cpu, interrupt, room, with_element,
};

/// True where `obj` speaks the buffer protocol.
pub(crate) fn has_buffer(obj: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the pointer is that of a live object, and the call only looks at its type.
    unsafe { pyo3::ffi::PyObject_CheckBuffer(obj.as_ptr()) == 1 }
}

/// True where `obj` speaks the buffer protocol, and shows its memory as read-only.
pub(crate) fn is_read_only(obj: &Bound<'_, PyAny>) -> bool {
    has_buffer(obj) && PyUntypedBuffer::get(obj).is_ok_and(|buffer| buffer.readonly())
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

/// True for an array with a mask, as `numpy.ma` has them.
pub(crate) fn is_masked(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = obj.py();
    Ok(obj.hasattr(intern!(py, "filled"))? && obj.hasattr(intern!(py, "mask"))?)
}

/// An error for such an array.
pub(crate) fn refuse_masked(op: &str, obj: &Bound<'_, PyAny>) -> PyResult<()> {
    match is_masked(obj)? {
        true => Err(error(
            Class::ArgumentType,
            format!(
                "{op}: a masked array has places without a number, which no State has; hint: .filled(value) gives them one, .data forgets the mask"
            ),
        )),
        false => Ok(()),
    }
}

fn find(obj: &Bound<'_, PyAny>) -> PyResult<Found> {
    refuse_masked("State", obj)?;
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
    let block = match Block::new(address, &shape, &strides, dtype, DeviceId::Cpu) {
        Ok(block) => block,
        Err(Misfit::Ragged) => return Ok(Found::Unfit),
        Err(misfit) => return Err(misfit.of("State")),
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

/// Why memory of another library is no tensor as it was described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// Its address or strides are no multiples of what its elements need.
    Ragged,
    /// It has elements and no address.
    Nowhere,
    /// It has more elements or axes than any tensor, or reaches beyond all addresses.
    Endless,
}

impl Misfit {
    /// The error of an operation.
    pub(crate) fn of(self, op: &str) -> PyErr {
        let what = match self {
            Misfit::Ragged => "the memory is not aligned to its elements; hint: pass a copy",
            Misfit::Nowhere => "the array has elements, and its address is null",
            Misfit::Endless => "shape, strides and offset lead beyond all memory",
        };
        error(Class::Argument, format!("{op}: {what}"))
    }
}

/// The bytes a strided array touches, and its layout from their first.
pub(crate) struct Block {
    first: usize,
    bytes: usize,
    layout: Layout,
}

impl Block {
    /// From the address of the element at index zero on a device, and strides in bytes, one for each axis.
    pub(crate) fn new(
        address: usize,
        shape: &[usize],
        strides: &[isize],
        dtype: DType,
        place: DeviceId,
    ) -> Result<Block, Misfit> {
        let size = dtype.size() as isize;
        let align = place.alignment(dtype);
        let count = count("State", shape).map_err(|_| Misfit::Endless)?;
        if count == 0 {
            let layout = Layout::contiguous("State", shape).map_err(|_| Misfit::Endless)?;
            return Ok(Block {
                first: 64,
                bytes: 0,
                layout,
            });
        }
        if address == 0 {
            return Err(Misfit::Nowhere);
        }
        let ragged = |(&n, &s): (&usize, &isize)| n > 1 && s % size != 0;
        if !address.is_multiple_of(align) || shape.iter().zip(strides).any(ragged) {
            return Err(Misfit::Ragged);
        }
        let (first, bytes, before) = reach(address, size, shape, strides).ok_or(Misfit::Endless)?;
        let steps: Vec<isize> = shape
            .iter()
            .zip(strides)
            .map(|(&n, &s)| if n > 1 { s / size } else { 0 })
            .collect();
        Ok(Block {
            first,
            bytes,
            layout: Layout::from_parts(shape, &steps, before / dtype.size()),
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
        // SAFETY: the caller's promise; the layout was made for exactly these bytes.
        let t =
            unsafe { Tensor::from_buffer(dtype, self.layout, Arc::new(buffer)) }.map_err(raise)?;
        // Windows and the like overlap as a whole, a part of them does not: what it is taken from has to be remembered.
        Ok(if t.is_writable() { t } else { t.read_only() })
    }
}

/// Address of the first byte that is touched, how many bytes lie from there to the last one, and how many before `address`, which is that
/// of the element at index zero; nothing where that is no memory.
fn reach(
    address: usize,
    size: isize,
    shape: &[usize],
    strides: &[isize],
) -> Option<(usize, usize, usize)> {
    let (mut low, mut high) = (0isize, size);
    for (&n, &s) in shape.iter().zip(strides).filter(|&(&n, _)| n > 1) {
        let reach = isize::try_from(n - 1).ok()?.checked_mul(s)?;
        if reach < 0 {
            low = low.checked_add(reach)?;
        } else {
            high = high.checked_add(reach)?;
        }
    }
    let (first, bytes) = (address.checked_add_signed(low)?, high.checked_sub(low)?);
    // No memory ends further up, and no distance within it is larger.
    isize::try_from(first.checked_add_signed(bytes)?).ok()?;
    Some((first, bytes as usize, low.unsigned_abs()))
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
