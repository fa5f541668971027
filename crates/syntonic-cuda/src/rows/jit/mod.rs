//! JIT row kernels: any formula over rows becomes one launch at its first call. A schedule is written as PTX around the
//! compiled pieces of the formula's primitives, and the driver assembles it; no compiler is needed.
//!
//! | Schedule | When | Reads |
//! |---|---|---|
//! | [`held`] | register-resident rows, of a block or of a cluster: they are contiguous, or neighbouring rows are (strided) | once |
//! | [`sweep`] | all else: one launch for each round of folds, over operands in any layout ([`phased`]) | once a round, and once more for elements |
//!
//! What has no pieces is split into maps and folds. The schedule, and with it the order of sums, depends on formula, layout and card
//! only.

mod body;
mod compile_queue;
mod fold;
mod formula;
mod held;
mod join;
mod params;
mod phased;
mod samples;
mod shape;
mod stages;
mod sweep;
#[cfg(test)]
mod tests;

pub(crate) use compile_queue::RowCompileQueue;

use crate::context::Blocks;
use crate::context::{Context, Geometry};
use crate::plan::Limits;
use crate::plan::operand::{bits, repeated};
use crate::walk::Space;
use compile_queue::Kernel;
use formula::{Formula, Leaf, Number};
use params::{NUMBERS, OPERANDS, Operand, Params};
use shape::{Rows, Schedule, Shape};
use syntonic_core::fuse::{Op, Slot, Task};
use syntonic_core::{DType, Result, Scalar};

/// Texts of more values take too long to assemble.
const VALUES: usize = 320;
/// Vectors of a long row.
const LONG: usize = 2048;

/// Texts of JIT row kernels by name, for a card: formulas as users write them, in every schedule.
pub(crate) fn texts(capability: (u32, u32)) -> Vec<(String, String)> {
    let kernels = samples::all()
        .into_iter()
        .flat_map(|program| samples::kernels(&program, capability));
    kernels
        .map(|kernel| (kernel.name(), kernel.text(capability).unwrap_or_default()))
        .collect()
}

/// Runs the task by a JIT kernel, if there can be one; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn run(context: &Context, task: &Task<'_>) -> Result<bool> {
    if task.outer.contains(&0) || task.row.contains(&0) {
        return Ok(false);
    }
    if let Some(made) = Made::of(task)
        && !made.is_swept(context.limits())
        && let Some(shape) = made.shape(context)
    {
        // SAFETY: the caller's promise.
        return unsafe { made.launch(context, shape) };
    }
    // SAFETY: the caller's promise.
    unsafe { phased::run(context, task) }
}

/// The bits of a number of a formula over rows of `count` elements as a kernel's parameter: those of a half twice.
fn number_bits((op, dtype): Number, params: &[Scalar], count: usize) -> [u64; 2] {
    let number = match op {
        Op::Param(k) => params.get(usize::from(k)).copied(),
        Op::Const(value) => Some(value),
        _ => Some(Scalar::Int(count as i128)),
    };
    let number = number.unwrap_or(Scalar::Int(0)).cast(dtype);
    if dtype.is_half() {
        repeated(number, dtype)
    } else {
        bits(number, dtype)
    }
}

/// A task as a JIT kernel sees it.
struct Made<'a> {
    task: &'a Task<'a>,
    formula: Formula,
    numbers: Vec<Number>,
    outer: Space,
    length: usize,
    /// The row stride, in elements, of every operand and result.
    steps: Vec<isize>,
    /// Elements per vector.
    lanes: usize,
    /// True for strided rows that are contiguous neighbours (columns).
    across: bool,
}

impl<'a> Made<'a> {
    /// The task, if its formula and layout suit a JIT kernel.
    fn of(task: &'a Task<'a>) -> Option<Made<'a>> {
        let over_outer: Vec<&[isize]> = task.slots().map(|s| &s.outer[..]).collect();
        let over_row: Vec<&[isize]> = task.slots().map(|s| &s.row[..]).collect();
        let outer = Space::new(&task.outer, &over_outer);
        let row = Space::new(&task.row, &over_row);
        let short = |n: usize| (1..1 << 30).contains(&n);
        let walked =
            row.dims.len() == 1 && outer.dims.len() <= 2 && short(outer.len()) && short(row.len());
        if !walked || over_row.len() > OPERANDS {
            return None;
        }
        let dtypes = (task.program.inputs.iter().copied())
            .chain(task.program.outputs.iter().map(|o| o.dtype));
        let aligned =
            |(slot, dtype): (&Slot, DType)| (slot.address as usize).is_multiple_of(dtype.size());
        if !task.slots().zip(dtypes).all(aligned) {
            return None;
        }
        let step = |k: usize| row.strides[k][0];
        let (formula, numbers) = Formula::of(task.program, |k| step(usize::from(k)) != 0)?;
        let made = Made {
            task,
            formula,
            numbers,
            outer,
            length: row.len(),
            steps: row.strides.iter().map(|s| s[0]).collect(),
            lanes: 1,
            across: false,
        };
        let beside = made.along().all(|k| step(k) == 1);
        let across = !beside && made.along().all(|k| made.is_strided(k));
        let fits = made.formula.form.values.len() <= VALUES && made.numbers.len() <= NUMBERS;
        let lanes = if across { 1 } else { made.vector() };
        ((beside || across) && fits).then_some(Made {
            lanes,
            across,
            ..made
        })
    }

    /// True if the operand's neighbouring rows are contiguous or shared, and the elements of a row less than 2 GiB apart.
    fn is_strided(&self, k: usize) -> bool {
        let bytes = self.steps[k].saturating_mul(self.dtype(k).size() as isize);
        let beside = self.outer.strides[k].last().is_none_or(|&s| s == 1) || self.outer.repeats(k);
        beside && (1..1 << 31).contains(&bytes)
    }

    /// Operands and results that vary along the row.
    fn along(&self) -> impl Iterator<Item = usize> + '_ {
        let formula = &self.formula;
        let read = formula.leaves.iter().filter_map(|&(k, leaf)| match leaf {
            Leaf::Operand(o) if formula.is_lane(k) => Some(usize::from(o)),
            _ => None,
        });
        let written = formula
            .outputs
            .iter()
            .enumerate()
            .filter(|(_, output)| output.each);
        read.chain(written.map(|(o, _)| self.task.inputs.len() + o))
    }

    fn dtype(&self, operand: usize) -> DType {
        let program = self.task.program;
        match operand.checked_sub(self.task.inputs.len()) {
            None => program.inputs[operand],
            Some(output) => program.outputs[output].dtype,
        }
    }

    /// Elements per vector: 16 bytes of the widest operand or result, where every row of each is aligned to a vector.
    fn vector(&self) -> usize {
        let widest = self
            .along()
            .map(|k| self.dtype(k).size())
            .max()
            .unwrap_or(16);
        let lanes = (16 / widest).max(1);
        let whole = |s: &isize| s.unsigned_abs().is_multiple_of(lanes);
        let fits = |k: usize| {
            let address = self.task.slot(k).address as usize;
            address.is_multiple_of(lanes * self.dtype(k).size())
                && self.outer.strides[k].iter().all(whole)
        };
        let vectors = self.length.is_multiple_of(lanes) && self.along().all(fits);
        if vectors { lanes } else { 1 }
    }

    /// True for folds without results per element whose rows are strided, few or long: blocks share such a row without a cluster.
    fn is_swept(&self, limits: &Limits) -> bool {
        let formula = &self.formula;
        let only_folds = formula.rounds == 1 && formula.outputs.iter().all(|o| !o.each);
        let few = self.outer.len() < 2 * limits.multiprocessors as usize;
        only_folds && (self.across || few || self.length / self.lanes > LONG)
    }

    /// # Safety
    /// As [`run`].
    unsafe fn launch(&self, context: &Context, shape: Shape) -> Result<bool> {
        let Schedule::Held(held) = shape.schedule else {
            return Ok(false);
        };
        context.bind()?;
        let kernel = Kernel {
            formula: self.formula.clone(),
            schedule: shape.schedule,
            inputs: self.task.inputs.len(),
            axes: self.outer.dims.len(),
        };
        let compile_queue = &context.row_compile_queue;
        let (device, capability) = (context.device, context.capability());
        let Some(function) = compile_queue.function(kernel, device, capability, &context.leases)
        else {
            return Ok(false);
        };
        let geometry = Geometry::line(shape.grid as u64, held.block() as u32);
        let blocks = Blocks::Clusters(held.blocks() as u32);
        // SAFETY: JIT row kernels take this parameter, and the caller vouches for the memory.
        unsafe { context.launch_blocks(&function, geometry, blocks, &self.params())? };
        Ok(true)
    }

    fn shape(&self, context: &Context) -> Option<Shape> {
        let rows = self.rows();
        let stages = stages::stages(&self.formula);
        let shape = Shape::of(rows, &stages, context.limits())?;
        (shape.grid < 1 << 31).then_some(shape)
    }

    fn rows(&self) -> Rows {
        let repeats = |k: &usize| self.outer.len() > 1 && self.outer.repeats(*k);
        let read = || self.along().filter(|&k| k < self.task.inputs.len());
        Rows {
            rows: self.outer.len(),
            vectors: self.length / self.lanes,
            lanes: self.lanes,
            read: read().count(),
            shared: read().filter(repeats).fold(0, |bits, k| bits | 1 << k),
            across: self.across,
        }
    }

    fn params(&self) -> Params {
        let mut operands = [Operand::default(); OPERANDS];
        for (k, to) in operands
            .iter_mut()
            .enumerate()
            .take(self.outer.strides.len())
        {
            let size = self.dtype(k).size() as i64;
            let mut rows = self.outer.strides[k].iter().rev().map(|&s| s as i64 * size);
            *to = Operand {
                address: self.task.slot(k).address as u64,
                rows: [rows.next().unwrap_or(0), rows.next().unwrap_or(0)],
                step: self.steps[k] as i64 * size,
            };
        }
        let mut numbers = [[0; 2]; NUMBERS];
        for (to, &number) in numbers.iter_mut().zip(&self.numbers) {
            *to = number_bits(number, self.task.params, self.length);
        }
        Params {
            rows: self.outer.len() as u32,
            length: (self.length / self.lanes) as u32,
            inner: self.outer.dims.last().map_or(1, |&n| n as u32),
            unused: 0,
            operands,
            numbers,
        }
    }
}
