//! Putting tensors together and taking them apart.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::float8;
use crate::grad;
use crate::layout::{Dims, broadcast_pair, count, normalize_axis};
use crate::room;
use crate::tensor::{Tensor, describe, same_device};

#[cfg(test)]
mod tests;

/// The common type of all tensors. Types of storage have none with another type: it would narrow what it meets.
fn common_dtype(tensors: &[&Tensor]) -> Result<DType> {
    let mut dtypes = tensors.iter().map(|t| t.dtype());
    let Some(first) = dtypes.next() else {
        return Ok(DType::F64);
    };
    dtypes.try_fold(first, |common, dtype| {
        if common != dtype && (common.is_stored() || dtype.is_stored()) {
            return Err(float8::refuse("concat", describe(tensors)));
        }
        Ok(common.promote(dtype))
    })
}

/// The part `from..from + len` of `axis`, a view.
pub(crate) fn narrow(x: &Tensor, axis: usize, from: usize, len: usize) -> Result<Tensor> {
    let (start, stop) = (from as isize, (from + len) as isize);
    x.slice(axis as isize, Some(start), Some(stop), 1)
}

/// The tensors one after the other along `axis`, in their common type: shapes `[.., n_k, ..] ->
/// [.., Σ n_k, ..]`. Without an axis each counts as flat.
///
/// Errors: [`Error::Shape`] where another axis differs, [`Error::Device`] for operands on two
/// devices, [`Error::DType`] for 8-bit floats beside another type, [`Error::Value`] for no tensor at all.
///
/// ```
/// use syntonic_core::ops::join::concat;
/// use syntonic_core::prelude::*;
///
/// let (a, b) = (Tensor::from([[1, 2]]), Tensor::from([[0.5, 1.5]]));
/// let c = concat(&[&a, &b], Some(0))?;
/// assert_eq!((c.shape(), c.to_vec::<f64>()?), (&[2, 2][..], vec![1.0, 2.0, 0.5, 1.5]));
/// assert_eq!(concat(&[&a, &b], None)?.shape(), [4]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn concat(tensors: &[&Tensor], axis: Option<isize>) -> Result<Tensor> {
    let device = same_device("concat", tensors)?;
    let Some(axis) = axis else {
        let flat: Vec<Tensor> = tensors
            .iter()
            .map(|t| t.reshape(&[-1]))
            .collect::<Result<_>>()?;
        return concat(&flat.iter().collect::<Vec<_>>(), Some(0));
    };
    let axis = normalize_axis("concat", axis, tensors[0].ndim())?;
    let mut shape: Dims = tensors[0].shape().into();
    shape[axis] = 0;
    for t in tensors {
        let same = t.ndim() == shape.len()
            && (0..shape.len()).all(|a| a == axis || t.shape()[a] == shape[a]);
        if !same {
            return Err(Error::Shape {
                op: "concat",
                operands: describe(tensors),
                hint: format!("all lengths but that of axis {axis} must be equal"),
            });
        }
        shape[axis] = shape[axis].saturating_add(t.shape()[axis]);
    }
    let dtype = common_dtype(tensors)?;
    if grad::tracks(tensors) {
        return grad::concat(tensors, axis);
    }
    let out = Tensor::uninit("concat", &shape, dtype, &device)?;
    let mut from = 0;
    for t in tensors {
        let len = t.shape()[axis];
        narrow(&out, axis, from, len)?.overwrite(t)?;
        from += len;
    }
    Ok(out)
}

/// The tensors side by side along a new axis: `n` shapes `S -> [.., n, ..]`, in their common type.
///
/// Errors as [`concat()`].
///
/// ```
/// use syntonic_core::ops::join::stack;
/// use syntonic_core::prelude::*;
///
/// let (a, b) = (Tensor::from([1, 2, 3]), Tensor::from([4, 5, 6]));
/// assert_eq!(stack(&[&a, &b], 0)?.shape(), [2, 3]);
/// assert_eq!(stack(&[&a, &b], 1)?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn stack(tensors: &[&Tensor], axis: isize) -> Result<Tensor> {
    same_device("stack", tensors)?;
    if tensors.iter().any(|t| t.shape() != tensors[0].shape()) {
        return Err(Error::Shape {
            op: "stack",
            operands: describe(tensors),
            hint: "all shapes must be equal".into(),
        });
    }
    normalize_axis("stack", axis, tensors[0].ndim() + 1)?;
    let wide: Vec<Tensor> = tensors
        .iter()
        .map(|t| t.expand_dims(&[axis]))
        .collect::<Result<_>>()?;
    concat(&wide.iter().collect::<Vec<_>>(), Some(axis))
}

/// `sections` parts of equal length along `axis`, as views.
///
/// Errors: [`Error::Shape`] where the length is no multiple of `sections`.
///
/// ```
/// use syntonic_core::ops::join::split;
/// use syntonic_core::prelude::*;
///
/// let parts = split(&Tensor::arange(0, 6, 1)?, 3, 0)?;
/// assert_eq!(parts[1].to_vec::<i64>()?, [2, 3]);
/// assert!(split(&parts[1], 3, 0).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn split(x: &Tensor, sections: usize, axis: isize) -> Result<Vec<Tensor>> {
    let axis = normalize_axis("split", axis, x.ndim())?;
    let len = x.shape()[axis];
    if sections == 0 || !len.is_multiple_of(sections) {
        return Err(Error::Shape {
            op: "split",
            operands: describe(&[x]),
            hint: format!(
                "axis {axis} of length {len} has no {sections} equal parts; give positions instead"
            ),
        });
    }
    let part = len / sections;
    room::gathered((0..sections).map(|k| narrow(x, axis, k * part, part)))
}

/// The parts between these positions along `axis`, as views: `[..p0], [p0..p1], ..., [pn..]`, with
/// Python's rules for positions past either end.
///
/// ```
/// use syntonic_core::ops::join::split_at;
/// use syntonic_core::prelude::*;
///
/// let parts = split_at(&Tensor::arange(0, 6, 1)?, &[1, -2], 0)?;
/// assert_eq!(parts.iter().map(Tensor::numel).collect::<Vec<_>>(), [1, 3, 2]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn split_at(x: &Tensor, positions: &[isize], axis: isize) -> Result<Vec<Tensor>> {
    normalize_axis("split", axis, x.ndim())?;
    let starts = std::iter::once(None).chain(positions.iter().copied().map(Some));
    let stops = positions.iter().copied().map(Some).chain([None]);
    let bounds = starts.zip(stops);
    room::gathered(bounds.map(|(start, stop)| x.slice(axis, start, stop, 1)))
}

/// Each position along `axis` as a view without that axis.
///
/// ```
/// use syntonic_core::ops::join::unstack;
/// use syntonic_core::prelude::*;
///
/// let columns = unstack(&Tensor::from([[1, 2, 3], [4, 5, 6]]), 1)?;
/// assert_eq!((columns.len(), columns[2].to_vec::<i32>()?), (3, vec![3, 6]));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn unstack(x: &Tensor, axis: isize) -> Result<Vec<Tensor>> {
    let at = normalize_axis("unstack", axis, x.ndim())?;
    room::gathered((0..x.shape()[at]).map(|i| x.select(axis, i as i64)))
}

/// All tensors stretched to their common shape, as views.
///
/// Errors: [`Error::Shape`] where they do not broadcast together.
///
/// ```
/// use syntonic_core::ops::join::broadcast_arrays;
/// use syntonic_core::prelude::*;
///
/// let (a, b) = (Tensor::from([[1], [2]]), Tensor::from([10, 20, 30]));
/// let wide = broadcast_arrays(&[&a, &b])?;
/// assert_eq!(wide[0].to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
/// assert_eq!(wide[1].shape(), [2, 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn broadcast_arrays(tensors: &[&Tensor]) -> Result<Vec<Tensor>> {
    let mut shape = Dims::new();
    for t in tensors {
        shape = broadcast_pair(&shape, t.shape()).ok_or_else(|| Error::Shape {
            op: "broadcast_arrays",
            operands: describe(tensors),
            hint: "aligned from the right, each pair of lengths must be equal or 1".into(),
        })?;
    }
    count("broadcast_arrays", &shape)?;
    tensors.iter().map(|t| t.broadcast_to(&shape)).collect()
}

/// Which of the first two axes of a grid belongs to the first vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indexing {
    /// The second, as in pictures: shapes `n, m -> [m, n]`.
    Xy,
    /// The first, as in matrices: shapes `n, m -> [n, m]`.
    Ij,
}

/// Coordinates of a grid from a vector for each axis, as views: output `k` varies along the axis of
/// vector `k` alone.
///
/// Errors: [`Error::Shape`] for an operand of more than one axis.
///
/// ```
/// use syntonic_core::ops::join::{Indexing, meshgrid};
/// use syntonic_core::prelude::*;
///
/// let (x, y) = (Tensor::from([0, 1, 2]), Tensor::from([10, 20]));
/// let grid = meshgrid(&[&x, &y], Indexing::Ij)?;
/// assert_eq!(grid[0].to_vec::<i32>()?, [0, 0, 1, 1, 2, 2]);
/// assert_eq!(meshgrid(&[&x, &y], Indexing::Xy)?[0].shape(), [2, 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn meshgrid(vectors: &[&Tensor], indexing: Indexing) -> Result<Vec<Tensor>> {
    if vectors.iter().any(|v| v.ndim() > 1) {
        return Err(Error::Shape {
            op: "meshgrid",
            operands: describe(vectors),
            hint: "each operand has at most one axis; flatten it with reshape".into(),
        });
    }
    let n = vectors.len();
    let axis = |k: usize| match (indexing, k) {
        (Indexing::Xy, 0) if n > 1 => 1,
        (Indexing::Xy, 1) => 0,
        _ => k,
    };
    let mut shape: Dims = Dims::from_elem(1, n);
    for (k, v) in vectors.iter().enumerate() {
        shape[axis(k)] = v.numel();
    }
    count("meshgrid", &shape)?;
    let line = |(k, v): (usize, &&Tensor)| {
        let mut own = vec![1isize; n];
        own[axis(k)] = v.numel() as isize;
        v.reshape(&own)?.broadcast_to(&shape)
    };
    vectors.iter().enumerate().map(line).collect()
}
