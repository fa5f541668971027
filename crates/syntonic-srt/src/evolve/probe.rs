//! Whether coordinates depend on each other, as a separable search sees it.
//!
//! Two sums tell, over the pairs of coordinates `i`, `j`, in units of the noise:
//!
//! * *Curvature*: `Σ r z_i z_j` over draws, where `r` is the rank of a draw's mean value in its generation, less the mean rank. The
//!   mean of a mirrored pair has no slope. Where the function is a sum of functions of one coordinate each, it is the same with
//!   the sign of any `z_i` changed, so the energy `Σ (Σ r z_i z_j)²` is `Σ r² z_i² z_j²` in the mean, whatever the functions are.
//! * *Path*: `Σ y_i y_j` over generations, where `y` is the step of the mean. Where the search walks along one direction, and is held by all
//!   others, curvature is all but the same everywhere, and this sum is what shows it. A search that learns its scales walks so too for a
//!   while, so the first windows do not count; all others count together.
//!
//! The number of deviations by which an energy exceeds its mean grows as the number of draws over that of unknowns, so the windows are counted
//! in unknowns. In some 250 searches of ten separable functions of 65, 100 and 200 unknowns curvature was never more than 3.4 deviations, and the path
//! never more than 2.5; rotated ellipsoids show 4 after 10 to 70 evaluations an unknown, Rosenbrock's function after 150 to 230, a rotated cigar after
//! 150 to 390.
//!
//! Of more than 1,000 unknowns those pairs are summed whose coordinates are nearest to each other in a circle, so that the probe's cost is that of
//! 1,000. Coordinates that depend on distant ones alone are then not seen to do so.

use super::noise::{Noise, Sums, for_rows};
use super::score::{is_usable, ranking};
use super::shape::add_rows;
use super::{exact, floats, lanes};
use serde::{Deserialize, Serialize};
use syntonic_core::{Error, room};

/// Deviations from independence that are dependence.
const DEPENDENT: f64 = 4.0;

/// Evaluations of the first window, for each unknown. Every window is twice as far from the beginning as the one before it.
const FIRST: u64 = 10;

/// A window is as long as all before it, but not longer than so many of the first.
const LONGEST: u64 = 8;

/// The first window whose path counts.
const PATHS: u32 = 2;

/// The most pairs of coordinates whose products are summed, but for one of each coordinate.
const PAIRS: usize = 500_000;

/// No search has so many windows.
const MOST_WINDOWS: u32 = 60;

/// What was seen since the attempt began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Probe {
    evaluations: u64,
    /// Windows that are over.
    windows: u32,
    curvature: Energy,
    path: Energy,
}

/// A generation, as a probe sees it.
pub(super) struct Seen<'a> {
    pub(super) noise: &'a Noise,
    /// Members of the population that have scores, and these.
    pub(super) members: &'a [usize],
    pub(super) scores: &'a [f64],
    pub(super) sums: &'a Sums,
    /// What makes [`Sums::first`] of unit variance.
    pub(super) normaliser: f64,
}

impl Probe {
    /// Whether the numbers are ones that a search of `n` unknowns can have.
    pub(super) fn is_proper(&self, n: usize) -> bool {
        let energies = [&self.curvature, &self.path];
        self.windows <= MOST_WINDOWS && energies.iter().all(|energy| energy.is_proper(n))
    }

    /// The same, to be changed.
    pub(super) fn copied(&self) -> Result<Probe, Error> {
        Ok(Probe {
            curvature: self.curvature.copied()?,
            path: self.path.copied()?,
            ..*self
        })
    }

    /// Sees a generation; says whether coordinates depend on each other, at the end of a window.
    pub(super) fn see(&mut self, seen: &Seen<'_>) -> Result<bool, Error> {
        let n = seen.noise.n;
        let first = FIRST.saturating_mul(n as u64);
        let begin = first.saturating_mul((1 << self.windows) - 1);
        let length = first.saturating_mul((1 << self.windows).min(LONGEST));
        if self.evaluations >= begin {
            self.curvature
                .add(&centred_ranks(seen)?, &seen.noise.z, n)?;
            let square = seen.normaliser * seen.normaliser;
            self.path.add(&[square], &seen.sums.first, n)?;
        }
        let told = seen.members.len() as u64;
        self.evaluations = self.evaluations.saturating_add(told);
        if self.evaluations < begin.saturating_add(length) {
            return Ok(false);
        }
        let curvature = self.curvature.take().excess(n)?;
        let path = self.path.excess(n)?;
        let early = self.windows < PATHS;
        if early {
            self.path.take();
        }
        let dependent = curvature > DEPENDENT || (!early && path > DEPENDENT);
        tracing::debug!(window = self.windows, curvature, path, "RES: probe");
        self.windows = (self.windows + 1).min(MOST_WINDOWS);
        Ok(dependent)
    }
}

/// The rank of the mean score of each draw, less the mean rank; 0 for draws without a usable score.
fn centred_ranks(seen: &Seen<'_>) -> Result<Vec<f64>, Error> {
    let draws = seen.noise.z.len() / seen.noise.n;
    let mut means = room::filled(draws, f64::NAN)?;
    let mut counts = room::zeros::<f64>(draws)?;
    for (member, score) in seen.members.iter().zip(seen.scores) {
        if is_usable(*score) {
            let draw = seen.noise.source(*member).0;
            // The first takes the place of NaN.
            means[draw] = *score + if counts[draw] > 0.0 { means[draw] } else { 0.0 };
            counts[draw] += 1.0;
        }
    }
    means.iter_mut().zip(&counts).for_each(|(m, c)| *m /= c);
    let usable = counts.iter().filter(|count| **count > 0.0).count();
    let middle = (usable as f64 - 1.0) / 2.0;
    let mut ranks = room::zeros::<f64>(draws)?;
    for (rank, draw) in ranking(&means)?.into_iter().take(usable).enumerate() {
        ranks[draw] = rank as f64 - middle;
    }
    Ok(ranks)
}

/// `Σ a z_i z_j` for the pairs of coordinates, and what their squares sum to in the mean if signs are dealt blindly.
///
/// Row `i` has the pairs with the coordinates that follow it in a circle, up to half of it or to [`PAIRS`]: each pair once, but for those of an even
/// number that face each other, which are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Energy {
    /// Nothing before the first generation of a window.
    #[serde(with = "floats")]
    sums: Vec<f64>,
    #[serde(with = "exact")]
    mean: f64,
}

/// The pairs of a row.
fn reach(n: usize) -> usize {
    half(n).min((PAIRS / n).max(1))
}

/// How many there are if there is no limit of them.
fn half(n: usize) -> usize {
    n.saturating_sub(1) / 2
}

/// `Σ z_i² z_j²` over the pairs of all rows.
fn squares(z: &[f64]) -> Result<f64, Error> {
    let n = z.len();
    let squares = || z.iter().map(|z| z * z);
    if reach(n) < half(n) {
        return squares_within(z, reach(n));
    }
    let (all, own) = (lanes::sum(squares()), lanes::sum(squares().map(|s| s * s)));
    let facing = lanes::sum(
        squares()
            .zip(squares().skip(half(n) + 1))
            .map(|(a, b)| a * b),
    );
    let left_out = if n.is_multiple_of(2) { facing } else { 0.0 };
    Ok((0.5 * (all * all - own) - left_out).max(0.0))
}

/// That over pairs so far apart at most.
fn squares_within(z: &[f64], reach: usize) -> Result<f64, Error> {
    let square = |k: usize| z[k % z.len()] * z[k % z.len()];
    let mut sums = room::zeros::<f64>(z.len() + reach + 1)?;
    for k in 0..z.len() + reach {
        sums[k + 1] = sums[k] + square(k);
    }
    let following = |k: usize| sums[k + 1 + reach] - sums[k + 1];
    Ok(lanes::sum((0..z.len()).map(|k| square(k) * following(k))))
}

impl Energy {
    fn is_proper(&self, n: usize) -> bool {
        let length = self.sums.is_empty() || self.sums.len() == n * reach(n);
        length
            && self.sums.iter().all(|v| v.is_finite())
            && self.mean >= 0.0
            && self.mean.is_finite()
    }

    fn copied(&self) -> Result<Energy, Error> {
        Ok(Energy {
            sums: room::copied(&self.sums)?,
            mean: self.mean,
        })
    }

    fn take(&mut self) -> Energy {
        std::mem::take(self)
    }

    /// Adds `a z_i z_j` of each row of `z`.
    fn add(&mut self, factors: &[f64], z: &[f64], n: usize) -> Result<(), Error> {
        let reach = reach(n);
        if self.sums.is_empty() {
            self.sums = room::zeros(n * reach)?;
        }
        let cost = self.sums.len().saturating_mul(factors.len());
        for_rows(&mut self.sums, reach, cost, |i, row| {
            let (ahead, around) = row.split_at_mut(reach.min(n - i - 1));
            let own = z.iter().skip(i).step_by(n);
            let factors = || {
                factors
                    .iter()
                    .zip(own.clone())
                    .map(|(factor, z)| factor * z)
            };
            add_rows(ahead, &z[i + 1..], n, factors());
            add_rows(around, z, n, factors());
        })?;
        for (z, factor) in z.chunks_exact(n).zip(factors) {
            self.mean += factor * factor * squares(z)?;
        }
        Ok(())
    }

    /// How far the energy is above its mean, in deviations: it has `n reach` terms, each of one degree of freedom.
    fn excess(&self, n: usize) -> Result<f64, Error> {
        if self.mean <= 0.0 {
            return Ok(0.0);
        }
        let reach = reach(n);
        let mut rows = room::zeros::<f64>(n)?;
        for_rows(&mut rows, 1, self.sums.len(), |i, energy| {
            energy[0] = lanes::sum(self.sums[i * reach..][..reach].iter().map(|v| v * v));
        })?;
        let terms = (n * reach) as f64;
        Ok((lanes::sum(rows) / self.mean - 1.0) * (0.5 * terms).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::random::fill_normal_f64;

    /// In both forms, against the pairs one by one.
    #[test]
    fn the_squares_of_pairs_are_summed() {
        for n in [2, 3, 8, 9, 64, 65] {
            let mut z = vec![0.0; n];
            fill_normal_f64(&mut z, 1, 0);
            for reach in 1..=half(n) {
                let pairs = (0..n).flat_map(|i| (1..=reach).map(move |d| (i, (i + d) % n)));
                let wanted: f64 = pairs.map(|(i, j)| (z[i] * z[j]).powi(2)).sum();
                let found = squares_within(&z, reach).unwrap();
                assert!((found - wanted).abs() < 1e-12 * wanted, "{n}, {reach}");
                if reach == half(n) {
                    assert!((squares(&z).unwrap() - wanted).abs() < 1e-10 * wanted);
                }
            }
        }
        assert_eq!([1, 2, 3, 1000].map(reach), [0, 0, 1, 499]);
        assert_eq!(
            [1001, 2000, 500_001, 10_000_000].map(reach),
            [499, 250, 1, 1]
        );
    }
}
