//! An index space cut into blocks, and how an operand is walked in it.

use crate::cpu::lanes;
use crate::fuse::Task;
use crate::layout::{Dims, Strides, collapse};

/// Runs of at least this length are blocks of their own; shorter ones are gathered.
const RUN: usize = 64;

/// Axes after merging, with the strides of every operand over them.
#[derive(Debug)]
pub(crate) struct Space {
    dims: Dims,
    walks: Vec<Walk>,
    len: usize,
    /// Blocks do not cross the innermost axis, so that operands contiguous in it need no copy.
    aligned: bool,
}

/// How one operand is walked; strides in elements.
#[derive(Debug)]
struct Walk {
    strides: Strides,
    pattern: Pattern,
}

/// What the strides of an operand amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    /// The same element everywhere.
    Repeat,
    /// A constant distance from each element to the next over the whole space.
    Linear(isize),
    /// Anything else.
    General,
}

/// A run along the innermost axis, and where it begins in each operand: found once for all operands,
/// since divisions cost as much as a short block.
#[derive(Debug, Default)]
pub(crate) struct Run {
    from: usize,
    to: usize,
    offsets: Vec<isize>,
    /// Its place along the other axes.
    place: Dims,
}

impl Run {
    /// Becomes `ahead` if that is the run that position `at` lies in.
    pub(crate) fn follow(&mut self, ahead: &Run, at: usize) {
        if (ahead.from..ahead.to).contains(&at) {
            (self.from, self.to) = (ahead.from, ahead.to);
            self.offsets.clone_from(&ahead.offsets);
            self.place.clone_from(&ahead.place);
        }
    }
}

/// The kept axes and the row's axes of a task, as its operands walk them.
pub(crate) fn outer_and_row(task: &Task<'_>) -> (Space, Space) {
    let outer: Vec<&[isize]> = task.slots().map(|s| &s.outer[..]).collect();
    let row: Vec<&[isize]> = task.slots().map(|s| &s.row[..]).collect();
    (Space::new(&task.outer, &outer), Space::new(&task.row, &row))
}

impl Space {
    /// The space `shape`, walked by operands with these strides.
    pub(crate) fn new(shape: &[usize], strides: &[&[isize]]) -> Space {
        let (dims, merged) = collapse(shape, strides);
        let len = dims.iter().product();
        let walks: Vec<Walk> = merged
            .into_iter()
            .map(|s| Walk {
                pattern: pattern(&dims, &s),
                strides: s,
            })
            .collect();
        let inner = dims.last().copied().unwrap_or(1);
        let aligned = inner >= RUN && walks.iter().any(|w| w.pattern == Pattern::General);
        Space {
            dims,
            walks,
            len,
            aligned,
        }
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The length of the innermost axis.
    pub(crate) fn inner(&self) -> usize {
        self.dims.last().copied().unwrap_or(1)
    }

    /// The stride of an operand along the innermost axis.
    pub(crate) fn inner_stride(&self, operand: usize) -> isize {
        self.walks[operand].strides.last().copied().unwrap_or(0)
    }

    /// True if the operand is one element everywhere.
    pub(crate) fn repeats(&self, operand: usize) -> bool {
        self.walks[operand].pattern == Pattern::Repeat
    }

    /// The distance in elements from each position to the next, where it is one number.
    pub(crate) fn step(&self, operand: usize) -> Option<isize> {
        match self.walks[operand].pattern {
            Pattern::Repeat => Some(0),
            Pattern::Linear(step) => Some(step),
            Pattern::General => None,
        }
    }

    /// True if every block of the operand is contiguous, wherever it is cut.
    pub(crate) fn is_contiguous(&self, operand: usize) -> bool {
        match self.walks[operand].pattern {
            Pattern::General => self.aligned && self.inner_stride(operand) == 1,
            _ => self.step(operand) == Some(1),
        }
    }

    /// Where the block that starts at `at` ends: at most `most` positions on, and at most at `end`.
    pub(crate) fn block_end(&self, at: usize, most: usize, end: usize) -> usize {
        let stop = end.min(at + most);
        if self.aligned {
            let run_end = (at / self.inner() + 1) * self.inner();
            stop.min(run_end)
        } else {
            stop
        }
    }

    /// Moves `run` to the one that position `at` lies in.
    pub(crate) fn enter(&self, run: &mut Run, at: usize) {
        if (run.from..run.to).contains(&at) {
            return;
        }
        let inner = self.inner();
        if at == run.to && !run.offsets.is_empty() {
            (run.from, run.to) = (run.to, run.to + inner);
            let Run { offsets, place, .. } = run;
            self.step_on(place, |axis, turns| {
                for (offset, walk) in offsets.iter_mut().zip(&self.walks) {
                    *offset += turns * walk.strides[axis];
                }
            });
            return;
        }
        let row = at / inner.max(1);
        (run.from, run.to) = (row * inner, (row + 1) * inner);
        run.place = self.place(row);
        run.offsets.clear();
        let place = &run.place;
        let begins = self.walks.iter().map(|walk| begin(walk, place));
        // few: one for each operand.
        run.offsets.extend(begins);
    }

    /// The place of a run along all axes but the innermost.
    fn place(&self, row: usize) -> Dims {
        let outer = self.dims.len().saturating_sub(1);
        let mut place = Dims::from_elem(0, outer);
        let mut rest = row;
        for axis in (1..outer).rev() {
            let len = self.dims[axis].max(1);
            (place[axis], rest) = (rest % len, rest / len);
        }
        if let Some(first) = place.first_mut() {
            *first = rest;
        }
        place
    }

    /// Moves a place to that of the next run: `moved` is told of each axis how far.
    fn step_on(&self, place: &mut Dims, mut moved: impl FnMut(usize, isize)) {
        for axis in (0..place.len()).rev() {
            moved(axis, 1);
            place[axis] += 1;
            // The outermost axis has no other to carry into.
            if axis == 0 || place[axis] < self.dims[axis] {
                return;
            }
            moved(axis, -(self.dims[axis] as isize));
            place[axis] = 0;
        }
    }

    /// The distance in elements from an operand's first element to its element at position `at` of `run`.
    pub(crate) fn offset_in(&self, run: &Run, operand: usize, at: usize) -> isize {
        let walk = &self.walks[operand];
        match walk.pattern {
            Pattern::Repeat => 0,
            Pattern::Linear(step) => at as isize * step,
            Pattern::General => {
                let inner = walk.strides.last().copied().unwrap_or(0);
                run.offsets[operand] + (at - run.from) as isize * inner
            }
        }
    }

    /// As [`Space::block_end`], for a position in `run`.
    pub(crate) fn block_end_in(&self, run: &Run, at: usize, most: usize, end: usize) -> usize {
        let stop = end.min(at + most);
        if self.aligned { stop.min(run.to) } else { stop }
    }

    /// As [`Space::direct`], for a block that begins in `run`.
    pub(crate) fn direct_in(
        &self,
        run: &Run,
        operand: usize,
        base: *mut u8,
        size: usize,
        at: usize,
        n: usize,
    ) -> Option<*mut u8> {
        let walk = &self.walks[operand];
        let offset = match walk.pattern {
            Pattern::Linear(1) => at as isize,
            Pattern::Repeat if n == 1 => 0,
            Pattern::General if walk.strides.last() == Some(&1) && at + n <= run.to => {
                run.offsets[operand] + (at - run.from) as isize
            }
            _ => return None,
        };
        Some(base.wrapping_offset(offset * size as isize))
    }

    /// The distance in elements from an operand's first element to its element at position `at`.
    pub(crate) fn offset(&self, operand: usize, at: usize) -> isize {
        let walk = &self.walks[operand];
        match walk.pattern {
            Pattern::Repeat => 0,
            Pattern::Linear(step) => at as isize * step,
            Pattern::General => {
                let mut rest = at;
                let mut offset = 0;
                for (&len, &stride) in self.dims.iter().zip(&walk.strides).rev() {
                    offset += (rest % len) as isize * stride;
                    rest /= len;
                }
                offset
            }
        }
    }

    /// The operand's block `at..at + n` as it lies in memory, if it is contiguous there.
    pub(crate) fn direct(
        &self,
        operand: usize,
        base: *mut u8,
        size: usize,
        at: usize,
        n: usize,
    ) -> Option<*mut u8> {
        let walk = &self.walks[operand];
        let contiguous = match walk.pattern {
            Pattern::Linear(step) => step == 1,
            Pattern::Repeat => n == 1,
            Pattern::General => {
                walk.strides.last() == Some(&1) && at % self.inner() + n <= self.inner()
            }
        };
        contiguous.then(|| base.wrapping_offset(self.offset(operand, at) * size as isize))
    }

    /// Copies the operand's block `at..at + n` to contiguous memory.
    ///
    /// # Safety
    /// The operand is readable over the block and `to` has room for `n` elements of `size` bytes.
    pub(crate) unsafe fn load(
        &self,
        operand: usize,
        base: *const u8,
        size: usize,
        at: usize,
        n: usize,
        to: *mut u8,
    ) {
        if n == 0 {
            // Where there is nothing, an operand that repeats has no element either.
            return;
        }
        self.runs(operand, at, n, |done, offset, stride, count| {
            let from = base.wrapping_offset(offset * size as isize);
            let out = to.wrapping_add(done * size);
            // SAFETY: the runs cover exactly the block, which the caller vouches for.
            unsafe {
                match stride {
                    0 => lanes::fill(out, from, size, count),
                    1 => std::ptr::copy_nonoverlapping(from, out, count * size),
                    _ => lanes::gather(out, from, stride * size as isize, size, count),
                }
            }
        });
    }

    /// Writes the block `at..at + n` of an index, which begins at the address `first`, to contiguous memory.
    ///
    /// # Safety
    /// `to` has room for `n` numbers of 64 bits, and is aligned for them.
    pub(crate) unsafe fn index(
        &self,
        operand: usize,
        first: *const u8,
        at: usize,
        n: usize,
        to: *mut u8,
    ) {
        self.runs(operand, at, n, |done, offset, stride, count| {
            let first = (first.addr() as i64).wrapping_add(offset as i64);
            let out = to.cast::<i64>().wrapping_add(done);
            for i in 0..count {
                let value = first.wrapping_add((stride as i64).wrapping_mul(i as i64));
                // SAFETY: the runs cover exactly the block, for which the caller has room.
                unsafe { out.wrapping_add(i).write(value) };
            }
        });
    }

    /// Copies contiguous memory to the operand's block `at..at + n`.
    ///
    /// # Safety
    /// The operand is writable over the block and `from` has `n` elements of `size` bytes.
    pub(crate) unsafe fn store(
        &self,
        operand: usize,
        base: *mut u8,
        size: usize,
        at: usize,
        n: usize,
        from: *const u8,
    ) {
        self.runs(operand, at, n, |done, offset, stride, count| {
            let out = base.wrapping_offset(offset * size as isize);
            let src = from.wrapping_add(done * size);
            // SAFETY: the runs cover exactly the block, which the caller vouches for.
            unsafe {
                match stride {
                    1 => std::ptr::copy_nonoverlapping(src, out, count * size),
                    _ => lanes::scatter(out, stride * size as isize, src, size, count),
                }
            }
        });
    }

    /// Cuts the block into runs along the innermost axis: positions done, offset, stride, length.
    fn runs(
        &self,
        operand: usize,
        at: usize,
        n: usize,
        mut visit: impl FnMut(usize, isize, isize, usize),
    ) {
        let walk = &self.walks[operand];
        if let Pattern::Linear(step) = walk.pattern {
            return visit(0, at as isize * step, step, n);
        }
        if walk.pattern == Pattern::Repeat {
            return visit(0, 0, 0, n);
        }
        let (inner, stride) = (self.inner(), self.inner_stride(operand));
        let (row, within) = (at / inner, at % inner);
        let mut place = self.place(row);
        let mut begins = begin(walk, &place);
        visit(
            0,
            begins + within as isize * stride,
            stride,
            (inner - within).min(n),
        );
        let mut done = inner - within;
        while done < n {
            self.step_on(&mut place, |axis, turns| {
                begins += turns * walk.strides[axis]
            });
            visit(done, begins, stride, inner.min(n - done));
            done += inner;
        }
    }
}

/// The distance in elements from an operand's first element to the first one of a run.
fn begin(walk: &Walk, place: &Dims) -> isize {
    let moves = place.iter().zip(&walk.strides);
    moves.map(|(&i, &stride)| i as isize * stride).sum()
}

fn pattern(dims: &[usize], strides: &[isize]) -> Pattern {
    if strides.iter().all(|&s| s == 0) {
        return Pattern::Repeat;
    }
    let step = strides.last().copied().unwrap_or(0);
    let mut want = step;
    for (&len, &stride) in dims.iter().zip(strides).rev() {
        if stride != want {
            return Pattern::General;
        }
        want = stride * len as isize;
    }
    Pattern::Linear(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_seen() {
        let space = Space::new(
            &[3, 200],
            &[&[200, 1], &[0, 1], &[0, 0], &[1, 3], &[400, 2]],
        );
        assert!(space.aligned);
        assert!(space.repeats(2));
        let base = std::ptr::null_mut();
        assert_eq!(
            space.direct(0, base, 4, 210, 20),
            Some(base.wrapping_add(840))
        );
        assert_eq!(
            space.direct(1, base, 4, 210, 20),
            Some(base.wrapping_add(40))
        );
        assert_eq!(space.direct(3, base, 4, 210, 20), None);
        assert_eq!(
            (space.step(0), space.step(1), space.step(2)),
            (Some(1), None, Some(0))
        );
        let contiguous: Vec<bool> = (0..5).map(|k| space.is_contiguous(k)).collect();
        assert_eq!(contiguous, [true, true, false, false, false]);
        assert_eq!(space.offset(3, 203), 10);
        assert_eq!(space.offset(4, 203), 406);
        assert_eq!(space.block_end(150, 1024, 600), 200);
    }

    #[test]
    fn runs_say_what_divisions_say() {
        compare_runs(&Space::new(
            &[3, 5, 200],
            &[&[2000, 200, 1], &[0, 300, 1], &[0, 0, 0], &[7, 1, 3]],
        ));
        compare_runs(&Space::new(
            &[15, 200],
            &[&[300, 1], &[0, 1], &[0, 0], &[-7, 3]],
        ));
    }

    fn compare_runs(space: &Space) {
        let (base, mut run) = (std::ptr::null_mut(), Run::default());
        for at in [0, 10, 199, 200, 1150, 2999, 400, 600, 650] {
            space.enter(&mut run, at);
            let mut follower = Run::default();
            follower.follow(&run, at);
            let run = &follower;
            for n in [1, 50, 200] {
                for k in 0..4 {
                    let found = space.direct_in(run, k, base, 8, at, n);
                    assert_eq!(found, space.direct(k, base, 8, at, n), "{k} at {at}");
                }
                let end = space.block_end_in(run, at, n, 2990);
                assert_eq!(end, space.block_end(at, n, 2990));
            }
        }
    }
}
