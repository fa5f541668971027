//! Walking an index space run by run along its innermost axis.

use crate::device::Arg;
use crate::layout::{Dims, Strides, collapse};
use smallvec::SmallVec;

/// Distances of every operand from its first element.
pub(super) type Offsets = SmallVec<[isize; 4]>;

/// An index space with merged axes and the strides of each operand over it.
pub(super) struct Walk {
    dims: Dims,
    /// `strides[axis][operand]`.
    strides: Vec<Offsets>,
}

impl Walk {
    /// The space `shape`, walked by operands with these strides.
    pub(super) fn new(shape: &[usize], operands: &[&[isize]]) -> Walk {
        let (mut dims, mut merged) = collapse(shape, operands);
        if dims.is_empty() {
            dims.push(1);
            merged.iter_mut().for_each(|s: &mut Strides| s.push(0));
        }
        let strides = (0..dims.len())
            .map(|axis| merged.iter().map(|s| s[axis]).collect())
            .collect();
        Walk { dims, strides }
    }

    /// The space of these arguments, which have one shape.
    pub(super) fn over(args: &[&Arg]) -> Walk {
        let strides: Vec<&[isize]> = args.iter().map(|a| a.layout.strides()).collect();
        Walk::new(args[0].layout.shape(), &strides)
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.dims.iter().product()
    }

    /// Lengths of the merged axes.
    pub(super) fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The stride of `operand` along merged axis `axis`.
    pub(super) fn stride(&self, axis: usize, operand: usize) -> isize {
        self.strides[axis][operand]
    }

    /// The stride of `operand` along the innermost axis.
    pub(super) fn step(&self, operand: usize) -> isize {
        self.stride(self.dims.len() - 1, operand)
    }

    /// The same space with `axis` cut down to `len` positions.
    pub(super) fn cut(&self, axis: usize, len: usize) -> Walk {
        let mut dims = self.dims.clone();
        dims[axis] = len;
        Walk {
            dims,
            strides: self.strides.clone(),
        }
    }

    /// Calls `body(offsets, len)` for each run along the innermost axis of positions `from..to` in
    /// row-major order.
    pub(super) fn runs(&self, from: usize, to: usize, mut body: impl FnMut(&[isize], usize)) {
        let last = self.dims.len() - 1;
        let mut position = self.position(from);
        let mut offsets = self.offsets(&position);
        let mut at = from;
        while at < to {
            let len = (self.dims[last] - position[last]).min(to - at);
            body(&offsets, len);
            at += len;
            position[last] = 0;
            self.carry(last, &mut position);
            offsets = self.offsets(&position);
        }
    }

    /// Moves the axis before `axis` on by one, and those before it where it wraps.
    fn carry(&self, axis: usize, position: &mut [usize]) {
        for a in (0..axis).rev() {
            position[a] += 1;
            if position[a] < self.dims[a] {
                return;
            }
            position[a] = 0;
        }
    }

    fn position(&self, mut at: usize) -> Dims {
        let mut position = Dims::from_elem(0, self.dims.len());
        for axis in (0..self.dims.len()).rev() {
            position[axis] = at % self.dims[axis];
            at /= self.dims[axis];
        }
        position
    }

    fn offsets(&self, position: &[usize]) -> Offsets {
        let mut out = Offsets::from_elem(0, self.strides[0].len());
        for (&p, strides) in position.iter().zip(&self.strides) {
            for (o, &s) in out.iter_mut().zip(strides) {
                *o += p as isize * s;
            }
        }
        out
    }
}
