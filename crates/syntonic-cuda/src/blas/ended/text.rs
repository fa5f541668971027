//! The text of a product with its end, for cards of 9.0: one warpgroup brings tiles of the factors into a ring of stages, and two
//! multiply and end.
//!
//! Tiles come to the ring in the order in which the consumers take them. Of two that take turns, one begins with its tile once the other
//! has waited for all stages of the tile before: the phases of a barrier are told apart by one bit, so nobody may wait for one that is further ahead.

use super::end_text::End;
use super::kernel::{BOX, BOXES, CONSUMERS, HALF, Kernel, Major, ROWS, Room, SPAN, THREADS, Team};
use super::params::{Params, place};
use crate::jit::{self, Kernel as _, Pieces, line, wait, with_tensor_cores};
use std::fmt::Write;
use syntonic_core::DType;

/// The first barrier of the turns: those before are of all threads and of each consumer's own.
const TURNS: usize = 1 + CONSUMERS;

/// The text of a kernel for a card; nothing where some operation has no piece.
pub(super) fn text(kernel: &Kernel, capability: (u32, u32)) -> Option<String> {
    let pieces = Pieces::of(&jit::parts(&kernel.form)?, capability)?;
    let mut writer = Writer {
        kernel,
        room: kernel.room(),
        text: with_tensor_cores(&pieces.header),
    };
    writer.begin();
    writer.bring();
    writer.consume(&pieces)?;
    Some(writer.text)
}

pub(super) struct Writer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) room: Room,
    pub(super) text: String,
}

impl Writer<'_> {
    /// The head of the kernel, the barriers, and the parting of the roles.
    fn begin(&mut self) {
        let (name, size) = (self.kernel.name(), size_of::<Params>());
        line!(self, ".extern .shared .align 16 .b8 room[];");
        line!(
            self,
            ".visible .entry {name}(.param .align 64 .b8 p[{size}])"
        );
        line!(self, ".maxntid {THREADS}, 1, 1\n.minnctapersm 1\n{{");
        line!(self, ".reg .pred q, done, keep, yes;");
        line!(
            self,
            ".reg .b32 tid, lane, warp, base, rank, at32, part, rest;"
        );
        line!(
            self,
            ".reg .b32 tile, tiles, clusters, down, across, group, batch, m0, n0;"
        );
        line!(
            self,
            ".reg .b32 depth, ks, k0, stage, parity, full, empty, data, before;"
        );
        line!(self, ".reg .b64 at, param, map_a, map_b;");
        line!(
            self,
            "mov.u32 tid, %tid.x;\nand.b32 lane, tid, 31;\nshr.u32 warp, tid, 5;"
        );
        line!(
            self,
            "mov.u32 base, room;\nadd.u32 base, base, 1023;\nand.b32 base, base, -1024;"
        );
        line!(self, "ld.param.u32 depth, [p+{}];", place::DEPTH);
        line!(self, "ld.param.u32 tiles, [p+{}];", place::TILES);
        line!(self, "ld.param.u32 down, [p+{}];", place::DOWN);
        line!(self, "ld.param.u32 across, [p+{}];", place::ACROSS);
        line!(self, "ld.param.u32 group, [p+{}];", place::GROUP);
        line!(self, "mov.b64 param, p;\ncvta.param.u64 param, param;");
        line!(
            self,
            "mov.u32 tile, %ctaid.x;\nmov.u32 clusters, %nctaid.x;\nmov.u32 rank, 0;"
        );
        if self.kernel.shared {
            line!(self, "and.b32 rank, tile, 1;\nshr.u32 tile, tile, 1;");
            line!(self, "shr.u32 clusters, clusters, 1;");
        }
        self.barriers();
        line!(
            self,
            "setp.ge.u32 q, tid, {};\n@!q bra $consume;",
            128 * CONSUMERS
        );
    }

    fn barriers(&mut self) {
        let room = self.room;
        let consumers = 4 * self.kernel.team.readers() * self.kernel.cluster();
        line!(self, "setp.ne.u32 q, tid, 0;\n@q bra $ready;");
        for stage in 0..room.stages {
            for (from, arrivals) in [(room.full, 1), (room.empty, consumers)] {
                let at = from + 8 * stage;
                line!(
                    self,
                    "mbarrier.init.shared::cta.b64 [base+{at}], {arrivals};"
                );
            }
        }
        for consumer in 0..CONSUMERS {
            let at = room.came + 8 * consumer;
            line!(self, "mbarrier.init.shared::cta.b64 [base+{at}], 1;");
        }
        line!(
            self,
            "fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;\n$ready:"
        );
        self.meet();
    }

    /// Waits for all threads of the cluster.
    fn meet(&mut self) {
        match self.kernel.shared {
            true => line!(
                self,
                "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;"
            ),
            false => line!(self, "barrier.sync 0;"),
        }
    }

    /// Where the tile in `tile` is: its first row, first column and matrix. Tiles of a group of rows come column by column, so that blocks
    /// at work together share both factors in L2.
    fn place(&mut self) {
        let cluster = self.kernel.cluster();
        line!(
            self,
            "mul.lo.u32 part, down, across;\ndiv.u32 batch, tile, part;\nrem.u32 rest, tile, part;"
        );
        line!(
            self,
            "mul.lo.u32 part, group, across;\ndiv.u32 m0, rest, part;"
        );
        line!(
            self,
            "mul.lo.u32 part, part, m0;\nsub.u32 rest, rest, part;\nmul.lo.u32 m0, m0, group;"
        );
        line!(self, "sub.u32 part, down, m0;\nmin.u32 part, part, group;");
        line!(
            self,
            "div.u32 n0, rest, part;\nrem.u32 rest, rest, part;\nadd.u32 m0, m0, rest;"
        );
        line!(self, "mad.lo.u32 m0, m0, {cluster}, rank;");
        line!(
            self,
            "mul.lo.u32 m0, m0, {ROWS};\nmul.lo.u32 n0, n0, {};",
            self.kernel.columns()
        );
    }

    /// Goes to the next stage.
    pub(super) fn next_stage(&mut self) {
        line!(
            self,
            "add.u32 stage, stage, 1;\nsetp.eq.u32 q, stage, {};",
            self.room.stages
        );
        line!(
            self,
            "selp.u32 stage, 0, stage, q;\n@q xor.b32 parity, parity, 1;"
        );
    }

    /// The warpgroup that brings the operands: one thread of it.
    fn bring(&mut self) {
        line!(self, "setmaxnreg.dec.sync.aligned.u32 40;");
        line!(
            self,
            "setp.ne.u32 q, tid, {};\n@q bra $leave;",
            128 * CONSUMERS
        );
        line!(self, ".reg .b32 batch_a, batch_b, box;\n.reg .b16 both;");
        line!(
            self,
            "add.u64 map_a, param, {};\nadd.u64 map_b, param, {};",
            place::A,
            place::B
        );
        line!(
            self,
            "prefetch.tensormap [map_a];\nprefetch.tensormap [map_b];"
        );
        line!(
            self,
            "mov.u32 stage, 0;\nmov.u32 parity, 1;\nmov.u16 both, 3;"
        );
        line!(self, "$bring:\nsetp.ge.u32 q, tile, tiles;\n@q bra $leave;");
        self.place();
        for (axis, batch) in ["batch_a", "batch_b"].into_iter().enumerate() {
            let at = place::BATCHED + 4 * axis;
            line!(
                self,
                "ld.param.u32 part, [p+{at}];\nmul.lo.u32 {batch}, batch, part;"
            );
        }
        line!(self, "mov.u32 ks, 0;\nmov.u32 k0, 0;\n$brought:");
        line!(
            self,
            "shl.b32 part, stage, 3;\nadd.u32 part, part, base;\nadd.u32 empty, part, {};\nadd.u32 full, part, {};",
            self.room.empty,
            self.room.full
        );
        line!(self, "{}", wait("$empty", "empty", "parity"));
        line!(
            self,
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], {};",
            self.room.stage
        );
        line!(self, "mad.lo.u32 data, stage, {}, base;", self.room.stage);
        for at in 0..ROWS / HALF {
            self.brought_box(0, at, None);
        }
        let boxes = self.kernel.columns() / HALF;
        for at in 0..boxes / self.kernel.cluster() {
            self.brought_box(1, at, self.kernel.shared.then_some("both"));
        }
        self.next_stage();
        line!(
            self,
            "add.u32 k0, k0, {};\nadd.u32 ks, ks, 1;\nsetp.lt.u32 q, ks, depth;\n@q bra $brought;",
            self.kernel.depth()
        );
        line!(self, "add.u32 tile, tile, clusters;\nbra $bring;");
    }

    /// A box of the tile of a factor, or, for both blocks of a cluster, of the half that this block brings.
    fn brought_box(&mut self, factor: usize, at: usize, both: Option<&str>) {
        let (map, outer, batch) = [("map_a", "m0", "batch_a"), ("map_b", "n0", "batch_b")][factor];
        line!(
            self,
            "add.u32 at32, data, {};\nadd.u32 box, {outer}, {};",
            factor * ROWS * SPAN + at * BOX,
            at * HALF
        );
        if both.is_some() {
            let half = self.kernel.columns() / 2;
            line!(
                self,
                "mad.lo.u32 at32, rank, {}, at32;\nmad.lo.u32 box, rank, {half}, box;",
                half * SPAN
            );
        }
        let place = match self.kernel.majors[factor] {
            Major::K => "k0, box",
            Major::Outer => "box, k0",
        };
        let (multicast, mask) = match both {
            Some(both) => (".multicast::cluster", format!(", {both}")),
            None => ("", String::new()),
        };
        line!(
            self,
            "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes{multicast} [at32], [{map}, {{{place}, {batch}}}], [full]{mask};"
        );
    }

    /// The warpgroups that multiply and end.
    fn consume(&mut self, pieces: &Pieces) -> Option<()> {
        line!(self, "$consume:\nsetmaxnreg.inc.sync.aligned.u32 232;");
        let sums = match self.kernel.factors {
            DType::I8 => "s32",
            _ => "f32",
        };
        line!(
            self,
            ".reg .{sums} a0_<64>, a1_<64>;\n.reg .b32 group_of, came, buffer, pos, turn, other;\n.reg .b64 da, db, x, y;"
        );
        line!(self, "shr.u32 group_of, tid, 7;");
        line!(
            self,
            "mad.lo.u32 buffer, group_of, {}, base;\nadd.u32 buffer, buffer, {};",
            BOXES * BOX,
            self.room.results
        );
        line!(self, "mov.u32 came, 0;\nsetp.eq.u32 yes, tid, tid;");
        match self.kernel.team {
            Team::Turns => {
                line!(
                    self,
                    "mad.lo.u32 tile, group_of, clusters, tile;\nmul.lo.u32 clusters, clusters, {CONSUMERS};\nmul.lo.u32 pos, group_of, depth;"
                );
                // The first turn is the first consumer's.
                line!(
                    self,
                    "add.u32 turn, group_of, {TURNS};\nsub.u32 other, {}, turn;",
                    2 * TURNS + 1
                );
                line!(
                    self,
                    "setp.ne.u32 q, group_of, 0;\n@q barrier.arrive other, 256;"
                );
            }
            Team::Together => line!(self, "mov.u32 pos, 0;"),
        }
        line!(self, "$next:\nsetp.ge.u32 q, tile, tiles;\n@q bra $leave;");
        self.place();
        let mut end = End::new(self.kernel, pieces);
        end.ahead();
        self.text.push_str(&end.take());
        self.multiply();
        end.write()?;
        self.text.push_str(&end.take());
        line!(
            self,
            "add.u32 tile, tile, clusters;\nmad.lo.u32 pos, depth, {}, pos;\nbra $next;",
            CONSUMERS / self.kernel.team.readers()
        );
        line!(self, "$leave:\n");
        if self.kernel.has_results() {
            line!(self, "cp.async.bulk.wait_group 0;");
        }
        if self.kernel.shared {
            self.meet();
        }
        line!(self, "ret;\n}}");
        Some(())
    }
}
