//! Operations by the element that give integers or floats.

use super::{GoldenBigArray, Result, each};
use crate::exact::{BigInt, GoldenBig};
use syntonic_core::Tensor;

impl GoldenBigArray {
    /// The norms `a² + a b - b²`, with 0 as the factors of φ. Errors: [`ExactError::TooLarge`](crate::exact::ExactError::TooLarge) with the place
    /// of the first element.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(0, 1)?, GoldenBig::new(3, 0)?], &[2])?;
    /// assert_eq!(x.norms()?.points(), [GoldenBig::from(-1), GoldenBig::from(9)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn norms(&self) -> Result<GoldenBigArray> {
        self.integers(GoldenBig::norm)
    }

    /// The largest integers that are at most the numbers, with 0 as the factors of φ.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(0, 1)?, GoldenBig::new(0, -1)?], &[2])?;
    /// assert_eq!(x.floor()?.points(), [GoldenBig::from(1), GoldenBig::from(-2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn floor(&self) -> Result<GoldenBigArray> {
        self.integers(GoldenBig::floor)
    }

    /// The least integers that are at least the numbers, with 0 as the factors of φ.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(0, 1)?, GoldenBig::new(0, -1)?], &[2])?;
    /// assert_eq!(x.ceil()?.points(), [GoldenBig::from(2), GoldenBig::from(-1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ceil(&self) -> Result<GoldenBigArray> {
        self.integers(GoldenBig::ceil)
    }

    /// The nearest integers, with 0 as the factors of φ.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(0, 1)?, GoldenBig::new(0, -1)?], &[2])?;
    /// assert_eq!(x.round()?.points(), [GoldenBig::from(2), GoldenBig::from(-2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn round(&self) -> Result<GoldenBigArray> {
        self.integers(GoldenBig::round)
    }

    /// The quotients rounded down, `floor(x / y)` as real numbers, with 0 as the factors of φ, broadcast together. Errors:
    /// [`ExactError::ZeroDivisor`](crate::exact::ExactError::ZeroDivisor) with the place of the first element, and those of [`GoldenBigArray::plus`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::from(10), GoldenBig::new(0, -7)?], &[2])?;
    /// let phi = GoldenBigArray::new(vec![Golden::PHI.into()], &[])?;
    /// assert_eq!(x.floor_over(&phi)?.points(), [GoldenBig::from(6), GoldenBig::from(-7)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn floor_over(&self, other: &GoldenBigArray) -> Result<GoldenBigArray> {
        self.pairs("floor_over", other, |x, y| {
            GoldenBig::new(x.floor_over(y)?, 0)
        })
    }

    /// The nearest `float64` values; infinities where a number is beyond all.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![Golden::PHI.into(), GoldenBig::from(3)], &[2])?;
    /// assert_eq!(x.to_floats()?.to_vec::<f64>()?, [(1.0 + 5f64.sqrt()) / 2.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_floats(&self) -> Result<Tensor> {
        let values = each(
            self.numel(),
            &self.shape,
            0,
            |k| Ok(self.points[k].to_f64()),
        )?;
        Ok(Tensor::from_vec(values, &self.shape)?)
    }

    fn integers(&self, of: fn(&GoldenBig) -> BigInt) -> Result<GoldenBigArray> {
        // A norm is twice as long.
        self.each_of(2 * self.bytes(), |x| GoldenBig::new(of(x), 0))
    }
}
