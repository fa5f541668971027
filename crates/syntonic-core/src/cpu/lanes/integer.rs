//! Bits, shifts and powers of integers.

use super::LaneFn;
use super::lane::{lanes, offer};
use super::level::Level;
use crate::dtype::DType;
use crate::fuse::Prim;

/// An integer or a truth value.
trait Bits: Copy + 'static {
    fn inverted(self) -> Self;
    fn both(self, other: Self) -> Self;
    fn either(self, other: Self) -> Self;
    fn one_of(self, other: Self) -> Self;
}

/// An integer.
trait Integer: Bits {
    fn shifted_left(self, by: Self) -> Self;
    fn shifted_right(self, by: Self) -> Self;
    fn power(self, exponent: Self) -> Self;
}

macro_rules! bits {
    ($($t:ty)*) => {$(
        impl Bits for $t {
            #[inline(always)]
            fn inverted(self) -> $t {
                !self
            }
            #[inline(always)]
            fn both(self, other: $t) -> $t {
                self & other
            }
            #[inline(always)]
            fn either(self, other: $t) -> $t {
                self | other
            }
            #[inline(always)]
            fn one_of(self, other: $t) -> $t {
                self ^ other
            }
        }
    )*};
}
bits!(bool i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! integers {
    ($($t:ty, $unsigned:ty, $negative_power:expr);* $(;)?) => {$(
        impl Integer for $t {
            #[inline(always)]
            fn shifted_left(self, by: $t) -> $t {
                let within = (by as $unsigned) < (<$t>::BITS as $unsigned);
                let value = self.wrapping_shl(by as u32);
                if within { value } else { 0 }
            }
            #[inline(always)]
            fn shifted_right(self, by: $t) -> $t {
                // The largest shift leaves only the sign; unsigned numbers then lose their last bit too.
                let last = (<$t>::BITS - 1) as $unsigned;
                let within = by as $unsigned <= last;
                let value = self.wrapping_shr(by as u32);
                let sign = if <$t>::MIN == 0 { 0 } else { self.wrapping_shr(last as u32) };
                if within { value } else { sign }
            }
            fn power(self, exponent: $t) -> $t {
                #[allow(unused_comparisons, reason = "one body for both signs")]
                if exponent < 0 {
                    return $negative_power(self, exponent);
                }
                let (mut base, mut rest, mut power) = (self, exponent, 1 as $t);
                while rest != 0 {
                    if rest & 1 == 1 {
                        power = power.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    rest >>= 1;
                }
                power
            }
        }
    )*};
}
integers!(
    i8, u8, |a, b| reciprocal_power(a, b & 1 == 1, -1);
    i16, u16, |a, b| reciprocal_power(a, b & 1 == 1, -1);
    i32, u32, |a, b| reciprocal_power(a, b & 1 == 1, -1);
    i64, u64, |a, b| reciprocal_power(a, b & 1 == 1, -1);
    u8, u8, |_, _| 0;
    u16, u16, |_, _| 0;
    u32, u32, |_, _| 0;
    u64, u64, |_, _| 0;
);

/// A negative power: 1 and -1 are their own reciprocals, everything else rounds to 0.
fn reciprocal_power<T: num_traits::One + num_traits::Zero + PartialEq>(
    base: T,
    odd: bool,
    minus_one: T,
) -> T {
    if base == minus_one && odd {
        return minus_one;
    }
    if base == T::one() || base == minus_one {
        T::one()
    } else {
        T::zero()
    }
}

lanes! {
    BitNot [T: Bits] (a: T) -> T |L| a.inverted();
}

lanes! {
    BitAnd [T: Bits] (a: T, b: T) -> T |L| a.both(b);
    BitOr [T: Bits] (a: T, b: T) -> T |L| a.either(b);
    BitXor [T: Bits] (a: T, b: T) -> T |L| a.one_of(b);
    Shl [T: Integer] (a: T, b: T) -> T |L| a.shifted_left(b);
    Shr [T: Integer] (a: T, b: T) -> T |L| a.shifted_right(b);
    Pow [T: Integer] (a: T, b: T) -> T |L| a.power(b);
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match prim {
        Prim::BitNot => offer!(level, dtype, BitNot, bool signed unsigned),
        Prim::BitAnd => offer!(level, dtype, BitAnd, bool signed unsigned),
        Prim::BitOr => offer!(level, dtype, BitOr, bool signed unsigned),
        Prim::BitXor => offer!(level, dtype, BitXor, bool signed unsigned),
        Prim::Shl => offer!(level, dtype, Shl, signed unsigned),
        Prim::Shr => offer!(level, dtype, Shr, signed unsigned),
        Prim::Pow => offer!(level, dtype, Pow, integers_scalar),
        _ => None,
    }
}
