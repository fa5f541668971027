//! Differences of neighbours along an axis.

use super::elementwise::apply;
use super::join::{concat, narrow};
use crate::error::Result;
use crate::fuse::Prim;
use crate::layout::normalize_axis;
use crate::tensor::Tensor;

#[cfg(test)]
mod tests;

/// The `n`-th differences along `axis`: `out[i] = x[i + 1] - x[i]`, `n` times over, of `prepend`, `x` and `append` one after the
/// other: shapes `[.., m, ..] -> [.., max(m - n, 0), ..]` with `m` the sum of their lengths there.
///
/// The type is the common one of the three; integers wrap, and for `bool` a difference says whether two neighbours differ.
/// What is put before or behind has the lengths of `x` along the other axes, or is one number for all of them.
///
/// Errors: [`Error::Axis`](crate::Error::Axis); [`Error::Shape`](crate::Error::Shape) where what is put beside does not fit;
/// [`Error::Device`](crate::Error::Device); [`Error::DType`](crate::Error::DType) for 8-bit floats.
///
/// ```
/// # use syntonic_core::{Tensor, ops::difference::diff};
/// let squares = Tensor::from_slice(&[1i64, 4, 9, 16], &[4])?;
/// assert_eq!(diff(&squares, 1, -1, None, None)?.to_vec::<i64>()?, [3, 5, 7]);
/// assert_eq!(diff(&squares, 2, -1, None, None)?.to_vec::<i64>()?, [2, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn diff(
    x: &Tensor,
    n: usize,
    axis: isize,
    prepend: Option<&Tensor>,
    append: Option<&Tensor>,
) -> Result<Tensor> {
    let axis = normalize_axis("diff", axis, x.ndim())?;
    let beside = |t: Option<&Tensor>| t.map(|t| whole(t, x, axis)).transpose();
    let (before, behind) = (beside(prepend)?, beside(append)?);
    let parts: Vec<&Tensor> = [before.as_ref(), Some(x), behind.as_ref()] // few: three at most.
        .into_iter()
        .flatten()
        .collect();
    let mut out = match parts[..] {
        [x] => x.clone(),
        _ => concat(&parts, Some(axis as isize))?,
    };
    let prim = match out.dtype().is_bool() {
        true => Prim::Ne,
        false => Prim::Sub,
    };
    for _ in 0..n.min(out.shape()[axis]) {
        let len = out.shape()[axis] - 1;
        let (left, right) = (narrow(&out, axis, 0, len)?, narrow(&out, axis, 1, len)?);
        out = apply(prim, &[(&right).into(), (&left).into()])?;
    }
    Ok(out)
}

/// What is put beside `x`: as it is, or a number as often as `x` has lines along the axis.
fn whole(beside: &Tensor, x: &Tensor, axis: usize) -> Result<Tensor> {
    if beside.ndim() > 0 {
        return Ok(beside.clone());
    }
    let mut shape = x.shape().to_vec();
    shape[axis] = 1;
    beside.broadcast_to(&shape)
}
