//! Pipelines: a program of several stages as data, which is checked when it is built and run in several ways.
//!
//! ```
//! use syntonic_core::pipeline::Mode;
//! use syntonic_core::{Tensor, stages};
//!
//! stages! {
//!     /// Softmax of each row.
//!     pub struct Softmax(x: [n, m]) -> (p) {
//!         #[stage(1, reduction = max)] top: [n, 1] = |x| x;
//!         #[stage(2)] e: [n, m] = |x, top| exp(x - top);
//!         #[stage(3, reduction = sum)] total: [n, 1] = |e| e;
//!         #[stage(4)] p: [n, m] = |e, total| e / total;
//!     }
//! }
//!
//! let x = Tensor::from([[0.0, 0.0], [3.0, 3.0]]);
//! let p = Softmax::plan().run(&[&x], Mode::Fused)?.remove(0);
//! assert_eq!(p.to_vec::<f64>()?, [0.5; 4]);
//! # Ok::<(), syntonic_core::Error>(())
//! ```
//!
//! # Stages
//!
//! A stage makes one value of a declared shape, in one of three ways: a formula of elements, such a formula and a reduction over
//! the last axis of what it gives, or a product of matrices. Formulas are those of [`fuse!`](crate::fuse!), over operands that
//! broadcast; each may hold folds, which run over the last axis of the stage's shape: such a stage is one program over rows, and
//! its neighbours are not fused with it. What [`stages!`](crate::stages!) accepts is said there.
//!
//! **Numbers are the synchronisation.** A stage reads inputs, what its loop carries and values of stages with smaller numbers. So
//! stages of one number may run side by side, and the order in the text means nothing. A loop is one unit: what is outside of it
//! has numbers below all of its own, or above.
//!
//! **Extents** are symbols or numbers. Two symbols are never taken to be the same extent; an axis of length 1 that is repeated is
//! written `1`. What a symbol stands for, the inputs of a run say.
//!
//! # Types and precision
//!
//! Inputs are real floats. A value has the common type of what its stage reads, or the type that [`Precision`] names. Half types
//! are widened to `float32` within a stage and rounded once at its end. What a loop carries keeps the type that it began with.
//!
//! # Checks
//!
//! [`Sketch::fault`] finds what is wrong with a plan, as a `const fn`: a plan of the macro that is wrong does not compile,
//! one of the [`Builder`] is an [`Error::Plan`](crate::Error::Plan) with the same words.

mod binding;
mod builder;
mod check;
pub mod declaration;
mod display;
mod executors;
mod fault;
mod formula;
mod notation;
mod one_launch;
mod plan;
mod reference;
mod report;
#[doc(hidden)]
pub mod samples;
mod shape;
mod sketched;
#[cfg(test)]
mod tests;
mod walk;

pub use builder::Builder;
#[doc(hidden)]
pub use builder::traced;
pub use declaration::Sketch;
pub use executors::{Captured, Mode};
pub use fault::{Fault, Message, Wrong};
pub use plan::{
    Block, Carried, Extent, Factor, Input, Name, Plan, Precision, Reduce, Stage, TensorCores, Work,
};
pub use report::{Report, Row};
