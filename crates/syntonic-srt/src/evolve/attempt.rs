//! Attempts: when one is over, and where the next begins.
//!
//! The next attempt has twice the population and begins at the start plus the first step size times normal noise (IPOP:
//! Auger and Hansen, "A restart CMA evolution strategy with increasing population size", 2005). Larger populations see
//! more of a function's large-scale shape, so they find better minima among many.

use super::config::Sizes;
use super::res::{Res, State};
use super::search::Search;
use super::uncertainty::Trials;
use super::{EvolveError, Limits, Reason, ResConfig, Restarts, Stagnation};
use super::{exact, floats};
use serde::{Deserialize, Serialize};
use syntonic_core::random::fill_normal_f64;
use syntonic_core::{Error, room};

/// Differences of this part of a value are rounding, and a step of this part of the first one is no step.
pub(super) const NOTHING: f64 = 1e-12;

/// The seeds of starts, beside those of candidates.
pub(super) const STARTS: u64 = 0x9E37_79B9_7F4A_7C15;

/// What is known of the present attempt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Attempt {
    /// How many came before it.
    pub(super) number: u32,
    /// The generation in which its cost last fell by more than rounding, or before which it began.
    pub(super) improved: u64,
    /// The cost that it fell to.
    best: Option<Cost>,
    /// Whether the costs of the latest generation differ by rounding alone.
    flat: bool,
    /// The least cost and the largest one of the latest generation.
    #[serde(default)]
    range: Option<(Cost, Cost)>,
    /// The least costs of the latest generations, of a window at most.
    #[serde(with = "floats", default)]
    pub(super) recent: Vec<f64>,
    /// The cost at which every attempt before this one converged.
    #[serde(default)]
    common: Option<Cost>,
}

/// Attempts that have to converge at the same value for it to be the answer.
const AGREEING: u32 = 3;

/// How much further than values of one attempt those of two may differ and count as the same.
const BETWEEN_ATTEMPTS: f64 = 10.0;

/// Generations that have to agree, for n unknowns and so many evaluations a generation.
pub(super) fn window(n: usize, survivors: usize) -> u64 {
    10 + (30 * n / survivors.max(1)) as u64
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Cost(#[serde(with = "exact")] f64);

impl Attempt {
    /// The attempt after so many others and so many generations, where those have converged at the same cost or at none.
    pub(super) fn after(number: u32, generation: u64, common: Option<Cost>) -> Attempt {
        Attempt {
            number,
            improved: generation,
            common,
            ..Attempt::default()
        }
    }

    /// The attempt of a search that was saved before there were any.
    pub(super) fn of_old(improved: u64, best: Option<f64>) -> Attempt {
        Attempt {
            improved,
            best: best.map(Cost),
            ..Attempt::default()
        }
    }

    /// The same, but for the costs of the latest generations.
    pub(super) fn without_recent(&self) -> Attempt {
        Attempt {
            recent: Vec::new(),
            ..*self
        }
    }

    /// Whether the numbers are ones that a search can have.
    pub(super) fn is_proper(&self, generation: u64) -> bool {
        let ends = self.range.map(|(least, most)| [least, most]);
        let costs = [self.best, self.common].into_iter().flatten();
        let mut costs = costs.chain(ends.into_iter().flatten());
        self.improved <= generation
            && costs.all(|Cost(cost)| !cost.is_nan())
            && self.recent.iter().all(|cost| !cost.is_nan())
    }

    /// What [`Attempt::see`] needs; it cannot fail.
    pub(super) fn make_room(&mut self, window: usize) -> Result<(), Error> {
        match self.recent.len() < window {
            true => room::grow(&mut self.recent, 1),
            false => Ok(()),
        }
    }

    /// Sees the costs of a generation.
    pub(super) fn see(&mut self, costs: &[f64], generation: u64, window: usize) {
        let usable = || costs.iter().copied().filter(|cost| !cost.is_nan());
        let (least, most) = usable().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), cost| {
            (a.min(cost), b.max(cost))
        });
        let any = usable().next().is_some();
        let bar = |Cost(best): Cost| match best.is_finite() {
            true => best - NOTHING * best.abs(),
            false => best,
        };
        if any && self.best.is_none_or(|best| least < bar(best)) {
            self.best = Some(Cost(least));
            self.improved = generation;
        }
        // Infinities of one sign have no difference.
        let size = least.abs().max(most.abs());
        let rounding = size.is_finite() && most - least <= NOTHING * size;
        self.flat = any && (least == most || rounding);
        self.range = any.then_some((Cost(least), Cost(most)));
        let more = self.recent.len().saturating_sub(window - 1);
        self.recent.drain(..more);
        self.recent.push(least);
    }

    /// Forgets what was seen, as the search begins again after so many generations; takes no memory.
    pub(super) fn begin_again(&mut self, generation: u64) {
        self.improved = generation;
        self.best = None;
        self.flat = false;
        self.range = None;
        self.recent.clear();
    }

    /// The distance between the largest and the least of the costs of the latest generation and the least ones of the
    /// latest generations; none before there are as many as a window.
    fn spread(&self, window: u64) -> Option<f64> {
        let (Cost(least), Cost(most)) = self.range?;
        if (self.recent.len() as u64) < window {
            return None;
        }
        let (least, most) = self
            .recent
            .iter()
            .fold((least, most), |(a, b), cost| (a.min(*cost), b.max(*cost)));
        Some(most - least)
    }
}

/// Where a search stands that asks whether its attempt is over.
pub(super) struct Standing<'a> {
    pub(super) generation: u64,
    /// Generations that have to agree.
    pub(super) window: u64,
    pub(super) limits: &'a Limits,
    /// The first step size.
    pub(super) sigma: f64,
    /// A bound of the deviations.
    pub(super) widest: f64,
    /// Whether the best value may be a lucky one.
    pub(super) is_noisy: bool,
}

impl Attempt {
    /// Why the attempt is over, if it is.
    pub(super) fn end(&self, now: &Standing<'_>) -> Option<Reason> {
        let (window, limits) = (now.window, now.limits);
        let small = |spread: Option<f64>, limit: Option<f64>| {
            // Neither infinity nor NaN is small.
            spread.zip(limit).is_some_and(|(s, limit)| s <= limit)
        };
        let idle = now.generation - self.improved;
        let (flat, stuck) = match limits.stagnation {
            Stagnation::Off => (false, false),
            Stagnation::Generations(count) => (false, idle >= count.max(1)),
            Stagnation::Auto => (
                self.flat && idle >= window,
                idle >= 90 + window && !now.is_noisy,
            ),
        };
        if flat || small(self.spread(window), limits.least_difference()) {
            Some(Reason::Tolfun)
        } else if small(Some(now.widest), limits.least_step(now.sigma)) {
            Some(Reason::Tolx)
        } else {
            stuck.then_some(Reason::Stagnation)
        }
    }
}

impl State {
    /// Why the attempt is over, if it is.
    pub(super) fn attempt_end(&self, config: &ResConfig, survivors: usize) -> Option<Reason> {
        self.attempt.end(&Standing {
            generation: self.generation,
            window: window(self.search.centre.len(), survivors),
            limits: &config.limits,
            sigma: config.sigma,
            widest: self.search.widest(),
            is_noisy: !config.noise.is_off(),
        })
    }

    /// The cost at which this attempt converged, and every one before it.
    fn common_end(&self, config: &ResConfig, survivors: usize) -> Option<Cost> {
        let end = self.attempt.best?;
        let reason = self.attempt_end(config, survivors)?;
        if reason == Reason::Stagnation {
            return None;
        }
        if self.attempt.number == 0 {
            return Some(end);
        }
        let (Cost(first), Cost(end)) = (self.attempt.common?, end);
        let tolerance = config.limits.least_difference().unwrap_or(0.0);
        let same = BETWEEN_ATTEMPTS * (tolerance + NOTHING * first.abs());
        (end == first || (end - first).abs() <= same).then_some(Cost(first))
    }
}

impl Res {
    /// Begins another attempt with twice the population, if the configuration wants one ([`super::Restarts`]), a generation of
    /// it is left of the evaluations, and there is room to count it; says whether it did. [`Res::run`] calls this where a
    /// [`Reason`] [ends an attempt](Reason::ends_an_attempt). The best candidate and the counts stay; candidates asked for are forgotten.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory; the search is then unchanged.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig, Restarts};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().restarts(Restarts::Growing))?;
    /// let before = res.ask()?.rows();
    /// assert!(res.restart()?);
    /// assert_eq!(res.ask()?.rows(), 2 * before);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn restart(&mut self) -> Result<bool, EvolveError> {
        let limit = self.config.limits.evaluations;
        let wanted = self.config.restarts_follow();
        let number = self.state.attempt.number.saturating_add(1);
        let Ok(sizes) = self.config.sizes(self.dimension(), number) else {
            return Ok(false);
        };
        let trials = Trials::new(self.config.noise, sizes.survivors, 1.0);
        let after = self.evaluations() + trials.rows() as u64;
        let common = self.state.common_end(&self.config, self.sizes().survivors);
        let settled = common.is_some() && number >= AGREEING;
        let settled = settled && self.config.restarts == Restarts::Auto;
        if !wanted || settled || limit.is_some_and(|most| after > most) {
            return Ok(false);
        }
        let start = self.another_start(number)?;
        // What showed that coordinates depend on each other is the function.
        let shape = self.state.search.shape();
        let search = Search::of_shape(&start, &self.config, shape);
        self.state.search = search.map_err(EvolveError::Engine)?;
        self.state.attempt = Attempt::after(number, self.generation(), common);
        self.begin(sizes);
        tracing::debug!(attempt = number, population = sizes.population, "RES");
        Ok(true)
    }

    /// `start + sigma z`, with noise of the attempt's own.
    fn another_start(&self, number: u32) -> Result<Vec<f64>, EvolveError> {
        let n = self.dimension();
        let mut x = room::zeros::<f64>(n)?;
        let first = u64::from(number).wrapping_mul(n as u64);
        fill_normal_f64(&mut x, self.config.seed ^ STARTS, first);
        for (k, (x, start)) in x.iter_mut().zip(&self.state.start).enumerate() {
            let scale = self.config.scales.as_ref().map_or(1.0, |s| s[k]);
            *x = start + self.config.sigma * scale * *x;
            // A start near the largest float.
            if !x.is_finite() {
                *x = *start;
            }
            if let Some(bounds) = &self.config.bounds {
                *x = bounds.fold(k, *x).0;
            }
        }
        Ok(x)
    }

    /// Attempts before the present one.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0; 4], ResConfig::new())?.restarts(), 0);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn restarts(&self) -> u32 {
        self.state.attempt.number
    }

    /// Candidates that a generation of the present attempt samples and evaluates.
    pub(super) fn sizes(&self) -> Sizes {
        self.sizes
    }
}
