//! The measured products of 8-bit numbers with a scale for each row of the first factor and each column of the second.

use anyhow::Result;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::linalg::{matmul, scaled_matmul};
use syntonic_core::{DType, Tensor, cpu};

use super::product_rows::{Wanted, lines, wide};
use crate::gpu::bounds::{magnitudes, rounding};

/// `rows[:, None] * columns * (a @ b.T)` of 8-bit matrices, in [`ScaledRow::RESULT`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScaledRow {
    dtype: DType,
    /// The largest number of the matrices, which are whole.
    largest: f64,
}

impl ScaledRow {
    /// All numbers of the type but the least.
    pub(super) const INT8: ScaledRow = ScaledRow {
        dtype: DType::I8,
        largest: 127.0,
    };
    /// A tensor core keeps 13 bits below the largest term of a sum. Of numbers to 7 and both signs, 8192 products add up to less than 2^13
    /// on the way: sums are exact on every card, and a wrong one is seen.
    pub(super) const FP8: ScaledRow = ScaledRow {
        dtype: DType::F8E4M3,
        largest: 7.0,
    };
    /// The type of the result.
    pub(super) const RESULT: DType = DType::BF16;

    /// Of both factors and their scales; the second factor is the transpose of a row-major matrix, as weights are kept.
    pub(super) fn shapes([m, k, n]: [usize; 3]) -> Vec<Vec<usize>> {
        vec![vec![m, k], vec![n, k], vec![m], vec![n]]
    }

    /// From numbers between -1 and 1.
    pub(super) fn operands(self, drawn: &[Tensor]) -> Result<Vec<Tensor>> {
        let each = drawn.iter().map(|x| {
            let x = x.cast(DType::F32)?;
            Ok(match x.ndim() {
                2 => {
                    let large = apply(Prim::Mul, &[(&x).into(), self.largest.into()])?;
                    let whole = apply(Prim::Round, &[(&large).into()])?;
                    whole.cast(self.dtype)?.eval()?
                }
                // Scales are positive.
                _ => apply(Prim::Add, &[(&x.abs()?).into(), 0.5.into()])?.eval()?,
            })
        });
        each.collect()
    }

    /// The measured call.
    pub(super) fn work(self, x: &[Tensor]) -> Result<Tensor> {
        let second = x[1].transpose(0, 1)?;
        Ok(scaled_matmul(&x[0], &second, &x[2], &x[3], Self::RESULT)?)
    }

    /// The result at the places of [`lines`], before it is rounded to its type: sums are exact, and each of two scales is a rounding of
    /// `float32`.
    pub(super) fn wanted(x: &[Tensor]) -> Result<Wanted> {
        let rows_of = |t: &Tensor| -> Result<Tensor> { wide(&lines(&t.cast(DType::F32)?)?) };
        let whole = |t: &Tensor| -> Result<Tensor> { wide(&t.cast(DType::F32)?.to(&cpu())?) };
        let times = |a: &Tensor, b: &Tensor| apply(Prim::Mul, &[a.into(), b.into()]);
        let sums = matmul(&rows_of(&x[0])?, &whole(&x[1])?.transpose(0, 1)?)?;
        let by_rows = times(&sums, &rows_of(&x[2])?.expand_dims(&[1])?)?;
        let values = times(&by_rows, &whole(&x[3])?)?.eval()?;
        let sizes = magnitudes(&values)?.to_vec::<f64>()?;
        let limits = sizes.iter().map(|size| 4.0 * rounding(DType::F32) * size);
        Ok(Wanted {
            limits: limits.collect(),
            values,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::timing::product_rows::ProductRow;

    fn values(seed: u64, shape: &[usize]) -> Result<Tensor> {
        let count = shape.iter().product();
        let numbers = (0..count).map(|i: usize| ((i * 37 + seed as usize * 11) as f64 * 0.7).sin());
        Ok(Tensor::from_vec(numbers.collect(), shape)?.cast(DType::BF16)?)
    }

    #[test]
    fn a_scaled_product_is_right_and_a_wrong_one_is_found() {
        for kind in ["scaled_int8", "scaled_fp8"] {
            let row = ProductRow::of(kind).unwrap();
            let x = row.inputs(&[20, 48, 33], values).unwrap();
            let made = row.work(&x).unwrap();
            assert_eq!(made[0].dtype(), ScaledRow::RESULT);
            row.check(&x, &made).unwrap();
            let more = apply(Prim::Mul, &[(&made[0]).into(), 1.02.into()]).unwrap();
            let more = more.cast(ScaledRow::RESULT).unwrap();
            assert!(row.check(&x, &[more]).is_err(), "{kind}");
        }
    }
}
