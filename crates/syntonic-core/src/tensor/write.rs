//! Writing elements in place: into memory of one's own, or through an alias that others see.

use super::{Access, Source, Tensor, describe};
use crate::buffer::Buffer;
use crate::error::{Error, Result, way_out};
use crate::grad;
use crate::layout::Layout;
use crate::lazy;
use crate::ops::elementwise::copy_few;
use crate::run;
use std::sync::Arc;

impl Tensor {
    /// The same elements, not to be written where they lie, nor through any view of this one.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2]);
    /// assert!(x.is_writable());
    /// assert!(!x.read_only().index(0..1)?.is_writable());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn read_only(mut self) -> Tensor {
        self.access = Access::ReadOnly;
        self
    }

    /// Writes `values`, broadcast and cast, into this tensor. If others share the memory, this
    /// tensor gets memory of its own first, so they do not change.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut x = Tensor::from([1, 2, 3]);
    /// let before = x.clone();
    /// x.assign(&Tensor::scalar(7, DType::I32)?)?;
    /// assert_eq!(x.to_vec::<i32>()?, [7, 7, 7]);
    /// assert_eq!(before.to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn assign(&mut self, values: &Tensor) -> Result<()> {
        self.check_assign(values)?;
        if grad::tracks(&[self, values]) {
            *self = values
                .cast(self.dtype())?
                .broadcast_to(self.shape())?
                .copy()?;
            return Ok(());
        }
        self.make_unique()?;
        self.overwrite(values)
    }

    /// Writes `values` through the memory itself: every view that shares it changes too, as NumPy's
    /// views do. Pending expressions that read the memory are evaluated first and keep their values.
    ///
    /// # Safety
    /// No other thread reads or writes the memory during the call.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]);
    /// let row = x.index(0)?;
    /// // SAFETY: no other thread has the memory.
    /// unsafe { row.assign_aliased(&Tensor::from([10, 20]))? };
    /// assert_eq!(x.to_vec::<i32>()?, [10, 20, 3, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub unsafe fn assign_aliased(&self, values: &Tensor) -> Result<()> {
        self.check_writable("assign")?;
        grad::in_place("assign", &[self, values])?;
        self.check_assign(values)?;
        self.assign_checked(values)
    }

    /// [`Tensor::assign_aliased`] of what was looked at.
    fn assign_checked(&self, values: &Tensor) -> Result<()> {
        let target = self.buffer()?;
        // An expression that reads the target is evaluated before the first element changes.
        let values = values.eval()?;
        target.settle_for_write()?;
        let values = if shares(&values, self)? {
            values.copy()?
        } else {
            values
        };
        self.overwrite(&values)
    }

    /// [`Tensor::assign_aliased`] of values that are not needed otherwise: an expression that waits is computed where it goes, without a copy, where
    /// that is the same. `handles` is how many the caller has of the values, `values` among them; where there are more in all, it is a plain
    /// assignment. With one, the values must not be read afterwards: an operand of theirs may have been written over, and reading them is an error.
    ///
    /// # Safety
    /// As of [`Tensor::assign_aliased`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::ones(&[100, 100], DType::F64)?;
    /// let inside = x.slice(0, Some(1), Some(-1), 1)?;
    /// let twice = &inside * 2.0;
    /// // SAFETY: no other thread has the memory.
    /// unsafe { inside.assign_last(&twice, 1)? };
    /// assert_eq!(x.sum(..)?.to_scalar::<f64>()?, 19_800.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub unsafe fn assign_last(&self, values: &Tensor, handles: usize) -> Result<()> {
        self.check_writable("assign")?;
        grad::in_place("assign", &[self, values])?;
        self.check_assign(values)?;
        if !values.is_pending() {
            return self.assign_checked(values);
        }
        let target = Tensor::from_source(
            self.dtype,
            self.layout.clone(),
            Source::Stored(self.buffer()?),
        );
        if lazy::in_place_of(values, &target, handles)? {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe { self.assign_aliased(values) }
    }

    /// An error unless the elements may be written where they lie, see [`Tensor::is_writable`], or where the tensor is tracked.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2]);
    /// assert!(x.check_writable("fill").is_ok());
    /// assert!(x.broadcast_to(&[3, 2])?.check_writable("fill").is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn check_writable(&self, op: &'static str) -> Result<()> {
        grad::in_place(op, &[self])?;
        // Threads that write one element each must not meet, either.
        if self.is_writable() {
            return Ok(());
        }
        Err(Error::value(
            op,
            format!(
                "{} is read-only: its elements share memory with each other, or with those of the view it was taken from; hint: {}",
                self.describe(),
                way_out::COPY
            ),
        ))
    }

    /// The same values in fresh row-major memory.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]);
    /// let y = x.t()?.copy()?;
    /// assert!(y.is_contiguous() && !y.shares_storage(&x));
    /// assert_eq!(y.to_vec::<i32>()?, [1, 3, 2, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn copy(&self) -> Result<Tensor> {
        if self.is_tracked() {
            return grad::copied(self);
        }
        if lazy::hangs_on_stand_in(self) {
            return Ok(self.clone());
        }
        let out = Tensor::uninit("copy", self.shape(), self.dtype(), self.device())?;
        out.overwrite(self)?;
        Ok(out)
    }

    /// Writes `values`, broadcast and cast, over every element. The caller has made sure that this
    /// memory may be written: it is fresh, unique, or written through an alias on purpose.
    pub(crate) fn overwrite(&self, values: &Tensor) -> Result<()> {
        if copy_few(self, values) {
            return Ok(());
        }
        run::copy_into(self, &values.broadcast_to(self.shape())?)
    }

    /// Memory of its own, of the kind that it has, unless it is already the only holder.
    pub(crate) fn make_unique(&mut self) -> Result<()> {
        if self.is_unique() {
            return Ok(());
        }
        *self = match self.keeper() {
            Some(keeper) => {
                let bytes = self.numel() * self.dtype().size();
                let buffer = keeper.another(bytes)?;
                // A keeper is anybody's, and what it gives is written next.
                if buffer.bytes() < bytes || buffer.device().id() != self.device_id() {
                    let what =
                        format!("a keeper gave {buffer:?} where {bytes} bytes were asked for");
                    return Err(Error::value("assign", what));
                }
                let layout = Layout::contiguous("assign", self.shape())?;
                let source = Source::Stored(Arc::new(buffer));
                let out = Tensor::from_source(self.dtype(), layout, source);
                out.overwrite(self)?;
                out
            }
            None => self.copy()?,
        };
        Ok(())
    }

    /// True where somebody else holds the memory as well: a view, an expression that waits, a copy in flight, or another library.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2]);
    /// assert!(!x.is_shared());
    /// let view = x.slice(0, Some(1), None, 1)?;
    /// assert!(x.is_shared() && view.is_shared() && !view.copy()?.is_shared());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_shared(&self) -> bool {
        self.is_held_beyond(1)
    }

    /// [`Tensor::is_shared`] for a caller who has so many handles of the memory.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2]);
    /// let y = x.clone();
    /// assert!(x.is_shared() && !x.is_held_beyond(2) && y.is_held_beyond(1));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_held_beyond(&self, handles: usize) -> bool {
        let held = |buffer: &Arc<Buffer>, handles| {
            Arc::strong_count(buffer) > handles
                || buffer.has_readers()
                || buffer.is_busy()
                || buffer.is_lent()
        };
        match &self.source {
            Source::Stored(buffer) => held(buffer, handles),
            Source::Pending(pending) => {
                Arc::strong_count(pending) > handles || pending.result().is_some_and(|b| held(b, 1))
            }
            Source::Ramp(ramp) => {
                Arc::strong_count(ramp) > handles || ramp.memory().is_some_and(|b| held(b, 1))
            }
        }
    }

    /// True for the only holder of memory that no copy in flight uses, where no two of its elements share a place.
    pub(crate) fn is_unique(&self) -> bool {
        match &self.source {
            Source::Stored(buffer) => {
                Arc::strong_count(buffer) == 1
                    && !buffer.has_readers()
                    && !buffer.is_busy()
                    && !self.layout().may_overlap()
            }
            Source::Pending(_) | Source::Ramp(_) => false,
        }
    }

    fn check_assign(&self, values: &Tensor) -> Result<()> {
        if values.device_id() != self.device_id() {
            return Err(Error::Device {
                op: "assign",
                operands: describe(&[self, values]),
            });
        }
        if values.layout().broadcast_to(self.shape()).is_none() {
            return Err(Error::Shape {
                op: "assign",
                operands: describe(&[self, values]),
                hint: "the values must broadcast to the shape they are written to".into(),
            });
        }
        if values.dtype().is_complex() && !self.dtype().is_complex() {
            return Err(Error::DType {
                op: "assign",
                operands: describe(&[self, values]),
                hint: way_out::REAL.into(),
            });
        }
        Ok(())
    }
}

/// True where both tensors may touch the same bytes.
pub(crate) fn shares(a: &Tensor, b: &Tensor) -> Result<bool> {
    let (x, y) = (a.buffer()?, b.buffer()?);
    let range = |t: &Tensor, base: usize| {
        let (low, high) = t.layout().extent();
        (
            base + low * t.dtype().size(),
            base + high * t.dtype().size(),
        )
    };
    let (a0, a1) = range(a, x.address() as usize);
    let (b0, b1) = range(b, y.address() as usize);
    Ok(a0 < b1 && b0 < a1)
}
