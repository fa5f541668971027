//! Sums and products along axes.

use super::error::at;
use super::{GoldenTensor, GoldenTensorError, Result};
use crate::exact::{ExactError, Golden};
use syntonic_core::layout::normalize_axes;
use syntonic_core::ops::reduce::Over;
use syntonic_core::run::Axes;

/// Rows whose points are folded, and what becomes of their shape.
struct Rows {
    /// `[rows, length]`.
    points: GoldenTensor,
    length: usize,
    shape: Vec<usize>,
}

impl Rows {
    fn of(op: &'static str, x: &GoldenTensor, over: &Over) -> Result<Rows> {
        let n = x.shape().len();
        let folded: Vec<usize> = match &over.axes {
            None => (0..n).collect(), // few: axes.
            Some(axes) => normalize_axes(op, axes, n)?.to_vec(),
        };
        let (mut order, mut shape) = (Vec::new(), Vec::new()); // few: axes.
        for (axis, &length) in x.shape().iter().enumerate() {
            match (folded.contains(&axis), over.keep) {
                (false, _) => {
                    order.push(axis as isize);
                    shape.push(length);
                }
                (true, Axes::Keep) => shape.push(1),
                (true, Axes::Drop) => {}
            }
        }
        order.extend(folded.iter().map(|&axis| axis as isize));
        let length: usize = folded.iter().map(|&axis| x.shape()[axis]).product();
        let rows: usize = shape.iter().product();
        let flat = |t: &syntonic_core::Tensor| {
            t.permute(&order)?
                .reshape(&[rows as isize, length as isize])
        };
        Ok(Rows {
            points: x.placed(flat)?,
            length,
            shape,
        })
    }

    /// So many points in the shape of the result.
    fn shaped(&self, made: &GoldenTensor) -> Result<GoldenTensor> {
        let shape: Vec<isize> = self.shape.iter().map(|&n| n as isize).collect(); // few: axes.
        made.reshape(&shape)
    }

    /// The error of a row, with its place in the result.
    fn told(&self, op: &'static str, error: GoldenTensorError) -> GoldenTensorError {
        match error {
            GoldenTensorError::Element { at: row, .. } => GoldenTensorError::Element {
                error: ExactError::Overflow { op },
                at: at(row.first().copied().unwrap_or(0), &self.shape),
            },
            error => error,
        }
    }

    /// As many times the same number as there are rows.
    fn all(&self, number: Golden) -> Result<GoldenTensor> {
        let rows: usize = self.shape.iter().product();
        let one = GoldenTensor::from_points(&[number], &[])?;
        one.to(self.points.device())?.spread(&[rows])
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
        let rows = Rows::of(OP, self, over)?;
        if rows.length == 0 || rows.points.numel() == 0 {
            return rows.shaped(&rows.all(Golden::ZERO)?);
        }
        let ones = rows.ones()?;
        let made = rows.points.matmul(&ones);
        rows.shaped(&made.map_err(|error| rows.told(OP, error))?)
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
        let rows = Rows::of(OP, self, over)?;
        if rows.length == 0 || rows.points.numel() == 0 {
            return rows.shaped(&rows.all(Golden::ONE)?);
        }
        let mut left = rows.points.clone();
        while left.shape()[1] > 1 {
            let length = left.shape()[1];
            let half = (length / 2) as isize;
            let part =
                |from: isize, to: isize| left.placed(|t| t.slice(1, Some(from), Some(to), 1));
            // The one in the middle of an odd number waits.
            let made = part(0, half)?.times(&part(length as isize - half, length as isize)?);
            let made = made.map_err(|error| rows.told(OP, error))?;
            left = match length % 2 {
                0 => made,
                _ => GoldenTensor::concat(&[&made, &part(half, half + 1)?], 1)?,
            };
        }
        rows.shaped(&left)
    }
}

impl Rows {
    /// A column of ones.
    fn ones(&self) -> Result<GoldenTensor> {
        let one = GoldenTensor::from_points(&[Golden::ONE], &[])?;
        one.to(self.points.device())?.spread(&[self.length, 1])
    }
}
