//! How much one series tells about the next sample of another that its own past does not: transfer entropy, by distances to neighbours.
//!
//! An estimate counts, so it has no gradient: series that are tracked are `Error::Gradient`.
//!
//! ```
//! use syntonic_core::Tensor;
//! use syntonic_core::random::Generator;
//! use syntonic_srt::transfer_entropy::{Estimator, Histories, transfer_entropy};
//!
//! let mut generator = Generator::new(1);
//! let x = Tensor::randn(&[1000], syntonic_core::DType::F64, &mut generator)?;
//! let noise = Tensor::randn(&[1000], syntonic_core::DType::F64, &mut generator)?;
//! // Each sample of y is that of x before, and as much noise: half a nat of ln 2 passes.
//! let y = Tensor::concat(&[&noise.slice(0, None, Some(1), 1)?, &x.slice(0, None, Some(-1), 1)?.try_add(&noise.slice(0, Some(1), None, 1)?)?], 0)?;
//! let there = transfer_entropy(&x, &y, None, Histories::default(), &Estimator::default())?;
//! let back = transfer_entropy(&y, &x, None, Histories::default(), &Estimator::default())?;
//! assert!(there.values[0] > 0.25 && back.values[0].abs() < 0.1);
//! # Ok::<(), syntonic_core::Error>(())
//! ```

mod cpu;
mod digamma;
mod error;
mod estimate;
mod history;
mod information;
mod kernel;
mod matrix;
mod mean;
mod noise;
mod points;
mod prepared;
mod real;
mod search;
mod standard;
mod surrogates;
mod ties;
mod transfer;
mod tree;

pub use estimate::{Estimator, Information};
pub use history::{Histories, Past};
pub use information::{ksg_counts, ksg_distances, mutual_information};
pub use kernel::{Form, KSG, KSG_COUNTS, MAX_COORDINATES, MAX_NEIGHBOURS, Wanted};
pub use matrix::transfer_entropy_matrix;
pub use noise::Jitter;
pub use prepared::Estimates;
pub use standard::Scaling;
pub use surrogates::{Scheme, Surrogates};
pub use transfer::{TransferEntropy, transfer_entropy};

#[cfg(test)]
mod scale_tests;
#[cfg(test)]
mod tests;
