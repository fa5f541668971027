//! To and from `ndarray`, without copying where the layout allows it.

use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::graph::session;
use crate::layout::{Dims, Layout, Strides, check_ndim, count};
use crate::scalar::Element;
use crate::tensor::{Tensor, describe};
use ndarray::{ArrayD, ArrayViewD, Axis, IxDyn, ShapeBuilder};
use std::marker::PhantomData;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A tensor on the CPU that can be seen as an [`ArrayViewD`]; keeps its memory alive.
#[derive(Debug)]
pub struct NdView<T> {
    buffer: Arc<Buffer>,
    layout: Layout,
    kind: PhantomData<T>,
}

impl<T: Element> NdView<T> {
    /// The elements in place, whatever their strides.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]).t()?.view_ndarray::<i32>()?;
    /// assert_eq!(x.view()[[0, 1]], 3);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn view(&self) -> ArrayViewD<'_, T> {
        // Memory without elements may lie where none can be.
        let first = match (self.layout.numel(), self.layout.extent()) {
            (0, _) => std::ptr::NonNull::dangling().as_ptr(),
            (_, (low, _)) => self.buffer.address().cast::<T>().wrapping_add(low),
        };
        let shape = IxDyn(self.layout.shape());
        // No step is made where there are no two positions, and what stands there need be none.
        let none = self.layout.numel() == 0;
        let step = |(&len, &stride)| if none || len == 1 { 0isize } else { stride };
        let steps: Strides = (self.layout.shape().iter())
            .zip(self.layout.strides())
            .map(step)
            .collect();
        let strides: Dims = steps.iter().map(|s| s.unsigned_abs()).collect();
        // SAFETY: the tensor's layout lies inside its buffer, which is in host memory, holds `T`s,
        // lives as long as `self`, and, being shared, is not written through the safe API. With
        // strides made positive the lowest element comes first.
        let mut view = unsafe { ArrayViewD::from_shape_ptr(shape.strides(IxDyn(&strides)), first) };
        for (axis, &stride) in steps.iter().enumerate() {
            if stride < 0 {
                view.invert_axis(Axis(axis));
            }
        }
        view
    }
}

impl Tensor {
    /// The elements of an array, taken over without copying, whatever their strides; on the CPU.
    ///
    /// ```
    /// use ndarray::array;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from_ndarray(array![[1.0, 2.0], [3.0, 4.0]].into_dyn())?;
    /// assert_eq!(x.sum(0)?.to_vec::<f64>()?, [4.0, 6.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn from_ndarray<T: Element>(array: ArrayD<T>) -> Result<Tensor> {
        check_ndim("from_ndarray", array.ndim())?;
        let shape = array.shape().to_vec();
        let strides = array.strides().to_vec();
        let (values, offset) = array.into_raw_vec_and_offset();
        let len = values.len();
        let all = Tensor::from_vec(values, &[len])?;
        let layout = Layout::from_parts(&shape, &strides, offset.unwrap_or(0));
        // SAFETY: the buffer is a vector of `T`, all of it initialised.
        unsafe { Tensor::from_buffer(T::DTYPE, layout, all.buffer()?) }
    }

    /// The elements in place, to be seen as an `ndarray` view with this tensor's shape and strides. A
    /// tensor on another device is copied to the host first.
    ///
    /// Errors: [`Error::DType`] if `T` is not the element type.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
    /// assert_eq!(x.view_ndarray::<f64>()?.view().sum(), 10.0);
    /// assert!(x.view_ndarray::<f32>().is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn view_ndarray<T: Element>(&self) -> Result<NdView<T>> {
        if T::DTYPE != self.dtype() {
            return Err(Error::DType {
                op: "view_ndarray",
                operands: describe(&[self]),
                hint: format!("ask for {} elements, or cast first", self.dtype()),
            });
        }
        // Without elements a shape may have lengths that `ndarray` has no product for.
        let lengths: Vec<usize> = self.shape().iter().copied().filter(|&d| d > 0).collect();
        count("view_ndarray", &lengths)?;
        session::check("view_ndarray", self.device_id())?;
        let here = self.to_read()?.to(&crate::cpu::cpu())?;
        // Without elements there is nothing to see, and the strides may lead anywhere.
        let layout = if here.numel() == 0 {
            Layout::from_parts(here.shape(), &vec![0; here.ndim()], 0)
        } else {
            here.layout().clone()
        };
        Ok(NdView {
            buffer: here.buffer()?,
            layout,
            kind: PhantomData,
        })
    }

    /// The elements as an array of their own, row-major, cast to `T`.
    ///
    /// ```
    /// use ndarray::array;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]);
    /// assert_eq!(x.t()?.to_ndarray::<f64>()?, array![[1.0, 3.0], [2.0, 4.0]].into_dyn());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn to_ndarray<T: Element>(&self) -> Result<ArrayD<T>> {
        let values = self.to_vec::<T>()?;
        ArrayD::from_shape_vec(IxDyn(self.shape()), values)
            .map_err(|e| Error::value("to_ndarray", e.to_string()))
    }
}
