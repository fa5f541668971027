//! Truth values in memory that others may write.
//!
//! All of our own work leaves 0 or 1 in each byte of a `bool` tensor, and Rust, vector instructions and the kernels of a GPU rely on
//! that. Whoever else has the memory, through NumPy or DLPack, may leave any byte, and to NumPy all but 0 are true. So what reads
//! elements takes them through one door, behind which every byte is 0 or 1. What moves bytes only, or shares the memory, needs no door.

use super::{Source, Tensor};
use crate::dtype::DType;
use crate::error::Result;
use crate::layout::{Dims, Layout};
use std::borrow::Cow;

impl Tensor {
    /// The elements to be read: these, or the same truth values in memory of our own, where somebody outside may have written other bytes
    /// than 0 and 1. That is a copy, so it stays as it was looked at.
    #[doc(hidden)]
    pub fn to_read(&self) -> Result<Cow<'_, Tensor>> {
        if !self.has_strange_truths() {
            return Ok(Cow::Borrowed(self));
        }
        // What is broadcast is looked at once.
        let shape: Dims = self
            .shape()
            .iter()
            .zip(self.strides())
            .map(|(&len, &stride)| if stride == 0 { len.min(1) } else { len })
            .collect();
        let layout = Layout::from_parts(&shape, self.strides(), self.layout().offset());
        let out = Tensor::uninit("copy", &shape, DType::Bool, self.device())?;
        out.overwrite(&self.as_bytes()?.with_layout(layout))?;
        out.broadcast_to(self.shape()).map(Cow::Owned)
    }

    /// True for a `bool` tensor whose bytes may be other than 0 and 1.
    pub(crate) fn has_strange_truths(&self) -> bool {
        self.dtype.is_bool() && self.source.in_memory().is_some_and(|b| b.is_strange())
    }

    /// The bytes of a `bool` tensor, in the same memory.
    pub(crate) fn as_bytes(&self) -> Result<Tensor> {
        let source = Source::Stored(self.buffer()?);
        Ok(Tensor::from_source(DType::U8, self.layout.clone(), source))
    }
}
