//! The parameter of sweeps, and where their text finds its fields.

use super::super::params::{NUMBERS, OPERANDS};
use crate::walk::{AXES, Divisor32};

/// The parameter.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Params {
    /// Rows, or vectors of neighbouring rows.
    pub(super) units: u32,
    /// Vectors of a row, or its elements.
    pub(super) items: u32,
    /// Items of a part.
    pub(super) chunk: u32,
    /// Parts of a row.
    pub(super) parts: Divisor32,
    /// Scratch memory for partial values.
    pub(super) scratch: u64,
    /// Last-block counters, all zero before a launch and after.
    pub(super) block_counters: u64,
    pub(super) addresses: [u64; OPERANDS],
    /// The bits of each number; of halves twice.
    pub(super) numbers: [[u64; 2]; NUMBERS],
    /// Lengths of the kept axes and then of the folded ones, the innermost first; the vector axis in vectors.
    pub(super) lengths: [Divisor32; 2 * AXES],
    /// Strides over the same axes, in elements.
    pub(super) strides: [[i32; 2 * AXES]; OPERANDS],
}

impl Params {
    /// The parameter as it lies in memory, in words of 8 bytes.
    pub(super) fn words(&self) -> Vec<u64> {
        let long = |x: &u64| [*x as u32, (*x >> 32) as u32];
        let mut all = vec![self.units, self.items, self.chunk];
        all.extend(self.parts.words());
        all.extend(long(&self.scratch));
        all.extend(long(&self.block_counters));
        all.extend(self.addresses.iter().flat_map(long));
        all.extend(self.numbers.iter().flatten().flat_map(long));
        all.extend(self.lengths.iter().flat_map(|length| length.words()));
        all.extend(self.strides.iter().flatten().map(|&stride| stride as u32));
        let pairs = all.chunks(2);
        pairs
            .map(|pair| u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32)
            .collect()
    }
}

pub(in super::super) mod place {
    use super::{AXES, Divisor32, NUMBERS, OPERANDS, Params};
    use std::mem::offset_of;

    pub(crate) const SIZE: usize = size_of::<Params>();
    pub(crate) const UNITS: usize = offset_of!(Params, units);
    pub(crate) const ITEMS: usize = offset_of!(Params, items);
    pub(crate) const CHUNK: usize = offset_of!(Params, chunk);
    pub(crate) const PARTS: usize = offset_of!(Params, parts);
    pub(crate) const SCRATCH: usize = offset_of!(Params, scratch);
    pub(crate) const BLOCK_COUNTERS: usize = offset_of!(Params, block_counters);
    const _: () = assert!(SIZE <= 4096 && NUMBERS + OPERANDS > 0);
    // No gap lies between fields.
    const _: () =
        assert!(SIZE == 40 + 8 * OPERANDS + 16 * NUMBERS + 24 * AXES + 8 * AXES * OPERANDS);

    /// The address of operand or result `k`.
    pub(crate) fn address(k: usize) -> usize {
        offset_of!(Params, addresses) + 8 * k
    }

    pub(crate) fn number(n: usize) -> usize {
        offset_of!(Params, numbers) + 16 * n
    }

    /// The divisor, factor and shift of a length.
    pub(crate) fn length(axis: usize) -> usize {
        offset_of!(Params, lengths) + size_of::<Divisor32>() * axis
    }

    /// The stride of operand or result `k` along an axis.
    pub(crate) fn stride(k: usize, axis: usize) -> usize {
        offset_of!(Params, strides) + 4 * (2 * AXES * k + axis)
    }
}
