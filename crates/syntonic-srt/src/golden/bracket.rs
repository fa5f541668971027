//! The φ-commutator and the φ-anticommutator: `AB ∓ φ⁻¹ BA`, a q-commutator with q = φ⁻¹. M. Arik and D. D. Coon, "Hilbert
//! spaces of analytic functions and generalized coherent states", *Journal of Mathematical Physics* 17 (1976).

use super::operands;
use crate::constants::INV_PHI;
use syntonic_core::ops::linalg::{accumulate, matmul};
use syntonic_core::{Result, Scalar, Tensor};

/// `[A, B]_φ = AB - φ⁻¹ BA` of square matrices: `[.., n, n], [.., n, n] -> [.., n, n]`. Two products, the second added to the
/// first where it lies. Integers become `float64`.
///
/// Errors where the operands are no square matrices of one size, the leading axes do not broadcast, all are `bool`, or the
/// devices differ.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::phi_bracket;
///
/// let (a, b) = (Tensor::from([[2.0]]), Tensor::from([[3.0]]));
/// let phi = (1.0 + 5f64.sqrt()) / 2.0;
/// let bracket = phi_bracket(&a, &b)?.to_scalar::<f64>()?;
/// assert!((bracket - (6.0 - 6.0 / phi)).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn phi_bracket(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    both_orders("phi_bracket", a, b, -INV_PHI)
}

/// `{A, B}_φ = AB + φ⁻¹ BA`; otherwise as [`phi_bracket`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::phi_antibracket;
///
/// let (a, b) = (Tensor::from([[2.0]]), Tensor::from([[3.0]]));
/// let phi = (1.0 + 5f64.sqrt()) / 2.0;
/// // 1 + 1/φ = φ.
/// assert!((phi_antibracket(&a, &b)?.to_scalar::<f64>()? - 6.0 * phi).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn phi_antibracket(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    both_orders("phi_antibracket", a, b, INV_PHI)
}

fn both_orders(op: &'static str, a: &Tensor, b: &Tensor, by: f64) -> Result<Tensor> {
    let dtype = operands::dtype(op, &[a, b], &[Scalar::Float(by)])?;
    operands::squares(op, a, b)?;
    let (a, b) = (a.cast(dtype)?, b.cast(dtype)?);
    accumulate(by, &b, &a, 1, matmul(&a, &b)?)
}
