#![doc = include_str!("../README.md")]

mod entry;
mod library;
mod probe;
mod reason;
#[allow(
    dead_code,
    reason = "the families that walk strided operands come one by one"
)]
mod walk;

pub use probe::{Driver, device_count, driver, is_available, why_unavailable};
pub use reason::{Attempt, CudaVersion, Reason};
