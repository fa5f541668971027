//! The fusion language: formulas over single elements and rows, written once.

mod algebra;
mod backward;
mod builder;
mod check;
mod composition;
mod derivative;
mod display;
mod grad;
pub mod interpreter;
pub(crate) mod known;
pub mod notation;
pub mod phases;
mod prim;
mod program;
pub mod reference;
mod refusal;
mod task;
mod typed;

pub use backward::Backward;
pub use builder::Builder;
pub use prim::{Accepts, Prim, Row, Yields};
pub(crate) use prim::{FUNCTION, formula_of};
pub use program::{Fold, Input, Node, NodeId, Output, Precision, Program, Role, Yield};
pub use task::{Slot, Task};
pub use typed::{Indices, Level, Op, Typed, TypedNode, TypedOutput, lower, lower_with};
pub(crate) use typed::{is_short_power, lower_to, power_as_primitive};
