//! Copies from one GPU to another.
//!
//! The first copy between two GPUs opens the way: where the cards reach each other's memory ([`peer_access`]), the driver is told to let
//! them, for what it gives by any allocator. Where they do not, it takes copies through the host's memory by itself, and they are as right.
//!
//! [`copy`] is work of the current streams of both GPUs. [`copy_beside`] has a stream of its own for each pair, beside their work: what
//! uses the memory of either side follows it, and all else overlaps it.

use crate::context::Context;
use crate::context::gpu::{Cuda, open};
use crate::driver::fault::Checked;
use crate::streams::order::Access;
use cudarc::driver::CudaStream;
use cudarc::driver::sys::{self, CUresult};
use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{Arc, Mutex};
use syntonic_core::fork::{Locked, lock};
use syntonic_core::graph::check;
use syntonic_core::{Buffer, DType, Device, DeviceId, Error, Layout, Result, Tensor};

/// What no graph can have, by name.
const COPY: &str = "copy between GPUs";

/// The way to one GPU from another.
#[derive(Debug)]
struct Link {
    /// Of the GPU that is copied to, for copies beside its work.
    beside: Arc<CudaStream>,
}

/// The ways to one GPU from others, by their numbers; each is opened once.
#[derive(Debug, Default)]
pub(crate) struct Links(Mutex<HashMap<DeviceId, Arc<Link>>>);

impl Links {
    fn lock(&self) -> Locked<'_, HashMap<DeviceId, Arc<Link>>> {
        lock(&self.0)
    }

    /// The way from `source` to `target`, whose links these are.
    fn open(&self, target: &Context, source: &Context) -> Result<Arc<Link>> {
        let mut links = self.lock();
        if let Some(link) = links.get(&source.device) {
            return Ok(link.clone());
        }
        if reaches(target, source)? {
            allow(target, source)?;
        }
        target.bind()?;
        let link = Arc::new(Link {
            beside: target.driver().new_stream().during(COPY, target.device)?,
        });
        // few: one for each other GPU.
        links.insert(source.device, link.clone());
        Ok(link)
    }

    /// Waits for all copies that go beside the work of `target`, whose links these are.
    pub(crate) fn wait(&self, op: &str, target: &Context) -> Result<()> {
        // few: one for each other GPU.
        let links: Vec<Arc<Link>> = self.lock().values().cloned().collect();
        let wait = |link: &Arc<Link>| target.wait_for(op, link.beside.cu_stream());
        links.iter().try_for_each(wait)
    }
}

/// Whether GPU `from` reads and writes the memory of GPU `to` by itself, over NVLink or PCIe: then copies between them take no way
/// through the host. A GPU reaches its own memory.
///
/// # Errors
/// As [`crate::device()`] for either.
///
/// ```
/// if syntonic_cuda::device_count() > 1 {
///     println!("{}", syntonic_cuda::peer_access(0, 1)?);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn peer_access(from: u32, to: u32) -> Result<bool> {
    open(from)?.reaches(&*open(to)?)
}

impl Cuda {
    /// As [`peer_access`], from this GPU to another.
    ///
    /// # Errors
    /// What the driver says of the question.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     assert!(gpu.reaches(&gpu)?);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn reaches(&self, other: &Cuda) -> Result<bool> {
        let (here, there) = (self.context(), other.context());
        Ok(here.device == there.device || reaches(here, there)?)
    }
}

fn reaches(here: &Context, there: &Context) -> Result<bool> {
    let mut answer: c_int = 0;
    let (from, to) = (here.driver().cu_device(), there.driver().cu_device());
    // SAFETY: both devices exist, and the driver writes one number.
    unsafe { sys::cuDeviceCanAccessPeer(&mut answer, from, to) }
        .during("peer access", here.device)?;
    Ok(answer != 0)
}

/// Lets `here` reach the memory of `there`: what contexts allocate, and what the pool gives. Where the driver refuses after all, it takes
/// copies through the host.
fn allow(here: &Context, there: &Context) -> Result<()> {
    // The driver may wait for both.
    here.leases.ask_to_leave();
    there.leases.ask_to_leave();
    here.bind()?;
    // SAFETY: this thread's context is one of two that are alive.
    let enabled = unsafe { sys::cuCtxEnablePeerAccess(there.driver().cu_ctx(), 0) };
    let told = sys::CUmemAccessDesc {
        location: sys::CUmemLocation {
            type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
            id: here.driver().cu_device(),
        },
        flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    // SAFETY: the device exists, and so does its pool; the description lives longer than the call.
    let opened = unsafe {
        let device = there.driver().cu_device();
        let pool = cudarc::driver::result::device::get_default_mem_pool(device);
        sys::cuMemPoolSetAccess(pool.during(COPY, there.device)?, &told, 1)
    };
    let fine = |code| {
        matches!(
            code,
            CUresult::CUDA_SUCCESS | CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
        )
    };
    if !(fine(enabled) && fine(opened)) {
        let (here, there) = (here.device, there.device);
        tracing::warn!(%here, %there, ?enabled, ?opened, "no peer access: copies go through the host");
    }
    Ok(())
}

/// Asks for the copy itself. The target's context must be current.
///
/// # Safety
/// As [`copy`], and `stream` is one of the target's.
unsafe fn ask(
    [(target, to), (source, from)]: [(&Context, u64); 2],
    bytes: usize,
    stream: sys::CUstream,
) -> Result<()> {
    let (there, here) = (target.driver().cu_ctx(), source.driver().cu_ctx());
    // SAFETY: both contexts are alive, the stream is the target's; the memory is the caller's promise.
    let code = unsafe { sys::cuMemcpyPeerAsync(to, there, from, here, bytes, stream) };
    target.check(COPY, code)
}

/// Copies bytes between GPUs, on this thread's stream of the target: after the earlier work of the source, and before later
/// work of either on the memory.
///
/// # Safety
/// `to` has room for `bytes` bytes on `target`, and `from` has as many initialised ones on `source`.
pub(crate) unsafe fn copy(
    target: &Context,
    to: u64,
    source: &Context,
    from: u64,
    bytes: usize,
) -> Result<()> {
    for context in [target, source] {
        check(COPY, context.device)?;
    }
    target.links.open(target, source)?;
    source.in_order(std::iter::once((from, Access::Read)), || {
        source.bind()?;
        let ready = source.order.point(source, source.stream())?;
        target.in_order(std::iter::once((to, Access::Write)), || {
            target.bind()?;
            let stream = target.stream();
            ready.hold(target, stream)?;
            // SAFETY: the caller's promise; the stream is the target's.
            unsafe { ask([(target, to), (source, from)], bytes, stream)? };
            // The source's memory must not be written before it is read.
            let read = target.order.point(target, stream)?;
            source.bind()?;
            read.hold(source, source.stream())
        })
    })
}

/// As [`copy`], on a stream that only copies between these two use: no stream of either GPU waits for it, but for what uses the memory.
///
/// # Safety
/// As [`copy`].
pub(crate) unsafe fn copy_beside(
    target: &Context,
    to: u64,
    source: &Context,
    from: u64,
    bytes: usize,
) -> Result<()> {
    for context in [target, source] {
        check(COPY, context.device)?;
        context.bind()?;
        context.begin_several_streams()?;
    }
    let link = target.links.open(target, source)?;
    let stream = link.beside.cu_stream();
    let read = [(source.pool.block_of(from), Access::Read)];
    let written = [(target.pool.block_of(to), Access::Write)];
    source.order.before(source, stream, &read)?;
    target.order.before(target, stream, &written)?;
    target.bind()?;
    // SAFETY: the caller's promise; the stream is the target's.
    let asked = unsafe { ask([(target, to), (source, from)], bytes, stream) };
    match target.order.point(target, stream) {
        Ok(end) => {
            let end = Arc::new(end);
            source.order.end(stream, &read, &end);
            target.order.end(stream, &written, &end);
        }
        // Without an event that others could wait for, the copy is waited for now.
        Err(_) => target.wait_for(COPY, stream)?,
    }
    asked
}

/// The values of `x`, which is on another GPU, on this one, by a copy beside the work of both; the host does not wait either.
pub(crate) fn bring(gpu: &Arc<Cuda>, x: &Tensor) -> Result<Tensor> {
    if x.device_id() == gpu.id() {
        return Ok(x.clone());
    }
    for device in [x.device_id(), gpu.id()] {
        check(COPY, device)?;
    }
    let out = empty(gpu, COPY, x.shape(), x.dtype())?;
    write(&out, &x.contiguous()?.eval()?)?;
    Ok(out)
}

/// Row-major memory on a GPU, which whoever asks has all of written before anybody reads.
pub(crate) fn empty(
    gpu: &Arc<Cuda>,
    op: &'static str,
    shape: &[usize],
    dtype: DType,
) -> Result<Tensor> {
    let device: Arc<dyn Device> = gpu.clone();
    let layout = Layout::contiguous(op, shape)?;
    let bytes = layout.numel().checked_mul(dtype.size());
    let bytes = bytes.ok_or_else(|| Error::SizeOverflow {
        op,
        shape: shape.to_vec(),
    })?;
    let buffer = Arc::new(Buffer::allocate(&device, bytes)?);
    // SAFETY: nobody else has the memory, and nobody reads before it is written.
    unsafe { Tensor::from_buffer(dtype, layout, buffer) }
}

/// Writes the bytes of `x`, which is row-major in memory, to `place`, which is row-major in memory that nobody else has seen, on another GPU.
pub(crate) fn write(place: &Tensor, x: &Tensor) -> Result<()> {
    let address = |x: &Tensor| -> Result<u64> {
        let first = x.buffer()?.address() as u64;
        Ok(first + (x.layout().offset() * x.dtype().size()) as u64)
    };
    let (DeviceId::Cuda(there), DeviceId::Cuda(here)) = (place.device_id(), x.device_id()) else {
        return Err(Error::value(COPY, "both sides are GPUs"));
    };
    let bytes = x.numel() * x.dtype().size();
    if bytes == 0 {
        return Ok(());
    }
    let (target, source) = (open(there)?, open(here)?);
    let x = x.to_read()?;
    let (to, from) = (address(place)?, address(&x)?);
    // SAFETY: both are row-major and as long, as their makers say.
    unsafe { copy_beside(target.context(), to, source.context(), from, bytes) }
}
