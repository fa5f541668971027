//! Tasks whose rows are held in registers, and their launches.

use super::super::sums::{MOST, Partials};
use super::formula::{Formula, Leaf, Number};
use super::held::Held;
use super::kernel::Kernel;
use super::params::{NUMBERS, OPERANDS, Operand, Params};
use super::shape::{Rows, Schedule, Shape};
use super::{LONG, VALUES, number_bits, stages};
use crate::context::{Blocks, Context, Geometry};
use crate::modules::function::Function;
use crate::plan::Limits;
use crate::walk::{Divisor32, Space};
use syntonic_core::fuse::{Slot, Task, Yield};
use syntonic_core::layout::Strides;
use syntonic_core::{DType, Result};

/// The launch of a task, but for its addresses and numbers.
pub(super) struct Launch {
    function: Function,
    geometry: Geometry,
    blocks: Blocks,
    params: Params,
    numbers: Vec<Number>,
    /// Elements of a row.
    length: usize,
    /// The results that are summed over all rows.
    summed: Vec<usize>,
    partials: Option<Partials>,
}

impl Launch {
    /// The launch of a task, if its formula and layout suit rows in registers. Waits until its kernel is assembled.
    pub(super) fn of(context: &Context, task: &Task<'_>) -> Result<Option<Launch>> {
        let Some((made, held, grid)) = Made::held(task, context.limits()) else {
            return Ok(None);
        };
        let Some(function) = made.kernel(held).function(context)? else {
            return Ok(None);
        };
        Ok(Some(Launch {
            function,
            geometry: Geometry::line(grid as u64, held.block() as u32),
            blocks: Blocks::Clusters(held.blocks() as u32),
            params: made.params(),
            length: made.length,
            summed: made.summed().collect(),
            partials: made.partials(held, grid),
            numbers: made.numbers,
        }))
    }

    /// # Safety
    /// As [`super::prepared::Prepared::launch`].
    pub(super) unsafe fn start(&self, context: &Context, task: &Task<'_>) -> Result<()> {
        let mut params = self.params;
        for (to, slot) in params.operands.iter_mut().zip(task.slots()) {
            to.address = slot.address as u64;
        }
        for (to, &number) in params.numbers.iter_mut().zip(&self.numbers) {
            *to = number_bits(number, task.params, self.length);
        }
        let (function, geometry) = (&self.function, self.geometry);
        let Some(partials) = &self.partials else {
            // SAFETY: JIT row kernels take this parameter, and the caller vouches for the memory.
            return unsafe { context.launch_blocks(function, geometry, self.blocks, &params) };
        };
        let memory = context.scratch(partials.bytes())?;
        let mut sums: Vec<u64> = Vec::new();
        for &o in &self.summed {
            let operand = &mut params.operands[task.inputs.len() + o];
            sums.push(operand.address);
            *operand = Operand {
                address: partials.address(memory.address(), sums.len() - 1),
                ..Operand::default()
            };
        }
        let dtype = task.program.outputs[self.summed[0]].dtype;
        // SAFETY: as above; the partial sums have room for a row of each group, and are written before they are joined.
        unsafe {
            context.launch_blocks(function, geometry, self.blocks, &params)?;
            let (launch, to) = (partials.joined(), (memory.address(), &sums[..]));
            partials.join(context, &launch, to, dtype)
        }
    }
}

/// The kernel of a task on a card with these limits, if its formula and layout suit rows in registers.
pub(super) fn kernel(task: &Task<'_>, limits: &Limits) -> Option<Kernel> {
    let (made, held, _) = Made::held(task, limits)?;
    Some(made.kernel(held))
}

/// A task as a JIT kernel sees it.
pub(super) struct Made<'a> {
    task: &'a Task<'a>,
    formula: Formula,
    numbers: Vec<Number>,
    outer: Space,
    length: usize,
    /// Elements of a segment of a row, which is the whole row where one continues the other.
    run: usize,
    /// The strides, in elements, of every operand and result within a segment and from one to the next.
    steps: Vec<isize>,
    apart: Vec<isize>,
    /// Elements per vector.
    lanes: usize,
    /// True for strided rows that are contiguous neighbours (columns).
    across: bool,
}

impl<'a> Made<'a> {
    /// The task, how its rows are held, and the grid, if its formula and layout suit rows in registers.
    fn held(task: &'a Task<'a>, limits: &Limits) -> Option<(Made<'a>, Held, usize)> {
        let made = Made::of(task).filter(|made| !made.is_swept(limits))?;
        let shape = made.shape(limits)?;
        match shape.schedule {
            Schedule::Held(held) => Some((made, held, shape.grid)),
            Schedule::Sweep(_) => None,
        }
    }

    fn kernel(&self, held: Held) -> Kernel {
        Kernel {
            formula: self.formula.clone(),
            schedule: Schedule::Held(held),
            inputs: self.task.inputs.len(),
            axes: self.outer.dims.len(),
        }
    }

    /// The task, if its formula and layout suit a JIT kernel.
    fn of(task: &'a Task<'a>) -> Option<Made<'a>> {
        let over_outer: Vec<&[isize]> = task.slots().map(|s| &s.outer[..]).collect();
        let over_row: Vec<&[isize]> = task.slots().map(|s| &s.row[..]).collect();
        let outer = Space::new(&task.outer, &over_outer);
        let row = Space::new(&task.row, &over_row);
        let short = |n: usize| (1..1 << 30).contains(&n);
        let walked =
            row.dims.len() <= 2 && outer.dims.len() <= 2 && short(outer.len()) && short(row.len());
        if !walked || over_row.len() > OPERANDS {
            return None;
        }
        let dtypes = (task.program.inputs.iter().copied())
            .chain(task.program.outputs.iter().map(|o| o.dtype));
        let aligned = |(k, (slot, dtype)): (usize, (&Slot, DType))| {
            task.program.is_index(k) || (slot.address as usize).is_multiple_of(dtype.size())
        };
        if !task.slots().zip(dtypes).enumerate().all(aligned) {
            return None;
        }
        let varies = |k: u16| row.strides[usize::from(k)].iter().any(|&s| s != 0);
        let (formula, numbers) = Formula::of(task.program, varies)?;
        let last = row.dims.len() - 1;
        let apart = |s: &Strides| if last > 0 { s[0] } else { 0 };
        let made = Made {
            task,
            formula,
            numbers,
            outer,
            length: row.len(),
            run: row.dims[last],
            steps: row.strides.iter().map(|s| s[last]).collect(),
            apart: row.strides.iter().map(apart).collect(),
            lanes: 1,
            across: false,
        };
        let beside = made.along().all(|k| made.steps[k] == 1);
        let near =
            |k: usize| i32::try_from(made.apart[k].saturating_mul(made.size(k) as isize)).is_ok();
        if !made.adds_up() || !made.along().all(near) {
            return None;
        }
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
        let bytes = self.steps[k].saturating_mul(self.size(k) as isize);
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
            .filter(|(_, output)| output.is_each());
        read.chain(written.map(|(o, _)| self.task.inputs.len() + o))
    }

    fn dtype(&self, operand: usize) -> DType {
        let program = self.task.program;
        match operand.checked_sub(self.task.inputs.len()) {
            None => program.inputs[operand],
            Some(output) => program.outputs[output].dtype,
        }
    }

    /// Bytes from one element of an operand or result to the next: an index is at the address itself.
    fn size(&self, operand: usize) -> usize {
        match self.formula.is_index(operand) {
            true => 1,
            false => self.dtype(operand).size(),
        }
    }

    /// Bytes of an element of the widest operand or result.
    fn widest(&self) -> usize {
        let sizes = self.along().map(|k| self.size(k));
        sizes.max().unwrap_or(16)
    }

    /// Elements per vector: as many of the widest operand or result as 16 bytes have, or half, or a quarter of them, so that every row,
    /// and each segment of one, begins at a whole vector.
    fn vector(&self) -> usize {
        let widest = self.widest();
        let fits = |lanes: &usize| {
            let whole = |s: &isize| s.unsigned_abs().is_multiple_of(*lanes);
            let lies = |k: usize| {
                let address = self.task.slot(k).address as usize;
                self.formula.is_index(k)
                    || address.is_multiple_of(lanes * self.dtype(k).size())
                        && self.outer.strides[k].iter().all(whole)
                        && whole(&self.apart[k])
            };
            lanes * widest <= 16 && self.run.is_multiple_of(*lanes) && self.along().all(lies)
        };
        [8, 4, 2].into_iter().find(fits).unwrap_or(1)
    }

    /// True for folds without results per element whose rows are strided, few or long: blocks share such a row without a cluster.
    fn is_swept(&self, limits: &Limits) -> bool {
        let formula = &self.formula;
        let only_folds =
            formula.rounds == 1 && formula.outputs.iter().all(|o| o.role == Yield::RowScalar);
        let few = self.outer.len() < 2 * limits.multiprocessors as usize;
        only_folds && (self.across || few || self.length / self.lanes > LONG)
    }

    /// The results that are summed over all rows.
    fn summed(&self) -> impl Iterator<Item = usize> + '_ {
        let outputs = self.formula.outputs.iter().enumerate();
        outputs.filter(|(_, o)| o.is_summed()).map(|(o, _)| o)
    }

    /// Bytes of a partial sum over all rows: of its value, before it is rounded.
    fn size_of_sum(&self, output: usize) -> usize {
        let value = self.formula.outputs[output].value;
        self.formula.dtype(value).size()
    }

    /// Partial sums over all rows, of so many blocks; nothing where nothing is summed.
    fn partials(&self, held: Held, blocks: usize) -> Option<Partials> {
        let size = self.summed().map(|o| self.size_of_sum(o)).next()?;
        Some(Partials {
            sums: self.summed().count(),
            groups: blocks * held.partials_of_block(),
            length: self.length,
            size,
        })
    }

    /// True where one launch can add up all sums over rows: they are contiguous, of one type, and not too many.
    fn adds_up(&self) -> bool {
        let outputs = &self.task.program.outputs;
        let lies = |o: usize| {
            let k = self.task.inputs.len() + o;
            let joined = !self.is_segmented() || self.apart[k] == self.run as isize;
            joined && self.steps[k] == 1 || self.length == 1
        };
        let kind = |o: usize| (self.size_of_sum(o), outputs[o].dtype);
        let first = self.summed().next().map(kind);
        self.summed().count() <= MOST && self.summed().all(|o| lies(o) && Some(kind(o)) == first)
    }

    /// True where a row lies in segments, of which none continues the one before it.
    fn is_segmented(&self) -> bool {
        self.run < self.length
    }

    fn shape(&self, limits: &Limits) -> Option<Shape> {
        let rows = self.rows();
        let stages = stages::stages(&self.formula);
        let shape = Shape::of(rows, &stages, limits)?;
        (shape.grid < 1 << 31).then_some(shape)
    }

    fn rows(&self) -> Rows {
        let inputs = self.task.inputs.len();
        let index = |k: usize| k < inputs && self.formula.is_index(k);
        // An index is at hand wherever it is needed, as an operand is that all rows share.
        let repeats = |k: &usize| index(*k) || self.outer.len() > 1 && self.outer.repeats(*k);
        let given = || self.along().filter(|&k| k < inputs);
        let read = || given().filter(|&k| !index(k));
        Rows {
            rows: self.outer.len(),
            vectors: self.length / self.lanes,
            lanes: self.lanes,
            widest: self.widest(),
            values: self.formula.varies.iter().filter(|&&varies| varies).count(),
            work: self.formula.work(),
            rounds: self.formula.rounds,
            joins: self.formula.folds.len(),
            read: read().count(),
            written: self.along().count() - given().count(),
            shared: given().filter(repeats).fold(0, |bits, k| bits | 1 << k),
            across: self.across,
            segmented: self.is_segmented(),
            totals: self.summed().map(|o| self.size_of_sum(o) / 4).sum(),
        }
    }

    /// The parameter but for addresses and numbers.
    fn params(&self) -> Params {
        let mut operands = [Operand::default(); OPERANDS];
        for (k, to) in operands
            .iter_mut()
            .enumerate()
            .take(self.outer.strides.len())
        {
            let size = self.size(k) as i64;
            let mut rows = self.outer.strides[k].iter().rev().map(|&s| s as i64 * size);
            *to = Operand {
                address: 0,
                rows: [rows.next().unwrap_or(0), rows.next().unwrap_or(0)],
                step: self.steps[k] as i64 * size,
                segment: self.apart[k] as i64 * size,
            };
        }
        Params {
            rows: self.outer.len() as u32,
            length: (self.length / self.lanes) as u32,
            inner: self.outer.dims.last().map_or(1, |&n| n as u32),
            run: Divisor32::new((self.run / self.lanes) as u32),
            operands,
            numbers: [[0; 2]; NUMBERS],
        }
    }
}
