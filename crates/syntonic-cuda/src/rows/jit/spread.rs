//! How a long row is spread over threads: an estimate of what a multiprocessor takes for it.

use super::body::WARP;
use super::held::{TOGETHER, Team};
use super::shape::{CLUSTER, Rows, WIDEST};
use crate::plan::Limits;

/// Instructions of a thread besides those for its vectors, and for each fold that it joins.
const OUTSIDE: usize = 60;
const JOIN_INSTRUCTIONS: usize = 40;
/// Cycles until loads are there, and those of a round of joins in a warp, in a block and in a cluster.
const LOAD: f64 = 1000.0;
const SHUFFLES: f64 = 150.0;
const JOIN: f64 = 300.0;
const MEETING: f64 = 1500.0;
/// How many times as many vectors a thread may have where that saves time.
const DEEP: usize = 2;
/// Bytes of memory that a multiprocessor gets in a cycle.
const BYTES_OF_CYCLE: f64 = 18.0;

impl Rows {
    /// The threads of a long row, and vectors of each: those that a multiprocessor takes the least time for.
    pub(super) fn spread(
        &self,
        most: usize,
        wanted: usize,
        limits: &Limits,
    ) -> Option<(Team, usize)> {
        let needed = self.blocks(most, limits)?;
        if self.rows * needed < limits.multiprocessors as usize {
            return Some(self.one_wave(needed, wanted));
        }
        let clusters = [needed, 2 * needed, 4 * needed].into_iter();
        let clusters = clusters.filter(|&b| b == needed || limits.has_clusters() && b <= CLUSTER);
        let mut best: Option<(f64, Team, usize)> = None;
        for blocks in clusters {
            let each = self.vectors.div_ceil(blocks);
            for vectors in each.div_ceil(WIDEST * WARP)..=DEEP * most {
                let warps = each.div_ceil(vectors * WARP);
                let apart = (vectors as f64 / wanted as f64).log2().abs();
                let meeting = (blocks / needed).ilog2();
                // Of those that take as long, the one with the usual vectors and the smallest cluster.
                let time = self.cycles(blocks, warps, (vectors, most))
                    * (1.0 + 0.04 * apart + 0.02 * f64::from(meeting));
                let team = team(warps, blocks);
                if best.is_none_or(|(least, ..)| time < least) {
                    best = Some((time, team, vectors));
                }
            }
        }
        best.map(|(_, team, vectors)| (team, vectors))
    }

    /// The same where every block has a multiprocessor of its own, which nothing else keeps busy: the usual vectors, or so many that there
    /// are two warps.
    fn one_wave(&self, blocks: usize, wanted: usize) -> (Team, usize) {
        let each = self.vectors.div_ceil(blocks);
        let least = each.div_ceil(WIDEST * WARP);
        let vectors = least.max(wanted.min(each.div_ceil(2 * WARP)));
        (team(each.div_ceil(vectors * WARP), blocks), vectors)
    }

    /// Cycles of a multiprocessor for a row, where so many blocks share it: it issues the instructions of one block, moves its bytes, or
    /// waits for loads and joins while other resident blocks do so.
    fn cycles(&self, blocks: usize, warps: usize, (vectors, most): (usize, usize)) -> f64 {
        let resident = match (warps, blocks) {
            (1, 1) => TOGETHER / WARP * self.at_once(TOGETHER, vectors, most),
            _ => self.at_once(warps * WARP, vectors, most),
        };
        let moved = self.read + self.written;
        let each = self.lanes * self.work + 2 * moved;
        let instructions = OUTSIDE + self.joins * JOIN_INSTRUCTIONS + vectors * each;
        let issued = (warps * instructions) as f64 / 4.0;
        let bytes = (self.vectors.div_ceil(blocks) * self.vector() * moved) as f64;
        let join = match (warps, blocks) {
            (1, 1) => SHUFFLES,
            (_, 1) => JOIN,
            _ => MEETING,
        };
        // A warp issues at most one in a cycle.
        let own = issued.max(instructions as f64);
        let alone = own + LOAD + self.rounds as f64 * join;
        // The longest of them, and a part of the others: they overlap, but not wholly.
        let each = [issued, bytes / BYTES_OF_CYCLE, alone / resident as f64];
        each.map(|cycles| cycles.powi(3)).iter().sum::<f64>().cbrt() * blocks as f64
    }
}

/// So many warps in each of so many blocks.
fn team(warps: usize, blocks: usize) -> Team {
    match (warps, blocks) {
        (1, 1) => Team::Lanes(WARP),
        (_, 1) => Team::Warps(warps),
        _ => Team::Blocks(warps, blocks),
    }
}
