//! How tasks that have run before are launched: analysis takes longer than a small launch, so it is done once for each program,
//! shape and layout. Only addresses and numbers are new.

use super::kernel::Kernel;
use super::made::{self, Launch};
use super::phased::{self, Sequence};
use crate::context::Context;
use crate::plan::Limits;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use syntonic_core::fork::lock;
use syntonic_core::fuse::{Op, Slot, Task, Typed, TypedNode};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{Result, Scalar};

/// The most tasks that a context remembers, each of a few kilobytes.
const MOST: usize = 512;
/// What a vector's address is a multiple of.
const VECTOR: usize = 16;

/// The launches of a task.
pub(super) enum Prepared {
    /// One, of rows in registers.
    Held(Box<Launch>),
    /// Several.
    Sequence(Sequence),
}

impl Prepared {
    /// Prepares a task; nothing where no kernel can be made for it. Waits until its kernels are assembled.
    pub(super) fn of(
        context: &Context,
        task: &Task<'_>,
        overlaps: bool,
    ) -> Result<Option<Prepared>> {
        context.bind()?;
        Ok(match Launch::of(context, task)? {
            Some(held) => Some(Prepared::Held(Box::new(held))),
            None => Sequence::of(context, task, overlaps)?.map(Prepared::Sequence),
        })
    }

    /// # Safety
    /// As [`syntonic_core::Device::run`] with a task like the one it is of: only addresses of the same alignment, and numbers, differ.
    pub(super) unsafe fn launch(&self, context: &Context, task: &Task<'_>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Prepared::Held(held) => held.start(context, task),
                Prepared::Sequence(sequence) => sequence.start(context, task),
            }
        }
    }
}

/// The kernels of a task whose results overlap no operand, on a card with these limits; nothing where one cannot be made.
pub(super) fn kernels(task: &Task<'_>, limits: &Limits) -> Option<Vec<Kernel>> {
    match made::kernel(task, limits) {
        Some(kernel) => Some(vec![kernel]),
        None => phased::kernels(task, limits),
    }
}

/// All that decides how a task is run.
struct Key {
    program: Typed,
    outer: Dims,
    row: Dims,
    /// Strides over outer axes and those of the row, and the address's remainder, for each operand and result.
    slots: Vec<(Strides, Strides, usize)>,
    overlaps: bool,
}

impl Key {
    fn of(task: &Task<'_>, overlaps: bool) -> Key {
        let slot = |s: &Slot| (s.outer.clone(), s.row.clone(), remainder(s));
        Key {
            program: task.program.clone(),
            outer: task.outer.clone(),
            row: task.row.clone(),
            slots: task.slots().map(slot).collect(),
            overlaps,
        }
    }

    fn is_of(&self, task: &Task<'_>, overlaps: bool) -> bool {
        let same = |(own, s): (&(Strides, Strides, usize), &Slot)| {
            (&own.0, &own.1, own.2) == (&s.outer, &s.row, remainder(s))
        };
        self.overlaps == overlaps
            && (&self.outer, &self.row) == (&task.outer, &task.row)
            && self.slots.len() == task.inputs.len() + task.outputs.len()
            && self.slots.iter().zip(task.slots()).all(same)
            && is_same(&self.program, task.program)
    }
}

/// True for programs that are equal to the bits of their constants, zeros of either sign and no numbers too.
fn is_same(a: &Typed, b: &Typed) -> bool {
    let bits = |x: f64, y: f64| x.to_bits() == y.to_bits();
    let same_number = |pair: (Scalar, Scalar)| match pair {
        (Scalar::Float(x), Scalar::Float(y)) => bits(x, y),
        (Scalar::Complex(x), Scalar::Complex(y)) => bits(x.re, y.re) && bits(x.im, y.im),
        (x, y) => x == y,
    };
    let same = |(x, y): (&TypedNode, &TypedNode)| match (x.op, y.op) {
        (Op::Const(p), Op::Const(q)) => {
            (x.dtype, x.level) == (y.dtype, y.level) && same_number((p, q))
        }
        _ => x == y,
    };
    a.nodes.len() == b.nodes.len()
        && (&a.inputs, &a.outputs, &a.name) == (&b.inputs, &b.outputs, &b.name)
        && a.nodes.iter().zip(&b.nodes).all(same)
}

fn remainder(slot: &Slot) -> usize {
    slot.address as usize % VECTOR
}

/// Few tasks that differ have the same.
fn hash(task: &Task<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&task.outer[..], &task.row[..], task.program.nodes.len()).hash(&mut hasher);
    task.program.inputs.hash(&mut hasher);
    task.program.name.hash(&mut hasher);
    for slot in task.slots() {
        (&slot.outer[..], &slot.row[..]).hash(&mut hasher);
    }
    hasher.finish()
}

struct Entry {
    key: Key,
    prepared: Option<Arc<Prepared>>,
    used: u64,
}

#[derive(Default)]
struct Known {
    entries: HashMap<u64, Vec<Entry>>,
    count: usize,
    /// Grows with each request.
    time: u64,
}

impl Known {
    fn find(
        &mut self,
        hash: u64,
        task: &Task<'_>,
        overlaps: bool,
    ) -> Option<Option<Arc<Prepared>>> {
        self.time += 1;
        let entries = self.entries.get_mut(&hash)?;
        let entry = entries.iter_mut().find(|e| e.key.is_of(task, overlaps))?;
        entry.used = self.time;
        Some(entry.prepared.clone())
    }

    fn add(&mut self, hash: u64, entry: Entry) {
        if self.count >= MOST {
            self.forget_oldest();
        }
        self.entries.entry(hash).or_default().push(entry);
        self.count += 1;
    }

    fn forget_oldest(&mut self) {
        let oldest = self.entries.values().flatten().map(|e| e.used).min();
        for entries in self.entries.values_mut() {
            let before = entries.len();
            entries.retain(|e| Some(e.used) != oldest);
            self.count -= before - entries.len();
        }
        self.entries.retain(|_, entries| !entries.is_empty());
    }
}

/// The tasks that a context has run, those that were used last.
#[derive(Default)]
pub(crate) struct PreparedTasks(Mutex<Known>);

impl std::fmt::Debug for PreparedTasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PreparedTasks({})", lock(&self.0).count)
    }
}

impl PreparedTasks {
    /// How a task is launched; nothing where no kernel can be made for it.
    pub(super) fn of(
        &self,
        context: &Context,
        task: &Task<'_>,
        overlaps: bool,
    ) -> Result<Option<Arc<Prepared>>> {
        let hash = hash(task);
        if let Some(found) = lock(&self.0).find(hash, task, overlaps) {
            return Ok(found);
        }
        // Not under the lock: it may wait for an assembly. Two threads may prepare the same task, with the same kernels.
        let prepared = Prepared::of(context, task, overlaps)?.map(Arc::new);
        let mut known = lock(&self.0);
        if let Some(found) = known.find(hash, task, overlaps) {
            return Ok(found);
        }
        let (key, used) = (Key::of(task, overlaps), known.time);
        known.add(
            hash,
            Entry {
                key,
                prepared: prepared.clone(),
                used,
            },
        );
        Ok(prepared)
    }
}
