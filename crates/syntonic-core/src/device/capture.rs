//! What a device does for a graph: it takes down the work of a thread, and runs it again.

use crate::error::Result;
use std::fmt;

/// A capture in progress: what this thread asks of the device is recorded. Dropping it ends the capture and frees what it made.
pub trait Capture: fmt::Debug {
    /// Ends it.
    fn finish(self: Box<Self>) -> Result<Captured>;
}

/// What came of a capture.
#[derive(Debug)]
pub struct Captured {
    /// Work that can be run again.
    pub recorded: Box<dyn Recorded>,
    /// Whether kernels that suit the work better are ready only now, so that the same work captured once more would have them.
    pub again: bool,
}

/// Work that was captured.
pub trait Recorded: Send + Sync + fmt::Debug {
    /// How many launches it takes.
    fn launches(&self) -> usize;

    /// Runs it again, after what was asked of the device before and ahead of what is asked later.
    ///
    /// # Safety
    /// All memory that the captured work used is live, and nobody else uses what it writes.
    unsafe fn replay(&self) -> Result<()>;
}
