//! Division with a remainder, and greatest common divisors, by the element: by the numbers' own definitions, on the CPU.

use super::error::at;
use super::{GoldenTensor, GoldenTensorError, Result};
use crate::exact::{ExactError, Golden, GoldenFraction};
use syntonic_core::{Tensor, room};

impl GoldenTensor {
    /// The quotients rounded down, `floor(x / y)` as real numbers, `int64`, broadcast together. The CPU computes them, for which operands on a GPU
    /// are copied there, and the result back.
    ///
    /// Errors: operands that do not broadcast or are on different devices; with the place of the first element
    /// [`ExactError::ZeroDivisor`], and [`ExactError::Overflow`] where a quotient, or a part of the fraction on the way, is no 64-bit integer.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::from(10), Golden::new(0, -7)], &[2])?;
    /// let phi = GoldenTensor::from_points(&[Golden::PHI], &[])?;
    /// assert_eq!(x.floor_over(&phi)?.to_vec::<i64>()?, [6, -7]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn floor_over(&self, other: &GoldenTensor) -> Result<Tensor> {
        let (whole, shape) = self.each("floor_over", other, |x, y| {
            let whole = GoldenFraction::from(x).floor_over(y.into())?;
            i64::try_from(whole).map_err(|_| ExactError::Overflow { op: "floor_over" })
        })?;
        Ok(Tensor::from_vec(whole, &shape)?.to(self.device())?)
    }

    /// What the quotients rounded down leave, `x - y floor(x / y)`, with the sign of the divisor. Where it is computed, and errors: as of
    /// [`GoldenTensor::floor_over`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::from(10), Golden::new(0, -7)], &[2])?;
    /// let phi = GoldenTensor::from_points(&[Golden::PHI], &[])?;
    /// assert_eq!(x.remainder(&phi)?.to_points()?, [Golden::new(10, -6), Golden::ZERO]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn remainder(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        let (points, shape) = self.each("remainder", other, |x, y| {
            Ok(GoldenFraction::from(x).remainder(y.into())?.numerator())
        })?;
        GoldenTensor::from_points(&points, &shape)?.to(self.device())
    }

    /// The greatest common divisors, as of [`Golden::gcd`], broadcast together. Where they are computed, and errors: as of
    /// [`GoldenTensor::floor_over`], but that 0 divides nothing and is no error.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::from(12), Golden::new(3, 1)], &[2])?;
    /// let y = GoldenTensor::from_points(&[Golden::from(18), Golden::from(11)], &[2])?;
    /// assert_eq!(x.gcd(&y)?.to_points()?, [Golden::from(6), Golden::new(3, 1)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn gcd(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        let (points, shape) = self.each("gcd", other, Golden::gcd)?;
        GoldenTensor::from_points(&points, &shape)?.to(self.device())
    }

    /// What pairs give, in the shape that both broadcast to.
    fn each<T>(
        &self,
        op: &'static str,
        other: &GoldenTensor,
        of: impl Fn(Golden, Golden) -> std::result::Result<T, ExactError>,
    ) -> Result<(Vec<T>, Vec<usize>)> {
        let (x, y) = self.together(op, other)?;
        let (points, others) = (x.to_points()?, y.to_points()?);
        let shape = x.shape().to_vec(); // few: axes.
        let mut made = room::empty(points.len())?;
        for (place, (&x, &y)) in points.iter().zip(&others).enumerate() {
            if place % UNASKED == 0 {
                syntonic_core::interrupt::poll().map_err(syntonic_core::Error::from)?;
            }
            made.push(of(x, y).map_err(|error| GoldenTensorError::Element {
                error,
                at: at(place, &shape),
            })?);
        }
        Ok((made, shape))
    }
}

/// Pairs that are taken before the caller is asked whether to go on.
const UNASKED: usize = 1 << 12;
