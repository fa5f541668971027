//! Conversions between all element types, with the rules of [`crate::Scalar::cast`].

use super::LaneFn;
use super::lane::{Lane, vector};
use super::level::{Isa, Level};
use crate::dtype::DType;
use crate::scalar::round_to_odd;
use num_complex::Complex;
use std::marker::PhantomData;

/// The bits of an IEEE half.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Half(u16);

/// The bits of a brain float.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Brain(u16);

impl Half {
    /// The value, exactly: the exponent is moved by a product, which also normalises subnormals.
    #[inline(always)]
    fn widen(self) -> f32 {
        let magnitude = u32::from(self.0 & 0x7fff) << 13;
        let finite = (f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23)).to_bits();
        let special = magnitude | 0x7f80_0000;
        let bits = if magnitude >= 0x7c00 << 13 {
            special
        } else {
            finite
        };
        f32::from_bits(bits | (u32::from(self.0 & 0x8000) << 16))
    }

    /// Rounds to nearest, ties to even; NaN stays NaN.
    #[inline(always)]
    fn round(x: f32) -> Half {
        let bits = x.to_bits();
        let magnitude = bits & 0x7fff_ffff;
        // Below 2^-14 a sum with 1/2 leaves the rounded subnormal in the low bits.
        let subnormal = (f32::from_bits(magnitude) + 0.5)
            .to_bits()
            .wrapping_sub(0.5f32.to_bits());
        let odd = (magnitude >> 13) & 1;
        let normal = magnitude.wrapping_sub(112 << 23).wrapping_add(0xfff + odd) >> 13;
        let value = if magnitude < 113 << 23 {
            subnormal
        } else {
            normal
        };
        let value = if magnitude >= 143 << 23 {
            0x7c00
        } else {
            value
        };
        let value = if magnitude > 0x7f80_0000 {
            0x7e00
        } else {
            value
        };
        Half((value | ((bits >> 16) & 0x8000)) as u16)
    }
}

impl Brain {
    /// The value, exactly.
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    /// Rounds to nearest, ties to even; NaN stays NaN.
    #[inline(always)]
    fn round(x: f32) -> Brain {
        let bits = x.to_bits();
        let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
        let nan = (bits >> 16) | 0x40;
        Brain(if bits & 0x7fff_ffff > 0x7f80_0000 {
            nan
        } else {
            rounded
        } as u16)
    }
}

/// Conversion of one element.
trait Into1<T> {
    fn convert(self) -> T;
}

macro_rules! numeric {
    ($from:ty => $($to:ty)*) => {$(
        impl Into1<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                self as $to
            }
        }
    )*};
}
macro_rules! numeric_from {
    ($($from:ty)*) => {$(
        numeric!($from => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        impl Into1<bool> for $from {
            #[inline(always)]
            fn convert(self) -> bool {
                self != (0 as $from)
            }
        }
    )*};
}
numeric_from!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

macro_rules! halves_from_narrow {
    ($($from:ty)*) => {$(
        impl Into1<Half> for $from {
            #[inline(always)]
            fn convert(self) -> Half {
                Half::round(self as f32)
            }
        }
        impl Into1<Brain> for $from {
            #[inline(always)]
            fn convert(self) -> Brain {
                Brain::round(self as f32)
            }
        }
    )*};
}
halves_from_narrow!(i8 i16 u8 u16 f32);

macro_rules! halves_from_wide {
    ($($from:ty)*) => {$(
        impl Into1<Half> for $from {
            #[inline(always)]
            fn convert(self) -> Half {
                Half::round(round_to_odd(self as f64))
            }
        }
        impl Into1<Brain> for $from {
            #[inline(always)]
            fn convert(self) -> Brain {
                Brain::round(round_to_odd(self as f64))
            }
        }
    )*};
}
halves_from_wide!(i32 i64 u32 u64 f64);

macro_rules! from_half {
    ($($from:ident)*) => {$(
        impl<T> Into1<T> for $from where f32: Into1<T> {
            #[inline(always)]
            fn convert(self) -> T {
                self.widen().convert()
            }
        }
    )*};
}
from_half!(Half Brain);

/// A byte that holds a truth value.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(bool);

impl<T> Into1<T> for Truth
where
    u8: Into1<T>,
{
    #[inline(always)]
    fn convert(self) -> T {
        u8::from(self.0).convert()
    }
}

/// A complex operand: only `bool` and complex results see the imaginary part.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Pair<T>(Complex<T>);

macro_rules! from_complex {
    ($part:ty => $($to:ty)*) => {$(
        impl Into1<$to> for Pair<$part> {
            #[inline(always)]
            fn convert(self) -> $to {
                self.0.re.convert()
            }
        }
    )*};
}
macro_rules! complexes {
    ($($part:ty)*) => {$(
        from_complex!($part => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Half Brain);
        impl Into1<bool> for Pair<$part> {
            #[inline(always)]
            fn convert(self) -> bool {
                (self.0.re != 0.0) | (self.0.im != 0.0)
            }
        }
        impl Into1<Pair<f32>> for Pair<$part> {
            #[inline(always)]
            fn convert(self) -> Pair<f32> {
                Pair(Complex::new(self.0.re as f32, self.0.im as f32))
            }
        }
        impl Into1<Pair<f64>> for Pair<$part> {
            #[inline(always)]
            fn convert(self) -> Pair<f64> {
                Pair(Complex::new(self.0.re as f64, self.0.im as f64))
            }
        }
    )*};
}
complexes!(f32 f64);

macro_rules! to_complex {
    ($($from:ty)*) => {$(
        impl Into1<Pair<f32>> for $from {
            #[inline(always)]
            fn convert(self) -> Pair<f32> {
                Pair(Complex::new(self as f32, 0.0))
            }
        }
        impl Into1<Pair<f64>> for $from {
            #[inline(always)]
            fn convert(self) -> Pair<f64> {
                Pair(Complex::new(self as f64, 0.0))
            }
        }
    )*};
}
to_complex!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

/// The conversion from `F` to `T` as a loop.
struct Cast<F, T>(PhantomData<(F, T)>);

impl<F: Copy + Into1<T> + 'static, T: Copy + 'static> Lane for Cast<F, T> {
    type A = F;
    type B = ();
    type C = ();
    type Out = T;

    #[inline(always)]
    fn lane<L: Isa>(a: F, _b: (), _c: ()) -> T {
        a.convert()
    }
}

/// The bytes as they are, for types that differ in name alone.
#[derive(Clone, Copy)]
struct Bytes<const N: usize>([u8; N]);

impl<const N: usize> Into1<Bytes<N>> for Bytes<N> {
    #[inline(always)]
    fn convert(self) -> Bytes<N> {
        self
    }
}

fn copy(level: Level, size: usize) -> LaneFn {
    match size {
        1 => vector::<Cast<Bytes<1>, Bytes<1>>>(level),
        2 => vector::<Cast<Bytes<2>, Bytes<2>>>(level),
        4 => vector::<Cast<Bytes<4>, Bytes<4>>>(level),
        8 => vector::<Cast<Bytes<8>, Bytes<8>>>(level),
        _ => vector::<Cast<Bytes<16>, Bytes<16>>>(level),
    }
}

/// Integers of one size have one representation: a narrowing or a copy need not know the sign.
fn unsigned(dtype: DType) -> DType {
    match dtype {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        other => other,
    }
}

/// A type that converts to every element type.
trait Source:
    Copy
    + 'static
    + Into1<bool>
    + Into1<i8>
    + Into1<i16>
    + Into1<i32>
    + Into1<i64>
    + Into1<u8>
    + Into1<u16>
    + Into1<u32>
    + Into1<u64>
    + Into1<Half>
    + Into1<Brain>
    + Into1<f32>
    + Into1<f64>
    + Into1<Pair<f32>>
    + Into1<Pair<f64>>
{
}

macro_rules! sources {
    ($($t:ty)*) => {
        $(impl Source for $t {})*
    };
}
sources!(Truth i8 i16 i32 i64 u8 u16 u32 u64 Half Brain f32 f64 Pair<f32> Pair<f64>);

fn from<F: Source>(level: Level, to: DType) -> LaneFn {
    match to {
        DType::Bool => vector::<Cast<F, bool>>(level),
        DType::I8 => vector::<Cast<F, i8>>(level),
        DType::I16 => vector::<Cast<F, i16>>(level),
        DType::I32 => vector::<Cast<F, i32>>(level),
        DType::I64 => vector::<Cast<F, i64>>(level),
        // No program has a type of storage, see `float8`: its elements are bytes here.
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => vector::<Cast<F, u8>>(level),
        DType::U16 => vector::<Cast<F, u16>>(level),
        DType::U32 => vector::<Cast<F, u32>>(level),
        DType::U64 => vector::<Cast<F, u64>>(level),
        DType::F16 => vector::<Cast<F, Half>>(level),
        DType::BF16 => vector::<Cast<F, Brain>>(level),
        DType::F32 => vector::<Cast<F, f32>>(level),
        DType::F64 => vector::<Cast<F, f64>>(level),
        DType::C64 => vector::<Cast<F, Pair<f32>>>(level),
        DType::C128 => vector::<Cast<F, Pair<f64>>>(level),
    }
}

/// The conversion kernel from `from` to `to`, for every pair: integers wrap, floats saturate into
/// integers and NaN gives 0, complex numbers lose their imaginary part in real types, and `bool` is
/// "not zero". The half types are rounded once.
pub fn cast(from: DType, to: DType) -> LaneFn {
    cast_at(Level::current(), from, to)
}

/// As [`cast`], in the instructions of `level` or fewer.
pub fn cast_at(level: Level, source: DType, target: DType) -> LaneFn {
    let level = level.min(Level::current());
    if unsigned(source) == unsigned(target) {
        return copy(level, source.size());
    }
    let narrowing = source.is_integer() && target.is_integer() && target.size() < source.size();
    let source = if narrowing || target.is_bool() {
        unsigned(source)
    } else {
        source
    };
    let target = if source.is_integer() || source.is_bool() {
        unsigned(target)
    } else {
        target
    };
    match source {
        DType::Bool => from::<Truth>(level, target),
        DType::I8 => from::<i8>(level, target),
        DType::I16 => from::<i16>(level, target),
        DType::I32 => from::<i32>(level, target),
        DType::I64 => from::<i64>(level, target),
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => from::<u8>(level, target),
        DType::U16 => from::<u16>(level, target),
        DType::U32 => from::<u32>(level, target),
        DType::U64 => from::<u64>(level, target),
        DType::F16 => from::<Half>(level, target),
        DType::BF16 => from::<Brain>(level, target),
        DType::F32 => from::<f32>(level, target),
        DType::F64 => from::<f64>(level, target),
        DType::C64 => from::<Pair<f32>>(level, target),
        DType::C128 => from::<Pair<f64>>(level, target),
    }
}
