//! The arithmetic every number type has, under one name for integers, floats and complex numbers.

use super::annex_g;
use num_complex::Complex;

/// A type with a sum and a product; for `bool` these are "or" and "and".
pub(super) trait Ring: Copy + PartialEq + 'static {
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

/// A number.
pub(super) trait Number: Ring {
    /// The type of the real part.
    type Real: Copy + 'static;
    fn minus(self, other: Self) -> Self;
    fn negated(self) -> Self;
    fn magnitude(self) -> Self::Real;
    fn sign(self) -> Self;
    fn rounded(self) -> Self;
    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
    fn is_finite(self) -> bool;
    fn re(self) -> Self::Real;
    fn im(self) -> Self::Real;
    fn conjugate(self) -> Self;
}

/// An ordered number: an integer or a real float.
pub(super) trait Real: Number + PartialOrd + Default {
    /// True for integers.
    const INTEGER: bool;
    fn floored(self) -> Self;
    fn ceiled(self) -> Self;
    fn truncated(self) -> Self;

    /// The smaller; NaN if either is.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other || self.is_nan() {
            self
        } else {
            other
        }
    }

    /// The larger; NaN if either is.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other || self.is_nan() {
            self
        } else {
            other
        }
    }
}

impl Ring for bool {
    #[inline(always)]
    fn plus(self, other: bool) -> bool {
        self | other
    }
    #[inline(always)]
    fn times(self, other: bool) -> bool {
        self & other
    }
}

macro_rules! integers {
    ($($t:ty, $abs:expr, $sign:expr);* $(;)?) => {$(
        impl Ring for $t {
            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn times(self, other: $t) -> $t {
                self.wrapping_mul(other)
            }
        }
        impl Number for $t {
            type Real = $t;
            #[inline(always)]
            fn minus(self, other: $t) -> $t {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn negated(self) -> $t {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn magnitude(self) -> $t {
                $abs(self)
            }
            #[inline(always)]
            fn sign(self) -> $t {
                $sign(self)
            }
            #[inline(always)]
            fn rounded(self) -> $t {
                self
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                false
            }
            #[inline(always)]
            fn is_infinite(self) -> bool {
                false
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                true
            }
            #[inline(always)]
            fn re(self) -> $t {
                self
            }
            #[inline(always)]
            fn im(self) -> $t {
                0
            }
            #[inline(always)]
            fn conjugate(self) -> $t {
                self
            }
        }
        impl Real for $t {
            const INTEGER: bool = true;
            #[inline(always)]
            fn floored(self) -> $t {
                self
            }
            #[inline(always)]
            fn ceiled(self) -> $t {
                self
            }
            #[inline(always)]
            fn truncated(self) -> $t {
                self
            }
        }
    )*};
}
integers!(
    i8, i8::wrapping_abs, i8::signum; i16, i16::wrapping_abs, i16::signum;
    i32, i32::wrapping_abs, i32::signum; i64, i64::wrapping_abs, i64::signum;
    u8, |x| x, |x: u8| x.min(1); u16, |x| x, |x: u16| x.min(1);
    u32, |x| x, |x: u32| x.min(1); u64, |x| x, |x: u64| x.min(1);
);

macro_rules! floats {
    ($($t:ty),*) => {$(
        impl Ring for $t {
            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                self + other
            }
            #[inline(always)]
            fn times(self, other: $t) -> $t {
                self * other
            }
        }
        impl Number for $t {
            type Real = $t;
            #[inline(always)]
            fn minus(self, other: $t) -> $t {
                self - other
            }
            #[inline(always)]
            fn negated(self) -> $t {
                -self
            }
            #[inline(always)]
            fn magnitude(self) -> $t {
                self.abs()
            }
            #[inline(always)]
            fn sign(self) -> $t {
                let unit = if self < 0.0 { -1.0 } else { 1.0 };
                let unit = if self == 0.0 { 0.0 } else { unit };
                if self.is_nan() { self } else { unit }
            }
            #[inline(always)]
            fn rounded(self) -> $t {
                self.round_ties_even()
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self != self
            }
            #[inline(always)]
            fn is_infinite(self) -> bool {
                self.abs() == <$t>::INFINITY
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                self.abs() < <$t>::INFINITY
            }
            #[inline(always)]
            fn re(self) -> $t {
                self
            }
            #[inline(always)]
            fn im(self) -> $t {
                0.0
            }
            #[inline(always)]
            fn conjugate(self) -> $t {
                self
            }
        }
        impl Real for $t {
            const INTEGER: bool = false;
            #[inline(always)]
            fn floored(self) -> $t {
                self.floor()
            }
            #[inline(always)]
            fn ceiled(self) -> $t {
                self.ceil()
            }
            #[inline(always)]
            fn truncated(self) -> $t {
                self.trunc()
            }
        }
        impl Ring for Complex<$t> {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                Complex::new(self.re + other.re, self.im + other.im)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                Complex::new(
                    self.re * other.re - self.im * other.im,
                    self.re * other.im + self.im * other.re,
                )
            }
        }
    )*};
}
floats!(f32, f64);

macro_rules! complexes {
    ($($t:ty, $abs:expr);* $(;)?) => {$(
        impl Number for Complex<$t> {
            type Real = $t;
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                Complex::new(self.re - other.re, self.im - other.im)
            }
            #[inline(always)]
            fn negated(self) -> Self {
                Complex::new(-self.re, -self.im)
            }
            #[inline(always)]
            fn magnitude(self) -> $t {
                $abs(self.re, self.im)
            }
            #[inline(always)]
            fn sign(self) -> Self {
                let unit = annex_g::sign(Complex::new(f64::from(self.re), f64::from(self.im)));
                Complex::new(unit.re as $t, unit.im as $t)
            }
            #[inline(always)]
            fn rounded(self) -> Self {
                Complex::new(self.re.round_ties_even(), self.im.round_ties_even())
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.re.is_nan() | self.im.is_nan()
            }
            #[inline(always)]
            fn is_infinite(self) -> bool {
                (self.re.abs() == <$t>::INFINITY) | (self.im.abs() == <$t>::INFINITY)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                (self.re.abs() < <$t>::INFINITY) & (self.im.abs() < <$t>::INFINITY)
            }
            #[inline(always)]
            fn re(self) -> $t {
                self.re
            }
            #[inline(always)]
            fn im(self) -> $t {
                self.im
            }
            #[inline(always)]
            fn conjugate(self) -> Self {
                Complex::new(self.re, -self.im)
            }
        }
    )*};
}
complexes!(f32, hypot_f32; f64, hypot_f64);

/// sqrt(x^2 + y^2) with no overflow on the way: every square of an `f32` is an `f64`. An infinity wins
/// over NaN, as C99 says of `hypot`.
#[inline(always)]
pub(super) fn hypot_f32(x: f32, y: f32) -> f32 {
    let (wide_x, wide_y) = (f64::from(x), f64::from(y));
    let length = (wide_x * wide_x + wide_y * wide_y).sqrt() as f32;
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { length }
}

/// As [`hypot_f32`], of numbers whose squares may leave the range.
#[inline(always)]
pub(super) fn hypot_f64(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let largest = if x > y { x } else { y };
    let (down, up) = (
        f64::from_bits((1023 - 600) << 52),
        f64::from_bits((1023 + 600) << 52),
    );
    // A power of two keeps both squares within range; what is then lost is below rounding.
    let scale = if largest > 1e150 { down } else { 1.0 };
    let scale = if largest < 1e-150 { up } else { scale };
    let unscale = if largest > 1e150 { up } else { 1.0 };
    let unscale = if largest < 1e-150 { down } else { unscale };
    let (u, v) = (x * scale, y * scale);
    let length = (u * u + v * v).sqrt() * unscale;
    let infinite = (x == f64::INFINITY) | (y == f64::INFINITY);
    if infinite { f64::INFINITY } else { length }
}
