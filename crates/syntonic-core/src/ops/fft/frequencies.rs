//! The frequencies of a transform, and its origin moved to the middle.

use super::operand::axis_of;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Operand, Operands, Result};
use crate::fuse::Prim;
use crate::ops::create::arange;
use crate::ops::elementwise::apply;
use crate::ops::join::concat;
use crate::ops::rearrange::roll;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use std::sync::Arc;

/// The frequencies of the elements of a transform of `n` numbers that are `d` apart: 0, 1, .., -2, -1 over `d n`, in cycles for
/// a unit of `d`. A vector `[n]` of a real floating type, `float64` where none is named.
///
/// Errors: [`Error::Value`] for `n` = 0 and for a `d` that is 0 or not finite; [`Error::DType`].
///
/// ```
/// # use syntonic_core::{cpu, ops::fft::fftfreq};
/// assert_eq!(fftfreq(4, 0.5, None, &cpu())?.to_vec::<f64>()?, [0.0, 0.5, -1.0, -0.5]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn fftfreq(n: usize, d: f64, dtype: Option<DType>, device: &Arc<dyn Device>) -> Result<Tensor> {
    let middle = n.div_ceil(2) as i128;
    let parts = [(0, middle), (-(n as i128 / 2), 0)];
    steps("fftfreq", n, &parts, d, dtype, device)
}

/// The frequencies of half a transform, as [`rfft`](super::rfft) gives it: 0, 1, .., n/2 over `d n`. Types and errors as
/// [`fftfreq`].
///
/// ```
/// # use syntonic_core::{cpu, ops::fft::rfftfreq};
/// // Eight samples a second for half a second: cycles a second.
/// assert_eq!(rfftfreq(4, 0.125, None, &cpu())?.to_vec::<f64>()?, [0.0, 2.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn rfftfreq(
    n: usize,
    d: f64,
    dtype: Option<DType>,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let end = n as i128 / 2 + 1;
    steps("rfftfreq", n, &[(0, end)], d, dtype, device)
}

/// The integers of these ranges over `d n`.
fn steps(
    op: &'static str,
    n: usize,
    ranges: &[(i128, i128)],
    d: f64,
    dtype: Option<DType>,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let dtype = dtype.unwrap_or(DType::F64);
    if !dtype.is_float() || dtype.is_stored() {
        let result = Operand {
            dtype,
            shape: vec![n],
            device: device.id(),
        };
        return Err(Error::DType {
            op,
            operands: Operands(vec![result]),
            hint: "frequencies are real; name a real floating type".into(),
        });
    }
    if n == 0 || d == 0.0 || !d.is_finite() {
        let what = format!(
            "n is {n} and d is {d}; hint: at least one number, and a finite distance that is not 0"
        );
        return Err(Error::value(op, what));
    }
    let part = |&(from, to): &(i128, i128)| {
        arange(
            Scalar::Int(from),
            Scalar::Int(to),
            Scalar::Int(1),
            Some(DType::F64),
            device,
        )
    };
    // few: two ranges at most.
    let parts = ranges.iter().map(part).collect::<Result<Vec<_>>>()?;
    let parts: Vec<&Tensor> = parts.iter().collect();
    let whole = concat(&parts, None)?;
    apply(Prim::Div, &[(&whole).into(), (n as f64 * d).into()])?.cast(dtype)
}

/// The frequency 0 moved to the middle of each axis, or of all: the elements moved on by `n / 2`.
///
/// Errors: [`Error::Axis`](crate::Error::Axis).
///
/// ```
/// # use syntonic_core::{cpu, ops::fft::{fftfreq, fftshift}};
/// let ascending = fftshift(&fftfreq(5, 0.2, None, &cpu())?, None)?;
/// assert_eq!(ascending.to_vec::<f64>()?, [-2.0, -1.0, 0.0, 1.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn fftshift(x: &Tensor, axes: Option<&[isize]>) -> Result<Tensor> {
    shifted("fftshift", x, axes, |n| (n / 2) as i64)
}

/// The inverse of [`fftshift`].
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{fftshift, ifftshift}};
/// let x = Tensor::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// let shifted = fftshift(&x, Some(&[-1]))?;
/// assert_eq!(shifted.to_vec::<f64>()?, [3.0, 1.0, 2.0, 6.0, 4.0, 5.0]);
/// assert_eq!(ifftshift(&shifted, Some(&[-1]))?.to_vec::<f64>()?, x.to_vec::<f64>()?);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ifftshift(x: &Tensor, axes: Option<&[isize]>) -> Result<Tensor> {
    shifted("ifftshift", x, axes, |n| -((n / 2) as i64))
}

fn shifted(
    op: &'static str,
    x: &Tensor,
    axes: Option<&[isize]>,
    by: impl Fn(usize) -> i64,
) -> Result<Tensor> {
    // few: the axes.
    let all: Vec<isize> = (0..x.ndim() as isize).collect();
    let axes = axes.unwrap_or(&all);
    let mut shifts = Vec::with_capacity(axes.len()); // few: the axes.
    for &axis in axes {
        shifts.push(by(x.shape()[axis_of(op, x, axis)?]));
    }
    match axes {
        [] => x.copy(),
        _ => roll(x, &shifts, Some(axes)),
    }
}
