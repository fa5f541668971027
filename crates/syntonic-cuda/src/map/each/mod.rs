//! A program over many groups of tensors in one launch, where each group lies in one linear order: a block looks up in a table which tensors it
//! is for. Programs of one fold over all elements of a group are folded so, too, and a counter for each group selects its last block, which joins.

mod table;
mod text;

pub(super) use table::Table;
pub(super) use text::{Folding, search};

use super::kernel::{Kernel, Layout, Operands, is_whole};
use super::{as_copied, sources};
use crate::codegen::form::Form;
use crate::kernel;
use crate::plan::Carrier;
use crate::plan::operand::{Source, Span, with_factor};
use crate::plan::straight::{Kind, Straight, place};
use crate::rows::jit::fold::Accumulator;
use syntonic_core::fuse::{Fold, Op, Slot, Task, Yield};
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
        let program = match alike.len() {
            1 => None,
            _ => Program::of(first)?,
        };
        let alone = match program {
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
    leaves: Vec<Leaf>,
}

/// What a leaf of the form is.
#[derive(Clone, Copy)]
enum Leaf {
    /// An operand of the task.
    Input(usize),
    /// A number, as kernels get it.
    Number([u64; 2]),
}

/// Where an operand of a group lies.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Side by side, in the order of all others.
    Vector(u64),
    /// One element.
    One(u64),
    /// In the parameter.
    Number,
}

/// A group as a kernel takes it.
struct Member {
    count: usize,
    results: Vec<u64>,
    operands: Vec<Place>,
}

impl Program {
    /// The program of a task, if one kernel computes its elements.
    fn of(task: &Task<'_>) -> Result<Option<Program>> {
        let (form, total) = match task.has_rows() {
            false => (Form::of(task.program), None),
            true => Program::of_total(task).unzip(),
        };
        let Some(form) = form.filter(is_whole) else {
            return Ok(None);
        };
        let mut leaves = Vec::new();
        for ((_, node, dtype), source) in form.leaves().zip(sources(task, &form)?) {
            leaves.push(match (task.program.nodes[node as usize].op, source) {
                (Op::Input(k), _) => Leaf::Input(usize::from(k)),
                (Op::Param(_) | Op::Const(_), Source::Number(value)) => {
                    Leaf::Number(with_factor(value, dtype))
                }
                // Each task has a length and an index of its own.
                _ => return Ok(None),
            });
        }
        let all = leaves.iter().all(|leaf| matches!(leaf, Leaf::Input(_)));
        let some = leaves.iter().any(|leaf| matches!(leaf, Leaf::Input(_)));
        let form = match all && total.is_none() {
            true => as_copied(form),
            false => form,
        };
        Ok(some.then_some(Program {
            form,
            total,
            leaves,
        }))
    }

    fn of_total(task: &Task<'_>) -> Option<(Form, Total)> {
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
        Some((form, Total { fold, accumulator }))
    }

    /// Runs what lies so that one kernel takes it, and says which tasks do not.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn run<'t, 'a, C: Carrier>(
        self,
        carrier: &C,
        tasks: &[&'t Task<'a>],
    ) -> Result<Vec<&'t Task<'a>>> {
        let (mut members, mut own, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        for &task in tasks {
            let member = match self.in_order(task) {
                Some(member) => Some(member),
                None => self.in_one_order(task)?,
            };
            match member {
                Some(member) => {
                    members.push(member);
                    own.push(task);
                }
                None => alone.push(task),
            }
        }
        if members.is_empty() {
            return Ok(alone);
        }
        let kinds = self.kinds(&members);
        let widths = self.widths(&kinds);
        let mut entries = Vec::new();
        for (member, task) in members.iter().zip(own) {
            match self.entry(member, &kinds, &widths) {
                Some(entry) => entries.push(entry),
                None => alone.push(task),
            }
        }
        let head = self.head(&members[0]);
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

    /// The task as a group, if all of it lies in the order of the index space: nearly all do.
    fn in_order(&self, task: &Task<'_>) -> Option<Member> {
        let lens = || task.outer.iter().chain(&task.row).rev();
        let count: usize = lens().product();
        let place = |slot: &Slot| {
            let steps = || lens().zip(slot.outer.iter().chain(&slot.row).rev());
            let mut want = 1;
            let dense = steps().all(|(&len, &stride)| {
                let fits = len == 1 || stride == want;
                want *= len as isize;
                fits
            });
            if steps().all(|(&len, &stride)| len == 1 || stride == 0) {
                Some(Place::One(slot.address as u64))
            } else {
                dense.then_some(Place::Vector(slot.address as u64))
            }
        };
        let operands = self.leaves.iter().map(|leaf| match leaf {
            Leaf::Input(k) => place(&task.inputs[*k]),
            Leaf::Number(_) => Some(Place::Number),
        });
        let result = |slot: &Slot| match (place(slot)?, self.total) {
            (Place::Vector(at) | Place::One(at), Some(_)) => Some(at),
            (Place::Vector(at), None) => Some(at),
            (Place::One(at), None) if count == 1 => Some(at),
            _ => None,
        };
        Some(Member {
            count,
            operands: operands.collect::<Option<_>>()?,
            results: task.outputs.iter().map(result).collect::<Option<_>>()?,
        })
    }

    /// The task as a group, if all of it lies in some one order.
    fn in_one_order(&self, task: &Task<'_>) -> Result<Option<Member>> {
        let dims: Dims = task.outer.iter().chain(&task.row).copied().collect();
        let dtypes = self.form.leaves().map(|leaf| leaf.2);
        let all: Vec<(Source, DType)> =
            sources(task, &self.form)?.into_iter().zip(dtypes).collect();
        let results: Vec<(Span, DType)> = (task.outputs.iter())
            .zip(&self.form.outputs)
            .map(|(slot, &o)| (Span::of(slot), self.form.values[o as usize].dtype))
            .collect();
        let written = if self.total.is_some() {
            &[]
        } else {
            &results[..]
        };
        if dims.contains(&0) {
            return Ok(None);
        }
        let Some(straight) = Straight::of(&all, written, &dims) else {
            return Ok(None);
        };
        let operands = straight
            .inputs
            .iter()
            .map(|(operand, _)| match operand.kind {
                Kind::Vector => Place::Vector(operand.address),
                Kind::Scalar => Place::One(operand.address),
                Kind::Number | Kind::Index => Place::Number,
            });
        let results = match self.total {
            Some(_) => results.iter().map(|(span, _)| span.address).collect(),
            None => straight.outputs.iter().map(|o| o.0).collect(),
        };
        Ok(Some(Member {
            count: straight.count,
            operands: operands.collect(),
            results,
        }))
    }

    /// What each operand is: shared by all groups, or a group's own.
    fn kinds(&self, members: &[Member]) -> Vec<Kind> {
        let first = &members[0].operands;
        let kind = |(k, place): (usize, &Place)| match place {
            Place::Number => Kind::Number,
            Place::One(_) if members.iter().all(|m| m.operands[k] == *place) => Kind::Scalar,
            _ => Kind::Vector,
        };
        first.iter().enumerate().map(kind).collect()
    }

    /// The bytes of an element and of a vector of each result, then of each operand.
    fn widths(&self, kinds: &[Kind]) -> Vec<[u64; 2]> {
        let results = self.form.outputs.iter();
        let results = results.map(|&o| self.form.values[o as usize].dtype.size());
        let operands: Vec<usize> = self.form.leaves().map(|leaf| leaf.2.size()).collect();
        let own = operands
            .iter()
            .copied()
            .zip(kinds)
            .filter(|(_, kind)| **kind == Kind::Vector);
        let widest = own.map(|o| o.0).chain(results.clone()).max().unwrap_or(16);
        let lanes = 16 / widest;
        results
            .chain(operands)
            .map(|size| [size, lanes * size].map(|bytes| bytes as u64))
            .collect()
    }

    /// The entry of a group; nothing where it does not lie as the kernel takes it.
    fn entry(&self, member: &Member, kinds: &[Kind], widths: &[[u64; 2]]) -> Option<Entry> {
        let (of_results, of_operands) = widths.split_at(self.form.outputs.len());
        let mut addresses = Vec::with_capacity(widths.len());
        // One element is not read as a vector, and of none nothing is read.
        let fits = |at: u64, [element, vector]: [u64; 2]| match member.count {
            0 => true,
            1 => at.is_multiple_of(element),
            _ => at.is_multiple_of(vector),
        };
        for (&at, &width) in member.results.iter().zip(of_results) {
            if self.total.is_none() && !fits(at, width) {
                return None;
            }
            addresses.push(at);
        }
        for ((place, kind), &width) in member.operands.iter().zip(kinds).zip(of_operands) {
            match (place, kind) {
                (Place::Vector(at), Kind::Vector) if fits(*at, width) => addresses.push(*at),
                (Place::One(at), Kind::Vector) if member.count <= 1 && fits(*at, width) => {
                    addresses.push(*at);
                }
                (Place::One(at), Kind::Scalar) if at.is_multiple_of(width[0]) => {}
                (_, Kind::Number) => {}
                _ => return None,
            }
        }
        Some(Entry {
            count: member.count,
            addresses,
        })
    }

    /// What stands in front of the table: the operands that all groups share.
    fn head(&self, member: &Member) -> Vec<u64> {
        let mut words = vec![0; place::size(0) / 8];
        for (leaf, at) in self.leaves.iter().zip(&member.operands) {
            let address = match at {
                Place::One(at) | Place::Vector(at) => *at,
                Place::Number => 0,
            };
            let bits = match leaf {
                Leaf::Number(bits) => *bits,
                Leaf::Input(_) => [0; 2],
            };
            words.extend([address, 0, bits[0], bits[1]]);
        }
        words
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
