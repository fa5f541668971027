//! How the threads of a row join their partial values: lanes, then warps, then the blocks of a cluster (DSMEM exchange). Each
//! thread has the result.

use super::body::{WARP, line};
use super::formula::Folded;
use super::held::{Team, Writer};
use std::fmt::Write;

impl Writer<'_, '_> {
    /// The most folds of a round.
    pub(super) fn most(&self) -> usize {
        self.body
            .stages
            .iter()
            .map(|s| s.folds.len())
            .max()
            .unwrap_or(0)
    }

    /// Bytes that a warp or a block exchanges per fold: one value, or one per row of its lanes.
    pub(super) fn entry(&self) -> usize {
        if self.held.is_strided() { 8 * WARP } else { 8 }
    }

    /// Joins the partial values of a stage's folds over the threads of a row.
    pub(super) fn join(&mut self, at: usize, runs: Vec<String>) {
        let formula = self.body.formula;
        let folds: Vec<&Folded> = self.body.stages[at]
            .folds
            .iter()
            .map(|&f| &formula.folds[f])
            .collect();
        let lanes = match self.held.team {
            Team::Lanes(lanes) => lanes,
            Team::Columns(..) => 1,
            _ => WARP,
        };
        let mut joined: Vec<String> = Vec::new();
        for (fold, run) in folds.iter().zip(runs) {
            let mine = self.body.gathered(fold, &run);
            joined.push(self.body.join_lanes(fold, mine, lanes));
        }
        if !matches!(self.held.team, Team::Lanes(_)) {
            self.join_warps(at, &folds, &mut joined);
        }
        if self.held.blocks() > 1 {
            self.join_blocks(at, &folds, &mut joined);
        }
        for (fold, joined) in folds.iter().zip(&joined) {
            self.body.finish(fold, joined);
        }
    }

    /// Stages alternate between two halves of the buffer, so that one barrier is enough: a warp that is a stage ahead writes
    /// to the other half.
    fn join_warps(&mut self, at: usize, folds: &[&Folded], joined: &mut [String]) {
        let (warps, entry) = (self.held.block() / WARP, self.entry());
        let apart = entry * folds.len();
        let from = at % 2 * entry * warps * self.most();
        // One lane writes for its warp, or each for its row.
        let tells = if self.held.is_strided() {
            "setp.eq.u32 holds, lane, lane;"
        } else {
            "setp.eq.u32 holds, lane, 0;"
        };
        line!(
            self.body,
            "add.u32 half, room, {from};\nmad.lo.u32 w, warp, {apart}, half;\n{tells}"
        );
        for (k, (fold, mine)) in folds.iter().zip(&*joined).enumerate() {
            self.body
                .leave(fold, "holds", &format!("w+{}", entry * k), mine);
        }
        line!(self.body, "bar.sync 0;");
        self.read(folds, joined, warps);
    }

    /// Cluster reduction: the first lanes of a block each send the block's values to one block through DSMEM. Of columns, the first warps
    /// do so, each lane for its own.
    fn join_blocks(&mut self, at: usize, folds: &[&Folded], joined: &mut [String]) {
        let (blocks, entry) = (self.held.blocks(), self.entry());
        let apart = entry * folds.len();
        let from = at % 2 * entry * blocks * self.most();
        if at == 0 {
            // A remote block must have started before its shared memory is written.
            line!(self.body, "barrier.cluster.wait.aligned;");
        }
        line!(
            self.body,
            "add.u32 half, mail, {from};\nmad.lo.u32 w, rank, {apart}, half;"
        );
        let sender = if self.held.is_strided() {
            "warp"
        } else {
            "tid"
        };
        line!(
            self.body,
            "setp.lt.u32 holds, {sender}, {blocks};\nmin.u32 x, {sender}, {};\nmapa.shared::cluster.u32 w, w, x;",
            blocks - 1
        );
        for (k, (fold, mine)) in folds.iter().zip(&*joined).enumerate() {
            line!(
                self.body,
                "@holds st.shared::cluster.{} [w+{}], {mine};",
                fold.accumulator.register(),
                entry * k
            );
        }
        line!(
            self.body,
            "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;"
        );
        self.read(folds, joined, blocks);
    }

    /// Joins the values that `count` warps or blocks have written from `half` on.
    fn read(&mut self, folds: &[&Folded], joined: &mut [String], count: usize) {
        let apart = self.entry() * folds.len();
        for (k, (fold, mine)) in folds.iter().zip(joined).enumerate() {
            line!(self.body, "add.u32 w, half, {};", self.entry() * k);
            *mine = match self.held.is_strided() {
                true => self.body.join_each(fold, "w", count, apart),
                false => self.body.join_places(fold, "w", count, apart),
            };
        }
    }
}
