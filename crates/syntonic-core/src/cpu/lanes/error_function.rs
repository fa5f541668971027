//! The error function and its complement.

use super::LaneFn;
use super::exponential::{Exponential, within};
use super::lane::{lanes, offer};
use super::level::{Isa, Level, polynomial};
use super::polynomials::{ERF_F32, ERF_F64, ERF_TAIL_F32, ERFCX_F64};
use crate::dtype::DType;
use crate::fuse::Prim;
use std::f64::consts::FRAC_2_SQRT_PI;

/// A float with the functions of this family.
pub(super) trait ErrorFunction: Copy + 'static {
    fn erf<L: Isa>(self) -> Self;
    fn erfc<L: Isa>(self) -> Self;
}

/// erf x for |x| <= 1.
#[inline(always)]
fn near<L: Isa>(x: f64) -> f64 {
    let z = x * x;
    let rest = z * polynomial::<L, _, _>(z, &ERF_F64);
    let erf = L::mul_add(x, FRAC_2_SQRT_PI, x * rest);
    // The sum of two zeros would lose the sign.
    if x == 0.0 { x } else { erf }
}

/// erfc a for a >= 0.45: e^(-a^2)/(1 + 2a) times a polynomial in (a - 2)/(a + 2).
#[inline(always)]
fn far<L: Isa>(a: f64) -> f64 {
    let a = within(a, 0.45, 28.0);
    let p = polynomial::<L, _, _>((a - 2.0) / (a + 2.0), &ERFCX_F64);
    let square = a * a;
    // The exponential would magnify the rounding of the square, so that it is taken along.
    let lost = square_error::<L>(a, square);
    let e = <f64 as Exponential>::exp::<L>(-square);
    let e = L::mul_add(-e, lost, e);
    e * p / (1.0 + 2.0 * a)
}

/// a^2 - fl(a^2), exactly.
#[inline(always)]
fn square_error<L: Isa>(a: f64, square: f64) -> f64 {
    if L::FMA {
        return L::mul_add(a, a, -square);
    }
    let high = f64::from_bits(a.to_bits() & 0xffff_ffff_f800_0000);
    let low = a - high;
    ((high * high - square) + 2.0 * high * low) + low * low
}

impl ErrorFunction for f64 {
    #[inline(always)]
    fn erf<L: Isa>(self) -> f64 {
        let a = self.abs();
        let tail = (1.0 - far::<L>(a)).copysign(self);
        if a > 1.0 { tail } else { near::<L>(self) }
    }

    #[inline(always)]
    fn erfc<L: Isa>(self) -> f64 {
        let a = self.abs();
        let tail = far::<L>(a);
        let tail = if self < 0.0 { 2.0 - tail } else { tail };
        if a > 0.5 { tail } else { 1.0 - near::<L>(self) }
    }
}

impl ErrorFunction for f32 {
    #[inline(always)]
    fn erf<L: Isa>(self) -> f32 {
        let z = self * self;
        let near = L::mul_add(
            self,
            FRAC_2_SQRT_PI as f32,
            self * (z * polynomial::<L, _, _>(z, &ERF_F32)),
        );
        let u = within(self.abs(), 1.0, 4.0) - 2.5;
        let decay = <f32 as Exponential>::exp::<L>(-polynomial::<L, _, _>(u, &ERF_TAIL_F32));
        let tail = (1.0 - decay).copysign(self);
        let near = if self == 0.0 { self } else { near };
        if self.abs() > 1.0 { tail } else { near }
    }

    #[inline(always)]
    fn erfc<L: Isa>(self) -> f32 {
        <f64 as ErrorFunction>::erfc::<L>(f64::from(self)) as f32
    }
}

lanes! {
    Erf [T: ErrorFunction] (a: T) -> T |L| a.erf::<L>();
    Erfc [T: ErrorFunction] (a: T) -> T |L| a.erfc::<L>();
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match prim {
        Prim::Erf => offer!(level, dtype, Erf, floats),
        Prim::Erfc => offer!(level, dtype, Erfc, floats),
        _ => None,
    }
}
