//! Tensors by the names that programs look for: ranges, identities and random numbers.
//!
//! Without a device in the name they are on the CPU; [`ops::create`](crate::ops::create) and
//! [`ops::random`](crate::ops::random) have every choice.

use super::Tensor;
use crate::cpu::cpu;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::ops::create::{self, Endpoint};
use crate::ops::random;
use crate::random::Source;
use crate::scalar::Scalar;
use std::sync::Arc;

/// Numbers in a row, and identities.
///
/// ```
/// use syntonic_core::{DType, Tensor};
///
/// assert_eq!(Tensor::arange(0, 10, 3)?.to_vec::<i64>()?, [0, 3, 6, 9]);
/// assert_eq!(Tensor::linspace(0.0, 1.0, 5)?.to_vec::<f64>()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
/// assert_eq!(Tensor::eye(2, DType::F32)?.to_vec::<f32>()?, [1.0, 0.0, 0.0, 1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl Tensor {
    /// `start, start + step, ...` up to but not including `stop`: `int64` if all three are integers, else `float64`.
    ///
    /// Errors as [`create::arange`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::arange(0, 10, 3)?.to_vec::<i64>()?, [0, 3, 6, 9]);
    /// assert_eq!(Tensor::arange(1, 0, -0.25)?.to_vec::<f64>()?, [1.0, 0.75, 0.5, 0.25]);
    /// assert!(Tensor::arange(0, 10, 0).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn arange(
        start: impl Into<Scalar>,
        stop: impl Into<Scalar>,
        step: impl Into<Scalar>,
    ) -> Result<Tensor> {
        create::arange(start.into(), stop.into(), step.into(), None, &cpu())
    }

    /// `n` numbers from `start` to `stop`, both included, at equal distances: `float64`, or `complex128` if an end is complex.
    ///
    /// Errors as [`create::linspace`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::linspace(0, 1, 5)?.to_vec::<f64>()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn linspace(start: impl Into<Scalar>, stop: impl Into<Scalar>, n: usize) -> Result<Tensor> {
        let (start, stop) = (start.into(), stop.into());
        create::linspace(start, stop, n, Endpoint::Included, None, &cpu())
    }

    /// The `n x n` matrix with ones on the main diagonal, else zeros. [`create::eye`] has other diagonals.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::eye(2, DType::F32)?.to_vec::<f32>()?, [1.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn eye(n: usize, dtype: DType) -> Result<Tensor> {
        create::eye(n, n, 0, dtype, &cpu())
    }

    /// Zeros on a device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::zeros_on(&[2, 3], DType::I64, &cpu())?;
    /// assert_eq!(x.to_vec::<i64>()?, [0; 6]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn zeros_on(shape: &[usize], dtype: DType, device: &Arc<dyn Device>) -> Result<Tensor> {
        create::zeros(shape, dtype, device)
    }

    /// Ones on a device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::ones_on(&[3], DType::F32, &cpu())?;
    /// assert_eq!(x.to_vec::<f32>()?, [1.0; 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn ones_on(shape: &[usize], dtype: DType, device: &Arc<dyn Device>) -> Result<Tensor> {
        create::ones(shape, dtype, device)
    }
}

/// Random numbers. They depend on the seed and the element's index alone, so every device makes the same.
///
/// ```
/// use syntonic_core::{DType, Tensor, random::Generator};
///
/// let mut generator = Generator::new(7);
/// let x = Tensor::rand(&[2, 3], DType::F32, &mut generator)?;
/// assert!(x.greater_equal(0.0)?.all(..)?.to_scalar::<bool>()?);
/// let noise = Tensor::randn(&[2, 3], DType::F32, &mut generator)?;
/// assert_eq!((noise.shape(), generator.offset), (x.shape(), 12));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl Tensor {
    /// Uniform numbers of `[0, 1)`. Errors unless `dtype` is a real float; [`random::uniform`] takes other ends.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::rand(&[1000], DType::F64, &mut Generator::new(7))?;
    /// assert!(x.min(..)?.to_scalar::<f64>()? >= 0.0 && x.max(..)?.to_scalar::<f64>()? < 1.0);
    /// let again = Tensor::rand(&[1000], DType::F64, &mut Generator::new(7))?;
    /// assert!(x.equal(&again)?.all(..)?.to_scalar::<bool>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn rand(shape: &[usize], dtype: DType, generator: &mut impl Source) -> Result<Tensor> {
        Tensor::rand_on(shape, dtype, generator, &cpu())
    }

    /// [`Tensor::rand`] on a device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::rand_on(&[2, 3], DType::F32, &mut Generator::new(7), &cpu())?;
    /// assert_eq!((x.shape(), x.dtype()), (&[2, 3][..], DType::F32));
    /// assert!(x.less(1.0)?.all(..)?.to_scalar::<bool>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn rand_on(
        shape: &[usize],
        dtype: DType,
        generator: &mut impl Source,
        device: &Arc<dyn Device>,
    ) -> Result<Tensor> {
        random::uniform(shape, 0.0, 1.0, dtype, generator, device)
    }

    /// Normal numbers of mean 0 and deviation 1. Errors unless `dtype` is a real float; [`random::normal`] takes other moments.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::randn(&[10_000], DType::F64, &mut Generator::new(7))?;
    /// assert!(x.mean(..)?.to_scalar::<f64>()?.abs() < 0.05);
    /// assert!((x.std(.., 1.0)?.to_scalar::<f64>()? - 1.0).abs() < 0.05);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn randn(shape: &[usize], dtype: DType, generator: &mut impl Source) -> Result<Tensor> {
        Tensor::randn_on(shape, dtype, generator, &cpu())
    }

    /// [`Tensor::randn`] on a device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut generator = Generator::new(7);
    /// let x = Tensor::randn_on(&[4], DType::F64, &mut generator, &cpu())?;
    /// assert_eq!((x.numel(), generator.offset), (4, 4));
    /// assert!(Tensor::randn_on(&[4], DType::I64, &mut generator, &cpu()).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn randn_on(
        shape: &[usize],
        dtype: DType,
        generator: &mut impl Source,
        device: &Arc<dyn Device>,
    ) -> Result<Tensor> {
        random::normal(shape, 0.0, 1.0, dtype, generator, device)
    }
}
