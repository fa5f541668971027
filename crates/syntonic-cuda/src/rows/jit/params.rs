//! The parameter of JIT row kernels, and where their text finds its fields.

use crate::walk::Divisor32;

/// The most operands and results of a kernel: those of a lazy expression, with as many results as it may have.
pub(super) const OPERANDS: usize = 20;
/// The most numbers of a launch.
pub(super) const NUMBERS: usize = 48;

/// An operand or a result.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Operand {
    pub(super) address: u64,
    /// Row strides in bytes, along the inner and the outer of two axes.
    pub(super) rows: [i64; 2],
    /// Element stride within a segment of a row, and from one segment to the next, in bytes.
    pub(super) step: i64,
    pub(super) segment: i64,
}

/// The parameter.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Params {
    /// Rows, or groups of neighbouring rows.
    pub(super) rows: u32,
    /// Vectors of a row, or its elements.
    pub(super) length: u32,
    /// Rows along the inner of two axes.
    pub(super) inner: u32,
    /// Vectors of a segment, or its elements.
    pub(super) run: Divisor32,
    pub(super) operands: [Operand; OPERANDS],
    /// The bits of each number; of halves twice.
    pub(super) numbers: [[u64; 2]; NUMBERS],
}

pub(super) mod place {
    use super::{Operand, Params};
    use std::mem::offset_of;

    pub(crate) const ROWS: usize = offset_of!(Params, rows);
    pub(crate) const LENGTH: usize = offset_of!(Params, length);
    pub(crate) const INNER: usize = offset_of!(Params, inner);
    pub(crate) const RUN: usize = offset_of!(Params, run);
    pub(crate) const SIZE: usize = size_of::<Params>();

    /// Where an operand's strides within a segment and between segments are, from its address on.
    pub(crate) const STEP: usize = offset_of!(Operand, step);
    pub(crate) const SEGMENT: usize = offset_of!(Operand, segment);

    /// The offset of operand `k`'s address; its row strides follow at 8 bytes.
    pub(crate) fn operand(k: usize) -> usize {
        offset_of!(Params, operands) + k * size_of::<Operand>()
    }

    pub(crate) fn number(n: usize) -> usize {
        offset_of!(Params, numbers) + size_of::<[u64; 2]>() * n
    }
}
