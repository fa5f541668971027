//! The text of attention, for cards of 9.0: one warpgroup brings queries, keys and values to shared memory, and two have 64 queries each.
//!
//! The sums over the keys so far and their largest score stay with the rows in registers (Milakov and Gimelshein: Online normalizer calculation
//! for softmax, arXiv 1805.02867; Dao: FlashAttention-2, arXiv 2307.08691), so no score is ever in memory. While the scores of a block of keys
//! become weights, the tensor cores have the values of the block before, and the products of the other warpgroup (Shah et al.: FlashAttention-3,
//! arXiv 2407.08608).

use super::block_text::{Text, Tiles};
use super::kernel::{CONSUMERS, HALF, Kernel, ROWS, Room, SPAN};
use super::params::{Params, place};
use super::score_text::{Score, Way};
use crate::jit::{self, Kernel as _, Pieces, line, wait, with_tensor_cores};
use std::fmt::Write;

/// The text of a kernel for a card; nothing where some operation has no piece.
pub(super) fn text(kernel: &Kernel, capability: (u32, u32)) -> Option<String> {
    let pieces = Pieces::of(&jit::parts(&kernel.scores.form)?, capability)?;
    let room = kernel.room();
    let mut writer = Writer {
        kernel,
        room,
        out: Text {
            text: with_tensor_cores(&pieces.header),
        },
    };
    let mut barriers = vec![(room.came, 1), (room.came + 8, 4 * CONSUMERS)];
    for (values, empty) in [(false, false), (false, true), (true, false), (true, true)] {
        let arrivals = if empty { 4 * CONSUMERS } else { 1 };
        let first = room.barrier(values, empty);
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
    fn tiles(&self) -> Tiles {
        Tiles {
            cols: self.kernel.keys(),
            cut: self.kernel.scores.causal.then_some(false),
        }
    }

    /// The warpgroup that brings: one thread of it.
    fn bring(&mut self) {
        let (room, tiles) = (self.room, self.tiles());
        self.out.one_brings();
        line!(
            self.out,
            ".reg .b32 stage, parity, taken, shared, of_batch_<3>, of_head_<3>;\n.reg .b64 map_<3>;"
        );
        for (i, at) in [place::Q, place::K, place::V].into_iter().enumerate() {
            line!(
                self.out,
                "add.u64 map_{i}, param, {at};\nprefetch.tensormap [map_{i}];"
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
        line!(
            self.out,
            "ld.param.u32 part, [p+{}];\ndiv.u32 shared, head, part;",
            place::SHARING
        );
        for (i, head) in ["head", "shared", "shared"].into_iter().enumerate() {
            self.out.matrix(i, place::OF_BATCH, place::OF_HEAD, head);
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
            room.queries
        );
        self.out.boxes(0, self.kernel.depth, ROWS, "q0");
        line!(self.out, "mov.u32 k0, 0;\nmov.u32 step, 0;\n$brought:");
        let [keys, values] = room.first();
        for (of_values, first, bytes) in [(false, keys, room.keys), (true, values, room.values)] {
            let i = 1 + usize::from(of_values);
            let long = match of_values {
                false => self.kernel.depth,
                true => self.kernel.width,
            };
            self.out
                .barrier("empty", "stage", room.barrier(of_values, true));
            self.out
                .barrier("full", "stage", room.barrier(of_values, false));
            line!(
                self.out,
                "{}",
                wait(&format!("$empty_{i}"), "empty", "parity")
            );
            line!(
                self.out,
                "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], {bytes};\nmad.lo.u32 data, stage, {bytes}, base;\nadd.u32 data, data, {first};"
            );
            self.out.boxes(i, long, self.kernel.keys(), "k0");
        }
        self.out.next_stage("stage", "parity", room.stages);
        line!(
            self.out,
            "add.u32 k0, k0, {};\nadd.u32 step, step, 1;\nsetp.lt.u32 q, step, count;\n@q bra $brought;",
            self.kernel.keys()
        );
        line!(self.out, "add.u32 tile, tile, blocks;\nbra $bring;");
    }

    /// The warpgroups that compute.
    fn consume(&mut self, pieces: &Pieces) -> Option<()> {
        let keys = self.kernel.keys();
        let mut score = Score::new(&self.kernel.scores, Way::Forward, keys, pieces);
        line!(
            self.out,
            "$consume:\nsetmaxnreg.inc.sync.aligned.u32 240;\n.reg .f32 s<{}>, o<{}>;\n.reg .b32 w<{}>;",
            keys / 2,
            self.kernel.width / 2,
            keys / 4
        );
        line!(
            self.out,
            ".reg .b32 turn, other, came, of_keys, keys_parity, of_values, values_parity;\n.reg .b64 dq, db, x, y;"
        );
        line!(
            self.out,
            ".reg .f32 scale, most_<2>, sum_<2>, kept_<2>;\nld.param.f32 scale, [p+{}];",
            place::SCALE
        );
        // The first turn is the first warpgroup's.
        line!(
            self.out,
            "add.u32 turn, group_of, 1;\nxor.b32 other, group_of, 1;\nadd.u32 other, other, 1;\nsetp.ne.u32 q, group_of, 0;\n@q barrier.arrive other, 256;"
        );
        line!(
            self.out,
            "mov.u32 came, 0;\nmov.u32 of_keys, 0;\nmov.u32 keys_parity, 0;\nmov.u32 of_values, 0;\nmov.u32 values_parity, 0;"
        );
        self.out
            .operand("dq", "group_of", 0, HALF * SPAN, jit::descriptor(None));
        score.numbers();
        self.out.text.push_str(&score.take());
        line!(
            self.out,
            "$next:\nsetp.ge.u32 q, tile, tiles;\n@q bra $leave;"
        );
        let tiles = self.tiles();
        self.out.place(tiles);
        score.tile();
        self.out.text.push_str(&score.take());
        line!(self.out, "add.u32 full, base, {};", self.room.came);
        line!(self.out, "{}", wait("$came", "full", "came"));
        line!(
            self.out,
            "xor.b32 came, came, 1;\nmov.u32 step, 0;\nmov.u32 k0, 0;"
        );
        for k in 0..self.kernel.width / 2 {
            line!(self.out, "mov.f32 o{k}, 0f00000000;");
        }
        for i in 0..2 {
            line!(
                self.out,
                "mov.f32 most_{i}, 0fFF800000;\nmov.f32 sum_{i}, 0f00000000;"
            );
        }
        self.come(false, "$keys_0");
        line!(self.out, "barrier.sync turn, 256;");
        self.scores();
        line!(
            self.out,
            "barrier.arrive other, 256;\nwgmma.wait_group.sync.aligned 0;"
        );
        self.release(false);
        line!(self.out, "$block:");
        score.block()?;
        self.out.text.push_str(&score.take());
        // The values of the block before are added: theirs may come, and the sums are ours.
        line!(
            self.out,
            "wgmma.wait_group.sync.aligned 0;\nsetp.eq.u32 q, step, 0;\n@q bra $first;"
        );
        self.release(true);
        line!(self.out, "$first:");
        self.weights();
        line!(
            self.out,
            "add.u32 step, step, 1;\nadd.u32 k0, k0, {keys};\nsetp.ge.u32 q, step, count;\n@q bra $last;"
        );
        self.come(false, "$keys_1");
        self.come(true, "$values_0");
        line!(self.out, "barrier.sync turn, 256;");
        self.scores();
        self.values();
        line!(
            self.out,
            "barrier.arrive other, 256;\nwgmma.wait_group.sync.aligned 1;"
        );
        self.release(false);
        line!(self.out, "bra $block;\n$last:");
        // All keys have been multiplied: what is brought next may be the queries of another tile.
        line!(self.out, "add.u32 empty, base, {};", self.room.came + 8);
        self.out.arrive();
        self.come(true, "$values_1");
        line!(self.out, "barrier.sync turn, 256;");
        self.values();
        line!(
            self.out,
            "barrier.arrive other, 256;\nwgmma.wait_group.sync.aligned 0;"
        );
        self.release(true);
        self.give();
        line!(self.out, "add.u32 tile, tile, blocks;\nbra $next;");
        line!(self.out, "$leave:\nret;\n}}");
        Some(())
    }
}
