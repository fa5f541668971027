//! What transforms do with their operands: types, lengths, and how a kernel is launched.

use super::Direction;
use super::kernel::{FFT, IRFFT, RFFT};
use crate::dtype::DType;
use crate::error::{Error, Result, way_out};
use crate::layout::{count, normalize_axis};
use crate::ops::join::narrow;
use crate::ops::moves::{arg, launch};
use crate::ops::pad::{Padding, pad};
use crate::ops::scan::last_order;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe};

/// The operand in the type in which it is transformed, real or complex as it was.
///
/// Errors: [`Error::DType`] for a type that has half the digits.
pub(super) fn taken(op: &'static str, x: &Tensor) -> Result<Tensor> {
    crate::float8::check(op, &[x])?;
    let dtype = x.dtype().to_inexact();
    if dtype.is_half() {
        return Err(Error::DType {
            op,
            operands: describe(&[x]),
            hint: format!("{}, for instance to float32", way_out::CONVERT),
        });
    }
    x.cast(dtype)
}

/// As [`taken`], with imaginary parts of 0 where it has none.
pub(super) fn complex(op: &'static str, x: &Tensor) -> Result<Tensor> {
    let x = taken(op, x)?;
    x.cast(x.dtype().complex())
}

/// As [`taken`], of real numbers.
pub(super) fn real(op: &'static str, x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_complex() {
        return Err(Error::DType {
            op,
            operands: describe(&[x]),
            hint: format!(
                "it takes real numbers: {}, or use the transform of complex ones",
                way_out::REAL
            ),
        });
    }
    taken(op, x)
}

/// The axis that is transformed.
pub(super) fn axis_of(op: &'static str, x: &Tensor, axis: isize) -> Result<usize> {
    normalize_axis(op, axis, x.ndim())
}

/// The length to transform, which is at least 1.
pub(super) fn length(op: &'static str, x: &Tensor, axis: usize, n: usize) -> Result<usize> {
    if n > 0 {
        return Ok(n);
    }
    Err(Error::Shape {
        op,
        operands: describe(&[x]),
        hint: format!(
            "there is nothing to transform along axis {axis}; name a length of at least 1"
        ),
    })
}

/// The operand with `len` elements along the axis: the first ones, or zeros behind them.
pub(super) fn fitted(op: &'static str, x: &Tensor, axis: usize, len: usize) -> Result<Tensor> {
    let here = x.shape()[axis];
    if len <= here {
        return narrow(x, axis, 0, len);
    }
    let mut shape = x.shape().to_vec();
    shape[axis] = len;
    count(op, &shape)?;
    let mut widths = vec![(0, 0); x.ndim()]; // few: an axis each.
    widths[axis] = (0, len - here);
    pad(x, &widths, Padding::Constant(Scalar::Int(0)))
}

/// What a transform does to its lines.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transform {
    /// Complex numbers into as many.
    Complex(Direction),
    /// Real numbers into the first half of their transform.
    RealForward,
    /// The first half of a transform into real numbers.
    RealInverse,
}

/// Memory for a result with `len` elements along the axis.
pub(super) fn room(
    op: &'static str,
    x: &Tensor,
    axis: usize,
    len: usize,
    dtype: DType,
) -> Result<Tensor> {
    let mut shape = x.shape().to_vec();
    shape[axis] = len;
    Tensor::uninit(op, &shape, dtype, x.device())
}

/// Transforms the lines of `x` along an axis into those of `out`, times `scale`; `out` may be `x`.
pub(super) fn run(
    transform: Transform,
    x: &Tensor,
    out: &Tensor,
    axis: usize,
    scale: f64,
) -> Result<()> {
    if out.numel() == 0 {
        return Ok(());
    }
    let order = last_order(axis, x.ndim());
    let (from, to) = (arg(&x.permute(&order)?)?, arg(&out.permute(&order)?)?);
    let scale = Scalar::Float(scale);
    let (kernel, params) = match transform {
        Transform::Complex(direction) => {
            let inverse = Scalar::Bool(direction == Direction::Inverse);
            (&FFT, vec![scale, inverse])
        }
        Transform::RealForward => (&RFFT, vec![scale]),
        Transform::RealInverse => (&IRFFT, vec![scale]),
    };
    // SAFETY: both operands are live, of the types and lengths that the kernel asks for, and the output is fresh or the input.
    unsafe { launch(kernel, out, vec![from], vec![to], params) }
}
