//! A long row in chunks that threads share; their folds are joined in order.

use super::{CHUNK, Rows, State};
use crate::cpu::exec::fold::{Accumulator, Folded};
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::error::Result;
use crate::fork::lock;
use crate::room;
use std::sync::Mutex;

/// The values of a row that the passes so far have computed, by node: bytes as a state's cells hold them.
type Known = Vec<[u8; 16]>;

impl Rows<'_> {
    /// Row `at`: each phase is a pass over the chunks, whose folds are then joined.
    ///
    /// # Safety
    /// As [`super::run`], for a row of the task.
    pub(super) unsafe fn chunked_row(&self, at: usize) -> Result<()> {
        let mut own = self.state()?;
        let chunks = self.row.len().div_ceil(CHUNK);
        let cost: usize = self.code.iter().map(|i| i.cost + 2).sum();
        for pass in &self.passes {
            // SAFETY: the caller's promise is passed on.
            unsafe { self.row_values(pass, at, 1, &mut own) };
            let known = self.known(&own)?;
            let partials = Mutex::new(room::filled(chunks, None)?);
            for_ranges(
                Work {
                    items: chunks,
                    tenths_of_ns: cost * CHUNK,
                    at_least: 1,
                },
                |from, to| {
                    let mut state = self.state()?;
                    self.learn(&known, &mut state);
                    self.firsts(at, &mut state.first);
                    // SAFETY: the cells of this and earlier passes are known.
                    unsafe { self.begin(pass, &mut state) };
                    for chunk in from..to {
                        let mut folds: Vec<Accumulator> = self.accumulators(pass).collect();
                        let end = ((chunk + 1) * CHUNK).min(self.row.len());
                        // SAFETY: chunks are disjoint parts of the row; the rest is the caller's promise.
                        unsafe { self.pass(pass, chunk * CHUNK, end, &mut state, &mut folds) };
                        // few: one for each fold.
                        let mut ends: Vec<Option<Folded>> = Vec::with_capacity(folds.len());
                        ends.extend(folds.iter_mut().map(Accumulator::end));
                        lock(&partials)[chunk] = Some(ends);
                    }
                    Ok(())
                },
            )?;
            let mut total: Vec<Accumulator> = self.accumulators(pass).collect();
            let partials = partials
                .into_inner()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            for partial in partials.into_iter().flatten() {
                for (sum, part) in total.iter_mut().zip(partial) {
                    if let Some(part) = part {
                        sum.join(part);
                    }
                }
            }
            self.finish(pass, &mut total, &own);
        }
        // SAFETY: as above; all cells are computed.
        unsafe { self.store_row_values(at, 1, &own) };
        Ok(())
    }

    /// The cells of a state.
    fn known(&self, state: &State) -> Result<Known> {
        let mut known = room::filled(self.code.len(), [0; 16])?;
        for (k, bytes) in known.iter_mut().enumerate() {
            // SAFETY: every cell is memory of a value of its node, initialised as all scratch memory is.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    state.cells[k],
                    bytes.as_mut_ptr(),
                    self.code[k].size,
                );
            }
        }
        Ok(known)
    }

    /// Makes `known` the cells of a state.
    fn learn(&self, known: &Known, state: &mut State) {
        for (k, bytes) in known.iter().enumerate() {
            // SAFETY: as in `known`.
            unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), state.cells[k], self.code[k].size);
            }
        }
    }
}
