//! One row after another. Rows whose values fit the first-level cache are worked on as a whole, several short ones at once;
//! of longer ones each phase is a pass over the row in blocks. A few very long rows are cut into chunks.

mod asks;
mod chunks;
mod parts;
mod plan;
mod registers;
mod tiles;

use super::ahead::Ahead;
use super::code::{Instruction, Step};
use super::fold::{Accumulator, PART};
use super::parallel::{Work, for_ranges};
use super::scratch::Scratch;
use super::space::{Run, Space};
use crate::cpu::lanes::{self, Place};
use crate::error::Result;
use crate::fuse::{Level, Task, Yield};
use plan::{Pass, Schedule};

/// Rows of at least two chunks are cut into them when there are few rows.
const CHUNK: usize = PART;
/// Few rows.
const FEW_ROWS: usize = 8;

struct Rows<'a> {
    task: &'a Task<'a>,
    code: Vec<Instruction>,
    levels: Vec<Level>,
    outer: Space,
    row: Space,
    /// Bytes from one element of each operand to the next.
    units: Vec<usize>,
    passes: Vec<Pass>,
    schedule: Schedule,
    /// First byte of the values of each node that rows have one of, in the scratch memory.
    cells: Vec<usize>,
    /// Nodes whose elements stay where they are for all rows, and where that is: numbers and operands that repeat.
    constants: Vec<(u32, usize)>,
    /// Nodes that are kept from pass to pass, and where their rows begin.
    kept: Vec<(u32, usize)>,
    /// First byte of the accumulators of a tile.
    totals: usize,
    scratch: usize,
    /// Elements of the registers of constants.
    longest: usize,
}

/// What a thread works with.
struct State {
    scratch: Scratch,
    /// Where the elements of each node lie, and the values of those that rows have one of.
    at: Vec<*mut u8>,
    cells: Vec<*mut u8>,
    /// Each operand's first element in the current row.
    first: Vec<*mut u8>,
    /// Each operand's first element in the row after it, where it is asked for ahead.
    next_row: Vec<*mut u8>,
    /// Where this block lies in its row, and the next one.
    run: Run,
    next_run: Run,
    /// Folds of the current pass; kept for its memory.
    folds: Vec<Accumulator>,
    ahead: Ahead,
}

/// Runs a program with folds, some rows at a time.
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
    for_ranges(work, |from, to| {
        let mut state = rows.state()?;
        // SAFETY: rows are disjoint, so no two threads write the same element; the rest is the caller's promise.
        unsafe {
            match rows.schedule {
                Schedule::Tiles { rows: most } => rows.tiles(from, to, most, &mut state),
                Schedule::Parts { asks } => rows.rows_in_parts(from, to, asks, &mut state),
            }
        }
        Ok(())
    })
}

impl Rows<'_> {
    fn state(&self) -> Result<State> {
        let mut scratch = Scratch::take(self.scratch)?;
        let base = scratch.address();
        let cells: Vec<*mut u8> = self.cells.iter().map(|&b| base.wrapping_add(b)).collect();
        let mut state = State {
            scratch,
            // few: one for each node.
            at: vec![std::ptr::null_mut(); self.code.len()],
            cells,
            first: Vec::new(),
            next_row: Vec::new(),
            run: Run::default(),
            next_run: Run::default(),
            folds: Vec::new(),
            ahead: Ahead::default(),
        };
        for &(k, byte) in &self.constants {
            state.at[k as usize] = base.wrapping_add(byte);
        }
        // SAFETY: cells hold the values of a tile, registers of constants the longest block, and operands that repeat
        // are readable wherever any row is.
        unsafe {
            self.uniform_values(&mut state);
            self.constant_elements(&mut state);
        }
        Ok(state)
    }

    /// Rows whose values cells hold.
    fn at_once(&self) -> usize {
        match self.schedule {
            Schedule::Tiles { rows } => rows,
            Schedule::Parts { .. } => 1,
        }
    }

    /// Values that are the same in all rows.
    unsafe fn uniform_values(&self, state: &mut State) {
        for (k, i) in self.code.iter().enumerate() {
            if self.levels[k] != Level::Uniform {
                continue;
            }
            let to = state.cells[k];
            // SAFETY: cells hold a value of their type for every row of a tile.
            unsafe {
                match i.step {
                    Step::Number(cell) => {
                        lanes::fill(to, cell.0.as_ptr(), i.size, self.at_once());
                    }
                    Step::Kernel(f, args) => {
                        let [a, b, c] = args.map(|a| state.cells[a as usize]);
                        f(to, a, b, c, self.at_once());
                    }
                    _ => {}
                }
            }
        }
    }

    /// Elements that are the same in all rows.
    unsafe fn constant_elements(&self, state: &mut State) {
        for &(k, _) in &self.constants {
            let k = k as usize;
            let (to, size) = (state.at[k], self.code[k].size);
            let code = &self.code[k];
            // SAFETY: as the caller says.
            unsafe {
                match code.step {
                    Step::Input(i) | Step::Index(i) => {
                        let (first, len) = (self.first(i, 0, code.unit()), self.row.len());
                        for r in 0..self.at_once() {
                            let to = to.wrapping_add(r * len * size);
                            code.load(&self.row, i, first, 0..len, to);
                        }
                    }
                    _ => lanes::fill(to, state.cells[k], size, self.longest),
                }
            }
        }
    }

    /// Address of an operand's first element in row `at`, `size` bytes from one element to the next.
    fn first(&self, operand: usize, at: usize, size: usize) -> *mut u8 {
        let slot = self.task.slot(operand);
        slot.address
            .wrapping_offset(self.outer.offset(operand, at) * size as isize)
    }

    /// Values with one copy per row that this pass needs, for `rows` rows from `at` on.
    unsafe fn row_values(&self, pass: &Pass, at: usize, rows: usize, state: &mut State) {
        for &k in &pass.phase.row_nodes {
            let k = k as usize;
            let to = state.cells[k];
            // SAFETY: the inputs are readable at these rows; cells hold values of the types that kernels were chosen for.
            unsafe {
                match self.code[k].step {
                    Step::Input(i) | Step::Index(i) => {
                        let first = self.task.slot(i).address;
                        self.code[k].load(&self.outer, i, first, at..at + rows, to);
                    }
                    Step::Kernel(f, args) => {
                        let [a, b, c] = args.map(|a| state.cells[a as usize]);
                        f(to, a, b, c, rows);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Repeats row values where something reads them element by element, `len` times each.
    unsafe fn spread_values(&self, pass: &Pass, rows: usize, len: usize, state: &State) {
        for &k in &pass.spreads {
            let k = k as usize;
            let size = self.code[k].size;
            for r in 0..rows {
                let to = state.at[k].wrapping_add(r * len * size);
                let from = state.cells[k].wrapping_add(r * size);
                // SAFETY: the register holds as many elements.
                unsafe { lanes::fill(to, from, size, len) };
            }
        }
    }

    /// Computes node `k`, which is a kernel over elements, for `rows` rows of `len` elements.
    unsafe fn kernel(&self, k: usize, rows: usize, len: usize, state: &State) {
        let at = |k: u32| state.at[k as usize];
        match self.code[k].step {
            // SAFETY: registers and operands hold as many elements of the types that the kernel was chosen for.
            Step::Kernel(f, [a, b, c]) => unsafe {
                f(state.at[k], at(a), at(b), at(c), rows * len);
            },
            Step::Beside(f, [a, b], place) => {
                let (number, elements) = match place {
                    Place::First => (a as usize, b as usize),
                    Place::Second => (b as usize, a as usize),
                };
                // One number for all rows is as good as one row.
                let (rows, len) = match self.levels[number] {
                    Level::Uniform => (1, rows * len),
                    _ => (rows, len),
                };
                let size = |k: usize| self.code[k].size;
                for r in 0..rows {
                    let number = state.cells[number].wrapping_add(r * size(number));
                    let elements = state.at[elements].wrapping_add(r * len * size(elements));
                    let (a, b) = match place {
                        Place::First => (number, elements),
                        Place::Second => (elements, number),
                    };
                    let to = state.at[k].wrapping_add(r * len * size(k));
                    // SAFETY: as above, and cells hold a number for each row.
                    unsafe { f(to, a, b, std::ptr::null(), len) };
                }
            }
            Step::Input(_) | Step::Index(_) | Step::Number(_) | Step::Fold(..) => {}
        }
    }

    /// Stores the values of `rows` rows from `at` on.
    unsafe fn store_row_values(&self, at: usize, rows: usize, state: &State) {
        for (o, output) in self.task.program.outputs.iter().enumerate() {
            if output.role == Yield::RowScalar {
                let node = output.node as usize;
                let size = self.code[node].size;
                let operand = self.task.inputs.len() + o;
                let first = self.task.slot(operand).address;
                // SAFETY: the output has an element for each of these rows, and so have the cells.
                unsafe {
                    self.outer
                        .store(operand, first, size, at, rows, state.cells[node]);
                }
            }
        }
    }
}
