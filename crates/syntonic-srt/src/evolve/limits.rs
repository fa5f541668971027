//! When a run, or an attempt of it, ends.

use super::config::check;
use super::{EvolveError, Res};
use serde::{Deserialize, Serialize};

/// When an attempt without a better value is over. Better is what differs by more than rounding, 1e-12 of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stagnation {
    /// After `100 + 30 n / K` generations, for n unknowns and K evaluations a generation; after `10 + 30 n / K` where the
    /// values of a generation differ by rounding alone, which is [`Reason::Tolfun`](super::Reason::Tolfun) too.
    #[default]
    Auto,
    /// After this many generations.
    Generations(u64),
    /// Never.
    Off,
}

/// How small differences have to be for an attempt to have converged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Tolerance {
    /// 1e-11: of values as they are, of steps in units of the first ones. With [`Stagnation::Off`] as [`Tolerance::Off`].
    #[default]
    Auto,
    /// No difference is small enough.
    Off,
    /// At most this much, as it is.
    Below(f64),
}

/// [`Tolerance::Auto`], the default of pycma too.
const CONVERGED: f64 = 1e-11;

impl Tolerance {
    fn validate(self, field: &'static str) -> Result<(), EvolveError> {
        match self {
            Tolerance::Auto | Tolerance::Off => Ok(()),
            Tolerance::Below(limit) => {
                let fits = limit >= 0.0 && limit.is_finite();
                check(field, limit, fits, "finite and not negative")
            }
        }
    }
}

/// When a run ends. The counts are of the whole search, resumed or not.
///
/// `tolfun`, `tolx` and `stagnation` end an attempt; whether another follows is the configuration's
/// [`Restarts`](super::Restarts).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Most generations.
    pub generations: Option<u64>,
    /// Most evaluations of the objective; never exceeded.
    pub evaluations: Option<u64>,
    /// Most seconds of one call of `run`. The only limit that is not reproducible.
    pub seconds: Option<f64>,
    /// A value that is good enough.
    pub target: Option<f64>,
    /// When to give up.
    pub stagnation: Stagnation,
    /// The largest difference of values that counts as none: of those of the latest generation, and the best ones of the
    /// `10 + 30 n / K` latest generations of the attempt.
    #[serde(default)]
    pub tolfun: Tolerance,
    /// The largest step that counts as none: the step size times the largest deviation of a coordinate, of a full matrix
    /// times a bound of it.
    #[serde(default)]
    pub tolx: Tolerance,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            generations: Some(10_000),
            evaluations: None,
            seconds: None,
            target: None,
            stagnation: Stagnation::Auto,
            tolfun: Tolerance::Auto,
            tolx: Tolerance::Auto,
        }
    }
}

impl Limits {
    /// The largest difference of values that counts as none.
    pub(super) fn least_difference(&self) -> Option<f64> {
        self.limit(self.tolfun, 1.0)
    }

    /// The largest step that counts as none, given the first one.
    pub(super) fn least_step(&self, first: f64) -> Option<f64> {
        self.limit(self.tolx, first)
    }

    fn limit(&self, tolerance: Tolerance, unit: f64) -> Option<f64> {
        match tolerance {
            Tolerance::Auto if self.stagnation == Stagnation::Off => None,
            Tolerance::Auto => Some(CONVERGED * unit),
            Tolerance::Off => None,
            Tolerance::Below(difference) => Some(difference),
        }
    }

    pub(super) fn validate(&self) -> Result<(), EvolveError> {
        if let Some(seconds) = self.seconds {
            check("seconds", seconds, seconds >= 0.0, "not negative")?;
        }
        if let Some(target) = self.target {
            check("target", target, !target.is_nan(), "a number")?;
        }
        self.tolfun.validate("tolfun")?;
        self.tolx.validate("tolx")
    }
}

impl Res {
    /// Changes when runs end, of a search under way or resumed.
    ///
    /// # Errors
    /// [`EvolveError::OutOfRange`]; the old limits then stay.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Limits, Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new())?;
    /// res.set_limits(Limits { generations: Some(5), ..Limits::default() })?;
    /// assert_eq!(res.config().limits.generations, Some(5));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), EvolveError> {
        limits.validate()?;
        self.config.limits = limits;
        Ok(())
    }
}
