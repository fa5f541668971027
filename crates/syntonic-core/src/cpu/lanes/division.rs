//! Floor division and its remainder, for integers and floats.

use super::LaneFn;
use super::lane::{lanes_with_rare, offer};
use super::level::Level;
use crate::dtype::DType;
use crate::fuse::Prim;

/// A number with a floor division.
pub(super) trait FloorDivision: Copy + 'static {
    /// True where [`Self::fast`] does not serve.
    fn is_hard(self, divisor: Self) -> bool;
    /// The floored quotient and the remainder, without branches.
    fn fast(self, divisor: Self) -> (Self, Self);
    /// The floored quotient and the remainder.
    fn exact(self, divisor: Self) -> (Self, Self);
}

macro_rules! signed {
    ($($t:ty)*) => {$(
        impl FloorDivision for $t {
            #[inline(always)]
            fn is_hard(self, _divisor: $t) -> bool {
                false
            }
            #[inline(always)]
            fn fast(self, divisor: $t) -> ($t, $t) {
                self.exact(divisor)
            }
            #[inline(always)]
            fn exact(self, divisor: $t) -> ($t, $t) {
                if divisor == 0 {
                    return (0, 0);
                }
                let (quotient, rest) = (self.wrapping_div(divisor), self.wrapping_rem(divisor));
                if rest != 0 && (rest < 0) != (divisor < 0) { (quotient - 1, rest + divisor) } else { (quotient, rest) }
            }
        }
    )*};
}
signed!(i8 i16 i32 i64);

macro_rules! unsigned {
    ($($t:ty)*) => {$(
        impl FloorDivision for $t {
            #[inline(always)]
            fn is_hard(self, _divisor: $t) -> bool {
                false
            }
            #[inline(always)]
            fn fast(self, divisor: $t) -> ($t, $t) {
                self.exact(divisor)
            }
            #[inline(always)]
            fn exact(self, divisor: $t) -> ($t, $t) {
                if divisor == 0 { (0, 0) } else { (self / divisor, self % divisor) }
            }
        }
    )*};
}
unsigned!(u8 u16 u32 u64);

macro_rules! exact_float {
    ($t:ty) => {
        /// By C's `fmod`, which is exact; the remainder then takes the sign of the divisor.
        fn exact(self, divisor: $t) -> ($t, $t) {
            let rest = self % divisor;
            if divisor == 0.0 || rest.is_nan() {
                return (self / divisor, <$t>::NAN);
            }
            let mut quotient = (self - rest) / divisor;
            let mut signed = rest;
            if rest == 0.0 {
                signed = (0.0 as $t).copysign(divisor);
            } else if (rest < 0.0) != (divisor < 0.0) {
                signed += divisor;
                quotient -= 1.0;
            }
            if quotient == 0.0 {
                return ((0.0 as $t).copysign(self / divisor), signed);
            }
            // The quotient is within rounding of an integer.
            (quotient.round_ties_even(), signed)
        }
    };
}

impl FloorDivision for f32 {
    #[inline(always)]
    fn is_hard(self, divisor: f32) -> bool {
        // Below, quotient times divisor has at most 53 bits. The comparison is false for NaN.
        let small = (f64::from(self) / f64::from(divisor)).abs() < 536_870_912.0;
        !(small & (divisor.abs() < f32::INFINITY))
    }

    #[inline(always)]
    fn fast(self, divisor: f32) -> (f32, f32) {
        let (a, b) = (f64::from(self), f64::from(divisor));
        let quotient = (a / b).floor();
        let product = if quotient == 0.0 { 0.0 } else { quotient * b };
        let rest = (a - product) as f32;
        let rest = if rest == 0.0 {
            0.0f32.copysign(divisor)
        } else {
            rest
        };
        (quotient as f32, rest)
    }

    exact_float!(f32);
}

impl FloorDivision for f64 {
    #[inline(always)]
    fn is_hard(self, _divisor: f64) -> bool {
        false
    }

    #[inline(always)]
    fn fast(self, divisor: f64) -> (f64, f64) {
        self.exact(divisor)
    }

    exact_float!(f64);
}

lanes_with_rare! {
    FloorDiv [T: FloorDivision] |L, a, b| a.fast(b).0, rare a.is_hard(b) => a.exact(b).0;
    Rem [T: FloorDivision] |L, a, b| a.fast(b).1, rare a.is_hard(b) => a.exact(b).1;
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match (prim, dtype) {
        (Prim::FloorDiv, DType::F32) => offer!(level, dtype, FloorDiv, floats),
        (Prim::Rem, DType::F32) => offer!(level, dtype, Rem, floats),
        (Prim::FloorDiv, _) => offer!(level, dtype, FloorDiv, integers_scalar floats_scalar),
        (Prim::Rem, _) => offer!(level, dtype, Rem, integers_scalar floats_scalar),
        _ => None,
    }
}
