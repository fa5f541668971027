//! Many rows side by side: lanes are rows, and every position of the row is one step. For rows whose
//! elements are not neighbours in memory (reductions over leading axes), and for very short rows.

use super::code::{Folding, Instruction, Step, compile};
use super::parallel::{Work, for_ranges};
use super::phases::{Keep, Phase, Phases};
use super::scratch::{Scratch, lines};
use super::space::{Space, outer_and_row};
use crate::cpu::lanes;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Prim, Task, Yield};

/// Rows per tile.
const TILE: usize = 1024;
/// Float sums run this many steps in their own type before they are added in double precision.
const SHORT_SUM: usize = 32;

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
    (row.len() < 16 && outer.len() >= 64) || (across < along && outer.inner() >= 16)
}

struct Columns<'a> {
    task: &'a Task<'a>,
    code: Vec<Instruction>,
    outer: Space,
    row: Space,
    phases: Phases,
    registers: Vec<usize>,
    /// Working memory of each fold: accumulator, short sum or index, and a temporary.
    folds: Vec<[usize; 3]>,
    scratch: usize,
    tile: usize,
}

/// A tile of rows during the run.
struct Tile {
    base: *mut u8,
    at: Vec<*mut u8>,
    here: usize,
    n: usize,
}

/// Runs a program with folds, many rows side by side.
///
/// # Safety
/// As [`crate::Device::run`].
pub(crate) unsafe fn run(task: &Task<'_>) -> Result<()> {
    let columns = Columns::new(task)?;
    let cost: usize = columns.code.iter().map(|i| i.cost + 2).sum();
    let work = Work {
        items: columns.outer.len(),
        tenths_of_ns: cost.saturating_mul(columns.row.len()),
        at_least: 256,
    };
    for_ranges(work, |from, to| {
        let mut scratch = Scratch::take(columns.scratch);
        let base = scratch.address();
        let mut here = from;
        while here < to {
            let end = columns.outer.block_end(here, columns.tile, to);
            let at = columns
                .registers
                .iter()
                .map(|&r| base.wrapping_add(r))
                .collect();
            // SAFETY: tiles are disjoint sets of rows; the rest is the caller's promise.
            unsafe {
                columns.run_tile(&mut Tile {
                    base,
                    at,
                    here,
                    n: end - here,
                })
            };
            here = end;
        }
    });
    Ok(())
}

impl<'a> Columns<'a> {
    fn new(task: &'a Task<'a>) -> Result<Columns<'a>> {
        let (outer, row) = outer_and_row(task);
        let code = compile(task)?;
        let phases = Phases::new(task.program, &code, Keep::Nothing);
        let tile = TILE.min(outer.len().max(1));
        let mut scratch = 0;
        let mut take = |size: usize| {
            let at = scratch;
            scratch += lines(size * tile);
            at
        };
        let registers = code.iter().map(|i| take(i.size)).collect();
        let folds = code
            .iter()
            .map(|i| {
                if matches!(i.step, Step::Fold(..)) {
                    [take(16), take(16), take(16)]
                } else {
                    [0; 3]
                }
            })
            .collect();
        Ok(Columns {
            task,
            code,
            outer,
            row,
            phases,
            registers,
            folds,
            scratch,
            tile,
        })
    }

    unsafe fn run_tile(&self, tile: &mut Tile) {
        for phase in &self.phases.phases {
            // SAFETY: the caller's promise; every register holds a tile.
            unsafe {
                for &k in &phase.row_nodes {
                    self.compute(k as usize, None, phase, tile);
                }
                if phase.folds.is_empty() && phase.outputs.is_empty() {
                    continue;
                }
                for step in 0..self.row.len() {
                    for &k in &phase.lane_nodes {
                        self.compute(k as usize, Some(step), phase, tile);
                    }
                    for &k in &phase.folds {
                        self.feed(k as usize, step, tile);
                    }
                    for &o in &phase.outputs {
                        self.store(o, Some(step), tile);
                    }
                }
                for &k in &phase.folds {
                    self.finish(k as usize, tile);
                }
            }
        }
        for (o, output) in self.task.program.outputs.iter().enumerate() {
            if output.role == Yield::RowScalar {
                // SAFETY: as above; all row values are computed.
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
        let register = tile.base.wrapping_add(self.registers[k]);
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

    /// Takes the values of one step into a fold.
    unsafe fn feed(&self, k: usize, step: usize, tile: &Tile) {
        let Step::Fold(folding, arg) = self.code[k].step else {
            return;
        };
        let value = tile.at[arg as usize];
        let dtype = self.task.program.nodes[arg as usize].dtype;
        let [total, short, temporary] = self.folds[k].map(|r| tile.base.wrapping_add(r));
        let null = std::ptr::null();
        // SAFETY: the three registers hold a tile of the widest type; `value` is a block of `dtype`.
        unsafe {
            match folding {
                Folding::Arg { larger, .. } => arg_step(
                    dtype,
                    larger,
                    step,
                    value,
                    [total, short, temporary],
                    tile.n,
                ),
                Folding::Plain {
                    join, accumulator, ..
                } => {
                    let widen = lanes::cast(dtype, accumulator);
                    if sums_short(dtype, accumulator) {
                        self.short_sum(
                            step,
                            value,
                            dtype,
                            [total, short, temporary],
                            (join, widen),
                            tile.n,
                            k,
                        );
                    } else {
                        // A kernel that overwrites its operand is slower, so two registers take turns.
                        let (from, to) = turns(step, total, short);
                        if step == 0 {
                            widen(to, value, null, null, tile.n);
                        } else if dtype == accumulator {
                            join(to, from, value, null, tile.n);
                        } else {
                            widen(temporary, value, null, null, tile.n);
                            join(to, from, temporary, null, tile.n);
                        }
                    }
                }
            }
        }
    }

    /// Sums of narrow floats: a few steps in their own type, then into the wide accumulator.
    #[allow(clippy::too_many_arguments)]
    unsafe fn short_sum(
        &self,
        step: usize,
        value: *const u8,
        dtype: DType,
        [total, short, temporary]: [*mut u8; 3],
        (join, widen): (lanes::LaneFn, lanes::LaneFn),
        n: usize,
        k: usize,
    ) {
        let null = std::ptr::null();
        let product = matches!(
            self.task.program.nodes[k].op,
            crate::fuse::Op::Fold(crate::fuse::Fold::Prod, _)
        );
        let narrow = lanes::kernel(if product { Prim::Mul } else { Prim::Add }, dtype);
        // Products may leave the narrow type's range on the way, so they are never kept short.
        let length = if product { 1 } else { SHORT_SUM };
        let (from, to) = turns(step % length, short, temporary);
        // SAFETY: as in `feed`.
        unsafe {
            if step.is_multiple_of(length) {
                std::ptr::copy_nonoverlapping(value, to, n * dtype.size());
            } else if let Some(f) = narrow {
                f(to, from, value, null, n);
            }
            if step % length == length - 1 || step + 1 == self.row.len() {
                if step < length {
                    widen(total, to, null, null, n);
                } else {
                    widen(from, to, null, null, n);
                    join(total, total, from, null, n);
                }
            }
        }
    }

    unsafe fn finish(&self, k: usize, tile: &mut Tile) {
        let Step::Fold(folding, arg) = self.code[k].step else {
            return;
        };
        let [total, index, _] = self.folds[k].map(|r| tile.base.wrapping_add(r));
        let dtype = self.task.program.nodes[arg as usize].dtype;
        let register = tile.base.wrapping_add(self.registers[k]);
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
                    let steps = self.row.len();
                    let (_, last) = turns(steps.saturating_sub(1), total, index);
                    let total = if sums_short(dtype, accumulator) {
                        total
                    } else {
                        last
                    };
                    if steps == 0 {
                        lanes::fill(total, start.0.as_ptr(), accumulator.size(), tile.n);
                    }
                    finish(register, total, null, null, tile.n);
                }
            }
        }
        tile.at[k] = register;
    }
}

/// Of two registers that take turns, the one step `step - 1` wrote and the one that `step` writes.
fn turns(step: usize, even: *mut u8, odd: *mut u8) -> (*mut u8, *mut u8) {
    if step.is_multiple_of(2) {
        (odd, even)
    } else {
        (even, odd)
    }
}

/// True for narrow floats, whose sums first run in their own type.
fn sums_short(dtype: DType, accumulator: DType) -> bool {
    dtype.is_inexact() && dtype.size() * 2 == accumulator.size()
}

/// One step of argmin or argmax: keeps the best value and its step in each lane.
///
/// # Safety
/// `best`, `index` and `mask` hold `n` values of the widest type, `value` `n` values of `dtype`.
unsafe fn arg_step(
    dtype: DType,
    larger: bool,
    step: usize,
    value: *const u8,
    [best, index, mask]: [*mut u8; 3],
    n: usize,
) {
    let ordered = if dtype.is_bool() { DType::U8 } else { dtype };
    let kernel = |prim, at| lanes::kernel(prim, at);
    let compare = kernel(if larger { Prim::Gt } else { Prim::Lt }, ordered);
    let (Some(compare), Some(choose), Some(choose_index)) = (
        compare,
        kernel(Prim::Select, dtype),
        kernel(Prim::Select, DType::I64),
    ) else {
        return;
    };
    let null = std::ptr::null();
    let here = step as i64;
    let here = (&raw const here).cast::<u8>();
    // SAFETY: as the caller says; `mask` has 16 bytes per lane: the second half serves as two more
    // byte masks and, after them, a block of positions.
    unsafe {
        if step == 0 {
            std::ptr::copy_nonoverlapping(value, best, n * dtype.size());
            lanes::fill(index, here, 8, n);
            return;
        }
        let (other, positions) = (mask.wrapping_add(n), mask.wrapping_add(8 * n));
        compare(mask, value, best, null, n);
        if dtype.is_float()
            && let (Some(is_nan), Some(not), Some(and), Some(or)) = (
                kernel(Prim::IsNan, dtype),
                kernel(Prim::Not, DType::Bool),
                kernel(Prim::And, DType::Bool),
                kernel(Prim::Or, DType::Bool),
            )
        {
            let third = mask.wrapping_add(2 * n);
            is_nan(other, best, null, null, n);
            not(other, other, null, null, n);
            is_nan(third, value, null, null, n);
            and(third, third, other, null, n);
            or(mask, mask, third, null, n);
        }
        lanes::fill(positions, here, 8, n);
        choose(best, mask, value, best, n);
        choose_index(index, mask, positions, index, n);
    }
}
