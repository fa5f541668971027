//! A kernel of attention: all that its text depends on.

use super::scores::Scores;
use super::text;
use super::tile_text::Stored;
use crate::fnv::Fnv;
use crate::jit;
use syntonic_core::DType;

/// Queries of a tile, and those of one warpgroup.
pub(super) const ROWS: usize = 128;
pub(super) const HALF: usize = 64;
/// Bytes side by side in a row of the 128-byte swizzle, and elements of a half type there.
pub(super) const SPAN: usize = 128;
pub(super) const ACROSS: usize = 64;
/// Warpgroups that compute.
pub(super) const CONSUMERS: usize = 2;
/// Threads of a block: those, and a warpgroup that brings queries, keys and values.
pub(super) const THREADS: usize = 128 * (CONSUMERS + 1);
/// The widest rows of queries and values.
pub(super) const WIDEST: usize = 256;
/// Stages of keys and values at most.
const STAGES: usize = 4;
/// Bytes of shared memory that a block has.
const MOST: usize = 227 << 10;

/// A kernel: all that its text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
    pub(super) scores: Scores,
    /// The type of queries, keys and values.
    pub(super) dtype: DType,
    /// Elements of a query, in whole steps of an instruction.
    pub(super) depth: usize,
    /// Columns of a result, in whole eights.
    pub(super) width: usize,
    /// How the result is stored.
    pub(super) stored: Stored,
}

/// Where the parts of a block's shared memory begin, from a multiple of 1024 bytes on: queries come first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Bytes of the queries, and of one stage of keys and of values.
    pub(super) queries: usize,
    pub(super) keys: usize,
    pub(super) values: usize,
    pub(super) stages: usize,
    /// The barriers, eight bytes each: queries have come, may come; then for each stage keys have come, may come, values have come, may come.
    pub(super) came: usize,
    /// All of it, and what the beginning may be off.
    pub(super) size: usize,
}

impl Room {
    /// Where the keys of the first stage begin, and the values.
    pub(super) fn first(&self) -> [usize; 2] {
        [self.queries, self.queries + self.stages * self.keys]
    }

    /// The barrier of the first stage: of keys and values, full and empty.
    pub(super) fn barrier(&self, values: bool, empty: bool) -> usize {
        let which = 2 * usize::from(values) + usize::from(empty);
        self.came + 16 + 8 * self.stages * which
    }
}

impl Kernel {
    /// Keys of a block.
    pub(super) fn keys(&self) -> usize {
        match self.depth.max(self.width) {
            ..=128 => 128,
            _ => 64,
        }
    }

    pub(super) fn room(&self) -> Room {
        let chunks = |len: usize| len.div_ceil(ACROSS) * SPAN;
        let queries = ROWS * chunks(self.depth);
        let keys = self.keys() * chunks(self.depth);
        let values = self.keys() * chunks(self.width);
        let barriers = 16 + 32 * STAGES;
        let stages = ((MOST - 1023 - barriers - queries) / (keys + values)).min(STAGES);
        let came = queries + stages * (keys + values);
        Room {
            queries,
            keys,
            values,
            stages,
            came,
            size: came + 16 + 32 * stages + 1023,
        }
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        self.scores.hash(&mut hash);
        hash.byte(self.stored as u8);
        for number in [self.dtype as usize, self.depth, self.width] {
            hash.number(number as u32);
        }
        hash.0
    }
}

impl jit::Kernel for Kernel {
    fn name(&self) -> String {
        format!("attention_{:016x}", self.fingerprint())
    }

    fn text(&self, capability: (u32, u32)) -> Option<String> {
        text::text(self, capability)
    }
}
