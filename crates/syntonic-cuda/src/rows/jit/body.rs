//! What the schedules of JIT row kernels share: numbers and values of the row, operands, the fold within a thread, and the
//! join over lanes, warps and blocks.

use super::formula::{Folded, Formula, Leaf};
use super::params::place;
use super::stages::Stage;
use crate::jit::{Moved, Pieces, Share, Sharing, Values};
use std::fmt::Write;
use syntonic_core::fuse::Yield;

/// Appends lines.
macro_rules! line {
    ($body:expr, $($what:tt)*) => {{
        let _ = writeln!($body.values.text, $($what)*);
    }};
}
pub(super) use line;

/// Lanes of a warp.
pub(super) const WARP: usize = 32;

/// The text of a kernel while it is written.
pub(super) struct Body<'a> {
    pub(super) formula: &'a Formula,
    pub(super) stages: &'a [Stage],
    pub(super) values: Values<'a>,
    pub(super) capability: (u32, u32),
    /// Inputs of the program; results come behind them.
    pub(super) inputs: usize,
    /// Axes that rows lie along: one or two.
    pub(super) axes: usize,
    named: usize,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        formula: &'a Formula,
        stages: &'a [Stage],
        pieces: &'a Pieces,
        capability: (u32, u32),
        (inputs, axes): (usize, usize),
        (sharing, lanes): (Vec<Sharing>, usize),
    ) -> Body<'a> {
        let values = Values::new(&formula.form, sharing, lanes, pieces);
        Body {
            formula,
            stages,
            values,
            capability,
            inputs,
            axes,
            named: 0,
        }
    }

    /// A new register of this type.
    pub(super) fn fresh(&mut self, kind: &str) -> String {
        let name = format!("n{}", self.named);
        self.named += 1;
        line!(self, ".reg .{kind} {name};");
        name
    }

    /// The kernel's head, up to its first instruction: `threads` per block, `blocks` of them resident per multiprocessor.
    pub(super) fn begin(&mut self, name: &str, threads: usize, blocks: usize, lanes: Share) {
        line!(
            self,
            ".visible .entry {name}(.param .align 8 .b8 p[{}])",
            place::SIZE
        );
        line!(self, ".maxntid {threads}, 1, 1\n.minnctapersm {blocks}\n{{");
        line!(
            self,
            ".reg .pred holds, other, here;\n.reg .b32 tid, row, length, lane, warp, w, x;\n.reg .b64 wide;"
        );
        line!(
            self,
            "mov.u32 tid, %tid.x;\nld.param.u32 length, [p+{}];",
            place::LENGTH
        );
        line!(self, "and.b32 lane, tid, 31;\nshr.u32 warp, tid, 5;");
        for k in 0..self.formula.form.values.len() as u32 {
            self.values.declare(k, lanes);
        }
    }

    /// Sets the row from its number in `row`, clamped to the last row; the clamped ones are not `here`. Then sets the base
    /// address of every operand and result.
    pub(super) fn bases(&mut self) {
        line!(self, "ld.param.u32 w, [p+{}];", place::ROWS);
        line!(
            self,
            "setp.lt.u32 here, row, w;\nsub.u32 w, w, 1;\nmin.u32 row, row, w;"
        );
        line!(
            self,
            ".reg .b64 within, beyond, base<{}>;",
            super::params::OPERANDS
        );
        match self.axes {
            1 => line!(self, "cvt.u64.u32 within, row;"),
            _ => {
                line!(self, "ld.param.u32 w, [p+{}];", place::INNER);
                line!(self, "div.u32 x, row, w;\ncvt.u64.u32 beyond, x;");
                line!(
                    self,
                    "mul.lo.u32 x, x, w;\nsub.u32 x, row, x;\ncvt.u64.u32 within, x;"
                );
            }
        }
        for k in 0..self.inputs + self.formula.outputs.len() {
            let at = place::operand(k);
            line!(self, "ld.param.u64 base{k}, [p+{at}];");
            if !self.formula.is_index(k) {
                line!(self, "cvta.to.global.u64 base{k}, base{k};");
            }
            line!(
                self,
                "ld.param.u64 wide, [p+{}];\nmad.lo.s64 base{k}, within, wide, base{k};",
                at + 8
            );
            if self.axes > 1 {
                line!(
                    self,
                    "ld.param.u64 wide, [p+{}];\nmad.lo.s64 base{k}, beyond, wide, base{k};",
                    at + 16
                );
            }
        }
    }

    /// Loads a stride of every operand and result, which the parameter has at `offset` from its address, into the registers `name`.
    pub(super) fn strides(&mut self, name: &str, offset: usize) {
        line!(self, ".reg .b32 {name}<{}>;", super::params::OPERANDS);
        for k in 0..self.inputs + self.formula.outputs.len() {
            let at = place::operand(k) + offset;
            line!(self, "ld.param.u32 {name}{k}, [p+{at}];");
        }
    }

    /// Divides the register `from` by the divisor that the parameter has at `offset`: sets the quotient and the rest. They are exact for
    /// positions below 2^31.
    pub(super) fn divide(&mut self, offset: usize, from: &str, quotient: &str, rest: &str) {
        line!(
            self,
            "{{\n.reg .b32 by, magic, shift;\nld.param.u32 by, [p+{offset}];\nld.param.u32 magic, [p+{}];\nld.param.u32 shift, [p+{}];",
            offset + 4,
            offset + 8
        );
        line!(
            self,
            "mul.hi.u32 {quotient}, {from}, magic;\nadd.u32 {quotient}, {quotient}, {from};\nshr.u32 {quotient}, {quotient}, shift;"
        );
        line!(
            self,
            "mul.lo.u32 {rest}, {quotient}, by;\nsub.u32 {rest}, {from}, {rest};\n}}"
        );
    }

    /// The values of the row that stage `at` begins with.
    pub(super) fn row_values(&mut self, at: usize) -> Option<()> {
        let stages = self.stages;
        for &k in &stages[at].row {
            match self.formula.leaf(k) {
                Some(Leaf::Number(n)) => {
                    self.values.number(k, place::number(usize::from(n)));
                }
                Some(Leaf::Operand(o)) if self.formula.is_index(usize::from(o)) => {
                    self.values.place(k, 0, &format!("base{o}"));
                }
                Some(Leaf::Operand(o)) => self.values.single(k, 0, &format!("base{o}")),
                _ => self.values.value(k, Share::ONE)?,
            }
        }
        Some(())
    }

    /// Loads a share of the operand that is value `k` from the address register `at`.
    pub(super) fn load(&mut self, k: u32, share: Share, at: &str, cache: &str) {
        let moved = Moved {
            at,
            apart: 0,
            guard: "",
            cache,
        };
        self.values.moves("ld", k, share, &moved);
    }

    /// Element `j` in a register of the fold's run.
    pub(super) fn taken(&mut self, fold: &Folded, j: usize) -> String {
        let to = self.fresh(fold.accumulator.run(fold.fold).register());
        let from = self.values.register(fold.of, j);
        let text = fold.accumulator.taken(fold.fold, &from, &to);
        line!(self, "{text}");
        to
    }

    /// Folds a share of elements into a register of the fold's run. Where the predicate `there` is false, it folds the
    /// identity.
    pub(super) fn gather(&mut self, fold: &Folded, share: Share, there: Option<&str>) -> String {
        let run = fold.accumulator.run(fold.fold);
        let taken = share.elements().map(|j| self.taken(fold, j)).collect();
        let all = self.tree(fold, taken);
        if let Some(there) = there {
            let nothing = run.nothing(fold.fold);
            line!(
                self,
                "selp.{} {all}, {all}, {nothing}, {there};",
                run.register()
            );
        }
        all
    }

    /// Folds registers of the fold's run pairwise, as a tree.
    pub(super) fn tree(&mut self, fold: &Folded, mut runs: Vec<String>) -> String {
        let run = fold.accumulator.run(fold.fold);
        while runs.len() > 1 {
            let pairs: Vec<Vec<String>> = runs.chunks(2).map(<[String]>::to_vec).collect();
            runs = pairs
                .into_iter()
                .map(|pair| match &pair[..] {
                    [a, b] => {
                        let to = self.fresh(run.register());
                        let text = run.fold(fold.fold, [&to, a, b], self.capability);
                        line!(self, "{text}");
                        to
                    }
                    _ => pair[0].clone(),
                })
                .collect();
        }
        runs.swap_remove(0)
    }

    /// Converts a thread's run into the joined accumulator.
    pub(super) fn gathered(&mut self, fold: &Folded, run: &str) -> String {
        let to = self.fresh(fold.accumulator.register());
        let text = fold.accumulator.gathered(fold.fold, run, &to);
        line!(self, "{text}");
        to
    }

    /// Joins `a` and `b`.
    pub(super) fn join(&mut self, fold: &Folded, a: &str, b: &str) -> String {
        let to = self.fresh(fold.accumulator.register());
        let run = fold.accumulator.joined(fold.fold);
        let text = run.fold(fold.fold, [&to, a, b], self.capability);
        line!(self, "{text}");
        to
    }

    /// Joins the values of `threads` neighbouring lanes, a power of two, by shuffles; each lane has the result.
    pub(super) fn join_lanes(&mut self, fold: &Folded, mut mine: String, threads: usize) -> String {
        let mut distance = 1;
        while distance < threads {
            mine = self.join_lane(fold, mine, distance);
            distance *= 2;
        }
        mine
    }

    /// Joins the values of two lanes `distance` apart by a shuffle; both have the result.
    pub(super) fn join_lane(&mut self, fold: &Folded, mine: String, distance: usize) -> String {
        let other = self.shuffled(&mine, fold.accumulator.is_wide(), distance);
        self.join(fold, &mine, &other)
    }

    /// The register of 32 bits, or of 64, of the lane `distance` apart.
    pub(super) fn shuffled(&mut self, mine: &str, wide: bool, distance: usize) -> String {
        let other = self.fresh(if wide { "b64" } else { "b32" });
        let shuffle = |to: &str, from: &str| {
            format!("shfl.sync.bfly.b32 {to}, {from}, {distance}, 0x1f, 0xffffffff;")
        };
        if wide {
            let [low, high] = [0, 1].map(|_| self.fresh("b32"));
            line!(self, "mov.b64 {{{low}, {high}}}, {mine};");
            line!(self, "{}\n{}", shuffle(&low, &low), shuffle(&high, &high));
            line!(self, "mov.b64 {other}, {{{low}, {high}}};");
        } else {
            line!(self, "{}", shuffle(&other, mine));
        }
        other
    }

    /// Stores `mine` to shared memory at `at` where `guard` holds.
    pub(super) fn leave(&mut self, fold: &Folded, guard: &str, at: &str, mine: &str) {
        line!(
            self,
            "@{guard} st.shared.{} [{at}], {mine};",
            fold.accumulator.register()
        );
    }

    /// Joins `count` values of shared memory, `apart` bytes from each other, from the address register `from` on: every
    /// thread reads all of them.
    pub(super) fn join_each(
        &mut self,
        fold: &Folded,
        from: &str,
        count: usize,
        apart: usize,
    ) -> String {
        let kind = fold.accumulator.register();
        let mut all: Option<String> = None;
        for k in 0..count {
            let one = self.fresh(kind);
            line!(self, "ld.shared.{kind} {one}, [{from}+{}];", k * apart);
            all = Some(match all {
                None => one,
                Some(before) => self.join(fold, &before, &one),
            });
        }
        all.unwrap_or_default()
    }

    /// The same, for threads of one row: every thread reads few values; of many, each lane reads one and shuffles join them.
    pub(super) fn join_places(
        &mut self,
        fold: &Folded,
        from: &str,
        count: usize,
        apart: usize,
    ) -> String {
        let kind = fold.accumulator.register();
        if count <= 4 {
            return self.join_each(fold, from, count, apart);
        }
        let (one, at, place) = (self.fresh(kind), self.fresh("b32"), self.fresh("b32"));
        let nothing = fold.accumulator.joined(fold.fold).nothing(fold.fold);
        // Each group of so many lanes reads all values, so that each lane has the result.
        let group = count.next_power_of_two();
        line!(
            self,
            "and.b32 {place}, lane, {};\nmad.lo.u32 {at}, {place}, {apart}, {from};",
            group - 1
        );
        line!(
            self,
            "mov.{kind} {one}, {nothing};\nsetp.lt.u32 other, {place}, {count};\n@other ld.shared.{kind} {one}, [{at}];"
        );
        self.join_lanes(fold, one, group)
    }

    /// The result of the fold, from the joined accumulator.
    pub(super) fn finish(&mut self, fold: &Folded, joined: &str) {
        let text = fold
            .accumulator
            .finished(joined, &self.values.register(fold.to, 0));
        line!(self, "{text}");
        self.values.settled(fold.to);
    }

    /// Stores the results that are one per row, where `guard` holds.
    pub(super) fn row_results(&mut self, guard: &str) {
        for (o, output) in self.formula.outputs.iter().enumerate() {
            if output.role == Yield::RowScalar {
                let at = format!("base{}", self.inputs + o);
                let moved = Moved {
                    at: &at,
                    apart: 0,
                    guard,
                    cache: "",
                };
                self.values.moves("st", output.value, Share::ONE, &moved);
            }
        }
    }
}
