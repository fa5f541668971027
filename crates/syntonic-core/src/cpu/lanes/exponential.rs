//! Exponentials and logarithms.

use super::LaneFn;
use super::lane::{lanes, offer};
use super::level::{Isa, Level, polynomial};
use super::polynomials::{EXP_F32, EXP_F64, LOG_F32, LOG_F64};
use crate::dtype::DType;
use crate::fuse::Prim;
use std::f64::consts::{LOG2_E, LOG10_2, LOG10_E};

/// ln 2 in two parts; the first has so few bits that its product with an exponent is exact.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
const LN2_HIGH_F32: f32 = 0.693_359_375;
const LN2_LOW_F32: f32 = -2.121_944_4e-4;

/// Adding and subtracting this rounds to the nearest integer, which is then in the low bits of the sum.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
const ROUNDER_F32: f32 = 12_582_912.0;

/// A float with the functions of this family.
pub(super) trait Exponential: Copy + 'static {
    fn exp<L: Isa>(self) -> Self;
    fn expm1<L: Isa>(self) -> Self;
    fn exp2<L: Isa>(self) -> Self;
    fn ln<L: Isa>(self) -> Self;
    fn log1p<L: Isa>(self) -> Self;
    fn log2<L: Isa>(self) -> Self;
    fn log10<L: Isa>(self) -> Self;
    /// ln(e^self + e^other).
    fn log_add_exp<L: Isa>(self, other: Self) -> Self;
}

/// `high` at most, and NaN stays NaN.
#[inline(always)]
fn at_most<T: PartialOrd>(x: T, high: T) -> T {
    if x > high { high } else { x }
}

/// The bounds hold a number within them, and NaN stays NaN.
#[inline(always)]
pub(super) fn within<T: PartialOrd>(x: T, low: T, high: T) -> T {
    let x = if x > high { high } else { x };
    if x < low { low } else { x }
}

/// x 2^n for the `n` in the low bits of `shifted`, a number that [`ROUNDER`] was added to; one rounding.
#[inline(always)]
fn scaled(x: f64, shifted: f64) -> f64 {
    let n = shifted.to_bits().wrapping_sub(ROUNDER.to_bits());
    // Two factors reach from the smallest subnormal to beyond the largest number.
    let half = (n.wrapping_add(4096) >> 1).wrapping_sub(2048);
    let rest = n.wrapping_sub(half);
    x * power_of_two(half) * power_of_two(rest)
}

#[inline(always)]
fn power_of_two(n: u64) -> f64 {
    f64::from_bits(n.wrapping_add(1023) << 52)
}

/// As [`scaled`]. The nine low bits of `n` are moved to the place of the exponent first.
#[inline(always)]
fn scaled_f32(x: f32, shifted: f32) -> f32 {
    const EXPONENT: u32 = 0xff80_0000;
    let n = shifted.to_bits() << 23;
    let half = ((n as i32) >> 1) as u32 & EXPONENT;
    let rest = n.wrapping_sub(half);
    let power = |exponent: u32| f32::from_bits(exponent.wrapping_add(127 << 23));
    x * power(half) * power(rest)
}

#[inline(always)]
fn power_of_two_f32(n: u32) -> f32 {
    f32::from_bits(n.wrapping_add(127) << 23)
}

/// The nearest integer n to x/ln 2, still with [`ROUNDER`] added, and r = x - n ln 2.
#[inline(always)]
fn reduce<L: Isa>(x: f64) -> (f64, f64) {
    let shifted = L::mul_add(x, LOG2_E, ROUNDER);
    let n = shifted - ROUNDER;
    let r = L::mul_add(-n, LN2_LOW, L::mul_add(-n, LN2_HIGH, x));
    (shifted, r)
}

/// As [`reduce`].
#[inline(always)]
fn reduce_f32<L: Isa>(x: f32) -> (f32, f32) {
    let shifted = L::mul_add(x, LOG2_E as f32, ROUNDER_F32);
    let n = shifted - ROUNDER_F32;
    let r = L::mul_add(-n, LN2_LOW_F32, L::mul_add(-n, LN2_HIGH_F32, x));
    (shifted, r)
}

/// e^r for |r| <= ln(2)/2.
#[inline(always)]
fn exp_small<L: Isa>(r: f64) -> f64 {
    1.0 + L::mul_add(r * r, polynomial::<L, _, _>(r, &EXP_F64), r)
}

/// As [`exp_small`].
#[inline(always)]
fn exp_small_f32<L: Isa>(r: f32) -> f32 {
    1.0 + L::mul_add(r * r, polynomial::<L, _, _>(r, &EXP_F32), r)
}

impl Exponential for f64 {
    #[inline(always)]
    fn exp<L: Isa>(self) -> f64 {
        let (shifted, r) = reduce::<L>(at_most(self, 710.0));
        let e = scaled(exp_small::<L>(r), shifted);
        // What rounds to 0 does not go through subnormal numbers, which are slow: minus infinity is what a mask puts in.
        if self < -746.0 { 0.0 } else { e }
    }

    #[inline(always)]
    fn exp2<L: Isa>(self) -> f64 {
        let x = at_most(self, 1025.0);
        let shifted = x + ROUNDER;
        let r = (x - (shifted - ROUNDER)) * std::f64::consts::LN_2;
        let e = scaled(exp_small::<L>(r), shifted);
        if self < -1076.0 { 0.0 } else { e }
    }

    /// With x = n ln 2 + r: 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2)), in which only the last sum rounds.
    #[inline(always)]
    fn expm1<L: Isa>(self) -> f64 {
        let (shifted, r) = reduce::<L>(within(self, -60.0, 710.0));
        let half = power_of_two(
            shifted
                .to_bits()
                .wrapping_sub(ROUNDER.to_bits())
                .wrapping_sub(1),
        );
        let small = L::mul_add(r * r, polynomial::<L, _, _>(r, &EXP_F64), r);
        let result = 2.0 * L::mul_add(half, small, half - 0.5);
        // Below, e^x - 1 is x, which also keeps the sign of 0.
        if self.abs() < 1e-17 { self } else { result }
    }

    /// With x = 2^k (1 + f), 1 + f in [1/sqrt(2), sqrt(2)] and s = f/(2 + f):
    /// ln x = k ln 2 + 2 atanh(s).
    #[inline(always)]
    fn ln<L: Isa>(self) -> f64 {
        let (k, m) = split(self);
        let f = m - 1.0;
        let half_square = 0.5 * f * f;
        let tail = log_tail::<L>(f, half_square);
        let low = L::mul_add(k, LN2_LOW, tail);
        let ln = k * LN2_HIGH - ((half_square - low) - f);
        log_special(self, ln)
    }

    /// ln(1 + x) where u = 1 + x rounds: the lost part over u is added to the logarithm of u.
    #[inline(always)]
    fn log1p<L: Isa>(self) -> f64 {
        let u = 1.0 + self;
        let (k, m) = split(u);
        let f = if k == 0.0 { self } else { m - 1.0 };
        let lost = if self > 1.0 {
            1.0 - (u - self)
        } else {
            self - (u - 1.0)
        };
        let lost = if k == 0.0 { 0.0 } else { lost / u };
        let half_square = 0.5 * f * f;
        let low = L::mul_add(k, LN2_LOW, lost) + log_tail::<L>(f, half_square);
        let ln = log_special(u, k * LN2_HIGH - ((half_square - low) - f));
        if self.abs() < 1e-17 { self } else { ln }
    }

    #[inline(always)]
    fn log2<L: Isa>(self) -> f64 {
        let (k, high, low) = log_parts::<L>(self);
        let whole = L::mul_add(high, LOG2_E_HIGH, k);
        let lost = (k - whole) + high * LOG2_E_HIGH;
        let rest = L::mul_add(low, LOG2_E, high * LOG2_E_LOW);
        log_special(self, whole + (lost + rest))
    }

    #[inline(always)]
    fn log10<L: Isa>(self) -> f64 {
        let (k, high, low) = log_parts::<L>(self);
        let first = k * LOG10_2_HIGH;
        let whole = L::mul_add(high, LOG10_E_HIGH, first);
        let lost = (first - whole) + high * LOG10_E_HIGH;
        let rest = L::mul_add(low, LOG10_E, high * LOG10_E_LOW);
        log_special(self, whole + (lost + L::mul_add(k, LOG10_2_LOW, rest)))
    }

    #[inline(always)]
    fn log_add_exp<L: Isa>(self, other: f64) -> f64 {
        let largest = if self > other { self } else { other };
        let distance = if self == other {
            0.0
        } else {
            (self - other).abs()
        };
        let correction = <f64 as Exponential>::exp::<L>(-distance);
        largest + <f64 as Exponential>::log1p::<L>(correction)
    }
}

/// 1/ln 2 and 1/ln 10 in two parts, the first of 21 bits: its product with 32 bits is exact.
const LOG2_E_HIGH: f64 = f64::from_bits(LOG2_E.to_bits() & 0xffff_ffff_0000_0000);
const LOG2_E_LOW: f64 = 3.768_874_985_636_099e-7;
const LOG10_E_HIGH: f64 = f64::from_bits(LOG10_E.to_bits() & 0xffff_ffff_0000_0000);
const LOG10_E_LOW: f64 = 1.969_927_233_546_362_7e-8;
/// log10 2 in two parts, the first short enough for exact products with an exponent.
const LOG10_2_HIGH: f64 = f64::from_bits(LOG10_2.to_bits() & 0xffff_ffff_0000_0000);
const LOG10_2_LOW: f64 = 7.508_597_826_552_624e-8;

/// ln x = k ln 2 + high + low, where `high` has at most 32 bits.
#[inline(always)]
fn log_parts<L: Isa>(x: f64) -> (f64, f64, f64) {
    let (k, m) = split(x);
    let f = m - 1.0;
    let half_square = 0.5 * f * f;
    let high = f64::from_bits((f - half_square).to_bits() & 0xffff_ffff_0000_0000);
    let low = ((f - high) - half_square) + log_tail::<L>(f, half_square);
    (k, high, low)
}

/// ln(1 + f) - f + f^2/2.
#[inline(always)]
fn log_tail<L: Isa>(f: f64, half_square: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * polynomial::<L, _, _>(z, &LOG_F64);
    s * (half_square + r)
}

/// `x = 2^k m` with m in [1/sqrt(2), sqrt(2)), for positive finite x.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    // The bits of 1 minus those of 1/sqrt(2): carries into the exponent from sqrt(2)/2 on.
    const OFFSET: u64 = 0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd;
    let subnormal = x < f64::MIN_POSITIVE;
    let normal = if subnormal { x * TWO_52 } else { x };
    let bits = normal.to_bits().wrapping_add(OFFSET);
    let bias = if subnormal {
        TWO_52 + 1023.0 + 52.0
    } else {
        TWO_52 + 1023.0
    };
    let k = f64::from_bits((bits >> 52) | TWO_52.to_bits()) - bias;
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + 0x3fe6_a09e_667f_3bcd);
    (k, m)
}

/// As [`split`].
#[inline(always)]
fn split_f32(x: f32) -> (f32, f32) {
    const ROOT_HALF: u32 = 0x3f35_04f3;
    let subnormal = x < f32::MIN_POSITIVE;
    let normal = if subnormal { x * 8_388_608.0 } else { x };
    let bits = normal.to_bits().wrapping_add(0x3f80_0000 - ROOT_HALF);
    let bias = if subnormal { 127 + 23 } else { 127 };
    let k = ((bits >> 23) as i32 - bias) as f32;
    (k, f32::from_bits((bits & 0x007f_ffff) + ROOT_HALF))
}

/// The logarithm of 0, of infinity, and of what has none.
#[inline(always)]
fn log_special(x: f64, ln: f64) -> f64 {
    let ln = if x == 0.0 { f64::NEG_INFINITY } else { ln };
    let ln = if x == f64::INFINITY { x } else { ln };
    if x >= 0.0 { ln } else { f64::NAN }
}

impl Exponential for f32 {
    #[inline(always)]
    fn exp<L: Isa>(self) -> f32 {
        let (shifted, r) = reduce_f32::<L>(at_most(self, 89.0));
        let e = scaled_f32(exp_small_f32::<L>(r), shifted);
        if self < -104.0 { 0.0 } else { e }
    }

    #[inline(always)]
    fn exp2<L: Isa>(self) -> f32 {
        let x = at_most(self, 129.0);
        let shifted = x + ROUNDER_F32;
        let r = (x - (shifted - ROUNDER_F32)) * std::f32::consts::LN_2;
        let e = scaled_f32(exp_small_f32::<L>(r), shifted);
        if self < -151.0 { 0.0 } else { e }
    }

    #[inline(always)]
    fn ln<L: Isa>(self) -> f32 {
        let (k, m) = split_f32(self);
        let f = m - 1.0;
        let square = f * f;
        let cube = square * f * polynomial::<L, _, _>(f, &LOG_F32);
        let low = L::mul_add(k, LN2_LOW_F32, cube);
        let ln = L::mul_add(k, LN2_HIGH_F32, f + L::mul_add(-0.5, square, low));
        let ln = if self == 0.0 { f32::NEG_INFINITY } else { ln };
        let ln = if self == f32::INFINITY { self } else { ln };
        if self >= 0.0 { ln } else { f32::NAN }
    }

    #[inline(always)]
    fn expm1<L: Isa>(self) -> f32 {
        let (shifted, r) = reduce_f32::<L>(within(self, -30.0, 89.0));
        let n = shifted.to_bits().wrapping_sub(ROUNDER_F32.to_bits());
        let half = power_of_two_f32(n.wrapping_sub(1));
        let small = L::mul_add(r * r, polynomial::<L, _, _>(r, &EXP_F32), r);
        let result = 2.0 * L::mul_add(half, small, half - 0.5);
        if self.abs() < 1e-9 { self } else { result }
    }

    #[inline(always)]
    fn log1p<L: Isa>(self) -> f32 {
        let ln = <f64 as Exponential>::log1p::<L>(f64::from(self)) as f32;
        if self == 0.0 { self } else { ln }
    }

    #[inline(always)]
    fn log2<L: Isa>(self) -> f32 {
        (<f64 as Exponential>::ln::<L>(f64::from(self)) * LOG2_E) as f32
    }

    #[inline(always)]
    fn log10<L: Isa>(self) -> f32 {
        (<f64 as Exponential>::ln::<L>(f64::from(self)) * LOG10_E) as f32
    }

    #[inline(always)]
    fn log_add_exp<L: Isa>(self, other: f32) -> f32 {
        <f64 as Exponential>::log_add_exp::<L>(f64::from(self), f64::from(other)) as f32
    }
}

lanes! {
    Exp [T: Exponential] (a: T) -> T |L| a.exp::<L>();
    Expm1 [T: Exponential] (a: T) -> T |L| a.expm1::<L>();
    Log1p [T: Exponential] (a: T) -> T |L| a.log1p::<L>();
    Log2 [T: Exponential] (a: T) -> T |L| a.log2::<L>();
    Log10 [T: Exponential] (a: T) -> T |L| a.log10::<L>();
    Exp2 [T: Exponential] (a: T) -> T |L| a.exp2::<L>();
    Log [T: Exponential] (a: T) -> T |L| a.ln::<L>();
}

lanes! {
    LogAddExp [T: Exponential] (a: T, b: T) -> T |L| a.log_add_exp::<L>(b);
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match prim {
        Prim::Exp => offer!(level, dtype, Exp, floats),
        Prim::Exp2 => offer!(level, dtype, Exp2, floats),
        Prim::Expm1 => offer!(level, dtype, Expm1, floats),
        Prim::Log => offer!(level, dtype, Log, floats),
        Prim::Log1p => offer!(level, dtype, Log1p, floats),
        Prim::Log2 => offer!(level, dtype, Log2, floats),
        Prim::Log10 => offer!(level, dtype, Log10, floats),
        Prim::LogAddExp => offer!(level, dtype, LogAddExp, floats),
        _ => None,
    }
}
