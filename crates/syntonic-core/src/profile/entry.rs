//! What a launch is called, and how many bytes it has to move.

use super::site;
use crate::device::{Arg, Kernel, Launch};
use crate::dtype::DType;
use crate::fuse::{Op, Slot, Task, Typed};
use crate::layout::stored;
use std::fmt::Write as _;

/// Letters of a name at most: a chain of forty operators has a name of its first ones.
const LONGEST: usize = 48;

/// One launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    /// The operator or formula.
    pub(super) name: String,
    /// The type of the result.
    pub(super) dtype: DType,
    /// The index space of a program, the shape of a kernel's result.
    pub(super) shape: String,
    /// Each operand once, what is repeated without taking memory not counted.
    pub(super) bytes: usize,
    /// Where it was asked for.
    pub(super) site: Option<String>,
}

impl Entry {
    pub(super) fn of_task(task: &Task<'_>) -> Entry {
        let program = task.program;
        let dtypes = program.inputs.iter().copied();
        let dtypes = dtypes.chain(program.outputs.iter().map(|o| o.dtype));
        let moved = task.slots().zip(dtypes).enumerate();
        let moved = moved.filter(|(k, _)| !program.is_index(*k));
        let bytes = moved.map(|(_, (slot, dtype))| elements(task, slot) * dtype.size());
        let lens: Vec<usize> = task.outer.iter().chain(&task.row).copied().collect();
        Entry {
            name: name(program),
            dtype: program.outputs.first().map_or(DType::Bool, |o| o.dtype),
            shape: format!("{lens:?}"),
            bytes: bytes.sum(),
            site: site(),
        }
    }

    /// All of several tasks, of which there is at least one, under the name of the first.
    pub(super) fn of_tasks(tasks: &[Task<'_>]) -> Entry {
        let mut entry = Entry::of_task(&tasks[0]);
        let others = tasks[1..].iter().map(|task| Entry::of_task(task).bytes);
        entry.bytes += others.sum::<usize>();
        if tasks.len() > 1 {
            entry.shape = format!("{} tensors", tasks.len());
        }
        entry
    }

    /// Steps in one launch: the type and shape of their first result, and the bytes that they move.
    pub(super) fn of_steps(name: &str, (dtype, shape, bytes): (DType, &[usize], usize)) -> Entry {
        Entry {
            name: name.to_owned(),
            dtype,
            shape: format!("{shape:?}"),
            bytes,
            site: site(),
        }
    }

    pub(super) fn of_launch(kernel: &Kernel, args: &Launch) -> Entry {
        let all = || args.inputs.iter().chain(&args.outputs);
        let written = args.outputs.first().or(args.inputs.first());
        Entry {
            name: kernel.name.to_owned(),
            dtype: written.map_or(DType::Bool, |arg| arg.dtype),
            shape: written.map_or_else(String::new, |arg| format!("{:?}", arg.layout.shape())),
            bytes: all().map(bytes).sum(),
            site: site(),
        }
    }
}

/// A program's name; that of a chain has the primitives it is made of.
fn name(program: &Typed) -> String {
    let mut name = program.name.clone();
    if name == "chain" {
        for node in &program.nodes {
            let word = match node.op {
                Op::Apply(prim, _) => prim.name(),
                Op::Fold(fold, _) => fold.name(),
                _ => continue,
            };
            if name.len() + word.len() > LONGEST {
                name.push_str(" …");
                break;
            }
            let _ = write!(name, " {word}");
        }
    }
    name
}

/// Elements of a slot in memory.
fn elements(task: &Task<'_>, slot: &Slot) -> usize {
    let kept = task.outer.iter().zip(&slot.outer);
    stored(kept.chain(task.row.iter().zip(&slot.row)))
}

fn bytes(arg: &Arg) -> usize {
    let axes = arg.layout.shape().iter().zip(arg.layout.strides());
    stored(axes) * arg.dtype.size()
}
