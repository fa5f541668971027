//! The order of work between streams.
//!
//! While a GPU has one stream, everything happens in the order it was asked for, and nothing here runs.
//! From the second stream on, every block of memory remembers the last point at which each stream used it,
//! and work of another stream waits for the points that matter: a reader for the last writer, a writer for
//! everybody.

use crate::context::Context;
use crate::event::{Point, Spares};
use cudarc::driver::sys::CUstream;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use syntonic_core::Result;

/// The last use of a block by one stream.
#[derive(Debug)]
struct Mark {
    stream: usize,
    point: Arc<Point>,
}

/// Who uses a block.
#[derive(Debug, Default)]
struct Uses {
    writer: Option<Mark>,
    readers: Vec<Mark>,
}

/// What an operation does with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// The ledger of one GPU.
#[derive(Debug, Default)]
pub(crate) struct Order {
    several: AtomicBool,
    spares: Spares,
    blocks: Mutex<HashMap<u64, Uses>>,
}

impl Order {
    /// True from the second stream on.
    pub(crate) fn matters(&self) -> bool {
        self.several.load(Ordering::Relaxed)
    }

    /// From now on there are several streams. The first must be idle, since its past is not in the ledger.
    pub(crate) fn begin(&self) {
        self.several.store(true, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Uses>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The end of what `stream` was asked so far. The context must be current.
    pub(crate) fn point(&self, context: &Context, stream: CUstream) -> Result<Point> {
        self.spares.point(context, stream)
    }

    /// Makes `stream` wait for the uses of these blocks by other streams.
    pub(crate) fn before(
        &self,
        context: &Context,
        stream: CUstream,
        blocks: &[(u64, Access)],
    ) -> Result<()> {
        let ledger = self.lock();
        for (block, access) in blocks {
            let Some(uses) = ledger.get(block) else {
                continue;
            };
            let readers = if *access == Access::Write {
                &uses.readers[..]
            } else {
                &[]
            };
            let others = uses.writer.iter().chain(readers);
            for mark in others.filter(|m| m.stream != stream as usize) {
                context.bind()?;
                mark.point.hold(context, stream)?;
            }
        }
        Ok(())
    }

    /// Remembers that `stream` has just been asked to use these blocks.
    pub(crate) fn after(
        &self,
        context: &Context,
        stream: CUstream,
        blocks: &[(u64, Access)],
    ) -> Result<()> {
        if blocks.is_empty() {
            return Ok(());
        }
        let point = Arc::new(self.spares.point(context, stream)?);
        let mut ledger = self.lock();
        for &(block, access) in blocks {
            let mark = Mark {
                stream: stream as usize,
                point: point.clone(),
            };
            let uses = ledger.entry(block).or_default();
            match access {
                Access::Read => {
                    uses.readers.retain(|m| m.stream != mark.stream);
                    uses.readers.push(mark);
                }
                // Whoever waits for this writer waits for those before it too.
                Access::Write => {
                    *uses = Uses {
                        writer: Some(mark),
                        readers: Vec::new(),
                    }
                }
            }
        }
        Ok(())
    }

    /// Forgets everything; the GPU is idle.
    pub(crate) fn forget(&self) {
        self.lock().clear();
    }
}
