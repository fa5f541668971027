//! Uncertainty handling: how often candidates are evaluated where the objective is noisy.
//!
//! A few candidates of each generation are evaluated again. Where their ranks change by more than a tenth of the ranks' distances the noise
//! dominates, and the next candidates are evaluated 1.5 times as often; where they do not, less often again, down to once (UH-CMA-ES: N.
//! Hansen, A. S. P. Niederberger, L. Guzzella and P. Koumoutsakos, "A method for handling uncertainty in evolutionary optimization with an
//! application to feedback control of combustion", IEEE Transactions on Evolutionary Computation 13, 2009, with its constants).
//!
//! Ranks tell whether noise is there, not whether it matters: means are wasted where the noise falls with the value, as a factor of the
//! sphere's values does, and the search without them gets there sooner. Hence it is off by default.

use super::score::costs;
use super::{Goal, Population, Res};
use serde::{Deserialize, Serialize};
use syntonic_core::{Error, Tensor, room};

/// What is done about noise of the objective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoiseHandling {
    /// Nothing: every candidate is evaluated once.
    #[default]
    Off,
    /// Candidates are evaluated as often as their ranks need, and what counts is the mean. [`Res::ask`](super::Res::ask) returns a row for
    /// each evaluation: all candidates, so many times one after the other, then as many times those that are evaluated again. The rule of
    /// [`Stagnation::Auto`](super::Stagnation::Auto) for generations without a better value is off, for the best value is a lucky one.
    Auto,
}

impl NoiseHandling {
    /// Whether this is what files without the option have.
    pub(super) fn is_off(&self) -> bool {
        *self == NoiseHandling::Off
    }
}

/// What multiplies the evaluations where noise dominates; where it does not, its fourth root divides them.
const GROWTH: f64 = 1.5;
const SHRINKAGE: f64 = 0.903_602_003_615_095_5;
/// No candidate is evaluated more often in a generation.
pub(super) const MOST_REPEATS: f64 = 1000.0;
/// The part of the distances of ranks that a change may have.
const TOLERATED: f64 = 0.1;

/// The evaluations of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trials {
    candidates: usize,
    /// Candidates that are evaluated again.
    again: usize,
    /// Evaluations that a value is the mean of.
    repeats: usize,
}

/// What the values of a generation come to.
pub(super) struct Folded {
    /// A value for each candidate.
    pub(super) values: Vec<f64>,
    /// Whether ranks changed by more than is tolerated; none without candidates that were evaluated again.
    pub(super) noisy: Option<bool>,
}

impl Trials {
    pub(super) fn new(handling: NoiseHandling, candidates: usize, repeats: f64) -> Trials {
        let (again, repeats) = match handling {
            NoiseHandling::Off => (0, 1),
            NoiseHandling::Auto => (candidates.div_ceil(10).max(2), repeats as usize),
        };
        Trials {
            candidates,
            again: again.min(candidates),
            repeats,
        }
    }

    /// Evaluations in all.
    pub(super) fn rows(&self) -> usize {
        (self.candidates + self.again).saturating_mul(self.repeats)
    }

    /// Whether every candidate is there once.
    pub(super) fn is_plain(&self) -> bool {
        self.rows() == self.candidates
    }

    /// The candidate that is the `k`-th to be evaluated again. They are spread, for neighbours may be mirrored pairs, whose ranks depend on
    /// each other.
    fn chosen(&self, k: usize) -> usize {
        k * self.candidates / self.again
    }

    /// A row for each evaluation.
    pub(super) fn listed(&self, population: &Population) -> Result<Population, Error> {
        let mut values = Vec::new();
        room::more(&mut values, self.rows().saturating_mul(population.cols))?;
        for _ in 0..self.repeats {
            values.extend_from_slice(&population.values);
        }
        for _ in 0..self.repeats {
            (0..self.again).for_each(|k| values.extend_from_slice(population.row(self.chosen(k))));
        }
        Ok(Population {
            values,
            cols: population.cols,
        })
    }

    /// The same of candidates `[K, n]` on a device.
    pub(super) fn listed_on(&self, candidates: &Tensor) -> Result<Tensor, Error> {
        if self.is_plain() {
            return Ok(candidates.clone());
        }
        let all = (0..self.candidates).cycle();
        let first = all.take(self.candidates * self.repeats);
        let again = (0..self.again).cycle().take(self.again * self.repeats);
        let places = first.chain(again.map(|k| self.chosen(k)));
        let places = room::collected(places.map(|place| place as i64))?;
        let count = places.len();
        let places = Tensor::from_vec(places, &[count])?.to(candidates.device())?;
        candidates.take(&places, 0)?.eval()
    }

    /// The means of a value for each row.
    pub(super) fn folded(&self, told: &[f64], goal: Goal) -> Result<Folded, Error> {
        if self.is_plain() {
            return Ok(Folded {
                values: room::copied(told)?,
                noisy: None,
            });
        }
        let (first, second) = told.split_at(self.candidates * self.repeats);
        let mut values = means(first, self.candidates, self.repeats)?;
        let second = means(second, self.again, self.repeats)?;
        let before = costs(&values, goal)?;
        for (k, value) in second.iter().enumerate() {
            values[self.chosen(k)] = *value;
        }
        let after = costs(&values, goal)?;
        let change = self.rank_change(&before, &after);
        for (k, value) in second.iter().enumerate() {
            let at = self.chosen(k);
            let first = match goal {
                Goal::Minimise => before[at],
                Goal::Maximise => -before[at],
            };
            values[at] = 0.5 * first + 0.5 * value;
        }
        Ok(Folded {
            values,
            noisy: Some(change > 0.0),
        })
    }

    /// The mean of `2 |Δ| - limit(r₁) - limit(r₂)` over the candidates that were evaluated again, where `Δ` is how far the rank of one moves
    /// among the costs of all before and after, and the limits are those of a small change at both ranks (equation 2 of the paper).
    fn rank_change(&self, before: &[f64], after: &[f64]) -> f64 {
        let all = || before.iter().chain(after);
        let rank = |cost: f64| {
            let worse = |other: f64| cost.total_cmp(&other).is_gt();
            all().filter(|other| worse(**other)).count() as f64
                + 0.5 * all().filter(|other| cost.total_cmp(other).is_eq()).count() as f64
        };
        let mut sum = 0.0;
        for k in 0..self.again {
            let at = self.chosen(k);
            let (old, new) = (rank(before[at]), rank(after[at]));
            let moved = ((new - old).abs() - 1.0).max(0.0);
            sum += 2.0 * moved - self.limit(old.min(new)) - self.limit(old.max(new) - 1.0);
        }
        sum / self.again as f64
    }

    /// The tolerated quantile of the distances of a rank from the others.
    fn limit(&self, rank: f64) -> f64 {
        let others = 2 * self.candidates - 1;
        let within = (TOLERATED * others as f64) as usize;
        // The ranks nearest to it are neighbours, so that the farthest of them is the first or the last.
        let first = (rank - 0.5 - 0.5 * within as f64).round();
        let first = first.clamp(0.0, (others - 1 - within) as f64) + 0.5;
        let last = first + within as f64;
        (first - rank).abs().max((last - rank).abs())
    }
}

impl Res {
    /// The evaluations of a generation of the present attempt.
    pub(super) fn trials(&self) -> Trials {
        Trials::new(
            self.config.noise,
            self.sizes().survivors,
            self.state.repeats,
        )
    }

    /// Evaluations that the value of a candidate of the next generation is the mean of: 1, but with
    /// [`NoiseHandling::Auto`](super::NoiseHandling::Auto).
    ///
    /// ```
    /// use syntonic_srt::evolve::{NoiseHandling, Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 4], ResConfig::new().population(8).noise(NoiseHandling::Auto))?;
    /// // Two of eight are evaluated again.
    /// assert_eq!((res.ask()?.rows(), res.repeats()), (10, 1));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn repeats(&self) -> usize {
        self.state.repeats as usize
    }
}

/// The evaluations of a candidate in the next generation.
pub(super) fn next_repeats(repeats: f64, noisy: bool) -> f64 {
    let factor = if noisy { GROWTH } else { SHRINKAGE };
    (repeats * factor).clamp(1.0, MOST_REPEATS)
}

/// Means of `repeats` rows of `count` values.
fn means(told: &[f64], count: usize, repeats: usize) -> Result<Vec<f64>, Error> {
    let mut sums = room::zeros::<f64>(count)?;
    for row in told.chunks_exact(count) {
        sums.iter_mut().zip(row).for_each(|(sum, v)| *sum += v);
    }
    sums.iter_mut().for_each(|sum| *sum /= repeats as f64);
    Ok(sums)
}

/// For files: what a search has that was never noisy.
pub(super) fn once() -> f64 {
    1.0
}

pub(super) fn is_once(repeats: &f64) -> bool {
    *repeats == 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trials(repeats: f64) -> Trials {
        Trials::new(NoiseHandling::Auto, 10, repeats)
    }

    #[test]
    fn rows_repeat_the_candidates_and_then_some_of_them() {
        let population = Population {
            values: (0..10).map(f64::from).collect(),
            cols: 1,
        };
        let rows = trials(2.9).listed(&population).unwrap();
        assert_eq!(rows.rows(), trials(2.9).rows());
        assert_eq!(rows.as_slice()[..10], rows.as_slice()[10..20]);
        assert_eq!(rows.as_slice()[20..], [0.0, 5.0, 0.0, 5.0]);
        assert!(Trials::new(NoiseHandling::Off, 10, 2.9).is_plain());
    }

    #[test]
    fn the_limit_is_a_quantile_of_the_distances() {
        for candidates in [1, 2, 7, 10, 60] {
            let trials = Trials::new(NoiseHandling::Auto, candidates, 1.0);
            for twice in -2..=4 * candidates as i32 {
                let rank = 0.5 * f64::from(twice);
                let others = 2 * candidates - 1;
                let distances = (0..others).map(|k| (k as f64 + 0.5 - rank).abs());
                let mut distances = Vec::from_iter(distances);
                distances.sort_by(f64::total_cmp);
                assert_eq!(trials.limit(rank), distances[others / 10], "{rank}");
            }
        }
    }

    #[test]
    fn ranks_tell_noise_from_none() {
        let mut told: Vec<f64> = (0..10).map(f64::from).chain([0.0, 5.0]).collect();
        let calm = trials(1.0).folded(&told, Goal::Minimise).unwrap();
        assert_eq!((calm.noisy, calm.values[5]), (Some(false), 5.0));
        // The first and the middle one have changed places.
        told[10..].copy_from_slice(&[9.5, 0.5]);
        for goal in [Goal::Minimise, Goal::Maximise] {
            let noisy = trials(1.0).folded(&told, goal).unwrap();
            assert_eq!((noisy.noisy, noisy.values[5]), (Some(true), 2.75));
        }
    }
}
