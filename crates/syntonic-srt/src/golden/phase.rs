//! The phase `e^(iπn/φ)` and products that are turned by it.

use super::gemm::{Op, gemm};
use super::operands;
use std::f64::consts::PI;
use syntonic_core::fuse::Prim;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{Result, Scalar, Tensor};

/// 1/φ in units of 2^-127: half turns as a whole number that wraps after a turn, as the phase does.
const INV_PHI: u128 = 0x4f1b_bcdc_bfa5_3e0a_f9ce_6030_2e76_e41a;

/// `e^(iπn/φ)`, each part to about a unit in the last place of 1, for every n.
///
/// ```
/// use syntonic_srt::golden::golden_phase;
///
/// assert_eq!(golden_phase(0).re, 1.0);
/// let (one, two) = (golden_phase(1), golden_phase(2));
/// assert!((one * one - two).norm() < 1e-15);
/// ```
pub fn golden_phase(n: i64) -> Complex<f64> {
    /// A quarter of a turn.
    const QUARTER: i128 = 1 << 126;
    let turns = (i128::from(n) as u128).wrapping_mul(INV_PHI) as i128;
    let quarter = (turns.wrapping_add(QUARTER / 2)) >> 126;
    // At most an eighth of a turn in either direction, so nothing is lost in the conversion.
    let rest = turns.wrapping_sub(quarter << 126);
    let (sin, cos) = (PI * (rest as f64 * 2f64.powi(-127))).sin_cos();
    match quarter.rem_euclid(4) {
        0 => Complex::new(cos, sin),
        1 => Complex::new(-sin, cos),
        2 => Complex::new(-cos, -sin),
        _ => Complex::new(sin, -cos),
    }
}

/// `e^(iπn/φ) AB`, complex: `[.., m, k], [.., k, n] -> [.., m, n]`. The half types and `float32` give `complex64`, `float64`
/// and integers `complex128`.
///
/// Complex operands take one product with a complex factor. Real ones are multiplied as real numbers and turned afterwards,
/// element by element, which is a quarter of the work; the half types are converted to `float32` first.
///
/// Errors as [`super::mm`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::golden::mm_golden_phase;
///
/// let a = Tensor::from([[3.0]]);
/// let y = mm_golden_phase(&a, &a, 5)?;
/// // A phase leaves the length as it is.
/// assert!((y.abs()?.to_scalar::<f64>()? - 9.0).abs() < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mm_golden_phase(a: &Tensor, b: &Tensor, n: i64) -> Result<Tensor> {
    const OP: &str = "mm_golden_phase";
    let phase = Scalar::Complex(golden_phase(n));
    let of = |x, y, by| gemm(OP, (x, Op::None), (y, Op::None), by, None);
    let dtype = operands::dtype(OP, &[a, b], &[phase])?;
    if a.dtype().is_complex() || b.dtype().is_complex() {
        return of(a, b, phase);
    }
    operands::shape(OP, (a, Op::None), (b, Op::None))?;
    let (a, b) = (a.cast(dtype.real())?, b.cast(dtype.real())?);
    let product = of(&a, &b, Scalar::Int(1))?;
    apply(Prim::Mul, &[(&product).into(), Arg::Number(phase)])
}
