//! Single numbers: the four widest types, and the element types they come from.

use crate::dtype::{DType, Kind};
use crate::error::{Error, Result};
use half::{bf16, f16};
use num_complex::Complex;
use serde::{Deserialize, Serialize};

/// One number in the widest type of its kind. Constants, fills and the reference interpreter speak it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// An integer; `i128` holds every `i64` and `u64`.
    Int(i128),
    /// A real number.
    Float(f64),
    /// A complex number.
    Complex(Complex<f64>),
}

impl Scalar {
    /// The kind of number; integers count as signed.
    ///
    /// ```
    /// use syntonic_core::Kind;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((Scalar::Int(7).kind(), Scalar::Float(0.5).kind()), (Kind::Signed, Kind::Float));
    /// ```
    pub fn kind(self) -> Kind {
        match self {
            Scalar::Bool(_) => Kind::Bool,
            Scalar::Int(_) => Kind::Signed,
            Scalar::Float(_) => Kind::Float,
            Scalar::Complex(_) => Kind::Complex,
        }
    }

    /// The value as a real number; the imaginary part of a complex number is dropped.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((Scalar::Int(7).to_f64(), Scalar::Bool(true).to_f64()), (7.0, 1.0));
    /// ```
    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::Bool(b) => f64::from(u8::from(b)),
            Scalar::Int(i) => i as f64,
            Scalar::Float(x) => x,
            Scalar::Complex(z) => z.re,
        }
    }

    /// The value rounded to single precision; integers are rounded once, not through `f64`.
    fn to_f32(self) -> f32 {
        match self {
            Scalar::Int(i) => i as f32,
            other => other.to_f64() as f32,
        }
    }

    /// The value as a complex number.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let z = Scalar::Float(2.5).to_complex();
    /// assert_eq!((z.re, z.im), (2.5, 0.0));
    /// ```
    pub fn to_complex(self) -> Complex<f64> {
        match self {
            Scalar::Complex(z) => z,
            other => Complex::new(other.to_f64(), 0.0),
        }
    }

    /// The value as an integer: floats are truncated and saturate, NaN gives 0.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((Scalar::Float(-1.9).to_i128(), Scalar::Float(f64::NAN).to_i128()), (-1, 0));
    /// ```
    pub fn to_i128(self) -> i128 {
        match self {
            Scalar::Bool(b) => i128::from(b),
            Scalar::Int(i) => i,
            Scalar::Float(x) => x as i128,
            Scalar::Complex(z) => z.re as i128,
        }
    }

    /// True unless the value is zero; NaN counts as true.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(Scalar::Float(f64::NAN).to_bool() && !Scalar::Float(-0.0).to_bool());
    /// ```
    pub fn to_bool(self) -> bool {
        match self {
            Scalar::Bool(b) => b,
            Scalar::Int(i) => i != 0,
            Scalar::Float(x) => x != 0.0,
            Scalar::Complex(z) => z.re != 0.0 || z.im != 0.0,
        }
    }

    /// The value after a cast to `dtype`, which rounds, wraps integers and saturates floats.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Scalar::Int(300).cast(DType::U8), Scalar::Int(44));
    /// assert_eq!(Scalar::Float(300.7).cast(DType::U8), Scalar::Int(255));
    /// ```
    pub fn cast(self, dtype: DType) -> Scalar {
        crate::with_element!(dtype, T => <T as Element>::from_scalar(self).to_scalar())
    }

    /// False for an integer that an integer type cannot hold; other numbers are rounded or saturate.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(Scalar::Int(255).fits(DType::U8) && !Scalar::Int(256).fits(DType::U8));
    /// ```
    pub fn fits(self, dtype: DType) -> bool {
        match (self, dtype.integers()) {
            (Scalar::Int(i), Some((low, high))) => (low..=high).contains(&i),
            _ => true,
        }
    }

    /// [`Error::Range`] of the operation `op` unless the number [`Scalar::fits`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let refused = Scalar::Int(-1).check_fit("full", DType::U8);
    /// assert!(matches!(refused, Err(syntonic_core::Error::Range { .. })));
    /// ```
    pub fn check_fit(self, op: &'static str, dtype: DType) -> Result<()> {
        match self {
            Scalar::Int(value) if !self.fits(dtype) => Err(Error::Range { op, value, dtype }),
            _ => Ok(()),
        }
    }

    /// The dtype of an operation between a tensor of type `dtype` and this number: a number has no
    /// width of its own and only raises the kind (`int` tensor with a real number gives `float64`).
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Scalar::Int(2).promote_with(DType::U8), DType::U8);
    /// assert_eq!(Scalar::Float(0.5).promote_with(DType::I32), DType::F64);
    /// assert_eq!(Scalar::Float(0.5).promote_with(DType::F32), DType::F32);
    /// ```
    pub fn promote_with(self, dtype: DType) -> DType {
        match self.kind() {
            Kind::Bool => dtype,
            Kind::Signed | Kind::Unsigned => {
                if dtype.is_bool() {
                    DType::I64
                } else {
                    dtype
                }
            }
            Kind::Float | Kind::Stored => dtype.to_inexact(),
            Kind::Complex if dtype.is_stored() => dtype,
            Kind::Complex => dtype.to_inexact().complex(),
        }
    }
}

macro_rules! scalar_from {
    ($($t:ty => $variant:ident as $wide:ty),* $(,)?) => {$(
        impl From<$t> for Scalar {
            fn from(value: $t) -> Scalar {
                Scalar::$variant(<$wide>::from(value))
            }
        }
    )*};
}
scalar_from!(bool => Bool as bool, i8 => Int as i128, i16 => Int as i128, i32 => Int as i128, i64 => Int as i128,
    u8 => Int as i128, u16 => Int as i128, u32 => Int as i128, u64 => Int as i128,
    f16 => Float as f64, bf16 => Float as f64, f32 => Float as f64, f64 => Float as f64,
    Complex<f64> => Complex as Complex<f64>);

impl From<usize> for Scalar {
    fn from(value: usize) -> Scalar {
        Scalar::Int(value as i128)
    }
}

impl From<isize> for Scalar {
    fn from(value: isize) -> Scalar {
        Scalar::Int(value as i128)
    }
}

impl From<Complex<f32>> for Scalar {
    fn from(value: Complex<f32>) -> Scalar {
        value.to_scalar()
    }
}

/// A Rust type that is the element type of some [`DType`].
///
/// # Safety
/// `Self` must have exactly the size of `DTYPE`, no padding, and every bit pattern that a tensor of
/// that type can hold must be valid (for `bool`: only 0 and 1 are read, whatever others left in memory that was shared with them).
///
/// ```
/// use syntonic_core::prelude::*;
///
/// /// 0, 1, 2, .. in any type.
/// fn counted<T: Element>(n: i128) -> syntonic_core::Result<Tensor> {
///     Tensor::from_vec((0..n).map(|k| T::from_scalar(Scalar::Int(k))).collect(), &[n as usize])
/// }
///
/// assert_eq!(counted::<f32>(3)?.to_vec::<f32>()?, [0.0, 1.0, 2.0]);
/// assert_eq!((counted::<u8>(300)?.dtype(), u8::from_scalar(Scalar::Int(299))), (u8::DTYPE, 43));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe trait Element:
    Copy + Default + PartialEq + std::fmt::Debug + Send + Sync + 'static
{
    /// The element type this Rust type stands for.
    const DTYPE: DType;

    /// The value in the widest type of its kind.
    fn to_scalar(self) -> Scalar;

    /// The value cast to this type: integers wrap, floats saturate into integers (NaN gives 0),
    /// complex numbers lose their imaginary part in real types.
    fn from_scalar(value: Scalar) -> Self;
}

macro_rules! integer_elements {
    ($($t:ty => $dtype:ident),* $(,)?) => {$(
        // SAFETY: the primitive integer has the size of its dtype, and every bit pattern is valid.
        unsafe impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            fn to_scalar(self) -> Scalar {
                Scalar::Int(i128::from(self))
            }
            fn from_scalar(value: Scalar) -> Self {
                match value {
                    Scalar::Float(x) => x as $t,
                    Scalar::Complex(z) => z.re as $t,
                    other => other.to_i128() as $t,
                }
            }
        }
    )*};
}
integer_elements!(i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64);

/// `x` as an `f32` whose last bit is set where the conversion was not exact, so that rounding it once
/// more gives what rounding `x` at once would.
/// (`half` itself drops the low bits of an `f64` before it rounds.)
#[inline(always)]
pub(crate) fn round_to_odd(x: f64) -> f32 {
    let near = x as f32;
    let wide = f64::from(near);
    // The neighbour towards 0: for a number rounded up, one below.
    let towards_zero = near.to_bits().wrapping_sub(u32::from(wide.abs() > x.abs()));
    let inexact = u32::from((wide != x) & !x.is_nan());
    f32::from_bits(towards_zero | inexact)
}

macro_rules! float_elements {
    ($($t:ty => $dtype:ident, $to:expr, $from:expr);* $(;)?) => {$(
        // SAFETY: the float has the size of its dtype, and every bit pattern is valid.
        unsafe impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            fn to_scalar(self) -> Scalar {
                Scalar::Float($to(self))
            }
            fn from_scalar(value: Scalar) -> Self {
                $from(value)
            }
        }
    )*};
}
float_elements!(
    f16 => F16, f16::to_f64, |value: Scalar| f16::from_f32(round_to_odd(value.to_f64()));
    bf16 => BF16, bf16::to_f64, |value: Scalar| bf16::from_f32(round_to_odd(value.to_f64()));
    f32 => F32, f64::from, Scalar::to_f32;
    f64 => F64, |x: f64| x, Scalar::to_f64;
);

// SAFETY: `bool` is one byte, and elements are read through `Tensor::to_read`, behind which all bytes of dtype bool are 0 or 1.
unsafe impl Element for bool {
    const DTYPE: DType = DType::Bool;
    fn to_scalar(self) -> Scalar {
        Scalar::Bool(self)
    }
    fn from_scalar(value: Scalar) -> Self {
        value.to_bool()
    }
}

// SAFETY: two `f32` without padding; every bit pattern is valid.
unsafe impl Element for Complex<f32> {
    const DTYPE: DType = DType::C64;
    fn to_scalar(self) -> Scalar {
        Scalar::Complex(Complex::new(f64::from(self.re), f64::from(self.im)))
    }
    fn from_scalar(value: Scalar) -> Self {
        let z = value.to_complex();
        Complex::new(value.to_f32(), z.im as f32)
    }
}

// SAFETY: two `f64` without padding; every bit pattern is valid.
unsafe impl Element for Complex<f64> {
    const DTYPE: DType = DType::C128;
    fn to_scalar(self) -> Scalar {
        Scalar::Complex(self)
    }
    fn from_scalar(value: Scalar) -> Self {
        value.to_complex()
    }
}

/// Runs `$body` with `$T` bound to the Rust type of `$dtype`: the one door into the typed world.
///
/// ```
/// use syntonic_core::{DType, with_element};
///
/// /// Bytes of an element, as Rust has it.
/// fn size(dtype: DType) -> usize {
///     with_element!(dtype, T => size_of::<T>())
/// }
///
/// assert_eq!([DType::BF16, DType::I64, DType::C128].map(size), [2, 8, 16]);
/// ```
#[macro_export]
macro_rules! with_element {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::with_listed!($dtype, $T => $body, $crate::F8E4M3, $crate::F8E5M2)
    };
}

/// As [`with_element!`], for code that computes: the types of storage, which no operator brings there, are their bytes.
macro_rules! with_number {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::with_listed!($dtype, $T => $body, u8, u8)
    };
}
pub(crate) use with_number;

/// The arms of [`with_element!`], with the types that those of storage are bound to.
#[doc(hidden)]
#[macro_export]
macro_rules! with_listed {
    ($dtype:expr, $T:ident => $body:expr, $e4m3:ty, $e5m2:ty) => {
        match $dtype {
            $crate::DType::Bool => {
                type $T = bool;
                $body
            }
            $crate::DType::I8 => {
                type $T = i8;
                $body
            }
            $crate::DType::I16 => {
                type $T = i16;
                $body
            }
            $crate::DType::I32 => {
                type $T = i32;
                $body
            }
            $crate::DType::I64 => {
                type $T = i64;
                $body
            }
            $crate::DType::U8 => {
                type $T = u8;
                $body
            }
            $crate::DType::U16 => {
                type $T = u16;
                $body
            }
            $crate::DType::U32 => {
                type $T = u32;
                $body
            }
            $crate::DType::U64 => {
                type $T = u64;
                $body
            }
            $crate::DType::F16 => {
                type $T = $crate::half::f16;
                $body
            }
            $crate::DType::BF16 => {
                type $T = $crate::half::bf16;
                $body
            }
            $crate::DType::F32 => {
                type $T = f32;
                $body
            }
            $crate::DType::F64 => {
                type $T = f64;
                $body
            }
            $crate::DType::C64 => {
                type $T = $crate::num_complex::Complex<f32>;
                $body
            }
            $crate::DType::C128 => {
                type $T = $crate::num_complex::Complex<f64>;
                $body
            }
            $crate::DType::F8E4M3 => {
                type $T = $e4m3;
                $body
            }
            $crate::DType::F8E5M2 => {
                type $T = $e5m2;
                $body
            }
        }
    };
}

/// Runs `$body` with `$T` bound to an unsigned type of `$size` bytes: moving needs no more.
macro_rules! with_bits {
    ($size:expr, $T:ident => $body:expr) => {
        match $size {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            8 => {
                type $T = u64;
                $body
            }
            _ => {
                // Not `u128`: complex numbers are aligned to their parts.
                type $T = [u64; 2];
                $body
            }
        }
    };
}
pub(crate) use with_bits;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_saturate_wrap_and_zero_nan() {
        assert_eq!(Scalar::Float(300.0).cast(DType::U8), Scalar::Int(255));
        assert_eq!(Scalar::Float(f64::NAN).cast(DType::I32), Scalar::Int(0));
        assert_eq!(Scalar::Int(300).cast(DType::U8), Scalar::Int(44));
        assert_eq!(
            Scalar::Int(-1).cast(DType::U64),
            Scalar::Int(i128::from(u64::MAX))
        );
        assert_eq!(
            Scalar::Complex(Complex::new(2.5, 1.0)).cast(DType::F32),
            Scalar::Float(2.5)
        );
    }

    #[test]
    fn integers_fit_where_a_cast_keeps_them() {
        for dtype in DType::ALL {
            for shift in [0, 1, 7, 8, 15, 16, 31, 32, 63, 64] {
                for near in [-1, 0, 1] {
                    for sign in [-1, 1] {
                        let x = Scalar::Int(sign * (1i128 << shift) + near);
                        let kept = !dtype.is_integer() || x.cast(dtype) == x;
                        assert_eq!(x.fits(dtype), kept, "{x:?} in {dtype}");
                    }
                }
            }
            assert!(Scalar::Float(1e300).fits(dtype) && Scalar::Bool(true).fits(dtype));
        }
    }

    #[test]
    fn numbers_raise_only_the_kind() {
        assert_eq!(Scalar::Float(1.0).promote_with(DType::F32), DType::F32);
        assert_eq!(Scalar::Float(1.0).promote_with(DType::I32), DType::F64);
        assert_eq!(Scalar::Int(1).promote_with(DType::BF16), DType::BF16);
        assert_eq!(
            Scalar::Complex(Complex::new(0.0, 1.0)).promote_with(DType::F32),
            DType::C64
        );
    }
}
