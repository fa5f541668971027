//! Rows that are longer than the first-level cache: each phase is a pass over the row in blocks.

use super::plan::Pass;
use super::{Rows, State};
use crate::cpu::exec::code::Step;
use crate::cpu::exec::fold::{Accumulator, Fold, PART};
use crate::interrupt::Pace;

/// Elements of a row before the caller is asked whether to go on.
const UNASKED: usize = 1 << 20;

impl Rows<'_> {
    /// The rows `from..to`, one after the other.
    ///
    /// # Safety
    /// As [`crate::Device::run`], and nobody else has these rows.
    pub(super) unsafe fn rows_in_parts(
        &self,
        from: usize,
        to: usize,
        asks: bool,
        state: &mut State,
    ) {
        for at in from..to {
            state.next_row.clear();
            if asks && at + 1 < to {
                self.firsts(at + 1, &mut state.next_row);
            }
            self.firsts(at, &mut state.first);
            for pass in &self.passes {
                // SAFETY: the caller's promise is passed on.
                unsafe {
                    self.row_values(pass, at, 1, state);
                    self.begin(pass, state);
                    let mut folds = std::mem::take(&mut state.folds);
                    folds.clear();
                    folds.extend(self.accumulators(pass));
                    self.pass(pass, 0, self.row.len(), state, &mut folds);
                    self.finish(pass, &mut folds, state);
                    state.folds = folds;
                }
            }
            // SAFETY: as above; all cells are computed.
            unsafe { self.store_row_values(at, 1, state) };
        }
    }

    /// Where each operand begins in row `at`.
    pub(super) fn firsts(&self, at: usize, to: &mut Vec<*mut u8>) {
        to.clear();
        let units = self.units.iter().enumerate();
        to.extend(units.map(|(k, &unit)| self.first(k, at, unit)));
    }

    /// Makes the registers of a pass ready, whose row values are known.
    ///
    /// # Safety
    /// As [`crate::Device::run`].
    pub(super) unsafe fn begin(&self, pass: &Pass, state: &mut State) {
        let base = state.scratch.address();
        for &(k, byte) in &pass.places {
            state.at[k as usize] = base.wrapping_add(byte);
        }
        // SAFETY: registers hold a block.
        unsafe { self.spread_values(pass, 1, pass.block.min(self.row.len()), state) };
    }

    pub(super) fn accumulators<'p>(
        &'p self,
        pass: &'p Pass,
    ) -> impl Iterator<Item = Accumulator> + 'p {
        pass.phase.folds.iter().filter_map(|&k| {
            let Step::Fold(folding, terms) = self.code[k as usize].step else {
                return None;
            };
            let dtype = self.task.program.nodes[terms.a as usize].dtype;
            Some(Accumulator::new(Fold { folding, dtype }))
        })
    }

    /// Writes the results of the folds of a pass.
    pub(super) fn finish(&self, pass: &Pass, folds: &mut [Accumulator], state: &State) {
        for (fold, &k) in folds.iter_mut().zip(&pass.phase.folds) {
            let (cell, size) = (fold.finish(), self.code[k as usize].size);
            // SAFETY: a cell of the state holds a value of its node.
            unsafe {
                std::ptr::copy_nonoverlapping(cell.0.as_ptr(), state.cells[k as usize], size)
            };
        }
    }

    /// One pass over the positions `from..to` of a row.
    ///
    /// # Safety
    /// As [`crate::Device::run`]; registers are ready.
    pub(super) unsafe fn pass(
        &self,
        pass: &Pass,
        from: usize,
        to: usize,
        state: &mut State,
        folds: &mut [Accumulator],
    ) {
        if pass.phase.folds.is_empty() && pass.phase.outputs.is_empty() {
            return;
        }
        let (mut here, mut pace) = (from, Pace::new(from, UNASKED));
        while here < to && !pace.stops(here) {
            self.row.enter(&mut state.run, here);
            // No block crosses the end of a part.
            let last = to.min((here / PART + 1) * PART);
            let end = self.row.block_end_in(&state.run, here, pass.block, last);
            let n = end - here;
            self.find_kept(here, state);
            self.next_block(pass, here..end, to, state);
            for &(k, operand) in pass.reads.iter().chain(&pass.writes) {
                self.point(k as usize, operand, here, n, state);
            }
            // SAFETY: the caller's promise; registers hold a block.
            unsafe {
                for &(k, operand) in &pass.loads {
                    let first = state.first[operand];
                    let to = state.at[k as usize];
                    self.code[k as usize].load(&self.row, operand, first, here..end, to);
                }
                for &k in &pass.kernels {
                    state.ahead.ask();
                    self.kernel(k as usize, 1, n, state);
                }
                for (fold, &k) in folds.iter_mut().zip(&pass.phase.folds) {
                    self.feed(k as usize, fold, here, n, state);
                }
                for &(k, operand) in &pass.stores {
                    let (k, size) = (k as usize, self.code[k as usize].size);
                    let first = state.first[operand];
                    self.row.store(operand, first, size, here, n, state.at[k]);
                }
            }
            state.run.follow(&state.next_run, end);
            here = end;
        }
    }

    /// Points kept values at this block.
    fn find_kept(&self, here: usize, state: &mut State) {
        let base = state.scratch.address();
        for &(k, byte) in &self.kept {
            let size = self.code[k as usize].size;
            state.at[k as usize] = base.wrapping_add(byte + here * size);
        }
    }

    /// Points node `k` at the block of an operand that is contiguous in every block.
    fn point(&self, k: usize, operand: usize, here: usize, n: usize, state: &mut State) {
        let (size, first) = (self.code[k].size, state.first[operand]);
        let block = self
            .row
            .direct_in(&state.run, operand, first, size, here, n);
        debug_assert!(block.is_some(), "a block of operand {operand} is in pieces");
        state.at[k] = block.unwrap_or(first);
    }

    /// Takes a block into fold `k`.
    unsafe fn feed(&self, k: usize, fold: &mut Accumulator, here: usize, n: usize, state: &State) {
        let Step::Fold(_, terms) = self.code[k].step else {
            return;
        };
        let second = match terms.kind {
            kind if kind.beside_number() => state.cells[terms.b as usize],
            _ => state.at[terms.b as usize],
        };
        // SAFETY: the block of every operand is there, and no block crosses the end of a part.
        unsafe { fold.feed(state.at[terms.a as usize], second, here, n) };
    }
}
