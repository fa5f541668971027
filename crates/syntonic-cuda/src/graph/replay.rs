//! Work that was captured.

use crate::context::gpu::Cuda;
use crate::driver::fault::Checked;
use crate::streams::order::Access;
use cudarc::driver::sys::{self, CUgraph, CUgraphExec, CUresult};
use std::any::Any;
use std::ptr;
use std::sync::Arc;
use syntonic_core::Result;
use syntonic_core::device::{Recorded, Updated};

/// What a graph has of the GPU besides its tensors; goes back when it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    gpu: Arc<Cuda>,
    /// Blocks of the pool.
    pub(super) scratch: Vec<u64>,
    /// Sets of block counters.
    pub(super) counters: Vec<u64>,
    /// Kernels of the program that it launches.
    pub(super) code: Vec<Arc<dyn Any + Send + Sync>>,
}

impl Held {
    /// Nothing yet.
    pub(super) fn of(gpu: &Arc<Cuda>) -> Held {
        Held {
            gpu: gpu.clone(),
            scratch: Vec::new(),
            counters: Vec::new(),
            code: Vec::new(),
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
        for address in self.counters.drain(..) {
            context.block_counters.push(address);
        }
    }
}

/// A graph of the driver's: as it was captured until it is ready, and then one that can be launched.
#[derive(Debug)]
pub(super) struct Replay {
    /// Null once it is ready.
    graph: CUgraph,
    /// Null before that.
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
    /// A captured graph; it is destroyed whatever comes of this.
    pub(super) fn new(graph: CUgraph, held: Held, uses: Vec<(u64, Access)>) -> Result<Replay> {
        let mut replay = Replay {
            graph,
            exec: ptr::null_mut(),
            launches: 0,
            uses,
            held,
        };
        // SAFETY: the graph is alive, and the driver writes a count.
        let code = unsafe { sys::cuGraphGetNodes(graph, ptr::null_mut(), &mut replay.launches) };
        code.during("capture", replay.held.gpu.context().device)?;
        Ok(replay)
    }

    /// Destroys what was captured: it is in the graph that can be launched, or nowhere any more.
    fn forget_capture(&mut self) {
        destroy(std::mem::replace(&mut self.graph, ptr::null_mut()));
    }

    /// Has the driver put what was captured into the graph that it made of earlier work. False where it refuses, and has changed
    /// nothing.
    fn update(&mut self, earlier: &mut Replay) -> Result<bool> {
        if earlier.exec.is_null() || !Arc::ptr_eq(&earlier.held.gpu, &self.held.gpu) {
            return Ok(false);
        }
        let context = self.held.gpu.context();
        context.bind()?;
        let mut about = sys::CUgraphExecUpdateResultInfo {
            result: sys::CUgraphExecUpdateResult::CU_GRAPH_EXEC_UPDATE_SUCCESS,
            errorNode: ptr::null_mut(),
            errorFromNode: ptr::null_mut(),
        };
        // SAFETY: the context is current and both graphs are alive. Launches that still run are not affected.
        let code = unsafe { sys::cuGraphExecUpdate_v2(earlier.exec, self.graph, &mut about) };
        // Loops are nothing that every driver updates.
        if matches!(
            code,
            CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE | CUresult::CUDA_ERROR_NOT_SUPPORTED
        ) {
            tracing::debug!(?about, "a graph is made anew");
            return Ok(false);
        }
        context.check("update", code)?;
        self.exec = std::mem::replace(&mut earlier.exec, ptr::null_mut());
        self.forget_capture();
        Ok(true)
    }
}

/// Destroys a captured graph, if there is one; what was made of it stays.
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

    fn prepare(&mut self) -> Result<()> {
        let context = self.held.gpu.context();
        context.bind()?;
        // SAFETY: the context is current, the graph is alive, and the driver writes a handle.
        let code = unsafe { sys::cuGraphInstantiateWithFlags(&mut self.exec, self.graph, 0) };
        context.check("capture", code)?;
        self.forget_capture();
        Ok(())
    }

    fn replace(&mut self, earlier: &mut dyn Recorded) -> Result<Updated> {
        let earlier: &mut dyn Any = earlier;
        if let Some(earlier) = earlier.downcast_mut::<Replay>()
            && self.update(earlier)?
        {
            return Ok(Updated::InPlace);
        }
        self.prepare()?;
        Ok(Updated::Anew)
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
        self.forget_capture();
        if self.exec.is_null() || self.held.gpu.context().bind().is_err() {
            return;
        }
        // SAFETY: nobody launches it any more; the driver lets a launch that still runs come to its end.
        let code = unsafe { sys::cuGraphExecDestroy(self.exec) };
        tracing::debug!(?code, "a graph is destroyed");
    }
}
