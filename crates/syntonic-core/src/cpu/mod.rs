//! The CPU device.

pub(crate) mod address_space;
pub(crate) mod exec;
#[doc(hidden)]
pub mod lanes;
mod memory;
mod pages;
mod pool;
mod record;
pub(crate) mod stack;
mod team;
pub mod threads;

pub(crate) use memory::ALIGN;
pub use threads::when_helpers_start;

use crate::device::{Again, Capture, CapturedLoop, Device, DeviceId, Kernel, Launch, MemoryStats};
use crate::error::Result;
use crate::fork::Lazy;
use crate::fuse::Task;
use crate::interrupt;
use std::sync::Arc;

/// The host's processors and memory.
#[derive(Debug, Default)]
pub struct Cpu {
    memory: memory::Memory,
}

/// The one CPU device of this process.
///
/// ```
/// use std::sync::Arc;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::zeros_on(&[2], DType::F32, &cpu())?;
/// assert!(x.device_id() == DeviceId::Cpu && Arc::ptr_eq(x.device(), &cpu()));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cpu() -> Arc<dyn Device> {
    static CPU: Lazy<Arc<dyn Device>> = Lazy::new(|| Arc::new(Cpu::default()));
    CPU.clone()
}

/// Bytes that are copied before the caller is asked whether to go on.
const UNASKED: usize = 8 << 20;

/// Copies bytes.
///
/// # Safety
/// Both are live and do not overlap.
unsafe fn moved(from: *const u8, to: *mut u8, bytes: usize) -> Result<()> {
    Ok(interrupt::in_pieces(bytes, UNASKED, |begin, end| {
        let (from, to) = (from.wrapping_add(begin), to.wrapping_add(begin));
        // SAFETY: a range of both, by the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(from, to, end - begin) };
    })?)
}

impl Device for Cpu {
    fn id(&self) -> DeviceId {
        DeviceId::Cpu
    }

    fn identity(&self) -> String {
        let (level, threads) = (lanes::Level::current(), threads::count());
        format!(
            "cpu, {} {level:?}, {threads} threads, syntonic {}",
            std::env::consts::ARCH,
            env!("CARGO_PKG_VERSION")
        )
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        lanes::Level::checked()?;
        self.memory.allocate(bytes)
    }

    unsafe fn release(&self, address: *mut u8, bytes: usize) {
        // SAFETY: the caller's promise is the allocator's.
        unsafe { self.memory.release(address, bytes) }
    }

    unsafe fn upload(&self, to: *mut u8, from: &[u8]) -> Result<()> {
        if !record::is_later() {
            // SAFETY: the caller vouches for the room at `to`; a borrowed slice cannot overlap it.
            unsafe { moved(from.as_ptr(), to, from.len())? };
        }
        record::upload(to, from)
    }

    unsafe fn download(&self, to: &mut [u8], from: *const u8) -> Result<()> {
        // SAFETY: the caller vouches for the bytes at `from`; a unique slice cannot overlap them.
        unsafe { moved(from, to.as_mut_ptr(), to.len()) }
    }

    unsafe fn run(&self, task: &Task<'_>) -> Result<()> {
        if !record::is_later() {
            // SAFETY: the caller's promise is the executor's.
            let done = unsafe { exec::run(task) };
            done.map_err(|e| e.named(&task.program.name))?;
        }
        record::program(task)
    }

    fn overwrites(&self, task: &Task<'_>) -> bool {
        exec::overwrites(task)
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        let _span = tracing::debug_span!("launch", kernel = kernel.name).entered();
        if !record::is_later() {
            // SAFETY: the caller's promise is the kernel's.
            let done = unsafe { (kernel.cpu)(args) };
            done.map_err(|e| e.named(kernel.name))?;
        }
        record::kernel(kernel, args)
    }

    fn begin_capture(&self) -> Result<Box<dyn Capture>> {
        Ok(record::begin())
    }

    unsafe fn begin_loop(&self, again: Again) -> Result<Box<dyn CapturedLoop>> {
        Ok(record::begin_loop(again))
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn stats(&self) -> MemoryStats {
        self.memory.stats()
    }

    fn trim(&self) {
        self.memory.trim();
    }
}
