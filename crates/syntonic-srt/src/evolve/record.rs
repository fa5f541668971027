//! What a run reports.

use super::exact;
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
    /// Step size after the generation.
    #[serde(with = "exact")]
    pub sigma: f64,
    /// Syntony of the centre of the search after the generation.
    #[serde(with = "exact")]
    pub syntony: f64,
    /// Values of this generation that were NaN; they count as worst.
    pub nan: u64,
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
    /// The progress callback said so.
    Stopped,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Why it ended.
    pub reason: Reason,
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
