//! The golden-ratio operators.

pub mod constants;
pub mod evolve;
pub mod infer;
pub mod nn;
pub mod resonant;
