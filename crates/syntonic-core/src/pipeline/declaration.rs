//! A plan as constants: what the macro writes down, and what the checks go over.

use super::plan::{Precision, Reduce, TensorCores};
use crate::fuse::Program;

/// The extent of an axis.
#[derive(Clone, Copy, Debug)]
pub enum Size<'a> {
    /// Said by the inputs of a run.
    Symbol(&'a str),
    /// The same for every run.
    Number(usize),
}

/// An input.
#[derive(Clone, Copy, Debug)]
pub struct Port<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its shape.
    pub shape: &'a [Size<'a>],
}

/// A factor of a product.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The value that it reads.
    pub name: &'a str,
    /// Whether its last two axes are swapped.
    pub transposed: bool,
}

/// How a stage makes its value.
#[derive(Clone, Copy, Debug)]
pub enum Labour<'a> {
    /// A formula of elements.
    Elements {
        /// Its operands.
        reads: &'a [&'a str],
        /// Makes the formula.
        formula: fn() -> Program,
    },
    /// A formula of elements, reduced over the last axis.
    Reduction {
        /// The operands of the formula.
        reads: &'a [&'a str],
        /// Makes the formula.
        formula: fn() -> Program,
        /// How.
        reduce: Reduce,
    },
    /// A product of matrices or vectors.
    Product {
        /// The left factor.
        a: Side<'a>,
        /// The right one.
        b: Side<'a>,
    },
}

/// A stage.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The name of its value.
    pub name: &'a str,
    /// When it runs.
    pub number: u32,
    /// The shape of its value.
    pub shape: &'a [Size<'a>],
    /// How it makes it.
    pub labour: Labour<'a>,
    /// In which type.
    pub precision: Precision,
    /// Whether a product may round its factors.
    pub tensor_cores: TensorCores,
}

/// Stages that are repeated together; a stage outside of a loop is a round of its own.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// How often.
    pub times: usize,
    /// The stage that ends the loop after a round that leaves it other than 0.
    pub until: Option<&'a str>,
    /// What goes from round to round: the name that it has in the loop, and the stage that makes the next one.
    pub carried: &'a [(&'a str, &'a str)],
    /// The stages.
    pub rows: &'a [Row<'a>],
}

/// A plan.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its inputs, in call order.
    pub inputs: &'a [Port<'a>],
    /// Its loops and single stages.
    pub rounds: &'a [Round<'a>],
    /// The stages whose values it returns, in order.
    pub outputs: &'a [&'a str],
}

/// True if the two names are the same.
///
/// ```
/// use syntonic_core::pipeline::declaration::same_name;
///
/// const { assert!(same_name("mean", "mean") && !same_name("mean", "means")) };
/// ```
pub const fn same_name(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut k = 0;
    while k < a.len() {
        if a[k] != b[k] {
            return false;
        }
        k += 1;
    }
    true
}

impl<'a> Size<'a> {
    /// True if both are the same extent in every run.
    ///
    /// ```
    /// use syntonic_core::pipeline::declaration::Size;
    ///
    /// assert!(Size::Symbol("n").is(Size::Symbol("n")) && !Size::Symbol("n").is(Size::Number(3)));
    /// ```
    pub const fn is(self, other: Size<'_>) -> bool {
        match (self, other) {
            (Size::Symbol(a), Size::Symbol(b)) => same_name(a, b),
            (Size::Number(a), Size::Number(b)) => a == b,
            _ => false,
        }
    }

    /// True for an axis that is repeated where it meets a longer one.
    ///
    /// ```
    /// use syntonic_core::pipeline::declaration::Size;
    ///
    /// assert!(Size::Number(1).is_one() && !Size::Symbol("n").is_one());
    /// ```
    pub const fn is_one(self) -> bool {
        matches!(self, Size::Number(1))
    }
}

impl<'a> Row<'a> {
    /// How many values it reads.
    #[doc(hidden)]
    pub const fn reads(&self) -> usize {
        match self.labour {
            Labour::Elements { reads, .. } | Labour::Reduction { reads, .. } => reads.len(),
            Labour::Product { .. } => 2,
        }
    }

    /// The `k`-th value that it reads.
    #[doc(hidden)]
    pub const fn read(&self, k: usize) -> &'a str {
        match self.labour {
            Labour::Elements { reads, .. } | Labour::Reduction { reads, .. } => reads[k],
            Labour::Product { a, .. } if k == 0 => a.name,
            Labour::Product { b, .. } => b.name,
        }
    }
}
