//! An element of the golden lattice.

use super::error::{ExactError, fit};
use super::parts::{Parts, power};
use std::fmt;

/// `a + b φ` with integers `a` and `b`: an element of the ring Z\[φ\], the integers of the field Q(φ), in which `φ² = φ + 1`.
///
/// Operations that can leave 64 bits are computed in 128 and give [`ExactError::Overflow`]; nothing wraps or rounds.
///
/// ```
/// use syntonic_srt::exact::Golden;
/// let square = Golden::PHI.times(Golden::PHI)?;
/// assert_eq!(square, Golden::PHI.plus(Golden::ONE)?);
/// assert_eq!(square.to_string(), "1 + 1φ");
/// assert!(Golden::new(i64::MAX, 0).plus(Golden::ONE).is_err());
/// # Ok::<(), syntonic_srt::exact::ExactError>(())
/// ```
///
/// Source: Hardy and Wright, *An Introduction to the Theory of Numbers*, chapter XIV (the field k(√5)).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Golden {
    /// The rational part.
    pub a: i64,
    /// The factor of φ.
    pub b: i64,
}

impl Golden {
    /// 0.
    pub const ZERO: Golden = Golden { a: 0, b: 0 };
    /// 1.
    pub const ONE: Golden = Golden { a: 1, b: 0 };
    /// φ.
    pub const PHI: Golden = Golden { a: 0, b: 1 };
    /// √5 = -1 + 2φ.
    pub const SQRT_5: Golden = Golden { a: -1, b: 2 };

    /// `a + b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::new(0, 1), Golden::PHI);
    /// assert_eq!(Golden::new(2, -3).to_string(), "2 - 3φ");
    /// ```
    pub const fn new(a: i64, b: i64) -> Golden {
        Golden { a, b }
    }

    /// In 128 bits.
    pub(super) fn wide(self) -> Parts<i128> {
        Parts::new(self.a.into(), self.b.into())
    }

    /// `(a + c) + (b + d) φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::new(1, 2).plus(Golden::new(10, 20))?, Golden::new(11, 22));
    /// assert!(Golden::new(i64::MAX, 0).plus(Golden::ONE).is_err());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn plus(self, other: Golden) -> Result<Golden, ExactError> {
        fit("plus", self.wide().plus(&other.wide()))
    }

    /// `(a - c) + (b - d) φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::new(1, 2).minus(Golden::new(10, 20))?, Golden::new(-9, -18));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn minus(self, other: Golden) -> Result<Golden, ExactError> {
        fit("minus", self.wide().minus(&other.wide()))
    }

    /// `-a - b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::new(1, -2).negated()?, Golden::new(-1, 2));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn negated(self) -> Result<Golden, ExactError> {
        Golden::ZERO.minus(self)
    }

    /// `(a c + b d) + (a d + b c + b d) φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// // φ² = 1 + φ.
    /// assert_eq!(Golden::PHI.times(Golden::PHI)?, Golden::new(1, 1));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn times(self, other: Golden) -> Result<Golden, ExactError> {
        fit("times", self.wide().times(&other.wide()))
    }

    /// `a + b φ` times φ: `b + (a + b) φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::new(3, 5).times_phi()?, Golden::new(5, 8));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn times_phi(self) -> Result<Golden, ExactError> {
        fit("times_phi", self.wide().times_phi())
    }

    /// `a + b φ` over φ: `(b - a) + a φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::new(5, 8).over_phi()?, Golden::new(3, 5));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn over_phi(self) -> Result<Golden, ExactError> {
        fit("over_phi", self.wide().over_phi())
    }

    /// The conjugate, by φ ↦ 1 - φ: `(a + b) - b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::PHI.conjugate()?, Golden::new(1, -1));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn conjugate(self) -> Result<Golden, ExactError> {
        fit("conjugate", self.wide().conjugate())
    }

    /// The norm, the product with the conjugate: `a² + a b - b²`. It always fits.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!((Golden::PHI.norm(), Golden::new(3, 0).norm()), (-1, 9));
    /// ```
    pub fn norm(self) -> i128 {
        // At most 0.625 × 2^127.
        self.wide().norm()
    }

    /// The trace, the sum with the conjugate: `2 a + b`.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!((Golden::PHI.trace(), Golden::new(3, 0).trace()), (1, 6));
    /// ```
    pub fn trace(self) -> i128 {
        self.wide().trace()
    }

    /// The absolute value.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// // 1 - φ is negative.
    /// assert_eq!(Golden::new(1, -1).magnitude()?, Golden::new(-1, 1));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn magnitude(self) -> Result<Golden, ExactError> {
        match self.signum() {
            -1 => self.negated(),
            _ => Ok(self),
        }
    }

    /// The power with an exponent of 0 or more, by squaring; a power of 0 is 1.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::PHI.power(10)?, Golden::new(34, 55));
    /// assert_eq!(Golden::ZERO.power(0)?, Golden::ONE);
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn power(self, exponent: u32) -> Result<Golden, ExactError> {
        power(Golden::ONE, self, exponent.into(), |x, y| x.times(*y))
    }

    /// `a + b φ` in double precision, with a relative error of at most 7 roundings (7 × 2^-53).
    ///
    /// Where `a` and `b` have opposite signs, their sum would lose digits. There it is the norm, an exact integer, over the
    /// conjugate, whose two parts have one sign.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!(Golden::PHI.to_f64(), (1.0 + 5f64.sqrt()) / 2.0);
    /// // A small difference of large numbers keeps its digits: it is φ^-30.
    /// let small = Golden::new(1_346_269, -832_040).to_f64();
    /// assert!((small / Golden::PHI.to_f64().powi(-30) - 1.0).abs() < 1e-13);
    /// ```
    pub fn to_f64(self) -> f64 {
        let (a, b) = (self.a as f64, self.b as f64);
        if self.a.signum() * self.b.signum() >= 0 {
            return a + b * crate::constants::PHI;
        }
        self.norm() as f64 / (a - b * crate::constants::INV_PHI)
    }
}

impl From<i64> for Golden {
    fn from(a: i64) -> Golden {
        Golden::new(a, 0)
    }
}

impl fmt::Display for Golden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.b < 0 { '-' } else { '+' };
        write!(f, "{} {sign} {}φ", self.a, self.b.unsigned_abs())
    }
}
