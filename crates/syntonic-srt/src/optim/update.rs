//! Updates of one parameter, and of all parameters of a model at once.

use super::clip::Bound;
use super::{Optimizer, positive};
use crate::refusal::not_real;
use syntonic_core::fuse::Program;
use syntonic_core::run::{Group, map_each};
use syntonic_core::{DType, Error, Result, Scalar, Tensor, describe, same_device};

/// A parameter before an update, with what belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// The parameter. With a master copy its type alone is looked at.
    pub parameter: &'a Tensor,
    /// The copy of it in `float32` that takes the update, where there is one; the new parameter is the new copy, rounded once. Begin with
    /// `parameter.cast(DType::F32)`.
    pub master: Option<&'a Tensor>,
    /// Its gradient.
    pub gradient: &'a Tensor,
    /// Its moments; begin with [`Optimizer::moments`].
    pub moments: &'a [Tensor],
}

/// A parameter after an update, and its moments.
#[derive(Clone, Debug)]
pub struct Updated {
    /// The new parameter, of the old one's shape and type.
    pub parameter: Tensor,
    /// The new master copy, where there is one.
    pub master: Option<Tensor>,
    /// The new moments, as many as before.
    pub moments: Vec<Tensor>,
}

/// The formula of an update, and its numbers in the order of its inputs.
pub(super) struct Formula {
    pub(super) program: &'static Program,
    pub(super) numbers: Vec<f64>,
}

/// The place of the gradient among the inputs of a formula.
const GRADIENT: usize = 1;

impl Optimizer {
    /// The update of number `step`, from 1 on, at the learning rate `rate`: `parameter`, `gradient` and moments of one shape.
    ///
    /// Real floats, each of its own type; half types are computed in `float32` and rounded once, and moments that are given in a half type
    /// come back in `float32`. Errors: [`Error::Value`] for a step of 0, a rate that is
    /// negative or not finite, settings out of their range, or another number of moments; [`Error::Shape`] where the shapes
    /// differ; [`Error::DType`] for other types.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_srt::optim::{Optimizer, Sgd};
    ///
    /// let (x, slope) = (Tensor::from([1.0, 2.0]), Tensor::from([4.0, -2.0]));
    /// let after = Optimizer::from(Sgd::default()).update(1, 0.5, &x, &slope, &[])?;
    /// assert_eq!(after.parameter.to_vec::<f64>()?, [-1.0, 3.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn update(
        &self,
        step: u64,
        rate: f64,
        parameter: &Tensor,
        gradient: &Tensor,
        moments: &[Tensor],
    ) -> Result<Updated> {
        let leaf = Leaf {
            parameter,
            master: None,
            gradient,
            moments,
        };
        let made = self.update_each(step, rate, &[leaf], None)?;
        made.into_iter().next().ok_or_else(|| self.missing())
    }

    /// [`Optimizer::update`] of all parameters of a model, on a GPU in one launch for each combination of types that they, their gradients and
    /// moments have. The bits are those of an update of each alone.
    ///
    /// With `max_norm` the gradients are first scaled so that all of them together are no longer than that, as
    /// [`clip_by_global_norm`](super::clip_by_global_norm) does it, inside the update: two more launches find the length, nothing is read by the
    /// host, and a scaled gradient is not rounded to its type.
    ///
    /// Errors: as of [`Optimizer::update`], for any of the leaves; [`Error::Value`] for a `max_norm` that is negative or not finite, and for a
    /// parameter with a master copy that is no real float; [`Error::Device`] where leaves are on two devices. No leaf is changed.
    ///
    /// ```
    /// use syntonic_core::{DType, Tensor};
    /// use syntonic_srt::optim::{Leaf, Optimizer, Sgd};
    ///
    /// // A step of 1e-4 moves no float16 near 1, whose neighbours are 5e-4 and 1e-3 away. Ten of them do.
    /// let gradient = Tensor::from([1.0]).cast(DType::F16)?;
    /// let (sgd, mut master) = (Optimizer::from(Sgd::default()), Tensor::from([1f32]));
    /// let mut x = master.cast(DType::F16)?;
    /// for step in 1..=10 {
    ///     let leaf = Leaf { parameter: &x, master: Some(&master), gradient: &gradient, moments: &[] };
    ///     let made = sgd.update_each(step, 1e-4, &[leaf], None)?.remove(0);
    ///     (x, master) = (made.parameter, made.master.unwrap_or(master));
    /// }
    /// assert_eq!(x.to_vec::<f64>()?, [1.0 - 2f64.powi(-10)]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn update_each(
        &self,
        step: u64,
        rate: f64,
        leaves: &[Leaf<'_>],
        max_norm: Option<f64>,
    ) -> Result<Vec<Updated>> {
        let op = self.name();
        if step == 0 {
            let what = "step is 0; hint: updates are counted from 1";
            return Err(Error::value(op, what));
        }
        positive(op, "the learning rate", rate)?;
        for leaf in leaves {
            self.check(leaf)?;
        }
        let Formula { program, numbers } = self.formula(step, rate)?;
        let numbers: Vec<Scalar> = numbers.into_iter().map(Scalar::Float).collect();
        // few: the parameters of a model, here and below.
        let all: Vec<&Tensor> = leaves.iter().map(|leaf| leaf.gradient).collect();
        let Some(first) = all.first() else {
            return Ok(Vec::new());
        };
        same_device(op, &all)?;
        let bound = max_norm.map(|most| Bound::of(op, &all, most)).transpose()?;
        let clipped = match &bound {
            Some(_) => Some(program.after(GRADIENT, Bound::program())?),
            None => None,
        };
        let program = clipped.as_ref().unwrap_or(program);
        let factor = bound.as_ref().map(|bound| &bound.factor);
        // Where there are master copies, all leaves have one or none has: they are two programs.
        let with_copies = with_first_twice(program);
        let mut made: Vec<Option<Updated>> = leaves.iter().map(|_| None).collect();
        for has_master in [false, true] {
            let own = leaves.iter().enumerate();
            let own = own.filter(|(_, leaf)| leaf.master.is_some() == has_master);
            let own: Vec<(usize, &Leaf<'_>)> = own.collect();
            let groups: Vec<Group<'_>> = own.iter().map(|(_, leaf)| group(leaf, factor)).collect();
            let program = if has_master { &with_copies } else { program };
            let results = map_each(program, &groups, &numbers, first.device())?;
            for ((at, _), results) in own.iter().zip(results) {
                let mut results = results.into_iter();
                made[*at] = Some(Updated {
                    parameter: results.next().ok_or_else(|| self.missing())?,
                    master: match has_master {
                        true => Some(results.next().ok_or_else(|| self.missing())?),
                        false => None,
                    },
                    moments: results.collect(),
                });
            }
        }
        let made = made.into_iter();
        made.map(|m| m.ok_or_else(|| self.missing())).collect()
    }

    fn formula(&self, step: u64, rate: f64) -> Result<Formula> {
        match self {
            Optimizer::Sgd(sgd) => sgd.formula(rate),
            Optimizer::Adam(adam) => adam.formula(step, rate),
            Optimizer::Lion(lion) => lion.formula(rate),
        }
    }

    fn missing(&self) -> Error {
        Error::value(self.name(), "a result is missing")
    }

    fn check(&self, leaf: &Leaf<'_>) -> Result<()> {
        let op = self.name();
        if leaf.moments.len() != self.count() {
            let text = format!(
                "{} moments where there are {}; hint: begin with those that moments() gives",
                leaf.moments.len(),
                self.count()
            );
            return Err(Error::value(op, text));
        }
        // few: five at most.
        let all: Vec<&Tensor> = [leaf.parameter, leaf.gradient]
            .into_iter()
            .chain(leaf.master)
            .chain(leaf.moments)
            .collect();
        same_device(op, &all)?;
        if all.iter().any(|t| !t.dtype().is_float()) {
            return Err(not_real(op, &all));
        }
        if all.iter().any(|t| t.shape() != all[0].shape()) {
            return Err(Error::Shape {
                op,
                operands: describe(&all),
                hint: "a parameter, its master copy, its gradient and its moments have one shape"
                    .into(),
            });
        }
        Ok(())
    }
}

/// The run of a formula for a leaf.
fn group<'a>(leaf: &Leaf<'a>, factor: Option<&'a Tensor>) -> Group<'a> {
    let held = leaf.master.unwrap_or(leaf.parameter);
    let kept = match leaf.master {
        Some(master) => master.dtype().compute(),
        None => leaf.parameter.dtype(),
    };
    let moments = leaf.moments.iter().map(|m| m.dtype().compute());
    let used = leaf.master.map(|_| leaf.parameter.dtype());
    Group {
        inputs: [held, leaf.gradient]
            .into_iter()
            .chain(factor)
            .chain(leaf.moments)
            .collect(),
        dtypes: used
            .into_iter()
            .chain([kept])
            .chain(moments)
            .collect::<Vec<DType>>(),
        shape: leaf.parameter.shape(),
    }
}

/// A formula whose first result, the parameter, is there twice: as it is used, and its master copy.
fn with_first_twice(program: &Program) -> Program {
    let mut program = program.clone();
    let first = program.outputs.first().copied();
    program.outputs.splice(0..0, first);
    program
}
