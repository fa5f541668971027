//! Powers of matrices.

use super::operand::{identities, lead, sides};
use super::pinv::named;
use super::solve::inv;
use crate::error::{Error, Result};
use crate::ops::linalg::{matmul, product_type};
use crate::tensor::{Tensor, describe};

/// Powers of square matrices: `[.., n, n] -> [.., n, n]`, the product of so many factors `a`, the identity for 0, that of so
/// many inverses for a negative one. By squaring, in about `2 log2 |power|` products.
///
/// Powers of integers are integers, and wrap, unless they are negative: those are `float64`.
///
/// Errors: [`Error::Shape`] where the last two axes differ; [`Error::DType`] for `bool`; as [`inv`] for a negative power.
///
/// ```
/// use syntonic_core::ops::linalg::matrix_power;
/// use syntonic_core::prelude::*;
///
/// // Fibonacci's numbers: the tenth is 55.
/// let a = Tensor::from([[1, 1], [1, 0]]);
/// assert_eq!(matrix_power(&a, 10)?.to_vec::<i64>()?, [89, 55, 55, 34]);
/// assert_eq!(matrix_power(&a, 0)?.to_vec::<i64>()?, [1, 0, 0, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn matrix_power(a: &Tensor, power: i64) -> Result<Tensor> {
    const OP: &str = "matrix_power";
    product_type(OP, &[a])?;
    if a.ndim() < 2 || sides(a).0 != sides(a).1 {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[a]),
            hint: "only square matrices have powers: [.., n, n]".into(),
        });
    }
    if power == 0 {
        return identities(OP, lead(a), sides(a).0, a.dtype(), a.device());
    }
    let mut square = if power < 0 {
        named(inv(a), OP)?
    } else {
        a.clone()
    };
    let mut left = power.unsigned_abs();
    while left & 1 == 0 {
        square = matmul(&square, &square)?;
        left >>= 1;
    }
    let mut product = square.clone();
    while left > 1 {
        left >>= 1;
        square = matmul(&square, &square)?;
        if left & 1 == 1 {
            product = matmul(&product, &square)?;
        }
    }
    Ok(product)
}
