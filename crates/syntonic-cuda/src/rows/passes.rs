//! Multi-pass grid reduction of rows that fit no cluster, without scratch of their size: every pass goes over the parts of
//! all rows, and a last one writes the elements. The kernels are in `kernels/include/row_passes.cuh`. Programs without
//! elements to write run so on whole arrays.
//!
//! Measured: kernels/notes/multi_pass.md.

use super::even::cut;
use super::known::Kernel;
use super::shape::{DeviceLimits, Rows, Schedule, Shape};
use crate::block_counters::BLOCK_COUNTERS;
use crate::codegen::Passing;

/// Approximate bytes of a part of a row.
const PART: usize = 64 << 10;
/// The fewest vectors per thread in a part.
const LEAST: usize = 4;
/// Approximate bytes of a wave, which L2 holds in part.
const WAVE: usize = 6 << 20;
/// Counters before those of the rows: `ROW_PASSES_TICKETS`.
const FIRST: usize = 32;

/// The parameters of a multi-pass launch beside those of all row programs. Mirrors the end of `RowPassesParams`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Waves {
    counters: u64,
    wave: u32,
    waves: u32,
}
// The same number stands beside the struct.
const _: () = assert!(size_of::<Waves>() == 16);

impl Waves {
    /// The parameters for a shape of [`shape`], whose counters begin at this address.
    pub(super) fn new(counters: u64, shape: Shape, rows: usize) -> Waves {
        Waves {
            counters,
            wave: shape.chunk as u32,
            waves: rows.div_ceil(shape.chunk) as u32,
        }
    }
}

/// Bytes of the partial values of parts and rows, in a shape of [`shape`].
pub(super) fn bytes(kernel: &Kernel, shape: Shape, rows: usize) -> usize {
    rows * kernel.passes * (shape.blocks + 1) * kernel.exchange
}

/// The multi-pass shape, where the program has such a kernel. `chunk` is the rows of a wave.
pub(super) fn shape(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
    let folds = kernel.single_passes.is_some();
    let counters = FIRST + rows.rows * (2 * kernel.passes + 1);
    if !kernel.has_passes || !(rows.vectors || folds) || counters > BLOCK_COUNTERS {
        return None;
    }
    let (schedule, lanes) = match rows.vectors {
        true => (Schedule::Passes, kernel.lanes),
        false => (Schedule::SinglePasses, 1),
    };
    let vectors = rows.length / lanes;
    let (wave, turns) = match folds {
        true => folded(kernel, rows, limits, lanes),
        false => written(kernel.passing.threads, rows, limits, lanes),
    };
    let blocks = vectors.div_ceil(turns);
    let stages = kernel.passes + usize::from(!folds);
    let steps = rows.rows.div_ceil(wave) + stages - 1;
    Some(Shape {
        schedule,
        lanes,
        threads: kernel.passing.threads,
        block: kernel.passing.threads,
        blocks,
        across: 0,
        turns,
        chunk: wave,
        shared: 0,
        grid: steps * stages * wave * blocks,
        ahead: 0,
    })
}

/// Rows of a wave and vectors of a part, where elements are written: one pass over a wave fills all multiprocessors.
fn written(threads: usize, rows: Rows, limits: DeviceLimits, lanes: usize) -> (usize, usize) {
    let vectors = rows.length / lanes;
    let size = (lanes * rows.bytes).max(1);
    let wave = (WAVE / (vectors * size)).clamp(1, rows.rows);
    let busy = (vectors * wave).div_ceil(limits.processors);
    let least = LEAST * threads;
    (wave, (PART / size).min(busy).max(least))
}

/// The same where rows are only folded: all resident blocks end together. One pass needs no waves.
fn folded(kernel: &Kernel, rows: Rows, limits: DeviceLimits, lanes: usize) -> (usize, usize) {
    let vectors = rows.length / lanes;
    let bytes = (rows.length * rows.bytes).max(1);
    let wave = match kernel.passes {
        1 => rows.rows,
        _ => (WAVE / bytes).clamp(1, rows.rows),
    };
    let Passing { threads, residents } = kernel.passing;
    let least = LEAST * threads * kernel.lanes / lanes;
    let most = vectors.div_ceil(least).max(1);
    let slots = residents * limits.processors;
    let parts = cut(wave as u64, slots as u64, most as u64) as usize;
    (wave, vectors.div_ceil(parts).next_multiple_of(threads))
}

#[cfg(test)]
mod tests {
    use super::super::fake;
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
            assert_eq!(shape.schedule, Schedule::Passes);
            assert!(shape.turns * shape.blocks * 4 >= length, "{shape:?}");
            assert!(shape.turns * (shape.blocks - 1) * 4 < length, "{shape:?}");
            assert!(shape.chunk >= 1 && shape.chunk <= count);
            // Each step has every pass of a wave, and the last wave's last pass has a step.
            let step = 3 * shape.chunk * shape.blocks;
            assert_eq!(shape.grid % step, 0);
            assert_eq!(shape.grid / step, count.div_ceil(shape.chunk) + 2);
        }
    }

    /// Two passes over rows with per-row results only.
    fn folds() -> Kernel {
        Kernel {
            single_passes: Some(String::new()),
            ..kernel()
        }
    }

    /// The pass, row and part of ticket `drawn`, as `row_pass_item` of row_passes.cuh has it.
    fn item(
        drawn: usize,
        stages: usize,
        rows: usize,
        shape: Shape,
    ) -> Option<(usize, usize, usize)> {
        let items = shape.chunk * shape.blocks;
        let (slot, rest) = (drawn / items, drawn % items);
        let (step, pass) = (slot / stages, slot % stages);
        let row = step.checked_sub(pass)? * shape.chunk + rest / shape.blocks;
        let part = rest % shape.blocks;
        let there = row < rows && step - pass < rows.div_ceil(shape.chunk);
        there.then_some((pass, row, part))
    }

    #[test]
    fn whole_arrays_keep_all_multiprocessors_busy_and_are_folded_once_a_pass() {
        for (count, length) in [(1, 1 << 24), (1, 600_000), (3, 4_000_004), (40, 2 << 20)] {
            for (passes, vectors) in [(1, true), (2, true), (2, false)] {
                let kernel = Kernel { passes, ..folds() };
                let rows = Rows {
                    vectors,
                    ..fake::rows(count, length)
                };
                let shape = shape(&kernel, rows, fake::H200).unwrap();
                let lanes = if vectors { 4 } else { 1 };
                assert_eq!(shape.schedule == Schedule::Passes, vectors);
                assert!(shape.turns * shape.blocks * lanes >= length, "{shape:?}");
                assert!(
                    shape.turns * (shape.blocks - 1) * lanes < length,
                    "{shape:?}"
                );
                let mut folded = vec![0; passes * count];
                for drawn in 0..shape.grid {
                    let Some((pass, row, _)) = item(drawn, passes, count, shape) else {
                        continue;
                    };
                    // A block that waits for a pass waits for resident blocks only.
                    assert!(pass == 0 || folded[(pass - 1) * count + row] == shape.blocks);
                    folded[pass * count + row] += 1;
                }
                assert!(folded.iter().all(|n| *n == shape.blocks), "{shape:?}");
            }
        }
        let whole = shape(&folds(), fake::rows(1, 1 << 24), fake::H200).unwrap();
        assert!((250..=264).contains(&whole.blocks), "{whole:?}");
    }

    #[test]
    fn few_long_rows_that_are_folded_get_more_blocks_than_a_cluster() {
        let schedule =
            |kernel: &Kernel, rows: Rows| Shape::of(kernel, rows, fake::H200).unwrap().schedule;
        let single = |rows: Rows| Rows {
            vectors: false,
            ..rows
        };
        let long = fake::rows(1, 16 << 20);
        assert_eq!(schedule(&folds(), long), Schedule::Passes);
        assert_eq!(schedule(&folds(), single(long)), Schedule::SinglePasses);
        assert_eq!(schedule(&folds(), fake::rows(8, 100_000)), Schedule::Passes);
        // Rows that a block, a cluster or many clusters hold take those schedules.
        assert_eq!(schedule(&folds(), fake::rows(1, 8000)), Schedule::Held);
        assert_eq!(
            schedule(&folds(), single(fake::rows(1, 8000))),
            Schedule::Single
        );
        assert_eq!(schedule(&folds(), fake::rows(1, 100_000)), Schedule::Shared);
        assert_eq!(
            schedule(&folds(), fake::rows(500, 100_000)),
            Schedule::Shared
        );
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
