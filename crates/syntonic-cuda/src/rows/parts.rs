//! Two-phase reduction of rows that no block holds: a row is measured, and then its elements are written while they are in
//! L2.
//!
//! One launch does both (`kernels/include/row_parts.cuh`). A block counter acts as dynamic tile scheduler: it assigns items
//! in the order in which blocks start. Some parts are measured first; then measuring and writing take turns. This file
//! chooses the size of a part, and how far measuring runs ahead of writing. Measured: kernels/notes/two_phase.md.

use super::known::Kernel;
use super::shape::{DeviceLimits, Rows, Schedule, Shape};
use crate::block_counters::BLOCK_COUNTERS;
use crate::codegen::Parted;

/// Threads per block.
const BLOCK: usize = 256;
/// Approximate bytes of a part: two turns of a block's registers, so that little of the cache lies between a part's two
/// readings.
const PART: usize = 64 << 10;
/// The fewest blocks per multiprocessor, where there is enough to do.
const BLOCKS: usize = 8;
/// How many parts measuring runs ahead, in eighths of the resident blocks. Half of those write; the writer of a row's first
/// part should not wait for the block that measures its last one. More only takes room in L2.
const LEAD: usize = 2;
/// The same for groups of columns, whose parts take longer.
const COLUMN_LEAD: usize = 9;
const COLUMN_LEAD_OF_TWO: usize = 7;
/// A group of columns may take 1/`COLUMN_SHARE` of L2: its results and the work of all blocks pass through it, too.
const COLUMN_SHARE: usize = 3;
/// Contiguous vectors of a group of columns, at most and at least: the former is four cache lines, the latter two.
const LANES: [usize; 2] = [32, 16];
/// Approximate elements of a column per part: a partial value is as large as eight of them. More where a thread has [`MANY`]
/// of them in flight, as with one operand; fewer where several operands are read.
const STEPS: usize = 1024;
const STEPS_OF_MANY: usize = 1280;
const STEPS_OF_TWO: usize = 768;
const MANY: usize = 8;
/// Approximate parts of a long column: few threads join them, one after the other.
const JOINED: usize = 256;
/// The fewest blocks per multiprocessor for strided rows, whose threads take more registers.
const COLUMN_BLOCKS: usize = 2;
/// The first counter of the rows, and the counters per row: `ROW_COUNTERS` and `counters` of row_parts.cuh.
const FIRST: usize = 32;
const EACH: usize = 2;

/// Units of the schedule, a row or a group of columns, and the bytes of one step through all its rows.
#[derive(Clone, Copy, Debug)]
struct Groups {
    /// How many there are.
    groups: usize,
    /// Vectors or steps of a row.
    length: usize,
    /// Bytes of a vector or a step.
    size: usize,
}

impl Groups {
    /// Orders the items of parts of `turns` each, if there are counters for them. `shape` has the threads; a part is written
    /// once `lead` more parts than its row's have been measured.
    fn in_parts(self, turns: usize, lead: usize, shape: Shape) -> Option<Shape> {
        let parts = self.length.div_ceil(turns);
        let all = parts * self.groups;
        let fits = FIRST + EACH * self.groups <= BLOCK_COUNTERS && all < 1 << 30;
        fits.then_some(Shape {
            block: BLOCK,
            blocks: parts,
            turns,
            chunk: turns,
            shared: 0,
            grid: 2 * all,
            ahead: (parts + lead).min(all),
            ..shape
        })
    }

    /// Steps per part that leave `blocks` blocks per multiprocessor.
    fn busy(self, blocks: usize, limits: DeviceLimits) -> usize {
        (self.length * self.groups).div_ceil(limits.processors * blocks)
    }
}

/// `eighths` eighths of the resident blocks.
fn lead(eighths: usize, form: Parted, limits: DeviceLimits) -> usize {
    limits.processors * form.residents * eighths / 8
}

/// Nothing chosen yet.
const NONE: Shape = Shape {
    schedule: Schedule::Parts,
    lanes: 1,
    threads: BLOCK,
    block: BLOCK,
    blocks: 0,
    across: 0,
    turns: 0,
    chunk: 0,
    shared: 0,
    grid: 0,
    ahead: 0,
};

impl Shape {
    /// The two-phase shape of contiguous rows, if the program has that entry.
    pub(super) fn parts(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
        let form = kernel.parts.as_ref()?.form;
        let groups = Groups {
            groups: rows.rows,
            length: rows.length / form.lanes,
            size: form.lanes * rows.bytes,
        };
        let round = BLOCK * form.held;
        let wanted = (PART / groups.size)
            .min(groups.busy(BLOCKS, limits))
            .max(round);
        // Parts of one size, in whole turns of the block.
        let parts = groups.length.div_ceil(wanted);
        let turns = groups.length.div_ceil(parts).next_multiple_of(round);
        let shape = Shape {
            lanes: form.lanes,
            ..NONE
        };
        groups.in_parts(turns, lead(LEAD, form, limits), shape)
    }

    /// The same for groups of columns, if the program has that entry.
    pub(super) fn columns(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
        let form = kernel.columns.as_ref()?.form;
        let of = |across: usize| Groups {
            groups: rows.rows.div_ceil(across * form.lanes),
            length: rows.length,
            size: across * form.lanes * rows.bytes,
        };
        let between = |groups: &Groups| groups.length * groups.size <= limits.cache / COLUMN_SHARE;
        let most = (rows.rows / form.lanes)
            .next_power_of_two()
            .clamp(LANES[1], LANES[0]);
        let mut across = most;
        while across > LANES[1] && !between(&of(across)) {
            across /= 2;
        }
        if !between(&of(across)) {
            // L2 holds no group, however narrow.
            across = most;
        }
        let groups = of(across);
        let round = BLOCK / across * form.held;
        let several = kernel.streams.read.len() > 1;
        let (steps, ahead) = match form.held {
            MANY.. => (STEPS_OF_MANY, COLUMN_LEAD),
            _ if several => (STEPS_OF_TWO, COLUMN_LEAD_OF_TWO),
            _ => (STEPS, COLUMN_LEAD),
        };
        let wanted = steps.max(groups.length.div_ceil(JOINED));
        let wanted = wanted.min(groups.busy(COLUMN_BLOCKS, limits)).max(round);
        let turns = wanted.next_multiple_of(round);
        let shape = Shape {
            schedule: Schedule::Columns,
            across,
            ..NONE
        };
        groups.in_parts(turns, lead(ahead, form, limits), shape)
    }
}

/// Bytes of the partial values of all parts.
pub(super) fn bytes(kernel: &Kernel, shape: Shape) -> usize {
    let (parted, columns) = match shape.schedule {
        Schedule::Columns => (&kernel.columns, shape.across),
        _ => (&kernel.parts, 0),
    };
    parted.as_ref().map_or(0, |k| {
        shape.grid / 2 * k.form.size * (columns * k.form.lanes).max(1)
    })
}

#[cfg(test)]
mod tests {
    use super::super::fake::{H200, kernel, planes, rows};
    use super::*;

    /// A batch norm of 256 channels of 128 planes.
    fn channels(bytes: usize) -> Rows {
        Rows {
            bytes,
            ..planes(128, 256, 3136)
        }
    }

    /// A batch norm of features: strided rows.
    fn features(count: usize, length: usize) -> Rows {
        rows(count, length)
    }

    /// What the block with ticket `drawn` does, as `row_item` of row_parts.cuh has it: whether it writes, and which part.
    fn item(drawn: usize, shape: Shape) -> (bool, usize, usize) {
        let (all, ahead) = (shape.grid / 2, shape.ahead);
        let (writes, at) = match drawn.checked_sub(ahead) {
            None => (false, drawn),
            Some(after) if after >= 2 * (all - ahead) => (true, after - (all - ahead)),
            Some(after) if after % 2 == 1 => (true, after / 2),
            Some(after) => (false, after / 2 + ahead),
        };
        let (row, part) = (at / shape.blocks, at % shape.blocks);
        let part = if writes {
            shape.blocks - 1 - part
        } else {
            part
        };
        (writes, row, part)
    }

    #[test]
    fn what_lies_between_two_readings_fits_half_of_the_cache() {
        let shape = Shape::parts(&kernel(true), channels(4), H200).unwrap();
        assert_eq!(shape.turns * 16, PART);
        assert!(shape.turns * shape.blocks * 4 >= channels(4).length);
        assert!(shape.turns * (shape.blocks - 1) * 4 < channels(4).length);
        // Writing reads as many bytes meanwhile.
        assert!(2 * shape.ahead * PART <= H200.cache / 2, "{shape:?}");
        assert_eq!(shape.ahead - shape.blocks, H200.processors * 4 * LEAD / 8);
        let partials = bytes(&kernel(true), shape);
        assert!(partials * 1000 < 256 * channels(4).length * 4);
    }

    #[test]
    fn a_row_is_measured_before_it_is_written_and_every_part_once() {
        let few = DeviceLimits {
            cache: 1 << 20,
            ..H200
        };
        let one = rows(1, 40 << 20);
        let shapes = [
            Shape::parts(&kernel(true), channels(4), H200),
            Shape::parts(&kernel(true), channels(8), few),
            Shape::parts(&kernel(true), one, H200),
            Shape::columns(&kernel(true), features(1024, 65_536), H200),
            Shape::columns(&kernel(true), features(64, 1_000_000), H200),
        ];
        for shape in shapes.map(Option::unwrap) {
            let all = shape.grid / 2;
            assert!((shape.blocks..=all).contains(&shape.ahead), "{shape:?}");
            let mut measured = vec![0; all / shape.blocks];
            let mut seen = vec![[false; 2]; all];
            for drawn in 0..shape.grid {
                let (writes, row, part) = item(drawn, shape);
                let before = &mut seen[row * shape.blocks + part][usize::from(writes)];
                assert!(!std::mem::replace(before, true));
                if writes {
                    assert_eq!(measured[row], shape.blocks, "{drawn} {shape:?}");
                } else {
                    measured[row] += 1;
                }
            }
        }
    }

    #[test]
    fn counters_are_enough_or_there_are_no_parts() {
        let most = (BLOCK_COUNTERS - FIRST) / EACH;
        assert!(Shape::parts(&kernel(true), rows(most, 60_000), H200).is_some());
        assert!(Shape::parts(&kernel(true), rows(most + 1, 60_000), H200).is_none());
        assert!(Shape::parts(&kernel(false), rows(8, 60_000), H200).is_none());
    }

    #[test]
    fn groups_of_columns_stay_in_the_cache_where_they_can() {
        let shape = Shape::columns(&kernel(true), features(1024, 65_536), H200).unwrap();
        assert_eq!((shape.across, shape.turns), (16, STEPS_OF_MANY));
        assert_eq!(shape.grid, 2 * 16 * 65_536_usize.div_ceil(STEPS_OF_MANY));
        assert_eq!(
            shape.ahead - shape.blocks,
            H200.processors * 4 * COLUMN_LEAD / 8
        );
        let long = Shape::columns(&kernel(true), features(64, 1_000_000), H200).unwrap();
        assert_eq!((long.across, long.ahead), (16, long.blocks));
        assert!(long.blocks <= 2 * H200.processors, "{long:?}");
        for (shape, elements) in [(shape, 1 << 26), (long, 64_000_000)] {
            assert!(bytes(&kernel(true), shape) * 100 < elements * 4);
        }
        let short = Shape::columns(&kernel(true), features(1024, 4096), H200).unwrap();
        assert!(short.grid >= 2 * H200.processors, "{short:?}");
    }
}
