//! Copies between the host and a GPU, or between two GPUs, that do not wait.
//!
//! Those from and to [`pinned`] memory return as soon as the GPU was asked. Nobody has to wait for them: work on the
//! GPU follows them in the order of its streams, and the host's memory knows them. Whoever reads memory that is still being filled, or
//! writes memory that is still being read, waits; and memory that is dropped meanwhile is kept until the copy is done.
//!
//! Those between GPUs go beside the work of both, over NVLink or PCIe where the cards reach each other
//! ([`peer_access`](crate::peer_access)): what uses the memory of either side follows the copy, and all else overlaps it. From the first
//! of them on the work of both is ordered by events, as with a second stream; to synchronize the GPU that is copied to waits for them too.
//!
//! Copies of other memory are as right, and wait. So do those of pinned memory that is shared with another library, such as through a
//! NumPy array: what that does with it, and when, is not known.
//!
//! ```
//! use syntonic_core::Tensor;
//! use syntonic_cuda::{copies, open, pinned};
//!
//! let Ok(gpu) = open(0) else {
//!     return Ok(()); // there is no GPU here
//! };
//! let x = pinned::pin(&gpu, &Tensor::from_vec(vec![1.0f32, 2.0, 3.0], &[3])?)?;
//! let y = copies::upload(&gpu, &x)?;
//! let back = copies::download(&(&y * 2.0))?;
//! assert_eq!(back.to_vec::<f32>()?, [2.0, 4.0, 6.0]); // waits
//! # Ok::<(), syntonic_core::Error>(())
//! ```

use crate::context::gpu::{Cuda, open};
use crate::memory::peer;
use crate::memory::pinned::{self, Block};
use crate::streams::order::Access;
use cudarc::driver::sys;
use std::sync::Arc;
use syntonic_core::graph::check;
use syntonic_core::{Buffer, Device, DeviceId, Layout, Result, Tensor, Use, cpu};

/// What no graph can have, by name.
const COPY: &str = "copy between the host and a GPU";

/// Host memory of a copy that need not wait.
struct Side<'a> {
    buffer: Arc<Buffer>,
    block: &'a Block,
    first: *mut u8,
    bytes: usize,
}

impl Side<'_> {
    /// Nothing where the copy has to wait.
    fn of(x: &Tensor) -> Result<Option<Side<'_>>> {
        let Some(block) = pinned::block(x).filter(|_| x.is_contiguous()) else {
            return Ok(None);
        };
        let (buffer, size) = (x.buffer()?, x.dtype().size());
        if buffer.is_lent() {
            return Ok(None);
        }
        let first = buffer.address().wrapping_add(x.layout().offset() * size);
        Ok(Some(Side {
            buffer,
            block,
            first,
            bytes: x.numel() * size,
        }))
    }
}

/// Address of the first element of a contiguous tensor in memory.
fn address(x: &Tensor) -> Result<u64> {
    let first = x.buffer()?.address() as u64;
    Ok(first + (x.layout().offset() * x.dtype().size()) as u64)
}

/// The values of `x` on a GPU, in the shape and the type that they have. From pinned memory and from other GPUs the host does not wait.
///
/// # Errors
/// [`Error::OutOfMemory`](syntonic_core::Error::OutOfMemory) where the GPU has no room, [`Error::Capture`](syntonic_core::Error::Capture)
/// inside of a capture, and those of a pending `x`.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::copies;
///
/// if syntonic_cuda::device_count() > 0 {
///     let gpu = syntonic_cuda::open(0)?;
///     let there = copies::upload(&gpu, &Tensor::from([1.0, 2.0]))?;
///     assert_eq!(there.device_id(), DeviceId::Cuda(0));
///     assert_eq!(there.to_vec::<f64>()?, [1.0, 2.0]);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn upload(gpu: &Arc<Cuda>, x: &Tensor) -> Result<Tensor> {
    let device: Arc<dyn Device> = gpu.clone();
    check(COPY, gpu.id())?;
    let x = &*x.to_read()?;
    if matches!(x.device_id(), DeviceId::Cuda(_)) {
        return peer::bring(gpu, x);
    }
    check(COPY, DeviceId::Cpu)?;
    let whole = match pinned::is_pinned(x) {
        true => pinned::pin(gpu, x)?,
        false => x.clone(),
    };
    let Some(side) = Side::of(&whole)? else {
        return x.to(&device);
    };
    let buffer = Arc::new(Buffer::allocate(&device, side.bytes)?);
    let layout = Layout::contiguous("upload", x.shape())?;
    // SAFETY: nobody else has the memory, and what reads it follows the copy below.
    let out = unsafe { Tensor::from_buffer(x.dtype(), layout, buffer)? };
    let to = address(&out)?;
    let context = gpu.context();
    fly(gpu, &side, Use::Read, (to, Access::Write), |stream| {
        // SAFETY: the context is current; the new memory has room for the bytes of the host's, which stay until the copy is done.
        let code = unsafe {
            sys::cuMemcpyHtoDAsync_v2(to, side.first.cast_const().cast(), side.bytes, stream)
        };
        context.check("upload", code)
    })?;
    Ok(out)
}

/// The values of `x`, which is on a GPU, in new pinned memory. The host does not wait before it reads them.
///
/// # Errors
/// As [`pinned::zeros`], and those of a pending `x`.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::{copies, pinned};
///
/// if syntonic_cuda::device_count() > 0 {
///     let there = Tensor::from([1.0, 2.0]).to(&syntonic_cuda::device(0)?)?;
///     let back = copies::download(&(there * 10))?;
///     assert!(pinned::is_pinned(&back));
///     assert_eq!(back.to_vec::<f64>()?, [10.0, 20.0]);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn download(x: &Tensor) -> Result<Tensor> {
    let DeviceId::Cuda(ordinal) = x.device_id() else {
        return Ok(x.clone());
    };
    check(COPY, x.device_id())?;
    let out = pinned::empty(&open(ordinal)?, x.shape(), x.dtype())?;
    match Side::of(&out)? {
        Some(side) => fill(&side, &x.contiguous()?)?,
        // Nobody else has seen it.
        None => return x.to(&cpu()),
    }
    Ok(out)
}

/// Writes `values`, broadcast and cast, through the memory of `target`, on whichever device either is. Between two GPUs, and between a GPU
/// and pinned memory whose elements lie row-major, the host does not wait.
///
/// # Errors
/// As [`Tensor::assign_aliased`], and [`Error::Capture`](syntonic_core::Error::Capture) inside of a capture where the devices differ.
///
/// # Safety
/// As [`Tensor::assign_aliased`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::{copies, open, pinned};
///
/// if syntonic_cuda::device_count() > 0 {
///     let gpu = open(0)?;
///     // One place of the host, filled again and again by results of the GPU.
///     let results = pinned::zeros(&gpu, &[3], DType::F32)?;
///     for k in 1..4 {
///         let there = Tensor::full_on(&[3], k as f64, DType::F32, &syntonic_cuda::device(0)?)?;
///         // SAFETY: nobody else reads or writes the place.
///         unsafe { copies::assign_aliased(&results, &(there * 0.5))? };
///         assert_eq!(results.to_vec::<f32>()?, [k as f32 / 2.0; 3]); // waits for the copy
///     }
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe fn assign_aliased(target: &Tensor, values: &Tensor) -> Result<()> {
    let (here, there) = (target.device_id(), values.device_id());
    if here == there {
        // SAFETY: the caller's promise.
        return unsafe { target.assign_aliased(values) };
    }
    for device in [here, there] {
        check(COPY, device)?;
    }
    target.check_writable("copy_")?;
    if let DeviceId::Cuda(ordinal) = here {
        let near = upload(&open(ordinal)?, values)?;
        // SAFETY: the caller's promise.
        return unsafe { target.assign_aliased(&near) };
    }
    let fits = values.layout().broadcast_to(target.shape()).is_some()
        && (target.dtype().is_complex() || !values.dtype().is_complex());
    let side = if fits { Side::of(target)? } else { None };
    let Some(side) = side else {
        // SAFETY: the caller's promise.
        return unsafe { target.assign_aliased(&values.to(target.device())?) };
    };
    let whole = values.cast(target.dtype())?;
    let whole = whole.broadcast_to(target.shape())?.contiguous()?.eval()?;
    side.buffer.settle_for_write()?;
    fill(&side, &whole)
}

/// Asks the GPU to fill memory of the host with the bytes of a contiguous tensor.
fn fill(side: &Side<'_>, x: &Tensor) -> Result<()> {
    let DeviceId::Cuda(ordinal) = x.device_id() else {
        return Ok(());
    };
    let x = x.to_read()?;
    let (gpu, from) = (open(ordinal)?, address(&x)?);
    let context = gpu.context();
    fly(&gpu, side, Use::Write, (from, Access::Read), |stream| {
        // SAFETY: the context is current; the host's memory has room for the bytes of the GPU's, and stays until the copy is done.
        let code =
            unsafe { sys::cuMemcpyDtoHAsync_v2(side.first.cast(), from, side.bytes, stream) };
        context.check("download", code)
    })
}

/// Asks for a copy, in the order of streams, and has the host's memory know of it.
fn fly(
    gpu: &Arc<Cuda>,
    side: &Side<'_>,
    here: Use,
    there: (u64, Access),
    ask: impl FnOnce(sys::CUstream) -> Result<()>,
) -> Result<()> {
    let context = gpu.context();
    if side.bytes == 0 {
        return Ok(());
    }
    context.bind()?;
    context.in_order(std::iter::once(there), || {
        side.block.fly(gpu, here, context.stream(), ask)
    })
}
