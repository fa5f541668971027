//! Tensors from what Rust has: nested arrays, vectors, and arrays of `ndarray`.

use super::Tensor;
use crate::error::{Error, Result};
use crate::room;
use crate::scalar::Element;
use ndarray::{Array, ArrayD, Dimension};

macro_rules! nested {
    ($($type:ty, [$($length:ident),+], $values:ident => $flat:expr;)*) => {$(
        /// The values of a nested array, on the CPU.
        ///
        /// # Panics
        /// Where there is no memory for them; [`Tensor::from_slice`] says so.
        impl<T: Element, $(const $length: usize),+> From<$type> for Tensor {
            #[track_caller]
            fn from($values: $type) -> Tensor {
                match Tensor::from_slice($flat, &[$($length),+]) {
                    Ok(tensor) => tensor,
                    Err(e) => panic!("{e}"),
                }
            }
        }
    )*};
}

nested! {
    [T; A], [A], values => &values;
    [[T; B]; A], [A, B], values => values.as_flattened();
    [[[T; C]; B]; A], [A, B, C], values => values.as_flattened().as_flattened();
    [[[[T; D]; C]; B]; A], [A, B, C, D], values => values.as_flattened().as_flattened().as_flattened();
}

/// The values of a vector, taken over without copying, on the CPU.
///
/// ```
/// use syntonic_core::Tensor;
///
/// let x = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
/// let row = Tensor::try_from(vec![10.0, 20.0])?;
/// assert_eq!((x + row).to_string(), "[[11., 22.],\n [13., 24.]]");
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl<T: Element> TryFrom<Vec<T>> for Tensor {
    type Error = Error;
    fn try_from(values: Vec<T>) -> Result<Tensor> {
        let n = values.len();
        Tensor::from_vec(values, &[n])
    }
}

/// The values of a slice, copied, on the CPU.
impl<T: Element> TryFrom<&[T]> for Tensor {
    type Error = Error;
    fn try_from(values: &[T]) -> Result<Tensor> {
        Tensor::from_slice(values, &[values.len()])
    }
}

/// Rows of equal length, copied, on the CPU; rows of other lengths are an error.
impl<T: Element> TryFrom<Vec<Vec<T>>> for Tensor {
    type Error = Error;
    fn try_from(rows: Vec<Vec<T>>) -> Result<Tensor> {
        let width = rows.first().map_or(0, Vec::len);
        if let Some((at, row)) = rows.iter().enumerate().find(|(_, r)| r.len() != width) {
            return Err(Error::value(
                "from_rows",
                format!(
                    "row {at} has {} values and row 0 has {width}; hint: give all rows one length",
                    row.len()
                ),
            ));
        }
        let mut values = room::empty(rows.len().saturating_mul(width))?;
        rows.iter().for_each(|row| values.extend_from_slice(row));
        Tensor::from_vec(values, &[rows.len(), width])
    }
}

/// As [`Tensor::from_ndarray`], for arrays of any number of axes.
///
/// ```
/// use syntonic_core::Tensor;
/// use ndarray::{ArrayD, array};
///
/// let x = Tensor::try_from(array![[1.0, 2.0], [3.0, 4.0]])?;
/// let back: ArrayD<f32> = (&x * 2).to_ndarray()?;
/// assert_eq!(back, array![[2f32, 4.0], [6.0, 8.0]].into_dyn());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl<T: Element, D: Dimension> TryFrom<Array<T, D>> for Tensor {
    type Error = Error;
    fn try_from(array: Array<T, D>) -> Result<Tensor> {
        Tensor::from_ndarray(array.into_dyn())
    }
}

/// As [`Tensor::to_ndarray`].
impl<T: Element> TryFrom<&Tensor> for ArrayD<T> {
    type Error = Error;
    fn try_from(tensor: &Tensor) -> Result<ArrayD<T>> {
        tensor.to_ndarray()
    }
}
