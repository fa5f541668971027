//! Streaming rows: persistent blocks hold a row in registers while a TMA bulk copy loads the next one into shared memory. For
//! long rows, and for programs with sums over all rows; some of those come in pieces (pieces.rs). The kernels are in
//! `kernels/include/row_stream.cuh`.
//!
//! Measured: kernels/notes/streaming.md.

use super::known::Kernel;
use super::pieces;
use super::shape::{DeviceLimits, Rows, Schedule, Shape};
use crate::codegen::{RowProgram, Streamed};

/// The fewest vectors of a streaming row: shorter rows are register-resident. And the same for programs with sums over rows,
/// whose alternative is shared memory.
const FROM: usize = 2049;
const COLUMNS_FROM: usize = 64;
/// The most blocks per row. Clusters of four leave some multiprocessors without one.
const MOST_BLOCKS: usize = 2;
/// Bytes of the mbarriers of a row and of joins: `ROW_STREAM_BARRIERS`.
const BARRIERS: usize = 32;
/// Parts of a row begin at multiples of this many vectors.
const ALIGNED: usize = 32;
/// The granularity of a bulk copy, in bytes.
pub(super) const BULK: usize = 16;
/// Approximate bytes in flight per multiprocessor where several operands are read and written: more slows memory down. Two
/// rows are always allowed.
const ARRIVING: usize = 48 << 10;
/// The share of all blocks that may be dropped, where the others then have equally many rows.
const MISSING: usize = 32;

/// The streaming kernels of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Streams {
    /// The kinds with a kernel, and their entries.
    pub(super) kinds: Vec<(Streamed, String)>,
    /// The inputs that the first stage reads.
    pub(super) read: Vec<usize>,
}

impl Streams {
    /// The streaming kernels of a program, where `has` says which entries exist.
    pub(super) fn of(program: RowProgram<'_>, has: impl Fn(&str) -> bool) -> Streams {
        let entry = program.entry();
        let named = program.streams().into_iter().map(|kind| {
            let entry = format!("{entry}_{}", kind.variant());
            (kind, entry)
        });
        Streams {
            kinds: named.filter(|(_, entry)| has(entry)).collect(),
            read: program.first_stage(),
        }
    }

    /// The entry of a kind.
    pub(super) fn entry(&self, kind: Streamed) -> &str {
        let mut kinds = self.kinds.iter();
        kinds.find(|k| k.0 == kind).map_or("", |k| &k.1)
    }

    /// True if there is a kernel of a kind.
    pub(super) fn has(&self, kind: Streamed) -> bool {
        self.kinds.iter().any(|k| k.0 == kind)
    }

    /// The same kind, or the one that joins once: where there is one, every thread has all its vectors, and blocks share a
    /// row.
    fn joined(&self, kind: Streamed, fills: bool) -> Streamed {
        let once = self.has(Streamed::Once);
        match kind {
            Streamed::First if fills && once => Streamed::Once,
            other => other,
        }
    }

    /// The kind for rows of which the inputs `direct` (a bit each) are shared by all.
    fn kind(&self, first: usize, direct: u32) -> Option<Streamed> {
        let has = |kind| self.has(kind).then_some(kind);
        let mut others = self.read.iter().filter(|k| **k != first);
        let alone = others.all(|k| direct >> k & 1 == 1);
        let alone = if alone { has(Streamed::First) } else { None };
        has(Streamed::Summed)
            .or_else(|| has(Streamed::SummedWide))
            .or(alone)
            .or_else(|| has(Streamed::Pair))
    }
}

/// The inputs that are not streamed, as a bit mask, where all rows share those of `shared`.
pub(super) fn aside(kernel: &Kernel, shared: u32) -> u32 {
    let inputs = (0..u32::BITS as usize).filter(|&k| k != kernel.first_input);
    let stays = |k: &usize| !kernel.streams.read.contains(k) || shared >> k & 1 == 1;
    inputs.filter(stays).fold(0, |bits, k| bits | 1 << k)
}

/// The shape of streaming rows, if it suits; all rows share the inputs of `shared`.
pub(super) fn shape(
    kernel: &Kernel,
    rows: Rows,
    shared: u32,
    limits: DeviceLimits,
) -> Option<Shape> {
    let whole = rows.vectors && rows.run == rows.length;
    if !limits.clusters || !whole {
        return None;
    }
    let kind = kernel.streams.kind(kernel.first_input, shared)?;
    let aside = aside(kernel, shared);
    let streamed = || kernel.streams.read.iter().filter(|k| aside >> **k & 1 == 0);
    let bytes: usize = streamed().map(|&k| kernel.dtypes[k].size()).sum();
    let aligned = streamed().all(|&k| (rows.length * kernel.dtypes[k].size()).is_multiple_of(BULK));
    let vectors = rows.length / kernel.lanes;
    if aligned && let Some(shape) = pieces::shape(kernel, rows, bytes, limits) {
        return Some(shape);
    }
    let (held, most) = (kind.vectors(kernel.lanes), kind.threads(kernel.lanes));
    let from = if kind.sums() { COLUMNS_FROM } else { FROM };
    let blocks = (vectors.div_ceil(held * most)).next_power_of_two();
    if !aligned || vectors < from || blocks > MOST_BLOCKS {
        return None;
    }
    let part = vectors.div_ceil(blocks).next_multiple_of(ALIGNED);
    let threads = match kind.sums() {
        true => part.div_ceil(held).next_power_of_two().max(32),
        false => most,
    };
    let turns = part.div_ceil(threads);
    let fills = blocks > 1 && vectors == blocks * threads * held;
    let exchange = 2 * (blocks * threads / 32) * kernel.exchange;
    let arriving = turns * threads * kernel.lanes * bytes;
    let needed = arriving + BARRIERS + exchange;
    let by_registers = most * kind.residents() / threads;
    let resident = (limits.shared / (needed + 1024)).min(by_registers);
    let groups = match kind.sums() {
        true => {
            let resident = resident.min((ARRIVING / arriving).max(2));
            even(rows.rows, limits.processors * resident / blocks)
        }
        false => (limits.processors * resident / blocks).min(rows.rows),
    };
    // Prefetching gains nothing where there is no next row: few rows are better spread over many blocks.
    if resident == 0 || turns > held || rows.rows * blocks <= limits.processors {
        return None;
    }
    Some(Shape {
        schedule: Schedule::Stream(kernel.streams.joined(kind, fills)),
        lanes: kernel.lanes,
        threads,
        block: threads,
        blocks,
        across: 0,
        turns,
        chunk: turns,
        shared: needed,
        grid: groups * blocks,
        ahead: 0,
    })
}

/// Of about `most` blocks, the count with the shortest tail: bandwidth decides, not the number of blocks.
pub(super) fn even(rows: usize, most: usize) -> usize {
    let turns = |blocks: usize| blocks * rows.div_ceil(blocks);
    let least = (most - most / MISSING).max(1);
    let best = (least..=most).rev().min_by_key(|&blocks| turns(blocks));
    best.unwrap_or(most).min(rows)
}

/// The offsets of the streamed inputs in shared memory, and of the mbarriers.
pub(super) fn regions(kernel: &Kernel, shape: Shape, aside: u32) -> (Vec<u32>, u32) {
    let (threads, slots) = match shape.schedule {
        Schedule::Stream(Streamed::SummedPieces) => (shape.threads, shape.chunk),
        _ => (shape.turns * shape.threads, 1),
    };
    let mut at = 0;
    let mut places = vec![0; kernel.streams.read.iter().max().map_or(0, |k| k + 1)];
    for &k in kernel.streams.read.iter().filter(|k| aside >> **k & 1 == 0) {
        places[k] = at as u32;
        at += threads * shape.lanes * kernel.dtypes[k].size();
    }
    (places, (slots * at) as u32)
}

#[cfg(test)]
mod tests {
    use super::super::fake;
    use super::*;
    use syntonic_core::DType;

    fn rows(rows: usize, length: usize) -> Rows {
        fake::rows(rows, length)
    }

    /// A softmax of `dtype`, with a second operand, and a program of three operands with sums.
    fn kernel(kinds: &[Streamed], operands: usize, dtype: DType) -> Kernel {
        let named = kinds.iter().map(|&k| (k, k.variant().to_owned()));
        Kernel {
            streams: Streams {
                kinds: named.collect(),
                read: (0..operands).collect(),
            },
            lanes: 16 / dtype.size(),
            varies: vec![true; operands + 1],
            dtypes: vec![dtype; operands + 1],
            exchange: 16,
            ..fake::kernel(false)
        }
    }

    #[test]
    fn long_rows_have_a_block_or_two() {
        let softmax = kernel(&[Streamed::First, Streamed::Pair], 2, DType::F32);
        let of = |count, length, shared| shape(&softmax, rows(count, length), shared, fake::H200);
        // All rows share the second operand: the first has the whole buffer.
        let one = of(4096, 16_384, 2).unwrap();
        assert_eq!(
            (one.schedule, one.blocks),
            (Schedule::Stream(Streamed::First), 1)
        );
        assert_eq!((one.threads, one.turns, one.grid), (1024, 4, 132));
        assert_eq!(one.shared, (64 << 10) + BARRIERS + 2 * 32 * 16);
        assert_eq!(of(4096, 32_768, 2).unwrap().blocks, 2);
        // Both are streamed.
        let two = of(4096, 32_768, 0).unwrap();
        assert_eq!(
            (two.schedule, two.blocks),
            (Schedule::Stream(Streamed::Pair), 2)
        );
        assert_eq!((two.turns, two.grid), (4, 132));
        // Too long, too short, too few rows, and rows that no bulk copy fits.
        assert_eq!(of(4096, 65_536, 2), None);
        assert_eq!(of(4096, 32_772, 2), None);
        assert_eq!(of(4096, 8192, 2), None);
        assert_eq!(of(66, 32_768, 2), None);
    }

    #[test]
    fn threads_whose_vectors_are_all_there_join_once() {
        let kinds = [Streamed::First, Streamed::Once, Streamed::Pair];
        let softmax = kernel(&kinds, 2, DType::F64);
        let of = |length| shape(&softmax, rows(4096, length), 2, fake::H200).unwrap();
        assert_eq!(of(32_768).schedule, Schedule::Stream(Streamed::Once));
        assert_eq!(of(16_384).schedule, Schedule::Stream(Streamed::First));
        assert_eq!(of(32_766).schedule, Schedule::Stream(Streamed::First));
        let pair = shape(&softmax, rows(4096, 8192), 0, fake::H200).unwrap();
        assert_eq!(pair.schedule, Schedule::Stream(Streamed::Pair));
    }

    #[test]
    fn every_vector_has_a_thread() {
        let softmax = kernel(&[Streamed::First], 1, DType::F64);
        for length in [4100, 5000, 9998, 16_384, 20_000, 32_766] {
            let shape = shape(&softmax, rows(4096, length), 0, fake::H200).unwrap();
            let part = (length / 2)
                .div_ceil(shape.blocks)
                .next_multiple_of(ALIGNED);
            assert!(shape.turns * shape.threads >= part, "{length} {shape:?}");
            assert!(shape.turns <= 16 && shape.shared <= fake::H200.shared);
        }
    }

    #[test]
    fn columns_are_summed_by_as_many_blocks_as_fit() {
        let norm = kernel(&[Streamed::Summed], 3, DType::F32);
        let of = |length| shape(&norm, rows(65_536, length), 4, fake::H200);
        let short = of(1024).unwrap();
        assert_eq!((short.threads, short.turns, short.blocks), (128, 2, 1));
        // 128 rounds of all of them; 528 would leave most of the last one idle.
        assert_eq!(short.grid, 512);
        let long = of(4096).unwrap();
        assert_eq!((long.threads, long.grid), (512, 128));
        assert_eq!(of(8192).unwrap().blocks, 2);
        assert_eq!(of(8196), None);
        assert_eq!(of(128), None);
        // Two operands are streamed, the third is not.
        let (places, room) = regions(&norm, long, aside(&norm, 4));
        assert_eq!((places, room), (vec![0, 16 << 10, 0], 32 << 10));
    }

    #[test]
    fn few_operands_leave_room_for_two_long_rows() {
        let norm = kernel(&[Streamed::SummedWide], 3, DType::F32);
        let of = |length| shape(&norm, rows(8192, length), 2, fake::H200).unwrap();
        let long = of(4096);
        assert_eq!((long.threads, long.turns, long.blocks), (256, 4, 1));
        assert_eq!(long.grid, 256);
        // At most 48 KB are in flight per multiprocessor.
        let short = of(1024);
        assert_eq!((short.threads, short.turns), (64, 4));
        assert!(short.grid <= 132 * 6, "{short:?}");
        assert_eq!(of(8192).blocks, 2);
    }

    #[test]
    fn the_last_round_is_as_full_as_may_be() {
        assert_eq!(even(8192, 132), 128);
        assert_eq!(even(65_536, 528), 512);
        assert_eq!(even(132, 132), 132);
        assert_eq!(even(70, 132), 70);
        assert_eq!(even(1, 1), 1);
    }

    #[test]
    fn cards_without_bulk_copies_and_rows_in_pieces_have_other_ways() {
        let softmax = kernel(&[Streamed::First], 1, DType::F32);
        let older = DeviceLimits {
            clusters: false,
            ..fake::H200
        };
        assert_eq!(shape(&softmax, rows(4096, 32_768), 0, older), None);
        let pieces = Rows {
            run: 4096,
            ..rows(4096, 32_768)
        };
        assert_eq!(shape(&softmax, pieces, 0, fake::H200), None);
    }
}
