//! Random programs: what a person might write, drawn with a seed that nobody has seen, beside what their bytes and their arithmetic allow.
//!
//! A program (`program`) is statements over operands in all layouts, drawn (`draw`) in ten classes (`class`). `estimate` and `slopes` say what
//! comes out in exact arithmetic and how far a device may be from it. `possible` counts what has to be moved and computed, and `clock`
//! measures a captured graph of it, a copy of as many bytes, and the arithmetic of each primitive. `lines` are what people write, on a list.

mod chance;
mod class;
mod clock;
mod draw;
mod estimate;
mod lines;
mod outcome;
mod possible;
mod program;
mod slopes;

pub use class::Class;
pub use clock::Arithmetic;
pub use lines::{Timed, lines};
pub(crate) use outcome::holds;
pub use outcome::{Outcome, anything};
