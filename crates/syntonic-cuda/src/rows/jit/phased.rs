//! Programs over rows as several sweeps: a round of folds each, and at last a map. Values of rows between them go through memory, and
//! elements that are dear; all else is computed again.

use super::super::run::packed;
use super::super::sums::is_summed;
use super::kernel::Kernel;
use super::prepared::{self, Prepared};
use super::sweep;
use crate::codegen::instructions;
use crate::context::{Context, Scratch};
use crate::map;
use crate::plan::Limits;
use syntonic_core::fuse::phases::{Costs, Phase, Phases, Place, Sweep, Temporary};
use syntonic_core::fuse::{Level, Slot, Task};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{DType, Result};

/// How a phase is run.
enum Step {
    /// By a sweep.
    Sweep(Box<sweep::Launch>),
    /// By a map.
    Map,
    /// By whatever suits its rows: it has several rounds of folds.
    Rows(Box<Prepared>),
}

/// The launches of a task, but for addresses and numbers.
pub(super) struct Sequence {
    plan: Phases,
    /// One for each phase.
    steps: Vec<Step>,
}

impl Sequence {
    /// The launches of a task, if all its folds suit. Waits until the kernels are assembled.
    pub(super) fn of(
        context: &Context,
        task: &Task<'_>,
        overlaps: bool,
    ) -> Result<Option<Sequence>> {
        match phases(task, overlaps) {
            Some((plan, rounds)) => Sequence::by(context, task, plan, rounds),
            None => Ok(None),
        }
    }

    /// The launches of a plan, whose first phase may have several rounds of folds.
    fn by(
        context: &Context,
        task: &Task<'_>,
        plan: Phases,
        rounds: bool,
    ) -> Result<Option<Sequence>> {
        let temporaries = Temporaries::new(context, task, &plan.temporaries)?;
        let mut steps = Vec::new();
        for (at, phase) in plan.phases.iter().enumerate() {
            let task = temporaries.task(task, phase);
            let step = match phase.sweep {
                Sweep::Elements => Some(Step::Map),
                Sweep::Rows if rounds && at == 0 => {
                    Prepared::of(context, &task, false)?.map(|rows| Step::Rows(Box::new(rows)))
                }
                Sweep::Rows | Sweep::Columns => {
                    sweep::Launch::of(context, &task)?.map(|launch| Step::Sweep(Box::new(launch)))
                }
            };
            match step {
                Some(step) => steps.push(step),
                None => return Ok(None),
            }
        }
        Ok(Some(Sequence { plan, steps }))
    }

    /// # Safety
    /// As [`Prepared::launch`].
    pub(super) unsafe fn start(&self, context: &Context, task: &Task<'_>) -> Result<()> {
        let temporaries = Temporaries::new(context, task, &self.plan.temporaries)?;
        for (phase, step) in self.plan.phases.iter().zip(&self.steps) {
            // SAFETY: the caller's promise; temporary memory fits the rows.
            unsafe {
                match step {
                    Step::Sweep(sweep) => {
                        let places = phase.inputs.iter().chain(&phase.outputs);
                        let addresses = places.map(|place| temporaries.address(task, place));
                        sweep.start(context, addresses, task.params)?;
                    }
                    Step::Map => map::run(context, &temporaries.task(task, phase))?,
                    Step::Rows(rows) => rows.launch(context, &temporaries.task(task, phase))?,
                }
            }
        }
        Ok(())
    }
}

/// The phases of a task, and whether the first one may have several rounds of folds.
pub(super) fn phases(task: &Task<'_>, overlaps: bool) -> Option<(Phases, bool)> {
    let count = task.row.iter().product();
    // Elements that replace what is read again have to wait.
    let early = !overlaps;
    let summed = early && is_summed(task);
    let last = summed.then(|| Phases::with_sums_last(task.program, count, COSTS));
    match last.flatten() {
        Some(plan) => Some((plan, true)),
        None => Some((Phases::of(task.program, count, early, COSTS)?, false)),
    }
}

/// The kernels of a task whose results overlap no operand, on a card with these limits; nothing where one cannot be made.
pub(super) fn kernels(task: &Task<'_>, limits: &Limits) -> Option<Vec<Kernel>> {
    let (plan, rounds) = phases(task, false)?;
    let temporaries = Temporaries::planned(task, &plan.temporaries)?;
    let mut kernels = Vec::new();
    for (at, phase) in plan.phases.iter().enumerate() {
        let task = temporaries.task(task, phase);
        match phase.sweep {
            Sweep::Elements => {}
            Sweep::Rows if rounds && at == 0 => {
                kernels.extend(prepared::kernels(&task, limits)?);
            }
            Sweep::Rows | Sweep::Columns => {
                let plan = sweep::Plan::of(&task, limits.multiprocessors as usize)?;
                kernels.push(plan.kernel(&task));
            }
        }
    }
    Some(kernels)
}

/// Picoseconds on an H100, roughly: of arithmetic, what a sweep takes, which waits between its instructions.
pub(super) const COSTS: Costs = Costs {
    step: |prim, dtype| 0.058 * instructions(prim, dtype) as f64,
    byte: 1.0 / 3.0,
};

/// An address as that of memory is, which no plan follows.
pub(super) const PLANNED: u64 = 1 << 46;

/// Memory between phases.
pub(super) struct Temporaries<'a> {
    _memory: Vec<Scratch<'a>>,
    slots: Vec<Slot>,
}

impl<'c> Temporaries<'c> {
    fn new(context: &'c Context, task: &Task<'_>, wanted: &[Temporary]) -> Result<Temporaries<'c>> {
        let mut memory = Vec::new();
        let slots = slots(task, wanted, |bytes| {
            let scratch = context.scratch(bytes)?;
            let address = scratch.address();
            memory.push(scratch);
            Ok(address)
        })?;
        Ok(Temporaries {
            _memory: memory,
            slots,
        })
    }

    /// As [`Temporaries::new`], without memory: for plans, which look at the alignment of addresses alone.
    fn planned(task: &Task<'_>, wanted: &[Temporary]) -> Option<Temporaries<'static>> {
        Temporaries::at(task, wanted, |_| PLANNED)
    }

    /// As [`Temporaries::new`], at addresses from elsewhere, each for so many bytes.
    pub(super) fn at(
        task: &Task<'_>,
        wanted: &[Temporary],
        mut address: impl FnMut(usize) -> u64,
    ) -> Option<Temporaries<'static>> {
        Some(Temporaries {
            _memory: Vec::new(),
            slots: slots(task, wanted, |bytes| Ok(address(bytes))).ok()?,
        })
    }

    /// Where a value of a phase is.
    fn address(&self, task: &Task<'_>, place: &Place) -> u64 {
        let address = match *place {
            Place::Input(k) => task.inputs[usize::from(k)].address,
            Place::Output(o) => task.outputs[o].address,
            Place::Temporary(t) => self.slots[t].address,
        };
        address as u64
    }

    /// The task of a phase.
    pub(super) fn task<'a>(&self, task: &'a Task<'_>, phase: &'a Phase) -> Task<'a> {
        let slot = |place: &Place| -> Slot {
            match *place {
                Place::Input(k) => task.inputs[usize::from(k)].clone(),
                Place::Output(o) => task.outputs[o].clone(),
                Place::Temporary(t) => self.slots[t].clone(),
            }
        };
        let turned = |slot: Slot| Slot {
            address: slot.address,
            outer: slot.row,
            row: slot.outer,
        };
        let inputs = phase.inputs.iter().map(slot);
        let outputs = phase.outputs.iter().map(slot);
        if phase.sweep != Sweep::Columns {
            return Task {
                program: &phase.program,
                outer: task.outer.clone(),
                row: task.row.clone(),
                inputs: inputs.collect(),
                outputs: outputs.collect(),
                params: task.params,
            };
        }
        let kept = outputs.map(|slot| Slot {
            row: still(&task.outer),
            ..turned(slot)
        });
        Task {
            program: &phase.program,
            outer: task.row.clone(),
            row: task.outer.clone(),
            inputs: inputs.map(turned).collect(),
            outputs: kept.collect(),
            params: task.params,
        }
    }
}

/// Where temporary values of a task lie, in memory from `memory`, which is given the bytes of each.
fn slots(
    task: &Task<'_>,
    wanted: &[Temporary],
    mut memory: impl FnMut(usize) -> Result<u64>,
) -> Result<Vec<Slot>> {
    let rows: usize = task.outer.iter().product();
    let along: usize = task.row.iter().product();
    let slot = |Temporary { dtype, level }: &Temporary| {
        let (count, (outer, row)) = match level {
            Level::Lane => (rows * along, as_read(task)),
            _ => (rows, (packed(&task.outer, 1), still(&task.row))),
        };
        Ok(Slot {
            address: memory(count.max(1) * dtype.size())? as *mut u8,
            outer,
            row,
        })
    };
    wanted.iter().map(slot).collect()
}

/// Strides of elements in the order in which the largest operand has them in memory, over outer axes and those of the row: whoever reads
/// the operand writes neighbours.
fn as_read(task: &Task<'_>) -> (Strides, Strides) {
    let dims: Dims = task.outer.iter().chain(&task.row).copied().collect();
    let steps = |slot: &Slot| -> Strides { slot.outer.iter().chain(&slot.row).copied().collect() };
    let elements = |steps: &Strides| -> usize {
        let moving = dims.iter().zip(steps).filter(|(_, s)| **s != 0);
        moving.map(|(n, _)| n).product()
    };
    let inputs = task.inputs.iter().enumerate();
    let read = inputs.filter(|(k, _)| !task.program.is_index(*k));
    let largest = read.map(|(_, slot)| steps(slot)).max_by_key(elements);
    let mut axes: Vec<usize> = (0..dims.len()).collect();
    if let Some(steps) = largest {
        // Outermost are axes along which it is repeated.
        let far = |s: isize| if s == 0 { usize::MAX } else { s.unsigned_abs() };
        axes.sort_by_key(|&a| std::cmp::Reverse(far(steps[a])));
    }
    let mut strides: Strides = dims.iter().map(|_| 0).collect();
    let mut next = 1;
    for &a in axes.iter().rev() {
        strides[a] = next;
        next *= dims[a] as isize;
    }
    let outer = task.outer.len();
    (strides[..outer].into(), strides[outer..].into())
}

/// No step along any axis.
fn still(axes: &Dims) -> Strides {
    axes.iter().map(|_| 0).collect()
}

/// True if memory that a result is written to may be read by an operand.
pub(super) fn overlaps(task: &Task<'_>) -> bool {
    let extent = |slot: &Slot, dtype: DType| -> (i128, i128) {
        let axes = task.outer.iter().zip(&slot.outer);
        let axes = axes.chain(task.row.iter().zip(&slot.row));
        let first = slot.address as usize as i128;
        axes.fold(
            (first, first + dtype.size() as i128),
            |(low, high), (&n, &s)| {
                let far = (n.max(1) as i128 - 1) * s as i128 * dtype.size() as i128;
                (low + far.min(0), high + far.max(0))
            },
        )
    };
    let program = task.program;
    let inputs = task.inputs.iter().zip(&program.inputs).enumerate();
    let read = inputs.filter(|(k, _)| !program.is_index(*k));
    let inputs: Vec<(i128, i128)> = read
        .map(|(_, (slot, dtype))| extent(slot, *dtype))
        .collect();
    task.outputs
        .iter()
        .zip(&program.outputs)
        .any(|(slot, output)| {
            let (low, high) = extent(slot, output.dtype);
            inputs.iter().any(|&(from, to)| low < to && from < high)
        })
}
