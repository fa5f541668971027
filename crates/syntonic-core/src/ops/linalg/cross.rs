//! The cross product.

use super::matmul::common_type;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::layout::{broadcast_pair, normalize_axis};
use crate::ops::elementwise::apply;
use crate::ops::join::stack;
use crate::tensor::{Tensor, describe};

/// The cross products of vectors of three numbers along `axis`: `[.., 3], [.., 3] -> [.., 3]`; the other axes broadcast.
///
/// `(a1 b2 - a2 b1, a2 b0 - a0 b2, a0 b1 - a1 b0)`. Errors where an operand has another length along the axis, counted from
/// the end, or the others do not broadcast, and as multiplication.
///
/// ```
/// use syntonic_core::ops::linalg::cross;
/// use syntonic_core::prelude::*;
///
/// let (x, y) = (Tensor::from([1, 0, 0]), Tensor::from([0, 1, 0]));
/// assert_eq!(cross(&x, &y, -1)?.to_vec::<i32>()?, [0, 0, 1]);
/// assert_eq!(cross(&y, &x, -1)?.to_vec::<i32>()?, [0, 0, -1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cross(a: &Tensor, b: &Tensor, axis: isize) -> Result<Tensor> {
    const OP: &str = "cross";
    let (a, b) = common_type(OP, a, b)?;
    let ndim = a.ndim().max(b.ndim());
    let axis = normalize_axis(OP, axis, ndim)? as isize - ndim as isize;
    let length = |x: &Tensor| {
        let at = x.ndim().checked_add_signed(axis);
        at.map(|at| x.shape()[at])
    };
    let shape = broadcast_pair(a.shape(), b.shape());
    let (Some(shape), Some(3), Some(3)) = (shape, length(&a), length(&b)) else {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[&a, &b]),
            hint: format!("axis {axis} must have length 3 in both, the others must broadcast"),
        });
    };
    let (a, b) = (a.broadcast_to(&shape)?, b.broadcast_to(&shape)?);
    let part = |i: i64| -> Result<Tensor> {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let times = |i: i64, j: i64| -> Result<Tensor> {
            let (x, y) = (a.select(axis, i)?, b.select(axis, j)?);
            apply(Prim::Mul, &[(&x).into(), (&y).into()])
        };
        apply(Prim::Sub, &[(&times(j, k)?).into(), (&times(k, j)?).into()])
    };
    stack(&[&part(0)?, &part(1)?, &part(2)?], axis)
}
