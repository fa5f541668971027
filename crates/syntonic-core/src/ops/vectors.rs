//! Hand-written operators of other crates: kernels over row-major operands, and how their CPU versions reach those.

use super::moves::{arg, launch};
use crate::device::{Arg, Kernel};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe, same_device};

/// Runs `kernel` over row-major operands of one device, and gives its outputs, new tensors of these shapes and types. Inputs that are
/// waiting are computed first.
///
/// Errors: [`Error::Device`] for operands of several devices, [`Error::Value`] for one that is not row-major and where there is none,
/// and what the device says, which may have no kernel of this name or no memory.
///
/// # Safety
/// Shapes, types and numbers are those that the kernel asks for, and it writes all of every output.
pub unsafe fn run(
    kernel: &'static Kernel,
    inputs: &[&Tensor],
    outputs: &[(&[usize], DType)],
    params: Vec<Scalar>,
) -> Result<Vec<Tensor>> {
    same_device(kernel.name, inputs)?;
    let Some(first) = inputs
        .first()
        .filter(|_| inputs.iter().all(|t| t.is_contiguous()))
    else {
        let text = format!("takes row-major operands, not {}", describe(inputs));
        return Err(Error::value(kernel.name, text));
    };
    let made = outputs
        .iter()
        .map(|(shape, dtype)| Tensor::uninit(kernel.name, shape, *dtype, first.device()));
    let made: Vec<Tensor> = made.collect::<Result<_>>()?;
    let read = inputs.iter().map(|t| arg(t)).collect::<Result<Vec<_>>>()?;
    let written = made.iter().map(arg).collect::<Result<Vec<_>>>()?;
    // SAFETY: the caller's promise; outputs are new.
    unsafe { launch(kernel, first, read, written, params)? };
    Ok(made)
}

/// The elements of an operand of a CPU version.
///
/// # Safety
/// It is a live row-major vector of `T`, which nobody writes meanwhile.
pub unsafe fn read<T>(arg: &Arg) -> &[T] {
    // SAFETY: passed on.
    unsafe { std::slice::from_raw_parts(arg.address().cast::<T>(), arg.layout.numel()) }
}

/// The elements of an output of a CPU version, which threads write to at different places.
#[derive(Debug)]
pub struct Places<T>(*mut T);

// SAFETY: an address may cross threads; whoever follows one that `range` gives promises that nobody else has those places.
unsafe impl<T: Send> Sync for Places<T> {}

impl<T> Places<T> {
    /// Those of an output.
    pub fn of(arg: &Arg) -> Places<T> {
        Places(arg.address().cast())
    }

    /// So many places from `from` on, which nobody else may have meanwhile.
    pub fn range(&self, from: usize, count: usize) -> *mut [T] {
        std::ptr::slice_from_raw_parts_mut(self.0.wrapping_add(from), count)
    }
}
