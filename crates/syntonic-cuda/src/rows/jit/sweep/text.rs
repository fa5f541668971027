//! The text of a sweep.

use super::super::body::{Body, line};
use super::super::formula::{Folded, Leaf};
use super::layout::{Reach, Side};
use super::params::place;
use super::steps::Steps;
use super::{Sweep, THREADS};
use crate::jit::{Moved, Share, Sharing};
use crate::plan::walked::Access;
use crate::walk::AXES;
use std::fmt::Write;

/// Writes the kernel; nothing where some operation has no piece.
pub(in super::super) fn write(body: &mut Body<'_>, name: &str, sweep: Sweep) -> Option<()> {
    let mut writer = Writer::new(body, sweep, true);
    writer.head(name);
    line!(writer.body, "mov.u32 block, %ctaid.x;");
    writer.statements()?;
    line!(writer.body, "$done:\nret;\n}}");
    Some(())
}

/// Writes it as a part of a longer kernel: the work of the block whose number the register `block_of` has. Shared memory is that kernel's, of
/// the size that [`told`] says.
pub(in super::super) fn write_part(
    body: &mut Body<'_>,
    sweep: Sweep,
    block_of: &str,
) -> Option<()> {
    let mut writer = Writer::new(body, sweep, false);
    line!(writer.body, "{{");
    writer.registers();
    line!(writer.body, "mov.u32 block, {block_of};");
    writer.statements()?;
    line!(writer.body, "$done:\n}}");
    Some(())
}

pub(super) struct Writer<'a, 'b> {
    pub(super) body: &'a mut Body<'b>,
    pub(super) sweep: Sweep,
    /// Whether it declares the shared memory that it uses.
    pub(super) alone: bool,
    steps: Steps,
}

impl<'a, 'b> Writer<'a, 'b> {
    fn new(body: &'a mut Body<'b>, sweep: Sweep, alone: bool) -> Writer<'a, 'b> {
        let steps = Steps::of(body.formula);
        Writer {
            body,
            sweep,
            alone,
            steps,
        }
    }
}

impl Writer<'_, '_> {
    /// Values of a row, or of neighbouring rows, that a thread has.
    pub(super) fn row_share(&self) -> Share {
        Share {
            lanes: self.sweep.rows_of_thread(),
            first: 0,
            vectors: 1,
        }
    }

    fn share(&self, first: usize) -> Share {
        Share {
            lanes: self.sweep.lanes,
            first,
            vectors: 1,
        }
    }

    fn folds(&self) -> Vec<Folded> {
        self.body.formula.folds.clone()
    }

    fn statements(&mut self) -> Option<()> {
        self.places();
        self.bases();
        for k in std::mem::take(&mut self.steps.before) {
            self.row_value(k)?;
        }
        let folds = self.folds();
        let totals = self.nothing(&folds);
        if self.sweep.smallest > 0 {
            self.empty_list();
        }
        let (vectors, team) = (self.sweep.vectors, self.sweep.team);
        line!(self.body, "add.u32 item, begin, along;");
        if vectors > 1 {
            line!(
                self.body,
                "$whole:\n.pragma \"nounroll\";\nadd.u32 x, item, {};\nsetp.lt.u32 more, x, end;\n@!more bra $one;",
                (vectors - 1) * team
            );
            self.turn(vectors, &folds, &totals)?;
            line!(
                self.body,
                "add.u32 item, item, {};\nbra.uni $whole;",
                vectors * team
            );
        }
        line!(
            self.body,
            "$one:\n.pragma \"nounroll\";\nsetp.lt.u32 more, item, end;\n@!more bra $through;"
        );
        self.turn(1, &folds, &totals)?;
        line!(
            self.body,
            "add.u32 item, item, {team};\nbra.uni $one;\n$through:"
        );
        if self.sweep.smallest > 0 {
            self.lists();
            return Some(());
        }
        self.join(&folds, &totals);
        for k in std::mem::take(&mut self.steps.after) {
            self.row_value(k)?;
        }
        self.row_results();
        Some(())
    }

    fn head(&mut self, name: &str) {
        line!(
            self.body,
            ".visible .entry {name}(.param .align 8 .b8 p[{}])",
            place::SIZE
        );
        line!(
            self.body,
            ".maxntid {THREADS}, 1, 1\n.minnctapersm {}\n{{",
            self.sweep.at_once
        );
        self.registers();
    }

    fn registers(&mut self) {
        let Sweep { lanes, vectors, .. } = self.sweep;
        line!(
            self.body,
            ".reg .pred holds, other, here, more, first;\n.reg .b32 block, tid, lane, warp, w, x, unit, group, part, parts, column, along, begin, end, item, rest, off, step;\n.reg .b64 wide, at, scratch, ticket, apart;"
        );
        line!(
            self.body,
            "mov.u32 tid, %tid.x;\nand.b32 lane, tid, 31;\nshr.u32 warp, tid, 5;"
        );
        for k in 0..self.body.formula.form.values.len() as u32 {
            self.body.values.declare(
                k,
                Share {
                    lanes,
                    first: 0,
                    vectors,
                },
            );
        }
    }

    /// Divides the register `rest` by the length whose divisor the parameter has at `offset`: the quotient stays, the remainder goes to
    /// `to`.
    fn divide(&mut self, offset: usize, to: &str) {
        self.body.divide(offset, "rest", "x", to);
        line!(self.body, "mov.u32 rest, x;");
    }

    /// The coordinates of the position in `rest` along `axes` axes of which the first has number `from`; the innermost times `times`.
    fn coordinates(&mut self, name: &str, (from, axes): (usize, usize), times: usize) {
        line!(self.body, ".reg .b32 {name}<{axes}>;");
        for a in 0..axes - 1 {
            self.divide(place::length(from + a), &format!("{name}{a}"));
        }
        line!(self.body, "mov.u32 {name}{}, rest;", axes - 1);
        if times > 1 {
            line!(self.body, "mul.lo.u32 {name}0, {name}0, {times};");
        }
    }

    /// The part and the rows of this thread, and the coordinates of its rows. A thread past the last row has nothing to fold.
    fn places(&mut self) {
        let Sweep { team, side, .. } = self.sweep;
        let across = THREADS / team;
        line!(self.body, "mov.u32 rest, block;");
        self.divide(place::PARTS, "part");
        line!(self.body, "mov.u32 group, rest;");
        let (low, high) = match side {
            Side::Kept => (("column", across), "along"),
            Side::Folded => (("along", team), "column"),
        };
        line!(
            self.body,
            "and.b32 {}, tid, {};\nshr.u32 {high}, tid, {};",
            low.0,
            low.1 - 1,
            low.1.ilog2()
        );
        line!(
            self.body,
            "mad.lo.u32 unit, group, {across}, column;\nld.param.u32 w, [p+{}];\nsetp.lt.u32 here, unit, w;\nsub.u32 w, w, 1;\nmin.u32 unit, unit, w;",
            place::UNITS
        );
        line!(
            self.body,
            "ld.param.u32 w, [p+{}];\nmul.lo.u32 begin, part, w;\nadd.u32 end, begin, w;\nld.param.u32 w, [p+{}];\nmin.u32 end, end, w;\nselp.b32 end, end, 0, here;",
            place::CHUNK,
            place::ITEMS
        );
        line!(self.body, "mov.u32 rest, unit;");
        let times = self.sweep.rows_of_thread();
        self.coordinates("k", (0, usize::from(self.sweep.kept)), times);
        line!(
            self.body,
            "setp.eq.u32 first, along, 0;\nand.pred first, first, here;"
        );
    }

    /// The address of every operand and result for this thread's rows.
    fn bases(&mut self) {
        let all = self.body.inputs + self.body.formula.outputs.len();
        line!(self.body, ".reg .b64 base<{all}>;");
        for o in 0..all {
            let size = self.size(o);
            line!(
                self.body,
                "ld.param.u64 base{o}, [p+{}];",
                place::address(o)
            );
            if !self.is_index(o) {
                line!(self.body, "cvta.to.global.u64 base{o}, base{o};");
            }
            let moves = self.sweep.reach[o].kept;
            if self.offset(o, ("k", 0, moves), "off") {
                line!(self.body, "mad.wide.s32 base{o}, off, {size}, base{o};");
            }
        }
    }

    fn is_index(&self, o: usize) -> bool {
        o < self.body.inputs && self.body.formula.is_index(o)
    }

    /// Bytes from one element of an operand or result to the next: an index is at the address itself.
    fn size(&self, o: usize) -> usize {
        let formula = self.body.formula;
        if self.is_index(o) {
            return 1;
        }
        let value = match o.checked_sub(self.body.inputs) {
            Some(output) => Some(formula.outputs[output].value),
            None => {
                let mut leaves = formula.leaves.iter();
                let own = |l: &&(u32, Leaf)| l.1 == Leaf::Operand(o as u16);
                leaves.find(own).map(|l| l.0)
            }
        };
        value.map_or(1, |k| formula.dtype(k).size())
    }

    /// The distance, in elements, that operand `o` moves along the axes with these coordinates, in `to`; false where it does not.
    fn offset(&mut self, o: usize, (name, from, moves): (&str, usize, u8), to: &str) -> bool {
        let axes = (0..AXES).filter(|a| moves >> a & 1 == 1);
        for (n, a) in axes.enumerate() {
            line!(
                self.body,
                "ld.param.s32 step, [p+{}];",
                place::stride(o, from + a)
            );
            match n {
                0 => line!(self.body, "mul.lo.s32 {to}, {name}{a}, step;"),
                _ => line!(self.body, "mad.lo.s32 {to}, {name}{a}, step, {to};"),
            }
        }
        moves != 0
    }

    /// Computes, or loads, a value of the row.
    fn row_value(&mut self, k: u32) -> Option<()> {
        let share = self.row_share();
        match self.body.formula.leaf(k) {
            Some(Leaf::Number(n)) => {
                self.body.values.number(k, place::number(usize::from(n)));
                Some(())
            }
            Some(Leaf::Operand(o)) => {
                let o = usize::from(o);
                line!(self.body, "mov.u64 at, base{o};");
                if self.body.values.sharing[k as usize] == Sharing::One {
                    self.single(k, o, 0);
                } else {
                    self.load(k, o, share, "");
                }
                Some(())
            }
            _ if self.body.values.sharing[k as usize] == Sharing::One => {
                self.body.values.value(k, Share::ONE)
            }
            _ => self.body.values.value(k, share),
        }
    }

    /// The register with the bytes from one element of a vector to the next; nothing where they are neighbours.
    fn apart(&mut self, o: usize) -> Option<&'static str> {
        let axis = match self.sweep.side {
            Side::Kept => 0,
            Side::Folded => AXES,
        };
        if self.sweep.reach[o].access != Access::Apart {
            return None;
        }
        let size = self.size(o);
        line!(
            self.body,
            "ld.param.s32 step, [p+{}];\nmul.wide.s32 apart, step, {size};",
            place::stride(o, axis)
        );
        Some("apart")
    }

    /// Loads the element of operand `o` at the address in `at` for all elements, or for those of vector `v`.
    fn single(&mut self, k: u32, o: usize, v: usize) {
        match self.is_index(o) {
            true => self.body.values.place(k, v, "at"),
            false => self.body.values.single(k, v, "at"),
        }
    }

    /// Loads a vector of operand `o` from the address in `at`.
    fn load(&mut self, k: u32, o: usize, share: Share, cache: &str) {
        if self.is_index(o) {
            let step = (share.lanes > 1).then(|| self.apart(o)).flatten();
            self.body.values.count(k, share, "at", 0, step);
            return;
        }
        if self.sweep.reach[o].access == Access::Vector || share.lanes == 1 {
            self.body.load(k, share, "at", cache);
        } else {
            let apart = self.apart(o);
            self.body.values.gather(k, share, apart);
        }
    }

    /// Stores a vector of result `o` at the address in `at`.
    fn store(&mut self, k: u32, o: usize, share: Share, guard: &str) {
        if self.sweep.reach[o].access == Access::Vector || share.lanes == 1 {
            let moved = Moved {
                at: "at",
                apart: 0,
                guard,
                cache: "",
            };
            self.body.values.moves("st", k, share, &moved);
        } else {
            let apart = self.apart(o);
            self.body.values.scatter(k, share, apart, guard);
        }
    }

    /// True where the operand has another element at each position, which nobody reads again.
    fn is_read_once(&self, reach: Reach) -> bool {
        let all = |axes: u8| ((1u16 << axes) - 1) as u8;
        reach.kept == all(self.sweep.kept) && reach.folded == all(self.sweep.folded)
    }

    /// Works on `vectors` items from `item` on, `team` apart: loads them, computes, stores results and adds to the totals.
    fn turn(&mut self, vectors: usize, folds: &[Folded], totals: &[Vec<String>]) -> Option<()> {
        let formula = self.body.formula;
        line!(self.body, "{{");
        let times = match self.sweep.side {
            Side::Folded => self.sweep.lanes,
            Side::Kept => 1,
        };
        let axes = (AXES, usize::from(self.sweep.folded));
        for r in 0..vectors {
            line!(self.body, "add.u32 rest, item, {};", r * self.sweep.team);
            self.coordinates(&format!("c{r}_"), axes, times);
            line!(
                self.body,
                ".reg .b32 o{r}_<{}>;",
                super::super::params::OPERANDS
            );
        }
        let each = self.steps.each.clone();
        let loads = each.iter().filter_map(|&k| match formula.leaf(k) {
            Some(Leaf::Operand(o)) => Some((k, usize::from(o))),
            _ => None,
        });
        let loads: Vec<(u32, usize)> = loads.collect();
        let mut known: Vec<(usize, usize)> = Vec::new();
        for r in 0..vectors {
            for &(k, o) in &loads {
                self.reach(r, o, &mut known);
                let reach = self.sweep.reach[o];
                let whole = self.sweep.lanes * formula.dtype(k).size() == 16;
                let cache = match whole && self.is_read_once(reach) {
                    true => ".L1::no_allocate",
                    false => "",
                };
                if reach.access == Access::Splat && self.sweep.lanes > 1 {
                    self.single(k, o, r);
                } else {
                    let cache = if reach.access == Access::Vector {
                        cache
                    } else {
                        ""
                    };
                    self.load(k, o, self.share(r), cache);
                }
            }
        }
        for r in 0..vectors {
            for &k in each.iter().filter(|k| formula.leaf(**k).is_none()) {
                self.body.values.value(k, self.share(r))?;
            }
        }
        let outputs = formula.outputs.iter().enumerate();
        for (out, output) in outputs.filter(|(_, output)| output.is_each()) {
            for r in 0..vectors {
                let o = self.body.inputs + out;
                self.reach(r, o, &mut known);
                self.store(output.value, o, self.share(r), "");
            }
        }
        for (fold, totals) in folds.iter().zip(totals) {
            self.add(fold, vectors, totals);
        }
        if self.sweep.smallest > 0 {
            self.keep(vectors * self.sweep.lanes);
        }
        line!(self.body, "}}");
        Some(())
    }

    /// The address of operand or result `o` at item `r`, in `at`. Those of equal strides share their offset.
    fn reach(&mut self, r: usize, o: usize, known: &mut Vec<(usize, usize)>) {
        let like = usize::from(self.sweep.reach[o].like);
        let moves = self.sweep.reach[o].folded;
        if moves == 0 {
            line!(self.body, "mov.u64 at, base{o};");
            return;
        }
        let register = format!("o{r}_{like}");
        if !known.contains(&(r, like)) {
            known.push((r, like));
            self.offset(o, (&format!("c{r}_"), AXES, moves), &register);
        }
        let size = self.size(o);
        line!(self.body, "mad.wide.s32 at, {register}, {size}, base{o};");
    }

    /// Adds `vectors` vectors to the totals of a fold.
    fn add(&mut self, fold: &Folded, vectors: usize, totals: &[String]) {
        let kind = fold.accumulator.register();
        for (lane, total) in totals.iter().enumerate() {
            let run = match self.sweep.side {
                Side::Folded => {
                    let runs = (0..vectors).map(|r| self.share(r)).collect::<Vec<_>>();
                    let runs = runs
                        .into_iter()
                        .map(|share| self.body.gather(fold, share, None))
                        .collect();
                    self.body.tree(fold, runs)
                }
                Side::Kept => {
                    let lanes = self.sweep.lanes;
                    let runs = (0..vectors).map(|r| self.body.taken(fold, r * lanes + lane));
                    let runs = runs.collect();
                    self.body.tree(fold, runs)
                }
            };
            let mine = self.body.gathered(fold, &run);
            let sum = self.body.join(fold, total, &mine);
            line!(self.body, "mov.{kind} {total}, {sum};");
        }
    }

    /// Stores the results that are one per row.
    fn row_results(&mut self) {
        let formula = self.body.formula;
        let share = self.row_share();
        for (out, output) in formula.outputs.iter().enumerate() {
            if !output.is_each() {
                let o = self.body.inputs + out;
                line!(self.body, "mov.u64 at, base{o};");
                self.store(output.value, o, share, "@first ");
            }
        }
    }
}
