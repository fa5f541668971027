//! Where the elements of a tensor lie: shape, signed strides and offset, all in elements.
//!
//! Every view (transpose, slice, broadcast, diagonal, ...) is arithmetic on this; none moves data.

mod collapse;
mod span;
mod views;
mod walk;

use crate::error::{Error, Result};
pub use collapse::collapse;
use smallvec::SmallVec;
pub use span::Span;
use walk::Walk;

/// Lengths of the axes.
pub type Dims = SmallVec<[usize; 4]>;
/// Signed distances between neighbours along each axis, in elements.
pub type Strides = SmallVec<[isize; 4]>;

/// The most axes a tensor has: as many as an array of NumPy 2.
pub const MAX_NDIM: usize = 64;

/// Shape, strides and offset of a tensor within its buffer, in elements.
///
/// Numbers, and no promise: they may lead anywhere, and whoever makes a tensor of them compares them with its memory first
/// ([`Tensor::relayout`](crate::Tensor::relayout), [`Tensor::from_buffer`](crate::Tensor::from_buffer)). There are as many strides as
/// lengths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    walk: Walk,
    offset: usize,
}

/// An error where `ndim` axes are more than [`MAX_NDIM`].
///
/// ```
/// use syntonic_core::layout::{MAX_NDIM, check_ndim};
///
/// assert!(check_ndim("stack", MAX_NDIM).is_ok() && check_ndim("stack", MAX_NDIM + 1).is_err());
/// ```
#[inline]
pub fn check_ndim(op: &'static str, ndim: usize) -> Result<()> {
    if ndim <= MAX_NDIM {
        return Ok(());
    }
    Err(Error::TooManyAxes { op, ndim })
}

/// The number of elements of `shape`, or an error where it overflows or has too many axes. Every shape that
/// somebody asks for comes through here.
///
/// ```
/// use syntonic_core::layout::count;
///
/// assert_eq!((count("zeros", &[2, 3])?, count("zeros", &[])?), (6, 1));
/// assert!(count("zeros", &[usize::MAX, 2]).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn count(op: &'static str, shape: &[usize]) -> Result<usize> {
    check_ndim(op, shape.len())?;
    if shape.contains(&0) {
        return Ok(0);
    }
    shape
        .iter()
        .try_fold(1usize, |n, &d| n.checked_mul(d))
        .filter(|&n| n <= isize::MAX as usize)
        .ok_or_else(|| Error::SizeOverflow {
            op,
            shape: shape.to_vec(),
        })
}

/// Row-major strides of `shape`, each as large as all axes behind it.
///
/// ```
/// use syntonic_core::layout::row_major;
///
/// assert_eq!(row_major(&[2, 3, 4])[..], [12, 4, 1]);
/// ```
#[inline]
pub fn row_major(shape: &[usize]) -> Strides {
    let mut strides: Strides = SmallVec::from_elem(0, shape.len());
    let mut step = 1;
    for axis in (0..shape.len()).rev() {
        strides[axis] = step;
        step = outer_step(step, shape[axis]);
    }
    strides
}

/// The row-major stride of the axis before one of length `len` and stride `step`.
///
/// Of an empty shape nobody walks the strides, and the other lengths may be anything: where the product leaves the range of
/// addresses, the stride is 0, so that nobody who counts in bytes has to look out for it.
#[inline]
fn outer_step(step: isize, len: usize) -> isize {
    /// In elements of 16 bytes, and added to another: still an address.
    const LARGEST: usize = isize::MAX as usize / 64;
    match (step as usize).checked_mul(len.max(1)) {
        Some(outer) if outer <= LARGEST => outer as isize,
        _ => 0,
    }
}

/// The axis as an index, counting from the end when negative.
///
/// ```
/// use syntonic_core::layout::normalize_axis;
///
/// assert_eq!((normalize_axis("sum", -1, 3)?, normalize_axis("sum", 0, 3)?), (2, 0));
/// assert!(normalize_axis("sum", 3, 3).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn normalize_axis(op: &'static str, axis: isize, ndim: usize) -> Result<usize> {
    let n = ndim as isize;
    let at = if axis < 0 { axis + n } else { axis };
    if (0..n).contains(&at) {
        Ok(at as usize)
    } else {
        Err(Error::Axis { op, axis, ndim })
    }
}

/// The number of elements of `shape`, and `usize::MAX` where it overflows: more than any memory has.
#[inline]
pub(crate) fn elements(shape: &[usize]) -> usize {
    // The other lengths of an empty shape may be anything, so they are not multiplied.
    if shape.contains(&0) {
        0
    } else {
        shape.iter().fold(1, |n, &len| n.saturating_mul(len))
    }
}

/// Elements in memory of what has these axes, each a length and a stride: repetition along an axis takes none.
pub(crate) fn stored<'a>(axes: impl Iterator<Item = (&'a usize, &'a isize)>) -> usize {
    let mut elements = 1;
    for (&len, &stride) in axes {
        match len {
            0 => return 0,
            _ if stride == 0 => {}
            _ => elements *= len,
        }
    }
    elements
}

/// Axes as sorted distinct indices.
///
/// ```
/// use syntonic_core::layout::normalize_axes;
///
/// assert_eq!(normalize_axes("sum", &[-1, 0], 3)?[..], [0, 2]);
/// assert!(normalize_axes("sum", &[0, -3], 3).is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn normalize_axes(
    op: &'static str,
    axes: &[isize],
    ndim: usize,
) -> Result<SmallVec<[usize; 6]>> {
    let mut out: SmallVec<[usize; 6]> = SmallVec::new();
    for &axis in axes {
        let at = normalize_axis(op, axis, ndim)?;
        if out.contains(&at) {
            return Err(Error::Axis { op, axis, ndim });
        }
        out.push(at);
    }
    out.sort_unstable();
    Ok(out)
}

/// The shape both broadcast to, or `None` where they do not.
///
/// ```
/// use syntonic_core::layout::broadcast_pair;
///
/// assert_eq!(broadcast_pair(&[2, 1], &[3]).unwrap()[..], [2, 3]);
/// assert!(broadcast_pair(&[2], &[3]).is_none());
/// ```
pub fn broadcast_pair(a: &[usize], b: &[usize]) -> Option<Dims> {
    let ndim = a.len().max(b.len());
    let at = |s: &[usize], i: usize| {
        if i + s.len() < ndim {
            1
        } else {
            s[i + s.len() - ndim]
        }
    };
    (0..ndim)
        .map(|i| match (at(a, i), at(b, i)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

impl Layout {
    /// Row-major, offset 0. Errors if the number of elements overflows.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::contiguous("zeros", &[2, 3])?.strides(), [3, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn contiguous(op: &'static str, shape: &[usize]) -> Result<Layout> {
        count(op, shape)?;
        Ok(Layout::from_parts(shape, &row_major(shape), 0))
    }

    /// A layout from its parts, whatever they are. What makes a tensor of it refuses one that leaves its memory; so does
    /// it where there are not as many strides as lengths: such parts lead nowhere.
    ///
    /// ```
    /// use syntonic_core::Layout;
    /// use syntonic_core::prelude::*;
    ///
    /// let transposed = Layout::from_parts(&[3, 2], &[1, 3], 0);
    /// assert!(!transposed.is_contiguous() && transposed.extent() == (0, 6));
    ///
    /// let x = Tensor::from([1, 2, 3, 4]);
    /// assert!(x.relayout(Layout::from_parts(&[4], &[-1], 0)).is_err());
    /// assert!(x.relayout(Layout::from_parts(&[2, 2], &[1], 0)).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn from_parts(shape: &[usize], strides: &[isize], offset: usize) -> Layout {
        if shape.len() != strides.len() {
            return Layout::nowhere(shape);
        }
        Layout {
            walk: Walk::new(shape, strides),
            offset,
        }
    }

    /// What no memory has room for, of this shape; no strides were given for it.
    #[cold]
    fn nowhere(shape: &[usize]) -> Layout {
        let strides: Strides = SmallVec::from_elem(0, shape.len());
        Layout {
            walk: Walk::new(shape, &strides),
            offset: usize::MAX,
        }
    }

    /// A layout from its parts, checked as far as it can be without its memory.
    ///
    /// # Errors
    /// [`Error::TooManyAxes`], [`Error::SizeOverflow`], and [`Error::Value`] where there are not as many strides as lengths, or a
    /// position is negative or leaves the range of addresses.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::strided("flip", &[4], &[-1], 3)?.extent(), (0, 4));
    /// assert!(Layout::strided("flip", &[4], &[-1], 0).is_err());
    /// assert!(Layout::strided("view", &[4, 2], &[1], 0).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn strided(
        op: &'static str,
        shape: &[usize],
        strides: &[isize],
        offset: usize,
    ) -> Result<Layout> {
        count(op, shape)?;
        let layout = Layout::from_parts(shape, strides, offset);
        if shape.len() == strides.len() && layout.checked_extent().is_some() {
            return Ok(layout);
        }
        Err(Error::value(
            op,
            format!(
                "strides {strides:?} from {offset} lead out of any memory over the shape {shape:?}; hint: one stride for each axis, and no position below 0"
            ),
        ))
    }

    /// The same walk from the start of a buffer.
    pub(crate) fn at_start(&self) -> Layout {
        Layout {
            offset: 0,
            ..self.clone()
        }
    }

    /// Lengths of the axes.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::contiguous("zeros", &[2, 3])?.shape(), [2, 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn shape(&self) -> &[usize] {
        self.walk.shape()
    }

    /// Signed strides, in elements.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::contiguous("zeros", &[2, 3])?.strides(), [3, 1]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn strides(&self) -> &[isize] {
        self.walk.strides()
    }

    /// Position of the first element in the buffer, in elements.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::contiguous("zeros", &[2, 3])?.select(0, 1)?.offset(), 3);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The number of axes.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::contiguous("zeros", &[2, 3])?.ndim(), 2);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    /// The number of elements; `usize::MAX` where it overflows, which is that of no tensor.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// assert_eq!(Layout::contiguous("zeros", &[2, 3])?.numel(), 6);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn numel(&self) -> usize {
        elements(self.shape())
    }

    /// True where the elements lie row-major without gaps (axes of length 1 do not matter).
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// let rows = Layout::contiguous("zeros", &[2, 3])?;
    /// assert!(rows.is_contiguous() && !rows.permute(&[1, 0])?.is_contiguous());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        if self.shape().contains(&0) {
            return true;
        }
        let mut step = 1isize;
        for (&len, &stride) in self.shape().iter().zip(self.strides()).rev() {
            if len > 1 {
                if stride != step {
                    return false;
                }
                // Wraps over no tensor.
                step = step.wrapping_mul(len as isize);
            }
        }
        true
    }

    /// [`Layout::extent`] of a layout nobody has vouched for: `None` where the number of elements or
    /// a position overflows, or a position is negative. Without elements nothing is touched, wherever the first would lie:
    /// the memory ends before it where axes were cut off its end.
    pub(crate) fn checked_extent(&self) -> Option<(usize, usize)> {
        count("extent", self.shape()).ok()?;
        if self.shape().contains(&0) {
            return Some((0, 0));
        }
        let (mut low, mut high) = (self.offset, self.offset);
        for (&len, &stride) in self.shape().iter().zip(self.strides()) {
            let reach = isize::try_from(len - 1).ok()?.checked_mul(stride)?;
            if reach < 0 {
                low = low.checked_add_signed(reach)?;
            } else {
                high = high.checked_add_signed(reach)?;
            }
        }
        Some((low, high.checked_add(1)?))
    }

    /// The same, and row-major from the start where it has no elements and its numbers could not be counted in bytes: nobody
    /// walks them, but many multiply.
    pub(crate) fn tamed(self, room: usize) -> Layout {
        const LARGEST: usize = isize::MAX as usize / 64;
        let wild = self.offset > room || self.strides().iter().any(|s| s.unsigned_abs() > LARGEST);
        if !wild || self.numel() > 0 {
            return self;
        }
        let strides = row_major(self.shape());
        Layout::from_parts(self.shape(), &strides, 0)
    }

    /// True where one element of memory may stand for several positions; false is certain.
    pub(crate) fn may_overlap(&self) -> bool {
        if self.numel() == 0 {
            return false;
        }
        let mut axes: SmallVec<[(usize, usize); 6]> = self
            .shape()
            .iter()
            .zip(self.strides())
            .filter(|&(&len, _)| len > 1)
            .map(|(&len, &stride)| (stride.unsigned_abs(), len))
            .collect();
        axes.sort_unstable();
        // Each axis must step over everything the finer ones reach.
        let mut reach = 0;
        axes.into_iter().any(|(stride, len)| {
            let collides = stride <= reach;
            reach += stride * (len - 1);
            collides
        })
    }

    /// The lowest and one past the highest element position touched; `(offset, offset)` when empty. Where a position is
    /// negative or leaves the range of addresses, all of it: `(0, usize::MAX)`.
    ///
    /// ```
    /// use syntonic_core::Layout;
    ///
    /// let rows = Layout::contiguous("zeros", &[2, 3])?;
    /// assert_eq!((rows.extent(), rows.select(0, 1)?.extent()), ((0, 6), (3, 6)));
    /// assert_eq!(Layout::from_parts(&[4], &[-1], 0).extent(), (0, usize::MAX));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn extent(&self) -> (usize, usize) {
        if self.numel() == 0 {
            return (self.offset, self.offset);
        }
        self.checked_extent().unwrap_or((0, usize::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shape: &[usize]) -> Layout {
        Layout::contiguous("test", shape).unwrap()
    }

    #[test]
    fn slices_follow_python() {
        let span = |a, b, s, n| Span::new("test", a, b, s, n).unwrap();
        assert_eq!(
            span(None, None, -1, 4),
            Span {
                start: 3,
                step: -1,
                len: 4
            }
        );
        assert_eq!(
            span(Some(1), Some(-1), 2, 6),
            Span {
                start: 1,
                step: 2,
                len: 2
            }
        );
        assert_eq!(span(Some(5), Some(1), 1, 6).len, 0);
        assert_eq!(
            span(Some(-100), Some(100), 1, 3),
            Span {
                start: 0,
                step: 1,
                len: 3
            }
        );
        assert_eq!(
            span(Some(4), Some(-7), -2, 5),
            Span {
                start: 4,
                step: -2,
                len: 3
            }
        );
        assert!(Span::new("test", None, None, 0, 3).is_err());
    }

    #[test]
    fn reshape_keeps_views_where_it_can() {
        let t = layout(&[4, 6]).permute(&[1, 0]).unwrap();
        assert!(t.reshape(&[24]).is_none());
        assert_eq!(t.reshape(&[2, 3, 4]).unwrap().strides(), [3, 1, 6]);
        let every_other = Span {
            start: 0,
            step: 2,
            len: 2,
        };
        let s = layout(&[4, 6]).slice(0, every_other).unwrap();
        assert_eq!(s.reshape(&[2, 2, 3]).unwrap().strides(), [12, 3, 1]);
        assert!(s.reshape(&[12]).is_none());
        assert_eq!(t.reshape(&[1, 6, 1, 4]).unwrap().shape(), [1, 6, 1, 4]);
    }

    #[test]
    fn collapse_joins_what_all_operands_walk_alike() {
        let (dims, strides) = collapse(&[2, 3, 4], &[&[12, 4, 1], &[12, 4, 1]]);
        assert_eq!(
            (&dims[..], &strides[0][..]),
            (&[24usize][..], &[1isize][..])
        );
        let (dims, strides) = collapse(&[2, 3, 4], &[&[12, 4, 1], &[0, 0, 1]]);
        assert_eq!(
            (&dims[..], &strides[1][..]),
            (&[6usize, 4][..], &[0isize, 1][..])
        );
    }

    #[test]
    fn overflow_is_an_error() {
        assert!(matches!(
            count("test", &[1 << 40, 1 << 40]),
            Err(Error::SizeOverflow { .. })
        ));
        assert_eq!(count("test", &[1 << 40, 0, 1 << 40]).unwrap(), 0);
    }

    #[test]
    fn diagonal_and_extent() {
        let d = layout(&[3, 4]).diagonal(1, 0, 1).unwrap();
        assert_eq!(
            (d.shape(), d.strides(), d.offset()),
            (&[3usize][..], &[5isize][..], 1)
        );
        let reversed = Span {
            start: 3,
            step: -1,
            len: 4,
        };
        let r = layout(&[3, 4]).slice(1, reversed).unwrap();
        assert_eq!(r.extent(), (0, 12));
    }
}
