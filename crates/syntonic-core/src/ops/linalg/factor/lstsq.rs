//! Least squares.

use super::operand::{adjoint, field_of, matrices, sides};
use super::pinv::{Tolerance, named, of_factors, reciprocals};
use super::qr::Columns;
use super::svd::svd;
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::grad;
use crate::ops::elementwise::apply;
use crate::ops::linalg::matmul;
use crate::ops::reduce::{self, Over};
use crate::tensor::{Tensor, describe};

/// What [`lstsq`] finds.
#[derive(Clone, Debug)]
pub struct Lstsq {
    /// The solutions: `[.., n, k]`, or `[.., n]` for one vector.
    pub x: Tensor,
    /// The sums of the squares `|a x - b|^2`, real: `[.., k]`, or `[..]` for one vector.
    pub residuals: Tensor,
    /// The ranks of the matrices, `int64`: `[..]`.
    pub rank: Tensor,
    /// Their singular values, real and descending.
    pub singular_values: Tensor,
}

/// Of all `x` that make `|a x - b|` least, the shortest: `[.., m, n], [.., m, k] -> [.., n, k]`, leading axes broadcast; `b` may be
/// one vector, `[m]`.
///
/// By the singular value decomposition: `V diag(1 / s) U^H b` over the singular values above the tolerance. Integers and `bool`
/// are taken as `float64`. The gradient on a tape is that at constant rank, as of
/// [`pinv`](super::pinv()).
///
/// Errors as [`svd`], and [`Error::Shape`] where the lengths do not fit.
///
/// ```
/// use syntonic_core::ops::linalg::{Tolerance, lstsq};
/// use syntonic_core::prelude::*;
///
/// // The line 1 + 2 t through three points.
/// let a = Tensor::from([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]);
/// let line = lstsq(&a, &Tensor::from([1.0, 3.0, 5.0]), Tolerance::Rounding)?;
/// let off = (line.x - Tensor::from([1.0, 2.0])).abs()?;
/// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-14);
/// assert_eq!(line.rank.to_scalar::<i64>()?, 2);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn lstsq(a: &Tensor, b: &Tensor, tolerance: Tolerance<'_>) -> Result<Lstsq> {
    const OP: &str = "lstsq";
    let dtype = field_of(OP, &[a, b])?;
    let (x, y) = (matrices(OP, &a.cast(dtype)?)?, b.cast(dtype)?);
    let vector = y.ndim() == 1;
    let y = if vector { y.expand_dims(&[-1])? } else { y };
    if y.ndim() == 0 || sides(&y).0 != sides(&x).0 {
        return Err(Error::Shape {
            op: OP,
            operands: describe(&[a, b]),
            hint: "there must be as many right sides as rows: [.., m, n] and [.., m, k] or [m]"
                .into(),
        });
    }
    let plain = x.stop_gradient();
    let factors = named(svd(&plain, Columns::Reduced), OP)?;
    let counts = tolerance.counts(OP, &plain, &factors.s)?;
    let found = match x.is_tracked() {
        true => matmul(&of_factors(&x, &factors, &counts)?, &y)?,
        false => {
            let inverse = reciprocals(&factors.s, &counts)?;
            let inverse = inverse.expand_dims(&[-1])?.cast(dtype)?;
            let parts = matmul(&adjoint(&factors.u)?, &y)?;
            let parts = apply(Prim::Mul, &[(&parts).into(), (&inverse).into()])?;
            matmul(&adjoint(&factors.vh)?, &parts)?
        }
    };
    let missed = apply(Prim::Sub, &[(&matmul(&x, &found)?).into(), (&y).into()])?;
    let residuals = reduce::sum(&squares(&missed)?, &Over::axes(&[-2]), None)?;
    let last = |t: Tensor| if vector { t.squeeze(&[-1]) } else { Ok(t) };
    Ok(Lstsq {
        x: last(found)?,
        residuals: last(residuals)?,
        rank: reduce::count_nonzero(&counts, &Over::axes(&[-1]))?,
        singular_values: grad::singular_values(&x, &factors)?,
    })
}

/// The squares of magnitudes, without the corner that a magnitude has at zero.
fn squares(x: &Tensor) -> Result<Tensor> {
    let of = |x: &Tensor| apply(Prim::Square, &[x.into()]);
    match x.dtype().is_complex() {
        true => apply(
            Prim::Add,
            &[(&of(&x.real()?)?).into(), (&of(&x.imag()?)?).into()],
        ),
        false => of(x),
    }
}
