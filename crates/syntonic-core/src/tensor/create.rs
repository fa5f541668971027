//! Tensors from numbers and host memory.

use super::{Source, Tensor};
use crate::buffer::Buffer;
use crate::cpu::cpu;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Operands, Result};
use crate::layout::{Layout, count};
use crate::scalar::{Element, Scalar};
use crate::with_element;
use std::sync::Arc;

/// Bytes of `shape`, or an error where that overflows.
fn bytes(op: &'static str, shape: &[usize], dtype: DType) -> Result<usize> {
    count(op, shape)?
        .checked_mul(dtype.size())
        .filter(|&b| b <= isize::MAX as usize)
        .ok_or_else(|| Error::SizeOverflow {
            op,
            shape: shape.to_vec(),
        })
}

impl Tensor {
    /// Row-major memory with arbitrary contents: whoever asks must write all of it.
    pub(crate) fn uninit(
        op: &'static str,
        shape: &[usize],
        dtype: DType,
        device: &Arc<dyn Device>,
    ) -> Result<Tensor> {
        let size = bytes(op, shape, dtype)?;
        let buffer = Buffer::allocate_for(op, device, size)?;
        let layout = Layout::contiguous(op, shape)?;
        Ok(Tensor::from_source(
            dtype,
            layout,
            Source::Stored(Arc::new(buffer)),
        ))
    }

    /// Memory with arbitrary contents for a result of another type with the shape of `self`, which is
    /// contiguous.
    pub(crate) fn uninit_beside(&self, dtype: DType) -> Result<Tensor> {
        let buffer = Buffer::allocate(self.device(), self.numel() * dtype.size())?;
        let layout = self.layout().at_start();
        Ok(Tensor::from_source(
            dtype,
            layout,
            Source::Stored(Arc::new(buffer)),
        ))
    }

    /// `shape` filled with `value`, cast to `dtype`, on the CPU.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::full(&[2, 2], 7, DType::F32)?;
    /// assert_eq!(x.to_vec::<f32>()?, [7.0; 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn full(shape: &[usize], value: impl Into<Scalar>, dtype: DType) -> Result<Tensor> {
        Tensor::full_on(shape, value, dtype, &cpu())
    }

    /// `shape` filled with `value`, cast to `dtype`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::full_on(&[3], -1, DType::I64, &cpu())?;
    /// assert_eq!(x.to_vec::<i64>()?, [-1; 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn full_on(
        shape: &[usize],
        value: impl Into<Scalar>,
        dtype: DType,
        device: &Arc<dyn Device>,
    ) -> Result<Tensor> {
        let out = Tensor::uninit("full", shape, dtype, device)?;
        out.overwrite(&Tensor::scalar(value.into(), dtype)?.to(device)?)?;
        Ok(out)
    }

    /// Zeros, on the CPU.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::zeros(&[2, 3], DType::F32)?;
    /// assert_eq!((x.shape(), x.to_vec::<f32>()?), (&[2, 3][..], vec![0.0; 6]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn zeros(shape: &[usize], dtype: DType) -> Result<Tensor> {
        Tensor::full(shape, Scalar::Int(0), dtype)
    }

    /// Ones, on the CPU.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::ones(&[3], DType::Bool)?.to_vec::<bool>()?, [true; 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn ones(shape: &[usize], dtype: DType) -> Result<Tensor> {
        Tensor::full(shape, Scalar::Int(1), dtype)
    }

    /// A tensor without axes that holds `value`, cast to `dtype`, on the CPU.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::scalar(2.5, DType::F32)?;
    /// assert_eq!((x.ndim(), x.to_scalar::<f32>()?), (0, 2.5));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn scalar(value: impl Into<Scalar>, dtype: DType) -> Result<Tensor> {
        let value = value.into();
        with_element!(dtype, T => Tensor::from_slice(&[<T as Element>::from_scalar(value)], &[]))
    }

    /// The elements of `values` in row-major order under `shape`, copied, on the CPU.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from_slice(&[1, 2, 3, 4, 5, 6], &[2, 3])?;
    /// assert_eq!(x.index((1, 0))?.to_scalar::<i32>()?, 4);
    /// assert!(Tensor::from_slice(&[1, 2, 3], &[2, 2]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn from_slice<T: Element>(values: &[T], shape: &[usize]) -> Result<Tensor> {
        let out = Tensor::uninit("from_slice", shape, T::DTYPE, &cpu())?;
        if out.numel() != values.len() {
            return Err(Error::Shape {
                op: "from_slice",
                operands: Operands(vec![out.describe()]),
                hint: format!(
                    "{} values were given; give as many as the shape holds",
                    values.len()
                ),
            });
        }
        // SAFETY: `Element` values have no padding, so they are `size_of_val` initialised bytes.
        let raw = unsafe {
            std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values))
        };
        let buffer = out.buffer()?;
        // SAFETY: the buffer was just allocated with room for these bytes, and nobody else has it.
        unsafe { out.device().upload(buffer.address(), raw)? };
        Ok(out)
    }

    /// The elements of a vector under `shape`, taken over without copying, on the CPU.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from_vec(vec![1.0, 2.0, 3.0, 4.0], &[2, 2])?;
    /// assert_eq!(x.sum(0)?.to_vec::<f64>()?, [4.0, 6.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn from_vec<T: Element>(mut values: Vec<T>, shape: &[usize]) -> Result<Tensor> {
        if count("from_vec", shape)? != values.len() {
            return Tensor::from_slice(&values, shape);
        }
        let size = size_of_val(&values[..]);
        let address = values.as_mut_ptr().cast::<u8>();
        // SAFETY: the vector owns `size` bytes at `address`, does not move them, and lives in the buffer.
        let buffer = unsafe { Buffer::holding(&cpu(), address, size, Box::new(values)) };
        let layout = Layout::contiguous("from_vec", shape)?;
        // SAFETY: the elements are values of `T`, and nobody else has the vector any more.
        unsafe { Tensor::from_buffer(T::DTYPE, layout, Arc::new(buffer)) }
    }
}
