//! Fourier transforms. Each is linear, so the way back is its adjoint, which is a transform in the other direction.

use super::node::{Cotangents, Keep, record};
use crate::error::Result;
use crate::fuse::Prim;
use crate::ops::create::full;
use crate::ops::elementwise::apply;
use crate::ops::fft::{Direction, Norm, fft, ifft, irfft, rfft};
use crate::ops::pad::{Padding, pad};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// A transform of a whole axis: the operand, the number of results, the axis and the factor.
type Transform = fn(&Tensor, Option<usize>, isize, Norm) -> Result<Tensor>;

fn one(g: Tensor) -> Result<Cotangents> {
    Ok(SmallVec::from_iter([Some(g)]))
}

/// `y = f F x` of tracked complex numbers: x gets `f F^H g`, the transform in the other direction with the same factor.
pub(crate) fn whole(
    op: &'static str,
    direction: Direction,
    x: &Tensor,
    axis: isize,
    norm: Norm,
) -> Result<Tensor> {
    let (there, back): (Transform, Transform) = match direction {
        Direction::Forward => (fft, ifft),
        Direction::Inverse => (ifft, fft),
    };
    let value = there(&x.stop_gradient(), None, axis, norm)?;
    record(op, &[x], Keep::Nothing, value, move |step| {
        one(back(step.cotangent(), None, axis, norm.turned())?)
    })
}

/// `y[k] = f Σ_j x[j] e^(-2πi j k / n)` for k to n/2, of tracked real numbers: x gets `f Re Σ_k g[k] e^(+2πi j k / n)`, which is
/// [`irfft`] of g with half of what it counts twice.
pub(crate) fn half(op: &'static str, x: &Tensor, axis: usize, norm: Norm) -> Result<Tensor> {
    let n = x.shape()[axis];
    let value = rfft(&x.stop_gradient(), None, axis as isize, norm)?;
    record(op, &[x], Keep::Nothing, value, move |back| {
        let g = counted(back.cotangent(), axis, n, 0.5)?;
        one(irfft(&g, Some(n), axis as isize, norm.turned())?)
    })
}

/// `x[j] = f Re (y[0] + 2 Σ_k y[k] e^(2πi j k / n) + ..)` of tracked halves: y gets `f w[k] Σ_j g[j] e^(-2πi j k / n)`, [`rfft`] of g with
/// what counts twice doubled.
pub(crate) fn from_half(
    op: &'static str,
    x: &Tensor,
    n: usize,
    axis: usize,
    norm: Norm,
) -> Result<Tensor> {
    let value = irfft(&x.stop_gradient(), Some(n), axis as isize, norm)?;
    record(op, &[x], Keep::Nothing, value, move |back| {
        let g = rfft(back.cotangent(), None, axis as isize, norm.turned())?;
        one(counted(&g, axis, n, 2.0)?)
    })
}

/// The half of a transform of `n` numbers, times `factor` where an element stands for its conjugate as well: all but the first and,
/// for an even n, the last.
fn counted(half: &Tensor, axis: usize, n: usize, factor: f64) -> Result<Tensor> {
    let twice = (n - 1) / 2;
    let behind = half.ndim() - 1 - axis;
    let mut shape = vec![1; behind + 1]; // few: an axis each.
    shape[0] = twice;
    let factors = full(&shape, factor, half.dtype().real(), half.device())?;
    let mut widths = vec![(0, 0); behind + 1]; // few: an axis each.
    widths[0] = (1, half.shape()[axis] - 1 - twice);
    let factors = pad(&factors, &widths, Padding::Constant(Scalar::Int(1)))?;
    apply(Prim::Mul, &[half.into(), (&factors).into()])
}
