//! How much memory reductions that wait may keep.
//!
//! A row has one result, but a reduction that waits keeps the whole row. So the reductions that wait in a process may keep
//! at most [`KEPT_BYTES`], and a thread has at most [`MOST`] of them. Not counted is what the newest expression reads itself,
//! and what somebody else holds as well and reductions read together that lie over the rows of the newest one, or share memory with it:
//! the similarity of two matrices reads their product, and each alone. Before one more is made, the thread runs its oldest ones that are no part of
//! the new expression. Where that is not enough, because other threads keep the rest, the new one is computed at once. A thread runs its own reductions only: the memory
//! that another one's read may be written there at any time.

use super::{Operand, Operation, Pending, lock};
use crate::buffer::Buffer;
use crate::layout::Dims;
use crate::tensor::Source;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// Bytes that reductions may keep besides those that the newest expression reads, or shares with them.
pub const KEPT_BYTES: usize = 64 << 20;
/// Reductions of one thread that wait.
const MOST: usize = 32;

/// Bytes that all reductions that wait keep, those of shared operands counted for each.
static TOTAL: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The reductions that this thread has made, the oldest first.
    static MADE: RefCell<Vec<Weak<Pending>>> = const { RefCell::new(Vec::new()) };
}

/// What a reduction that waits is counted by, as long as it waits.
#[derive(Debug)]
pub(super) struct Kept(usize);

impl Kept {
    fn new(bytes: usize) -> Kept {
        TOTAL.fetch_add(bytes, Ordering::Relaxed);
        Kept(bytes)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        TOTAL.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// What an expression reads, and which expressions it hangs on.
#[derive(Default)]
struct Reads {
    memory: Vec<Read>,
    expressions: Vec<Arc<Pending>>,
}

/// Memory that expressions read, and how it is an operand.
struct Read {
    buffer: Arc<Buffer>,
    /// How often as memory.
    stored: usize,
    /// How often as the result of an expression.
    results: SmallVec<[(Arc<Pending>, usize); 1]>,
}

impl Read {
    /// True where it stays in memory if these expressions let go of it.
    fn is_held_elsewhere(&self) -> bool {
        let here = 1 + self.stored + self.results.len();
        let held = |(p, uses): &(Arc<Pending>, usize)| Arc::strong_count(p) > uses + 1;
        Arc::strong_count(&self.buffer) > here || self.results.iter().any(held)
    }
}

impl Reads {
    fn of(pending: &Arc<Pending>) -> Reads {
        let mut reads = Reads::default();
        reads.add(pending);
        reads
    }

    fn add(&mut self, pending: &Arc<Pending>) {
        if self.expressions.iter().any(|p| Arc::ptr_eq(p, pending)) {
            return;
        }
        self.expressions.push(pending.clone());
        let Some((_, operands)) = pending.plan() else {
            return;
        };
        for operand in operands {
            let Operand::Tensor(t) = operand else {
                continue;
            };
            match t.source() {
                Source::Stored(buffer) => self.read(buffer).stored += 1,
                Source::Pending(p) => match p.result() {
                    Some(buffer) => {
                        let results = &mut self.read(buffer).results;
                        match results.iter_mut().find(|(r, _)| Arc::ptr_eq(r, p)) {
                            Some((_, uses)) => *uses += 1,
                            None => results.push((p.clone(), 1)),
                        }
                    }
                    None => self.add(p),
                },
                Source::Ramp(_) => {
                    if let Some(buffer) = t.source().in_memory() {
                        self.read(buffer).stored += 1;
                    }
                }
            }
        }
    }

    fn read(&mut self, buffer: &Arc<Buffer>) -> &mut Read {
        let same = |r: &Read| Arc::ptr_eq(&r.buffer, buffer);
        let at = self.memory.iter().position(same).unwrap_or_else(|| {
            self.memory.push(Read {
                buffer: buffer.clone(),
                stored: 0,
                results: SmallVec::new(),
            });
            self.memory.len() - 1
        });
        &mut self.memory[at]
    }

    fn addresses(&self) -> impl Iterator<Item = *const Buffer> {
        self.memory.iter().map(|r| Arc::as_ptr(&r.buffer))
    }

    fn bytes(&self) -> usize {
        self.memory.iter().map(|r| r.buffer.bytes()).sum()
    }
}

/// Lets the reduction wait, or says that it must not. One that `yields` does not make older ones run.
pub(super) fn admit(reduction: &Arc<Pending>, yields: bool) -> bool {
    let reads = Reads::of(reduction);
    loop {
        let mine = waiting_here();
        let others: Vec<&Arc<Pending>> = mine
            .iter()
            .filter(|p| !reads.expressions.iter().any(|e| Arc::ptr_eq(e, p)))
            .collect();
        let few = mine.len() < MOST;
        if few && kept_besides(reduction, &reads, &mine) <= KEPT_BYTES {
            break;
        }
        if yields {
            return false;
        }
        let Some(oldest) = others.first() else {
            if few {
                return false;
            }
            break;
        };
        if !run(oldest) {
            return false;
        }
    }
    let kept = Kept::new(reads.bytes());
    if let Some(plan) = lock(&reduction.plan).as_mut() {
        plan.kept = Some(kept);
    }
    MADE.with_borrow_mut(|made| made.push(Arc::downgrade(reduction)));
    true
}

/// This thread's reductions that wait, the oldest first.
fn waiting_here() -> Vec<Arc<Pending>> {
    let all: Vec<Arc<Pending>> =
        MADE.with_borrow(|made| made.iter().filter_map(Weak::upgrade).collect());
    // few: at most MOST wait.
    let waiting: Vec<Arc<Pending>> = all.into_iter().filter(|p| p.waits()).collect();
    MADE.with_borrow_mut(|made| *made = waiting.iter().map(Arc::downgrade).collect());
    waiting
}

/// Bytes that count: see the module.
fn kept_besides(reduction: &Pending, reads: &Reads, mine: &[Arc<Pending>]) -> usize {
    let total = TOTAL.load(Ordering::Relaxed);
    if total <= KEPT_BYTES {
        return total;
    }
    let kept = |p: &Arc<Pending>| Some(lock(&p.plan).as_ref()?.kept.as_ref()?.0);
    let counted: usize = mine.iter().filter_map(kept).sum();
    let near = read_together(reduction, reads, mine);
    let read: Vec<*const Buffer> = reads.addresses().collect();
    let mut all = Reads::default();
    mine.iter().for_each(|p| all.add(p));
    let counts = |r: &&Read| {
        let address = Arc::as_ptr(&r.buffer);
        let shared = near.contains(&address) && r.is_held_elsewhere();
        !(shared || read.contains(&address))
    };
    let besides = all.memory.iter().filter(counts);
    let here: usize = besides.map(|r| r.buffer.bytes()).sum();
    total.saturating_sub(counted) + here
}

/// What the new expression reads, and what reductions read over the same rows, or that share memory with one of them: with it they may
/// become one program.
fn read_together(reduction: &Pending, reads: &Reads, mine: &[Arc<Pending>]) -> Vec<*const Buffer> {
    let rows = rows_of(reduction);
    let (same, other): (Vec<_>, Vec<_>) = mine.iter().partition(|p| rows_of(p) == rows);
    let mut near: Vec<*const Buffer> = reads.addresses().collect();
    for p in same {
        near.extend(Reads::of(p).addresses());
    }
    let mut far: Vec<Reads> = other.into_iter().map(Reads::of).collect();
    while let Some(at) = far
        .iter()
        .position(|r| r.addresses().any(|address| near.contains(&address)))
    {
        near.extend(far.swap_remove(at).addresses());
    }
    near
}

/// The rows of a reduction that waits: the shape of its operand, and the reduced axes.
fn rows_of(p: &Pending) -> Option<(Dims, u64)> {
    let (operation, operands) = p.plan()?;
    match (operation, operands.first()?) {
        (Operation::Reduction(reduction), Operand::Tensor(x)) => {
            Some((x.shape().into(), reduction.axes()))
        }
        _ => None,
    }
}

/// Runs what waits for the reduction, and with it the reduction. An error is left to whoever reads it.
fn run(reduction: &Arc<Pending>) -> bool {
    let mut last = reduction.clone();
    while let Some(reader) = last.reader() {
        last = reader;
    }
    let done = last.settle().is_ok();
    drop(last);
    // Where nobody else holds it, it has gone with what waited for it.
    done && (Arc::strong_count(reduction) == 1 || reduction.settle().is_ok())
}
