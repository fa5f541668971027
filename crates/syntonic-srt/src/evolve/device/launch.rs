//! What a search hands to its kernels.

use super::kernels::{CANDIDATES, RUN};
use super::plan::{Asked, NUMBERS, Plan, Update, VARIANCE};
use super::res::RES;
use super::search::DeviceSearch;
use syntonic_core::ops::create;
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::ops::vectors::{Operands, Results, run_named};
use syntonic_core::{DType, Result, Tensor};

/// What a launch is given besides the state.
#[derive(Clone, Copy, Default)]
pub(super) struct Given<'a> {
    pub(super) scores: Option<&'a Tensor>,
    /// The order of the candidates, where ranks are not counted.
    pub(super) order: Option<&'a Tensor>,
    /// Weights of the function.
    pub(super) factors: Option<&'a Tensor>,
    /// Sums by coordinate and lengths of the path.
    pub(super) moved: Option<[&'a Tensor; 2]>,
}

/// What a launch leaves.
pub(super) struct Launched {
    pub(super) state: Tensor,
    pub(super) scores: Tensor,
    pub(super) history: Tensor,
    /// Sums by coordinate and lengths of the path.
    pub(super) moved: [Tensor; 2],
}

impl DeviceSearch {
    /// Generations, or scores of one.
    pub(super) fn launch(&self, asked: &Asked, given: Given<'_>) -> Result<Launched> {
        match asked.update {
            Update::Matrix => self.adapted(asked, given),
            _ => self.run_by_rows(asked, given),
        }
    }

    /// The candidates of the draws that are asked for, `[runs, members, n]`.
    pub(super) fn candidates_of(&self, asked: &Asked) -> Result<Tensor> {
        let Plan { runs, n, dtype, .. } = self.plan;
        let shape = [runs, asked.range.len() * self.plan.each(), n];
        if asked.update == Update::Matrix {
            let mut made = self.adapting(asked, Given::default(), &shape)?;
            return made.take("candidates");
        }
        let operands = Operands {
            inputs: &[("state", &self.state), ("bounds", &self.bounds)],
            outputs: &[("candidates", &shape, dtype)],
            numbers: &asked.numbers(),
            lists: &[("rates", &asked.rates)],
        };
        // SAFETY: a state and bounds of this search, and so many candidates.
        unsafe { run_named(&CANDIDATES, &operands)? }.take("candidates")
    }

    /// One launch of [`RES`] that makes no candidates.
    fn adapted(&self, asked: &Asked, given: Given<'_>) -> Result<Launched> {
        let mut made = self.adapting(asked, given, &[self.plan.runs, 0, self.plan.n])?;
        let moved = &self.nothing[0];
        Ok(Launched {
            state: made.take("state")?,
            scores: made.take("scores")?,
            history: made.take("history")?,
            moved: [moved.clone(), moved.clone()],
        })
    }

    /// One launch of [`RES`], with candidates of this shape.
    fn adapting(&self, asked: &Asked, given: Given<'_>, candidates: &[usize]) -> Result<Results> {
        let Plan {
            runs,
            n,
            population,
            dtype,
            ..
        } = self.plan;
        let draws = self.plan.draws();
        let scored = if asked.form.is_some() { population } else { 0 };
        let learns = asked.stages.ranks();
        let (learnt, turned) = if learns { (n, draws) } else { (0, 0) };
        let state: &[usize] = if learns {
            self.state.shape()
        } else {
            &[runs, 0]
        };
        let [real, ..] = &self.nothing;
        let bounds = self.bounds.cast(DType::F64)?.eval()?;
        let arrived = Tensor::zeros_on(&[1], DType::I64, self.device())?.eval()?;
        let operands = Operands {
            inputs: &[
                ("before", &self.state),
                ("given", given.scores.unwrap_or(real)),
                ("utilities", &self.utilities),
                ("prefixes", &self.prefixes),
                ("factors", given.factors.unwrap_or(real)),
                ("bounds", &bounds),
                ("arrived", &arrived),
            ],
            outputs: &[
                ("state", state, DType::F64),
                ("scores", &[runs, scored], DType::F64),
                ("history", &[runs, asked.generations], DType::F64),
                ("candidates", candidates, dtype),
                ("z", &[runs, draws, n], DType::F64),
                ("steps", &[runs, draws, n], DType::F64),
                ("turns", &[runs, 2, turned], DType::F64),
                ("moves", &[runs, 3, learnt], DType::F64),
                ("largest", &[runs, 1], DType::I64),
            ],
            numbers: &asked.numbers(),
            lists: &[("rates", &asked.rates)],
        };
        // SAFETY: operands of this search, with the shapes and types that the kernel asks for.
        unsafe { run_named(&RES, &operands) }
    }

    /// One launch of [`RUN`].
    fn run_by_rows(&self, asked: &Asked, given: Given<'_>) -> Result<Launched> {
        let Plan {
            runs,
            n,
            population,
            dtype,
            ..
        } = self.plan;
        let planes = asked.form.map_or(0, |form| form.planes());
        let scored = if asked.form.is_some() { population } else { 0 };
        let groups = self.plan.groups();
        // What moves leave is there where they are made, and the room for them too.
        let ranked = if asked.stages.ranks() { population } else { 0 };
        let kept = match self.rule.update() {
            Update::Paths if asked.stages.ranks() => n,
            _ => 0,
        };
        let (tiles, segments) = (self.plan.tiles(), self.plan.segments());
        let summed = if asked.stages.ranks() { segments } else { 0 };
        let [real, whole, own] = &self.nothing;
        let arrived = Tensor::zeros_on(&[1], DType::I64, self.device())?.eval()?;
        let [sums, lengths] = given.moved.unwrap_or([real, real]);
        let operands = Operands {
            inputs: &[
                ("before", &self.state),
                ("given", given.scores.unwrap_or(real)),
                ("order", given.order.unwrap_or(whole)),
                ("utilities", &self.utilities),
                ("prefixes", &self.prefixes),
                ("factors", given.factors.unwrap_or(own)),
                ("bounds", &self.bounds),
                ("arrived", &arrived),
                ("given_sums", sums),
                ("given_lengths", lengths),
            ],
            outputs: &[
                ("state", self.state.shape(), DType::F64),
                ("scores", &[runs, scored], DType::F64),
                ("history", &[runs, asked.generations], DType::F64),
                ("sums", &[runs, 2, kept], DType::F64),
                ("lengths", &[runs, kept.div_ceil(32)], DType::F64),
                ("keys", &[runs, 3, ranked.max(scored)], DType::I64),
                ("weights", &[runs, ranked], dtype),
                ("parts", &[runs, planes, tiles, population], dtype),
                ("groups", &[runs, planes, groups, population], DType::F64),
                ("steps", &[runs, 4, summed, n], dtype),
            ],
            numbers: &asked.numbers(),
            lists: &[("rates", &asked.rates)],
        };
        // SAFETY: operands of this search, with the shapes and types that the kernel asks for.
        let mut made = unsafe { run_named(&RUN, &operands)? };
        Ok(Launched {
            state: made.take("state")?,
            scores: made.take("scores")?,
            history: made.take("history")?,
            moved: [made.take("sums")?, made.take("lengths")?],
        })
    }
}

/// Places of candidates, best first, `int64` of the scores' shape.
pub(super) fn best_first(scores: &Tensor) -> Result<Tensor> {
    order::argsort(scores, -1, Direction::Ascending)?.eval()
}

/// The state before the first generation.
pub(super) fn first_state(
    start: &Tensor,
    plan: Plan,
    update: Update,
    sigma: f64,
) -> Result<Tensor> {
    let device = start.device();
    let runs = plan.runs;
    let mean = start.cast(DType::F64)?.reshape(&[runs as isize, -1])?;
    let filled = |value: f64| Tensor::full_on(&[runs, plan.n], value, DType::F64, device);
    let mut parts = vec![mean.clone(), filled(sigma)?, mean]; // few: rows of a state.
    if update == Update::Paths {
        debug_assert_eq!(parts.len(), VARIANCE);
        parts.extend([filled(1.0)?, filled(0.0)?, filled(0.0)?]);
    }
    if update == Update::Matrix {
        let n = plan.n;
        let eye = create::eye(n, n, 0, DType::F64, device)?.reshape(&[1, -1])?;
        parts.extend([filled(0.0)?, eye.broadcast_to(&[runs, n * n])?]);
    }
    let mut numbers = [0.0; NUMBERS];
    numbers[super::learning::SIGMA] = sigma;
    numbers[super::learning::MISSING] = 1.0;
    numbers[super::learning::BEST_SCORE] = f64::INFINITY;
    let numbers = Tensor::from_slice(&numbers, &[1, NUMBERS])?.to(device)?;
    parts.push(numbers.broadcast_to(&[runs, NUMBERS])?);
    Tensor::concat(&parts.iter().collect::<Vec<_>>(), 1)?.copy() // few: rows of a state.
}
