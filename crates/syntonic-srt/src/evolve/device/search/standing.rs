//! Where a search stands.

use super::DeviceSearch;
use crate::evolve::device::learning::BEST_SCORE;
use crate::evolve::device::plan::{BEST, DEVIATION, MEAN, NUMBERS};
use std::sync::Arc;
use syntonic_core::{Device, Result, Tensor};

impl DeviceSearch {
    /// A row of the state, in the type of the start.
    fn row(&self, row: usize) -> Result<Tensor> {
        let n = self.plan.n as isize;
        let from = row as isize * n;
        let rows = self.state.slice(1, Some(from), Some(from + n), 1)?;
        self.shaped(&rows)?.cast(self.plan.dtype)?.copy()
    }

    /// A number of each run, as a scalar where there is but one.
    pub(in crate::evolve::device) fn number(&self, which: usize) -> Result<Tensor> {
        let at = (self.state.shape()[1] - NUMBERS + which) as isize;
        self.shaped(&self.state.slice(1, Some(at), Some(at + 1), 1)?)?
            .slice(-1, Some(0), Some(1), 1)?
            .copy()
    }

    /// `[runs, k]` as the start was.
    pub(in crate::evolve::device) fn shaped(&self, x: &Tensor) -> Result<Tensor> {
        match self.batched {
            true => Ok(x.clone()),
            false => x.reshape(&[-1]),
        }
    }

    /// The mean, in the type and shape of the start.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// assert_eq!(search.mean()?.to_vec::<f64>()?, [3.0, 4.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn mean(&self) -> Result<Tensor> {
        self.row(MEAN)
    }

    /// The deviation of each coordinate, in the type and shape of the start.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 0.5, 8, Rule::Res, 7)?;
    /// assert_eq!(search.deviation()?.to_vec::<f64>()?, [0.5, 0.5]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn deviation(&self) -> Result<Tensor> {
        self.row(DEVIATION)
    }

    /// The best candidate so far, in the type and shape of the start, and its score, `float64` `[1]` or `[runs, 1]`: infinity before the first
    /// generation, when the best is the start.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// let (best, score) = search.best()?;
    /// assert_eq!((best.to_vec::<f64>()?, score.to_scalar::<f64>()?), (vec![3.0, 4.0], f64::INFINITY));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn best(&self) -> Result<(Tensor, Tensor)> {
        Ok((self.row(BEST)?, self.number(BEST_SCORE)?))
    }

    /// Where the search lives.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// assert_eq!(search.device().id(), DeviceId::Cpu);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn device(&self) -> &Arc<dyn Device> {
        self.state.device()
    }

    /// The number of the next generation, from 0.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let mut search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// search.run(Function::Sphere, 5, None)?;
    /// assert_eq!(search.generation(), 5);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Candidates of a generation.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// assert_eq!(search.population(), 8);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn population(&self) -> usize {
        self.plan.population
    }
}
