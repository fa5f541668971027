//! What other threads do to a program while it runs.
//!
//! Whoever writes memory in place has the expressions that read it computed first. A program may read that memory through such
//! an expression, as a part of itself, on another thread at that moment, and what it reads then is no longer what the expression
//! was made of. So a program that ran looks whether memory that it read was about to be written and a part of it has a result
//! by now. If so, nobody sees what came out, and it is gathered again: the part is an operand then. Nobody waits for anybody,
//! and each time one expression less is left.

use super::Pending;
use super::fusion::{Fusion, Gathered};
use crate::buffer::Buffer;
use crate::ops::linalg::conjugated;
use crate::tensor::{Source, Tensor};
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// The results are there.
    Done,
    /// Another thread computed a part of it meanwhile: what is left is gathered anew.
    Again,
}

/// The memory that a program reads, as it was before.
pub(super) struct Watch {
    memory: SmallVec<[(Arc<Buffer>, u64); 12]>,
    /// The product that it begins with.
    product: Option<Arc<Pending>>,
}

impl Watch {
    pub(super) fn over(fusion: &Fusion) -> Watch {
        let mut watch = Watch {
            memory: SmallVec::new(),
            product: None,
        };
        for leaf in &fusion.inputs {
            watch.read(&leaf.tensor);
        }
        if let Some(begun) = &fusion.product {
            if let Source::Pending(p) = fusion.inputs[begun.input].tensor.source() {
                watch.product = Some(p.clone());
            }
            for factor in begun.product.factors() {
                watch.read(&conjugated(factor, true).0);
            }
        }
        watch
    }

    fn read(&mut self, t: &Tensor) {
        if let Some(buffer) = t.source().in_memory() {
            self.memory.push((buffer.clone(), buffer.writes()));
        }
    }

    /// True where a part of the program has a result already, or another plan.
    pub(super) fn is_late(&self, parts: &[Gathered]) -> bool {
        let changed = |g: &Gathered| g.pending.is_done() || g.has_changed();
        parts.iter().any(changed) || self.product.iter().any(|p| p.is_done())
    }

    /// True where what was read may have been written before it was read.
    pub(super) fn is_spoilt(&self, parts: &[Gathered]) -> bool {
        // After every read of the program.
        fence(Ordering::Acquire);
        let written = |(buffer, writes): &(Arc<Buffer>, u64)| buffer.writes() != *writes;
        self.memory.iter().any(written) && self.is_late(parts)
    }
}
