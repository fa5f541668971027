//! Kernels of a program, loaded on one GPU, and their launch.

use super::address;
use crate::context::Context;
use crate::context::gpu::Cuda;
use crate::driver::fault::{Checked, fault};
use crate::modules::assembly::assembling;
use crate::streams::order::Access;
use cudarc::driver::sys::{self, CUfunction, CUresult};
use std::ffi::{CStr, CString, c_void};
use std::sync::{Arc, Mutex};
use syntonic_core::device::Arg;
use syntonic_core::fork::lock;
use syntonic_core::{Error, Result, Tensor, way_out};

/// User kernels, loaded on one GPU.
#[derive(Debug)]
pub struct Module(Arc<Loaded>);

/// What is loaded, as long as the module or a graph that launches it lives.
#[derive(Debug)]
struct Loaded {
    gpu: Arc<Cuda>,
    handle: sys::CUmodule,
    /// Entries that were launched, by name.
    entries: Mutex<Vec<(String, CUfunction)>>,
}

// SAFETY: handles of modules and functions are opaque numbers, and the driver accepts them from any thread.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

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
    /// Address of the first element of an operand of an operator's launch, which is read.
    Input(&'a Arg),
    /// Address of the first element of a result of an operator's launch, which is written.
    Output(&'a Arg),
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
        // The driver may wait for the whole GPU.
        context.leases.ask_to_leave();
        let mut log = Log::new();
        let loaded = assembling(|| log.load(&text));
        let handle =
            loaded.map_err(
                |code| match (log.said(), fault("load", context.device, code)) {
                    (said, Error::Fault { op, device, what }) if !said.is_empty() => Error::Fault {
                        op: format!("{op} of a program's PTX"),
                        device,
                        what: format!("{what}; the assembler says:\n{said}"),
                    },
                    (_, error) => error,
                },
            )?;
        Ok(Module(Arc::new(Loaded {
            gpu: gpu.clone(),
            handle,
            entries: Mutex::default(),
        })))
    }

    /// Runs an entry on this thread's stream, after the work of other streams on the same tensors. Expressions that wait to read a tensor that is
    /// written are computed first. In a capture the launch becomes a part of the graph, which keeps the module.
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
        let context = self.0.gpu.context();
        context.bind()?;
        let function = self.find(context, entry)?;
        if let Some(taking) = context.taking() {
            taking.keep(self.0.clone());
        }
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
                Argument::Input(arg) => noted(arg, Access::Read, &mut used),
                Argument::Output(arg) => noted(arg, Access::Write, &mut used),
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

    fn find(&self, context: &Context, entry: &str) -> Result<CUfunction> {
        let mut entries = lock(&self.0.entries);
        if let Some((_, function)) = entries.iter().find(|(name, _)| name == entry) {
            return Ok(*function);
        }
        let name = CString::new(entry)
            .map_err(|_| Error::value("launch", "the entry's name has a zero byte inside"))?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded and the name ends with a zero byte.
        unsafe { sys::cuModuleGetFunction(&mut function, self.0.handle, name.as_ptr()) }
            .during(entry, context.device)?;
        entries.push((entry.to_owned(), function));
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
        if x.device_id() != self.0.gpu.context().device {
            return Err(Error::Fault {
                op: entry.to_owned(),
                device: self.0.gpu.context().device,
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
            let buffer = x.buffer()?;
            buffer.settle_for_write()?;
            buffer.note_stranger();
        }
        let at = address(x)?;
        used.push((at, access));
        Ok(at)
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        if self.gpu.context().bind().is_ok() {
            self.gpu.context().leases.ask_to_leave();
            // SAFETY: the module is loaded; the driver waits for kernels of it that still run.
            let _ = unsafe { sys::cuModuleUnload(self.handle) };
        }
    }
}

/// Address of an operand of an operator's launch.
fn noted(arg: &Arg, access: Access, used: &mut Vec<(u64, Access)>) -> u64 {
    // A block is known by its first byte.
    used.push((arg.base as u64, access));
    arg.address() as u64
}

/// What the driver's assembler says of a text.
struct Log(Vec<u8>);

impl Log {
    /// Bytes of its words that are kept.
    const ROOM: usize = 8192;

    fn new() -> Log {
        Log(vec![0; Log::ROOM])
    }

    /// Loads a text. The context is current.
    fn load(&mut self, text: &CStr) -> std::result::Result<sys::CUmodule, CUresult> {
        use sys::CUjit_option::{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        let mut options = [CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        // A number is given in the place of an address.
        let size = std::ptr::without_provenance_mut(Log::ROOM - 1);
        let mut values: [*mut c_void; 2] = [self.0.as_mut_ptr().cast(), size];
        let mut handle = std::ptr::null_mut();
        // SAFETY: the text ends with a zero byte, and both options have their values, the first so many bytes of room.
        let code = unsafe {
            sys::cuModuleLoadDataEx(
                &mut handle,
                text.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        match code {
            CUresult::CUDA_SUCCESS => Ok(handle),
            refused => Err(refused),
        }
    }

    /// Its words so far.
    fn said(&self) -> String {
        let text = self.0.split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(text).trim().to_owned()
    }
}
