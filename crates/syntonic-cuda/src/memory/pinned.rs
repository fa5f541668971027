//! Page-locked memory of the host, from and to which GPUs copy by themselves.
//!
//! A tensor in it is a tensor of the CPU like any other. Its large copies skip the ring of `staging`, and
//! [`copies`](crate::copies) of it return before they are done. Locking pages costs far more than copying them, so freed blocks
//! wait for the next request of their size.
//!
//! ```
//! use syntonic_core::{DType, Tensor};
//! use syntonic_cuda::{open, pinned};
//!
//! let x = Tensor::from_vec(vec![1.0f32, 2.0, 3.0], &[3])?;
//! assert!(!pinned::is_pinned(&x));
//! match open(0) {
//!     Ok(gpu) => assert!(pinned::is_pinned(&pinned::pin(&gpu, &x)?)),
//!     Err(error) => assert!(error.to_string().contains("not available")),
//! }
//! # Ok::<(), syntonic_core::Error>(())
//! ```

use crate::context::gpu::Cuda;
use crate::driver::fault::fault;
use crate::memory::bytes;
use crate::streams::event::Point;
use cudarc::driver::sys::{self, CUpointer_attribute, CUresult};
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use syntonic_core::fork::{Locked, lock};
use syntonic_core::graph::check;
use syntonic_core::{
    Buffer, DType, Device, DeviceId, Error, Keeper, Layout, Result, Tensor, Use, cpu, room,
};

/// What no graph can have, by name.
const LOCKING: &str = "page-locking memory";
/// Sizes are multiples of a page, of this at least, and of a sixteenth of the next power of two.
const PAGE: usize = 4 << 10;
/// No more bytes wait for their next use.
const MOST_WAITING: usize = 1 << 30;

/// A row-major tensor of zeros in page-locked memory of the host, for any GPU of this process.
///
/// # Errors
/// [`Error::NoRoomFor`] where the system locks no more pages, [`Error::SizeOverflow`] for a size beyond any memory, and
/// [`Error::Capture`] inside of a capture.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::pinned;
///
/// if syntonic_cuda::device_count() > 0 {
///     let x = pinned::zeros(&syntonic_cuda::open(0)?, &[2, 3], DType::F32)?;
///     assert!(x.device_id() == DeviceId::Cpu && pinned::is_pinned(&x));
///     assert_eq!(x.to_vec::<f32>()?, [0.0; 6]);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn zeros(gpu: &Arc<Cuda>, shape: &[usize], dtype: DType) -> Result<Tensor> {
    let out = empty(gpu, shape, dtype)?;
    let buffer = out.buffer()?;
    // SAFETY: the block is new and has these bytes, and zeros are elements of every type.
    unsafe { std::ptr::write_bytes(buffer.address(), 0, buffer.bytes()) };
    Ok(out)
}

/// Row-major elements that whoever asks has all of written before anybody reads.
///
/// # Errors
/// As [`zeros`].
pub(crate) fn empty(gpu: &Arc<Cuda>, shape: &[usize], dtype: DType) -> Result<Tensor> {
    check(LOCKING, DeviceId::Cpu)?;
    check(LOCKING, gpu.id())?;
    let buffer = Block::take(gpu, bytes("pinned", shape, dtype)?)?;
    let layout = Layout::contiguous("pinned", shape)?;
    // SAFETY: nobody else has the memory, and nobody reads before it is written.
    unsafe { Tensor::from_buffer(dtype, layout, Arc::new(buffer)) }
}

/// The values of `x` in page-locked memory of the host, row-major: `x` itself where it lies so already.
///
/// # Errors
/// As [`zeros`], and those of a pending `x` or a copy from its GPU.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::pinned;
///
/// if syntonic_cuda::device_count() > 0 {
///     let gpu = syntonic_cuda::open(0)?;
///     let x = pinned::pin(&gpu, &Tensor::from([1.0, 2.0]))?;
///     assert!(pinned::is_pinned(&x) && pinned::pin(&gpu, &x)?.shares_storage(&x));
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn pin(gpu: &Arc<Cuda>, x: &Tensor) -> Result<Tensor> {
    if is_pinned(x) && x.is_contiguous() {
        return Ok(x.clone());
    }
    let mut out = empty(gpu, x.shape(), x.dtype())?;
    out.assign(&x.to(&cpu())?)?;
    Ok(out)
}

/// Whether the elements lie in memory that [`zeros`], [`pin`] or [`download`](crate::copies::download) gave. A pending expression
/// lies nowhere yet.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::pinned;
///
/// assert!(!pinned::is_pinned(&Tensor::from([1.0, 2.0])));
/// ```
pub fn is_pinned(x: &Tensor) -> bool {
    block(x).is_some()
}

/// The block that keeps a tensor's memory.
pub(crate) fn block(x: &Tensor) -> Option<&Block> {
    let keeper: &dyn Any = &**x.keeper()?;
    keeper.downcast_ref()
}

/// Whether the driver copies from and to all of this memory by itself, whoever locked its pages. The driver has to be open.
pub(crate) fn is_locked(address: usize, bytes: usize) -> bool {
    let ask = |what: CUpointer_attribute| -> Option<usize> {
        let mut answer = 0u64;
        // SAFETY: the driver is open, any address may be asked about, and none of the attributes asked for is larger.
        let code =
            unsafe { sys::cuPointerGetAttribute((&raw mut answer).cast(), what, address as u64) };
        (code == CUresult::CUDA_SUCCESS).then_some(answer as usize)
    };
    use CUpointer_attribute as A;
    let host = sys::CUmemorytype::CU_MEMORYTYPE_HOST as usize;
    if ask(A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE) != Some(host) {
        return false;
    }
    let first = ask(A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
    let room = ask(A::CU_POINTER_ATTRIBUTE_RANGE_SIZE);
    let end = first
        .zip(room)
        .map(|(first, room)| first.saturating_add(room));
    end.is_some_and(|end| address.saturating_add(bytes) <= end)
}

/// A copy in flight.
#[derive(Debug)]
struct Flight {
    gpu: Arc<Cuda>,
    /// How it uses the host's memory.
    access: Use,
    end: Point,
}

impl Flight {
    fn is_done(&self) -> bool {
        self.gpu.context().bind().is_ok() && self.end.is_done()
    }

    fn wait(&self) -> Result<()> {
        self.gpu.context().bind()?;
        self.end.wait(self.gpu.context())
    }
}

/// Page-locked pages, with the copies in flight that use them.
#[derive(Debug)]
struct Pages {
    address: *mut u8,
    bytes: usize,
    flights: Vec<Flight>,
}

// SAFETY: the address is only a number; who has the pages decides who uses the memory behind it.
unsafe impl Send for Pages {}

impl Pages {
    /// New pages. The context must be current.
    fn lock(bytes: usize) -> std::result::Result<Pages, CUresult> {
        let mut address = std::ptr::null_mut();
        // SAFETY: the context is current, and the driver writes one address.
        match unsafe { sys::cuMemHostAlloc(&mut address, bytes, sys::CU_MEMHOSTALLOC_PORTABLE) } {
            CUresult::CUDA_SUCCESS => Ok(Pages {
                address: address.cast(),
                bytes,
                // few: one for each copy in flight.
                flights: Vec::new(),
            }),
            code => Err(code),
        }
    }

    /// Whether no copy uses them any more; forgets those that are done.
    fn is_idle(&mut self) -> bool {
        self.flights.retain(|flight| !flight.is_done());
        self.flights.is_empty()
    }

    /// Gives them back to the system, after the copies that use them.
    fn free(self, gpu: &Cuda) {
        let waited = self.flights.iter().try_for_each(Flight::wait);
        let waited = waited.and_then(|()| gpu.context().bind());
        if let Err(error) = waited {
            // A copy may still write them, and in a context that is lost nothing can be given back.
            tracing::error!(%error, "page-locked memory is kept");
            return;
        }
        gpu.context().leases.ask_to_leave();
        // SAFETY: the address came from the driver, once, and no copy uses the memory any more.
        let code = unsafe { sys::cuMemFreeHost(self.address.cast()) };
        tracing::debug!(?code, "page-locked memory is given back");
    }
}

/// Blocks that wait for their next use.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Mutex<Blocks>);

#[derive(Debug, Default)]
struct Blocks {
    /// By size.
    free: HashMap<usize, Vec<Pages>>,
    bytes: usize,
}

impl Waiting {
    fn blocks(&self) -> Locked<'_, Blocks> {
        lock(&self.0)
    }

    /// Pages of this size that no copy uses.
    fn take(&self, bytes: usize) -> Option<Pages> {
        let mut blocks = self.blocks();
        let free = blocks.free.get_mut(&bytes)?;
        let at = free.iter_mut().position(Pages::is_idle)?;
        let pages = free.swap_remove(at);
        blocks.bytes -= bytes;
        Some(pages)
    }

    /// Keeps pages, unless too many wait already: then they come back.
    fn put(&self, pages: Pages) -> Option<Pages> {
        let mut blocks = self.blocks();
        if blocks.bytes + pages.bytes > MOST_WAITING {
            return Some(pages);
        }
        blocks.bytes += pages.bytes;
        // few: as many as there were at once.
        blocks.free.entry(pages.bytes).or_default().push(pages);
        None
    }

    /// Gives all of them back to the system.
    pub(crate) fn trim(&self, gpu: &Cuda) {
        let blocks = std::mem::take(&mut *self.blocks());
        let all = blocks.free.into_values().flatten();
        all.for_each(|pages| pages.free(gpu));
    }
}

/// The bytes of the block that serves a request.
fn class(bytes: usize) -> usize {
    let bytes = bytes.max(1);
    let step = (bytes.next_power_of_two() / 16).max(PAGE);
    bytes.div_ceil(step) * step
}

/// Who keeps the memory of a pinned tensor.
#[derive(Debug)]
pub(crate) struct Block {
    gpu: Arc<Cuda>,
    pages: Mutex<Option<Pages>>,
}

impl Block {
    /// Memory of the host for so many bytes.
    fn take(gpu: &Arc<Cuda>, bytes: usize) -> Result<Buffer> {
        let (context, size) = (gpu.context(), class(bytes));
        let pages = match context.pinned.take(size) {
            Some(pages) => pages,
            None => {
                context.bind()?;
                // The driver waits for the whole GPU.
                context.leases.ask_to_leave();
                let pages = Pages::lock(size).or_else(|_| {
                    context.pinned.trim(gpu);
                    Pages::lock(size)
                });
                pages.map_err(|code| refused(context.device, bytes, code))?
            }
        };
        let address = pages.address;
        let keeper = Arc::new(Block {
            gpu: gpu.clone(),
            pages: Mutex::new(Some(pages)),
        });
        // SAFETY: the pages have room, and are the keeper's until it is dropped.
        Ok(unsafe { Buffer::kept(&cpu(), address, bytes, keeper) })
    }

    /// Asks for a copy on a stream and remembers it: `ask` returns once the driver knows of it. The context must be current.
    pub(crate) fn fly(
        &self,
        gpu: &Arc<Cuda>,
        access: Use,
        stream: sys::CUstream,
        ask: impl FnOnce(sys::CUstream) -> Result<()>,
    ) -> Result<()> {
        let context = gpu.context();
        let mut pages = self.pages();
        let Some(pages) = pages.as_mut() else {
            return Ok(());
        };
        pages.flights.retain(|flight| !flight.is_done());
        room::more(&mut pages.flights, 1)?;
        ask(stream)?;
        match context.order.point(context, stream) {
            Ok(end) => pages.flights.push(Flight {
                gpu: gpu.clone(),
                access,
                end,
            }),
            // Without an event to wait for later, the copy is waited for now.
            Err(_) => context.wait_for("copy", stream)?,
        }
        Ok(())
    }

    fn pages(&self) -> Locked<'_, Option<Pages>> {
        lock(&self.pages)
    }
}

/// The error for memory that was not locked.
fn refused(device: DeviceId, bytes: usize, code: CUresult) -> Error {
    let op = format!("{LOCKING} of {bytes} bytes");
    match code {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::NoRoomFor {
            op,
            device: DeviceId::Cpu,
            what: "the system locks no more pages".to_owned(),
        },
        other => fault(&op, device, other),
    }
}

impl Keeper for Block {
    fn wait(&self, before: Use) -> Result<()> {
        let mut pages = self.pages();
        let Some(pages) = pages.as_mut().filter(|pages| !pages.flights.is_empty()) else {
            return Ok(());
        };
        let matters = |flight: &Flight| before == Use::Write || flight.access == Use::Write;
        for flight in pages.flights.iter().filter(|flight| matters(flight)) {
            flight.wait()?;
        }
        pages.flights.retain(|flight| !matters(flight));
        Ok(())
    }

    fn is_busy(&self) -> bool {
        self.pages().as_mut().is_some_and(|pages| !pages.is_idle())
    }

    fn another(&self, bytes: usize) -> Result<Buffer> {
        Block::take(&self.gpu, bytes)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let pages = self.pages().take();
        let back = pages.and_then(|pages| self.gpu.context().pinned.put(pages));
        if let Some(pages) = back {
            pages.free(&self.gpu);
        }
    }
}
