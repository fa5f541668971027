//! Views: other ways to walk the same memory. None moves data.

use super::{Source, Tensor, describe};
use crate::error::{Error, Result};
use crate::fuse::Prim;
use crate::layout::{
    Layout, MAX_NDIM, Span, Strides, check_ndim, count, normalize_axes, normalize_axis,
};

impl Tensor {
    /// Another walk over the same memory; an error where it would leave the memory, or the variable that a tracked tensor is a
    /// view of.
    ///
    /// ```
    /// use syntonic_core::Layout;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2, 3, 4]);
    /// let windows = x.relayout(Layout::from_parts(&[3, 2], &[1, 1], 0))?;
    /// assert_eq!(windows.to_vec::<i32>()?, [1, 2, 2, 3, 3, 4]);
    /// assert!(x.relayout(Layout::from_parts(&[5], &[1], 0)).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn relayout(&self, layout: Layout) -> Result<Tensor> {
        let room = match self.source() {
            Source::Stored(buffer) => buffer.bytes() / self.dtype().size(),
            Source::Pending(pending) => pending.numel(),
            Source::Ramp(ramp) => ramp.count(),
        };
        check_ndim("relayout", layout.ndim())?;
        let extent = layout.checked_extent();
        if extent.is_none_or(|(_, end)| end > room) {
            return Err(Error::value(
                "relayout",
                format!("{layout:?} leaves the {room} elements of the memory"),
            ));
        }
        // Beyond a variable no gradient follows.
        if let (Some(node), Some(extent)) = (self.node(), extent)
            && layout.numel() > 0
            && !node.holds(extent)
        {
            return Err(Error::value(
                "relayout",
                format!("{layout:?} leaves the elements of the variable that this is a view of"),
            ));
        }
        Ok(self.with_layout(layout.tamed(room)))
    }

    /// Gives a row-major tensor the lengths `shape`, in place. False, and nothing changed, where it is not row-major
    /// or the lengths hold another number of elements or are too many.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut x = Tensor::from([1, 2, 3, 4]);
    /// assert!(x.refit(&[2, 2]) && x.shape() == [2, 2]);
    /// assert!(!x.refit(&[3]) && x.shape() == [2, 2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn refit(&mut self, shape: &[usize]) -> bool {
        let count = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
        let fits = self.is_contiguous() && count == Some(self.numel()) && shape.len() <= MAX_NDIM;
        if fits {
            self.layout.refit(shape);
        }
        fits
    }

    /// Puts the axes in reverse order, in place.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut x = Tensor::zeros(&[2, 3, 4], DType::F32)?;
    /// x.reverse_axes();
    /// assert_eq!(x.shape(), [4, 3, 2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn reverse_axes(&mut self) {
        self.layout.reverse();
    }

    /// The same elements in order under `shape`; one length may be -1 and is worked out.
    /// A view where the layout allows it, else a copy.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::arange(0, 6, 1)?;
    /// let y = x.reshape(&[2, -1])?;
    /// assert_eq!(y.shape(), [2, 3]);
    /// assert!(y.shares_storage(&x));
    /// assert!(x.reshape(&[4, 2]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn reshape(&self, shape: &[isize]) -> Result<Tensor> {
        let shape = self.resolve_shape(shape)?;
        match self.layout().reshape(&shape) {
            Some(layout) => Ok(self.with_layout(layout)),
            None => {
                let copy = self.copy()?;
                let layout = Layout::contiguous("reshape", &shape)?;
                Ok(copy.with_layout(layout))
            }
        }
    }

    fn resolve_shape(&self, shape: &[isize]) -> Result<Vec<usize>> {
        let fail = |hint: String| Error::Shape {
            op: "reshape",
            operands: describe(&[self]),
            hint,
        };
        if shape.iter().filter(|&&d| d == -1).count() > 1 || shape.iter().any(|&d| d < -1) {
            return Err(fail(format!(
                "asked for {shape:?}; lengths are not negative and at most one is -1"
            )));
        }
        let known: Vec<usize> = shape
            .iter()
            .filter(|&&d| d != -1)
            .map(|&d| d as usize)
            .collect();
        let rest = count("reshape", &known)?;
        let n = self.numel();
        let missing = n.checked_div(rest).unwrap_or(0);
        let full: Vec<usize> = shape
            .iter()
            .map(|&d| if d == -1 { missing } else { d as usize })
            .collect();
        if count("reshape", &full)? != n || (rest == 0 && shape.contains(&-1)) {
            return Err(fail(format!(
                "asked for {shape:?}; the number of elements must stay {n}"
            )));
        }
        Ok(full)
    }

    /// Axes in a new order: `out.shape[i] = shape[order[i]]`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::zeros(&[2, 3, 4], DType::F32)?;
    /// assert_eq!(x.permute(&[2, 0, 1])?.shape(), [4, 2, 3]);
    /// assert!(x.permute(&[0, 0, 1]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn permute(&self, order: &[isize]) -> Result<Tensor> {
        if order.len() != self.ndim() {
            return Err(Error::Shape {
                op: "permute_dims",
                operands: describe(&[self]),
                hint: format!(
                    "the order {order:?} must name each of the {} axes once",
                    self.ndim()
                ),
            });
        }
        normalize_axes("permute_dims", order, self.ndim())?;
        let n = self.ndim() as isize;
        let order: Vec<usize> = order
            .iter()
            .map(|&a| (if a < 0 { a + n } else { a }) as usize)
            .collect();
        Ok(self.with_layout(self.layout().permute(&order)?))
    }

    /// Two axes exchanged.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::zeros(&[2, 3, 4], DType::F32)?;
    /// assert_eq!(x.transpose(0, -1)?.shape(), [4, 3, 2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn transpose(&self, axis1: isize, axis2: isize) -> Result<Tensor> {
        let a = normalize_axis("transpose", axis1, self.ndim())?;
        let b = normalize_axis("transpose", axis2, self.ndim())?;
        let mut order: Vec<usize> = (0..self.ndim()).collect();
        order.swap(a, b);
        Ok(self.with_layout(self.layout().permute(&order)?))
    }

    /// `start:stop:step` along `axis`, with Python's rules.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::arange(0, 6, 1)?;
    /// assert_eq!(x.slice(0, Some(1), Some(-1), 2)?.to_vec::<i64>()?, [1, 3]);
    /// assert_eq!(x.slice(0, None, None, -2)?.to_vec::<i64>()?, [5, 3, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn slice(
        &self,
        axis: isize,
        start: Option<isize>,
        stop: Option<isize>,
        step: isize,
    ) -> Result<Tensor> {
        let axis = normalize_axis("slice", axis, self.ndim())?;
        let span = Span::new("slice", start, stop, step, self.shape()[axis])?;
        Ok(self.with_layout(self.layout().slice(axis, span)?))
    }

    /// The positions `span` along `axis`, in place; an error, and nothing changed, where they lie outside it.
    ///
    /// ```
    /// use syntonic_core::layout::Span;
    /// use syntonic_core::prelude::*;
    ///
    /// let mut x = Tensor::arange(0, 6, 1)?;
    /// x.narrow(0, Span::new("slice", Some(2), Some(5), 1, 6)?)?;
    /// assert_eq!(x.to_vec::<i64>()?, [2, 3, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn narrow(&mut self, axis: usize, span: Span) -> Result<()> {
        if self.shape().get(axis).is_some_and(|&len| span.lies_on(len)) {
            self.layout.narrow(axis, span);
            return Ok(());
        }
        Err(Error::value(
            "slice",
            format!("{span:?} leaves axis {axis} of {}", self.describe()),
        ))
    }

    /// The position `index` along `axis`, which disappears; negative counts from the end.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.select(1, -1)?.to_vec::<i32>()?, [3, 6]);
    /// assert!(x.select(0, 2).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn select(&self, axis: isize, index: i64) -> Result<Tensor> {
        let mut out = self.clone();
        out.pick(normalize_axis("select", axis, self.ndim())?, index)?;
        Ok(out)
    }

    /// [`Tensor::select`] in place; an error, and nothing changed, where there is no such axis or position.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// x.pick(0, 1)?;
    /// assert_eq!(x.to_vec::<i32>()?, [4, 5, 6]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn pick(&mut self, axis: usize, index: i64) -> Result<()> {
        let Some(&len) = self.shape().get(axis) else {
            return Err(Error::Axis {
                op: "index",
                axis: axis as isize,
                ndim: self.ndim(),
            });
        };
        let at = if index < 0 {
            index.saturating_add(len as i64)
        } else {
            index
        };
        if !(0..len as i64).contains(&at) {
            return Err(Error::Index {
                op: "index",
                index,
                axis,
                len,
            });
        }
        self.layout.pick(axis, at as usize);
        Ok(())
    }

    /// A new axis of length 1 before `axis` (`0..=ndim`), in place; an error where there is no such place.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut x = Tensor::from([1, 2, 3]);
    /// x.widen(1)?;
    /// assert_eq!(x.shape(), [3, 1]);
    /// assert!(x.widen(3).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn widen(&mut self, axis: usize) -> Result<()> {
        if axis > self.ndim() {
            return Err(Error::Axis {
                op: "index",
                axis: axis as isize,
                ndim: self.ndim(),
            });
        }
        check_ndim("index", self.ndim() + 1)?;
        self.layout = self.layout.expand_dims(axis)?;
        Ok(())
    }

    /// The order of elements along `axes` reversed.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 4]]);
    /// assert_eq!(x.flip(&[0])?.to_vec::<i32>()?, [3, 4, 1, 2]);
    /// assert_eq!(x.flip(&[0, 1])?.to_vec::<i32>()?, [4, 3, 2, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn flip(&self, axes: &[isize]) -> Result<Tensor> {
        let mut layout = self.layout().clone();
        for axis in normalize_axes("flip", axes, self.ndim())? {
            let span = Span::new("flip", None, None, -1, self.shape()[axis])?;
            layout = layout.slice(axis, span)?;
        }
        Ok(self.with_layout(layout))
    }

    /// New axes of length 1 at these positions of the result.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1, 2, 3]);
    /// assert_eq!(x.expand_dims(&[0, -1])?.shape(), [1, 3, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn expand_dims(&self, axes: &[isize]) -> Result<Tensor> {
        check_ndim("expand_dims", self.ndim() + axes.len())?;
        let mut layout = self.layout().clone();
        for axis in normalize_axes("expand_dims", axes, self.ndim() + axes.len())? {
            layout = layout.expand_dims(axis)?;
        }
        Ok(self.with_layout(layout))
    }

    /// Without these axes, each of length 1.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::zeros(&[1, 3, 1], DType::F32)?;
    /// assert_eq!(x.squeeze(&[0, -1])?.shape(), [3]);
    /// assert!(x.squeeze(&[1]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn squeeze(&self, axes: &[isize]) -> Result<Tensor> {
        let mut layout = self.layout().clone();
        for &axis in normalize_axes("squeeze", axes, self.ndim())?.iter().rev() {
            if self.shape()[axis] != 1 {
                return Err(Error::Shape {
                    op: "squeeze",
                    operands: describe(&[self]),
                    hint: format!(
                        "axis {axis} has length {}; only axes of length 1 go",
                        self.shape()[axis]
                    ),
                });
            }
            layout = layout.squeeze(axis)?;
        }
        Ok(self.with_layout(layout))
    }

    /// Stretched to `shape` without copying: axes of length 1 repeat. What was stretched is not written through an alias.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1], [2]]);
    /// let y = x.broadcast_to(&[2, 3])?;
    /// assert_eq!(y.to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
    /// assert!(y.shares_storage(&x) && !y.is_writable());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Tensor> {
        count("broadcast_to", shape)?;
        let layout = self
            .layout()
            .broadcast_to(shape)
            .ok_or_else(|| Error::Shape {
                op: "broadcast_to",
                operands: describe(&[self]),
                hint: format!(
                    "to {shape:?}: aligned from the right, each length must be equal or 1"
                ),
            })?;
        let out = self.with_layout(layout);
        Ok(if shape == self.shape() {
            out
        } else {
            out.read_only()
        })
    }

    /// The diagonal `k` of two axes, moved to the end.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.diagonal(0, 0, 1)?.to_vec::<i32>()?, [1, 5]);
    /// assert_eq!(x.diagonal(1, 0, 1)?.to_vec::<i32>()?, [2, 6]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn diagonal(&self, k: isize, axis1: isize, axis2: isize) -> Result<Tensor> {
        let a = normalize_axis("diagonal", axis1, self.ndim())?;
        let b = normalize_axis("diagonal", axis2, self.ndim())?;
        if a == b {
            return Err(Error::Axis {
                op: "diagonal",
                axis: axis2,
                ndim: self.ndim(),
            });
        }
        Ok(self.with_layout(self.layout().diagonal(k, a, b)?))
    }

    /// The real parts, a view of every other float; a real tensor is its own real part.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let z = Tensor::from([3.0, 1.0]).complex(&Tensor::from([4.0, 2.0]))?;
    /// assert_eq!(z.real()?.to_vec::<f64>()?, [3.0, 1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn real(&self) -> Result<Tensor> {
        if self.dtype().is_complex() {
            self.part(0)
        } else {
            Ok(self.clone())
        }
    }

    /// The imaginary parts, a view of every other float. Those of a real tensor are zeros of their
    /// own, so writing to them does not reach it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let z = Tensor::from([3.0, 1.0]).complex(&Tensor::from([4.0, 2.0]))?;
    /// assert_eq!(z.imag()?.to_vec::<f64>()?, [4.0, 2.0]);
    /// assert_eq!(z.real()?.imag()?.to_vec::<f64>()?, [0.0, 0.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn imag(&self) -> Result<Tensor> {
        if self.dtype().is_complex() {
            self.part(1)
        } else {
            crate::ops::create::zeros_like(self, None)
        }
    }

    /// One float of each complex number: the same memory in units half as large.
    fn part(&self, which: usize) -> Result<Tensor> {
        if self.is_tracked() {
            let prim = [Prim::Real, Prim::Imag][which];
            return crate::ops::elementwise::apply(prim, &[self.into()]);
        }
        let layout = self.layout();
        let strides: Strides = layout
            .strides()
            .iter()
            .map(|&s| s.wrapping_mul(2))
            .collect();
        let layout = Layout::from_parts(self.shape(), &strides, 2 * layout.offset() + which);
        // In memory first: an expression's result is walked in units of its own type.
        // SAFETY: the same memory, which holds complex numbers: pairs of floats of that type.
        let part = unsafe { Tensor::from_buffer(self.dtype().real(), layout, self.buffer()?) }?;
        Ok(part.with_access_of(self))
    }
}
