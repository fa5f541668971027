//! The driver and NVIDIA's libraries: whether they are there, their functions, and what their codes mean.

mod entry;
pub(crate) mod entry_points;
pub(crate) mod fault;
pub(crate) mod library;
mod nvtx;
pub(crate) mod probe;
pub(crate) mod reason;
pub(crate) mod toolkit;
