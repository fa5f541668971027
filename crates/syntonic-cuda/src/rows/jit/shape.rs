//! Selects the schedule of a task, and how its rows are spread.

use super::body::WARP;
use super::held::{Held, Team};
use super::stages::Stage;
use super::summed;
use super::sweep::Sweep;
use crate::plan::Limits;

/// A schedule, with all that its text depends on besides the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Schedule {
    Held(Held),
    Sweep(Sweep),
}

/// The properties of a task that decide its schedule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) rows: usize,
    /// Vectors of a row.
    pub(super) vectors: usize,
    /// Elements per vector.
    pub(super) lanes: usize,
    /// Bytes of an element of the widest operand or result.
    pub(super) widest: usize,
    /// Values that are computed for each element.
    pub(super) values: usize,
    /// Instructions for each element, roughly.
    pub(super) work: usize,
    /// Rounds of folds, and all folds.
    pub(super) rounds: usize,
    pub(super) joins: usize,
    /// Operands that vary along the row.
    pub(super) read: usize,
    /// Results that do.
    pub(super) written: usize,
    /// Bit k: all rows share operand k.
    pub(super) shared: u32,
    /// True for strided rows that are contiguous neighbours (columns).
    pub(super) across: bool,
    /// True where a row lies in segments, of which none continues the one before it.
    pub(super) segmented: bool,
    /// 32-bit registers, for each element of a thread, of sums over all rows.
    pub(super) totals: usize,
}

/// A schedule and its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) schedule: Schedule,
    pub(super) grid: usize,
}

/// 32-bit registers per thread for values kept across stages, beside those of the arithmetic.
const KEPT: usize = 32;
/// The most warps per block: two such blocks fit a multiprocessor with 64 registers a thread.
pub(super) const WIDEST: usize = 512 / WARP;
/// Bytes of an operand that a thread has in flight.
const WANTED: usize = 64;
/// Values times elements of a thread that its text computes, where the row fits so: a longer one misses the instruction cache.
const UNROLLED: usize = 1024;
/// The portable cluster size.
pub(super) const CLUSTER: usize = 8;
/// The most elements of a column per thread, and where it waits for arithmetic: then another reading costs nothing.
const SHORT: usize = 16;
const HEAVY: usize = 8;
/// Instructions in the time of a byte.
const LIGHT: usize = 6;
/// The most 32-bit registers of a thread for sums over all rows.
const TOTALS: usize = 32;
/// Bytes of shared memory that need no opt-in.
const ROOM: usize = 48 << 10;
/// Registers and threads per multiprocessor.
const REGISTERS: usize = 65_536;
const RESIDENT: usize = 2048;

impl Shape {
    /// The shape; nothing where no schedule suits.
    pub(super) fn of(rows: Rows, stages: &[Stage], limits: &Limits) -> Option<Shape> {
        if rows.totals > 0 {
            return rows.summed(rows.most(stages), limits);
        }
        if rows.across {
            return rows.columns(stages, limits);
        }
        rows.held(rows.most(stages), limits)
    }
}

impl Rows {
    /// The most vectors per thread that keep within the registers.
    fn most(&self, stages: &[Stage]) -> usize {
        let kept = stages.iter().map(|s| s.kept).max().unwrap_or(0).max(1);
        let longest = (2 * WANTED / self.vector()).clamp(8, 32);
        (2 * KEPT / (kept * self.lanes)).clamp(1, longest)
    }

    /// Bytes of a vector.
    pub(super) fn vector(&self) -> usize {
        self.lanes * self.widest
    }

    /// Vectors per thread that give enough work between two joins, and enough loads in flight.
    fn wanted(&self, most: usize) -> usize {
        let unrolled = UNROLLED / (self.values * self.lanes).max(1);
        let wanted = (WANTED / self.vector()).clamp(4, 16);
        most.min(wanted).min(unrolled).max(1)
    }

    fn held(&self, most: usize, limits: &Limits) -> Option<Shape> {
        let wanted = self.wanted(most);
        let shape = |team: Team, vectors: usize| {
            let held = self.with(Held {
                team,
                vectors,
                whole: 0,
                lanes: self.lanes,
                at_once: 1,
                shared: self.shared,
                segmented: self.segmented,
            });
            Some(Shape {
                schedule: Schedule::Held(Held {
                    at_once: self.at_once(held.block(), vectors, most),
                    ..held
                }),
                grid: self.rows.div_ceil(held.rows_of_block()) * held.blocks(),
            })
        };
        if self.vectors <= WARP * wanted {
            let lanes = self.lanes_of_row(wanted);
            return shape(Team::Lanes(lanes), self.vectors.div_ceil(lanes));
        }
        let (team, vectors) = self.spread(most, wanted, limits)?;
        shape(team, vectors)
    }

    /// Lanes that share a row: with at most so many vectors each, and as few places left empty as may be.
    fn lanes_of_row(&self, wanted: usize) -> usize {
        let least = self.vectors.div_ceil(wanted).next_power_of_two().min(WARP);
        let places = |lanes: &usize| lanes * self.vectors.div_ceil(*lanes);
        let more = [least, 2 * least].into_iter().filter(|&l| l <= WARP);
        more.min_by_key(places).unwrap_or(least)
    }

    /// The same rows, with the vectors that every thread has.
    fn with(&self, held: Held) -> Held {
        let whole = (self.vectors / held.threads()).min(held.vectors);
        Held { whole, ..held }
    }

    /// Rows with sums over all of them: few elements a thread, which has totals beside them and stays for several rows.
    fn summed(&self, most: usize, limits: &Limits) -> Option<Shape> {
        let room = (TOTALS / (self.totals * self.lanes)).min(most);
        let vectors = self.vectors.div_ceil(WIDEST * WARP);
        if self.across || vectors > room {
            return None;
        }
        // Two where they have room: their loads are on the way together.
        let vectors = vectors.max(room.min(2).min(self.vectors.div_ceil(WARP)));
        let threads = self.vectors.div_ceil(vectors);
        let team = match threads <= WARP {
            true => Team::Lanes(threads.next_power_of_two()),
            false => Team::Warps(threads.div_ceil(WARP)),
        };
        let held = self.with(Held {
            team,
            vectors,
            whole: 0,
            lanes: self.lanes,
            at_once: 1,
            shared: self.shared,
            segmented: self.segmented,
        });
        let registers = 40
            + vectors * self.lanes * self.totals
            + KEPT * vectors / most
            + 8 * self.read.saturating_sub(2).min(4);
        let block = held.block();
        let at_once = (REGISTERS / (registers * block)).clamp(1, RESIDENT / block);
        let teams = self.rows.div_ceil(held.rows_of_block());
        let processors = limits.multiprocessors as usize;
        let least = teams.div_ceil(summed::RUN);
        let worth = (teams / summed::WORTH).max(teams.min(processors));
        Some(Shape {
            schedule: Schedule::Held(Held { at_once, ..held }),
            grid: (processors * at_once).min(worth).max(least),
        })
    }

    /// Strided rows: 32 neighbours per warp, one per lane. Long ones are spread over the blocks of a cluster.
    fn columns(&self, stages: &[Stage], limits: &Limits) -> Option<Shape> {
        // A half takes a whole register here.
        let kept = stages
            .iter()
            .map(|s| s.kept.div_ceil(2))
            .max()
            .unwrap_or(0)
            .max(1);
        let folds = stages.iter().map(|s| s.folds.len()).max().unwrap_or(0);
        let warps = WIDEST.min(self.vectors.div_ceil(4)).max(1);
        let most = (KEPT / kept).min(UNROLLED / self.values.max(1)).min(SHORT);
        let mut blocks = 1;
        while limits.has_clusters()
            && blocks < CLUSTER
            && self.vectors.div_ceil(warps * blocks) > most
        {
            blocks *= 2;
        }
        let vectors = self.vectors.div_ceil(warps * blocks);
        let bytes = (self.read + self.written) * self.widest;
        let light = self.work < LIGHT * bytes;
        // Longer ones are read again, and those that wait for arithmetic.
        if vectors > most
            || !light && self.vectors > WIDEST * HEAVY
            || 2 * folds * 8 * WARP * (warps + blocks) > ROOM
        {
            return None;
        }
        let held = self.with(Held {
            team: Team::Columns(warps, blocks),
            vectors,
            whole: 0,
            lanes: 1,
            at_once: 2,
            shared: self.shared,
            segmented: self.segmented,
        });
        Some(Shape {
            schedule: Schedule::Held(held),
            grid: self.rows.div_ceil(WARP) * blocks,
        })
    }

    /// Blocks per row: as many as hold it, and more where there are few rows.
    pub(super) fn blocks(&self, most: usize, limits: &Limits) -> Option<usize> {
        let room = WIDEST * WARP * most;
        let needed = self.vectors.div_ceil(room).next_power_of_two();
        if needed > 1 && !limits.has_clusters() || needed > CLUSTER {
            return None;
        }
        let mut blocks = needed;
        let processors = limits.multiprocessors as usize;
        let long = |blocks: usize| self.vectors / blocks >= 4 * WARP * 2;
        while limits.has_clusters()
            && blocks < CLUSTER
            && self.rows * blocks < processors
            && long(2 * blocks)
        {
            blocks *= 2;
        }
        Some(blocks)
    }

    /// Target of resident blocks per multiprocessor: the registers left must hold what is kept.
    pub(super) fn at_once(&self, block: usize, vectors: usize, most: usize) -> usize {
        let words = KEPT * vectors / most;
        let registers = match words {
            0..=8 => 40,
            9..=16 => 56,
            17..=32 => 64,
            _ => 40 + words,
        };
        let registers = registers + 8 * self.read.saturating_sub(2).min(4);
        (REGISTERS / (registers * block)).clamp(1, RESIDENT / block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: Limits = Limits {
        capability: (9, 0),
        multiprocessors: 132,
        shared: 227 << 10,
        cache: 50 << 20,
        driver: crate::driver::reason::CudaVersion::from_driver(13000),
    };

    /// Rows of a short formula over one operand of floats.
    const ROWS: Rows = Rows {
        rows: 0,
        vectors: 0,
        lanes: 1,
        widest: 4,
        values: 4,
        work: 20,
        rounds: 2,
        joins: 2,
        read: 1,
        written: 1,
        shared: 0,
        across: false,
        segmented: false,
        totals: 0,
    };

    /// A float of each element stays in registers.
    fn stages() -> [Stage; 1] {
        [Stage {
            kept: 2,
            ..Stage::default()
        }]
    }

    fn of(rows: usize, length: usize) -> Option<Shape> {
        let rows = Rows {
            rows,
            vectors: length / 4,
            lanes: 4,
            ..ROWS
        };
        Shape::of(rows, &stages(), &CARD)
    }

    fn team(rows: usize, length: usize) -> (Team, usize) {
        match of(rows, length).expect("it is held").schedule {
            Schedule::Held(held) => (held.team, held.vectors),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_row_has_the_threads_that_hold_it() {
        assert_eq!(team(8192, 64), (Team::Lanes(4), 4));
        assert_eq!(team(8192, 512), (Team::Lanes(32), 4));
        assert_eq!(team(8192, 1024), (Team::Warps(2), 4));
        assert_eq!(team(8192, 4096), (Team::Warps(8), 4));
        assert_eq!(team(8192, 16_384), (Team::Warps(16), 8));
        assert_eq!(team(1024, 131_072), (Team::Blocks(16, 8), 8));
        assert_eq!(of(1024, 1 << 20), None);
        // Few rows get more blocks each.
        assert_eq!(team(16, 16_384), (Team::Blocks(4, 8), 4));
    }

    #[test]
    fn columns_are_spread_over_warps_and_blocks() {
        let across = |rows, length| {
            let rows = Rows {
                rows,
                vectors: length,
                across: true,
                ..ROWS
            };
            let shape = Shape::of(rows, &stages(), &CARD)?;
            match shape.schedule {
                Schedule::Held(held) => Some((held.team, held.vectors, shape.grid)),
                Schedule::Sweep(_) => None,
            }
        };
        assert_eq!(across(100, 3), Some((Team::Columns(1, 1), 3, 4)));
        assert_eq!(across(4096, 120), Some((Team::Columns(16, 1), 8, 128)));
        assert_eq!(across(4096, 300), Some((Team::Columns(16, 2), 10, 256)));
        assert_eq!(across(4096, 4000), None);
    }

    #[test]
    fn every_vector_has_its_thread() {
        for length in (1..2000).chain((2000..500_000).step_by(4097)) {
            if let Some(Shape {
                schedule: Schedule::Held(held),
                ..
            }) = of(4096, 4 * length)
            {
                let threads = match held.team {
                    Team::Lanes(lanes) => lanes,
                    Team::Warps(warps) => warps * WARP,
                    Team::Blocks(warps, blocks) => warps * WARP * blocks,
                    Team::Columns(..) => panic!("it lies along memory"),
                };
                assert!(threads * held.vectors >= length, "{length}: {held:?}");
                assert!(held.block() <= 1024 && held.block() * held.at_once <= RESIDENT);
            }
        }
    }
}
