//! The text of the two products of attention, and of what becomes of their sums.
//!
//! Thread `t` of a warpgroup has of row `16 (t / 32) + t % 32 / 4`, and of the row eight below, two neighbours out of every eight columns. Of two
//! times eight columns these are what an instruction takes as its first operand, so weights go from registers to the tensor cores.

use super::block_text::listed;
use super::kernel::{ACROSS, HALF, ROWS, SPAN};
use super::params::place;
use super::text::Writer;
use crate::jit::{descriptor, line, wait};
use std::fmt::Write;
use syntonic_core::DType;

/// Elements that one instruction takes along what it sums over.
const ALONG: usize = 16;

impl Writer<'_> {
    /// Waits for the present block of keys or values.
    pub(super) fn come(&mut self, values: bool, label: &str) {
        let (stage, parity) = of(values);
        self.out
            .barrier("full", stage, self.room.barrier(values, false));
        line!(self.out, "{}", wait(label, "full", parity));
    }

    /// Lets keys or values come in the place of the present block, which nobody reads any more, and goes to the next one.
    pub(super) fn release(&mut self, values: bool) {
        let (stage, parity) = of(values);
        self.out
            .barrier("empty", stage, self.room.barrier(values, true));
        self.out.arrive();
        self.out.next_stage(stage, parity, self.room.stages);
    }

    fn types(&self) -> &'static str {
        match self.kernel.dtype {
            DType::F16 => "f32.f16.f16",
            _ => "f32.bf16.bf16",
        }
    }

    /// Begins the products of the queries and the present keys.
    pub(super) fn scores(&mut self) {
        let keys = self.kernel.keys();
        let [first, _] = self.room.first();
        self.out
            .operand("db", "of_keys", first, self.room.keys, descriptor(None));
        line!(self.out, "wgmma.fence.sync.aligned;");
        let sums = listed("s", keys / 2);
        for step in 0..self.kernel.depth / ALONG {
            let (chunk, inside) = (step * ALONG / ACROSS, step * ALONG % ACROSS * 2);
            line!(
                self.out,
                "add.u64 x, dq, {};\nadd.u64 y, db, {};",
                (chunk * ROWS * SPAN + inside) >> 4,
                (chunk * keys * SPAN + inside) >> 4
            );
            let keeps = if step == 0 { "no" } else { "yes" };
            line!(
                self.out,
                "wgmma.mma_async.sync.aligned.m64n{keys}k16.{} {{{sums}}}, x, y, {keeps}, 1, 1, 0, 0;",
                self.types()
            );
        }
        line!(self.out, "wgmma.commit_group.sync.aligned;");
    }

    /// Begins adding the products of weights and the present values.
    pub(super) fn values(&mut self) {
        let (keys, width) = (self.kernel.keys(), self.kernel.width);
        let [_, first] = self.room.first();
        let leading = descriptor(Some(keys * SPAN));
        self.out
            .operand("db", "of_values", first, self.room.values, leading);
        line!(self.out, "wgmma.fence.sync.aligned;");
        let sums = listed("o", width / 2);
        for step in 0..keys / ALONG {
            let weights: Vec<String> = (4 * step..4 * step + 4).map(|k| format!("w{k}")).collect();
            line!(
                self.out,
                "add.u64 y, db, {};\nwgmma.mma_async.sync.aligned.m64n{width}k16.{} {{{sums}}}, {{{}}}, y, yes, 1, 1, 1;",
                (step * ALONG * SPAN) >> 4,
                self.types(),
                weights.join(", ")
            );
        }
        line!(self.out, "wgmma.commit_group.sync.aligned;");
    }

    /// Weights as the tensor cores take them, and the sums of before by what is left of them.
    pub(super) fn weights(&mut self) {
        let half = match self.kernel.dtype {
            DType::F16 => "f16x2",
            _ => "bf16x2",
        };
        for pair in 0..self.kernel.keys() / 4 {
            line!(
                self.out,
                "cvt.rn.{half}.f32 w{pair}, s{}, s{};",
                2 * pair + 1,
                2 * pair
            );
        }
        for k in 0..self.kernel.width / 2 {
            line!(self.out, "mul.f32 o{k}, o{k}, kept_{};", k / 2 % 2);
        }
    }

    /// Divides by the sums of the weights, and writes rows and the logarithms of their sums.
    pub(super) fn give(&mut self) {
        line!(
            self.out,
            "{{\n.reg .pred in, wide_in;\n.reg .f32 t, most;\n.reg .b32 row, width, col, queries, word;\n.reg .b64 to, along;"
        );
        line!(
            self.out,
            "ld.param.u32 queries, [p+{}];\nld.param.u32 width, [p+{}];",
            place::ROWS,
            place::WIDTH
        );
        for i in 0..2 {
            for apart in [1, 2] {
                line!(
                    self.out,
                    "shfl.sync.bfly.b32 t, sum_{i}, {apart}, 31, 0xffffffff;\nadd.f32 sum_{i}, sum_{i}, t;"
                );
            }
            self.row(i);
            line!(self.out, "setp.lt.u32 in, row, queries;");
            self.logarithm(i);
            // A row without a key has no weights: zeros.
            line!(
                self.out,
                "rcp.rn.f32 t, sum_{i};\nsetp.eq.f32 q, sum_{i}, 0f00000000;\nselp.f32 sum_{i}, 0f00000000, t, q;"
            );
            self.place_of_row();
            self.store_row(i);
        }
        line!(self.out, "bar.warp.sync 0xffffffff;\n}}");
    }

    /// The number of row `i` of this thread, in `row`.
    fn row(&mut self, i: usize) {
        line!(
            self.out,
            "and.b32 row, warp, 3;\nshl.b32 row, row, 4;\nshr.u32 part, lane, 2;\nadd.u32 row, row, part;\nmad.lo.u32 row, group_of, {HALF}, row;\nadd.u32 row, row, q0;\nadd.u32 row, row, {};",
            8 * i
        );
    }

    /// The natural logarithm of the sum of row `i`, to where it belongs; `most_` is in units of ln 2.
    fn logarithm(&mut self, i: usize) {
        line!(
            self.out,
            "lg2.approx.f32 t, sum_{i};\nadd.f32 t, t, most_{i};\nmul.f32 t, t, 0f3F317218;\nsetp.eq.f32 q, sum_{i}, 0f00000000;\nselp.f32 t, 0fFF800000, t, q;"
        );
        line!(
            self.out,
            "ld.param.u64 to, [p+{}];\ncvta.to.global.u64 to, to;\nmul.wide.u32 along, pair, queries;\ncvt.u64.u32 at, row;\nadd.u64 along, along, at;\nmad.lo.u64 to, along, 4, to;\nand.b32 part, lane, 3;\nsetp.eq.and.u32 q, part, 0, in;\n@q st.global.f32 [to], t;",
            place::SUMS
        );
    }

    /// The address of the row of the result, in `to`, from the thread's first column on.
    fn place_of_row(&mut self) {
        line!(
            self.out,
            "ld.param.u64 to, [p+{}];\ncvta.to.global.u64 to, to;",
            place::OUT
        );
        for (k, name) in ["batch", "head", "row"].into_iter().enumerate() {
            line!(
                self.out,
                "ld.param.u64 along, [p+{}];\ncvt.u64.u32 at, {name};\nmad.lo.s64 to, at, along, to;",
                place::OUT + 8 * (k + 1)
            );
        }
        line!(
            self.out,
            "and.b32 col, lane, 3;\nshl.b32 col, col, 1;\nmad.wide.u32 to, col, 2, to;"
        );
    }

    fn store_row(&mut self, i: usize) {
        let half = match self.kernel.dtype {
            DType::F16 => "f16x2",
            _ => "bf16x2",
        };
        for eight in 0..self.kernel.width / 8 {
            let first = 4 * eight + 2 * i;
            for k in [first, first + 1] {
                line!(self.out, "mul.f32 o{k}, o{k}, sum_{i};");
            }
            line!(
                self.out,
                "cvt.rn.{half}.f32 word, o{}, o{first};\nadd.u32 part, col, {};\nsetp.lt.and.u32 q, part, width, in;",
                first + 1,
                8 * eight
            );
            match self.kernel.in_pairs {
                true => line!(self.out, "@q st.global.b32 [to+{}], word;", 16 * eight),
                false => {
                    line!(
                        self.out,
                        "add.u32 part, part, 1;\nsetp.lt.and.u32 wide_in, part, width, in;\n@q st.global.b16 [to+{}], word;\nshr.u32 word, word, 16;\n@wide_in st.global.b16 [to+{}], word;",
                        16 * eight,
                        16 * eight + 2
                    );
                }
            }
        }
    }
}

/// The registers of the stage and of the parity of keys, or of values.
fn of(values: bool) -> (&'static str, &'static str) {
    match values {
        false => ("of_keys", "keys_parity"),
        true => ("of_values", "values_parity"),
    }
}
