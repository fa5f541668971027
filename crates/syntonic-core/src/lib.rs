//! Ground floor of Syntonic: element types, tensors, the fusion language and the CPU device.

pub mod cpu;
mod dtype;
pub mod fuse;
pub mod random;
mod scalar;

pub use dtype::{DType, Kind};
pub use scalar::{Element, Scalar};

#[doc(hidden)]
pub use {half, num_complex};
