//! Sine, cosine, tangent and their inverses.

use super::LaneFn;
use super::lane::{lanes, lanes_with_rare, offer};
use super::level::{Isa, Level, polynomial};
use super::polynomials::{ASIN_F64, ATAN_F64, COS_F64, COS_SHORT, SIN_F64, SIN_SHORT};
use crate::dtype::DType;
use crate::fuse::Prim;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// pi/2 in three parts; products of the first two with a quadrant number are exact.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5440_0000),
    f64::from_bits(0x3dd0_b461_1a60_0000),
    f64::from_bits(0x3ba3_198a_2e03_7073),
];
/// What [`FRAC_PI_2`] lacks.
const HALF_PI_LOW: f64 = 6.123_233_995_736_766e-17;
/// See `exponential`: rounds to the nearest integer.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// A float with the functions of this family.
pub(super) trait Trigonometric: Copy + 'static {
    /// True where the angle is too large for three parts of pi, or not a number.
    fn is_far(self) -> bool;
    fn sin<L: Isa>(self) -> Self;
    fn cos<L: Isa>(self) -> Self;
    fn tan<L: Isa>(self) -> Self;
    fn asin<L: Isa>(self) -> Self;
    fn acos<L: Isa>(self) -> Self;
    fn atan<L: Isa>(self) -> Self;
    fn atan2<L: Isa>(self, x: Self) -> Self;
    fn far_sin(self) -> Self;
    fn far_cos(self) -> Self;
    fn far_tan(self) -> Self;
}

/// The quadrant of `x` in the low bits, and the angle within it, in [-pi/4, pi/4].
#[inline(always)]
fn quadrant(x: f64) -> (u64, f64) {
    let shifted = x * FRAC_2_PI + ROUNDER;
    let n = shifted - ROUNDER;
    let first = x - n * HALF_PI[0];
    let second = n * HALF_PI[1];
    let angle = first - second;
    // What the difference lost, whichever operand was larger.
    let back = angle - first;
    let lost = (first - (angle - back)) - (second + back);
    (shifted.to_bits(), angle + (lost - n * HALF_PI[2]))
}

/// As [`quadrant`], for angles below 2^22 and results rounded to `f32`.
#[inline(always)]
fn quadrant_short<L: Isa>(x: f64) -> (u64, f64) {
    const REST: f64 = HALF_PI[1] + HALF_PI[2];
    let shifted = L::mul_add(x, FRAC_2_PI, ROUNDER);
    let n = shifted - ROUNDER;
    (
        shifted.to_bits(),
        L::mul_add(-n, REST, L::mul_add(-n, HALF_PI[0], x)),
    )
}

/// sin and cos of an angle within its quadrant.
#[inline(always)]
fn both<L: Isa, const S: usize, const C: usize>(
    y: f64,
    sin: &[f64; S],
    cos: &[f64; C],
) -> (f64, f64) {
    let z = y * y;
    let sine = L::mul_add(y * z, polynomial::<L, _, _>(z, sin), y);
    let half = 0.5 * z;
    let w = 1.0 - half;
    let cosine = w + L::mul_add(z * z, polynomial::<L, _, _>(z, cos), (1.0 - w) - half);
    (sine, cosine)
}

/// `value` with its sign flipped if bit 1 of `quadrant` is set.
#[inline(always)]
fn flipped(value: f64, quadrant: u64) -> f64 {
    f64::from_bits(value.to_bits() ^ ((quadrant & 2) << 62))
}

#[inline(always)]
fn pick_sin(quadrant: u64, (sine, cosine): (f64, f64)) -> f64 {
    flipped(if quadrant & 1 == 0 { sine } else { cosine }, quadrant)
}

#[inline(always)]
fn pick_cos(quadrant: u64, (sine, cosine): (f64, f64)) -> f64 {
    // Negative in quadrants 1 and 2.
    flipped(
        if quadrant & 1 == 0 { cosine } else { sine },
        quadrant.wrapping_add(1),
    )
}

#[inline(always)]
fn pick_tan(quadrant: u64, (sine, cosine): (f64, f64)) -> f64 {
    let odd = quadrant & 1 != 0;
    let above = if odd { -cosine } else { sine };
    let below = if odd { sine } else { cosine };
    above / below
}

impl Trigonometric for f64 {
    #[inline(always)]
    fn is_far(self) -> bool {
        (self.abs() >= 1e5) | self.is_nan()
    }

    #[inline(always)]
    fn sin<L: Isa>(self) -> f64 {
        let (n, y) = quadrant(self);
        let sine = pick_sin(n, both::<L, _, _>(y, &SIN_F64, &COS_F64));
        if self == 0.0 { self } else { sine }
    }

    #[inline(always)]
    fn cos<L: Isa>(self) -> f64 {
        let (n, y) = quadrant(self);
        pick_cos(n, both::<L, _, _>(y, &SIN_F64, &COS_F64))
    }

    #[inline(always)]
    fn tan<L: Isa>(self) -> f64 {
        let (n, y) = quadrant(self);
        let tangent = pick_tan(n, both::<L, _, _>(y, &SIN_F64, &COS_F64));
        if self == 0.0 { self } else { tangent }
    }

    /// Beyond 1/2: asin x = pi/2 - 2 asin(sqrt((1 - x)/2)).
    #[inline(always)]
    fn asin<L: Isa>(self) -> f64 {
        let (beyond, value) = asin_or_half_complement::<L>(self);
        let turned = FRAC_PI_2 - (2.0 * value - HALF_PI_LOW);
        if beyond { turned.copysign(self) } else { value }
    }

    #[inline(always)]
    fn acos<L: Isa>(self) -> f64 {
        let (beyond, value) = asin_or_half_complement::<L>(self);
        let turned = if self < 0.0 {
            PI - (2.0 * value - 2.0 * HALF_PI_LOW)
        } else {
            2.0 * value
        };
        if beyond {
            turned
        } else {
            FRAC_PI_2 - (value - HALF_PI_LOW)
        }
    }

    /// Three intervals, split at tan(pi/8) and tan(3 pi/8), and one quotient for all.
    #[inline(always)]
    fn atan<L: Isa>(self) -> f64 {
        let x = self.abs();
        let (middle, large) = (x > 0.414_213_562_373_095_03, x > 2.414_213_562_373_095);
        let above = if middle { x - 1.0 } else { x };
        let above = if large { -1.0 } else { above };
        let below = if middle { x + 1.0 } else { 1.0 };
        let below = if large { x } else { below };
        let base = if middle { FRAC_PI_4 } else { 0.0 };
        let base = if large { FRAC_PI_2 } else { base };
        let low = base * (HALF_PI_LOW / FRAC_PI_2);
        let y = above / below;
        let z = y * y;
        let tail = L::mul_add(y * z, polynomial::<L, _, _>(z, &ATAN_F64), low);
        (base + (y + tail)).copysign(self)
    }

    #[inline(always)]
    fn atan2<L: Isa>(self, x: f64) -> f64 {
        let (rise, run) = (self.abs(), x.abs());
        let steep = rise > run;
        let (small, large) = if steep { (run, rise) } else { (rise, run) };
        let ratio = small / large;
        let ratio = if large == 0.0 { 0.0 } else { ratio };
        let ratio = if (small == f64::INFINITY) & (large == f64::INFINITY) {
            1.0
        } else {
            ratio
        };
        let angle = <f64 as Trigonometric>::atan::<L>(ratio);
        let angle = if steep {
            FRAC_PI_2 - (angle - HALF_PI_LOW)
        } else {
            angle
        };
        let angle = if x.is_sign_negative() {
            PI - (angle - 2.0 * HALF_PI_LOW)
        } else {
            angle
        };
        if self.is_nan() | x.is_nan() {
            f64::NAN
        } else {
            angle.copysign(self)
        }
    }

    fn far_sin(self) -> f64 {
        f64::sin(self)
    }
    fn far_cos(self) -> f64 {
        f64::cos(self)
    }
    fn far_tan(self) -> f64 {
        f64::tan(self)
    }
}

/// `(false, asin x)` for |x| <= 1/2, else `(true, asin(sqrt((1 - |x|)/2)))`; NaN beyond 1.
#[inline(always)]
fn asin_or_half_complement<L: Isa>(x: f64) -> (bool, f64) {
    let beyond = (x.abs() > 0.5) | x.is_nan();
    let complement = 0.5 * (1.0 - x.abs());
    let z = if beyond { complement } else { x * x };
    let y = if beyond { complement.sqrt() } else { x };
    (
        beyond,
        L::mul_add(y * z, polynomial::<L, _, _>(z, &ASIN_F64), y),
    )
}

/// Through `f64`, whose error vanishes when the result is rounded.
impl Trigonometric for f32 {
    #[inline(always)]
    fn is_far(self) -> bool {
        (self.abs() >= 4_194_304.0) | self.is_nan()
    }

    #[inline(always)]
    fn sin<L: Isa>(self) -> f32 {
        let (n, y) = quadrant_short::<L>(f64::from(self));
        let sine = pick_sin(n, both::<L, _, _>(y, &SIN_SHORT, &COS_SHORT)) as f32;
        if self == 0.0 { self } else { sine }
    }

    #[inline(always)]
    fn cos<L: Isa>(self) -> f32 {
        let (n, y) = quadrant_short::<L>(f64::from(self));
        pick_cos(n, both::<L, _, _>(y, &SIN_SHORT, &COS_SHORT)) as f32
    }

    #[inline(always)]
    fn tan<L: Isa>(self) -> f32 {
        let (n, y) = quadrant_short::<L>(f64::from(self));
        let tangent = pick_tan(n, both::<L, _, _>(y, &SIN_SHORT, &COS_SHORT)) as f32;
        if self == 0.0 { self } else { tangent }
    }

    #[inline(always)]
    fn asin<L: Isa>(self) -> f32 {
        <f64 as Trigonometric>::asin::<L>(f64::from(self)) as f32
    }

    #[inline(always)]
    fn acos<L: Isa>(self) -> f32 {
        <f64 as Trigonometric>::acos::<L>(f64::from(self)) as f32
    }

    #[inline(always)]
    fn atan<L: Isa>(self) -> f32 {
        <f64 as Trigonometric>::atan::<L>(f64::from(self)) as f32
    }

    #[inline(always)]
    fn atan2<L: Isa>(self, x: f32) -> f32 {
        <f64 as Trigonometric>::atan2::<L>(f64::from(self), f64::from(x)) as f32
    }

    fn far_sin(self) -> f32 {
        f64::from(self).sin() as f32
    }
    fn far_cos(self) -> f32 {
        f64::from(self).cos() as f32
    }
    fn far_tan(self) -> f32 {
        f64::from(self).tan() as f32
    }
}

lanes_with_rare! {
    Sin [T: Trigonometric] |L, a| a.sin::<L>(), rare a.is_far() => a.far_sin();
    Cos [T: Trigonometric] |L, a| a.cos::<L>(), rare a.is_far() => a.far_cos();
    Tan [T: Trigonometric] |L, a| a.tan::<L>(), rare a.is_far() => a.far_tan();
}

lanes! {
    Asin [T: Trigonometric] (a: T) -> T |L| a.asin::<L>();
    Acos [T: Trigonometric] (a: T) -> T |L| a.acos::<L>();
    Atan [T: Trigonometric] (a: T) -> T |L| a.atan::<L>();
}

lanes! {
    Atan2 [T: Trigonometric] (a: T, b: T) -> T |L| a.atan2::<L>(b);
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match prim {
        Prim::Sin => offer!(level, dtype, Sin, floats),
        Prim::Cos => offer!(level, dtype, Cos, floats),
        Prim::Tan => offer!(level, dtype, Tan, floats),
        Prim::Asin => offer!(level, dtype, Asin, floats),
        Prim::Acos => offer!(level, dtype, Acos, floats),
        Prim::Atan => offer!(level, dtype, Atan, floats),
        Prim::Atan2 => offer!(level, dtype, Atan2, floats),
        _ => None,
    }
}
