//! Fractions of the golden field.

use super::Golden;
use super::error::{ExactError, fit};
use super::parts::power;
use super::ratio::Ratio;
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
        if denominator == 0 {
            return Err(ExactError::ZeroDivisor { op: "fraction" });
        }
        Self::fit(
            "fraction",
            Some(Ratio::new(numerator.wide(), denominator.into())),
        )
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

    /// In 128 bits.
    pub(super) fn wide(self) -> Ratio<i128> {
        Ratio::new(self.numerator.wide(), self.denominator.into())
    }

    /// What was computed without loss, in lowest terms, if it fits.
    fn fit(op: &'static str, made: Option<Ratio<i128>>) -> Result<GoldenFraction, ExactError> {
        let overflow = ExactError::Overflow { op };
        let made = made.and_then(|made| made.lowest()).ok_or(overflow)?;
        Ok(GoldenFraction {
            numerator: fit(op, Some(made.top))?,
            denominator: i64::try_from(made.below).map_err(|_| overflow)?,
        })
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
        Self::fit("plus", self.wide().plus(&other.wide()))
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
        Self::fit("minus", self.wide().minus(&other.wide()))
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
        Self::fit("times", self.wide().times(&other.wide()))
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
        let base = match exponent < 0 {
            true => one.over(self)?,
            false => self,
        };
        power(one, base, exponent.unsigned_abs().into(), |x, y| {
            x.times(*y)
        })
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
        if other == GoldenFraction::ZERO {
            return Err(ExactError::ZeroDivisor { op });
        }
        Self::fit(op, self.wide().over(&other.wide()))
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
        // Below 2^127 in magnitude: the denominators are at most 2^63 - 1.
        self.wide().compare(&other.wide())
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
