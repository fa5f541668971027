//! What a device is: a place that allocates, copies, and runs programs and kernels.
//!
//! The trait is small and does not grow when an operator is added: an operator is either a
//! [`fuse`](mod@crate::fuse) program or a [`Kernel`], and both are data.

mod arithmetic;
mod capture;
pub(crate) mod end;
mod frame;
mod image;
mod named;
mod recorded_product;
mod recorded_range;
#[cfg(test)]
mod recorded_tests;
mod recorder;
mod steps;

pub use arithmetic::{Account, Arithmetic};
pub use capture::{Again, Capture, CapturedLoop, Recorded, Updated};
pub use end::End;
pub use frame::Frame;
pub(crate) use frame::remainder;
pub use image::{Image, Word};
pub use named::{ByName, NamedKernel};
pub use recorder::record;
pub use steps::{Loop, OneLaunch, Place, Step, StepTask, Steps};

use crate::cpu::ALIGN;
use crate::custom::Body;
use crate::dtype::DType;
use crate::error::{Error, Operand, Result};
use crate::fuse::Task;
use crate::layout::Layout;
use crate::profile::{HostClock, Stopwatch};
use crate::scalar::Scalar;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a device: `cpu`, `cuda:0`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum DeviceId {
    /// The host's processors and memory.
    Cpu,
    /// An NVIDIA GPU by its index.
    Cuda(u32),
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceId::Cpu => f.write_str("cpu"),
            DeviceId::Cuda(index) => write!(f, "cuda:{index}"),
        }
    }
}

impl DeviceId {
    /// Alignment in bytes that elements need there: a CPU reads a complex number part by part, a GPU as a whole.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(DeviceId::Cpu.alignment(DType::C128), 8);
    /// assert_eq!(DeviceId::Cuda(0).alignment(DType::C128), 16);
    /// ```
    pub const fn alignment(self, dtype: DType) -> usize {
        match self {
            DeviceId::Cpu => dtype.align(),
            DeviceId::Cuda(_) => dtype.size(),
        }
    }
}

/// Bytes a device holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryStats {
    /// Bytes of live buffers.
    pub in_use: usize,
    /// The largest value `in_use` had.
    pub peak: usize,
    /// Bytes kept for the next allocation.
    pub cached: usize,
}

/// One operand of a [`Kernel`]: an address on the device and how to walk it.
#[derive(Clone, Debug)]
pub struct Arg {
    /// Address of the buffer's first byte; the layout's offset counts from here.
    pub base: *mut u8,
    /// Element type.
    pub dtype: DType,
    /// Shape, strides and offset in elements.
    pub layout: Layout,
}

impl Arg {
    /// Address of the first element of the view; an aligned one also where it has none, and lies where none could be.
    ///
    /// ```
    /// use syntonic_core::device::Arg;
    /// use syntonic_core::{DType, Layout};
    ///
    /// let mut numbers = [1.0_f32, 2.0, 3.0];
    /// let base = numbers.as_mut_ptr().cast::<u8>();
    /// // The last two of the three.
    /// let view = Arg { base, dtype: DType::F32, layout: Layout::from_parts(&[2], &[1], 1) };
    /// assert_eq!(view.address() as usize - base as usize, 4);
    /// ```
    pub fn address(&self) -> *mut u8 {
        let bytes = self.layout.offset().wrapping_mul(self.dtype.size());
        let first = self.base.wrapping_add(bytes);
        let aligned = (first as usize).is_multiple_of(self.dtype.align()) && !first.is_null();
        if !aligned && self.layout.shape().contains(&0) {
            return std::ptr::without_provenance_mut(ALIGN);
        }
        first
    }

    /// The operand as an error message shows it.
    pub(crate) fn describe(&self, device: DeviceId) -> Operand {
        Operand {
            dtype: self.dtype,
            shape: self.layout.shape().to_vec(),
            device,
        }
    }
}

/// The operands of one launch of a [`Kernel`].
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Operands that are read.
    pub inputs: Vec<Arg>,
    /// Operands that are written; they overlap no input unless the kernel allows it.
    pub outputs: Vec<Arg>,
    /// Numbers.
    pub params: Vec<Scalar>,
    /// What happens to each element before it is written. Only products
    /// ([`MATMUL`](crate::ops::linalg::MATMUL)) take one; [`crate::ops::linalg::Contraction`] reads it.
    pub end: Option<End>,
    /// Where a product's arithmetic is noted, for who wants to know.
    pub account: Option<Account>,
    /// The CPU function of an [`Operator`](crate::custom::Operator); none for a kernel, which has its own.
    pub body: Option<Body>,
    /// The names of all these, where the operator declares some: [`Launch::by_name`] reads by them.
    pub named: Option<&'static NamedKernel>,
}

/// A hand-written operator as data: its name and its CPU function. A device that has its own code
/// for it finds that by name.
#[derive(Clone)]
pub struct Kernel {
    /// The operator's name, unique among kernels.
    pub name: &'static str,
    /// The CPU version.
    ///
    /// # Safety
    /// The launch must name live memory that fits its layouts, in the order the kernel documents.
    pub cpu: unsafe fn(&Launch) -> Result<()>,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({})", self.name)
    }
}

/// What became of a copy between devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// The bytes are there, for all that is asked of the device from now on.
    Done,
    /// There is no direct way; the bytes have to go through the host.
    NoWay,
}

/// A place that allocates, copies, and runs programs and kernels.
///
/// Addresses are plain numbers to everyone but the device; only a host device's may be read directly.
///
/// ```
/// use syntonic_core::prelude::*;
///
/// // What a step needs of the device that it runs on.
/// let x = Tensor::ones(&[1 << 20], DType::F32)?.eval()?;
/// let device = x.device();
/// let before = device.stats().in_use;
/// let y = (&x * 2.0).eval()?;
/// device.synchronize()?; // a GPU may go on when a call has returned
/// assert_eq!(device.stats().in_use - before, 4 << 20);
/// drop(y);
/// device.trim(); // what is kept for the next tensor goes back
/// assert_eq!((device.id(), device.stats().cached), (DeviceId::Cpu, 0));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub trait Device: Send + Sync + fmt::Debug {
    /// Its name.
    fn id(&self) -> DeviceId;

    /// What a measurement on it is a measurement of, in words: the model, its driver, and the version of the code that it runs. Equal on
    /// another day and in another process for as long as none of these has changed.
    fn identity(&self) -> String {
        format!("{}, syntonic {}", self.id(), env!("CARGO_PKG_VERSION"))
    }

    /// At least `bytes` bytes, aligned to 64; the contents are arbitrary.
    fn allocate(&self, bytes: usize) -> Result<*mut u8>;

    /// Gives an allocation of `bytes` bytes back.
    ///
    /// # Safety
    /// `address` came from [`Device::allocate`] of this device with the same `bytes`, once.
    unsafe fn release(&self, address: *mut u8, bytes: usize);

    /// Copies host bytes to the device.
    ///
    /// # Safety
    /// `to` has room for `from.len()` bytes on this device.
    unsafe fn upload(&self, to: *mut u8, from: &[u8]) -> Result<()>;

    /// Copies device bytes to the host.
    ///
    /// # Safety
    /// `from` has `to.len()` initialised bytes on this device.
    unsafe fn download(&self, to: &mut [u8], from: *const u8) -> Result<()>;

    /// Copies bytes from another device without the host between them, if there is such a way.
    ///
    /// # Safety
    /// `to` has room for `bytes` bytes on this device, and `from` has as many initialised ones on `source`.
    unsafe fn receive(
        &self,
        to: *mut u8,
        source: &dyn Device,
        from: *const u8,
        bytes: usize,
    ) -> Result<Received> {
        let _ = (to, source, from, bytes);
        Ok(Received::NoWay)
    }

    /// Whether [`Device::run`] sums `RowSum` outputs of floats over the rows itself. Such an output then has the row's
    /// shape, and steps of 0 from row to row; otherwise it has one value per element, which the caller sums.
    fn sums_rows(&self) -> bool {
        false
    }

    /// Results of at most this many elements, and made of no more, are computed at once. Where a program costs
    /// little to start, an expression costs more than the pass over memory that it saves; where each program is a launch,
    /// small results wait as well.
    fn eager_elements(&self) -> usize {
        crate::lazy::EAGER_ELEMENTS
    }

    /// True for one that stands for the device of its name while a function is [recorded](record): its tensors have no values.
    fn is_recorder(&self) -> bool {
        false
    }

    /// How expressions on this device are fused.
    fn fusion(&self) -> crate::lazy::Fusing {
        crate::lazy::Fusing::WRITING
    }

    /// Runs a fused program.
    ///
    /// # Safety
    /// The task's program is one that [`lower`](crate::fuse::lower) made, or keeps what it keeps, and has as many slots and numbers as
    /// inputs and outputs. Its operands name live memory of this device that fits their strides, but for indices
    /// ([`Op::Index`](crate::fuse::Op::Index)), which have none; outputs overlap an input only where both walk the same elements in the
    /// same order.
    unsafe fn run(&self, task: &Task<'_>) -> Result<()>;

    /// Runs fused programs that do not depend on each other, in any order or at once.
    ///
    /// # Safety
    /// As [`Device::run`], for each; none reads or writes what another one writes.
    unsafe fn run_each(&self, tasks: &[Task<'_>]) -> Result<()> {
        for task in tasks {
            // SAFETY: the caller's promise.
            unsafe { self.run(task)? };
        }
        Ok(())
    }

    /// Makes ready to run these steps in one launch, where the device can and that is worth it.
    ///
    /// # Errors
    /// What it meets on the way.
    fn one_launch(&self, steps: &Steps) -> Result<Option<Box<dyn OneLaunch>>> {
        let _ = steps;
        Ok(None)
    }

    /// Makes ready to run what [`OneLaunch::image`] said, on this device or another one like it; nothing where the device runs no such text.
    ///
    /// # Safety
    /// The image is one that [`OneLaunch::image`] gave, unchanged.
    ///
    /// # Errors
    /// What it meets on the way.
    unsafe fn launch_of(&self, image: &Image) -> Result<Option<Box<dyn OneLaunch>>> {
        let _ = image;
        Ok(None)
    }

    /// Whether the one result of the program may be written over an operand that nobody else will read: once the device has begun to write
    /// it, no error comes, and that it cannot be stopped is nothing to wait for.
    fn overwrites(&self, task: &Task<'_>) -> bool {
        let _ = task;
        false
    }

    /// Runs a hand-written kernel.
    ///
    /// # Safety
    /// As the kernel's own contract says; all memory belongs to this device.
    unsafe fn launch(&self, kernel: &Kernel, args: &Launch) -> Result<()>;

    /// Begins to measure how long what is asked of the device from now on takes. A device that is done when a call returns
    /// has no better clock than the host's.
    fn stopwatch(&self) -> Result<Box<dyn Stopwatch>> {
        Ok(Box::new(HostClock::start()))
    }

    /// Whether work has to run once before it is captured: a capture that only takes work down must find its kernels ready.
    fn warms_up(&self) -> bool {
        false
    }

    /// Begins to take down what this thread asks of the device, for [`Graph`](crate::Graph). The answer says
    /// [`is_capturing`](crate::graph::is_capturing), asked on this thread.
    fn begin_capture(&self) -> Result<Box<dyn Capture>> {
        Err(Error::Capture {
            op: "capture".to_owned(),
            what: format!("{} has no graphs", self.id()),
        })
    }

    /// Begins a loop in the capture of this thread. What it asks of the device for the work around the loop,
    /// see [`loops_around`](crate::graph::loops_around), is done before the loop.
    ///
    /// # Safety
    /// The memory that is looked at between turns lives as long as what is captured.
    unsafe fn begin_loop(&self, again: Again) -> Result<Box<dyn CapturedLoop>> {
        let _ = again;
        Err(Error::Capture {
            op: "loop".to_owned(),
            what: format!("{} has no loops in graphs", self.id()),
        })
    }

    /// Waits until everything asked of the device is done.
    fn synchronize(&self) -> Result<()>;

    /// Bytes it holds.
    fn stats(&self) -> MemoryStats;

    /// Gives cached memory back to the system.
    fn trim(&self);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_wants_whole_elements_aligned() {
        for dtype in DType::ALL {
            let (here, there) = (
                DeviceId::Cpu.alignment(dtype),
                DeviceId::Cuda(0).alignment(dtype),
            );
            assert_eq!(
                there,
                if dtype.is_complex() { 2 * here } else { here },
                "{dtype}"
            );
        }
    }
}
