//! Element types: names, sizes, classes and the promotion rules of the Array API.

use serde::{Deserialize, Serialize};

/// The type of one element of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
#[serde(rename_all = "lowercase")]
pub enum DType {
    /// Truth value, one byte, 0 or 1.
    Bool,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
    /// IEEE 754 half precision.
    F16,
    /// Brain float: the upper half of an `f32`.
    BF16,
    /// IEEE 754 single precision.
    F32,
    /// IEEE 754 double precision.
    F64,
    /// Complex number of two `f32`.
    C64,
    /// Complex number of two `f64`.
    C128,
    /// OCP 8-bit float with 4 bits of exponent and 3 of mantissa, without infinities: storage.
    F8E4M3,
    /// OCP 8-bit float with 5 bits of exponent and 2 of mantissa: storage.
    F8E5M2,
}

/// What kind of number a [`DType`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Truth values.
    Bool,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Real floating point.
    Float,
    /// Complex floating point.
    Complex,
    /// Numbers that are stored, moved and cast, and that no operator computes with.
    Stored,
}

impl DType {
    /// Every element type that operators compute with, in declaration order.
    pub const ALL: [DType; 15] = [
        DType::Bool,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
    ];

    /// The types of storage: their elements are created, moved, viewed and cast, and every operator that computes
    /// refuses them with [`Error::DType`](crate::Error::DType).
    pub const STORED: [DType; 2] = [DType::F8E4M3, DType::F8E5M2];

    /// Every element type there is: those of [`DType::ALL`], then those of [`DType::STORED`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(DType::every().any(|dtype| dtype == DType::F8E4M3));
    /// assert_eq!(DType::every().count(), DType::ALL.len() + DType::STORED.len());
    /// ```
    pub fn every() -> impl Iterator<Item = DType> {
        DType::ALL.into_iter().chain(DType::STORED)
    }

    /// The name users write, as NumPy spells it: `"float32"`, `"complex128"`, `"bool"`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::F32.name(), DType::C128.name()), ("float32", "complex128"));
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I8 => "int8",
            DType::I16 => "int16",
            DType::I32 => "int32",
            DType::I64 => "int64",
            DType::U8 => "uint8",
            DType::U16 => "uint16",
            DType::U32 => "uint32",
            DType::U64 => "uint64",
            DType::F16 => "float16",
            DType::BF16 => "bfloat16",
            DType::F32 => "float32",
            DType::F64 => "float64",
            DType::C64 => "complex64",
            DType::C128 => "complex128",
            DType::F8E4M3 => "float8_e4m3fn",
            DType::F8E5M2 => "float8_e5m2",
        }
    }

    /// The element type of that name, if there is one.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(DType::from_name("bfloat16"), Some(DType::BF16));
    /// assert_eq!(DType::from_name("float"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<DType> {
        DType::every().find(|d| d.name() == name)
    }

    /// Size of one element in bytes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::BF16.size(), DType::F64.size(), DType::C128.size()), (2, 8, 16));
    /// ```
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::I8 | DType::U8 | DType::F8E4M3 | DType::F8E5M2 => 1,
            DType::I16 | DType::U16 | DType::F16 | DType::BF16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::U64 | DType::F64 | DType::C64 => 8,
            DType::C128 => 16,
        }
    }

    /// Alignment of one element in bytes: that of its parts.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::F64.align(), DType::C128.align()), (8, 8));
    /// ```
    pub const fn align(self) -> usize {
        self.real().size()
    }

    /// The kind of number.
    ///
    /// ```
    /// use syntonic_core::Kind;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::U8.kind(), DType::BF16.kind()), (Kind::Unsigned, Kind::Float));
    /// ```
    pub const fn kind(self) -> Kind {
        match self {
            DType::Bool => Kind::Bool,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => Kind::Signed,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => Kind::Unsigned,
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => Kind::Float,
            DType::C64 | DType::C128 => Kind::Complex,
            DType::F8E4M3 | DType::F8E5M2 => Kind::Stored,
        }
    }

    /// The smallest and the largest number of an integer type; `None` for others.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(DType::I8.integers(), Some((-128, 127)));
    /// assert_eq!(DType::F32.integers(), None);
    /// ```
    pub const fn integers(self) -> Option<(i128, i128)> {
        let bits = 8 * self.size() as u32;
        match self.kind() {
            Kind::Signed => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            Kind::Unsigned => Some((0, (1 << bits) - 1)),
            Kind::Bool | Kind::Float | Kind::Complex | Kind::Stored => None,
        }
    }

    /// True for `bool`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(DType::Bool.is_bool() && !DType::U8.is_bool());
    /// ```
    pub fn is_bool(self) -> bool {
        self.kind() == Kind::Bool
    }

    /// True for signed and unsigned integers.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(DType::U8.is_integer() && !DType::Bool.is_integer() && !DType::F32.is_integer());
    /// ```
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }

    /// True for real floating point.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(DType::F16.is_float() && !DType::C64.is_float());
    /// ```
    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// True for complex floating point.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(DType::C64.is_complex() && !DType::F32.is_complex());
    /// ```
    pub fn is_complex(self) -> bool {
        self.kind() == Kind::Complex
    }

    /// True for real and complex floating point.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(DType::F32.is_inexact() && DType::C64.is_inexact() && !DType::I64.is_inexact());
    /// ```
    pub fn is_inexact(self) -> bool {
        self.is_float() || self.is_complex()
    }

    /// True for `float16` and `bfloat16`, which are stored narrow and computed in `float32`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(DType::F16.is_half() && DType::BF16.is_half() && !DType::F32.is_half());
    /// ```
    pub fn is_half(self) -> bool {
        matches!(self, DType::F16 | DType::BF16)
    }

    /// True for the types of [`DType::STORED`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(DType::F8E5M2.is_stored() && !DType::F16.is_stored());
    /// ```
    pub fn is_stored(self) -> bool {
        self.kind() == Kind::Stored
    }

    /// The type whose elements move as those of this type do: `uint8` for the types of storage, else the type itself.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::F8E4M3.moved(), DType::F32.moved()), (DType::U8, DType::F32));
    /// ```
    pub const fn moved(self) -> DType {
        match self {
            DType::F8E4M3 | DType::F8E5M2 => DType::U8,
            other => other,
        }
    }

    /// The type of the real part: `complex64 -> float32`, real types unchanged.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::C64.real(), DType::F64.real()), (DType::F32, DType::F64));
    /// ```
    pub const fn real(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }

    /// The complex type with at least this precision: `float32 -> complex64`, `float64 -> complex128`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::F32.complex(), DType::F64.complex()), (DType::C64, DType::C128));
    /// ```
    pub const fn complex(self) -> DType {
        match self {
            DType::F16 | DType::BF16 | DType::F32 | DType::C64 => DType::C64,
            _ => DType::C128,
        }
    }

    /// The type arithmetic runs in: `float32` for the half types, otherwise the type itself.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::BF16.compute(), DType::F64.compute()), (DType::F32, DType::F64));
    /// ```
    pub const fn compute(self) -> DType {
        match self {
            DType::F16 | DType::BF16 => DType::F32,
            other => other,
        }
    }

    /// The floating type a real function such as `exp` yields: integers and `bool` become `float64`. Types of storage
    /// stay what they are, and are refused.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((DType::I32.to_inexact(), DType::F16.to_inexact()), (DType::F64, DType::F16));
    /// ```
    pub fn to_inexact(self) -> DType {
        if self.is_inexact() || self.is_stored() {
            self
        } else {
            DType::F64
        }
    }

    /// The common type of two operands, as the Array API's table says; where that table is silent,
    /// an integer with a float keeps the float type, `float16` with `bfloat16` gives `float32`, and
    /// `uint64` with a signed integer gives `float64`, as NumPy does. A type of storage stays one, whatever it meets, so that
    /// the operator refuses it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(DType::I32.promote(DType::U8), DType::I32);
    /// assert_eq!(DType::F32.promote(DType::I64), DType::F32);
    /// assert_eq!(DType::F16.promote(DType::BF16), DType::F32);
    /// ```
    pub fn promote(self, other: DType) -> DType {
        if self == other {
            return self;
        }
        let (low, high) = if self.kind() <= other.kind() {
            (self, other)
        } else {
            (other, self)
        };
        match (low.kind(), high.kind()) {
            (Kind::Bool, _) => high,
            (Kind::Stored, _) => low.max(high),
            (_, Kind::Stored) => high,
            (Kind::Signed, Kind::Unsigned) => promote_mixed_sign(low, high),
            (Kind::Signed | Kind::Unsigned, Kind::Float | Kind::Complex) => high,
            (Kind::Float, Kind::Float) if low.size() == 2 && high.size() == 2 => DType::F32,
            (Kind::Float, Kind::Complex) => {
                if low == DType::F64 {
                    DType::C128
                } else {
                    high
                }
            }
            _ => {
                if low.size() >= high.size() {
                    low
                } else {
                    high
                }
            }
        }
    }
}

/// The smallest signed type that holds both, `float64` where there is none.
fn promote_mixed_sign(signed: DType, unsigned: DType) -> DType {
    if signed.size() > unsigned.size() {
        return signed;
    }
    match unsigned {
        DType::U8 => DType::I16,
        DType::U16 => DType::I32,
        DType::U32 => DType::I64,
        _ => DType::F64,
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotion_follows_the_array_api_table() {
        use DType::*;
        for (a, b, want) in [
            (I8, U8, I16),
            (I16, U8, I16),
            (I8, U16, I32),
            (I32, U32, I64),
            (I64, U64, F64),
            (I64, F32, F32),
            (Bool, I8, I8),
            (F16, BF16, F32),
            (F32, F64, F64),
            (F64, C64, C128),
            (F32, C64, C64),
            (BF16, C64, C64),
            (I64, C64, C64),
            (U8, U32, U32),
        ] {
            assert_eq!(a.promote(b), want, "{a} with {b}");
            assert_eq!(b.promote(a), want, "{b} with {a}");
        }
    }

    #[test]
    fn promotion_is_commutative_and_idempotent() {
        for a in DType::every() {
            assert_eq!(a.promote(a), a);
            for b in DType::every() {
                assert_eq!(a.promote(b), b.promote(a));
            }
        }
    }

    #[test]
    fn alignment_is_that_of_the_rust_type() {
        for d in DType::every() {
            crate::with_element!(d, T => assert_eq!(d.align(), align_of::<T>(), "{d}"));
        }
    }

    #[test]
    fn names_round_trip() {
        for d in DType::every() {
            assert_eq!(DType::from_name(d.name()), Some(d));
        }
        assert_eq!(DType::from_name("float128"), None);
    }
}
