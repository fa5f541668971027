//! Folds of aligned rows and columns: `kernels/include/even.cuh`.
//!
//! Rows are contiguous whole vectors of 16 bytes; columns are contiguous, with a constant stride along the row. One launch is
//! enough: where rows are cut into parts, a last-block counter selects the block that joins them.

use super::fold::{FoldTask, Run, launch, partials};
use super::geometry::{Columns, Plan, Reduction};
use super::variance::DTYPES as OF_VARIANCE;
use crate::block_counters::BLOCK_COUNTERS;
use crate::context::Geometry;
use crate::contract::contract;
use crate::plan::{Carrier, Pass};
use syntonic_core::fuse::Fold;
use syntonic_core::{DType, Result};

/// Types with these kernels.
pub(super) const DTYPES: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];
/// Their folds, and the variance.
pub(super) const FOLDS: [Fold; 5] = [Fold::Sum, Fold::Max, Fold::Min, Fold::ArgMax, Fold::ArgMin];

/// Below these bytes the access pattern does not matter.
const LEAST: u64 = 4 << 20;
/// The fewest vectors of a row that are worth a warp, and a block.
const WARP_ROW: u64 = 64;
const BLOCK_ROW: u64 = 512;
/// Rows per multiprocessor from which on no row is cut.
const MANY: u64 = 8;
/// Threads per block with a block per row, and with a warp per row. Small blocks retire early and free their slot.
const BLOCK: u32 = 256;
const WARP_BLOCK: u32 = 128;
/// Threads per block that folds a part, and such blocks per multiprocessor.
const LIGHT_PART: (u32, u64) = (1024, 2);
const HEAVY_PART: (u32, u64) = (512, 2);
/// Waves of parts. More waves even out multiprocessors of unequal speed, but add partial values to join.
const WAVES: u64 = 1;
/// The fewest vectors of a part that are worth a block, and the most that a 32-bit count allows.
const PART: u64 = 4096;
const MOST: u64 = 1 << 30;
/// Parts begin at multiples of a warp's vectors, so that no load straddles more cache lines than it must.
const GRAIN: u64 = 32;
/// The most blocks along the first axis of a grid.
const BLOCKS: u64 = 1 << 30;

contract! {
    "fold_*":
    /// Rows: `threads` of a block take a row, or a whole block a part of one. Steps are between rows.
    #[derive(Debug)]
    pub(crate) struct EvenRows as "EvenRows" {
        from: u64 as "const void*",
        to: u64 as "void*",
        /// Of all parts of a row together.
        partials: u64 as "void*",
        /// Last-block counters, one a row, zero before and after.
        counters: u64 as "uint32_t*",
        rows: u64,
        step: i64,
        to_step: i64,
        /// Of a row.
        vectors: u64,
        /// Vectors of a part.
        part: u64,
        parts: u32,
        threads: u32,
        /// Half types: the result stays float.
        wide: u32,
        unused: u32,
    }
}

contract! {
    "fold_*":
    /// Columns: a warp lies along them, the warps of a block share the rows.
    #[derive(Debug)]
    pub(crate) struct EvenColumns as "EvenColumns" {
        from: u64 as "const void*",
        to: u64 as "void*",
        /// Of all columns of a part together.
        partials: u64 as "void*",
        /// Last-block counters, one a tile, zero before and after.
        counters: u64 as "uint32_t*",
        columns: u64,
        tiles: u64,
        outers: u64,
        /// Between rows.
        step: i64,
        from_outer: i64,
        to_outer: i64,
        to_step: i64,
        /// Rows.
        length: u64,
        /// Rows of a part.
        part: u64,
        parts: u32,
        wide: u32,
    }
}

// The same numbers stand beside the structs in even.cuh.

/// Arithmetic per element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// One or two instructions: many threads with few registers.
    Light,
    /// Many instructions and a costly join: few threads per row.
    Heavy,
}

/// How an even reduction is spread over the GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Even {
    /// Some threads per row.
    Lines(Lines),
    /// Some blocks per row.
    Parts(Lines),
    /// Threads along a kept axis.
    Tall(Tall),
}

/// Contiguous rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    rows: u64,
    steps: [isize; 2],
    vectors: u64,
    parts: u64,
    part: u64,
    threads: u32,
}

/// Contiguous columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tall {
    columns: u64,
    tiles: u64,
    outers: u64,
    outer_steps: [isize; 2],
    step: isize,
    to_step: isize,
    length: u64,
    parts: u64,
    part: u64,
    warps: u32,
}

impl Even {
    /// The plan of the reduction, if its layout is even and its size worth it.
    pub(super) fn of(task: &FoldTask<'_>, reduction: &Reduction, processors: u32) -> Option<Even> {
        let known = match task.variance {
            Some(_) => OF_VARIANCE.contains(&task.dtype),
            None => FOLDS.contains(&task.fold) && DTYPES.contains(&task.dtype),
        };
        let weight = match task.variance {
            Some(_) => Weight::Heavy,
            None => Weight::Light,
        };
        known
            .then(|| even(reduction, weight, u64::from(processors)))
            .flatten()
    }

    /// The launches of the plan for the same task.
    pub(super) fn pass(&self, task: &FoldTask<'_>) -> Pass<'static> {
        match self {
            Even::Lines(lines) => {
                let block = match lines.threads {
                    32 => WARP_BLOCK,
                    _ => BLOCK,
                };
                let rows_of_block = u64::from(block / lines.threads);
                let geometry = Geometry::line(lines.rows.div_ceil(rows_of_block), block);
                Pass::alone(launch(task, "lines", geometry))
            }
            Even::Parts(lines) => {
                let geometry = Geometry {
                    grid: [lines.parts as u32, lines.rows as u32, 1],
                    ..Geometry::line(1, lines.threads)
                };
                Pass {
                    scratch: partials(task, lines.parts * lines.rows),
                    block_counters: true,
                    ..Pass::alone(launch(task, "parts", geometry))
                }
            }
            Even::Tall(tall) => {
                let geometry = Geometry {
                    grid: [tall.tiles as u32, tall.parts as u32, tall.outers as u32],
                    ..Geometry::line(1, 32 * tall.warps)
                };
                let alone = Pass::alone(launch(task, "tall", geometry));
                match tall.parts {
                    ..=1 => alone,
                    parts => Pass {
                        scratch: partials(task, parts * tall.outers * tall.columns),
                        block_counters: true,
                        ..alone
                    },
                }
            }
        }
    }
}

fn even(reduction: &Reduction, weight: Weight, processors: u64) -> Option<Even> {
    let (outer, row) = (&reduction.outer, &reduction.row);
    let elements = (outer.len() * row.len()) as u64;
    if elements * (reduction.size as u64) < LEAST || row.dims.len() > 1 {
        return None;
    }
    if let Plan::Columns(columns) = reduction.plan(processors as u32) {
        return tall(reduction, &columns, processors).map(Even::Tall);
    }
    if outer.dims.len() > 1 || row.strides[0][0] != 1 {
        return None;
    }
    let width = 16 / reduction.size;
    let (rows, steps) = (
        outer.len() as u64,
        [outer.strides[0][0], outer.strides[1][0]],
    );
    let aligned = reduction.from.is_multiple_of(16)
        && row.len().is_multiple_of(width)
        && (rows == 1 || steps[0].unsigned_abs().is_multiple_of(width));
    let vectors = (row.len() / width) as u64;
    if !aligned || vectors < WARP_ROW || rows > BLOCKS {
        return None;
    }
    let lines = Lines {
        rows,
        steps,
        vectors,
        parts: 1,
        part: vectors,
        threads: match weight {
            Weight::Light if vectors >= BLOCK_ROW => BLOCK,
            _ => 32,
        },
    };
    if rows >= MANY * processors && vectors <= MOST {
        return Some(Even::Lines(lines));
    }
    let most = (vectors / PART).max(1);
    let (threads, places) = match weight {
        Weight::Light => LIGHT_PART,
        Weight::Heavy => HEAVY_PART,
    };
    let parts = cut(rows, WAVES * places * processors, most).max(vectors.div_ceil(MOST));
    let part = vectors.div_ceil(parts).next_multiple_of(GRAIN);
    (rows <= BLOCK_COUNTERS as u64).then_some(Even::Parts(Lines {
        parts: vectors.div_ceil(part),
        part,
        threads,
        ..lines
    }))
}

/// Columns per thread and warps per block, `EVEN_COLUMNS` and `EVEN_WARPS` of even.cuh, and the fewest rows worth it. A block
/// of 32 warps has the multiprocessor to itself, which idles while that block starts and ends.
fn shape_of_block(size: usize) -> (usize, u32, u64) {
    if size < 4 {
        (4 / size, 32, 2048)
    } else {
        (1, 16, 512)
    }
}

fn tall(reduction: &Reduction, plan: &Columns, processors: u64) -> Option<Tall> {
    let (width, warps, tall) = shape_of_block(reduction.size);
    let step = reduction.row.strides[0][0];
    let outer_steps = [plan.outer.strides[0][0], plan.outer.strides[1][0]];
    let outers = plan.outer.len() as u64;
    let fits = |s: isize| s.unsigned_abs().is_multiple_of(width);
    let aligned = plan.steps[0] == 1
        && plan.outer.dims.len() <= 1
        && outers <= u64::from(Geometry::BEYOND)
        && plan.columns.is_multiple_of(width as u64)
        && reduction
            .from
            .is_multiple_of((width * reduction.size) as u64)
        && fits(step)
        && (outers == 1 || fits(outer_steps[0]));
    let tiles = plan.columns.div_ceil(32 * width as u64);
    let blocks = tiles * outers;
    // A block of 32 warps fills a multiprocessor.
    let slots = processors * u64::from(32 / warps);
    let most = (plan.length / tall).max(1);
    let parts = match cut(blocks, slots, most) {
        parts if blocks <= BLOCK_COUNTERS as u64 => parts,
        _ => 1,
    };
    let part = plan.length.div_ceil(parts);
    let worth = plan.length >= tall && 2 * blocks * parts >= slots && tiles <= BLOCKS;
    (aligned && worth).then(|| Tall {
        columns: plan.columns,
        tiles,
        outers,
        outer_steps,
        step,
        to_step: plan.steps[1],
        length: plan.length,
        parts: plan.length.div_ceil(part),
        part,
        warps,
    })
}

/// Parts of each of `items` so that all blocks, of which `slots` are resident at once, end together; at most `most`.
pub(super) fn cut(items: u64, slots: u64, most: u64) -> u64 {
    // Rounds of all slots, over parts of an item, is what one item's time is multiplied by.
    let cost = |parts: u64| (items * parts).div_ceil(slots) as f64 / parts as f64;
    let joined = |parts: u64| cost(parts) * if parts > 1 { 1.05 } else { 1.0 };
    let choices = (1..=4).map(|round| (round * slots / items.max(1)).clamp(1, most));
    choices.fold(1, |best, parts| {
        if joined(parts) < joined(best) {
            parts
        } else {
            best
        }
    })
}

impl<C: Carrier> Run<'_, C> {
    /// Runs an even plan.
    ///
    /// # Safety
    /// As [`super::fold::run`]; the plan is of this reduction.
    pub(super) unsafe fn even(&self, plan: &Even) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            match plan {
                Even::Lines(lines) | Even::Parts(lines) => self.even_lines(lines),
                Even::Tall(tall) => self.even_tall(tall),
            }
        }
    }

    unsafe fn even_lines(&self, lines: &Lines) -> Result<()> {
        let memory = self.carrier.pass_memory(self.pass)?;
        let params = EvenRows {
            from: self.reduction.from,
            to: self.to,
            partials: memory.scratch(),
            counters: memory.counters(),
            rows: lines.rows,
            step: lines.steps[0] as i64,
            to_step: lines.steps[1] as i64,
            vectors: lines.vectors,
            part: lines.part,
            parts: lines.parts as u32,
            threads: lines.threads,
            wide: self.wide(),
            unused: 0,
        };
        // SAFETY: the parameter is the entry's; rows in parts have a last-block counter per row and scratch for each partial
        // value; the rest is the caller's promise.
        unsafe { self.start(&self.pass.launch, &params) }
    }

    unsafe fn even_tall(&self, tall: &Tall) -> Result<()> {
        let memory = self.carrier.pass_memory(self.pass)?;
        let params = EvenColumns {
            from: self.reduction.from,
            to: self.to,
            partials: memory.scratch(),
            counters: memory.counters(),
            columns: tall.columns,
            tiles: tall.tiles,
            outers: tall.outers,
            step: tall.step as i64,
            from_outer: tall.outer_steps[0] as i64,
            to_outer: tall.outer_steps[1] as i64,
            to_step: tall.to_step as i64,
            length: tall.length,
            part: tall.part,
            parts: tall.parts as u32,
            wide: self.wide(),
        };
        // SAFETY: as above; there is a last-block counter per tile and scratch for each partial value.
        unsafe { self.start(&self.pass.launch, &params) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROCESSORS: u64 = 132;

    fn plan(outer: &[usize], row: &[usize], strides: [&[isize]; 2], size: usize) -> Option<Even> {
        // The result is contiguous; there is at most one kept axis.
        let results: Vec<isize> = outer.iter().map(|_| 1).collect();
        let reduction = Reduction::new(
            Fold::Sum,
            (outer, row),
            [strides[0], &results, strides[1]],
            size,
            256,
        );
        even(&reduction, Weight::Light, PROCESSORS)
    }

    #[test]
    fn squares_are_lines_parts_and_tall() {
        let n = 8192;
        let step = n as isize;
        for size in [2, 4, 8] {
            let rows = plan(&[n], &[n], [&[step], &[1]], size);
            assert!(matches!(&rows, Some(Even::Lines(l)) if l.vectors == (n * size / 16) as u64));
            let all = plan(&[], &[n * n], [&[], &[1]], size);
            assert!(
                matches!(&all, Some(Even::Parts(l)) if l.parts == 264),
                "{all:?}"
            );
            let columns = plan(&[n], &[n], [&[1], &[step]], size);
            assert!(
                matches!(&columns, Some(Even::Tall(t)) if t.parts == 1),
                "{columns:?}"
            );
        }
    }

    #[test]
    fn what_does_not_lie_even_is_left_to_others() {
        let n = 8192;
        assert_eq!(plan(&[n], &[n - 1], [&[n as isize], &[1]], 4), None);
        assert_eq!(plan(&[n], &[n], [&[n as isize + 1], &[1]], 4), None);
        assert_eq!(plan(&[n], &[n], [&[2 * n as isize], &[2]], 4), None);
        assert_eq!(plan(&[n - 1], &[n], [&[1], &[n as isize - 1]], 2), None);
        // Too small, or rows too short.
        assert_eq!(plan(&[100], &[n], [&[n as isize], &[1]], 4), None);
        assert_eq!(plan(&[n * n / 64], &[64], [&[64], &[1]], 4), None);
    }

    #[test]
    fn every_row_and_every_column_is_in_a_part() {
        for rows in [1, 2, 7, 63, 131, 132, 300, 1055] {
            for length in [1 << 16, 1 << 20, (1 << 22) + 4] {
                match plan(&[rows], &[length], [&[length as isize], &[1]], 4) {
                    Some(Even::Parts(l)) => {
                        assert!(l.part * l.parts >= l.vectors, "{l:?}");
                        assert!(l.part * (l.parts - 1) < l.vectors, "{l:?}");
                        let blocks = l.rows * l.parts;
                        let rounds = blocks.div_ceil(264);
                        let full = blocks as f64 / (264 * rounds) as f64;
                        assert!(full > 0.8 || l.part < 2 * PART, "{l:?}");
                    }
                    None => assert!(rows * length * 4 < LEAST as usize),
                    other => panic!("{other:?}"),
                }
            }
        }
        for columns in [64, 1024, 8192, 8256, 9000, 40_000] {
            for length in [512, 5000, 100_000] {
                let found = plan(&[columns], &[length], [&[1], &[columns as isize]], 2);
                if let Some(Even::Tall(t)) = found {
                    assert!(t.part * t.parts >= t.length && t.part * (t.parts - 1) < t.length);
                    assert!(t.tiles * 64 >= t.columns);
                }
            }
        }
    }

    #[test]
    fn blocks_end_together() {
        assert_eq!(cut(1, 264, 10_000), 264);
        assert_eq!(cut(128, 132, 32), 1);
        assert_eq!(cut(264, 132, 32), 1);
        // 140 blocks would take two rounds of 132.
        let parts = cut(140, 132, 32);
        assert!(
            (140 * parts).div_ceil(132) as f64 / (parts as f64) < 1.5,
            "{parts}"
        );
    }
}
