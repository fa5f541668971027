//! The CPU device.

pub mod lanes;
