//! What a program's operands are at run time.

use crate::walk::{Divisor32, Divisor64};
use syntonic_core::fuse::Slot;
use syntonic_core::layout::Strides;
use syntonic_core::{DType, Element, Scalar, with_element};

/// What an operand of a form is.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Elements in memory: the first, and the strides over the index space in elements.
    Tensor(Span),
    /// An `int64` without memory: it is where an element of one byte would lie.
    Index(Span),
    /// A number.
    Number(Scalar),
}

impl Source {
    /// Where it lies, and the bytes from one element of this type to the next; nothing of a number.
    pub(crate) fn lies(&self, dtype: DType) -> Option<(&Span, usize)> {
        match self {
            Source::Tensor(span) => Some((span, dtype.size())),
            Source::Index(span) => Some((span, 1)),
            Source::Number(_) => None,
        }
    }
}

/// Elements in memory.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// Address of the first element, or the start of an index.
    pub(crate) address: u64,
    /// Strides over the index space, in elements.
    pub(crate) strides: Strides,
}

impl Span {
    /// The slot over all axes.
    pub(crate) fn of(slot: &Slot) -> Span {
        Span {
            address: slot.address as u64,
            strides: slot.outer.iter().chain(&slot.row).copied().collect(),
        }
    }

    /// Steps from one end of it to the other.
    pub(crate) fn reach(&self, dims: &[usize]) -> usize {
        let far = dims.iter().zip(&self.strides).filter(|(n, _)| **n > 0);
        let far = far.map(|(&n, s)| (n - 1).saturating_mul(s.unsigned_abs()));
        far.fold(0, usize::saturating_add)
    }

    /// True if it is one broadcast element.
    pub(crate) fn repeats(&self, dims: &[usize]) -> bool {
        dims.iter()
            .zip(&self.strides)
            .all(|(&n, &s)| n == 1 || s == 0)
    }
}

/// The bytes of a number as an element of type `dtype`.
pub(crate) fn bits(value: Scalar, dtype: DType) -> [u64; 2] {
    let mut bits = [0u64; 2];
    with_element!(dtype, T => {
        // SAFETY: no element is larger than 16 bytes or more aligned than 8.
        unsafe { bits.as_mut_ptr().cast::<T>().write(<T as Element>::from_scalar(value)) }
    });
    bits
}

/// As [`bits`], repeated to fill 16 bytes.
pub(crate) fn repeated(value: Scalar, dtype: DType) -> [u64; 2] {
    let [low, high] = bits(value, dtype);
    match dtype.size() {
        1 => [low & 0xff; 2].map(|b| b * 0x0101_0101_0101_0101),
        2 => [low & 0xffff; 2].map(|b| b * 0x0001_0001_0001_0001),
        4 => [low & 0xffff_ffff; 2].map(|b| b * 0x0000_0001_0000_0001),
        8 => [low; 2],
        _ => [low, high],
    }
}

/// As [`repeated`], for a kernel that is made at run time: beside an integer stand the factor by which it divides others, and the shift of
/// 32 bits.
pub(crate) fn with_factor(value: Scalar, dtype: DType) -> [u64; 2] {
    let [low, high] = repeated(value, dtype);
    let factor = match dtype {
        DType::I32 => i32::try_from(low as u32)
            .ok()
            .filter(|&by| by > 0)
            .map(|by| Divisor32::new(by as u32).factor()),
        DType::I64 => i64::try_from(low)
            .ok()
            .filter(|&by| by > 0)
            .map(|by| Divisor64::new(by as u64).factor()),
        _ => None,
    };
    [low, factor.unwrap_or(high)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_sixteen_bytes() {
        assert_eq!(repeated(Scalar::Int(-1), DType::I16), [u64::MAX; 2]);
        let one = u64::from(1.0f32.to_bits());
        assert_eq!(
            repeated(Scalar::Float(1.0), DType::F32),
            [one << 32 | one; 2]
        );
        assert_eq!(
            repeated(Scalar::Float(1.0), DType::C128),
            [1.0f64.to_bits(), 0]
        );
        assert_eq!(bits(Scalar::Bool(true), DType::Bool), [1, 0]);
    }
}
