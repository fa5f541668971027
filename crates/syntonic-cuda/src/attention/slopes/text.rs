//! The text of attention's slopes, for cards of 9.0: weights are computed again from the sums that the way forward left, so no score is in
//! memory (Dao: FlashAttention-2, arXiv 2307.08691). A block owns rows, which are queries or keys, and adds up its columns in one order: nobody else
//! adds to its results, so they are the same at every run.
//!
//! Of a block of scores `s` and slopes of weights `g`: weights `w = exp(s - sum)`, slopes of scores `w (g - mean)`, where `mean` is the row's sum
//! of results times their slopes.

use super::super::block_text::{Text, Tiles};
use super::super::kernel::{CONSUMERS, HALF, ROWS, SPAN};
use super::super::params::place as common;
use super::super::score_text::{Score, Way};
use super::kernel::{COLS, Gives, Kernel, Room};
use super::params::{Params, place};
use crate::jit::{self, Kernel as _, Pieces, line, wait, with_tensor_cores};
use std::fmt::Write;

/// The text of a kernel for a card; nothing where some operation has no piece.
pub(super) fn text(kernel: &Kernel, capability: (u32, u32)) -> Option<String> {
    let pieces = Pieces::of(&jit::parts(&kernel.scores.form)?, capability)?;
    let room = kernel.room();
    if room.stages == 0 {
        return None;
    }
    let mut writer = Writer {
        kernel,
        room,
        out: Text {
            text: with_tensor_cores(&pieces.header),
        },
    };
    let warps = 4 * CONSUMERS;
    let mut barriers = vec![(room.came, 1), (room.came + 8, warps)];
    for (first, arrivals) in [(room.full, 1), (room.empty, warps)] {
        barriers.extend((0..room.stages).map(|stage| (first + 8 * stage, arrivals)));
    }
    writer
        .out
        .begin(&kernel.name(), size_of::<Params>(), &barriers);
    writer.bring();
    writer.consume(&pieces)?;
    Some(writer.out.text)
}

pub(super) struct Writer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) room: Room,
    pub(super) out: Text,
}

impl Writer<'_> {
    fn way(&self) -> Way {
        match self.kernel.gives {
            Gives::Queries => Way::ToQueries,
            _ => Way::ToKeys,
        }
    }

    fn tiles(&self) -> Tiles {
        Tiles {
            cols: COLS,
            cut: self
                .kernel
                .scores
                .causal
                .then_some(self.way() == Way::ToKeys),
        }
    }

    /// Begins the loop over the heads of queries that share a tile's keys, of which `head` is the first; where rows are queries, over one.
    fn heads(&mut self, label: &str) {
        match self.way() {
            Way::ToKeys => line!(
                self.out,
                "ld.param.u32 part, [p+{}];\nmov.u32 shared, head;\nmul.lo.u32 head, head, part;\nadd.u32 beyond, head, part;",
                common::SHARING
            ),
            _ => line!(
                self.out,
                "ld.param.u32 part, [p+{}];\ndiv.u32 shared, head, part;\nadd.u32 beyond, head, 1;",
                common::SHARING
            ),
        }
        line!(self.out, "{label}:");
    }

    /// Ends that loop.
    fn next_head(&mut self, label: &str) {
        line!(
            self.out,
            "add.u32 head, head, 1;\nsetp.lt.u32 q, head, beyond;\n@q bra {label};"
        );
    }

    /// The warpgroup that brings: one thread of it.
    fn bring(&mut self) {
        let (room, tiles, long) = (self.room, self.tiles(), self.kernel.long());
        self.out.one_brings();
        line!(
            self.out,
            ".reg .b32 stage, parity, taken, shared, beyond, of_batch_<4>, of_head_<4>;\n.reg .b64 map_<4>;"
        );
        for i in 0..4 {
            line!(
                self.out,
                "add.u64 map_{i}, param, {};\nprefetch.tensormap [map_{i}];",
                place::MAPS + 128 * i
            );
        }
        line!(
            self.out,
            "mov.u32 stage, 0;\nmov.u32 parity, 1;\nmov.u32 taken, 1;"
        );
        line!(
            self.out,
            "$bring:\nsetp.ge.u32 q, tile, tiles;\n@q bra $leave;"
        );
        self.out.place(tiles);
        for i in 0..2 {
            self.out.matrix(i, place::OF_BATCH, place::OF_HEAD, "head");
        }
        line!(
            self.out,
            "add.u32 full, base, {};\nadd.u32 empty, base, {};",
            room.came,
            room.came + 8
        );
        line!(self.out, "{}", wait("$taken", "empty", "taken"));
        line!(
            self.out,
            "xor.b32 taken, taken, 1;\nmov.u32 data, base;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [full], {};",
            room.rows[0] + room.rows[1]
        );
        self.out.boxes(0, long[0], ROWS, "q0");
        line!(self.out, "add.u32 data, data, {};", room.rows[0]);
        self.out.boxes(1, long[1], ROWS, "q0");
        self.heads("$bring_head");
        let of_columns = match self.way() {
            Way::ToKeys => "head",
            _ => "shared",
        };
        for i in 2..4 {
            self.out
                .matrix(i, place::OF_BATCH, place::OF_HEAD, of_columns);
        }
        line!(
            self.out,
            "mov.u32 step, first;\nsetp.ge.u32 q, step, count;\n@q bra $brought_all;\n$brought:\nmul.lo.u32 k0, step, {COLS};"
        );
        self.out.barrier("empty", "stage", room.empty);
        self.out.barrier("full", "stage", room.full);
        line!(self.out, "{}", wait("$empty", "empty", "parity"));
        line!(
            self.out,
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], {};\nmad.lo.u32 data, stage, {}, base;\nadd.u32 data, data, {};",
            room.stage(),
            room.stage(),
            room.staged
        );
        self.out.boxes(2, long[0], COLS, "k0");
        line!(self.out, "add.u32 data, data, {};", room.cols[0]);
        self.out.boxes(3, long[1], COLS, "k0");
        self.out.next_stage("stage", "parity", room.stages);
        line!(
            self.out,
            "add.u32 step, step, 1;\nsetp.lt.u32 q, step, count;\n@q bra $brought;\n$brought_all:"
        );
        self.next_head("$bring_head");
        line!(self.out, "add.u32 tile, tile, blocks;\nbra $bring;");
    }

    /// The warpgroups that compute.
    fn consume(&mut self, pieces: &Pieces) -> Option<()> {
        let (kernel, room) = (self.kernel, self.room);
        let mut score = Score::new(&kernel.scores, self.way(), COLS, pieces);
        score.sloped = kernel.gives.first();
        line!(
            self.out,
            "$consume:\nsetmaxnreg.inc.sync.aligned.u32 240;\n.reg .f32 s<{0}>, g<{0}>, o<{1}>, v<{2}>;\n.reg .b32 w<{3}>, u<{3}>;",
            COLS / 2,
            kernel.depth / 2,
            kernel.width / 2,
            COLS / 4
        );
        line!(
            self.out,
            ".reg .b32 came;\n.reg .b64 dr, dw, db, x, y, along_rows;"
        );
        let sums = if self.way() == Way::ToKeys { 16 } else { 2 };
        line!(
            self.out,
            ".reg .f32 scale, less_<{sums}>, mean_<{sums}>;\nld.param.f32 scale, [p+{}];",
            common::SCALE
        );
        line!(
            self.out,
            "mov.u32 came, 0;\nmov.u32 stage, 0;\nmov.u32 parity, 0;"
        );
        let [first, _] = room.rows;
        let whole = jit::descriptor(None);
        self.out.operand("dr", "group_of", 0, HALF * SPAN, whole);
        self.out
            .operand("dw", "group_of", first, HALF * SPAN, whole);
        score.numbers();
        self.out.text.push_str(&score.take());
        line!(
            self.out,
            "$next:\nsetp.ge.u32 q, tile, tiles;\n@q bra $leave;"
        );
        let tiles = self.tiles();
        self.out.place(tiles);
        line!(self.out, "add.u32 full, base, {};", room.came);
        line!(self.out, "{}", wait("$came", "full", "came"));
        line!(self.out, "xor.b32 came, came, 1;");
        for (there, name, len) in [
            (kernel.gives.first(), "o", kernel.depth),
            (kernel.gives.second(), "v", kernel.width),
        ] {
            for k in (0..len / 2).filter(|_| there) {
                line!(self.out, "mov.f32 {name}{k}, 0f00000000;");
            }
        }
        self.heads("$head");
        score.tile();
        self.out.text.push_str(&score.take());
        if self.way() == Way::ToQueries {
            self.sums_of_rows();
        }
        line!(
            self.out,
            "mov.u32 step, first;\nsetp.ge.u32 q, step, count;\n@q bra $all;\n$block:\nmul.lo.u32 k0, step, {COLS};"
        );
        if self.way() == Way::ToKeys {
            self.sums_of_columns();
        }
        self.out.barrier("full", "stage", room.full);
        line!(self.out, "{}", wait("$full", "full", "parity"));
        self.multiply();
        line!(self.out, "wgmma.wait_group.sync.aligned 0;");
        score.block()?;
        self.out.text.push_str(&score.take());
        self.add();
        line!(self.out, "wgmma.wait_group.sync.aligned 0;");
        self.out.barrier("empty", "stage", room.empty);
        self.out.arrive();
        self.out.next_stage("stage", "parity", room.stages);
        line!(
            self.out,
            "add.u32 step, step, 1;\nsetp.lt.u32 q, step, count;\n@q bra $block;\n$all:"
        );
        self.next_head("$head");
        line!(self.out, "add.u32 empty, base, {};", room.came + 8);
        self.out.arrive();
        self.give();
        line!(self.out, "add.u32 tile, tile, blocks;\nbra $next;");
        line!(self.out, "$leave:\nret;\n}}");
        Some(())
    }
}
