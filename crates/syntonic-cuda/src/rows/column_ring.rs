//! Shared-memory ring for strided rows (columns). Every block keeps its parts in shared memory until their column is measured
//! and they are written, so that each element is read once. The kernels are in `kernels/include/row_column_ring.cuh`.
//!
//! A group of columns passes through all blocks, and its grid-wide reduction takes ten microseconds. So the ring pays where
//! shared memory holds what arrives in that time. Measured: kernels/notes/strided.md.

use super::known::Kernel;
use super::shape::{DeviceLimits, Rows, Schedule, Shape};
use crate::block_counters::{MAILBOX, MAILBOX_HEADER};

/// Producer threads; threads of a team; teams that measure, and as many that write: `COLUMN_FEEDERS`, `COLUMN_TEAM` and
/// `COLUMN_TEAMS` of row_column_ring.cuh. Two more warps reduce.
const FEEDERS: usize = 64;
const TEAM: usize = 128;
const TEAMS: usize = 2;
const JOINING: usize = 64;
/// Bytes per vector of columns.
const VECTOR: usize = 16;
/// Vectors side by side in a group: one cache line. Less is slower to load, and two lines hold too few groups in flight.
const ACROSS: usize = 8;
/// Vectors of an operand in a piece: four per thread of a team. That amortises the per-piece cost without long waits.
const PIECE: usize = 4 * TEAM;
/// The smallest part of a group per block, in bytes, that is worth its reductions.
const LEAST: usize = 24 << 10;
/// The fewest half groups that the ring must hold, and the most groups that it gets.
const FEWEST: usize = 5;
const MOST: usize = 5;
/// The fewest groups that amortise filling the ring.
const GROUPS: usize = 4;
/// Bytes of an mbarrier, and of a packet with its tags per value.
const BARRIER: usize = 8;
const TAGGED: usize = 2;

/// Inputs that go through the ring.
fn arriving(kernel: &Kernel) -> usize {
    kernel.streams.read.len()
}

/// The shape of the column ring, if it suits.
pub(super) fn shape(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
    let form = kernel.column_ring.as_ref()?.form;
    let whole = |k: &usize| form.lanes * kernel.dtypes[*k].size() == VECTOR;
    if !limits.column_rings || !rows.vectors || !kernel.streams.read.iter().all(whole) {
        return None;
    }
    let turns = rows.length.div_ceil(limits.processors);
    let parts = rows.length.div_ceil(turns);
    let width = ACROSS * form.lanes;
    let vectors = ACROSS * VECTOR * arriving(kernel);
    let chunk = PIECE / ACROSS;
    let pieces = turns.div_ceil(chunk);
    let sets = TEAMS + 2 * TEAMS * TEAM / 32;
    let fixed = sets * width * form.size + 2 * TEAMS * BARRIER;
    let slot = chunk * vectors;
    let room = limits.shared.saturating_sub(fixed);
    let slots = (room / (slot + 2 * BARRIER)).min(MOST * pieces);
    let boxes = (slots / pieces + 2) * width * (parts + 1) * form.told * TAGGED;
    let fits = 2 * slots >= FEWEST * pieces && MAILBOX_HEADER + boxes <= MAILBOX;
    let pays = turns * vectors >= LEAST && rows.rows >= GROUPS * width;
    (fits && pays && rows.rows.is_multiple_of(width)).then_some(Shape {
        schedule: Schedule::ColumnRing,
        lanes: 1,
        threads: pieces,
        block: JOINING + FEEDERS + 2 * TEAMS * TEAM,
        blocks: parts,
        across: ACROSS,
        turns,
        chunk,
        shared: fixed + slots * (slot + 2 * BARRIER),
        grid: parts,
        ahead: slots,
    })
}

/// Writes the offset of each ring input in a stage; returns the bytes of the stage.
pub(super) fn regions(kernel: &Kernel, shape: Shape, to: &mut [u32]) -> usize {
    let piece = shape.chunk * shape.across * VECTOR;
    for (at, &k) in kernel.streams.read.iter().enumerate() {
        to[k] = (at * piece) as u32;
    }
    arriving(kernel) * piece
}

#[cfg(test)]
mod tests {
    use super::super::fake::{H200, batch_norm, rows};
    use super::*;
    use syntonic_core::DType;

    fn of(dtype: DType, operands: usize, count: usize, length: usize) -> Option<Shape> {
        let mut kernel = batch_norm(dtype, operands);
        if let Some(ring) = &mut kernel.column_ring {
            ring.form.lanes = 16 / dtype.size();
        }
        shape(&kernel, rows(count, length), H200)
    }

    #[test]
    fn a_multiprocessor_holds_three_groups() {
        let norm = of(DType::F32, 1, 1024, 65_536).unwrap();
        assert_eq!((norm.across, norm.chunk, norm.threads), (8, 64, 8));
        assert_eq!((norm.grid, norm.turns, norm.block), (132, 497, 640));
        assert!(norm.ahead >= 3 * norm.threads && norm.shared <= H200.shared);
        let gradient = of(DType::F64, 2, 4096, 32_768).unwrap();
        assert_eq!((gradient.across, gradient.threads), (8, 4));
        assert!(gradient.ahead >= 3 * gradient.threads);
    }

    #[test]
    fn what_does_not_fit_or_does_not_pay_has_other_ways() {
        assert_eq!(of(DType::F32, 1, 64, 1_000_000), None);
        assert_eq!(of(DType::F32, 2, 1024, 65_536), None);
        assert_eq!(of(DType::F32, 1, 1024, 8192), None);
        assert_eq!(of(DType::F32, 1, 96, 65_536), None);
        assert_eq!(of(DType::F32, 1, 1020, 65_536), None);
        let older = DeviceLimits {
            column_rings: false,
            ..H200
        };
        let norm = batch_norm(DType::F32, 1);
        assert!(shape(&norm, rows(1024, 65_536), H200).is_some());
        assert_eq!(shape(&norm, rows(1024, 65_536), older), None);
    }

    /// Shapes that `syntonic-gpu parity` must cover, with rings that wrap around.
    #[test]
    fn checks_have_rings_of_one_and_two_operands() {
        let of = |dtype, operands, count, length| {
            let shape = of(dtype, operands, count, length).unwrap();
            let groups = count / (shape.across * 16 / dtype.size());
            assert!(shape.turns % shape.chunk != 0 && groups * shape.threads > 2 * shape.ahead);
            (shape.threads, shape.ahead)
        };
        assert_eq!(of(DType::F64, 1, 192, 26_000), (4, 20));
        assert_eq!(of(DType::F32, 2, 512, 110 * 120), (2, 10));
        assert_eq!(of(DType::F64, 2, 192, 20_100), (3, 13));
    }

    #[test]
    fn a_ring_has_room_for_what_the_kernel_puts_there() {
        for (dtype, operands) in [(DType::F32, 1), (DType::F32, 2), (DType::F64, 1)] {
            let shape = of(dtype, operands, 4096, 30_000).unwrap();
            let mut to = [0; 4];
            let slot = regions(&batch_norm(dtype, operands), shape, &mut to);
            let barriers = 2 * (shape.ahead + TEAMS) * BARRIER;
            let sets = TEAMS + 2 * TEAMS * (TEAM / 32);
            let width = shape.across * 16 / dtype.size();
            assert_eq!(
                shape.shared,
                shape.ahead * slot + barriers + sets * width * 32
            );
            assert_eq!(to[operands - 1] as usize, (operands - 1) * slot / operands);
            assert!(shape.threads * shape.chunk >= shape.turns);
        }
    }
}
