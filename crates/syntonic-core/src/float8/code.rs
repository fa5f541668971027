//! The two types as elements: what a code means, and which code a number gets.

use crate::dtype::DType;
use crate::scalar::{Element, Scalar};

/// An element of `float8_e4m3fn`, by its code. Equality is that of codes.
///
/// ```
/// use syntonic_core::{Element, F8E4M3, Scalar};
/// assert_eq!(F8E4M3(0x7e).to_scalar(), Scalar::Float(448.0));
/// assert_eq!(F8E4M3::from_scalar(Scalar::Float(-0.3)), F8E4M3(0xaa)); // -0.3125
/// assert_eq!(F8E4M3::from_scalar(Scalar::Float(1e3)), F8E4M3(0x7f)); // NaN
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct F8E4M3(pub u8);

/// An element of `float8_e5m2`, by its code: the upper byte of a `float16`. Equality is that of codes.
///
/// ```
/// use syntonic_core::{Element, F8E5M2, Scalar};
/// assert_eq!(F8E5M2(0x7b).to_scalar(), Scalar::Float(57344.0));
/// assert_eq!(F8E5M2::from_scalar(Scalar::Float(1e6)), F8E5M2(0x7c)); // infinity
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct F8E5M2(pub u8);

/// The code of every NaN that a cast gives.
pub(super) const NAN: u8 = 0x7f;
const SIGN: u8 = 0x80;

/// What distinguishes one type from the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// Bits of the mantissa.
    pub(super) mantissa: u32,
    /// Exponent of the smallest normal number, and of the subnormal ones.
    pub(super) least: i32,
    /// The first code, without its sign, that is no finite number.
    pub(super) beyond: u8,
    /// That code's value: where a rounded number is beyond the largest.
    pub(super) overflow: f64,
}

pub(super) const E4M3: Format = Format {
    mantissa: 3,
    least: -6,
    beyond: 0x7f,
    overflow: f64::NAN,
};

pub(super) const E5M2: Format = Format {
    mantissa: 2,
    least: -14,
    beyond: 0x7c,
    overflow: f64::INFINITY,
};

impl Format {
    /// The value of a code.
    fn value(self, code: u8) -> f64 {
        let magnitude = code & !SIGN;
        let value = match magnitude.cmp(&self.beyond) {
            std::cmp::Ordering::Less => {
                let parts = 1 << self.mantissa;
                let (exponent, fraction) = (magnitude / parts, magnitude % parts);
                // A subnormal number has the exponent of the smallest normal one, and no leading one.
                let whole = if exponent == 0 { 0 } else { parts };
                let power = self.least + i32::from(exponent.max(1)) - 1 - self.mantissa as i32;
                f64::from(whole + fraction) * f64::from(power).exp2()
            }
            std::cmp::Ordering::Equal => self.overflow,
            std::cmp::Ordering::Greater => f64::NAN,
        };
        if value.is_nan() || code & SIGN == 0 {
            value
        } else {
            -value
        }
    }

    /// The code nearest to `x`, of two as near the even one. What rounds beyond the largest number gets the code after it.
    fn code(self, x: f64) -> u8 {
        if x.is_nan() {
            return NAN;
        }
        let sign = if x.is_sign_negative() { SIGN } else { 0 };
        // The codes are in the order of their values, so the nearest is found among neighbours. The one that would come after
        // the largest counts as a number, since rounding is before the question of overflow.
        let after = Format {
            beyond: self.beyond + 1,
            ..self
        };
        let above = (0..after.beyond).find(|&c| after.value(c) >= x.abs());
        let Some(above) = above else {
            return sign | self.beyond;
        };
        let Some(below) = above.checked_sub(1) else {
            return sign;
        };
        let (up, down) = (after.value(above) - x.abs(), x.abs() - after.value(below));
        let nearest = match up.total_cmp(&down) {
            std::cmp::Ordering::Less => above,
            std::cmp::Ordering::Greater => below,
            std::cmp::Ordering::Equal if above % 2 == 0 => above,
            std::cmp::Ordering::Equal => below,
        };
        sign | nearest
    }
}

macro_rules! float8_elements {
    ($($t:ident => $format:ident),*) => {$(
        // SAFETY: one byte without padding, and every byte is a code.
        unsafe impl Element for $t {
            const DTYPE: DType = DType::$t;
            fn to_scalar(self) -> Scalar {
                Scalar::Float($format.value(self.0))
            }
            fn from_scalar(value: Scalar) -> Self {
                $t($format.code(value.to_f64()))
            }
        }
    )*};
}
float8_elements!(F8E4M3 => E4M3, F8E5M2 => E5M2);
