//! Stacks of matrices, vectors and numbers that a kernel goes through together.

use crate::cpu::exec::parallel::try_ranges;
use crate::cpu::stack::with_enough;
use crate::cpu::threads;
use crate::device::Arg;
use crate::error::Result;
use crate::interrupt;
use crate::layout::{Dims, Strides, collapse};
use faer::{MatMut, MatRef};

/// What one member of a stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// The last two axes, whatever their strides.
    Matrix,
    /// The last axis, without gaps.
    Vector,
    /// One number.
    Number,
}

impl Member {
    /// Axes of its own.
    fn axes(self) -> usize {
        match self {
            Member::Matrix => 2,
            Member::Vector => 1,
            Member::Number => 0,
        }
    }
}

/// One operand: its first member, and how that lies.
struct Operand {
    first: *mut u8,
    size: isize,
    shape: [usize; 2],
    strides: [isize; 2],
}

/// Operands whose leading axes have the same lengths.
pub(super) struct Stack {
    dims: Dims,
    strides: Vec<Strides>,
    operands: Vec<Operand>,
}

// SAFETY: a stack only names memory; each kernel writes disjoint members from different threads.
unsafe impl Sync for Stack {}

impl Stack {
    /// The operands of a launch, each with what its members are.
    pub(super) fn of(args: &[(&Arg, Member)]) -> Stack {
        let lead = args[0].0.layout.ndim() - args[0].1.axes();
        let outer: Vec<&[isize]> = args
            .iter()
            .map(|(arg, _)| &arg.layout.strides()[..lead])
            .collect();
        let (dims, strides) = collapse(&args[0].0.layout.shape()[..lead], &outer);
        let operand = |(arg, _): &(&Arg, Member)| {
            let own = |all: &[usize], k: usize| all.get(lead + k).copied().unwrap_or(1);
            let step = |k: usize| arg.layout.strides().get(lead + k).copied().unwrap_or(1);
            Operand {
                first: arg.address(),
                size: arg.dtype.size() as isize,
                shape: [0, 1].map(|k| own(arg.layout.shape(), k)),
                strides: [0, 1].map(step),
            }
        };
        Stack {
            dims,
            strides,
            operands: args.iter().map(operand).collect(),
        }
    }

    /// Where member `at` of operand `k` begins.
    fn start<T>(&self, k: usize, mut at: usize) -> *mut T {
        let mut by = 0isize;
        for axis in (0..self.dims.len()).rev() {
            by += (at % self.dims[axis]) as isize * self.strides[k][axis];
            at /= self.dims[axis];
        }
        let operand = &self.operands[k];
        operand.first.wrapping_offset(by * operand.size).cast()
    }

    /// Member `at` of operand `k`, to be read.
    ///
    /// # Safety
    /// The operand is a stack of matrices of `T`, and nobody writes the member meanwhile.
    pub(super) unsafe fn matrix<T>(&self, k: usize, at: usize) -> MatRef<'_, T> {
        let ([rows, cols], [row, col]) = (self.operands[k].shape, self.operands[k].strides);
        // SAFETY: the member lies in the operand; the rest is the caller's promise.
        unsafe { MatRef::from_raw_parts(self.start::<T>(k, at).cast_const(), rows, cols, row, col) }
    }

    /// Member `at` of operand `k`, to be written.
    ///
    /// # Safety
    /// As [`Stack::matrix`], and nobody else reads the member meanwhile.
    pub(super) unsafe fn matrix_mut<T>(&self, k: usize, at: usize) -> MatMut<'_, T> {
        let ([rows, cols], [row, col]) = (self.operands[k].shape, self.operands[k].strides);
        // SAFETY: as above.
        unsafe { MatMut::from_raw_parts_mut(self.start(k, at), rows, cols, row, col) }
    }

    /// Member `at` of operand `k`, to be written.
    ///
    /// # Safety
    /// As [`Stack::matrix_mut`], for vectors.
    #[allow(clippy::mut_from_ref)]
    pub(super) unsafe fn vector<T>(&self, k: usize, at: usize) -> &mut [T] {
        // SAFETY: the member lies in the operand, without gaps; the rest is the caller's promise.
        unsafe { self.run(k, at, self.operands[k].shape[0]) }
    }

    /// So many elements from the beginning of member `at` of operand `k` on.
    ///
    /// # Safety
    /// As [`Stack::matrix_mut`], for members without gaps.
    #[allow(clippy::mut_from_ref)]
    pub(super) unsafe fn run<T>(&self, k: usize, at: usize, len: usize) -> &mut [T] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.start(k, at), len) }
    }

    /// Writes member `at` of operand `k`.
    ///
    /// # Safety
    /// As [`Stack::matrix_mut`], for numbers.
    pub(super) unsafe fn put<T>(&self, k: usize, at: usize, value: T) {
        // SAFETY: the member lies in the operand; the rest is the caller's promise.
        unsafe { *self.start(k, at) = value };
    }

    /// Runs `body` for every member, on several threads where the work of one, in multiply-adds, times their number is worth
    /// it. Each is worked on by one thread; between two of them the work may be stopped.
    pub(super) fn for_each(
        &self,
        work: usize,
        body: impl Fn(usize) -> Result<()> + Sync,
    ) -> Result<()> {
        with_enough(|| self.for_each_here(work, &body))
    }

    fn for_each_here(
        &self,
        work: usize,
        body: &(impl Fn(usize) -> Result<()> + Sync),
    ) -> Result<()> {
        let count: usize = self.dims.iter().product();
        let least = (PIECE / work.max(1)).max(1);
        let threads = threads::count();
        if count < 2 || count / least < 2 || threads < 2 {
            for at in 0..count {
                body(at)?;
                interrupt::poll()?;
            }
            return Ok(interrupt::check()?);
        }
        let fair = count.div_ceil(8 * threads);
        let most = (LONGEST / work.max(1)).max(1);
        try_ranges(count, fair.min(most).max(least), |from, to| {
            (from..to).try_for_each(body)
        })
    }
}

/// Multiply-adds that one task has at least, some tens of microseconds.
const PIECE: usize = 100_000;
/// Multiply-adds that one task has at most where it is several members.
const LONGEST: usize = 5_000_000;
