//! One GPU: its context, its compute stream, its memory and its kernels.

pub(crate) mod gpu;
mod launch;
mod limits;
mod scratch;
mod wait;

pub(crate) use launch::Blocks;
pub(crate) use limits::Limits;
pub(crate) use scratch::Scratch;

use crate::blas::Blas;
use crate::block_counters::Sets;
use crate::driver::fault::{Checked, fault, is_fatal, loss};
use crate::driver::reason::CudaVersion;
use crate::fourier::Fourier;
use crate::graph::{Captures, Taking};
use crate::guest::Lodgings;
use crate::jit::Jit;
use crate::memory::managed::Leaving;
use crate::memory::peer::Links;
use crate::memory::pinned::Waiting;
use crate::memory::pool::Pool;
use crate::memory::staging::Staging;
use crate::modules::function::{Entry, Function};
use crate::modules::module::Modules;
use crate::rows::jit::PreparedTasks;
use crate::service::leases::Leases;
use crate::solver::Solver;
use crate::streams::order::{Access, Order};
use crate::streams::stream;
use cudarc::driver::sys::{self, CUdevice_attribute, CUresult};
use cudarc::driver::{CudaContext, CudaStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use syntonic_core::fork::Home;
use syntonic_core::graph::check;
use syntonic_core::{DeviceId, Result};

/// How a kernel is spread over the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// Blocks along x, y and z.
    pub(crate) grid: [u32; 3],
    /// Threads per block.
    pub(crate) block: u32,
    /// Bytes of shared memory that the launch adds to what the kernel declares.
    pub(crate) shared: u32,
}

impl Geometry {
    /// The most blocks along the second and the third axis of a grid.
    pub(crate) const BEYOND: u32 = 65_535;

    /// `blocks` blocks of `threads` threads, with no added shared memory.
    pub(crate) fn line(blocks: u64, threads: u32) -> Geometry {
        Geometry {
            grid: [blocks.min(i32::MAX as u64) as u32, 1, 1],
            block: threads,
            shared: 0,
        }
    }
}

/// One GPU as this process uses it. It shares the driver's primary context with other libraries.
pub struct Context {
    pub(crate) device: DeviceId,
    pub(crate) pool: Pool,
    pub(crate) blas: Blas,
    pub(crate) solver: Solver,
    pub(crate) fourier: Fourier,
    pub(crate) order: Order,
    pub(crate) links: Links,
    pub(crate) staging: Staging,
    pub(crate) pinned: Waiting,
    pub(crate) managed: Leaving,
    pub(crate) block_counters: Sets,
    pub(crate) captures: Captures,
    pub(crate) lodgings: Lodgings,
    pub(crate) leases: Arc<Leases>,
    modules: Modules,
    pub(crate) jit: Jit,
    pub(crate) prepared: PreparedTasks,
    compute: Arc<CudaStream>,
    driver: Arc<CudaContext>,
    /// The process that opened it: a driver does not survive a fork.
    home: Home,
    limits: Limits,
    lost: AtomicBool,
    /// The kernel launched last, for the error of a lost context.
    pub(crate) last: AtomicPtr<Entry>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Context({})", self.device)
    }
}

impl Context {
    /// Opens GPU `ordinal` of a driver of `version`, which has answered before ([`crate::driver()`]).
    pub(crate) fn open(ordinal: u32, version: CudaVersion) -> Result<Context> {
        let device = DeviceId::Cuda(ordinal);
        let op = "open";
        let driver = CudaContext::new(ordinal as usize).during(op, device)?;
        // SAFETY: no slice of cudarc's exists yet, and none is ever made: ordering is ours.
        unsafe { driver.disable_event_tracking() };
        let compute = driver.new_stream().during(op, device)?;
        let ask = |what: CUdevice_attribute| -> Result<u32> {
            Ok(driver.attribute(what).during(op, device)?.max(0) as u32)
        };
        use CUdevice_attribute as A;
        let capability = (
            ask(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            ask(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        Ok(Context {
            device,
            pool: Pool::new(device, driver.cu_device())?,
            blas: Blas::default(),
            solver: Solver::default(),
            fourier: Fourier::default(),
            order: Order::default(),
            links: Links::default(),
            staging: Staging::default(),
            pinned: Waiting::default(),
            managed: Leaving::default(),
            block_counters: Sets::default(),
            captures: Captures::default(),
            lodgings: Lodgings::default(),
            leases: Arc::default(),
            modules: Modules::new(device, capability),
            jit: Jit::default(),
            prepared: PreparedTasks::default(),
            limits: Limits {
                capability,
                multiprocessors: ask(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
                shared: ask(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
                cache: ask(A::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?,
                driver: version,
            },
            home: Home::here(),
            lost: AtomicBool::new(false),
            last: AtomicPtr::default(),
            compute,
            driver,
        })
    }

    /// The properties of the card that decide how work is spread.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Number of streaming multiprocessors.
    pub(crate) fn multiprocessors(&self) -> u32 {
        self.limits.multiprocessors
    }

    /// Compute capability, such as (9, 0).
    pub(crate) fn capability(&self) -> (u32, u32) {
        self.limits.capability
    }

    /// Bytes of shared memory that one block may have.
    pub(crate) fn shared_limit(&self) -> u32 {
        self.limits.shared
    }

    /// The GPU's name as the driver has it.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     println!("{}", syntonic_cuda::open(0)?.context().name()?);
    ///     assert!(!syntonic_cuda::open(0)?.context().name()?.is_empty());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn name(&self) -> Result<String> {
        self.driver.name().during("name", self.device)
    }

    /// Bytes free and in all on the card, other processes included.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     let (free, total) = syntonic_cuda::open(0)?.context().free_and_total()?;
    ///     assert!(free <= total && total > 0);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn free_and_total(&self) -> Result<(usize, usize)> {
        self.bind()?;
        cudarc::driver::result::mem_get_info().during("memory info", self.device)
    }

    /// cudarc's context, for programs that use both.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let numbers = gpu.context().driver().default_stream().clone_htod(&[1_u8, 2, 3])?;
    ///     assert_eq!(numbers.len(), 3);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn driver(&self) -> &Arc<CudaContext> {
        &self.driver
    }

    /// The stream that this thread's work goes to.
    pub(crate) fn stream(&self) -> sys::CUstream {
        if let Some(taking) = self.taking() {
            return taking.stream();
        }
        if let Some(guest) = self.guest() {
            return guest.stream();
        }
        if !self.order.matters() {
            return self.compute.cu_stream();
        }
        stream::chosen(self.device).unwrap_or(self.compute.cu_stream())
    }

    /// The capture that this thread is in on this GPU.
    pub(crate) fn taking(&self) -> Option<Arc<Taking>> {
        Taking::here(self.device)
    }

    /// The GPU's own stream.
    pub(crate) fn compute(&self) -> &Arc<CudaStream> {
        &self.compute
    }

    /// Work may go to several streams from now on.
    pub(crate) fn begin_several_streams(&self) -> Result<()> {
        if !self.order.matters() {
            self.wait_for("new stream", self.compute.cu_stream())?;
            self.order.begin();
        }
        Ok(())
    }

    /// Runs `work` on this thread's stream, after the work of other streams on the same memory.
    pub(crate) fn in_order<T>(
        &self,
        addresses: impl Iterator<Item = (u64, Access)>,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        if let Some(taking) = self.taking() {
            // Nothing runs now: a replay will wait for the others.
            addresses.for_each(|(at, access)| taking.note(self.pool.block_of(at), access));
            return work();
        }
        // A host orders the uses of its memory itself.
        if !self.order.matters() || self.guest().is_some() {
            return work();
        }
        self.bind()?;
        let stream = self.stream();
        let blocks: Vec<(u64, Access)> = addresses
            .map(|(address, access)| (self.pool.block_of(address), access))
            .collect();
        self.order.before(self, stream, &blocks)?;
        let result = work();
        // Work that failed half way may have used the memory too.
        self.order.after(self, stream, &blocks)?;
        result
    }

    /// Whether this is a child of the process that opened it.
    pub(crate) fn is_of_parent(&self) -> bool {
        self.home.is_elsewhere()
    }

    /// Makes the context current on this thread.
    ///
    /// # Errors
    /// In a child of the process that opened it, whose locks may be held by threads that are no more.
    pub(crate) fn bind(&self) -> Result<()> {
        if self.is_of_parent() {
            return Err(fault(
                "bind",
                self.device,
                CUresult::CUDA_ERROR_NOT_INITIALIZED,
            ));
        }
        self.driver.bind_to_thread().during("bind", self.device)
    }

    /// Remembers that the context is lost, and passes the error on.
    pub(crate) fn check(&self, op: &str, code: CUresult) -> Result<()> {
        if code == CUresult::CUDA_SUCCESS {
            return Ok(());
        }
        if !is_fatal(code) {
            return Err(fault(op, self.device, code));
        }
        self.lost.store(true, Ordering::Relaxed);
        // SAFETY: null, or what `launch` put there: an entry that lives as long as the process.
        let last = unsafe { self.last.load(Ordering::Relaxed).as_ref() };
        Err(loss(op, self.device, code, last.map(|e| e.name.as_str())))
    }

    /// True once a kernel fault has made everything on this GPU unusable.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     assert!(!syntonic_cuda::open(0)?.context().is_lost());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Family and name of every kernel that this process requested on the GPU, sorted.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     Tensor::full_on(&[5], 1.0, DType::F32, &syntonic_cuda::device(0)?)?.eval()?;
    ///     let used = syntonic_cuda::open(0)?.context().kernels_used();
    ///     assert!(used.is_sorted() && used.iter().any(|(family, _)| *family == "fill"));
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn kernels_used(&self) -> Vec<(&'static str, String)> {
        self.modules.used()
    }

    /// The entry of an image family, loaded at the first request.
    pub(crate) fn function(&self, family: &'static str, entry: &str) -> Result<Function> {
        self.bind()?;
        if let Some(function) = self.modules.known(family, entry) {
            return Ok(function);
        }
        // Loading may wait for the whole GPU.
        self.leases.ask_to_leave();
        self.modules.function(family, entry)
    }

    /// Scratch memory for one operation, ordered by this thread's stream.
    pub(crate) fn scratch(&self, bytes: usize) -> Result<Scratch<'_>> {
        Ok(Scratch {
            context: self,
            address: match self.taking() {
                Some(taking) => taking.scratch(self, bytes)?,
                None => self.allocate(bytes)?,
            },
        })
    }

    pub(crate) fn allocate(&self, bytes: usize) -> Result<u64> {
        if let Some(taking) = self.taking() {
            return taking.allocate(self, bytes);
        }
        if let Some(guest) = self.guest() {
            return self.lodgings.take(guest.host(), bytes);
        }
        if let Some(block) = self.pool.waiting(bytes) {
            if self.order.matters() {
                // Earlier users are recorded: this stream waits for them.
                let used = [(block, Access::Write)];
                self.order
                    .before(self, self.stream(), &used)
                    .inspect_err(|_| self.pool.release(block))?;
            }
            return Ok(block);
        }
        self.bind()?;
        let stream = self.stream();
        // SAFETY: the context is current and the stream is its own.
        let block = unsafe { self.pool.allocate(bytes, stream, &|| self.idle())? };
        if self.order.matters() {
            let used = [(block, Access::Write)];
            self.order.before(self, stream, &used)?;
            // Other streams may use new memory only after this stream's allocation.
            self.order.after(self, stream, &used)?;
        }
        Ok(block)
    }

    /// Copies host bytes to the GPU; they may be changed as soon as this returns.
    ///
    /// # Safety
    /// `to` has room for them.
    pub(crate) unsafe fn upload(&self, to: u64, from: &[u8]) -> Result<()> {
        if from.is_empty() {
            return Ok(());
        }
        self.reach("upload")?;
        // SAFETY: the slice is alive until the wait below returns; the room is the caller's promise.
        let code = unsafe {
            sys::cuMemcpyHtoDAsync_v2(to, from.as_ptr().cast(), from.len(), self.stream())
        };
        self.check("upload", code)?;
        self.settle("upload")
    }

    /// Copies bytes from the GPU, after all earlier work of this thread's stream.
    ///
    /// # Safety
    /// `from` has that many initialised bytes.
    pub(crate) unsafe fn download(&self, to: &mut [u8], from: u64) -> Result<()> {
        if to.is_empty() {
            return Ok(());
        }
        check("download", self.device)?;
        self.reach("download")?;
        // SAFETY: the slice is alive until the wait below returns; the source is the caller's promise.
        let code = unsafe {
            sys::cuMemcpyDtoHAsync_v2(to.as_mut_ptr().cast(), from, to.len(), self.stream())
        };
        self.check("download", code)?;
        self.settle("download")
    }

    /// Waits for all work on the GPU. The driver refuses that while any thread captures, and spoils the capture.
    pub(crate) fn idle(&self) -> Result<()> {
        self.leases.ask_to_leave();
        let alone = self
            .captures
            .unless_open(|| cudarc::driver::result::ctx::synchronize().during("wait", self.device));
        match alone {
            Some(done) => done?,
            None => {
                self.bind()?;
                // SAFETY: the context is current and the stream is its own, which nobody captures.
                let code = unsafe { sys::cuStreamSynchronize(self.compute.cu_stream()) };
                self.check("wait", code)?;
            }
        }
        // Streams of other GPUs may still read memory of this one.
        self.order.wait(self)
    }

    /// A small value from the GPU, such as a status word; waits for the work before it.
    ///
    /// # Safety
    /// `at` holds an initialised `T` without padding.
    pub(crate) unsafe fn read<T: Copy + Default>(&self, at: u64) -> Result<T> {
        let mut value = T::default();
        // SAFETY: the bytes of a plain value without padding may be written one by one.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut((&raw mut value).cast::<u8>(), size_of::<T>())
        };
        // SAFETY: the caller's promise.
        unsafe { self.download(bytes, at)? };
        Ok(value)
    }

    /// Sets bytes, in this thread's stream.
    ///
    /// # Safety
    /// `at` has room for them.
    pub(crate) unsafe fn set_bytes(&self, at: u64, value: u8, bytes: usize) -> Result<()> {
        self.bind()?;
        // SAFETY: the context is current; the room is the caller's promise.
        let code = unsafe { sys::cuMemsetD8Async(at, value, bytes, self.stream()) };
        self.check("fill", code)
    }

    /// Makes stream `then` wait for all earlier work of `first`. The context must be current.
    pub(crate) fn link(&self, first: sys::CUstream, then: sys::CUstream) -> Result<()> {
        self.order.point(self, first)?.hold(self, then)
    }

    /// Notes that this stream has written memory which other streams may use next.
    pub(crate) fn written_in_order(&self, address: u64) {
        if !self.order.matters() || self.taking().is_some() || self.guest().is_some() {
            return;
        }
        let used = [(address, Access::Write)];
        if let Err(error) = self.order.after(self, self.stream(), &used) {
            tracing::error!(%error, "the order of streams");
        }
    }
}
