//! Searches that live where their start does: mean and deviations on the device, noise made anew from counters, so that memory grows with
//! the unknowns and not with the population.
//!
//! ```
//! use syntonic_core::Tensor;
//! use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
//!
//! let start = Tensor::from_slice(&[3.0; 20], &[20])?;
//! let mut search = DeviceSearch::new(&start, 2.0, 64, Rule::Snes, 7)?;
//! for _ in 0..300 {
//!     search.step(Function::Sphere)?;
//! }
//! assert!(Function::Sphere.of(&search.mean()?.to_vec::<f64>()?) < 1e-6);
//! # Ok::<(), syntonic_core::Error>(())
//! ```

mod functions;
mod kernels;
mod rules;
mod search;

pub use functions::Function;
pub use kernels::{CANDIDATES, SCORES, SUMS};
pub use rules::Rule;
pub use search::{DeviceSearch, Generation};

#[cfg(test)]
mod tests;
