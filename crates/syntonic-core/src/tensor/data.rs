//! Reading elements back to the host.

use super::{Tensor, describe};
use crate::buffer::Buffer;
use crate::device::{Device, DeviceId, Received};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::grad;
use crate::graph::session;
use crate::lazy;
use crate::room;
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
        if self.len == 0 {
            // Nobody looks at where memory without elements lies.
            return &[];
        }
        let first = self.buffer.address().cast::<T>().wrapping_add(self.offset);
        // SAFETY: the constructor checked device, type, contiguity and extent; the buffer is alive
        // and, being shared, is not written through the safe API.
        unsafe { std::slice::from_raw_parts(first, self.len) }
    }
}

impl Tensor {
    /// The same values laid out row-major without gaps; itself if it already is.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]).t()?;
    /// assert_eq!(x.contiguous()?.strides(), [2, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
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
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.5, 2.5]);
    /// assert_eq!(&x.host_slice::<f64>()?[1..], [2.5]);
    /// assert!(x.host_slice::<f32>().is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn host_slice<T: Element>(&self) -> Result<HostSlice<T>> {
        if T::DTYPE != self.dtype() {
            return Err(Error::DType {
                op: "host_slice",
                operands: describe(&[self]),
                hint: format!("ask for {} elements, or cast first", self.dtype()),
            });
        }
        session::check("host_slice", self.device_id())?;
        let here = self.to_read()?.to(&crate::cpu::cpu())?.contiguous()?;
        let buffer = here.buffer()?;
        Ok(HostSlice {
            buffer,
            offset: here.layout().offset(),
            len: here.numel(),
            kind: PhantomData,
        })
    }

    /// The elements in row-major order, cast to `T`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1.5, 2.5], [3.5, 4.5]]);
    /// assert_eq!(x.t()?.to_vec::<f64>()?, [1.5, 3.5, 2.5, 4.5]);
    /// assert_eq!(x.to_vec::<i32>()?, [1, 2, 3, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        session::check("to_vec", self.device_id())?;
        // Who reads an expression of a half type reads what is stored of it.
        if lazy::is_unrounded(self) {
            self.buffer()?;
        }
        room::copied(&self.cast(T::DTYPE)?.host_slice::<T>()?)
    }

    /// The single element of a tensor that has exactly one.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::from([[7]]).item()?, Scalar::Int(7));
    /// assert!(Tensor::from([1, 2]).item().is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn item(&self) -> Result<Scalar> {
        if self.numel() != 1 {
            return Err(Error::Shape {
                op: "item",
                operands: describe(&[self]),
                hint: "only a tensor of one element is a number; index it first".into(),
            });
        }
        session::check("item", self.device_id())?;
        with_element!(self.dtype(), T => Ok(self.host_slice::<T>()?[0].to_scalar()))
    }

    /// The single element of a tensor that has exactly one, cast to `T`.
    ///
    /// Errors as [`Tensor::item`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 2.0]);
    /// assert_eq!(x.sum(..)?.to_scalar::<f64>()?, 3.0);
    /// assert!(x.to_scalar::<f64>().is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn to_scalar<T: Element>(&self) -> Result<T> {
        Ok(T::from_scalar(self.item()?))
    }

    /// The same values as `dtype`; itself if it already is. Rounds, wraps integers, saturates floats.
    ///
    /// An expression of a half type goes on in `float32` (see [`Rounding`](crate::lazy::Rounding)); as its own type it is rounded.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.9, -300.0]);
    /// assert_eq!(x.cast(DType::I64)?.to_vec::<i64>()?, [1, -300]);
    /// assert_eq!(x.cast(DType::U8)?.to_vec::<u8>()?, [1, 0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn cast(&self, dtype: DType) -> Result<Tensor> {
        if dtype == self.dtype() && !lazy::is_unrounded(self) {
            Ok(self.clone())
        } else if self.dtype().is_stored() || dtype.is_stored() {
            grad::refuse("cast", &[self])?;
            crate::float8::cast(self, dtype)
        } else if self.is_tracked() {
            grad::cast(self, dtype)
        } else {
            lazy::cast(self, dtype)
        }
    }

    /// The same values on `device`; itself if it already is there.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2]);
    /// let here = x.to(&cpu())?;
    /// assert!(here.shares_storage(&x) && here.device_id() == DeviceId::Cpu);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn to(&self, device: &Arc<dyn Device>) -> Result<Tensor> {
        if device.id() == self.device_id() {
            return Ok(self.clone());
        }
        session::check("to", self.device_id())?;
        if self.is_tracked() {
            return grad::moved(self, device);
        }
        if let Some(there) = lazy::read_where_it_lies(self, device)? {
            return Ok(there);
        }
        let here = self.to_read()?.contiguous()?;
        let (buffer, size) = (here.buffer()?, here.numel() * self.dtype().size());
        let from = buffer
            .address()
            .wrapping_add(here.layout().offset() * self.dtype().size());
        let out = Tensor::uninit("to", self.shape(), self.dtype(), device)?;
        let to = out.buffer()?.address();
        // SAFETY: the contiguous view lies inside its live buffer, and the new one, which nobody else holds yet,
        // has room for exactly these bytes.
        unsafe { move_bytes(&**buffer.device(), from, &**device, to, size)? };
        Ok(out)
    }
}

/// Copies bytes from one device to another, each read or written in place where it is the host.
///
/// # Safety
/// `from` has `size` initialised bytes on `source`, `to` has room for them on `target`, and nobody else uses that.
unsafe fn move_bytes(
    source: &dyn Device,
    from: *const u8,
    target: &dyn Device,
    to: *mut u8,
    size: usize,
) -> Result<()> {
    if size == 0 {
        return Ok(());
    }
    // SAFETY: the caller's promise; bytes of the host that nobody writes, or that nobody else uses, may be a slice. Those
    // that are not written yet are only written.
    unsafe {
        match (source.id(), target.id()) {
            (DeviceId::Cpu, _) => target.upload(to, std::slice::from_raw_parts(from, size)),
            (_, DeviceId::Cpu) => source.download(std::slice::from_raw_parts_mut(to, size), from),
            _ => match target.receive(to, source, from, size)? {
                Received::Done => Ok(()),
                Received::NoWay => {
                    let mut bytes = room::zeros::<u8>(size)?;
                    source.download(&mut bytes, from)?;
                    target.upload(to, &bytes)
                }
            },
        }
    }
}
