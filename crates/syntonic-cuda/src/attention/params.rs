//! The parameters of attention, forward and back.

use crate::blas::TensorMap;

/// Operands of a score at most.
pub(super) const MOST: usize = 24;

/// Where the parts of the parameters begin.
pub(super) mod place {
    use super::{Lies, Params, Scored};
    use std::mem::offset_of;

    pub(in super::super) const ROWS: usize = offset_of!(Scored, rows);
    pub(in super::super) const COLS: usize = offset_of!(Scored, cols);
    pub(in super::super) const SCALE: usize = offset_of!(Scored, scale);
    pub(in super::super) const HEADS: usize = offset_of!(Scored, heads);
    pub(in super::super) const PAIRS: usize = offset_of!(Scored, pairs);
    pub(in super::super) const SHARING: usize = offset_of!(Scored, sharing);
    pub(in super::super) const DOWN: usize = offset_of!(Scored, down);
    pub(in super::super) const GROUP: usize = offset_of!(Scored, group);
    pub(in super::super) const TILES: usize = offset_of!(Scored, tiles);
    pub(in super::super) const OPERANDS: usize = offset_of!(Scored, operands);

    pub(in super::super) const Q: usize = offset_of!(Params, q);
    pub(in super::super) const K: usize = offset_of!(Params, k);
    pub(in super::super) const V: usize = offset_of!(Params, v);
    pub(in super::super) const OUT: usize = offset_of!(Params, out);
    pub(in super::super) const SUMS: usize = offset_of!(Params, sums);
    pub(in super::super) const WIDTH: usize = offset_of!(Params, width);
    pub(in super::super) const OF_BATCH: usize = offset_of!(Params, of_batch);
    pub(in super::super) const OF_HEAD: usize = offset_of!(Params, of_head);

    pub(in super::super) fn operand(i: usize) -> usize {
        OPERANDS + size_of::<Lies>() * i
    }
}

/// Elements over batch, head, rows and columns of the scores: the address of the first, and the bytes to the next along each axis. An index has its
/// value at the first place, and what it grows by along each axis; a number has its bits at the first two places.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Lies {
    pub(super) first: u64,
    pub(super) batch: i64,
    pub(super) head: i64,
    pub(super) row: i64,
    pub(super) col: i64,
}

impl Lies {
    /// The same elements where keys are the rows.
    pub(super) fn turned(self) -> Lies {
        Lies {
            row: self.col,
            col: self.row,
            ..self
        }
    }
}

/// What all parameters begin with: the scores, and how they are shared out.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Scored {
    /// Queries and keys, or keys and queries where keys are the rows.
    pub(super) rows: u32,
    pub(super) cols: u32,
    /// What scores are multiplied by: first, or as the exponent is taken.
    pub(super) scale: f32,
    /// Heads of the rows, and of all the batch.
    pub(super) heads: u32,
    pub(super) pairs: u32,
    /// Heads of queries that share keys.
    pub(super) sharing: u32,
    /// Tiles of the rows of a head.
    pub(super) down: u32,
    /// Heads that blocks work on together, whose columns stay in L2.
    pub(super) group: u32,
    pub(super) tiles: u32,
    pub(super) operands: [Lies; MOST],
}

/// The parameter of attention, as its text reads it by [`place`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Params {
    pub(super) scored: Scored,
    pub(super) q: TensorMap,
    pub(super) k: TensorMap,
    pub(super) v: TensorMap,
    pub(super) out: Lies,
    /// Where the logarithms of the sums of rows go, `[batch, head, query]`.
    pub(super) sums: u64,
    /// Columns of the result.
    pub(super) width: u32,
    /// Whether q, k and v have a matrix for each of the batch, and for each head: 0 or 1.
    pub(super) of_batch: [u32; 3],
    pub(super) of_head: [u32; 3],
}
