//! Where an expression that would hang on too much is cut: what is computed, so that the rest fits.
//!
//! One result is computed at a time, the one behind which least is left. Of `x * sin(x)` that is `x`, and the line stays one program over
//! it. Its operands would be two results in memory, and the second of them read the first. What somebody else holds, as a loop does the
//! `x` of its last round, is rather computed itself than hidden in what is: it could be read, and then would be computed again.

use super::alone::shows_the_same;
use super::{MAX_INPUTS, Operand, Pending, Size, Use, unread};
use crate::error::Result;
use crate::fork::lock;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::sync::Arc;

/// Results that are looked at for a cut, those nearest to the end. A line of a program has fewer.
const LOOKED_AT: usize = 24;

/// What is pending behind some operands, each expression once, the nearest first.
struct Behind {
    expressions: Vec<Arc<Pending>>,
    /// What each of them reads, and at the end what the operands are.
    reads: Vec<SmallVec<[Read; 3]>>,
    /// Tensors in memory, and indices, each once.
    memory: Vec<Tensor>,
}

/// What an expression reads, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    Expression(usize),
    Memory(usize),
}

impl Behind {
    fn of(operands: &[Operand]) -> Behind {
        let mut behind = Behind {
            // few: expressions of some programs.
            expressions: Vec::new(),
            reads: Vec::new(),
            memory: Vec::new(),
        };
        let ends = operands.iter().filter_map(|o| behind.meet(o)).collect();
        let mut next = 0;
        while let Some(reader) = behind.expressions.get(next).cloned() {
            // Copied: what they are is looked at without the lock.
            let operands: SmallVec<[Operand; 3]> = lock(&reader.plan)
                .iter()
                .flat_map(|plan| plan.operands.iter().map(|Use(operand)| operand.clone()))
                .collect();
            let reads = operands.iter().filter_map(|o| behind.meet(o)).collect();
            behind.reads.push(reads);
            next += 1;
        }
        behind.reads.push(ends);
        behind
    }

    /// The place of an operand; none of a number.
    fn meet(&mut self, operand: &Operand) -> Option<Read> {
        let Operand::Tensor(t) = operand else {
            return None;
        };
        // What was settled is memory.
        Some(match unread(t).filter(|p| !p.is_settled()) {
            Some(p) => {
                let same = |other: &Arc<Pending>| Arc::ptr_eq(other, p);
                let at = self.expressions.iter().position(same);
                Read::Expression(at.unwrap_or_else(|| {
                    self.expressions.push(p.clone());
                    self.expressions.len() - 1
                }))
            }
            None => {
                let same = |m: &Tensor| m.shares_storage(t) || shows_the_same(m, t);
                let at = self.memory.iter().position(same);
                Read::Memory(at.unwrap_or_else(|| {
                    self.memory.push(t.clone());
                    self.memory.len() - 1
                }))
            }
        })
    }

    /// What an expression reads, directly or not, each once; nothing of what `computed` reads. The operands' reader comes last of all.
    fn below(&self, reader: usize, computed: Option<usize>) -> Vec<Read> {
        let mut met: Vec<Read> = Vec::new();
        let mut seen = vec![false; self.expressions.len() + self.memory.len()];
        let mut left = vec![reader];
        while let Some(reader) = left.pop() {
            for &read in &self.reads[reader] {
                let place = match read {
                    Read::Expression(at) => at,
                    Read::Memory(at) => self.expressions.len() + at,
                };
                if !std::mem::replace(&mut seen[place], true) {
                    met.push(read);
                    if let Read::Expression(at) = read
                        && Some(at) != computed
                    {
                        left.push(at);
                    }
                }
            }
        }
        met
    }

    /// The size of an expression over the operands, where the result of `computed` is in memory.
    fn size(&self, computed: Option<usize>) -> Size {
        let waits = |read: &Read| matches!(read, Read::Expression(at) if Some(*at) != computed);
        let below = self.below(self.expressions.len(), computed);
        let expressions = below.iter().filter(|read| waits(read)).count();
        Size {
            expressions: Size::ALONE.expressions + expressions as u32,
            inputs: below.len() - expressions,
        }
    }

    /// By expression: whether somebody holds it besides those that read it.
    fn held(&self) -> Vec<bool> {
        let mut uses = vec![0; self.expressions.len()];
        for read in self.reads.iter().flatten() {
            if let Read::Expression(at) = read {
                uses[*at] += 1;
            }
        }
        let all = self.expressions.iter().zip(uses);
        all.map(|(p, uses)| Arc::strong_count(p) > uses + 1)
            .collect()
    }

    /// The result whose computation leaves least, the nearest of several. One that hides what somebody holds only where the others would
    /// leave too much.
    fn cut(&self, most: u32) -> Option<&Arc<Pending>> {
        let held = self.held();
        let hides = |at: usize| {
            let mut below = self.below(at, None).into_iter();
            below.any(|read| matches!(read, Read::Expression(at) if held[at]))
        };
        let looked_at = 0..self.expressions.len().min(LOOKED_AT);
        let least = looked_at.min_by_key(|&at| {
            let left = self.size(Some(at));
            let much = left.expressions > most / 2 || left.inputs > MAX_INPUTS;
            (much || hides(at), left.expressions, left.inputs)
        });
        least.map(|at| &self.expressions[at])
    }
}

/// The size of an expression over these operands, whatever is shared counted once. What is needed for it to be within bounds is computed.
pub(super) fn fitted(operands: &[Operand], most: u32) -> Result<Size> {
    loop {
        let behind = Behind::of(operands);
        let size = behind.size(None);
        let cut = match size.is_within_bounds(most) {
            true => None,
            false => behind.cut(most).cloned(),
        };
        // What it is looked at with is let go of before anything runs, as by any other reader.
        drop(behind);
        match cut {
            Some(cut) => cut.settle()?,
            None => return Ok(size),
        };
    }
}
