//! What a kernel over many groups has beside that over one: the search for a block's group, and the join of its totals.

use super::table::head;
use super::{Table, Total};
use crate::jit::{Share, Values, line};
use std::fmt::Write;
use syntonic_core::DType;

/// Finds the group that the block is for: sets its `count`, the address of its `entry`, how many `blocks` it has, and the number of `block`
/// among them.
pub(in crate::map) fn search(values: &mut Values<'_>, table: &Table) {
    line!(
        values,
        ".reg .pred above;\n.reg .b32 group, beyond, middle, edge, blocks, one;\n.reg .b64 table, entry, look;"
    );
    line!(
        values,
        "mov.b64 table, p;\nmov.u32 group, 0;\nld.param.u32 beyond, [p+{}];\nsub.u32 beyond, beyond, 1;",
        head::TENSORS
    );
    // The last group whose first block is not above this one.
    line!(
        values,
        "$search:\n.pragma \"nounroll\";\nsetp.ge.u32 above, group, beyond;\n@above bra $found;"
    );
    line!(
        values,
        "add.u32 middle, group, beyond;\nadd.u32 middle, middle, 1;\nshr.u32 middle, middle, 1;\nmad.wide.u32 look, middle, 4, table;\nld.param.u32 edge, [look+{}];",
        table.blocks()
    );
    line!(
        values,
        "setp.gt.u32 above, edge, block;\nsub.u32 one, middle, 1;\nselp.u32 beyond, one, beyond, above;\nselp.u32 group, group, middle, above;\nbra.uni $search;\n$found:"
    );
    line!(
        values,
        "mad.wide.u32 look, group, 4, table;\nld.param.u32 edge, [look+{}];\nld.param.u32 blocks, [look+{}];\nsub.u32 blocks, blocks, edge;\nsub.u32 block, block, edge;",
        table.blocks(),
        table.blocks() + 4
    );
    line!(
        values,
        "mad.wide.u32 entry, group, {}, table;\nadd.s64 entry, entry, {};\nld.param.u64 count, [entry];",
        table.entry(),
        table.entries()
    );
}

/// Writes how a block folds what its threads look at.
pub(in crate::map) struct Folding<'a, 'v> {
    pub(in crate::map) values: &'a mut Values<'v>,
    pub(in crate::map) total: Total,
    pub(in crate::map) capability: (u32, u32),
    pub(in crate::map) threads: usize,
}

impl Folding<'_, '_> {
    fn register(&self) -> &'static str {
        self.total.accumulator.register()
    }

    /// Folds `b` into `a`, registers of the joined type.
    fn join(&mut self, a: &str, b: &str) {
        let Total { fold, accumulator } = self.total;
        let text = accumulator
            .joined(fold)
            .fold(fold, ["joined", a, b], self.capability);
        let kind = self.register();
        line!(self.values, "{text}\nmov.{kind} {a}, joined;");
    }

    /// Declares a thread's `mine`, of nothing yet.
    pub(in crate::map) fn begin(&mut self) {
        let Total { fold, accumulator } = self.total;
        let (kind, nothing) = (self.register(), accumulator.joined(fold).nothing(fold));
        line!(
            self.values,
            ".reg .pred holds, other;\n.reg .{kind} mine, joined, seen;\nmov.{kind} mine, {nothing};"
        );
    }

    /// Folds the elements of a share into `mine`: pairwise in the type of the values, as a tree.
    pub(in crate::map) fn take(&mut self, share: Share) {
        let Total { fold, accumulator } = self.total;
        let run = accumulator.run(fold);
        let of = self.values.form.outputs[0];
        let count = share.elements().len();
        line!(self.values, ".reg .{} run<{count}>;", run.register());
        for (k, j) in share.elements().enumerate() {
            let from = self.values.register(of, j);
            let text = accumulator.taken(fold, &from, &format!("run{k}"));
            line!(self.values, "{text}");
        }
        line!(self.values, ".reg .{} pair;", run.register());
        let mut apart = 1;
        while apart < count {
            for k in (0..count - apart).step_by(2 * apart) {
                let (a, b) = (format!("run{k}"), format!("run{}", k + apart));
                let text = run.fold(fold, ["pair", &a, &b], self.capability);
                line!(self.values, "{text}\nmov.{} {a}, pair;", run.register());
            }
            apart *= 2;
        }
        line!(
            self.values,
            "{}",
            accumulator.gathered(fold, "run0", "seen")
        );
        self.join("mine", "seen");
    }

    /// Joins what the threads of the block have: each has it all.
    fn join_block(&mut self) {
        let kind = self.register();
        for distance in [16, 8, 4, 2, 1] {
            let shuffle = |to: &str, from: &str| {
                format!("shfl.sync.bfly.b32 {to}, {from}, {distance}, 0x1f, 0xffffffff;")
            };
            match self.total.accumulator.is_wide() {
                true => line!(
                    self.values,
                    "mov.b64 {{low, high}}, mine;\n{}\n{}\nmov.b64 seen, {{low, high}};",
                    shuffle("low", "low"),
                    shuffle("high", "high")
                ),
                false => line!(self.values, "{}", shuffle("seen", "mine")),
            }
            self.join("mine", "seen");
        }
        line!(
            self.values,
            "setp.eq.u32 leads, lane, 0;\n@leads st.shared.{kind} [own], mine;\nbar.sync 0;\nld.shared.{kind} mine, [warps];"
        );
        for warp in 1..self.threads / 32 {
            line!(self.values, "ld.shared.{kind} seen, [warps+{}];", 8 * warp);
            self.join("mine", "seen");
        }
        // Read by all before it is written again.
        line!(self.values, "bar.sync 0;");
    }

    /// Joins the block and, as the last block of its group, the group, and stores the result.
    pub(in crate::map) fn finish(&mut self, result: DType) {
        let Total { fold, accumulator } = self.total;
        let (kind, nothing) = (self.register(), accumulator.joined(fold).nothing(fold));
        line!(
            self.values,
            ".shared .align 8 .b8 warps[{}];\n.shared .align 4 .b32 turn;\n.reg .pred leads, more;\n.reg .b32 lane, low, high, own, item;\n.reg .b64 scratch, ticket, to;",
            self.threads / 4
        );
        line!(
            self.values,
            "and.b32 lane, tid, 31;\nshr.u32 own, tid, 5;\nshl.b32 own, own, 3;\nmov.u32 item, warps;\nadd.u32 own, own, item;"
        );
        self.join_block();
        line!(
            self.values,
            "setp.eq.u32 more, blocks, 1;\n@more bra $whole;"
        );
        // The memory of the group's partial values begins at that of its first block.
        line!(
            self.values,
            "ld.param.u64 scratch, [p+{}];\ncvta.to.global.u64 scratch, scratch;\nld.param.u64 ticket, [p+{}];\ncvta.to.global.u64 ticket, ticket;",
            head::SCRATCH,
            head::COUNTERS
        );
        line!(
            self.values,
            "mad.wide.u32 ticket, group, 4, ticket;\nmad.wide.u32 scratch, edge, 8, scratch;\nmad.wide.u32 to, block, 8, scratch;"
        );
        line!(
            self.values,
            "setp.ne.u32 more, tid, 0;\n@more bra $told;\nst.global.{kind} [to], mine;\nfence.acq_rel.gpu;\natom.global.add.u32 item, [ticket], 1;\nfence.acq_rel.gpu;\nst.shared.u32 [turn], item;\n$told:"
        );
        line!(
            self.values,
            "bar.sync 0;\nld.shared.u32 item, [turn];\nsub.u32 low, blocks, 1;\nsetp.ne.u32 more, item, low;\n@more bra $out;"
        );
        line!(
            self.values,
            "setp.eq.u32 leads, tid, 0;\nmov.u32 item, 0;\n@leads st.global.u32 [ticket], item;\nmov.{kind} mine, {nothing};\nmov.u32 item, tid;"
        );
        line!(
            self.values,
            "$gather:\n.pragma \"nounroll\";\nsetp.ge.u32 more, item, blocks;\n@more bra $gathered;\nmad.wide.u32 to, item, 8, scratch;\nld.global.cg.{kind} seen, [to];"
        );
        self.join("mine", "seen");
        line!(
            self.values,
            "add.u32 item, item, {};\nbra.uni $gather;\n$gathered:",
            self.threads
        );
        self.join_block();
        line!(
            self.values,
            "$whole:\nsetp.eq.u32 leads, tid, 0;\nld.param.u64 to, [entry+8];\ncvta.to.global.u64 to, to;"
        );
        let held = match result.size() {
            8 => "b64",
            _ => "b32",
        };
        line!(
            self.values,
            ".reg .{held} finished;\n{}",
            accumulator.finished("mine", "finished")
        );
        let stored = if result.is_bool() { "u8" } else { held };
        line!(
            self.values,
            "@leads st.global.{stored} [to], finished;\n$out:"
        );
    }
}
