//! The order of work between streams.
//!
//! While a GPU has one stream, the stream itself orders all work, and nothing here runs. From the second stream on, every
//! block of memory records the last event at which each stream used it. Work of another stream waits for the events that
//! matter: a reader for the last writer, a writer for all earlier uses.

use crate::context::Context;
use crate::streams::event::{Point, Spares};
use cudarc::driver::sys::CUstream;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use syntonic_core::Result;
use syntonic_core::fork::{Locked, lock};

/// The stream of a mark that belongs to none any more.
const GONE: usize = usize::MAX;

/// The last use of a block by one stream.
#[derive(Debug)]
struct Mark {
    /// Its handle, or [`GONE`].
    stream: usize,
    point: Arc<Point>,
}

/// The users of a block.
#[derive(Debug, Default)]
struct Uses {
    writer: Option<Mark>,
    readers: Vec<Mark>,
}

/// How an operation uses a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// The stream ledger of one GPU.
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

    /// Starts the ledger. The first stream must be idle, since its past is not in the ledger.
    pub(crate) fn begin(&self) {
        self.several.store(true, Ordering::Relaxed);
    }

    fn lock(&self) -> Locked<'_, HashMap<u64, Uses>> {
        lock(&self.blocks)
    }

    /// An event at the end of `stream`'s work so far. The context must be current.
    pub(crate) fn point(&self, context: &Context, stream: CUstream) -> Result<Point> {
        self.spares.point(context, stream)
    }

    /// A stream has just been made. The driver gives a handle again once its stream is destroyed, and destroys one before its work is done:
    /// the marks of this handle are those of a stream that is gone.
    pub(crate) fn made(&self, stream: CUstream) {
        for uses in self.lock().values_mut() {
            let marks = uses.writer.iter_mut().chain(&mut uses.readers);
            for mark in marks.filter(|mark| mark.stream == stream as usize) {
                mark.stream = GONE;
            }
        }
    }

    /// Makes `stream` wait for earlier uses of these blocks by other streams.
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

    /// Records that `stream` uses these blocks from now on.
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
        self.end(stream, blocks, &point);
        Ok(())
    }

    /// Records that `stream`, which may be another GPU's, uses these blocks until `point`.
    pub(crate) fn end(&self, stream: CUstream, blocks: &[(u64, Access)], point: &Arc<Point>) {
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
                // A stream that waits for this writer also waits for the uses before it.
                Access::Write => {
                    *uses = Uses {
                        writer: Some(mark),
                        readers: Vec::new(),
                    }
                }
            }
        }
    }

    /// Waits on the host for every use in the ledger.
    pub(crate) fn wait(&self, context: &Context) -> Result<()> {
        let all: Vec<Arc<Point>> = {
            let ledger = self.lock();
            let marks = ledger
                .values()
                .flat_map(|uses| uses.writer.iter().chain(&uses.readers));
            marks.map(|mark| mark.point.clone()).collect()
        };
        all.iter().try_for_each(|point| point.wait(context))
    }

    /// Forgets everything; the GPU is idle.
    pub(crate) fn forget(&self) {
        self.lock().clear();
    }
}
