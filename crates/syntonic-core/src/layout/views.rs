//! Views: other walks over the same elements.

use super::{Dims, Layout, MAX_NDIM, Span, Strides, check_ndim, elements, row_major};
use crate::error::{Error, Result};
use smallvec::SmallVec;

impl Layout {
    /// Axes in a new order.
    ///
    /// # Errors
    /// [`Error::Axis`] and [`Error::Value`] where `order` does not name each axis once.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// let rows = Layout::contiguous("zeros", &[2, 3, 4])?;
    /// let turned = rows.permute(&[2, 0, 1])?;
    /// assert_eq!((turned.shape(), turned.strides()), (&[4, 2, 3][..], &[1, 12, 4][..]));
    /// assert!(rows.permute(&[0, 0, 1]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn permute(&self, order: &[usize]) -> Result<Layout> {
        let op = "permute_dims";
        check_ndim(op, self.ndim())?;
        if order.len() != self.ndim() {
            let what = format!("the order {order:?} names not each of {} axes", self.ndim());
            return Err(Error::value(op, what));
        }
        const { assert!(MAX_NDIM <= u64::BITS as usize, "one bit for each axis") };
        let mut named = 0u64;
        for &axis in order {
            self.check_axis(op, axis)?;
            if named & (1 << axis) != 0 {
                return Err(self.no_axis(op, axis));
            }
            named |= 1 << axis;
        }
        let shape: Dims = order.iter().map(|&a| self.shape()[a]).collect();
        let strides: Strides = order.iter().map(|&a| self.strides()[a]).collect();
        Ok(Layout::from_parts(&shape, &strides, self.offset))
    }

    #[inline]
    fn check_axis(&self, op: &'static str, axis: usize) -> Result<()> {
        if axis < self.ndim() {
            Ok(())
        } else {
            Err(self.no_axis(op, axis))
        }
    }

    #[cold]
    fn no_axis(&self, op: &'static str, axis: usize) -> Error {
        Error::Axis {
            op,
            axis: isize::try_from(axis).unwrap_or(isize::MAX),
            ndim: self.ndim(),
        }
    }

    /// The axes in reverse order, in place.
    #[inline]
    pub(crate) fn reverse(&mut self) {
        self.walk.reverse();
    }

    /// Row-major from the same first element, in place; as many elements as before, checked by the caller.
    #[inline]
    pub(crate) fn refit(&mut self, shape: &[usize]) {
        self.walk.fill(shape);
    }

    /// The positions `span` along `axis`.
    ///
    /// # Errors
    /// [`Error::Axis`] where there is no such axis, and [`Error::Value`] where the positions do not lie on it.
    ///
    /// ```
    /// use syntonic_core::layout::Span;
    /// use syntonic_core::Layout;
    ///
    /// let every_other = Span::new("slice", Some(1), None, 2, 6)?;
    /// let part = Layout::contiguous("zeros", &[6])?.slice(0, every_other)?;
    /// assert_eq!((part.shape(), part.strides(), part.offset()), (&[3][..], &[2][..], 1));
    /// assert!(part.slice(0, every_other).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn slice(&self, axis: usize, span: Span) -> Result<Layout> {
        self.check_axis("slice", axis)?;
        if !span.lies_on(self.shape()[axis]) {
            let what = format!(
                "{span:?} leaves axis {axis} of the shape {:?}",
                self.shape()
            );
            return Err(Error::value("slice", what));
        }
        let mut out = self.clone();
        out.narrow(axis, span);
        Ok(out)
    }

    /// [`Layout::slice`] in place; that the positions lie on the axis was checked by the caller.
    #[inline]
    pub(crate) fn narrow(&mut self, axis: usize, span: Span) {
        let stride = self.strides()[axis];
        if span.len > 0 {
            self.advance(span.start, stride);
        }
        // With at most one position the stride is never walked, and the step may be anything.
        let stride = if span.len > 1 {
            stride.wrapping_mul(span.step)
        } else {
            stride
        };
        self.walk.set(axis, span.len, stride);
    }

    /// Moves the first element `steps` strides on. Without elements nothing moves: strides of an empty shape may lead
    /// anywhere, and their products past the range of addresses.
    #[inline]
    fn advance(&mut self, steps: usize, stride: isize) {
        if !self.shape().contains(&0) {
            self.offset = shift(self.offset, (steps as isize).wrapping_mul(stride));
        }
    }

    /// One position along `axis`, which disappears.
    ///
    /// # Errors
    /// [`Error::Axis`] where there is no such axis, and [`Error::Index`] where it has no such position.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// let rows = Layout::contiguous("zeros", &[2, 3])?;
    /// let column = rows.select(1, 2)?;
    /// assert_eq!((column.shape(), column.strides(), column.offset()), (&[2][..], &[3][..], 2));
    /// assert!(rows.select(1, 3).is_err() && rows.select(2, 0).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn select(&self, axis: usize, at: usize) -> Result<Layout> {
        self.check_axis("select", axis)?;
        let len = self.shape()[axis];
        if at >= len {
            return Err(Error::Index {
                op: "select",
                index: i64::try_from(at).unwrap_or(i64::MAX),
                axis,
                len,
            });
        }
        let mut out = self.clone();
        out.pick(axis, at);
        Ok(out)
    }

    /// [`Layout::select`] in place, checked by the caller.
    #[inline]
    pub(crate) fn pick(&mut self, axis: usize, at: usize) {
        self.advance(at, self.strides()[axis]);
        self.walk.remove(axis);
    }

    /// A new axis of length 1 at `axis` (`0..=ndim`).
    ///
    /// # Errors
    /// [`Error::Axis`] where there is no such place, and [`Error::TooManyAxes`].
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::contiguous("zeros", &[2, 3])?.expand_dims(1)?.shape(), [2, 1, 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn expand_dims(&self, axis: usize) -> Result<Layout> {
        if axis > self.ndim() {
            return Err(self.no_axis("expand_dims", axis));
        }
        check_ndim("expand_dims", self.ndim() + 1)?;
        let mut out = self.clone();
        out.walk.insert(axis, 1, 0);
        Ok(out)
    }

    /// Without `axis`, which has length 1.
    ///
    /// # Errors
    /// [`Error::Axis`] where there is no such axis, and [`Error::Value`] where it has another length.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::contiguous("zeros", &[2, 1, 3])?.squeeze(1)?.shape(), [2, 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn squeeze(&self, axis: usize) -> Result<Layout> {
        self.check_axis("squeeze", axis)?;
        match self.shape()[axis] {
            1 => self.select(axis, 0),
            len => {
                let what = format!("axis {axis} has length {len}; only axes of length 1 go");
                Err(Error::value("squeeze", what))
            }
        }
    }

    /// Stretched to `shape` by stride 0, or `None` where it does not broadcast to it.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// let column = Layout::contiguous("zeros", &[2, 1])?;
    /// assert_eq!(column.broadcast_to(&[5, 2, 3]).unwrap().strides(), [0, 1, 0]);
    /// assert!(column.broadcast_to(&[3, 3]).is_none());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn broadcast_to(&self, shape: &[usize]) -> Option<Layout> {
        let lead = shape.len().checked_sub(self.ndim())?;
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        for (i, (&len, &stride)) in self.shape().iter().zip(self.strides()).enumerate() {
            match (len, shape[lead + i]) {
                (a, b) if a == b => strides[lead + i] = stride,
                (1, _) => {}
                _ => return None,
            }
        }
        Some(Layout::from_parts(shape, &strides, self.offset))
    }

    /// The diagonal of two axes, moved to the end: `out[.., i] = x[.., i, .., i + k, ..]`.
    ///
    /// # Errors
    /// [`Error::Axis`] where these are not two axes.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// let above = Layout::contiguous("zeros", &[3, 3])?.diagonal(1, 0, 1)?;
    /// assert_eq!((above.shape(), above.strides(), above.offset()), (&[2][..], &[4][..], 1));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn diagonal(&self, k: isize, axis1: usize, axis2: usize) -> Result<Layout> {
        self.check_axis("diagonal", axis1)?;
        self.check_axis("diagonal", axis2)?;
        if axis1 == axis2 {
            return Err(self.no_axis("diagonal", axis2));
        }
        let (rows, cols) = (self.shape()[axis1], self.shape()[axis2]);
        let (skip_row, skip_col) = if k < 0 {
            (k.unsigned_abs(), 0)
        } else {
            (0, k as usize)
        };
        let len = rows
            .saturating_sub(skip_row)
            .min(cols.saturating_sub(skip_col));
        let mut out = self.clone();
        if len > 0 && !self.shape().contains(&0) {
            let jump =
                |steps: usize, axis: usize| (steps as isize).wrapping_mul(self.strides()[axis]);
            out.offset = shift(out.offset, jump(skip_row, axis1));
            out.offset = shift(out.offset, jump(skip_col, axis2));
        }
        let (first, second) = (axis1.max(axis2), axis1.min(axis2));
        for axis in [first, second] {
            out.walk.remove(axis);
        }
        let stride = self.strides()[axis1].wrapping_add(self.strides()[axis2]);
        out.walk.insert(out.ndim(), len, stride);
        Ok(out)
    }

    /// The same elements in order under another shape, or `None` where that needs a copy, or the shape has another number
    /// of elements or too many axes.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// let rows = Layout::contiguous("zeros", &[2, 3])?;
    /// assert_eq!(rows.reshape(&[3, 2]).unwrap().strides(), [2, 1]);
    /// // The elements of a transposed matrix are not in this order.
    /// assert!(rows.permute(&[1, 0])?.reshape(&[6]).is_none());
    /// assert!(rows.reshape(&[7]).is_none());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn reshape(&self, shape: &[usize]) -> Option<Layout> {
        // Elements that overflow are those of no tensor, and two such shapes need not agree.
        let n = self.numel();
        if elements(shape) != n || n == usize::MAX || shape.len() > MAX_NDIM {
            return None;
        }
        if n == 0 || self.is_contiguous() {
            let strides = row_major(shape);
            return Some(Layout::from_parts(shape, &strides, self.offset));
        }
        let old: SmallVec<[(usize, isize); 6]> = self
            .shape()
            .iter()
            .copied()
            .zip(self.strides().iter().copied())
            .filter(|&(n, _)| n != 1)
            .collect();
        let mut strides = row_major(shape);
        let (mut i, mut j) = (0, 0);
        while i < old.len() && j < shape.len() {
            let (mut have, mut want) = (old[i].0, shape[j]);
            let (i0, j0) = (i, j);
            while have != want {
                if have < want {
                    i += 1;
                    have *= old[i].0;
                } else {
                    j += 1;
                    want *= shape[j];
                }
            }
            let apart = |k: usize| old[k + 1].1.checked_mul(old[k + 1].0 as isize);
            if (i0..i).any(|k| Some(old[k].1) != apart(k)) {
                return None;
            }
            let mut step = old[i].1;
            for k in (j0..=j).rev() {
                strides[k] = step;
                step = step.wrapping_mul(shape[k] as isize);
            }
            i += 1;
            j += 1;
        }
        Some(Layout::from_parts(shape, &strides, self.offset))
    }
}

/// `offset + by`; a view inside its buffer never leaves it, so the sum is not negative.
fn shift(offset: usize, by: isize) -> usize {
    offset.wrapping_add_signed(by)
}
