//! Fourier transforms through cuFFT: lines without gaps, all of one call at once.
//!
//! Operands that lie otherwise are copied first, and so is what the library would write over. Factors are ours: the library
//! has none. Nothing here waits for the GPU but where a plan is made or given up.

mod library;
mod pass;
mod plans;
mod transform;

pub(crate) use library::{FUNCTIONS, Fourier};
pub(crate) use transform::{complex, forward, inverse};
