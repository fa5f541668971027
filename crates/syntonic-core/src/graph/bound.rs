//! Graphs that read and write their inputs where they lie.

use super::session::{self, Session};
use super::work::{Output, Work, results, writes};
use super::{Graph, refuse};
use crate::buffer::{Buffer, Use};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::tensor::{Tensor, same_device};
use std::sync::{Arc, Weak};

/// Where an input lies, whose memory the graph does not keep.
#[derive(Debug)]
pub(super) struct Bound {
    buffer: Weak<Buffer>,
    layout: Layout,
    dtype: DType,
}

impl Graph {
    /// As [`Graph::capture`], over the memory of the inputs themselves: nothing is copied in, and what the function writes into them in
    /// place it writes there. The graph does not keep them, and is replayed over the same tensors only, see [`Graph::is_bound_to`].
    ///
    /// The function is called once, and nothing of it runs: a device that finds kernels ready only once they have run must have run it
    /// before.
    ///
    /// # Safety
    /// As of [`Tensor::assign_aliased`] at each replay, for the inputs that are written.
    ///
    /// # Errors
    /// As [`Graph::capture`], and [`Error::Capture`] on a device that runs what it captures, as the CPU does.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 2.0]);
    /// let double = |own: &[&Tensor]| Ok(vec![own[0] * 2.0]);
    /// // SAFETY: nothing is written.
    /// let refused = unsafe { Graph::capture_bound(&[&x], double) };
    /// assert!(matches!(refused, Err(syntonic_core::Error::Capture { .. })));
    /// assert!(!Graph::capture(&[&x], double)?.is_bound_to(&[&x])?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub unsafe fn capture_bound(
        inputs: &[&Tensor],
        function: impl FnOnce(&[&Tensor]) -> Result<Vec<Tensor>>,
    ) -> Result<Graph> {
        let device = same_device("capture", inputs)?;
        if !device.warms_up() {
            return Err(Error::Capture {
                op: "capture".to_owned(),
                what: format!(
                    "{} runs what it captures, and would write the inputs twice; hint: a graph with copies of its inputs",
                    device.id()
                ),
            });
        }
        if session::is_inside() {
            return Err(refuse("capture"));
        }
        let bound = inputs.iter().map(|x| Bound::to(x));
        let bound: Vec<Bound> = bound.collect::<Result<_>>()?; // few: one for each operand.
        let before = writes(inputs)?;
        let session = Session::new(&device);
        let capture = device.begin_capture()?;
        let made = |given: &[&Tensor]| {
            let all = function(given)?;
            // A view of an input would keep its memory.
            let own = |y: Tensor| {
                let views = given.iter().any(|x| x.shares_storage(&y));
                let is_input = given.iter().any(|x| Output::is_same(x, &y));
                if views && !is_input { y.copy() } else { Ok(y) }
            };
            all.into_iter().map(own).collect()
        };
        let outputs = results(&session, inputs, made, device.id())?;
        session.check()?;
        let recorded = capture.finish()?;
        let written = writes(inputs)?.into_iter().zip(before);
        let mut uses = session.take_uses();
        for input in inputs {
            uses.leave(&input.buffer()?);
        }
        let work = Work {
            recorded,
            inputs: Vec::new(),
            bound,
            written: written.map(|(now, was)| now != was).collect(), // few: one for each operand.
            outputs: Output::of(outputs, inputs),
            uses,
            draws: session.draws(),
        };
        work.check_alone(&session)?;
        Graph::of(work, inputs)
    }

    /// True where the work has random numbers, which are the same at each replay, and others in another graph.
    ///
    /// # Errors
    /// Where a signal came while another thread replays.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let graph = Graph::capture(&[&Tensor::from([0.0])], |own| Ok(vec![own[0] + 1.0]))?;
    /// assert!(!graph.draws()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn draws(&self) -> Result<bool> {
        Ok(self.work.take("replay", "the graph")?.draws)
    }

    /// True for a graph of [`Graph::capture_bound`] whose inputs lie where these do.
    ///
    /// # Errors
    /// Where a signal came while another thread replays, and those of pending inputs.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 2.0]);
    /// assert!(!Graph::capture(&[&x], |own| Ok(vec![own[0] * 2.0]))?.is_bound_to(&[&x])?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_bound_to(&self, inputs: &[&Tensor]) -> Result<bool> {
        let work = self.work.take("replay", "the graph")?;
        Ok(!work.bound.is_empty() && work.lies_there(inputs)?)
    }
}

impl Bound {
    fn to(x: &Tensor) -> Result<Bound> {
        Ok(Bound {
            buffer: Arc::downgrade(&x.buffer()?),
            layout: x.layout().clone(),
            dtype: x.dtype(),
        })
    }

    fn is_of(&self, x: &Tensor) -> Result<bool> {
        let there = std::ptr::eq(self.buffer.as_ptr(), Arc::as_ptr(&x.buffer()?));
        Ok(there && self.layout == *x.layout() && self.dtype == x.dtype())
    }
}

impl Work {
    fn lies_there(&self, inputs: &[&Tensor]) -> Result<bool> {
        let mut same = inputs.len() == self.bound.len();
        for (bound, x) in self.bound.iter().zip(inputs) {
            same = same && bound.is_of(x)?;
        }
        Ok(same)
    }

    /// Makes the memory of bound inputs ready for a replay.
    pub(super) fn settle_bound(&self, inputs: &[&Tensor]) -> Result<()> {
        if self.bound.is_empty() {
            return Ok(());
        }
        if !self.lies_there(inputs)? {
            return Err(Error::value(
                "replay",
                "the graph was captured over the memory of other tensors; hint: replay it over those, or capture a graph with copies",
            ));
        }
        for (x, written) in inputs.iter().zip(&self.written) {
            let buffer = x.buffer()?;
            match written {
                true => buffer.settle_readers()?,
                false => buffer.wait(Use::Read)?,
            }
        }
        Ok(())
    }
}
