//! How the totals of a sweep are joined: over the lanes of a warp, over the warps of a block, and over the blocks that have parts of the
//! same rows, always in the same order.

use super::super::body::{WARP, line};
use super::super::formula::Folded;
use super::layout::Side;
use super::params::place;
use super::text::Writer;
use super::{Sweep, THREADS};
use std::fmt::Write;

/// Partial values that a thread reads at once.
const TOGETHER: usize = 16;

fn columns_of_warp(sweep: Sweep) -> usize {
    match sweep.side {
        Side::Kept => (THREADS / sweep.team).min(WARP),
        Side::Folded => 1,
    }
}

/// Bytes of shared memory by which the warps of a block tell each other their totals.
pub(in super::super) fn told(sweep: Sweep) -> usize {
    8 * sweep.rows_of_thread() * THREADS / WARP * columns_of_warp(sweep)
}

/// The declaration of the shared memory of sweeps, with so many bytes for totals.
pub(in super::super) fn shared(told: usize) -> String {
    format!(".shared .align 8 .b8 told[{told}];\n.shared .align 8 .b8 turn[8];")
}

impl Writer<'_, '_> {
    /// Registers with the totals of nothing, for each fold and each row of the thread.
    pub(super) fn nothing(&mut self, folds: &[Folded]) -> Vec<Vec<String>> {
        let rows = self.sweep.rows_of_thread();
        let mut all = Vec::new();
        for fold in folds {
            let kind = fold.accumulator.register();
            let nothing = fold.accumulator.joined(fold.fold).nothing(fold.fold);
            let mut totals = Vec::new();
            for _ in 0..rows {
                let total = self.body.fresh(kind);
                line!(self.body, "mov.{kind} {total}, {nothing};");
                totals.push(total);
            }
            all.push(totals);
        }
        all
    }

    /// The results of the folds, from the totals of all threads. Only the last block that has a part of these rows goes on.
    pub(super) fn join(&mut self, folds: &[Folded], totals: &[Vec<String>]) {
        if folds.is_empty() {
            return;
        }
        if self.alone {
            line!(self.body, "{}", shared(told(self.sweep)));
        }
        self.join_block(folds, totals);
        line!(
            self.body,
            "ld.param.u32 parts, [p+{}];\nsetp.eq.u32 more, parts, 1;\n@more bra.uni $joined;",
            place::PARTS
        );
        self.join_parts(folds, totals);
        line!(self.body, "$joined:");
        for (fold, totals) in folds.iter().zip(totals) {
            for (lane, total) in totals.iter().enumerate() {
                let to = self.body.values.register(fold.to, lane);
                let text = fold.accumulator.finished(total, &to);
                line!(self.body, "{text}");
            }
        }
    }

    /// Rows, or vectors of them, side by side in a warp.
    fn columns_of_warp(&self) -> usize {
        columns_of_warp(self.sweep)
    }

    /// Joins the totals of a block's threads that have the same rows; each has the results, in the same registers.
    fn join_block(&mut self, folds: &[Folded], totals: &[Vec<String>]) {
        let team = self.sweep.team;
        let (distances, warps) = match self.sweep.side {
            Side::Folded => (1..team.min(WARP), team / WARP),
            Side::Kept => (self.columns_of_warp()..WARP, THREADS / WARP),
        };
        for (fold, totals) in folds.iter().zip(totals) {
            let kind = fold.accumulator.register();
            for total in totals {
                let mut mine = total.clone();
                let mut distance = distances.start;
                while distance < distances.end {
                    mine = self.body.join_lane(fold, mine, distance);
                    distance *= 2;
                }
                line!(self.body, "mov.{kind} {total}, {mine};");
            }
            if warps > 1 {
                self.join_warps(fold, totals, warps);
            }
        }
    }

    /// Joins the values of `warps` warps, through shared memory.
    fn join_warps(&mut self, fold: &Folded, totals: &[String], warps: usize) {
        let kind = fold.accumulator.register();
        let columns = self.columns_of_warp();
        // From one warp to the next, and from one row of a thread to the next.
        let (warp, row) = (8 * columns, 8 * columns * THREADS / WARP);
        line!(self.body, "mov.u32 w, told;");
        if columns > 1 {
            line!(
                self.body,
                "and.b32 x, lane, {};\nmad.lo.u32 w, x, 8, w;",
                columns - 1
            );
        }
        line!(
            self.body,
            "mad.lo.u32 x, warp, {warp}, w;\nsetp.lt.u32 holds, lane, {columns};"
        );
        for (k, total) in totals.iter().enumerate() {
            self.body
                .leave(fold, "holds", &format!("x+{}", k * row), total);
        }
        line!(self.body, "bar.sync 0;");
        if warps < THREADS / WARP {
            line!(
                self.body,
                "and.b32 x, warp, {};\nmad.lo.u32 w, x, {warp}, w;",
                !(warps - 1) & (THREADS / WARP - 1)
            );
        }
        for (k, total) in totals.iter().enumerate() {
            line!(self.body, "add.u32 x, w, {};", k * row);
            let all = self.body.join_each(fold, "x", warps, warp);
            line!(self.body, "mov.{kind} {total}, {all};");
        }
        line!(self.body, "bar.sync 0;");
    }

    /// Stores the block's totals and counts the block; the last one of these rows joins those of all.
    fn join_parts(&mut self, folds: &[Folded], totals: &[Vec<String>]) {
        let (across, rows) = (THREADS / self.sweep.team, self.sweep.rows_of_thread());
        let value = 8 * across;
        let block = folds.len() * rows * value;
        line!(
            self.body,
            "ld.param.u64 scratch, [p+{}];\ncvta.to.global.u64 scratch, scratch;\nld.param.u64 ticket, [p+{}];\ncvta.to.global.u64 ticket, ticket;",
            place::SCRATCH,
            place::BLOCK_COUNTERS
        );
        line!(
            self.body,
            "mad.wide.u32 ticket, group, 4, ticket;\nmul.lo.u32 w, group, parts;\nmad.wide.u32 scratch, w, {block}, scratch;\nmad.wide.u32 scratch, column, 8, scratch;\nmad.wide.u32 wide, part, {block}, scratch;"
        );
        line!(self.body, "setp.eq.u32 holds, along, 0;");
        let all = folds.iter().zip(totals).enumerate();
        for (f, (fold, totals)) in all {
            let kind = fold.accumulator.register();
            for (k, total) in totals.iter().enumerate() {
                let at = (f * rows + k) * value;
                line!(self.body, "@holds st.global.{kind} [wide+{at}], {total};");
            }
        }
        // What the block's threads have stored is there for whoever sees its count: the barrier orders it before the fence.
        line!(
            self.body,
            "bar.sync 0;\nsetp.ne.u32 more, tid, 0;\n@more bra $told;\nfence.acq_rel.gpu;\natom.global.add.u32 x, [ticket], 1;\nfence.acq_rel.gpu;\nmov.u32 w, turn;\nst.shared.u32 [w], x;\n$told:"
        );
        line!(
            self.body,
            "bar.sync 0;\nmov.u32 w, turn;\nld.shared.u32 x, [w];\nsub.u32 w, parts, 1;\nsetp.ne.u32 more, x, w;\n@more bra $done;"
        );
        line!(
            self.body,
            "setp.eq.u32 holds, tid, 0;\nmov.u32 x, 0;\n@holds st.global.u32 [ticket], x;"
        );
        for (fold, totals) in folds.iter().zip(totals) {
            let kind = fold.accumulator.register();
            let nothing = fold.accumulator.joined(fold.fold).nothing(fold.fold);
            for total in totals {
                line!(self.body, "mov.{kind} {total}, {nothing};");
            }
        }
        // Several parts at a time: their values are on the way together.
        let (team, at_once) = (
            self.sweep.team,
            (TOGETHER / (rows * folds.len())).clamp(1, 4),
        );
        line!(
            self.body,
            "mov.u32 item, along;\n$next:\n.pragma \"nounroll\";\nsetp.ge.u32 more, item, parts;\n@more bra $read;"
        );
        let mut values: Vec<Vec<String>> = Vec::new();
        for part in 0..at_once {
            line!(
                self.body,
                "add.u32 x, item, {};\nsetp.lt.u32 holds, x, parts;\nmad.wide.u32 wide, x, {block}, scratch;",
                part * team
            );
            let mut of_part = Vec::new();
            for (f, (fold, totals)) in folds.iter().zip(totals).enumerate() {
                let kind = fold.accumulator.register();
                let nothing = fold.accumulator.joined(fold.fold).nothing(fold.fold);
                for k in 0..totals.len() {
                    let at = (f * rows + k) * value;
                    let one = self.body.fresh(kind);
                    line!(
                        self.body,
                        "mov.{kind} {one}, {nothing};\n@holds ld.global.{kind} {one}, [wide+{at}];"
                    );
                    of_part.push(one);
                }
            }
            values.push(of_part);
        }
        for of_part in values {
            let mut each = of_part.iter();
            for (fold, totals) in folds.iter().zip(totals) {
                let kind = fold.accumulator.register();
                for (total, one) in totals.iter().zip(each.by_ref()) {
                    let sum = self.body.join(fold, total, one);
                    line!(self.body, "mov.{kind} {total}, {sum};");
                }
            }
        }
        line!(
            self.body,
            "add.u32 item, item, {};\nbra.uni $next;\n$read:",
            at_once * team
        );
        self.join_block(folds, totals);
    }
}
