//! A long row in chunks that threads share; their folds are joined in order.

use super::{CHUNK, Rows, finish};
use crate::buffer::lock;
use crate::cpu::exec::fold::Accumulator;
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::error::Result;
use crate::room;
use std::sync::Mutex;

impl Rows<'_> {
    /// Row `at`: each phase is a pass over the chunks, whose folds are then joined.
    ///
    /// # Safety
    /// As [`super::run`], for a row of the task.
    pub(super) unsafe fn chunked_row(&self, at: usize) -> Result<()> {
        let mut cells = self.cells();
        let chunks = self.row.len().div_ceil(CHUNK);
        let cost: usize = self.code.iter().map(|i| i.cost + 2).sum();
        for (p, phase) in self.phases.phases.iter().enumerate() {
            // SAFETY: the caller's promise is passed on.
            unsafe { self.row_values(at, phase, &mut cells) };
            let partials = Mutex::new(room::filled(chunks, None)?);
            let known = &cells;
            for_ranges(
                Work {
                    items: chunks,
                    tenths_of_ns: cost * CHUNK,
                    at_least: 1,
                },
                |from, to| {
                    let mut state = self.state()?;
                    self.firsts(at, &mut state.first);
                    for earlier in &self.phases.phases[..=p] {
                        // SAFETY: registers hold a block; the cells of this and earlier phases are known.
                        unsafe { self.spread_values(earlier, &mut state, known) };
                    }
                    for chunk in from..to {
                        let mut folds: Vec<Accumulator> = self.accumulators(phase).collect();
                        let end = ((chunk + 1) * CHUNK).min(self.row.len());
                        // SAFETY: chunks are disjoint parts of the row; the rest is the caller's promise.
                        unsafe { self.pass(phase, chunk * CHUNK, end, &mut state, &mut folds) };
                        lock(&partials)[chunk] = Some(folds);
                    }
                    Ok(())
                },
            )?;
            let mut total: Vec<Accumulator> = self.accumulators(phase).collect();
            let partials = partials
                .into_inner()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            for partial in partials.into_iter().flatten() {
                for (sum, part) in total.iter_mut().zip(partial) {
                    sum.join(part);
                }
            }
            finish(phase, &total, &mut cells);
        }
        // SAFETY: as above; all cells are computed.
        unsafe { self.store_row_values(at, &cells) };
        Ok(())
    }
}
