//! The search as its user holds it: ask and tell.

use super::attempt::{self, Attempt};
use super::config::Sizes;
use super::inject::Injected;
use super::noise::for_rows;
use super::rates::Rates;
use super::score::{costs, median, ranking, syntony_price};
use super::search::{Generation, Judgement, Search};
use super::syntony::{golden_weights, index_norms, weighted};
use super::uncertainty;
use super::{EvolveError, Goal, Population, Record, ResConfig, Shape, exact, floats};
use serde::{Deserialize, Serialize};
use syntonic_core::{Error, room};

/// A search under way. See the [module](super) for the method and an example.
#[derive(Clone, Debug)]
pub struct Res {
    pub(super) config: ResConfig,
    pub(super) state: State,
    /// Candidates of a generation of the present attempt.
    pub(super) sizes: Sizes,
    /// None before the first generation of an attempt: a search that was only loaded takes no memory for its population.
    rates: Option<Rates>,
    /// Weights of the modes in syntony.
    pub(super) modes: Vec<f64>,
    asked: Option<Generation>,
    /// A row for each of their evaluations, where there is not just one.
    listed: Population,
    /// The last generation told, kept for its memory.
    spent: Option<Generation>,
}

/// Everything that a checkpoint must hold besides the configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) search: Search,
    pub(super) generation: u64,
    pub(super) evaluations: u64,
    pub(super) nan: u64,
    pub(super) best: Option<Best>,
    /// The generation that found the best.
    pub(super) improved: u64,
    pub(super) history: Vec<Record>,
    /// Where the first attempt began. Searches saved before there were attempts have none.
    #[serde(with = "floats", default)]
    pub(super) start: Vec<f64>,
    #[serde(default)]
    pub(super) attempt: Attempt,
    /// Points among the candidates of this generation, then those of the next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) injected: Vec<Injected>,
    /// Evaluations that the value of a candidate is the mean of, rounded down.
    #[serde(
        default = "uncertainty::once",
        skip_serializing_if = "uncertainty::is_once"
    )]
    pub(super) repeats: f64,
}

/// The best candidate so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Best {
    #[serde(with = "floats")]
    pub(super) x: Vec<f64>,
    #[serde(with = "exact")]
    pub(super) cost: f64,
}

impl Res {
    /// A search that starts at `start`, a vector of n finite values.
    ///
    /// # Errors
    /// [`EvolveError`] for an empty or non-finite start, and for a configuration out of range.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[1.0, 2.0], ResConfig::new())?.centre(), [1.0, 2.0]);
    /// assert!(Res::new(&[f64::NAN], ResConfig::new()).is_err());
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn new(start: &[f64], config: ResConfig) -> Result<Res, EvolveError> {
        if start.is_empty() {
            return Err(EvolveError::EmptyStart);
        }
        if let Some(index) = start.iter().position(|v| !v.is_finite()) {
            let value = start[index];
            return Err(EvolveError::StartNotFinite { index, value });
        }
        config.validate(start.len())?;
        if let Some(bounds) = &config.bounds {
            bounds.check("x0", start)?;
        }
        let state = State {
            search: Search::new(start, &config)?,
            generation: 0,
            evaluations: 0,
            nan: 0,
            best: None,
            improved: 0,
            history: Vec::new(),
            start: room::copied(start)?,
            attempt: Attempt::default(),
            injected: Vec::new(),
            repeats: 1.0,
        };
        Res::assemble(config, state)
    }

    /// Joins a valid configuration and a valid state.
    pub(super) fn assemble(config: ResConfig, state: State) -> Result<Res, EvolveError> {
        let n = state.search.centre.len();
        let modes = match &config.mode_norms {
            Some(norms) => golden_weights(norms.iter().copied())?,
            None => golden_weights(index_norms(n))?,
        };
        Ok(Res {
            sizes: config.sizes(n, state.attempt.number)?,
            config,
            state,
            rates: None,
            modes,
            asked: None,
            listed: Population::default(),
            spent: None,
        })
    }

    /// Begins an attempt with generations of these sizes.
    pub(super) fn begin(&mut self, sizes: Sizes) {
        self.sizes = sizes;
        self.rates = None;
        self.asked = None;
        self.state.repeats = 1.0;
        let now = self.state.generation;
        let waiting = self.state.injected.iter_mut();
        waiting.for_each(|point| point.generation = now);
    }

    /// Whether candidates were asked for and not yet told.
    pub(super) fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// The next candidates, `[K, n]`; with [`NoiseHandling::Auto`](super::NoiseHandling::Auto) a row for each evaluation of one. Asking again
    /// before telling returns the same ones.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory for them, and where the caller [stops](syntonic_core::interrupt) the work; the search is
    /// then unchanged, and a later call returns the candidates that this one would have.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new())?;
    /// let first = res.ask()?.clone();
    /// assert_eq!(res.ask()?.as_slice(), first.as_slice());
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn ask(&mut self) -> Result<&Population, EvolveError> {
        let trials = self.trials();
        let Res {
            config,
            state,
            modes,
            asked,
            listed,
            spent,
            sizes,
            ..
        } = self;
        let generation = match asked.take() {
            Some(generation) => generation,
            None => {
                let reused = spent.take();
                let now = |point: &Injected| point.generation == state.generation;
                let injected = &state.injected[..state.injected.partition_point(now)];
                let draw = (state.generation, *sizes, injected);
                let next = state.search.sample(config, draw, modes, reused);
                next.map_err(|e| e.named("RES: ask"))?
            }
        };
        let population = &asked.insert(generation).population;
        if trials.is_plain() {
            return Ok(population);
        }
        *listed = trials.listed(population)?;
        Ok(listed)
    }

    /// Takes the values of the candidates last asked for, in their order. NaN counts as worst.
    ///
    /// # Errors
    /// [`EvolveError::NothingAsked`] without an `ask`, [`EvolveError::Length`] unless there is one
    /// value for each row, [`EvolveError::Engine`] without memory to learn in; the search is then unchanged. What is
    /// told is learnt to the end, also where the caller would stop the work.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new())?;
    /// let values: Vec<f64> = res.ask()?.iter().map(|x| x.iter().map(|v| v * v).sum()).collect();
    /// res.tell(&values)?;
    /// assert_eq!(res.best_value(), values.iter().copied().reduce(f64::min));
    /// // Nothing has been asked since.
    /// assert!(res.tell(&values).is_err());
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn tell(&mut self, values: &[f64]) -> Result<(), EvolveError> {
        let rows = self.trials().rows();
        let Some(generation) = self.asked.take_if(|_| rows == values.len()) else {
            return Err(match &self.asked {
                None => EvolveError::NothingAsked,
                Some(_) => EvolveError::Length {
                    operation: "RES: tell",
                    found: values.len(),
                    expected: rows,
                },
            });
        };
        match self.digest(&generation, values) {
            Ok(()) => {
                self.spent = Some(generation);
                Ok(())
            }
            Err(e) => {
                self.asked = Some(generation);
                Err(e.into())
            }
        }
    }

    /// Forgets the candidates that wait for values.
    pub(super) fn forget(&mut self) {
        self.asked = None;
    }

    pub(super) fn digest(&mut self, generation: &Generation, told: &[f64]) -> Result<(), Error> {
        let row = |at| room::copied(generation.population.row(at));
        self.take(told, row, |res, costs| res.learnt(generation, costs))
    }

    /// Takes the values of a generation, given its rows and the search that has learnt from its costs. All memory is asked for before
    /// anything is changed.
    pub(super) fn take(
        &mut self,
        told: &[f64],
        row: impl FnOnce(usize) -> Result<Vec<f64>, Error>,
        learn: impl FnOnce(&mut Res, &[f64]) -> Result<Search, Error>,
    ) -> Result<(), Error> {
        let folded = self.trials().folded(told, self.config.goal)?;
        let values = &folded.values[..];
        let costs = costs(values, self.config.goal)?;
        let median = median(values)?;
        let mut workspace = self.ratio_workspace()?;
        let best = match self.better(&costs) {
            Some(at) => Some((row(at)?, costs[at])),
            None => None,
        };
        room::grow(&mut self.state.history, 1)?;
        let window = attempt::window(self.dimension(), costs.len()) as usize;
        self.state.attempt.make_room(window)?;
        let shape = self.state.search.shape();
        // Learnt beside what is there, which stays where the work is told to stop.
        self.state.search = learn(self, &costs)?;
        self.state.generation += 1;
        self.state.evaluations += told.len() as u64;
        if let Some(noisy) = folded.noisy {
            self.state.repeats = uncertainty::next_repeats(self.state.repeats, noisy);
        }
        if let Some((x, cost)) = best {
            self.state.best = Some(Best { x, cost });
            self.state.improved = self.state.generation;
        }
        let generation = self.state.generation;
        self.state.attempt.see(&costs, generation, window);
        if self.config.dependent_shape(self.dimension()).is_some()
            && self.state.search.shape() != shape
        {
            self.state.attempt.begin_again(generation);
            self.rates = None;
        }
        self.state
            .injected
            .retain(|point| point.generation >= generation);
        let nan = told.iter().filter(|v| v.is_nan()).count() as u64;
        self.write_history(values, (median, nan), &mut workspace);
        Ok(())
    }

    /// The first of the least costs, if it is less than the best so far.
    fn better(&self, costs: &[f64]) -> Option<usize> {
        let mut least = self.state.best.as_ref().map(|best| best.cost);
        let mut found = None;
        for (at, cost) in costs.iter().enumerate() {
            if least.map_or(!cost.is_nan(), |least| *cost < least) {
                (least, found) = (Some(*cost), Some(at));
            }
        }
        found
    }

    fn learnt(&mut self, generation: &Generation, costs: &[f64]) -> Result<Search, Error> {
        let price = syntony_price(self.config.syntony, costs)?;
        let scores = self.scores(&generation.population, costs, price)?;
        let judgement = Judgement {
            costs,
            scores: &scores,
            order: &ranking(&scores)?,
            price,
            modes: &self.modes,
        };
        let rates = match &self.rates {
            Some(rates) => rates,
            None => {
                let n = generation.population.cols();
                let shape = self.state.search.shape().unwrap_or(Shape::Isotropic);
                let rates = Rates::new(n, self.sizes.survivors, shape, self.config.sampling)?;
                self.rates.insert(rates)
            }
        };
        let floor = self.config.sigma_floor;
        let mut search = self.state.search.copied()?;
        let dependent = search.learn(generation, &judgement, rates, floor)?;
        if let Some(bounds) = &self.config.bounds {
            search.reflect(bounds);
        }
        if dependent {
            // With the first step size: a separable search that is held by a narrow valley has made its own too small.
            let shape = self.config.dependent_shape(self.dimension());
            tracing::debug!(generation = self.state.generation, ?shape, "RES");
            search = Search::of_shape(&search.centre, &self.config, shape)?;
        }
        Ok(search)
    }

    fn scores(
        &self,
        population: &Population,
        costs: &[f64],
        price: f64,
    ) -> Result<Vec<f64>, Error> {
        let mut scores = room::copied(costs)?;
        if price != 0.0 {
            for_rows(&mut scores, 1, population.values.len(), |k, score| {
                score[0] -= price * weighted(population.row(k), &self.modes);
            })?;
        }
        Ok(scores)
    }

    /// The configuration.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0; 4], ResConfig::new().seed(7))?.config().seed, 7);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn config(&self) -> &ResConfig {
        &self.config
    }

    /// Number of unknowns, n.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0; 4], ResConfig::new())?.dimension(), 4);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn dimension(&self) -> usize {
        self.state.search.centre.len()
    }

    /// Generations finished.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(8))?;
    /// res.ask()?;
    /// res.tell(&[0.0; 8])?;
    /// assert_eq!(res.generation(), 1);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn generation(&self) -> u64 {
        self.state.generation
    }

    /// Evaluations told.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(8))?;
    /// res.ask()?;
    /// res.tell(&[0.0; 8])?;
    /// assert_eq!(res.evaluations(), 8);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn evaluations(&self) -> u64 {
        self.state.evaluations
    }

    /// The centre of the sampling distribution. Under noise it is often a better answer than the
    /// best candidate, which may have been lucky.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0, 4.0], ResConfig::new())?.centre(), [3.0, 4.0]);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn centre(&self) -> &[f64] {
        &self.state.search.centre
    }

    /// The step size.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// assert_eq!(Res::new(&[3.0; 4], ResConfig::new().sigma(0.5))?.sigma(), 0.5);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn sigma(&self) -> f64 {
        self.state.search.sigma
    }

    /// The best candidate told so far.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(4))?;
    /// assert!(res.best().is_none());
    /// let third = res.ask()?.row(2).to_vec();
    /// res.tell(&[5.0, 6.0, 1.0, f64::NAN])?;
    /// assert_eq!(res.best(), Some(&third[..]));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn best(&self) -> Option<&[f64]> {
        self.state.best.as_ref().map(|best| best.x.as_slice())
    }

    /// The value of the best candidate.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(4))?;
    /// res.ask()?;
    /// res.tell(&[5.0, 6.0, 1.0, f64::NAN])?;
    /// assert_eq!(res.best_value(), Some(1.0));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn best_value(&self) -> Option<f64> {
        let cost = self.state.best.as_ref()?.cost;
        Some(match self.config.goal {
            Goal::Minimise => cost,
            Goal::Maximise => -cost,
        })
    }

    /// A record for each generation, while there are at most 4096. From then on every second one is kept, from 8192 on
    /// every fourth, and so on; the latest is always there. Which ones depends on the number of generations alone, so a
    /// resumed search has the history of one that was never interrupted.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(4))?;
    /// for _ in 0..3 {
    ///     res.ask()?;
    ///     res.tell(&[5.0, 6.0, 1.0, 4.0])?;
    /// }
    /// assert_eq!((res.history().len(), res.history()[2].mean), (3, 4.0));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn history(&self) -> &[Record] {
        &self.state.history
    }

    /// Syntony of the best candidate, of the centre while there is none.
    pub(super) fn best_syntony(&self) -> f64 {
        weighted(self.best().unwrap_or(self.centre()), &self.modes)
    }
}
