//! What a program writes besides what was asked for: results that will be read with it, and those that others wait for.

use super::super::{Fusing, MAX_INPUTS, Operation, PASSES, Pending, unread};
use super::{Fusion, Gathered};
use crate::error::Result;
use crate::fuse::Level;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

impl Fusion {
    /// With the element-wise results of the same shape that whoever reads `root` will read as well; nothing where they would have something
    /// computed first, which might read `root` itself.
    pub(super) fn with_company(mut self, root: &Arc<Pending>) -> Result<Option<Fusion>> {
        let Some(all) = root.together.get().filter(|_| self.product.is_none()) else {
            return Ok(Some(self));
        };
        let (inputs, first) = (self.inputs.len(), self.first.len());
        let most = root.device.fusion().expressions as usize;
        for other in all.iter().filter_map(Weak::upgrade) {
            let fits = self.inputs.len() + 2 < MAX_INPUTS && self.gathered.len() < most;
            let maps = |operation: &Operation| {
                !matches!(
                    operation,
                    Operation::Product(_) | Operation::Reduction(_) | Operation::StandIn
                )
            };
            let suits = || other.plan().is_some_and(|(operation, _)| maps(&operation));
            if fits && other.shape == root.shape && !Arc::ptr_eq(&other, root) && suits() {
                let level = self.outputs[0].level;
                let node = self.gather(&other, level)?;
                self.write(&other, node, level, !other.exact);
            }
        }
        let waits = self.inputs[inputs..]
            .iter()
            .any(|leaf| unread(&leaf.tensor).is_some());
        let stays = !waits && self.first.len() == first && self.product.is_none();
        Ok(stays.then_some(self))
    }

    /// True where an expression is written for others that wait for it, or because it was computed often enough.
    pub(super) fn writes(&self, g: &Gathered, fusing: Fusing) -> bool {
        if g.place.repeats {
            return false;
        }
        let p = &g.pending;
        let passed = p.passed.load(Ordering::Relaxed);
        let wanted = p.waiting.load(Ordering::Relaxed) > g.uses || passed > 0;
        if !wanted || p.is_settled() || self.outputs.iter().any(|o| Arc::ptr_eq(&o.pending, p)) {
            return false;
        }
        let again = passed < PASSES && self.is_light(g, fusing.recomputed);
        !again && Arc::strong_count(p) > g.uses as usize + 1
    }

    /// True where computing an expression again takes at most so many operations and two tensors of its size, and no fold.
    fn is_light(&self, g: &Gathered, most: usize) -> bool {
        let Some(reads) = self.builder.reads(g.node, most) else {
            return false;
        };
        let elements = self.space.elements();
        let large = |k: &u16| {
            let tensor = &self.inputs[usize::from(*k)].tensor;
            if tensor.as_index().is_some() {
                return false;
            }
            let moving = tensor.shape().iter().zip(tensor.strides());
            let moving = moving.filter(|(_, s)| **s != 0);
            let own = moving.fold(1, |all: usize, (&n, _)| all.saturating_mul(n));
            own.saturating_mul(2) >= elements
        };
        g.place.level == Level::Lane && reads.iter().filter(|k| large(k)).count() <= 2
    }
}
