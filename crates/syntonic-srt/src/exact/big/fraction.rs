//! Fractions of the golden field of any size.

use super::GoldenBig;
use super::number::kept;
use crate::exact::parts::power;
use crate::exact::ratio::Ratio;
use crate::exact::{ExactError, Golden, GoldenFraction};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::cmp::Ordering;
use std::fmt;

/// `(a + b φ) / d` in lowest terms with an integer `d > 0`, all of at most [`GoldenBig::BITS`] bits: [`GoldenFraction`] beyond 64 bits.
///
/// ```
/// use syntonic_srt::exact::{GoldenBig, GoldenBigFraction};
///
/// let x = GoldenBigFraction::new(GoldenBig::new(0, 1)?, 10u128.pow(30))?;
/// let inverse = GoldenBigFraction::from(GoldenBig::one()).over(&x)?;
/// assert_eq!(inverse.times(&x)?, GoldenBigFraction::from(GoldenBig::one()));
/// # Ok::<(), syntonic_srt::exact::ExactError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GoldenBigFraction(pub(super) Ratio<BigInt>);

impl GoldenBigFraction {
    /// `numerator / denominator` in lowest terms. Errors: [`ExactError::ZeroDivisor`], and [`ExactError::TooLarge`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigFraction};
    ///
    /// let x = GoldenBigFraction::new(GoldenBig::new(2, 4)?, -6)?;
    /// assert_eq!((x.numerator(), x.denominator()), (GoldenBig::new(-1, -2)?, &3.into()));
    /// assert!(GoldenBigFraction::new(GoldenBig::one(), 0).is_err());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn new(
        numerator: GoldenBig,
        denominator: impl Into<BigInt>,
    ) -> Result<GoldenBigFraction, ExactError> {
        let (op, denominator) = ("fraction", denominator.into());
        match denominator.is_zero() {
            true => Err(ExactError::ZeroDivisor { op }),
            false => Self::kept(op, Some(Ratio::new(numerator.0, denominator))),
        }
    }

    /// What was computed, in lowest terms, if it is not too large.
    fn kept(
        op: &'static str,
        made: Option<Ratio<BigInt>>,
    ) -> Result<GoldenBigFraction, ExactError> {
        let bits = GoldenBig::BITS;
        let made = made.and_then(|made| made.lowest());
        let made = made.filter(|made| made.below.bits() <= bits);
        let Ratio { top, below } = made.ok_or(ExactError::TooLarge { op, bits })?;
        Ok(GoldenBigFraction(Ratio {
            top: kept(op, Some(top))?.0,
            below,
        }))
    }

    /// The part above the line.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigFraction};
    ///
    /// assert_eq!(GoldenBigFraction::new(GoldenBig::new(4, 2)?, 2)?.numerator(), GoldenBig::new(2, 1)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn numerator(&self) -> GoldenBig {
        GoldenBig(self.0.top.clone())
    }

    /// The part below it, which is positive.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigFraction};
    ///
    /// assert_eq!(GoldenBigFraction::new(GoldenBig::one(), -3)?.denominator(), &3.into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn denominator(&self) -> &BigInt {
        &self.0.below
    }

    /// The number in 64 bits. Errors: [`ExactError::Overflow`] where a part does not fit.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction, GoldenFraction};
    ///
    /// let third = GoldenFraction::new(Golden::PHI, 3)?;
    /// assert_eq!(GoldenBigFraction::from(third).narrow()?, third);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn narrow(&self) -> Result<GoldenFraction, ExactError> {
        let below = i64::try_from(&self.0.below);
        let below = below.map_err(|_| ExactError::Overflow { op: "narrow" })?;
        GoldenFraction::new(self.numerator().narrow()?, below)
    }

    /// The sum.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// let (half, third) = (GoldenBigFraction::new(1.into(), 2)?, GoldenBigFraction::new(Golden::PHI.into(), 3)?);
    /// assert_eq!(half.plus(&third)?, GoldenBigFraction::new(Golden::new(3, 2).into(), 6)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn plus(&self, other: &GoldenBigFraction) -> Result<GoldenBigFraction, ExactError> {
        Self::kept("plus", self.0.plus(&other.0))
    }

    /// The difference.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// let (half, third) = (GoldenBigFraction::new(1.into(), 2)?, GoldenBigFraction::new(Golden::PHI.into(), 3)?);
    /// assert_eq!(half.minus(&third)?, GoldenBigFraction::new(Golden::new(3, -2).into(), 6)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn minus(&self, other: &GoldenBigFraction) -> Result<GoldenBigFraction, ExactError> {
        Self::kept("minus", self.0.minus(&other.0))
    }

    /// The product.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// let half = GoldenBigFraction::new(Golden::PHI.into(), 2)?;
    /// assert_eq!(half.times(&half)?, GoldenBigFraction::new(Golden::new(1, 1).into(), 4)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn times(&self, other: &GoldenBigFraction) -> Result<GoldenBigFraction, ExactError> {
        Self::kept("times", self.0.times(&other.0))
    }

    /// The quotient: times the conjugate of the divisor, over its norm. Errors: [`ExactError::ZeroDivisor`], and [`ExactError::TooLarge`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// let (one, root) = (GoldenBigFraction::from(Golden::ONE), GoldenBigFraction::from(Golden::SQRT_5));
    /// // 1/√5 = √5/5.
    /// assert_eq!(one.over(&root)?, GoldenBigFraction::new(Golden::SQRT_5.into(), 5)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn over(&self, other: &GoldenBigFraction) -> Result<GoldenBigFraction, ExactError> {
        let op = "over";
        match other.0.top.is_zero() {
            true => Err(ExactError::ZeroDivisor { op }),
            false => Self::kept(op, self.0.over(&other.0)),
        }
    }

    /// The power, by squaring; with a negative exponent that of the inverse, which 0 has not. A power of 0 with the exponent 0 is 1.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// let third = GoldenBigFraction::new(Golden::PHI.into(), 3)?;
    /// let (up, down) = (third.power(200)?, third.power(-200)?);
    /// assert_eq!(up.times(&down)?, GoldenBigFraction::from(Golden::ONE));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn power(&self, exponent: i64) -> Result<GoldenBigFraction, ExactError> {
        let one = GoldenBigFraction::from(Golden::ONE);
        let base = match exponent < 0 {
            true => one.over(self)?,
            false => self.clone(),
        };
        power(one, base, exponent.unsigned_abs(), |x, y| x.times(y))
    }

    /// The quotient rounded down. Errors: [`ExactError::ZeroDivisor`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// let (ten, phi) = (GoldenBigFraction::from(Golden::from(10)), GoldenBigFraction::from(Golden::PHI));
    /// assert_eq!(ten.floor_over(&phi)?, 6.into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn floor_over(&self, other: &GoldenBigFraction) -> Result<BigInt, ExactError> {
        let op = "floor_over";
        if other.0.top.is_zero() {
            return Err(ExactError::ZeroDivisor { op });
        }
        let quotient = self.0.floor_over(&other.0);
        quotient.ok_or(ExactError::Overflow { op })
    }

    /// What the quotient rounded down leaves, `x - y floor(x / y)`: it has the sign of the divisor. Errors: [`ExactError::ZeroDivisor`],
    /// and [`ExactError::TooLarge`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// let (ten, phi) = (GoldenBigFraction::from(Golden::from(10)), GoldenBigFraction::from(Golden::PHI));
    /// assert_eq!(ten.remainder(&phi)?, GoldenBigFraction::from(Golden::new(10, -6)));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn remainder(&self, other: &GoldenBigFraction) -> Result<GoldenBigFraction, ExactError> {
        let whole = self.floor_over(other)?;
        let product = other.0.top.scaled(&whole);
        let product = product.map(|top| Ratio::new(top, other.0.below.clone()));
        Self::kept("remainder", product.and_then(|y| self.0.minus(&y)))
    }
}

impl From<GoldenBig> for GoldenBigFraction {
    fn from(numerator: GoldenBig) -> GoldenBigFraction {
        GoldenBigFraction(Ratio::whole(numerator.0))
    }
}

impl From<Golden> for GoldenBigFraction {
    fn from(numerator: Golden) -> GoldenBigFraction {
        GoldenBig::from(numerator).into()
    }
}

impl From<GoldenFraction> for GoldenBigFraction {
    fn from(x: GoldenFraction) -> GoldenBigFraction {
        let top = GoldenBig::from(x.numerator()).0;
        GoldenBigFraction(Ratio::new(top, x.denominator().into()))
    }
}

/// By value.
impl Ord for GoldenBigFraction {
    fn cmp(&self, other: &GoldenBigFraction) -> Ordering {
        self.0.compare(&other.0)
    }
}

impl PartialOrd for GoldenBigFraction {
    fn partial_cmp(&self, other: &GoldenBigFraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for GoldenBigFraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.below.is_one() {
            true => self.numerator().fmt(f),
            false => write!(f, "({})/{}", self.numerator(), self.0.below),
        }
    }
}
