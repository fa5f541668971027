//! The slow, obvious definition of every primitive: the oracle that fast code is tested against.

use super::Prim;
use crate::cpu::lanes::annex_g;
use crate::dtype::DType;
use crate::scalar::Scalar;
use half::{bf16, f16};
use num_complex::Complex;
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, PI};

/// `prim` of `args`, each converted to `operand` first ([`Prim::operand_dtype`]); the result is rounded
/// or wrapped to [`Prim::result_dtype`].
///
/// The condition of [`Prim::Select`] is only asked whether it is true. Missing operands count as 0.
///
/// ```
/// use syntonic_core::fuse::{Prim, reference};
/// use syntonic_core::prelude::*;
///
/// let sum = reference::apply(Prim::Add, &[Scalar::Int(250), Scalar::Int(10)], DType::U8);
/// assert_eq!(sum, Scalar::Int(4));
/// ```
pub fn apply(prim: Prim, args: &[Scalar], operand: DType) -> Scalar {
    let arg = |i: usize| args.get(i).copied().unwrap_or(Scalar::Int(0));
    let result = prim.result_dtype(operand);
    if prim == Prim::Select {
        let chosen = if arg(0).to_bool() { arg(1) } else { arg(2) };
        return chosen.cast(operand).cast(result);
    }
    let (a, b, c) = (
        arg(0).cast(operand),
        arg(1).cast(operand),
        arg(2).cast(operand),
    );
    let value = match a {
        Scalar::Bool(x) => truth(prim, x, b.to_bool()),
        Scalar::Int(x) => integer(prim, x, b.to_i128(), operand),
        Scalar::Float(x) => float(prim, x, b.to_f64(), c.to_f64(), operand),
        Scalar::Complex(z) => complex(prim, z, b.to_complex()),
    };
    value.cast(result)
}

fn truth(prim: Prim, a: bool, b: bool) -> Scalar {
    Scalar::Bool(match prim {
        Prim::Add | Prim::Or | Prim::BitOr => a || b,
        Prim::Mul | Prim::And | Prim::BitAnd => a && b,
        Prim::Xor | Prim::BitXor | Prim::Ne => a != b,
        Prim::Eq => a == b,
        Prim::Not | Prim::BitNot => !a,
        _ => a,
    })
}

fn ordering<T: PartialOrd>(prim: Prim, a: T, b: T) -> Option<bool> {
    Some(match prim {
        Prim::Eq => a == b,
        Prim::Ne => a != b,
        Prim::Lt => a < b,
        Prim::Le => a <= b,
        Prim::Gt => a > b,
        Prim::Ge => a >= b,
        _ => return None,
    })
}

/// Integers in unbounded width (products wrap at 128 bits, which keeps every lower bit right).
fn integer(prim: Prim, a: i128, b: i128, dtype: DType) -> Scalar {
    if let Some(answer) = ordering(prim, a, b) {
        return Scalar::Bool(answer);
    }
    let bits = 8 * dtype.size() as i128;
    let within = (0..bits).contains(&b);
    Scalar::Int(match prim {
        Prim::Neg => -a,
        Prim::Abs => a.abs(),
        Prim::Sign => a.signum(),
        Prim::Square => a.wrapping_mul(a),
        Prim::Add => a + b,
        Prim::Sub => a - b,
        Prim::Mul => a.wrapping_mul(b),
        Prim::FloorDiv if b == 0 => 0,
        Prim::FloorDiv => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        Prim::Rem if b == 0 => 0,
        Prim::Rem => ((a % b) + b) % b,
        Prim::Pow if b >= 0 => power(a, b),
        Prim::Pow if a == 1 || (a == -1 && b % 2 == 0) => 1,
        Prim::Pow if a == -1 => -1,
        Prim::Pow | Prim::Imag => 0,
        Prim::Min => a.min(b),
        Prim::Max => a.max(b),
        Prim::IsNan | Prim::IsInf => return Scalar::Bool(false),
        Prim::IsFinite => return Scalar::Bool(true),
        Prim::BitNot => !a,
        Prim::BitAnd => a & b,
        Prim::BitOr => a | b,
        Prim::BitXor => a ^ b,
        Prim::Shl if within => a << b,
        Prim::Shl => 0,
        Prim::Shr if within => a >> b,
        Prim::Shr => -i128::from(a < 0),
        _ => a,
    })
}

/// a^b by halving the exponent.
fn power(a: i128, b: i128) -> i128 {
    if b == 0 {
        return 1;
    }
    let half = power(a, b / 2);
    let even = half.wrapping_mul(half);
    if b % 2 == 0 {
        even
    } else {
        even.wrapping_mul(a)
    }
}

fn float(prim: Prim, a: f64, b: f64, c: f64, dtype: DType) -> Scalar {
    if let Some(answer) = ordering(prim, a, b) {
        return Scalar::Bool(answer);
    }
    let nan_first = |x: f64| {
        if a.is_nan() || b.is_nan() {
            f64::NAN
        } else {
            x
        }
    };
    Scalar::Float(match prim {
        Prim::Neg => -a,
        Prim::Abs => a.abs(),
        Prim::Sign if a == 0.0 || a.is_nan() => a + 0.0,
        Prim::Sign => a.signum(),
        Prim::Square => a * a,
        Prim::Sqrt => a.sqrt(),
        Prim::Rsqrt => 1.0 / a.sqrt(),
        Prim::Recip => 1.0 / a,
        Prim::Add => a + b,
        Prim::Sub => a - b,
        Prim::Mul => a * b,
        Prim::Div => a / b,
        Prim::FloorDiv => floor_divide(a, b),
        Prim::Rem => remainder(a, b),
        Prim::Pow => a.powf(b),
        Prim::Fma if dtype == DType::F64 => a.mul_add(b, c),
        Prim::Fma => return Scalar::Float(f64::from((a as f32).mul_add(b as f32, c as f32))),
        Prim::Min => nan_first(if a < b { a } else { b }),
        Prim::Max => nan_first(if a > b { a } else { b }),
        Prim::CopySign => a.copysign(b),
        Prim::NextAfter if a.is_nan() || b.is_nan() => f64::NAN,
        Prim::NextAfter if a == b => b,
        Prim::NextAfter => next_after(a, b, dtype),
        Prim::SignBit => return Scalar::Bool(a.is_sign_negative()),
        Prim::IsNan => return Scalar::Bool(a.is_nan()),
        Prim::IsInf => return Scalar::Bool(a.is_infinite()),
        Prim::IsFinite => return Scalar::Bool(a.is_finite()),
        Prim::Imag => 0.0,
        Prim::Complex => return Scalar::Complex(Complex::new(a, b)),
        _ => transcendental(prim, a, b),
    })
}

fn transcendental(prim: Prim, a: f64, b: f64) -> f64 {
    match prim {
        Prim::Exp => a.exp(),
        Prim::Expm1 => a.exp_m1(),
        Prim::Exp2 => a.exp2(),
        Prim::Log => a.ln(),
        Prim::Log1p => a.ln_1p(),
        Prim::Log2 => a.log2(),
        Prim::Log10 => a.log10(),
        Prim::LogAddExp if a == b => a + LN_2,
        Prim::LogAddExp => (if a > b { a } else { b }) + (-(a - b).abs()).exp().ln_1p(),
        Prim::Sin => a.sin(),
        Prim::Cos => a.cos(),
        Prim::Tan => a.tan(),
        Prim::Asin => a.asin(),
        Prim::Acos => a.acos(),
        Prim::Atan => a.atan(),
        Prim::Atan2 => a.atan2(b),
        Prim::Sinh => a.sinh(),
        Prim::Cosh => a.cosh(),
        Prim::Tanh => a.tanh(),
        Prim::Asinh => asinh(a),
        Prim::Acosh => acosh(a),
        Prim::Atanh => (0.5 * (2.0 * a.abs() / (1.0 - a.abs())).ln_1p()).copysign(a),
        Prim::Erf => erf(a),
        Prim::Erfc => erfc(a),
        Prim::Hypot => a.hypot(b),
        Prim::Floor => a.floor(),
        Prim::Ceil => a.ceil(),
        Prim::Trunc => a.trunc(),
        Prim::Round => a.round_ties_even(),
        _ => a,
    }
}

/// The remainder with the sign of the divisor.
fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest == 0.0 {
        0.0f64.copysign(b)
    } else if (rest < 0.0) != (b < 0.0) {
        rest + b
    } else {
        rest
    }
}

/// floor(a/b), from the exact remainder where there is one.
fn floor_divide(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if b == 0.0 || rest.is_nan() {
        return a / b;
    }
    let toward_zero = ((a - rest) / b).round_ties_even();
    let floor = if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        toward_zero - 1.0
    } else {
        toward_zero
    };
    if floor == 0.0 {
        0.0f64.copysign(a / b)
    } else {
        floor
    }
}

/// The next number of the type from a towards b, which are different numbers.
fn next_after(a: f64, b: f64, dtype: DType) -> f64 {
    match dtype {
        DType::F64 if a < b => a.next_up(),
        DType::F64 => a.next_down(),
        DType::F16 => f16::from_bits(next_bits(f16::from_f64(a).to_bits(), a, b)).to_f64(),
        DType::BF16 => bf16::from_bits(next_bits(bf16::from_f64(a).to_bits(), a, b)).to_f64(),
        _ if a < b => (a as f32).next_up().into(),
        _ => (a as f32).next_down().into(),
    }
}

/// The bits of the next number; those of a are `bits`. Among numbers of one sign the bits grow with the size.
fn next_bits(bits: u16, a: f64, b: f64) -> u16 {
    if a == 0.0 {
        1 | u16::from(b < 0.0) << 15
    } else if (b > a) == (a > 0.0) {
        bits + 1
    } else {
        bits - 1
    }
}

/// ln(1 + a + a^2/(1 + sqrt(1 + a^2))) for a = |x|: no cancellation near 0.
fn asinh(x: f64) -> f64 {
    let a = x.abs();
    let ln = if a > 1e20 {
        a.ln() + LN_2
    } else {
        (a + a * a / (1.0 + 1.0f64.hypot(a))).ln_1p()
    };
    ln.copysign(x)
}

/// ln(x + sqrt(x^2 - 1)), through x - 1.
fn acosh(x: f64) -> f64 {
    let t = x - 1.0;
    if x < 1.0 {
        f64::NAN
    } else if x > 1e20 {
        x.ln() + LN_2
    } else {
        (t + (t * (t + 2.0)).sqrt()).ln_1p()
    }
}

/// e^(-x^2), with what the square loses to rounding.
fn gaussian(x: f64) -> f64 {
    let square = x * x;
    (-square).exp() * (1.0 - x.mul_add(x, -square))
}

/// 2/sqrt(pi) e^(-x^2) times the sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1)), whose terms are all positive.
fn erf(x: f64) -> f64 {
    if x.abs() >= 1.0 {
        return (1.0 - erfc(x.abs())).copysign(x);
    }
    let (mut term, mut sum) = (x, x);
    for n in 1..60 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    FRAC_2_SQRT_PI * gaussian(x) * sum
}

/// 1 - erf(x), by the continued fraction of e^(x^2) erfc(x) where the difference would cancel.
fn erfc(x: f64) -> f64 {
    if x <= -1.0 {
        return 2.0 - erfc(-x);
    }
    if x < 0.5 || x.is_nan() {
        return 1.0 - erf(x);
    }
    if x > 28.0 {
        return 0.0;
    }
    let fraction = (1..1000)
        .rev()
        .fold(x, |below, k| x + 0.5 * f64::from(k) / below);
    gaussian(x) / (PI.sqrt() * fraction)
}

fn complex(prim: Prim, a: Complex<f64>, b: Complex<f64>) -> Scalar {
    let parts = |f: fn(f64) -> f64| Complex::new(f(a.re), f(a.im));
    Scalar::Complex(match prim {
        Prim::Eq => return Scalar::Bool(a.re == b.re && a.im == b.im),
        Prim::Ne => return Scalar::Bool(a.re != b.re || a.im != b.im),
        Prim::IsNan => return Scalar::Bool(a.re.is_nan() || a.im.is_nan()),
        Prim::IsInf => return Scalar::Bool(a.re.is_infinite() || a.im.is_infinite()),
        Prim::IsFinite => return Scalar::Bool(a.re.is_finite() && a.im.is_finite()),
        Prim::Abs => return Scalar::Float(a.re.hypot(a.im)),
        Prim::Real => return Scalar::Float(a.re),
        Prim::Imag => return Scalar::Float(a.im),
        Prim::Conj => a.conj(),
        Prim::Round => parts(f64::round_ties_even),
        Prim::Neg => -a,
        Prim::Add => a + b,
        Prim::Sub => a - b,
        Prim::Mul => a * b,
        Prim::Square => a * a,
        Prim::Sign => annex_g::sign(a),
        Prim::Div => annex_g::divide(a, b),
        Prim::Recip => annex_g::reciprocal(a),
        Prim::Sqrt => annex_g::sqrt(a),
        Prim::Pow => annex_g::pow(a, b),
        Prim::Exp => annex_g::exp(a),
        Prim::Expm1 => annex_g::expm1(a),
        Prim::Log => annex_g::ln(a),
        Prim::Log1p => annex_g::log1p(a),
        Prim::Log2 => annex_g::log2(a),
        Prim::Log10 => annex_g::log10(a),
        Prim::Sin => annex_g::sin(a),
        Prim::Cos => annex_g::cos(a),
        Prim::Tan => annex_g::tan(a),
        Prim::Asin => annex_g::asin(a),
        Prim::Acos => annex_g::acos(a),
        Prim::Atan => annex_g::atan(a),
        Prim::Sinh => annex_g::sinh(a),
        Prim::Cosh => annex_g::cosh(a),
        Prim::Tanh => annex_g::tanh(a),
        Prim::Asinh => annex_g::asinh(a),
        Prim::Acosh => annex_g::acosh(a),
        Prim::Atanh => annex_g::atanh(a),
        _ => a,
    })
}
