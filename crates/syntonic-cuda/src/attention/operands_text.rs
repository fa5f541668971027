//! The text that reads the operands of a score where a thread has its products.

use super::params::place;
use super::score_text::{LANES, Score, TOGETHER};
use super::scores::Kind;
use crate::jit::{Share, line};
use std::fmt::Write;

impl Score<'_> {
    /// Where operand `i` begins for the head, in `at`: an address, or the number of an index.
    pub(super) fn of_head(&mut self, i: usize, in_memory: bool) {
        let lies = place::operand(i);
        line!(self.values, "ld.param.u64 at, [p+{lies}];");
        if in_memory {
            line!(self.values, "cvta.to.global.u64 at, at;");
        }
        for (axis, name) in ["batch", "head"].into_iter().enumerate() {
            line!(
                self.values,
                "ld.param.u64 along, [p+{}];\ncvt.u64.u32 wide, {name};\nmad.lo.s64 at, wide, along, at;",
                lies + 8 * (axis + 1)
            );
        }
    }

    /// Where row `v` of operand `i` begins, in `at`.
    pub(super) fn of_row(&mut self, i: usize, v: usize) {
        self.of_head(i, true);
        line!(
            self.values,
            "ld.param.u64 along, [p+{}];\ncvt.u64.u32 wide, row_{v};\nmad.lo.s64 at, wide, along, at;",
            place::operand(i) + 24
        );
    }

    /// Whether a position is one of 32 bits.
    fn is_narrow(&self, k: u32) -> bool {
        self.values.dtype(k).size() == 4
    }

    /// What an index is at the first key of a tile.
    pub(super) fn index_of_tile(&mut self, k: u32, i: usize, row: i64, col: i64) {
        self.of_head(i, false);
        for v in 0..2 {
            let to = match (row, col) {
                (0, 0) => format!("v{k}_0"),
                (_, 0) => format!("v{k}_{v}"),
                _ => format!("f{k}_{v}"),
            };
            // Registers of the value itself have its width.
            let narrow = self.is_narrow(k) && col == 0;
            match narrow {
                true => line!(
                    self.values,
                    "cvt.u64.u32 wide, row_{v};\nmad.lo.s64 wide, wide, {row}, at;\ncvt.u32.u64 {to}, wide;"
                ),
                false => line!(
                    self.values,
                    "cvt.u64.u32 wide, row_{v};\nmad.lo.s64 {to}, wide, {row}, at;"
                ),
            }
            if (row, col) == (0, 0) {
                return;
            }
        }
        if col == 0 {
            for v in 2..Self::share().vectors {
                self.values.copy(k, v % 2, v);
            }
        }
    }

    /// The elements of an operand that vary along keys.
    pub(super) fn load(&mut self, k: u32, kind: Kind, i: usize, pass: usize) {
        let share = Self::share();
        match kind {
            Kind::Number | Kind::Head | Kind::Rows | Kind::Index { col: 0, .. } => {}
            Kind::Score | Kind::Slope | Kind::Sum | Kind::Mean => {
                for j in share.elements() {
                    let to = self.values.register(k, j);
                    let from = pass * share.elements().len() + j;
                    let sums = self.sums(from);
                    match kind {
                        Kind::Score => line!(self.values, "mul.f32 {to}, s{from}, scale;"),
                        Kind::Slope => line!(self.values, "mov.b32 {to}, g{from};"),
                        Kind::Sum => line!(self.values, "mov.b32 {to}, less_{sums};"),
                        _ => line!(self.values, "mov.b32 {to}, mean_{sums};"),
                    }
                }
            }
            Kind::Index { col, .. } => {
                for v in 0..2 {
                    line!(
                        self.values,
                        "cvt.u64.u32 wide, col;\nmad.lo.s64 first, wide, {col}, f{k}_{v};\ncvt.u32.u64 part, first;"
                    );
                    for eight in 0..TOGETHER {
                        for lane in 0..LANES {
                            let to = self.values.register(k, (2 * eight + v) * LANES + lane);
                            let on = (8 * eight + lane) as i64 * col;
                            match self.is_narrow(k) {
                                true => line!(self.values, "add.s32 {to}, part, {on};"),
                                false => line!(self.values, "add.s64 {to}, first, {on};"),
                            }
                        }
                    }
                }
            }
            Kind::Columns | Kind::Each => {
                for v in 0..share.vectors {
                    if kind == Kind::Columns && v % 2 == 1 {
                        self.values.copy(k, v - 1, v);
                        continue;
                    }
                    let row = if kind == Kind::Each { v % 2 } else { 0 };
                    // Columns beyond the last are read from it.
                    line!(
                        self.values,
                        "ld.param.u64 step, [p+{}];\nadd.u32 part, col, {};\nsetp.lt.u32 in, part, last;\nmin.u32 part, part, last;\ncvt.u64.u32 wide, part;\nmad.lo.s64 at, wide, step, f{k}_{row};\nselp.b64 step, step, 0, in;",
                        place::operand(i) + 32,
                        v / 2 * 8
                    );
                    let vector = Share {
                        lanes: LANES,
                        first: v,
                        vectors: 1,
                    };
                    self.values.gather(k, vector, Some("step"));
                }
            }
        }
    }
}
