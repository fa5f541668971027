//! Programs over rows as several sweeps: a round of folds each, and at last a map. Values of rows between them go through memory, and
//! elements that are dear; all else is computed again.

use super::super::run::packed;
use super::super::sums::is_summed;
use super::sweep::Ready;
use crate::codegen::is_long;
use crate::context::{Context, Scratch};
use crate::map;
use syntonic_core::fuse::phases::{Costs, Phase, Phases, Place, Sweep, Temporary};
use syntonic_core::fuse::{Level, Slot, Task};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{DType, Result};

/// A phase with its operands.
struct Step<'a> {
    task: Task<'a>,
    /// Nothing for a map.
    sweep: Option<Ready>,
}

/// Runs the task as sweeps, if all its folds suit; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(super) unsafe fn run(context: &Context, task: &Task<'_>) -> Result<bool> {
    let count = task.row.iter().product();
    // Elements that replace what is read again have to wait.
    let early = !overlaps(task);
    if early
        && is_summed(task)
        && let Some(plan) = Phases::with_sums_last(task.program, count, COSTS)
    {
        // SAFETY: the caller's promise.
        return unsafe { sums_last(context, task, &plan) };
    }
    let Some(plan) = Phases::of(task.program, count, early, COSTS) else {
        return Ok(false);
    };
    context.bind()?;
    let temporaries = Temporaries::new(context, task, &plan.temporaries)?;
    let mut steps = Vec::new();
    for phase in &plan.phases {
        let task = temporaries.task(task, phase);
        let sweep = match phase.sweep {
            Sweep::Elements => None,
            Sweep::Rows | Sweep::Columns => match Ready::of(context, &task) {
                None => return Ok(false),
                ready => ready,
            },
        };
        steps.push(Step { task, sweep });
    }
    for step in steps {
        // SAFETY: the caller's promise; temporary memory fits the rows.
        unsafe {
            match step.sweep {
                Some(sweep) => sweep.launch(context)?,
                None => map::run(context, &step.task)?,
            }
        }
    }
    Ok(true)
}

/// Runs a program whose sums over rows come last, once its rows are done by whatever suits them; says whether it did.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
unsafe fn sums_last(context: &Context, task: &Task<'_>, plan: &Phases) -> Result<bool> {
    let [rows, sums] = &plan.phases[..] else {
        return Ok(false);
    };
    context.bind()?;
    let temporaries = Temporaries::new(context, task, &plan.temporaries)?;
    let columns = temporaries.task(task, sums);
    let Some(columns) = Ready::of(context, &columns) else {
        return Ok(false);
    };
    let rows = temporaries.task(task, rows);
    // SAFETY: the caller's promise; temporary memory fits the rows.
    unsafe {
        if !super::run(context, &rows)? {
            return Ok(false);
        }
        columns.launch(context)?;
    }
    Ok(true)
}

/// Picoseconds on an H100, roughly: a value is stored where it takes several long functions to compute it again.
pub(super) const COSTS: Costs = Costs {
    step: |prim, dtype| match (is_long(prim, dtype), dtype.size()) {
        (true, 8..) => 2.2,
        (true, _) => 0.7,
        (false, _) => 0.05,
    },
    byte: 1.0 / 3.0,
};

/// Memory between phases.
struct Temporaries<'a> {
    _memory: Vec<Scratch<'a>>,
    slots: Vec<Slot>,
}

impl<'c> Temporaries<'c> {
    fn new(context: &'c Context, task: &Task<'_>, wanted: &[Temporary]) -> Result<Temporaries<'c>> {
        let rows: usize = task.outer.iter().product();
        let along: usize = task.row.iter().product();
        let mut all = Temporaries {
            _memory: Vec::new(),
            slots: Vec::new(),
        };
        for Temporary { dtype, level } in wanted {
            let (step, row) = match level {
                Level::Lane => (along, packed(&task.row, 1)),
                _ => (1, still(&task.row)),
            };
            let memory = context.scratch((rows * step).max(1) * dtype.size())?;
            all.slots.push(Slot {
                address: memory.address() as *mut u8,
                outer: packed(&task.outer, step),
                row,
            });
            all._memory.push(memory);
        }
        Ok(all)
    }

    /// The task of a phase.
    fn task<'a>(&self, task: &'a Task<'_>, phase: &'a Phase) -> Task<'a> {
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

/// No step along any axis.
fn still(axes: &Dims) -> Strides {
    axes.iter().map(|_| 0).collect()
}

/// True if memory that a result is written to may be read by an operand.
fn overlaps(task: &Task<'_>) -> bool {
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
    let inputs: Vec<(i128, i128)> = (task.inputs.iter().zip(&program.inputs))
        .map(|(slot, dtype)| extent(slot, *dtype))
        .collect();
    task.outputs
        .iter()
        .zip(&program.outputs)
        .any(|(slot, output)| {
            let (low, high) = extent(slot, output.dtype);
            inputs.iter().any(|&(from, to)| low < to && from < high)
        })
}
