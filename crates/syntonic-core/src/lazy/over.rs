//! Results that are written over an operand which nobody else will read, so that a long chain needs two tensors and not three.
//!
//! An operand dies with a program where the program's own expressions alone hold it, and nobody but the program holds these. The program
//! takes what they are to compute from all of them before it looks who holds what. From then on no other thread can read the operand
//! through one of them: who needs a result waits for it, for no longer than the one program takes.
//!
//! What is overwritten cannot be computed from again. So this is done where a device says that the program, once begun, runs to its end
//! ([`Device::overwrites`](crate::Device::overwrites)), and nobody is asked on the way whether it shall. A process that is forked meanwhile
//! has lost the result: reading it there is an error.

use super::fusion::{Fusion, Gathered, Leaf};
use super::{Operand, Pending, Plan, Use};
use crate::buffer::Buffer;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fork::{self, lock};
use crate::fuse::Level;
use crate::graph::session;
use crate::interrupt;
use crate::run;
use crate::tensor::{Source, Tensor};
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::time::Instant;

/// Smaller results do not pay for the look: their memory is at hand.
const LEAST_BYTES: usize = 32 << 10;

/// The plans of the expressions of a program, in their order, which go back if they are not carried out.
struct Taken<'a> {
    expressions: Vec<&'a Arc<Pending>>,
    plans: Vec<Plan>,
}

impl<'a> Taken<'a> {
    /// All plans; none where another thread has one of them, or has carried it out.
    fn from(expressions: impl Iterator<Item = &'a Arc<Pending>>) -> Option<Taken<'a>> {
        let mut taken = Taken {
            // few: expressions of one program.
            expressions: Vec::new(),
            plans: Vec::new(),
        };
        for p in expressions {
            let mut plan = lock(&p.plan);
            taken.plans.push(plan.take()?);
            p.taken.store(fork::generation() + 1, Ordering::Release);
            taken.expressions.push(p);
        }
        Some(taken)
    }

    /// How often the expressions hold this operand.
    fn count(&self, is_it: impl Fn(&Tensor) -> bool) -> usize {
        let operands = self.plans.iter().flat_map(|plan| &plan.operands);
        let tensors = operands.filter_map(|Use(operand)| match operand {
            Operand::Tensor(t) => Some(t),
            Operand::Number(_) => None,
        });
        tensors.filter(|t| is_it(t)).count()
    }

    /// The result is there. Nobody reads the others: they have it too, for who only waits until they are done.
    fn carried_out(mut self, result: &Arc<Buffer>) {
        for p in &self.expressions {
            p.finish(result);
            p.taken.store(0, Ordering::Release);
        }
        self.expressions.clear();
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        for (p, plan) in self.expressions.iter().zip(self.plans.drain(..)) {
            // Another thread may have begun with a copy of it before, and be done.
            if !p.is_done() {
                *lock(&p.plan) = Some(plan);
            }
            p.taken.store(0, Ordering::Release);
        }
    }
}

impl Pending {
    /// Waits while a program that writes over an operand computes it.
    ///
    /// # Errors
    /// Where the program ran in the process from which this one was forked, and where the caller waits no longer.
    pub(super) fn await_turn(&self) -> Result<()> {
        let began = Instant::now();
        loop {
            let taken = self.taken.load(Ordering::Acquire);
            if taken == 0 || self.is_done() {
                return Ok(());
            }
            if taken != fork::generation() + 1 {
                let what = "another thread computed the expression in the place of an operand when this process was forked; hint: read it before";
                return Err(Error::value("eval", what));
            }
            fork::pause(began);
            interrupt::poll()?;
        }
    }
}

impl Fusion {
    /// Computes the result in the place of an operand that dies with it, where there is one; says whether it did.
    pub(super) fn run_over(&self) -> Result<bool> {
        let [output] = &self.outputs[..] else {
            return Ok(false);
        };
        let root = &output.pending;
        if output.temporary {
            return Ok(false);
        }
        let alone = self.product.is_none() && !self.space.has_rows() && session::number() == 0;
        let bytes = root.numel().saturating_mul(root.dtype.size());
        if !alone || bytes < LEAST_BYTES || root.shape != self.space.shape {
            return Ok(false);
        }
        let suits = |leaf: &Leaf| may_be_written(leaf, root.dtype, bytes);
        let Some(at) = self.inputs.iter().position(suits) else {
            return Ok(false);
        };
        let Some(taken) = Taken::from(self.gathered.iter().map(|g| &g.pending)) else {
            return Ok(false);
        };
        // Another thread changed one meanwhile: what it was made of may have been written since.
        if self.gathered.iter().any(Gathered::has_changed) {
            return Ok(false);
        }
        let others = self.gathered.iter();
        let mut others = others.filter(|g| !Arc::ptr_eq(&g.pending, root));
        // Each use holds one, and this program one more.
        let owned = others.all(|g| Arc::strong_count(&g.pending) == g.uses as usize + 1);
        let dies = |leaf: &Leaf| dies(leaf, &taken);
        let Some(leaf) = self.inputs[at..]
            .iter()
            .find(|leaf| owned && suits(leaf) && dies(leaf))
        else {
            return Ok(false);
        };
        // After the last reading by whoever let go of it.
        fence(Ordering::Acquire);
        let inputs: Vec<&Tensor> = self.inputs.iter().map(|leaf| &leaf.tensor).collect();
        let program = self.program(None);
        let buffer = leaf.tensor.buffer()?;
        let over = || run::map_over(&program, &inputs, &buffer, &root.shape);
        let done = interrupt::regardless(over)?;
        if done {
            self.tell();
            taken.carried_out(&buffer);
        }
        Ok(done)
    }
}

/// True for an operand whose memory is just what the result needs, each of its elements read where it is written.
fn may_be_written(leaf: &Leaf, dtype: DType, bytes: usize) -> bool {
    let t = &leaf.tensor;
    let buffer = t.source().in_memory();
    let whole = t.is_contiguous() && t.layout().offset() == 0 && leaf.level == Level::Lane;
    whole
        && t.dtype().size() == dtype.size()
        && t.numel() * dtype.size() == bytes
        && buffer.is_some_and(|b| b.bytes() == bytes && b.is_ours())
}

/// True where nobody holds the operand but the expressions whose plans were taken, and the program.
fn dies(leaf: &Leaf, taken: &Taken<'_>) -> bool {
    match leaf.tensor.source() {
        Source::Stored(buffer) => {
            let same =
                |t: &Tensor| matches!(t.source(), Source::Stored(b) if Arc::ptr_eq(b, buffer));
            Arc::strong_count(buffer) == taken.count(same) + 1
        }
        Source::Pending(p) => {
            let same = |t: &Tensor| matches!(t.source(), Source::Pending(q) if Arc::ptr_eq(q, p));
            let only = p.result().is_some_and(|b| Arc::strong_count(b) == 1);
            only && Arc::strong_count(p) == taken.count(same) + 1
        }
        Source::Ramp(_) => false,
    }
}
