//! Hyperbolic functions and their inverses, all from `expm1` and `log1p`, which are exact near 0.

use super::LaneFn;
use super::exponential::Exponential;
use super::lane::{lanes, lanes_with_rare, offer};
use super::level::{Isa, Level};
use crate::dtype::DType;
use crate::fuse::Prim;
use std::f64::consts::LN_2;

/// A float with the functions of this family.
pub(super) trait Hyperbolic: Copy + 'static {
    /// True where e^|x| overflows before sinh and cosh do.
    fn is_huge(self) -> bool;
    fn sinh<L: Isa>(self) -> Self;
    fn cosh<L: Isa>(self) -> Self;
    fn tanh<L: Isa>(self) -> Self;
    fn asinh<L: Isa>(self) -> Self;
    fn acosh<L: Isa>(self) -> Self;
    fn atanh<L: Isa>(self) -> Self;
    fn huge_sinh(self) -> Self;
    fn huge_cosh(self) -> Self;
}

impl Hyperbolic for f64 {
    #[inline(always)]
    fn is_huge(self) -> bool {
        self.abs() > 709.0
    }

    /// With E = e^|x| - 1: (E + E/(E + 1))/2.
    #[inline(always)]
    fn sinh<L: Isa>(self) -> f64 {
        let e = <f64 as Exponential>::expm1::<L>(self.abs());
        (0.5 * (e + e / (e + 1.0))).copysign(self)
    }

    #[inline(always)]
    fn cosh<L: Isa>(self) -> f64 {
        let e = <f64 as Exponential>::exp::<L>(self.abs());
        0.5 * e + 0.5 / e
    }

    /// With t = e^(-2|x|) - 1: -t/(t + 2).
    #[inline(always)]
    fn tanh<L: Isa>(self) -> f64 {
        let t = <f64 as Exponential>::expm1::<L>(-2.0 * self.abs());
        (-t / (t + 2.0)).copysign(self)
    }

    /// ln(1 + a + a^2/(1 + sqrt(1 + a^2))) for a = |x|, and ln a + ln 2 before a^2 overflows.
    #[inline(always)]
    fn asinh<L: Isa>(self) -> f64 {
        let a = self.abs();
        let large = a > 1e20;
        let square = a * a;
        let near = a + square / (1.0 + (1.0 + square).sqrt());
        let ln = <f64 as Exponential>::log1p::<L>(if large { a } else { near });
        (if large { ln + LN_2 } else { ln }).copysign(self)
    }

    /// With t = x - 1: ln(1 + t + sqrt(2t + t^2)).
    #[inline(always)]
    fn acosh<L: Isa>(self) -> f64 {
        let large = self > 1e20;
        let t = self - 1.0;
        let near = t + (t * (t + 2.0)).sqrt();
        let ln = <f64 as Exponential>::log1p::<L>(if large { self } else { near });
        let ln = if large { ln + LN_2 } else { ln };
        if self >= 1.0 { ln } else { f64::NAN }
    }

    /// ln(1 + 2a/(1 - a))/2 for a = |x|.
    #[inline(always)]
    fn atanh<L: Isa>(self) -> f64 {
        let a = self.abs();
        let ln = <f64 as Exponential>::log1p::<L>(2.0 * a / (1.0 - a));
        (0.5 * ln).copysign(self)
    }

    fn huge_sinh(self) -> f64 {
        let half = f64::exp(0.5 * self.abs());
        (0.5 * half * half).copysign(self)
    }

    fn huge_cosh(self) -> f64 {
        let half = f64::exp(0.5 * self.abs());
        0.5 * half * half
    }
}

/// Through `f64`, except for tanh.
impl Hyperbolic for f32 {
    /// The `f64` functions reach every `f32`.
    #[inline(always)]
    fn is_huge(self) -> bool {
        self.abs() > 200.0
    }

    #[inline(always)]
    fn sinh<L: Isa>(self) -> f32 {
        <f64 as Hyperbolic>::sinh::<L>(f64::from(self)) as f32
    }

    #[inline(always)]
    fn cosh<L: Isa>(self) -> f32 {
        <f64 as Hyperbolic>::cosh::<L>(f64::from(self)) as f32
    }

    #[inline(always)]
    fn tanh<L: Isa>(self) -> f32 {
        let t = <f32 as Exponential>::expm1::<L>(-2.0 * self.abs());
        (-t / (t + 2.0)).copysign(self)
    }

    #[inline(always)]
    fn asinh<L: Isa>(self) -> f32 {
        <f64 as Hyperbolic>::asinh::<L>(f64::from(self)) as f32
    }

    #[inline(always)]
    fn acosh<L: Isa>(self) -> f32 {
        <f64 as Hyperbolic>::acosh::<L>(f64::from(self)) as f32
    }

    #[inline(always)]
    fn atanh<L: Isa>(self) -> f32 {
        <f64 as Hyperbolic>::atanh::<L>(f64::from(self)) as f32
    }

    fn huge_sinh(self) -> f32 {
        f32::INFINITY.copysign(self)
    }

    fn huge_cosh(self) -> f32 {
        f32::INFINITY
    }
}

lanes_with_rare! {
    Sinh [T: Hyperbolic] |L, a| a.sinh::<L>(), rare a.is_huge() => a.huge_sinh();
    Cosh [T: Hyperbolic] |L, a| a.cosh::<L>(), rare a.is_huge() => a.huge_cosh();
}

lanes! {
    Tanh [T: Hyperbolic] (a: T) -> T |L| a.tanh::<L>();
    Asinh [T: Hyperbolic] (a: T) -> T |L| a.asinh::<L>();
    Acosh [T: Hyperbolic] (a: T) -> T |L| a.acosh::<L>();
    Atanh [T: Hyperbolic] (a: T) -> T |L| a.atanh::<L>();
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match prim {
        Prim::Sinh => offer!(level, dtype, Sinh, floats),
        Prim::Cosh => offer!(level, dtype, Cosh, floats),
        Prim::Tanh => offer!(level, dtype, Tanh, floats),
        Prim::Asinh => offer!(level, dtype, Asinh, floats),
        Prim::Acosh => offer!(level, dtype, Acosh, floats),
        Prim::Atanh => offer!(level, dtype, Atanh, floats),
        _ => None,
    }
}
