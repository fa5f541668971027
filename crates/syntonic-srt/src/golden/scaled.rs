//! Products with one golden factor.

use super::correction::{Sign, corrected};
use super::gemm::{Op, gemm};
use super::power::phi_power;
use super::structure::Structure;
use syntonic_core::{Result, Scalar, Tensor};

/// One product with a real factor, under the name `op`.
fn times(op: &'static str, a: &Tensor, b: &Tensor, by: f64) -> Result<Tensor> {
    gemm(op, (a, Op::None), (b, Op::None), Scalar::Float(by), None)
}

/// φⁿ AB for any integer n: `[.., m, k], [.., k, n] -> [.., m, n]`, one product with the factor [`phi_power`]`(n)`, which is
/// correctly rounded to the type that the product is computed in. Integers become `float64`.
///
/// The factor is infinite from n = 1475 on, from 185 on where it is a `float32`, and zeros of AB are then NaN.
///
/// Errors as [`super::mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{mm_phi, phi_power};
///
/// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
/// let y = mm_phi(&a, &b, 2)?.to_scalar::<f64>()?;
/// assert!((y - 11.0 * phi_power(2)).abs() < 1e-13);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_phi(a: &Tensor, b: &Tensor, n: i64) -> Result<Tensor> {
    times("mm_phi", a, b, phi_power(n))
}

/// `(1 ± q/N) AB` with the number N of a [`Structure`], one product: `[.., m, k], [.., k, n] -> [.., m, n]`. Integers become
/// `float64`.
///
/// Errors as [`super::mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{Sign, Structure, factor, mm_corrected};
///
/// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
/// let y = mm_corrected(&a, &b, Structure::E8Roots, Sign::Plus)?.to_scalar::<f64>()?;
/// assert!((y - 11.0 * factor(240, Sign::Plus)?).abs() < 1e-13);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_corrected(a: &Tensor, b: &Tensor, structure: Structure, sign: Sign) -> Result<Tensor> {
    let by = corrected("mm_corrected", structure.into(), sign)?;
    times("mm_corrected", a, b, by)
}

/// As [`mm_corrected`] for any number `n` in place of a structure's.
///
/// Errors as [`super::mm`], and where `n` is 0, infinite or NaN.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::{Sign, factor, mm_q_corrected};
///
/// let (a, b) = (Tensor::from([[1.0, 2.0]]), Tensor::from([[3.0], [4.0]]));
/// let y = mm_q_corrected(&a, &b, 100.0, Sign::Minus)?.to_scalar::<f64>()?;
/// assert!((y - 11.0 * factor(100, Sign::Minus)?).abs() < 1e-13);
/// assert!(mm_q_corrected(&a, &b, 0.0, Sign::Minus).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_q_corrected(a: &Tensor, b: &Tensor, n: f64, sign: Sign) -> Result<Tensor> {
    let by = corrected("mm_q_corrected", n, sign)?;
    times("mm_q_corrected", a, b, by)
}
