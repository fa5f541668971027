//! A plan as data.

use super::one_launch::Known;
use crate::fuse::{Fold, Program};
use std::borrow::Cow;

/// A name of a plan, an input, a stage or an extent.
pub type Name = Cow<'static, str>;

/// The extent of an axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Said by the inputs of a run.
    Symbol(Name),
    /// The same for every run.
    Number(usize),
}

/// An input of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: Name,
    /// Its shape.
    pub shape: Vec<Extent>,
}

/// In which type a stage computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// In the common type of what it reads; half types in `float32`, rounded once at the end.
    #[default]
    Operands,
    /// In `float32`, which its value has too.
    Single,
    /// In `float64`, which its value has too.
    Double,
    /// In the common type of what it reads; half types are rounded after every primitive.
    Stepwise,
}

/// Whether a product may round its factors, as tensor cores do with `float32`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TensorCores {
    /// As the process says, see [`set_precision`](crate::ops::linalg::set_precision).
    #[default]
    AsSet,
    /// Factors of `float32` may be rounded to 11 bits: [`Medium`](crate::ops::linalg::Precision::Medium).
    Allowed,
    /// The type's own arithmetic: [`Highest`](crate::ops::linalg::Precision::Highest). Half types are exact factors anyway.
    Forbidden,
}

/// How the last axis of a formula becomes one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// The sum; 0 over nothing.
    Sum,
    /// The product; 1 over nothing.
    Prod,
    /// The smallest; NaN if any is.
    Min,
    /// The largest; NaN if any is.
    Max,
    /// The sum divided by the count; NaN over nothing.
    Mean,
    /// How many are other than 0.
    Count,
    /// So many of the smallest, in ascending order, NaN behind all numbers: in the place of the axis.
    Smallest(usize),
}

/// A factor of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The value that it reads.
    pub name: Name,
    /// Whether its last two axes are swapped.
    pub transposed: bool,
}

/// How a stage makes its value.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// A formula of elements, with one output and inputs named as the values they read.
    Elements(Program),
    /// Such a formula, reduced over the last axis of what its operands broadcast to.
    Reduction(Reduce, Program),
    /// A product as [`matmul`](crate::ops::linalg::matmul) has it.
    Product(Factor, Factor),
}

/// A stage: one value, and how it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The name of the value.
    pub name: Name,
    /// When it runs: after all stages with smaller numbers.
    pub number: u32,
    /// The shape of the value.
    pub shape: Vec<Extent>,
    /// How it is made.
    pub work: Work,
    /// In which type.
    pub precision: Precision,
    /// Whether a product may round its factors.
    pub tensor_cores: TensorCores,
}

/// A value that goes from round to round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Its name in the loop. Outside, the name means what the loop begins with.
    pub name: Name,
    /// The stage of the loop that makes the next one.
    pub from: Name,
}

/// Stages that are repeated together; a stage outside of a loop is a block of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// How often.
    pub times: usize,
    /// What goes from round to round.
    pub carried: Vec<Carried>,
    /// The stage that ends the loop after a round that leaves it other than 0, if one does: a single number.
    pub until: Option<Name>,
    /// The stages.
    pub stages: Vec<Stage>,
}

/// A pipeline as data. It is checked when it is made, by [`stages!`](crate::stages!) or a [`Builder`](super::Builder).
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub(super) name: Name,
    pub(super) inputs: Vec<Input>,
    pub(super) blocks: Vec<Block>,
    pub(super) outputs: Vec<Name>,
    pub(super) known: Known,
}

impl Reduce {
    /// The name that a plan calls it by.
    ///
    /// ```
    /// use syntonic_core::pipeline::Reduce;
    ///
    /// assert_eq!(Reduce::Max.name(), "max");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Reduce::Sum => "sum",
            Reduce::Prod => "prod",
            Reduce::Min => "min",
            Reduce::Max => "max",
            Reduce::Mean => "mean",
            Reduce::Count => "count",
            Reduce::Smallest(_) => "smallest",
        }
    }

    /// The fold, if it is one alone.
    pub(super) fn fold(self) -> Option<Fold> {
        Some(match self {
            Reduce::Sum => Fold::Sum,
            Reduce::Prod => Fold::Prod,
            Reduce::Min => Fold::Min,
            Reduce::Max => Fold::Max,
            Reduce::Mean | Reduce::Count | Reduce::Smallest(_) => return None,
        })
    }
}

impl Work {
    /// The formula, where it has one.
    ///
    /// ```
    /// use syntonic_core::pipeline::Stage;
    ///
    /// let product = Stage::product("y", 1, &["m"], "a", "x");
    /// assert!(product.work.formula().is_none());
    /// let sum = Stage::elements("z", 2, &["m"], ["y", "b"], |[y, b]| y + b);
    /// assert_eq!(sum.work.formula().unwrap().inputs.len(), 2);
    /// ```
    pub fn formula(&self) -> Option<&Program> {
        match self {
            Work::Elements(formula) | Work::Reduction(_, formula) => Some(formula),
            Work::Product(..) => None,
        }
    }

    /// The values that it reads, in order.
    ///
    /// ```
    /// use syntonic_core::pipeline::Stage;
    ///
    /// let sum = Stage::elements("z", 2, &["m"], ["y", "b"], |[y, b]| y + b);
    /// assert_eq!(sum.work.reads(), ["y", "b"]);
    /// ```
    pub fn reads(&self) -> Vec<&str> {
        match self {
            // few: operands of one formula.
            Work::Elements(formula) | Work::Reduction(_, formula) => {
                formula.inputs.iter().map(|input| &*input.name).collect()
            }
            Work::Product(a, b) => vec![&a.name, &b.name],
        }
    }
}

impl Block {
    /// The stages in the order in which they run.
    pub(super) fn in_order(&self) -> Vec<&Stage> {
        // few: stages of one loop.
        let mut stages: Vec<&Stage> = self.stages.iter().collect();
        stages.sort_by_key(|stage| stage.number);
        stages
    }

    fn first(&self) -> u32 {
        let numbers = self.stages.iter().map(|stage| stage.number);
        numbers.min().unwrap_or(0)
    }
}

impl Plan {
    /// Its name.
    ///
    /// ```
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Next(x: [n]) -> (y) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///     }
    /// }
    /// assert_eq!(Next::plan().name(), "Next");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its inputs, in call order.
    ///
    /// ```
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Next(x: [n]) -> (y) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///     }
    /// }
    /// assert_eq!(Next::plan().inputs()[0].name, "x");
    /// ```
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Its loops and single stages, as they were declared.
    ///
    /// ```
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// assert_eq!(Twice::plan().blocks().len(), 2);
    /// ```
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The stages whose values it returns, in order.
    ///
    /// ```
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Next(x: [n]) -> (y) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///     }
    /// }
    /// assert_eq!(Next::plan().outputs(), ["y"]);
    /// ```
    pub fn outputs(&self) -> &[Name] {
        &self.outputs
    }

    /// Every stage, as they were declared.
    ///
    /// ```
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// let names: Vec<&str> = Twice::plan().stages().map(|stage| &*stage.name).collect();
    /// assert_eq!(names, ["y", "z"]);
    /// ```
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.blocks.iter().flat_map(|block| &block.stages)
    }

    /// The stage of this name.
    ///
    /// ```
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Twice(x: [n]) -> (z) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///         #[stage(2)] z: [n] = |y| y * y;
    ///     }
    /// }
    /// assert_eq!(Twice::plan().stage("z").unwrap().number, 2);
    /// assert!(Twice::plan().stage("x").is_none());
    /// ```
    pub fn stage(&self, name: &str) -> Option<&Stage> {
        self.stages().find(|stage| stage.name == name)
    }

    /// The blocks in the order in which they run.
    pub(super) fn in_order(&self) -> Vec<&Block> {
        // few: loops and stages of a plan.
        let mut blocks: Vec<&Block> = self.blocks.iter().collect();
        blocks.sort_by_key(|block| block.first());
        blocks
    }
}
