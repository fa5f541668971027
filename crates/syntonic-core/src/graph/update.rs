//! A graph that is given other work of the same form.

use super::{Graph, Updated, Work};
use crate::error::{Error, Result};
use crate::tensor::Tensor;
use std::sync::atomic::Ordering;

impl Graph {
    /// Captures `function` anew, for inputs like those of the graph and results like its own, and replays that from now on:
    /// where only numbers of the host changed, such as a learning rate, the device keeps what it made of the work before, and
    /// elsewhere it makes it anew. The answer says which. A replay on another thread meanwhile is one of the work before or of
    /// that after.
    ///
    /// ```
    /// use syntonic_core::{Graph, Tensor};
    ///
    /// let x = Tensor::from_slice(&[1.0f32, 2.0], &[2])?;
    /// let step = |rate: f32| move |i: &[&Tensor]| Ok(vec![i[0] - &(i[0] * rate)]);
    /// let graph = Graph::capture(&[&x], step(0.5))?;
    /// assert_eq!(graph.replay(&[&x])?[0].to_vec::<f32>()?, [0.5, 1.0]);
    /// graph.update(&[&x], step(0.25))?;
    /// assert_eq!(graph.replay(&[&x])?[0].to_vec::<f32>()?, [0.75, 1.5]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Graph::capture`]; [`Error::Replay`] for other inputs, and [`Error::Value`] for other results than those of the
    /// graph. After an error the graph is as it was.
    pub fn update(
        &self,
        inputs: &[&Tensor],
        function: impl FnMut(&[&Tensor]) -> Result<Vec<Tensor>>,
    ) -> Result<Updated> {
        self.check_operands(&super::whole(inputs))?;
        let mut next = Work::capture(inputs, function)?;
        let gives = next.gives(inputs);
        if gives != self.gives {
            let what = format!(
                "the function gives {gives}, and the graph gives {}; hint: capture another graph for it",
                self.gives
            );
            return Err(Error::value("update", what));
        }
        let mut work = self.work.take("update", "the graph")?;
        let updated = next.recorded.replace(&mut *work.recorded)?;
        let launches = next.recorded.launches();
        self.launches.store(launches, Ordering::Relaxed);
        let before = std::mem::replace(&mut *work, next);
        // Its memory goes back while others may replay.
        drop(work);
        drop(before);
        Ok(updated)
    }
}
