//! A program over many groups of tensors in one launch, where each group lies in one linear order: a block looks up in a table which tensors it
//! is for. Programs of one fold over all elements of a group are folded so, too, and a counter for each group selects its last block, which joins.

mod table;
mod text;

pub(super) use table::Table;
pub(super) use text::{Looked, search};

use super::kernel::{Kernel, Layout, Operands, is_whole};
use super::{as_copied, is_tensor, sources};
use crate::codegen::form::Form;
use crate::kernel;
use crate::plan::Carrier;
use crate::plan::operand::{Source, Span};
use crate::plan::straight::{Kind, Straight, place};
use crate::rows::jit::fold::Accumulator;
use syntonic_core::fuse::{Fold, Op, Task, Yield};
use syntonic_core::layout::Dims;
use syntonic_core::{DType, Error, Result};
use table::{Entry, Parameter, blocks_of};

/// A fold over all elements of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Total {
    pub(super) fold: Fold,
    pub(super) accumulator: Accumulator,
}

/// How the operands of a kernel over many groups lie.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Each {
    /// Vectors are a group's own, all else is shared.
    pub(super) kinds: Vec<Kind>,
    pub(super) table: Table,
    /// What becomes of the form's value, if it is not stored.
    pub(super) total: Option<Total>,
}

impl Each {
    /// Where an entry has the address of operand `k`, which is a group's own, behind so many results.
    pub(super) fn own(&self, k: usize, results: usize) -> usize {
        let before = self.kinds[..k].iter().filter(|&&kind| kind == Kind::Vector);
        let results = if self.total.is_some() { 1 } else { results };
        8 + 8 * (results + before.count())
    }

    /// It as numbers, none of which is a [`Kind`] or the first of a walk.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let total = self.total.map_or(0, |total| 1 + total.fold as u64);
        let first = [1 << 32 | self.table.word(), total];
        first
            .into_iter()
            .chain(self.kinds.iter().map(|&k| k as u64))
    }
}

impl Total {
    /// The type of its result, for elements of this type.
    pub(super) fn result(self, of: DType) -> DType {
        self.fold.result_dtype(of).unwrap_or(of)
    }
}

/// A launch over many groups.
#[derive(Clone, Debug)]
pub(crate) struct Launched {
    pub(super) each: Each,
    /// Blocks, which the entries say.
    pub(super) blocks: u64,
}

/// Runs tasks that do not depend on each other, those of one program together.
///
/// # Safety
/// As [`syntonic_core::Device::run_each`].
pub(crate) unsafe fn run<C: Carrier>(carrier: &C, tasks: &[Task<'_>]) -> Result<()> {
    let mut left: Vec<&Task<'_>> = tasks.iter().collect();
    while let Some(&first) = left.first() {
        let is_like = |task: &&Task<'_>| {
            std::ptr::eq(task.program, first.program) && task.params == first.params
        };
        let (alike, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_like);
        left = others;
        let alone = match Program::of(first).filter(|_| alike.len() > 1) {
            // SAFETY: the caller's promise.
            Some(program) => unsafe { program.run(carrier, &alike)? },
            None => alike,
        };
        for task in alone {
            // SAFETY: the caller's promise.
            unsafe { kernel::run(carrier, task)? };
        }
    }
    Ok(())
}

/// What the tasks have in common.
struct Program {
    form: Form,
    total: Option<Total>,
}

/// What a task brings along.
struct Member<'t, 'a> {
    task: &'t Task<'a>,
    dims: Dims,
    sources: Vec<(Source, DType)>,
}

impl Program {
    /// The program of a task, if one kernel computes its elements.
    fn of(task: &Task<'_>) -> Option<Program> {
        let program = match task.has_rows() {
            false => Program {
                form: Form::of(task.program)?,
                total: None,
            },
            true => Program::of_total(task)?,
        };
        let leaves = program.form.leaves();
        let leaves: Vec<Op> = leaves
            .map(|(_, node, _)| task.program.nodes[node as usize].op)
            .collect();
        // Numbers are those of all tasks, and each has a length and an index of its own.
        let differs = |op: &Op| matches!(op, Op::Index(_) | Op::Count);
        let reads = |op: &Op| matches!(op, Op::Input(_));
        let fits = is_whole(&program.form) && !leaves.iter().any(differs);
        (fits && leaves.iter().any(reads)).then_some(program)
    }

    fn of_total(task: &Task<'_>) -> Option<Program> {
        let [output] = &task.program.outputs[..] else {
            return None;
        };
        let node = &task.program.nodes[output.node as usize];
        let Op::Fold(fold, of) = node.op else {
            return None;
        };
        let whole = task.outer.iter().all(|&n| n == 1) && output.role == Yield::RowScalar;
        let form = Form::of_nodes(task.program, [of]).filter(|_| whole)?;
        let from = form.values[form.outputs[0] as usize].dtype;
        let accumulator = Accumulator::of(fold, from, node.dtype)?;
        Some(Program {
            form,
            total: Some(Total { fold, accumulator }),
        })
    }

    /// Runs what lies so that one kernel takes it, and says which tasks do not.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn run<'t, 'a, C: Carrier>(
        mut self,
        carrier: &C,
        tasks: &[&'t Task<'a>],
    ) -> Result<Vec<&'t Task<'a>>> {
        let mut members = Vec::new();
        for &task in tasks {
            members.push(Member {
                task,
                dims: task.outer.iter().chain(&task.row).copied().collect(),
                sources: (sources(task, &self.form)?.into_iter())
                    .zip(self.form.leaves().map(|l| l.2))
                    .collect(),
            });
        }
        if self.total.is_none()
            && members
                .iter()
                .all(|m| m.sources.iter().all(|s| is_tensor(&s.0)))
        {
            self.form = as_copied(self.form);
            for member in &mut members {
                let dtypes = self.form.leaves().map(|l| l.2);
                let all = member.sources.iter_mut().zip(dtypes);
                all.for_each(|(source, dtype)| source.1 = dtype);
            }
        }
        let kinds = self.kinds(&members);
        let (mut entries, mut alone, mut shared) = (Vec::new(), Vec::new(), None);
        for member in &members {
            match self.entry(member, &kinds) {
                Some((entry, head)) => {
                    entries.push(entry);
                    shared = shared.or(head);
                }
                None => alone.push(member.task),
            }
        }
        // Where all groups are empty nothing is read.
        let head = shared.unwrap_or_else(|| vec![0; place::size(kinds.len()) / 8]);
        let mut left = &entries[..];
        while !left.is_empty() {
            let results = self.total.map_or(self.form.outputs.len(), |_| 1);
            let table = Table::new(&kinds, results, left.len(), carrier.limits());
            let each = Each {
                kinds: kinds.clone(),
                table,
                total: self.total,
            };
            // SAFETY: the caller's promise.
            let taken = unsafe { self.launch(carrier, each, left, head.clone())? };
            left = &left[taken..];
        }
        Ok(alone)
    }

    /// What each operand is: shared by all groups, or a group's own.
    fn kinds(&self, members: &[Member<'_, '_>]) -> Vec<Kind> {
        let all = 0..self.form.leaves().count();
        all.map(|k| {
            let mut addresses = members.iter().map(|m| match &m.sources[k].0 {
                Source::Tensor(span) if span.repeats(&m.dims) => Some(span.address),
                _ => None,
            });
            let first = addresses.next().flatten();
            match &members[0].sources[k].0 {
                Source::Number(_) => Kind::Number,
                _ if first.is_some() && addresses.all(|a| a == first) => Kind::Scalar,
                _ => Kind::Vector,
            }
        })
        .collect()
    }

    /// The entry of a group, and the head with what it shares, which an empty one does not say; nothing where it does not lie in one linear order.
    fn entry(&self, member: &Member<'_, '_>, kinds: &[Kind]) -> Option<(Entry, Option<Vec<u64>>)> {
        let results: Vec<(Span, DType)> = (member.task.outputs.iter())
            .zip(&self.form.outputs)
            .map(|(slot, &o)| (Span::of(slot), self.form.values[o as usize].dtype))
            .collect();
        let written = if self.total.is_some() {
            &[]
        } else {
            &results[..]
        };
        if member.dims.contains(&0) {
            // The identity of a fold; nothing is read.
            let own = kinds.iter().filter(|&&kind| kind == Kind::Vector).count();
            let mut addresses = vec![0; 1 + own];
            addresses[0] = results.first()?.0.address;
            return self.total.map(|_| {
                (
                    Entry {
                        count: 0,
                        addresses,
                    },
                    None,
                )
            });
        }
        let straight = Straight::of(&member.sources, written, &member.dims)?;
        if !straight.is_in_vectors() {
            return None;
        }
        let mut addresses: Vec<u64> = match self.total {
            Some(_) => vec![results.first()?.0.address],
            None => straight.outputs.iter().map(|o| o.0).collect(),
        };
        for (kind, (operand, _)) in kinds.iter().zip(&straight.inputs) {
            let own = *kind == Kind::Vector;
            let is_lone = operand.kind == Kind::Scalar && straight.count == 1;
            match operand.kind {
                Kind::Vector if own => addresses.push(operand.address),
                _ if own && is_lone => addresses.push(operand.address),
                _ if own => return None,
                _ => {}
            }
        }
        let entry = Entry {
            count: straight.count,
            addresses,
        };
        Some((entry, Some(straight.head()?)))
    }

    /// Launches the first entries, as many as a parameter and a grid have room for, and says how many.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn launch<C: Carrier>(
        &self,
        carrier: &C,
        each: Each,
        entries: &[Entry],
        mut head: Vec<u64>,
    ) -> Result<usize> {
        let kernel = Kernel::new(self.form.clone(), Layout::Each(each.clone()));
        let elements = kernel.spread().elements();
        let mut grid = 0;
        let fits = |entry: &&Entry| {
            grid += blocks_of(entry, elements);
            grid <= i32::MAX as u64
        };
        let room = entries.iter().take(each.table.room());
        let count = room.take_while(fits).count();
        let entries = &entries[..count];
        if count == 0 {
            return Err(Error::value("run_each", "a tensor is too large for a grid"));
        }
        head[table::head::TENSORS / 8] = count as u64;
        let blocks: u64 = entries.iter().map(|e| blocks_of(e, elements)).sum();
        // Both are given back in the order of the stream.
        let held = match each.total {
            Some(_) => Some((carrier.memory(8 * blocks as usize)?, carrier.counters()?)),
            None => None,
        };
        if let Some(((_, scratch), (_, counters))) = &held {
            head[table::head::SCRATCH / 8] = *scratch;
            head[table::head::COUNTERS / 8] = *counters;
        }
        let (words, blocks) = each.table.filled(&head, entries, elements);
        let launched = Launched { each, blocks };
        let operands = Operands::Each(&launched);
        // SAFETY: the parameter is the kernel's, and the caller vouches for the memory.
        unsafe {
            match Parameter::of(words) {
                Some(Parameter::Few(words)) => carrier.start_map(&self.form, operands, &*words)?,
                Some(Parameter::Many(words)) => carrier.start_map(&self.form, operands, &*words)?,
                None => return Err(Error::value("run_each", "the table has another length")),
            }
        }
        Ok(count)
    }
}
