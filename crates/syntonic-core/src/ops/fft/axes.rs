//! Transforms along several axes: one after the other, in the memory of the result.

use super::line;
use super::operand::{self, Transform, axis_of, fitted, length};
use super::{Direction, Norm};
use crate::error::{Error, Result};
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// Which axes are transformed, and how many elements along each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent<'a> {
    /// The axes; all of them, or the last ones that have lengths, where they are not given.
    pub axes: Option<&'a [isize]>,
    /// The lengths, one for each axis; that of the operand where one is not given.
    pub lengths: Option<&'a [Option<usize>]>,
}

/// Axes with their lengths.
type Sides = SmallVec<[(usize, usize); 4]>;

/// Whether the last axis has the whole transform or its first half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Whole,
    Half,
}

impl Extent<'_> {
    /// The axes with the lengths of the transform. Half a transform of m numbers is one of 2 (m - 1).
    fn sides(&self, op: &'static str, x: &Tensor, last: Last) -> Result<Sides> {
        let several = match (self.axes, self.lengths) {
            (Some(axes), _) => axes.len(),
            (None, Some(lengths)) => lengths.len(),
            (None, None) => x.ndim(),
        };
        if self.lengths.is_some_and(|l| l.len() != several) || several > x.ndim() {
            let lengths = self.lengths.map_or(several, <[_]>::len);
            let ndim = x.ndim();
            let what = format!(
                "{lengths} lengths for {several} axes of {ndim}; hint: one length for each axis, each axis once"
            );
            return Err(Error::value(op, what));
        }
        let mut sides = Sides::new();
        for k in 0..several {
            let named = match self.axes {
                Some(axes) => axes[k],
                None => k as isize - several as isize,
            };
            let axis = axis_of(op, x, named)?;
            if sides.iter().any(|side| side.0 == axis) {
                return Err(Error::Axis {
                    op,
                    axis: named,
                    ndim: x.ndim(),
                });
            }
            let here = match last {
                Last::Half if k + 1 == several => {
                    x.shape()[axis].saturating_sub(1).saturating_mul(2)
                }
                _ => x.shape()[axis],
            };
            let n = self.lengths.and_then(|lengths| lengths[k]).unwrap_or(here);
            sides.push((axis, length(op, x, axis, n)?));
        }
        Ok(sides)
    }
}

/// The numbers of a transform: the product of its lengths, as a float that cannot overflow.
fn points(sides: &Sides) -> f64 {
    sides.iter().map(|&(_, n)| n as f64).product()
}

/// The last axis of a transform of real numbers.
fn split_last(op: &'static str, sides: &Sides) -> Result<((usize, usize), Sides)> {
    let Some((&last, rest)) = sides.split_last() else {
        return Err(Error::value(
            op,
            "no axes; hint: a transform of real numbers needs one at least",
        ));
    };
    Ok((last, rest.into()))
}

/// The transform along several axes: [`fft`](super::fft) along each; complex, `[.., m_a, ..] -> [.., n_a, ..]`.
///
/// The factor is that of the product of all lengths. No axes at all leave the numbers as they are.
///
/// Errors as [`fft`](super::fft), for an axis named twice, and where lengths and axes differ in number.
///
/// ```
/// # use syntonic_core::{DType, Tensor, cpu, ops::create::ones, ops::fft::{Extent, Norm, fftn}};
/// # use num_complex::Complex;
/// let y = fftn(&ones(&[2, 3], DType::F64, &cpu())?, Extent::default(), Norm::Backward)?;
/// let y: Vec<Complex<f64>> = y.to_vec()?;
/// assert!((y[0].re - 6.0).abs() < 1e-14 && y[1..].iter().all(|z| z.norm() < 1e-14));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn fftn(x: &Tensor, extent: Extent<'_>, norm: Norm) -> Result<Tensor> {
    of_complex("fftn", x, extent, norm, Direction::Forward)
}

/// The inverse of [`fftn`]; shapes and errors are the same.
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Extent, Norm, ifftn}};
/// # use num_complex::Complex;
/// // Frequency 0 alone is the same number everywhere.
/// let y = Tensor::from([[4.0, 0.0], [0.0, 0.0]]);
/// let x = ifftn(&y, Extent::default(), Norm::Backward)?;
/// assert_eq!(x.to_vec::<Complex<f64>>()?, [Complex::from(1.0); 4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn ifftn(x: &Tensor, extent: Extent<'_>, norm: Norm) -> Result<Tensor> {
    of_complex("ifftn", x, extent, norm, Direction::Inverse)
}

fn of_complex(
    op: &'static str,
    x: &Tensor,
    extent: Extent<'_>,
    norm: Norm,
    direction: Direction,
) -> Result<Tensor> {
    let sides = extent.sides(op, x, Last::Whole)?;
    let x = operand::complex(op, &resized(op, x, &sides)?)?;
    if sides.is_empty() {
        return x.copy();
    }
    if x.is_tracked() {
        return one_by_one(op, &x, &sides, norm, direction);
    }
    along_each(
        op,
        &x,
        &sides,
        direction,
        norm.factor(direction, points(&sides)),
    )
}

/// As [`along_each`] in new memory for each axis, as what is tracked has to be.
fn one_by_one(
    op: &'static str,
    x: &Tensor,
    sides: &[(usize, usize)],
    norm: Norm,
    direction: Direction,
) -> Result<Tensor> {
    let axes = sides.iter().rev();
    axes.map(|&(axis, _)| axis as isize)
        .try_fold(x.clone(), |x, axis| {
            line::of_complex(op, &x, None, axis, norm, direction)
        })
}

/// The operand with the lengths of a transform.
fn resized(op: &'static str, x: &Tensor, sides: &[(usize, usize)]) -> Result<Tensor> {
    let mut x = x.clone();
    for &(axis, n) in sides {
        x = fitted(op, &x, axis, n)?;
    }
    Ok(x)
}

/// The transforms along each axis, one of which there is: the first into new memory, the others within it.
fn along_each(
    op: &'static str,
    x: &Tensor,
    sides: &[(usize, usize)],
    direction: Direction,
    scale: f64,
) -> Result<Tensor> {
    let out = Tensor::uninit(op, x.shape(), x.dtype(), x.device())?;
    let mut from = x;
    for (k, &(axis, _)) in sides.iter().rev().enumerate() {
        let scale = if k + 1 == sides.len() { scale } else { 1.0 };
        operand::run(Transform::Complex(direction), from, &out, axis, scale)?;
        from = &out;
    }
    Ok(out)
}

/// [`rfft`](super::rfft) along the last of the axes and [`fft`](super::fft) along the others: real numbers into half of their
/// transform, `n/2 + 1` elements along the last axis and `n` along the others.
///
/// Errors as [`fftn`], and for complex numbers and no axes.
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Extent, Norm, rfftn}};
/// # use num_complex::Complex;
/// let y = rfftn(&Tensor::from([[1.0, 2.0], [3.0, 4.0]]), Extent::default(), Norm::Backward)?;
/// assert_eq!(y.to_vec::<Complex<f64>>()?, [10.0, -2.0, -4.0, 0.0].map(Complex::from));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn rfftn(x: &Tensor, extent: Extent<'_>, norm: Norm) -> Result<Tensor> {
    const OP: &str = "rfftn";
    let sides = extent.sides(OP, x, Last::Whole)?;
    let scale = norm.factor(Direction::Forward, points(&sides));
    let ((last, n), rest) = split_last(OP, &sides)?;
    let x = operand::real(OP, &resized(OP, x, &sides)?)?;
    if x.is_tracked() {
        let half = line::forward(OP, &x, None, last as isize, norm)?;
        return one_by_one(OP, &half, &rest, norm, Direction::Forward);
    }
    let out = operand::room(OP, &x, last, n / 2 + 1, x.dtype().complex())?;
    let first = if rest.is_empty() { scale } else { 1.0 };
    operand::run(Transform::RealForward, &x, &out, last, first)?;
    for (k, &(axis, _)) in rest.iter().rev().enumerate() {
        let scale = if k + 1 == rest.len() { scale } else { 1.0 };
        operand::run(
            Transform::Complex(Direction::Forward),
            &out,
            &out,
            axis,
            scale,
        )?;
    }
    Ok(out)
}

/// The inverse of [`rfftn`]: real numbers, with 2 (m - 1) elements along the last axis where no length is given.
///
/// Errors as [`fftn`], and for no axes.
///
/// ```
/// # use syntonic_core::{Tensor, ops::fft::{Extent, Norm, irfftn}};
/// let y = Tensor::from([[10.0, -2.0], [-4.0, 0.0]]);
/// let x = irfftn(&y, Extent::default(), Norm::Backward)?;
/// assert_eq!(x.to_vec::<f64>()?, [1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn irfftn(x: &Tensor, extent: Extent<'_>, norm: Norm) -> Result<Tensor> {
    const OP: &str = "irfftn";
    let sides = extent.sides(OP, x, Last::Half)?;
    let scale = norm.factor(Direction::Inverse, points(&sides));
    let ((last, n), rest) = split_last(OP, &sides)?;
    let x = operand::complex(OP, &resized(OP, x, &rest)?)?;
    let x = fitted(OP, &x, last, n / 2 + 1)?;
    if x.is_tracked() {
        let half = one_by_one(OP, &x, &rest, norm, Direction::Inverse)?;
        return line::inverse(OP, &half, Some(n), last as isize, norm);
    }
    let half = match rest.is_empty() {
        true => x,
        false => along_each(OP, &x, &rest, Direction::Inverse, 1.0)?,
    };
    let out = operand::room(OP, &half, last, n, half.dtype().real())?;
    operand::run(Transform::RealInverse, &half, &out, last, scale)?;
    Ok(out)
}
