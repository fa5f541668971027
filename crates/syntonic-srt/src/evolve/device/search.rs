//! A search on a device.

mod generations;
mod standing;

pub use generations::Generations;

use super::function::Function;
use super::launch::{Given, Launched, best_first, first_state};
use super::past::Past;
use super::plan::{Asked, COUNTED, Plan, Stages};
use super::restarts::Attempts;
use super::rules::Rule;
use std::sync::Arc;
use syntonic_core::{DType, Device, Error, Result, Tensor, describe, room, same_device};

pub(super) const OP: &str = "evolve";
/// Blocks of noise that one upper word of a counter has, and upper words.
const BLOCKS: u64 = 1 << 32;
pub(super) const WORDS: u64 = 1 << 30;

/// A minimisation whose state is on the device of its start, in `float32` or `float64` candidates.
///
/// A seed gives one trajectory, whatever the device and however the candidates of a generation are cut into chunks. Memory is a few
/// vectors of n numbers, the scores, and a part of a hundredth of what the candidates would be;
/// [`Rule::Res`] has a matrix besides, and twice the noise of a generation. [`DeviceSearch::run`] does whole generations
/// of a built-in function in one launch, without storing a candidate; [`DeviceSearch::candidates`], a call of yours that values them, and
/// [`DeviceSearch::tell`] are one generation of any other.
#[derive(Clone, Debug)]
pub struct DeviceSearch {
    /// `float64` `[runs, stride]`: rows and numbers of [`super::plan`].
    pub(super) state: Tensor,
    pub(super) plan: Plan,
    pub(super) rule: Rule,
    pub(super) seed: u64,
    pub(super) generation: u64,
    /// Whether the start had an axis of runs.
    pub(super) batched: bool,
    /// Of the search's type `[2, n]`, or empty.
    pub(super) bounds: Tensor,
    pub(super) utilities: Tensor,
    pub(super) prefixes: Tensor,
    base: Option<f64>,
    /// What an operand that a launch does not read is: no numbers, real, whole or of the search's type.
    pub(super) nothing: [Tensor; 3],
    pub(super) past: Past,
    /// Where attempts follow each other.
    pub(super) attempts: Option<Attempts>,
}

/// Whether the noise of a generation can be counted.
pub(super) fn is_counted(plan: Plan) -> bool {
    let blocks = (plan.blocks() as u64 + 1).saturating_mul(plan.draws() as u64 + 1);
    blocks < BLOCKS && (plan.runs as u64) < WORDS
}

impl DeviceSearch {
    /// A search from `start`, a vector of n real numbers, with the step size `sigma` in each coordinate and `population` candidates a
    /// generation. A matrix `[runs, n]` starts so many independent searches, which share their launches.
    ///
    /// Errors: other types than `float32` and `float64`, no vector or matrix or an empty one, a step size that is not positive and finite, a
    /// population that the rule has no use for, and one of more than 2^32 blocks of noise.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// // Three searches at once, from three beginnings.
    /// let starts = Tensor::from([[3.0, 3.0], [-2.0, 1.0], [0.5, 4.0]]);
    /// let mut search = DeviceSearch::new(&starts, 1.0, 8, Rule::Res, 7)?;
    /// search.run(Function::Sphere, 200, Some(1e-6))?;
    /// assert!(search.best()?.1.less_equal(1e-6)?.all(..)?.to_scalar::<bool>()?);
    /// assert!(DeviceSearch::new(&starts, 0.0, 8, Rule::Res, 7).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(
        start: &Tensor,
        sigma: f64,
        population: usize,
        rule: Rule,
        seed: u64,
    ) -> Result<DeviceSearch> {
        let dtype = start.dtype();
        if !matches!(dtype, DType::F32 | DType::F64) {
            return Err(Error::DType {
                op: OP,
                operands: describe(&[start]),
                hint: "a search is in float32 or float64".into(),
            });
        }
        if !matches!(start.ndim(), 1 | 2) || start.numel() == 0 {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[start]),
                hint: "the start is a vector of at least one number, or a row of them for each run"
                    .into(),
            });
        }
        if !(sigma > 0.0 && sigma.is_finite()) {
            let text = format!("a step size of {sigma}: it must be positive and finite");
            return Err(Error::value(OP, text));
        }
        rule.check(start.shape()[start.ndim() - 1], population)?;
        let batched = start.ndim() == 2;
        let plan = Plan {
            runs: if batched { start.shape()[0] } else { 1 },
            n: start.shape()[start.ndim() - 1],
            population,
            mirrored: rule.is_mirrored(),
            dtype,
        };
        if !is_counted(plan) {
            let text = format!(
                "{population} candidates of {} numbers: 2^32 blocks of noise at most",
                plan.n
            );
            return Err(Error::value(OP, text));
        }
        let device = start.device();
        let state = first_state(start, plan, rule.update(), sigma)?;
        DeviceSearch::assembled(
            state,
            plan,
            rule,
            seed,
            batched,
            Tensor::zeros_on(&[0], dtype, device)?,
        )
    }

    /// A search with this state, before its first generation.
    pub(super) fn assembled(
        state: Tensor,
        plan: Plan,
        rule: Rule,
        seed: u64,
        batched: bool,
        bounds: Tensor,
    ) -> Result<DeviceSearch> {
        let device = state.device();
        let utilities = rule.utilities(plan)?;
        let there = |values: Vec<f64>| {
            let shape = [values.len()];
            Tensor::from_vec(values, &shape)?.to(device)
        };
        let nothing = |dtype| Tensor::zeros_on(&[0], dtype, device)?.eval();
        Ok(DeviceSearch {
            utilities: there(utilities.weights)?,
            prefixes: there(utilities.prefixes)?,
            base: utilities.base,
            nothing: [
                nothing(DType::F64)?,
                nothing(DType::I64)?,
                nothing(plan.dtype)?,
            ],
            bounds: bounds.eval()?,
            state,
            plan,
            rule,
            seed,
            generation: 0,
            batched,
            past: Past::default(),
            attempts: None,
        })
    }

    /// The same search with every coordinate of its candidates moved between `least` and `most`, real tensors that broadcast to `[n]`; the
    /// noise stays as it is. Infinity bounds nothing.
    ///
    /// Errors: shapes that do not broadcast, other devices, and bounds of which one is NaN or the least is above the largest.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 3.0]), 1.0, 8, Rule::Res, 7)?;
    /// let (least, most) = (Tensor::from([1.0]), Tensor::from([f64::INFINITY]));
    /// let mut search = search.bounded(&least, &most)?;
    /// search.run(Function::Sphere, 100, None)?;
    /// // The nearest to 0 that is allowed.
    /// assert!(search.best()?.1.to_scalar::<f64>()? >= 2.0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn bounded(mut self, least: &Tensor, most: &Tensor) -> Result<DeviceSearch> {
        same_device("bounds", &[&self.state, least, most])?;
        let n = self.plan.n;
        let row = |x: &Tensor| {
            x.cast(self.plan.dtype)?
                .broadcast_to(&[n])?
                .reshape(&[1, -1])
        };
        let bounds = Tensor::concat(&[&row(least)?, &row(most)?], 0)?.eval()?;
        let values = bounds.to_vec::<f64>()?;
        if let Some(j) = (0..n).find(|&j| {
            values[j]
                .partial_cmp(&values[n + j])
                .is_none_or(|o| o.is_gt())
        }) {
            let text = format!(
                "coordinate {j} is bounded by {} and {}: no number is between them",
                values[j],
                values[n + j]
            );
            return Err(Error::value("bounds", text));
        }
        self.bounds = bounds;
        Ok(self)
    }

    pub(super) fn asked(&self, stages: Stages, generations: usize) -> Result<Asked> {
        if (self.generation + generations as u64).saturating_mul(self.plan.runs as u64) >= WORDS {
            let text = format!(
                "{generations} generations after {}: 2^30 at most, over all runs",
                self.generation
            );
            return Err(Error::value(OP, text));
        }
        Ok(Asked {
            plan: self.plan,
            stages,
            update: self.rule.update(),
            form: None,
            seed: self.seed,
            generations,
            range: 0..match stages {
                Stages::Scores => self.plan.draws(),
                // The moves were made before.
                Stages::Adapts => 0,
                _ => self.plan.tiles(),
            },
            // Scores alone leave nothing to be taken out again.
            base: self.base.filter(|_| stages != Stages::Scores),
            target: f64::NEG_INFINITY,
            rates: self.rule.rates(self.plan)?,
        })
    }

    /// The weights of a function: none where it reads none.
    pub(super) fn factors(&self, function: Function) -> Result<Tensor> {
        let n = match function.form() {
            super::function::Form::Weighted => self.plan.n,
            _ => 0,
        };
        let weights = room::collected((0..n).map(|j| function.weight(j, n)))?;
        let dtype = match self.rule {
            Rule::Res => DType::F64,
            _ => self.plan.dtype,
        };
        Tensor::from_vec(weights, &[n])?
            .cast(dtype)?
            .to(self.device())?
            .eval()
    }

    /// Scores a generation by a built-in function and learns from it: [`DeviceSearch::run`] of one generation, with the scores of all its
    /// candidates, `float64` `[population]` or `[runs, population]`. On an error nothing has changed.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let mut search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// let scores = search.step(Function::Sphere)?;
    /// assert_eq!(search.best()?.1.to_scalar::<f64>()?, scores.min(..)?.to_scalar::<f64>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn step(&mut self, function: Function) -> Result<Tensor> {
        let scores = self.scores(function)?;
        self.tell(&scores)?;
        Ok(scores)
    }

    /// The candidates `from..to` of the next generation, `[to - from, n]` or `[runs, to - from, n]`: the bits of all at once, however they are cut.
    /// Where draws are mirrored, two that begin at an even place are a pair. Errors beyond the population.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// let pairs = search.candidates(0, 8)?.reshape(&[4, 2, 2])?;
    /// // Draws are mirrored: the mean lies between the two of a pair.
    /// assert!((pairs.mean(1)? - search.mean()?).abs()?.max(..)?.to_scalar::<f64>()? < 1e-14);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn candidates(&self, from: usize, to: usize) -> Result<Tensor> {
        if from > to || to > self.plan.population {
            let text = format!(
                "candidates {from}..{to} of {}: within them",
                self.plan.population
            );
            return Err(Error::value("candidates", text));
        }
        // Of pairs that are cut, the whole ones are made.
        let each = self.plan.each();
        let mut asked = self.asked(Stages::Scores, 1)?;
        asked.range = from / each..to.div_ceil(each);
        let (first, count) = (asked.range.start * each, asked.range.len() * each);
        let mut out = self.candidates_of(&asked)?;
        if count != to - from {
            let at = |place: usize| Some((place - first) as isize);
            out = out.slice(1, at(from), at(to), 1)?.copy()?;
        }
        match self.batched {
            true => Ok(out),
            false => out.reshape(&[(to - from) as isize, self.plan.n as isize]),
        }
    }

    /// The values of the next generation's candidates, `float64` `[population]` or `[runs, population]`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// let own = search.candidates(0, 8)?.square()?.sum(-1)?;
    /// let off = (search.scores(Function::Sphere)? - own).abs()?;
    /// assert!(off.max(..)?.to_scalar::<f64>()? < 1e-12);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn scores(&self, function: Function) -> Result<Tensor> {
        self.scores_with(function, &self.factors(function)?)
    }

    /// The same by a function with these weights.
    fn scores_with(&self, function: Function, factors: &Tensor) -> Result<Tensor> {
        let mut asked = self.asked(Stages::Scores, 1)?;
        asked.form = Some(function.form());
        let given = Given {
            factors: Some(factors),
            ..Given::default()
        };
        self.shaped(&self.launch(&asked, given)?.scores)
    }

    /// Learns from the values of the generation's candidates, real numbers `[population]` or `[runs, population]` on the search's device;
    /// NaN is the worst. On an error nothing has changed.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let mut search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// let scores = search.candidates(0, 8)?.square()?.sum(-1)?;
    /// search.tell(&scores)?;
    /// assert_eq!(search.best()?.1.to_scalar::<f64>()?, scores.min(..)?.to_scalar::<f64>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn tell(&mut self, scores: &Tensor) -> Result<()> {
        self.make_room()?;
        let learnt = self.learnt(scores)?;
        self.advance(learnt)
    }

    /// The order of candidates, where ranks are not counted.
    pub(super) fn order(&self, scores: &Tensor) -> Result<Option<Tensor>> {
        match self.plan.population > COUNTED {
            true => best_first(scores).map(Some),
            false => Ok(None),
        }
    }

    /// What the values of the generation's candidates teach, and the values as they are learnt from.
    pub(super) fn learnt(&self, scores: &Tensor) -> Result<Launched> {
        let shape = [self.plan.runs, self.plan.population];
        let shape = &shape[usize::from(!self.batched)..];
        let scores = reals("tell", scores, shape, self.device())?
            .reshape(&[self.plan.runs as isize, -1])?
            .copy()?;
        let asked = self.asked(Stages::Learning, 1)?;
        let order = self.order(&scores)?;
        let given = Given {
            scores: Some(&scores),
            order: order.as_ref(),
            ..Given::default()
        };
        let made = self.launch(&asked, given)?;
        Ok(Launched { scores, ..made })
    }
}

/// Values of candidates as they are learnt from, if they are real, of this shape and on this device.
pub(super) fn reals(
    op: &'static str,
    values: &Tensor,
    shape: &[usize],
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    if values.device().id() != device.id() {
        same_device(op, &[values, &Tensor::zeros_on(&[0], DType::F64, device)?])?;
    }
    let real = !values.dtype().is_complex() && !values.dtype().is_stored();
    if values.shape() != shape || !real {
        let count = shape.last().copied().unwrap_or(0);
        return Err(Error::Shape {
            op,
            operands: describe(&[values]),
            hint: format!("one real value for each of {count} candidates"),
        });
    }
    values.cast(DType::F64)
}
