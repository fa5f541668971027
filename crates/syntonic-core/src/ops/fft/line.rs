//! Transforms along one axis.

use super::operand::{self, Transform, axis_of, fitted, length};
use super::{Direction, Norm};
use crate::error::Result;
use crate::fuse::Prim;
use crate::grad;
use crate::ops::elementwise::apply;
use crate::tensor::Tensor;

/// The Fourier transform along an axis: shapes `[.., m, ..] -> [.., n, ..]`, complex.
///
/// `y[k] = f Σ_j x[j] e^(-2πi j k / n)` of the first `n` elements, or of all and zeros behind them; `n` is `m` where it is not
/// given, and `f` is what `norm` says. By `rustfft`'s mixed radix, Rader's and Bluestein's algorithms on the host (Cooley and
/// Tukey 1965), so the relative error in the 2-norm grows as eps log n.
///
/// Errors: [`Error::Axis`](crate::Error::Axis); [`Error::Shape`](crate::Error::Shape) for no elements at all;
/// [`Error::DType`](crate::Error::DType) for `float16`, `bfloat16` and 8-bit floats.
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Norm, fft}};
/// # use num_complex::Complex;
/// let x = Tensor::from_slice(&[1.0, 0.0, 0.0, 0.0], &[4])?;
/// let y = fft(&x, None, -1, Norm::Backward)?;
/// assert_eq!(y.to_vec::<Complex<f64>>()?, [Complex::new(1.0, 0.0); 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn fft(x: &Tensor, n: Option<usize>, axis: isize, norm: Norm) -> Result<Tensor> {
    of_complex("fft", x, n, axis, norm, Direction::Forward)
}

/// The inverse of [`fft`]: `x[j] = f Σ_k y[k] e^(+2πi j k / n)`, with the factor 1/n unless `norm` puts it elsewhere.
///
/// Shapes and errors as [`fft`].
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Norm, fft, ifft}};
/// # use num_complex::Complex;
/// let x = Tensor::from([1.0, 2.0, 3.0, 4.0]);
/// let back = ifft(&fft(&x, None, -1, Norm::Backward)?, None, -1, Norm::Backward)?;
/// let far = back.to_vec::<Complex<f64>>()?.iter().zip([1.0, 2.0, 3.0, 4.0]).map(|(y, x)| (y - x).norm()).fold(0.0, f64::max);
/// assert!(far < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ifft(x: &Tensor, n: Option<usize>, axis: isize, norm: Norm) -> Result<Tensor> {
    of_complex("ifft", x, n, axis, norm, Direction::Inverse)
}

pub(super) fn of_complex(
    op: &'static str,
    x: &Tensor,
    n: Option<usize>,
    axis: isize,
    norm: Norm,
    direction: Direction,
) -> Result<Tensor> {
    let axis = axis_of(op, x, axis)?;
    let n = length(op, x, axis, n.unwrap_or(x.shape()[axis]))?;
    let x = operand::complex(op, &fitted(op, x, axis, n)?)?;
    if x.is_tracked() {
        return grad::transformed(op, direction, &x, axis as isize, norm);
    }
    let out = operand::room(op, &x, axis, n, x.dtype())?;
    let scale = norm.factor(direction, n as f64);
    operand::run(Transform::Complex(direction), &x, &out, axis, scale)?;
    Ok(out)
}

/// The first half of the [`fft`] of real numbers, of which the rest are conjugates: `[.., m, ..] -> [.., n/2 + 1, ..]`.
///
/// Errors as [`fft`], and [`Error::DType`](crate::Error::DType) for complex numbers.
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Norm, rfft}};
/// # use num_complex::Complex;
/// let x = Tensor::from_slice(&[1.0, -1.0, 1.0, -1.0], &[4])?;
/// let y = rfft(&x, None, -1, Norm::Backward)?.to_vec::<Complex<f64>>()?;
/// assert_eq!(y, [0.0, 0.0, 4.0].map(Complex::from));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn rfft(x: &Tensor, n: Option<usize>, axis: isize, norm: Norm) -> Result<Tensor> {
    forward("rfft", x, n, axis, norm)
}

pub(super) fn forward(
    op: &'static str,
    x: &Tensor,
    n: Option<usize>,
    axis: isize,
    norm: Norm,
) -> Result<Tensor> {
    let axis = axis_of(op, x, axis)?;
    let n = length(op, x, axis, n.unwrap_or(x.shape()[axis]))?;
    let x = operand::real(op, &fitted(op, x, axis, n)?)?;
    if x.is_tracked() {
        return grad::half_transformed(op, &x, axis, norm);
    }
    let out = operand::room(op, &x, axis, n / 2 + 1, x.dtype().complex())?;
    let scale = norm.factor(Direction::Forward, n as f64);
    operand::run(Transform::RealForward, &x, &out, axis, scale)?;
    Ok(out)
}

/// The inverse of [`rfft`]: real numbers from the first half of their transform, `[.., m, ..] -> [.., n, ..]`, with `n` =
/// 2 (m - 1) where it is not given.
///
/// The first `n/2 + 1` elements are read, and zeros behind them. Of the first one, and of the last one where `n` is even, the
/// imaginary part has no meaning and is left aside.
///
/// Errors as [`fft`].
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Norm, irfft, rfft}};
/// // An odd length has to be named: half of a transform of 4 and of 5 numbers has three elements.
/// let half = rfft(&Tensor::from([5.0, 0.0, 0.0, 0.0, 0.0]), None, -1, Norm::Backward)?;
/// let back = irfft(&half, Some(5), -1, Norm::Backward)?.to_vec::<f64>()?;
/// assert!((back[0] - 5.0).abs() < 1e-14 && back[1..].iter().all(|x| x.abs() < 1e-14));
/// assert_eq!(irfft(&half, None, -1, Norm::Backward)?.shape(), [4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn irfft(x: &Tensor, n: Option<usize>, axis: isize, norm: Norm) -> Result<Tensor> {
    inverse("irfft", x, n, axis, norm)
}

pub(super) fn inverse(
    op: &'static str,
    x: &Tensor,
    n: Option<usize>,
    axis: isize,
    norm: Norm,
) -> Result<Tensor> {
    let axis = axis_of(op, x, axis)?;
    let whole = x.shape()[axis].saturating_sub(1).saturating_mul(2);
    let n = length(op, x, axis, n.unwrap_or(whole))?;
    let x = operand::complex(op, &fitted(op, x, axis, n / 2 + 1)?)?;
    if x.is_tracked() {
        return grad::transformed_half(op, &x, n, axis, norm);
    }
    let out = operand::room(op, &x, axis, n, x.dtype().real())?;
    let scale = norm.factor(Direction::Inverse, n as f64);
    operand::run(Transform::RealInverse, &x, &out, axis, scale)?;
    Ok(out)
}

/// The real transform of numbers whose second half are the conjugates of the first, which is given: `[.., m, ..] -> [.., n, ..]`,
/// with `n` = 2 (m - 1) where it is not given. As [`fft`] of the whole: [`irfft`] of the conjugates with the factor of [`fft`].
///
/// Errors as [`fft`].
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Norm, hfft}};
/// // The first half of 1, 2, 3, 2, whose second half are its conjugates.
/// let y = hfft(&Tensor::from([1.0, 2.0, 3.0]), None, -1, Norm::Backward)?;
/// assert_eq!(y.to_vec::<f64>()?, [8.0, -2.0, 0.0, -2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn hfft(x: &Tensor, n: Option<usize>, axis: isize, norm: Norm) -> Result<Tensor> {
    const OP: &str = "hfft";
    let x = apply(Prim::Conj, &[(&operand::complex(OP, x)?).into()])?;
    inverse(OP, &x, n, axis, norm.turned())
}

/// The inverse of [`hfft`]: the first half of the [`ifft`] of real numbers, `[.., m, ..] -> [.., n/2 + 1, ..]`.
///
/// Errors as [`rfft`].
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Norm, ihfft}};
/// # use num_complex::Complex;
/// let half = ihfft(&Tensor::from([8.0, -2.0, 0.0, -2.0]), None, -1, Norm::Backward)?;
/// assert_eq!(half.to_vec::<Complex<f64>>()?, [1.0, 2.0, 3.0].map(Complex::from));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ihfft(x: &Tensor, n: Option<usize>, axis: isize, norm: Norm) -> Result<Tensor> {
    let half = forward("ihfft", x, n, axis, norm.turned())?;
    apply(Prim::Conj, &[(&half).into()])
}
