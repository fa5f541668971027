//! Tensors: a dtype, a layout, and a buffer that is there or still an expression.

mod algebra;
mod construct;
mod create;
mod data;
mod display;
mod from;
mod iterate;
mod key;
mod methods;
mod operators;
mod reductions;
mod view;
mod write;

use crate::buffer::{Buffer, Keeper, Use};
use crate::device::{Device, DeviceId};
use crate::dtype::DType;
use crate::error::{Error, Operand, Operands, Result};
use crate::grad::{self, Node};
use crate::graph::session;
use crate::layout::{Layout, check_ndim};
use crate::lazy::Pending;
use std::sync::Arc;

pub use data::HostSlice;
pub use display::Words;
pub use iterate::{AxisIter, IndexedIter, Iter};
pub use key::{Ellipsis, Key, NewAxis};
pub(crate) use write::shares;

/// An n-dimensional array. A value: clones are cheap and share memory until one is written.
///
/// Element-wise results and reductions may be pending: they are computed when first read. A view of one costs
/// nothing either way.
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
    /// The elements it reaches are initialised, and for `bool` each byte is 0 or 1. Nobody writes
    /// the memory while this tensor or a view of it lives, except through
    /// [`Tensor::assign_aliased`] and its like.
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
            layout,
            source: Source::Stored(buffer),
            node: None,
        })
    }

    /// Element type.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Lengths of the axes.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// Number of axes.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.layout.ndim()
    }

    /// Number of elements.
    #[inline]
    pub fn numel(&self) -> usize {
        self.layout.numel()
    }

    /// Shape, strides and offset, in elements.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Signed strides in elements.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        self.layout.strides()
    }

    /// True where the elements lie row-major without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// The device that holds, or will hold, the elements.
    pub fn device(&self) -> &Arc<dyn Device> {
        match &self.source {
            Source::Stored(buffer) => buffer.device(),
            Source::Pending(pending) => pending.device(),
        }
    }

    /// The name of its device.
    pub fn device_id(&self) -> DeviceId {
        self.device().id()
    }

    /// True while the elements are an expression that nobody has read yet.
    #[inline]
    pub fn is_pending(&self) -> bool {
        matches!(&self.source, Source::Pending(p) if p.result().is_none())
    }

    /// How many elements reading any of these would compute first: those of the expression that is still pending, or of the
    /// rows that it reduces.
    #[inline]
    pub fn waiting(&self) -> usize {
        match &self.source {
            Source::Pending(p) if p.result().is_none() => p.reach(),
            _ => 0,
        }
    }

    /// The memory behind the tensor; evaluates a pending expression, and waits for a copy in flight that writes it.
    ///
    /// Errors: those of the expression, and [`Error::Gradient`] for a tracked tensor, whose elements only operations with a
    /// gradient may read.
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
        };
        session::keep(&buffer);
        buffer.wait(Use::Read)?;
        Ok(buffer)
    }

    /// Who keeps the memory behind the tensor, if somebody does; asked of memory that is there, it waits for nothing.
    pub fn keeper(&self) -> Option<&Arc<dyn Keeper>> {
        match &self.source {
            Source::Stored(buffer) => buffer.keeper(),
            Source::Pending(pending) => pending.result().and_then(|buffer| buffer.keeper()),
        }
    }

    /// The same tensor with its elements in memory.
    pub fn eval(&self) -> Result<Tensor> {
        Ok(Tensor {
            dtype: self.dtype,
            access: self.access,
            layout: self.layout.clone(),
            source: Source::Stored(self.memory()?),
            node: self.node.clone(),
        })
    }

    /// True where the tensor is made of a variable whose gradient is taken, see [`grad`](mod@crate::grad).
    #[inline]
    pub fn is_tracked(&self) -> bool {
        self.node.is_some()
    }

    /// The same values as a constant, which no gradient flows through.
    #[must_use]
    pub fn stop_gradient(&self) -> Tensor {
        Tensor {
            dtype: self.dtype,
            access: self.access,
            layout: self.layout.clone(),
            source: self.source.clone(),
            node: None,
        }
    }

    #[inline]
    pub(crate) fn node(&self) -> Option<&Arc<Node>> {
        self.node.as_ref()
    }

    /// The same values as those of a node, whose memory this is.
    pub(crate) fn with_node(mut self, node: Arc<Node>) -> Tensor {
        self.node = Some(node);
        self
    }

    /// How often somebody was about to write its memory in place.
    pub(crate) fn writes(&self) -> u64 {
        match &self.source {
            Source::Stored(buffer) => buffer.writes(),
            Source::Pending(pending) => pending.result().map_or(0, |buffer| buffer.writes()),
        }
    }

    /// True while somebody outside may write its memory.
    pub(crate) fn is_lent(&self) -> bool {
        match &self.source {
            Source::Stored(buffer) => buffer.is_lent(),
            Source::Pending(pending) => pending.result().is_some_and(|buffer| buffer.is_lent()),
        }
    }

    /// The same elements, not to be written where they lie, nor through any view of this one.
    #[inline]
    pub fn read_only(mut self) -> Tensor {
        self.access = Access::ReadOnly;
        self
    }

    /// False where elements share memory with each other, or with those of a tensor that this is a view of, as the
    /// elements of a broadcast view do: what is written to one would be seen in others.
    #[inline]
    pub fn is_writable(&self) -> bool {
        self.access == Access::Open && !self.layout.may_overlap()
    }

    /// True where both read the same memory, or wait for the same expression.
    pub fn shares_storage(&self, other: &Tensor) -> bool {
        match (&self.source, &other.source) {
            (Source::Stored(a), Source::Stored(b)) => Arc::ptr_eq(a, b),
            (Source::Pending(a), Source::Pending(b)) => Arc::ptr_eq(a, b),
            (Source::Pending(p), Source::Stored(buffer))
            | (Source::Stored(buffer), Source::Pending(p)) => {
                p.result().is_some_and(|result| Arc::ptr_eq(result, buffer))
            }
        }
    }

    /// As open to writes as `other`, whose memory this is a view of.
    #[must_use]
    pub fn with_access_of(mut self, other: &Tensor) -> Tensor {
        self.access = other.access;
        self
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The tensor as an error message shows it.
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

/// Operands of a failed operation, for its message.
pub fn describe(tensors: &[&Tensor]) -> Operands {
    Operands(tensors.iter().map(|t| t.describe()).collect())
}

/// The one device all tensors live on, or an error that names them.
pub fn same_device(op: &'static str, tensors: &[&Tensor]) -> Result<Arc<dyn Device>> {
    let Some(first) = tensors.first() else {
        return Err(Error::value(op, "needs at least one tensor"));
    };
    let id = first.device_id();
    if tensors.iter().any(|t| t.device_id() != id) {
        return Err(Error::Device {
            op,
            operands: describe(tensors),
        });
    }
    Ok(first.device().clone())
}

impl std::fmt::Debug for Tensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tensor({})", self.describe())
    }
}
