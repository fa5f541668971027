//! Stacks of matrices, vectors and numbers that a kernel goes through together.

use crate::cpu::exec::parallel::try_ranges;
use crate::cpu::stack::with_enough;
use crate::cpu::threads;
use crate::device::Arg;
use crate::error::{Error, Result};
use crate::interrupt::{self, abandonable, in_pieces};
use crate::layout::{Dims, Strides, collapse};
use crate::room;
use bytemuck::Zeroable;
use faer::{MatMut, MatRef};
use std::mem::MaybeUninit;

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
#[derive(Clone, Copy)]
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
    /// How many of them are read and not written.
    inputs: usize,
}

// SAFETY: a stack only names memory; each kernel writes disjoint members from different threads.
unsafe impl Sync for Stack {}

impl Stack {
    /// The operands of a launch, those that it reads and those that it writes, each with what its members are.
    pub(super) fn of(inputs: &[(&Arg, Member)], outputs: &[(&Arg, Member)]) -> Stack {
        // few: the operands of a kernel.
        let args = [inputs, outputs].concat();
        let lead = args[0].0.layout.ndim() - args[0].1.axes();
        let outer: Vec<&[isize]> = args
            .iter()
            .map(|(arg, _)| &arg.layout.strides()[..lead])
            // few: the same.
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
            inputs: inputs.len(),
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
    /// it. Each is worked on by one thread; between two of them the work may be stopped. Within a long one it may be left, for
    /// which the body gets a stack of that member alone.
    pub(super) fn for_each(
        &self,
        work: usize,
        body: impl Fn(&Stack, usize) -> Result<()> + Copy + Send + Sync + 'static,
    ) -> Result<()> {
        with_enough(|| self.for_each_here(work, body))
    }

    fn for_each_here(
        &self,
        work: usize,
        body: impl Fn(&Stack, usize) -> Result<()> + Copy + Send + Sync + 'static,
    ) -> Result<()> {
        let count: usize = self.dims.iter().product();
        let least = (PIECE / work.max(1)).max(1);
        let threads = threads::count();
        let one = |at: usize| match work < LONG {
            true => body(self, at),
            false => self.apart(at, body),
        };
        if count < 2 || count / least < 2 || threads < 2 {
            for at in 0..count {
                one(at)?;
                interrupt::poll()?;
            }
            return Ok(interrupt::check()?);
        }
        let fair = count.div_ceil(8 * threads);
        let most = (LONGEST / work.max(1)).max(1);
        try_ranges(count, fair.min(most).max(least), |from, to| {
            (from..to).try_for_each(one)
        })
    }

    /// Runs `body` for a member in memory of its own, so that the caller may [leave it](abandonable): what decomposes a matrix
    /// asks nobody on its way. Where there is no such memory it works on the member itself.
    fn apart(
        &self,
        at: usize,
        body: impl Fn(&Stack, usize) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        // few: one for each operand.
        let made: Result<Vec<Own>> = self.operands.iter().map(Own::like).collect();
        let mut own = match made {
            Ok(own) => own,
            Err(Error::OutOfMemory { .. }) => return body(self, at),
            Err(other) => return Err(other),
        };
        for (k, own) in own.iter_mut().enumerate().take(self.inputs) {
            // SAFETY: the member lies in an operand that is read, and has the shape of its copy.
            unsafe { moved(&self.operand_at(k, at), &own.place())? };
        }
        let (own, done) = abandonable(move || {
            let mut own = own;
            let stack = Stack {
                dims: Dims::new(),
                strides: own.iter().map(|_| Strides::new()).collect(), // few: as above.
                operands: own.iter_mut().map(Own::place).collect(),
                inputs: 0,
            };
            let done = body(&stack, 0);
            (own, done)
        })?;
        done?;
        let mut own = own;
        for (k, own) in own.iter_mut().enumerate().skip(self.inputs) {
            // SAFETY: as above, and nobody else has this member of what is written.
            unsafe { moved(&own.place(), &self.operand_at(k, at))? };
        }
        Ok(())
    }

    /// Member `at` of operand `k` as an operand.
    fn operand_at(&self, k: usize, at: usize) -> Operand {
        Operand {
            first: self.start(k, at),
            ..self.operands[k]
        }
    }
}

/// One line of the cache, as which devices align memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[allow(dead_code)] [u8; 64]);

// SAFETY: zeros are bytes.
unsafe impl Zeroable for Line {}

/// Memory for one member of an operand, without gaps and in its order.
struct Own {
    memory: Vec<Line>,
    shape: [usize; 2],
    strides: [isize; 2],
    size: isize,
}

impl Own {
    fn like(operand: &Operand) -> Result<Own> {
        let [rows, cols] = operand.shape;
        let size = operand.size;
        let [down, across] = operand.strides.map(isize::unsigned_abs);
        let strides = match down < across {
            true => [1, rows as isize],
            false => [cols as isize, 1],
        };
        let lines = (rows * cols * size as usize).div_ceil(64);
        Ok(Own {
            memory: room::zeros(lines)?,
            shape: operand.shape,
            strides,
            size,
        })
    }

    /// It as an operand. What is named here lives as long as this does, wherever it is moved.
    fn place(&mut self) -> Operand {
        Operand {
            first: self.memory.as_mut_ptr().cast(),
            size: self.size,
            shape: self.shape,
            strides: self.strides,
        }
    }
}

/// Copies a member.
///
/// # Safety
/// Both are live and have one shape and element size, and nobody else uses what is written.
unsafe fn moved(from: &Operand, to: &Operand) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe {
        match from.size {
            4 => moved_as::<[u8; 4]>(from, to),
            8 => moved_as::<[u8; 8]>(from, to),
            _ => moved_as::<[u8; 16]>(from, to),
        }
    }
}

/// # Safety
/// As [`moved`], with elements of the size of `E`.
unsafe fn moved_as<E: Copy>(from: &Operand, to: &Operand) -> Result<()> {
    // The inner loop goes along what lies together in the copy that is ours.
    let inner = usize::from(to.strides[1].unsigned_abs() < to.strides[0].unsigned_abs());
    let outer = 1 - inner;
    let line = |i: usize| {
        for j in 0..to.shape[inner] {
            let at = |of: &Operand| {
                let by = i as isize * of.strides[outer] + j as isize * of.strides[inner];
                of.first.cast::<MaybeUninit<E>>().wrapping_offset(by)
            };
            // SAFETY: an element of each, by the caller's promise; what nobody has set stays so.
            unsafe { *at(to) = *at(from) };
        }
    };
    let lines = (UNASKED / to.shape[inner].max(1)).max(1);
    Ok(in_pieces(to.shape[outer], lines, |begin, end| {
        (begin..end).for_each(&line);
    })?)
}

/// Elements that are copied before the caller is asked whether to go on.
const UNASKED: usize = 1 << 18;

/// Multiply-adds that one task has at least, some tens of microseconds.
const PIECE: usize = 100_000;
/// Multiply-adds that one task has at most where it is several members.
const LONGEST: usize = 5_000_000;
/// Multiply-adds of a member from which on one may leave it, some hundredths of a second.
const LONG: usize = 100_000_000;
