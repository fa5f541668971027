//! How a pending expression gets its result.

use super::fusion::{Collected, Fusion};
use super::watch::Run;
use super::{Pending, Step, space, unread};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::graph::session;
use std::sync::Arc;

impl Pending {
    /// The result, computed now if need be. On an error the expression stays as it was.
    ///
    /// What has to be computed before it is computed here, one after the other: how far that goes back takes memory and no stack.
    #[doc(hidden)]
    pub fn force(self: &Arc<Pending>) -> Result<Arc<Buffer>> {
        if let Some(buffer) = self.result.get() {
            return Ok(buffer.clone());
        }
        self.compute(false)?;
        match self.result.get() {
            Some(buffer) => Ok(buffer.clone()),
            None => Err(crate::Error::value(
                "eval",
                "the expression produced no result",
            )),
        }
    }

    /// Computes it: settled for those that go on from it, or stored.
    pub(super) fn compute(self: &Arc<Pending>, settles: bool) -> Result<()> {
        // few: expressions that wait for the last of them.
        let mut wanted = vec![(self.clone(), settles)];
        while let Some((last, settles)) = wanted.last() {
            match last.step(*settles)? {
                Step::Done => drop(wanted.pop()),
                Step::First(others) => wanted.extend(others),
            }
        }
        Ok(())
    }

    /// Computes it, or says what has to be computed before.
    fn step(self: &Arc<Pending>, settles: bool) -> Result<Step> {
        self.await_turn()?;
        // What is rounded anyway is stored.
        let settles = settles && !self.exact;
        if self.is_computed(settles) {
            return Ok(Step::Done);
        }
        match self.capture == session::number() {
            true => self.run(settles),
            false => session::outside(|| self.run(settles)),
        }
    }

    fn run(self: &Arc<Pending>, settles: bool) -> Result<Step> {
        if self.run_alone(settles)? {
            return Ok(Step::Done);
        }
        while !self.is_computed(settles) {
            let went = match self.as_product() {
                Some(product) => product.run(self).map(|()| Run::Done)?,
                None => match Fusion::collect(self, settles)? {
                    Collected::Whole(fusion) => fusion.run()?,
                    Collected::Wants(tensors) => {
                        // Computed in the order in which they were met. That a part is computed first is our choice, a view is not.
                        let first = |t| Some((unread(t)?.clone(), space::whole(t).is_some()));
                        return Ok(Step::First(
                            tensors.iter().rev().filter_map(first).collect(),
                        ));
                    }
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

    fn is_computed(&self, settles: bool) -> bool {
        self.is_done() || settles && self.is_settled()
    }
}
