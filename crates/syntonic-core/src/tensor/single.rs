//! One number with its element type and no memory: what an element is that is read alone.

use super::element::is_at_hand;
use super::{Access, Source, Tensor};
use crate::buffer::{Buffer, Use};
use crate::cpu::cpu;
use crate::dtype::DType;
use crate::error::Result;
use crate::layout::Layout;
use crate::scalar::{Element, Scalar};
use crate::with_element;
use std::sync::Arc;

/// A number of an element type, without memory. It costs nothing to make or to copy.
///
/// ```
/// use syntonic_core::{DType, Scalar, Single};
///
/// let x = Single::new(Scalar::Int(300), DType::U8);
/// assert_eq!((x.dtype(), x.value()), (DType::U8, Scalar::Int(44)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Single {
    dtype: DType,
    /// The bytes that an element has in memory, and zeros; of `bool` 0 or 1.
    bits: [u64; 2],
}

impl Single {
    /// The number, cast to `dtype`.
    ///
    /// ```
    /// use syntonic_core::{DType, Scalar, Single};
    ///
    /// assert_eq!(Single::new(Scalar::Float(2.5), DType::I32).value(), Scalar::Int(2));
    /// ```
    pub fn new(value: Scalar, dtype: DType) -> Single {
        let mut made = Single::zero(dtype);
        with_element!(dtype, T => {
            let value = <T as Element>::from_scalar(value);
            // SAFETY: the bits have room for an element of any type, at an address that each can have.
            unsafe { made.address_mut().cast::<T>().write(value) };
        });
        made
    }

    pub(crate) fn zero(dtype: DType) -> Single {
        Single {
            dtype,
            bits: [0; 2],
        }
    }

    /// The number whose bytes these begin with; of `bool` any byte but 0 is true.
    ///
    /// ```
    /// use syntonic_core::{DType, Scalar, Single};
    ///
    /// let x = Single::new(Scalar::Float(-1.5), DType::F32);
    /// assert_eq!(Single::from_bits(x.bits(), DType::F32), x);
    /// ```
    #[inline]
    pub fn from_bits(bits: [u64; 2], dtype: DType) -> Single {
        let mut made = Single { dtype, bits };
        if dtype.is_bool() {
            // SAFETY: a byte of the bits, which is any number.
            unsafe { *made.address_mut() = u8::from(*made.address() != 0) };
        }
        made
    }

    /// The bytes that it has in memory.
    ///
    /// ```
    /// use syntonic_core::{DType, Scalar, Single};
    ///
    /// let x = Single::new(Scalar::Float(1.0), DType::F64);
    /// assert_eq!(x.bits(), [1f64.to_bits(), 0]);
    /// ```
    #[inline]
    pub fn bits(self) -> [u64; 2] {
        self.bits
    }

    /// Element type.
    ///
    /// ```
    /// use syntonic_core::{DType, Scalar, Single};
    ///
    /// assert_eq!(Single::new(Scalar::Bool(true), DType::I8).dtype(), DType::I8);
    /// ```
    #[inline]
    pub fn dtype(self) -> DType {
        self.dtype
    }

    /// The number in the widest type of its kind.
    ///
    /// ```
    /// use syntonic_core::{DType, Scalar, Single};
    ///
    /// assert_eq!(Single::new(Scalar::Int(7), DType::F32).value(), Scalar::Float(7.0));
    /// ```
    #[inline]
    pub fn value(self) -> Scalar {
        with_element!(self.dtype, T => {
            // SAFETY: the bits are an element of this type, at an address that each can have.
            unsafe { self.address().cast::<T>().read() }.to_scalar()
        })
    }

    /// The same number as a tensor without axes, in memory of its own on the CPU. In a graph that is captured it is memory from
    /// outside.
    ///
    /// ```
    /// use syntonic_core::{DType, Scalar, Single};
    ///
    /// let x = Single::new(Scalar::Int(7), DType::I16).to_tensor();
    /// assert_eq!((x.dtype(), x.to_scalar::<i16>()?), (DType::I16, 7));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn to_tensor(self) -> Tensor {
        let mut bits = Box::new(self.bits);
        let address = bits.as_mut_ptr().cast::<u8>();
        // SAFETY: the box has the bytes of one element at the address, does not move them, and lives in the buffer.
        let buffer = unsafe { Buffer::holding(&cpu(), address, self.dtype.size(), bits) };
        let layout = Layout::from_parts(&[], &[], 0);
        Tensor::from_source(self.dtype, layout, Source::Stored(Arc::new(buffer)))
    }

    /// The number as it is written over an element of type `to`; none where that is refused, or no plain cast.
    #[inline]
    pub(crate) fn written_as(self, to: DType) -> Option<Single> {
        let from = self.dtype;
        match from == to {
            true => Some(self),
            false if from.is_stored() || to.is_stored() => None,
            false if from.is_complex() && !to.is_complex() => None,
            false => Some(Single::new(self.value(), to)),
        }
    }

    #[inline]
    pub(crate) fn address(&self) -> *const u8 {
        self.bits.as_ptr().cast()
    }

    #[inline]
    pub(crate) fn address_mut(&mut self) -> *mut u8 {
        self.bits.as_mut_ptr().cast()
    }
}

/// Copies one element of `size` bytes, which is one of 1, 2, 4, 8 and 16.
///
/// # Safety
/// Both addresses are valid for so many bytes and do not overlap.
#[inline]
unsafe fn copy_one(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: the caller's promise; of a size that is known a copy is one instruction.
    unsafe {
        match size {
            8 => to.copy_from_nonoverlapping(from, 8),
            4 => to.copy_from_nonoverlapping(from, 4),
            1 => to.copy_from_nonoverlapping(from, 1),
            _ => to.copy_from_nonoverlapping(from, size),
        }
    }
}

impl Tensor {
    /// The element at this position as a number without memory, where the host reads it as it pleases: in memory of the CPU, not on a
    /// tape, not read-only and outside of a capture. Else none, and [`Tensor::element`] is the way to it.
    ///
    /// Errors as [`Tensor::element`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// let five = x.single(&[1, -2])?.map(|x| x.value());
    /// assert_eq!(five, Some(Scalar::Int(5)));
    /// assert!(x.single(&[2, 0]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn single(&self, position: &[i64]) -> Result<Option<Single>> {
        let at = self.offset_of(position)?;
        let Some(buffer) = self.plain_memory() else {
            return Ok(None);
        };
        buffer.wait(Use::Read)?;
        let size = self.dtype().size();
        let mut bits = [0; 2];
        let from = buffer.address().wrapping_add(at * size);
        // SAFETY: the host may read the memory, the element lies inside it and is initialised.
        unsafe { copy_one(from, bits.as_mut_ptr().cast(), size) };
        Ok(Some(Single::from_bits(bits, self.dtype())))
    }

    /// Writes a number over the element at this position, cast as it is, through the memory itself: every view that shares it changes
    /// too. False, and nothing has happened, where that takes more than writing to memory, see [`Tensor::single`].
    ///
    /// Errors as [`Tensor::element`], and those of expressions that read the memory and are computed first.
    ///
    /// # Safety
    /// No other thread reads or writes the memory during the call.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::Single;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]);
    /// // SAFETY: no other thread has the memory.
    /// assert!(unsafe { x.put_single(&[0, -1], Single::new(Scalar::Float(9.9), DType::F64))? });
    /// assert_eq!(x.to_vec::<i32>()?, [1, 9, 3, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub unsafe fn put_single(&self, position: &[i64], value: Single) -> Result<bool> {
        let at = self.offset_of(position)?;
        let to = self.dtype();
        let Some(buffer) = self.plain_memory() else {
            return Ok(false);
        };
        let Some(value) = value.written_as(to) else {
            return Ok(false);
        };
        buffer.settle_for_write()?;
        let size = to.size();
        // SAFETY: the host may write the memory, and the element lies inside it; that nobody else uses it is the caller's promise.
        unsafe {
            copy_one(
                value.address(),
                buffer.address().wrapping_add(at * size),
                size,
            )
        };
        Ok(true)
    }

    /// The memory, where the host reads and writes it as it pleases.
    #[inline]
    fn plain_memory(&self) -> Option<&Arc<Buffer>> {
        if self.node.is_some() || self.access != Access::Open {
            return None;
        }
        self.source.in_memory().filter(|buffer| is_at_hand(buffer))
    }
}
