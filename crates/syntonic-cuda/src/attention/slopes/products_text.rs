//! The text of the products of attention's slopes, of the sums that they need, and of what is written.

use super::super::block_text::listed;
use super::super::kernel::{ACROSS, HALF, ROWS, SPAN};
use super::super::params::place as common;
use super::kernel::{COLS, Gives, Stored};
use super::params::place;
use super::text::Writer;
use crate::jit::{descriptor, line};
use std::fmt::Write;
use syntonic_core::DType;

/// Elements that one instruction takes along what it sums over.
const ALONG: usize = 16;
/// -log2(e), and -inf.
const LESS: &str = "0fBFB8AA3B";
const LEAST: &str = "0fFF800000";

impl Writer<'_> {
    fn half(&self) -> &'static str {
        match self.kernel.dtype {
            DType::F16 => "f16",
            _ => "bf16",
        }
    }

    /// The address of a number of each query of the head, in `at`.
    fn of_queries(&mut self, of: usize) {
        line!(
            self.out,
            "ld.param.u64 at, [p+{of}];\ncvta.to.global.u64 at, at;\nld.param.u32 part, [p+{}];\nld.param.u32 rest, [p+{}];",
            common::HEADS,
            place::QUERIES
        );
        // Heads of rows are heads of queries, or there are fewer.
        if self.kernel.gives != Gives::Queries {
            line!(
                self.out,
                "ld.param.u32 data, [p+{}];\nmul.lo.u32 part, part, data;",
                common::SHARING
            );
        }
        line!(
            self.out,
            "mad.lo.u32 part, batch, part, head;\nmul.wide.u32 along_rows, part, rest;\nmad.lo.u64 at, along_rows, 4, at;"
        );
    }

    /// The sums of the thread's rows, as exponents take them, and their means.
    pub(super) fn sums_of_rows(&mut self) {
        for (name, of) in [("less", place::SUMS), ("mean", place::MEANS)] {
            self.of_queries(of);
            for i in 0..2 {
                // Rows beyond the last have the sums of that; `row_` ends there only where a formula reads.
                line!(
                    self.out,
                    "sub.u32 part, rest, 1;\nmin.u32 part, part, row_{i};\nmul.wide.u32 along_rows, part, 4;\nadd.u64 along_rows, along_rows, at;\nld.global.f32 {name}_{i}, [along_rows];"
                );
            }
        }
        self.exponents(2);
    }

    /// Those of the thread's columns of a block.
    pub(super) fn sums_of_columns(&mut self) {
        line!(self.out, "{{\n.reg .pred in;");
        for (name, of, none) in [
            ("less", place::SUMS, LEAST),
            ("mean", place::MEANS, "0f00000000"),
        ] {
            self.of_queries(of);
            line!(
                self.out,
                "add.u32 column, k0, within;\nmul.wide.u32 along_rows, column, 4;\nadd.u64 at, at, along_rows;"
            );
            for eight in 0..COLS / 8 {
                for lane in 0..2 {
                    let (to, on) = (2 * eight + lane, 8 * eight + lane);
                    line!(
                        self.out,
                        "mov.f32 {name}_{to}, {none};\nadd.u32 part, column, {on};\nsetp.lt.u32 in, part, rest;\n@in ld.global.f32 {name}_{to}, [at+{}];",
                        4 * on
                    );
                }
            }
        }
        self.exponents(COLS / 4);
        line!(self.out, "}}");
    }

    /// What is left of plain scores: less their sums, in units of ln 2. Where nothing was attended to, nothing is left.
    fn exponents(&mut self, count: usize) {
        for k in (0..count).filter(|_| self.kernel.scores.plain) {
            line!(
                self.out,
                "setp.eq.f32 q, less_{k}, {LEAST};\nmul.f32 less_{k}, less_{k}, {LESS};\n@q mov.f32 less_{k}, {LEAST};"
            );
        }
    }

    /// Begins scores, and slopes of weights, of the present block.
    pub(super) fn multiply(&mut self) {
        let (room, [depth, width]) = (self.room, self.kernel.long());
        line!(self.out, "wgmma.fence.sync.aligned;");
        self.products("s", "dr", depth, room.staged);
        if self.kernel.gives.first() {
            self.products("g", "dw", width, room.staged + room.cols[0]);
        }
        line!(self.out, "wgmma.commit_group.sync.aligned;");
    }

    /// Begins the products of what rows and columns have of one kind.
    fn products(&mut self, to: &str, rows: &str, long: usize, first: usize) {
        let half = self.half();
        self.out
            .operand("db", "stage", first, self.room.stage(), descriptor(None));
        let sums = listed(to, COLS / 2);
        for step in 0..long / ALONG {
            let (chunk, inside) = (step * ALONG / ACROSS, step * ALONG % ACROSS * 2);
            let keeps = if step == 0 { "no" } else { "yes" };
            line!(
                self.out,
                "add.u64 x, {rows}, {};\nadd.u64 y, db, {};\nwgmma.mma_async.sync.aligned.m64n{COLS}k16.f32.{half}.{half} {{{sums}}}, x, y, {keeps}, 1, 1, 0, 0;",
                (chunk * ROWS * SPAN + inside) >> 4,
                (chunk * COLS * SPAN + inside) >> 4
            );
        }
    }

    /// Begins adding slopes of scores times the first kind of what columns have, and weights times the second.
    pub(super) fn add(&mut self) {
        let (gives, [depth, width]) = (self.kernel.gives, self.kernel.long());
        let (room, half) = (self.room, self.half());
        for (there, from, to) in [(gives.first(), "g", "w"), (gives.second(), "s", "u")] {
            for pair in (0..COLS / 4).filter(|_| there) {
                line!(
                    self.out,
                    "cvt.rn.{half}x2.f32 {to}{pair}, {from}{}, {from}{};",
                    2 * pair + 1,
                    2 * pair
                );
            }
        }
        line!(self.out, "wgmma.fence.sync.aligned;");
        let sums = [
            (gives.first(), "o", "w", depth, room.staged),
            (gives.second(), "v", "u", width, room.staged + room.cols[0]),
        ];
        for (_, to, factors, long, first) in sums.into_iter().filter(|sum| sum.0) {
            let all = listed(to, long / 2);
            let rest = descriptor(Some(COLS * SPAN));
            self.out.operand("db", "stage", first, room.stage(), rest);
            for step in 0..COLS / ALONG {
                let four: Vec<String> = (4 * step..4 * step + 4)
                    .map(|k| format!("{factors}{k}"))
                    .collect();
                line!(
                    self.out,
                    "add.u64 y, db, {};\nwgmma.mma_async.sync.aligned.m64n{long}k16.f32.{half}.{half} {{{all}}}, {{{}}}, y, yes, 1, 1, 1;",
                    (step * ALONG * SPAN) >> 4,
                    four.join(", ")
                );
            }
        }
        line!(self.out, "wgmma.commit_group.sync.aligned;");
    }

    /// Writes what was added up.
    pub(super) fn give(&mut self) {
        let (gives, [depth, width]) = (self.kernel.gives, self.kernel.long());
        line!(
            self.out,
            "{{\n.reg .pred in, wide_in;\n.reg .f32 factor;\n.reg .b32 row, width, col, rows, word;\n.reg .b64 to, along;\nld.param.u32 rows, [p+{}];\nld.param.f32 factor, [p+{}];\nand.b32 col, lane, 3;\nshl.b32 col, col, 1;",
            common::ROWS,
            place::FACTOR
        );
        // The head of the rows.
        let head = match gives {
            Gives::Queries => "ld.param.u32 part, [p+{H}];\nrem.u32 head, pair, part;",
            _ => "mov.u32 head, shared;",
        };
        line!(
            self.out,
            "{}",
            head.replace("{H}", &common::HEADS.to_string())
        );
        for i in 0..2 {
            line!(
                self.out,
                "and.b32 row, warp, 3;\nshl.b32 row, row, 4;\nshr.u32 part, lane, 2;\nadd.u32 row, row, part;\nmad.lo.u32 row, group_of, {HALF}, row;\nadd.u32 row, row, q0;\nadd.u32 row, row, {};\nsetp.lt.u32 in, row, rows;",
                8 * i
            );
            for (_, which, name, long) in [
                (gives.first(), 0, "o", depth),
                (gives.second(), 1, "v", width),
            ]
            .into_iter()
            .filter(|one| one.0)
            {
                self.row(which);
                self.store(i, which, name, long);
            }
        }
        line!(self.out, "bar.warp.sync 0xffffffff;\n}}");
    }

    /// The address of the row of a result, in `to`, from the thread's first column on.
    fn row(&mut self, which: usize) {
        let lies = place::OUT + 40 * which;
        line!(
            self.out,
            "ld.param.u32 width, [p+{}];\nld.param.u64 to, [p+{lies}];\ncvta.to.global.u64 to, to;",
            place::WIDTHS + 4 * which
        );
        for (k, name) in ["batch", "head", "row"].into_iter().enumerate() {
            line!(
                self.out,
                "ld.param.u64 along, [p+{}];\ncvt.u64.u32 at, {name};\nmad.lo.s64 to, at, along, to;",
                lies + 8 * (k + 1)
            );
        }
        line!(
            self.out,
            "mul.wide.u32 along, col, {};\nadd.s64 to, to, along;",
            match self.kernel.stored[which] {
                Stored::Sums => 4,
                _ => 2,
            }
        );
    }

    fn store(&mut self, i: usize, which: usize, name: &str, long: usize) {
        let half = self.half();
        for eight in 0..long / 8 {
            let first = 4 * eight + 2 * i;
            if which == 0 {
                for k in [first, first + 1] {
                    line!(self.out, "mul.f32 {name}{k}, {name}{k}, factor;");
                }
            }
            line!(
                self.out,
                "add.u32 part, col, {};\nsetp.lt.and.u32 q, part, width, in;\nadd.u32 part, part, 1;\nsetp.lt.and.u32 wide_in, part, width, in;",
                8 * eight
            );
            let second = first + 1;
            match self.kernel.stored[which] {
                Stored::Sums => line!(
                    self.out,
                    "@q st.global.f32 [to+{}], {name}{first};\n@wide_in st.global.f32 [to+{}], {name}{second};",
                    32 * eight,
                    32 * eight + 4
                ),
                Stored::Pairs => line!(
                    self.out,
                    "cvt.rn.{half}x2.f32 word, {name}{second}, {name}{first};\n@q st.global.b32 [to+{}], word;",
                    16 * eight
                ),
                Stored::Each => line!(
                    self.out,
                    "cvt.rn.{half}x2.f32 word, {name}{second}, {name}{first};\n@q st.global.b16 [to+{}], word;\nshr.u32 word, word, 16;\n@wide_in st.global.b16 [to+{}], word;",
                    16 * eight,
                    16 * eight + 2
                ),
            }
        }
    }
}
