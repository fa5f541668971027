//! How information is estimated, and what is known then.

use super::kernel::Wanted;
use super::noise::Jitter;
use super::standard::Scaling;
use super::surrogates::{Scheme, Surrogates};
use syntonic_core::Tensor;

/// How information is estimated, whatever of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimator {
    /// The neighbour whose distance is taken, from 1 to 32.
    pub k: usize,
    /// The Theiler window: points with `|i - j|` up to this are no neighbours.
    pub window: usize,
    /// What becomes of the series first.
    pub scaling: Scaling,
    /// Noise that is added after that, so that no two points have the same place: 1e-8 of a deviation by default.
    pub jitter: Option<Jitter>,
    /// What is kept besides the means.
    pub wanted: Wanted,
    /// Estimates of a source in other orders, for a p-value.
    pub surrogates: Option<Surrogates>,
}

impl Default for Estimator {
    fn default() -> Estimator {
        Estimator {
            k: 4,
            window: 0,
            scaling: Scaling::Standardised,
            jitter: Some(Jitter::default()),
            wanted: Wanted::default(),
            surrogates: None,
        }
    }
}

/// Estimates of one or several tasks `T`, in nats. They may be negative: the estimator has a bias and a spread, and is not cut off.
#[derive(Clone, Debug)]
pub struct Information {
    /// One for each task.
    pub values: Vec<f64>,
    /// How many points of each task have a distance of 0 to their k-th neighbour, which makes its estimate worthless.
    pub zero_distances: Vec<usize>,
    /// How many samples of each series have a value that occurs more than once in it, before there is noise: none of continuous data. Rows of
    /// the first operand come first, then those of the second and of the condition; of [`transfer_entropy_matrix`](super::transfer_entropy_matrix)
    /// they are its rows. Noise parts what is tied; series of few different values want an estimator for discrete data.
    pub ties: Vec<usize>,
    /// Those of the surrogates, `[T, S]` row by row; empty without.
    pub surrogates: Vec<f64>,
    /// `(1 + #{T_s >= T}) / (1 + S)` for each task; empty without surrogates.
    pub p_values: Vec<f64>,
    /// How the surrogates were made, which [`Scheme::Auto`] does not say; none without.
    pub scheme: Option<Scheme>,
    /// Local values, `float64` `[T, N]`, where they are wanted.
    pub local: Option<Tensor>,
    /// Counts `n_yz, n_xz, n_z`, `int32` `[T, 3, N]`, where they are wanted.
    pub counts: Option<Tensor>,
    /// Distances to the k-th neighbours, `[T, N]`, where they are wanted.
    pub distances: Option<Tensor>,
}
