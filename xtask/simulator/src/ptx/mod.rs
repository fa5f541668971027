//! The text of a PTX image: its tokens, its declarations and its statements.

mod body;
mod error;
mod header;
mod lexer;
mod module;
mod statement;
mod types;

pub(crate) use body::body;
pub use error::ParseError;
pub(crate) use header::Function;
pub(crate) use lexer::Literal;
pub use module::{Attributes, EntryId, Module};
pub(crate) use statement::{Instruction, Operand, Statement, Variable};
pub(crate) use types::{Kind, Scalar, Space};
