//! What a search may be asked for, each as one word.

use serde::{Deserialize, Serialize};

/// Which way is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// Smaller values.
    #[default]
    Minimise,
    /// Larger values.
    Maximise,
}

/// How the noise of a generation is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sampling {
    /// Mirrored pairs `z, -z`: half the random numbers and less noise in the mean.
    #[default]
    Antithetic,
    /// Every candidate by itself.
    Independent,
}

/// What the sampling distribution may learn of the function's scales.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// [`Shape::Full`] up to 64 unknowns, up to 200 on a [lattice](super::Lattice), [`Shape::Separable`] beyond. Of more than 64 unknowns without a lattice
    /// the search is watched: where it sees that coordinates depend on each other it goes on from where it is as [`Shape::Full`], beyond 1,000
    /// unknowns as [`Shape::LowRank`], with its first step size, and so do later attempts.
    /// [`Res::strategy`](super::Res::strategy) and [`Outcome::strategy`](super::Outcome::strategy) say which shape runs.
    #[default]
    Auto,
    /// One step size for all coordinates. O(n) per candidate.
    Isotropic,
    /// A scale for each coordinate. O(n) per candidate.
    Separable,
    /// A full matrix, for coordinates that depend on each other. O(n²) per candidate.
    Full,
    /// The first scales and some twenty long axes beside them, which the path of the mean teaches: for thousands of coordinates that depend on each
    /// other. O(20 n) per candidate.
    LowRank,
}

/// How a generation makes the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    /// The weighted mean of the better half moves the centre; the path length sets the step size.
    Recombine(Shape),
    /// The centre is the best candidate ever; the rule of one success in five sets the step size.
    /// The start itself is the first candidate.
    Elitist,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy::Recombine(Shape::Auto)
    }
}

/// How many candidates are evaluated: the most syntonic ones of the population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Survivors {
    /// All of them: no filter.
    #[default]
    All,
    /// This many.
    Count(usize),
    /// This part of the population, rounded up.
    Fraction(f64),
}

/// The bonus of syntony: candidates are ranked by value + bonus (value − bonus when minimising).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum SyntonyWeight {
    /// Values alone.
    #[default]
    Off,
    /// `λ S`, in units of the objective; the deficit [`crate::constants::Q`] is the customary λ.
    Absolute(f64),
    /// `λ S` times the distance between the quartiles of the generation's finite values.
    Spread(f64),
}

/// What happens when an attempt is over, by [`Stagnation`](super::Stagnation) or a [`Tolerance`](super::Tolerance).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Restarts {
    /// [`Restarts::Growing`] where the evaluations are limited, [`Restarts::Off`] where they are not. The run ends also where
    /// its first three attempts converged at the same value: the function then has one minimum, as far as can be seen.
    #[default]
    Auto,
    /// The run ends.
    Off,
    /// Another attempt begins near the start with twice the population, until a limit of the run holds.
    Growing,
}
