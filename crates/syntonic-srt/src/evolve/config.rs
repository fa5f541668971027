//! The configuration of a run, and what makes it valid.

use super::choice::{Goal, Restarts, Sampling, Shape, Strategy, Survivors, SyntonyWeight};
use super::elementary::ln;
use super::floats;
use super::uncertainty::NoiseHandling;
use super::{Bounds, EvolveError, Lattice, Limits, Stagnation, Tolerance};
use serde::{Deserialize, Serialize};

/// Everything about a search but its start and its objective.
///
/// Fields are public; the methods of the same names set them one after another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResConfig {
    /// Which way is better.
    pub goal: Goal,
    /// The seed of the noise.
    pub seed: u64,
    /// Step size to begin with: about a third of the distance to where the answer may be.
    pub sigma: f64,
    /// The least step size; keeps a search that has converged from underflow.
    pub sigma_floor: f64,
    /// Candidates sampled in a generation; `4 + 3 ln n`, made even, if not given, and four times as many on a lattice.
    pub population: Option<usize>,
    /// Candidates evaluated.
    pub survivors: Survivors,
    /// How the noise is drawn.
    pub sampling: Sampling,
    /// How a generation makes the next.
    pub strategy: Strategy,
    /// The bonus of syntony.
    pub syntony: SyntonyWeight,
    /// Squared mode norms, one for each coordinate; `i²` if not given.
    #[serde(default, deserialize_with = "floats::optional")]
    pub mode_norms: Option<Vec<f64>>,
    /// The first deviation of each coordinate in units of `sigma`, above 1e-15 and at most 1; all 1 if not given.
    #[serde(default, deserialize_with = "floats::optional")]
    pub scales: Option<Vec<f64>>,
    /// Where candidates may be.
    #[serde(default)]
    pub bounds: Option<Bounds>,
    /// Points that coordinates lie on; real numbers if not given.
    #[serde(default)]
    pub lattice: Option<Lattice>,
    /// When a run ends.
    pub limits: Limits,
    /// What happens when an attempt is over.
    #[serde(default)]
    pub restarts: Restarts,
    /// What is done about noise of the objective.
    #[serde(default, skip_serializing_if = "NoiseHandling::is_off")]
    pub noise: NoiseHandling,
}

impl Default for ResConfig {
    fn default() -> ResConfig {
        ResConfig {
            goal: Goal::default(),
            seed: 0,
            sigma: 0.3,
            sigma_floor: 1e-150,
            population: None,
            survivors: Survivors::default(),
            sampling: Sampling::default(),
            strategy: Strategy::default(),
            syntony: SyntonyWeight::default(),
            mode_norms: None,
            scales: None,
            bounds: None,
            lattice: None,
            limits: Limits::default(),
            restarts: Restarts::default(),
            noise: NoiseHandling::default(),
        }
    }
}

/// Candidates of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Sampled.
    pub(super) population: usize,
    /// Evaluated.
    pub(super) survivors: usize,
}

/// The most unknowns of [`Shape::Full`]: its matrix takes n² floats.
pub(super) const FULL_LIMIT: usize = 4096;

/// The most candidates of a generation. Memory ends long before; this is where a number is no size at all.
pub(super) const POPULATION_LIMIT: usize = u32::MAX as usize;

/// Unknowns up to which [`Shape::Auto`] learns a full matrix.
const AUTO_FULL: usize = 64;

/// The same on a lattice, where a matrix is settled by once a generation, in O(n³).
const LATTICE_FULL: usize = 200;

/// So many times the usual population on a lattice: of 1, 2, 4 and 8 the one that took the fewest evaluations over ten problems of
/// closest vectors and exact weights.
const ON_LATTICE: usize = 4;

/// Unknowns up to which [`Shape::Auto`] learns one where coordinates depend on each other; beyond, one of low rank.
const AUTO_DEPENDENT_FULL: usize = 1000;

/// Step sizes stay below this, so that an objective without a minimum yields large numbers, not
/// infinite ones.
pub(super) const SIGMA_CEILING: f64 = 1e100;

macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $kind:ty => $($path:ident).+ $(= $wrap:path)?, $value:expr;)*) => {
        $($(#[$doc])*
        ///
        #[doc = concat!(
            "```\nuse syntonic_srt::evolve::*;\n\n",
            "let config = ResConfig::new().", stringify!($name), "(", stringify!($value), ");\n",
            "assert_eq!(config", $(".", stringify!($path),)+ ", ", $(stringify!($wrap),)? "(", stringify!($value), "));\n```"
        )]
        #[must_use]
        pub fn $name(mut self, value: $kind) -> ResConfig {
            self.$($path).+ = $($wrap)?(value);
            self
        })*
    };
}

impl ResConfig {
    /// The default configuration.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Goal, ResConfig};
    ///
    /// let config = ResConfig::new().sigma(0.5).goal(Goal::Maximise);
    /// assert_eq!((config.sigma, config.goal), (0.5, Goal::Maximise));
    /// ```
    pub fn new() -> ResConfig {
        ResConfig::default()
    }

    setters! {
        /// Sets which way is better.
        goal: Goal => goal, Goal::Maximise;
        /// Sets the seed of the noise.
        seed: u64 => seed, 7;
        /// Sets the first step size.
        sigma: f64 => sigma, 0.5;
        /// Sets the least step size.
        sigma_floor: f64 => sigma_floor, 1e-9;
        /// Sets the candidates sampled in a generation.
        population: usize => population = Some, 64;
        /// Sets the candidates evaluated: the most syntonic ones.
        survivors: usize => survivors = Survivors::Count, 16;
        /// Evaluates only this part of the population: the most syntonic candidates.
        prefilter: f64 => survivors = Survivors::Fraction, 0.25;
        /// Sets how the noise is drawn.
        sampling: Sampling => sampling, Sampling::Independent;
        /// Sets how a generation makes the next.
        strategy: Strategy => strategy, Strategy::Elitist;
        /// Sets the bonus of syntony.
        syntony: SyntonyWeight => syntony, SyntonyWeight::Spread(0.1);
        /// Sets the squared mode norms, one for each coordinate.
        mode_norms: Vec<f64> => mode_norms = Some, vec![0.0, 1.0, 4.0];
        /// Sets the first deviations of the coordinates, in units of `sigma`.
        scales: Vec<f64> => scales = Some, vec![1.0, 0.01];
        /// Sets where candidates may be.
        bounds: Bounds => bounds = Some, Bounds { lower: vec![-1.0], upper: vec![1.0] };
        /// Sets the most generations.
        generations: u64 => limits.generations = Some, 100;
        /// Sets the most evaluations.
        evaluations: u64 => limits.evaluations = Some, 20_000;
        /// Sets the most seconds of a call of `run`.
        seconds: f64 => limits.seconds = Some, 1.5;
        /// Sets the value that is good enough.
        target: f64 => limits.target = Some, 1e-8;
        /// Sets when to give up.
        stagnation: Stagnation => limits.stagnation, Stagnation::Off;
        /// Sets the differences of values below which an attempt has converged.
        tolfun: Tolerance => limits.tolfun, Tolerance::Below(1e-6);
        /// Sets the step below which an attempt has converged.
        tolx: Tolerance => limits.tolx, Tolerance::Off;
        /// Sets what happens when an attempt is over.
        restarts: Restarts => restarts, Restarts::Growing;
        /// Sets what is done about noise of the objective.
        noise: NoiseHandling => noise, NoiseHandling::Auto;
    }

    /// Sets the points that coordinates lie on, and [`Sampling::Independent`], which they take.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Lattice, ResConfig, Sampling};
    ///
    /// let config = ResConfig::new().lattice(Lattice::golden(10));
    /// assert_eq!((config.lattice, config.sampling), (Some(Lattice::golden(10)), Sampling::Independent));
    /// ```
    #[must_use]
    pub fn lattice(mut self, lattice: Lattice) -> ResConfig {
        self.lattice = Some(lattice);
        self.sampling = Sampling::Independent;
        self
    }

    /// Candidates sampled in a generation of the first attempt, for `n` unknowns.
    ///
    /// ```
    /// use syntonic_srt::evolve::ResConfig;
    ///
    /// assert_eq!(ResConfig::new().population_for(10), 10);
    /// assert_eq!(ResConfig::new().population(64).population_for(10), 64);
    /// ```
    pub fn population_for(&self, n: usize) -> usize {
        let natural = 4 + (3.0 * ln(n.max(1) as f64)) as usize;
        let natural = natural + natural % 2;
        let times = if self.lattice.is_some() {
            ON_LATTICE
        } else {
            1
        };
        self.population.unwrap_or(natural * times)
    }

    /// Candidates evaluated in a generation of the first attempt, for `n` unknowns.
    ///
    /// ```
    /// use syntonic_srt::evolve::ResConfig;
    ///
    /// assert_eq!(ResConfig::new().population(64).survivors_for(10), 64);
    /// assert_eq!(ResConfig::new().population(64).prefilter(0.25).survivors_for(10), 16);
    /// ```
    pub fn survivors_for(&self, n: usize) -> usize {
        self.survivors_of(self.population_for(n))
    }

    fn survivors_of(&self, population: usize) -> usize {
        match self.survivors {
            Survivors::All => population,
            Survivors::Count(count) => count,
            Survivors::Fraction(part) => (population as f64 * part).ceil() as usize,
        }
    }

    /// The shape that a search of `n` unknowns begins with; none for the elitist strategy, which has no use for one.
    pub(super) fn first_shape(&self, n: usize) -> Option<Shape> {
        match self.strategy {
            Strategy::Elitist => None,
            Strategy::Recombine(Shape::Auto) if n <= self.auto_full() => Some(Shape::Full),
            Strategy::Recombine(Shape::Auto) => Some(Shape::Separable),
            Strategy::Recombine(shape) => Some(shape),
        }
    }

    /// The shape that a search of `n` unknowns goes over to where coordinates depend on each other, if it looks for that.
    pub(super) fn dependent_shape(&self, n: usize) -> Option<Shape> {
        let auto = self.strategy == Strategy::Recombine(Shape::Auto);
        let shape = match n <= AUTO_DEPENDENT_FULL {
            true => Shape::Full,
            false => Shape::LowRank,
        };
        // The probe compares mirrored pairs.
        let auto = auto && self.lattice.is_none();
        (auto && n > AUTO_FULL).then_some(shape)
    }

    /// Unknowns up to which [`Shape::Auto`] learns a full matrix from the first.
    fn auto_full(&self) -> usize {
        match self.lattice {
            Some(_) => LATTICE_FULL,
            None => AUTO_FULL,
        }
    }

    /// Whether an attempt may follow another.
    pub(super) fn restarts_follow(&self) -> bool {
        match self.restarts {
            Restarts::Off => false,
            Restarts::Auto => self.limits.evaluations.is_some(),
            Restarts::Growing => true,
        }
    }

    /// Checks the configuration for a search over `n` unknowns.
    pub(super) fn validate(&self, n: usize) -> Result<(), EvolveError> {
        self.validate_sizes(n)?;
        self.validate_norms(n)?;
        let sigma_fits = self.sigma > 0.0 && self.sigma <= SIGMA_CEILING;
        check("sigma", self.sigma, sigma_fits, "above 0 and at most 1e100")?;
        let floor = self.sigma_floor;
        let floor_fits = floor >= f64::MIN_POSITIVE && floor <= self.sigma;
        check(
            "sigma_floor",
            floor,
            floor_fits,
            "a normal number above 0 and at most sigma",
        )?;
        if let SyntonyWeight::Absolute(weight) | SyntonyWeight::Spread(weight) = self.syntony {
            check("syntony", weight, weight.is_finite(), "finite")?;
        }
        self.validate_scales(n)?;
        if self.noise == NoiseHandling::Auto && self.first_shape(n).is_none() {
            return Err(EvolveError::Ignored {
                option: "handling of noise",
                strategy: "elitist",
                hint: "its parent may be a lucky one for ever; take another strategy",
            });
        }
        if let Some(bounds) = &self.bounds {
            bounds.validate(n)?;
        }
        self.validate_lattice(n)?;
        self.limits.validate()
    }

    fn validate_scales(&self, n: usize) -> Result<(), EvolveError> {
        let Some(scales) = &self.scales else {
            return Ok(());
        };
        if scales.len() != n {
            return Err(EvolveError::Length {
                operation: "RES: scales",
                found: scales.len(),
                expected: n,
            });
        }
        let strategy = match self.strategy {
            Strategy::Elitist => "elitist",
            Strategy::Recombine(Shape::Isotropic) => "isotropic",
            Strategy::Recombine(_) => {
                let wanted = "above 1e-15 and at most 1, the largest of them";
                let mut scales = scales.iter();
                return scales
                    .try_for_each(|s| check("scales", *s, *s > 1e-15 && *s <= 1.0, wanted));
            }
        };
        Err(EvolveError::Ignored {
            option: "a step size for each coordinate",
            strategy,
            hint: "give one step size, or take a separable, a full or a low-rank matrix",
        })
    }

    fn validate_sizes(&self, n: usize) -> Result<(), EvolveError> {
        self.sizes(n, 0)?;
        if self.first_shape(n) == Some(Shape::Full) && n > FULL_LIMIT {
            return Err(EvolveError::FullTooLarge {
                n,
                limit: FULL_LIMIT,
            });
        }
        Ok(())
    }

    /// Candidates of a generation of this attempt: twice as many as those of the one before it.
    pub(super) fn sizes(&self, n: usize, attempt: u32) -> Result<Sizes, EvolveError> {
        if let Survivors::Fraction(part) = self.survivors {
            let fits = part > 0.0 && part <= 1.0;
            check("prefilter", part, fits, "above 0 and at most 1")?;
        }
        let grown =
            |size: usize| size.saturating_mul(1_usize.checked_shl(attempt).unwrap_or(usize::MAX));
        let population = grown(self.population_for(n));
        let survivors = match self.survivors {
            Survivors::Count(count) => grown(count),
            Survivors::All | Survivors::Fraction(_) => self.survivors_of(population),
        };
        // Noise and candidates are as many floats.
        let floats = population
            .checked_mul(n)
            .and_then(|all| all.checked_mul(16));
        if population > POPULATION_LIMIT || floats.is_none_or(|b| b > isize::MAX as usize) {
            return Err(EvolveError::PopulationTooLarge {
                population,
                n,
                limit: POPULATION_LIMIT,
            });
        }
        let least = if self.first_shape(n).is_some() { 2 } else { 1 };
        let wanted = "at least 2, or 1 for the elitist strategy";
        check("population", population as f64, population >= least, wanted)?;
        check("survivors", survivors as f64, survivors >= least, wanted)?;
        if survivors > population {
            return Err(EvolveError::TooManySurvivors {
                survivors,
                population,
            });
        }
        Ok(Sizes {
            population,
            survivors,
        })
    }

    fn validate_norms(&self, n: usize) -> Result<(), EvolveError> {
        let Some(norms) = &self.mode_norms else {
            return Ok(());
        };
        if norms.len() != n {
            return Err(EvolveError::Length {
                operation: "RES: mode_norms",
                found: norms.len(),
                expected: n,
            });
        }
        norms.iter().try_for_each(|norm| {
            check(
                "mode_norms",
                *norm,
                norm.is_finite() && *norm >= 0.0,
                "finite and not negative",
            )
        })
    }
}

pub(super) fn check(
    field: &'static str,
    value: f64,
    fits: bool,
    wanted: &'static str,
) -> Result<(), EvolveError> {
    if fits {
        Ok(())
    } else {
        Err(EvolveError::OutOfRange {
            field,
            value,
            wanted,
        })
    }
}
