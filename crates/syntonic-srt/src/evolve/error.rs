//! What can go wrong, and the way out.

use super::CheckpointFault;
use std::path::PathBuf;

/// An error of the evolution strategy itself. The search is unchanged by a failed call.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvolveError {
    /// The start has no coordinates.
    #[error("RES: the start x0 is empty; give it one value for each unknown")]
    EmptyStart,
    /// A coordinate of the start is not finite.
    #[error("RES: x0[{index}] is {value}; every coordinate of the start must be finite")]
    StartNotFinite {
        /// Which coordinate.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A number of the configuration is outside its range.
    #[error("RES: {field} is {value}; it must be {wanted}")]
    OutOfRange {
        /// The field of [`super::ResConfig`].
        field: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        wanted: &'static str,
    },
    /// A point lies beyond a bound.
    #[error("RES: {what}[{index}] is {value}, outside of its bounds {lower} and {upper}")]
    OutOfBounds {
        /// The point.
        what: &'static str,
        /// Which coordinate of it.
        index: usize,
        /// Its value.
        value: f64,
        /// The least value it may have.
        lower: f64,
        /// The largest value it may have.
        upper: f64,
    },
    /// An option that the strategy has no use for.
    #[error("RES: {option} with the strategy {strategy}, which would not look at it; {hint}")]
    Ignored {
        /// The field of [`super::ResConfig`].
        option: &'static str,
        /// The strategy's name.
        strategy: &'static str,
        /// The way out.
        hint: &'static str,
    },
    /// What [`super::device::DeviceRes`] does not do.
    #[error("RES: {option} on a device; hint: {hint}")]
    OnDevice {
        /// What was asked for.
        option: &'static str,
        /// The way out.
        hint: &'static str,
    },
    /// More survivors than candidates.
    #[error(
        "RES: {survivors} survivors of a population of {population}; survivors cannot exceed the population"
    )]
    TooManySurvivors {
        /// Candidates evaluated in each generation.
        survivors: usize,
        /// Candidates sampled in each generation.
        population: usize,
    },
    /// A full matrix was asked for where it would not fit.
    #[error(
        "RES: a full matrix for {n} unknowns; Shape::Full goes up to {limit}, use Shape::LowRank or Shape::Separable"
    )]
    FullTooLarge {
        /// Number of unknowns.
        n: usize,
        /// The most a full matrix takes.
        limit: usize,
    },
    /// A population whose candidates could not be counted or stored anywhere.
    #[error(
        "RES: a population of {population} candidates of {n} unknowns; a population has at most {limit} candidates, and all their coordinates together must fit the address space"
    )]
    PopulationTooLarge {
        /// Candidates sampled in each generation.
        population: usize,
        /// Number of unknowns.
        n: usize,
        /// The most candidates.
        limit: usize,
    },
    /// The engine failed: there is no memory left, or the caller [stopped](syntonic_core::interrupt) the work.
    #[error(transparent)]
    Engine(#[from] syntonic_core::Error),
    /// One vector's length does not fit another's.
    #[error("{operation}: {found} values, expected {expected}")]
    Length {
        /// What was asked for.
        operation: &'static str,
        /// Values given.
        found: usize,
        /// Values needed.
        expected: usize,
    },
    /// Values were told that nobody asked for.
    #[error("RES: tell without ask; call ask first, and tell once for each ask")]
    NothingAsked,
    /// A checkpoint could not be read or written.
    #[error("evolve: checkpoint {path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A checkpoint is refused.
    #[error("evolve: checkpoint {place}: {fault}")]
    Checkpoint {
        /// The file, or `text`.
        place: String,
        /// What is wrong with it.
        fault: CheckpointFault,
    },
    /// A search could not be written as text.
    #[error("RES: the search cannot be written as text: {0}")]
    Text(#[from] serde_json::Error),
}

/// Why a run ended before any stopping rule.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// The objective failed; the search stands where it was before that generation.
    #[error("RES: the objective failed: {0}")]
    Objective(E),
    /// The objective's answer, or the search, was wrong.
    #[error(transparent)]
    Evolve(#[from] EvolveError),
}
