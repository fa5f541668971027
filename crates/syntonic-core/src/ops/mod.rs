//! Operators over tensors.

pub mod composites;
pub mod elementwise;
pub mod linalg;
pub mod reduce;
