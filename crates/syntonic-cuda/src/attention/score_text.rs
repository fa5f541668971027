//! The text of scores: the formula over the products of a block of keys, what no query attends to, and the weights by the largest
//! score so far.

use super::kernel::HALF;
use super::params::place;
use super::scores::{Kind, Scores};
use crate::jit::{Pieces, Share, Sharing, Values, line};
use std::fmt::Write;
use syntonic_core::DType;

/// Neighbours in a row that a thread has.
pub(super) const LANES: usize = 2;
/// Eights of columns that are computed together: what asks once for all elements of a text asks seldom.
pub(super) const TOGETHER: usize = 4;
/// log2(e).
const LOG2_E: &str = "0f3FB8AA3B";
/// -inf.
const LEAST: &str = "0fFF800000";

/// What becomes of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Weights, and their sums: rows are queries.
    Forward,
    /// Weights by the sums that are known, and slopes of scores: rows are queries, or keys.
    ToQueries,
    ToKeys,
}

pub(super) struct Score<'a> {
    pub(super) scores: &'a Scores,
    pub(super) way: Way,
    /// Columns of a block.
    cols: usize,
    /// Whether slopes are wanted, or weights alone.
    pub(super) sloped: bool,
    pub(super) values: Values<'a>,
}

impl<'a> Score<'a> {
    pub(super) fn new(scores: &'a Scores, way: Way, cols: usize, pieces: &'a Pieces) -> Score<'a> {
        let mut sharing = vec![Sharing::Each; scores.form.values.len()];
        for ((k, _, _), kind) in scores.form.leaves().zip(&scores.kinds) {
            sharing[k as usize] = match kind {
                Kind::Number | Kind::Head | Kind::Index { row: 0, col: 0 } => Sharing::One,
                Kind::Rows | Kind::Index { col: 0, .. } => Sharing::Vectors,
                _ => Sharing::Each,
            };
        }
        let mut values = Values::new(&scores.form, sharing, LANES, pieces);
        values.text.clear();
        Score {
            scores,
            way,
            cols,
            sloped: way != Way::Forward,
            values,
        }
    }

    /// The text so far.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.values.text)
    }

    /// The elements of a pass: two rows of each eight columns.
    pub(super) fn share() -> Share {
        Share {
            lanes: LANES,
            first: 0,
            vectors: 2 * TOGETHER,
        }
    }

    /// The operands: value, type, what it is, and which.
    fn leaves(&self) -> Vec<(u32, DType, Kind, usize)> {
        let kinds = self.scores.kinds.iter().enumerate();
        let leaves = self.scores.form.leaves().zip(kinds);
        leaves
            .map(|((k, _, dtype), (i, &kind))| (k, dtype, kind, i))
            .collect()
    }

    /// Before the first tile: the numbers, and the registers of what a tile knows.
    pub(super) fn numbers(&mut self) {
        line!(
            self.values,
            ".reg .b32 row_<2>, limit_<2>, within;\n.reg .b64 wide, along;"
        );
        if self.scores.plain {
            line!(self.values, "mul.f32 scale, scale, {LOG2_E};");
            return;
        }
        for (k, _, kind, i) in self.leaves() {
            match kind {
                Kind::Number => {
                    self.values.declare(k, Share::ONE);
                    self.values.number(k, place::operand(i));
                }
                Kind::Head | Kind::Index { row: 0, col: 0 } => self.values.declare(k, Share::ONE),
                Kind::Rows | Kind::Index { col: 0, .. } => self.values.declare(k, Self::share()),
                Kind::Score | Kind::Slope | Kind::Sum | Kind::Mean => {}
                Kind::Columns | Kind::Each | Kind::Index { .. } => {
                    line!(self.values, ".reg .b64 f{k}_<2>;");
                }
            }
        }
    }

    /// What all blocks of a tile know: rows, their last keys, and operands that do not vary along keys.
    pub(super) fn tile(&mut self) {
        line!(
            self.values,
            "and.b32 row_0, warp, 3;\nshl.b32 row_0, row_0, 4;\nshr.u32 part, lane, 2;\nadd.u32 row_0, row_0, part;\nmad.lo.u32 row_0, group_of, {HALF}, row_0;\nadd.u32 row_0, row_0, q0;\nadd.u32 row_1, row_0, 8;"
        );
        line!(
            self.values,
            "ld.param.u32 part, [p+{}];\nsub.u32 part, part, 1;\nand.b32 within, lane, 3;\nshl.b32 within, within, 1;",
            place::COLS
        );
        for i in 0..2 {
            match (self.scores.causal, self.way) {
                (true, Way::ToKeys) => line!(self.values, "mov.u32 limit_{i}, row_{i};"),
                (true, _) => line!(self.values, "min.u32 limit_{i}, row_{i}, part;"),
                (false, _) => line!(self.values, "mov.u32 limit_{i}, part;"),
            }
            line!(self.values, "sub.u32 limit_{i}, limit_{i}, within;");
        }
        if self.scores.plain {
            return;
        }
        // What lies beyond the end is read from the last row.
        line!(
            self.values,
            "ld.param.u32 part, [p+{}];\nsub.u32 part, part, 1;\nmin.u32 row_0, row_0, part;\nmin.u32 row_1, row_1, part;",
            place::ROWS
        );
        for (k, _, kind, i) in self.leaves() {
            match kind {
                Kind::Number | Kind::Score | Kind::Slope | Kind::Sum | Kind::Mean => {}
                Kind::Index { row, col } => self.index_of_tile(k, i, row, col),
                Kind::Head => {
                    self.of_head(i, true);
                    self.values.single(k, 0, "at");
                }
                Kind::Rows => {
                    for v in 0..2 {
                        self.of_row(i, v);
                        self.values.single(k, v, "at");
                    }
                    for v in 2..Self::share().vectors {
                        self.values.copy(k, v % 2, v);
                    }
                }
                Kind::Columns => {
                    self.of_head(i, true);
                    line!(self.values, "mov.b64 f{k}_0, at;");
                }
                Kind::Each => {
                    for v in 0..2 {
                        self.of_row(i, v);
                        line!(self.values, "mov.b64 f{k}_{v}, at;");
                    }
                }
            }
        }
    }

    /// The weights of a block of keys, where their products are.
    pub(super) fn block(&mut self) -> Option<()> {
        if !self.scores.plain {
            for pass in 0..self.cols / 8 / TOGETHER {
                self.pass(pass)?;
            }
        }
        self.cut();
        match self.way {
            Way::Forward => self.exponents(),
            _ if self.scores.plain => self.slopes(),
            _ => {}
        }
        Some(())
    }

    /// The formula over some eights of columns.
    fn pass(&mut self, pass: usize) -> Option<()> {
        let share = Self::share();
        line!(
            self.values,
            "{{\n.reg .pred in;\n.reg .b32 col, last;\n.reg .b64 step, first;"
        );
        line!(
            self.values,
            "ld.param.u32 last, [p+{}];\nsub.u32 last, last, 1;\nadd.u32 col, k0, within;\nadd.u32 col, col, {};",
            place::COLS,
            8 * TOGETHER * pass
        );
        let of_tile = |kind: Kind| {
            matches!(
                kind,
                Kind::Number | Kind::Head | Kind::Rows | Kind::Index { col: 0, .. }
            )
        };
        let leaves = self.leaves();
        let there: Vec<u32> = leaves
            .iter()
            .filter(|leaf| of_tile(leaf.2))
            .map(|leaf| leaf.0)
            .collect();
        let all = 0..self.scores.form.values.len() as u32;
        for k in all.clone().filter(|k| !there.contains(k)) {
            self.values.declare(k, share);
        }
        for (k, _, kind, i) in leaves {
            self.load(k, kind, i, pass);
        }
        for k in all {
            self.values.value(k, share)?;
        }
        let results = self.scores.form.outputs.iter().zip(match self.way {
            Way::Forward => &["s"][..],
            Way::ToQueries => &["g"],
            Way::ToKeys => &["s", "g"],
        });
        for (&result, to) in results {
            for j in share.elements() {
                let from = self.values.register(result, j);
                let k = pass * share.elements().len() + j;
                line!(self.values, "mov.b32 {to}{k}, {from};");
            }
        }
        line!(self.values, "}}");
        Some(())
    }

    /// Scores of keys beyond the last, or ahead of the query, are none: -inf; weights and slopes that a program gave are 0.
    fn cut(&mut self) {
        line!(
            self.values,
            "{{\n.reg .pred out;\n.reg .b32 left, last;\nadd.u32 part, k0, {};\nld.param.u32 last, [p+{}];\nsetp.gt.u32 q, part, last;",
            self.cols,
            place::COLS
        );
        if self.scores.causal {
            // Whether some column is ahead of the first row of the warpgroup; where keys are the rows, before the last one.
            line!(self.values, "mad.lo.u32 rest, group_of, {HALF}, q0;");
            match self.way {
                Way::ToKeys => line!(
                    self.values,
                    "add.u32 rest, rest, {};\nsetp.lt.or.u32 q, k0, rest, q;",
                    HALF - 1
                ),
                _ => line!(
                    self.values,
                    "add.u32 rest, rest, 1;\nsetp.gt.or.u32 q, part, rest, q;"
                ),
            }
        }
        line!(
            self.values,
            "@!q bra $whole;\nsub.u32 last, last, 1;\nsub.u32 last, last, within;\nsub.u32 last, last, k0;"
        );
        for i in 0..2 {
            line!(self.values, "sub.u32 left, limit_{i}, k0;");
            for (eight, lane) in (0..self.cols / 8).flat_map(|e| [(e, 0), (e, 1)]) {
                let (k, on) = (4 * eight + 2 * i + lane, 8 * eight + lane);
                match (self.way, self.scores.causal) {
                    (Way::ToKeys, true) => line!(
                        self.values,
                        "setp.lt.s32 out, last, {on};\nsetp.gt.or.s32 out, left, {on}, out;"
                    ),
                    (Way::ToKeys, false) => line!(self.values, "setp.lt.s32 out, last, {on};"),
                    _ => line!(self.values, "setp.lt.s32 out, left, {on};"),
                }
                match self.way == Way::Forward || self.scores.plain {
                    true => line!(self.values, "@out mov.f32 s{k}, {LEAST};"),
                    false => line!(
                        self.values,
                        "@out mov.f32 s{k}, 0f00000000;\n@out mov.f32 g{k}, 0f00000000;"
                    ),
                }
            }
        }
        line!(self.values, "$whole:\n}}");
    }

    /// Which of the sums are those of element `k`: its row's, or its column's.
    pub(super) fn sums(&self, k: usize) -> usize {
        match self.way {
            Way::ToKeys => k / 4 * 2 + k % 2,
            _ => k / 2 % 2,
        }
    }

    /// Weights in the place of plain scores, and slopes of scores in the place of slopes of weights.
    fn slopes(&mut self) {
        for k in 0..self.cols / 2 {
            let sums = self.sums(k);
            line!(
                self.values,
                "fma.rn.f32 s{k}, s{k}, scale, less_{sums};\nex2.approx.ftz.f32 s{k}, s{k};"
            );
            if self.sloped {
                line!(
                    self.values,
                    "sub.f32 g{k}, g{k}, mean_{sums};\nmul.f32 g{k}, g{k}, s{k};"
                );
            }
        }
    }

    /// Weights by the largest score so far, their sum, and what is left of those before.
    fn exponents(&mut self) {
        // A formula's scores are there; plain ones take their factor here.
        let (scale, eights) = match self.scores.plain {
            true => ("scale", self.cols / 8),
            false => (LOG2_E, self.cols / 8),
        };
        line!(self.values, "{{\n.reg .f32 t, base_of, new, total;");
        for i in 0..2 {
            let own: Vec<String> = (0..eights)
                .flat_map(|e| [4 * e + 2 * i, 4 * e + 2 * i + 1])
                .map(|s| format!("s{s}"))
                .collect();
            line!(self.values, "max.f32 new, {}, {};", own[0], own[1]);
            for s in &own[2..] {
                line!(self.values, "max.f32 new, new, {s};");
            }
            for apart in [1, 2] {
                line!(
                    self.values,
                    "shfl.sync.bfly.b32 t, new, {apart}, 31, 0xffffffff;\nmax.f32 new, new, t;"
                );
            }
            // In units of ln 2. A row that attends to nothing so far is told from 0.
            line!(
                self.values,
                "mul.f32 new, new, {scale};\nmax.f32 new, new, most_{i};\nsetp.eq.f32 q, new, {LEAST};\nselp.f32 base_of, 0f00000000, new, q;"
            );
            line!(
                self.values,
                "sub.f32 t, most_{i}, base_of;\nex2.approx.ftz.f32 kept_{i}, t;\nmov.f32 most_{i}, new;\nneg.f32 base_of, base_of;"
            );
            line!(self.values, "mov.f32 total, 0f00000000;");
            for s in &own {
                line!(
                    self.values,
                    "fma.rn.f32 {s}, {s}, {scale}, base_of;\nex2.approx.ftz.f32 {s}, {s};\nadd.f32 total, total, {s};"
                );
            }
            line!(self.values, "fma.rn.f32 sum_{i}, sum_{i}, kept_{i}, total;");
        }
        line!(self.values, "}}");
    }
}
