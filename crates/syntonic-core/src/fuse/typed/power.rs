//! Powers by small whole numbers and halves as products, quotients and roots: a few instructions in the place of a hundred, on every
//! device, in formulas as in gradients.
//!
//! With `u` the error of one rounding, each formula is within `4 u` of the power: the bound that [`Prim::Pow`] keeps. What is computed
//! on the way overflows or loses digits only where the power itself is 0 or infinite. So `x^-2` is the square of `1/x`: `x * x` would
//! overflow where `x^-2` is still a subnormal number. Zeros, infinities, NaN and negative numbers give what C's `pow` gives of them.
//! A power with no such formula, as `x^-6`, stays one.

use super::{Lowering, Value};
use crate::dtype::DType;
use crate::fuse::Prim;
use crate::scalar::Scalar;

/// How many halves the exponent has, where the power of numbers of this type has a short formula.
fn halves(exponent: Scalar, dtype: DType) -> Option<i8> {
    let exponent = match exponent {
        Scalar::Int(_) | Scalar::Float(_) => exponent.to_f64(),
        _ => return None,
    };
    let all = match dtype.is_float() {
        true => &[2, 4, 6, 8, 1, 3, 5, -1, -2, -3, -4, -5, -6, -8][..],
        // An integer has no root, and a complex 0 no reciprocal that is its power.
        false => &[2, 4, 6, 8],
    };
    let same = |&&k: &&i8| f64::from(k) == 2.0 * exponent;
    all.iter().find(same).copied()
}

/// True where the power of numbers of this type is computed without `pow`.
pub(crate) fn is_short_power(exponent: Scalar, dtype: DType) -> bool {
    halves(exponent, dtype).is_some()
}

/// The primitive that the power of numbers of this type is, where it is one.
pub(crate) fn power_as_primitive(exponent: Scalar, dtype: DType) -> Option<Prim> {
    match halves(exponent, dtype)? {
        4 => Some(Prim::Square),
        -2 => Some(Prim::Recip),
        _ => None,
    }
}

impl Lowering<'_> {
    /// The power of two nodes; `exponent` is what the second was made of.
    pub(super) fn power(&mut self, x: u32, by: u32, exponent: Value) -> u32 {
        self.short_power(x, exponent)
            .unwrap_or_else(|| self.primitive(Prim::Pow, &[x, by]))
    }

    fn short_power(&mut self, x: u32, exponent: Value) -> Option<u32> {
        use Prim::{Div, Mul, Recip, Rsqrt, Sqrt, Square};
        let Value::Number(exponent) = exponent else {
            return None;
        };
        let dtype = self.nodes[x as usize].dtype;
        if let Some(prim) = power_as_primitive(exponent, dtype) {
            return Some(self.primitive(prim, &[x]));
        }
        Some(match halves(exponent, dtype)? {
            2 => x,
            6 => {
                let square = self.primitive(Square, &[x]);
                self.primitive(Mul, &[square, x])
            }
            8 => {
                let square = self.primitive(Square, &[x]);
                self.primitive(Square, &[square])
            }
            1 => {
                let root = self.primitive(Sqrt, &[x]);
                let root = self.positive_zero(root);
                self.at_minus_infinity(x, root, f64::INFINITY)
            }
            3 => {
                let power = self.times_root(x, x);
                self.at_minus_infinity(x, power, f64::INFINITY)
            }
            5 => {
                let square = self.primitive(Square, &[x]);
                let positive = self.positive_zero(x);
                let power = self.times_root(square, positive);
                self.at_minus_infinity(x, power, f64::INFINITY)
            }
            -1 => {
                let positive = self.positive_zero(x);
                let power = self.primitive(Rsqrt, &[positive]);
                self.at_minus_infinity(x, power, 0.0)
            }
            -3 => {
                let positive = self.positive_zero(x);
                let inverse = self.primitive(Recip, &[positive]);
                self.times_root(inverse, inverse)
            }
            -4 => {
                let inverse = self.primitive(Recip, &[x]);
                self.primitive(Square, &[inverse])
            }
            -5 => {
                let positive = self.positive_zero(x);
                let inverse = self.primitive(Recip, &[positive]);
                let product = self.times_root(positive, positive);
                let power = self.primitive(Div, &[inverse, product]);
                self.at_minus_infinity(x, power, 0.0)
            }
            // Of the quotient `(1/x) / x^2` nothing is lost where `x^2` is: there it is 0 or infinite.
            -6 => {
                let (inverse, square) = (self.primitive(Recip, &[x]), self.primitive(Square, &[x]));
                self.primitive(Div, &[inverse, square])
            }
            // As above.
            -8 => {
                let square = self.primitive(Square, &[x]);
                let inverse = self.primitive(Recip, &[square]);
                self.primitive(Div, &[inverse, square])
            }
            _ => return None,
        })
    }

    fn times_root(&mut self, factor: u32, x: u32) -> u32 {
        let root = self.primitive(Prim::Sqrt, &[x]);
        self.primitive(Prim::Mul, &[factor, root])
    }

    /// The same number with zero as positive: to a power that is no whole number the sign of zero is lost.
    fn positive_zero(&mut self, x: u32) -> u32 {
        let zero = self.constant(Scalar::Float(0.0), self.nodes[x as usize].dtype);
        self.primitive(Prim::Add, &[x, zero])
    }

    /// `power`, and `there` where `x` is minus infinity, of which a root is NaN.
    fn at_minus_infinity(&mut self, x: u32, power: u32, there: f64) -> u32 {
        let dtype = self.nodes[x as usize].dtype;
        let end = self.constant(Scalar::Float(f64::NEG_INFINITY), dtype);
        let there = self.constant(Scalar::Float(there), dtype);
        let is_end = self.primitive(Prim::Eq, &[x, end]);
        self.primitive(Prim::Select, &[is_end, there, power])
    }
}
