//! Copies between different orders of axes, in square tiles that stay in the first-level cache.

use super::parallel::{Work, for_ranges};
use crate::error::Result;
use crate::fuse::{Op, Task};
use crate::interrupt::Outcome;
use crate::layout::collapse;

/// Elements along each side of a tile.
const TILE: usize = 32;

/// The merged axes, the strides of source and target over them, and the axis contiguous in the source.
type Axes = (Vec<usize>, Vec<isize>, Vec<isize>, usize);

/// The two axes a tile spans: `fast_in` is contiguous in the source, the last one in the target.
fn axes(task: &Task<'_>) -> Option<Axes> {
    let [output] = &task.program.outputs[..] else {
        return None;
    };
    if task.program.nodes[output.node as usize].op != Op::Input(0) || task.inputs.len() != 1 {
        return None;
    }
    let (dims, strides) = collapse(
        &task.outer,
        &[&task.inputs[0].outer, &task.outputs[0].outer],
    );
    let last = dims.len().checked_sub(1)?;
    let fast_in = (0..last).find(|&a| strides[0][a].unsigned_abs() == 1)?;
    let fits = strides[1][last] == 1
        && strides[0][last].unsigned_abs() > 1
        && dims[last] >= 8
        && dims[fast_in] >= 8;
    fits.then(|| {
        (
            dims.to_vec(),
            strides[0].to_vec(),
            strides[1].to_vec(),
            fast_in,
        )
    })
}

/// True for a pure copy whose source is contiguous along another axis than its target.
pub(crate) fn suits(task: &Task<'_>) -> bool {
    axes(task).is_some()
}

/// Copies the input to the output.
///
/// # Safety
/// As [`crate::Device::run`], for a task that [`suits`].
pub(crate) unsafe fn run(task: &Task<'_>) -> Result<()> {
    let Some((dims, from, to, fast)) = axes(task) else {
        return Ok(());
    };
    let size = task.program.outputs[0].dtype.size();
    let plan = Plan {
        dims,
        from,
        to,
        fast,
        source: task.inputs[0].address,
        target: task.outputs[0].address,
    };
    // SAFETY: the caller's promise; the element is moved as an unsigned number of its size.
    unsafe {
        match size {
            1 => plan.run::<u8>()?,
            2 => plan.run::<u16>()?,
            4 => plan.run::<u32>()?,
            8 => plan.run::<u64>()?,
            _ => plan.run::<[u64; 2]>()?,
        }
    }
    Ok(())
}

struct Plan {
    dims: Vec<usize>,
    from: Vec<isize>,
    to: Vec<isize>,
    fast: usize,
    source: *mut u8,
    target: *mut u8,
}

// SAFETY: the addresses are used for disjoint tiles only, as the task's contract allows.
unsafe impl Sync for Plan {}

impl Plan {
    unsafe fn run<T: Copy + Send>(&self) -> Outcome {
        let last = self.dims.len() - 1;
        let rows = self.dims[self.fast].div_ceil(TILE);
        let batch: usize = self.others().map(|a| self.dims[a]).product();
        let cost = self.dims[last].saturating_mul(10 * TILE);
        for_ranges(
            Work {
                items: rows * batch,
                tenths_of_ns: cost,
                at_least: 1,
            },
            |first, end| {
                for item in first..end {
                    let (band, rest) = (item % rows, item / rows);
                    // SAFETY: bands are disjoint; the rest is the caller's promise.
                    unsafe { self.band::<T>(band * TILE, rest) };
                }
            },
        )
    }

    /// The axes a tile does not span.
    fn others(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let last = self.dims.len() - 1;
        (0..last).filter(move |&a| a != self.fast)
    }

    /// A band of up to `TILE` positions of the source's fast axis, over the whole last axis.
    unsafe fn band<T: Copy>(&self, start: usize, mut rest: usize) {
        let last = self.dims.len() - 1;
        let (mut from, mut to) = (
            start as isize * self.from[self.fast],
            start as isize * self.to[self.fast],
        );
        for a in self.others().rev() {
            let at = (rest % self.dims[a]) as isize;
            rest /= self.dims[a];
            from += at * self.from[a];
            to += at * self.to[a];
        }
        let height = TILE.min(self.dims[self.fast] - start);
        let (source, target) = (self.source.cast::<T>(), self.target.cast::<T>());
        for column in (0..self.dims[last]).step_by(TILE) {
            let width = TILE.min(self.dims[last] - column);
            let src = source.wrapping_offset(from + column as isize * self.from[last]);
            let dst = target.wrapping_offset(to + column as isize);
            // SAFETY: the tile lies inside both operands.
            unsafe { self.tile(src, dst, height, width) };
        }
    }

    unsafe fn tile<T: Copy>(&self, src: *const T, dst: *mut T, height: usize, width: usize) {
        let last = self.dims.len() - 1;
        let (step, row) = (self.from[self.fast], self.from[last]);
        for i in 0..height {
            let line = dst.wrapping_offset(i as isize * self.to[self.fast]);
            let first = src.wrapping_offset(i as isize * step);
            for j in 0..width {
                // SAFETY: `i < height` and `j < width`, which the caller vouches for; a number of this
                // size may want a stricter alignment than the element, so none is assumed.
                unsafe {
                    let value = first.wrapping_offset(j as isize * row).read_unaligned();
                    line.add(j).write_unaligned(value);
                };
            }
        }
    }
}
