//! The text of the products of attention's slopes, of the sums that they need, and of what is written.

use super::super::kernel::SPAN;
use super::super::params::{Lies, place as common};
use super::super::tile_text::Written;
use super::kernel::{COLS, Gives};
use super::params::place;
use super::text::Writer;
use crate::jit::{descriptor, line};
use std::fmt::Write;

/// -log2(e), and -inf.
const LESS: &str = "0fBFB8AA3B";
const LEAST: &str = "0fFF800000";

impl Writer<'_> {
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
        let (room, [depth, width], dtype) = (self.room, self.kernel.long(), self.kernel.dtype);
        let whole = descriptor(None);
        line!(self.out, "wgmma.fence.sync.aligned;");
        self.out
            .operand("db", "stage", room.staged, room.stage(), whole);
        self.out.multiply("s", "dr", [COLS, depth], dtype);
        if self.kernel.gives.first() {
            let first = room.staged + room.cols[0];
            self.out.operand("db", "stage", first, room.stage(), whole);
            self.out.multiply("g", "dw", [COLS, width], dtype);
        }
        line!(self.out, "wgmma.commit_group.sync.aligned;");
    }

    /// Begins adding slopes of scores times the first kind of what columns have, and weights times the second.
    pub(super) fn add(&mut self) {
        let (gives, room, dtype) = (self.kernel.gives, self.room, self.kernel.dtype);
        let [depth, width] = self.kernel.long();
        let all = [
            (gives.first(), ["o", "w", "g"], depth, room.staged),
            (
                gives.second(),
                ["v", "u", "s"],
                width,
                room.staged + room.cols[0],
            ),
        ];
        for (_, [_, words, sums], ..) in all.into_iter().filter(|one| one.0) {
            self.out.round(words, sums, COLS, dtype);
        }
        line!(self.out, "wgmma.fence.sync.aligned;");
        for (_, [to, words, _], long, first) in all.into_iter().filter(|one| one.0) {
            let leading = descriptor(Some(COLS * SPAN));
            self.out
                .operand("db", "stage", first, room.stage(), leading);
            self.out.add(to, words, [COLS, long], dtype);
        }
        line!(self.out, "wgmma.commit_group.sync.aligned;");
    }

    /// Writes what was added up.
    pub(super) fn give(&mut self) {
        let (gives, [depth, width]) = (self.kernel.gives, self.kernel.long());
        self.out.begin_results();
        line!(
            self.out,
            ".reg .f32 factor;\nld.param.f32 factor, [p+{}];",
            place::FACTOR
        );
        // The head of the rows.
        match gives {
            Gives::Queries => line!(
                self.out,
                "ld.param.u32 part, [p+{}];\nrem.u32 head, pair, part;",
                common::HEADS
            ),
            _ => line!(self.out, "mov.u32 head, shared;"),
        }
        let results = [
            (gives.first(), "o", depth, Some("factor")),
            (gives.second(), "v", width, None),
        ];
        for i in 0..2 {
            self.out.row(i, common::ROWS);
            for (which, (there, sums, long, factor)) in results.into_iter().enumerate() {
                let result = Written {
                    sums,
                    long,
                    lies: place::OUT + size_of::<Lies>() * which,
                    width: place::WIDTHS + 4 * which,
                    stored: self.kernel.stored[which],
                    factor,
                };
                if there {
                    self.out.write(i, result, self.kernel.dtype);
                }
            }
        }
        self.out.end_results();
    }
}
