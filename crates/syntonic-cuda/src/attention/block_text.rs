//! The text that the kernels of attention have in common: barriers, stages, tiles, and copies to shared memory.

use super::kernel::{ACROSS, CONSUMERS, ROWS, SPAN, THREADS};
use super::params::place;
use crate::jit::line;
use std::fmt::Write;

/// Where a kernel's tiles are, and which columns of scores they have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles {
    /// Columns of a block.
    pub(super) cols: usize,
    /// Of a causal kernel: whether rows are keys, whose first columns are left out, or queries, whose last ones are.
    pub(super) cut: Option<bool>,
}

pub(super) struct Text {
    pub(super) text: String,
}

impl Text {
    /// The head of a kernel with its barriers, each with so many arrivals, and the parting of the roles.
    pub(super) fn begin(&mut self, name: &str, size: usize, barriers: &[(usize, usize)]) {
        line!(self, ".extern .shared .align 16 .b8 room[];");
        line!(
            self,
            ".visible .entry {name}(.param .align 64 .b8 p[{size}])"
        );
        line!(self, ".maxntid {THREADS}, 1, 1\n.minnctapersm 1\n{{");
        line!(self, ".reg .pred q, done, yes, no;");
        line!(
            self,
            ".reg .b32 tid, lane, warp, base, part, rest, at32, full, empty, data, column;"
        );
        line!(
            self,
            ".reg .b32 tile, tiles, blocks, pair, batch, head, q0, k0, first, count, step, group_of;"
        );
        line!(self, ".reg .b64 at, param;");
        line!(
            self,
            "mov.u32 tid, %tid.x;\nand.b32 lane, tid, 31;\nshr.u32 warp, tid, 5;\nshr.u32 group_of, tid, 7;"
        );
        line!(
            self,
            "mov.u32 base, room;\nadd.u32 base, base, 1023;\nand.b32 base, base, -1024;"
        );
        line!(self, "ld.param.u32 tiles, [p+{}];", place::TILES);
        line!(self, "mov.b64 param, p;\ncvta.param.u64 param, param;");
        line!(
            self,
            "setp.eq.u32 yes, tid, tid;\nsetp.ne.u32 no, tid, tid;"
        );
        line!(self, "mov.u32 tile, %ctaid.x;\nmov.u32 blocks, %nctaid.x;");
        line!(self, "setp.ne.u32 q, tid, 0;\n@q bra $ready;");
        for (at, arrivals) in barriers {
            line!(
                self,
                "mbarrier.init.shared::cta.b64 [base+{at}], {arrivals};"
            );
        }
        line!(
            self,
            "fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;\n$ready:\nbarrier.sync 0;"
        );
        line!(
            self,
            "setp.ge.u32 q, tid, {};\n@!q bra $consume;",
            128 * CONSUMERS
        );
    }

    /// Leaves all threads of the warpgroup that brings but one.
    pub(super) fn one_brings(&mut self) {
        line!(
            self,
            "setmaxnreg.dec.sync.aligned.u32 24;\nsetp.ne.u32 q, tid, {};\n@q bra $leave;",
            128 * CONSUMERS
        );
    }

    /// Where the tile in `tile` is: its first row, its head, and the first of its blocks of columns and how many it has. Heads of a group come one by
    /// one for each tile of rows, so that blocks at work together share columns in L2; the longest tiles come first.
    pub(super) fn place(&mut self, tiles: Tiles) {
        line!(
            self,
            "{{\n.reg .b32 group, down, pairs;\nld.param.u32 group, [p+{}];\nld.param.u32 down, [p+{}];\nld.param.u32 pairs, [p+{}];",
            place::GROUP,
            place::DOWN,
            place::PAIRS
        );
        line!(
            self,
            "mul.lo.u32 part, group, down;\ndiv.u32 rest, tile, part;\nmul.lo.u32 pair, rest, group;\nmul.lo.u32 part, part, rest;\nsub.u32 part, tile, part;"
        );
        line!(
            self,
            "sub.u32 rest, pairs, pair;\nmin.u32 rest, rest, group;\ndiv.u32 q0, part, rest;\nrem.u32 part, part, rest;\nadd.u32 pair, pair, part;"
        );
        if tiles.cut == Some(false) {
            line!(self, "sub.u32 q0, down, q0;\nsub.u32 q0, q0, 1;");
        }
        line!(self, "mul.lo.u32 q0, q0, {ROWS};");
        line!(
            self,
            "ld.param.u32 part, [p+{}];\ndiv.u32 batch, pair, part;\nrem.u32 head, pair, part;",
            place::HEADS
        );
        line!(self, "ld.param.u32 count, [p+{}];", place::COLS);
        if tiles.cut == Some(false) {
            line!(
                self,
                "add.u32 part, q0, {ROWS};\nmin.u32 count, count, part;"
            );
        }
        let shift = tiles.cols.trailing_zeros();
        line!(
            self,
            "add.u32 count, count, {};\nshr.u32 count, count, {shift};",
            tiles.cols - 1
        );
        match tiles.cut {
            Some(true) => line!(
                self,
                "shr.u32 first, q0, {shift};\nmin.u32 first, first, count;"
            ),
            _ => line!(self, "mov.u32 first, 0;"),
        }
        line!(self, "}}");
    }

    /// Goes to the next of so many stages.
    pub(super) fn next_stage(&mut self, stage: &str, parity: &str, stages: usize) {
        line!(
            self,
            "add.u32 {stage}, {stage}, 1;\nsetp.eq.u32 q, {stage}, {stages};\nselp.u32 {stage}, 0, {stage}, q;\n@q xor.b32 {parity}, {parity}, 1;"
        );
    }

    /// The address of the barrier of `stage` among those from `first` on, in `to`.
    pub(super) fn barrier(&mut self, to: &str, stage: &str, first: usize) {
        line!(
            self,
            "shl.b32 {to}, {stage}, 3;\nadd.u32 {to}, {to}, base;\nadd.u32 {to}, {to}, {first};"
        );
    }

    /// Arrives at the barrier in `empty`, once for each warp.
    pub(super) fn arrive(&mut self) {
        line!(
            self,
            "setp.eq.u32 q, lane, 0;\n@q mbarrier.arrive.shared::cta.b64 _, [empty];"
        );
    }

    /// The coordinates of operand `i`: its matrix of the batch and of the heads, by the flags of the parameter at these places.
    pub(super) fn matrix(&mut self, i: usize, of_batch: usize, of_head: usize, head: &str) {
        line!(
            self,
            "ld.param.u32 part, [p+{}];\nmul.lo.u32 of_batch_{i}, batch, part;\nld.param.u32 part, [p+{}];\nmul.lo.u32 of_head_{i}, {head}, part;",
            of_batch + 4 * i,
            of_head + 4 * i
        );
    }

    /// Copies boxes of operand `i` side by side, `rows` rows from row `row` on, to `data`; `full` counts them.
    pub(super) fn boxes(&mut self, i: usize, long: usize, rows: usize, row: &str) {
        for chunk in 0..long.div_ceil(ACROSS) {
            line!(
                self,
                "add.u32 at32, data, {};\nmov.u32 column, {};\ncp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [at32], [map_{i}, {{column, {row}, of_head_{i}, of_batch_{i}}}], [full];",
                chunk * rows * SPAN,
                chunk * ACROSS
            );
        }
    }

    /// An operand of an instruction, in `to`: `stage` times `bytes` from `first` on, and what else its descriptor says.
    pub(super) fn operand(&mut self, to: &str, stage: &str, first: usize, bytes: usize, rest: u64) {
        line!(
            self,
            "mad.lo.u32 data, {stage}, {bytes}, base;\nadd.u32 data, data, {first};\nshr.u32 data, data, 4;\nand.b32 data, data, 0x3FFF;\ncvt.u64.u32 {to}, data;\nor.b64 {to}, {to}, {rest};"
        );
    }
}

/// Registers of one name.
pub(super) fn listed(name: &str, count: usize) -> String {
    let all: Vec<String> = (0..count).map(|k| format!("{name}{k}")).collect();
    all.join(", ")
}
