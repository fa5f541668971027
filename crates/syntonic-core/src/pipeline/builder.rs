//! Plans that are put together while a program runs.

use super::one_launch::Known;
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
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Mode, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// let plan = Builder::new("Square")
    ///     .input("x", &["n"])
    ///     .stage(Stage::elements("y", 1, &["n"], ["x"], |[x]| x * x))
    ///     .output("y")
    ///     .finish()?;
    /// let y = plan.run(&[&Tensor::from([2.0, 3.0])], Mode::Fused)?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [4.0, 9.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(name: impl Into<Name>) -> Builder {
        Builder {
            plan: Plan {
                name: name.into(),
                inputs: Vec::new(),
                blocks: Vec::new(),
                outputs: Vec::new(),
                known: Known::default(),
            },
        }
    }

    /// Another input. Extents are names, or numbers: `&["n", "3"]`.
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// let plan = Builder::new("Sum")
    ///     .input("x", &["n", "3"])
    ///     .input("b", &["3"])
    ///     .stage(Stage::elements("y", 1, &["n", "3"], ["x", "b"], |[x, b]| x + b))
    ///     .output("y")
    ///     .finish()?;
    /// assert_eq!(plan.inputs().len(), 2);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn input(mut self, name: impl Into<Name>, shape: &[&str]) -> Builder {
        self.plan.inputs.push(Input {
            name: name.into(),
            shape: extents(shape),
        });
        self
    }

    /// Another stage outside of any loop.
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// let reads = |name| {
    ///     let stage = Stage::elements("y", 1, &["n"], [name], |[x]| x + 1.0);
    ///     Builder::new("Next").input("x", &["n"]).stage(stage).output("y").finish()
    /// };
    /// assert!(reads("x").is_ok());
    /// assert!(reads("z").is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn stage(self, stage: Stage) -> Builder {
        self.repeat(1, &[], [stage])
    }

    /// Stages that run `times` times. In the loop, the first name of each pair stands for what the stage of the second made in the
    /// round before.
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Mode, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// // Newton's steps to the square root of 2: `next` begins as the input `guess`.
    /// let plan = Builder::new("Root")
    ///     .input("guess", &["n"])
    ///     .repeat(6, &[("guess", "next")], [Stage::elements("next", 1, &["n"], ["guess"], |[g]| 0.5 * (g + 2.0 / g))])
    ///     .output("next")
    ///     .finish()?;
    /// let root = plan.run(&[&Tensor::from([1.0])], Mode::Fused)?;
    /// assert!((root[0].to_scalar::<f64>()? - 2f64.sqrt()).abs() < 1e-15);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn repeat(
        self,
        times: usize,
        carried: &[(&str, &str)],
        stages: impl IntoIterator<Item = Stage>,
    ) -> Builder {
        self.block(times, None, carried, stages)
    }

    /// As [`Builder::repeat`], for a loop that ends earlier: after the round that leaves the stage `until`, a single number of the loop, other
    /// than 0.
    ///
    /// ```
    /// use syntonic_core::fuse::notation::{abs, lt, select};
    /// use syntonic_core::pipeline::{Builder, Mode, Reduce, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// // Newton's steps until none is longer than 1e-9.
    /// let next = Stage::elements("next", 1, &["n"], ["guess"], |[g]| 0.5 * (g + 2.0 / g));
    /// let step = Stage::reduction("step", 2, &[], ["guess", "next"], Reduce::Max, |[g, next]| abs(next - g));
    /// let done = Stage::elements("done", 3, &[], ["step"], |[step]| select(lt(step, 1e-9), 1.0, 0.0));
    /// let rounds = Stage::elements("rounds", 1, &["1"], ["count"], |[count]| count + 1.0);
    /// let plan = Builder::new("Root")
    ///     .input("guess", &["n"])
    ///     .input("count", &["1"])
    ///     .repeat_until(100, "done", &[("guess", "next"), ("count", "rounds")], [next, step, done, rounds])
    ///     .output("next")
    ///     .output("rounds")
    ///     .finish()?;
    /// let out = plan.run(&[&Tensor::from([1.0, 3.0]), &Tensor::from([0.0])], Mode::Fused)?;
    /// assert!((out[0].to_vec::<f64>()?[1] - 2f64.sqrt()).abs() < 1e-15);
    /// assert_eq!(out[1].to_vec::<f64>()?, [6.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn repeat_until(
        self,
        times: usize,
        until: &str,
        carried: &[(&str, &str)],
        stages: impl IntoIterator<Item = Stage>,
    ) -> Builder {
        self.block(times, Some(Name::Owned(until.to_owned())), carried, stages)
    }

    fn block(
        mut self,
        times: usize,
        until: Option<Name>,
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
            until,
            carried: carried.collect(),
            stages: stages.into_iter().collect(),
        });
        self
    }

    /// Another value that the plan returns.
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// let plan = Builder::new("Both")
    ///     .input("x", &["n"])
    ///     .stage(Stage::elements("y", 1, &["n"], ["x"], |[x]| x + 1.0))
    ///     .stage(Stage::elements("z", 2, &["n"], ["y"], |[y]| y * y))
    ///     .output("y")
    ///     .output("z")
    ///     .finish()?;
    /// assert_eq!(plan.outputs(), ["y", "z"]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn output(mut self, name: impl Into<Name>) -> Builder {
        self.plan.outputs.push(name.into());
        self
    }

    /// The plan.
    ///
    /// # Errors
    /// [`Error::Plan`] for the first thing that is wrong with it: what [`Sketch::fault`](super::Sketch::fault) finds, or a formula
    /// that is no program ([`Program::check`]), with numbers given at run time, with operands that are not elements, or without exactly one output of elements.
    ///
    /// ```
    /// use syntonic_core::pipeline::Builder;
    /// use syntonic_core::prelude::*;
    ///
    /// let nothing = Builder::new("Nothing").input("x", &["n"]).output("y").finish();
    /// assert!(matches!(nothing, Err(syntonic_core::Error::Plan { .. })));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
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
            if let Some(Err(fault)) = stage.work.formula().map(Program::check) {
                return Err(
                    plan.refusal(&stage.name, &format!("has a formula that is none: {fault}"))
                );
            }
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
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Mode, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// let plan = Builder::new("Scale")
    ///     .input("x", &["n", "m"])
    ///     .input("w", &["m"])
    ///     .stage(Stage::elements("y", 1, &["n", "m"], ["x", "w"], |[x, w]| x * w))
    ///     .output("y")
    ///     .finish()?;
    /// let y = plan.run(&[&Tensor::from([[1.0, 2.0]]), &Tensor::from([10.0, 100.0])], Mode::Fused)?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [10.0, 200.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
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
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Mode, Reduce, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// let plan = Builder::new("Squares")
    ///     .input("x", &["n", "m"])
    ///     .stage(Stage::reduction("y", 1, &["n", "1"], ["x"], Reduce::Sum, |[x]| x * x))
    ///     .output("y")
    ///     .finish()?;
    /// let y = plan.run(&[&Tensor::from([[3.0, 4.0], [1.0, 0.0]])], Mode::Fused)?;
    /// assert_eq!((y[0].shape(), y[0].to_vec::<f64>()?), (&[2, 1][..], vec![25.0, 1.0]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
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
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Mode, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// let plan = Builder::new("Product")
    ///     .input("a", &["m", "n"])
    ///     .input("x", &["n"])
    ///     .stage(Stage::product("y", 1, &["m"], "a", "x"))
    ///     .output("y")
    ///     .finish()?;
    /// let a = Tensor::from([[1.0, 2.0], [3.0, 4.0]]);
    /// let y = plan.run(&[&a, &Tensor::from([10.0, 1.0])], Mode::Fused)?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [12.0, 34.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
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
    ///
    /// ```
    /// use syntonic_core::pipeline::{Factor, Stage, Work};
    ///
    /// let (a, x) = (Factor::from("a"), Factor::from("x"));
    /// let stage = Stage::new("y", 1, &["m"], Work::Product(a, x));
    /// assert_eq!(stage, Stage::product("y", 1, &["m"], "a", "x"));
    /// ```
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
    ///
    /// ```
    /// use syntonic_core::pipeline::{Precision, Stage};
    ///
    /// let stage = Stage::product("y", 1, &["m"], "a", "x").precision(Precision::Double);
    /// assert_eq!(stage.precision, Precision::Double);
    /// ```
    #[must_use]
    pub fn precision(self, precision: Precision) -> Stage {
        Stage { precision, ..self }
    }

    /// The same with another choice for products.
    ///
    /// ```
    /// use syntonic_core::pipeline::{Stage, TensorCores};
    ///
    /// let stage = Stage::product("y", 1, &["m"], "a", "x").tensor_cores(TensorCores::Forbidden);
    /// assert_eq!(stage.tensor_cores, TensorCores::Forbidden);
    /// ```
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
    ///
    /// ```
    /// use syntonic_core::pipeline::{Builder, Factor, Mode, Stage};
    /// use syntonic_core::prelude::*;
    ///
    /// let plan = Builder::new("Gram")
    ///     .input("a", &["m", "n"])
    ///     .stage(Stage::product("g", 1, &["n", "n"], Factor::transposed("a"), "a"))
    ///     .output("g")
    ///     .finish()?;
    /// let g = plan.run(&[&Tensor::from([[1.0, 2.0]])], Mode::Fused)?;
    /// assert_eq!(g[0].to_vec::<f64>()?, [1.0, 2.0, 2.0, 4.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
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
