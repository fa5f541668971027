//! Attempts of a search on a device: when one is over, and where the next begins.
//!
//! The next attempt has twice the population and begins at the first start plus the first step size times normal noise (IPOP: Auger and
//! Hansen, "A restart CMA evolution strategy with increasing population size", 2005), as in [`Res`](crate::evolve::Res).

use super::function::Function;
use super::launch::first_state;
use super::learning::{BEST_SCORE, GENERATION, SIGMA};
use super::plan::{BEST, DEVIATION, MEAN, NUMBERS, Plan};
use super::rules::Rule;
use super::search::{DeviceSearch, Generations, is_counted};
use crate::evolve::attempt::{NOTHING, STARTS};
use crate::evolve::{Restarts, exact};
use serde::{Deserialize, Serialize};
use syntonic_core::ops::random;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Result, Tensor};

/// Generations of an attempt after which it is asked whether it is over: a launch runs from one such moment to the next.
const PERIOD: u64 = 64;

/// What attempts need beside the state of the present one.
#[derive(Clone, Debug)]
pub(super) struct Attempts {
    /// Where the first began, `float64` `[1, n]`.
    pub(super) start: Tensor,
    pub(super) now: Attempt,
}

/// What is known of the present attempt. Generations are those of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attempt {
    /// How many came before it.
    number: u32,
    /// Candidates of a generation of the first one, and its step size.
    population: usize,
    #[serde(with = "exact")]
    sigma: f64,
    /// Generations before it.
    began: u64,
    /// The generation in which its best score last fell by more than rounding, or before which it began.
    improved: u64,
    #[serde(with = "exact")]
    best: f64,
    /// The generation since which the best scores of generations differ by rounding alone, and their range.
    level: u64,
    #[serde(with = "exact")]
    least: f64,
    #[serde(with = "exact")]
    most: f64,
}

impl Attempt {
    fn new(number: u32, population: usize, sigma: f64, began: u64) -> Attempt {
        Attempt {
            number,
            population,
            sigma,
            began,
            improved: began,
            best: f64::INFINITY,
            level: began,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
        }
    }

    /// Sees the best score of a generation.
    fn see(&mut self, score: f64, generation: u64) {
        let bar = match self.best.is_finite() {
            true => self.best - NOTHING * self.best.abs(),
            false => self.best,
        };
        if score < bar {
            (self.best, self.improved) = (score, generation);
        }
        let (least, most) = (self.least.min(score), self.most.max(score));
        let size = least.abs().max(most.abs());
        // Infinities of one sign have no difference.
        let alike = least == most || (size.is_finite() && most - least <= NOTHING * size);
        (self.level, self.least, self.most) = match (score.is_nan(), alike) {
            (true, _) => (generation, f64::INFINITY, f64::NEG_INFINITY),
            (false, true) => (self.level, least, most),
            (false, false) => (generation - 1, score, score),
        };
    }

    /// Whether this is the moment to ask whether the attempt is over.
    fn is_due(&self, generation: u64) -> bool {
        generation > self.began && (generation - self.began).is_multiple_of(PERIOD)
    }

    /// Whether it is over, where the widest deviation is this.
    fn is_stuck(&self, generation: u64, plan: Plan, widest: f64) -> bool {
        let learning = (30 * plan.n as u64) / plan.population as u64;
        generation - self.improved >= 100 + learning
            || generation - self.level >= 10 + learning
            || widest <= NOTHING * self.sigma
    }

    /// Candidates of a generation of attempt `number`, if that is a number.
    fn population_of(&self, number: u32) -> Option<usize> {
        self.population.checked_mul(1usize.checked_shl(number)?)
    }

    /// What is wrong with it, in a search of these generations and candidates.
    pub(super) fn fault(&self, generation: u64, population: usize) -> Option<&'static str> {
        let order = self.began <= generation
            && (self.began..=generation).contains(&self.improved)
            && (self.began..=generation).contains(&self.level);
        let rules = [
            (order, "its attempt is from the future"),
            (
                self.population_of(self.number) == Some(population),
                "its attempt has another population",
            ),
            (
                self.sigma > 0.0 && self.sigma.is_finite(),
                "its first step size is not positive and finite",
            ),
            (
                ![self.best, self.least, self.most]
                    .iter()
                    .any(|x| x.is_nan()),
                "its attempt has a score of NaN",
            ),
        ];
        rules
            .into_iter()
            .find_map(|(holds, what)| (!holds).then_some(what))
    }
}

impl DeviceSearch {
    /// The same search with other attempts where one stagnates: [`Restarts::Growing`] begins another near the start with twice the
    /// population. [`Restarts::Off`], and [`Restarts::Auto`] since nothing limits the evaluations here, go on with the first for ever.
    ///
    /// An attempt is over where its best score fell by no more than rounding, 1e-12 of it, for `100 + 30 n / P` generations of `P`
    /// candidates; where the best scores of `10 + 30 n / P` generations differ by rounding alone; and where all deviations are below 1e-12 of
    /// the first step size. That is asked after every 64 generations of an attempt, counted from its beginning, so generations may be cut
    /// into calls at will. The best candidate is that of all attempts, and generations are counted on. An attempt whose double
    /// population could not be counted goes on.
    ///
    /// Errors: a matrix of starts, whose runs would need populations of their own; [`Rule::OpenAi`], whose step size is given and does not
    /// fall; and a search that has begun.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_srt::evolve::Restarts;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let start = Tensor::from_slice(&[3.0; 4], &[4])?;
    /// let search = DeviceSearch::new(&start, 2.0, 8, Rule::Res, 3)?;
    /// let mut search = search.restarting(Restarts::Growing)?;
    /// search.run(Function::Rastrigin, 4000, Some(1e-8))?;
    /// assert!(search.best()?.1.to_vec::<f64>()?[0] <= 1e-8);
    /// assert_eq!(search.population(), 8 << search.restarts());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn restarting(mut self, restarts: Restarts) -> Result<DeviceSearch> {
        let refuse = |what: &str| Err(Error::value("restarts", what));
        if restarts != Restarts::Growing {
            self.attempts = None;
            return Ok(self);
        }
        if self.batched {
            return refuse(
                "restarts of a matrix of starts, whose runs would need populations of their own; hint: make a search for each start",
            );
        }
        if matches!(self.rule, Rule::OpenAi { .. }) {
            return refuse(
                "restarts of OpenAI's strategy, whose step size is given and does not fall; hint: take another rule",
            );
        }
        if self.generation > 0 {
            return refuse(
                "restarts of a search that has begun; hint: choose them before its first generation",
            );
        }
        let n = self.plan.n as isize;
        let from = MEAN as isize * n;
        let start = self.state.slice(1, Some(from), Some(from + n), 1)?.copy()?;
        let sigma = self.number(SIGMA)?.to_vec::<f64>()?;
        let sigma = sigma.first().copied().unwrap_or(f64::NAN);
        self.attempts = Some(Attempts {
            start,
            now: Attempt::new(0, self.plan.population, sigma, 0),
        });
        Ok(self)
    }

    /// Attempts before the present one.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// assert_eq!(search.restarts(), 0);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn restarts(&self) -> u32 {
        self.attempts.as_ref().map_or(0, |a| a.now.number)
    }

    /// Begins another attempt if the search is [restarting](DeviceSearch::restarting) and the present one is over; says whether it did.
    /// [`DeviceSearch::run`] asks this before every generation, and so should whoever calls [`DeviceSearch::tell`]: the next
    /// generation may have other candidates, and more. On an error nothing has changed.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Rule};
    /// use syntonic_srt::evolve::Restarts;
    ///
    /// let search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// // The first attempt has only begun.
    /// assert!(!search.restarting(Restarts::Growing)?.restart()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn restart(&mut self) -> Result<bool> {
        if !self.is_due() {
            return Ok(false);
        }
        self.settle()?;
        let Some(attempts) = &self.attempts else {
            return Ok(false);
        };
        let n = self.plan.n as isize;
        let from = DEVIATION as isize * n;
        let deviations = self.state.slice(1, Some(from), Some(from + n), 1)?;
        let widest = reduce::max(&deviations, &Over::all())?.to_vec::<f64>()?;
        let widest = widest.first().copied().unwrap_or(f64::NAN);
        if !attempts.now.is_stuck(self.generation, self.plan, widest) {
            return Ok(false);
        }
        let number = attempts.now.number.saturating_add(1);
        let Some(population) = attempts.now.population_of(number) else {
            return Ok(false);
        };
        let plan = Plan {
            population,
            ..self.plan
        };
        if !is_counted(plan) {
            return Ok(false);
        }
        *self = self.another(plan, attempts, number)?;
        tracing::debug!(attempt = number, population, "DeviceSearch");
        Ok(true)
    }

    fn is_due(&self) -> bool {
        let attempts = self.attempts.as_ref();
        attempts.is_some_and(|a| a.now.is_due(self.generation))
    }

    /// This search at the beginning of attempt `number`.
    fn another(&self, plan: Plan, attempts: &Attempts, number: u32) -> Result<DeviceSearch> {
        let first = &attempts.now;
        let start = self.another_start(&attempts.start, first.sigma, number)?;
        let fresh = first_state(&start, plan, self.rule.update(), first.sigma)?;
        let part = |x: &Tensor, from: usize, to: usize| {
            x.slice(1, Some(from as isize), Some(to as isize), 1)
        };
        // The best so far stays, its row and its score, and generations are counted on.
        let (n, stride) = (plan.n, fresh.shape()[1]);
        let score = stride - NUMBERS + BEST_SCORE;
        let counted = stride - NUMBERS + GENERATION + 1;
        let parts = [
            part(&fresh, 0, BEST * n)?,
            part(&self.state, BEST * n, (BEST + 1) * n)?,
            part(&fresh, (BEST + 1) * n, score)?,
            part(&self.state, score, counted)?,
            part(&fresh, counted, stride)?,
        ];
        let state = Tensor::concat(&parts.each_ref(), 1)?.copy()?;
        let bounds = self.bounds.clone();
        let mut next =
            DeviceSearch::assembled(state, plan, self.rule, self.seed, self.batched, bounds)?;
        next.generation = self.generation;
        next.past = self.past.clone();
        next.attempts = Some(Attempts {
            start: attempts.start.clone(),
            now: Attempt::new(number, first.population, first.sigma, self.generation),
        });
        Ok(next)
    }

    /// `start + sigma z` between the bounds, with noise of the attempt's own, `[1, n]`.
    fn another_start(&self, start: &Tensor, sigma: f64, number: u32) -> Result<Tensor> {
        let mut noise = Generator {
            seed: self.seed ^ STARTS,
            offset: u64::from(number).wrapping_mul(self.plan.n as u64),
        };
        let device = self.device();
        let z = random::normal(start.shape(), 0.0, 1.0, DType::F64, &mut noise, device)?;
        let x = start.try_add(&z.try_mul(sigma)?)?;
        // A start near the largest float.
        let x = x.is_finite()?.where_cond(&x, start)?;
        if self.bounds.numel() == 0 {
            return x.eval();
        }
        let bounds = self.bounds.cast(DType::F64)?;
        let bound = |k: isize| bounds.slice(0, Some(k), Some(k + 1), 1);
        x.clip(&bound(0)?, &bound(1)?)?.eval()
    }

    /// Runs so many generations of a built-in function: one launch, or several that last a fraction of a second each. With a target, the run
    /// ends with the generation that has a score as small. Attempts may follow each other, see [`DeviceSearch::restarting`]. On an error the
    /// last finished launch counts.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let mut search = DeviceSearch::new(&Tensor::from([3.0; 10]), 1.0, 16, Rule::Res, 7)?;
    /// let run = search.run(Function::Sphere, 1000, Some(1e-6))?;
    /// assert!(run.done < 1000 && search.best()?.1.to_scalar::<f64>()? <= 1e-6);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn run(
        &mut self,
        function: Function,
        generations: u64,
        target: Option<f64>,
    ) -> Result<Generations> {
        let factors = self.factors(function)?;
        let mut parts = Vec::new(); // few: one for 64 generations at least, but for the last.
        let mut done = 0;
        loop {
            let mut count = generations - done;
            let ended = self.is_due() && self.has_reached(target)?;
            if ended {
                count = 0;
            } else {
                self.restart()?;
            }
            if let Some(attempts) = &self.attempts {
                count = count.min(PERIOD - (self.generation - attempts.now.began) % PERIOD);
            }
            let part = self.launches(function, &factors, count, target)?;
            done += part.done;
            parts.push(part.history);
            if ended || part.done < count || done == generations {
                break;
            }
        }
        Generations::joined(&parts, done)
    }

    pub(super) fn has_reached(&self, target: Option<f64>) -> Result<bool> {
        let Some(target) = target else {
            return Ok(false);
        };
        let scores = self.number(BEST_SCORE)?.to_vec::<f64>()?;
        Ok(scores.iter().all(|score| *score <= target))
    }

    /// Joins the generations that wait, and sees them. On an error nothing has changed.
    pub(super) fn settle(&mut self) -> Result<()> {
        let mut past = self.past.clone();
        let before = past.joined;
        let fresh = past.join()?;
        if let (Some(attempts), Some(fresh)) = (&mut self.attempts, fresh) {
            let scores = fresh.to_vec::<f64>()?;
            for (score, generation) in scores.into_iter().zip(before + 1..) {
                attempts.now.see(score, generation);
            }
        }
        self.past = past;
        Ok(())
    }

    /// Before a launch: what waits is not to grow.
    pub(super) fn make_room(&mut self) -> Result<()> {
        match self.past.is_long() {
            true => self.settle(),
            false => Ok(()),
        }
    }

    /// The best score of the generations so far, `float64` `[k]` or `[runs, k]`, and their numbers from 1 on. Every generation is there
    /// up to 4096, then every second, from 8192 on every fourth, and so on; the latest always is. A search that was saved and loaded has the
    /// history of one that was not. NaN stands where a run had reached its target.
    ///
    /// Errors: without memory for it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let mut search = DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7)?;
    /// search.run(Function::Sphere, 3, None)?;
    /// let (generations, scores) = search.history()?;
    /// assert_eq!((generations, scores.shape()), (vec![1, 2, 3], &[3][..]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn history(&self) -> Result<(Vec<u64>, Tensor)> {
        let mut past = self.past.clone();
        past.join()?;
        let scores = match &past.kept {
            Some(kept) => self.shaped(kept)?.copy()?,
            None => {
                let none = Tensor::zeros_on(&[self.plan.runs, 0], DType::F64, self.device())?;
                self.shaped(&none)?
            }
        };
        Ok((past.numbers()?, scores))
    }
}

impl Generations {
    /// Generations that followed each other: at least one part.
    pub(super) fn joined(parts: &[Tensor], done: u64) -> Result<Generations> {
        let history = match parts {
            // What is handed out may be written to, and the search has its own.
            [one] => one.copy()?,
            _ => Tensor::concat(&parts.iter().collect::<Vec<_>>(), -1)?, // few: as many as the caller has.
        };
        Ok(Generations { history, done })
    }
}
