//! Unified memory: tensors on a GPU whose pages move between its memory and the host's as they are used, so that together they may be
//! larger than the GPU's memory.
//!
//! Such a tensor is a tensor of its GPU like any other; results of operations have the GPU's own memory. A page that is not there
//! costs a fault of some ten microseconds at its first use, so data that is used again and again is best moved before, by [`prefetch`].
//!
//! ```
//! use syntonic_core::{DType, Tensor};
//! use syntonic_cuda::{managed, open};
//!
//! let Ok(gpu) = open(0) else {
//!     return Ok(()); // there is no GPU here
//! };
//! let x = managed::from_tensor(&gpu, &Tensor::from([1.0, 2.0, 3.0]))?;
//! assert!(managed::is_managed(&x) && x.device_id() == gpu.id());
//! assert_eq!((&x * 2.0).sum(..)?.to_scalar::<f64>()?, 12.0);
//! # use syntonic_core::Device;
//! # Ok::<(), syntonic_core::Error>(())
//! ```

use crate::context::Context;
use crate::context::gpu::{Cuda, open};
use crate::driver::fault::fault;
use crate::driver::library;
use crate::memory::bytes;
use crate::streams::order::Access;
use cudarc::driver::sys::{self, CUdevice_attribute, CUmem_advise, CUresult};
use std::any::Any;
use std::sync::{Arc, Mutex};
use syntonic_core::device::Received;
use syntonic_core::fork::lock;
use syntonic_core::graph::check;
use syntonic_core::{
    Buffer, DType, Device, DeviceId, Error, Keeper, Layout, Result, Tensor, Use, cpu, room,
};

const OP: &str = "managed";
/// What the driver calls the host among devices: `CU_DEVICE_CPU`.
const HOST: sys::CUdevice = -1;

/// How memory is going to be used. It changes where pages lie, never a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// It is read much more than written: each device that reads a page gets a copy of its own, until it is written.
    ReadMostly,
    /// Pages stay on this device where it has room.
    PreferredLocation(DeviceId),
    /// This device reads and writes pages where they are, where it can reach them, in place of moving them.
    AccessedBy(DeviceId),
}

/// A row-major tensor of zeros in unified memory of a GPU and the host.
///
/// # Errors
/// [`Error::NoRoomFor`] where GPU and host together have not as much memory, [`Error::SizeOverflow`] for a size beyond any memory,
/// [`Error::Capture`] inside of a capture, and [`Error::NoDevice`] for a GPU without unified memory.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::managed;
///
/// if syntonic_cuda::device_count() > 0 {
///     let mut x = managed::zeros(&syntonic_cuda::open(0)?, &[2, 3], DType::F32)?;
///     x.assign(&Tensor::from([1.0, 2.0, 3.0]).to(x.device())?)?;
///     assert!(managed::is_managed(&x));
///     assert_eq!(x.sum(..)?.to_scalar::<f32>()?, 12.0);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn zeros(gpu: &Arc<Cuda>, shape: &[usize], dtype: DType) -> Result<Tensor> {
    let out = empty(gpu, shape, dtype)?;
    let buffer = out.buffer()?;
    let (context, first) = (gpu.context(), buffer.address() as u64);
    let used = std::iter::once((first, Access::Write));
    // SAFETY: the block is new and has these bytes, and zeros are elements of every type.
    context.in_order(used, || unsafe {
        context.set_bytes(first, 0, buffer.bytes())
    })?;
    Ok(out)
}

/// Row-major elements that whoever asks has all of written before anybody reads.
fn empty(gpu: &Arc<Cuda>, shape: &[usize], dtype: DType) -> Result<Tensor> {
    check(OP, gpu.id())?;
    let buffer = Block::take(gpu, bytes(OP, shape, dtype)?)?;
    let layout = Layout::contiguous(OP, shape)?;
    // SAFETY: nobody else has the memory, and nobody reads before it is written.
    unsafe { Tensor::from_buffer(dtype, layout, Arc::new(buffer)) }
}

/// The values of `x` in unified memory of a GPU and the host, row-major: `x` itself where it lies so already on this GPU.
///
/// # Errors
/// As [`zeros`], and those of a pending `x` or of a copy from its device.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::managed;
///
/// if syntonic_cuda::device_count() > 0 {
///     let gpu = syntonic_cuda::open(0)?;
///     let x = managed::from_tensor(&gpu, &Tensor::from([1.0, 2.0]))?;
///     assert!(managed::from_tensor(&gpu, &x)?.shares_storage(&x));
///     assert_eq!(x.to_vec::<f64>()?, [1.0, 2.0]);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn from_tensor(gpu: &Arc<Cuda>, x: &Tensor) -> Result<Tensor> {
    if x.device_id() == gpu.id() && is_managed(x) && x.is_contiguous() {
        return Ok(x.clone());
    }
    let out = empty(gpu, x.shape(), x.dtype())?;
    let (x, buffer) = (x.eval()?.contiguous()?, out.buffer()?);
    if buffer.bytes() == 0 {
        return Ok(out);
    }
    let from = x
        .buffer()?
        .address()
        .wrapping_add(x.layout().offset() * x.dtype().size());
    // SAFETY: both have as many bytes, row-major, and nobody else knows those of `out`.
    unsafe {
        match x.device_id() {
            DeviceId::Cpu => {
                let bytes = std::slice::from_raw_parts(from, buffer.bytes());
                gpu.upload(buffer.address(), bytes)?;
            }
            _ => {
                let source = &**x.device();
                let came = gpu.receive(buffer.address(), source, from, buffer.bytes())?;
                if came == Received::NoWay {
                    return from_tensor(gpu, &x.to(&cpu())?);
                }
            }
        }
    }
    Ok(out)
}

/// Whether the elements lie in memory that [`zeros`] or [`from_tensor`] gave. A pending expression lies nowhere yet.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::managed;
///
/// assert!(!managed::is_managed(&Tensor::from([1.0, 2.0])));
/// ```
pub fn is_managed(x: &Tensor) -> bool {
    block(x).is_some()
}

fn block(x: &Tensor) -> Option<&Block> {
    let keeper: &dyn Any = &**x.keeper()?;
    keeper.downcast_ref()
}

/// Moves the pages of a tensor in unified memory to a device, after the work that this thread's stream has been asked for. The host does
/// not wait.
///
/// # Errors
/// [`Error::Value`] for a tensor elsewhere or one that is not row-major; [`Error::NoDevice`] where GPU and host cannot use unified memory at the same time;
/// [`Error::Capture`] inside of a capture.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::managed;
///
/// if syntonic_cuda::device_count() > 0 {
///     let gpu = syntonic_cuda::open(0)?;
///     let x = managed::zeros(&gpu, &[1000], DType::F32)?;
///     managed::prefetch(&x, gpu.id())?;
///     assert_eq!(x.sum(..)?.to_scalar::<f32>()?, 0.0);
///     managed::prefetch(&x, DeviceId::Cpu)?;
/// }
/// assert!(managed::prefetch(&Tensor::from([1.0]), DeviceId::Cpu).is_err()); // not in unified memory
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn prefetch(x: &Tensor, to: DeviceId) -> Result<()> {
    let op = "prefetch";
    let Some(pages) = pages(op, x)? else {
        return Ok(());
    };
    let context = pages.gpu.context();
    check(op, context.device)?;
    let device = number(op, context, to)?;
    let used = std::iter::once((pages.first, Access::Read));
    context.in_order(used, || {
        context.bind()?;
        // SAFETY: the context is current, the stream is its own, and the memory is alive: `x` has it.
        let code = unsafe { library::prefetch(pages.first, pages.bytes, device, context.stream()) };
        context.check(op, code)
    })
}

/// Says how a tensor in unified memory is going to be used.
///
/// # Errors
/// As [`prefetch`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::managed::{self, Advice};
///
/// if syntonic_cuda::device_count() > 0 {
///     let table = managed::from_tensor(&syntonic_cuda::open(0)?, &Tensor::from([1.0, 2.0]))?;
///     managed::advise(&table, Advice::ReadMostly)?;
///     managed::withdraw(&table, Advice::ReadMostly)?;
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn advise(x: &Tensor, advice: Advice) -> Result<()> {
    use CUmem_advise as A;
    say(
        x,
        advice,
        match advice {
            Advice::ReadMostly => A::CU_MEM_ADVISE_SET_READ_MOSTLY,
            Advice::PreferredLocation(_) => A::CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
            Advice::AccessedBy(_) => A::CU_MEM_ADVISE_SET_ACCESSED_BY,
        },
    )
}

/// Takes an advice back.
///
/// # Errors
/// As [`prefetch`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::managed::{self, Advice};
///
/// if syntonic_cuda::device_count() > 0 {
///     let gpu = syntonic_cuda::open(0)?;
///     let x = managed::zeros(&gpu, &[1000], DType::F32)?;
///     managed::advise(&x, Advice::PreferredLocation(DeviceId::Cpu))?;
///     managed::withdraw(&x, Advice::PreferredLocation(DeviceId::Cpu))?;
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn withdraw(x: &Tensor, advice: Advice) -> Result<()> {
    use CUmem_advise as A;
    say(
        x,
        advice,
        match advice {
            Advice::ReadMostly => A::CU_MEM_ADVISE_UNSET_READ_MOSTLY,
            Advice::PreferredLocation(_) => A::CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
            Advice::AccessedBy(_) => A::CU_MEM_ADVISE_UNSET_ACCESSED_BY,
        },
    )
}

fn say(x: &Tensor, advice: Advice, code: CUmem_advise) -> Result<()> {
    let op = "advise";
    let Some(pages) = pages(op, x)? else {
        return Ok(());
    };
    let context = pages.gpu.context();
    let whose = match advice {
        Advice::ReadMostly => context.device,
        Advice::PreferredLocation(device) | Advice::AccessedBy(device) => device,
    };
    let device = number(op, context, whose)?;
    context.bind()?;
    // SAFETY: the context is current, and the memory is alive: `x` has it.
    let code = unsafe { library::advise(pages.first, pages.bytes, code, device) };
    context.check(op, code)
}

/// The memory of a tensor.
struct Pages<'a> {
    gpu: &'a Arc<Cuda>,
    first: u64,
    bytes: usize,
}

/// The memory of a tensor; nothing for one without elements.
fn pages<'a>(op: &'static str, x: &'a Tensor) -> Result<Option<Pages<'a>>> {
    let Some(block) = block(x).filter(|_| x.is_contiguous()) else {
        let text = format!(
            "this tensor of {:?} on {} is {}; hint: syntonic_cuda::managed::from_tensor gives one, `cuda.managed` in Python",
            x.shape(),
            x.device_id(),
            match block(x) {
                Some(_) => "not row-major",
                None => "not in unified memory",
            }
        );
        return Err(Error::value(op, text));
    };
    let size = x.dtype().size();
    Ok((x.numel() > 0).then_some(Pages {
        gpu: &block.gpu,
        first: x.buffer()?.address() as u64 + (x.layout().offset() * size) as u64,
        bytes: x.numel() * size,
    }))
}

/// What the driver calls a device that pages may be on, if that can use them beside others.
fn number(op: &'static str, context: &Context, device: DeviceId) -> Result<sys::CUdevice> {
    use CUdevice_attribute as A;
    let can_share = A::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
    if !has(context, can_share)? {
        return Err(Error::NoDevice {
            device: context.device.to_string(),
            reason: format!(
                "GPU and host cannot use unified memory at the same time here, so {op} has no effect; hint: leave it out"
            ),
        });
    }
    match device {
        DeviceId::Cpu => Ok(HOST),
        DeviceId::Cuda(ordinal) => {
            let other = open(ordinal)?;
            match has(other.context(), can_share)? {
                true => Ok(other.context().driver().cu_device()),
                false => Err(Error::NoDevice {
                    device: device.to_string(),
                    reason:
                        "this GPU cannot use unified memory beside others; hint: another device"
                            .to_owned(),
                }),
            }
        }
        other => Err(Error::NoDevice {
            device: other.to_string(),
            reason: format!("{op} knows the CPU and GPUs"),
        }),
    }
}

/// Whether a GPU has a property.
fn has(context: &Context, what: CUdevice_attribute) -> Result<bool> {
    let answer = context.driver().attribute(what);
    answer
        .map(|value| value != 0)
        .map_err(|error| fault(OP, context.device, error.0))
}

/// Memory that could not be given back yet, by address.
#[derive(Debug, Default)]
pub(crate) struct Leaving(Mutex<Vec<u64>>);

impl Leaving {
    /// Gives back what nobody uses any more. What the driver refuses now, as while a graph is captured, is tried again with the next one.
    pub(crate) fn free(&self, context: &Context, address: Option<u64>) {
        let mut leaving = std::mem::take(&mut *lock(&self.0));
        if let Some(address) = address
            && room::more(&mut leaving, 1).is_ok()
        {
            leaving.push(address);
        }
        if leaving.is_empty() {
            return;
        }
        let idle = context.bind().and_then(|()| context.idle());
        if let Err(error) = &idle {
            tracing::warn!(%error, "unified memory is kept for now");
        }
        leaving.retain(|address| {
            // SAFETY: the address came from the driver, once; its owner is gone, and no work uses it any more.
            idle.is_err() || unsafe { sys::cuMemFree_v2(*address) } != CUresult::CUDA_SUCCESS
        });
        if !leaving.is_empty() {
            lock(&self.0).append(&mut leaving);
        }
    }
}

/// Who keeps the memory of a tensor in unified memory.
#[derive(Debug)]
struct Block {
    gpu: Arc<Cuda>,
    address: u64,
}

impl Block {
    fn take(gpu: &Arc<Cuda>, bytes: usize) -> Result<Buffer> {
        let context = gpu.context();
        context.bind()?;
        if !has(
            context,
            CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
        )? {
            return Err(Error::NoDevice {
                device: context.device.to_string(),
                reason: "this GPU has no unified memory; hint: an ordinary tensor".to_owned(),
            });
        }
        context.managed.free(context, None);
        let (free, on_host) = (context.free_and_total()?.0, host_memory());
        if bytes > free.saturating_add(on_host) {
            return Err(refused(
                context.device,
                bytes,
                "the GPU and the host have less",
            ));
        }
        // The driver waits for the whole GPU.
        context.leases.ask_to_leave();
        let attach = sys::CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL as u32;
        let mut address = 0;
        // SAFETY: the context is current, and the driver writes one address.
        match unsafe { sys::cuMemAllocManaged(&mut address, bytes.max(1), attach) } {
            CUresult::CUDA_SUCCESS => {}
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                return Err(refused(context.device, bytes, "the system gives no more"));
            }
            code => return Err(fault(OP, context.device, code)),
        }
        let keeper = Arc::new(Block {
            gpu: gpu.clone(),
            address,
        });
        let device: Arc<dyn Device> = gpu.clone();
        // SAFETY: the memory has as many bytes, and is the keeper's until it is dropped.
        Ok(unsafe { Buffer::kept(&device, address as *mut u8, bytes, keeper) })
    }
}

/// The error for memory that there is not.
fn refused(device: DeviceId, bytes: usize, what: &str) -> Error {
    Error::NoRoomFor {
        op: format!("unified memory of {bytes} bytes"),
        device,
        what: what.to_owned(),
    }
}

/// Bytes that the host can still give, as Linux says: pages are taken when they are first used, and a process that uses more than there
/// are is ended. Elsewhere the driver takes them at once.
fn host_memory() -> usize {
    let read = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    available(&read).unwrap_or(usize::MAX)
}

/// `MemAvailable:  <kibibytes> kB`.
fn available(meminfo: &str) -> Option<usize> {
    let mut lines = meminfo.lines();
    let line = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.saturating_mul(1 << 10))
}

impl Keeper for Block {
    /// Nothing: uses of it are in the order of streams.
    fn wait(&self, _before: Use) -> Result<()> {
        Ok(())
    }

    fn is_busy(&self) -> bool {
        false
    }

    fn another(&self, bytes: usize) -> Result<Buffer> {
        check(OP, self.gpu.id())?;
        Block::take(&self.gpu, bytes)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let context = self.gpu.context();
        context.managed.free(context, Some(self.address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_memory_as_linux_writes_it() {
        let text = "MemTotal:       24689340 kB\nMemFree:        20000000 kB\nMemAvailable:   23456789 kB\n";
        assert_eq!(available(text), Some(23_456_789 << 10));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
    }
}
