//! The ways in which a plan runs over tensors.

use super::binding::Extents;
use super::formula::{End, Types, explicit};
use super::plan::{Factor, Plan, Reduce, Stage, TensorCores, Work};
use super::reference::{Grid, Reference, broadcast};
use super::walk::{Executor, walk};
use crate::error::{Error, Result};
use crate::fuse::Program;
use crate::graph::Graph;
use crate::lazy::{self, Reduction};
use crate::ops::order::{self, Extreme, Ranked};
use crate::ops::{linalg, reduce};
use crate::profile;
use crate::run::{self, Axes};
use crate::tensor::Tensor;

/// How a plan runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Number by number in double precision, on the host: slow, and what all else is compared with. Its results are `float64`.
    Reference,
    /// Every stage by itself.
    Unfused,
    /// As [`Mode::Fused`] where a device has no launch for a whole plan: stages are fused where they are read, and products, loops and
    /// values of several shapes are launches of their own.
    Partial,
    /// Stages wait and are fused where they are read: chains and reductions become one program, a formula over a large product
    /// its end. What is small is computed at once, as it is elsewhere.
    Fused,
    /// The fused run, taken down as a [`Graph`] and replayed once. To replay it more often, see [`Plan::capture`].
    Captured,
}

impl Plan {
    /// The values of the outputs, in memory. Inputs are in the order of the plan.
    ///
    /// # Errors
    /// [`Error::Extent`] for an input with another extent than its symbol has, [`Error::Shape`] for another number of axes,
    /// [`Error::DType`] for inputs that are no real floats, [`Error::Device`] for several devices, [`Error::EmptyReduction`] for
    /// the least or largest of nothing, and what the operations meet.
    ///
    /// ```
    /// use syntonic_core::pipeline::Mode;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Total(x: [n, m]) -> (y) {
    ///         #[stage(1, reduction = sum)] y: [n, 1] = |x| x * x;
    ///     }
    /// }
    /// let x = Tensor::from([[3.0, 4.0], [1.0, 2.0]]);
    /// for mode in [Mode::Reference, Mode::Unfused, Mode::Fused, Mode::Captured] {
    ///     assert_eq!(Total::plan().run(&[&x], mode)?[0].to_vec::<f64>()?, [25.0, 5.0]);
    /// }
    /// assert!(Total::plan().run(&[&Tensor::from([1.0])], Mode::Fused).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn run(&self, inputs: &[&Tensor], mode: Mode) -> Result<Vec<Tensor>> {
        self.run_for(inputs, mode, None)
    }

    /// The fused run over inputs like these as a graph.
    ///
    /// ```
    /// use syntonic_core::{Tensor, stages};
    /// stages! {
    ///     struct Doubled(x: [n]) -> (y) {
    ///         #[stage(1)] y: [n] = |x| x + x;
    ///     }
    /// }
    /// let graph = Doubled::plan().capture(&[&Tensor::from([1.0, 2.0])])?;
    /// let y = graph.replay(&[&Tensor::from([3.0, 4.0])])?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [6.0, 8.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Plan::run`] and [`Graph::capture`].
    pub fn capture(&self, inputs: &[&Tensor]) -> Result<Captured> {
        self.bind(inputs)?;
        let graph = Graph::capture(inputs, |own| self.run_for(own, Mode::Fused, None))?;
        Ok(Captured { graph })
    }

    /// A run whose launches are recorded as asked for from `site`.
    pub(super) fn run_for(
        &self,
        inputs: &[&Tensor],
        mode: Mode,
        site: Option<&str>,
    ) -> Result<Vec<Tensor>> {
        if mode == Mode::Captured {
            return self.capture(inputs)?.replay(inputs);
        }
        let extents = self.bind(inputs)?;
        if mode == Mode::Reference {
            // few: inputs and outputs of a plan.
            let grids = inputs
                .iter()
                .map(|t| Grid::of(t))
                .collect::<Result<Vec<_>>>()?;
            let outputs = walk(self, grids, &mut Reference(&extents))?;
            let back = |grid: Grid| grid.tensor()?.to(inputs[0].device());
            return outputs.into_iter().map(back).collect();
        }
        if mode == Mode::Fused
            && let Some(outputs) = self.in_one_launch(inputs, &extents, site)?
        {
            return Ok(outputs);
        }
        let mut tensors = Tensors {
            extents: &extents,
            fused: mode != Mode::Unfused,
            site,
        };
        let given = inputs.iter().map(|&t| t.clone());
        let mut outputs = walk(self, given, &mut tensors)?;
        for stage in self.in_order().iter().flat_map(|block| block.in_order()) {
            // What is read by a later one is in memory then.
            for (name, value) in self.outputs.iter().zip(&mut outputs) {
                if *name == stage.name {
                    *value = tensors.within(&stage.name, || value.eval())?;
                }
            }
        }
        Ok(outputs)
    }
}

/// The fused run of a plan over inputs of certain shapes and types, to be replayed over others like them.
#[derive(Debug)]
pub struct Captured {
    graph: Graph,
}

impl Captured {
    /// The values of the outputs.
    ///
    /// # Errors
    /// As [`Graph::replay`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Next(x: [n]) -> (y) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///     }
    /// }
    /// let captured = Next::plan().capture(&[&Tensor::from([0.0, 0.0])])?;
    /// assert_eq!(captured.replay(&[&Tensor::from([3.0, 4.0])])?[0].to_vec::<f64>()?, [4.0, 5.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn replay(&self, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        self.graph.replay(inputs)
    }

    /// The graph itself.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::stages;
    ///
    /// stages! {
    ///     struct Next(x: [n]) -> (y) {
    ///         #[stage(1)] y: [n] = |x| x + 1.0;
    ///     }
    /// }
    /// let captured = Next::plan().capture(&[&Tensor::from([0.0, 0.0])])?;
    /// assert_eq!(captured.graph().inputs().0[0].shape, [2]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// Runs stages over tensors.
struct Tensors<'a> {
    extents: &'a Extents<'a>,
    fused: bool,
    site: Option<&'a str>,
}

impl Executor for Tensors<'_> {
    type Value = Tensor;

    fn stage(&mut self, stage: &Stage, reads: &[Tensor]) -> Result<Tensor> {
        let shape = self.extents.shape(&stage.shape);
        self.within(&stage.name, || {
            let made = match &stage.work {
                Work::Elements(formula) => self.elements(stage, formula, reads, &shape),
                Work::Reduction(Reduce::Smallest(k), formula) => {
                    self.smallest(stage, *k, formula, reads)
                }
                Work::Reduction(how, formula) => {
                    self.reduction(stage, *how, formula, reads, &shape)
                }
                Work::Product(a, b) => product(stage, [a, b], reads),
            }?;
            if self.fused { Ok(made) } else { made.eval() }
        })
    }

    fn carry(&mut self, next: Tensor, start: &Tensor) -> Result<Tensor> {
        next.cast(start.dtype())
    }

    fn ends(&mut self, value: &Tensor) -> Result<bool> {
        Ok(value.reshape(&[])?.to_scalar::<f64>()? != 0.0)
    }
}

impl Tensors<'_> {
    /// Does work that is recorded under the name of a stage.
    fn within<T>(&self, stage: &str, work: impl FnOnce() -> T) -> T {
        match self.site {
            Some(site) => profile::with_site(format!("{site}{stage}"), work),
            None => work(),
        }
    }

    fn elements(
        &self,
        stage: &Stage,
        formula: &Program,
        reads: &[Tensor],
        shape: &[usize],
    ) -> Result<Tensor> {
        let types = Types::of(stage.precision, reads.iter().map(Tensor::dtype));
        let reads = &stored(reads)?[..];
        let program = explicit(formula, types, End::Rounded);
        if program.looks_at_rows() {
            return over_rows(&program, reads, shape);
        }
        if self.fused && !types.rounds_each_step() {
            return lazy::formula(program, reads, types.value, shape);
        }
        // few: operands of one formula.
        let inputs: Vec<&Tensor> = reads.iter().collect();
        Ok(run::map_again(&program, &inputs, shape, reads[0].device())?.remove(0))
    }

    fn reduction(
        &self,
        stage: &Stage,
        how: Reduce,
        formula: &Program,
        reads: &[Tensor],
        shape: &[usize],
    ) -> Result<Tensor> {
        let types = Types::of(stage.precision, reads.iter().map(Tensor::dtype));
        let reads = &stored(reads)?[..];
        let over = broadcast(reads.iter().map(Tensor::shape)).unwrap_or_default();
        let elements = over.iter().fold(1usize, |n, &len| n.saturating_mul(len));
        let row = over.last().copied().unwrap_or(1);
        let keep = if shape.len() == over.len() {
            Axes::Keep
        } else {
            Axes::Drop
        };
        let fuses = self.fused && !types.rounds_each_step();
        let folds = how == Reduce::Mean || how.fold().is_some();
        if fuses && folds && row > 1 && !formula.looks_at_rows() && lazy::waits(reads, elements) {
            let open = explicit(formula, types, End::Open);
            let x = lazy::formula(open, reads, types.compute, &over)?;
            let rows = match how.fold() {
                None => reduce::Moment::Mean.formula(types.compute),
                Some(fold) => reduce::fold_formula(fold),
            };
            let reduction = Reduction::new(rows, None, &[over.len() - 1]);
            return reduction.deferred(&x, keep)?.cast(types.value);
        }
        let program = explicit(formula, types, End::Reduced(how));
        // few: operands of one formula.
        let inputs: Vec<&Tensor> = reads.iter().collect();
        let out = run::rows_again(&program, &inputs, &[-1])
            .map_err(|e| named(e, how))?
            .remove(0);
        match keep {
            Axes::Keep => out.expand_dims(&[-1]),
            Axes::Drop => Ok(out),
        }
    }
}

impl Tensors<'_> {
    /// The `k` smallest of each row.
    fn smallest(
        &self,
        stage: &Stage,
        k: usize,
        formula: &Program,
        reads: &[Tensor],
    ) -> Result<Tensor> {
        let over = broadcast(reads.iter().map(Tensor::shape)).unwrap_or_default();
        let all = self.elements(stage, formula, reads, &over)?;
        let (values, _) = order::topk(&all, k, -1, Extreme::Smallest, Ranked::InOrder)?;
        Ok(values)
    }
}

/// What a stage reads: values of their types, whether it is computed with what they are made of or alone.
fn stored(reads: &[Tensor]) -> Result<Vec<Tensor>> {
    // few: operands of one formula.
    reads.iter().map(|t| t.cast(t.dtype())).collect()
}

/// A formula with folds or counts over the last axis of the stage's shape; a single number is a row of its own.
fn over_rows(program: &Program, reads: &[Tensor], shape: &[usize]) -> Result<Tensor> {
    let rows = if shape.is_empty() { &[1][..] } else { shape };
    let spread = reads.iter().map(|t| t.broadcast_to(rows));
    // few: operands of one formula.
    let spread = spread.collect::<Result<Vec<_>>>()?;
    let inputs: Vec<&Tensor> = spread.iter().collect();
    let out = run::rows_again(program, &inputs, &[-1])?.remove(0);
    if shape.is_empty() {
        return out.squeeze(&[0]);
    }
    Ok(out)
}

fn product(stage: &Stage, factors: [&Factor; 2], reads: &[Tensor]) -> Result<Tensor> {
    let types = Types::of(stage.precision, reads.iter().map(Tensor::dtype));
    let side = |k: usize| {
        let x = reads[k].cast(types.value)?;
        if factors[k].transposed {
            x.transpose(-1, -2)
        } else {
            Ok(x)
        }
    };
    let (a, b) = (side(0)?, side(1)?);
    let precision = match stage.tensor_cores {
        TensorCores::AsSet => linalg::precision(),
        TensorCores::Allowed => linalg::Precision::Medium,
        TensorCores::Forbidden => linalg::Precision::Highest,
    };
    linalg::matmul_as(&a, &b, precision)
}

/// The error with the name of the reduction.
fn named(e: Error, how: Reduce) -> Error {
    match e {
        Error::EmptyReduction { operands, .. } => Error::EmptyReduction {
            op: how.name(),
            operands,
        },
        other => other,
    }
}
