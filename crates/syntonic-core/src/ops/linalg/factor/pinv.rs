//! What singular values that count as zero decide: the rank and the pseudoinverse.

use super::operand::{adjoint, matrices, sides};
use super::qr::Columns;
use super::svd::{Svd, svd, svdvals};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::grad;
use crate::ops::elementwise::apply;
use crate::ops::linalg::matmul;
use crate::ops::reduce::{self, Over};
use crate::run::Axes;
use crate::tensor::{Tensor, describe, same_device};

/// Up to which part of the largest singular value others count as zero.
#[derive(Clone, Copy, Debug)]
pub enum Tolerance<'a> {
    /// The larger of the two lengths of a matrix, times the distance from 1 to the next number of its type.
    Rounding,
    /// This part.
    Part(f64),
    /// One for each matrix: `[..]`, broadcast to the stack.
    Each(&'a Tensor),
}

impl Tolerance<'_> {
    /// Which singular values of `[.., m, n]` matrices do not count as zero: `[.., k]`, `bool`.
    pub(super) fn counts(self, op: &'static str, a: &Tensor, s: &Tensor) -> Result<Tensor> {
        let (m, n) = sides(a);
        if s.numel() == 0 {
            return s.cast(DType::Bool);
        }
        let over = Over {
            axes: Some(vec![-1]),
            keep: Axes::Keep,
        };
        let largest = reduce::max(s, &over)?;
        let bound = match self {
            Tolerance::Rounding => {
                let part = m.max(n) as f64 * epsilon(s.dtype());
                apply(Prim::Mul, &[(&largest).into(), part.into()])?
            }
            Tolerance::Part(part) => apply(Prim::Mul, &[(&largest).into(), part.into()])?,
            Tolerance::Each(parts) => {
                same_device(op, &[a, parts])?;
                let fits = parts
                    .layout()
                    .broadcast_to(&a.shape()[..a.ndim() - 2])
                    .is_some();
                if !fits || parts.dtype().is_complex() {
                    return Err(Error::Shape {
                        op,
                        operands: describe(&[a, parts]),
                        hint: "the tolerances are real and broadcast to the leading axes".into(),
                    });
                }
                let parts = parts.cast(s.dtype())?.expand_dims(&[-1])?;
                apply(Prim::Mul, &[(&largest).into(), (&parts).into()])?
            }
        };
        apply(Prim::Gt, &[s.into(), (&bound).into()])
    }
}

/// The distance from 1 to the next number.
pub(super) fn epsilon(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    }
}

/// The ranks of matrices: how many singular values are above the tolerance. `[.., m, n] -> [..]`, `int64`.
///
/// Errors as [`svd`].
///
/// ```
/// use syntonic_core::ops::linalg::{Tolerance, matrix_rank};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[1.0, 2.0], [2.0, 4.0]]);
/// assert_eq!(matrix_rank(&a, Tolerance::Rounding)?.to_scalar::<i64>()?, 1);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn matrix_rank(a: &Tensor, tolerance: Tolerance<'_>) -> Result<Tensor> {
    const OP: &str = "matrix_rank";
    // A number of values is a constant.
    let a = matrices(OP, &a.stop_gradient())?;
    let s = named(svdvals(&a), OP)?;
    let counts = tolerance.counts(OP, &a, &s)?;
    reduce::count_nonzero(&counts, &Over::axes(&[-1]))
}

/// The Moore-Penrose pseudoinverses: `[.., m, n] -> [.., n, m]`, `V diag(1 / s) U^H` over the singular values above the
/// tolerance.
///
/// The gradient on a tape is that at constant rank: singular values up to the tolerance are taken as zeros that stay zero.
///
/// Errors as [`svd`].
///
/// ```
/// use syntonic_core::ops::linalg::{Tolerance, pinv};
/// use syntonic_core::prelude::*;
///
/// let a = Tensor::from([[2.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
/// let found = pinv(&a, Tolerance::Rounding)?;
/// assert_eq!(found.shape(), [3, 2]);
/// let off = (found - Tensor::from([[0.5, 0.0], [0.0, 0.25], [0.0, 0.0]])).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn pinv(a: &Tensor, tolerance: Tolerance<'_>) -> Result<Tensor> {
    const OP: &str = "pinv";
    let a = matrices(OP, a)?;
    let plain = a.stop_gradient();
    let factors = named(svd(&plain, Columns::Reduced), OP)?;
    let counts = tolerance.counts(OP, &plain, &factors.s)?;
    of_factors(&a, &factors, &counts)
}

/// The pseudoinverses of matrices whose factors were found, and which of their singular values count.
pub(super) fn of_factors(a: &Tensor, found: &Svd, counts: &Tensor) -> Result<Tensor> {
    let inverse = reciprocals(&found.s, counts)?;
    let left = scaled_columns(&adjoint(&found.vh)?, &inverse)?;
    grad::pinv(a, matmul(&left, &adjoint(&found.u)?)?)
}

/// `1 / s` where it counts, else 0.
pub(super) fn reciprocals(s: &Tensor, counts: &Tensor) -> Result<Tensor> {
    let inverse = apply(Prim::Recip, &[s.into()])?;
    apply(
        Prim::Select,
        &[counts.into(), (&inverse).into(), 0.0.into()],
    )
}

/// The columns of matrices, each times its number: `[.., m, k], [.., k] -> [.., m, k]`.
pub(super) fn scaled_columns(x: &Tensor, by: &Tensor) -> Result<Tensor> {
    let by = by.expand_dims(&[-2])?.cast(x.dtype())?;
    apply(Prim::Mul, &[x.into(), (&by).into()])
}

/// The error of a decomposition as that of the operation which asked for it.
pub(crate) fn named<T>(outcome: Result<T>, op: &'static str) -> Result<T> {
    outcome.map_err(|error| match error {
        Error::Matrix {
            operand, at, unfit, ..
        } => Error::Matrix {
            op,
            operand,
            at,
            unfit,
        },
        other => other.named(op),
    })
}
