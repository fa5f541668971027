//! How the rows of a program are spread over threads, blocks and clusters. Measured: kernels/notes/registers.md.

use super::known::Kernel;
use super::passes;
use crate::codegen::{SINGLES, Streamed};
use crate::plan::Limits;

/// The most threads per block.
const MOST_THREADS: usize = 512;
/// Threads per block with several rows.
const BLOCK: usize = 128;
/// The same, where the warp of a row needs so many registers that more warps would spill.
const WARP: usize = 32;
/// The most threads per row where nothing is folded: with up to `FEW` elements per thread, or more.
const MAPPING: [usize; 2] = [128, 256];
const FEW: usize = 4;
/// Contiguous threads, where a row has as many vectors: a cache line.
const NEIGHBOURS: usize = 8;
/// Rows per multiprocessor that are enough for that.
const ENOUGH: usize = 32;
/// Approximate vectors per lane where a warp or less owns a row in shared memory.
const WARP_TURNS: usize = 8;
/// Approximate bytes of a row per thread where a block holds it in shared memory: vectorised, and scalar.
const HELD: [usize; 2] = [128, 256];
/// Bytes of a row per block from which on several blocks share it: two such blocks fit a multiprocessor.
const LARGE: usize = 112 << 10;
/// Shared memory left to L1 and to the system.
const LEFT: usize = 24 << 10;
/// Bytes of the mbarriers of a cluster's block: `ROW_BARRIERS` of row_exchange.cuh.
pub(super) const BARRIERS: usize = 16;
/// The most blocks per row.
const MOST_BLOCKS: usize = 8;
/// The largest cluster of any card.
const WIDEST: usize = 16;
/// Approximate bytes that are worth a grid-wide barrier: eight multiprocessors read them in five microseconds.
const MEETING: usize = 2 << 20;

/// The device limits that a schedule may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeviceLimits {
    pub(super) processors: usize,
    /// Bytes of shared memory per block.
    pub(super) shared: usize,
    pub(super) clusters: bool,
    pub(super) column_rings: bool,
    /// The largest cluster with a multiprocessor per block.
    pub(super) widest: usize,
    /// Bytes of L2.
    pub(super) cache: usize,
}

impl DeviceLimits {
    /// The limits of a card, with clusters of any size.
    pub(super) fn of(limits: &Limits) -> DeviceLimits {
        DeviceLimits {
            processors: limits.multiprocessors as usize,
            shared: limits.shared as usize,
            clusters: limits.has_clusters(),
            column_rings: limits.has_column_rings(),
            widest: WIDEST,
            cache: limits.cache as usize,
        }
    }
}

/// The layout of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) rows: usize,
    /// Elements of a row.
    pub(super) length: usize,
    /// The contiguous ones among them.
    pub(super) run: usize,
    /// Bytes of an element in shared memory.
    pub(super) bytes: usize,
    /// Whether whole vectors can be read: along a row, or across contiguous rows.
    pub(super) vectors: bool,
}

/// The schedule: where the elements of a row are while they are worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Schedule {
    /// Register-resident rows.
    Held,
    /// Shared memory, vectorised loads.
    Shared,
    /// Shared memory, scalar loads.
    Single,
    /// Two-phase reduction: read twice from global memory, the second time from L2 if all goes well.
    Parts,
    /// Two-phase strided (column) reduction.
    Columns,
    /// Shared-memory ring, of all blocks or of a cluster.
    Ring,
    Cluster,
    /// Shared-memory ring of all blocks, strided (column) reduction.
    ColumnRing,
    /// Register-resident strided (column) reduction.
    Across,
    /// Few rows, register-resident in clusters.
    Few,
    /// Streaming rows: registers, while a TMA bulk copy loads the next ones.
    Stream(Streamed),
    /// Multi-pass grid reduction: read again from global memory in every pass.
    Passes,
    /// Multi-pass grid reduction with scalar loads.
    SinglePasses,
}

impl Schedule {
    /// True where shared memory holds the elements.
    pub(super) fn shares(self) -> bool {
        matches!(self, Schedule::Shared | Schedule::Single)
    }
}

/// The launch shape of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) schedule: Schedule,
    /// Elements per vector.
    pub(super) lanes: usize,
    /// Threads per row, within one block.
    pub(super) threads: usize,
    pub(super) block: usize,
    /// Blocks per row.
    pub(super) blocks: usize,
    /// Neighbouring rows of neighbouring threads, where these do not share a row; or vectors of such rows.
    pub(super) across: usize,
    /// Vectors per thread of a row that a block holds; vectors of a part, over all threads, otherwise.
    pub(super) turns: usize,
    /// Vectors per thread that are waited for together.
    pub(super) chunk: usize,
    /// Bytes of dynamic shared memory per block.
    pub(super) shared: usize,
    /// Blocks of the grid.
    pub(super) grid: usize,
    /// Parts that are measured before the first is written.
    pub(super) ahead: usize,
}

impl Shape {
    /// The fastest schedule that the rows fit.
    pub(super) fn of(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
        let long = rows.vectors && is_long(kernel, rows, limits);
        let parts = || long.then(|| Shape::parts(kernel, rows, limits)).flatten();
        let passes = || passes::shape(kernel, rows, limits);
        let few = is_few(rows, limits);
        let folded = || (few && kernel.single_passes.is_some()).then(passes);
        Shape::held(kernel, rows, limits)
            .or_else(|| folded().flatten())
            .or_else(parts)
            .or_else(|| Shape::placed(kernel, rows, limits))
            .or_else(passes)
            .or_else(|| Shape::shared(kernel, rows, limits))
    }

    /// Shared memory, if a whole row fits.
    fn placed(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
        let shape = Shape::shared(kernel, rows, limits)?;
        let places = shape.turns * shape.threads * shape.blocks * shape.lanes;
        (places >= rows.length).then_some(shape)
    }

    /// Register-resident rows of one block, which exits with its rows; their elements are contiguous.
    fn held(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
        if !kernel.has_held || !rows.vectors || rows.run != rows.length {
            return None;
        }
        let vectors = rows.length / kernel.lanes;
        let few = vectors.min(NEIGHBOURS).next_power_of_two();
        let least = vectors.div_ceil(kernel.held);
        let many = rows.rows >= ENOUGH * limits.processors;
        let mapping = MAPPING[usize::from(kernel.held * kernel.lanes > FEW)];
        let wanted = match kernel.passes {
            // Without a join, whole warps are enough; they loop over the rest of the row.
            0 if many && least > 32 => least.next_multiple_of(32).min(mapping),
            _ => least.next_power_of_two().max(few),
        };
        let least = if kernel.holds_deep { WARP } else { BLOCK };
        let block = if wanted < 64 { least } else { wanted };
        let shape = Shape {
            schedule: Schedule::Held,
            lanes: kernel.lanes,
            threads: wanted,
            block,
            blocks: 1,
            across: 0,
            turns: kernel.held,
            chunk: kernel.held,
            shared: 0,
            grid: rows.rows.div_ceil(block / wanted),
            ahead: 0,
        };
        (wanted <= MOST_THREADS).then(|| Shape {
            shared: shape.exchange_bytes(kernel),
            ..shape
        })
    }

    /// Shared memory, of several blocks where a row does not fit one.
    fn shared(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
        let (schedule, lanes) = if rows.vectors {
            (Schedule::Shared, kernel.lanes)
        } else {
            (Schedule::Single, 1)
        };
        let vectors = rows.length / lanes;
        let bytes = (rows.bytes * lanes).max(1);
        let mut shape = Shape {
            schedule,
            lanes,
            threads: vectors
                .div_ceil(WARP_TURNS)
                .next_power_of_two()
                .clamp(vectors.min(4).next_power_of_two(), 32),
            block: BLOCK,
            blocks: 1,
            across: 0,
            turns: 0,
            chunk: 0,
            shared: 0,
            grid: 0,
            ahead: 0,
        };
        let turns = vectors.div_ceil(shape.threads);
        let few = rows.rows < limits.processors * 8;
        if turns > WARP_TURNS || (few && vectors > 32) {
            let turns = if few {
                2
            } else {
                (HELD[usize::from(schedule == Schedule::Single)] / bytes).max(1)
            };
            let wanted = vectors.div_ceil(turns).next_power_of_two();
            shape.threads = wanted.clamp(32, MOST_THREADS);
            shape.block = shape.threads.max(64);
        }
        let most = limits.shared - 1024;
        // Few rows: two large blocks of doubles or halves would run one after the other. Only kernels of singles are sure to
        // fit two per multiprocessor (`row_blocks`).
        let alone =
            few && schedule == Schedule::Shared && lanes != SINGLES && shape.block == MOST_THREADS;
        let large = if alone { most } else { LARGE.min(most) };
        // Several blocks share a row that does not fit one, or that few blocks would have to wait for.
        loop {
            shape.turns = vectors.div_ceil(shape.threads * shape.blocks);
            let needed = shape.turns * shape.block * bytes + shape.exchange_bytes(kernel);
            let idle = rows.rows * shape.blocks * 2 <= limits.processors && shape.turns > 2;
            let more = limits.clusters && shape.threads > 32 && shape.blocks < MOST_BLOCKS;
            if more && (needed > large || idle) {
                shape.blocks *= 2;
                continue;
            }
            if needed > most {
                if !kernel.reads_again {
                    return None;
                }
                shape.turns = (most - shape.exchange_bytes(kernel)) / (shape.block * bytes);
            }
            break;
        }
        shape.chunk = shape.turns / 4 + 1;
        shape.fill(kernel, rows, limits, bytes);
        Some(shape)
    }

    /// Strided rows in shared memory, if two blocks of whole cache lines fit.
    pub(super) fn across(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
        let held = Shape::side_by_side(kernel, rows, limits);
        if held.is_some_and(|shape| shape.across == 32 && shape.shared <= LARGE) {
            return held;
        }
        let columns = rows.vectors.then(|| Shape::columns(kernel, rows, limits));
        columns.flatten().or(held)
    }

    /// A warp owns as many rows as it reads contiguously; the warps of its block split them into parts.
    fn side_by_side(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> Option<Shape> {
        if !kernel.sums.is_empty() {
            return None;
        }
        let most = limits.shared - 1024;
        let bytes = rows.bytes.max(1);
        let fitting = |across: usize| {
            let threads = rows.length.div_ceil(WARP_TURNS).next_power_of_two();
            let threads = threads.clamp(1, MOST_THREADS / across).max(64 / across);
            let turns = rows.length.div_ceil(threads);
            Shape {
                schedule: Schedule::Single,
                lanes: 1,
                threads,
                block: threads * across,
                blocks: 1,
                across,
                turns,
                chunk: turns / 4 + 1,
                shared: 0,
                grid: 0,
                ahead: 0,
            }
        };
        let needed = |s: &Shape| s.turns * s.block * bytes + s.exchange_bytes(kernel);
        let widths = [32, 16, 8].map(fitting);
        let fits = widths.iter().find(|s| needed(s) <= LARGE.min(most));
        let mut shape = *fits.or_else(|| widths.iter().find(|s| needed(s) <= most))?;
        shape.fill(kernel, rows, limits, bytes);
        Some(shape)
    }

    /// Bytes through which a block passes on the partial values of its warps.
    fn exchange_bytes(&self, kernel: &Kernel) -> usize {
        if self.across > 0 {
            return 2 * self.block * kernel.exchange;
        }
        let warps = self.blocks * self.threads / 32;
        match (self.blocks, self.threads) {
            (1, ..=32) => 0,
            (1, _) => 2 * warps * kernel.exchange,
            _ => BARRIERS + 2 * warps * kernel.exchange,
        }
    }

    /// Sets the grid: blocks exit with their rows. A block that has a multiprocessor to itself is persistent and prefetches
    /// its next row.
    fn fill(&mut self, kernel: &Kernel, rows: Rows, limits: DeviceLimits, bytes: usize) {
        let items = rows.rows.div_ceil(self.block / self.threads);
        let all = limits.shared - LEFT.min(limits.shared / 4);
        self.shared = self.turns * self.block * bytes + self.exchange_bytes(kernel);
        let alone = 2 * (self.shared + 1024) > all;
        let clusters = (limits.processors / self.blocks).max(1);
        // A block keeps its sums over rows, so few persistent blocks are best.
        let resident = (all / (self.shared + 1024)).clamp(1, 2048 / self.block);
        let groups = match (alone, kernel.sums.is_empty()) {
            (true, _) => items.min(clusters),
            (false, true) => items,
            (false, false) => items.min(clusters * resident),
        };
        self.grid = groups * self.blocks;
    }
}

/// True where two readings beat one by several blocks, which wait for each other in every pass. Two blocks per row still beat
/// that where rows are few, and so does a cluster that reads a row once.
fn is_long(kernel: &Kernel, rows: Rows, limits: DeviceLimits) -> bool {
    let bytes = rows.length * rows.bytes;
    match kernel.passes {
        0 | 1 if limits.clusters => bytes > MOST_BLOCKS * LARGE,
        _ => bytes > 2 * LARGE || (bytes > LARGE && rows.rows > 2 * limits.processors),
    }
}

/// True where one block or cluster per row leaves most multiprocessors idle, for longer than a grid-wide barrier takes.
fn is_few(rows: Rows, limits: DeviceLimits) -> bool {
    let blocks = if limits.clusters { MOST_BLOCKS } else { 1 };
    2 * rows.rows * blocks <= limits.processors && rows.rows * rows.length * rows.bytes >= MEETING
}

#[cfg(test)]
mod tests {
    use super::super::fake::{H200, kernel, rows};
    use super::*;

    #[test]
    fn few_long_rows_of_doubles_come_in_one_wave() {
        let gradient = Kernel {
            lanes: 2,
            ..kernel(false)
        };
        let of = |count| {
            let rows = Rows {
                bytes: 16,
                ..rows(count, 32 * 28 * 28)
            };
            Shape::shared(&gradient, rows, H200).map(|s| (s.blocks, s.grid))
        };
        assert_eq!(of(64), Some((2, 128)));
        assert_eq!(of(4096).map(|s| s.0), Some(8));
    }

    #[test]
    fn few_threads_go_through_rows_that_are_not_folded() {
        let eval = Kernel {
            passes: 0,
            ..kernel(false)
        };
        let planes = Shape::of(&eval, rows(32_768, 3136), H200).unwrap();
        assert_eq!((planes.schedule, planes.threads), (Schedule::Held, 224));
        assert_eq!((planes.block, planes.grid), (224, 32_768));
        let long = Shape::of(&eval, rows(32_768, 31_360), H200).unwrap();
        assert_eq!((long.schedule, long.block), (Schedule::Held, MAPPING[1]));
        let doubles = Kernel {
            lanes: 2,
            held: 2,
            ..eval.clone()
        };
        let states = Shape::of(&doubles, rows(65_536, 1024), H200).unwrap();
        assert_eq!((states.threads, states.block), (128, MAPPING[0]));
        let few = Shape::of(&eval, rows(100, 3136), H200).unwrap();
        assert_eq!((few.schedule, few.threads), (Schedule::Held, 256));
        let short = Shape::of(&eval, rows(100, 120), H200).unwrap();
        assert_eq!((short.threads, short.block), (8, BLOCK));
    }

    #[test]
    fn a_warp_that_holds_a_row_deep_is_a_block() {
        let cycle = Kernel {
            holds_deep: true,
            held: 8,
            ..kernel(false)
        };
        let of = |length| {
            let shape = Shape::of(&cycle, rows(4096, length), H200).unwrap();
            (shape.schedule, shape.threads, shape.block, shape.grid)
        };
        assert_eq!(of(1024), (Schedule::Held, 32, 32, 4096));
        assert_eq!(of(248), (Schedule::Held, 8, 32, 1024));
        assert_eq!(of(2040), (Schedule::Held, 64, 64, 4096));
    }

    #[test]
    fn threads_that_hold_a_row_have_room_for_it_and_no_block_too_many() {
        for length in [4, 12, 32, 248, 1000, 1024, 4096, 8192] {
            for count in [1, 3, 4096] {
                let shape = Shape::of(&kernel(false), rows(count, length), H200).unwrap();
                assert_eq!(shape.schedule, Schedule::Held, "{length}");
                let room = shape.threads * shape.blocks * 4 * 4;
                assert!(
                    room >= length && (room < 2 * length + 64 || shape.threads == NEIGHBOURS),
                    "{length} {shape:?}"
                );
                assert!(shape.threads <= shape.block && shape.block <= MOST_THREADS);
                let at_once = shape.block / shape.threads * shape.grid / shape.blocks;
                assert!(
                    at_once >= count && at_once < count + shape.block,
                    "{shape:?}"
                );
            }
        }
    }

    #[test]
    fn longer_rows_are_measured_in_parts_or_lie_in_shared_memory() {
        let channels = Rows {
            run: 3136,
            ..rows(256, 128 * 3136)
        };
        let shape = Shape::of(&kernel(true), channels, H200).unwrap();
        assert_eq!(shape.schedule, Schedule::Parts);
        assert!(shape.turns * shape.blocks * 4 >= channels.length);
        assert!(shape.turns * (shape.blocks - 1) * 4 < channels.length);
        let few = rows(64, 50_000);
        let shape = Shape::of(&kernel(true), few, H200).unwrap();
        assert_eq!((shape.schedule, shape.blocks), (Schedule::Shared, 2));
        let shape = Shape::of(&kernel(false), rows(4096, 32_768), H200).unwrap();
        assert_eq!((shape.schedule, shape.blocks), (Schedule::Shared, 2));
        let older = DeviceLimits {
            clusters: false,
            ..H200
        };
        let shape = Shape::of(&kernel(false), rows(64, 32_768), older).unwrap();
        assert_eq!((shape.schedule, shape.blocks), (Schedule::Shared, 1));
        assert!(Shape::of(&kernel(false), rows(64, 1 << 20), older).is_none());
    }

    #[test]
    fn a_cluster_keeps_what_it_goes_through_once() {
        let gradient = Kernel {
            passes: 1,
            ..kernel(true)
        };
        let two = |count, length| Rows {
            bytes: 8,
            ..rows(count, length)
        };
        let softmax = Shape::of(&gradient, two(4096, 32_768), H200).unwrap();
        assert_eq!((softmax.schedule, softmax.blocks), (Schedule::Shared, 4));
        let channels = Shape::of(&gradient, two(256, 128 * 3136), H200).unwrap();
        assert_eq!(channels.schedule, Schedule::Parts);
        let older = DeviceLimits {
            clusters: false,
            ..H200
        };
        let softmax = Shape::of(&gradient, two(4096, 32_768), older).unwrap();
        assert_eq!(softmax.schedule, Schedule::Parts);
    }

    #[test]
    fn a_row_that_shared_memory_does_not_hold_is_read_again_where_it_may_be() {
        let single = Rows {
            vectors: false,
            ..rows(16, 256 * 3025)
        };
        let shape = Shape::of(&kernel(true), single, H200).unwrap();
        assert_eq!(
            (shape.schedule, shape.blocks),
            (Schedule::Single, MOST_BLOCKS)
        );
        assert!(shape.turns * shape.threads * shape.blocks < single.length);
        assert!(shape.shared <= H200.shared - 1024);
        assert!(
            Shape::of(
                &kernel(false),
                Rows {
                    length: 1 << 20,
                    ..single
                },
                H200
            )
            .is_none()
        );
    }

    #[test]
    fn neighbouring_rows_have_neighbouring_threads() {
        for length in [1, 10, 512, 1024, 4000] {
            let shape = Shape::across(&kernel(false), rows(5000, length), H200).unwrap();
            assert!(shape.turns * shape.threads >= length, "{shape:?}");
            assert_eq!(shape.block, shape.threads * shape.across);
            assert!(shape.block >= 64 && shape.shared < H200.shared, "{shape:?}");
        }
        assert!(Shape::across(&kernel(false), rows(5000, 8000), H200).is_none());
    }
}
