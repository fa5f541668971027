#![doc = include_str!("../README.md")]

pub mod advice;
pub mod constants;
pub mod evolve;
pub mod exact;
#[cfg(test)]
mod extremes_tests;
pub mod geometry;
pub mod golden;
pub mod infer;
pub mod nn;
pub mod optim;
mod refusal;
pub mod resonant;
pub mod transfer_entropy;

/// Tensors, formulas, gradients and files: all of `syntonic-core`, so that a program needs this crate alone.
///
/// ```
/// use syntonic_srt::core::{fuse, run};
/// use syntonic_srt::prelude::*;
///
/// fuse! { HALF(x: element) -> (element) { x * 0.5 } }
/// let x = Tensor::from([3.0, 5.0]);
/// let y = run::map(&HALF, &[&x], &[], x.shape(), &cpu())?;
/// assert_eq!(y[0].to_vec::<f64>()?, [1.5, 2.5]);
/// # Ok::<(), syntonic_srt::core::Error>(())
/// ```
pub use syntonic_core as core;
pub use syntonic_core::{Tensor, prelude};
