//! Gradients of programs against central differences, and against known values at corners.

mod difference;
mod folds;
mod primitives;
mod programs;
mod random;
