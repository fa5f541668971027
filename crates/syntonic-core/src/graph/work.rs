//! What a graph does, and how it is captured.

use super::bound::Bound;
use super::refuse;
use super::session::{self, Session, Uses};
use crate::buffer::Buffer;
use crate::device::{Device, DeviceId, Recorded};
use crate::error::{Error, Operands, Result};
use crate::tensor::{Source, Tensor, describe, same_device};
use std::sync::Arc;

/// What was captured.
#[derive(Debug)]
pub(super) struct Work {
    // Dropped before the memory that it uses.
    pub(super) recorded: Box<dyn Recorded>,
    /// Copies of the inputs; none where it is bound to their memory.
    pub(super) inputs: Vec<Tensor>,
    pub(super) bound: Vec<Bound>,
    /// For each input, whether the work writes it.
    pub(super) written: Vec<bool>,
    pub(super) outputs: Vec<Output>,
    pub(super) uses: Uses,
    /// Whether it has random numbers, the same at each replay.
    pub(super) draws: bool,
}

/// A result.
#[derive(Debug)]
pub(super) enum Output {
    /// What the work made.
    Made(Tensor),
    /// The input with this number.
    Input(usize),
}

impl Output {
    /// Results of a function of these inputs.
    pub(super) fn of(results: Vec<Tensor>, inputs: &[&Tensor]) -> Vec<Output> {
        let known = |y: Tensor| match inputs.iter().position(|x| Output::is_same(x, &y)) {
            Some(k) => Output::Input(k),
            None => Output::Made(y),
        };
        results.into_iter().map(known).collect() // few: one for each result.
    }

    /// True where a result is an input.
    pub(super) fn is_same(x: &Tensor, y: &Tensor) -> bool {
        x.shares_storage(y) && x.layout() == y.layout() && x.dtype() == y.dtype()
    }
}

impl Work {
    /// Captures a function. What is recorded is not ready yet.
    pub(super) fn capture(
        inputs: &[&Tensor],
        mut function: impl FnMut(&[&Tensor]) -> Result<Vec<Tensor>>,
    ) -> Result<Work> {
        let warm = |function: &mut _, given: &[&Tensor]| warm_up(function, given);
        Work::capture_after(inputs, &mut function, warm, |function, given| {
            function(given)
        })
    }

    /// Captures a function of something and of the graph's own copies, which something else makes ready with them.
    pub(super) fn capture_after<T>(
        inputs: &[&Tensor],
        with: &mut T,
        ready: impl FnOnce(&mut T, &[&Tensor]) -> Result<()>,
        function: impl FnOnce(&mut T, &[&Tensor]) -> Result<Vec<Tensor>>,
    ) -> Result<Work> {
        let device = same_device("capture", inputs)?;
        if session::is_inside() {
            return Err(refuse("capture"));
        }
        let session = Session::new(&device);
        let own = own(&session, inputs, &device)?;
        for (own, input) in own.iter().zip(inputs) {
            own.overwrite(input)?;
        }
        // few: one for each operand.
        let given: Vec<&Tensor> = own.iter().collect();
        ready(with, &given)?;
        let before = writes(&given)?;
        let capture = device.begin_capture()?;
        let outputs = results(&session, &given, |given| function(with, given), device.id())?;
        session.check()?;
        let recorded = capture.finish()?;
        let written = writes(&given)?.into_iter().zip(before);
        let work = Work {
            recorded,
            uses: session.take_uses(),
            draws: session.draws(),
            written: written.map(|(now, was)| now != was).collect(), // few: one for each operand.
            outputs: Output::of(outputs, &own.iter().collect::<Vec<_>>()),
            inputs: own,
            bound: Vec::new(),
        };
        work.check_alone(&session)?;
        Ok(work)
    }

    /// The results of a replay over these inputs, which the next one changes.
    pub(super) fn results<'a>(
        &'a self,
        given: &'a [&'a Tensor],
    ) -> impl Iterator<Item = &'a Tensor> {
        self.outputs.iter().map(move |output| match output {
            Output::Made(y) => y,
            Output::Input(k) => self.inputs.get(*k).unwrap_or_else(|| given[*k]),
        })
    }

    pub(super) fn gives(&self, given: &[&Tensor]) -> Operands {
        Operands(self.results(given).map(Tensor::describe).collect())
    }

    /// An error if somebody else holds memory that a replay writes.
    pub(super) fn check_alone(&self, session: &Session) -> Result<()> {
        // few: one for each operand and result.
        let mut held: Vec<(&Arc<Buffer>, usize)> = Vec::new();
        let made = self.outputs.iter().filter_map(|output| match output {
            Output::Made(y) => Some(y),
            Output::Input(_) => None,
        });
        for tensor in self.inputs.iter().chain(made) {
            let Source::Stored(buffer) = tensor.source() else {
                continue;
            };
            match held.iter_mut().find(|(b, _)| Arc::ptr_eq(b, buffer)) {
                Some((_, count)) => *count += 1,
                None => held.push((buffer, 1)),
            }
        }
        let ours = |b: &Buffer| b.arena().is_some_and(|a| Arc::ptr_eq(a, &session.arena));
        held.retain(|(buffer, _)| ours(buffer));
        let all = held.len() == session.arena.live();
        match all && held.iter().all(|(b, count)| Arc::strong_count(b) == *count) {
            true => Ok(()),
            false => Err(held_outside()),
        }
    }
}

/// The error for a tensor of a capture that somebody still has.
pub(super) fn held_outside() -> Error {
    Error::Capture {
        op: "capture".to_owned(),
        what: "a tensor that was made in the captured function, or is one of its inputs, is still held outside of it, \
               where each replay would change it; hint: return it as a result, or keep a copy that was made outside"
            .to_owned(),
    }
}

/// Runs a function on a device that finds its kernels ready after that.
fn warm_up(
    function: &mut impl FnMut(&[&Tensor]) -> Result<Vec<Tensor>>,
    given: &[&Tensor],
) -> Result<()> {
    let Some(device) = given.first().map(|x| x.device()) else {
        return Ok(());
    };
    if device.warms_up() {
        for result in function(given)? {
            result.eval()?;
        }
        device.synchronize()?;
    }
    Ok(())
}

/// Memory of the graph for its operands.
fn own(
    session: &Arc<Session>,
    inputs: &[&Tensor],
    device: &Arc<dyn Device>,
) -> Result<Vec<Tensor>> {
    let _inside = session.enter();
    let made = inputs
        .iter()
        .map(|x| Tensor::uninit("capture", x.shape(), x.dtype(), device));
    made.collect()
}

/// How often each was about to be written in place.
pub(super) fn writes(tensors: &[&Tensor]) -> Result<Vec<u64>> {
    let writes = tensors.iter().map(|t| Ok(t.buffer()?.writes()));
    writes.collect() // few: one for each operand.
}

/// The results of a function that is captured, in memory.
pub(super) fn results(
    session: &Arc<Session>,
    inputs: &[&Tensor],
    function: impl FnOnce(&[&Tensor]) -> Result<Vec<Tensor>>,
    device: DeviceId,
) -> Result<Vec<Tensor>> {
    let _inside = session.enter();
    let results = function(inputs)?;
    if results.iter().any(|y| y.device_id() != device) {
        // few: one for each operand and result.
        let all: Vec<&Tensor> = inputs.iter().copied().chain(&results).collect();
        return Err(Error::Device {
            op: "capture",
            operands: describe(&all),
        });
    }
    results.into_iter().map(|y| y.eval()).collect()
}
