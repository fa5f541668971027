//! Operators over tensors.

pub mod composites;
pub mod create;
pub mod elementwise;
pub mod gather;
pub mod index;
pub mod join;
pub mod linalg;
pub mod moves;
pub mod reduce;
