//! What a generation teaches, by the rule's published update.

use super::search::{DeviceSearch, product, scaled, sum};
use crate::evolve::elementary::ln;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{Error, Result, Tensor, room};

/// An evolution strategy by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
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

impl Rule {
    /// Whether draws come in pairs `±z`.
    pub fn is_mirrored(self) -> bool {
        matches!(self, Rule::OpenAi { .. })
    }

    /// The weight of each rank, best first.
    pub(super) fn utilities(self, population: usize) -> Result<Vec<f64>> {
        let p = population as f64;
        match self {
            Rule::Snes => {
                let middle = ln(p / 2.0 + 1.0);
                let raw = (1..=population).map(|k| (middle - ln(k as f64)).max(0.0));
                let mut all = room::collected(raw)?;
                let total: f64 = all.iter().sum();
                all.iter_mut().for_each(|u| *u = *u / total - 1.0 / p);
                Ok(all)
            }
            Rule::OpenAi { .. } => {
                let last = (p - 1.0).max(1.0);
                room::collected((0..population).map(|k| 0.5 - k as f64 / last))
            }
        }
    }

    /// Moves mean and deviations by the sums of a generation, `Σ (w₊ - w₋) z` and `Σ (w₊ + w₋) z²`.
    pub(super) fn learn(
        self,
        search: &DeviceSearch,
        first: &Tensor,
        second: &Tensor,
    ) -> Result<(Tensor, Tensor)> {
        let (mean, deviation) = (&search.mean, &search.deviation);
        let n = mean.numel() as f64;
        match self {
            Rule::Snes => {
                let eta = (3.0 + ln(n)) / (5.0 * n.sqrt());
                let next = sum(mean, &product(deviation, first)?)?;
                // Utilities add up to 0, so that Σ u (z² - 1) is Σ u z².
                let factor = exponential(&scaled(second, 0.5 * eta)?)?;
                Ok((next, product(deviation, &factor)?))
            }
            Rule::OpenAi { rate } => {
                // Centred ranks fall from 1/2 for the best: their sum over steps points downhill.
                let step = apply(Prim::Div, &[Arg::Tensor(first), Arg::Tensor(deviation)])?;
                let next = sum(mean, &scaled(&step, rate / search.population as f64)?)?;
                Ok((next, deviation.clone()))
            }
        }
    }

    /// The smallest population.
    pub(super) fn check(self, population: usize) -> Result<()> {
        let fits = match self {
            Rule::Snes => population >= 2,
            Rule::OpenAi { rate } => {
                if !(rate > 0.0 && rate.is_finite()) {
                    let text = format!("a learning rate of {rate}: it must be positive and finite");
                    return Err(Error::value("evolve", text));
                }
                population >= 2 && population.is_multiple_of(2)
            }
        };
        match fits {
            true => Ok(()),
            false => Err(Error::value(
                "evolve",
                format!(
                    "a population of {population}: at least 2, and an even number where draws are mirrored"
                ),
            )),
        }
    }
}

/// `e^x` by single operations that round in one way everywhere: `(e^(x/1024))^1024` with six terms, for `|x|` of at most 64; what is beyond
/// counts as 64. Off by some thousand roundings.
pub(super) fn exponential(x: &Tensor) -> Result<Tensor> {
    const TERMS: [f64; 6] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
    let bounded = apply(Prim::Max, &[Arg::Tensor(x), Arg::from(-64.0)])?;
    let bounded = apply(Prim::Min, &[Arg::Tensor(&bounded), Arg::from(64.0)])?;
    let y = scaled(&bounded, 1.0 / 1024.0)?;
    let mut value = scaled(&y, TERMS[0])?;
    for term in &TERMS[1..] {
        value = apply(Prim::Add, &[Arg::Tensor(&value), Arg::from(*term)])?;
        value = product(&value, &y)?;
    }
    value = apply(Prim::Add, &[Arg::Tensor(&value), Arg::from(1.0)])?;
    for _ in 0..10 {
        value = product(&value, &value)?;
    }
    Ok(value)
}
