//! Fractions of the golden field.

use super::error::ExactError;
use super::golden::product;
use super::order::sign;
use super::{Golden, error::fit};
use std::cmp::Ordering;
use std::fmt;

/// `(a + b φ) / d` in lowest terms with an integer `d > 0`: an element of the field Q(φ). Equal elements have equal parts.
///
/// ```
/// use syntonic_srt::exact::{Golden, GoldenFraction};
/// let third = GoldenFraction::new(Golden::PHI, 3)?;
/// let inverse = GoldenFraction::from(Golden::ONE).over(third)?;
/// assert_eq!(inverse, GoldenFraction::from(Golden::new(-3, 3)));
/// assert_eq!(third.to_string(), "(0 + 1φ)/3");
/// # Ok::<(), syntonic_srt::exact::ExactError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GoldenFraction {
    numerator: Golden,
    denominator: i64,
}

/// The largest common divisor, of 0 and `n` that is `n`.
fn common(mut x: u128, mut y: u128) -> u128 {
    while y > 0 {
        (x, y) = (y, x % y);
    }
    x
}

/// The largest common divisor of coefficients and a denominator that is not zero, as a number to divide all of them by: the
/// denominator is positive then.
fn lowest(parts: [i128; 2], denominator: i128) -> i128 {
    let all = parts.map(i128::unsigned_abs);
    let divisor = common(common(all[0], all[1]), denominator.unsigned_abs());
    // 2^127 divides no more than the least number.
    let divisor = i128::try_from(divisor).unwrap_or(i128::MIN);
    if (denominator < 0) != (divisor < 0) {
        divisor.checked_neg().unwrap_or(divisor)
    } else {
        divisor
    }
}

impl GoldenFraction {
    /// 0.
    pub const ZERO: GoldenFraction = GoldenFraction {
        numerator: Golden::ZERO,
        denominator: 1,
    };

    /// `numerator / denominator` in lowest terms.
    ///
    /// Errors: [`ExactError::ZeroDivisor`], and [`ExactError::Overflow`] where a part is `i64::MIN` and its sign changes.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let x = GoldenFraction::new(Golden::new(2, 4), -6)?;
    /// assert_eq!((x.numerator(), x.denominator()), (Golden::new(-1, -2), 3));
    /// assert!(GoldenFraction::new(Golden::ONE, 0).is_err());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn new(numerator: Golden, denominator: i64) -> Result<GoldenFraction, ExactError> {
        Self::reduced("fraction", numerator.wide(), denominator.into())
    }

    /// The part above the line.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// assert_eq!(GoldenFraction::new(Golden::new(4, 2), 2)?.numerator(), Golden::new(2, 1));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn numerator(self) -> Golden {
        self.numerator
    }

    /// The part below it, which is positive.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// assert_eq!(GoldenFraction::new(Golden::PHI, -3)?.denominator(), 3);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    fn reduced(
        op: &'static str,
        (a, b): (i128, i128),
        denominator: i128,
    ) -> Result<GoldenFraction, ExactError> {
        if denominator == 0 {
            return Err(ExactError::ZeroDivisor { op });
        }
        let divisor = lowest([a, b], denominator);
        let part = |x: i128| x.checked_div(divisor).ok_or(ExactError::Overflow { op });
        Ok(GoldenFraction {
            numerator: fit(op, part(a)?, part(b)?)?,
            denominator: i64::try_from(part(denominator)?)
                .map_err(|_| ExactError::Overflow { op })?,
        })
    }

    fn below(self) -> i128 {
        self.denominator.into()
    }

    /// Both numerators over the product of the denominators, each of at most 126 bits.
    fn crossed(self, other: GoldenFraction) -> [(i128, i128); 2] {
        let by = |x: Golden, d: i128| (i128::from(x.a) * d, i128::from(x.b) * d);
        [
            by(self.numerator, other.below()),
            by(other.numerator, self.below()),
        ]
    }

    /// The sum.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let (half, third) = (GoldenFraction::new(Golden::ONE, 2)?, GoldenFraction::new(Golden::PHI, 3)?);
    /// assert_eq!(half.plus(third)?, GoldenFraction::new(Golden::new(3, 2), 6)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn plus(self, other: GoldenFraction) -> Result<GoldenFraction, ExactError> {
        let [(a, b), (c, d)] = self.crossed(other);
        match (a.checked_add(c), b.checked_add(d)) {
            (Some(a), Some(b)) => Self::reduced("plus", (a, b), self.below() * other.below()),
            _ => Err(ExactError::Overflow { op: "plus" }),
        }
    }

    /// The difference.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let (half, third) = (GoldenFraction::new(Golden::ONE, 2)?, GoldenFraction::new(Golden::PHI, 3)?);
    /// assert_eq!(half.minus(third)?, GoldenFraction::new(Golden::new(3, -2), 6)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn minus(self, other: GoldenFraction) -> Result<GoldenFraction, ExactError> {
        let [(a, b), (c, d)] = self.crossed(other);
        match (a.checked_sub(c), b.checked_sub(d)) {
            (Some(a), Some(b)) => Self::reduced("minus", (a, b), self.below() * other.below()),
            _ => Err(ExactError::Overflow { op: "minus" }),
        }
    }

    /// The product.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let half = GoldenFraction::new(Golden::PHI, 2)?;
    /// // φ² = 1 + φ.
    /// assert_eq!(half.times(half)?, GoldenFraction::new(Golden::new(1, 1), 4)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn times(self, other: GoldenFraction) -> Result<GoldenFraction, ExactError> {
        match product(self.numerator.wide(), other.numerator.wide()) {
            Some(parts) => Self::reduced("times", parts, self.below() * other.below()),
            None => Err(ExactError::Overflow { op: "times" }),
        }
    }

    /// The power, by squaring; with a negative exponent that of the inverse, which 0 has not. A power of 0 with the exponent 0 is 1.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let phi = GoldenFraction::from(Golden::PHI);
    /// assert_eq!(phi.power(-1)?, GoldenFraction::from(Golden::new(-1, 1)));
    /// assert!(GoldenFraction::from(Golden::ZERO).power(-1).is_err());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn power(self, exponent: i32) -> Result<GoldenFraction, ExactError> {
        let one = GoldenFraction::from(Golden::ONE);
        let mut square = match exponent < 0 {
            true => one.over(self)?,
            false => self,
        };
        let (mut result, mut left) = (one, exponent.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                result = result.times(square)?;
            }
            left /= 2;
            if left > 0 {
                square = square.times(square)?;
            }
        }
        Ok(result)
    }

    /// The quotient: times the conjugate of the divisor, over its norm.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let (one, root) = (GoldenFraction::from(Golden::ONE), GoldenFraction::from(Golden::new(-1, 2)));
    /// // 1/√5 = √5/5.
    /// assert_eq!(one.over(root)?, GoldenFraction::new(Golden::new(-1, 2), 5)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn over(self, other: GoldenFraction) -> Result<GoldenFraction, ExactError> {
        let op = "over";
        let overflow = ExactError::Overflow { op };
        let divisor = other.numerator;
        let norm = divisor.norm();
        if norm == 0 {
            return Err(ExactError::ZeroDivisor { op });
        }
        let (c, d) = (i128::from(divisor.a), i128::from(divisor.b));
        let parts = product(self.numerator.wide(), (c + d, -d)).ok_or(overflow)?;
        // In lowest terms before the denominators come in, so that fewer steps leave 128 bits.
        let first = lowest([parts.0, parts.1], norm);
        let divided = |x: i128| x.checked_div(first).ok_or(overflow);
        let (a, b, norm) = (divided(parts.0)?, divided(parts.1)?, divided(norm)?);
        let scaled = |x: i128, by: i128| x.checked_mul(by).ok_or(overflow);
        let parts = (scaled(a, other.below())?, scaled(b, other.below())?);
        Self::reduced(op, parts, scaled(norm, self.below())?)
    }

    /// In double precision, with a relative error of at most 9 roundings.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenFraction};
    ///
    /// let half = GoldenFraction::new(Golden::new(-1, 2), 2)?.to_f64();
    /// assert!((half - 5f64.sqrt() / 2.0).abs() < 1e-14);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn to_f64(self) -> f64 {
        self.numerator.to_f64() / self.denominator as f64
    }
}

impl From<Golden> for GoldenFraction {
    fn from(numerator: Golden) -> GoldenFraction {
        GoldenFraction {
            numerator,
            denominator: 1,
        }
    }
}

/// By value.
impl Ord for GoldenFraction {
    fn cmp(&self, other: &GoldenFraction) -> Ordering {
        let [(a, b), (c, d)] = self.crossed(*other);
        // Below 2^127 in magnitude: the denominators are at most 2^63 - 1.
        sign(a - c, b - d)
    }
}

impl PartialOrd for GoldenFraction {
    fn partial_cmp(&self, other: &GoldenFraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for GoldenFraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => self.numerator.fmt(f),
            d => write!(f, "({})/{d}", self.numerator),
        }
    }
}
