//! A stand-in for the CUDA driver, `libcuda.so.1`, that runs PTX on the CPU: what Syntonic's kernels compute can be looked
//! at where there is no GPU. `README.md` beside this crate says what it shows and what it cannot.
//!
//! Ships nothing: `cargo xtask simulate` builds it and starts programs with it.

mod code;
mod driver;
mod machine;
mod memory;
mod ptx;
#[cfg(test)]
mod tests;

pub use machine::{Card, Checks, Fault, Launch, Trouble, run};
pub use memory::Memory;
pub use ptx::{Attributes, EntryId, Module, ParseError};
