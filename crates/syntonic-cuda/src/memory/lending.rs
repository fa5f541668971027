//! Memory shared with other libraries: its owner, and the order of both sides' work.

use crate::context::gpu::Cuda;
use crate::driver::fault::Checked;
use crate::driver::probe;
use crate::streams::order::Access;
use cudarc::driver::sys::{self, CUpointer_attribute, CUresult, CUstream};
use std::ffi::c_int;
use syntonic_core::graph::check;
use syntonic_core::{DeviceId, Result};

/// What no graph can have, by name.
const SHARING: &str = "sharing memory with another library";

impl Cuda {
    /// Makes another owner's stream wait for all work of our streams on the memory at `address`.
    ///
    /// # Safety
    /// As [`Cuda::make_stream_wait`].
    ///
    /// ```
    /// use cudarc::driver::result::memcpy_dtoh_async;
    /// use syntonic_core::prelude::*;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let theirs = gpu.context().driver().new_stream()?;
    ///     let x = Tensor::from([1.0, 2.0, 3.0]).to(&syntonic_cuda::device(0)?)?.square()?;
    ///     let address = syntonic_cuda::foreign::address(&x)?;
    ///     let mut squares = [0.0_f64; 3];
    ///     // SAFETY: the stream is one of this GPU's primary context; `x` and the array outlive the copy.
    ///     unsafe {
    ///         gpu.lend(address, theirs.cu_stream() as usize)?;
    ///         memcpy_dtoh_async(&mut squares, address, theirs.cu_stream())?;
    ///     }
    ///     theirs.synchronize()?;
    ///     assert_eq!(squares, [1.0, 4.0, 9.0]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn lend(&self, address: u64, handle: usize) -> Result<()> {
        let context = self.context();
        check(SHARING, context.device)?;
        context.bind()?;
        let used = std::iter::once((address, Access::Write));
        context.in_order(used, || context.link(context.stream(), handle as CUstream))
    }

    /// Later work of ours on the memory at `address` waits for the earlier work of another owner's stream; without one, for
    /// the work that this thread's stream waits for.
    ///
    /// # Safety
    /// As [`Cuda::make_stream_wait`].
    ///
    /// ```
    /// use cudarc::driver::result::memcpy_htod_async;
    /// use syntonic_core::prelude::*;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let theirs = gpu.context().driver().new_stream()?;
    ///     let handle = theirs.cu_stream() as usize;
    ///     let x = Tensor::zeros_on(&[3], DType::F64, &syntonic_cuda::device(0)?)?.eval()?;
    ///     let address = syntonic_cuda::foreign::address(&x)?;
    ///     let numbers = [1.0, 2.0, 3.0];
    ///     // SAFETY: the stream is one of this GPU's primary context; nobody else has `x`, which has room for the numbers.
    ///     unsafe {
    ///         gpu.lend(address, handle)?;
    ///         memcpy_htod_async(address, &numbers, theirs.cu_stream())?;
    ///         gpu.reclaim(address, Some(handle))?;
    ///     }
    ///     assert_eq!((x + 1).to_vec::<f64>()?, [2.0, 3.0, 4.0]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn reclaim(&self, address: u64, handle: Option<usize>) -> Result<()> {
        let context = self.context();
        check(SHARING, context.device)?;
        context.bind()?;
        let used = std::iter::once((address, Access::Write));
        context.in_order(used, || match handle {
            Some(handle) => context.link(handle as CUstream, context.stream()),
            None => Ok(()),
        })
    }
}

/// The number of the GPU that the memory at `address` belongs to; `None` where no GPU knows the address.
///
/// # Errors
/// As [`crate::device`] where there is no driver.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// if syntonic_cuda::device_count() > 0 {
///     let there = Tensor::from([1.0]).to(&syntonic_cuda::device(0)?)?;
///     let address = syntonic_cuda::foreign::address(&there)?;
///     assert_eq!(syntonic_cuda::owner(address)?, Some(0));
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn owner(address: u64) -> Result<Option<u32>> {
    let device = DeviceId::Cuda(0);
    probe::driver().map_err(|reason| syntonic_core::Error::NoDevice {
        device: device.to_string(),
        reason: reason.to_string(),
    })?;
    let mut ordinal: c_int = -1;
    // SAFETY: the driver is loaded and initialised, the attribute is an `int`, and any number may be asked for.
    let code = unsafe {
        sys::cuPointerGetAttribute(
            (&raw mut ordinal).cast(),
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
            address,
        )
    };
    if code == CUresult::CUDA_ERROR_INVALID_VALUE {
        return Ok(None);
    }
    code.during("owner", device)?;
    Ok(u32::try_from(ordinal).ok())
}
