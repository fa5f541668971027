//! Rows that fit no cluster, without temporary memory of their size: parts of them, once for each pass and once more for
//! the elements. `kernels/include/row_passes.cuh` has the kernels.
//!
//! Not measured on a GPU yet: kernels/NOTES.md says which of these numbers to vary first.

use super::known::Kernel;
use super::shape::{Offer, Rows, Shape, Way};
use crate::context::{Context, Scratch};
use crate::tickets::{TICKETS, Taken};
use syntonic_core::Result;

/// Threads of a block.
const BLOCK: usize = 512;
/// Bytes of a part of a row, about.
const PART: usize = 64 << 10;
/// The fewest vectors of a thread in a part.
const LEAST: usize = 4;
/// Bytes of a wave, about: some of them are in the cache at once.
const WAVE: usize = 6 << 20;
/// Counters before those of the rows: `ROW_PASSES_TICKETS`.
const FIRST: usize = 32;

/// What a launch has beside the parameters of all programs of rows. Mirrors the end of `RowPassesParams`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Waves {
    counters: u64,
    wave: u32,
    waves: u32,
}
// The same number stands beside the struct.
const _: () = assert!(size_of::<Waves>() == 16);

/// Memory of a launch: what parts and rows come to, and counters.
pub(super) struct Memory<'a> {
    partial: Scratch<'a>,
    counters: Taken<'a>,
}

impl<'a> Memory<'a> {
    /// For a shape that [`shape`] gave.
    pub(super) fn new(
        context: &'a Context,
        kernel: &Kernel,
        shape: Shape,
        rows: usize,
    ) -> Result<Memory<'a>> {
        let places = rows * kernel.passes * (shape.blocks + 1);
        Ok(Memory {
            partial: context.scratch(places * kernel.room)?,
            counters: context.tickets()?,
        })
    }

    pub(super) fn partial(&self) -> u64 {
        self.partial.address()
    }

    pub(super) fn waves(&self, shape: Shape, rows: usize) -> Waves {
        Waves {
            counters: self.counters.address(),
            wave: shape.chunk as u32,
            waves: rows.div_ceil(shape.chunk) as u32,
        }
    }
}

/// Parts of rows, where the program has a kernel for them. `chunk` is the rows of a wave.
pub(super) fn shape(kernel: &Kernel, rows: Rows, offer: Offer) -> Option<Shape> {
    let counters = FIRST + rows.rows * (2 * kernel.passes + 1);
    if !kernel.has_passes || !rows.vectors || counters > TICKETS {
        return None;
    }
    let vectors = rows.length / kernel.lanes;
    let size = kernel.lanes * rows.bytes;
    // All multiprocessors are busy with one pass over a wave.
    let wave = (WAVE / (vectors * size)).clamp(1, rows.rows);
    let busy = (vectors * wave).div_ceil(offer.processors);
    let turns = (PART / size).min(busy).max(LEAST * BLOCK);
    let blocks = vectors.div_ceil(turns);
    let steps = rows.rows.div_ceil(wave) + kernel.passes;
    Some(Shape {
        way: Way::Passes,
        lanes: kernel.lanes,
        threads: BLOCK,
        block: BLOCK,
        blocks,
        across: 0,
        turns,
        chunk: wave,
        shared: 0,
        grid: steps * (kernel.passes + 1) * wave * blocks,
        ahead: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::super::shape::fake;
    use super::*;

    fn kernel() -> Kernel {
        Kernel {
            has_passes: true,
            passes: 2,
            ..fake::kernel(false)
        }
    }

    #[test]
    fn parts_cover_the_row_and_waves_all_rows() {
        for (count, length) in [(1, 1 << 21), (16, 1 << 21), (100, 400_000), (3, 4_000_004)] {
            let shape = shape(&kernel(), fake::rows(count, length), fake::H200).unwrap();
            assert_eq!(shape.way, Way::Passes);
            assert!(shape.turns * shape.blocks * 4 >= length, "{shape:?}");
            assert!(shape.turns * (shape.blocks - 1) * 4 < length, "{shape:?}");
            assert!(shape.chunk >= 1 && shape.chunk <= count);
            // Each step has every pass of a wave, and the last wave's last pass has a step.
            let step = 3 * shape.chunk * shape.blocks;
            assert_eq!(shape.grid % step, 0);
            assert_eq!(shape.grid / step, count.div_ceil(shape.chunk) + 2);
        }
    }

    #[test]
    fn rows_that_no_counters_are_left_for_have_another_way() {
        assert_eq!(
            shape(&kernel(), fake::rows(4000, 1 << 21), fake::H200),
            None
        );
        let plain = fake::kernel(false);
        assert_eq!(shape(&plain, fake::rows(4, 1 << 21), fake::H200), None);
    }
}
