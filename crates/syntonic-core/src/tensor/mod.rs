//! Tensors: a dtype, a layout, and a buffer that is there or still an expression.

mod algebra;
mod construct;
mod create;
mod data;
mod display;
mod element;
#[cfg(test)]
mod element_tests;
mod from;
mod iterate;
mod key;
mod methods;
mod operands;
mod operators;
mod ramp;
mod reductions;
mod single;
mod track;
mod truth;
mod view;
mod write;

use crate::buffer::{Buffer, Keeper, Use};
use crate::device::{Device, DeviceId};
use crate::dtype::DType;
use crate::error::{Error, Operand, Result};
use crate::grad::{self, Node};
use crate::graph::session;
use crate::layout::{Layout, check_ndim};
use crate::lazy::Pending;
use std::sync::Arc;

pub use data::HostSlice;
pub use display::Words;
pub use iterate::{AxisIter, IndexedIter, Iter};
pub use key::{Ellipsis, Key, NewAxis};
pub(crate) use operands::{all_recorded, same_device_of_formula};
pub use operands::{describe, same_device};
pub(crate) use ramp::{Index, Ramp};
pub use single::Single;
pub(crate) use write::shares;

/// An n-dimensional array. A value: clones are cheap and share memory until one is written.
///
/// Element-wise results and reductions may be pending: they are computed when first read. A view of one costs nothing either way.
///
/// Operators panic where their operands do not fit, and their twins return the error: `&a + &b` is `a.try_add(&b)`, or
/// stops. Methods return results; they stand for functions of [`ops`](crate::ops), where rarer choices are.
#[derive(Clone)]
pub struct Tensor {
    dtype: DType,
    access: Access,
    layout: Layout,
    source: Source,
    /// Its place on the tape of a gradient; none for a constant.
    node: Option<Arc<Node>>,
}

/// Whether the elements may be written where they lie. Views have the access of what they are a view of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Open,
    /// One element of memory stood for several of some tensor that this is a view of, or may have.
    ReadOnly,
}

/// Where the elements come from.
#[derive(Clone)]
pub(crate) enum Source {
    /// Memory.
    Stored(Arc<Buffer>),
    /// An expression whose result will lie row-major in memory of its own.
    Pending(Arc<Pending>),
    /// Integers at equal distances, which have memory of their own, row-major, once somebody has read them.
    Ramp(Arc<Ramp>),
}

impl Source {
    /// The memory, where it is there.
    pub(crate) fn in_memory(&self) -> Option<&Arc<Buffer>> {
        match self {
            Source::Stored(buffer) => Some(buffer),
            Source::Pending(pending) => pending.result(),
            Source::Ramp(ramp) => ramp.memory(),
        }
    }
}

impl Tensor {
    pub(crate) fn from_source(dtype: DType, layout: Layout, source: Source) -> Tensor {
        Tensor {
            dtype,
            access: Access::Open,
            layout,
            source,
            node: None,
        }
    }

    /// A view of a buffer, checked to lie inside it, at an address its elements can have.
    ///
    /// # Safety
    /// The elements it reaches are initialised, and for `bool` each byte is 0 or 1, unless the buffer is [foreign](Buffer::foreign)
    /// or was [lent](Buffer::lend): there any byte but 0 is read as true. Nobody writes the memory while this tensor or a
    /// view of it lives, except through [`Tensor::assign_aliased`] and its like.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use syntonic_core::Layout;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2, 3, 4]);
    /// let square = Layout::contiguous("square", &[2, 2])?;
    /// // SAFETY: the memory of `x`, which nobody writes meanwhile.
    /// let y = unsafe { Tensor::from_buffer(DType::I32, square, x.buffer()?)? };
    /// assert_eq!(y.index((1, 0))?.to_scalar::<i32>()?, 3);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub unsafe fn from_buffer(dtype: DType, layout: Layout, buffer: Arc<Buffer>) -> Result<Tensor> {
        check_ndim("from_buffer", layout.ndim())?;
        let room = buffer.bytes() / dtype.size();
        if layout.checked_extent().is_none_or(|(_, end)| end > room) {
            return Err(Error::value(
                "from_buffer",
                format!("layout {layout:?} leaves the {room} elements of the buffer"),
            ));
        }
        let id = buffer.device().id();
        let align = id.alignment(dtype);
        if !(buffer.address() as usize).is_multiple_of(align) && layout.numel() > 0 {
            return Err(Error::value(
                "from_buffer",
                format!(
                    "the memory at {:?} is not aligned to {align} bytes, as {dtype} on {id} needs; hint: copy it",
                    buffer.address()
                ),
            ));
        }
        Ok(Tensor {
            dtype,
            access: Access::Open,
            layout: layout.tamed(room),
            source: Source::Stored(buffer),
            node: None,
        })
    }

    /// Element type.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2]);
    /// assert_eq!(x.dtype(), DType::I32);
    /// assert_eq!((&x / 2).dtype(), DType::F64);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Lengths of the axes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.shape(), [2, 3]);
    /// assert!(Tensor::scalar(7, DType::I64)?.shape().is_empty());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// Number of axes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::zeros(&[2, 3, 4], DType::F32)?.ndim(), 3);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn ndim(&self) -> usize {
        self.layout.ndim()
    }

    /// Number of elements.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::zeros(&[2, 3, 4], DType::F32)?.numel(), 24);
    /// assert_eq!(Tensor::zeros(&[2, 0], DType::F32)?.numel(), 0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn numel(&self) -> usize {
        self.layout.numel()
    }

    /// Shape, strides and offset, in elements.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// let second = x.index(1)?;
    /// assert_eq!((second.layout().offset(), second.layout().shape()), (3, &[3][..]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Signed strides in elements.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.strides(), [3, 1]);
    /// assert_eq!(x.t()?.strides(), [1, 3]);
    /// assert_eq!(x.flip(&[1])?.strides(), [3, -1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn strides(&self) -> &[isize] {
        self.layout.strides()
    }

    /// True where the elements lie row-major without gaps.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert!(x.is_contiguous() && x.index(0)?.is_contiguous());
    /// assert!(!x.t()?.is_contiguous());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// The device that holds, or will hold, the elements.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 2.0]);
    /// let y = Tensor::ones_on(&[2], DType::F64, x.device())?;
    /// assert_eq!((x + y).to_vec::<f64>()?, [2.0, 3.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn device(&self) -> &Arc<dyn Device> {
        match &self.source {
            Source::Stored(buffer) => buffer.device(),
            Source::Pending(pending) => pending.device(),
            Source::Ramp(ramp) => ramp.device(),
        }
    }

    /// The name of its device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::from([1.0]).device_id(), DeviceId::Cpu);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn device_id(&self) -> DeviceId {
        self.device().id()
    }

    /// True while the elements are an expression that nobody has read yet.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::ones(&[10_000], DType::F32)?;
    /// let y = &x + 1.0;
    /// assert!(!x.is_pending() && y.is_pending());
    /// assert_eq!(y.index(0)?.to_scalar::<f32>()?, 2.0);
    /// assert!(!y.is_pending());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn is_pending(&self) -> bool {
        self.source.in_memory().is_none()
    }

    /// How many elements reading any of these would compute first: those of the expression that is still pending, or of the
    /// rows that it reduces.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let y = Tensor::ones(&[10_000], DType::F32)? + 1.0;
    /// assert_eq!(y.waiting(), 10_000);
    /// y.buffer()?;
    /// assert_eq!(y.waiting(), 0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn waiting(&self) -> usize {
        match &self.source {
            Source::Pending(p) if p.result().is_none() => p.reach(),
            Source::Ramp(ramp) if ramp.memory().is_none() => ramp.count(),
            _ => 0,
        }
    }

    /// The memory behind the tensor; evaluates a pending expression, and waits for a copy in flight that writes it.
    ///
    /// Errors: those of the expression, and [`Error::Gradient`] for a tracked tensor, whose elements only operations with a
    /// gradient may read.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1f32, 2.0, 3.0]);
    /// assert_eq!(x.buffer()?.bytes(), 12);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn buffer(&self) -> Result<Arc<Buffer>> {
        if self.is_tracked() {
            return Err(grad::unfollowed(self));
        }
        self.memory()
    }

    /// [`Tensor::buffer`], also of a tracked tensor.
    fn memory(&self) -> Result<Arc<Buffer>> {
        let buffer = match &self.source {
            Source::Stored(buffer) => buffer.clone(),
            Source::Pending(pending) => pending.force()?,
            Source::Ramp(ramp) => ramp.force()?,
        };
        session::keep(&buffer);
        buffer.wait(Use::Read)?;
        Ok(buffer)
    }

    /// Who keeps the memory behind the tensor, if somebody does; asked of memory that is there, it waits for nothing.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(Tensor::from([1, 2]).keeper().is_none());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn keeper(&self) -> Option<&Arc<dyn Keeper>> {
        self.source.in_memory()?.keeper()
    }

    /// The same tensor with its elements in memory.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let y = Tensor::ones(&[10_000], DType::F32)? * 3;
    /// assert!(y.is_pending());
    /// assert!(!y.eval()?.is_pending());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn eval(&self) -> Result<Tensor> {
        Ok(Tensor {
            dtype: self.dtype,
            access: self.access,
            layout: self.layout.clone(),
            source: Source::Stored(self.memory()?),
            node: self.node.clone(),
        })
    }

    /// False where elements share memory with each other, or with those of a tensor that this is a view of, as the
    /// elements of a broadcast view do: what is written to one would be seen in others.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2]);
    /// assert!(x.is_writable());
    /// assert!(!x.broadcast_to(&[3, 2])?.is_writable());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn is_writable(&self) -> bool {
        self.access == Access::Open && !self.layout.may_overlap()
    }

    /// True where both read the same memory, or wait for the same expression.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2, 3]);
    /// assert!(x.index(1..)?.shares_storage(&x));
    /// assert!(!x.copy()?.shares_storage(&x));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn shares_storage(&self, other: &Tensor) -> bool {
        match (&self.source, &other.source) {
            (Source::Stored(a), Source::Stored(b)) => Arc::ptr_eq(a, b),
            (Source::Pending(a), Source::Pending(b)) => Arc::ptr_eq(a, b),
            (Source::Ramp(a), Source::Ramp(b)) => Arc::ptr_eq(a, b),
            (a, b) => match (a.in_memory(), b.in_memory()) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                _ => false,
            },
        }
    }

    /// What tells storages apart: tensors for which it is equal share theirs.
    pub(crate) fn storage(&self) -> usize {
        match (self.source.in_memory(), &self.source) {
            (Some(buffer), _) | (None, Source::Stored(buffer)) => Arc::as_ptr(buffer).addr(),
            (None, Source::Pending(pending)) => Arc::as_ptr(pending).addr(),
            (None, Source::Ramp(ramp)) => Arc::as_ptr(ramp).addr(),
        }
    }

    /// As open to writes as `other`, whose memory this is a view of.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2]);
    /// let locked = x.clone().read_only();
    /// assert!(!x.with_access_of(&locked).is_writable());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_access_of(mut self, other: &Tensor) -> Tensor {
        self.access = other.access;
        self
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The expression that it shows, where it shows one.
    pub(crate) fn into_pending(self) -> Option<Arc<Pending>> {
        match self.source {
            Source::Pending(pending) => Some(pending),
            Source::Stored(_) | Source::Ramp(_) => None,
        }
    }

    /// The tensor as an error message shows it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::zeros(&[2, 3], DType::F32)?;
    /// assert_eq!((x.describe().dtype, x.describe().shape), (DType::F32, vec![2, 3]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn describe(&self) -> Operand {
        Operand {
            dtype: self.dtype,
            shape: self.shape().to_vec(),
            device: self.device_id(),
        }
    }

    #[inline]
    pub(crate) fn with_layout(&self, layout: Layout) -> Tensor {
        Tensor {
            dtype: self.dtype,
            access: self.access,
            layout,
            source: self.source.clone(),
            node: self.node.clone(),
        }
    }

    /// The same memory as elements of another type of this size.
    pub(crate) fn with_dtype(&self, dtype: DType) -> Tensor {
        debug_assert_eq!(dtype.size(), self.dtype.size(), "one element stays one");
        Tensor {
            dtype,
            access: self.access,
            layout: self.layout.clone(),
            source: self.source.clone(),
            node: self.node.clone(),
        }
    }
}
