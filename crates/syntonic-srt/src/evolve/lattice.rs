//! Candidates on a lattice.
//!
//! Rounding each coordinate to its nearest point moves a candidate across the contours of a function whose coordinates depend on each
//! other. So a candidate crystallizes coordinate by coordinate: the one of least variance, given those that are settled, goes to
//! its nearest point, and those still free follow by their regression on it, which the search's own covariance knows. That is the nearest plane
//! (L. Babai, "On Lovász' lattice reduction and the nearest lattice point problem", 1986) in the metric that the search has learnt, in the order
//! of detection that G. Foschini's group gave it ("Simplified processing for high spectral efficiency wireless communication", 1999).
//! What is learnt is the step to the point, no longer than a long step of the search's own, as for [injected points](super::inject).

use super::config::check;
use super::inject::write_fitting;
use super::noise::for_rows;
use super::search::{Generation, Search};
use super::shape::Matrix;
use super::{EvolveError, ResConfig, Sampling};
use crate::constants::PHI;
use crate::exact::snap;
use serde::{Deserialize, Serialize};
use syntonic_core::{Error, room};

/// Beyond this a float is no longer one integer among its neighbours.
const MOST_INTEGER: f64 = 9_007_199_254_740_992.0;

/// The points of a [`Lattice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Points {
    /// Whole numbers up to 2⁵³ in size, between the bounds of the search.
    Integers,
    /// `a + b φ` of integers with `|a|, |b| <= bound`: 0.0066 apart or less near 0 for a bound of 100, and coarse for one of 3.
    Golden {
        /// The largest coefficient, 1 or more.
        bound: u32,
    },
}

/// Where candidates are: coordinates on points, all of them or some. With another matrix than a full one each coordinate settles alone.
///
/// ```
/// use syntonic_srt::evolve::{Flow, Lattice, Population, Res, ResConfig};
///
/// // Least at (10/3, 5/3), which would be rounded to (3, 2), where it is 100. Of all integers (4, 2) is best.
/// let objective = |population: &Population| -> Result<Vec<f64>, std::convert::Infallible> {
///     let value = |x: &[f64]| 100.0 * (x[0] - 2.0 * x[1]).powi(2) + (x[0] + x[1] - 5.0).powi(2);
///     Ok(population.iter().map(value).collect())
/// };
/// let config = ResConfig::new().sigma(3.0).evaluations(2000).lattice(Lattice::integers());
/// let outcome = Res::new(&[0.0; 2], config)?.run(objective, |_| Flow::Continue)?;
/// assert_eq!(outcome.best, [4.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lattice {
    /// The points.
    pub points: Points,
    /// The coordinates that lie on them, in ascending order; all if not given.
    #[serde(default)]
    pub coordinates: Option<Vec<usize>>,
}

impl Lattice {
    /// All coordinates are [`Points::Integers`].
    ///
    /// ```
    /// use syntonic_srt::evolve::{Lattice, Res, ResConfig};
    ///
    /// let mut res = Res::new(&[0.5; 3], ResConfig::new().sigma(4.0).lattice(Lattice::integers()))?;
    /// assert!(res.ask()?.as_slice().iter().all(|x| x.fract() == 0.0));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn integers() -> Lattice {
        Lattice {
            points: Points::Integers,
            coordinates: None,
        }
    }

    /// All coordinates are [`Points::Golden`].
    ///
    /// ```
    /// use syntonic_srt::evolve::{Lattice, Res, ResConfig};
    /// use syntonic_srt::exact::snap;
    ///
    /// let mut res = Res::new(&[0.5; 3], ResConfig::new().lattice(Lattice::golden(5)))?;
    /// assert!(res.ask()?.as_slice().iter().all(|x| snap(*x, 5).unwrap().to_f64() == *x));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn golden(bound: u32) -> Lattice {
        Lattice {
            points: Points::Golden { bound },
            coordinates: None,
        }
    }

    /// Only these coordinates, in ascending order; the others are real numbers.
    ///
    /// ```
    /// use syntonic_srt::evolve::{Lattice, Res, ResConfig};
    ///
    /// let config = ResConfig::new().lattice(Lattice::integers().only(vec![0]));
    /// let mut res = Res::new(&[0.5; 2], config)?;
    /// assert!(res.ask()?.iter().all(|x| x[0].fract() == 0.0 && x[1].fract() != 0.0));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    #[must_use]
    pub fn only(mut self, coordinates: Vec<usize>) -> Lattice {
        self.coordinates = Some(coordinates);
        self
    }

    /// The nearest point to a value of a coordinate.
    fn nearest(&self, x: f64, (lower, upper): (f64, f64)) -> f64 {
        match self.points {
            Points::Integers => {
                let (least, most) = (lower.max(-MOST_INTEGER), upper.min(MOST_INTEGER));
                x.round().max(least.ceil()).min(most.floor())
            }
            Points::Golden { bound } => {
                let most = f64::from(bound);
                let most = most + most * PHI;
                let inside = x.max(-most).min(most);
                snap(inside, bound).map_or(inside, |point| point.to_f64())
            }
        }
    }

    fn all(&self, n: usize) -> Result<Vec<usize>, Error> {
        match &self.coordinates {
            Some(some) => room::copied(some),
            None => room::collected(0..n),
        }
    }
}

impl ResConfig {
    /// Coordinate `k` between its bounds.
    fn between(&self, k: usize) -> (f64, f64) {
        let bounds = self.bounds.as_ref();
        bounds.map_or((f64::NEG_INFINITY, f64::INFINITY), |bounds| {
            (bounds.lower[k], bounds.upper[k])
        })
    }

    /// Checks the lattice, after all else.
    pub(super) fn validate_lattice(&self, n: usize) -> Result<(), EvolveError> {
        let Some(lattice) = &self.lattice else {
            return Ok(());
        };
        if self.sampling == Sampling::Antithetic {
            return Err(EvolveError::Ignored {
                option: "antithetic sampling",
                strategy: "a lattice",
                hint: "candidates that have settled are no pairs: take independent ones",
            });
        }
        if let Points::Golden { bound } = lattice.points {
            let wanted = "1 or more";
            check("the bound of the lattice", bound.into(), bound > 0, wanted)?;
            if self.bounds.is_some() {
                return Err(EvolveError::Ignored {
                    option: "bounds",
                    strategy: "a golden lattice",
                    hint: "the lattice has a bound of its own",
                });
            }
        }
        if let Some(some) = &lattice.coordinates {
            let proper = some.is_sorted_by(|a, b| a < b) && some.last().is_none_or(|k| *k < n);
            let wanted = "in ascending order and below the number of unknowns";
            let last = some.last().map_or(0.0, |k| *k as f64);
            check("the last coordinate of the lattice", last, proper, wanted)?;
        }
        for k in lattice.all(n)? {
            let (lower, upper) = self.between(k);
            let any = lower.ceil() <= upper.floor();
            let wanted = "no larger than an integer below the upper bound";
            check("the lower bound of an integer", lower, any, wanted)?;
        }
        Ok(())
    }

    /// Whether a point lies on the lattice, and if not, where it leaves it.
    pub(super) fn off_lattice(&self, x: &[f64]) -> Option<usize> {
        let lattice = self.lattice.as_ref()?;
        let off = |k: &usize| lattice.nearest(x[*k], self.between(*k)) != x[*k];
        match &lattice.coordinates {
            Some(some) => some.iter().copied().find(off),
            None => (0..x.len()).find(off),
        }
    }
}

/// The order in which coordinates settle, and how those still free follow.
struct Crystal<'a> {
    config: &'a ResConfig,
    lattice: &'a Lattice,
    order: Vec<usize>,
    /// For each of them, how far every coordinate moves for one unit; empty where none depends on another.
    pulls: Vec<f64>,
}

impl<'a> Crystal<'a> {
    fn of(
        config: &'a ResConfig,
        lattice: &'a Lattice,
        (matrix, n): (Option<&Matrix>, usize),
    ) -> Result<Crystal<'a>, Error> {
        let mut order = lattice.all(n)?;
        let mut pulls = Vec::new();
        if let Some(Matrix::Full { columns }) = matrix {
            let mut covariance = covariance(columns, n)?;
            pulls = room::zeros::<f64>(order.len() * n)?;
            // Those that are free come last, so that a coordinate is settled once.
            let mut settled = room::filled(n, false)?;
            for k in 0..order.len() {
                let variance = |i: usize| covariance[i * n + i];
                let free = &order[k..];
                let least = free
                    .iter()
                    .enumerate()
                    .min_by(|(_, a), (_, b)| variance(**a).total_cmp(&variance(**b)));
                let at = k + least.map_or(0, |(at, _)| at);
                order.swap(k, at);
                let i = order[k];
                settled[i] = true;
                let scale = variance(i);
                let row = room::copied(&covariance[i * n..][..n])?;
                let pull = &mut pulls[k * n..][..n];
                for ((pull, c), settled) in pull.iter_mut().zip(&row).zip(&settled) {
                    let follows = c / scale;
                    *pull = match !settled && follows.is_finite() {
                        true => follows,
                        false => 0.0,
                    };
                }
                let pull = &*pull;
                for_rows(&mut covariance, n, n * n, |j, cells| {
                    if pull[j] != 0.0 {
                        let less = cells.iter_mut().zip(&row);
                        less.for_each(|(cell, c)| *cell -= pull[j] * c);
                    }
                })?;
            }
        }
        Ok(Crystal {
            config,
            lattice,
            order,
            pulls,
        })
    }

    /// Settles a candidate.
    fn settle(&self, x: &mut [f64]) {
        for (k, &i) in self.order.iter().enumerate() {
            let point = self.lattice.nearest(x[i], self.config.between(i));
            let moved = point - x[i];
            x[i] = point;
            if moved.is_finite() && !self.pulls.is_empty() {
                let pull = &self.pulls[k * x.len()..][..x.len()];
                x.iter_mut().zip(pull).for_each(|(x, p)| *x += moved * p);
            }
        }
    }
}

/// `A Aᵀ`, by the columns of `A`, summed in their order.
fn covariance(columns: &[f64], n: usize) -> Result<Vec<f64>, Error> {
    let mut out = room::zeros::<f64>(n * n)?;
    let cost = out.len().saturating_mul(n);
    for_rows(&mut out, n, cost, |i, row| {
        for column in columns.chunks_exact(n) {
            let factor = column[i];
            row.iter_mut()
                .zip(column)
                .for_each(|(c, v)| *c += factor * v);
        }
    })?;
    Ok(out)
}

impl Search {
    /// Settles every candidate on the lattice, and learns from where the candidates are.
    pub(super) fn crystallize(
        &self,
        config: &ResConfig,
        next: &mut Generation,
    ) -> Result<(), Error> {
        let Some(lattice) = &config.lattice else {
            return Ok(());
        };
        let n = next.population.cols;
        let crystal = Crystal::of(config, lattice, (self.matrix(), n))?;
        let values = &mut next.population.values;
        let cost = values.len() * if crystal.pulls.is_empty() { 1 } else { n };
        for_rows(values, n, cost, |_, x| crystal.settle(x))?;
        self.retrace(next)
    }

    /// Writes the noise and the steps that lead to where the candidates are now.
    pub(super) fn retrace(&self, next: &mut Generation) -> Result<(), Error> {
        let Some(matrix) = self.matrix() else {
            return Ok(());
        };
        let n = self.centre.len();
        let centre = self.centre.iter().cycle();
        let steps = next.population.values.iter().zip(centre);
        let mut steps = room::collected(steps.map(|(x, c)| (x - c) / self.sigma))?;
        let Some(z) = matrix.noises_of(&steps, n)? else {
            return Ok(());
        };
        let scale = matrix.scale(n)?;
        let drawn = next.noise.z.chunks_exact_mut(n);
        let rows = drawn.zip(z.chunks_exact(n));
        for ((drawn, z), step) in rows.zip(steps.chunks_exact_mut(n)) {
            let factor = write_fitting(drawn, Some(z));
            let kept = step.iter_mut().zip(&scale);
            kept.for_each(|(step, scale)| *step *= factor / scale);
        }
        // Empty where they are the noise itself.
        if !next.steps.is_empty() {
            next.steps = steps;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `100 (x - 2y)² + (x + y - 5)²` is least at (10/3, 5/3). Its inverse Hessian is a multiple of the covariance.
    #[test]
    fn what_is_free_follows() {
        let (a, b, c) = (401f64, 199f64, 101f64);
        // A lower triangular root, column by column.
        let first = a.sqrt();
        let columns = vec![first, b / first, 0.0, (c - b * b / a).sqrt()];
        let config = ResConfig::new();
        let lattice = Lattice::integers();
        let full = Matrix::Full { columns };
        let crystal = Crystal::of(&config, &lattice, (Some(&full), 2)).unwrap();
        assert_eq!(crystal.order, [1, 0]);
        let mut x = [10.0 / 3.0, 5.0 / 3.0];
        crystal.settle(&mut x);
        assert_eq!(x, [4.0, 2.0]);
        // Points stay where they are, and so does what is real but for what follows.
        crystal.settle(&mut x);
        assert_eq!(x, [4.0, 2.0]);
        let first = Lattice::integers().only(vec![1]);
        let crystal = Crystal::of(&config, &first, (Some(&full), 2)).unwrap();
        let mut x = [10.0 / 3.0, 5.0 / 3.0];
        crystal.settle(&mut x);
        assert!(x[1] == 2.0 && (x[0] - 10.0 / 3.0 - b / c / 3.0).abs() < 1e-12);
        // Without a matrix every coordinate settles alone.
        let crystal = Crystal::of(&config, &lattice, (None, 2)).unwrap();
        let mut x = [10.0 / 3.0, 5.0 / 3.0];
        crystal.settle(&mut x);
        assert_eq!(x, [3.0, 2.0]);
    }
}
