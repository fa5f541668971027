//! Powers and inverses by the element.

use super::error::at;
use super::{GoldenTensor, GoldenTensorError, Result};
use crate::exact::parts::power;
use crate::exact::{ExactError, Golden};

impl GoldenTensor {
    /// The power with one integer exponent for all, by squaring; with a negative one that of the inverses. A power of 0 is 1.
    ///
    /// Errors: [`ExactError::Overflow`] with the place of the first element where a power on the way is too large, and as of
    /// [`GoldenTensor::inverse`] for a negative exponent.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI, Golden::new(-1, 0)], &[2])?;
    /// assert_eq!(x.power(10)?.to_points()?, [Golden::new(34, 55), Golden::ONE]);
    /// assert_eq!(x.power(-1)?.to_points()?, [Golden::new(-1, 1), Golden::new(-1, 0)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn power(&self, exponent: i32) -> Result<GoldenTensor> {
        const OP: &str = "power";
        let told = |error| match error {
            GoldenTensorError::Element {
                error: ExactError::Overflow { .. },
                at,
            } => GoldenTensorError::Element {
                error: ExactError::Overflow { op: OP },
                at,
            },
            error => error,
        };
        let base = match exponent < 0 {
            true => self.inverse()?,
            false => self.clone(),
        };
        let one = GoldenTensor::from_points(&[Golden::ONE], &[])?.to(self.device())?;
        let one = one.spread(self.shape())?;
        power(one, base, exponent.unsigned_abs().into(), |x, y| {
            x.times(y).map_err(told)
        })
    }

    /// The inverses, where they are golden integers: those of the units `±φ^k`, whose norm is 1 or -1, are their conjugates times their norms.
    ///
    /// Errors: [`ExactError::NotUnit`] with the place of the first element that is no unit, and [`ExactError::Overflow`] where a coefficient
    /// becomes too large.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI, Golden::new(1, 1)], &[2])?;
    /// assert_eq!(x.times(&x.inverse()?)?.to_points()?, [Golden::ONE; 2]);
    /// assert!(GoldenTensor::from_points(&[Golden::ONE, Golden::from(2)], &[2])?.inverse().is_err());
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn inverse(&self) -> Result<GoldenTensor> {
        // A norm that is too large is none of a unit.
        let norms = self.norms().ok();
        let units = match &norms {
            Some(norms) => norms.abs()?.equal(1i64)?.all(..)?.to_scalar::<bool>()?,
            None => false,
        };
        let Some(norms) = norms.filter(|_| units) else {
            let points = self.to_points()?;
            let first = points.iter().position(|x| x.norm().abs() != 1);
            return Err(GoldenTensorError::Element {
                error: ExactError::NotUnit { op: "inverse" },
                at: at(first.unwrap_or(0), self.shape()),
            });
        };
        let zeros = norms.try_mul(0i64)?.eval()?;
        self.conjugate()?
            .times(&GoldenTensor { a: norms, b: zeros })
    }
}
