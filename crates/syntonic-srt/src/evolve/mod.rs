//! RES, the resonant evolution strategy: minimise or maximise a function of a real vector that
//! gives no gradient.
//!
//! A generation is `ask` (a population of candidates), a call of yours that values them, and
//! `tell` (what the values were). [`Res::run`] turns the wheel for you.
//!
//! ```
//! use syntonic_srt::evolve::{Flow, Population, Res, ResConfig};
//!
//! let sphere = |population: &Population| -> Result<Vec<f64>, std::convert::Infallible> {
//!     Ok(population.iter().map(|x| x.iter().map(|v| v * v).sum()).collect())
//! };
//! let config = ResConfig::new().sigma(2.0).target(1e-8);
//! let mut res = Res::new(&[3.0; 10], config)?;
//! let outcome = res.run(sphere, |_| Flow::Continue)?;
//! assert!(outcome.value.unwrap() <= 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The method
//! Candidates are `mean + sigma · A z` with `z` standard normal, drawn in mirrored pairs `±z`. The
//! best half, weighted by the logarithm of rank, moves the mean (weighted recombination); the
//! length of the path the mean takes, compared with that of a random walk, sets `sigma`
//! (cumulative step-size adaptation). `A` is the identity, a diagonal learnt from the selected
//! steps, or a full matrix learnt likewise (matrix adaptation); see [`Shape`]. Mirroring makes the
//! weighted sum of steps shorter than independent draws would; its variance under blind selection
//! is known, and the path is normalised by it, so mirroring does not bias `sigma`.
//!
//! Syntony may join in: as a bonus on the value ([`SyntonyWeight`]), or as a filter that drops the
//! least syntonic candidates before anything is evaluated ([`ResConfig::prefilter`]). Both are off
//! by default: they only help where low modes are where the answer is.
//!
//! # What holds
//! The noise of a run is a function of seed, generation, row and column; every sum has a fixed
//! order; exponentials and logarithms are our own. A seed therefore gives one trajectory, whatever
//! the number of threads, and whether or not it was saved and resumed on the way.

mod checkpoint;
mod config;
mod elementary;
mod error;
mod exact;
mod noise;
mod population;
mod rates;
mod record;
mod res;
mod run;
mod score;
mod search;
mod shape;
mod syntony;

#[cfg(test)]
mod tests;

pub use config::{
    Goal, Limits, ResConfig, Sampling, Shape, Stagnation, Strategy, Survivors, SyntonyWeight,
};
pub use error::{EvolveError, RunError};
pub use population::Population;
pub use record::{Flow, Outcome, Reason, Record};
pub use res::Res;
pub use syntony::{squared_index_norms, syntony};
