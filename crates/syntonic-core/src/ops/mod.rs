//! Operators over tensors.

pub mod elementwise;
