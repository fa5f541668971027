#![doc = include_str!("../README.md")]
// The adapters of the kernels come one family after the other and use what lies here.
#![allow(dead_code)]

mod blas;
mod context;
mod device;
mod entry;
mod fault;
pub mod images;
mod kernel;
mod library;
mod module;
mod pool;
mod probe;
mod reason;
mod toolkit;
#[allow(
    dead_code,
    reason = "the families that walk strided operands come one by one"
)]
mod walk;

pub use context::Context;
pub use device::{Cuda, device};
pub use probe::{Driver, device_count, driver, is_available, why_unavailable};
pub use reason::{Attempt, CudaVersion, Reason};
pub use toolkit::search_packages;
