//! A kernel of attention's slopes: all that its text depends on.

use super::super::kernel::{ACROSS, ROWS, SPAN};
use super::super::scores::Scores;
use super::super::tile_text::Stored;
use super::text;
use crate::fnv::Fnv;
use crate::jit;
use syntonic_core::DType;

/// Columns of a block of scores.
pub(super) const COLS: usize = 64;
/// Stages of what columns multiply at most.
const STAGES: usize = 3;
/// Bytes of shared memory that a block has.
const MOST: usize = 227 << 10;
/// The widest operands whose slopes, two of them, have room in the registers of a thread.
const BOTH: usize = 128;

/// What a kernel gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// Slopes of queries: rows are queries.
    Queries,
    /// Of keys and values, or of one of them: rows are keys.
    Both,
    Keys,
    Values,
}

impl Gives {
    /// The kernels that give the slopes of keys and values of these widths.
    pub(super) fn of_keys(depth: usize, width: usize) -> &'static [Gives] {
        match depth.max(width) {
            ..=BOTH => &[Gives::Both],
            _ => &[Gives::Keys, Gives::Values],
        }
    }

    /// Whether it has the slopes of scores, and sums them with what columns have of the first kind.
    pub(super) fn first(self) -> bool {
        self != Gives::Values
    }

    /// Whether it sums weights with what columns have of the second kind.
    pub(super) fn second(self) -> bool {
        matches!(self, Gives::Both | Gives::Values)
    }
}

/// A kernel: all that its text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
    pub(super) scores: Scores,
    pub(super) gives: Gives,
    /// The type of queries, keys and values.
    pub(super) dtype: DType,
    /// Elements of a query and of a value, in whole steps of an instruction.
    pub(super) depth: usize,
    pub(super) width: usize,
    /// How the results are stored.
    pub(super) stored: [Stored; 2],
}

/// Where the parts of a block's shared memory begin, from a multiple of 1024 bytes on: what rows have comes first, of the first kind and of the
/// second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Bytes of what rows have of each kind, and of one stage of what columns have.
    pub(super) rows: [usize; 2],
    pub(super) cols: [usize; 2],
    pub(super) stages: usize,
    /// Where the stages begin.
    pub(super) staged: usize,
    /// The barriers: rows have come, may come; then of each stage.
    pub(super) came: usize,
    pub(super) full: usize,
    pub(super) empty: usize,
    /// All of it, and what the beginning may be off.
    pub(super) size: usize,
}

impl Room {
    /// Bytes of a stage.
    pub(super) fn stage(&self) -> usize {
        self.cols[0] + self.cols[1]
    }
}

impl Kernel {
    /// Elements of the two kinds: what is multiplied for scores, and what for slopes of weights.
    pub(super) fn long(&self) -> [usize; 2] {
        [self.depth, self.width]
    }

    pub(super) fn room(&self) -> Room {
        let chunks = |len: usize| len.div_ceil(ACROSS) * SPAN;
        let rows = self.long().map(|len| ROWS * chunks(len));
        let cols = self.long().map(|len| COLS * chunks(len));
        let staged = rows[0] + rows[1];
        let barriers = 16 + 16 * STAGES;
        let stages = ((MOST - 1023 - barriers - staged) / (cols[0] + cols[1])).min(STAGES);
        let came = staged + stages * (cols[0] + cols[1]);
        let full = came + 16;
        let empty = full + 8 * stages;
        Room {
            rows,
            cols,
            stages,
            staged,
            came,
            full,
            empty,
            size: empty + 8 * stages + 1023,
        }
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        self.scores.hash(&mut hash);
        for stored in self.stored {
            hash.byte(stored as u8);
        }
        for number in [
            self.gives as usize,
            self.dtype as usize,
            self.depth,
            self.width,
        ] {
            hash.number(number as u32);
        }
        hash.0
    }
}

impl jit::Kernel for Kernel {
    fn name(&self) -> String {
        format!("attention_slopes_{:016x}", self.fingerprint())
    }

    fn text(&self, capability: (u32, u32)) -> Option<String> {
        text::text(self, capability)
    }
}
