//! What a device does for a graph: it takes down the work of a thread, and runs it again.

use crate::error::Result;
use std::any::Any;
use std::fmt;

/// A capture in progress: what this thread asks of the device is recorded. Dropping it ends the capture and frees what it made.
pub trait Capture: fmt::Debug {
    /// Ends it. The work can be run again, once it is ready.
    fn finish(self: Box<Self>) -> Result<Box<dyn Recorded>>;
}

/// When another turn of a captured loop follows.
#[derive(Clone, Copy, Debug)]
pub enum Again {
    /// Where the byte at this address is not 0, before each turn.
    While(*const u8),
    /// Where the number at this address is below another one. It is so before the first turn, and each turn ends with adding 1 to it.
    Below(*mut i64, i64),
}

/// A loop in a capture: what this thread asks of the device is its turn. Dropping it leaves the capture useless.
pub trait CapturedLoop: fmt::Debug {
    /// Ends the turn.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// How captured work took the place of earlier work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updated {
    /// The device runs it with what it had made of the earlier work.
    InPlace,
    /// The device refused that, as it does where the launches are others, and made everything anew.
    Anew,
}

/// Work that was captured.
pub trait Recorded: Any + Send + Sync + fmt::Debug {
    /// How many launches it takes.
    fn launches(&self) -> usize;

    /// Makes it ready to be replayed.
    fn prepare(&mut self) -> Result<()>;

    /// Makes it ready with what the device made of `earlier`, which is not replayed after this. On an error `earlier` is as it
    /// was. Nobody replays either meanwhile.
    fn replace(&mut self, earlier: &mut dyn Recorded) -> Result<Updated>;

    /// Runs it again, after what was asked of the device before and ahead of what is asked later.
    ///
    /// # Safety
    /// It is ready. All memory that the captured work used is live, and nobody else uses what it writes.
    unsafe fn replay(&self) -> Result<()>;
}
