//! Points in other places: what is done to both coefficients alike.

use super::{GoldenTensor, Result};
use syntonic_core::{DType, Error, Tensor, describe};

impl GoldenTensor {
    /// The points where `of` puts them: it is done to both coefficients, and moves elements alone, as indices, slices and transposes do.
    ///
    /// Errors: those of `of`, and results of other types or of two shapes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::ONE, Golden::PHI, Golden::SQRT_5], &[3])?;
    /// assert_eq!(x.placed(|t| t.index(1))?.to_points()?, [Golden::PHI]);
    /// let picked = Tensor::from([2i64, 0, 2]);
    /// assert_eq!(x.placed(|t| t.take(&picked, 0))?.to_points()?, [Golden::SQRT_5, Golden::ONE, Golden::SQRT_5]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn placed(
        &self,
        of: impl Fn(&Tensor) -> syntonic_core::Result<Tensor>,
    ) -> Result<GoldenTensor> {
        GoldenTensor::of_parts(of(&self.a)?, of(&self.b)?)
    }

    /// Several one behind the other along an axis that they have. Errors: as of [`Tensor::concat`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::ONE, Golden::PHI], &[1, 2])?;
    /// assert_eq!(GoldenTensor::concat(&[&x, &x], 0)?.shape(), [2, 2]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn concat(all: &[&GoldenTensor], axis: isize) -> Result<GoldenTensor> {
        joined(all, |parts| Tensor::concat(parts, axis))
    }

    /// Several of one shape along a new axis. Errors: as of [`Tensor::stack`].
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::ONE, Golden::PHI], &[2])?;
    /// let both = GoldenTensor::stack(&[&x, &x], 1)?;
    /// assert_eq!(both.to_points()?, [Golden::ONE, Golden::ONE, Golden::PHI, Golden::PHI]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn stack(all: &[&GoldenTensor], axis: isize) -> Result<GoldenTensor> {
        joined(all, |parts| Tensor::stack(parts, axis))
    }

    /// Coefficients that were made from those of points.
    fn of_parts(a: Tensor, b: Tensor) -> Result<GoldenTensor> {
        if a.shape() == b.shape() && a.dtype() == b.dtype() && a.dtype() == DType::I64 {
            return Ok(GoldenTensor { a, b });
        }
        Err(Error::Shape {
            op: "placed",
            operands: describe(&[&a, &b]),
            hint: "both coefficients stay int64 of one shape".into(),
        }
        .into())
    }
}

fn joined(
    all: &[&GoldenTensor],
    join: impl Fn(&[&Tensor]) -> syntonic_core::Result<Tensor>,
) -> Result<GoldenTensor> {
    let part = |of: fn(&GoldenTensor) -> &Tensor| {
        let parts = syntonic_core::room::collected(all.iter().map(|x| of(x)))?;
        join(&parts)
    };
    GoldenTensor::of_parts(part(GoldenTensor::a)?, part(GoldenTensor::b)?)
}
