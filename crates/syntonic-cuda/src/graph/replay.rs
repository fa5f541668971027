//! Work that was captured.

use crate::context::gpu::Cuda;
use crate::driver::fault::Checked;
use crate::streams::order::Access;
use cudarc::driver::sys::{self, CUgraph, CUgraphExec};
use std::ptr;
use std::sync::Arc;
use syntonic_core::Result;
use syntonic_core::device::Recorded;

/// What a graph has of the GPU besides its tensors; goes back when it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    gpu: Arc<Cuda>,
    /// Blocks of the pool.
    pub(super) scratch: Vec<u64>,
    /// Sets of shared words, with their bytes.
    pub(super) words: Vec<(usize, u64)>,
}

impl Held {
    /// Nothing yet.
    pub(super) fn of(gpu: &Arc<Cuda>) -> Held {
        Held {
            gpu: gpu.clone(),
            scratch: Vec::new(),
            words: Vec::new(),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let context = self.gpu.context();
        // In the order of streams, as any memory that is given back: the last replay is in the ledger.
        for block in self.scratch.drain(..) {
            context.pool.release(block);
        }
        for (bytes, address) in self.words.drain(..) {
            let sets = [&context.block_counters, &context.mailboxes];
            if let Some(sets) = sets.into_iter().find(|sets| sets.bytes() == bytes) {
                sets.push(address);
            }
        }
    }
}

/// A graph of the driver's, ready to be launched.
#[derive(Debug)]
pub(super) struct Replay {
    exec: CUgraphExec,
    launches: usize,
    /// Every block that it uses.
    uses: Vec<(u64, Access)>,
    /// Dropped last: the graph uses it.
    held: Held,
}

// SAFETY: a handle of a graph is an opaque number; the driver wants its launches one at a time, which is the contract of `replay`.
unsafe impl Send for Replay {}
// SAFETY: as above.
unsafe impl Sync for Replay {}

impl Replay {
    /// Makes a captured graph ready; it is destroyed whatever comes of that.
    pub(super) fn new(graph: CUgraph, held: Held, uses: Vec<(u64, Access)>) -> Result<Replay> {
        let device = held.gpu.context().device;
        let mut replay = Replay {
            exec: ptr::null_mut(),
            launches: 0,
            uses,
            held,
        };
        // SAFETY: the context is current, the graph is alive, and the driver writes a count and a handle.
        let made = unsafe {
            let counted = sys::cuGraphGetNodes(graph, ptr::null_mut(), &mut replay.launches);
            counted.during("capture", device).and_then(|()| {
                sys::cuGraphInstantiateWithFlags(&mut replay.exec, graph, 0)
                    .during("capture", device)
            })
        };
        destroy(graph);
        made.map(|()| replay)
    }
}

/// Destroys a captured graph; what was made of it stays.
pub(super) fn destroy(graph: CUgraph) {
    if graph.is_null() {
        return;
    }
    // SAFETY: the graph is alive, and nobody uses it after this.
    let code = unsafe { sys::cuGraphDestroy(graph) };
    tracing::debug!(?code, "a captured graph is destroyed");
}

impl Recorded for Replay {
    fn launches(&self) -> usize {
        self.launches
    }

    unsafe fn replay(&self) -> Result<()> {
        let context = self.held.gpu.context();
        context.bind()?;
        let stream = context.stream();
        let several = context.order.matters();
        if several {
            context.order.before(context, stream, &self.uses)?;
        }
        // SAFETY: the context is current, the graph is alive, and what it uses is the caller's promise.
        let code = unsafe { sys::cuGraphLaunch(self.exec, stream) };
        if several {
            // Also after an error: some of it may run.
            context.order.after(context, stream, &self.uses)?;
        }
        context.check("replay", code)
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        if self.exec.is_null() || self.held.gpu.context().bind().is_err() {
            return;
        }
        // SAFETY: nobody launches it any more; the driver lets a launch that still runs come to its end.
        let code = unsafe { sys::cuGraphExecDestroy(self.exec) };
        tracing::debug!(?code, "a graph is destroyed");
    }
}
