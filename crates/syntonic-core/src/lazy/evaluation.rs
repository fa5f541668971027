//! How a pending expression gets its result.

use super::fusion::{Collected, Fusion};
use super::watch::Run;
use super::{Goal, Pending, Step, space, unread};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::graph::session;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::sync::Arc;

/// What is computed of these before all else, the last one first: they are computed in the order in which they were met. That a part is computed
/// first is our choice, a view is not.
pub(super) fn first(tensors: &[Tensor]) -> SmallVec<[(Arc<Pending>, Goal); 3]> {
    let first = |t| {
        let goal = space::whole(t).map_or(Goal::Result, |_| Goal::Temporary);
        Some((unread(t)?.clone(), goal))
    };
    tensors.iter().rev().filter_map(first).collect()
}

impl Pending {
    /// The result, computed now if need be. On an error the expression stays as it was.
    ///
    /// What has to be computed before it is computed here, one after the other: how far that goes back takes memory and no stack.
    #[doc(hidden)]
    pub fn force(self: &Arc<Pending>) -> Result<Arc<Buffer>> {
        if let Some(buffer) = self.result.get() {
            return Ok(buffer.clone());
        }
        self.compute(self.goal())?;
        match self.result.get() {
            Some(buffer) => Ok(buffer.clone()),
            None => Err(crate::Error::value(
                "eval",
                "the expression produced no result",
            )),
        }
    }

    /// Computes it, and what has to be there before.
    pub(super) fn compute(self: &Arc<Pending>, goal: Goal) -> Result<()> {
        // few: expressions that wait for the last of them.
        let mut wanted = vec![(self.clone(), goal)];
        while let Some((last, goal)) = wanted.last() {
            match last.step(*goal)? {
                Step::Done => drop(wanted.pop()),
                Step::First(others) => wanted.extend(others),
            }
        }
        Ok(())
    }

    /// Computes it, or says what has to be computed before.
    fn step(self: &Arc<Pending>, goal: Goal) -> Result<Step> {
        self.check_stands()?;
        self.await_turn()?;
        // What is rounded anyway needs no temporary.
        let goal = match self.exact {
            true => Goal::Result,
            false => goal,
        };
        if self.is_computed(goal) {
            return Ok(Step::Done);
        }
        match self.capture == session::number() {
            true => self.run(goal),
            false => session::within(self.capture, || self.run(goal)),
        }
    }

    fn run(self: &Arc<Pending>, goal: Goal) -> Result<Step> {
        if self.run_alone(goal)? {
            return Ok(Step::Done);
        }
        while !self.is_computed(goal) {
            let went = match self.as_product() {
                Some(product) => product.run(self).map(|()| Run::Done)?,
                None => match Fusion::collect(self, goal)? {
                    Collected::Whole(fusion) => fusion.run()?,
                    Collected::Wants(tensors) => return Ok(Step::First(first(&tensors))),
                },
            };
            if went == Run::Done {
                break;
            }
        }
        Ok(Step::Done)
    }

    /// True once the result is there.
    pub(super) fn is_done(&self) -> bool {
        self.result.get().is_some()
    }

    fn is_computed(&self, goal: Goal) -> bool {
        self.is_done() || goal == Goal::Temporary && self.is_settled()
    }
}
