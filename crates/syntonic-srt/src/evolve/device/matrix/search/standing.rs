//! Where a search stands.

use super::{MatrixSearch, State};
use std::sync::Arc;
use syntonic_core::{Device, Result, Tensor};

impl MatrixSearch {
    /// The mean, in the type of the start.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// assert_eq!(search.mean()?.to_vec::<f64>()?, [3.0, 4.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn mean(&self) -> Result<Tensor> {
        match &self.state {
            State::Cma(s) => s.mean.cast(self.dtype)?.copy(),
            State::CrFmNes(s) => s.mean.cast(self.dtype)?.copy(),
        }
    }

    /// The deviation of each coordinate, in the type of the start: sigma times the root of the covariance's diagonal.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 0.5, 8, MatrixRule::Cma, 7)?;
    /// assert_eq!(search.deviation()?.to_vec::<f64>()?, [0.5, 0.5]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn deviation(&self) -> Result<Tensor> {
        match &self.state {
            State::Cma(s) => s.deviation()?.cast(self.dtype)?.copy(),
            State::CrFmNes(s) => s.deviation()?.cast(self.dtype)?.copy(),
        }
    }

    /// The best candidate so far, in the type of the start, and its score, `float64` `[1]`: infinity before the first generation, when the best is the
    /// start.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// let (best, score) = search.best()?;
    /// assert_eq!((best.to_vec::<f64>()?, score.to_scalar::<f64>()?), (vec![3.0, 4.0], f64::INFINITY));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn best(&self) -> Result<(Tensor, Tensor)> {
        Ok((self.best.copy()?, self.best_score.copy()?.reshape(&[1])?))
    }

    /// Where the search lives.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// assert_eq!(search.device().id(), DeviceId::Cpu);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn device(&self) -> &Arc<dyn Device> {
        self.best.device()
    }

    /// The number of the next generation, from 0.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{Function, MatrixRule, MatrixSearch};
    ///
    /// let mut search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
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
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// assert_eq!(search.population(), 8);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn population(&self) -> usize {
        self.population
    }
}
