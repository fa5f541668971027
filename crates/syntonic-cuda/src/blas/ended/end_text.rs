//! The text of the end of a tile: a formula over sums in registers.
//!
//! Thread `t` of a warpgroup has of row `16 (t / 32) + t % 32 / 4` of a half tile, and of the row eight below, two neighbours out of every
//! eight columns: two rows of two columns are a block, two vectors of two elements. Some blocks are one pass of a loop: straight text for all
//! of them takes as long, and three times as long to assemble (kernels/notes/products.md).

use super::kernel::{BOX, BOXES, HALF, Kernel, Kind, SPAN, Store, Team};
use super::operand_text::{in_shared, vector};
use super::params::place;
use crate::jit::{Moved, Pieces, Share, Sharing, Values, line, wait};
use std::fmt::Write;
use syntonic_core::DType;

/// Neighbours in a row of a block.
pub(super) const LANES: usize = 2;
/// The blocks of a half tile, and columns from one to the next.
const BLOCKS: usize = 16;
pub(super) const APART: usize = 8;
/// Blocks that are computed together, so that instructions wait for few of those before; fewer of a form with more values.
const TOGETHER: usize = 4;
const LONG: usize = 40;

pub(super) struct End<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) values: Values<'a>,
    /// Blocks of a pass.
    pub(super) together: usize,
}

impl<'a> End<'a> {
    pub(super) fn new(kernel: &'a Kernel, pieces: &'a Pieces) -> End<'a> {
        let mut sharing = vec![Sharing::Each; kernel.form.values.len()];
        for ((k, _, _), kind) in kernel.form.leaves().zip(&kernel.kinds) {
            sharing[k as usize] = match kind {
                Kind::Number => Sharing::One,
                Kind::Rows => Sharing::Vectors,
                _ => Sharing::Each,
            };
        }
        let mut values = Values::new(&kernel.form, sharing, LANES, pieces);
        values.text.clear();
        let long = kernel.form.values.len() > LONG;
        End {
            kernel,
            values,
            together: if long { TOGETHER / 2 } else { TOGETHER },
        }
    }

    /// The vectors of a pass: two rows of each block.
    pub(super) fn share(&self) -> Share {
        Share {
            lanes: LANES,
            first: 0,
            vectors: 2 * self.together,
        }
    }

    /// The text so far.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.values.text)
    }

    /// The end's operands: value, type, what it is, and which operand.
    fn leaves(&self) -> Vec<(u32, DType, Kind, usize)> {
        let kinds = self.kernel.kinds.iter().enumerate();
        let leaves = self.kernel.form.leaves().zip(kinds);
        leaves
            .map(|((k, _, dtype), (i, &kind))| (k, dtype, kind, i))
            .collect()
    }

    /// What is done before the sums of a tile: its operand is asked for, once the result before has been taken from there.
    pub(super) fn ahead(&mut self) {
        if !self.kernel.brings() {
            return;
        }
        self.for_one();
        line!(self.values, "@!q bra $asked;");
        line!(self.values, "cp.async.bulk.wait_group.read 0;");
        self.barrier_of_operand();
        line!(
            self.values,
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], {};",
            BOXES * BOX
        );
        self.boxes(place::BROUGHT, 3, "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [at32], [at, {ks, k0, rest}], [full];");
        line!(self.values, "$asked:");
    }

    /// The barrier that the operand of the end comes to, in `full`.
    fn barrier_of_operand(&mut self) {
        line!(
            self.values,
            "shl.b32 full, group_of, 3;\nadd.u32 full, full, base;\nadd.u32 full, full, {};",
            self.kernel.room().came
        );
    }

    /// Sets `q` for one thread of the warpgroup.
    fn for_one(&mut self) {
        line!(
            self.values,
            "and.b32 part, tid, 127;\nsetp.eq.u32 q, part, 0;"
        );
    }

    /// Copies the boxes of the consumer's part of the result, of what has its map at `map` and is the `which`-th of those with or without a
    /// batch: from `at` to `at32` or back.
    fn boxes(&mut self, map: usize, which: usize, copy: &str) {
        line!(
            self.values,
            "add.u64 at, param, {map};\nld.param.u32 rest, [p+{}];\nmul.lo.u32 rest, rest, batch;",
            place::BATCHED + 4 * which
        );
        for at in 0..BOXES {
            self.result_box(at);
            line!(self.values, "{copy}");
        }
    }

    /// Where a box of the consumer's part of the result lies in shared memory, in `at32`, and its first column and row, in `ks` and `k0`.
    fn result_box(&mut self, at: usize) {
        let (column, row) = match self.kernel.team {
            Team::Turns => (at / 2, at % 2),
            Team::Together => (at, 0),
        };
        line!(
            self.values,
            "add.u32 at32, buffer, {};\nadd.u32 ks, n0, {};\nadd.u32 k0, m0, {};",
            at * BOX,
            column * HALF,
            row * HALF
        );
        if self.kernel.team == Team::Together {
            line!(self.values, "mad.lo.u32 k0, group_of, {HALF}, k0;");
        }
    }

    /// The end of the tile whose sums are there.
    pub(super) fn write(&mut self) -> Option<()> {
        let together = self.together;
        line!(self.values, "{{\n.reg .pred in0, in1;");
        line!(
            self.values,
            ".reg .b32 m, n, row0, row1, col, col1, first, swizzle, pass, block, half, shared, off_<{together}>, s<{}>;",
            4 * together
        );
        line!(self.values, ".reg .b64 step, wide, to_<2>;");
        line!(
            self.values,
            "ld.param.u32 m, [p+{}];\nld.param.u32 n, [p+{}];",
            place::M,
            place::N
        );
        if self.kernel.scaled {
            line!(
                self.values,
                ".reg .f32 alpha;\nld.param.f32 alpha, [p+{}];",
                place::ALPHA
            );
        }
        // The warp's rows within the half tile, the thread's among them, and its columns.
        line!(
            self.values,
            "and.b32 part, warp, 3;\nshl.b32 part, part, 4;\nshr.u32 swizzle, lane, 2;\nadd.u32 first, part, swizzle;"
        );
        line!(
            self.values,
            "and.b32 rest, lane, 3;\nshl.b32 rest, rest, 1;\nadd.u32 col1, n0, rest;"
        );
        line!(
            self.values,
            "mad.lo.u32 shared, first, {SPAN}, buffer;\nmad.lo.u32 shared, rest, 2, shared;"
        );
        if self.kernel.brings() {
            self.barrier_of_operand();
            line!(self.values, "{}", wait("$came", "full", "came"));
            line!(self.values, "xor.b32 came, came, 1;");
        } else if self.kernel.store == Store::Brought {
            // The result before has been taken from where this one is put.
            self.for_one();
            line!(self.values, "@q cp.async.bulk.wait_group.read 0;");
            self.meet();
        }
        for (k, _, kind, i) in self.leaves() {
            if kind == Kind::Number {
                self.values.declare(k, Share::ONE);
                self.values.number(k, place::operand(i));
            }
        }
        let passes = 2 * BLOCKS / together;
        line!(self.values, "mov.u32 pass, 0;\n$pass:");
        self.take_sums(0, passes);
        line!(self.values, "$taken:");
        self.pass(passes)?;
        line!(
            self.values,
            "add.u32 pass, pass, 1;\nsetp.lt.u32 q, pass, {passes};\n@q bra $pass;"
        );
        match self.kernel.store {
            Store::Brought => self.give(),
            // What was brought has been read once the warpgroup meets.
            Store::Each { .. } if self.kernel.brings() => {
                line!(self.values, "fence.proxy.async.shared::cta;");
                self.meet();
            }
            // Instructions of tensor cores take whole warps.
            Store::Each { .. } => line!(self.values, "bar.warp.sync 0xffffffff;"),
        }
        line!(self.values, "}}");
        Some(())
    }

    /// The sums of one of these passes where the loop has them. Registers have no index, so a tree of branches tells passes apart.
    fn take_sums(&mut self, first: usize, count: usize) {
        if count > 1 {
            let middle = first + count / 2;
            line!(
                self.values,
                "setp.ge.u32 q, pass, {middle};\n@q bra $from{middle};"
            );
            self.take_sums(first, count / 2);
            line!(self.values, "$from{middle}:");
            self.take_sums(middle, count / 2);
            return;
        }
        let elements = self.share().elements().len();
        for j in 0..elements {
            let sum = first * elements + j;
            line!(self.values, "mov.b32 s{j}, a{}_{};", sum / 64, sum % 64);
        }
        line!(self.values, "bra.uni $taken;");
    }

    /// Waits for the threads of the warpgroup.
    fn meet(&mut self) {
        line!(
            self.values,
            "add.u32 part, group_of, 1;\nbarrier.sync part, 128;"
        );
    }

    /// The result, from shared memory to where it belongs.
    fn give(&mut self) {
        line!(self.values, "fence.proxy.async.shared::cta;");
        self.meet();
        self.for_one();
        line!(self.values, "@!q bra $given;");
        self.boxes(place::OUT, 2, "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [at, {ks, k0, rest}], [at32];");
        line!(self.values, "cp.async.bulk.commit_group;\n$given:");
    }

    /// The blocks of a pass.
    fn pass(&mut self, passes: usize) -> Option<()> {
        let (share, together) = (self.share(), self.together);
        line!(self.values, "{{");
        line!(
            self.values,
            "and.b32 block, pass, {};\nmul.lo.u32 block, block, {together};\nshr.u32 half, pass, {};",
            passes / 2 - 1,
            (passes / 2).trailing_zeros()
        );
        line!(self.values, "mad.lo.u32 col, block, {APART}, col1;");
        match self.kernel.team {
            Team::Turns => line!(self.values, "mad.lo.u32 half, half, {HALF}, first;"),
            Team::Together => line!(
                self.values,
                "mad.lo.u32 col, half, {}, col;\nmad.lo.u32 half, group_of, {HALF}, first;",
                2 * HALF
            ),
        }
        line!(self.values, "add.u32 half, half, m0;");
        for i in 0..2 {
            line!(
                self.values,
                "add.u32 row{i}, half, {};\nsetp.lt.u32 in{i}, row{i}, m;",
                8 * i
            );
            // What lies beyond the end is read from the last row, and not written.
            line!(
                self.values,
                "sub.u32 part, m, 1;\nmin.u32 row{i}, row{i}, part;"
            );
        }
        self.places_in_shared(passes);
        let all = 0..self.kernel.form.values.len() as u32;
        for k in all.clone() {
            // Numbers are there already.
            if self.values.sharing[k as usize] != Sharing::One {
                self.values.declare(k, share);
            }
        }
        for (k, dtype, kind, i) in self.leaves() {
            self.load(k, dtype, kind, i);
        }
        for k in all {
            self.values.value(k, share)?;
        }
        let result = *self.kernel.form.outputs.first()?;
        match self.kernel.store {
            Store::Brought => {
                for v in 0..share.vectors {
                    let (place, from) = (in_shared(v), self.values.register(result, v));
                    line!(self.values, "st.shared.b32 [{place}], {from};");
                }
            }
            Store::Each { pairs } => self.store(result, pairs),
        }
        line!(self.values, "}}");
        Some(())
    }

    /// Where the thread's pairs of columns lie in shared memory: units of 16 bytes are exchanged by the row.
    fn places_in_shared(&mut self, passes: usize) {
        if !self.kernel.has_results() {
            return;
        }
        // Boxes lie one after the other: below each other first, or side by side.
        let (half, side) = match self.kernel.team {
            Team::Turns => (BOX, 2 * BOX),
            Team::Together => (2 * BOX, BOX),
        };
        line!(
            self.values,
            "shr.u32 part, pass, {};\nmad.lo.u32 part, part, {half}, shared;\nshr.u32 rest, block, 3;\nmad.lo.u32 part, rest, {side}, part;",
            (passes / 2).trailing_zeros()
        );
        line!(self.values, "and.b32 rest, block, 7;");
        for b in 0..self.together {
            line!(
                self.values,
                "add.u32 off_{b}, rest, {b};\nxor.b32 off_{b}, off_{b}, swizzle;\nshl.b32 off_{b}, off_{b}, 4;\nadd.u32 off_{b}, off_{b}, part;"
            );
        }
    }

    /// The elements of the result, from registers.
    fn store(&mut self, k: u32, pairs: bool) {
        for v in 0..2 {
            self.row(v, place::RESULT);
            line!(self.values, "mov.b64 to_{v}, at;");
        }
        line!(
            self.values,
            "ld.param.u64 step, [p+{}];",
            place::RESULT + 16
        );
        for v in 0..self.share().vectors {
            let i = v % 2;
            line!(
                self.values,
                "add.u32 block, col, {};\nsetp.lt.and.u32 q, block, n, in{i};\ncvt.u64.u32 wide, block;\nmad.lo.s64 at, wide, step, to_{i};",
                v / 2 * APART
            );
            if pairs {
                let moved = Moved {
                    at: "at",
                    apart: 0,
                    guard: "@q ",
                    cache: "",
                };
                self.values.moves("st", k, vector(v), &moved);
                continue;
            }
            line!(
                self.values,
                "add.u32 part, block, 1;\nsetp.lt.and.u32 done, part, n, q;"
            );
            self.values.put(k, vector(v), 0, 0, "@q ");
            line!(self.values, "add.s64 at, at, step;");
            self.values.put(k, vector(v), 1, 0, "@done ");
        }
    }
}
