//! A pending expression that is computed where its result goes, in a view of memory that is there, so that nothing is written twice.
//!
//! The program reads its operands while it writes the view. An operand that shares memory with the view is one of two: it shows the same elements in
//! the same places, as in `a *= 2`, and each is read before it is written; or the expression is computed first and copied.

use super::evaluation::first;
use super::fusion::{Collected, Fusion, Gathered, Leaf};
use super::watch::Watch;
use super::{Goal, Pending, lock, space};
use crate::error::Result;
use crate::fuse::Level;
use crate::graph::session;
use crate::interrupt;
use crate::run;
use crate::tensor::{Tensor, shares};
use std::sync::Arc;

/// How an operand lies beside the view that is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// Elsewhere.
    Apart,
    /// Each element where it is written.
    Same,
    /// Neither.
    Across,
}

/// Computes `values` in the memory of `target`, of the same shape and type, and says whether it did; else nothing has happened but that some operands were
/// computed. `handles` is how many the caller holds of the expression behind `values`; with one alone, which it lets go of unread, an operand may be written over.
pub(crate) fn in_place_of(values: &Tensor, target: &Tensor, handles: usize) -> Result<bool> {
    let Some(root) = space::whole(values).filter(|p| p.may_be_placed(handles)) else {
        return Ok(false);
    };
    let alike = values.dtype() == target.dtype() && values.shape() == target.shape();
    if !alike || values.is_tracked() || root.shape[..] != *values.shape() {
        return Ok(false);
    }
    root.await_turn()?;
    let fusion = loop {
        if root.is_done() {
            return Ok(false);
        }
        match Fusion::collect(root, Goal::Result)? {
            Collected::Whole(fusion) => break fusion,
            Collected::Wants(tensors) => {
                for (p, goal) in first(&tensors).iter().rev() {
                    p.compute(*goal)?;
                }
            }
        }
    };
    fusion.write_to(target, handles == 1)
}

impl Pending {
    fn may_be_placed(self: &Arc<Pending>, handles: usize) -> bool {
        let ours = Arc::strong_count(self) <= handles && self.capture == session::number();
        ours && self.exact && !self.is_settled() && self.as_product().is_none()
    }
}

impl Fusion {
    /// Writes the only result to a view, where the program is one of elements.
    fn write_to(self: Box<Fusion>, target: &Tensor, unread: bool) -> Result<bool> {
        let [output] = &self.outputs[..] else {
            return Ok(false);
        };
        let alone = self.product.is_none() && !self.space.has_rows() && !output.temporary;
        if !alone || output.pending.shape != self.space.shape {
            return Ok(false);
        }
        let mut same = false;
        for leaf in &self.inputs {
            match beside(leaf, target)? {
                Beside::Apart => {}
                Beside::Same => same = true,
                Beside::Across => return Ok(false),
            }
        }
        // What others hold of it as well would read the operand again, as it is by then.
        let root = &output.pending;
        let mut parts = self.gathered.iter();
        let held = |g: &Gathered| {
            let is_root = Arc::ptr_eq(&g.pending, root);
            !is_root && Arc::strong_count(&g.pending) > g.uses as usize + 1
        };
        if same && (!unread || parts.any(held)) {
            return Ok(false);
        }
        let own: Vec<Arc<Pending>> = self.gathered.iter().map(|g| g.pending.clone()).collect();
        let buffer = target.buffer()?;
        buffer.settle_for_write_but(&own)?;
        let watch = Watch::over(&self);
        if watch.is_late(&self.gathered) {
            return Ok(false);
        }
        self.tell();
        let program = self.program(None);
        let inputs: Vec<&Tensor> = self.inputs.iter().map(|leaf| &leaf.tensor).collect();
        let write = || run::map_into(&program, &inputs, target, same);
        let done = match same {
            true => interrupt::regardless(write)?,
            false => write()?,
        };
        if same && done {
            // The operand is gone: nobody computes it again.
            root.forget();
        }
        Ok(done && !watch.is_spoilt(&self.gathered))
    }
}

impl Pending {
    /// Lets go of what it is to compute, with the last handle.
    fn forget(&self) {
        let plan = lock(&self.plan).take();
        drop(plan);
    }
}

fn beside(leaf: &Leaf, target: &Tensor) -> Result<Beside> {
    let t = &leaf.tensor;
    if t.source().in_memory().is_none() || !shares(t, target)? {
        return Ok(Beside::Apart);
    }
    let alike = t.dtype() == target.dtype() && t.layout() == target.layout();
    Ok(
        match alike && leaf.level == Level::Lane && t.shares_storage(target) {
            true => Beside::Same,
            false => Beside::Across,
        },
    )
}
