//! Runs the launches of a split program.

use super::fold::FoldTask;
use super::split::{Place, Plan, Step, Temporary};
use syntonic_core::fuse::{Level, Op, Slot, Task, Typed, TypedNode, TypedOutput, Yield};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{DType, Error, Result};

/// Runs maps and folds, and lends memory between them.
pub(super) trait Machine {
    /// Memory that goes back when dropped.
    type Memory;
    /// At least `bytes` bytes, and their address.
    fn memory(&self, bytes: usize) -> Result<(Self::Memory, *mut u8)>;
    /// Runs a program without folds.
    ///
    /// # Safety
    /// As [`syntonic_core::Device::run`].
    unsafe fn map(&self, task: &Task<'_>) -> Result<()>;
    /// Runs a fold.
    ///
    /// # Safety
    /// As [`super::fold::run`].
    unsafe fn fold(&self, task: &FoldTask<'_>) -> Result<()>;
}

/// Runs a program of rows as its split plan.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(super) unsafe fn run<M: Machine>(machine: &M, task: &Task<'_>) -> Result<()> {
    if task.outer.contains(&0) {
        return Ok(());
    }
    let plan = Plan::new(task.program, task.row.iter().product());
    let last_uses = plan.last_uses();
    let mut memory: Vec<Option<(M::Memory, Slot)>> = Vec::new();
    memory.resize_with(plan.temporaries.len(), || None);
    for (at, step) in plan.steps.iter().enumerate() {
        let run = Run { machine, task };
        for place in written(step) {
            if let Place::Temporary(t) = place {
                memory[*t] = Some(run.temporary(plan.temporaries[*t])?);
            }
        }
        // SAFETY: the caller's promise; temporary memory fits the axes it stands for.
        unsafe { run.step(step, &memory)? };
        for (t, &last) in last_uses.iter().enumerate() {
            if last <= at {
                memory[t] = None;
            }
        }
    }
    Ok(())
}

fn written(step: &Step) -> &[Place] {
    match step {
        Step::Map { outputs, .. } => outputs,
        Step::Fold { to, .. } => std::slice::from_ref(to),
    }
}

struct Run<'a, M> {
    machine: &'a M,
    task: &'a Task<'a>,
}

impl<M: Machine> Run<'_, M> {
    fn temporary(&self, temporary: Temporary) -> Result<(M::Memory, Slot)> {
        let (outer, row) = (&self.task.outer, &self.task.row);
        let along: usize = match temporary.level {
            Level::Lane => row.iter().product(),
            _ => 1,
        };
        let rows: usize = outer.iter().product();
        let (memory, address) = self
            .machine
            .memory((rows * along).max(1) * temporary.dtype.size())?;
        let row = match temporary.level {
            Level::Lane => packed(row, 1),
            _ => row.iter().map(|_| 0).collect(),
        };
        let slot = Slot {
            address,
            outer: packed(outer, along),
            row,
        };
        Ok((memory, slot))
    }

    fn slot(&self, place: Place, memory: &[Option<(M::Memory, Slot)>]) -> Result<Slot> {
        let found = match place {
            Place::Input(k) => self.task.inputs.get(usize::from(k)),
            Place::Output(o) => self.task.outputs.get(o),
            Place::Temporary(t) => memory[t].as_ref().map(|(_, slot)| slot),
        };
        found.cloned().ok_or_else(|| {
            let name = &self.task.program.name;
            Error::value("run", format!("{name}: an operand of the task is missing"))
        })
    }

    /// # Safety
    /// As [`run`].
    unsafe fn step(&self, step: &Step, memory: &[Option<(M::Memory, Slot)>]) -> Result<()> {
        let slots = |places: &[Place]| -> Result<Vec<Slot>> {
            places.iter().map(|&p| self.slot(p, memory)).collect()
        };
        match step {
            Step::Map {
                level,
                program,
                inputs,
                outputs,
            } => {
                let (inputs, outputs) = (slots(inputs)?, slots(outputs)?);
                // SAFETY: the caller's promise.
                unsafe { self.map(*level, program, inputs, outputs) }
            }
            Step::Fold {
                fold,
                dtype,
                result,
                from,
                to,
            } => {
                let task = FoldTask {
                    fold: *fold,
                    variance: None,
                    dtype: *dtype,
                    result: *result,
                    outer: &self.task.outer,
                    row: &self.task.row,
                    input: self.slot(*from, memory)?,
                    output: self.slot(*to, memory)?,
                };
                // SAFETY: the caller's promise.
                unsafe { self.machine.fold(&task) }
            }
        }
    }

    /// # Safety
    /// As [`run`].
    unsafe fn map(
        &self,
        level: Level,
        program: &Typed,
        inputs: Vec<Slot>,
        outputs: Vec<Slot>,
    ) -> Result<()> {
        let over = |slot: Slot| -> Slot {
            let mut outer = slot.outer;
            if level == Level::Lane {
                outer.extend_from_slice(&slot.row);
            }
            Slot {
                address: slot.address,
                outer,
                row: Strides::new(),
            }
        };
        let mut outer: Dims = self.task.outer.clone();
        if level == Level::Lane {
            outer.extend_from_slice(&self.task.row);
        }
        if outer.contains(&0) {
            return Ok(());
        }
        let task = Task {
            program,
            outer,
            row: Dims::new(),
            inputs: inputs.into_iter().map(over).collect(),
            outputs: outputs.into_iter().map(over).collect(),
            params: self.task.params,
        };
        // SAFETY: the caller's promise.
        unsafe { self.machine.map(&task) }
    }
}

/// Row-major strides over `shape` where the innermost step is `step`.
pub(super) fn packed(shape: &[usize], step: usize) -> Strides {
    let mut strides: Strides = shape.iter().map(|_| 0).collect();
    let mut next = step as isize;
    for (stride, &length) in strides.iter_mut().zip(shape).rev() {
        *stride = next;
        next *= length as isize;
    }
    strides
}

/// The fold of a packed copy, for rows with more axes than a kernel walks.
///
/// # Safety
/// As [`super::fold::run`].
pub(super) unsafe fn fold_of_copy<M: Machine>(machine: &M, task: &FoldTask<'_>) -> Result<()> {
    let program = identity(task.dtype);
    let shape: Dims = [task.outer, task.row].concat().into();
    let count: usize = shape.iter().product();
    let (_memory, address) = machine.memory(count.max(1) * task.dtype.size())?;
    let along = task.row.iter().product();
    let copy = Slot {
        address,
        outer: packed(task.outer, along),
        row: packed(task.row, 1),
    };
    let joined = |slot: &Slot| Slot {
        address: slot.address,
        outer: [&slot.outer[..], &slot.row[..]].concat().into(),
        row: Strides::new(),
    };
    let map = Task {
        program: &program,
        outer: shape,
        row: Dims::new(),
        inputs: vec![joined(&task.input)],
        outputs: vec![joined(&copy)],
        params: &[],
    };
    let fold = FoldTask {
        input: copy,
        output: task.output.clone(),
        ..*task
    };
    // SAFETY: the caller's promise; the copy fits the axes.
    unsafe {
        if count > 0 {
            machine.map(&map)?;
        }
        machine.fold(&fold)
    }
}

/// The identity program.
fn identity(dtype: DType) -> Typed {
    Typed {
        name: "copy".into(),
        nodes: vec![TypedNode {
            op: Op::Input(0),
            dtype,
            level: Level::Lane,
        }],
        outputs: vec![TypedOutput {
            node: 0,
            role: Yield::Element,
            dtype,
        }],
        inputs: vec![dtype],
    }
}
