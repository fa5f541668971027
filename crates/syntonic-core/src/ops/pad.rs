//! More elements around a tensor.

use super::gather::{index_vector, take};
use crate::error::{Error, Result};
use crate::grad;
use crate::ops::join::narrow;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe};

#[cfg(test)]
mod tests;

/// What stands in the new places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Padding {
    /// This number, cast to the tensor's type.
    Constant(Scalar),
    /// The nearest element: `a a | a b c | c c`.
    Edge,
    /// A mirror at the outermost elements: `c b | a b c | b a`.
    Reflect,
    /// A mirror beyond the outermost elements: `b a | a b c | c b`.
    Symmetric,
    /// The other end: `b c | a b c | a b`.
    Wrap,
}

impl Padding {
    /// Which of `n` elements stands at position `i`, counted from the first old one.
    fn source(self, i: i128, n: i128) -> i128 {
        match self {
            Padding::Reflect if n > 1 => {
                let i = i.rem_euclid(2 * (n - 1));
                i.min(2 * (n - 1) - i)
            }
            Padding::Symmetric => {
                let i = i.rem_euclid(2 * n);
                i.min(2 * n - 1 - i)
            }
            Padding::Wrap => i.rem_euclid(n),
            Padding::Edge | Padding::Constant(_) | Padding::Reflect => i.clamp(0, n - 1),
        }
    }
}

/// `widths[a]` = how many elements go before and after those of axis `a`: shapes
/// `[.., n_a, ..] -> [.., before_a + n_a + after_a, ..]`.
///
/// Errors: [`Error::Value`] for another number of widths than axes, [`Error::Shape`] where an empty
/// axis has nothing to repeat, [`Error::Range`] for an integer that the type of `x` cannot hold, [`Error::SizeOverflow`].
///
/// ```
/// use syntonic_core::ops::pad::{Padding, pad};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([1, 2, 3]);
/// let padded = |padding| pad(&x, &[(2, 1)], padding)?.to_vec::<i32>();
/// assert_eq!(padded(Padding::Constant(0.into()))?, [0, 0, 1, 2, 3, 0]);
/// assert_eq!(padded(Padding::Edge)?, [1, 1, 1, 2, 3, 3]);
/// assert_eq!(padded(Padding::Reflect)?, [3, 2, 1, 2, 3, 2]);
/// assert_eq!(padded(Padding::Wrap)?, [2, 3, 1, 2, 3, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn pad(x: &Tensor, widths: &[(usize, usize)], padding: Padding) -> Result<Tensor> {
    let op = "pad";
    if widths.len() != x.ndim() {
        return Err(Error::value(
            op,
            format!("{} pairs of widths for {} axes", widths.len(), x.ndim()),
        ));
    }
    let shape: Vec<usize> = x
        .shape()
        .iter()
        .zip(widths)
        .map(|(&n, &(a, b))| n.saturating_add(a).saturating_add(b))
        .collect();
    crate::layout::count(op, &shape)?;
    if let Padding::Constant(value) = padding {
        return surround(x, &shape, widths, value);
    }
    let mut out = x.clone();
    for (axis, &(before, after)) in widths.iter().enumerate() {
        let n = x.shape()[axis];
        if (before, after) == (0, 0) {
            continue;
        }
        if n == 0 {
            return Err(Error::Shape {
                op,
                operands: describe(&[x]),
                hint: format!(
                    "axis {axis} is empty and has nothing to repeat; pad with a constant"
                ),
            });
        }
        let at =
            (0..shape[axis]).map(|i| padding.source(i as i128 - before as i128, n as i128) as i64);
        let at = index_vector(op, x, shape[axis], at)?;
        out = take(&out, &at, Some(axis as isize))?;
    }
    // No width at all: still a tensor of its own.
    if widths.iter().all(|&w| w == (0, 0)) {
        out.copy()
    } else {
        Ok(out)
    }
}

fn surround(
    x: &Tensor,
    shape: &[usize],
    widths: &[(usize, usize)],
    value: Scalar,
) -> Result<Tensor> {
    if matches!(value, Scalar::Complex(_)) && !x.dtype().is_complex() {
        return Err(Error::DType {
            op: "pad",
            operands: describe(&[x]),
            hint: "a complex number pads only complex tensors".into(),
        });
    }
    value.check_fit("pad", x.dtype())?;
    if x.is_tracked() {
        return grad::surrounded(x, widths, value);
    }
    let out = Tensor::full_on(shape, value, x.dtype(), x.device())?;
    let mut middle = out.clone();
    for (axis, &(before, _)) in widths.iter().enumerate() {
        middle = narrow(&middle, axis, before, x.shape()[axis])?;
    }
    middle.overwrite(x)?;
    Ok(out)
}
