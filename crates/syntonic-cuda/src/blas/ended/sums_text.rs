//! The text of the sums of a tile: products by the tensor cores of warpgroups, stage by stage.

use super::kernel::{BOX, CONSUMERS, Major, ROWS, SPAN, Team};
use super::text::Writer;
use crate::jit::{descriptor, line, wait};
use std::fmt::Write;
use syntonic_core::DType;

/// Bytes along K that one instruction takes, and how many of them a stage has.
const ALONG: usize = 32;
const STEPS: usize = SPAN / ALONG;

impl Writer<'_> {
    /// The sums of a tile.
    pub(super) fn multiply(&mut self) {
        line!(
            self,
            "div.u32 parity, pos, {stages};\nmul.lo.u32 part, parity, {stages};\nsub.u32 stage, pos, part;\nand.b32 parity, parity, 1;",
            stages = self.room.stages
        );
        if self.kernel.team == Team::Turns {
            line!(self, "barrier.sync turn, 256;");
        }
        line!(self, "mov.u32 ks, 0;\n$sum:");
        line!(self, "shl.b32 full, stage, 3;\nadd.u32 full, full, base;");
        line!(self, "add.u32 full, full, {};", self.room.full);
        line!(self, "{}", wait("$full", "full", "parity"));
        line!(self, "setp.ne.u32 keep, ks, 0;");
        line!(
            self,
            "mad.lo.u32 data, stage, {}, base;\nshr.u32 data, data, 4;\nand.b32 data, data, 0x3FFF;\ncvt.u64.u32 at, data;",
            self.room.stage
        );
        // Where rows lie along K, a box of them is followed by that of the next 64 rows or columns.
        let [a, b] = self
            .kernel
            .majors
            .map(|major| descriptor((major == Major::Outer).then_some(BOX)));
        line!(
            self,
            "or.b64 da, at, {a};\nadd.u64 at, at, {};\nor.b64 db, at, {b};",
            (ROWS * SPAN) >> 4
        );
        if self.kernel.team == Team::Together {
            line!(
                self,
                "cvt.u64.u32 at, group_of;\nmad.lo.u64 da, at, {}, da;",
                BOX >> 4
            );
        }
        line!(self, "wgmma.fence.sync.aligned;");
        for step in 0..STEPS {
            let [of_a, of_b] = self.kernel.majors.map(|major| along(major, step));
            line!(self, "add.u64 y, db, {of_b};");
            for half in 0..CONSUMERS / self.kernel.team.readers() {
                line!(self, "add.u64 x, da, {};", of_a + ((half * BOX) >> 4));
                self.instruction(half, if step == 0 { "keep" } else { "yes" });
            }
        }
        line!(self, "wgmma.commit_group.sync.aligned;");
        // The products before these are done: their stage is free.
        line!(self, "wgmma.wait_group.sync.aligned 1;");
        self.release("keep");
        line!(self, "mov.u32 before, stage;");
        self.next_stage();
        line!(
            self,
            "add.u32 ks, ks, 1;\nsetp.lt.u32 q, ks, depth;\n@q bra $sum;"
        );
        if self.kernel.team == Team::Turns {
            line!(self, "barrier.arrive other, 256;");
        }
        line!(self, "wgmma.wait_group.sync.aligned 0;");
        self.release("yes");
    }

    /// One instruction: 64 rows by all columns of the tile. Sums have the names of two halves, whichever they are of.
    fn instruction(&mut self, half: usize, keep: &str) {
        let columns = self.kernel.columns();
        let first = 64 * half;
        let sums = (first..first + columns / 2).map(|k| format!("a{}_{}", k / 64, k % 64));
        let sums = sums.collect::<Vec<_>>().join(", ");
        let [a, b] = self.kernel.majors.map(|m| u32::from(m == Major::Outer));
        // Neither signs nor majors are to be chosen of whole numbers.
        let (types, chosen) = match self.kernel.factors {
            DType::I8 => ("k32.s32.s8.s8", String::new()),
            DType::F16 => ("k16.f32.f16.f16", format!(", 1, 1, {a}, {b}")),
            _ => ("k16.f32.bf16.bf16", format!(", 1, 1, {a}, {b}")),
        };
        line!(
            self,
            "wgmma.mma_async.sync.aligned.m64n{columns}{types} {{{sums}}}, x, y, {keep}{chosen};"
        );
    }

    /// Gives the stage `before` back to who fills it, where `held` is true: one arrival a warp in each block of the cluster. A warpgroup
    /// has read it once each of its warps has waited. No memory of ours is released by it, so it takes no wider scope, which would cost a
    /// fence of the whole card.
    fn release(&mut self, held: &str) {
        line!(
            self,
            "shl.b32 empty, before, 3;\nadd.u32 empty, empty, base;\nadd.u32 empty, empty, {};",
            self.room.empty
        );
        line!(
            self,
            "setp.lt.and.u32 q, lane, {}, {held};",
            self.kernel.cluster()
        );
        match self.kernel.shared {
            true => {
                line!(self, "mapa.shared::cluster.u32 empty, empty, lane;");
                line!(self, "@q mbarrier.arrive.shared::cluster.b64 _, [empty];");
            }
            false => line!(self, "@q mbarrier.arrive.shared::cta.b64 _, [empty];"),
        }
    }
}

/// How far from the beginning of a stage its step along K is, as descriptors count.
fn along(major: Major, step: usize) -> usize {
    let bytes = match major {
        Major::K => step * ALONG,
        // Two bytes an element: as many rows of the swizzle as an instruction takes along K.
        Major::Outer => step * ALONG / 2 * SPAN,
    };
    bytes >> 4
}
