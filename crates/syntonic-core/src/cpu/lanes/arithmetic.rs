//! Sums, products, quotients, roots, rounding and complex parts.

use super::LaneFn;
use super::lane::{lanes, offer};
use super::level::{Fused, Level};
use super::number::{Number, Real, Ring};
use super::number_lane::{Place, beside};
use crate::dtype::DType;
use crate::fuse::Prim;
use num_complex::Complex;

/// A type with division and square root.
pub(super) trait Field: Number {
    fn over(self, other: Self) -> Self;
    fn reciprocal(self) -> Self;
    fn root(self) -> Self;
}

/// A real float.
pub(super) trait Float: Field + Real + Fused {
    fn signed_as(self, sign: Self) -> Self;
    fn sign_bit(self) -> bool;
}

macro_rules! fields {
    ($($t:ty),*) => {$(
        impl Field for $t {
            #[inline(always)]
            fn over(self, other: $t) -> $t {
                self / other
            }
            #[inline(always)]
            fn reciprocal(self) -> $t {
                1.0 / self
            }
            #[inline(always)]
            fn root(self) -> $t {
                self.sqrt()
            }
        }
        impl Float for $t {
            #[inline(always)]
            fn signed_as(self, sign: $t) -> $t {
                self.copysign(sign)
            }
            #[inline(always)]
            fn sign_bit(self) -> bool {
                self.is_sign_negative()
            }
        }
    )*};
}
fields!(f32, f64);

lanes! {
    Neg [T: Number] (a: T) -> T |L| a.negated();
    Abs [T: Number] (a: T) -> T::Real |L| a.magnitude();
    Sign [T: Number] (a: T) -> T |L| a.sign();
    Square [T: Ring] (a: T) -> T |L| a.times(a);
    Sqrt [T: Field] (a: T) -> T |L| a.root();
    Rsqrt [T: Field] (a: T) -> T |L| a.root().reciprocal();
    Recip [T: Field] (a: T) -> T |L| a.reciprocal();
    Floor [T: Real] (a: T) -> T |L| a.floored();
    Ceil [T: Real] (a: T) -> T |L| a.ceiled();
    Trunc [T: Real] (a: T) -> T |L| a.truncated();
    Round [T: Number] (a: T) -> T |L| a.rounded();
    SignBit [T: Float] (a: T) -> bool |L| a.sign_bit();
    IsNan [T: Number] (a: T) -> bool |L| a.is_nan();
    IsInf [T: Number] (a: T) -> bool |L| a.is_infinite();
    IsFinite [T: Number] (a: T) -> bool |L| a.is_finite();
    RealPart [T: Number] (a: T) -> T::Real |L| a.re();
    ImagPart [T: Number] (a: T) -> T::Real |L| a.im();
    Conj [T: Number] (a: T) -> T |L| a.conjugate();
}

lanes! {
    Add [T: Ring] (a: T, b: T) -> T |L| a.plus(b);
    Sub [T: Number] (a: T, b: T) -> T |L| a.minus(b);
    Mul [T: Ring] (a: T, b: T) -> T |L| a.times(b);
    Div [T: Field] (a: T, b: T) -> T |L| a.over(b);
    CopySign [T: Float] (a: T, b: T) -> T |L| a.signed_as(b);
    MakeComplex [T: Float] (a: T, b: T) -> Complex<T> |L| Complex::new(a, b);
}

lanes! {
    // Rounded once on every processor, also where that is a call.
    Fma [T: Float] (a: T, b: T, c: T) -> T |L| a.fused(b, c);
}

/// The kernels of this family.
pub(super) fn kernel(level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    match prim {
        Prim::Neg => offer!(level, dtype, Neg, signed unsigned floats complex),
        Prim::Abs => offer!(level, dtype, Abs, signed unsigned floats complex),
        Prim::Sign => offer!(level, dtype, Sign, signed unsigned floats complex_scalar),
        Prim::Square => offer!(level, dtype, Square, signed unsigned floats complex),
        Prim::Sqrt => offer!(level, dtype, Sqrt, floats),
        Prim::Rsqrt => offer!(level, dtype, Rsqrt, floats),
        Prim::Recip => offer!(level, dtype, Recip, floats),
        Prim::Floor => offer!(level, dtype, Floor, signed unsigned floats),
        Prim::Ceil => offer!(level, dtype, Ceil, signed unsigned floats),
        Prim::Trunc => offer!(level, dtype, Trunc, signed unsigned floats),
        Prim::Round => offer!(level, dtype, Round, signed unsigned floats complex),
        Prim::SignBit => offer!(level, dtype, SignBit, floats),
        Prim::IsNan => offer!(level, dtype, IsNan, signed unsigned floats complex),
        Prim::IsInf => offer!(level, dtype, IsInf, signed unsigned floats complex),
        Prim::IsFinite => offer!(level, dtype, IsFinite, signed unsigned floats complex),
        Prim::Real => offer!(level, dtype, RealPart, signed unsigned floats complex),
        Prim::Imag => offer!(level, dtype, ImagPart, signed unsigned floats complex),
        Prim::Conj => offer!(level, dtype, Conj, signed unsigned floats complex),
        Prim::Add => offer!(level, dtype, Add, bool signed unsigned floats complex),
        Prim::Sub => offer!(level, dtype, Sub, signed unsigned floats complex),
        Prim::Mul => offer!(level, dtype, Mul, bool signed unsigned floats complex),
        Prim::Div => offer!(level, dtype, Div, floats),
        Prim::CopySign => offer!(level, dtype, CopySign, floats),
        Prim::Complex => offer!(level, dtype, MakeComplex, floats),
        Prim::Fma => offer!(level, dtype, Fma, floats),
        _ => None,
    }
}

/// The kernels of this family in which the operand at `place` is one number for all lanes.
pub(super) fn kernel_beside(
    level: Level,
    prim: Prim,
    dtype: DType,
    place: Place,
) -> Option<LaneFn> {
    macro_rules! floats {
        ($op:ident) => {
            match dtype {
                DType::F32 => Some(beside::<$op<f32>>(level, place)),
                DType::F64 => Some(beside::<$op<f64>>(level, place)),
                _ => None,
            }
        };
    }
    match prim {
        Prim::Add => floats!(Add),
        Prim::Sub => floats!(Sub),
        Prim::Mul => floats!(Mul),
        Prim::Div => floats!(Div),
        _ => None,
    }
}
