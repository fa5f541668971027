//! Two-phase reduction of long rows, for formulas with one round of folds and no result per element: blocks fold a part of a
//! row each and store a partial value; a last-block counter selects the block that joins the parts, in their order.

use super::body::{Body, WARP, line};
use super::formula::{Folded, Leaf};
use super::params::place;
use crate::jit::Share;
use std::fmt::Write;

/// Warps of a block.
const WARPS: usize = 8;
/// Threads per block.
pub(super) const THREADS: usize = WARPS * WARP;

/// How a row is spread over blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Parted {
    /// Vectors in flight per thread.
    pub(super) vectors: usize,
    /// Elements per vector.
    pub(super) lanes: usize,
    /// Resident blocks per multiprocessor.
    pub(super) at_once: usize,
}

/// Writes the kernel.
pub(super) fn write(body: &mut Body<'_>, name: &str, parted: Parted) -> Option<()> {
    let mut writer = Writer { body, parted };
    writer.whole(name)
}

struct Writer<'a, 'b> {
    body: &'a mut Body<'b>,
    parted: Parted,
}

impl Writer<'_, '_> {
    fn share(&self, first: usize, vectors: usize) -> Share {
        Share {
            lanes: self.parted.lanes,
            first,
            vectors,
        }
    }

    fn folds(&self) -> Vec<Folded> {
        self.body.formula.folds.clone()
    }

    fn whole(&mut self, name: &str) -> Option<()> {
        let Parted {
            vectors, at_once, ..
        } = self.parted;
        let folds = self.folds();
        self.body
            .begin(name, THREADS, at_once, self.share(0, vectors));
        line!(
            self.body,
            ".shared .align 8 .b8 told[{}];\n.shared .align 8 .b8 turn[8];",
            8 * WARPS * folds.len()
        );
        line!(
            self.body,
            ".reg .pred more;\n.reg .b32 parts, part, begin, end, vector, left;\n.reg .b64 scratch, ticket;"
        );
        line!(
            self.body,
            "ld.param.u32 parts, [p+{}];\nmov.u32 w, %ctaid.x;",
            place::PARTS
        );
        line!(
            self.body,
            "div.u32 row, w, parts;\nmul.lo.u32 x, row, parts;\nsub.u32 part, w, x;"
        );
        self.body.bases();
        self.body.row_values(0)?;
        // The parts differ by one vector at most; parts of whole turns do not differ.
        line!(
            self.body,
            "mul.wide.u32 wide, length, part;\ncvt.u64.u32 scratch, parts;\ndiv.u64 wide, wide, scratch;\ncvt.u32.u64 begin, wide;"
        );
        line!(
            self.body,
            "add.u32 w, part, 1;\nmul.wide.u32 wide, length, w;\ndiv.u64 wide, wide, scratch;\ncvt.u32.u64 end, wide;"
        );
        let mut totals: Vec<String> = Vec::new();
        for fold in &folds {
            let total = self.body.fresh(fold.accumulator.register());
            let nothing = fold.accumulator.joined(fold.fold).nothing(fold.fold);
            line!(
                self.body,
                "mov.{} {total}, {nothing};",
                fold.accumulator.register()
            );
            totals.push(total);
        }
        line!(
            self.body,
            "add.u32 vector, begin, tid;\nsub.u32 end, end, {};",
            (vectors - 1) * THREADS
        );
        // Signed: a part may be shorter than one turn of the block.
        line!(
            self.body,
            "$whole:\n.pragma \"nounroll\";\nsetp.lt.s32 more, vector, end;\n@!more bra $rest;"
        );
        self.turn(vectors, &folds, &totals)?;
        line!(
            self.body,
            "add.u32 vector, vector, {};\nbra.uni $whole;",
            vectors * THREADS
        );
        line!(
            self.body,
            "$rest:\nadd.u32 end, end, {};",
            (vectors - 1) * THREADS
        );
        line!(
            self.body,
            "$one:\n.pragma \"nounroll\";\nsetp.lt.s32 more, vector, end;\n@!more bra $through;"
        );
        self.turn(1, &folds, &totals)?;
        line!(
            self.body,
            "add.u32 vector, vector, {THREADS};\nbra.uni $one;\n$through:"
        );
        self.leave(&folds, &totals);
        self.last(&folds)
    }

    /// Folds `vectors` vectors into the totals.
    fn turn(&mut self, vectors: usize, folds: &[Folded], totals: &[String]) -> Option<()> {
        let (formula, stages) = (self.body.formula, self.body.stages);
        let lanes = self.parted.lanes;
        line!(self.body, "{{");
        for r in 0..vectors {
            for &k in &stages[0].loads {
                if let Some(Leaf::Operand(o)) = formula.leaf(k) {
                    let size = formula.dtype(k).size();
                    let at = self.body.fresh("b64");
                    line!(
                        self.body,
                        "add.u32 x, vector, {};\nmad.wide.u32 {at}, x, {}, base{o};",
                        r * THREADS,
                        lanes * size
                    );
                    let cache = if lanes * size == 16 {
                        ".L1::no_allocate"
                    } else {
                        ""
                    };
                    self.body.load(k, self.share(r, 1), &at, cache);
                }
            }
        }
        let mut runs: Vec<Vec<String>> = vec![Vec::new(); folds.len()];
        for r in 0..vectors {
            for &k in &stages[0].lane {
                self.body.values.value(k, self.share(r, 1))?;
            }
            for (runs, fold) in runs.iter_mut().zip(folds) {
                runs.push(self.body.gather(fold, self.share(r, 1), None));
            }
        }
        for ((fold, runs), total) in folds.iter().zip(runs).zip(totals) {
            let run = self.body.tree(fold, runs);
            let mine = self.body.gathered(fold, &run);
            let sum = self.body.join(fold, total, &mine);
            line!(
                self.body,
                "mov.{} {total}, {sum};",
                fold.accumulator.register()
            );
        }
        line!(self.body, "}}");
        Some(())
    }

    /// Joins the values of a block's threads; each has the results.
    fn join(&mut self, folds: &[Folded], totals: &[String]) -> Vec<String> {
        let mut joined: Vec<String> = Vec::new();
        for (k, (fold, total)) in folds.iter().zip(totals).enumerate() {
            let mine = self.body.join_lanes(fold, total.clone(), WARP);
            line!(
                self.body,
                "mov.u32 x, told;\nmad.lo.u32 w, warp, 8, x;\nsetp.eq.u32 holds, lane, 0;"
            );
            self.body
                .leave(fold, "holds", &format!("w+{}", 8 * WARPS * k), &mine);
        }
        line!(self.body, "bar.sync 0;");
        for (k, fold) in folds.iter().enumerate() {
            line!(
                self.body,
                "mov.u32 x, told;\nadd.u32 w, x, {};",
                8 * WARPS * k
            );
            joined.push(self.body.join_places(fold, "w", WARPS, 8));
        }
        joined
    }

    /// Stores the block's partial values and counts the block; only the last block of the row goes on.
    fn leave(&mut self, folds: &[Folded], totals: &[String]) {
        let joined = self.join(folds, totals);
        let each = 8 * folds.len();
        line!(
            self.body,
            "ld.param.u64 scratch, [p+{}];\ncvta.to.global.u64 scratch, scratch;",
            place::SCRATCH
        );
        line!(
            self.body,
            "ld.param.u64 ticket, [p+{}];\ncvta.to.global.u64 ticket, ticket;",
            place::BLOCK_COUNTERS
        );
        line!(
            self.body,
            "mad.wide.u32 ticket, row, 4, ticket;\nmul.lo.u32 w, row, parts;\nmad.wide.u32 scratch, w, {each}, scratch;"
        );
        line!(
            self.body,
            "setp.ne.u32 more, tid, 0;\n@more bra $told;\nmad.wide.u32 wide, part, {each}, scratch;"
        );
        for (k, (fold, mine)) in folds.iter().zip(&joined).enumerate() {
            line!(
                self.body,
                "st.global.{} [wide+{}], {mine};",
                fold.accumulator.register(),
                8 * k
            );
        }
        line!(
            self.body,
            "fence.acq_rel.gpu;\natom.global.add.u32 x, [ticket], 1;\nfence.acq_rel.gpu;\nmov.u32 w, turn;\nst.shared.u32 [w], x;\n$told:"
        );
        line!(
            self.body,
            "bar.sync 0;\nmov.u32 w, turn;\nld.shared.u32 x, [w];\nsub.u32 w, parts, 1;\nsetp.ne.u32 more, x, w;\n@more bra $done;"
        );
    }

    /// The last block of a row joins its parts: first within each thread, then over the block.
    fn last(&mut self, folds: &[Folded]) -> Option<()> {
        let each = 8 * folds.len();
        let mut totals: Vec<String> = Vec::new();
        for fold in folds {
            let kind = fold.accumulator.register();
            let total = self.body.fresh(kind);
            let nothing = fold.accumulator.joined(fold.fold).nothing(fold.fold);
            line!(self.body, "mov.{kind} {total}, {nothing};");
            totals.push(total);
        }
        line!(
            self.body,
            "mov.u32 left, tid;\n$next:\n.pragma \"nounroll\";\nsetp.ge.u32 more, left, parts;\n@more bra $joined;"
        );
        line!(self.body, "mad.wide.u32 wide, left, {each}, scratch;");
        for (k, (fold, total)) in folds.iter().zip(&totals).enumerate() {
            let kind = fold.accumulator.register();
            let one = self.body.fresh(kind);
            line!(self.body, "ld.global.{kind} {one}, [wide+{}];", 8 * k);
            let sum = self.body.join(fold, total, &one);
            line!(self.body, "mov.{kind} {total}, {sum};");
        }
        line!(
            self.body,
            "add.u32 left, left, {THREADS};\nbra.uni $next;\n$joined:\nbar.sync 0;"
        );
        let joined = self.join(folds, &totals);
        for (fold, joined) in folds.iter().zip(&joined) {
            self.body.finish(fold, joined);
        }
        self.body.row_values(1)?;
        line!(self.body, "setp.eq.u32 holds, tid, 0;\nmov.u32 x, 0;");
        line!(self.body, "@holds st.global.u32 [ticket], x;");
        self.body.row_results("@holds ");
        line!(self.body, "$done:\nret;\n}}");
        Some(())
    }
}
