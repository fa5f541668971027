//! What happens in each pass over rows, and where its values are worked on.

use super::Rows;
use super::registers::{Plan, Spreads, allocate};
use crate::cpu::exec::code::{Step, beside_numbers, compile, join_terms, levels};
use crate::cpu::exec::fold::PART;
use crate::cpu::exec::phases::{Keep, Phase, Phases};
use crate::cpu::exec::scratch::lines;
use crate::cpu::exec::space::outer_and_row;
use crate::cpu::lanes::Place;
use crate::error::Result;
use crate::fuse::{Level, Task, Typed, Yield};
use smallvec::SmallVec;

/// Bytes of registers and operands of a tile or a block: they stay in the first-level cache.
const CACHED: usize = 32 << 10;
/// Rows that take more at once are cut into blocks.
const MOST_CACHED: usize = 48 << 10;
/// Elements of a block at least.
const LEAST: usize = 256;
/// Elements of a block are a multiple of this: whole groups of a fold.
const WHOLE: usize = 128;
/// Rows at once at most.
const MOST_ROWS: usize = 256;
/// Rows from this length on are not copied to lie side by side.
const LONG_ROW: usize = 256;
/// Kept values of a longer row may use this many bytes; more would leave the second-level cache.
const KEPT_BYTES: usize = 640 << 10;
/// What the next row reads first is asked for ahead if it has at most this many bytes.
const NEXT_BYTES: usize = 256 << 10;

/// How rows are taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Schedule {
    /// Whole, so many at once.
    Tiles { rows: usize },
    /// One after the other, in blocks; `asks` if later passes ask for the next row, which fits beside this one in the
    /// cache.
    Parts { asks: bool },
}

/// A phase, and where its values are.
#[derive(Debug, Default)]
pub(super) struct Pass {
    pub(super) phase: Phase,
    /// Nodes with one value per row that are repeated for the elements before the pass.
    pub(super) spreads: Vec<u32>,
    /// Nodes that lie in an operand's memory as kernels read them, and those that are copied first, with the operand.
    pub(super) reads: Vec<(u32, usize)>,
    pub(super) loads: Vec<(u32, usize)>,
    /// Nodes to compute, in order.
    pub(super) kernels: Vec<u32>,
    /// Nodes computed where the output lies, and those that are copied there, with the operand.
    pub(super) writes: Vec<(u32, usize)>,
    pub(super) stores: Vec<(u32, usize)>,
    /// Where the registers of nodes begin in the scratch memory.
    pub(super) places: Vec<(u32, usize)>,
    /// Elements of a block.
    pub(super) block: usize,
}

impl<'a> Rows<'a> {
    pub(super) fn new(task: &'a Task<'a>, chunked: bool) -> Result<Rows<'a>> {
        let (outer, row) = outer_and_row(task);
        let levels = levels(task.program, &row);
        let code = join_terms(task.program, &levels, compile(task)?);
        let code = beside_numbers(task.program, &levels, code);
        let mut rows = Rows {
            task,
            code,
            levels,
            outer,
            row,
            units: units(task.program),
            passes: Vec::new(),
            schedule: Schedule::Parts { asks: false },
            cells: Vec::new(),
            constants: Vec::new(),
            kept: Vec::new(),
            totals: 0,
            scratch: 0,
            longest: 0,
        };
        let len = rows.row.len();
        let whole = rows.row.block_end(0, len, len) == len;
        if chunked || !(whole && rows.plan_tiles()) {
            rows.plan_parts(if chunked { Keep::Nothing } else { Keep::Dear });
        }
        Ok(rows)
    }

    /// Plans tiles, if a row is short enough.
    fn plan_tiles(&mut self) -> bool {
        let len = self.row.len().max(1);
        let contiguous = |k: usize| self.row.step(k) == Some(1);
        let side_by_side =
            |k: usize| contiguous(k) && self.outer.step(k) == Some(self.row.len() as isize);
        let (mut passes, mut plan) = self.tile(side_by_side);
        let mut rows = (CACHED / (plan.width * len).max(1))
            .min(MOST_ROWS)
            .min(self.outer.len().max(1));
        let copies = |p: &Pass| !p.loads.is_empty() || !p.stores.is_empty();
        if rows <= 1 || (len >= LONG_ROW && passes.iter().any(copies)) {
            rows = 1;
            (passes, plan) = self.tile(contiguous);
        }
        if plan.width * len * rows > MOST_CACHED {
            return false;
        }
        self.schedule = Schedule::Tiles { rows };
        self.longest = rows * self.row.len();
        self.lay_out_cells(rows);
        let (first, end) = plan.registers.layout(self.scratch, self.longest);
        let place = |&(k, register): &(u32, usize)| (k, first[register]);
        self.constants = plan.constants.iter().map(place).collect();
        passes[0].places = plan.places.iter().map(place).collect();
        (self.passes, self.scratch) = (passes, end);
        true
    }

    /// Passes over a tile, where kernels read and write operands as they lie if `lies` says so.
    fn tile(&self, lies: impl Fn(usize) -> bool) -> (Vec<Pass>, Plan) {
        let phases = Phases::new(self.task.program, &self.levels, &self.code, Keep::All);
        let phases = self.with_streams(phases, |k| lies(k) && !self.outer.repeats(k));
        let none = vec![false; self.code.len()];
        let mut passes: Vec<Pass> = Vec::new();
        let mut constants = Vec::new();
        let mut spread = none.clone();
        for phase in phases.phases {
            let mut pass = self.sorted(phase, &none, &lies);
            pass.loads.retain(|&(k, operand)| {
                let repeats = self.outer.repeats(operand);
                constants.extend(repeats.then_some(k));
                !repeats
            });
            // What one pass has repeated the next ones find.
            pass.spreads
                .retain(|&k| !std::mem::replace(&mut spread[k as usize], true));
            passes.push(pass);
        }
        constants.extend(self.uniform_elements());
        let plan = allocate(self, &passes, &none, &constants, Spreads::Once);
        (passes, plan)
    }

    /// Plans passes over parts of rows.
    fn plan_parts(&mut self, keep: Keep) {
        let (program, len) = (self.task.program, self.row.len());
        let bytes = |k: usize| self.code[k].size.saturating_mul(len);
        let mut phases = Phases::new(program, &self.levels, &self.code, keep);
        let kept = (0..self.code.len()).filter(|&k| phases.kept[k]);
        if kept.map(bytes).fold(0, usize::saturating_add) > KEPT_BYTES {
            phases = Phases::new(program, &self.levels, &self.code, Keep::Nothing);
        }
        let mut phases =
            self.with_streams(phases, |k| !self.outer.repeats(k) && !self.row.repeats(k));
        let asks = keep != Keep::Nothing && phases.share_next_row(len, NEXT_BYTES);
        self.schedule = Schedule::Parts { asks };
        let kept = std::mem::take(&mut phases.kept);
        let constants: Vec<u32> = self.uniform_elements().collect();
        let mut plans: Vec<(Pass, Plan)> = Vec::new();
        for phase in phases.phases {
            let mut pass = self.sorted(phase, &kept, |k| self.row.is_contiguous(k));
            let plan = allocate(
                self,
                std::slice::from_ref(&pass),
                &kept,
                &constants,
                Spreads::ForAllBlocks,
            );
            pass.block = block(&pass, plan.width, len);
            plans.push((pass, plan));
        }
        self.longest = plans.iter().map(|(p, _)| p.block).max().unwrap_or(0);
        self.lay_out_cells(1);
        for k in constants {
            self.constants.push((k, self.scratch));
            self.scratch += lines(self.code[k as usize].size * self.longest);
        }
        for k in (0..self.code.len()).filter(|&k| kept[k]) {
            self.kept.push((k as u32, self.scratch));
            self.scratch += lines(self.code[k].size * len);
        }
        let from = self.scratch;
        for (mut pass, plan) in plans {
            let (first, end) = plan.registers.layout(from, pass.block);
            self.scratch = self.scratch.max(end);
            pass.places = plan.places.iter().map(|&(k, r)| (k, first[r])).collect();
            self.passes.push(pass);
        }
    }

    /// The phases with what is worth asking for ahead. What folds read in one long stream needs no help.
    fn with_streams(&self, mut phases: Phases, moves: impl Fn(usize) -> bool) -> Phases {
        let computes =
            |&k: &u32| !matches!(self.code[k as usize].step, Step::Input(_) | Step::Index(_));
        let lanes = |p: &Phase| p.lane_nodes.iter().any(computes);
        let len = self.row.len();
        let long = self.row.block_end(0, len, len) == len;
        if !long || phases.phases.iter().any(lanes) {
            phases.find_streams(self.task.program, &self.code, moves);
        }
        phases
    }

    /// A phase with its nodes sorted by how they are come by; `kept` ones are computed where they are kept.
    fn sorted(&self, phase: Phase, kept: &[bool], lies: impl Fn(usize) -> bool) -> Pass {
        let mut pass = Pass::default();
        let inputs = self.task.inputs.len();
        let element = |&&o: &&usize| self.task.program.outputs[o].role != Yield::RowScalar;
        let node = |o: usize| self.task.program.outputs[o].node;
        for &k in &phase.lane_nodes {
            match self.code[k as usize].step {
                Step::Input(i) if lies(i) => pass.reads.push((k, i)),
                Step::Input(i) | Step::Index(i) => pass.loads.push((k, i)),
                _ => {
                    pass.kernels.push(k);
                    let mut outputs = phase.outputs.iter().filter(element);
                    let here = outputs.find(|&&o| node(o) == k && lies(inputs + o));
                    if let (Some(o), false) = (here, kept[k as usize]) {
                        pass.writes.push((k, inputs + o));
                    }
                }
            }
        }
        for &o in phase.outputs.iter().filter(element) {
            let store = (node(o), inputs + o);
            if !pass.writes.contains(&store) {
                pass.stores.push(store);
            }
        }
        let folds = phase.folds.iter().chain(&phase.lane_nodes);
        let read = folds.flat_map(|&k| self.elements(k));
        for k in read.chain(pass.stores.iter().map(|s| s.0)) {
            if self.levels[k as usize] == Level::Row && !pass.spreads.contains(&k) {
                pass.spreads.push(k);
            }
        }
        pass.phase = phase;
        pass
    }

    /// The nodes that node `k` reads element by element.
    pub(super) fn elements(&self, k: u32) -> SmallVec<[u32; 3]> {
        let node = &self.task.program.nodes[k as usize];
        match self.code[k as usize].step {
            Step::Kernel(..) if self.levels[k as usize] == Level::Lane => {
                SmallVec::from_slice(node.operands())
            }
            Step::Beside(_, [a, b], place) => SmallVec::from_slice(&[match place {
                Place::First => b,
                Place::Second => a,
            }]),
            Step::Fold(_, terms) => terms.lanes().collect(),
            _ => SmallVec::new(),
        }
    }

    /// The nodes that never change and are read element by element.
    fn uniform_elements(&self) -> impl Iterator<Item = u32> + '_ {
        let all = 0..self.code.len() as u32;
        let outputs = &self.task.program.outputs;
        let written = |k: u32| {
            let mut outputs = outputs.iter();
            outputs.any(|o| o.node == k && o.role != Yield::RowScalar)
        };
        let read = move |k: u32| (0..self.code.len() as u32).any(|n| self.elements(n).contains(&k));
        all.filter(move |&k| self.levels[k as usize] == Level::Uniform && (read(k) || written(k)))
    }

    /// Gives every node that rows have one value of room for those of `rows` rows, and folds for their accumulators.
    fn lay_out_cells(&mut self, rows: usize) {
        let mut cells = Vec::with_capacity(self.code.len());
        for (k, i) in self.code.iter().enumerate() {
            cells.push(self.scratch);
            if self.levels[k] != Level::Lane {
                self.scratch += lines(i.size.max(1) * rows);
            }
        }
        self.cells = cells;
        self.totals = self.scratch;
        self.scratch += lines(16 * rows);
    }
}

/// Bytes from one element of each operand to the next: an index is at the address itself.
fn units(program: &Typed) -> Vec<usize> {
    let inputs = program.inputs.iter().enumerate();
    let inputs = inputs.map(|(k, dtype)| if program.is_index(k) { 1 } else { dtype.size() });
    let outputs = program.outputs.iter().map(|o| o.dtype.size());
    inputs.chain(outputs).collect()
}

/// Elements of a block of a pass over rows of `len` whose values take `width` bytes each.
fn block(pass: &Pass, width: usize, len: usize) -> usize {
    let computes = !pass.kernels.is_empty() || !pass.loads.is_empty() || !pass.spreads.is_empty();
    if !computes {
        return PART.min(len).max(1);
    }
    let most = (CACHED / width.max(1)).clamp(LEAST, PART);
    // Blocks of equal length.
    let blocks = len.div_ceil(most).max(1);
    let even = len.div_ceil(blocks).next_multiple_of(WHOLE);
    even.min(most.next_multiple_of(WHOLE)).min(len).max(1)
}
