//! A GPU as core's [`Device`].

use crate::context::Context;
use crate::{kernel, probe};
use std::sync::{Arc, OnceLock};
use syntonic_core::device::{Kernel, Launch, MemoryStats};
use syntonic_core::fuse::Task;
use syntonic_core::{Device, DeviceId, Error, Result};

/// An NVIDIA GPU.
#[derive(Debug)]
pub struct Cuda {
    context: Context,
}

/// How many GPUs a process may use.
const MOST: usize = 64;

/// GPU `ordinal` of this process; the same one for every caller.
///
/// Opening a GPU for the first time takes some tenths of a second.
///
/// # Errors
/// [`Error::NoDevice`] with the reason where there is no usable driver or no such GPU.
pub fn device(ordinal: u32) -> Result<Arc<dyn Device>> {
    open(ordinal).map(|gpu| gpu as Arc<dyn Device>)
}

/// As [`device`], with the GPU's own type.
pub(crate) fn open(ordinal: u32) -> Result<Arc<Cuda>> {
    static GPUS: [OnceLock<Arc<Cuda>>; MOST] = [const { OnceLock::new() }; MOST];
    let refuse = |reason: String| Error::NoDevice {
        device: DeviceId::Cuda(ordinal).to_string(),
        reason,
    };
    let driver = probe::driver().map_err(|reason| refuse(reason.to_string()))?;
    let known = driver.devices.min(MOST);
    if ordinal as usize >= known {
        return Err(refuse(format!("the driver shows {known} GPU(s)")));
    }
    let place = &GPUS[ordinal as usize];
    if let Some(gpu) = place.get() {
        return Ok(gpu.clone());
    }
    let gpu = Arc::new(Cuda {
        context: Context::open(ordinal)?,
    });
    Ok(place.get_or_init(|| gpu).clone())
}

impl Cuda {
    /// The GPU's context.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl Device for Cuda {
    fn id(&self) -> DeviceId {
        self.context.device
    }

    fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        Ok(self.context.allocate(bytes)? as *mut u8)
    }

    unsafe fn release(&self, address: *mut u8, _bytes: usize) {
        self.context.pool.release(address as u64);
    }

    unsafe fn upload(&self, to: *mut u8, from: &[u8]) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.context.upload(to as u64, from) }
    }

    unsafe fn download(&self, to: &mut [u8], from: *const u8) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.context.download(to, from as u64) }
    }

    unsafe fn run(&self, task: &Task<'_>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { kernel::run(&self.context, task) }
    }

    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()> {
        let _span = tracing::debug_span!("launch", kernel = kernel.name).entered();
        // SAFETY: the caller's promise.
        unsafe { kernel::launch(&self.context, kernel, args) }
    }

    fn synchronize(&self) -> Result<()> {
        self.context.synchronize("synchronize")
    }

    fn stats(&self) -> MemoryStats {
        self.context.pool.stats()
    }

    fn trim(&self) {
        let trimmed = self.context.bind().and_then(|()| {
            // SAFETY: the context is current and the stream is its own.
            unsafe { self.context.pool.trim(self.context.stream()) }
        });
        if let Err(error) = trimmed {
            tracing::error!(%error, "trim");
        }
    }
}
