//! Walks over a tensor's elements, and over its parts along an axis.

use super::{HostSlice, Tensor, describe};
use crate::error::{Error, Result};
use crate::scalar::Element;
use std::iter::FusedIterator;
use std::ops::Range;

/// The elements of a tensor in row-major order: what [`Tensor::iter`] returns. It keeps them alive.
#[derive(Debug)]
pub struct Iter<T> {
    elements: HostSlice<T>,
    left: Range<usize>,
}

/// Each element with its index, in row-major order: what [`Tensor::indexed_iter`] returns.
#[derive(Debug)]
pub struct IndexedIter<T, const N: usize> {
    shape: [usize; N],
    elements: Iter<T>,
}

/// The parts of a tensor along an axis: what [`Tensor::axis_iter`] returns.
#[derive(Clone, Debug)]
pub struct AxisIter {
    whole: Tensor,
    axis: isize,
    left: Range<i64>,
}

impl Tensor {
    /// The elements in row-major order, by value.
    ///
    /// Elements that lie on the host without gaps are read in place; others are copied there once, before the first is returned.
    ///
    /// # Errors
    /// [`Error::DType`] if `T` is not the element type, and what computing a pending tensor ends with.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    ///
    /// let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[2, 2])?;
    /// assert_eq!(x.iter::<f64>()?.sum::<f64>(), 10.0);
    /// assert_eq!(x.transpose(0, 1)?.iter::<f64>()?.collect::<Vec<_>>(), [1.0, 3.0, 2.0, 4.0]);
    /// assert_eq!(x.iter::<f64>()?.rev().next(), Some(4.0));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn iter<T: Element>(&self) -> Result<Iter<T>> {
        let elements = self.host_slice()?;
        let left = 0..elements.len();
        Ok(Iter { elements, left })
    }

    /// The elements of a tensor of `N` axes, each with its index, in row-major order.
    ///
    /// # Errors
    /// As [`Tensor::iter`]; [`Error::Shape`] if the tensor has another number of axes.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    ///
    /// let x = Tensor::from_slice(&[3.0, 0.0, 0.0, 5.0], &[2, 2])?;
    /// let places = x.indexed_iter::<f64, 2>()?.filter(|(_, value)| *value != 0.0);
    /// assert_eq!(places.collect::<Vec<_>>(), [([0, 0], 3.0), ([1, 1], 5.0)]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn indexed_iter<T: Element, const N: usize>(&self) -> Result<IndexedIter<T, N>> {
        let shape = self.shape().try_into().map_err(|_| Error::Shape {
            op: "indexed_iter",
            operands: describe(&[self]),
            hint: format!(
                "ask for the index of {} axes: indexed_iter::<_, {}>()",
                self.ndim(),
                self.ndim()
            ),
        })?;
        let elements = self.iter()?;
        Ok(IndexedIter { shape, elements })
    }

    /// The parts of a tensor along an axis, which may be negative: views without that axis, the first one first.
    ///
    /// # Errors
    /// [`Error::Axis`] for an axis that the tensor does not have.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    ///
    /// let x = Tensor::from_slice(&[1, 2, 3, 4, 5, 6], &[2, 3])?;
    /// let columns: Vec<Vec<i64>> = x.axis_iter(1)?.map(|column| column.to_vec()).collect::<Result<_, _>>()?;
    /// assert_eq!(columns, [[1, 4], [2, 5], [3, 6]]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn axis_iter(&self, axis: isize) -> Result<AxisIter> {
        let at = crate::layout::normalize_axis("axis_iter", axis, self.ndim())?;
        Ok(AxisIter {
            whole: self.clone(),
            axis: at as isize,
            left: 0..self.shape()[at] as i64,
        })
    }

    /// As [`Tensor::axis_iter`] along the first axis: the rows of a matrix.
    ///
    /// # Errors
    /// As [`Tensor::axis_iter`], which a tensor without axes has none of.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    ///
    /// let x = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[2, 2])?;
    /// for (k, row) in x.outer_iter()?.enumerate() {
    ///     assert_eq!(row.to_vec::<f64>()?[0], 1.0 + 2.0 * k as f64);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn outer_iter(&self) -> Result<AxisIter> {
        self.axis_iter(0)
    }
}

impl<T: Element> Iterator for Iter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left.next().map(|at| self.elements[at])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<T> {
        self.left.nth(n).map(|at| self.elements[at])
    }

    fn fold<B, F: FnMut(B, T) -> B>(self, init: B, f: F) -> B {
        // One bounds check for all of them.
        self.elements[self.left.clone()]
            .iter()
            .copied()
            .fold(init, f)
    }
}

impl<T: Element> DoubleEndedIterator for Iter<T> {
    fn next_back(&mut self) -> Option<T> {
        self.left.next_back().map(|at| self.elements[at])
    }
}

impl<T: Element> ExactSizeIterator for Iter<T> {}
impl<T: Element> FusedIterator for Iter<T> {}

impl<T: Element, const N: usize> IndexedIter<T, N> {
    /// The index of the element that is `at` elements after the first.
    fn index(&self, mut at: usize) -> [usize; N] {
        let mut index = [0; N];
        for (place, &len) in index.iter_mut().zip(&self.shape).rev() {
            // An element is there, so no axis is empty.
            (*place, at) = (at % len, at / len);
        }
        index
    }
}

impl<T: Element, const N: usize> Iterator for IndexedIter<T, N> {
    type Item = ([usize; N], T);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.elements.left.start;
        let value = self.elements.next()?;
        Some((self.index(at), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }
}

impl<T: Element, const N: usize> DoubleEndedIterator for IndexedIter<T, N> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let value = self.elements.next_back()?;
        Some((self.index(self.elements.left.end), value))
    }
}

impl<T: Element, const N: usize> ExactSizeIterator for IndexedIter<T, N> {}
impl<T: Element, const N: usize> FusedIterator for IndexedIter<T, N> {}

impl AxisIter {
    fn part(&self, at: i64) -> Option<Tensor> {
        // The index is within the axis, which is all that could be wrong.
        self.whole.select(self.axis, at).ok()
    }
}

impl Iterator for AxisIter {
    type Item = Tensor;

    fn next(&mut self) -> Option<Tensor> {
        self.left.next().and_then(|at| self.part(at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // A length is that of memory, which fits.
        let left = (self.left.end - self.left.start) as usize;
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<Tensor> {
        self.left.nth(n).and_then(|at| self.part(at))
    }
}

impl DoubleEndedIterator for AxisIter {
    fn next_back(&mut self) -> Option<Tensor> {
        self.left.next_back().and_then(|at| self.part(at))
    }
}

impl ExactSizeIterator for AxisIter {}
impl FusedIterator for AxisIter {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    fn ramp(shape: &[usize]) -> Tensor {
        let count = shape.iter().product::<usize>() as i64;
        Tensor::from_vec((0..count).collect::<Vec<i64>>(), shape).unwrap()
    }

    #[test]
    fn every_layout_is_walked_row_by_row() {
        let x = ramp(&[2, 3, 4]);
        let views = [
            x.clone(),
            x.permute(&[2, 0, 1]).unwrap(),
            x.flip(&[0, 2]).unwrap(),
            x.slice(2, Some(1), None, 2).unwrap(),
            x.slice(1, Some(1), Some(1), 1).unwrap(),
            ramp(&[3, 1]).broadcast_to(&[2, 3, 5]).unwrap(),
            ramp(&[1]).squeeze(&[0]).unwrap(),
        ];
        for view in views {
            let want: Vec<i64> = view.to_vec().unwrap();
            let mut all = view.iter::<i64>().unwrap();
            assert_eq!(all.len(), want.len());
            assert_eq!(
                view.iter::<i64>().unwrap().rev().last(),
                want.first().copied()
            );
            assert_eq!(view.iter::<i64>().unwrap().nth(1), want.get(1).copied());
            assert_eq!(all.by_ref().collect::<Vec<_>>(), want);
            assert_eq!((all.next(), all.next_back(), all.len()), (None, None, 0));
        }
    }

    #[test]
    fn a_folded_rest_is_what_is_left() {
        let x = ramp(&[10]);
        let mut all = x.iter::<i64>().unwrap();
        assert_eq!((all.next(), all.next_back()), (Some(0), Some(9)));
        assert_eq!(all.sum::<i64>(), 36);
    }

    #[test]
    fn indices_lead_back_to_the_elements() {
        let x = ramp(&[2, 3, 4]).permute(&[1, 2, 0]).unwrap();
        let all = x.indexed_iter::<i64, 3>().unwrap();
        assert_eq!(all.len(), 24);
        for (index, value) in all {
            let [i, j, k] = index.map(|k| k as i64);
            assert_eq!(
                x.index((i, j, k)).unwrap().to_scalar::<i64>().unwrap(),
                value
            );
        }
        let last = x.indexed_iter::<i64, 3>().unwrap().next_back();
        assert_eq!(last, Some(([2, 3, 1], 23)));
        let number = ramp(&[1]).squeeze(&[0]).unwrap();
        let alone: Vec<_> = number.indexed_iter::<i64, 0>().unwrap().collect();
        assert_eq!(alone, [([], 0)]);
        assert_eq!(ramp(&[0, 3]).indexed_iter::<i64, 2>().unwrap().next(), None);
    }

    #[test]
    fn parts_are_views_from_both_ends() {
        let x = ramp(&[2, 3, 4]);
        let mut parts = x.axis_iter(-2).unwrap();
        assert_eq!(parts.len(), 3);
        let (first, last) = (parts.next().unwrap(), parts.next_back().unwrap());
        assert_eq!(first.shape(), [2, 4]);
        assert_eq!(first.to_vec::<i64>().unwrap()[4], 12);
        assert_eq!(last.to_vec::<i64>().unwrap()[0], 8);
        assert_eq!((parts.len(), parts.nth(1).is_none()), (1, true));
        assert_eq!(ramp(&[0, 3]).outer_iter().unwrap().count(), 0);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let x = ramp(&[2, 3]);
        assert!(matches!(x.iter::<f64>(), Err(Error::DType { .. })));
        let error = x.indexed_iter::<i64, 3>().unwrap_err();
        assert!(
            error.to_string().contains("indexed_iter::<_, 2>()"),
            "{error}"
        );
        assert!(x.axis_iter(2).is_err());
        let number = Tensor::zeros(&[], DType::F32).unwrap();
        assert!(number.outer_iter().is_err());
    }
}
