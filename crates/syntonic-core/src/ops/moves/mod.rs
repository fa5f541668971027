//! Kernels that move elements by index, as data: a device with its own code for one finds it by name.
//!
//! All of them speak of an *index space*: a shape, and for each operand strides over that shape. An
//! operand that does not vary along an axis has stride 0 there. Offsets are `int64` distances in
//! elements that are added to where the strides lead.

mod gather;
mod mask;
mod offsets;
mod ramp;
mod scatter;
mod walk;

pub use gather::GATHER;
pub use mask::{MASK_BLOCK, MASK_COUNT, MASK_OFFSETS};
pub use offsets::INDEX_OFFSETS;
pub use ramp::RAMP;
pub use scatter::{SCATTER, SCATTER_ADD};

use crate::device::{Arg, Kernel, Launch};
use crate::error::{Operands, Result};
use crate::float8;
use crate::layout::Layout;
use crate::profile;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// A tensor as an operand of a kernel.
pub(crate) fn arg(x: &Tensor) -> Result<Arg> {
    arg_over(x, x.layout().clone())
}

/// The memory of a tensor as an operand walked by another layout.
pub(crate) fn arg_over(x: &Tensor, layout: Layout) -> Result<Arg> {
    Ok(Arg {
        base: x.buffer()?.address(),
        dtype: x.dtype(),
        layout,
    })
}

/// Launches `kernel` on the device of its first output, unless no element would be written.
///
/// Errors: [`Error::DType`](crate::Error::DType) for a type of storage, which no kernel of this door takes. Those that move
/// elements are given bytes instead ([`float8::bits`]).
///
/// # Safety
/// As the kernel's contract says; the tensors behind the arguments live until this returns.
pub(crate) unsafe fn launch(
    kernel: &Kernel,
    on: &Tensor,
    inputs: Vec<Arg>,
    outputs: Vec<Arg>,
    params: Vec<Scalar>,
) -> Result<()> {
    let args = Launch {
        inputs,
        outputs,
        params,
        ..Launch::default()
    };
    // SAFETY: passed on.
    unsafe { launch_of(kernel, on, &args) }
}

/// As [`launch`], of a launch that may have names.
///
/// # Safety
/// As that of [`launch`].
pub(crate) unsafe fn launch_of(kernel: &Kernel, on: &Tensor, args: &Launch) -> Result<()> {
    let all = || args.inputs.iter().chain(&args.outputs);
    if all().any(|a| a.dtype.is_stored()) {
        let device = on.device_id();
        let operands = all().map(|a| a.describe(device)).collect();
        return Err(float8::refuse(kernel.name, Operands(operands)));
    }
    // SAFETY: the caller's promise.
    let launch = || unsafe { on.device().launch(kernel, args) };
    profile::kernel(on.device(), kernel, args, launch)
}

/// Addresses that may cross threads: who writes what is the contract of each kernel.
#[derive(Clone, Copy)]
struct Shared<T>(*mut T);

// SAFETY: each kernel writes disjoint elements from different threads, as its comments say.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn of(arg: &Arg) -> Shared<T> {
        Shared(arg.address().cast())
    }

    fn at(self, offset: isize) -> *mut T {
        self.0.wrapping_offset(offset)
    }
}

/// A parameter as an integer.
fn integer(args: &Launch, at: usize) -> i64 {
    args.params.get(at).map_or(0, |p| p.to_i128() as i64)
}

/// What a write does with the element that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It goes.
    Replace,
    /// The value is added to it.
    Add,
}

impl Kind {
    /// The kernel that writes so.
    pub(crate) fn kernel(self) -> &'static Kernel {
        match self {
            Kind::Replace => &SCATTER,
            Kind::Add => &SCATTER_ADD,
        }
    }
}
