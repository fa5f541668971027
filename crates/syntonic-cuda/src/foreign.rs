//! Interoperation with programs that use CUDA themselves: their contexts, memory and kernels, and ours for them.

use crate::context::Context;
use crate::context::gpu::{Cuda, open};
use crate::driver::fault::Checked;
use crate::streams::order::Access;
use cudarc::driver::CudaContext;
use cudarc::driver::sys;
use std::any::Any;
use std::ffi::{CString, c_void};
use std::sync::Arc;
use syntonic_core::graph::check;
use syntonic_core::{
    Buffer, DType, Device, DeviceId, Error, Layout, Result, Tensor, describe, way_out,
};

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

/// User kernels, loaded on one GPU.
#[derive(Debug)]
pub struct Module {
    gpu: Arc<Cuda>,
    handle: sys::CUmodule,
}

// SAFETY: a module handle is an opaque number, and the driver accepts it from any thread.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// Address of a tensor's first element, which is read.
    Read(&'a Tensor),
    /// Address of a tensor's first element, which may be read and written.
    Write(&'a Tensor),
    /// A 32-bit integer.
    I32(i32),
    /// A 64-bit integer.
    I64(i64),
    /// A number of single precision.
    F32(f32),
    /// A number of double precision.
    F64(f64),
}

/// Launch configuration: blocks, threads per block, and bytes of dynamic shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads per block along x, y and z.
    pub block: [u32; 3],
    /// Bytes.
    pub shared: u32,
}

impl Module {
    /// Loads PTX.
    ///
    /// # Errors
    /// What the driver says of it.
    ///
    /// ```
    /// use syntonic_cuda::foreign::Module;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let ptx = "
    ///         .version 7.0
    ///         .target sm_70
    ///         .address_size 64
    ///         .visible .entry nothing() { ret; }
    ///     ";
    ///     assert!(Module::from_ptx(&gpu, ptx).is_ok());
    ///     assert!(Module::from_ptx(&gpu, "int main() {}").is_err());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn from_ptx(gpu: &Arc<Cuda>, ptx: &str) -> Result<Module> {
        let context = gpu.context();
        context.bind()?;
        let text = CString::new(ptx)
            .map_err(|_| Error::value("load", "the PTX has a zero byte inside"))?;
        let mut handle = std::ptr::null_mut();
        // The driver may wait for the whole GPU.
        context.leases.ask_to_leave();
        // SAFETY: the text ends with a zero byte and the context is current.
        let code = unsafe { sys::cuModuleLoadData(&mut handle, text.as_ptr().cast()) };
        code.during("load of a program's PTX", context.device)?;
        Ok(Module {
            gpu: gpu.clone(),
            handle,
        })
    }

    /// Runs an entry on this thread's stream, after the work of other streams on the same tensors.
    ///
    /// # Errors
    /// Where there is no such entry, a tensor lives elsewhere, a written tensor is not in memory yet, or the launch fails.
    ///
    /// # Safety
    /// The kernel takes exactly these arguments, stays inside the tensors it is given, and nobody else uses the tensors it
    /// writes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::foreign::{Argument, Module, Spread};
    ///
    /// /// x[i] = i, a thread an element.
    /// const COUNT: &str = "
    ///     .version 7.0
    ///     .target sm_70
    ///     .address_size 64
    ///     .visible .entry count(.param .u64 x)
    ///     {
    ///         .reg .b32 %i;
    ///         .reg .b64 %x, %behind;
    ///         ld.param.u64 %x, [x];
    ///         cvta.to.global.u64 %x, %x;
    ///         mov.u32 %i, %tid.x;
    ///         mul.wide.u32 %behind, %i, 4;
    ///         add.s64 %x, %x, %behind;
    ///         st.global.u32 [%x], %i;
    ///         ret;
    ///     }
    /// ";
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let x = Tensor::zeros_on(&[64], DType::I32, &syntonic_cuda::device(0)?)?.eval()?;
    ///     let module = Module::from_ptx(&syntonic_cuda::open(0)?, COUNT)?;
    ///     let spread = Spread { grid: [1, 1, 1], block: [64, 1, 1], shared: 0 };
    ///     // SAFETY: the kernel takes one address, writes the 64 elements behind it, and nobody else has `x`.
    ///     unsafe { module.launch("count", spread, &[Argument::Write(&x)])? };
    ///     assert_eq!(x.sum(..)?.to_scalar::<i64>()?, 2016);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub unsafe fn launch(
        &self,
        entry: &str,
        spread: Spread,
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        let context = self.gpu.context();
        // The module may be unloaded before the graph is dropped.
        check(entry, context.device)?;
        context.bind()?;
        let function = self.find(context, entry)?;
        let mut words: Vec<u64> = Vec::with_capacity(arguments.len());
        let mut used: Vec<(u64, Access)> = Vec::new();
        for argument in arguments {
            words.push(match *argument {
                Argument::Read(x) => self.operand(entry, x, Access::Read, &mut used)?,
                Argument::Write(x) => self.operand(entry, x, Access::Write, &mut used)?,
                // The driver reads as many bytes as the kernel's parameter has, from the lowest on.
                Argument::I32(i) => u64::from(i as u32),
                Argument::I64(i) => i as u64,
                Argument::F32(x) => u64::from(x.to_bits()),
                Argument::F64(x) => x.to_bits(),
            });
        }
        let mut places: Vec<*mut c_void> = words
            .iter_mut()
            .map(|w| std::ptr::from_mut(w).cast())
            .collect();
        context.in_order(used.into_iter(), || {
            let ([gx, gy, gz], [bx, by, bz]) = (spread.grid, spread.block);
            // SAFETY: the context is current, and the driver copies the arguments before it returns; what the kernel does
            // is the caller's promise.
            let code = unsafe {
                sys::cuLaunchKernel(
                    function,
                    gx,
                    gy,
                    gz,
                    bx,
                    by,
                    bz,
                    spread.shared,
                    context.stream(),
                    places.as_mut_ptr(),
                    std::ptr::null_mut(),
                )
            };
            context.check(entry, code)
        })
    }

    fn find(&self, context: &Context, entry: &str) -> Result<sys::CUfunction> {
        let name = CString::new(entry)
            .map_err(|_| Error::value("launch", "the entry's name has a zero byte inside"))?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded and the name ends with a zero byte.
        unsafe { sys::cuModuleGetFunction(&mut function, self.handle, name.as_ptr()) }
            .during(entry, context.device)?;
        Ok(function)
    }

    /// Address of an operand on this GPU.
    fn operand(
        &self,
        entry: &str,
        x: &Tensor,
        access: Access,
        used: &mut Vec<(u64, Access)>,
    ) -> Result<u64> {
        if x.device_id() != self.gpu.id() {
            return Err(Error::Fault {
                op: entry.to_owned(),
                device: self.gpu.id(),
                what: format!("its operand is {}; hint: {}", x.describe(), way_out::MOVE),
            });
        }
        if access == Access::Write && x.is_pending() {
            return Err(Error::value(
                "launch",
                "a tensor to be written is not computed yet; hint: eval it",
            ));
        }
        if access == Access::Write {
            x.buffer()?.note_stranger();
        }
        let at = address(x)?;
        used.push((at, access));
        Ok(at)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.gpu.context().bind().is_ok() {
            self.gpu.context().leases.ask_to_leave();
            // SAFETY: the module is loaded; the driver waits for kernels of it that still run.
            let _ = unsafe { sys::cuModuleUnload(self.handle) };
        }
    }
}
