//! The index space of what is computed together, and where a value lies in it: along every axis, or along those that folds
//! leave.

use super::{Operand, Operation, Pending};
use crate::fuse::Level;
use crate::layout::{Dims, Layout, Strides, row_major};
use crate::tensor::{Source, Tensor};
use smallvec::SmallVec;
use std::sync::Arc;

/// The axis of the space that each axis of a value lies along; `None` for axes of length 1.
pub(super) type Axes = SmallVec<[Option<usize>; 6]>;

/// The axes of a program: all of them, and which of them folds reduce.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Space {
    pub(super) shape: Dims,
    /// The reduced axes, a bit each; those of length 1 are left out.
    pub(super) reduced: u64,
}

impl Space {
    pub(super) fn new(shape: &[usize], reduced: u64) -> Space {
        let one = |axis: &usize| shape[*axis] == 1;
        let ones = (0..shape.len()).filter(one).map(|axis| 1u64 << axis);
        Space {
            shape: shape.into(),
            reduced: reduced & !ones.fold(0, |bits, bit| bits | bit),
        }
    }

    /// How many positions it has; beside an axis of length 0 others may be of any length, so no more than there are numbers for.
    pub(super) fn elements(&self) -> usize {
        let lengths = self.shape.iter();
        lengths.fold(1, |all, &n| all.saturating_mul(n))
    }

    /// True where values of the space lie in rows.
    pub(super) fn has_rows(&self) -> bool {
        self.reduced != 0
    }

    pub(super) fn reduces(&self, axis: usize) -> bool {
        (self.reduced >> axis) & 1 == 1
    }

    /// The lengths of a value of this level: 1 where it does not vary.
    fn lengths(&self, level: Level) -> Dims {
        let length = |(axis, &len): (usize, &usize)| {
            if level == Level::Lane || !self.reduces(axis) {
                len
            } else {
                1
            }
        };
        self.shape.iter().enumerate().map(length).collect()
    }

    /// The lengths of the axes that folds leave.
    pub(super) fn kept(&self) -> Dims {
        let kept = (0..self.shape.len()).filter(|&axis| !self.reduces(axis));
        kept.map(|axis| self.shape[axis]).collect()
    }

    /// Where the axes of a value of this shape lie, if it has those of the level and else only axes of length 1.
    pub(super) fn axes(&self, shape: &[usize], level: Level) -> Option<Axes> {
        let lengths = self.lengths(level);
        let mut left = lengths.iter().enumerate().filter(|&(_, &len)| len != 1);
        let mut axes = Axes::new();
        for &len in shape {
            axes.push(if len == 1 {
                None
            } else {
                let (axis, &there) = left.next()?;
                (there == len).then_some(Some(axis))?
            });
        }
        left.next().is_none().then_some(axes)
    }

    /// The level of a value of this shape.
    pub(super) fn level(&self, shape: &[usize]) -> Option<Level> {
        let fits = |level: &Level| self.axes(shape, *level).is_some();
        let rows = self.has_rows().then_some(Level::Row);
        std::iter::once(Level::Lane).chain(rows).find(fits)
    }

    /// `layout`, whose axes lie along `axes`, over the axes of the space.
    pub(super) fn spread(&self, layout: &Layout, axes: &Axes) -> Layout {
        let mut strides: Strides = SmallVec::from_elem(0, self.shape.len());
        for (stride, axis) in layout.strides().iter().zip(axes) {
            if let Some(axis) = axis {
                strides[*axis] = *stride;
            }
        }
        Layout::from_parts(&self.shape, &strides, layout.offset())
    }

    /// The level of the pending value behind `t`, of which `view` shows the elements over the space, if it shows each
    /// in its place.
    pub(super) fn seen(&self, t: &Tensor, p: &Pending, view: &Layout) -> Option<Level> {
        let as_it_lies = |level: Level| {
            let lengths = self.lengths(level);
            let whole = row_major(&lengths);
            let mut axes = lengths.iter().zip(whole).zip(view.strides());
            axes.all(|((&len, whole), &stride)| stride == if len == 1 { 0 } else { whole })
                && self.axes(&p.shape, level).is_some()
        };
        if view.offset() != 0 || t.dtype() != p.dtype {
            return None;
        }
        if as_it_lies(Level::Lane) {
            return Some(Level::Lane);
        }
        (self.has_rows() && as_it_lies(Level::Row)).then_some(Level::Row)
    }
}

/// The pending expression behind `t` if `t` shows all of it in order, but for axes of length 1 and repetition.
pub(super) fn whole(t: &Tensor) -> Option<&Arc<Pending>> {
    let Source::Pending(p) = t.source() else {
        return None;
    };
    let mut step = 1;
    for (&len, &stride) in t.shape().iter().zip(t.strides()).rev() {
        if len == 1 || stride == 0 {
            continue;
        }
        if stride != step {
            return None;
        }
        step *= len as isize;
    }
    let all = step as usize == p.numel() && t.layout().offset() == 0;
    (all && t.dtype() == p.dtype && p.result().is_none()).then_some(p)
}

impl Pending {
    /// The spaces of the reductions it hangs on, from the end: each once.
    pub(super) fn spaces(self: &Arc<Pending>) -> Vec<Space> {
        let mut spaces: Vec<Space> = Vec::new();
        let mut seen: Vec<Arc<Pending>> = Vec::new();
        let mut stack = vec![self.clone()];
        while let Some(p) = stack.pop() {
            if seen.iter().any(|s| Arc::ptr_eq(s, &p)) {
                continue;
            }
            let Some((operation, operands)) = p.plan() else {
                continue;
            };
            for operand in operands.iter().rev() {
                if let Operand::Tensor(t) = operand {
                    if let Operation::Reduction(reduction) = operation {
                        let space = Space::new(t.shape(), reduction.axes());
                        if space.has_rows() && !spaces.contains(&space) {
                            spaces.push(space);
                        }
                    }
                    stack.extend(whole(t).cloned());
                }
            }
            seen.push(p);
        }
        spaces
    }
}
