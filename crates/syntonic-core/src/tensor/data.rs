//! Reading elements back to the host.

use super::{Tensor, describe};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::scalar::{Element, Scalar};
use crate::with_element;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

/// The elements of a contiguous tensor on the CPU, borrowed in place.
#[derive(Debug)]
pub struct HostSlice<T> {
    buffer: Arc<Buffer>,
    offset: usize,
    len: usize,
    kind: PhantomData<T>,
}

impl<T: Element> Deref for HostSlice<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        let first = self.buffer.address().cast::<T>().wrapping_add(self.offset);
        // SAFETY: the constructor checked device, type, contiguity and extent; the buffer is alive
        // and, being shared, is not written through the safe API.
        unsafe { std::slice::from_raw_parts(first, self.len) }
    }
}

impl Tensor {
    /// The same values laid out row-major without gaps; itself if it already is.
    pub fn contiguous(&self) -> Result<Tensor> {
        if self.is_contiguous() {
            Ok(self.clone())
        } else {
            self.copy()
        }
    }

    /// The elements in memory of the host, row-major; copies only if they are not there already.
    ///
    /// Errors if `T` is not the element type.
    pub fn host_slice<T: Element>(&self) -> Result<HostSlice<T>> {
        if T::DTYPE != self.dtype() {
            return Err(Error::DType {
                op: "host_slice",
                operands: describe(&[self]),
                hint: format!("ask for {} elements, or cast first", self.dtype()),
            });
        }
        let here = self.to(&crate::cpu::cpu())?.contiguous()?;
        let buffer = here.buffer()?;
        Ok(HostSlice {
            buffer,
            offset: here.layout().offset(),
            len: here.numel(),
            kind: PhantomData,
        })
    }

    /// The elements in row-major order, cast to `T`.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        Ok(self.cast(T::DTYPE)?.host_slice::<T>()?.to_vec())
    }

    /// The single element of a tensor that has exactly one.
    pub fn item(&self) -> Result<Scalar> {
        if self.numel() != 1 {
            return Err(Error::Shape {
                op: "item",
                operands: describe(&[self]),
                hint: "only a tensor of one element is a number; index it first".into(),
            });
        }
        with_element!(self.dtype(), T => Ok(self.host_slice::<T>()?[0].to_scalar()))
    }

    /// The same values as `dtype`; itself if it already is. Rounds, wraps integers, saturates floats.
    pub fn cast(&self, dtype: DType) -> Result<Tensor> {
        if dtype == self.dtype() {
            Ok(self.clone())
        } else {
            crate::lazy::cast(self, dtype)
        }
    }

    /// The same values on `device`; itself if it already is there.
    pub fn to(&self, device: &Arc<dyn Device>) -> Result<Tensor> {
        if device.id() == self.device_id() {
            return Ok(self.clone());
        }
        let here = self.contiguous()?;
        let (buffer, size) = (here.buffer()?, here.numel() * self.dtype().size());
        let from = buffer
            .address()
            .wrapping_add(here.layout().offset() * self.dtype().size());
        let mut bytes = vec![0u8; size];
        // SAFETY: the contiguous view lies inside its live buffer and `bytes` has its size.
        unsafe { buffer.device().download(&mut bytes, from)? };
        let out = Tensor::uninit("to", self.shape(), self.dtype(), device)?;
        // SAFETY: the new buffer has room for exactly these bytes.
        unsafe { device.upload(out.buffer()?.address(), &bytes)? };
        Ok(out)
    }
}
