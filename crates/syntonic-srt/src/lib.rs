//! The golden-ratio operators.

pub mod constants;
pub mod evolve;
pub mod golden;
pub mod infer;
pub mod nn;
pub mod resonant;
