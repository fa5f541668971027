//! One element as a value of its own.

use super::{Source, Tensor};
use crate::buffer::{Buffer, Use};
use crate::error::{Error, Result};
use crate::grad;
use crate::graph::session;
use crate::layout::Layout;
use crate::lazy;
use std::sync::Arc;

impl Tensor {
    /// The element at this position, one index for each axis, as a tensor without axes that no later write changes, through
    /// whatever view of this tensor. Negative indices count from the end.
    ///
    /// On the CPU it is copied at once. On a device that starts programs slowly it stays an expression that reads the memory, and
    /// is computed by whoever writes that: nothing waits for the device.
    ///
    /// Errors where there is no such position, or with more or fewer indices than axes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// let last = x.element(&[-1, -1])?;
    /// // SAFETY: no other thread has the memory.
    /// unsafe { x.assign_aliased(&Tensor::from([0, 0, 0]))? };
    /// assert_eq!(last.to_scalar::<i32>()?, 6);
    /// assert!(x.element(&[0, 3]).is_err() && x.element(&[0]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn element(&self, position: &[i64]) -> Result<Tensor> {
        let at = self.offset_of(position)?;
        let made = match &self.source {
            Source::Stored(buffer) if self.node.is_none() && is_at_hand(buffer) => {
                self.copied_from(buffer, at)
            }
            _ => self.with_layout(Layout::from_parts(&[], &[], at)).apart(),
        };
        // What is taken from a read-only tensor is read-only, also where it shares no memory with it.
        made.map(|element| element.with_access_of(self))
    }

    /// Where the element lies, counted in elements from the start of the memory.
    #[inline]
    pub(super) fn offset_of(&self, position: &[i64]) -> Result<usize> {
        let (shape, strides) = (self.shape(), self.strides());
        if position.len() != shape.len() {
            return Err(Error::value(
                "index",
                format!(
                    "{} indices for an element of {}; hint: one for each axis",
                    position.len(),
                    self.describe()
                ),
            ));
        }
        let mut offset = self.layout().offset();
        for (axis, &index) in position.iter().enumerate() {
            let len = shape[axis];
            let at = match index < 0 {
                true => index.wrapping_add(len as i64),
                false => index,
            };
            if !(0..len as i64).contains(&at) {
                return Err(Error::Index {
                    op: "index",
                    index,
                    axis,
                    len,
                });
            }
            // Without elements strides may lead anywhere, but then some axis has no position, and that is an error.
            offset = offset.wrapping_add_signed((at as isize).wrapping_mul(strides[axis]));
        }
        Ok(offset)
    }

    /// A tensor without axes, which this is, that no later write to the memory changes.
    #[cold]
    pub(crate) fn apart(&self) -> Result<Tensor> {
        if self.is_tracked() {
            return grad::element(self);
        }
        if let Source::Pending(pending) = &self.source
            && (self.device().eager_elements() > 0 || lazy::hangs_on_halves(self))
        {
            pending.force()?;
        }
        if let Source::Ramp(ramp) = &self.source
            && self.device().eager_elements() > 0
        {
            ramp.force()?;
        }
        match self.eval_at_hand() {
            Some(buffer) => self.copied_from(&buffer, self.layout().offset()),
            // No program has numbers of storage.
            None if self.dtype().is_stored() => self.copy(),
            None => lazy::cast(self, self.dtype()),
        }
    }

    /// The memory, if it is there and the host may read it as it pleases.
    fn eval_at_hand(&self) -> Option<Arc<Buffer>> {
        let buffer = self.source.in_memory()?;
        is_at_hand(buffer).then(|| buffer.clone())
    }

    /// The element at an offset that lies inside the memory, which is at hand, in memory of its own.
    #[inline]
    fn copied_from(&self, buffer: &Arc<Buffer>, offset: usize) -> Result<Tensor> {
        buffer.wait(Use::Read)?;
        let size = self.dtype().size();
        let out = Buffer::allocate(buffer.device(), size)?;
        let from = buffer.address().wrapping_add(offset * size);
        // SAFETY: the host may read the memory, the element lies inside it and is initialised; the new memory has room for it and is
        // nobody else's yet.
        unsafe { std::ptr::copy_nonoverlapping(from, out.address(), size) };
        if self.dtype().is_bool() {
            // SAFETY: the one byte that was just written. Others may have left any byte where it came from, and what is ours is 0 or 1.
            unsafe { *out.address() = u8::from(*out.address() != 0) };
        }
        let layout = Layout::from_parts(&[], &[], 0);
        Ok(Tensor::from_source(
            self.dtype(),
            layout,
            Source::Stored(Arc::new(out)),
        ))
    }
}

/// True where an element is a number that the host reads, and no part of what is captured.
#[inline]
pub(super) fn is_at_hand(buffer: &Buffer) -> bool {
    buffer.is_host() && buffer.device().eager_elements() > 0 && session::number() == 0
}
