//! A search by tensor operations: what both rules have in common.

mod keep;
mod standing;

use super::cma::{Cma, LEAST_SIGMA};
use super::cr_fm_nes::CrFmNes;
use super::objective;
use crate::evolve::device::search::reals;
use crate::evolve::device::{Function, Generations};
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Result, Tensor, describe, interrupt, same_device};

const OP: &str = "evolve";
/// The most unknowns of a full covariance.
const LARGEST: usize = 2000;
/// The fewest candidates that ranks say something about.
const FEWEST: usize = 4;
/// The most candidates, and numbers of noise that a generation may draw, in powers of 2.
const CANDIDATES: usize = 1 << 31;
const DRAWN: u64 = 1 << 36;
/// Numbers of noise that a search may draw.
const NUMBERS: u64 = 1 << 62;
/// Generations whose best scores are put into one tensor.
const TOGETHER: usize = 256;

/// A rule whose state is more than a deviation for each coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixRule {
    /// CMA-ES with a full covariance matrix, of at most 2,000 unknowns: weighted recombination, cumulative step-size adaptation, the rank-one and
    /// rank-μ updates with positive and negative weights, and a decomposition every `1 / (10 n (c_1 + c_μ))` generations, all as Hansen's tutorial
    /// has them.
    ///
    /// What the tutorial leaves open: a step size changes by a factor of e at most; eigenvalues are at least 10⁻¹⁴ of the largest, to which end the
    /// same number is added to all; sigma is in 10^±150, and the largest eigenvalue in 10^±40, beyond which its scale goes over to sigma.
    ///
    /// Source: Hansen, *The CMA Evolution Strategy: A Tutorial* ([arXiv:1604.00772](https://arxiv.org/abs/1604.00772)).
    Cma,
    /// CR-FM-NES, whose memory and time are linear in the unknowns: candidates `m ± σ D (I + v vᵀ)^(1/2) z`, weights by rank, and by distance too while
    /// the search moves, and natural gradients of `D` and `v`. Values from `f64::MAX` on, and NaN, are infeasible: they come last, the nearest first.
    ///
    /// What the authors leave open: a factor of `D` is at least 0.01 a generation, `|v|²` at most 10⁴⁰, `D` in 10^±40 and sigma in 10^±150; and the
    /// rate of the path, which their formula makes negative below five unknowns, is at least 0.
    ///
    /// Source: Nomura and Ono, *Fast Moving Natural Evolution Strategy for High-Dimensional Problems*
    /// ([arXiv:2201.11422](https://arxiv.org/abs/2201.11422)).
    CrFmNes,
}

impl MatrixRule {
    /// Whether draws come in pairs `±z`.
    ///
    /// ```
    /// use syntonic_srt::evolve::device::MatrixRule;
    ///
    /// assert!(MatrixRule::CrFmNes.is_mirrored() && !MatrixRule::Cma.is_mirrored());
    /// ```
    pub fn is_mirrored(self) -> bool {
        self == MatrixRule::CrFmNes
    }
}

/// The noise of a generation: a place in a stream, and what is drawn from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawing {
    pub(super) shape: [usize; 2],
    pub(super) dtype: DType,
    pub(super) noise: Generator,
}

#[derive(Clone, Debug)]
pub(super) enum State {
    Cma(Box<Cma>),
    CrFmNes(Box<CrFmNes>),
}

/// A minimisation by CMA-ES or CR-FM-NES on the device of its start, with `float32` or `float64` candidates.
///
/// The counterpart of [`DeviceSearch`](super::super::DeviceSearch) for rules whose update is a product of matrices or needs several sums over
/// everything drawn: a generation is some twenty launches, not a part of one. State and update are in `float64`, noise and candidates in the
/// type of the start. Nothing leaves the device but what a caller reads; where there is a target that is one number a generation, and CMA-ES
/// reads at each decomposition whether it succeeded.
///
/// A seed gives one trajectory on one device, however a generation is cut into chunks. The noise has the same bits on every device; sums of
/// matrix products and decompositions do not, so trajectories of two devices part after some generations.
///
/// No number of the state becomes NaN or infinite, whatever the scores and for however long; see [`MatrixRule`] for the limits that hold it.
/// Memory is that of `population · n` numbers for CR-FM-NES, and `2 population · n + 3 n²` for CMA-ES.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_srt::evolve::device::{Function, MatrixRule, MatrixSearch};
///
/// let start = Tensor::from_slice(&[3.0; 10], &[10])?;
/// for rule in [MatrixRule::Cma, MatrixRule::CrFmNes] {
///     let mut search = MatrixSearch::new(&start, 2.0, 12, rule, 7)?;
///     let run = search.run(Function::Rosenbrock, 3000, Some(1e-8))?;
///     assert!(run.done < 3000);
///     // A function of yours: candidates, their values, and what they teach.
///     let x = search.candidates(0, 12)?;
///     search.tell(&(&x - 1.0).square()?.sum(-1)?)?;
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MatrixSearch {
    pub(super) state: State,
    dtype: DType,
    population: usize,
    n: usize,
    seed: u64,
    generation: u64,
    /// The least and the most of each coordinate, in the type of the start, `[n]`.
    bounds: Option<[Tensor; 2]>,
    best: Tensor,
    best_score: Tensor,
}

impl MatrixSearch {
    /// A search from `start`, a vector of n finite numbers, with the step size `sigma` in each coordinate and `population` candidates a generation.
    ///
    /// Errors: [`Error::DType`] for other types than `float32` and `float64`; [`Error::Shape`] for what is no vector, or an empty one;
    /// [`Error::Value`] for a start that is not finite, a step size outside 10^±150, fewer than four candidates, an odd number of them for
    /// CR-FM-NES, 2^31 candidates or 2^36 numbers of noise a generation, and more than 2,000 unknowns for CMA-ES.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{Function, MatrixRule, MatrixSearch};
    ///
    /// let start = Tensor::from([3.0, 4.0]);
    /// let mut search = MatrixSearch::new(&start, 1.0, 8, MatrixRule::Cma, 7)?;
    /// search.run(Function::Rosenbrock, 200, Some(1e-8))?;
    /// assert!(search.best()?.1.to_scalar::<f64>()? <= 1e-8);
    /// assert!(MatrixSearch::new(&start, -1.0, 8, MatrixRule::Cma, 7).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(
        start: &Tensor,
        sigma: f64,
        population: usize,
        rule: MatrixRule,
        seed: u64,
    ) -> Result<MatrixSearch> {
        let dtype = start.dtype();
        if !matches!(dtype, DType::F32 | DType::F64) {
            return Err(Error::DType {
                op: OP,
                operands: describe(&[start]),
                hint: "a search is in float32 or float64".into(),
            });
        }
        if start.ndim() != 1 || start.numel() == 0 {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[start]),
                hint: "the start is a vector of at least one number; RES, its separable variant, separable CMA-ES, SNES and OpenAI's strategy take a row for each of several runs".into(),
            });
        }
        let n = start.numel();
        check(sigma, population, n, rule)?;
        let mean = start.cast(DType::F64)?.copy()?;
        if !mean.is_finite()?.all(..)?.to_scalar::<bool>()? {
            return Err(Error::value(OP, "the start is not finite"));
        }
        let state = match rule {
            MatrixRule::Cma => State::Cma(Box::new(Cma::new(&mean, sigma, population)?)),
            MatrixRule::CrFmNes => {
                State::CrFmNes(Box::new(CrFmNes::new(&mean, sigma, population, seed)?))
            }
        };
        let there = start.device();
        let mut search = MatrixSearch {
            state,
            dtype,
            population,
            n,
            seed,
            generation: 0,
            bounds: None,
            best: start.copy()?,
            best_score: Tensor::scalar(f64::INFINITY, DType::F64)?.to(there)?,
        };
        search.state = search.drawn(&search.state, 0)?;
        Ok(search)
    }

    /// The same search with every coordinate of its candidates moved between `least` and `most`, real tensors that broadcast to `[n]`; the noise, and
    /// what is learnt from it, stays as it is. Infinity bounds nothing.
    ///
    /// Errors: shapes that do not broadcast, other devices, and bounds of which one is NaN or the least is above the largest.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let start = Tensor::from([3.0, 3.0]);
    /// let search = MatrixSearch::new(&start, 9.0, 8, MatrixRule::Cma, 0)?;
    /// let search = search.bounded(&Tensor::from([2.0]), &Tensor::from([4.0, f64::INFINITY]))?;
    /// assert!(search.candidates(0, 8)?.to_vec::<f64>()?.iter().all(|x| *x >= 2.0));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn bounded(mut self, least: &Tensor, most: &Tensor) -> Result<MatrixSearch> {
        same_device("bounds", &[&self.best, least, most])?;
        let row = |x: &Tensor| x.cast(self.dtype)?.broadcast_to(&[self.n])?.copy();
        let (least, most) = (row(least)?, row(most)?);
        let apart = least.less_equal(&most)?.logical_not()?;
        if apart.any(..)?.to_scalar::<bool>()? {
            let j = apart.argmax(..)?.to_scalar::<i64>()?;
            let [low, high] = [&least, &most].map(|x| x.select(0, j)?.to_scalar::<f64>());
            let (low, high) = (low?, high?);
            let text =
                format!("coordinate {j} is bounded by {low} and {high}: no number is between them");
            return Err(Error::value("bounds", text));
        }
        self.bounds = Some([least, most]);
        Ok(self)
    }

    /// A state with the noise of a generation.
    fn drawn(&self, state: &State, generation: u64) -> Result<State> {
        let rows = match state {
            State::Cma(_) => self.population,
            State::CrFmNes(_) => self.population / 2,
        };
        // Generations begin at whole blocks.
        let each = (rows as u64)
            .saturating_mul(self.n as u64)
            .saturating_add(3)
            & !3;
        let offset = generation.saturating_mul(each);
        if offset >= NUMBERS {
            let text = format!("generation {generation} of {rows} draws: 2^62 numbers at most");
            return Err(Error::value(OP, text));
        }
        let mut noise = Generator::new(self.seed);
        noise.offset = offset;
        let drawing = Drawing {
            shape: [rows, self.n],
            dtype: self.dtype,
            noise,
        };
        Ok(match state {
            State::Cma(s) => State::Cma(Box::new(s.drawn(drawing, generation)?)),
            State::CrFmNes(s) => State::CrFmNes(Box::new(s.drawn(drawing)?)),
        })
    }

    /// Candidates as a caller sees them: in the type of the start, and within bounds.
    fn shown(&self, x: &Tensor) -> Result<Tensor> {
        let x = x.cast(self.dtype)?;
        match &self.bounds {
            Some([least, most]) => x.clip(least, most)?.eval(),
            None => x.eval(),
        }
    }

    /// The candidates `from..to` of the next generation, `[to - from, n]`: the bits of all at once, however they are cut. Errors beyond the population.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// assert_eq!(search.candidates(0, 8)?.shape(), [8, 2]);
    /// assert!(search.candidates(0, 9).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn candidates(&self, from: usize, to: usize) -> Result<Tensor> {
        if from > to || to > self.population {
            let text = format!(
                "candidates {from}..{to} of {}: within them",
                self.population
            );
            return Err(Error::value("candidates", text));
        }
        match &self.state {
            State::Cma(s) => self.shown(&s.candidates(&s.steps(from, to)?)?),
            State::CrFmNes(s) => {
                // Of pairs that are cut, the whole ones are made.
                let first = from - from % 2;
                let pairs = s.candidates(first, to.next_multiple_of(2))?;
                let at = |place: usize| Some((place - first) as isize);
                self.shown(&pairs.slice(0, at(from), at(to), 1)?)
            }
        }
    }

    /// The values of the next generation's candidates, `float64` `[population]`.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_srt::evolve::device::{Function, MatrixRule, MatrixSearch};
    ///
    /// let search = MatrixSearch::new(&Tensor::from([3.0, 3.0]), 1.0, 8, MatrixRule::CrFmNes, 0)?;
    /// let values = search.scores(Function::Sphere)?;
    /// let x = search.candidates(0, 8)?;
    /// let apart = &values - &x.square()?.sum(-1)?;
    /// assert!(apart.abs()?.max(..)?.to_scalar::<f64>()? < 1e-12);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn scores(&self, function: Function) -> Result<Tensor> {
        let weights = objective::weights(function, &self.best, self.n)?;
        self.values(function, weights.as_ref())
    }

    fn values(&self, function: Function, weights: Option<&Tensor>) -> Result<Tensor> {
        objective::values(function, &self.candidates(0, self.population)?, weights)
    }

    /// Scores a generation by a built-in function and learns from it: the scores of all its candidates, `float64` `[population]`. On an error nothing
    /// has changed.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{Function, MatrixRule, MatrixSearch};
    ///
    /// let mut search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// let scores = search.step(Function::Sphere)?;
    /// assert_eq!(search.best()?.1.to_scalar::<f64>()?, scores.min(..)?.to_scalar::<f64>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn step(&mut self, function: Function) -> Result<Tensor> {
        let scores = self.scores(function)?;
        self.learn(&scores)?;
        Ok(scores)
    }

    /// Learns from the values of the generation's candidates, real numbers `[population]` on the search's device; NaN is the worst. On an error nothing
    /// has changed.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{MatrixRule, MatrixSearch};
    ///
    /// let mut search = MatrixSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, MatrixRule::Cma, 7)?;
    /// let scores = search.candidates(0, 8)?.square()?.sum(-1)?;
    /// search.tell(&scores)?;
    /// assert_eq!(search.best()?.1.to_scalar::<f64>()?, scores.min(..)?.to_scalar::<f64>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn tell(&mut self, scores: &Tensor) -> Result<()> {
        let scores = reals("tell", scores, &[self.population], self.device())?;
        self.learn(&scores.copy()?)?;
        Ok(())
    }

    /// [`MatrixSearch::tell`] of `float64` scores: the best of them, without axes.
    fn learn(&mut self, scores: &Tensor) -> Result<Tensor> {
        let generation = self.generation;
        let (order, told) = match &self.state {
            State::Cma(s) => {
                let order = s.order(scores)?;
                let told = State::Cma(Box::new(s.told(&order, generation)?));
                (order, told)
            }
            State::CrFmNes(s) => {
                let order = s.order(scores)?;
                let told = State::CrFmNes(Box::new(s.told(&order)?));
                (order.0, told)
            }
        };
        let first = order.slice(0, Some(0), Some(1), 1)?;
        let score = scores.take(&first, 0)?;
        let x = match &self.state {
            State::Cma(s) => s.candidates(&s.step(&first)?)?,
            State::CrFmNes(s) => s.candidate(&first)?,
        };
        let x = self.shown(&x)?.reshape(&[-1])?;
        let better = score.less(&self.best_score)?;
        let best = better.where_cond(&x, &self.best)?.eval()?;
        let score = score.reshape(&[])?;
        let best_score = better
            .reshape(&[])?
            .where_cond(&score, &self.best_score)?
            .eval()?;
        self.state = self.drawn(&told, generation + 1)?;
        (self.best, self.best_score) = (best, best_score);
        self.generation += 1;
        Ok(score)
    }

    /// Runs so many generations of a built-in function. With a target, the run ends with the generation that has a score as small, and at once where one
    /// was seen before. On an error the finished generations count.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{Function, MatrixRule, MatrixSearch};
    ///
    /// let mut search = MatrixSearch::new(&Tensor::from([3.0; 10]), 1.0, 16, MatrixRule::CrFmNes, 7)?;
    /// let run = search.run(Function::Sphere, 1000, Some(1e-6))?;
    /// assert!(run.done < 1000);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn run(
        &mut self,
        function: Function,
        generations: u64,
        target: Option<f64>,
    ) -> Result<Generations> {
        let weights = objective::weights(function, &self.best, self.n)?;
        let mut history = vec![Tensor::zeros_on(&[0], DType::F64, self.device())?]; // few: a part for so many generations.
        let mut recent = Vec::new(); // few: at most TOGETHER of them.
        let mut done = 0;
        while done < generations {
            interrupt::poll()?;
            if let Some(target) = target
                && self.best_score.to_scalar::<f64>()? <= target
            {
                break;
            }
            let scores = self.values(function, weights.as_ref())?;
            recent.push(self.learn(&scores)?);
            done += 1;
            if recent.len() == TOGETHER {
                history.push(joined(&mut recent)?);
            }
        }
        if !recent.is_empty() {
            history.push(joined(&mut recent)?);
        }
        let history = Tensor::concat(&history.iter().collect::<Vec<_>>(), 0)?; // few: as above.
        Ok(Generations {
            history: history.copy()?,
            done,
        })
    }
}

/// Numbers as one vector.
fn joined(numbers: &mut Vec<Tensor>) -> Result<Tensor> {
    let all = Tensor::stack(&numbers.iter().collect::<Vec<_>>(), 0)?.eval()?; // few: at most TOGETHER.
    numbers.clear();
    Ok(all)
}

/// Refuses numbers that the rule has no use for.
fn check(sigma: f64, population: usize, n: usize, rule: MatrixRule) -> Result<()> {
    if !(LEAST_SIGMA..=1.0 / LEAST_SIGMA).contains(&sigma) {
        let text = format!("a step size of {sigma}: it must be positive, and within 10^±150");
        return Err(Error::value(OP, text));
    }
    if population < FEWEST || (rule.is_mirrored() && !population.is_multiple_of(2)) {
        let text = format!(
            "a population of {population}: at least {FEWEST}, and an even number where draws are mirrored"
        );
        return Err(Error::value(OP, text));
    }
    if population >= CANDIDATES || (population as u64).saturating_mul(n as u64) >= DRAWN {
        let text = format!("{population} candidates of {n} numbers: 2^31 and 2^36 in all at most");
        return Err(Error::value(OP, text));
    }
    if rule == MatrixRule::Cma && n > LARGEST {
        let text = format!(
            "CMA-ES with a full matrix for {n} unknowns: {LARGEST} at most; hint: separable CMA-ES (\"separable_cma\") and CR-FM-NES (\"cr_fm_nes\") take more"
        );
        return Err(Error::value(OP, text));
    }
    Ok(())
}

/// Places of candidates, best first, `int64`; NaN comes last, and equal scores keep their order.
pub(super) fn best_first(scores: &Tensor) -> Result<Tensor> {
    order::argsort(scores, -1, Direction::Ascending)?.eval()
}

/// The rank of each candidate, from 0, of an order of them.
pub(super) fn ranks(order: &Tensor) -> Result<Tensor> {
    best_first(order)
}
