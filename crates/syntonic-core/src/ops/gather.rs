//! Picking and placing elements by index along an axis.

use crate::dtype::DType;
use crate::error::{Error, Result, way_out};
use crate::grad;
use crate::layout::{Layout, Strides, normalize_axis};
use crate::ops::index::{self, IndexItem, Plan, along_axis, nonzero_offsets};
use crate::ops::moves::Kind;
use crate::room;
use crate::tensor::{Tensor, describe};

#[cfg(test)]
mod tests;

/// `:` for every axis before `axis`, then `item`.
fn at_axis(axis: usize, item: IndexItem) -> Vec<IndexItem> {
    let mut items = vec![IndexItem::ALL; axis];
    items.push(item);
    items
}

/// The positions `indices` along `axis`: shapes `[.., n, ..], I -> [.., I.., ..]`. Without an axis
/// the tensor counts as flat.
///
/// Errors: [`Error::Index`] for an index outside the axis, [`Error::DType`] if they are no integers.
///
/// ```
/// use syntonic_core::ops::gather::take;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
/// assert_eq!(take(&x, &Tensor::from([2, 0]), Some(1))?.to_vec::<i32>()?, [3, 1, 6, 4]);
/// assert_eq!(take(&x, &Tensor::from([[0, -1]]), None)?.to_vec::<i32>()?, [1, 6]);
/// assert!(take(&x, &Tensor::from([3]), Some(1)).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn take(x: &Tensor, indices: &Tensor, axis: Option<isize>) -> Result<Tensor> {
    check_integers("take", x, indices)?;
    match axis {
        None => take(&x.reshape(&[-1])?, indices, Some(0)),
        Some(axis) => {
            let axis = normalize_axis("take", axis, x.ndim())?;
            index::index(x, &at_axis(axis, IndexItem::Array(indices.clone())))
        }
    }
}

/// An index vector from its elements, on the device of `x`. However many are asked for, it is an
/// error rather than a panic.
pub(crate) fn index_vector(
    op: &'static str,
    x: &Tensor,
    n: usize,
    elements: impl Iterator<Item = i64>,
) -> Result<Tensor> {
    if n > isize::MAX as usize / size_of::<i64>() {
        return Err(Error::SizeOverflow { op, shape: vec![n] });
    }
    let mut at = room::empty(n)?;
    at.extend(elements);
    Tensor::from_vec(at, &[n])?.to(x.device())
}

fn check_integers(op: &'static str, x: &Tensor, indices: &Tensor) -> Result<()> {
    if indices.dtype().is_integer() {
        return Ok(());
    }
    Err(Error::DType {
        op,
        operands: describe(&[x, indices]),
        hint: format!("indices are integers; {}", way_out::CONVERT),
    })
}

/// `out[.., i, ..] = x[.., indices[.., i, ..], ..]`: one index for each element of the result. The
/// other axes broadcast between both.
///
/// Errors: [`Error::Shape`] where they do not, and as [`take`].
///
/// ```
/// use syntonic_core::ops::gather::take_along_axis;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[10, 20, 30], [40, 50, 60]]);
/// let at = Tensor::from([[2], [0]]);
/// assert_eq!(take_along_axis(&x, &at, 1)?.to_vec::<i32>()?, [30, 40]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn take_along_axis(x: &Tensor, indices: &Tensor, axis: isize) -> Result<Tensor> {
    check_integers("take_along_axis", x, indices)?;
    if x.is_tracked() {
        let axis = normalize_axis("take_along_axis", axis, x.ndim())?;
        return grad::along_axis(x, indices, axis);
    }
    along_axis("take_along_axis", x, indices, axis)?.read(x)
}

/// `x[.., indices[.., i, ..], ..] = values[.., i, ..]`; values broadcast to the indices. Of several
/// values for one element the last in row-major order stays. Copy on write as [`index::set`].
///
/// Errors as [`take_along_axis`]; `x` is then unchanged.
///
/// ```
/// use syntonic_core::ops::gather::scatter;
/// use syntonic_core::prelude::*;
///
/// let mut x = Tensor::zeros(&[2, 3], DType::I32)?;
/// scatter(&mut x, 1, &Tensor::from([[2], [0]]), &Tensor::from([[7], [8]]))?;
/// assert_eq!(x.to_vec::<i32>()?, [0, 0, 7, 8, 0, 0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn scatter(x: &mut Tensor, axis: isize, indices: &Tensor, values: &Tensor) -> Result<()> {
    place("scatter", x, axis, indices, values, Kind::Replace)
}

/// `x[.., indices[.., i, ..], ..] += values[.., i, ..]`, one addition after the other in row-major
/// order, so that the result does not depend on threads. Errors as [`scatter`], and for `bool`.
///
/// ```
/// use syntonic_core::ops::gather::scatter_add;
/// use syntonic_core::prelude::*;
///
/// let mut x = Tensor::from([1, 1, 1]);
/// scatter_add(&mut x, 0, &Tensor::from([2, 2]), &Tensor::from([10, 20]))?;
/// assert_eq!(x.to_vec::<i32>()?, [1, 1, 31]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn scatter_add(x: &mut Tensor, axis: isize, indices: &Tensor, values: &Tensor) -> Result<()> {
    place("scatter_add", x, axis, indices, values, Kind::Add)
}

fn place(
    op: &'static str,
    x: &mut Tensor,
    axis: isize,
    indices: &Tensor,
    values: &Tensor,
    kind: Kind,
) -> Result<()> {
    check_integers(op, x, indices)?;
    if grad::tracks(&[x, values]) {
        return grad::scattered(x, axis, indices, values, kind);
    }
    let plan = along_axis(op, x, indices, axis)?;
    let along = normalize_axis(op, axis, x.ndim())?;
    let stretched = (0..x.ndim()).any(|a| a != along && plan.layout.shape()[a] != x.shape()[a]);
    if stretched {
        return Err(Error::Shape {
            op,
            operands: describe(&[x, indices]),
            hint: "the target is not stretched: its other axes need the full length".into(),
        });
    }
    let again = |x: &Tensor| along_axis(op, x, indices, axis);
    index::write(x, plan, again, values, kind)
}

/// `x.flat[indices] = values`, counting elements in row-major order; values broadcast to the
/// indices. Copy on write, errors as [`index::set`].
///
/// ```
/// use syntonic_core::ops::gather::put;
/// use syntonic_core::prelude::*;
///
/// let mut x = Tensor::from([[1, 2], [3, 4]]);
/// put(&mut x, &Tensor::from([1, -1]), &Tensor::from([20, 40]))?;
/// assert_eq!(x.to_vec::<i32>()?, [1, 20, 3, 40]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn put(x: &mut Tensor, indices: &Tensor, values: &Tensor) -> Result<()> {
    check_integers("put", x, indices)?;
    if grad::tracks(&[x, values]) {
        let mut flat = x.reshape(&[-1])?;
        index::set(&mut flat, &[IndexItem::Array(indices.clone())], values)?;
        // few: the axes.
        let shape: Vec<isize> = x.shape().iter().map(|&len| len as isize).collect();
        *x = flat.reshape(&shape)?;
        return Ok(());
    }
    if !x.is_contiguous() {
        let mut copy = x.copy()?;
        put(&mut copy, indices, values)?;
        *x = copy;
        return Ok(());
    }
    let items = [IndexItem::Array(indices.clone())];
    // The flat view is let go before the write, so that `x` may be the only holder of its memory.
    let flat = |x: &Tensor| {
        let layout = Layout::from_parts(&[x.numel()], &[1], x.layout().offset());
        Plan::new("put", &x.with_layout(layout), &items)
    };
    let plan = flat(x)?;
    index::write(x, plan, flat, values, Kind::Replace)
}

/// Where `x` is not zero: one `int64` vector of positions for each axis, in row-major order; NaN is
/// not zero. A tensor without axes is an error.
///
/// ```
/// use syntonic_core::ops::gather::nonzero;
/// use syntonic_core::prelude::*;
///
/// let at = nonzero(&Tensor::from([[0, 7], [8, 9]]))?;
/// assert_eq!(at[0].to_vec::<i64>()?, [0, 1, 1]);
/// assert_eq!(at[1].to_vec::<i64>()?, [1, 0, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn nonzero(x: &Tensor) -> Result<Vec<Tensor>> {
    if x.ndim() == 0 {
        return Err(Error::Shape {
            op: "nonzero",
            operands: describe(&[x]),
            hint: "a tensor without axes has no positions; reshape it to [1]".into(),
        });
    }
    let mask = x.cast(DType::Bool)?;
    let units: Vec<Strides> = (0..x.ndim())
        .map(|axis| (0..x.ndim()).map(|a| isize::from(a == axis)).collect())
        .collect();
    nonzero_offsets("nonzero", &mask, &units)
}

/// The elements of `x` where `mask` is true, in row-major order: `mask` has the leading axes of `x`.
///
/// Errors as [`index::index`] with [`IndexItem::Mask`].
///
/// ```
/// use syntonic_core::ops::gather::select_where;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::from([[1, 2], [3, 4]]);
/// assert_eq!(select_where(&x, &x.greater(1)?)?.to_vec::<i32>()?, [2, 3, 4]);
/// assert_eq!(select_where(&x, &Tensor::from([false, true]))?.shape(), [1, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn select_where(x: &Tensor, mask: &Tensor) -> Result<Tensor> {
    index::index(x, &[IndexItem::Mask(mask.clone())])
}
