//! Exact products of matrices.

use super::kernels::{Operands, PRODUCT, checked, pairs, points, run_named};
use super::{GoldenTensor, Result};
use crate::exact::ExactError;
use syntonic_core::layout::broadcast_pair;
use syntonic_core::{Error, describe, same_device};

impl GoldenTensor {
    /// The product of matrices `[.., m, k], [.., k, n] -> [.., m, n]`, stacks broadcast together. Sums are exact: they are taken
    /// in 128 bits from the first to the last term. Errors: shapes that do not go together, operands on different devices, and
    /// [`ExactError::Overflow`] with the place of the first element that does not fit.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let row = GoldenTensor::from_points(&[Golden::PHI, Golden::ONE], &[1, 2])?;
    /// let column = GoldenTensor::from_points(&[Golden::PHI, Golden::new(2, 0)], &[2, 1])?;
    /// // φ² + 2 = 3 + φ.
    /// assert_eq!(row.matmul(&column)?.to_points()?, [Golden::new(3, 1)]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn matmul(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        const OP: &str = "matmul";
        same_device(OP, &[&self.a, &other.a])?;
        let refuse = |hint: &str| Error::Shape {
            op: OP,
            operands: describe(&[&self.a, &other.a]),
            hint: hint.to_owned(),
        };
        let ([left @ .., m, k], [right @ .., inner, n]) = (self.shape(), other.shape()) else {
            return Err(refuse("takes matrices or stacks of them").into());
        };
        if k != inner {
            return Err(
                refuse("the last axis is as long as the other operand's last but one").into(),
            );
        }
        let Some(stack) = broadcast_pair(left, right) else {
            return Err(
                refuse("lengths of the stacks' axes are equal, or one of them is 1").into(),
            );
        };
        let with = |rows: usize, columns: usize| {
            let mut shape = stack.to_vec(); // few: axes.
            shape.extend([rows, columns]);
            shape
        };
        let (x, y) = (self.spread(&with(*m, *k))?, other.spread(&with(*k, *n))?);
        let shape = with(*m, *n);
        let stacks = stack.iter().product::<usize>();
        let operands = Operands {
            inputs: &pairs(&x, &y),
            outputs: &points(&shape),
            numbers: &[
                ("stacks", stacks.into()),
                ("m", (*m).into()),
                ("k", (*k).into()),
                ("n", (*n).into()),
            ],
            ..Operands::default()
        };
        // SAFETY: stacks of matrices with these lengths, two for the result, and one place.
        let made = unsafe { run_named(&PRODUCT, &operands)? };
        checked(made, |_| Ok(ExactError::Overflow { op: OP }))
    }
}
