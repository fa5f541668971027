//! A kernel that multiplies matrices and ends with a formula: all that its text depends on.

use super::text;
use crate::codegen::form::Form;
use crate::jit;
use syntonic_core::DType;

/// Rows of a tile of the result.
pub(super) const ROWS: usize = 128;
/// Rows or columns of a box of tensor memory.
pub(super) const HALF: usize = 64;
/// Bytes of an operand along K, or along its rows, that lie side by side in shared memory: a row of the 128-byte swizzle.
pub(super) const SPAN: usize = 128;
/// Bytes of a box.
pub(super) const BOX: usize = HALF * SPAN;
/// Warpgroups that multiply and end.
pub(super) const CONSUMERS: usize = 2;
/// Threads per block: those, and a warpgroup that brings the operands.
pub(super) const THREADS: usize = 128 * (CONSUMERS + 1);
/// Boxes of a consumer's part of a result of a half type, with which it is written or an operand of its end is read.
pub(super) const BOXES: usize = 4;
/// Bytes of shared memory that a block has.
const MOST: usize = 227 << 10;

/// How the consumers share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Team {
    /// Each has tiles of 128 columns, and they take turns: one's end takes place beside the other's products.
    Turns,
    /// Both have a tile of 256 columns, half of its rows each: fewer bytes of shared memory for as many products.
    Together,
}

impl Team {
    /// Columns of a tile.
    pub(super) fn columns(self) -> usize {
        match self {
            Team::Turns => 2 * HALF,
            Team::Together => 4 * HALF,
        }
    }

    /// Consumers that read one stage.
    pub(super) fn readers(self) -> usize {
        match self {
            Team::Turns => 1,
            Team::Together => CONSUMERS,
        }
    }
}

/// Where the parts of a block's shared memory begin, from a multiple of 1024 bytes on: stages of both operands come first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Stages in flight.
    pub(super) stages: usize,
    /// Bytes of one.
    pub(super) stage: usize,
    pub(super) results: usize,
    /// Barriers of eight bytes: stages that are full, that are empty, and operands of ends that have come.
    pub(super) full: usize,
    pub(super) empty: usize,
    pub(super) came: usize,
    /// All of it, and what the beginning may be off.
    pub(super) size: usize,
}

/// Which axis of a factor has its elements side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Major {
    /// The one that is summed over.
    K,
    /// The rows of the result, or its columns.
    Outer,
}

/// What an operand of the end is to the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The product itself.
    Sums,
    /// A number among the parameters.
    Number,
    /// One element for each column, as those of a bias; side by side where `pairs`.
    Columns { pairs: bool },
    /// One element for each row.
    Rows,
    /// One for each element of the result; two in a row side by side where `pairs`.
    Each { pairs: bool },
    /// As that, of a half type, brought to shared memory as the result is taken from there.
    Brought,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Store {
    /// By way of shared memory, for half types.
    Brought,
    /// From registers; two elements at a time where `pairs`.
    Each { pairs: bool },
}

/// A kernel: all that its text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
    /// The end.
    pub(super) form: Form,
    /// What each of its operands is.
    pub(super) kinds: Vec<Kind>,
    /// The type of the factors.
    pub(super) factors: DType,
    /// How they lie.
    pub(super) majors: [Major; 2],
    pub(super) team: Team,
    /// Whether two blocks share columns of the second factor.
    pub(super) shared: bool,
    /// Whether the product is multiplied by a number first.
    pub(super) scaled: bool,
    pub(super) store: Store,
}

impl Kernel {
    /// Blocks of a cluster.
    pub(super) fn cluster(&self) -> usize {
        1 + usize::from(self.shared)
    }

    /// Columns of a tile.
    pub(super) fn columns(&self) -> usize {
        self.team.columns()
    }

    /// Its shared memory.
    pub(super) fn room(&self) -> Room {
        const BARRIERS: usize = 256;
        let stage = (ROWS + self.columns()) * SPAN;
        let kept = match self.has_results() {
            true => CONSUMERS * BOXES * BOX,
            false => 0,
        };
        let stages = (MOST - 1023 - BARRIERS - kept) / stage;
        let results = stages * stage;
        let full = results + kept;
        let empty = full + 8 * stages;
        let came = empty + 8 * stages;
        Room {
            stages,
            stage,
            results,
            full,
            empty,
            came,
            size: came + 8 * CONSUMERS + 1023,
        }
    }

    /// Elements along K of one stage.
    pub(super) fn depth(&self) -> usize {
        SPAN / self.factors.size()
    }

    /// True where the end reads an operand by way of shared memory.
    pub(super) fn brings(&self) -> bool {
        self.kinds.contains(&Kind::Brought)
    }

    /// True where it has room for a result in shared memory: for that, or for an operand in the result's place.
    pub(super) fn has_results(&self) -> bool {
        self.brings() || self.store == Store::Brought
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let kinds = self.kinds.iter().map(|kind| match *kind {
            Kind::Sums => 0,
            Kind::Number => 1,
            Kind::Columns { pairs } => 2 + u64::from(pairs),
            Kind::Rows => 4,
            Kind::Each { pairs } => 5 + u64::from(pairs),
            Kind::Brought => 7,
        });
        let store = match self.store {
            Store::Brought => 0,
            Store::Each { pairs } => 1 + u64::from(pairs),
        };
        let [a, b] = self.majors.map(|major| u64::from(major == Major::Outer));
        let flags = a | b << 1 | u64::from(self.shared) << 2 | u64::from(self.scaled) << 3;
        let own = [self.factors as u64, flags, store, self.team as u64];
        let words = own.into_iter().chain(kinds);
        words.fold(self.form.fingerprint(), |hash, word| {
            (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

impl jit::Kernel for Kernel {
    fn name(&self) -> String {
        format!("product_{:016x}", self.fingerprint())
    }

    fn text(&self, capability: (u32, u32)) -> Option<String> {
        text::text(self, capability)
    }
}
