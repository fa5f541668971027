//! Counting how often each small integer occurs.

use crate::device::{Kernel, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::float8;
use crate::grad;
use crate::interrupt::{self, in_pieces};
use crate::ops::moves::{arg, launch};
use crate::ops::reduce::{Over, max, min};
use crate::tensor::{Tensor, describe, same_device};

/// How often each integer occurs, or the sum of weights.
///
/// Inputs: a row-major vector `x` of `int64`, of which those are counted that are at least 0 and below the output's length, and
/// possibly one of `float64` weights of its length. Output: a row-major vector, `int64`, or `float64`
/// with weights, which are summed in order.
pub static BINCOUNT: Kernel = Kernel {
    name: "bincount",
    cpu: run,
};

/// How often each integer from 0 to the largest occurs: `[n] -> [max(x) + 1]`, at least `minlength`
/// long. `int64`, or with `weights`, `[n]` real numbers, the sums of them as `float64`.
///
/// Errors where `x` is no vector of integers or holds a negative one, or the weights have another
/// shape or are complex.
///
/// ```
/// use syntonic_core::ops::order::bincount;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([0, 2, 2, 5]);
/// assert_eq!(bincount(&x, None, 0)?.to_vec::<i64>()?, [1, 0, 2, 0, 0, 1]);
/// let weights = Tensor::from([0.5, 1.0, 2.0, 4.0]);
/// assert_eq!(bincount(&x, Some(&weights), 0)?.to_vec::<f64>()?, [0.5, 0.0, 3.0, 0.0, 0.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn bincount(x: &Tensor, weights: Option<&Tensor>, minlength: usize) -> Result<Tensor> {
    const OP: &str = "bincount";
    let all: Vec<&Tensor> = std::iter::once(x).chain(weights).collect();
    same_device(OP, &all)?;
    float8::check(OP, &all)?;
    if !x.dtype().is_integer() || weights.is_some_and(|w| w.dtype().is_complex()) {
        return Err(Error::DType {
            op: OP,
            operands: describe(&all),
            hint: "bincount takes integers, and real weights".into(),
        });
    }
    if x.ndim() != 1 || weights.is_some_and(|w| w.shape() != x.shape()) {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&all),
            hint: "bincount takes a vector, and weights of its length".into(),
        });
    }
    if let Some(weights) = weights.filter(|w| w.is_tracked()) {
        return grad::weighed(x, weights, minlength);
    }
    let length = bins(OP, x)?.max(minlength);
    let dtype = if weights.is_some() {
        DType::F64
    } else {
        DType::I64
    };
    let out = Tensor::uninit(OP, &[length], dtype, x.device())?;
    let mut held = vec![x.cast(DType::I64)?.contiguous()?];
    if let Some(w) = weights {
        held.push(w.cast(DType::F64)?.contiguous()?);
    }
    let inputs = held.iter().map(arg).collect::<Result<Vec<_>>>()?;
    // SAFETY: the operands are live row-major vectors of the types that the kernel asks for, and the output is fresh.
    unsafe { launch(&BINCOUNT, &out, inputs, vec![arg(&out)?], vec![])? };
    Ok(out)
}

/// One more than the largest element, or an error where one is negative.
fn bins(op: &'static str, x: &Tensor) -> Result<usize> {
    if x.numel() == 0 {
        return Ok(0);
    }
    let (low, high) = (
        min(x, &Over::all())?.item()?.to_i128(),
        max(x, &Over::all())?.item()?.to_i128(),
    );
    // Of an operand that others write meanwhile, the largest may be less than the smallest was.
    if low.min(high) < 0 || high >= i64::MAX as i128 {
        return Err(Error::value(
            op,
            format!("elements reach from {low} to {high}; hint: shift them to start at 0"),
        ));
    }
    Ok(high as usize + 1)
}

/// Elements that are counted before the caller is asked whether to go on.
const UNASKED: usize = 1 << 20;

/// # Safety
/// As [`BINCOUNT`] says.
unsafe fn run(launch: &Launch) -> Result<()> {
    let (x, out) = (&launch.inputs[0], &launch.outputs[0]);
    let bins = out.layout.numel();
    // SAFETY: a live vector.
    let x = unsafe { std::slice::from_raw_parts(x.address().cast::<i64>(), x.layout.numel()) };
    match launch.inputs.get(1) {
        None => {
            // SAFETY: a live vector apart from the input.
            let out = unsafe { std::slice::from_raw_parts_mut(out.address().cast::<i64>(), bins) };
            interrupt::fill(out, 0)?;
            in_pieces(x.len(), UNASKED, |from, to| {
                for &i in &x[from..to] {
                    if let Some(count) = out.get_mut(i as usize) {
                        *count += 1;
                    }
                }
            })?;
        }
        Some(w) => {
            // SAFETY: live vectors, the output apart from the inputs.
            let (w, out) = unsafe {
                (
                    std::slice::from_raw_parts(w.address().cast::<f64>(), x.len()),
                    std::slice::from_raw_parts_mut(out.address().cast::<f64>(), bins),
                )
            };
            interrupt::fill(out, 0.0)?;
            in_pieces(x.len(), UNASKED, |from, to| {
                for (&i, &w) in x[from..to].iter().zip(&w[from..to]) {
                    if let Some(sum) = out.get_mut(i as usize) {
                        *sum += w;
                    }
                }
            })?;
        }
    }
    Ok(())
}
