//! The parameter of attention's slopes.

use super::super::params::{Lies, Scored};
use crate::blas::TensorMap;

/// Where the parts of the parameter begin.
pub(super) mod place {
    use super::Params;
    use std::mem::offset_of;

    pub(in super::super) const MAPS: usize = offset_of!(Params, maps);
    pub(in super::super) const OUT: usize = offset_of!(Params, out);
    pub(in super::super) const SUMS: usize = offset_of!(Params, sums);
    pub(in super::super) const MEANS: usize = offset_of!(Params, means);
    pub(in super::super) const WIDTHS: usize = offset_of!(Params, widths);
    pub(in super::super) const OF_BATCH: usize = offset_of!(Params, of_batch);
    pub(in super::super) const OF_HEAD: usize = offset_of!(Params, of_head);
    pub(in super::super) const QUERIES: usize = offset_of!(Params, queries);
    pub(in super::super) const FACTOR: usize = offset_of!(Params, factor);
}

/// The parameter, as the text reads it by [`place`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Params {
    pub(super) scored: Scored,
    /// What rows have of both kinds, and what columns have: queries, slopes of results, keys and values; or keys, values, queries and slopes.
    pub(super) maps: [TensorMap; 4],
    /// The results.
    pub(super) out: [Lies; 2],
    /// Logarithms of sums, and means of slopes, `[batch, head, query]`.
    pub(super) sums: u64,
    pub(super) means: u64,
    /// Columns of the results.
    pub(super) widths: [u32; 2],
    pub(super) of_batch: [u32; 4],
    pub(super) of_head: [u32; 4],
    pub(super) queries: u32,
    /// What slopes of scaled scores are multiplied by.
    pub(super) factor: f32,
}
