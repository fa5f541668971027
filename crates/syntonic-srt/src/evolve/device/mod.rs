//! Searches that live where their start does: mean and deviations on the device, noise made anew from counters, so that memory grows with
//! the unknowns and not with the population, but for the matrix and the draws of [`Rule::Res`].
//!
//! [`Rule::Res`] is [`Res`](super::Res) with a full matrix, to the bit; its strategies, prefilter and syntony are those of `Res` alone.
//! [`DeviceRes`] is `Res` with its limits, restarts and files, whose matrix is on a device.
//!
//! ```
//! use syntonic_core::Tensor;
//! use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
//!
//! let start = Tensor::from_slice(&[3.0; 20], &[20])?;
//! let mut search = DeviceSearch::new(&start, 2.0, 64, Rule::Res, 7)?;
//! let run = search.run(Function::Sphere, 1000, Some(1e-8))?;
//! assert!(run.done < 1000);
//! assert!(Function::Sphere.of(&search.mean()?.to_vec::<f64>()?) < 1e-6);
//! # Ok::<(), syntonic_core::Error>(())
//! ```

mod about;
mod captured;
mod checked;
mod file;
mod function;
mod keep;
mod kernels;
mod launch;
mod learning;
mod matrix;
mod past;
mod placed;
mod plan;
mod real;
mod res;
mod restarts;
mod rules;
mod search;
mod shards;
mod tiles;

pub use captured::CapturedGeneration;
pub use function::Function;
pub use kernels::{CANDIDATES, RUN};
pub use matrix::{MatrixRule, MatrixSearch};
pub use placed::DeviceRes;
pub use res::RES;
pub use rules::Rule;
pub use search::{DeviceSearch, Generations};

#[cfg(test)]
mod tests;
