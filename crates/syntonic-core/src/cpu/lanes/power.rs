//! Powers, lengths and neighbours of floats.

use super::LaneFn;
use super::exponential::Exponential;
use super::lane::{lanes, lanes_with_rare, offer};
use super::level::{Isa, Level};
use super::number::{hypot_f32, hypot_f64};
use crate::dtype::DType;
use crate::fuse::Prim;

/// A float with the functions of this family.
pub(super) trait Power: Copy + 'static {
    /// True for the operands C99 lists one by one: zeros, infinities and NaN.
    fn is_special(self, exponent: Self) -> bool;
    fn power<L: Isa>(self, exponent: Self) -> Self;
    fn special_power(self, exponent: Self) -> Self;
    fn length(self, other: Self) -> Self;
    fn next_towards(self, target: Self) -> Self;
}

macro_rules! next_towards {
    ($t:ty) => {
        #[inline(always)]
        fn next_towards(self, target: $t) -> $t {
            let away = (target > self) == (self > 0.0);
            let bits = self.to_bits();
            let step = <$t>::from_bits(if away {
                bits.wrapping_add(1)
            } else {
                bits.wrapping_sub(1)
            });
            let from_zero = <$t>::from_bits(1).copysign(target);
            let next = if self == 0.0 { from_zero } else { step };
            let next = if self == target { target } else { next };
            if self.is_nan() | target.is_nan() {
                <$t>::NAN
            } else {
                next
            }
        }
    };
}

impl Power for f32 {
    #[inline(always)]
    fn is_special(self, exponent: f32) -> bool {
        !((self.abs() > 0.0) & (self.abs() < f32::INFINITY) & (exponent.abs() < f32::INFINITY))
    }

    /// e^(b ln a) in `f64`, whose error vanishes when the result is rounded.
    #[inline(always)]
    fn power<L: Isa>(self, exponent: f32) -> f32 {
        let (a, b) = (f64::from(self), f64::from(exponent));
        let ln = <f64 as Exponential>::ln::<L>(a.abs());
        let size = <f64 as Exponential>::exp::<L>(b * ln);
        let whole = exponent.trunc() == exponent;
        let half = exponent * 0.5;
        let odd = whole & (half.trunc() != half);
        let value = if odd { size.copysign(a) } else { size } as f32;
        if (self < 0.0) & !whole {
            f32::NAN
        } else {
            value
        }
    }

    fn special_power(self, exponent: f32) -> f32 {
        self.powf(exponent)
    }

    #[inline(always)]
    fn length(self, other: f32) -> f32 {
        hypot_f32(self, other)
    }

    next_towards!(f32);
}

impl Power for f64 {
    #[inline(always)]
    fn is_special(self, _exponent: f64) -> bool {
        false
    }

    #[inline(always)]
    fn power<L: Isa>(self, exponent: f64) -> f64 {
        self.powf(exponent)
    }

    fn special_power(self, exponent: f64) -> f64 {
        self.powf(exponent)
    }

    #[inline(always)]
    fn length(self, other: f64) -> f64 {
        hypot_f64(self, other)
    }

    next_towards!(f64);
}

lanes_with_rare! {
    Pow [T: Power] |L, a, b| a.power::<L>(b), rare a.is_special(b) => a.special_power(b);
}

lanes! {
    Hypot [T: Power] (a: T, b: T) -> T |L| a.length(b);
    NextAfter [T: Power] (a: T, b: T) -> T |L| a.next_towards(b);
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match (prim, dtype) {
        // A call per lane: nothing for vectors.
        (Prim::Pow, DType::F64) => offer!(level, dtype, Pow, floats_scalar),
        (Prim::Pow, _) => offer!(level, dtype, Pow, floats),
        (Prim::Hypot, _) => offer!(level, dtype, Hypot, floats),
        (Prim::NextAfter, _) => offer!(level, dtype, NextAfter, floats),
        _ => None,
    }
}
