//! Few columns: threads share the steps, in chunks whose accumulators are joined in order.

use super::{Columns, Tile};
use crate::cpu::exec::code::{Folding, Instruction, Step};
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::cpu::exec::scratch::{Scratch, lines};
use crate::error::Result;

/// With at most this many rows, threads share the steps and not the rows, so that each still walks through
/// memory in long runs.
const FEW_ROWS: usize = 8 << 10;
/// Elements of one chunk of steps.
const CHUNK: usize = 256 << 10;
/// Values of all rows that threads read, and accumulators of which each thread writes its own.
struct Shared<'a> {
    at: &'a [*mut u8],
    partials: *mut u8,
}

// SAFETY: while threads share it nobody writes the values, and every part of the accumulators has one writer.
unsafe impl Sync for Shared<'_> {}

impl Shared<'_> {
    fn value(&self, k: usize) -> *mut u8 {
        self.at[k]
    }

    fn partial(&self, byte: usize) -> *mut u8 {
        self.partials.wrapping_add(byte)
    }
}

impl Columns<'_> {
    /// Steps of a chunk, where the row is to be cut into chunks.
    pub(super) fn chunk(&self) -> Option<usize> {
        let plain = |i: &Instruction| !matches!(i.step, Step::Fold(Folding::Arg { .. }, _));
        let steps = CHUNK / self.outer.len().max(1);
        let many = self.outer.len() <= FEW_ROWS && self.row.len() >= 2 * steps;
        (many && self.code.iter().all(plain)).then_some(steps)
    }

    /// Phase by phase over all rows. Threads share chunks of `steps` steps, whose accumulators are joined
    /// in order.
    pub(super) unsafe fn run_chunks(&self, steps: usize) -> Result<()> {
        let lanes = self.outer.len();
        let registers = self.registers(lanes);
        let mut scratch = Scratch::take(registers.bytes)?;
        let mut all = registers.tile(scratch.address(), 0, lanes);
        let chunks = self.row.len().div_ceil(steps);
        let stride = lines(16 * lanes);
        for (p, phase) in self.phases.phases.iter().enumerate() {
            let folds = phase.folds.len();
            let mut partials = Scratch::take(chunks * folds * stride)?;
            let partials = partials.address();
            // SAFETY: the caller's promise; every register holds all rows, and every chunk has an
            // accumulator of each fold for all rows.
            unsafe {
                for &k in &phase.row_nodes {
                    self.compute(k as usize, None, 0, phase, &mut all);
                }
                self.share_chunks(p, steps, &all, partials)?;
                for (f, &k) in phase.folds.iter().enumerate() {
                    let k = k as usize;
                    let part = |c: usize| partials.wrapping_add((c * folds + f) * stride);
                    if let Step::Fold(Folding::Plain { join, .. }, _) = self.code[k].step {
                        for c in 1..chunks {
                            join(part(0), part(0), part(c), std::ptr::null(), lanes);
                        }
                    }
                    all.folds[k][0] = part(0);
                    self.finish(k, &mut all);
                }
            }
        }
        // SAFETY: as above; all row values are computed.
        unsafe { self.store_row_values(&all) };
        Ok(())
    }

    /// Takes all steps of a phase, chunk by chunk, into the accumulators at `partials`.
    unsafe fn share_chunks(
        &self,
        p: usize,
        steps: usize,
        all: &Tile,
        partials: *mut u8,
    ) -> Result<()> {
        let phase = &self.phases.phases[p];
        let tiles: Vec<(usize, usize)> = self.tiles(0, all.n).collect();
        let registers = self.registers(self.tile);
        let shared = Shared {
            at: &all.at,
            partials,
        };
        let earlier = &self.phases.phases[..=p];
        let stride = lines(16 * all.n);
        let work = Work {
            items: self.row.len().div_ceil(steps) * tiles.len(),
            tenths_of_ns: self.cost() * steps * self.tile,
            at_least: 1,
        };
        for_ranges(work, |from, to| {
            let mut scratch = Scratch::take(registers.bytes)?;
            for item in from..to {
                let (chunk, (here, n)) = (item / tiles.len(), tiles[item % tiles.len()]);
                let mut tile = registers.tile(scratch.address(), here, n);
                for &k in earlier.iter().flat_map(|e| &e.row_nodes) {
                    let k = k as usize;
                    tile.at[k] = shared.value(k).wrapping_add(here * self.code[k].size);
                }
                for (f, &k) in phase.folds.iter().enumerate() {
                    let part = (chunk * phase.folds.len() + f) * stride;
                    let k = k as usize;
                    tile.folds[k][0] = shared.partial(part + here * self.accumulator_size(k));
                }
                let first = chunk * steps;
                let end = (first + steps).min(self.row.len());
                // SAFETY: no two items have a row and a step in common; the rest is the caller's promise.
                unsafe { self.take_steps(p, first, end, &mut tile) };
            }
            Ok(())
        })
    }

    /// Bytes of one accumulator of a fold.
    fn accumulator_size(&self, k: usize) -> usize {
        match self.code[k].step {
            Step::Fold(Folding::Plain { accumulator, .. }, _) => accumulator.size(),
            _ => 16,
        }
    }
}
