//! Shared-memory ring of all blocks. Every block keeps its parts of many rows in shared memory until their row is measured
//! and they are written, so that each element is read once. The kernels are in `kernels/include/row_ring.cuh`.
//!
//! A row's grid-wide reduction goes through busy global memory and takes more than ten microseconds. So the ring pays where
//! shared memory holds what arrives in that time. Measured: kernels/notes/clusters.md.

use super::known::Kernel;
use super::params::REGIONS;
use super::shape::{DeviceLimits, Rows, Schedule, Shape};
use super::stream::BULK;
use crate::block_counters::{MAILBOX, MAILBOX_HEADER};

/// Threads of a group: `RING_GROUP` of row_ring.cuh.
pub(super) const GROUP: usize = 96;
/// Bytes of a stage's mbarriers, and of a packet with its tags per value.
const BARRIERS: usize = 24;
const TAGGED: usize = 2;
/// The smallest part, in bytes, worth its reductions: rows of smaller parts arrive faster than a warp joins them.
const LEAST: usize = 16 << 10;
/// The fewest stages with which a row is measured and written before the ones behind it have arrived.
const FEWEST: usize = 8;
/// The most stages that help.
const MOST: usize = 16;
/// The fewest rows per stage that amortise filling the ring.
const TURNS: usize = 2;
/// Groups that measure, and as many that write: a divisor of the stages, so that a group keeps the same ones in every turn.
const GROUPS: [usize; 2] = [3, 2];
/// Warps that join rows.
const COLLECTORS: usize = 1;

/// The inputs that arrive by bulk copies.
pub(super) fn streamed(kernel: &Kernel, aside: u32) -> impl Iterator<Item = usize> {
    let read = kernel.streams.read.iter().copied();
    read.filter(move |k| aside >> k & 1 == 0)
}

/// Bytes of a vector of input `k`.
pub(super) fn bytes(kernel: &Kernel, k: usize) -> usize {
    kernel.lanes * kernel.dtypes[k].size()
}

/// True if every vector of the bulk-copied inputs is whole bulk copies: a part may begin with any of them.
pub(super) fn arrives_whole(kernel: &Kernel, aside: u32) -> bool {
    streamed(kernel, aside).all(|k| bytes(kernel, k).is_multiple_of(BULK))
}

/// Vectors per part of a row of `vectors`: whole runs, or a divisor of one, if few multiprocessors stay without a part; else
/// an equal share for each.
fn part(vectors: usize, run: usize, processors: usize) -> usize {
    let runs = vectors / run;
    let pieces = (1..=processors / runs)
        .rev()
        .find(|&m| run.is_multiple_of(m));
    let even = match pieces {
        Some(pieces) => run / pieces,
        None => run * runs.div_ceil(processors),
    };
    match vectors.div_ceil(even) * 10 >= processors * 9 {
        true => even,
        false => vectors.div_ceil(processors),
    }
}

/// The shape of the ring, if it suits; inputs in `aside` stay out of it.
pub(super) fn shape(
    kernel: &Kernel,
    rows: Rows,
    aside: u32,
    limits: DeviceLimits,
) -> Option<Shape> {
    let form = kernel.ring.as_ref()?.form;
    if !limits.clusters || !rows.vectors || !arrives_whole(kernel, aside) {
        return None;
    }
    let vectors = rows.length / kernel.lanes;
    let turns = part(vectors, rows.run / kernel.lanes, limits.processors);
    let parts = vectors.div_ceil(turns);
    let slot: usize = streamed(kernel, aside)
        .map(|k| turns * bytes(kernel, k))
        .sum();
    let room = |slots: usize, groups: usize| {
        let joined = slots + 2 * groups * GROUP / 32;
        slots * (slot + BARRIERS) + joined * form.size + COLLECTORS * parts * form.told
    };
    let fitting = GROUPS.iter().find_map(|&groups| {
        let fits = |slots: &usize| room(*slots, groups) <= limits.shared;
        let all = (1..=MOST / groups).map(|n| n * groups);
        let slots = all.take_while(fits).last()?;
        (slots >= FEWEST).then_some((slots, groups))
    });
    let (slots, groups) = fitting?;
    let boxes = 2 * slots * parts * form.told * TAGGED;
    let pays = slot >= LEAST && rows.rows >= TURNS * slots;
    (pays && MAILBOX_HEADER + boxes <= MAILBOX).then_some(Shape {
        schedule: Schedule::Ring,
        lanes: kernel.lanes,
        threads: GROUP,
        block: 32 * (1 + COLLECTORS) + 2 * groups * GROUP,
        blocks: parts,
        across: COLLECTORS,
        turns,
        chunk: slots,
        shared: room(slots, groups),
        grid: parts,
        ahead: groups,
    })
}

/// Writes the offset of each ring input in a stage; returns the bytes of the stage.
pub(super) fn regions(kernel: &Kernel, shape: Shape, aside: u32, to: &mut [u32; REGIONS]) -> usize {
    let mut at = 0;
    for k in streamed(kernel, aside) {
        to[k] = at as u32;
        at += shape.turns * bytes(kernel, k);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::fake::{H200, batch_norm, planes};
    use super::*;
    use syntonic_core::DType;

    #[test]
    fn a_block_has_whole_planes_or_pieces_where_that_is_nearly_all() {
        assert_eq!(part(128 * 784, 784, 132), 784);
        assert_eq!(part(64 * 784, 784, 132), 392);
        assert_eq!(part(256 * 784, 784, 132), 2 * 784);
        // A hundred planes leave 32 multiprocessors without one.
        assert_eq!(part(100 * 784, 784, 132), 594);
        assert_eq!(part(1 << 20, 1 << 20, 132), 1 << 13);
        assert_eq!(part(1_000_003, 1_000_003, 132), 7576);
    }

    #[test]
    fn what_a_multiprocessor_holds_decides() {
        let rows = planes(128, 256, 3136);
        let of = |dtype, operands| shape(&batch_norm(dtype, operands), rows, 0, H200);
        let double = of(DType::F64, 1).unwrap();
        assert_eq!((double.chunk, double.ahead, double.across), (9, 3, 1));
        assert_eq!((double.grid, double.turns, double.block), (128, 1568, 640));
        let gradient = of(DType::F32, 2).unwrap();
        assert_eq!((gradient.chunk, gradient.ahead), (9, 3));
        for shape in [double, gradient] {
            assert!(shape.shared <= H200.shared && shape.chunk.is_multiple_of(shape.ahead));
        }
        // Parts that are too small, and four as large as fit.
        assert_eq!(of(DType::F32, 1), None);
        assert_eq!(of(DType::F64, 2), None);
    }

    #[test]
    fn small_rows_few_rows_and_older_cards_have_other_ways() {
        let norm = batch_norm(DType::F64, 1);
        assert!(shape(&norm, planes(128, 18, 3136), 0, H200).is_some());
        assert_eq!(shape(&norm, planes(128, 17, 3136), 0, H200), None);
        assert_eq!(shape(&norm, planes(128, 256, 1568), 0, H200), None);
        let older = DeviceLimits {
            clusters: false,
            ..H200
        };
        assert_eq!(shape(&norm, planes(128, 256, 3136), 0, older), None);
    }

    #[test]
    fn operands_lie_one_behind_the_other() {
        let gradient = batch_norm(DType::F32, 2);
        let shape = shape(&gradient, planes(128, 256, 3136), 0, H200).unwrap();
        let mut to = [0; REGIONS];
        assert_eq!(regions(&gradient, shape, 0, &mut to), 2 * 12_544);
        assert_eq!(to[..2], [0, 12_544]);
    }
}
