//! The GPUs of a process, each opened once.

use super::Context;
use crate::driver::probe;
use cudarc::driver::sys::CUstream;
use std::sync::{Arc, OnceLock};
use syntonic_core::graph::check;
use syntonic_core::{DeviceId, Error, Result};

/// What no graph can have, by name.
const WAITING: &str = "waiting for the stream of another owner";

/// An NVIDIA GPU.
#[derive(Debug)]
pub struct Cuda {
    pub(crate) context: Context,
}

/// How many GPUs a process may use.
const MOST: usize = 64;

/// As [`crate::device()`], with the GPU's own type.
///
/// # Errors
/// As [`crate::device()`].
///
/// ```
/// if syntonic_cuda::device_count() > 0 {
///     let gpu = syntonic_cuda::open(0)?;
///     assert!(std::sync::Arc::ptr_eq(&gpu, &syntonic_cuda::open(0)?));
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn open(ordinal: u32) -> Result<Arc<Cuda>> {
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
        context: Context::open(ordinal, driver.version)?,
    });
    Ok(place.get_or_init(|| gpu).clone())
}

impl Cuda {
    /// The GPU's context.
    ///
    /// ```
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let (free, total) = gpu.context().free_and_total()?;
    ///     assert!(free <= total);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Makes another owner's stream wait for all earlier work of this thread's stream.
    ///
    /// # Safety
    /// The handle is a stream of this GPU's primary context, or one of the driver's special handles.
    pub unsafe fn make_stream_wait(&self, handle: usize) -> Result<()> {
        check(WAITING, self.context.device)?;
        self.context.bind()?;
        self.context.link(self.context.stream(), handle as CUstream)
    }

    /// Makes this thread's stream wait for all earlier work of another owner's stream.
    ///
    /// # Safety
    /// As [`Cuda::make_stream_wait`].
    pub unsafe fn wait_for_stream(&self, handle: usize) -> Result<()> {
        check(WAITING, self.context.device)?;
        self.context.bind()?;
        self.context.link(handle as CUstream, self.context.stream())
    }
}
