//! The end of a product on the CPU: the program over one piece of the result, while the piece is in cache.

use super::product::Matrix;
use crate::cpu::exec;
use crate::device::end::is_nothing;
use crate::device::{Arg, End};
use crate::error::Result;
use crate::fuse::{Slot, Task, Typed};
use crate::layout::{Dims, Strides};

/// An operand as bytes: its first element, and its strides in elements along the stack, the rows and the columns.
#[derive(Clone, Debug)]
struct Walked {
    address: *mut u8,
    size: usize,
    stack: Strides,
    row: isize,
    col: isize,
}

/// An end over a stack of products whose leading axes may have been merged.
#[derive(Clone, Debug)]
pub(super) struct Ending<'a> {
    program: &'a Typed,
    /// The operands, then the result.
    walked: Vec<Walked>,
}

// SAFETY: an ending only names memory; the kernel's contract makes it valid for the whole launch, and pieces that run at the
// same time write disjoint parts of the result.
unsafe impl Send for Ending<'_> {}
// SAFETY: as above.
unsafe impl Sync for Ending<'_> {}

/// A piece of the results: of which products, and its first row and column and lengths in each of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    /// Where the first of the products is in the stack.
    pub(super) at: &'a [usize],
    /// Products that follow each other along the last leading axis.
    pub(super) count: usize,
    pub(super) i: usize,
    pub(super) j: usize,
    pub(super) m: usize,
    pub(super) n: usize,
}

/// Where the sums of a piece lie.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sums<F> {
    /// Where the result will.
    InPlace,
    /// In memory of their own.
    Apart(Matrix<F>),
}

impl<'a> Ending<'a> {
    /// The end of a product into `out`; `strides` has those along the merged leading axes, of the operands and then of `out`.
    pub(super) fn new(end: &'a End, out: &Arg, strides: &[Strides]) -> Ending<'a> {
        let args = end.operands.iter().chain([out]);
        let walked = args.zip(strides).map(|(arg, stack)| {
            let all = arg.layout.strides();
            Walked {
                address: arg.address(),
                size: arg.dtype.size(),
                stack: stack.clone(),
                row: all[all.len() - 2],
                col: all[all.len() - 1],
            }
        });
        Ending {
            program: &end.program,
            walked: walked.collect(),
        }
    }

    /// True where the rows of `len` products that follow each other along the last leading axis are one taller matrix, for
    /// every operand. `m` rows have each.
    pub(super) fn joins(&self, m: usize) -> bool {
        self.walked.iter().all(|w| {
            let step = w.stack.last().copied().unwrap_or(0);
            m == 1 || step == m as isize * w.row
        })
    }

    /// Makes the last leading axis part of the rows.
    pub(super) fn join(&mut self, m: usize) {
        for w in &mut self.walked {
            let step = w.stack.pop().unwrap_or(0);
            if m == 1 {
                w.row = step;
            }
        }
    }

    /// Runs the program over a piece, on the calling thread.
    ///
    /// # Safety
    /// The operands are live and fit; the piece lies inside the result, and nobody else writes it; its sums are there.
    pub(super) unsafe fn run<F>(&self, piece: Piece<'_>, sums: Sums<F>) -> Result<()> {
        if matches!(sums, Sums::InPlace) && is_nothing(self.program) {
            return Ok(());
        }
        let slot = |w: &Walked| {
            let lead: isize = w
                .stack
                .iter()
                .zip(piece.at)
                .map(|(s, &p)| s * p as isize)
                .sum();
            let by = lead + piece.i as isize * w.row + piece.j as isize * w.col;
            Slot {
                address: w.address.wrapping_offset(by * w.size as isize),
                outer: [w.stack.last().copied().unwrap_or(0), w.row, w.col]
                    .into_iter()
                    .collect(),
                row: Strides::new(),
            }
        };
        let (operands, out) = self.walked.split_at(self.walked.len() - 1);
        let outputs = vec![slot(&out[0])];
        let first = match sums {
            Sums::InPlace => outputs[0].clone(),
            Sums::Apart(matrix) => Slot {
                address: matrix.first.cast(),
                outer: [0, matrix.row, matrix.col].into_iter().collect(),
                row: Strides::new(),
            },
        };
        let task = Task {
            program: self.program,
            outer: Dims::from_slice(&[piece.count, piece.m, piece.n]),
            row: Dims::new(),
            inputs: std::iter::once(first)
                .chain(operands.iter().map(slot))
                .collect(),
            outputs,
            params: &[],
        };
        // SAFETY: the caller's promise; in place, the sums are walked as the result is.
        unsafe { exec::run_here(&task) }
    }
}
