//! Fibonacci and Lucas numbers by the element.

use super::error::at;
use super::{GoldenTensorError, Result};
use crate::exact::sequences::{LAST, LAST_LUCAS};
use crate::exact::{ExactError, fibonacci, lucas};
use syntonic_core::{DType, Error, Tensor, describe, way_out};

/// `F_n` for each element, `int64` on the device of `n`, which are integers: `[..] -> [..]`.
///
/// Errors: other types than integers, and with the place of the first element [`ExactError::OutOfSequence`] where `n` is negative or more than 92.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::exact::fibonacci_tensor;
///
/// let n = Tensor::from([[0, 1, 2], [10, 50, 92]]);
/// let found = fibonacci_tensor(&n)?;
/// assert_eq!(found.to_vec::<i64>()?, [0, 1, 1, 55, 12_586_269_025, 7_540_113_804_746_346_429]);
/// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
/// ```
pub fn fibonacci_tensor(n: &Tensor) -> Result<Tensor> {
    looked_up("fibonacci", n, LAST, fibonacci)
}

/// `L_n` for each element, up to `L_90`; otherwise as [`fibonacci_tensor`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::exact::lucas_tensor;
///
/// assert_eq!(lucas_tensor(&Tensor::from([0, 1, 9]))?.to_vec::<i64>()?, [2, 1, 76]);
/// assert!(lucas_tensor(&Tensor::from([91])).is_err());
/// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
/// ```
pub fn lucas_tensor(n: &Tensor) -> Result<Tensor> {
    looked_up("lucas", n, LAST_LUCAS, lucas)
}

/// The numbers are few: a table of all of them that 64 bits hold.
fn looked_up(
    op: &'static str,
    n: &Tensor,
    last: u32,
    of: fn(u32) -> std::result::Result<i64, ExactError>,
) -> Result<Tensor> {
    if !n.dtype().is_integer() || n.dtype() == DType::U64 {
        return Err(Error::DType {
            op,
            operands: describe(&[n]),
            hint: format!(
                "indices are integers that int64 holds; {}",
                way_out::CONVERT
            ),
        }
        .into());
    }
    let n = n.cast(DType::I64)?;
    let inside = n
        .greater_equal(0i64)?
        .logical_and(&n.less_equal(i64::from(last))?)?;
    if !inside.all(..)?.to_scalar::<bool>()? {
        let all = n.to_vec::<i64>()?;
        let outside = |n: &i64| !(0..=i64::from(last)).contains(n);
        let place = all.iter().position(outside).unwrap_or(0);
        return Err(GoldenTensorError::Element {
            error: ExactError::OutOfSequence { op, last },
            at: at(place, n.shape()),
        });
    }
    let table = (0..=last)
        .map(of)
        .collect::<std::result::Result<Vec<i64>, _>>(); // few: 93.
    let table = table.map_err(|error| GoldenTensorError::Element {
        error,
        at: Vec::new(),
    })?;
    let table = Tensor::from_vec(table, &[last as usize + 1])?.to(n.device())?;
    Ok(table.take(&n, 0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_fit_are_those_of_the_numbers() {
        let n = Tensor::arange(0, 91, 1).unwrap();
        for dtype in [DType::I64, DType::I32, DType::U8] {
            let n = n.cast(dtype).unwrap();
            let (f, l) = (fibonacci_tensor(&n).unwrap(), lucas_tensor(&n).unwrap());
            let (f, l) = (f.to_vec::<i64>().unwrap(), l.to_vec::<i64>().unwrap());
            for n in 0..91u32 {
                assert_eq!(
                    (f[n as usize], l[n as usize]),
                    (fibonacci(n).unwrap(), lucas(n).unwrap())
                );
            }
        }
        let none = Tensor::arange(0, 0, 1).unwrap();
        assert_eq!(fibonacci_tensor(&none).unwrap().shape(), [0]);
    }

    #[test]
    fn what_has_none_is_told_with_its_place() {
        for wrong in [-1i64, 93, i64::MIN] {
            let n = Tensor::from([[1, 2], [wrong, 95]]);
            match fibonacci_tensor(&n) {
                Err(GoldenTensorError::Element { error, at }) => {
                    assert_eq!(at, [1, 0]);
                    assert!(error.to_string().contains("from 0 to 92"), "{error}");
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(fibonacci_tensor(&Tensor::from([1.0])).is_err());
    }
}
