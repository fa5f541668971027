//! Interoperation with programs that use CUDA themselves: their contexts, memory and kernels, and ours for them.
//!
//! A kernel of a program is loaded as a [`Module`], or as [`Code`] on each GPU that it runs on, and launched by [`Module::launch`]. Graphs
//! capture such launches, and keep the module loaded.

mod code;
mod module;

pub use code::Code;
pub use module::{Argument, Module, Spread};

use crate::context::gpu::{Cuda, open};
use cudarc::driver::CudaContext;
use std::any::Any;
use std::sync::Arc;
use syntonic_core::{Buffer, DType, Device, DeviceId, Error, Layout, Result, Tensor, describe};

/// The GPU behind a context of cudarc's.
///
/// # Errors
/// Where the context is not its GPU's primary one, which is the only one that Syntonic works in: make it with
/// `CudaContext::new`.
///
/// ```
/// use cudarc::driver::CudaContext;
///
/// if syntonic_cuda::device_count() > 0 {
///     let theirs = CudaContext::new(0)?;
///     let gpu = syntonic_cuda::foreign::adopt(&theirs)?;
///     assert!(std::sync::Arc::ptr_eq(&gpu, &syntonic_cuda::open(0)?));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn adopt(context: &Arc<CudaContext>) -> Result<Arc<Cuda>> {
    let gpu = open(context.ordinal() as u32)?;
    if gpu.context().driver().cu_ctx() != context.cu_ctx() {
        return Err(Error::NoDevice {
            device: gpu.id().to_string(),
            reason:
                "this context is not the GPU's primary one; hint: CudaContext::new gives that one"
                    .to_owned(),
        });
    }
    Ok(gpu)
}

/// A tensor over another owner's memory, kept alive by `owner`: row-major elements of `dtype`.
///
/// Pending work on the memory must be done, or this thread's stream must follow it ([`Cuda::wait_for_stream`]).
///
/// # Safety
/// `address` is that of initialised elements of this GPU's memory, valid as long as `owner` lives; as [`Tensor::from_buffer`]
/// says, nobody writes them meanwhile.
///
/// ```
/// use cudarc::driver::{CudaContext, DevicePtr};
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::foreign;
///
/// if syntonic_cuda::device_count() > 0 {
///     let theirs = CudaContext::new(0)?;
///     let gpu = foreign::adopt(&theirs)?;
///     let stream = theirs.new_stream()?;
///     let numbers = stream.clone_htod(&[1_i32, 2, 3, 4, 5, 6])?;
///     stream.synchronize()?;
///     let address = numbers.device_ptr(&stream).0;
///     // SAFETY: the tensor keeps the memory, whose six numbers are written, and nobody else has it.
///     let x = unsafe { foreign::tensor(&gpu, address, &[2, 3], DType::I32, Box::new(numbers))? };
///     assert_eq!(x.sum(-1)?.to_vec::<i64>()?, [6, 15]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub unsafe fn tensor(
    gpu: &Arc<Cuda>,
    address: u64,
    shape: &[usize],
    dtype: DType,
    owner: Box<dyn Any + Send + Sync>,
) -> Result<Tensor> {
    let layout = Layout::contiguous("tensor", shape)?;
    let bytes = layout.numel() * dtype.size();
    let device: Arc<dyn Device> = gpu.clone();
    // SAFETY: the caller's promise.
    unsafe {
        let buffer = Buffer::foreign(&device, address as *mut u8, bytes, owner);
        Tensor::from_buffer(dtype, layout, Arc::new(buffer))
    }
}

/// Address of a tensor's first element in GPU memory. Computes a pending tensor; strides are the tensor's own.
///
/// The memory is the tensor's: it is good as long as that lives, and only read.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_cuda::foreign::address;
///
/// if syntonic_cuda::device_count() > 0 {
///     let x = Tensor::from([1.0, 2.0, 3.0]).to(&syntonic_cuda::device(0)?)?;
///     let behind = address(&x.index(1..)?)? - address(&x)?;
///     assert_eq!(behind, 8);
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn address(x: &Tensor) -> Result<u64> {
    if x.device_id() == DeviceId::Cpu {
        return Err(Error::Device {
            op: "address",
            operands: describe(&[x]),
        });
    }
    let first = x.buffer()?.address() as u64;
    Ok(first + (x.layout().offset() * x.dtype().size()) as u64)
}
