//! Lengths and strides side by side, in one block of fixed size up to four axes.
//!
//! Views are made all the time and hold little else, so their cost is that of copying this: a block of fixed size is copied in
//! a few wide moves, and one that is altered where it lies is not copied again.

use super::{Dims, Strides, outer_step, row_major};
use std::hash::{Hash, Hasher};

/// Axes that need no memory of their own.
const INLINE: usize = 4;

/// One length and one stride an axis.
#[derive(Clone)]
pub(super) struct Walk {
    ndim: usize,
    shape: [usize; INLINE],
    strides: [isize; INLINE],
    /// All axes, where there once were more than fit.
    spilled: Option<Box<(Dims, Strides)>>,
}

impl Walk {
    /// Of as many strides as lengths.
    #[inline]
    pub(super) fn new(shape: &[usize], strides: &[isize]) -> Walk {
        let mut walk = Walk {
            ndim: shape.len(),
            shape: [0; INLINE],
            strides: [0; INLINE],
            spilled: None,
        };
        if shape.len() > INLINE {
            walk.spilled = Some(Box::new((shape.into(), strides.into())));
            return walk;
        }
        for (axis, (&len, &stride)) in shape.iter().zip(strides).enumerate() {
            walk.shape[axis] = len;
            walk.strides[axis] = stride;
        }
        walk
    }

    #[inline]
    pub(super) fn shape(&self) -> &[usize] {
        match &self.spilled {
            None => &self.shape[..self.ndim],
            Some(all) => &all.0,
        }
    }

    #[inline]
    pub(super) fn strides(&self) -> &[isize] {
        match &self.spilled {
            None => &self.strides[..self.ndim],
            Some(all) => &all.1,
        }
    }

    /// Gives an axis another length and stride.
    #[inline]
    pub(super) fn set(&mut self, axis: usize, len: usize, stride: isize) {
        match &mut self.spilled {
            None => {
                self.shape[..self.ndim][axis] = len;
                self.strides[..self.ndim][axis] = stride;
            }
            Some(all) => {
                all.0[axis] = len;
                all.1[axis] = stride;
            }
        }
    }

    /// Row-major, in place.
    #[inline]
    pub(super) fn fill(&mut self, shape: &[usize]) {
        if self.spilled.is_some() || shape.len() > INLINE {
            *self = Walk::new(shape, &row_major(shape));
            return;
        }
        self.ndim = shape.len();
        let mut step = 1;
        for (axis, &len) in shape.iter().enumerate().rev() {
            self.shape[axis] = len;
            self.strides[axis] = step;
            step = outer_step(step, len);
        }
    }

    /// Takes an axis out.
    #[inline]
    pub(super) fn remove(&mut self, axis: usize) {
        match &mut self.spilled {
            None => {
                self.shape[..self.ndim].copy_within(axis + 1.., axis);
                self.strides[..self.ndim].copy_within(axis + 1.., axis);
            }
            Some(all) => {
                all.0.remove(axis);
                all.1.remove(axis);
            }
        }
        self.ndim -= 1;
    }

    /// Puts an axis in before the axis that is `axis` now.
    pub(super) fn insert(&mut self, axis: usize, len: usize, stride: isize) {
        let (mut shape, mut strides) = (Dims::from(self.shape()), Strides::from(self.strides()));
        shape.insert(axis, len);
        strides.insert(axis, stride);
        *self = Walk::new(&shape, &strides);
    }

    /// The axes in reverse order.
    #[inline]
    pub(super) fn reverse(&mut self) {
        match &mut self.spilled {
            None => {
                self.shape[..self.ndim].reverse();
                self.strides[..self.ndim].reverse();
            }
            Some(all) => {
                all.0.reverse();
                all.1.reverse();
            }
        }
    }
}

impl PartialEq for Walk {
    fn eq(&self, other: &Walk) -> bool {
        self.shape() == other.shape() && self.strides() == other.strides()
    }
}

impl Eq for Walk {}

impl Hash for Walk {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.shape().hash(state);
        self.strides().hash(state);
    }
}

impl std::fmt::Debug for Walk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} by {:?}", self.shape(), self.strides())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(ndim: usize) -> Walk {
        let shape: Vec<usize> = (10..10 + ndim).collect();
        let strides: Vec<isize> = (1..=ndim as isize).collect();
        Walk::new(&shape, &strides)
    }

    #[test]
    fn few_axes_and_many_are_told_alike() {
        for ndim in 1..9 {
            let mut w = walk(ndim);
            w.insert(1, 7, -3);
            assert_eq!(
                (w.shape().len(), w.shape()[1], w.strides()[1]),
                (ndim + 1, 7, -3)
            );
            w.set(1, 8, -4);
            assert_eq!((w.shape()[1], w.strides()[1]), (8, -4));
            w.remove(1);
            assert_eq!(w, walk(ndim), "{ndim} axes");
            let shape: Vec<usize> = w.shape().to_vec();
            let mut filled = walk((ndim + 3) % 8);
            filled.fill(&shape);
            assert_eq!(filled, Walk::new(&shape, &row_major(&shape)), "{ndim} axes");
            w.reverse();
            assert_eq!((w.shape()[0], w.strides()[0]), (9 + ndim, ndim as isize));
        }
    }
}
