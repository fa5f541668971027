//! The parameter of a product with its end.

use crate::blas::tensor_map::TensorMap;

/// Operands of an end at most.
pub(super) const MOST: usize = 24;

/// Where the parts of the parameter begin.
pub(super) mod place {
    use super::{Lies, Params};
    use std::mem::offset_of;

    pub(in super::super) const A: usize = offset_of!(Params, a);
    pub(in super::super) const B: usize = offset_of!(Params, b);
    pub(in super::super) const OUT: usize = offset_of!(Params, out);
    pub(in super::super) const BROUGHT: usize = offset_of!(Params, brought);
    pub(in super::super) const M: usize = offset_of!(Params, m);
    pub(in super::super) const N: usize = offset_of!(Params, n);
    pub(in super::super) const DEPTH: usize = offset_of!(Params, depth);
    pub(in super::super) const TILES: usize = offset_of!(Params, tiles);
    pub(in super::super) const DOWN: usize = offset_of!(Params, down);
    pub(in super::super) const ACROSS: usize = offset_of!(Params, across);
    pub(in super::super) const GROUP: usize = offset_of!(Params, group);
    pub(in super::super) const ALPHA: usize = offset_of!(Params, alpha);
    pub(in super::super) const BATCHED: usize = offset_of!(Params, batched);
    /// The result in memory, as an operand's.
    pub(in super::super) const RESULT: usize = offset_of!(Params, result);
    /// Of an operand: its address and three strides in bytes, or a number.
    pub(in super::super) const OPERANDS: usize = offset_of!(Params, operands);

    pub(in super::super) fn operand(i: usize) -> usize {
        OPERANDS + size_of::<Lies>() * i
    }
}

/// Elements in memory: the first, and the bytes to the next row, column and matrix. A number has its bits at the first two places.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Lies {
    pub(super) first: u64,
    pub(super) row: i64,
    pub(super) col: i64,
    pub(super) batch: i64,
}

/// The parameter, as the text reads it by [`place`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Params {
    pub(super) a: TensorMap,
    pub(super) b: TensorMap,
    pub(super) out: TensorMap,
    pub(super) brought: TensorMap,
    pub(super) m: u32,
    pub(super) n: u32,
    /// Stages along K.
    pub(super) depth: u32,
    /// Tiles of the clusters.
    pub(super) tiles: u32,
    /// Rows and columns of them, of one matrix.
    pub(super) down: u32,
    pub(super) across: u32,
    /// Rows of them that clusters work on together.
    pub(super) group: u32,
    pub(super) alpha: f32,
    /// Whether each factor, the result and what is brought has a matrix for each of the batch: 0 or 1.
    pub(super) batched: [u32; 4],
    pub(super) unused: [u32; 4],
    pub(super) result: Lies,
    pub(super) operands: [Lies; MOST],
}
