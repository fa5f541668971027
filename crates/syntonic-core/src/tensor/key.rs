//! `x.index((0..3, .., 2))`: positions, ranges and arrays of positions, one for each axis.

use super::Tensor;
use crate::dtype::DType;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;
use crate::ops::elementwise::Arg;
use crate::ops::index::{self, IndexItem};
use crate::scalar::Scalar;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// As many full ranges as an index leaves out; at most one.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsis;

/// A new axis of length 1.
#[derive(Clone, Copy, Debug)]
pub struct NewAxis;

impl From<Ellipsis> for IndexItem {
    fn from(_: Ellipsis) -> IndexItem {
        IndexItem::Ellipsis
    }
}

impl From<NewAxis> for IndexItem {
    fn from(_: NewAxis) -> IndexItem {
        IndexItem::NewAxis
    }
}

/// Every position of an axis.
impl From<RangeFull> for IndexItem {
    fn from(_: RangeFull) -> IndexItem {
        IndexItem::ALL
    }
}

/// A mask, if its type is `bool`, else positions along one axis.
impl From<&Tensor> for IndexItem {
    fn from(array: &Tensor) -> IndexItem {
        if array.dtype().is_bool() {
            IndexItem::Mask(array.clone())
        } else {
            IndexItem::Array(array.clone())
        }
    }
}

/// An end of a range; no axis is longer than the largest `isize`.
fn end(at: impl TryInto<isize>) -> isize {
    at.try_into().unwrap_or(isize::MAX)
}

/// The end behind a range's last position, of which -1 is that of the axis, which nothing follows.
fn behind(last: isize) -> Option<isize> {
    (last != -1).then(|| last.saturating_add(1))
}

macro_rules! positions {
    ($($t:ty),*) => {$(
        /// One position; negative counts from the end.
        impl From<$t> for IndexItem {
            fn from(at: $t) -> IndexItem {
                IndexItem::Int(i64::try_from(at).unwrap_or(i64::MAX))
            }
        }

        positions!(range $t: Range<$t>, r => Some(end(r.start)), Some(end(r.end)));
        positions!(range $t: RangeFrom<$t>, r => Some(end(r.start)), None);
        positions!(range $t: RangeTo<$t>, r => None, Some(end(r.end)));
        positions!(range $t: RangeToInclusive<$t>, r => None, behind(end(r.end)));
        positions!(range $t: RangeInclusive<$t>, r => Some(end(*r.start())), behind(end(*r.end())));
    )*};
    (range $t:ty: $range:ty, $r:ident => $start:expr, $stop:expr) => {
        /// These positions of an axis; negative ends count from the end, and what lies outside the axis is left out.
        impl From<$range> for IndexItem {
            fn from($r: $range) -> IndexItem {
                IndexItem::Slice { start: $start, stop: $stop, step: 1 }
            }
        }
    };
}
positions!(i32, i64, isize, usize);

impl IndexItem {
    /// The positions from `start` up to but not including `stop`, as `start..stop`, for ends that count from both sides:
    /// clippy takes the range `1..-1` for an empty one, as it is where a loop walks it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::arange(0, 6, 1)?;
    /// assert_eq!(x.index(IndexItem::span(1, -1))?.to_vec::<i64>()?, [1, 2, 3, 4]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn span(start: isize, stop: isize) -> IndexItem {
        IndexItem::Slice {
            start: Some(start),
            stop: Some(stop),
            step: 1,
        }
    }

    /// Every `step`-th position of a range; with a negative step the range is walked from its start down to its end, so
    /// `every(.., -1)` is an axis backwards. A step of 0 is an error where it is used.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::arange(0, 6, 1)?;
    /// assert_eq!(x.index(IndexItem::every(1.., 2))?.to_vec::<i64>()?, [1, 3, 5]);
    /// assert_eq!(x.index(IndexItem::every(.., -1))?.to_vec::<i64>()?, [5, 4, 3, 2, 1, 0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn every(range: impl Into<IndexItem>, step: isize) -> IndexItem {
        match range.into() {
            IndexItem::Slice { start, stop, .. } => IndexItem::Slice { start, stop, step },
            other => other,
        }
    }
}

/// What stands between the brackets of an index: one item, or a tuple of up to six.
///
/// An item is an integer, a range of integers, `..` for a whole axis, [`Ellipsis`], [`NewAxis`], a tensor, or any
/// [`IndexItem`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{Key, Result};
///
/// /// The mean of a part.
/// fn mean(x: &Tensor, part: impl Key) -> Result<f64> {
///     x.index(part)?.mean(..)?.to_scalar()
/// }
///
/// let x = Tensor::from([[1.0, 2.0], [3.0, 5.0]]);
/// assert_eq!((mean(&x, 0)?, mean(&x, (.., 1))?, mean(&x, ..)?), (1.5, 3.5, 2.75));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub trait Key {
    /// The items, first axis first.
    ///
    /// ```
    /// use syntonic_core::Key;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!((0, .., NewAxis).items().len(), 3);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    fn items(self) -> Vec<IndexItem>;
}

impl<T: Into<IndexItem>> Key for T {
    fn items(self) -> Vec<IndexItem> {
        // few: one.
        vec![self.into()]
    }
}

impl Key for Vec<IndexItem> {
    fn items(self) -> Vec<IndexItem> {
        self
    }
}

macro_rules! tuples {
    ($($($item:ident)+;)*) => {$(
        impl<$($item: Into<IndexItem>),+> Key for ($($item,)+) {
            fn items(self) -> Vec<IndexItem> {
                #[allow(non_snake_case)]
                let ($($item,)+) = self;
                // few: those of the tuple.
                vec![$($item.into()),+]
            }
        }
    )*};
}
tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; }

/// Indexing, as NumPy's brackets.
///
/// ```
/// use syntonic_core::{Ellipsis, NewAxis, Tensor, ops::index::IndexItem};
///
/// let mut x = Tensor::arange(0, 24, 1)?.reshape(&[2, 3, 4])?;
/// assert_eq!(x.index((0, 1..3, 2))?.to_vec::<i64>()?, [6, 10]);
/// assert_eq!(x.index((Ellipsis, -1))?.shape(), [2, 3]);
/// assert_eq!(x.index((0, 0, IndexItem::span(1, -1)))?.to_vec::<i64>()?, [1, 2]);
/// assert_eq!(x.index((.., NewAxis, .., IndexItem::every(.., 2)))?.shape(), [2, 1, 3, 2]);
/// assert_eq!(x.index(&x.greater(21)?)?.to_vec::<i64>()?, [22, 23]);
///
/// x.set((1, .., 0..2), 0)?;
/// assert_eq!(x.sum(..)?.to_scalar::<i64>()?, 276 - (12 + 13 + 16 + 17 + 20 + 21));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl Tensor {
    /// The selected elements: a view where no item is a tensor, else a copy.
    ///
    /// Errors as [`index::index`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.index((1, 0..2))?.to_vec::<i32>()?, [4, 5]);
    /// assert_eq!(x.index((Ellipsis, -1))?.to_vec::<i32>()?, [3, 6]);
    /// assert_eq!(x.index(&x.greater(4)?)?.to_vec::<i32>()?, [5, 6]);
    /// assert!(x.index(2).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn index(&self, key: impl Key) -> Result<Tensor> {
        index::index(self, &key.items())
    }

    /// Writes `values`, a tensor or a number, broadcast and cast, over the selected elements. If others share the memory,
    /// this tensor gets memory of its own first, so they do not change.
    ///
    /// Errors as [`index::set`], and [`Error::Range`] for an integer that the type cannot hold; nothing is changed then.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut x = Tensor::from([[1, 2, 3], [4, 5, 6]]);
    /// x.set((0, ..2), 0)?;
    /// x.set((.., 2), &Tensor::from([30, 60]))?;
    /// assert_eq!(x.to_vec::<i32>()?, [0, 0, 30, 4, 5, 60]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn set<'a>(&mut self, key: impl Key, values: impl Into<Arg<'a>>) -> Result<()> {
        self.write_at("set_item", index::set, key, values.into())
    }

    /// Adds `values` to the selected elements; one that is selected several times gets every addition.
    ///
    /// Errors as [`index::add`], and [`Error::Range`] for an integer that the type cannot hold; nothing is changed then.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let mut counts = Tensor::zeros(&[3], DType::I64)?;
    /// counts.add_at(&Tensor::from([2, 0, 2]), 1)?;
    /// assert_eq!(counts.to_vec::<i64>()?, [1, 0, 2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn add_at<'a>(&mut self, key: impl Key, values: impl Into<Arg<'a>>) -> Result<()> {
        self.write_at("index_add", index::add, key, values.into())
    }

    fn write_at(
        &mut self,
        op: &'static str,
        write: fn(&mut Tensor, &[IndexItem], &Tensor) -> Result<()>,
        key: impl Key,
        values: Arg<'_>,
    ) -> Result<()> {
        let number;
        let values = match values {
            Arg::Tensor(values) => values,
            Arg::Number(x) => {
                number = self.written(op, x)?;
                &number
            }
        };
        write(self, &key.items(), values)
    }

    /// A number as it will be written to an element of this tensor.
    fn written(&self, op: &'static str, x: Scalar) -> Result<Tensor> {
        x.check_fit(op, self.dtype())?;
        let dtype = match x {
            // Not cast here, so that it is refused where the elements are real.
            Scalar::Complex(_) if !self.dtype().is_complex() => DType::C128,
            _ => self.dtype(),
        };
        Tensor::scalar(x, dtype)?.to(self.device())
    }
}
