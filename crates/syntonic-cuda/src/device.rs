//! A GPU as core's [`Device`].

use crate::context::gpu::{Cuda, open};
use crate::memory::{peer, staging};
use crate::rows::jit::steps;
use crate::streams::event::Interval;
use crate::streams::order::Access;
use crate::{graph, kernel, map};
use std::sync::Arc;
use syntonic_core::device::{
    Again, Capture, CapturedLoop, Image, Kernel, Launch, MemoryStats, OneLaunch, Received, Steps,
};
use syntonic_core::fuse::Task;
use syntonic_core::lazy::Fusing;
use syntonic_core::profile::{HostClock, Stopwatch};
use syntonic_core::{Device, DeviceId, Error, Result};

/// GPU `ordinal` of this process; the same one for every caller.
///
/// Opening a GPU for the first time takes some tenths of a second.
///
/// # Errors
/// [`Error::NoDevice`](syntonic_core::Error::NoDevice) with the reason where there is no usable driver or no such GPU.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// match syntonic_cuda::device(0) {
///     Ok(gpu) => {
///         let x = Tensor::from([1.0, 2.0, 3.0]).to(&gpu)?;
///         assert_eq!((x * 2).to_vec::<f64>()?, [2.0, 4.0, 6.0]);
///     }
///     // The sentence says what is missing.
///     Err(error) => assert!(error.to_string().contains("cuda:0")),
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn device(ordinal: u32) -> Result<Arc<dyn Device>> {
    open(ordinal).map(|gpu| gpu as Arc<dyn Device>)
}

impl Cuda {
    /// Limits the pool to `bytes` bytes; `None` leaves it to the card.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let (gpu, device) = (syntonic_cuda::open(0)?, syntonic_cuda::device(0)?);
    ///     gpu.set_memory_limit(Some(64 << 20));
    ///     let large = Tensor::ones_on(&[32 << 20], DType::F32, &device).and_then(|x| x.eval());
    ///     assert!(matches!(large, Err(syntonic_core::Error::OutOfMemory { .. })));
    ///     gpu.set_memory_limit(None);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn set_memory_limit(&self, bytes: Option<usize>) {
        self.context.pool.set_limit(bytes);
    }
}

/// The operands of a task as addresses.
fn operands(task: &Task<'_>) -> impl Iterator<Item = (u64, Access)> {
    let inputs = task.inputs.iter().enumerate();
    let reads = inputs.filter(|(k, _)| !task.program.is_index(*k));
    let reads = reads.map(|(_, s)| (s.address as u64, Access::Read));
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

    /// Arithmetic costs little beside memory: what a gradient shares is computed again, and all of it fits one program.
    fn fusion(&self) -> Fusing {
        Fusing {
            expressions: 160,
            recomputed: 24,
            repeated: 40_000_000,
        }
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

    unsafe fn run_each(&self, tasks: &[Task<'_>]) -> Result<()> {
        // SAFETY: the caller's promise.
        let run = || unsafe { map::each::run(&self.context, tasks) };
        self.context.in_order(tasks.iter().flat_map(operands), run)
    }

    fn one_launch(&self, steps: &Steps) -> Result<Option<Box<dyn OneLaunch>>> {
        let DeviceId::Cuda(ordinal) = self.id() else {
            return Ok(None);
        };
        steps::one_launch(&open(ordinal)?, steps)
    }

    unsafe fn launch_of(&self, image: &Image) -> Result<Option<Box<dyn OneLaunch>>> {
        let DeviceId::Cuda(ordinal) = self.id() else {
            return Ok(None);
        };
        steps::launch_of(&open(ordinal)?, image)
    }

    fn overwrites(&self, task: &Task<'_>) -> bool {
        // The last launch of a program without rows is the one that writes its result.
        task.outputs.len() == 1 && !task.has_rows()
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        let _span = tracing::debug_span!("launch", kernel = kernel.name).entered();
        let Some(adapter) = kernel::of(kernel.name) else {
            // SAFETY: the caller's promise.
            return unsafe { kernel::registry::launch(self.context.device, kernel, args) };
        };
        // SAFETY: the caller's promise is the kernel's contract, which the adapter keeps.
        let launch = || unsafe { adapter(&self.context, args) };
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

    unsafe fn begin_loop(&self, again: Again) -> Result<Box<dyn CapturedLoop>> {
        // SAFETY: the caller's promise.
        unsafe { graph::begin_loop(self.context.device, again) }
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
        self.context.managed.free(&self.context, None);
        if let Err(error) = trimmed {
            tracing::error!(%error, "trim");
        }
    }
}
