//! The text of the two products of attention, and of what becomes of their sums.

use super::kernel::SPAN;
use super::params::place;
use super::text::Writer;
use super::tile_text::Written;
use crate::jit::{descriptor, line, wait};
use std::fmt::Write;

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

    /// Begins the products of the queries and the present keys.
    pub(super) fn scores(&mut self) {
        let [first, _] = self.room.first();
        self.out
            .operand("db", "of_keys", first, self.room.keys, descriptor(None));
        line!(self.out, "wgmma.fence.sync.aligned;");
        let lens = [self.kernel.keys(), self.kernel.depth];
        self.out.multiply("s", "dq", lens, self.kernel.dtype);
        line!(self.out, "wgmma.commit_group.sync.aligned;");
    }

    /// Begins adding the products of weights and the present values.
    pub(super) fn values(&mut self) {
        let [_, first] = self.room.first();
        let leading = descriptor(Some(self.kernel.keys() * SPAN));
        self.out
            .operand("db", "of_values", first, self.room.values, leading);
        line!(self.out, "wgmma.fence.sync.aligned;");
        let lens = [self.kernel.keys(), self.kernel.width];
        self.out.add("o", "w", lens, self.kernel.dtype);
        line!(self.out, "wgmma.commit_group.sync.aligned;");
    }

    /// Weights as the tensor cores take them, and the sums of before by what is left of them.
    pub(super) fn weights(&mut self) {
        self.out
            .round("w", "s", self.kernel.keys(), self.kernel.dtype);
        for k in 0..self.kernel.width / 2 {
            line!(self.out, "mul.f32 o{k}, o{k}, kept_{};", k / 2 % 2);
        }
    }

    /// Divides by the sums of the weights, and writes rows and the logarithms of their sums.
    pub(super) fn give(&mut self) {
        self.out.begin_results();
        line!(self.out, ".reg .f32 t;");
        for i in 0..2 {
            for apart in [1, 2] {
                line!(
                    self.out,
                    "shfl.sync.bfly.b32 t, sum_{i}, {apart}, 31, 0xffffffff;\nadd.f32 sum_{i}, sum_{i}, t;"
                );
            }
            self.out.row(i, place::ROWS);
            self.logarithm(i);
            // A row without a key has no weights: zeros.
            line!(
                self.out,
                "rcp.rn.f32 t, sum_{i};\nsetp.eq.f32 q, sum_{i}, 0f00000000;\nselp.f32 sum_{i}, 0f00000000, t, q;"
            );
            let result = Written {
                sums: "o",
                long: self.kernel.width,
                lies: place::OUT,
                width: place::WIDTH,
                stored: self.kernel.stored,
                factor: Some(["sum_0", "sum_1"][i]),
            };
            self.out.write(i, result, self.kernel.dtype);
        }
        self.out.end_results();
    }

    /// The natural logarithm of the sum of row `i`, to where it belongs; `most_` is in units of ln 2.
    fn logarithm(&mut self, i: usize) {
        line!(
            self.out,
            "lg2.approx.f32 t, sum_{i};\nadd.f32 t, t, most_{i};\nmul.f32 t, t, 0f3F317218;\nsetp.eq.f32 q, sum_{i}, 0f00000000;\nselp.f32 t, 0fFF800000, t, q;"
        );
        line!(
            self.out,
            "ld.param.u64 to, [p+{}];\ncvta.to.global.u64 to, to;\nld.param.u32 part, [p+{}];\nmul.wide.u32 along, pair, part;\ncvt.u64.u32 at, row;\nadd.u64 along, along, at;\nmad.lo.u64 to, along, 4, to;\nand.b32 part, lane, 3;\nsetp.eq.and.u32 q, part, 0, in;\n@q st.global.f32 [to], t;",
            place::SUMS,
            place::ROWS
        );
    }
}

/// The registers of the stage and of the parity of keys, or of values.
fn of(values: bool) -> (&'static str, &'static str) {
    match values {
        false => ("of_keys", "keys_parity"),
        true => ("of_values", "values_parity"),
    }
}
