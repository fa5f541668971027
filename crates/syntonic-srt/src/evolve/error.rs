//! What can go wrong, and the way out.

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
        "RES: a full matrix for {n} unknowns; Shape::Full goes up to {limit}, use Shape::Separable"
    )]
    FullTooLarge {
        /// Number of unknowns.
        n: usize,
        /// The most a full matrix takes.
        limit: usize,
    },
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
    /// The caller stopped the work, see [`syntonic_core::interrupt`].
    #[error("RES: interrupted; the search is as it was")]
    Interrupted,
    /// A checkpoint could not be read or written.
    #[error("RES: checkpoint {path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A checkpoint's text could not be understood.
    #[error("RES: checkpoint is not readable: {0}")]
    Format(#[from] serde_json::Error),
    /// A checkpoint contradicts itself.
    #[error("RES: checkpoint is damaged: {0}")]
    Damaged(&'static str),
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
