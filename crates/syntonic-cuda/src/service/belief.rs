//! What is asked about beliefs, and what is answered.

/// Beliefs and evidence of [`Service::free_energy`](super::Service::free_energy): diagonal Gaussians, `[n]` and `[m]`.
#[derive(Clone, Copy, Debug)]
pub struct Beliefs<'a> {
    /// Means of the belief and of the prior, `[n]`.
    pub mean: [&'a [f64]; 2],
    /// Variances of the belief and of the prior, `[n]`.
    pub variance: [&'a [f64]; 2],
    /// What is observed and what was predicted, `[m]`.
    pub observation: [&'a [f64]; 2],
    /// One over the variances of the noise, `[m]`.
    pub precision: &'a [f64],
}

/// A free energy, nats, and its parts: `free_energy = complexity - accuracy`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// The free energy.
    pub free_energy: f64,
    /// The divergence of the belief from the prior.
    pub complexity: f64,
    /// The expected logarithm of the likelihood.
    pub accuracy: f64,
}

/// Steps of [`Service::belief_update`](super::Service::belief_update).
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Part of the gradient that a step adds.
    pub rate: f64,
    /// The most steps, below 2^24.
    pub most: u32,
    /// Steps end where the free energy has changed by less; 0 takes all.
    pub tolerance: f64,
}

/// How a belief update ended. Numbers of endings are those of `syntonic_srt::infer::Ending`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Updated {
    /// Steps that were taken.
    pub steps: u64,
    /// 0 all of them, 1 converged, 2 diverged.
    pub ending: u64,
    /// The length of the last step.
    pub change: f64,
    /// The part of the free energy that depends on the mean.
    pub free_energy: f64,
}
