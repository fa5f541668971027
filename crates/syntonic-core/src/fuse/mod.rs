//! The fusion language: formulas over single elements and rows, written once.

mod prim;
pub use prim::{Accepts, Prim, Row, Yields};
