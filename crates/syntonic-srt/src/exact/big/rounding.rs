//! Golden numbers of any size as integers: rounded down, up, towards 0 and to the nearest.

use super::{GoldenBig, GoldenBigFraction};
use crate::exact::ratio::Ratio;
use num_bigint::BigInt;

impl GoldenBig {
    /// The largest integer that is at most `a + b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(0, 10u128.pow(20))?.floor().to_string(), "161803398874989484820");
    /// assert_eq!(GoldenBig::new(0, -1)?.floor(), (-2).into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn floor(&self) -> BigInt {
        self.0.floor()
    }

    /// The least integer that is at least `a + b φ`.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!(GoldenBig::new(0, 10u128.pow(20))?.ceil().to_string(), "161803398874989484821");
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn ceil(&self) -> BigInt {
        self.ratio().ceil()
    }

    /// The integer next to `a + b φ` on the side of 0.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!((GoldenBig::new(0, 1)?.trunc(), GoldenBig::new(0, -1)?.trunc()), (1.into(), (-1).into()));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn trunc(&self) -> BigInt {
        self.ratio().trunc()
    }

    /// The integer nearest to `a + b φ`; two are never equally near.
    ///
    /// ```
    /// use syntonic_srt::exact::GoldenBig;
    ///
    /// assert_eq!((GoldenBig::new(0, 1)?.round(), GoldenBig::new(0, -1)?.round()), (2.into(), (-2).into()));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn round(&self) -> BigInt {
        self.ratio().round_ties_even()
    }

    pub(super) fn ratio(&self) -> Ratio<BigInt> {
        Ratio::whole(self.0.clone())
    }
}

impl GoldenBigFraction {
    /// The largest integer that is at most the number.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// let half = GoldenBigFraction::new(Golden::new(0, -1).into(), 2)?;
    /// assert_eq!((half.floor(), half.ceil()), ((-1).into(), 0.into()));
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn floor(&self) -> BigInt {
        self.0.floor()
    }

    /// The least integer that is at least the number.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// assert_eq!(GoldenBigFraction::new(Golden::PHI.into(), 2)?.ceil(), 1.into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn ceil(&self) -> BigInt {
        self.0.ceil()
    }

    /// The integer next to the number on the side of 0.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// assert_eq!(GoldenBigFraction::new(Golden::new(0, -3).into(), 2)?.trunc(), (-2).into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn trunc(&self) -> BigInt {
        self.0.trunc()
    }

    /// The nearest integer; of two that are equally near, the even one.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBigFraction};
    ///
    /// assert_eq!(GoldenBigFraction::new(Golden::from(5).into(), 2)?.round_ties_even(), 2.into());
    /// # Ok::<(), syntonic_srt::exact::ExactError>(())
    /// ```
    pub fn round_ties_even(&self) -> BigInt {
        self.0.round_ties_even()
    }
}
