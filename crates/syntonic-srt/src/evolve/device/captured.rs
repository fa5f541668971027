//! Generations of tensor work, captured.

use super::launch::Launched;
use super::plan::{Plan, Stages};
use super::rules::Rule;
use super::search::DeviceSearch;
use syntonic_core::{Error, Graph, Result, Tensor};

/// One generation of a search, from candidates to the state afterwards, captured by [`DeviceSearch::capture`].
#[derive(Debug)]
pub struct CapturedGeneration {
    graph: Graph,
    plan: Plan,
    rule: Rule,
    seed: u64,
}

impl DeviceSearch {
    /// Captures a generation of an objective that is tensor work: candidates, their values and what they teach. It is given `chunk` candidates
    /// at a time, an even number where draws are mirrored, or all of them. A replay is one launch on a GPU, however many kernels there are.
    ///
    /// Errors: those of the objective and of [`Graph::capture`], which says what no graph can have; and as [`DeviceSearch::candidates`].
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_core::ops::reduce::{self, Over};
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let start = Tensor::from_slice(&[3.0; 4], &[4])?;
    /// let mut search = DeviceSearch::new(&start, 2.0, 8, Rule::Res, 3)?;
    /// let generation = search.capture(None, |x| reduce::sum(&x.try_mul(x)?, &Over::axes(&[-1]), None))?;
    /// for _ in 0..100 {
    ///     search.replay(&generation)?;
    /// }
    /// assert!(search.best()?.1.to_vec::<f64>()?[0] < 1e-3);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn capture(
        &self,
        chunk: Option<usize>,
        mut objective: impl FnMut(&Tensor) -> Result<Tensor>,
    ) -> Result<CapturedGeneration> {
        let population = self.plan.population;
        if chunk == Some(0) {
            let what = "a chunk of no candidates; hint: one or more, or none for all at once";
            return Err(Error::value("capture", what));
        }
        let each = chunk.unwrap_or(population).min(population);
        let graph = Graph::capture(&[&self.state], |own| {
            let mut search = self.clone();
            search.state = own[0].clone();
            let mut parts = Vec::new(); // few: chunks of a generation.
            for from in (0..population).step_by(each) {
                let to = population.min(from + each);
                parts.push(objective(&search.candidates(from, to)?)?);
            }
            let values = match parts.as_slice() {
                [one] => one.clone(),
                _ => Tensor::concat(&parts.iter().collect::<Vec<_>>(), -1)?, // few: as above.
            };
            let learnt = search.learnt(&values)?;
            Ok(vec![learnt.state, learnt.history, learnt.scores]) // few: three.
        })?;
        Ok(CapturedGeneration {
            graph,
            plan: self.plan,
            rule: self.rule,
            seed: self.seed,
        })
    }

    /// The next generation, as it was captured: its best score, `float64` `[1]` or `[runs, 1]`. A search that has
    /// [restarted](DeviceSearch::restart) has more candidates, and needs another capture. On an error nothing has changed.
    ///
    /// Errors: a generation of a search with other sizes, another rule or seed; as [`Graph::replay`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let mut search = DeviceSearch::new(&Tensor::from([3.0, 3.0]), 1.0, 8, Rule::Res, 7)?;
    /// let generation = search.capture(None, |x| x.square()?.sum(-1))?;
    /// let first = search.replay(&generation)?.to_scalar::<f64>()?;
    /// for _ in 0..50 {
    ///     search.replay(&generation)?;
    /// }
    /// assert!(search.best()?.1.to_scalar::<f64>()? < first);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn replay(&mut self, generation: &CapturedGeneration) -> Result<Tensor> {
        let there = (generation.plan, generation.rule, generation.seed);
        if there != (self.plan, self.rule, self.seed) {
            let text = format!(
                "a generation of another search, {} candidates of {} numbers, for one of {} of {}; hint: capture it again",
                generation.plan.population, generation.plan.n, self.plan.population, self.plan.n
            );
            return Err(Error::value("replay", text));
        }
        // Asks whether generations can still be counted.
        self.asked(Stages::Learning, 1)?;
        self.make_room()?;
        let mut made = generation.graph.replay(&[&self.state])?;
        let (Some(scores), Some(history), Some(state)) = (made.pop(), made.pop(), made.pop())
        else {
            return Err(Error::value("replay", "a graph without results"));
        };
        // What is handed out may be written to, and the history stays.
        let best = self.shaped(&history)?.copy()?;
        let nothing = &self.nothing[0];
        self.advance(Launched {
            state,
            scores,
            history,
            moved: [nothing.clone(), nothing.clone()],
        })?;
        Ok(best)
    }
}
