//! The types that candidates are made in, and the terms of functions in them: the same bits on every device. Multiply-adds are fused where
//! they are written so.

use super::function::Form;
use std::ops::{Add, Mul, Neg, Sub};
use syntonic_core::random::{fill_normal_f32, fill_normal_f64};

/// A type that candidates are made in.
pub(super) trait Real:
    syntonic_core::Element
    + Copy
    + Default
    + Send
    + Sync
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// Normal numbers of a Philox block.
    const HELD: usize;
    const ONE: Self;
    const TWENTY: Self;
    const HUNDRED: Self;

    fn narrow(x: f64) -> Self;
    fn wide(self) -> f64;
    /// `self · by + plus`, rounded once.
    fn fused(self, by: Self, plus: Self) -> Self;
    fn nearest_integer(self) -> Self;
    /// `sin²(πr) / r²` in `z = r²` for `|r| <= 1/2`.
    fn squared_sine(z: Self) -> Self;
    /// Normal numbers of a seed, from block `block` on.
    fn fill(out: &mut [Self], seed: u64, block: u64);
}

impl Real for f32 {
    const HELD: usize = 4;
    const ONE: f32 = 1.0;
    const TWENTY: f32 = 20.0;
    const HUNDRED: f32 = 100.0;

    fn narrow(x: f64) -> f32 {
        x as f32
    }

    fn wide(self) -> f64 {
        self.into()
    }

    #[inline(always)]
    fn fused(self, by: f32, plus: f32) -> f32 {
        self.mul_add(by, plus)
    }

    #[inline(always)]
    fn nearest_integer(self) -> f32 {
        const ROUNDER: f32 = 12_582_912.0;
        (self + ROUNDER) - ROUNDER
    }

    /// Off by 2⁻²⁶ before rounding.
    #[inline(always)]
    fn squared_sine(z: f32) -> f32 {
        const P: [f32; 6] = [
            -3.336_211_9,
            13.037_113,
            -30.098_553,
            42.726_93,
            -32.469_66,
            9.869_604,
        ];
        P[1..].iter().fold(P[0], |sum, c| sum.mul_add(z, *c))
    }

    fn fill(out: &mut [f32], seed: u64, block: u64) {
        fill_normal_f32(out, seed, block.wrapping_mul(4));
    }
}

impl Real for f64 {
    const HELD: usize = 2;
    const ONE: f64 = 1.0;
    const TWENTY: f64 = 20.0;
    const HUNDRED: f64 = 100.0;

    fn narrow(x: f64) -> f64 {
        x
    }

    fn wide(self) -> f64 {
        self
    }

    #[inline(always)]
    fn fused(self, by: f64, plus: f64) -> f64 {
        self.mul_add(by, plus)
    }

    #[inline(always)]
    fn nearest_integer(self) -> f64 {
        const ROUNDER: f64 = 6_755_399_441_055_744.0;
        (self + ROUNDER) - ROUNDER
    }

    /// Off by 2⁻⁶² before rounding.
    #[inline(always)]
    fn squared_sine(z: f64) -> f64 {
        const P: [f64; 11] = [
            0.000_146_053_519_409_563_07,
            -0.001_880_694_547_300_323_1,
            0.018_188_275_000_499_833,
            -0.141_002_313_993_387_7,
            0.857_195_263_352_433,
            -3.951_768_177_475_375_2,
            13.213_128_391_231_85,
            -30.122_320_685_923_455,
            42.728_408_603_346_615,
            -32.469_697_011_334_14,
            9.869_604_401_089_358,
        ];
        P[1..].iter().fold(P[0], |sum, c| sum.mul_add(z, *c))
    }

    fn fill(out: &mut [f64], seed: u64, block: u64) {
        fill_normal_f64(out, seed, block.wrapping_mul(2));
    }
}

/// `sin²(πx)`. The difference to the nearest integer is exact below 2²² and 2⁵¹; beyond, `x` has hardly a fraction.
#[inline(always)]
fn squared_sine_of_half_turns<T: Real>(x: T) -> T {
    let r = x - x.nearest_integer();
    let z = r * r;
    z * T::squared_sine(z)
}

/// The terms of a coordinate, two at most; `next` is the one after it, and `weight` its own where the function has some.
#[inline(always)]
pub(super) fn term<T: Real>(form: Form, x: T, next: Option<T>, weight: T) -> (T, T) {
    let none = T::default();
    match form {
        Form::Sphere => (x * x, none),
        Form::Weighted => (x * x * weight, none),
        Form::Rastrigin => (x.fused(x, T::TWENTY * squared_sine_of_half_turns(x)), none),
        Form::Ackley => (x * x, squared_sine_of_half_turns(x)),
        Form::Rosenbrock => match next {
            Some(next) => {
                let (bend, way) = ((-x).fused(x, next), T::ONE - x);
                ((T::HUNDRED * bend).fused(bend, way * way), none)
            }
            None => (none, none),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squared_sines_are_accurate_and_exact_at_whole_numbers() {
        for k in -4000..=4000 {
            let x = f64::from(k) / 511.0;
            let truth = (std::f64::consts::PI * (x - x.round())).sin().powi(2);
            // Terms of at most 10, each rounded, over a value that is at least 4 z; and the truth's own rounding.
            let bound = 12.0 * f64::EPSILON * truth;
            assert!(
                (squared_sine_of_half_turns(x) - truth).abs() <= bound,
                "{x}"
            );
            let narrow = x as f32;
            let truth = (std::f64::consts::PI * f64::from(narrow - narrow.round()))
                .sin()
                .powi(2);
            let found = f64::from(squared_sine_of_half_turns(narrow));
            assert!(
                (found - truth).abs() <= 12.0 * f64::from(f32::EPSILON) * truth,
                "{x}"
            );
        }
        for k in [-8.0f64, -1.0, 0.0, 3.0, 1e300] {
            assert_eq!(squared_sine_of_half_turns(k), 0.0);
            assert_eq!(squared_sine_of_half_turns(k.min(1e30) as f32), 0.0);
        }
        assert!(squared_sine_of_half_turns(f64::NAN).is_nan());
        assert!(squared_sine_of_half_turns(f32::INFINITY).is_nan());
    }
}
