//! Products that are a matrix product after a change of view, and sums along diagonals.

use super::matmul::{common_type, multiply};
use crate::error::{Error, Result};
use crate::tensor::{Tensor, describe};

/// A stack of matrix products: `[b, m, k], [b, k, n] -> [b, m, n]`, without broadcasting.
///
/// Errors where an operand has not exactly three axes, the lengths differ, and as
/// [`super::matmul`].
pub fn bmm(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (a, b) = common_type("bmm", a, b)?;
    if a.ndim() != 3 || b.ndim() != 3 || a.shape()[0] != b.shape()[0] {
        return Err(Error::Shape {
            op: "bmm",
            operands: describe(&[&a, &b]),
            hint: "bmm takes [b, m, k] and [b, k, n]; matmul broadcasts".into(),
        });
    }
    multiply("bmm", &a, &b)
}

/// The last two axes exchanged: `[.., m, n] -> [.., n, m]`, a view. Errors below two axes.
pub fn matrix_transpose(x: &Tensor) -> Result<Tensor> {
    if x.ndim() < 2 {
        return Err(Error::Shape {
            op: "matrix_transpose",
            operands: describe(&[x]),
            hint: "a matrix has two axes; expand_dims gives a vector a second one".into(),
        });
    }
    x.transpose(-2, -1)
}
