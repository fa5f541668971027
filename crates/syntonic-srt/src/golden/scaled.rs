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
pub fn mm_phi(a: &Tensor, b: &Tensor, n: i64) -> Result<Tensor> {
    times("mm_phi", a, b, phi_power(n))
}

/// `(1 ± q/N) AB` with the number N of a [`Structure`], one product: `[.., m, k], [.., k, n] -> [.., m, n]`. Integers become
/// `float64`.
///
/// Errors as [`super::mm`].
pub fn mm_corrected(a: &Tensor, b: &Tensor, structure: Structure, sign: Sign) -> Result<Tensor> {
    let by = corrected("mm_corrected", structure.into(), sign)?;
    times("mm_corrected", a, b, by)
}

/// As [`mm_corrected`] for any number `n` in place of a structure's.
///
/// Errors as [`super::mm`], and where `n` is 0, infinite or NaN.
pub fn mm_q_corrected(a: &Tensor, b: &Tensor, n: f64, sign: Sign) -> Result<Tensor> {
    let by = corrected("mm_q_corrected", n, sign)?;
    times("mm_q_corrected", a, b, by)
}
