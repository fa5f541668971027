//! What a run reports.

use super::syntony::weighted;
use super::{Res, Strategy, exact};
use serde::{Deserialize, Serialize};

/// One generation of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Generations finished, this one included.
    pub generation: u64,
    /// Evaluations of the objective so far.
    pub evaluations: u64,
    /// Best value so far; NaN while every value was NaN.
    #[serde(with = "exact")]
    pub best: f64,
    /// Mean of this generation's finite values; NaN if it has none.
    #[serde(with = "exact")]
    pub mean: f64,
    /// Median of this generation's values that are not NaN; NaN if it has none.
    #[serde(with = "exact", default = "unknown")]
    pub median: f64,
    /// Step size after the generation.
    #[serde(with = "exact")]
    pub sigma: f64,
    /// The largest deviation of a coordinate over the least one, after the generation.
    #[serde(with = "exact", default = "unknown")]
    pub deviation_ratio: f64,
    /// Syntony of the centre of the search after the generation.
    #[serde(with = "exact")]
    pub syntony: f64,
    /// Values of this generation that were NaN; they count as worst.
    pub nan: u64,
}

/// What records had no field for.
fn unknown() -> f64 {
    f64::NAN
}

/// The most records of a history, besides the latest.
const MOST_RECORDS: u64 = 4096;

/// Every how many generations a history has a record, after so many generations.
pub(super) fn stride(generations: u64) -> u64 {
    let mut stride = 1;
    while generations / stride > MOST_RECORDS {
        stride *= 2;
    }
    stride
}

/// Adds the latest generation to a history.
pub(super) fn keep(history: &mut Vec<Record>, latest: Record) {
    let stride = stride(latest.generation);
    if history.last().is_some_and(|r| r.generation % stride != 0) {
        history.pop();
    }
    history.push(latest);
    if history.len() as u64 > MOST_RECORDS {
        thin(history);
    }
}

/// Keeps the records that a history has by rule: those of every 1st, 2nd, 4th, ... generation, and the latest.
pub(super) fn thin(history: &mut Vec<Record>) {
    let Some(latest) = history.last().map(|r| r.generation) else {
        return;
    };
    let stride = stride(latest);
    history.retain(|r| r.generation % stride == 0 || r.generation == latest);
}

impl Res {
    /// Adds the generation of these values to the history, with their median and how many of those told were NaN.
    pub(super) fn write_history(
        &mut self,
        values: &[f64],
        (median, nan): (f64, u64),
        workspace: &mut [f64],
    ) {
        self.state.nan += nan;
        let finite = values.iter().filter(|v| v.is_finite());
        let mean = finite.clone().sum::<f64>() / finite.count() as f64;
        let record = Record {
            generation: self.state.generation,
            evaluations: self.state.evaluations,
            best: self.best_value().unwrap_or(f64::NAN),
            mean,
            median,
            sigma: self.state.search.sigma,
            deviation_ratio: self.deviation_ratio(workspace),
            syntony: weighted(&self.state.search.centre, &self.modes),
            nan,
        };
        tracing::debug!(
            generation = record.generation,
            best = record.best,
            sigma = record.sigma,
            "RES"
        );
        keep(&mut self.state.history, record);
    }
}

/// What the progress callback wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the run after this generation.
    Stop,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reason {
    /// The best value reached the target.
    Target,
    /// The limit on generations.
    Generations,
    /// One more generation would exceed the limit on evaluations.
    Evaluations,
    /// The limit on time.
    Time,
    /// No better value for as many generations as the configuration allows.
    Stagnation,
    /// The values of the latest generations hardly differ.
    Tolfun,
    /// Steps are hardly steps any more.
    Tolx,
    /// The progress callback said so.
    Stopped,
}

impl Reason {
    /// Whether this is the end of an attempt, after which [another](super::Res::restart) may begin.
    ///
    /// ```
    /// use syntonic_srt::evolve::Reason;
    ///
    /// assert!(Reason::Tolfun.ends_an_attempt());
    /// assert!(!Reason::Evaluations.ends_an_attempt());
    /// ```
    pub fn ends_an_attempt(self) -> bool {
        matches!(self, Reason::Stagnation | Reason::Tolfun | Reason::Tolx)
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Why it ended.
    pub reason: Reason,
    /// The strategy that ran at the end, with the shape that [`Shape::Auto`](super::Shape::Auto) has come to.
    pub strategy: Strategy,
    /// The best candidate; the start if nothing was evaluated.
    pub best: Vec<f64>,
    /// Its value; none if nothing comparable was evaluated.
    pub value: Option<f64>,
    /// Syntony of the best candidate.
    pub syntony: f64,
    /// Generations finished since the search was made.
    pub generations: u64,
    /// Evaluations since the search was made.
    pub evaluations: u64,
    /// How many of them were NaN.
    pub nan: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(generation: u64) -> Record {
        Record {
            generation,
            evaluations: 0,
            best: 0.0,
            mean: 0.0,
            median: 0.0,
            sigma: 1.0,
            deviation_ratio: 1.0,
            syntony: 1.0,
            nan: 0,
        }
    }

    fn generations(history: &[Record]) -> Vec<u64> {
        history.iter().map(|r| r.generation).collect()
    }

    /// What is kept depends on the number of generations, not on how it was come by.
    #[test]
    fn a_history_is_bounded_and_follows_its_rule() {
        let mut history = Vec::new();
        for latest in 1..40_000 {
            keep(&mut history, record(latest));
            let most = MOST_RECORDS as usize + 1;
            assert!(history.len() <= most, "{latest}: {}", history.len());
            assert_eq!(history.last().map(|r| r.generation), Some(latest));
            if latest == MOST_RECORDS {
                assert_eq!(history.len(), MOST_RECORDS as usize);
            }
            if latest % 997 == 0 {
                let mut whole: Vec<Record> = (1..=latest).map(record).collect();
                thin(&mut whole);
                assert_eq!(generations(&history), generations(&whole));
            }
        }
        assert!(history.len() > MOST_RECORDS as usize / 2);
    }
}
