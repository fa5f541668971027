//! Plans that are put together while a program runs.

use super::plan::{
    Block, Carried, Extent, Factor, Input, Name, Plan, Precision, Reduce, Stage, TensorCores, Work,
};
use crate::error::{Error, Result};
use crate::fuse::notation::{IntoSym, Sym, over};
use crate::fuse::{self, NodeId, Program, Role, Yield};

/// A plan that is put together while a program runs, with the same checks as one of [`stages!`](crate::stages!).
///
/// ```
/// use syntonic_core::pipeline::{Builder, Stage};
/// use syntonic_core::stages;
///
/// stages! {
///     struct Affine(x: [n], a: [m, n], b: [m]) -> (y) {
///         #[stage(1)] ax: [m] = product(a, x);
///         #[stage(2)] y: [m] = |ax, b| ax + b;
///     }
/// }
///
/// let plan = Builder::new("Affine")
///     .input("x", &["n"])
///     .input("a", &["m", "n"])
///     .input("b", &["m"])
///     .stage(Stage::product("ax", 1, &["m"], "a", "x"))
///     .stage(Stage::elements("y", 2, &["m"], ["ax", "b"], |[ax, b]| ax + b))
///     .output("y")
///     .finish()?;
/// assert_eq!(&plan, Affine::plan());
///
/// let wrong = Builder::new("Affine")
///     .input("x", &["n"])
///     .stage(Stage::elements("y", 1, &["n"], ["z"], |[z]| z + 1.0))
///     .output("y")
///     .finish();
/// let text = wrong.unwrap_err().to_string();
/// assert!(text.contains("stage y reads z, which is no input and no stage makes"));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a plan is made by `finish`"]
pub struct Builder {
    plan: Plan,
}

impl Builder {
    /// An empty plan.
    pub fn new(name: impl Into<Name>) -> Builder {
        Builder {
            plan: Plan {
                name: name.into(),
                inputs: Vec::new(),
                blocks: Vec::new(),
                outputs: Vec::new(),
            },
        }
    }

    /// Another input. Extents are names, or numbers: `&["n", "3"]`.
    pub fn input(mut self, name: impl Into<Name>, shape: &[&str]) -> Builder {
        self.plan.inputs.push(Input {
            name: name.into(),
            shape: extents(shape),
        });
        self
    }

    /// Another stage outside of any loop.
    pub fn stage(self, stage: Stage) -> Builder {
        self.repeat(1, &[], [stage])
    }

    /// Stages that run `times` times. In the loop, the first name of each pair stands for what the stage of the second made in the
    /// round before.
    pub fn repeat(
        mut self,
        times: usize,
        carried: &[(&str, &str)],
        stages: impl IntoIterator<Item = Stage>,
    ) -> Builder {
        let carried = carried.iter().map(|&(name, from)| Carried {
            name: Name::Owned(name.to_owned()),
            from: Name::Owned(from.to_owned()),
        });
        // few: what a plan names.
        self.plan.blocks.push(Block {
            times,
            carried: carried.collect(),
            stages: stages.into_iter().collect(),
        });
        self
    }

    /// Another value that the plan returns.
    pub fn output(mut self, name: impl Into<Name>) -> Builder {
        self.plan.outputs.push(name.into());
        self
    }

    /// The plan.
    ///
    /// # Errors
    /// [`Error::Plan`] for the first thing that is wrong with it: what [`Sketch::fault`](super::Sketch::fault) finds, or a formula
    /// with numbers given at run time, with operands that are not elements, or without exactly one output of elements.
    pub fn finish(self) -> Result<Plan> {
        let Builder { plan } = self;
        plan.sketched(|sketch| match sketch.fault() {
            None => Ok(()),
            Some(fault) => Err(plan.refusal(fault.stage, fault.what().as_str())),
        })?;
        for stage in plan.stages() {
            let odd = |formula: &Program| {
                let elements = formula.inputs.iter().all(|i| i.role == Role::Element);
                !elements || !matches!(&formula.outputs[..], [one] if one.role == Yield::Element)
            };
            if stage.work.formula().is_some_and(odd) {
                let what = "has a formula that is none of elements; hint: its operands and its one output are `element`";
                return Err(plan.refusal(&stage.name, what));
            }
        }
        Ok(plan)
    }
}

impl Plan {
    /// An error of this plan.
    pub(super) fn refusal(&self, stage: &str, what: &str) -> Error {
        Error::Plan {
            plan: self.name.to_string(),
            stage: stage.to_owned(),
            what: what.to_owned(),
        }
    }
}

impl Stage {
    /// A formula of elements over the values of these names.
    pub fn elements<const N: usize, S: IntoSym>(
        name: impl Into<Name>,
        number: u32,
        shape: &[&str],
        reads: [&str; N],
        formula: impl FnOnce([Sym; N]) -> S,
    ) -> Stage {
        let name = name.into();
        let formula = traced(name.clone(), owned(reads), formula);
        Stage::new(name, number, shape, Work::Elements(formula))
    }

    /// A formula of elements over the values of these names, reduced over the last axis.
    pub fn reduction<const N: usize, S: IntoSym>(
        name: impl Into<Name>,
        number: u32,
        shape: &[&str],
        reads: [&str; N],
        reduce: Reduce,
        formula: impl FnOnce([Sym; N]) -> S,
    ) -> Stage {
        let name = name.into();
        let formula = traced(name.clone(), owned(reads), formula);
        Stage::new(name, number, shape, Work::Reduction(reduce, formula))
    }

    /// A product of matrices or vectors.
    pub fn product(
        name: impl Into<Name>,
        number: u32,
        shape: &[&str],
        a: impl Into<Factor>,
        b: impl Into<Factor>,
    ) -> Stage {
        Stage::new(
            name.into(),
            number,
            shape,
            Work::Product(a.into(), b.into()),
        )
    }

    /// The stage that does this work.
    pub fn new(name: impl Into<Name>, number: u32, shape: &[&str], work: Work) -> Stage {
        Stage {
            name: name.into(),
            number,
            shape: extents(shape),
            work,
            precision: Precision::default(),
            tensor_cores: TensorCores::default(),
        }
    }

    /// The same with another precision.
    #[must_use]
    pub fn precision(self, precision: Precision) -> Stage {
        Stage { precision, ..self }
    }

    /// The same with another choice for products.
    #[must_use]
    pub fn tensor_cores(self, tensor_cores: TensorCores) -> Stage {
        Stage {
            tensor_cores,
            ..self
        }
    }
}

impl Factor {
    /// The value with its last two axes swapped.
    pub fn transposed(name: impl Into<Name>) -> Factor {
        Factor {
            name: name.into(),
            transposed: true,
        }
    }
}

impl From<&'static str> for Factor {
    fn from(name: &'static str) -> Factor {
        Factor {
            name: Name::Borrowed(name),
            transposed: false,
        }
    }
}

impl From<String> for Factor {
    fn from(name: String) -> Factor {
        Factor {
            name: Name::Owned(name),
            transposed: false,
        }
    }
}

fn owned<const N: usize>(names: [&str; N]) -> [Name; N] {
    names.map(|name| Name::Owned(name.to_owned()))
}

fn extents(shape: &[&str]) -> Vec<Extent> {
    let extent = |text: &&str| match text.parse() {
        Ok(n) => Extent::Number(n),
        Err(_) => Extent::Symbol(Name::Owned((*text).to_owned())),
    };
    // few: axes.
    shape.iter().map(extent).collect()
}

/// The formula of a stage over values of these names.
#[doc(hidden)]
pub fn traced<const N: usize, S: IntoSym>(
    name: Name,
    reads: [Name; N],
    formula: impl FnOnce([Sym; N]) -> S,
) -> Program {
    let mut builder = fuse::Builder::new();
    let nodes: [NodeId; N] = reads.map(|name| builder.input(name, Role::Element));
    let out = over(&mut builder, &nodes, |values| formula(values).sym());
    builder.output(out, Yield::Element);
    builder.finish(name, fuse::Precision::Wide)
}
