//! Arithmetic of single and double precision.

use super::each::table;
use super::rounding::{
    self,
    Direction::{Down, Up, Zero},
};

table! {
    /// Arithmetic to nearest, the directed roundings, and the approximations of the special function unit.
    fn find;
    "add.f32": (a: f32, b: f32) -> f32 = canon(a + b);
    "add.f64": (a: f64, b: f64) -> f64 = a + b;
    "sub.f32": (a: f32, b: f32) -> f32 = canon(a - b);
    "sub.f64": (a: f64, b: f64) -> f64 = a - b;
    "mul.f32": (a: f32, b: f32) -> f32 = canon(a * b);
    "mul.f64": (a: f64, b: f64) -> f64 = a * b;
    "fma.f32" | "mad.f32": (a: f32, b: f32, c: f32) -> f32 = canon(a.mul_add(b, c));
    "fma.f64" | "mad.f64": (a: f64, b: f64, c: f64) -> f64 = a.mul_add(b, c);
    "div.f32" | "div.approx.f32" | "div.full.f32": (a: f32, b: f32) -> f32 = canon(a / b);
    "div.f64": (a: f64, b: f64) -> f64 = a / b;
    "rcp.f32" | "rcp.approx.f32": (a: f32) -> f32 = canon(1.0 / a);
    "rcp.f64": (a: f64) -> f64 = 1.0 / a;
    "rcp.approx.f64": (a: f64) -> f64 = coarse(1.0 / top(a));
    "rsqrt.approx.f64": (a: f64) -> f64 = coarse(1.0 / top(a).sqrt());
    "sqrt.f32" | "sqrt.approx.f32": (a: f32) -> f32 = canon(a.sqrt());
    "sqrt.f64": (a: f64) -> f64 = a.sqrt();
    "rsqrt.approx.f32": (a: f32) -> f32 = canon((1.0 / f64::from(a).sqrt()) as f32);
    "sin.approx.f32": (a: f32) -> f32 = canon(f64::from(a).sin() as f32);
    "cos.approx.f32": (a: f32) -> f32 = canon(f64::from(a).cos() as f32);
    "tanh.approx.f32": (a: f32) -> f32 = canon(f64::from(a).tanh() as f32);
    "lg2.approx.f32": (a: f32) -> f32 = canon(f64::from(a).log2() as f32);
    "ex2.approx.f32": (a: f32) -> f32 = canon(f64::from(a).exp2() as f32);
    "neg.f32": (a: u32) -> u32 = a ^ 1 << 31;
    "neg.f64": (a: u64) -> u64 = a ^ 1 << 63;
    "abs.f32": (a: u32) -> u32 = a & !(1 << 31);
    "abs.f64": (a: u64) -> u64 = a & !(1 << 63);
    "min.f32": (a: f32, b: f32) -> f32 = min32(a, b);
    "max.f32": (a: f32, b: f32) -> f32 = max32(a, b);
    "min.NaN.f32": (a: f32, b: f32) -> f32 = if a.is_nan() || b.is_nan() { NAN } else { min32(a, b) };
    "max.NaN.f32": (a: f32, b: f32) -> f32 = if a.is_nan() || b.is_nan() { NAN } else { max32(a, b) };
    "min.f64": (a: f64, b: f64) -> f64 = min64(a, b);
    "max.f64": (a: f64, b: f64) -> f64 = max64(a, b);
    "flush.f32": (a: f32) -> f32 = flush(a);
    "sat.f32": (a: f32) -> f32 = if a >= 1.0 { 1.0 } else if a > 0.0 { a } else { 0.0 };
    "sat.f64": (a: f64) -> f64 = if a >= 1.0 { 1.0 } else if a > 0.0 { a } else { 0.0 };
    "add.rz.f32": (a: f32, b: f32) -> f32 = canon(rounding::add32(a, b, Zero));
    "add.rm.f32": (a: f32, b: f32) -> f32 = canon(rounding::add32(a, b, Down));
    "add.rp.f32": (a: f32, b: f32) -> f32 = canon(rounding::add32(a, b, Up));
    "sub.rz.f32": (a: f32, b: f32) -> f32 = canon(rounding::add32(a, -b, Zero));
    "sub.rm.f32": (a: f32, b: f32) -> f32 = canon(rounding::add32(a, -b, Down));
    "sub.rp.f32": (a: f32, b: f32) -> f32 = canon(rounding::add32(a, -b, Up));
    "mul.rz.f32": (a: f32, b: f32) -> f32 = canon(rounding::mul32(a, b, Zero));
    "mul.rm.f32": (a: f32, b: f32) -> f32 = canon(rounding::mul32(a, b, Down));
    "mul.rp.f32": (a: f32, b: f32) -> f32 = canon(rounding::mul32(a, b, Up));
    "fma.rz.f32": (a: f32, b: f32, c: f32) -> f32 = canon(rounding::fma32(a, b, c, Zero));
    "fma.rm.f32": (a: f32, b: f32, c: f32) -> f32 = canon(rounding::fma32(a, b, c, Down));
    "fma.rp.f32": (a: f32, b: f32, c: f32) -> f32 = canon(rounding::fma32(a, b, c, Up));
    "div.rz.f32": (a: f32, b: f32) -> f32 = canon(rounding::div32(a, b, Zero));
    "div.rm.f32": (a: f32, b: f32) -> f32 = canon(rounding::div32(a, b, Down));
    "div.rp.f32": (a: f32, b: f32) -> f32 = canon(rounding::div32(a, b, Up));
    "rcp.rz.f32": (a: f32) -> f32 = canon(rounding::div32(1.0, a, Zero));
    "rcp.rm.f32": (a: f32) -> f32 = canon(rounding::div32(1.0, a, Down));
    "rcp.rp.f32": (a: f32) -> f32 = canon(rounding::div32(1.0, a, Up));
    "sqrt.rz.f32": (a: f32) -> f32 = canon(rounding::sqrt32(a, Zero));
    "sqrt.rm.f32": (a: f32) -> f32 = canon(rounding::sqrt32(a, Down));
    "sqrt.rp.f32": (a: f32) -> f32 = canon(rounding::sqrt32(a, Up));
    "add.rz.f64": (a: f64, b: f64) -> f64 = rounding::add64(a, b, Zero);
    "add.rm.f64": (a: f64, b: f64) -> f64 = rounding::add64(a, b, Down);
    "add.rp.f64": (a: f64, b: f64) -> f64 = rounding::add64(a, b, Up);
    "sub.rz.f64": (a: f64, b: f64) -> f64 = rounding::add64(a, -b, Zero);
    "sub.rm.f64": (a: f64, b: f64) -> f64 = rounding::add64(a, -b, Down);
    "sub.rp.f64": (a: f64, b: f64) -> f64 = rounding::add64(a, -b, Up);
    "mul.rz.f64": (a: f64, b: f64) -> f64 = rounding::fma64(a, b, -0.0, Zero);
    "mul.rm.f64": (a: f64, b: f64) -> f64 = rounding::fma64(a, b, -0.0, Down);
    "mul.rp.f64": (a: f64, b: f64) -> f64 = rounding::fma64(a, b, -0.0, Up);
    "fma.rz.f64": (a: f64, b: f64, c: f64) -> f64 = rounding::fma64(a, b, c, Zero);
    "fma.rm.f64": (a: f64, b: f64, c: f64) -> f64 = rounding::fma64(a, b, c, Down);
    "fma.rp.f64": (a: f64, b: f64, c: f64) -> f64 = rounding::fma64(a, b, c, Up);
    "div.rz.f64": (a: f64, b: f64) -> f64 = rounding::div64(a, b, Zero);
    "div.rm.f64": (a: f64, b: f64) -> f64 = rounding::div64(a, b, Down);
    "div.rp.f64": (a: f64, b: f64) -> f64 = rounding::div64(a, b, Up);
}

/// The one NaN that arithmetic in single precision yields.
pub(crate) const NAN: f32 = f32::from_bits(0x7FFF_FFFF);

/// `a`, or the card's NaN in place of any other.
#[inline(always)]
pub(crate) fn canon(a: f32) -> f32 {
    // In bits: to the compiler one NaN is as good as another.
    let bits = a.to_bits();
    f32::from_bits(if bits & 0x7FFF_FFFF > 0x7F80_0000 {
        NAN.to_bits()
    } else {
        bits
    })
}

/// A subnormal becomes a zero of its sign.
#[inline(always)]
pub(crate) fn flush(a: f32) -> f32 {
    if a.abs() < f32::MIN_POSITIVE {
        f32::from_bits(a.to_bits() & 1 << 31)
    } else {
        a
    }
}

/// What the approximations of double precision see of a value, subnormals being zero.
fn top(a: f64) -> f64 {
    let kept = f64::from_bits(a.to_bits() & !0xFFFF_FFFF);
    if kept.abs() < f64::MIN_POSITIVE {
        f64::from_bits(kept.to_bits() & 1 << 63)
    } else {
        kept
    }
}

/// What they give: 20 bits of mantissa.
fn coarse(a: f64) -> f64 {
    if a.is_nan() || a.is_infinite() {
        return a;
    }
    let rounded = f64::from_bits(a.to_bits().wrapping_add(0x8000_0000) & !0xFFFF_FFFF);
    if rounded.abs() < f64::MIN_POSITIVE {
        f64::from_bits(rounded.to_bits() & 1 << 63)
    } else {
        rounded
    }
}

macro_rules! extremes {
    ($($name:ident, $type:ty, $less:tt, $negative_first:literal, $finish:expr;)*) => {$(
        #[inline(always)]
        fn $name(a: $type, b: $type) -> $type {
            let first = a $less b || (a == b && a.is_sign_negative() == $negative_first);
            let chosen = if first || b.is_nan() { a } else { b };
            $finish(chosen)
        }
    )*};
}
extremes! {
    min32, f32, <, true, canon;
    max32, f32, >, false, canon;
    min64, f64, <, true, std::convert::identity;
    max64, f64, >, false, std::convert::identity;
}
