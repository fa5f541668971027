//! The GPUs of a process, each opened once.

use super::Context;
use crate::driver::probe;
use cudarc::driver::sys::CUstream;
use std::sync::{Arc, OnceLock};
use syntonic_core::fork::get_or_init;
use syntonic_core::graph::check;
use syntonic_core::{DeviceId, Error, Result, Tensor, way_out};

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
    Ok(get_or_init(place, || gpu).clone())
}

/// The GPU that a tensor lies on.
///
/// # Errors
/// [`Error::NoDevice`] for a tensor on the CPU.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// assert!(syntonic_cuda::of(&Tensor::from([1.0])).is_err());
/// if syntonic_cuda::device_count() > 0 {
///     let x = Tensor::from([1.0]).to(&syntonic_cuda::device(0)?)?;
///     assert!(std::sync::Arc::ptr_eq(&syntonic_cuda::of(&x)?, &syntonic_cuda::open(0)?));
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn of(x: &Tensor) -> Result<Arc<Cuda>> {
    match x.device_id() {
        DeviceId::Cuda(ordinal) => open(ordinal),
        other => Err(Error::NoDevice {
            device: other.to_string(),
            reason: format!("{} is on no GPU; hint: {}", x.describe(), way_out::MOVE),
        }),
    }
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
    ///
    /// ```
    /// use cudarc::driver::result::memcpy_dtoh_async;
    /// use syntonic_core::prelude::*;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let theirs = gpu.context().driver().new_stream()?;
    ///     let x = Tensor::from([1.0, 4.0, 9.0]).to(&syntonic_cuda::device(0)?)?.sqrt()?;
    ///     let address = syntonic_cuda::foreign::address(&x)?;
    ///     let mut roots = [0.0_f64; 3];
    ///     // SAFETY: the stream is one of this GPU's primary context; `x` and the array outlive the copy.
    ///     unsafe {
    ///         gpu.make_stream_wait(theirs.cu_stream() as usize)?;
    ///         memcpy_dtoh_async(&mut roots, address, theirs.cu_stream())?;
    ///     }
    ///     theirs.synchronize()?;
    ///     assert_eq!(roots, [1.0, 2.0, 3.0]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn make_stream_wait(&self, handle: usize) -> Result<()> {
        check(WAITING, self.context.device)?;
        self.context.bind()?;
        self.context.link(self.context.stream(), handle as CUstream)
    }

    /// Makes this thread's stream wait for all earlier work of another owner's stream.
    ///
    /// # Safety
    /// As [`Cuda::make_stream_wait`].
    ///
    /// ```
    /// use cudarc::driver::DevicePtr;
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::foreign;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let theirs = gpu.context().driver().new_stream()?;
    ///     let numbers = theirs.clone_htod(&[1.0_f32, 2.0, 3.0])?;
    ///     let address = numbers.device_ptr(&theirs).0;
    ///     // SAFETY: the stream is one of this GPU's primary context; the tensor keeps the memory, and nobody writes it any more.
    ///     let x = unsafe {
    ///         gpu.wait_for_stream(theirs.cu_stream() as usize)?;
    ///         foreign::tensor(&gpu, address, &[3], DType::F32, Box::new(numbers))?
    ///     };
    ///     assert_eq!((x * 2.0).to_vec::<f32>()?, [2.0, 4.0, 6.0]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn wait_for_stream(&self, handle: usize) -> Result<()> {
        check(WAITING, self.context.device)?;
        self.context.bind()?;
        self.context.link(handle as CUstream, self.context.stream())
    }
}
