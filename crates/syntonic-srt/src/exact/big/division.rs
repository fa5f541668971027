//! Inverses, division with a remainder, and greatest common divisors of golden integers of any size.

use super::GoldenBig;
use super::number::kept;
use crate::exact::ExactError;
use crate::exact::divisors::gcd;
use crate::exact::ratio::Ratio;
use num_bigint::BigInt;
use num_traits::{One, Signed};

impl GoldenBig {
    /// The inverse of a unit `±φ^k`: its conjugate times its norm. Errors: [`ExactError::NotUnit`] where the norm is not 1 or -1.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// assert_eq!(GoldenBig::from(Golden::PHI).inverse()?, GoldenBig::new(-1, 1)?);
    /// assert!(GoldenBig::from(2).inverse().is_err());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn inverse(&self) -> Result<GoldenBig, ExactError> {
        let norm = self.norm();
        if !norm.magnitude().is_one() {
            return Err(ExactError::NotUnit { op: "inverse" });
        }
        let conjugate = self.conjugate()?;
        Ok(match norm.is_negative() {
            true => conjugate.negated(),
            false => conjugate,
        })
    }

    /// The quotient rounded down, `floor(x / y)` as real numbers. Errors: [`ExactError::ZeroDivisor`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// let phi = GoldenBig::from(Golden::PHI);
    /// assert_eq!(GoldenBig::new(10u128.pow(30), 0)?.floor_over(&phi)?.to_string(), "618033988749894848204586834365");
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn floor_over(&self, other: &GoldenBig) -> Result<BigInt, ExactError> {
        let op = "floor_over";
        if other.0.is_zero() {
            return Err(ExactError::ZeroDivisor { op });
        }
        let (x, y) = (Ratio::whole(self.0.clone()), Ratio::whole(other.0.clone()));
        x.floor_over(&y).ok_or(ExactError::Overflow { op })
    }

    /// What the quotient rounded down leaves, `x - y floor(x / y)`: it has the sign of the divisor. Errors: [`ExactError::ZeroDivisor`],
    /// and [`ExactError::TooLarge`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// let phi = GoldenBig::from(Golden::PHI);
    /// assert_eq!(GoldenBig::from(10).remainder(&phi)?, GoldenBig::new(10, -6)?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn remainder(&self, other: &GoldenBig) -> Result<GoldenBig, ExactError> {
        let whole = self.floor_over(other)?;
        let product = other.0.scaled(&whole);
        kept("remainder", product.and_then(|y| self.0.minus(&y)))
    }

    /// The greatest common divisor, the one of its associates that [`Golden::gcd`](crate::exact::Golden::gcd) gives. Numbers of a hundred
    /// thousand bits take seconds, and a caller who stops them gets [`ExactError::Interrupted`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig};
    ///
    /// let common = GoldenBig::from(Golden::new(3, 1)).power(40)?;
    /// let (x, y) = (common.times(&GoldenBig::from(7))?, common.times(&GoldenBig::from(4))?);
    /// assert_eq!(x.gcd(&y)?, common.gcd(&GoldenBig::zero())?);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn gcd(&self, other: &GoldenBig) -> Result<GoldenBig, ExactError> {
        let op = "gcd";
        let asked = || syntonic_core::interrupt::poll().map_err(|_| ExactError::Interrupted { op });
        kept(op, gcd(self.0.clone(), other.0.clone(), asked)?)
    }
}
