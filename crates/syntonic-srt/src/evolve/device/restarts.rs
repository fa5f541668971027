//! Attempts of a search on a device: when one is over, and where the next begins, as in [`Res`](crate::evolve::Res).

use super::function::Function;
use super::launch::{Launched, first_state};
use super::learning::{BEST_SCORE, GENERATION, SIGMA};
use super::plan::{BEST, DEVIATION, MEAN, NUMBERS, Plan, Update};
use super::rules::Rule;
use super::search::{DeviceSearch, Generations, is_counted};
use crate::evolve::attempt::{Attempt, STARTS, Standing, window};
use crate::evolve::score::costs;
use crate::evolve::shape::widest_of;
use crate::evolve::{Goal, Limits, Restarts, exact};
use serde::{Deserialize, Serialize};
use syntonic_core::ops::random;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Result, Tensor};

/// What attempts need beside the state of the present one.
#[derive(Clone, Debug)]
pub(super) struct Attempts {
    /// Where the first began, `float64` `[1, n]`.
    pub(super) start: Tensor,
    pub(super) now: Begun,
}

/// The first attempt's sizes, and what is known of the present one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Begun {
    /// Candidates of a generation of the first one, and its step size.
    pub(super) population: usize,
    #[serde(with = "exact")]
    pub(super) sigma: f64,
    pub(super) attempt: Attempt,
}

impl Begun {
    /// Candidates of a generation of attempt `number`, if that is a number.
    fn population_of(&self, number: u32) -> Option<usize> {
        self.population.checked_mul(1usize.checked_shl(number)?)
    }

    /// The same but for the best scores of the latest generations, which may be many.
    pub(super) fn without_recent(&self) -> Begun {
        let attempt = self.attempt.without_recent();
        Begun { attempt, ..*self }
    }

    /// What is wrong with it, in a search of these generations and sizes.
    pub(super) fn fault(&self, generation: u64, plan: Plan) -> Option<&'static str> {
        let rules = [
            (
                self.attempt.is_proper(generation),
                "its attempt is improper",
            ),
            (
                self.population_of(self.attempt.number) == Some(plan.population),
                "its attempt has another population",
            ),
            (
                self.sigma > 0.0 && self.sigma.is_finite(),
                "its first step size is not positive and finite",
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
    /// An attempt is over where one of [`Res`](crate::evolve::Res) is by its default [`Limits`], and [`Rule::Res`] has the bits of
    /// `Res` with [`Restarts::Growing`]: where the best score fell by no more than rounding, 1e-12 of it, for `100 + 30 n / P` generations of
    /// `P` candidates; where the scores of a generation and the best ones of the `10 + 30 n / P` latest differ by 1e-11 at most; and where all
    /// deviations are below 1e-11 of the first step size. That is asked after every generation, whose scores are read on the host, so
    /// no launch has more than one. The best candidate is that of all attempts, and generations are counted on. An attempt whose double
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
            now: Begun {
                population: self.plan.population,
                sigma,
                attempt: Attempt::default(),
            },
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
        self.attempts.as_ref().map_or(0, |a| a.now.attempt.number)
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
        let Some(attempts) = &self.attempts else {
            return Ok(false);
        };
        if !self.is_over(&attempts.now)? {
            return Ok(false);
        }
        let number = attempts.now.attempt.number.saturating_add(1);
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

    /// Whether the present attempt is over.
    fn is_over(&self, now: &Begun) -> Result<bool> {
        let n = self.plan.n as isize;
        let from = DEVIATION as isize * n;
        let deviations = self.state.slice(1, Some(from), Some(from + n), 1)?;
        let deviations = deviations.to_vec::<f64>()?.into_iter();
        let standing = Standing {
            generation: self.generation,
            window: window(self.plan.n, self.plan.population),
            limits: &Limits::default(),
            sigma: now.sigma,
            widest: match self.rule.update() {
                Update::Matrix => widest_of(deviations),
                _ => deviations.fold(0.0, f64::max),
            },
            is_noisy: false,
        };
        Ok(now.attempt.end(&standing).is_some())
    }

    /// Goes on to where a generation has led. On an error nothing has changed.
    pub(super) fn advance(&mut self, made: Launched) -> Result<()> {
        if let Some(attempts) = &mut self.attempts {
            let costs = costs(&made.scores.to_vec::<f64>()?, Goal::Minimise)?;
            let window = window(self.plan.n, costs.len()) as usize;
            attempts.now.attempt.make_room(window)?;
            attempts
                .now
                .attempt
                .see(&costs, self.generation + 1, window);
        }
        self.state = made.state;
        self.past.note(made.history);
        self.generation += 1;
        Ok(())
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
            now: Begun {
                attempt: Attempt::after(number, self.generation, None),
                ..*first
            },
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
        if self.attempts.is_none() {
            return self.launches(function, &factors, generations, target);
        }
        self.attempts_of(function, &factors, generations, target)
    }

    pub(super) fn has_reached(&self, target: Option<f64>) -> Result<bool> {
        let Some(target) = target else {
            return Ok(false);
        };
        let scores = self.number(BEST_SCORE)?.to_vec::<f64>()?;
        Ok(scores.iter().all(|score| *score <= target))
    }

    /// Joins the generations that wait. On an error nothing has changed.
    pub(super) fn settle(&mut self) -> Result<()> {
        let mut past = self.past.clone();
        past.join()?;
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
