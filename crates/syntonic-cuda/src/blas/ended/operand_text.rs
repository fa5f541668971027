//! The text that reads the operands of an end where a thread has its sums.

use super::end_text::{APART, End, LANES};
use super::kernel::{Kind, SPAN};
use super::params::place;
use crate::jit::{Moved, Share, line};
use std::fmt::Write;
use syntonic_core::DType;

impl End<'_> {
    /// The address of the first element of row `v`, in `at`.
    pub(super) fn row(&mut self, v: usize, lies: usize) {
        line!(
            self.values,
            "ld.param.u64 at, [p+{lies}];\ncvta.to.global.u64 at, at;"
        );
        line!(
            self.values,
            "ld.param.u64 step, [p+{}];\ncvt.u64.u32 wide, row{v};\nmad.lo.s64 at, wide, step, at;",
            lies + 8
        );
        line!(
            self.values,
            "ld.param.u64 step, [p+{}];\ncvt.u64.u32 wide, batch;\nmad.lo.s64 at, wide, step, at;",
            lies + 24
        );
    }

    pub(super) fn load(&mut self, k: u32, dtype: DType, kind: Kind, i: usize) {
        let (share, lies) = (self.share(), place::operand(i));
        match kind {
            Kind::Number => {}
            Kind::Sums => {
                for j in share.elements() {
                    let to = self.values.register(k, j);
                    match self.kernel.scaled {
                        true => line!(self.values, "mul.f32 {to}, s{j}, alpha;"),
                        false => line!(self.values, "mov.b32 {to}, s{j};"),
                    }
                }
            }
            Kind::Rows => {
                for v in 0..2 {
                    self.row(v, lies);
                    self.values.single(k, v, "at");
                }
                for v in 2..share.vectors {
                    self.values.copy(k, v % 2, v);
                }
            }
            Kind::Brought => {
                for v in 0..share.vectors {
                    let (place, to) = (in_shared(v), self.values.register(k, v));
                    line!(self.values, "ld.shared.b32 {to}, [{place}];");
                }
            }
            Kind::Columns { pairs } => {
                for b in 0..self.together {
                    line!(
                        self.values,
                        "ld.param.u64 at, [p+{lies}];\ncvta.to.global.u64 at, at;\nld.param.u64 step, [p+{}];",
                        lies + 24
                    );
                    line!(
                        self.values,
                        "cvt.u64.u32 wide, batch;\nmad.lo.s64 at, wide, step, at;"
                    );
                    self.columns(k, dtype, pairs, 2 * b, lies);
                    self.values.copy(k, 2 * b, 2 * b + 1);
                }
            }
            Kind::Each { pairs } => {
                line!(self.values, ".reg .b64 f{k}_<2>;");
                for v in 0..2 {
                    self.row(v, lies);
                    line!(self.values, "mov.b64 f{k}_{v}, at;");
                }
                for v in 0..share.vectors {
                    line!(self.values, "mov.b64 at, f{k}_{};", v % 2);
                    self.columns(k, dtype, pairs, v, lies);
                }
            }
        }
    }

    /// The elements of vector `v`, from the beginning of their row in `at` on. Columns beyond the last are read from the last ones.
    fn columns(&mut self, k: u32, dtype: DType, pairs: bool, v: usize, lies: usize) {
        let share = vector(v);
        line!(
            self.values,
            "add.u32 block, col, {};\nsub.u32 part, n, {};\nmin.u32 rest, block, part;",
            v / 2 * APART,
            1 + usize::from(pairs)
        );
        if pairs {
            line!(self.values, "mad.wide.u32 at, rest, {}, at;", dtype.size());
            let moved = Moved {
                at: "at",
                apart: 0,
                guard: "",
                cache: "",
            };
            self.values.moves("ld", k, share, &moved);
            return;
        }
        line!(
            self.values,
            "ld.param.u64 step, [p+{}];\ncvt.u64.u32 wide, rest;\nmad.lo.s64 at, wide, step, at;",
            lies + 16
        );
        line!(
            self.values,
            "setp.lt.u32 q, block, part;\nselp.b64 step, step, 0, q;"
        );
        self.values.gather(k, share, Some("step"));
    }
}

/// One vector of a pass.
pub(super) fn vector(v: usize) -> Share {
    Share {
        lanes: LANES,
        first: v,
        vectors: 1,
    }
}

/// The place in shared memory of vector `v` of a pass.
pub(super) fn in_shared(v: usize) -> String {
    format!("off_{}+{}", v / 2, v % 2 * 8 * SPAN)
}
