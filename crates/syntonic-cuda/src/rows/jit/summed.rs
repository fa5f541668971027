//! Values that are summed over all rows, by register-resident rows: threads stay for several rows and add up their elements, and
//! each group of threads leaves one partial sum, which `kernels/row_sums.cu` adds to the others (a two-phase reduction).

use super::body::{WARP, line};
use super::held::{TOGETHER, Team, Writer};
use std::fmt::Write;
use syntonic_core::DType;

/// The most rows whose values a thread adds up in their own type: as many as those of a run in a fold.
pub(super) const RUN: usize = 64;
/// Rows of a thread at least, where the card is busy with fewer threads: each group of threads writes a row of partial sums.
pub(super) const WORTH: usize = 8;

impl Writer<'_, '_> {
    /// The summed results, by number among the results, and the value of each.
    fn sums(&self) -> Vec<(usize, u32)> {
        let outputs = self.body.formula.outputs.iter().enumerate();
        let sums = outputs.filter(|(_, output)| output.is_summed());
        sums.map(|(o, output)| (o, output.value)).collect()
    }

    /// True where threads stay for several rows.
    pub(super) fn stays(&self) -> bool {
        !self.sums().is_empty()
    }

    fn type_of(&self, value: u32) -> &'static str {
        match self.body.formula.dtype(value) {
            DType::F64 => "f64",
            _ => "f32",
        }
    }

    fn elements(&self) -> usize {
        self.held.vectors * self.held.lanes
    }

    /// The totals of nothing, and the head of the loop over rows. A block begins with row `lead`.
    pub(super) fn begin_rows(&mut self) {
        let rows = self.held.rows_of_block();
        for (s, value) in self.sums() {
            let kind = self.type_of(value);
            line!(self.body, ".reg .{kind} total{s}_<{}>;", self.elements());
            for j in 0..self.elements() {
                line!(self.body, "mov.{kind} total{s}_{j}, {};", zero(kind));
            }
        }
        line!(
            self.body,
            ".reg .pred more;\n.reg .b32 next, lead, beyond_rows;\nmov.u32 next, row;\nmov.u32 lead, %ctaid.x;\nmul.lo.u32 lead, lead, {rows};\nmov.u32 beyond_rows, %nctaid.x;\nmul.lo.u32 beyond_rows, beyond_rows, {rows};"
        );
        line!(
            self.body,
            "$rows:\n.pragma \"nounroll\";\nmov.u32 row, next;"
        );
    }

    /// Adds the elements of vector `r` to the totals, if there are any.
    pub(super) fn add_row(&mut self, r: usize) {
        if !self.stays() {
            return;
        }
        let guard = self.guard(r);
        for (s, value) in self.sums() {
            let kind = self.type_of(value);
            for j in r * self.held.lanes..(r + 1) * self.held.lanes {
                let element = self.body.values.register(value, j);
                line!(
                    self.body,
                    "{guard}add.{kind} total{s}_{j}, total{s}_{j}, {element};"
                );
            }
        }
    }

    /// The end of the loop over rows, and the partial sums.
    pub(super) fn finish_rows(&mut self) {
        // With an odd number of rounds the next row's first one writes what slower warps may still read.
        if matches!(self.held.team, Team::Warps(_)) && self.body.formula.rounds % 2 == 1 {
            line!(self.body, "bar.sync 0;");
        }
        line!(
            self.body,
            "add.u32 next, next, beyond_rows;\nadd.u32 lead, lead, beyond_rows;\nld.param.u32 w, [p+{}];\nsetp.lt.u32 more, lead, w;\n@more bra.uni $rows;",
            super::params::place::ROWS
        );
        line!(self.body, "mov.u32 w, %ctaid.x;\nsetp.eq.u32 other, w, w;");
        if let Team::Lanes(lanes) = self.held.team {
            line!(
                self.body,
                "mad.lo.u32 w, w, {}, warp;\nsetp.lt.u32 other, lane, {lanes};",
                TOGETHER / WARP
            );
            self.join_rows(lanes);
        }
        line!(self.body, "mul.wide.u32 wide, w, length;");
        for r in 0..self.held.vectors {
            let there = self.there(r).unwrap_or_else(|| "other".to_owned());
            line!(self.body, "and.pred holds, {there}, other;");
            line!(
                self.body,
                "cvt.u64.u32 within, vector{r};\nadd.u64 within, within, wide;"
            );
            for (s, value) in self.sums() {
                self.store_partial(r, s, value);
            }
        }
    }

    /// Adds up the totals of rows that share a warp.
    fn join_rows(&mut self, lanes: usize) {
        for (s, value) in self.sums() {
            let kind = self.type_of(value);
            for j in 0..self.elements() {
                let mut distance = lanes;
                while distance < WARP {
                    let total = format!("total{s}_{j}");
                    let other = self.body.shuffled(&total, kind == "f64", distance);
                    line!(self.body, "add.{kind} {total}, {total}, {other};");
                    distance *= 2;
                }
            }
        }
    }

    /// Stores vector `r` of a total at element vector `within` of the partial sums.
    fn store_partial(&mut self, r: usize, s: usize, value: u32) {
        let (kind, lanes) = (self.type_of(value), self.held.lanes);
        let size = self.body.formula.dtype(value).size();
        let at = self.body.fresh("b64");
        let operand = self.body.inputs + s;
        line!(
            self.body,
            "mad.lo.u64 {at}, within, {}, base{operand};",
            lanes * size
        );
        let step = lanes.min(16 / size);
        for first in (0..lanes).step_by(step) {
            let each = (first..first + step).map(|l| format!("total{s}_{}", r * lanes + l));
            let each: Vec<String> = each.collect();
            let (vector, list) = match step {
                1 => (String::new(), each.concat()),
                _ => (format!(".v{step}"), format!("{{{}}}", each.join(", "))),
            };
            line!(
                self.body,
                "@holds st.global{vector}.{kind} [{at}+{}], {list};",
                first * size
            );
        }
    }
}

fn zero(kind: &str) -> &'static str {
    match kind {
        "f64" => "0d0000000000000000",
        _ => "0f00000000",
    }
}
