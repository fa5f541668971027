#![doc = include_str!("../README.md")]

mod entry;
mod library;
mod probe;
mod reason;

pub use probe::{Driver, device_count, driver, is_available, why_unavailable};
pub use reason::{Attempt, CudaVersion, Reason};
