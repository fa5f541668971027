//! Norms of matrices, and condition numbers.

use super::operand::matrices;
use super::pinv::named;
use super::solve::inv;
use super::svd::svdvals;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::ops::reduce::{self, Over};
use crate::run::Axes;
use crate::tensor::{Tensor, describe};

/// A norm of matrices. Those with a minus are no norms, and are called so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixNorm {
    /// The root of the sum of all squares.
    Frobenius,
    /// The sum of the singular values.
    Nuclear,
    /// The largest sum of a column's magnitudes.
    One,
    /// The smallest sum of a column's magnitudes.
    MinusOne,
    /// The largest singular value.
    Two,
    /// The smallest singular value.
    MinusTwo,
    /// The largest sum of a row's magnitudes.
    Infinity,
    /// The smallest sum of a row's magnitudes.
    MinusInfinity,
}

/// Norms of matrices: `[.., m, n] -> [..]`, or `[.., 1, 1]` where the axes are kept; real.
///
/// Integers and `bool` are taken as `float64`. That of no elements is 0.
///
/// Errors: [`Error::Shape`] for fewer than two axes; [`Error::EmptyReduction`] for the smallest of no numbers; as
/// [`svdvals`] for the norms that are made of singular values.
///
/// ```
/// use syntonic_core::ops::linalg::{MatrixNorm, matrix_norm};
/// use syntonic_core::prelude::*;
/// use syntonic_core::run::Axes;
///
/// let a = Tensor::from([[3.0, 0.0], [0.0, -4.0]]);
/// assert_eq!(matrix_norm(&a, MatrixNorm::Frobenius, Axes::Drop)?.to_scalar::<f64>()?, 5.0);
/// assert_eq!(matrix_norm(&a, MatrixNorm::One, Axes::Keep)?.shape(), [1, 1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn matrix_norm(a: &Tensor, norm: MatrixNorm, keep: Axes) -> Result<Tensor> {
    norm_for("matrix_norm", a, norm, keep)
}

fn norm_for(op: &'static str, a: &Tensor, norm: MatrixNorm, keep: Axes) -> Result<Tensor> {
    if a.ndim() < 2 {
        return Err(Error::Shape {
            op,
            operands: describe(&[a]),
            hint: "a matrix has two axes; vector_norm takes others".into(),
        });
    }
    let last = Over::axes(&[-1]);
    let singular = || named(svdvals(a), op);
    let sums = |axis: isize| {
        let sizes = apply(Prim::Abs, &[(&a.cast(a.dtype().to_inexact())?).into()])?;
        reduce::sum(&sizes, &Over::axes(&[axis]), None)
    };
    let out = match norm {
        MatrixNorm::Frobenius => reduce::norm(a, 2.0, &Over::axes(&[-2, -1])),
        MatrixNorm::Nuclear => reduce::sum(&singular()?, &last, None),
        MatrixNorm::Two => largest(&singular()?),
        MatrixNorm::One => largest(&sums(-2)?),
        MatrixNorm::Infinity => largest(&sums(-1)?),
        MatrixNorm::MinusTwo => reduce::min(&singular()?, &last),
        MatrixNorm::MinusOne => reduce::min(&sums(-2)?, &last),
        MatrixNorm::MinusInfinity => reduce::min(&sums(-1)?, &last),
    };
    let out = out.map_err(|error| match error {
        Error::EmptyReduction { .. } => Error::EmptyReduction {
            op,
            operands: describe(&[a]),
        },
        other => other,
    })?;
    match keep {
        Axes::Keep => out.expand_dims(&[-2, -1]),
        Axes::Drop => Ok(out),
    }
}

/// The largest along the last axis; 0 where it is empty.
fn largest(x: &Tensor) -> Result<Tensor> {
    let last = Over::axes(&[-1]);
    if x.shape().last() == Some(&0) {
        return reduce::sum(x, &last, None);
    }
    reduce::max(x, &last)
}

/// Condition numbers: `[.., m, n] -> [..]`, real. For the norms of singular values their largest over their smallest, or the
/// other way round for [`MatrixNorm::MinusTwo`]; for others, of square matrices, the norm times that of the inverse.
///
/// Errors as [`matrix_norm`], and as [`inv`] where an inverse is needed.
///
/// ```
/// use syntonic_core::ops::linalg::{MatrixNorm, cond};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[10.0, 0.0], [0.0, 0.5]]);
/// let found = cond(&a, MatrixNorm::Two)?.to_scalar::<f64>()?;
/// assert!((found - 20.0).abs() < 1e-12);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cond(a: &Tensor, norm: MatrixNorm) -> Result<Tensor> {
    const OP: &str = "cond";
    let a = matrices(OP, a)?;
    let of = |norm| norm_for(OP, &a, norm, Axes::Drop);
    let two = |over, under| apply(Prim::Div, &[(&of(over)?).into(), (&of(under)?).into()]);
    match norm {
        MatrixNorm::Two => two(MatrixNorm::Two, MatrixNorm::MinusTwo),
        MatrixNorm::MinusTwo => two(MatrixNorm::MinusTwo, MatrixNorm::Two),
        other => {
            let inverse = norm_for(OP, &named(inv(&a), OP)?, other, Axes::Drop)?;
            apply(Prim::Mul, &[(&of(other)?).into(), (&inverse).into()])
        }
    }
}
