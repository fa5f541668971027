//! How a pending expression gets its result.

use super::fusion::{Collected, Fusion};
use super::watch::Run;
use super::{Pending, Step, unread};
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
        // few: expressions that wait for the last of them.
        let mut wanted = vec![self.clone()];
        while let Some(last) = wanted.last() {
            match last.step()? {
                Step::Done => drop(wanted.pop()),
                Step::First(others) => wanted.extend(others),
            }
        }
        match self.result.get() {
            Some(buffer) => Ok(buffer.clone()),
            None => Err(crate::Error::value(
                "eval",
                "the expression produced no result",
            )),
        }
    }

    /// Computes it, or says what has to be computed before.
    fn step(self: &Arc<Pending>) -> Result<Step> {
        self.await_turn()?;
        if self.is_done() {
            return Ok(Step::Done);
        }
        match self.capture == session::number() {
            true => self.run(),
            false => session::outside(|| self.run()),
        }
    }

    fn run(self: &Arc<Pending>) -> Result<Step> {
        if self.run_alone()? {
            return Ok(Step::Done);
        }
        while !self.is_done() {
            let went = match self.as_product() {
                Some(product) => product.run(self).map(|()| Run::Done)?,
                None => match Fusion::collect(self)? {
                    Collected::Whole(fusion) => fusion.run()?,
                    Collected::Wants(tensors) => {
                        // Computed in the order in which they were met.
                        let unread = tensors.iter().rev().filter_map(unread);
                        return Ok(Step::First(unread.cloned().collect()));
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
}
