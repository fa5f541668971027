//! What ends a launch.

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// An access that no live allocation, or not this block's memory, holds.
    #[error("{what} of {bytes} bytes at {address:#x} is outside of {space} memory")]
    OutOfBounds {
        /// Which memory.
        space: &'static str,
        /// Load, store or atomic.
        what: &'static str,
        /// Where.
        address: u64,
        /// How many bytes.
        bytes: u32,
    },
    /// An address that is no multiple of what the access needs.
    #[error("{what} at {address:#x}, which is no multiple of {align}")]
    Misaligned {
        /// Load, store or atomic.
        what: &'static str,
        /// Where.
        address: u64,
        /// What it should be a multiple of.
        align: u32,
    },
    /// A load of memory that nothing was written to.
    #[error("load of {bytes} bytes of {space} memory at {address:#x} that nothing wrote")]
    Uninitialised {
        /// Which memory.
        space: &'static str,
        /// Where.
        address: u64,
        /// How many bytes.
        bytes: u32,
    },
    /// Two threads of a block that access shared memory without a barrier between them, one of them writing.
    #[error(
        "race on shared memory at {address:#x}: thread {first} and thread {second} with no barrier between them"
    )]
    Race {
        /// The offset in shared memory.
        address: u64,
        /// The thread that came first here.
        first: u32,
        /// The thread that came second here.
        second: u32,
    },
    /// An asynchronous read of shared memory that a thread wrote, with no fence between them.
    #[error(
        "asynchronous read of shared memory at {address:#x}, which thread {writer} wrote with no fence.proxy.async in between"
    )]
    Proxy {
        /// The offset in shared memory.
        address: u64,
        /// The thread.
        writer: u32,
    },
    /// Accumulators of `wgmma` that are used before the thread waited for them.
    #[error("accumulators are used before wgmma.wait_group waited for what writes them")]
    InFlight,
    /// Threads that wait for what never comes.
    #[error("deadlock: {0}")]
    Deadlock(String),
    /// `trap`.
    #[error("trap")]
    Trap,
    /// A failed assertion.
    #[error("assertion failed: {0}")]
    Assertion(String),
    /// What the simulator cannot run.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// A launch that no card would start.
    #[error("invalid launch: {0}")]
    Launch(String),
}

/// A launch that ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("kernel {entry}, block {block:?}, thread {thread:?}, PTX line {line} `{text}`: {trouble}")]
pub struct Fault {
    /// The kernel.
    pub entry: Box<str>,
    /// The line of the instruction in the image, counted from 1; 0 where no one instruction is at fault.
    pub line: usize,
    /// The instruction.
    pub text: Box<str>,
    /// The index of the block.
    pub block: [u32; 3],
    /// The index of the thread in it.
    pub thread: [u32; 3],
    /// What went wrong.
    pub trouble: Trouble,
}
