//! Many rows side by side: lanes are rows, and every position of the row is one step. For rows whose
//! elements are not neighbours in memory (reductions over leading axes), and for very short rows.

use super::code::{Folding, Instruction, Step, compile};
use super::extremes::arg_step;
use super::parallel::{Work, for_ranges};
use super::phases::{Keep, Phase, Phases};
use super::scratch::{Scratch, lines};
use super::space::{Space, outer_and_row};
use crate::cpu::lanes;
use crate::error::Result;
use crate::fuse::{Task, Yield};
use crate::interrupt::Pace;

/// Rows per tile where values are computed: registers stay in the first-level cache.
const TILE: usize = 1024;
/// Rows per tile where folds read memory: long runs of it.
const WIDE_TILE: usize = 4096;
/// Steps that a fold takes from memory at once.
const GROUP: usize = 32;
/// A row of fewer elements takes less time as one lane of many than to begin and to end.
const SHORT_ROW: usize = 32;
/// With at most this many rows, threads share the steps and not the rows, so that each still walks through
/// memory in long runs.
const FEW_ROWS: usize = 8 << 10;
/// Elements of one chunk of steps.
const CHUNK: usize = 256 << 10;
/// Steps over a tile before the caller is asked whether to go on.
const UNASKED: usize = 2 << 10;

/// True where lanes along the kept axes touch memory in a better order than lanes along the row.
pub(crate) fn suits(task: &Task<'_>) -> bool {
    let (outer, row) = outer_and_row(task);
    let varies = |k: &usize| !outer.repeats(*k) && !row.repeats(*k);
    let Some(main) = (0..task.inputs.len()).find(varies) else {
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

/// Values of all rows that threads read, and accumulators of which each thread writes its own.
struct Shared<'a> {
    at: &'a [*mut u8],
    partials: *mut u8,
}

// SAFETY: while threads share it nobody writes the values, and every part of the accumulators has one writer.
unsafe impl Sync for Shared<'_> {}

impl Shared<'_> {
    fn value(&self, k: usize) -> *mut u8 {
        self.at[k]
    }

    fn partial(&self, byte: usize) -> *mut u8 {
        self.partials.wrapping_add(byte)
    }
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
        let phases = Phases::new(task.program, &code, Keep::Nothing);
        let mut columns = Columns {
            task,
            code,
            outer,
            row,
            phases,
            groups: Vec::new(),
            tile: TILE,
        };
        let groups = columns.phases.phases.iter().map(|p| columns.group(p));
        columns.groups = groups.collect();
        if columns.groups.iter().all(|&g| g > 1) {
            columns.tile = WIDE_TILE;
        }
        columns.tile = columns.tile.min(columns.outer.len().max(1));
        Ok(columns)
    }

    /// How many steps a phase takes at once: one, unless it only folds what lies in memory.
    fn group(&self, phase: &Phase) -> usize {
        let in_memory = |&k: &u32| match self.code[k as usize].step {
            Step::Fold(Folding::Plain { .. }, arg) => match self.code[arg as usize].step {
                Step::Input(i) => self.outer.is_contiguous(i) && self.row.step(i).is_some(),
                _ => false,
            },
            _ => false,
        };
        if phase.outputs.is_empty() && phase.folds.iter().all(in_memory) {
            GROUP
        } else {
            1
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
        let nodes = self.code.iter().map(|i| take(i.size)).collect();
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

    /// Steps of a chunk, where the row is to be cut into chunks.
    fn chunk(&self) -> Option<usize> {
        let plain = |i: &Instruction| !matches!(i.step, Step::Fold(Folding::Arg { .. }, _));
        let steps = CHUNK / self.outer.len().max(1);
        let many = self.outer.len() <= FEW_ROWS && self.row.len() >= 2 * steps;
        (many && self.code.iter().all(plain)).then_some(steps)
    }

    unsafe fn run_tile(&self, tile: &mut Tile) {
        let steps = self.row.len();
        for (p, phase) in self.phases.phases.iter().enumerate() {
            // SAFETY: the caller's promise; every register holds a tile.
            unsafe {
                for &k in &phase.row_nodes {
                    self.compute(k as usize, None, phase, tile);
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

    /// Phase by phase over all rows. Threads share chunks of `steps` steps, whose accumulators are joined
    /// in order.
    unsafe fn run_chunks(&self, steps: usize) -> Result<()> {
        let lanes = self.outer.len();
        let registers = self.registers(lanes);
        let mut scratch = Scratch::take(registers.bytes)?;
        let mut all = registers.tile(scratch.address(), 0, lanes);
        let chunks = self.row.len().div_ceil(steps);
        let stride = lines(16 * lanes);
        for (p, phase) in self.phases.phases.iter().enumerate() {
            let folds = phase.folds.len();
            let mut partials = Scratch::take(chunks * folds * stride)?;
            let partials = partials.address();
            // SAFETY: the caller's promise; every register holds all rows, and every chunk has an
            // accumulator of each fold for all rows.
            unsafe {
                for &k in &phase.row_nodes {
                    self.compute(k as usize, None, phase, &mut all);
                }
                self.share_chunks(p, steps, &all, partials)?;
                for (f, &k) in phase.folds.iter().enumerate() {
                    let k = k as usize;
                    let part = |c: usize| partials.wrapping_add((c * folds + f) * stride);
                    if let Step::Fold(Folding::Plain { join, .. }, _) = self.code[k].step {
                        for c in 1..chunks {
                            join(part(0), part(0), part(c), std::ptr::null(), lanes);
                        }
                    }
                    all.folds[k][0] = part(0);
                    self.finish(k, &mut all);
                }
            }
        }
        // SAFETY: as above; all row values are computed.
        unsafe { self.store_row_values(&all) };
        Ok(())
    }

    /// Takes all steps of a phase, chunk by chunk, into the accumulators at `partials`.
    unsafe fn share_chunks(
        &self,
        p: usize,
        steps: usize,
        all: &Tile,
        partials: *mut u8,
    ) -> Result<()> {
        let phase = &self.phases.phases[p];
        let tiles: Vec<(usize, usize)> = self.tiles(0, all.n).collect();
        let registers = self.registers(self.tile);
        let shared = Shared {
            at: &all.at,
            partials,
        };
        let earlier = &self.phases.phases[..=p];
        let stride = lines(16 * all.n);
        let work = Work {
            items: self.row.len().div_ceil(steps) * tiles.len(),
            tenths_of_ns: self.cost() * steps * self.tile,
            at_least: 1,
        };
        for_ranges(work, |from, to| {
            let mut scratch = Scratch::take(registers.bytes)?;
            for item in from..to {
                let (chunk, (here, n)) = (item / tiles.len(), tiles[item % tiles.len()]);
                let mut tile = registers.tile(scratch.address(), here, n);
                for &k in earlier.iter().flat_map(|e| &e.row_nodes) {
                    let k = k as usize;
                    tile.at[k] = shared.value(k).wrapping_add(here * self.code[k].size);
                }
                for (f, &k) in phase.folds.iter().enumerate() {
                    let part = (chunk * phase.folds.len() + f) * stride;
                    let k = k as usize;
                    tile.folds[k][0] = shared.partial(part + here * self.accumulator_size(k));
                }
                let first = chunk * steps;
                let end = (first + steps).min(self.row.len());
                // SAFETY: no two items have a row and a step in common; the rest is the caller's promise.
                unsafe { self.take_steps(p, first, end, &mut tile) };
            }
            Ok(())
        })
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
            let count = most.min(to - step);
            // SAFETY: the caller's promise; every register holds a tile.
            unsafe {
                for &k in &phase.lane_nodes {
                    self.compute(k as usize, Some(step), phase, tile);
                }
                for &k in &phase.folds {
                    self.feed(k as usize, step, count, step == from, tile);
                }
                for &o in &phase.outputs {
                    self.store(o, Some(step), tile);
                }
            }
            step += count;
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

    unsafe fn compute(&self, k: usize, step: Option<usize>, phase: &Phase, tile: &mut Tile) {
        let size = self.code[k].size;
        let register = tile.registers[k];
        // SAFETY: inputs and outputs are live over the tile, registers hold one, and kernels were
        // chosen for exactly these types.
        unsafe {
            match self.code[k].step {
                Step::Input(i) => {
                    let first = self.first(i, step, size);
                    tile.at[k] = match self.outer.direct(i, first, size, tile.here, tile.n) {
                        Some(direct) => direct,
                        None => {
                            self.outer.load(i, first, size, tile.here, tile.n, register);
                            register
                        }
                    };
                }
                Step::Number(cell) => lanes::fill(register, cell.0.as_ptr(), size, tile.n),
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
        let Step::Fold(folding, arg) = self.code[k].step else {
            return;
        };
        let value = tile.at[arg as usize];
        let [total, index, temporary] = tile.folds[k];
        // SAFETY: the three hold a tile of the widest type; `value` is a block of the operand's type, and
        // of memory with a block at each of the steps where there are more than one.
        unsafe {
            match folding {
                Folding::Arg { larger, .. } => {
                    let dtype = self.task.program.nodes[arg as usize].dtype;
                    let registers = [total, index, temporary];
                    arg_step(dtype, larger, step, value, registers, tile.n);
                }
                Folding::Plain { lift, .. } if first => {
                    lift(total, value, std::ptr::null(), std::ptr::null(), tile.n);
                }
                Folding::Plain { across, .. } => {
                    across(total, value, self.stride(arg as usize), count, tile.n);
                }
            }
        }
    }

    /// The distance in bytes from one step of an operand to the next; 0 for what is computed.
    fn stride(&self, k: usize) -> isize {
        match self.code[k].step {
            Step::Input(i) => self.row.step(i).unwrap_or(0) * self.code[k].size as isize,
            _ => 0,
        }
    }

    /// Bytes of one accumulator of a fold.
    fn accumulator_size(&self, k: usize) -> usize {
        match self.code[k].step {
            Step::Fold(Folding::Plain { accumulator, .. }, _) => accumulator.size(),
            _ => 16,
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
