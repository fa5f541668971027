//! A GPU as core's [`Device`].

use crate::context::gpu::{Cuda, open};
use crate::map::jit::{JitCounts, JitMode};
use crate::memory::{peer, staging};
use crate::streams::event::Interval;
use crate::streams::order::Access;
use crate::{graph, kernel};
use std::sync::Arc;
use syntonic_core::device::{Capture, Kernel, Launch, MemoryStats, Received};
use syntonic_core::fuse::Task;
use syntonic_core::profile::{HostClock, Stopwatch};
use syntonic_core::{Device, DeviceId, Error, Result};

/// GPU `ordinal` of this process; the same one for every caller.
///
/// Opening a GPU for the first time takes some tenths of a second.
///
/// # Errors
/// [`Error::NoDevice`](syntonic_core::Error::NoDevice) with the reason where there is no usable driver or no such GPU.
pub fn device(ordinal: u32) -> Result<Arc<dyn Device>> {
    open(ordinal).map(|gpu| gpu as Arc<dyn Device>)
}

impl Cuda {
    /// Limits the pool to `bytes` bytes; `None` leaves it to the card.
    pub fn set_memory_limit(&self, bytes: Option<usize>) {
        self.context.pool.set_limit(bytes);
    }

    /// Waits for the JIT until its compile queue is empty, and says how many kernels it has made. Measure steady-state speed
    /// after it.
    pub fn wait_for_jit(&self) -> JitCounts {
        self.context.compile_queue.wait_for_jit()
    }

    /// Sets when the JIT compiles programs.
    pub fn set_jit_mode(&self, mode: JitMode) {
        self.context.compile_queue.set_jit_mode(mode);
    }
}

/// The operands of a task as addresses.
fn operands(task: &Task<'_>) -> impl Iterator<Item = (u64, Access)> {
    let reads = task.inputs.iter().map(|s| (s.address as u64, Access::Read));
    let writes = task
        .outputs
        .iter()
        .map(|s| (s.address as u64, Access::Write));
    reads.chain(writes)
}

/// The operands of a kernel as addresses.
fn arguments(launch: &Launch) -> impl Iterator<Item = (u64, Access)> {
    let reads = launch.inputs.iter().map(|a| (a.base as u64, Access::Read));
    let writes = launch
        .outputs
        .iter()
        .map(|a| (a.base as u64, Access::Write));
    reads.chain(writes)
}

impl Device for Cuda {
    fn id(&self) -> DeviceId {
        self.context.device
    }

    fn identity(&self) -> String {
        let limits = self.context.limits();
        let (major, minor) = limits.capability;
        // A GPU that cannot say its name any more is still told by its size.
        let name = self.context.name().unwrap_or_else(|_| "GPU".to_owned());
        format!(
            "{name}, {major}.{minor}, {} multiprocessors, CUDA {}, kernels {}, syntonic {}",
            limits.multiprocessors,
            limits.driver,
            crate::images::DIGEST,
            env!("CARGO_PKG_VERSION")
        )
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        Ok(self.context.allocate(bytes)? as *mut u8)
    }

    unsafe fn release(&self, address: *mut u8, _bytes: usize) {
        self.context.release(address as u64);
    }

    unsafe fn upload(&self, to: *mut u8, from: &[u8]) -> Result<()> {
        let used = std::iter::once((to as u64, Access::Write));
        self.context.in_order(used, || {
            // SAFETY: the caller's promise.
            unsafe { staging::upload(&self.context, to as u64, from) }
        })
    }

    unsafe fn download(&self, to: &mut [u8], from: *const u8) -> Result<()> {
        let used = std::iter::once((from as u64, Access::Read));
        self.context.in_order(used, || {
            // SAFETY: the caller's promise.
            unsafe { staging::download(&self.context, to, from as u64) }
        })
    }

    unsafe fn receive(
        &self,
        to: *mut u8,
        source: &dyn Device,
        from: *const u8,
        bytes: usize,
    ) -> Result<Received> {
        let DeviceId::Cuda(ordinal) = source.id() else {
            return Ok(Received::NoWay);
        };
        let other = open(ordinal)?;
        // SAFETY: the caller's promise.
        unsafe { peer::copy(&self.context, to as u64, &other.context, from as u64, bytes)? };
        Ok(Received::Done)
    }

    fn sums_rows(&self) -> bool {
        true
    }

    /// None: a launch costs more than building an expression does.
    fn eager_elements(&self) -> usize {
        0
    }

    unsafe fn run(&self, task: &Task<'_>) -> Result<()> {
        // SAFETY: the caller's promise.
        let run = || unsafe { kernel::run(&self.context, task) };
        self.context.in_order(operands(task), run)
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        let _span = tracing::debug_span!("launch", kernel = kernel.name).entered();
        // SAFETY: the caller's promise.
        let launch = || unsafe { kernel::launch(&self.context, kernel, args) };
        let launched = self.context.in_order(arguments(args), launch);
        launched.map_err(|error| match error {
            // The operator's name says more than that of what it does inside.
            Error::Capture { .. } => error.named(kernel.name),
            other => other,
        })
    }

    fn warms_up(&self) -> bool {
        true
    }

    fn begin_capture(&self) -> Result<Box<dyn Capture>> {
        graph::begin(self.context.device)
    }

    fn stopwatch(&self) -> Result<Box<dyn Stopwatch>> {
        let DeviceId::Cuda(ordinal) = self.id() else {
            return Ok(Box::new(HostClock::start()));
        };
        Ok(Box::new(Interval::start(&open(ordinal)?)?))
    }

    fn synchronize(&self) -> Result<()> {
        let op = "synchronize";
        self.context.synchronize(op)?;
        self.context.links.wait(op, &self.context)
    }

    fn stats(&self) -> MemoryStats {
        self.context.pool.stats()
    }

    fn trim(&self) {
        if self.context.taking().is_some() {
            // What waits may be memory of the graph.
            return;
        }
        let trimmed = self.context.bind().and_then(|()| {
            // SAFETY: the context is current and the stream is its own.
            unsafe {
                self.context
                    .pool
                    .trim(self.context.stream(), &|| self.context.idle())
            }
        });
        self.context.order.forget();
        self.context.pinned.trim(self);
        if let Err(error) = trimmed {
            tracing::error!(%error, "trim");
        }
    }
}
