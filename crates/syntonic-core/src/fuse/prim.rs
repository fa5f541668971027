//! The primitives of the fusion language: one row each, and everything else is composed of them.
//!
//! A primitive acts on one element of each operand. A row says its name, how many operands it takes,
//! which kinds of numbers it accepts, what it yields, how exact it is and what it computes. Rust
//! bodies live in `cpu::lanes` (fast) and `fuse::reference` (obvious); derivatives in `fuse::derivative`.

use crate::dtype::DType;

/// The kinds of operands a primitive accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// Every element type that is computed with; those of storage no primitive takes.
    Any,
    /// Everything but `bool`.
    Numeric,
    /// Integers and real floats.
    Real,
    /// Real floats; integers and `bool` are first converted to `float64`.
    Float,
    /// Real and complex floats; integers and `bool` are first converted to `float64`.
    Inexact,
    /// Integers only.
    Integer,
    /// `bool` and integers.
    Bits,
    /// `bool`; any other type is first compared with zero.
    Truth,
}

/// The element type a primitive yields, from the common type of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// The operands' common type.
    Same,
    /// `bool`.
    Bool,
    /// The type of the real part.
    Real,
    /// The complex type of the operands' precision.
    Complex,
}

macro_rules! primitives {
    ($($name:ident $text:literal $arity:literal $accepts:ident $yields:ident $ulp:literal $doc:literal;)*) => {
        /// A primitive operation of the fusion language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Prim {
            $(#[doc = $doc] $name,)*
        }

        impl Prim {
            /// Every primitive, in declaration order.
            pub const ALL: &'static [Prim] = &[$(Prim::$name),*];

            /// The row of the table that declares this primitive.
            ///
            /// ```
            /// use syntonic_core::fuse::Prim;
            ///
            /// assert_eq!((Prim::Fma.row().name, Prim::Fma.row().arity), ("fma", 3));
            /// ```
            pub const fn row(self) -> &'static Row {
                match self {
                    $(Prim::$name => &Row {
                        name: $text, arity: $arity, accepts: Accepts::$accepts,
                        yields: Yields::$yields, ulp: $ulp, doc: $doc,
                    },)*
                }
            }
        }

        /// What a primitive computes, as text for documents.
        macro_rules! formula_of {
            $(($name) => { $doc };)*
        }
        pub(crate) use formula_of;
    };
}

/// The declaration of one primitive.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name users call it by.
    pub name: &'static str,
    /// The number of operands.
    pub arity: usize,
    /// The operands it takes.
    pub accepts: Accepts,
    /// The type it yields.
    pub yields: Yields,
    /// The largest error of the float versions in units of the last place; 0 is exactly rounded. Of `logaddexp` in units of 1 where the
    /// result is less.
    pub ulp: u32,
    /// What it computes.
    pub doc: &'static str,
}

primitives! {
    // Arithmetic.
    Neg      "negative"    1 Numeric Same 0 "-x; integers wrap.";
    Abs      "abs"         1 Numeric Real 2 "|x|; for complex numbers hypot(re, im). The smallest signed integer wraps.";
    Sign     "sign"        1 Numeric Same 2 "-1, 0 or 1; NaN stays NaN; for complex numbers x/|x|, and 0 at 0.";
    Square   "square"      1 Numeric Same 2 "x*x.";
    Sqrt     "sqrt"        1 Inexact Same 2 "Square root, principal branch for complex numbers.";
    Rsqrt    "rsqrt"       1 Float Same 2 "1/sqrt(x).";
    Recip    "reciprocal"  1 Inexact Same 4 "1/x.";
    Add      "add"         2 Any Same 0 "a + b; integers wrap, bool is logical or.";
    Sub      "subtract"    2 Numeric Same 0 "a - b; integers wrap.";
    Mul      "multiply"    2 Any Same 2 "a * b; integers wrap, bool is logical and.";
    Div      "divide"      2 Inexact Same 4 "a / b.";
    FloorDiv "floor_divide" 2 Real Same 1 "floor(a / b); integers: x // 0 is 0.";
    Rem      "remainder"   2 Real Same 1 "a - floor(a/b)*b, with the sign of b; integers: x % 0 is 0.";
    Pow      "pow"         2 Numeric Same 4 "a to the power b; a negative integer exponent gives 0 except for bases 1 and -1.";
    Fma      "fma"         3 Float Same 0 "a*b + c, rounded once.";
    // Ordering.
    Min      "minimum"     2 Real Same 0 "The smaller; NaN if either is NaN.";
    Max      "maximum"     2 Real Same 0 "The larger; NaN if either is NaN.";
    Eq       "equal"         2 Any Bool 0 "a == b.";
    Ne       "not_equal"     2 Any Bool 0 "a != b.";
    Lt       "less"          2 Real Bool 0 "a < b.";
    Le       "less_equal"    2 Real Bool 0 "a <= b.";
    Gt       "greater"       2 Real Bool 0 "a > b.";
    Ge       "greater_equal" 2 Real Bool 0 "a >= b.";
    // Exponentials and logarithms.
    Exp      "exp"         1 Inexact Same 2 "e^x.";
    Expm1    "expm1"       1 Inexact Same 4 "e^x - 1, exact near 0.";
    Exp2     "exp2"        1 Float Same 2 "2^x.";
    Log      "log"         1 Inexact Same 2 "Natural logarithm, principal branch for complex numbers.";
    Log1p    "log1p"       1 Inexact Same 4 "ln(1 + x), exact near 0.";
    Log2     "log2"        1 Inexact Same 2 "Logarithm to base 2.";
    Log10    "log10"       1 Inexact Same 2 "Logarithm to base 10.";
    LogAddExp "logaddexp"  2 Float Same 4 "ln(e^a + e^b) without overflow. A result below 1 is as exact as 1: near 0 two larger numbers cancel.";
    // Trigonometric and hyperbolic.
    Sin      "sin"         1 Inexact Same 2 "Sine, radians.";
    Cos      "cos"         1 Inexact Same 2 "Cosine, radians.";
    Tan      "tan"         1 Inexact Same 4 "Tangent, radians.";
    Asin     "asin"        1 Inexact Same 4 "Inverse sine, radians.";
    Acos     "acos"        1 Inexact Same 4 "Inverse cosine, radians.";
    Atan     "atan"        1 Inexact Same 4 "Inverse tangent, radians.";
    Atan2    "atan2"       2 Float Same 4 "Angle of the point (x = b, y = a), in (-pi, pi].";
    Sinh     "sinh"        1 Inexact Same 4 "Hyperbolic sine.";
    Cosh     "cosh"        1 Inexact Same 4 "Hyperbolic cosine.";
    Tanh     "tanh"        1 Inexact Same 4 "Hyperbolic tangent.";
    Asinh    "asinh"       1 Inexact Same 4 "Inverse hyperbolic sine.";
    Acosh    "acosh"       1 Inexact Same 4 "Inverse hyperbolic cosine.";
    Atanh    "atanh"       1 Inexact Same 4 "Inverse hyperbolic tangent.";
    Erf      "erf"         1 Float Same 4 "Error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.";
    Erfc     "erfc"        1 Float Same 8 "1 - erf(x), exact for large x.";
    Hypot    "hypot"       2 Float Same 2 "sqrt(a^2 + b^2) without overflow.";
    // Rounding and representation.
    Floor    "floor"       1 Real Same 0 "The largest integer not above x.";
    Ceil     "ceil"        1 Real Same 0 "The smallest integer not below x.";
    Trunc    "trunc"       1 Real Same 0 "The integer part of x.";
    Round    "round"       1 Numeric Same 0 "The nearest integer, halves to even; complex numbers by parts.";
    CopySign "copysign"    2 Float Same 0 "The magnitude of a with the sign of b.";
    NextAfter "nextafter"  2 Float Same 0 "The next number from a towards b.";
    SignBit  "signbit"     1 Float Bool 0 "True if the sign bit is set.";
    IsNan    "isnan"       1 Numeric Bool 0 "True for NaN (either part of a complex number).";
    IsInf    "isinf"       1 Numeric Bool 0 "True for an infinity (either part of a complex number).";
    IsFinite "isfinite"    1 Numeric Bool 0 "True for a number that is neither NaN nor infinite.";
    // Complex parts.
    Real     "real"        1 Numeric Real 0 "The real part.";
    Imag     "imag"        1 Numeric Real 0 "The imaginary part; 0 for real numbers.";
    Conj     "conj"        1 Numeric Same 0 "The complex conjugate; real numbers unchanged.";
    Complex  "complex"     2 Float Complex 0 "re + i*im.";
    // Truth and bits.
    Not      "logical_not" 1 Truth Bool 0 "True where x is zero.";
    And      "logical_and" 2 Truth Bool 0 "True where both are non-zero.";
    Or       "logical_or"  2 Truth Bool 0 "True where either is non-zero.";
    Xor      "logical_xor" 2 Truth Bool 0 "True where exactly one is non-zero.";
    BitNot   "bitwise_invert" 1 Bits Same 0 "Every bit flipped; for bool logical not.";
    BitAnd   "bitwise_and" 2 Bits Same 0 "Bitwise and.";
    BitOr    "bitwise_or"  2 Bits Same 0 "Bitwise or.";
    BitXor   "bitwise_xor" 2 Bits Same 0 "Bitwise exclusive or.";
    Shl      "bitwise_left_shift"  2 Integer Same 0 "a shifted left by b bits; b outside 0..width gives 0.";
    Shr      "bitwise_right_shift" 2 Integer Same 0 "a shifted right by b bits, keeping the sign; b outside 0..width gives 0, or -1 for negative a.";
    // Choice.
    Select   "where"       3 Any Same 0 "b where the condition a is true, else c.";
}

impl Prim {
    /// The name users call it by.
    ///
    /// ```
    /// use syntonic_core::fuse::Prim;
    ///
    /// assert_eq!((Prim::Add.name(), Prim::Recip.name()), ("add", "reciprocal"));
    /// ```
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The number of operands.
    ///
    /// ```
    /// use syntonic_core::fuse::Prim;
    ///
    /// assert_eq!((Prim::Neg.arity(), Prim::Add.arity(), Prim::Select.arity()), (1, 2, 3));
    /// ```
    pub const fn arity(self) -> usize {
        self.row().arity
    }

    /// The type the operands are converted to, from their common type; `None` if it is not accepted, as a type of storage never is.
    ///
    /// For [`Prim::Select`] the common type is that of the two branches.
    ///
    /// ```
    /// use syntonic_core::fuse::Prim;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Prim::Sqrt.operand_dtype(DType::I32), Some(DType::F64));
    /// assert_eq!(Prim::Neg.operand_dtype(DType::Bool), None);
    /// ```
    pub fn operand_dtype(self, common: DType) -> Option<DType> {
        if common.is_stored() {
            return None;
        }
        match self.row().accepts {
            Accepts::Any => Some(common),
            Accepts::Numeric => (!common.is_bool()).then_some(common),
            Accepts::Real => (common.is_integer() || common.is_float()).then_some(common),
            Accepts::Float => (!common.is_complex()).then(|| common.to_inexact()),
            Accepts::Inexact => Some(common.to_inexact()),
            Accepts::Integer => common.is_integer().then_some(common),
            Accepts::Bits => (common.is_integer() || common.is_bool()).then_some(common),
            Accepts::Truth => Some(DType::Bool),
        }
    }

    /// The type it yields when its operands have type `operand` (after [`Prim::operand_dtype`]).
    ///
    /// ```
    /// use syntonic_core::fuse::Prim;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Prim::Lt.result_dtype(DType::F32), DType::Bool);
    /// assert_eq!(Prim::Abs.result_dtype(DType::C64), DType::F32);
    /// ```
    pub fn result_dtype(self, operand: DType) -> DType {
        match self.row().yields {
            Yields::Same => operand,
            Yields::Bool => DType::Bool,
            Yields::Real => operand.real(),
            Yields::Complex => operand.complex(),
        }
    }
}

/// What a function takes, in operations like an addition.
pub(crate) const FUNCTION: usize = 12;

impl Prim {
    /// What it takes, in operations like an addition: a division or a root takes as much as a function.
    pub(crate) fn operations(self) -> usize {
        match self {
            Prim::Abs | Prim::Sign | Prim::Square | Prim::Mul => 1,
            exact if exact.row().ulp == 0 => 1,
            _ => FUNCTION,
        }
    }

    /// The comparison that says of (b, a) what this one says of (a, b), if it is one.
    pub(crate) fn mirrored(self) -> Option<Prim> {
        Some(match self {
            Prim::Lt => Prim::Gt,
            Prim::Le => Prim::Ge,
            Prim::Gt => Prim::Lt,
            Prim::Ge => Prim::Le,
            Prim::Eq | Prim::Ne => self,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_well_formed() {
        let mut names = std::collections::HashSet::new();
        for prim in Prim::ALL {
            assert!(names.insert(prim.name()), "{} twice", prim.name());
            assert!((1..=3).contains(&prim.arity()), "{}", prim.name());
            assert!(prim.row().doc.ends_with('.'), "{}", prim.name());
        }
    }
}
