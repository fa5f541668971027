//! Lines of a tensor: what an operator along one axis walks, whatever the strides.

use crate::cpu::exec::parallel::try_ranges;
use crate::cpu::threads;
use crate::device::Arg;
use crate::error::Result;
use crate::interrupt;
use crate::layout::{Dims, Strides, collapse};

/// The lines of some operands along their last axis; all have the same leading lengths.
pub(crate) struct Lines {
    dims: Dims,
    strides: Vec<Strides>,
    first: Vec<*mut u8>,
    /// Stride along the line of each operand, in elements.
    pub(crate) steps: Vec<isize>,
    sizes: Vec<isize>,
}

// SAFETY: lines only name memory; each operator writes disjoint lines from different threads.
unsafe impl Sync for Lines {}

impl Lines {
    /// The lines of `args`, each of at least one axis.
    pub(crate) fn of(args: &[&Arg]) -> Lines {
        let lead = args[0].layout.ndim() - 1;
        let outer: Vec<&[isize]> = args.iter().map(|a| &a.layout.strides()[..lead]).collect();
        let (dims, strides) = collapse(&args[0].layout.shape()[..lead], &outer);
        Lines {
            dims,
            strides,
            first: args.iter().map(|a| a.address()).collect(),
            steps: args.iter().map(|a| a.layout.strides()[lead]).collect(),
            sizes: args.iter().map(|a| a.dtype.size() as isize).collect(),
        }
    }

    /// How many lines there are.
    pub(crate) fn count(&self) -> usize {
        self.dims.iter().product()
    }

    /// Takes the last leading axis away: its length and the strides of the operands along it. What
    /// remains are bundles of neighbouring lines.
    pub(crate) fn take_neighbours(&mut self) -> Option<(usize, Strides)> {
        let len = self.dims.pop()?;
        let strides = self.strides.iter_mut().filter_map(|s| s.pop()).collect();
        Some((len, strides))
    }

    /// Where line `at` begins in operand `k`.
    pub(crate) fn start<T>(&self, k: usize, mut at: usize) -> *mut T {
        let mut by = 0isize;
        for axis in (0..self.dims.len()).rev() {
            by += (at % self.dims[axis]) as isize * self.strides[k][axis];
            at /= self.dims[axis];
        }
        self.first[k].wrapping_offset(by * self.sizes[k]).cast()
    }

    /// Runs `body` for every line, on several threads where a line's `cost` in nanoseconds times
    /// their number is worth it. A body that polls by itself may return early when it is to stop.
    pub(crate) fn for_each(
        &self,
        cost: usize,
        body: impl Fn(usize) -> Result<()> + Sync,
    ) -> Result<()> {
        let count = self.count();
        let least = (PIECE / cost.max(1)).max(1);
        if count < 2 || count / least < 2 {
            (0..count).try_for_each(&body)?;
            return Ok(interrupt::check()?);
        }
        let fair = count.div_ceil(8 * threads::count());
        let most = (LONGEST / cost.max(1)).max(1);
        try_ranges(count, fair.min(most).max(least), |from, to| {
            (from..to).try_for_each(&body)
        })
    }
}

/// Nanoseconds of work that one task has at least; handing it over costs about ten thousand.
const PIECE: usize = 30_000;
/// Nanoseconds of work that one task has at most where it is several lines: work is told to stop between two tasks.
const LONGEST: usize = 2_000_000;
