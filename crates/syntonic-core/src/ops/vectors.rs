//! Hand-written operators of other crates: kernels over row-major operands.

use super::moves::{arg, launch};
use crate::device::Kernel;
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
