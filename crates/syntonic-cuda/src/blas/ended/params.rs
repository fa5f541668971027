//! The parameter of a product with its end.

use super::tensor_map::TensorMap;

/// Operands of an end at most.
pub(super) const MOST: usize = 24;

/// Where the parts of the parameter begin.
pub(super) mod place {
    pub(in super::super) const A: usize = 0;
    pub(in super::super) const B: usize = 128;
    pub(in super::super) const OUT: usize = 256;
    pub(in super::super) const BROUGHT: usize = 384;
    pub(in super::super) const M: usize = 512;
    pub(in super::super) const N: usize = 516;
    pub(in super::super) const DEPTH: usize = 520;
    pub(in super::super) const TILES: usize = 524;
    pub(in super::super) const DOWN: usize = 528;
    pub(in super::super) const ACROSS: usize = 532;
    pub(in super::super) const GROUP: usize = 536;
    pub(in super::super) const ALPHA: usize = 540;
    pub(in super::super) const BATCHED: usize = 544;
    /// The result in memory, as an operand's.
    pub(in super::super) const RESULT: usize = 576;
    /// Of an operand: its address and three strides in bytes, or a number.
    pub(in super::super) const OPERANDS: usize = 608;

    pub(in super::super) fn operand(i: usize) -> usize {
        OPERANDS + 32 * i
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn the_text_reads_what_the_host_writes() {
        let places = [
            (offset_of!(Params, a), place::A),
            (offset_of!(Params, b), place::B),
            (offset_of!(Params, out), place::OUT),
            (offset_of!(Params, brought), place::BROUGHT),
            (offset_of!(Params, m), place::M),
            (offset_of!(Params, n), place::N),
            (offset_of!(Params, depth), place::DEPTH),
            (offset_of!(Params, tiles), place::TILES),
            (offset_of!(Params, down), place::DOWN),
            (offset_of!(Params, across), place::ACROSS),
            (offset_of!(Params, group), place::GROUP),
            (offset_of!(Params, alpha), place::ALPHA),
            (offset_of!(Params, batched), place::BATCHED),
            (offset_of!(Params, result), place::RESULT),
            (offset_of!(Params, operands), place::OPERANDS),
        ];
        for (have, want) in places {
            assert_eq!(have, want);
        }
        assert_eq!(size_of::<Lies>(), 32);
    }
}
