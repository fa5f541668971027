//! Evolution strategies by name: the weights of their ranks and the rates of their updates.

use super::plan::{COUNTED, Plan, RATES, Update};
use super::res::FLOOR;
use crate::evolve::config::FULL_LIMIT;
use crate::evolve::elementary::ln;
use crate::evolve::rates::Rates;
use crate::evolve::{Sampling, Shape};
use syntonic_core::{Error, Result, room};

/// An evolution strategy by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// RES with a full matrix, on every device the trajectory of [`Res`](crate::evolve::Res) with
    /// [`Shape::Full`](crate::evolve::Shape::Full), to the bit: mirrored pairs, the better half weighted by the logarithm of rank, negative weights of the
    /// worse half, cumulative step-size adaptation, and matrix adaptation. Up to 4,096 unknowns; time grows with their square. All is in
    /// `float64`; candidates are rounded to the type of the start.
    Res,
    /// A deviation for each coordinate, in time that grows with the unknowns: mirrored pairs, the better half weighted by the logarithm of rank,
    /// the step size by the length of its path (cumulative step-size adaptation), and variances by a path and by the selected steps. The
    /// path is normalised by what mirroring takes from it, as [`Rule::Res`] does; the worse half has no weight.
    Separable,
    /// The same without mirroring: separable CMA-ES.
    ///
    /// Source: Ros and Hansen, *A Simple Modification in CMA-ES Achieving Linear Time and Space Complexity*, PPSN X (2008).
    SeparableCma,
    /// Separable natural evolution: `mean += σ Σ u z` and `σ *= exp(η/2 Σ u (z² - 1))` by coordinate, with `η = (3 + ln n) / (5 √n)` and
    /// utilities `u` of ranks, `max(0, ln(P/2 + 1) - ln k)` scaled to sum 1, less `1/P`.
    ///
    /// Source: Wierstra et al., *Natural Evolution Strategies*, JMLR 15 (2014), algorithm 6 and table 1.
    Snes,
    /// OpenAI's strategy with mirrored pairs and centred ranks from -1/2 to 1/2: `mean -= rate Σ u z / (P σ)`.
    ///
    /// Source: Salimans et al., *Evolution Strategies as a Scalable Alternative to Reinforcement Learning* (2017).
    OpenAi {
        /// The learning rate.
        rate: f64,
    },
}

/// Weights of ranks, best first.
pub(super) struct Utilities {
    pub(super) weights: Vec<f64>,
    /// Their sums up to each rank.
    pub(super) prefixes: Vec<f64>,
    /// What all have in common, where most have nothing else.
    pub(super) base: Option<f64>,
}

impl Utilities {
    /// The weights of the better half and those of the worse half, `[2, P]`; and the sums of the first, of their squares and of the second up to
    /// each rank, `[3, P]`.
    fn of_both_halves(rates: &Rates) -> Result<Utilities> {
        let (weights, against) = (&rates.weights, &rates.against);
        let squares = room::collected(weights.iter().map(|w| w * w))?;
        let mut prefixes = Vec::new();
        room::more(&mut prefixes, 3 * weights.len())?;
        for summed in [weights, &squares, against] {
            let mut sum = 0.0;
            prefixes.extend(summed.iter().map(|x| {
                sum += x;
                sum
            }));
        }
        Ok(Utilities {
            weights: room::collected(weights.iter().chain(against).copied())?,
            prefixes,
            base: None,
        })
    }
}

impl Rule {
    /// Whether draws come in pairs `±z`.
    ///
    /// ```
    /// use syntonic_srt::evolve::device::Rule;
    ///
    /// assert!(Rule::Res.is_mirrored() && !Rule::Snes.is_mirrored());
    /// ```
    pub fn is_mirrored(self) -> bool {
        matches!(self, Rule::OpenAi { .. } | Rule::Res | Rule::Separable)
    }

    pub(super) fn update(self) -> Update {
        match self {
            Rule::Res => Update::Matrix,
            Rule::Separable | Rule::SeparableCma => Update::Paths,
            Rule::Snes => Update::Natural,
            Rule::OpenAi { .. } => Update::Gradient,
        }
    }

    fn rates_of(plan: Plan, shape: Shape) -> Result<Rates> {
        let sampling = match plan.mirrored {
            true => Sampling::Antithetic,
            false => Sampling::Independent,
        };
        Rates::new(plan.n, plan.population, shape, sampling)
    }

    pub(super) fn utilities(self, plan: Plan) -> Result<Utilities> {
        if self == Rule::Res {
            return Utilities::of_both_halves(&Rule::rates_of(plan, Shape::Full)?);
        }
        let p = plan.population as f64;
        let mut base = None;
        let weights = match self {
            Rule::Res | Rule::Separable | Rule::SeparableCma => {
                Rule::rates_of(plan, Shape::Separable)?.weights
            }
            Rule::Snes => {
                let middle = ln(p / 2.0 + 1.0);
                let raw = (1..=plan.population).map(|k| (middle - ln(k as f64)).max(0.0));
                let mut all = room::collected(raw)?;
                let total: f64 = all.iter().sum();
                all.iter_mut().for_each(|u| *u = *u / total - 1.0 / p);
                base = Some(-1.0 / p);
                all
            }
            Rule::OpenAi { .. } => {
                let last = (p - 1.0).max(1.0);
                room::collected((0..plan.population).map(|k| 0.5 - k as f64 / last))?
            }
        };
        let mut sum = 0.0;
        let prefixes = room::collected(weights.iter().map(|w| {
            sum += w;
            sum
        }))?;
        Ok(Utilities {
            weights,
            prefixes,
            base,
        })
    }

    /// The rates of the update, in the order that the kernels read them.
    pub(super) fn rates(self, plan: Plan) -> Result<[f64; RATES]> {
        let n = plan.n as f64;
        let mut rates = [0.0; RATES];
        match self {
            // Utilities add up to 0, so that Σ u (z² - 1) is Σ u z².
            Rule::Snes => rates[0] = 0.5 * ((3.0 + ln(n)) / (5.0 * n.sqrt())),
            Rule::OpenAi { rate } => rates[0] = rate / plan.population as f64,
            Rule::Res => {
                let r = Rule::rates_of(plan, Shape::Full)?;
                rates[..6].copy_from_slice(&[
                    r.path,
                    r.damping,
                    r.rank_one,
                    r.rank_mu,
                    r.expected_length,
                    FLOOR,
                ]);
            }
            Rule::Separable | Rule::SeparableCma => {
                let r = Rule::rates_of(plan, Shape::Separable)?;
                let normaliser = self.normaliser(plan, &r.weights);
                rates = [
                    r.path,
                    (r.path * (2.0 - r.path)).sqrt() * normaliser,
                    r.path / r.damping,
                    r.shape_path,
                    (r.shape_path * (2.0 - r.shape_path)).sqrt() * normaliser,
                    r.rank_one,
                    r.rank_mu,
                    r.expected_length,
                    f64::MIN_POSITIVE,
                    1.4 + 2.0 / (n + 1.0),
                    0.0,
                    0.0,
                ];
            }
        }
        Ok(rates)
    }

    /// `1 / √v` where `v` is the variance of a coordinate of `Σ w z` if ranks were dealt blindly: `Σ w²` for independent draws, less twice
    /// the expected product of two weights for every mirrored pair.
    fn normaliser(self, plan: Plan, weights: &[f64]) -> f64 {
        let square: f64 = weights.iter().map(|w| w * w).sum();
        let p = plan.population as f64;
        let pairs = match plan.mirrored {
            true => p / 2.0,
            false => 0.0,
        };
        let product = (1.0 - square) / (p * (p - 1.0));
        1.0 / (square - 2.0 * pairs * product).max(1e-12).sqrt()
    }

    /// Refuses unknowns, populations and rates that the rule has no use for.
    pub(super) fn check(self, n: usize, population: usize) -> Result<()> {
        if let Rule::OpenAi { rate } = self
            && !(rate > 0.0 && rate.is_finite())
        {
            let text = format!("a learning rate of {rate}: it must be positive and finite");
            return Err(Error::value("evolve", text));
        }
        if self == Rule::Res && (n > FULL_LIMIT || population > COUNTED) {
            let text = format!(
                "RES of {population} candidates of {n} unknowns: {COUNTED} and {FULL_LIMIT} at most; hint: take the rule \"separable\", whose work grows with the unknowns"
            );
            return Err(Error::value("evolve", text));
        }
        let least = if self == Rule::Separable { 4 } else { 2 };
        if population >= least && (!self.is_mirrored() || population.is_multiple_of(2)) {
            return Ok(());
        }
        let text = format!(
            "a population of {population}: at least {least}, and an even number where draws are mirrored"
        );
        Err(Error::value("evolve", text))
    }
}
