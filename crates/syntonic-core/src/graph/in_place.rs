//! Replays that write the inputs which the captured function writes.

use super::work::{Output, Work};
use super::{Graph, whole};
use crate::error::{Error, Result};
use crate::tensor::{Tensor, describe, shares};

impl Graph {
    /// As [`Graph::replay`], and inputs that the captured function writes in place are written as it would write them. A result that
    /// is such an input shares its memory, where the function would give the tensor itself.
    ///
    /// The work is done over copies, and they are copied back at its end: after an error the inputs are as they were.
    ///
    /// # Safety
    /// As of [`Tensor::assign_aliased`], for the inputs that are written.
    ///
    /// # Errors
    /// As [`Graph::replay`], and [`Error::Value`] where an input that is written is read-only, or shares memory with another input: over
    /// copies, the function could not see that.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 2.0, 3.0]);
    /// let graph = Graph::capture(&[&x], |own| {
    ///     // SAFETY: no other thread has the graph's own memory.
    ///     unsafe { own[0].index(1..)?.assign_aliased(&(own[0].index(..2)? * 10.0))? };
    ///     Ok(vec![])
    /// })?;
    /// assert_eq!(graph.written()?, [true]);
    /// assert_eq!(x.to_vec::<f64>()?, [1.0, 2.0, 3.0]);
    /// // SAFETY: no other thread has the memory of x.
    /// unsafe { graph.replay_aliased(&[&x])? };
    /// assert_eq!(x.to_vec::<f64>()?, [1.0, 10.0, 20.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub unsafe fn replay_aliased(&self, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        let work = self.run(&whole(inputs), |work| work.check_written(inputs))?;
        for ((own, input), written) in work.inputs.iter().zip(inputs).zip(&work.written) {
            if *written {
                // SAFETY: the caller's promise.
                unsafe { input.assign_aliased(own)? };
            }
        }
        let result = |(output, y): (&Output, &Tensor)| match output {
            Output::Input(k) if work.written[*k] => Ok(inputs[*k].clone()),
            _ => y.copy(),
        };
        work.outputs
            .iter()
            .zip(work.results(inputs))
            .map(result)
            .collect()
    }

    /// For each input, whether the captured function writes it in place.
    ///
    /// # Errors
    /// Where a signal came while another thread replays.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let graph = Graph::capture(&[&Tensor::from([0.0])], |own| Ok(vec![own[0] + 1.0]))?;
    /// assert_eq!(graph.written()?, [false]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn written(&self) -> Result<Vec<bool>> {
        Ok(self.work.take("written", "the graph")?.written.clone())
    }
}

impl Work {
    /// An error unless the inputs that the work writes may be written.
    fn check_written(&self, inputs: &[&Tensor]) -> Result<()> {
        // What is bound to their memory sees what they share.
        let copies = self.inputs.len();
        for (k, input) in inputs.iter().enumerate().take(copies) {
            if !self.written.get(k).is_some_and(|written| *written) {
                continue;
            }
            input.check_writable("replay")?;
            for (other, beside) in inputs.iter().enumerate() {
                if other != k && shares(input, beside)? {
                    let what = format!(
                        "the function writes input {k} in place, which shares memory with input {other} of {}; hint: give \
                         copies, or call the function itself",
                        describe(inputs)
                    );
                    return Err(Error::value("replay", what));
                }
            }
        }
        Ok(())
    }
}

/// Puts what a turn of a loop gives into the place of its state: computed where it goes, where nothing else reads that. No results are those
/// of a turn that has written its state in place.
pub(super) fn replace(op: &'static str, own: &[Tensor], results: Vec<Tensor>) -> Result<()> {
    if results.is_empty() {
        return Ok(());
    }
    // few: one for each tensor of a state.
    let (wanted, given): (Vec<&Tensor>, Vec<&Tensor>) =
        (own.iter().collect(), results.iter().collect());
    if describe(&wanted) != describe(&given) {
        let what = format!(
            "the body gives {}, and the state is {}; hint: it gives as many tensors, of the same shapes, types and device, or \
             nothing where it writes in place",
            describe(&given),
            describe(&wanted)
        );
        return Err(Error::value(op, what));
    }
    let mut new: Vec<Option<Tensor>> = Vec::with_capacity(own.len());
    for (k, y) in results.into_iter().enumerate() {
        let is_there =
            |x: &Tensor| !y.is_pending() && x.shares_storage(&y) && x.layout() == y.layout();
        new.push(if is_there(&own[k]) {
            None
        } else if !y.is_pending() && own.iter().any(|x| x.shares_storage(&y)) {
            // Another place of the state, which is written meanwhile.
            Some(y.copy()?)
        } else {
            Some(y)
        });
    }
    for (x, y) in own.iter().zip(new) {
        if let Some(y) = y {
            // SAFETY: the state is the loop's own, and no other thread has it.
            unsafe { x.assign_last(&y, 1)? };
        }
    }
    Ok(())
}
