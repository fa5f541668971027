//! CMA-ES and CR-FM-NES: searches that live where their start does, written with tensor operations.
//!
//! The persistent kernel of [`DeviceSearch`](super::DeviceSearch) makes noise anew wherever it is needed, so it has nowhere to keep a covariance, and no
//! two sums over the noise can hang on each other. These rules need both.

mod cma;
mod cr_fm_nes;
mod objective;
mod rows;
mod search;

pub use search::{MatrixRule, MatrixSearch};

#[cfg(test)]
mod tests;
