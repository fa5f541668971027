//! What a made kernel of rows is told, and where its text finds it.

/// Operands and results that a kernel has, at most: those of a lazy expression, with as many results as it may have.
pub(super) const OPERANDS: usize = 20;
/// Numbers that come with a launch, at most.
pub(super) const NUMBERS: usize = 24;

/// An operand or a result.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Operand {
    pub(super) address: u64,
    /// Bytes from one row to the next, along the inner and the outer of two axes.
    pub(super) rows: [i64; 2],
    /// Bytes from one element of a row to the next.
    pub(super) step: i64,
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
    /// Parts of a row.
    pub(super) parts: u32,
    /// Memory for what parts come to.
    pub(super) scratch: u64,
    /// Counters, all zero before a launch and after.
    pub(super) tickets: u64,
    pub(super) operands: [Operand; OPERANDS],
    /// The bits of each number; of halves twice.
    pub(super) numbers: [u64; NUMBERS],
}

pub(super) mod place {
    use super::{NUMBERS, OPERANDS, Operand, Params};

    pub(crate) const ROWS: usize = 0;
    pub(crate) const LENGTH: usize = 4;
    pub(crate) const INNER: usize = 8;
    pub(crate) const PARTS: usize = 12;
    pub(crate) const SCRATCH: usize = 16;
    pub(crate) const TICKETS: usize = 24;
    const FIRST: usize = 32;
    pub(crate) const SIZE: usize = size_of::<Params>();

    /// The address of operand `k`; 8 bytes on, its rows, and 24 bytes on, its step.
    pub(crate) fn operand(k: usize) -> usize {
        FIRST + k * size_of::<Operand>()
    }

    pub(crate) fn number(n: usize) -> usize {
        operand(OPERANDS) + 8 * n
    }

    const _: () = assert!(SIZE == FIRST + OPERANDS * size_of::<Operand>() + 8 * NUMBERS);
}
