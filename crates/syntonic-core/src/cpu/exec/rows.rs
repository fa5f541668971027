//! One row after another: each phase is a pass over the row in blocks. A few very long rows are cut
//! into chunks of fixed length whose partial folds are joined in order.

mod asks;
mod straight;

use super::ahead::Ahead;
use super::code::{Cell, Instruction, Step, compile, join_deviations};
use super::fold::Accumulator;
use super::parallel::{Work, for_ranges};
use super::phases::{Keep, Phase, Phases, spread_nodes};
use super::scratch::{Scratch, lines};
use super::space::{Run, Space, outer_and_row};
use crate::buffer::lock;
use crate::cpu::lanes;
use crate::error::Result;
use crate::fuse::{Task, Yield};
use crate::interrupt::Pace;
use crate::room;
use std::sync::Mutex;

/// A row of at most this many elements is one block.
const ONE_BLOCK: usize = 4096;
/// Block length in longer rows.
const BLOCK: usize = 1024;
/// Block length where folds read memory as it lies, so that no register has to hold a block.
const READ_BLOCK: usize = 32 << 10;
/// Kept values of a longer row may use this many bytes; more would leave the second-level cache.
const KEPT_BYTES: usize = 640 << 10;
/// What the next row reads first is asked for ahead if it has at most this many bytes.
const NEXT_BYTES: usize = 256 << 10;
/// Rows of at least this many elements are cut into chunks when there are few of them.
const CHUNK: usize = 64 << 10;
/// Elements of a row before the caller is asked whether to go on.
const UNASKED: usize = 1 << 20;
/// Few rows.
const FEW_ROWS: usize = 8;

struct Rows<'a> {
    task: &'a Task<'a>,
    code: Vec<Instruction>,
    outer: Space,
    row: Space,
    phases: Phases,
    /// First byte of each node's register in the scratch memory.
    registers: Vec<usize>,
    /// The nodes that are kept from pass to pass.
    kept: Vec<usize>,
    scratch: usize,
    block: usize,
    /// The whole row is one block.
    single: bool,
    /// Later passes ask for the next row, which fits beside this one in the cache.
    asks: bool,
    /// Nodes with one value per row that lane nodes or element outputs read.
    spread: Vec<bool>,
}

/// What a thread works with.
struct State {
    scratch: Scratch,
    /// Where each node's block lies.
    at: Vec<*mut u8>,
    /// Each operand's first element in the current row.
    first: Vec<*mut u8>,
    /// Each operand's first element in the row after it, where it is asked for ahead.
    next_row: Vec<*mut u8>,
    /// Where this block lies in its row, and the next one.
    run: Run,
    next_run: Run,
    /// Folds of the current phase; kept for its memory.
    folds: Vec<Accumulator>,
    ahead: Ahead,
}

/// Runs a program with folds, a row at a time.
///
/// # Safety
/// As [`crate::Device::run`].
pub(crate) unsafe fn run(task: &Task<'_>) -> Result<()> {
    let outer_len: usize = task.outer.iter().product();
    let row_len: usize = task.row.iter().product();
    let chunked = outer_len < FEW_ROWS && row_len >= 2 * CHUNK;
    let rows = Rows::new(task, chunked)?;
    if chunked {
        for at in 0..outer_len {
            // SAFETY: the caller's promise.
            unsafe { rows.chunked_row(at)? };
        }
        return Ok(());
    }
    let cost: usize = rows.code.iter().map(|i| i.cost + 1).sum();
    let work = Work {
        items: outer_len,
        tenths_of_ns: cost.saturating_mul(row_len.max(1)).saturating_add(500),
        at_least: 1,
    };
    let straight = rows.straight();
    for_ranges(work, |from, to| {
        if let Some(fold) = straight {
            let mut cells = rows.cells();
            for at in from..to {
                // SAFETY: rows are disjoint, so no two threads write the same element; the rest is the
                // caller's promise.
                unsafe { rows.straight_row(fold, at, &mut cells) };
            }
            return Ok(());
        }
        let mut state = rows.state()?;
        let mut cells = rows.cells();
        for at in from..to {
            if at + 1 == to {
                state.next_row.clear();
            } else if rows.single {
                rows.next_row(at + 1, &mut state);
            } else if rows.asks {
                rows.firsts(at + 1, &mut state.next_row);
            }
            // SAFETY: rows are disjoint, so no two threads write the same element; the rest is the
            // caller's promise.
            unsafe { rows.whole_row(at, &mut state, &mut cells) };
        }
        Ok(())
    })
}

impl<'a> Rows<'a> {
    fn new(task: &'a Task<'a>, chunked: bool) -> Result<Rows<'a>> {
        let (outer, row) = outer_and_row(task);
        let code = join_deviations(task.program, compile(task)?);
        let single = !chunked && row.block_end(0, ONE_BLOCK, row.len()) == row.len();
        let mut phases = Phases::new(
            task.program,
            &code,
            if single { Keep::All } else { Keep::Dear },
        );
        // Where nothing is computed between the memory and the folds, no register limits the block.
        let computes = |k: &u32| matches!(code[*k as usize].step, Step::Kernel(..));
        let lanes = |p: &Phase| p.lane_nodes.iter().any(computes);
        let folds_only = !phases.phases.iter().any(lanes);
        let as_it_lies = |k: &u32| match code[*k as usize].step {
            Step::Input(i) => row.is_contiguous(i),
            _ => true,
        };
        let reads = |p: &Phase| p.lane_nodes.iter().all(as_it_lies);
        let block = if single {
            row.len()
        } else if folds_only && phases.phases.iter().all(reads) {
            READ_BLOCK.min(row.len())
        } else if folds_only {
            ONE_BLOCK
        } else {
            BLOCK.min(row.len())
        }
        .max(1);
        let kept_bytes: usize = (0..code.len())
            .filter(|&k| phases.kept[k])
            .map(|k| code[k].size.saturating_mul(row.len()))
            .fold(0, usize::saturating_add);
        if !single && (chunked || kept_bytes > KEPT_BYTES) {
            phases = Phases::new(task.program, &code, Keep::Nothing);
        }
        let kept = (0..code.len()).filter(|&k| phases.kept[k]).collect();
        let mut registers = Vec::with_capacity(code.len());
        let mut scratch = 0;
        for (k, i) in code.iter().enumerate() {
            registers.push(scratch);
            let long = phases.kept[k] && !single;
            scratch += lines(i.size * if long { row.len() } else { block });
        }
        let spread = spread_nodes(task, &code);
        // What folds read in one long stream needs no help.
        if !folds_only || row.block_end(0, usize::MAX >> 1, row.len()) < row.len() {
            phases.find_streams(task.program, &code, |k| {
                !outer.repeats(k) && !row.repeats(k)
            });
        }
        let asks = !single && !chunked && phases.share_next_row(row.len(), NEXT_BYTES);
        Ok(Rows {
            task,
            code,
            outer,
            row,
            phases,
            registers,
            kept,
            scratch,
            block,
            single,
            asks,
            spread,
        })
    }

    fn state(&self) -> Result<State> {
        let mut state = State {
            scratch: Scratch::take(self.scratch)?,
            at: vec![std::ptr::null_mut(); self.code.len()],
            first: Vec::new(),
            next_row: Vec::new(),
            run: Run::default(),
            next_run: Run::default(),
            folds: Vec::new(),
            ahead: Ahead::default(),
        };
        let base = state.scratch.address();
        for k in 0..self.code.len() {
            state.at[k] = base.wrapping_add(self.registers[k]);
        }
        Ok(state)
    }

    /// A cell per node; numbers known before the run are in place.
    fn cells(&self) -> Vec<Cell> {
        let number = |i: &Instruction| {
            if let Step::Number(cell) = i.step {
                cell
            } else {
                Cell::default()
            }
        };
        self.code.iter().map(number).collect()
    }

    unsafe fn whole_row(&self, at: usize, state: &mut State, cells: &mut [Cell]) {
        self.firsts(at, &mut state.first);
        for phase in &self.phases.phases {
            // SAFETY: the caller's promise is passed on.
            unsafe {
                self.row_values(at, phase, cells);
                self.spread_values(phase, state, cells);
                let mut folds = std::mem::take(&mut state.folds);
                folds.clear();
                folds.extend(self.accumulators(phase));
                self.pass(phase, 0, self.row.len(), state, &mut folds);
                finish(phase, &folds, cells);
                state.folds = folds;
            }
        }
        // SAFETY: as above; all cells are computed.
        unsafe { self.store_row_values(at, cells) };
    }

    unsafe fn chunked_row(&self, at: usize) -> Result<()> {
        let mut cells = self.cells();
        let chunks = self.row.len().div_ceil(CHUNK);
        let cost: usize = self.code.iter().map(|i| i.cost + 2).sum();
        for (p, phase) in self.phases.phases.iter().enumerate() {
            // SAFETY: the caller's promise is passed on.
            unsafe { self.row_values(at, phase, &mut cells) };
            let partials = Mutex::new(room::filled(chunks, None)?);
            let known = &cells;
            for_ranges(
                Work {
                    items: chunks,
                    tenths_of_ns: cost * CHUNK,
                    at_least: 1,
                },
                |from, to| {
                    let mut state = self.state()?;
                    self.firsts(at, &mut state.first);
                    for earlier in &self.phases.phases[..=p] {
                        // SAFETY: registers hold a block; the cells of this and earlier phases are known.
                        unsafe { self.spread_values(earlier, &mut state, known) };
                    }
                    for chunk in from..to {
                        let mut folds: Vec<Accumulator> = self.accumulators(phase).collect();
                        let end = ((chunk + 1) * CHUNK).min(self.row.len());
                        // SAFETY: chunks are disjoint parts of the row; the rest is the caller's promise.
                        unsafe { self.pass(phase, chunk * CHUNK, end, &mut state, &mut folds) };
                        lock(&partials)[chunk] = Some(folds);
                    }
                    Ok(())
                },
            )?;
            let mut total: Vec<Accumulator> = self.accumulators(phase).collect();
            let partials = partials
                .into_inner()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            for partial in partials.into_iter().flatten() {
                for (sum, part) in total.iter_mut().zip(partial) {
                    sum.join(part);
                }
            }
            finish(phase, &total, &mut cells);
        }
        // SAFETY: as above; all cells are computed.
        unsafe { self.store_row_values(at, &cells) };
        Ok(())
    }

    /// Where each operand begins in row `at`.
    fn firsts(&self, at: usize, to: &mut Vec<*mut u8>) {
        let program = self.task.program;
        let outputs = program.outputs.iter().map(|o| o.dtype);
        let dtypes = program.inputs.iter().copied().chain(outputs);
        to.clear();
        to.extend(dtypes.enumerate().map(|(k, d)| self.first(k, at, d.size())));
    }

    fn accumulators<'p>(&'p self, phase: &'p Phase) -> impl Iterator<Item = Accumulator> + 'p {
        let start = |&k: &u32| match self.code[k as usize].step {
            Step::Fold(folding, arg) => {
                Accumulator::new(folding, self.task.program.nodes[arg as usize].dtype)
            }
            _ => unreachable!("only folds are listed as folds"),
        };
        phase.folds.iter().map(start)
    }

    /// Values with one copy per row that this phase needs.
    unsafe fn row_values(&self, at: usize, phase: &Phase, cells: &mut [Cell]) {
        for &k in &phase.row_nodes {
            let k = k as usize;
            match self.code[k].step {
                Step::Input(i) => {
                    let size = self.code[k].size;
                    let from = self.first(i, at, size);
                    // SAFETY: the input is readable at this row; a cell holds any element.
                    unsafe { std::ptr::copy_nonoverlapping(from, cells[k].address(), size) };
                }
                Step::Kernel(f, args) => {
                    let mut operands = args.map(|a| cells[a as usize]);
                    let [a, b, c] = &mut operands;
                    // SAFETY: cells hold one value of the types the kernel was chosen for.
                    unsafe { f(cells[k].address(), a.address(), b.address(), c.address(), 1) };
                }
                Step::Number(_) | Step::Fold(..) => {}
            }
        }
    }

    /// Repeats row values over a block where lane nodes read them.
    unsafe fn spread_values(&self, phase: &Phase, state: &mut State, cells: &[Cell]) {
        for &k in &phase.row_nodes {
            let k = k as usize;
            if self.spread[k] {
                // SAFETY: the register holds a block of this size.
                unsafe {
                    lanes::fill(
                        state.at[k],
                        cells[k].0.as_ptr(),
                        self.code[k].size,
                        self.block,
                    )
                };
            }
        }
    }

    /// One pass over the positions `from..to` of a row.
    unsafe fn pass(
        &self,
        phase: &Phase,
        from: usize,
        to: usize,
        state: &mut State,
        folds: &mut [Accumulator],
    ) {
        if phase.folds.is_empty() && phase.outputs.is_empty() {
            return;
        }
        let (mut here, mut pace) = (from, Pace::new(from, UNASKED));
        while here < to && !pace.stops(here) {
            self.row.enter(&mut state.run, here);
            let end = if self.single {
                to
            } else {
                self.row.block_end_in(&state.run, here, self.block, to)
            };
            let n = end - here;
            if !self.single {
                self.find_kept(here, state);
                self.next_block(phase, here..end, to, state);
            }
            // SAFETY: the caller's promise; registers hold a block.
            unsafe {
                for &k in &phase.lane_nodes {
                    state.ahead.ask();
                    self.compute(k as usize, here, n, phase, state);
                }
                for (fold, &k) in folds.iter_mut().zip(&phase.folds) {
                    if let Step::Fold(_, arg) = self.code[k as usize].step {
                        fold.feed(&state.at, arg, here, n);
                    }
                }
                self.store_outputs(here, n, phase, state);
            }
            state.run.follow(&state.next_run, end);
            here = end;
        }
    }

    /// Points kept values of a long row at this block.
    fn find_kept(&self, here: usize, state: &mut State) {
        let base = state.scratch.address();
        for &k in &self.kept {
            state.at[k] = base.wrapping_add(self.registers[k] + here * self.code[k].size);
        }
    }

    /// Address of an operand's first element in row `at`.
    fn first(&self, operand: usize, at: usize, size: usize) -> *mut u8 {
        let slot = self.task.slot(operand);
        slot.address
            .wrapping_offset(self.outer.offset(operand, at) * size as isize)
    }

    unsafe fn compute(&self, k: usize, here: usize, n: usize, phase: &Phase, state: &mut State) {
        let size = self.code[k].size;
        let base = state.scratch.address();
        // SAFETY: inputs and outputs are live over the block, registers hold one, and kernels were
        // chosen for exactly these types.
        unsafe {
            match self.code[k].step {
                Step::Input(i) => {
                    let first = state.first[i];
                    state.at[k] = match self.row.direct_in(&state.run, i, first, size, here, n) {
                        Some(direct) => direct,
                        None => {
                            let register = base.wrapping_add(self.registers[k]);
                            self.row.load(i, first, size, here, n, register);
                            register
                        }
                    };
                }
                Step::Kernel(f, [a, b, c]) => {
                    if !self.phases.kept[k] || self.single {
                        let register = base.wrapping_add(self.registers[k]);
                        state.at[k] = self
                            .direct_output(k, here, n, phase, state)
                            .unwrap_or(register);
                    }
                    f(
                        state.at[k],
                        state.at[a as usize],
                        state.at[b as usize],
                        state.at[c as usize],
                        n,
                    );
                }
                Step::Number(_) | Step::Fold(..) => {}
            }
        }
    }

    /// The memory of the output that node `k` is, where it is contiguous.
    fn direct_output(
        &self,
        k: usize,
        here: usize,
        n: usize,
        phase: &Phase,
        state: &State,
    ) -> Option<*mut u8> {
        let o = *phase
            .outputs
            .iter()
            .find(|&&o| self.task.program.outputs[o].node as usize == k)?;
        let operand = self.task.inputs.len() + o;
        let size = self.code[k].size;
        self.row
            .direct_in(&state.run, operand, state.first[operand], size, here, n)
    }

    unsafe fn store_outputs(&self, here: usize, n: usize, phase: &Phase, state: &State) {
        for &o in &phase.outputs {
            let node = self.task.program.outputs[o].node as usize;
            let operand = self.task.inputs.len() + o;
            let size = self.code[node].size;
            let first = state.first[operand];
            let there = self
                .row
                .direct_in(&state.run, operand, first, size, here, n);
            if there != Some(state.at[node]) {
                // SAFETY: the output is writable over the block, and the result lies at `at[node]`.
                unsafe {
                    self.row
                        .store(operand, first, size, here, n, state.at[node])
                };
            }
        }
    }

    unsafe fn store_row_values(&self, at: usize, cells: &[Cell]) {
        for (o, output) in self.task.program.outputs.iter().enumerate() {
            if output.role == Yield::RowScalar {
                let node = output.node as usize;
                let size = self.code[node].size;
                let to = self.first(self.task.inputs.len() + o, at, size);
                // SAFETY: the output has an element for this row, and a cell holds any element.
                unsafe { std::ptr::copy_nonoverlapping(cells[node].0.as_ptr(), to, size) };
            }
        }
    }
}

fn finish(phase: &Phase, folds: &[Accumulator], cells: &mut [Cell]) {
    for (fold, &k) in folds.iter().zip(&phase.folds) {
        cells[k as usize] = fold.finish();
    }
}
