//! Products of matrices, and tensors put together, as methods.

use super::Tensor;
use crate::error::Result;
use crate::ops::{gather, join, linalg};

/// Linear algebra over the last two axes; the axes before them are a stack of matrices. [`linalg`] has the rest.
///
/// ```
/// use syntonic_core::Tensor;
///
/// let a = Tensor::from([[2.0, 0.0], [1.0, 4.0]]);
/// let x = a.solve(&Tensor::from([2.0, 9.0]))?;
/// assert_eq!(x.to_vec::<f64>()?, [1.0, 2.0]);
/// assert_eq!(a.matmul(&x)?.to_vec::<f64>()?, [2.0, 9.0]);
/// assert_eq!(a.t()?.to_vec::<f64>()?, [2.0, 1.0, 0.0, 4.0]);
/// assert_eq!(a.det()?.to_scalar::<f64>()?, 8.0);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl Tensor {
    /// The product: `[.., m, k] @ [.., k, n] -> [.., m, n]`; a vector is a row on the left, a column on the right.
    ///
    /// Errors as [`linalg::matmul`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let a = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
    /// let x = Tensor::from([10.0, 1.0]);
    /// assert_eq!(a.matmul(&x)?.to_vec::<f64>()?, [12.0, 34.0]);
    /// assert_eq!(x.matmul(&x)?.to_scalar::<f64>()?, 101.0);
    /// assert!(a.matmul(&Tensor::from([1.0, 2.0, 3.0])).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn matmul(&self, other: &Tensor) -> Result<Tensor> {
        linalg::matmul(self, other)
    }

    /// The last two axes exchanged: `[.., m, n] -> [.., n, m]`, a view. Errors below two axes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let a = Tensor::from([[1, 2, 3], [4, 5, 6]]).t()?;
    /// assert_eq!((a.shape(), a.to_vec::<i32>()?), (&[3, 2][..], vec![1, 4, 2, 5, 3, 6]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn t(&self) -> Result<Tensor> {
        linalg::matrix_transpose(self)
    }

    /// `x` with `self @ x = b`: `[.., n, n]` and `[n]` or `[.., n, k]`. Errors as [`linalg::solve`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let a = Tensor::from([[2.0, 0.0], [0.0, 4.0]]);
    /// assert_eq!(a.solve(&Tensor::from([6.0, 2.0]))?.to_vec::<f64>()?, [3.0, 0.5]);
    /// let singular = Tensor::from([[1.0, 1.0], [1.0, 1.0]]);
    /// assert!(singular.solve(&Tensor::from([1.0, 2.0])).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn solve(&self, b: &Tensor) -> Result<Tensor> {
        linalg::solve(self, b)
    }

    /// The inverse: `[.., n, n] -> [.., n, n]`. Errors as [`linalg::inv`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let a = Tensor::from([[2.0, 0.0], [0.0, 4.0]]);
    /// assert_eq!(a.inv()?.to_vec::<f64>()?, [0.5, 0.0, 0.0, 0.25]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn inv(&self) -> Result<Tensor> {
        linalg::inv(self)
    }

    /// The determinant: `[.., n, n] -> [..]`. Errors as [`linalg::det`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let stack = Tensor::from([[[2.0, 0.0], [1.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]]);
    /// assert_eq!(stack.det()?.to_vec::<f64>()?, [8.0, -1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn det(&self) -> Result<Tensor> {
        linalg::det(self)
    }

    /// The sum of the main diagonal: `[.., m, n] -> [..]`. Errors as [`linalg::trace`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let a = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(a.trace()?.to_scalar::<i64>()?, 6);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn trace(&self) -> Result<Tensor> {
        linalg::trace(self, 0, None)
    }
}

/// Several tensors as one, and one by positions.
///
/// ```
/// use syntonic_core::Tensor;
///
/// let (a, b) = (Tensor::from([1, 2]), Tensor::from([3, 4]));
/// assert_eq!(Tensor::concat(&[&a, &b], 0)?.to_vec::<i32>()?, [1, 2, 3, 4]);
/// assert_eq!(Tensor::stack(&[&a, &b], 1)?.to_vec::<i32>()?, [1, 3, 2, 4]);
/// assert_eq!(b.take(&Tensor::from([1, 1, 0]), 0)?.to_vec::<i32>()?, [4, 4, 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl Tensor {
    /// One after the other along `axis`. Errors as [`join::concat`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([[1, 2]]), Tensor::from([[3, 4], [5, 6]]));
    /// let c = Tensor::concat(&[&a, &b], 0)?;
    /// assert_eq!((c.shape(), c.to_vec::<i32>()?), (&[3, 2][..], vec![1, 2, 3, 4, 5, 6]));
    /// assert!(Tensor::concat(&[&a, &b], 1).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn concat(tensors: &[&Tensor], axis: isize) -> Result<Tensor> {
        join::concat(tensors, Some(axis))
    }

    /// Side by side along a new axis at `axis` of the result. Errors as [`join::stack`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let (a, b) = (Tensor::from([1, 2]), Tensor::from([3, 4]));
    /// assert_eq!(Tensor::stack(&[&a, &b], 0)?.to_vec::<i32>()?, [1, 2, 3, 4]);
    /// assert_eq!(Tensor::stack(&[&a, &b], -1)?.to_vec::<i32>()?, [1, 3, 2, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn stack(tensors: &[&Tensor], axis: isize) -> Result<Tensor> {
        join::stack(tensors, axis)
    }

    /// The positions `indices` along `axis`. Errors as [`gather::take`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// let picked = x.take(&Tensor::from([2, 0]), 1)?;
    /// assert_eq!(picked.to_vec::<i32>()?, [3, 1, 6, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn take(&self, indices: &Tensor, axis: isize) -> Result<Tensor> {
        gather::take(self, indices, Some(axis))
    }
}
