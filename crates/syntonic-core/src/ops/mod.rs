//! Operators over tensors.

pub mod attention;
pub mod composites;
pub mod conversion;
pub mod create;
pub mod difference;
pub mod elementwise;
pub mod fft;
pub mod gather;
pub mod index;
pub mod join;
pub mod linalg;
mod lines;
pub mod moves;
pub mod order;
pub mod pad;
pub mod random;
pub mod rearrange;
pub mod reduce;
pub mod row_operators;
#[cfg(test)]
mod samples;
pub mod scan;
pub mod softmax;
pub mod vectors;
