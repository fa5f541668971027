//! The compiled kernels that travel inside this crate.

use syntonic_core::{Error, Result};

/// The image of a family for a GPU of this compute capability.
pub(crate) fn image(family: &'static str, capability: (u32, u32)) -> Result<Vec<u8>> {
    Err(Error::value(
        "load",
        format!("no image of {family} for compute capability {capability:?}"),
    ))
}
