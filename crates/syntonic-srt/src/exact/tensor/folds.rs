//! Sums and products along axes.

use super::error::at;
use super::{GoldenTensor, GoldenTensorError, Result};
use crate::exact::rows::Rows;
use crate::exact::{ExactError, Golden};
use syntonic_core::ops::reduce::Over;

/// Points as rows that are folded.
struct Folded {
    /// `[rows, length]`.
    points: GoldenTensor,
    rows: Rows,
}

impl Folded {
    fn of(op: &'static str, x: &GoldenTensor, over: &Over) -> Result<Folded> {
        let rows = Rows::of(op, x.shape(), over)?;
        Ok(Folded {
            points: x.placed(|t| rows.flat(t))?,
            rows,
        })
    }

    /// So many points in the shape of the result.
    fn shaped(&self, made: &GoldenTensor) -> Result<GoldenTensor> {
        let shape: Vec<isize> = self.rows.shape.iter().map(|&n| n as isize).collect(); // few: axes.
        made.reshape(&shape)
    }

    /// The error of a row, with its place in the result.
    fn told(&self, op: &'static str, error: GoldenTensorError) -> GoldenTensorError {
        match error {
            GoldenTensorError::Element { at: row, .. } => GoldenTensorError::Element {
                error: ExactError::Overflow { op },
                at: at(row.first().copied().unwrap_or(0), &self.rows.shape),
            },
            error => error,
        }
    }

    /// As many times the same number as there are rows.
    fn all(&self, number: Golden) -> Result<GoldenTensor> {
        let one = GoldenTensor::from_points(&[number], &[])?;
        one.to(self.points.device())?.spread(&[self.rows.count()])
    }
}

impl GoldenTensor {
    /// Sums over axes, as of [`Tensor::sum`](syntonic_core::Tensor::sum). They are taken in 128 bits, so that only a sum that does not fit is an error: [`ExactError::Overflow`] with its
    /// place. Other errors: axes out of range or named twice.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::ONE, Golden::PHI, Golden::PHI, Golden::new(i64::MAX, 0)], &[2, 2])?;
    /// assert_eq!(x.sum(&Over::from(1))?.to_points()?[0], Golden::new(1, 1));
    /// assert_eq!(x.sum(&Over::from(0).keep())?.shape(), [1, 2]);
    /// // The sum of all is 1 + (2^63 - 1), which is no 64-bit integer.
    /// assert!(x.sum(&Over::all()).is_err());
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn sum(&self, over: &Over) -> Result<GoldenTensor> {
        const OP: &str = "sum";
        let folded = Folded::of(OP, self, over)?;
        if folded.rows.length == 0 || folded.points.numel() == 0 {
            return folded.shaped(&folded.all(Golden::ZERO)?);
        }
        let ones = folded.ones()?;
        let made = folded.points.matmul(&ones);
        folded.shaped(&made.map_err(|error| folded.told(OP, error))?)
    }

    /// Products over axes, as of [`Tensor::prod`](syntonic_core::Tensor::prod); of none it is 1. The first half of a row is multiplied by its last half, until one number is left,
    /// so a row is an error where a product on the way does not fit: [`ExactError::Overflow`] with its place. Other errors: as of [`GoldenTensor::sum`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI; 6], &[2, 3])?;
    /// assert_eq!(x.prod(&Over::from(1))?.to_points()?, [Golden::new(1, 2); 2]);
    /// assert_eq!(x.prod(&Over::all())?.to_points()?, [Golden::new(5, 8)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn prod(&self, over: &Over) -> Result<GoldenTensor> {
        const OP: &str = "prod";
        let folded = Folded::of(OP, self, over)?;
        if folded.rows.length == 0 || folded.points.numel() == 0 {
            return folded.shaped(&folded.all(Golden::ONE)?);
        }
        let mut left = folded.points.clone();
        while left.shape()[1] > 1 {
            let length = left.shape()[1];
            let half = (length / 2) as isize;
            let part =
                |from: isize, to: isize| left.placed(|t| t.slice(1, Some(from), Some(to), 1));
            // The one in the middle of an odd number waits.
            let made = part(0, half)?.times(&part(length as isize - half, length as isize)?);
            let made = made.map_err(|error| folded.told(OP, error))?;
            left = match length % 2 {
                0 => made,
                _ => GoldenTensor::concat(&[&made, &part(half, half + 1)?], 1)?,
            };
        }
        folded.shaped(&left)
    }
}

impl Folded {
    /// A column of ones.
    fn ones(&self) -> Result<GoldenTensor> {
        let one = GoldenTensor::from_points(&[Golden::ONE], &[])?;
        one.to(self.points.device())?.spread(&[self.rows.length, 1])
    }
}
