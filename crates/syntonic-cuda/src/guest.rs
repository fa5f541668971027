//! Work as a guest of another library: on its stream, and in memory of its allocator.
//!
//! An operator that another library calls gets that library's tensors and hands it new ones. During a [`Visit`] this thread's work
//! on a GPU goes to the library's stream, and all memory for it, results and scratch, is asked of a [`Host`]. The library orders
//! the uses of its memory itself, so nothing here records or awaits events; and what the stream captures into a CUDA graph of
//! the library holds, since the memory is of that graph's own.

use crate::block_counters::BYTES;
use crate::context::Context;
use crate::context::gpu::Cuda;
use cudarc::driver::sys::{self, CUstream, CUstreamCaptureMode, CUstreamCaptureStatus};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use syntonic_core::fork::lock;
use syntonic_core::graph::check;
use syntonic_core::{DeviceId, Result};

/// The allocator of another library.
pub trait Host: Send + Sync {
    /// New memory of `bytes` bytes, at a multiple of 256, for work on the stream of the visit.
    ///
    /// # Errors
    /// The library's own, most of all for want of memory.
    fn allocate(&self, bytes: usize) -> Result<Lodging>;
}

/// Memory of another library.
pub struct Lodging {
    /// Its first byte.
    pub address: u64,
    /// Keeps it; dropping gives it back, in the order of the stream.
    pub owner: Box<dyn Any + Send + Sync>,
}

impl fmt::Debug for Lodging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lodging({:#x})", self.address)
    }
}

/// Visits of all threads, to be asked where every launch comes by.
static OPEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The visits of this thread that have begun and not ended; the last one counts.
    static HERE: RefCell<Vec<(DeviceId, Arc<Guest>)>> = const { RefCell::new(Vec::new()) };
}

/// What a visit works with.
pub(crate) struct Guest {
    stream: usize,
    host: Arc<dyn Host>,
    is_captured: bool,
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guest({:#x})", self.stream)
    }
}

impl Guest {
    /// The visit that this thread is on, on a GPU.
    #[inline]
    pub(crate) fn here(device: DeviceId) -> Option<Arc<Guest>> {
        if OPEN.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let look = |here: &RefCell<Vec<(DeviceId, Arc<Guest>)>>| {
            let here = here.borrow();
            let found = here.iter().rev().find(|(d, _)| *d == device);
            found.map(|(_, guest)| guest.clone())
        };
        HERE.try_with(look).ok().flatten()
    }

    /// The host's stream.
    pub(crate) fn stream(&self) -> CUstream {
        self.stream as CUstream
    }

    /// Who gives memory.
    pub(crate) fn host(&self) -> &dyn Host {
        &*self.host
    }

    /// Block counters, ready for a launch. Those of a stream that is captured belong to the graph alone, and
    /// are made ready anew by each replay. Those that a stream keeps are memory of our own: a host may take its memory for the
    /// graph that it is about to capture, and count what is kept of it.
    pub(crate) fn counters(&self, context: &Context) -> Result<u64> {
        if !self.is_captured {
            let waiting = context.lodgings.waiting(self.stream);
            return waiting.map_or_else(|| context.zeros_to_keep(BYTES), Ok);
        }
        let address = context.lodgings.take(&*self.host, BYTES)?;
        // SAFETY: the host has just given so much memory, for work on the stream that the bytes are set on.
        let ready = unsafe { context.set_bytes(address, 0, BYTES) };
        ready.inspect_err(|_| drop(context.lodgings.give(address)))?;
        Ok(address)
    }

    /// Takes block counters back, for the next launch on the stream.
    pub(crate) fn give_counters(&self, context: &Context, address: u64) {
        match self.is_captured {
            true => drop(context.lodgings.give(address)),
            false => context.lodgings.keep(self.stream, address),
        }
    }
}

/// Memory of hosts that is in use, and block counters that wait for the next launch on their stream. A stream whose handle the
/// driver gives again later counts as the same: hosts keep their streams.
#[derive(Debug, Default)]
pub(crate) struct Lodgings {
    count: AtomicUsize,
    taken: Mutex<HashMap<u64, Lodging>>,
    counters: Mutex<HashMap<usize, Vec<u64>>>,
}

impl Lodgings {
    /// New memory of the host's.
    pub(crate) fn take(&self, host: &dyn Host, bytes: usize) -> Result<u64> {
        let lodging = host.allocate(bytes.max(1))?;
        let address = lodging.address;
        self.count.fetch_add(1, Ordering::Relaxed);
        lock(&self.taken).insert(address, lodging);
        Ok(address)
    }

    /// The memory at an address, if it is a host's, to be dropped by the caller, who holds no lock: an allocator may take its own.
    pub(crate) fn give(&self, address: u64) -> Option<Lodging> {
        if self.count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let lodging = lock(&self.taken).remove(&address)?;
        self.count.fetch_sub(1, Ordering::Relaxed);
        Some(lodging)
    }

    fn waiting(&self, stream: usize) -> Option<u64> {
        lock(&self.counters).get_mut(&stream)?.pop()
    }

    fn keep(&self, stream: usize, address: u64) {
        let mut counters = lock(&self.counters);
        counters.entry(stream).or_default().push(address);
    }
}

impl Context {
    /// The visit that this thread is on, on this GPU.
    pub(crate) fn guest(&self) -> Option<Arc<Guest>> {
        Guest::here(self.device)
    }

    /// Takes memory back that [`Context::allocate`] gave.
    pub(crate) fn release(&self, address: u64) {
        if self.lodgings.give(address).is_none() {
            self.pool.release(address);
        }
    }
}

/// This thread's work on a GPU is a guest's until this is dropped.
#[must_use = "the visit ends when this is dropped"]
#[derive(Debug)]
pub struct Visit {
    /// How this thread's calls stood to captures before.
    mode: Option<CUstreamCaptureMode>,
    /// It is this thread's.
    here: PhantomData<*const ()>,
}

impl Cuda {
    /// Begins a visit: until the result is dropped, this thread's work on the GPU goes to the stream with the driver's handle
    /// `stream` and into memory of `host`. Visits nest. Operands must be memory that the stream may use: the library's own
    /// tensors, and none of ours made outside of the visit.
    ///
    /// # Errors
    /// Inside a capture of ours.
    ///
    /// # Safety
    /// The handle is a stream of this GPU's primary context, or 0, 1 or 2 for the driver's own, and outlives the visit; `host`
    /// gives memory of this GPU.
    ///
    /// ```
    /// use cudarc::driver::{CudaStream, DevicePtr};
    /// use std::sync::Arc;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::{Error, Result};
    /// use syntonic_cuda::foreign;
    /// use syntonic_cuda::guest::{Host, Lodging};
    ///
    /// /// A library that allocates with cudarc, in its own stream.
    /// struct Library(Arc<CudaStream>);
    ///
    /// impl Host for Library {
    ///     fn allocate(&self, bytes: usize) -> Result<Lodging> {
    ///         // SAFETY: nothing reads the bytes before an operator has written them.
    ///         let memory = unsafe { self.0.alloc::<u8>(bytes) };
    ///         let memory = memory.map_err(|error| Error::value("allocate", error.to_string()))?;
    ///         let address = memory.device_ptr(&self.0).0;
    ///         Ok(Lodging { address, owner: Box::new(memory) })
    ///     }
    /// }
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let stream = gpu.context().driver().new_stream()?;
    ///     let numbers = stream.clone_htod(&[1.0_f32, 2.0, 3.0])?;
    ///     let address = numbers.device_ptr(&stream).0;
    ///     let host = Arc::new(Library(stream.clone()));
    ///     // SAFETY: stream and memory are of this GPU's primary context and outlive the visit; nobody writes the numbers.
    ///     let (x, visit) = unsafe {
    ///         let x = foreign::tensor(&gpu, address, &[3], DType::F32, Box::new(numbers))?;
    ///         (x, gpu.visit(stream.cu_stream() as usize, host)?)
    ///     };
    ///     // In the library's stream, and into its memory.
    ///     let y = (&x * &x + 1.0).eval()?;
    ///     assert_eq!(y.to_vec::<f32>()?, [2.0, 5.0, 10.0]);
    ///     drop((y, visit));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn visit(&self, stream: usize, host: Arc<dyn Host>) -> Result<Visit> {
        let context = self.context();
        check("visit", context.device)?;
        context.bind()?;
        let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        // SAFETY: the context is current, the stream is one of its own by the caller's promise, and the driver writes one number.
        let code = unsafe { sys::cuStreamIsCapturing(stream as CUstream, &mut status) };
        context.check("visit", code)?;
        let is_captured = status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        // A kernel that is loaded at its first use is no work of the stream: the capture has nothing to fear of it.
        let mode =
            is_captured.then(|| exchange(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED));
        let guest = Guest {
            stream,
            host,
            is_captured,
        };
        OPEN.fetch_add(1, Ordering::Relaxed);
        HERE.with_borrow_mut(|here| here.push((context.device, Arc::new(guest))));
        Ok(Visit {
            mode,
            here: PhantomData,
        })
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        // While a thread ends, its visits may be gone already.
        let _ = HERE.try_with(|here| here.borrow_mut().pop());
        OPEN.fetch_sub(1, Ordering::Relaxed);
        if let Some(mode) = self.mode {
            exchange(mode);
        }
    }
}

/// Sets how this thread's calls stand to captures of the process, and says how they stood.
pub(crate) fn exchange(mode: CUstreamCaptureMode) -> CUstreamCaptureMode {
    let mut mode = mode;
    // SAFETY: the driver reads and writes one number. It refuses none of the modes.
    let _ = unsafe { sys::cuThreadExchangeStreamCaptureMode(&mut mode) };
    mode
}
