//! Workloads for an [`Advisor`](syntonic_core::advisor::Advisor): the sums of active inference and transfer entropy as an agent asks for
//! them, in numbers of the host, one request after the other.
//!
//! ```
//! use syntonic_core::{Tensor, advisor::Advisor, cpu};
//! use syntonic_srt::advice::{Evidence, free_energy};
//!
//! let (zeros, ones) = (vec![0.0; 100], vec![1.0; 100]);
//! let sample = Evidence {
//!     mean: [ones.clone(), zeros.clone()],
//!     variance: [ones.clone(), ones.clone()],
//!     observation: [zeros.clone(), zeros],
//!     precision: ones,
//! };
//! let mut chosen = Advisor::in_memory().choose(free_energy(&sample, &cpu())?, &sample)?;
//! println!("{}", chosen.advice);
//! assert!((chosen.run(&sample)?.complexity - 50.0).abs() < 1e-12);
//! # Ok::<(), syntonic_core::Error>(())
//! ```
//!
//! **A leased service** answers the same requests on a GPU, from `syntonic_cuda`, which this crate does not know. It is a choice more,
//! for free energies `workload.choice("service", promised_error(n, m), ..)`, and for belief updates with an error of 0.

mod belief;
mod energy;
mod entropy;

pub use belief::{Belief, Observed, belief_update};
pub use energy::{Energy, Evidence, free_energy, promised_error};
pub use entropy::transfer_entropy;

/// Half the spacing of `float64` around 1.
const UNIT: f64 = f64::EPSILON / 2.0;
