//! The wheel of ask, evaluate and tell, and when it stops.

use super::{EvolveError, Flow, Goal, Outcome, Population, Reason, Record, Res, RunError};
use std::time::{Duration, Instant};
use syntonic_core::room;

impl Res {
    /// Runs until a stopping rule of the configuration holds or `progress`, which sees every
    /// generation, says stop. Where an attempt is over, [another](Res::restart) may begin.
    ///
    /// `objective` takes the candidates `[K, n]` and returns their K values.
    ///
    /// # Errors
    /// [`RunError::Objective`] if the objective fails and [`RunError::Evolve`] if it returns the
    /// wrong number of values. The search is then where it was before that generation, and a
    /// further run asks for the same candidates.
    ///
    /// ```
    /// use std::convert::Infallible;
    /// use syntonic_srt::evolve::{Flow, Population, Reason, Res, ResConfig};
    ///
    /// let sphere = |candidates: &Population| -> Result<Vec<f64>, Infallible> {
    ///     Ok(candidates.iter().map(|x| x.iter().map(|v| v * v).sum()).collect())
    /// };
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().sigma(2.0).target(1e-6))?;
    /// let outcome = res.run(sphere, |_| Flow::Continue)?;
    /// assert!(outcome.reason == Reason::Target && outcome.value.unwrap() <= 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run<E>(
        &mut self,
        mut objective: impl FnMut(&Population) -> Result<Vec<f64>, E>,
        mut progress: impl FnMut(&Record) -> Flow,
    ) -> Result<Outcome, RunError<E>> {
        let started = Instant::now();
        loop {
            if let Some(reason) = self.finished(started.elapsed()) {
                if reason.ends_an_attempt() && self.restart()? {
                    continue;
                }
                return Ok(self.outcome(reason)?);
            }
            let candidates = self.ask().map_err(RunError::Evolve)?;
            let values = objective(candidates).map_err(RunError::Objective)?;
            self.tell(&values).map_err(RunError::Evolve)?;
            let flow = self
                .state
                .history
                .last()
                .map_or(Flow::Continue, &mut progress);
            if flow == Flow::Stop && !self.reached_target() {
                return Ok(self.outcome(Reason::Stopped)?);
            }
        }
    }

    /// The stopping rule that holds now, if any; `elapsed` is the time of the run so far.
    ///
    /// ```
    /// use std::time::Duration;
    /// use syntonic_srt::evolve::{Reason, Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(4).generations(1))?;
    /// assert_eq!(res.finished(Duration::ZERO), None);
    /// res.ask()?;
    /// res.tell(&[5.0, 6.0, 1.0, 4.0])?;
    /// assert_eq!(res.finished(Duration::ZERO), Some(Reason::Generations));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn finished(&self, elapsed: Duration) -> Option<Reason> {
        let limits = &self.config.limits;
        let survivors = self.sizes().survivors;
        let next = self.evaluations() + self.trials().rows() as u64;
        let rules = [
            (self.reached_target(), Reason::Target),
            (
                limits
                    .generations
                    .is_some_and(|most| self.generation() >= most),
                Reason::Generations,
            ),
            (
                limits.evaluations.is_some_and(|most| next > most),
                Reason::Evaluations,
            ),
            (
                limits
                    .seconds
                    .is_some_and(|most| elapsed.as_secs_f64() >= most),
                Reason::Time,
            ),
        ];
        let held = rules.into_iter().find(|(holds, _)| *holds);
        held.map(|(_, reason)| reason)
            .or_else(|| self.state.attempt_end(&self.config, survivors))
    }

    fn reached_target(&self) -> bool {
        let (Some(value), Some(target)) = (self.best_value(), self.config.limits.target) else {
            return false;
        };
        match self.config.goal {
            Goal::Minimise => value <= target,
            Goal::Maximise => value >= target,
        }
    }

    /// What there is to report now.
    fn outcome(&self, reason: Reason) -> Result<Outcome, EvolveError> {
        tracing::info!(
            ?reason,
            generations = self.generation(),
            evaluations = self.evaluations(),
            "RES"
        );
        Ok(Outcome {
            reason,
            strategy: self.strategy(),
            best: room::copied(self.best().unwrap_or(self.centre()))?,
            value: self.best_value(),
            syntony: self.best_syntony(),
            generations: self.generation(),
            evaluations: self.evaluations(),
            nan: self.state.nan,
        })
    }
}
