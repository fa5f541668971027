//! Many rows side by side: lanes are rows, and every position of the row is one step. For rows whose
//! elements are not neighbours in memory (reductions over leading axes), and for very short rows.

mod chunks;

use super::code::{Folding, Instruction, Step, compile, levels};
use super::extremes::arg_step;
use super::parallel::{Work, for_ranges};
use super::phases::{Keep, Phase, Phases, summed};
use super::scratch::{Scratch, lines};
use super::space::{Space, outer_and_row};
use crate::cpu::lanes;
use crate::error::Result;
use crate::fuse::{Level, Task, Yield};
use crate::interrupt::Pace;

/// Rows per tile where values are computed: registers stay in the first-level cache.
const TILE: usize = 1024;
/// Rows per tile where folds read memory: long runs of it.
const WIDE_TILE: usize = 4096;
/// Steps that a fold takes from memory at once, and those of values that are computed: the first ones are some of the
/// second ones, so that the order of a sum is the same.
const GROUP: usize = 32;
const COMPUTED_GROUP: usize = 8;
/// A row of fewer elements takes less time as one lane of many than to begin and to end.
const SHORT_ROW: usize = 32;
/// Steps over a tile before the caller is asked whether to go on.
const UNASKED: usize = 2 << 10;

/// True where lanes along the kept axes touch memory in a better order than lanes along the row.
pub(crate) fn suits(task: &Task<'_>) -> bool {
    let (outer, row) = outer_and_row(task);
    let varies = |k: &usize| !outer.repeats(*k) && !row.repeats(*k);
    let read = |k: &usize| !task.program.is_index(*k);
    let mut varying = (0..task.inputs.len()).filter(varies);
    let Some(main) = varying.clone().find(read).or_else(|| varying.next()) else {
        return false;
    };
    if outer.len() < 16 || row.len() < 2 {
        return false;
    }
    let across = outer.inner_stride(main).unsigned_abs();
    let along = row.inner_stride(main).unsigned_abs();
    (row.len() < SHORT_ROW && outer.len() >= 64) || (across < along && outer.inner() >= 16)
}

struct Columns<'a> {
    task: &'a Task<'a>,
    code: Vec<Instruction>,
    outer: Space,
    row: Space,
    phases: Phases,
    /// Steps that each phase takes at once.
    groups: Vec<usize>,
    /// Nodes whose values of a group of steps are computed before they are folded.
    grouped: Vec<bool>,
    tile: usize,
}

/// Where each node of a tile has its register and its fold's working memory, in bytes.
struct Registers {
    nodes: Vec<usize>,
    /// Accumulator, index and a temporary.
    folds: Vec<[usize; 3]>,
    bytes: usize,
}

/// A tile of rows during the run.
struct Tile {
    /// Where each node's values are to be computed, and where they lie.
    registers: Vec<*mut u8>,
    at: Vec<*mut u8>,
    folds: Vec<[*mut u8; 3]>,
    here: usize,
    n: usize,
}

/// Runs a program with folds, many rows side by side.
///
/// # Safety
/// As [`crate::Device::run`].
pub(crate) unsafe fn run(task: &Task<'_>) -> Result<()> {
    let columns = Columns::new(task)?;
    if let Some(steps) = columns.chunk() {
        // SAFETY: the caller's promise.
        return unsafe { columns.run_chunks(steps) };
    }
    let registers = columns.registers(columns.tile);
    let work = Work {
        items: columns.outer.len(),
        tenths_of_ns: columns.cost().saturating_mul(columns.row.len()),
        at_least: 256,
    };
    for_ranges(work, |from, to| {
        let mut scratch = Scratch::take(registers.bytes)?;
        for (here, n) in columns.tiles(from, to) {
            let mut tile = registers.tile(scratch.address(), here, n);
            // SAFETY: tiles are disjoint sets of rows; the rest is the caller's promise.
            unsafe { columns.run_tile(&mut tile) };
        }
        Ok(())
    })
}

impl Registers {
    fn tile(&self, base: *mut u8, here: usize, n: usize) -> Tile {
        let address = |&byte: &usize| base.wrapping_add(byte);
        let registers: Vec<*mut u8> = self.nodes.iter().map(address).collect();
        Tile {
            at: registers.clone(),
            registers,
            folds: self.folds.iter().map(|f| f.map(|b| address(&b))).collect(),
            here,
            n,
        }
    }
}

impl<'a> Columns<'a> {
    fn new(task: &'a Task<'a>) -> Result<Columns<'a>> {
        let (outer, row) = outer_and_row(task);
        let code = compile(task)?;
        let levels = levels(task.program, &row);
        let phases = Phases::new(task.program, &levels, &code, Keep::Nothing);
        let mut columns = Columns {
            task,
            code,
            outer,
            row,
            phases,
            groups: Vec::new(),
            grouped: Vec::new(),
            tile: TILE,
        };
        let groups = columns.phases.phases.iter().map(|p| columns.group(p));
        columns.groups = groups.collect();
        if columns.groups.iter().all(|&g| g == GROUP) {
            columns.tile = WIDE_TILE;
        }
        // few: one for each node.
        columns.grouped = vec![false; columns.code.len()];
        for k in columns.code.iter().flat_map(summed) {
            let k = k as usize;
            columns.grouped[k] = levels[k] == Level::Lane && !columns.lies(k);
        }
        columns.tile = columns.tile.min(columns.outer.len().max(1));
        Ok(columns)
    }

    /// True for an operand that folds read as it lies, some steps at once.
    fn lies(&self, k: usize) -> bool {
        match self.code[k].step {
            Step::Input(i) => self.outer.is_contiguous(i) && self.row.step(i).is_some(),
            _ => false,
        }
    }

    /// How many steps a phase takes at once.
    fn group(&self, phase: &Phase) -> usize {
        let folds = phase
            .folds
            .iter()
            .flat_map(|&k| summed(&self.code[k as usize]));
        // few: no more than nodes.
        let summed: Vec<usize> = folds.map(|k| k as usize).collect();
        if phase.outputs.is_empty() && summed.iter().all(|&k| self.lies(k)) {
            GROUP
        } else if summed.is_empty() {
            1
        } else {
            COMPUTED_GROUP
        }
    }

    /// Rough time of one element, in units of 0.1 ns.
    fn cost(&self) -> usize {
        self.code.iter().map(|i| i.cost + 2).sum()
    }

    fn registers(&self, lanes: usize) -> Registers {
        let mut bytes = 0;
        let mut take = |size: usize| {
            let at = bytes;
            bytes += lines(size * lanes);
            at
        };
        let node = |(k, i): (usize, &Instruction)| match self.grouped[k] {
            true => take(i.size * COMPUTED_GROUP),
            false => take(i.size),
        };
        let nodes = self.code.iter().enumerate().map(node).collect();
        let fold = |i: &Instruction| match i.step {
            Step::Fold(..) => [take(16), take(16), take(16)],
            _ => [0; 3],
        };
        let folds = self.code.iter().map(fold).collect();
        Registers {
            nodes,
            folds,
            bytes,
        }
    }

    /// First row and length of each tile of the rows `from..to`.
    fn tiles(&self, from: usize, to: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut here = from;
        std::iter::from_fn(move || {
            let start = here;
            here = self.outer.block_end(start, self.tile, to);
            (start < to).then(|| (start, here - start))
        })
    }

    unsafe fn run_tile(&self, tile: &mut Tile) {
        let steps = self.row.len();
        for (p, phase) in self.phases.phases.iter().enumerate() {
            // SAFETY: the caller's promise; every register holds a tile.
            unsafe {
                for &k in &phase.row_nodes {
                    self.compute(k as usize, None, 0, phase, tile);
                }
                self.take_steps(p, 0, steps, tile);
                for &k in &phase.folds {
                    self.finish(k as usize, tile);
                }
            }
        }
        // SAFETY: as above; all row values are computed.
        unsafe { self.store_row_values(tile) };
    }

    /// Computes, folds and stores the steps `from..to` of a phase.
    unsafe fn take_steps(&self, p: usize, from: usize, to: usize, tile: &mut Tile) {
        let phase = &self.phases.phases[p];
        if phase.folds.is_empty() && phase.outputs.is_empty() {
            return;
        }
        let (mut step, mut pace) = (from, Pace::new(from, UNASKED));
        while step < to && !pace.stops(step) {
            // The first step starts the accumulators.
            let most = if step == from { 1 } else { self.groups[p] };
            let left = to - step;
            let count = if most == GROUP || left >= most {
                most.min(left)
            } else {
                1
            };
            // SAFETY: the caller's promise; every register holds a tile.
            unsafe {
                if most < GROUP {
                    (0..count).for_each(|s| self.take_step(p, step + s, s, tile));
                }
                for &k in &phase.folds {
                    self.feed(k as usize, step, count, step == from, tile);
                }
            }
            step += count;
        }
    }

    /// Computes and stores one step, which is number `s` of its group.
    unsafe fn take_step(&self, p: usize, step: usize, s: usize, tile: &mut Tile) {
        let phase = &self.phases.phases[p];
        // SAFETY: the caller's promise; registers of grouped nodes hold a group of tiles.
        unsafe {
            for &k in &phase.lane_nodes {
                self.compute(k as usize, Some(step), s, phase, tile);
            }
            for &o in &phase.outputs {
                self.store(o, Some(step), tile);
            }
        }
    }

    unsafe fn store_row_values(&self, tile: &Tile) {
        for (o, output) in self.task.program.outputs.iter().enumerate() {
            if output.role == Yield::RowScalar {
                // SAFETY: the caller's promise; the value is computed.
                unsafe { self.store(o, None, tile) };
            }
        }
    }

    /// Address of an operand's first element at a step of the row.
    fn first(&self, operand: usize, step: Option<usize>, size: usize) -> *mut u8 {
        let slot = self.task.slot(operand);
        let offset = step.map_or(0, |s| self.row.offset(operand, s));
        slot.address.wrapping_offset(offset * size as isize)
    }

    /// Computes node `k` at a step, number `s` of its group.
    unsafe fn compute(
        &self,
        k: usize,
        step: Option<usize>,
        s: usize,
        phase: &Phase,
        tile: &mut Tile,
    ) {
        let size = self.code[k].size;
        let before = if self.grouped[k] { s } else { 0 };
        let register = tile.registers[k].wrapping_add(before * tile.n * size);
        // SAFETY: inputs and outputs are live over the tile, registers hold one, and kernels were
        // chosen for exactly these types.
        unsafe {
            match self.code[k].step {
                Step::Input(i) => {
                    let first = self.first(i, step, size);
                    tile.at[k] = match self.outer.direct(i, first, size, tile.here, tile.n) {
                        // A group of steps is folded from its registers.
                        Some(direct) if !self.grouped[k] => direct,
                        _ => {
                            self.outer.load(i, first, size, tile.here, tile.n, register);
                            register
                        }
                    };
                }
                Step::Index(i) => {
                    let first = self.first(i, step, 1);
                    self.outer.index(i, first, tile.here, tile.n, register);
                    tile.at[k] = register;
                }
                Step::Number(cell) => lanes::fill(register, cell.0.as_ptr(), size, tile.n),
                Step::Beside(..) => {}
                Step::Kernel(f, [a, b, c]) => {
                    tile.at[k] = self.direct_output(k, step, phase, tile).unwrap_or(register);
                    f(
                        tile.at[k],
                        tile.at[a as usize],
                        tile.at[b as usize],
                        tile.at[c as usize],
                        tile.n,
                    );
                }
                Step::Fold(..) => {}
            }
        }
    }

    fn direct_output(
        &self,
        k: usize,
        step: Option<usize>,
        phase: &Phase,
        tile: &Tile,
    ) -> Option<*mut u8> {
        step?;
        if self.grouped[k] {
            return None;
        }
        let o = *phase
            .outputs
            .iter()
            .find(|&&o| self.task.program.outputs[o].node as usize == k)?;
        let operand = self.task.inputs.len() + o;
        let size = self.code[k].size;
        self.outer.direct(
            operand,
            self.first(operand, step, size),
            size,
            tile.here,
            tile.n,
        )
    }

    unsafe fn store(&self, o: usize, step: Option<usize>, tile: &Tile) {
        let node = self.task.program.outputs[o].node as usize;
        let operand = self.task.inputs.len() + o;
        let size = self.code[node].size;
        let first = self.first(operand, step, size);
        if self.outer.direct(operand, first, size, tile.here, tile.n) != Some(tile.at[node]) {
            // SAFETY: the output is writable over the tile, and the result lies at `at[node]`.
            unsafe {
                self.outer
                    .store(operand, first, size, tile.here, tile.n, tile.at[node])
            };
        }
    }

    /// Takes the values of `count` steps into a fold, whose accumulator the first of all starts.
    unsafe fn feed(&self, k: usize, step: usize, count: usize, first: bool, tile: &Tile) {
        let Step::Fold(folding, terms) = self.code[k].step else {
            return;
        };
        let arg = terms.a as usize;
        let (value, stride) = self.group_of(arg, step, tile);
        let [total, index, temporary] = tile.folds[k];
        // SAFETY: the three hold a tile of the widest type; `value` is a block of the operand's type at each of the steps.
        unsafe {
            match folding {
                Folding::Arg { larger, .. } => {
                    let dtype = self.task.program.nodes[arg].dtype;
                    let registers = [total, index, temporary];
                    for s in 0..count {
                        let value = value.wrapping_offset(s as isize * stride);
                        arg_step(dtype, larger, step + s, value, registers, tile.n);
                    }
                }
                Folding::Plain { lift, .. } if first => {
                    lift(total, value, std::ptr::null(), std::ptr::null(), tile.n);
                }
                Folding::Plain { across, .. } => across(total, value, stride, count, tile.n),
            }
        }
    }

    /// Where the values of node `k` lie from a step on, and the distance in bytes from each step to the next.
    fn group_of(&self, k: usize, step: usize, tile: &Tile) -> (*mut u8, isize) {
        let size = self.code[k].size;
        match self.code[k].step {
            Step::Input(i) if self.lies(k) => {
                let here = self.outer.offset(i, tile.here) * size as isize;
                let first = self.first(i, Some(step), size).wrapping_offset(here);
                (first, self.row.step(i).unwrap_or(0) * size as isize)
            }
            _ if self.grouped[k] => (tile.registers[k], (tile.n * size) as isize),
            // The same at every step.
            _ => (tile.at[k], 0),
        }
    }

    unsafe fn finish(&self, k: usize, tile: &mut Tile) {
        let Step::Fold(folding, _) = self.code[k].step else {
            return;
        };
        let [total, index, _] = tile.folds[k];
        let register = tile.registers[k];
        let null = std::ptr::null();
        // SAFETY: the accumulator holds a tile of its type, the register one of the node's type.
        unsafe {
            match folding {
                Folding::Arg { .. } => std::ptr::copy_nonoverlapping(index, register, tile.n * 8),
                Folding::Plain {
                    finish,
                    start,
                    accumulator,
                    ..
                } => {
                    if self.row.len() == 0 {
                        lanes::fill(total, start.0.as_ptr(), accumulator.size(), tile.n);
                    }
                    finish(register, total, null, null, tile.n);
                }
            }
        }
        tile.at[k] = register;
    }
}
