//! Kernels in the compact form that the machine runs, and the way there.

mod allocate;
mod blocks;
mod builder;
mod emit;
mod flight;
mod frame;
mod liveness;
mod lower;
mod optimize;
mod step;

pub(crate) use lower::{Global, Image, lower};

use crate::machine::op::Op;
use crate::machine::rows::Line;

/// A kernel that the machine can run.
pub(crate) struct Code {
    /// The kernel's name.
    pub(crate) name: String,
    /// Instructions, block after block.
    pub(crate) ops: Vec<Op>,
    /// Where in the text each came from.
    pub(crate) places: Vec<u32>,
    /// Stretches without branches, in the order of the text. Program counters are numbers of blocks.
    pub(crate) blocks: Vec<Block>,
    /// Rows of constants.
    pub(crate) pool: Box<[Line]>,
    /// Bytes of a warp's registers.
    pub(crate) register_bytes: u32,
    /// 32-bit registers of a thread that are in use at once.
    pub(crate) registers: u32,
    /// The offset after the last static variable in shared memory.
    pub(crate) shared_end: u32,
    /// Bytes of a thread's own memory.
    pub(crate) local_bytes: u32,
    /// Bytes of parameters.
    pub(crate) param_bytes: u32,
}

/// A stretch of instructions and what comes after it.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its first instruction.
    pub(crate) start: u32,
    /// The one after its last.
    pub(crate) end: u32,
    /// What comes then.
    pub(crate) exit: Exit,
    /// Where in the text that is.
    pub(crate) place: u32,
}

/// What comes after a block. Rows are as in `Op::r`.
#[derive(Clone, Debug)]
pub(crate) enum Exit {
    /// The next block.
    Next,
    /// Another block.
    Jump(u32),
    /// Another block for lanes whose predicate is true after flipping it by a mask; the next one for others.
    Branch {
        /// The predicate's row.
        predicate: u32,
        /// What flips it.
        flip: u32,
        /// The other block.
        target: u32,
    },
    /// The block of this list that a row says.
    Table(u32, Vec<u32>),
    /// The thread ends.
    End,
    /// An instruction that all lanes of a mask run together, and the row of the mask.
    Together(Op, u32),
    /// A barrier of the block.
    Meet(Meeting),
    /// The thread tells its cluster that it came here.
    ClusterArrive,
    /// The thread waits until all of its cluster came.
    ClusterWait,
}

/// A use of a barrier of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// The row of its number; without one it is that of the warpgroup.
    pub(crate) id: u32,
    /// The row of how many threads take part, if not all.
    pub(crate) threads: u32,
    /// Whether the thread waits for the others.
    pub(crate) waits: bool,
    /// A predicate that is reduced over the threads.
    pub(crate) vote: u32,
    /// How it is reduced.
    pub(crate) reduction: Reduction,
}

/// What a barrier makes of the threads' predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// Nothing.
    None,
    /// How many are true.
    Count,
    /// Whether all are.
    And,
    /// Whether one is.
    Or,
}
