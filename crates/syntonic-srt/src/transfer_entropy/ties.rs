//! Samples that share their value with others of their series.

use syntonic_core::ops::order::{Direction, sort};
use syntonic_core::ops::pad::{Padding, pad};
use syntonic_core::{DType, Result, Tensor};

/// For each row of `[M, L]` how many samples have a value that occurs more than once, `float64` `[M]` on its device. Nothing waits.
pub(super) fn tied(series: &Tensor) -> Result<Tensor> {
    let sorted = sort(series, -1, Direction::Ascending)?;
    // NaN is equal to nothing, so the first sample and the last have one neighbour.
    let padded = pad(
        &sorted,
        &[(0, 0), (1, 1)],
        Padding::Constant(f64::NAN.into()),
    )?;
    let beside = |first: isize, last: Option<isize>| padded.slice(1, Some(first), last, 1);
    let (before, after) = (beside(0, Some(-2))?, beside(2, None)?);
    let shared = sorted.equal(&before)?.logical_or(&sorted.equal(&after)?)?;
    shared.count_nonzero(-1)?.cast(DType::F64)?.eval()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_of_a_value_that_occurs_twice_counts() {
        for dtype in [DType::F32, DType::F64] {
            let series = Tensor::from([
                [1.0, 2.0, 1.0, 3.0, 3.0, 3.0],
                [0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
                [7.0; 6],
                [0.0, -0.0, f64::NAN, f64::NAN, f64::INFINITY, f64::INFINITY],
            ]);
            let found = tied(&series.cast(dtype).unwrap()).unwrap();
            assert_eq!(found.to_vec::<f64>().unwrap(), [5.0, 0.0, 6.0, 4.0]);
        }
        let one = Tensor::from([[2.0]]);
        assert_eq!(tied(&one).unwrap().to_vec::<f64>().unwrap(), [0.0]);
    }
}
