//! Reductions, running sums and the like as methods: what is reduced is one axis, some, or `..` for all of them.
//!
//! They are the functions of [`reduce`] and its neighbours, and stay expressions where those do.

use super::Tensor;
use crate::dtype::DType;
use crate::error::Result;
use crate::ops::order::{self, Direction};
use crate::ops::reduce::{self, Over};
use crate::ops::scan::{self, Initial};
use crate::ops::softmax;

macro_rules! plain {
    ($($name:ident $doc:literal $type:ident $x:tt $over:tt $out:tt;)*) => {$(
        #[doc = concat!($doc, "\n\nErrors as [`reduce::", stringify!($name), "`].")]
        ///
        #[doc = concat!(
            "```\nuse syntonic_core::Tensor;\n\nlet x = Tensor::from(", stringify!($x), ");\n",
            "let y = x.", stringify!($name), stringify!($over), "?;\n",
            "assert_eq!(y.to_vec::<", stringify!($type), ">()?, ", stringify!($out), ");\n",
            "# Ok::<(), syntonic_core::Error>(())\n```"
        )]
        pub fn $name(&self, over: impl Into<Over>) -> Result<Tensor> {
            reduce::$name(self, &over.into())
        }
    )*};
}

/// Reductions: `[.., n, ..] -> [.., ..]`, or with length 1 in place of `n` under [`Over::keep`].
///
/// ```
/// use syntonic_core::{Tensor, ops::reduce::Over};
///
/// let x = Tensor::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// assert_eq!(x.sum(..)?.to_scalar::<f64>()?, 21.0);
/// assert_eq!(x.mean(0)?.to_vec::<f64>()?, [2.5, 3.5, 4.5]);
/// assert_eq!(x.max([0, 1])?.to_scalar::<f64>()?, 6.0);
/// let centred = &x - &x.mean(Over::from(-1).keep())?;
/// assert_eq!(centred.to_vec::<f64>()?, [-1.0, 0.0, 1.0, -1.0, 0.0, 1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl Tensor {
    plain! {
        min "The smallest element; NaN if any is. An error over no elements and over complex numbers."
            i32 [[3, 1, 2], [6, 5, 4]] (1) [1, 4];
        max "The largest element; NaN if any is. An error over no elements and over complex numbers."
            i32 [[3, 1, 2], [6, 5, 4]] (0) [6, 5, 4];
        any "True if any element is not zero."
            bool [[0, 0], [0, 7]] (1) [false, true];
        all "True if all elements are not zero."
            bool [[0, 7], [7, 7]] (1) [false, true];
        argmin "The position of the first smallest element along the axes, as `int64`."
            i64 [[3, 1, 1], [6, 5, 4]] (1) [1, 2];
        argmax "The position of the first largest element along the axes, as `int64`."
            i64 [[3, 1, 2], [6, 5, 4]] (..) [3];
        mean "The mean; integers give `float64`. NaN over no elements."
            f64 [[1, 2, 3], [4, 5, 9]] (-1) [2.0, 6.0];
        logsumexp "`ln sum e^x` without overflow; real types."
            f64 [1000.0, 1000.0] (0) [1000.0 + 2f64.ln()];
        count_nonzero "How many elements are not zero."
            i64 [[0, 2, 0], [4, 5, 6]] (1) [1, 3];
    }

    /// The sum. Integers and `bool` are summed in 64 bits; [`reduce::sum`] takes another type.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.sum(..)?.to_scalar::<i64>()?, 21);
    /// assert_eq!(x.sum(0)?.to_vec::<i64>()?, [5, 7, 9]);
    /// assert_eq!(x.sum(Over::from(-1).keep())?.shape(), [2, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn sum(&self, over: impl Into<Over>) -> Result<Tensor> {
        reduce::sum(self, &over.into(), None)
    }

    /// The product. Integers and `bool` are multiplied in 64 bits; [`reduce::prod`] takes another type.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]);
    /// assert_eq!(x.prod(1)?.to_vec::<i64>()?, [2, 12]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn prod(&self, over: impl Into<Over>) -> Result<Tensor> {
        reduce::prod(self, &over.into(), None)
    }

    /// The variance, `sum |x - mean|^2 / (n - correction)`: a correction of 0 is NumPy's, 1 is that of a sample.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 3.0]);
    /// assert_eq!(x.var(.., 0.0)?.to_scalar::<f64>()?, 1.0);
    /// assert_eq!(x.var(.., 1.0)?.to_scalar::<f64>()?, 2.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn var(&self, over: impl Into<Over>, correction: f64) -> Result<Tensor> {
        reduce::var(self, &over.into(), correction)
    }

    /// The standard deviation: the root of [`Tensor::var`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1.0, 5.0], [0.0, 20.0]]);
    /// assert_eq!(x.std(1, 0.0)?.to_vec::<f64>()?, [2.0, 10.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn std(&self, over: impl Into<Over>, correction: f64) -> Result<Tensor> {
        reduce::std(self, &over.into(), correction)
    }

    /// The vector norm `(sum |x|^p)^(1/p)`; 2 is Euclid's. [`reduce::norm`] says what 0 and infinities give.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([3.0, -4.0]);
    /// assert_eq!(x.norm(.., 2.0)?.to_scalar::<f64>()?, 5.0);
    /// assert_eq!(x.norm(.., 1.0)?.to_scalar::<f64>()?, 7.0);
    /// assert_eq!(x.norm(.., f64::INFINITY)?.to_scalar::<f64>()?, 4.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn norm(&self, over: impl Into<Over>, p: f64) -> Result<Tensor> {
        reduce::norm(self, p, &over.into())
    }

    /// The middle of the sorted elements, or the mean of the two in the middle.
    ///
    /// Errors as [`order::median`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::from([7.0, 1.0, 3.0]).median(..)?.to_scalar::<f64>()?, 3.0);
    /// assert_eq!(Tensor::from([7.0, 1.0, 3.0, 5.0]).median(..)?.to_scalar::<f64>()?, 4.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn median(&self, over: impl Into<Over>) -> Result<Tensor> {
        order::median(self, &over.into())
    }
}

/// Along one axis, which stays: `[.., n, ..] -> [.., n, ..]`.
///
/// ```
/// use syntonic_core::Tensor;
///
/// let x = Tensor::from([[0.0, 2f64.ln()], [5.0, 5.0]]);
/// let p = x.softmax(-1)?.to_vec::<f64>()?;
/// assert!((p[0] - 1.0 / 3.0).abs() < 1e-15 && p[2] == 0.5);
/// assert_eq!(Tensor::from([3, 1, 2]).cumulative_sum(0)?.to_vec::<i64>()?, [3, 4, 6]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl Tensor {
    /// `e^(x_i) / sum of e^(x_j)`, see [`softmax::softmax`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let p = Tensor::from([[0.0, 3f64.ln()], [2.0, 2.0]]).softmax(-1)?.to_vec::<f64>()?;
    /// assert!((p[0] - 0.25).abs() < 1e-15 && (p[1] - 0.75).abs() < 1e-15);
    /// assert_eq!(p[2..], [0.5, 0.5]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn softmax(&self, axis: isize) -> Result<Tensor> {
        softmax::softmax(self, axis)
    }

    /// `x_i - ln sum of e^(x_j)`, see [`softmax::log_softmax`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let p = Tensor::from([0.0, 0.0, -1000.0]).log_softmax(0)?.to_vec::<f64>()?;
    /// assert!((p[0] + 2f64.ln()).abs() < 1e-15 && p[2] < -1000.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn log_softmax(&self, axis: isize) -> Result<Tensor> {
        softmax::log_softmax(self, axis)
    }

    /// The running sum. Integers and `bool` are summed in 64 bits; [`scan::cumulative_sum`] takes another type.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.cumulative_sum(1)?.to_vec::<i64>()?, [1, 3, 6, 4, 9, 15]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn cumulative_sum(&self, axis: isize) -> Result<Tensor> {
        scan::cumulative_sum(self, Some(axis), None::<DType>, Initial::Leave)
    }

    /// The running product; as [`Tensor::cumulative_sum`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2, 3, 4]);
    /// assert_eq!(x.cumulative_prod(0)?.to_vec::<i64>()?, [1, 2, 6, 24]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn cumulative_prod(&self, axis: isize) -> Result<Tensor> {
        scan::cumulative_prod(self, Some(axis), None::<DType>, Initial::Leave)
    }

    /// The elements in order, see [`order::sort`].
    ///
    /// ```
    /// use syntonic_core::ops::order::Direction;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[3, 1, 2], [6, 5, 4]]);
    /// assert_eq!(x.sort(-1, Direction::Ascending)?.to_vec::<i32>()?, [1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.sort(0, Direction::Descending)?.to_vec::<i32>()?, [6, 5, 4, 3, 1, 2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn sort(&self, axis: isize, direction: Direction) -> Result<Tensor> {
        order::sort(self, axis, direction)
    }

    /// The positions that put the elements in order, as `int64`; see [`order::argsort`].
    ///
    /// ```
    /// use syntonic_core::ops::order::Direction;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([3.0, f64::NAN, 2.0]);
    /// assert_eq!(x.argsort(0, Direction::Ascending)?.to_vec::<i64>()?, [2, 0, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn argsort(&self, axis: isize, direction: Direction) -> Result<Tensor> {
        order::argsort(self, axis, direction)
    }
}
