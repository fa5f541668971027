//! The golden-ratio operators.

pub mod constants;
pub mod evolve;
