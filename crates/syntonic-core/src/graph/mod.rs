//! Graphs: a piece of tensor work that is taken down once and run again with other inputs.
//!
//! ```
//! use syntonic_core::ops::linalg::matmul;
//! use syntonic_core::ops::softmax::softmax;
//! use syntonic_core::{Graph, Tensor};
//!
//! let x = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
//! let w = Tensor::from_slice(&[0.5f32, 0.0, 0.0, 0.5], &[2, 2])?;
//! let graph = Graph::capture(&[&x, &w], |inputs| {
//!     let y = matmul(inputs[0], inputs[1])?;
//!     Ok(vec![softmax(&y, -1)?])
//! })?;
//! let other = Tensor::from_slice(&[3.0f32, 3.0, 2.0, 2.0], &[2, 2])?;
//! let out = graph.replay(&[&other, &w])?;
//! assert_eq!(out[0].to_vec::<f32>()?, [0.5; 4]);
//! # Ok::<(), syntonic_core::Error>(())
//! ```
//!
//! A replay costs one launch on a GPU however many kernels the work has, and no shape checks, fusion or allocation on any device.
//! It gives the bits of the captured function run again, over inputs that are in memory and row-major as they are in the graph.
//!
//! # What a graph is of
//!
//! What the captured function asks of the device of its inputs on its own thread, and nothing else. So whatever the function
//! decides, counts or prints on the host is decided once. Numbers drawn from a generator are drawn once: every replay has
//! the same ones. Tensors that the function takes from outside are read where they lie, and kept alive: a replay sees what was
//! written into their memory in place, and what the function writes in place is written again at each replay. On a GPU the function runs
//! once before it is captured, so that its kernels are there, and it may be captured twice; what it writes in place outside of
//! its own tensors is written once, as on the CPU.
//!
//! What needs the host at each run is refused with [`Error::Capture`]: values that are read, other devices, memory that is shared
//! with other libraries, and another graph. On a GPU also bytes from the host but for single numbers, indices by tensor, which are
//! checked on the host, and decompositions.
//!
//! # Numbers that change
//!
//! What the function has from the host, such as a learning rate, is a part of the graph. [`Graph::update`] captures the function
//! again and puts that in the place of what was there, which on a GPU costs far less than another graph.
//!
//! # Memory
//!
//! What is made in a capture lies in memory of the graph, which serves the temporaries of one replay in turn, and goes back to
//! the device when the graph is dropped. Inputs are copied in, and results copied out: no replay changes the results of another.
//! Inputs that the function writes in place are written by [`Graph::replay_aliased`] alone.

mod bound;
mod in_place;
#[cfg(test)]
mod loop_tests;
mod loops;
mod replaying;
pub(crate) mod session;
#[cfg(test)]
mod tests;
mod update;
mod work;

pub use crate::device::Updated;
pub use loops::{fori_loop, while_loop};
pub use session::{check, is_capturing, loops_around, refuse};

use crate::buffer::Use;
use crate::device::DeviceId;
use crate::error::{Error, Operand, Operands, Result};
use crate::fork::{Turn, Turned};
use crate::ops::join::narrow;
use crate::tensor::{Tensor, describe, same_device};
use replaying::Replaying;
use std::sync::atomic::{AtomicUsize, Ordering};
use work::Work;

/// A captured piece of tensor work, see [the module](self).
///
/// It may be replayed from any thread, by one at a time.
#[derive(Debug)]
pub struct Graph {
    takes: Operands,
    gives: Operands,
    device: DeviceId,
    launches: AtomicUsize,
    /// Who holds it has the turn to replay.
    work: Turn<Work>,
}

impl Graph {
    /// Captures what `function` does with tensors like `inputs`. It is given the graph's own copies of them.
    ///
    /// # Errors
    /// Those of the function; [`Error::Capture`] for what no graph can have, inside of another capture, and where a tensor that
    /// was made in the function is still held outside of it; [`Error::Device`] for operands on several devices. The inputs
    /// are as they were, and the thread captures nothing any more.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 2.0]);
    /// let graph = Graph::capture(&[&x], |own| Ok(vec![own[0].square()?]))?;
    /// assert_eq!(graph.replay(&[&Tensor::from([3.0, 4.0])])?[0].to_vec::<f64>()?, [9.0, 16.0]);
    /// // What is read on the host is decided once, so no graph may have it.
    /// let read = Graph::capture(&[&x], |own| Ok(vec![own[0] * own[0].to_vec::<f64>()?[0]]));
    /// assert!(matches!(read, Err(syntonic_core::Error::Capture { .. })));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn capture(
        inputs: &[&Tensor],
        function: impl FnMut(&[&Tensor]) -> Result<Vec<Tensor>>,
    ) -> Result<Graph> {
        Graph::of(Work::capture(inputs, function)?, inputs)
    }

    /// The graph of what was captured with these inputs.
    fn of(mut work: Work, inputs: &[&Tensor]) -> Result<Graph> {
        work.recorded.prepare()?;
        Ok(Graph {
            takes: describe(inputs),
            gives: work.gives(inputs),
            device: same_device("capture", inputs)?.id(),
            launches: AtomicUsize::new(work.recorded.launches()),
            work: Turn::new(work),
        })
    }

    /// Runs the captured work over other inputs. The results are new tensors.
    ///
    /// # Errors
    /// [`Error::Replay`] unless the inputs have the number, shapes, types and device of those that were captured;
    /// [`Error::Capture`] inside of a capture; what the operations of the work can meet.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let graph = Graph::capture(&[&Tensor::from([0.0, 0.0])], |own| Ok(vec![own[0] + 1.0, own[0] * 2.0]))?;
    /// let out = graph.replay(&[&Tensor::from([3.0, 4.0])])?;
    /// assert_eq!((out[0].to_vec::<f64>()?, out[1].to_vec::<f64>()?), (vec![4.0, 5.0], vec![6.0, 8.0]));
    /// assert!(graph.replay(&[&Tensor::from([3.0])]).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn replay(&self, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        let work = self.run(&whole(inputs), |_| Ok(()))?;
        work.results(inputs).map(Tensor::copy).collect()
    }

    /// As [`Graph::replay`], for inputs that are given in parts, which follow each other along the first axis: they are copied to where
    /// the graph reads them and joined nowhere else.
    ///
    /// ```
    /// use syntonic_core::{Graph, Tensor};
    ///
    /// let both = Tensor::zeros(&[2, 3], syntonic_core::DType::F32)?;
    /// let graph = Graph::capture(&[&both], |own| Ok(vec![own[0].sum(0)?]))?;
    /// let (x, y) = (both.slice(0, None, Some(1), 1)?, Tensor::ones(&[1, 3], syntonic_core::DType::F32)?);
    /// assert_eq!(graph.replay_parts(&[&[&x, &y]])?[0].to_vec::<f32>()?, [1.0; 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Replay`] unless the parts of each input have its type and device, its lengths along all axes but the first, and
    /// together that of the first; otherwise as [`Graph::replay`].
    pub fn replay_parts(&self, inputs: &[&[&Tensor]]) -> Result<Vec<Tensor>> {
        let work = self.run(inputs, |_| Ok(()))?;
        work.results(&inputs.concat()).map(Tensor::copy).collect()
    }

    /// As [`Graph::replay`], with the results written to tensors of the caller's, broadcast and cast as by [`Tensor::assign`].
    ///
    /// # Errors
    /// As [`Graph::replay`], and [`Error::Value`] unless there are as many tensors as results.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let graph = Graph::capture(&[&Tensor::from([0.0, 0.0])], |own| Ok(vec![own[0] + 1.0]))?;
    /// let mut out = [Tensor::zeros(&[2], DType::F64)?];
    /// graph.replay_into(&[&Tensor::from([3.0, 4.0])], &mut out)?;
    /// assert_eq!(out[0].to_vec::<f64>()?, [4.0, 5.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn replay_into(&self, inputs: &[&Tensor], outputs: &mut [Tensor]) -> Result<()> {
        if outputs.len() != self.gives.0.len() {
            let (asked, there) = (outputs.len(), self.gives.0.len());
            let what = format!(
                "{asked} tensors for the {there} results of the graph; hint: give one each"
            );
            return Err(Error::value("replay", what));
        }
        let work = self.run(&whole(inputs), |_| Ok(()))?;
        let pairs = outputs.iter_mut().zip(work.results(inputs));
        pairs.into_iter().try_for_each(|(to, from)| to.assign(from))
    }

    /// What it was captured for.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let graph = Graph::capture(&[&Tensor::from([0.0, 0.0])], |own| Ok(vec![own[0] + 1.0]))?;
    /// assert_eq!(graph.inputs().0[0].shape, [2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn inputs(&self) -> Operands {
        self.takes.clone()
    }

    /// What it gives.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let graph = Graph::capture(&[&Tensor::from([0.0, 0.0])], |own| Ok(vec![own[0].sum(..)?]))?;
    /// assert_eq!(graph.outputs().0[0].dtype, DType::F64);
    /// assert!(graph.outputs().0[0].shape.is_empty());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn outputs(&self) -> Operands {
        self.gives.clone()
    }

    /// How many launches it replays.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let graph = Graph::capture(&[&Tensor::from([0.0, 0.0])], |own| Ok(vec![own[0].sum(..)?]))?;
    /// assert!(graph.launches() >= 1);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn launches(&self) -> usize {
        self.launches.load(Ordering::Relaxed)
    }

    /// The device that it runs on.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let graph = Graph::capture(&[&Tensor::from([0.0])], |own| Ok(vec![own[0] + 1.0]))?;
    /// assert_eq!(graph.device_id(), DeviceId::Cpu);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn device_id(&self) -> DeviceId {
        self.device
    }

    /// Runs the work if `may` lets it; until the guard is dropped nobody else does.
    fn run(
        &self,
        inputs: &[&[&Tensor]],
        may: impl FnOnce(&Work) -> Result<()>,
    ) -> Result<Turned<'_, Work>> {
        self.check_operands(inputs)?;
        check("replay", self.device)?;
        replaying::check(self)?;
        // Before the turn: what is pending may take long.
        for part in inputs.iter().copied().flatten() {
            part.buffer()?;
        }
        let work = self.work.take("replay", "the graph")?;
        may(&work)?;
        work.settle_bound(&inputs.concat())?;
        for (own, parts) in work.inputs.iter().zip(inputs) {
            fill(own, parts)?;
        }
        for buffer in work.uses.kept.values() {
            buffer.wait(Use::Read)?;
        }
        for buffer in &work.uses.written {
            buffer.settle_readers()?;
        }
        let _replaying = Replaying::begin(self);
        // SAFETY: the work is ready, the graph holds all memory that it uses, and only it, in its turn, uses what was made for
        // it. What the work writes outside is written as whoever captured it promised of that write.
        unsafe { work.recorded.replay()? };
        Ok(work)
    }

    fn check_operands(&self, inputs: &[&[&Tensor]]) -> Result<()> {
        let alike = |(parts, own): (&&[&Tensor], &Operand)| {
            let same = |t: &&Tensor| t.dtype() == own.dtype && t.device_id() == own.device;
            let fits = match (*parts, &own.shape[..]) {
                ([one], shape) => one.shape() == shape,
                (parts, [rows, rest @ ..]) => {
                    let alike = |t: &&Tensor| t.ndim() > 0 && t.shape()[1..] == *rest;
                    parts.iter().all(alike)
                        && parts.iter().map(|t| t.shape()[0]).sum::<usize>() == *rows
                }
                _ => false,
            };
            fits && parts.iter().all(same)
        };
        if inputs.len() == self.takes.0.len() && inputs.iter().zip(&self.takes.0).all(alike) {
            return Ok(());
        }
        Err(Error::Replay {
            captured: self.inputs(),
            given: describe(&inputs.concat()),
        })
    }
}

/// Each input as its only part.
fn whole<'a, 'b>(inputs: &'a [&'b Tensor]) -> Vec<&'a [&'b Tensor]> {
    inputs.iter().map(std::slice::from_ref).collect() // few: operands.
}

/// Copies the parts of an operand into memory of the graph, one after the other along the first axis.
fn fill(own: &Tensor, parts: &[&Tensor]) -> Result<()> {
    if let [one] = parts {
        return own.overwrite(one);
    }
    let mut from = 0;
    parts.iter().try_for_each(|part| {
        let rows = part.shape()[0];
        let place = narrow(own, 0, from, rows)?;
        from += rows;
        place.overwrite(part)
    })
}
