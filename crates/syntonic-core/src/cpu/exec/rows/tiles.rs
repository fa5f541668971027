//! Whole rows, as many at once as the first-level cache holds.

use super::plan::Pass;
use super::{Rows, State};
use crate::cpu::exec::code::{Folding, Step};
use crate::cpu::lanes;
use crate::interrupt::Pace;

/// Tiles before the caller is asked whether to go on.
const UNASKED: usize = 32;

impl Rows<'_> {
    /// The rows `from..to`, at most `most` of them at once.
    ///
    /// # Safety
    /// As [`crate::Device::run`], and nobody else has these rows.
    pub(super) unsafe fn tiles(&self, from: usize, to: usize, most: usize, state: &mut State) {
        let base = state.scratch.address();
        for &(k, byte) in self.passes.iter().flat_map(|p| &p.places) {
            state.at[k as usize] = base.wrapping_add(byte);
        }
        let mut at = from;
        let (mut tiles, mut pace) = (0, Pace::new(0, UNASKED));
        while at < to && !pace.stops(tiles) {
            tiles += 1;
            let rows = most.min(to - at);
            let next = at + rows;
            self.next_tile(next, most.min(to - next), state);
            for pass in &self.passes {
                // SAFETY: the caller's promise; registers and cells hold a tile.
                unsafe { self.tile_pass(pass, at, rows, state) };
            }
            // SAFETY: as above; all cells are computed.
            unsafe { self.store_row_values(at, rows, state) };
            at = next;
        }
    }

    unsafe fn tile_pass(&self, pass: &Pass, at: usize, rows: usize, state: &mut State) {
        let len = self.row.len();
        // SAFETY: the caller's promise.
        unsafe {
            self.row_values(pass, at, rows, state);
            self.spread_values(pass, rows, len, state);
            for &(k, operand) in pass.reads.iter().chain(&pass.writes) {
                state.at[k as usize] = self.first(operand, at, self.code[k as usize].size);
            }
            for &(k, operand) in &pass.loads {
                self.load_rows(k as usize, operand, at, rows, state);
            }
            for &k in &pass.kernels {
                state.ahead.ask();
                self.kernel(k as usize, rows, len, state);
            }
            for &k in &pass.phase.folds {
                self.fold_rows(k as usize, rows, state);
            }
            for &(k, operand) in &pass.stores {
                self.store_rows(k as usize, operand, at, rows, state);
            }
        }
    }

    unsafe fn load_rows(&self, k: usize, operand: usize, at: usize, rows: usize, state: &State) {
        let (code, len) = (&self.code[k], self.row.len());
        let size = code.size;
        for r in 0..rows {
            let first = self.first(operand, at + r, code.unit());
            let to = state.at[k].wrapping_add(r * len * size);
            // SAFETY: the operand is readable in these rows, and the register holds a tile.
            unsafe { code.load(&self.row, operand, first, 0..len, to) };
        }
    }

    unsafe fn store_rows(&self, k: usize, operand: usize, at: usize, rows: usize, state: &State) {
        let (size, len) = (self.code[k].size, self.row.len());
        for r in 0..rows {
            let first = self.first(operand, at + r, size);
            let from = state.at[k].wrapping_add(r * len * size);
            // SAFETY: the output is writable in these rows, and the result lies at `at[k]`.
            unsafe { self.row.store(operand, first, size, 0, len, from) };
        }
    }

    /// Folds each row and writes the results into the node's cells.
    unsafe fn fold_rows(&self, k: usize, rows: usize, state: &mut State) {
        let Step::Fold(folding, terms) = self.code[k].step else {
            return;
        };
        let (a, b) = (terms.a as usize, terms.b as usize);
        let len = self.row.len();
        let step = len * self.code[a].size;
        let (second, second_step) = match terms.kind {
            kind if kind.beside_number() => (state.cells[b], self.code[b].size),
            _ => (state.at[b], step),
        };
        let row = |r: usize| state.at[a].wrapping_add(r * step);
        let (to, null) = (state.cells[k], std::ptr::null());
        // SAFETY: all rows of the operands are there, cells hold a value for each row, and so do the totals.
        unsafe {
            match folding {
                Folding::Plain {
                    kernel,
                    finish,
                    start,
                    accumulator,
                    ..
                } => {
                    let size = accumulator.size();
                    let totals = state.scratch.address().wrapping_add(self.totals);
                    for r in 0..if len == 0 { 0 } else { rows } {
                        let other = second.wrapping_add(r * second_step);
                        (kernel.whole)(totals.wrapping_add(r * size), row(r), other, len);
                    }
                    if len == 0 {
                        lanes::fill(totals, start.0.as_ptr(), size, rows);
                    }
                    finish(to, totals, null, null, rows);
                }
                Folding::Arg { block, .. } => {
                    let mut best = crate::cpu::exec::code::Cell::default();
                    for r in 0..rows {
                        let mut index = 0;
                        block(best.address(), &mut index, row(r), len);
                        to.cast::<i64>().add(r).write(index);
                    }
                }
            }
        }
    }
}
