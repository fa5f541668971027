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
