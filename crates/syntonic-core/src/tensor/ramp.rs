//! Integers at equal distances, which need no memory: positions along an axis. Programs compute them where they would read others.

use super::{Source, Tensor};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::fork::inside;
use crate::graph::session;
use crate::layout::{Layout, Strides};
use crate::ops::create;
use crate::scalar::Scalar;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Numbers at least this far from 0 are written to memory: a stride over them, counted in bytes, would leave the addresses.
const FARTHEST: i128 = 1 << 56;

/// The `int64` numbers `start + i · step` for `i` below a count, and their memory once somebody has read them.
pub(crate) struct Ramp {
    device: Arc<dyn Device>,
    count: usize,
    start: i64,
    step: i64,
    /// The capture in which it was made.
    capture: usize,
    memory: OnceLock<Arc<Buffer>>,
}

/// Where a view of a [`Ramp`] lies: what it is at the first position, and by how much more at the next one along each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) start: i64,
    pub(crate) strides: Strides,
}

impl fmt::Debug for Ramp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} + i * {}, {} numbers",
            self.start, self.step, self.count
        )
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an index {}", self.start)?;
        for (axis, &stride) in self.strides.iter().enumerate() {
            if stride != 0 {
                let sign = if stride < 0 { '-' } else { '+' };
                write!(f, " {sign} {}·i{axis}", stride.unsigned_abs())?;
            }
        }
        Ok(())
    }
}

impl Ramp {
    pub(super) fn device(&self) -> &Arc<dyn Device> {
        &self.device
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The memory, if somebody has read the numbers.
    pub(super) fn memory(&self) -> Option<&Arc<Buffer>> {
        self.memory.get()
    }

    /// The memory, written now if need be.
    pub(super) fn force(&self) -> Result<Arc<Buffer>> {
        if let Some(memory) = self.memory.get() {
            return Ok(memory.clone());
        }
        let number = |x: i64| Scalar::Int(i128::from(x));
        let write = || {
            let (start, step) = (number(self.start), number(self.step));
            create::written("arange", self.count, start, step, DType::I64, &self.device)?.buffer()
        };
        let written = match self.capture == session::number() {
            true => write()?,
            false => session::within(self.capture, write)?,
        };
        // Another thread may have been faster, with the same values.
        let _inside = inside();
        Ok(match self.memory.set(written.clone()) {
            Ok(()) => written,
            Err(later) => self.memory.get().cloned().unwrap_or(later),
        })
    }

    /// The same numbers, which stay what they are when somebody writes the memory of this.
    fn apart(&self) -> Ramp {
        Ramp {
            device: self.device.clone(),
            count: self.count,
            start: self.start,
            step: self.step,
            capture: session::number(),
            memory: OnceLock::new(),
        }
    }
}

impl Tensor {
    /// `count` numbers `start + i · step` without memory; nothing where they are too large for that.
    pub(crate) fn ramp(
        start: i128,
        step: i128,
        count: usize,
        device: &Arc<dyn Device>,
    ) -> Result<Option<Tensor>> {
        let layout = Layout::contiguous("arange", &[count])?;
        let last = start.saturating_add(step.saturating_mul(count as i128));
        if [start, step, last].iter().any(|x| x.abs() >= FARTHEST) {
            return Ok(None);
        }
        let ramp = Ramp {
            device: device.clone(),
            count,
            start: start as i64,
            step: step as i64,
            capture: session::number(),
            memory: OnceLock::new(),
        };
        let source = Source::Ramp(Arc::new(ramp));
        Ok(Some(Tensor::from_source(DType::I64, layout, source)))
    }

    /// True for numbers at even distances, or a view of them, that need no memory.
    pub(crate) fn is_range(&self) -> bool {
        matches!(self.source, Source::Ramp(_))
    }

    /// What it is at each position, as numbers, where it has no memory.
    pub(crate) fn as_index(&self) -> Option<Index> {
        match &self.source {
            Source::Ramp(ramp) if ramp.memory.get().is_some() => None,
            _ => self.affine(),
        }
    }

    /// What it was at each position before somebody could write it, where it began without memory.
    pub(crate) fn affine(&self) -> Option<Index> {
        let Source::Ramp(ramp) = &self.source else {
            return None;
        };
        // The bits of the numbers as another type are none.
        if self.dtype != DType::I64 {
            return None;
        }
        // Of an empty view, and along an axis of length 1, numbers may lead anywhere; nobody goes there.
        let times = |places: isize| (places as i64).wrapping_mul(ramp.step);
        let axes = self.shape().iter().zip(self.strides());
        Some(Index {
            start: ramp
                .start
                .wrapping_add(times(self.layout.offset() as isize)),
            strides: axes
                .map(|(&len, &stride)| if len == 1 { 0 } else { times(stride) as isize })
                .collect(),
        })
    }

    /// The same tensor for an expression that waits: without memory now, it has none that somebody could write meanwhile.
    pub(crate) fn into_value(self) -> Tensor {
        match &self.source {
            Source::Ramp(ramp) if ramp.memory.get().is_none() => {
                let source = Source::Ramp(Arc::new(ramp.apart()));
                Tensor { source, ..self }
            }
            _ => self,
        }
    }
}
