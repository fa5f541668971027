//! CMA-ES with a full covariance, positive and negative weights.
//!
//! Steps are `y = A z` with `A = B √Λ Bᵀ` of the decomposition `C = B Λ Bᵀ`. This root is symmetric, so it depends neither on the signs nor on the
//! order of eigenvectors, which libraries choose as they like; and `C^(-1/2) y` is `z` itself.

use super::rows;
use super::search::Drawing;
use crate::evolve::rates::Rates;
use crate::evolve::{Sampling, Shape};
use syntonic_core::ops::linalg::{self, Triangle};
use syntonic_core::ops::{create, random};
use syntonic_core::{DType, Result, Tensor, fuse, room};

/// Eigenvalues are at least so much of the largest one: the condition that Hansen's tutorial calls numerically the last.
pub(super) const CONDITION: f64 = 1e-14;
/// The largest eigenvalue stays between this and its inverse; beyond, the scale goes over to sigma.
pub(super) const SCALE: f64 = 1e-40;
/// Sigma stays between this and its inverse.
pub(super) const LEAST_SIGMA: f64 = 1e-150;

fuse! {
    /// Steps times `rate · w`, and for negative `w` times `n / |z|²` too, so that no step takes more variance away than there is.
    LEARNT(z: element, y: element, weight: row_scalar, rate: number) -> (element) {
        let short = count() / maximum(sum(square(z)), 1e-300);
        y * (rate * select(lt(weight, 0.0), weight * short, weight))
    }

    /// Paths, mean, sigma, and what is kept of the covariance, from the weighted sums of `z` and of `y`.
    PATHS(
        path: element, shape_path: element, mean: element, z: element, y: element, sigma: row_scalar,
        kept: number, gained: number, shape_kept: number, shape_gained: number, hurry: number, expected: number, steady: number,
        rest: number, missed: number
    ) -> (element, element, element, row_scalar, row_scalar) {
        let path = path * kept + z * gained;
        let length = sqrt(sum(square(path)));
        let is_steady = lt(length, steady);
        let shape_path = shape_path * shape_kept + select(is_steady, y * shape_gained, 0.0);
        let longer = exp(minimum(hurry * (length / expected - 1.0), 1.0));
        let next = minimum(maximum(sigma * longer, LEAST_SIGMA), 1.0 / LEAST_SIGMA);
        [path, shape_path, mean + y * sigma, next, rest + select(is_steady, 0.0, missed)]
    }

    /// Roots of eigenvalues, what is added to all of them so that none is below the floor, by what they are divided where they left their range, and
    /// sigma, which takes over that scale.
    SPECTRUM(value: element, sigma: row_scalar) -> (element, row_scalar, row_scalar, row_scalar) {
        let top = maximum(max(value), 1e-300);
        let added = maximum(top * CONDITION - min(value), 0.0);
        let largest = top + added;
        let divisor = select(and(ge(largest, SCALE), le(largest, 1.0 / SCALE)), 1.0, largest);
        let next = minimum(maximum(sigma * sqrt(divisor), LEAST_SIGMA), 1.0 / LEAST_SIGMA);
        [sqrt((value + added) / divisor), added, divisor, next]
    }

    /// A covariance after a generation.
    COVARIANCE(c: element, selected: element, left: element, right: element, kept: element, rate: number) -> (element) {
        c * kept + (left * right * rate + selected)
    }

    /// A covariance as its spectrum was changed.
    RESTORED(c: element, row: element, column: element, added: element, divisor: element) -> (element) {
        (c + select(eq(row, column), added, 0.0)) / divisor
    }
}

/// What is known before the first generation.
#[derive(Clone, Debug)]
struct Known {
    rates: Rates,
    /// Positive weights of ranks, and all of them, `float64` `[2, P]`.
    weights: Tensor,
    /// `1 - c_1 - c_μ Σ w`.
    rest: f64,
    /// Generations between two decompositions.
    gap: f64,
    /// `0..n`.
    places: Tensor,
}

/// The state of a search. All tensors are `float64`; n numbers, or n by n.
#[derive(Clone, Debug)]
pub(super) struct Cma {
    known: Known,
    pub(super) mean: Tensor,
    pub(super) sigma: Tensor,
    pub(super) path: Tensor,
    pub(super) shape_path: Tensor,
    pub(super) covariance: Tensor,
    /// `C^(1/2)` as of the last decomposition.
    root: Tensor,
    /// The generation of the last decomposition.
    decomposed: u64,
    /// Noise and steps of the next generation, `[P, n]`.
    z: Tensor,
    y: Tensor,
}

impl Cma {
    /// A search before its first draw.
    pub(super) fn new(mean: &Tensor, sigma: f64, population: usize) -> Result<Cma> {
        let (n, there) = (mean.numel(), mean.device());
        let rates = Rates::new(n, population, Shape::Full, Sampling::Independent)?;
        let both = rates.weights.iter().chain(&rates.against);
        let mut table = room::collected(both.copied())?;
        for k in 0..population {
            table[population + k] += table[k];
        }
        let sum: f64 = table[population..].iter().sum();
        let eye = create::eye(n, n, 0, DType::F64, there)?;
        let zeros = |shape: &[usize]| Tensor::zeros_on(shape, DType::F64, there);
        let places = room::collected((0..n).map(|j| j as f64))?;
        Ok(Cma {
            mean: mean.clone(),
            sigma: Tensor::scalar(sigma, DType::F64)?.to(there)?,
            path: zeros(&[n])?,
            shape_path: zeros(&[n])?,
            covariance: eye.clone(),
            root: eye,
            decomposed: 0,
            z: zeros(&[0])?,
            y: zeros(&[0])?,
            known: Known {
                rest: 1.0 - rates.rank_one - rates.rank_mu * sum,
                gap: 0.1 / ((rates.rank_one + rates.rank_mu) * n as f64),
                weights: Tensor::from_vec(table, &[2, population])?.to(there)?,
                places: Tensor::from_vec(places, &[n])?.to(there)?,
                rates,
            },
        })
    }

    /// What decides the next generations, by name.
    pub(super) fn kept(&self) -> [(&'static str, &Tensor); 6] {
        [
            ("mean", &self.mean),
            ("sigma", &self.sigma),
            ("path", &self.path),
            ("shape_path", &self.shape_path),
            ("covariance", &self.covariance),
            ("root", &self.root),
        ]
    }

    /// The generation of the last decomposition.
    pub(super) fn last_decomposition(&self) -> u64 {
        self.decomposed
    }

    /// The search that has these tensors, before its draw.
    pub(super) fn of(
        kept: impl Fn(&str) -> Result<Tensor>,
        population: usize,
        decomposed: u64,
    ) -> Result<Cma> {
        Ok(Cma {
            sigma: kept("sigma")?,
            path: kept("path")?,
            shape_path: kept("shape_path")?,
            covariance: kept("covariance")?,
            root: kept("root")?,
            decomposed,
            ..Cma::new(&kept("mean")?, 1.0, population)?
        })
    }

    /// The same search with the noise of a generation; before it, the covariance is decomposed if that was long ago.
    pub(super) fn drawn(&self, mut drawing: Drawing, generation: u64) -> Result<Cma> {
        let mut next = self.clone();
        if generation > 0 && generation as f64 >= self.decomposed as f64 + self.known.gap {
            next = self.decomposed()?;
            next.decomposed = generation;
        }
        let Drawing { shape, dtype, .. } = drawing;
        let there = self.mean.device();
        let z = random::normal(&shape, 0.0, 1.0, dtype, &mut drawing.noise, there)?;
        next.z = z.cast(DType::F64)?.eval()?;
        next.y = next.z.matmul(&next.root)?.eval()?;
        Ok(next)
    }

    /// The same search with `A` of its covariance.
    fn decomposed(&self) -> Result<Cma> {
        let n = self.mean.numel() as isize;
        let eigen = linalg::eigh(&self.covariance, Triangle::Lower)?;
        let operands = [&eigen.eigenvalues, &self.sigma];
        let [roots, added, divisor, sigma] = rows::several(&SPECTRUM, &operands, &[], -1)?;
        let spread = eigen.eigenvectors.try_mul(&roots)?;
        let at = &self.known.places;
        let (row, column) = (at.reshape(&[n, 1])?, at.reshape(&[1, n])?);
        let operands = [&self.covariance, &row, &column, &added, &divisor];
        Ok(Cma {
            root: spread.matmul(&eigen.eigenvectors.t()?)?.eval()?,
            covariance: rows::map(&RESTORED, &operands, &[])?,
            shape_path: self.shape_path.try_div(&divisor.sqrt()?)?.eval()?,
            sigma,
            ..self.clone()
        })
    }

    /// The candidates of these places of the drawn ones, in `float64`.
    pub(super) fn candidates(&self, steps: &Tensor) -> Result<Tensor> {
        steps.mul_add(&self.sigma, &self.mean)
    }

    /// Steps from one place up to another.
    pub(super) fn steps(&self, from: usize, to: usize) -> Result<Tensor> {
        self.y.slice(0, Some(from as isize), Some(to as isize), 1)
    }

    /// The step of one place, a vector of one.
    pub(super) fn step(&self, place: &Tensor) -> Result<Tensor> {
        self.y.take(place, 0)
    }

    /// The deviation of each coordinate.
    pub(super) fn deviation(&self) -> Result<Tensor> {
        let variances = self.covariance.diagonal(0, 0, 1)?;
        variances.maximum(0.0)?.sqrt()?.try_mul(&self.sigma)
    }

    /// The order of candidates, best first: NaN comes last.
    pub(super) fn order(&self, scores: &Tensor) -> Result<Tensor> {
        super::search::best_first(scores)
    }

    /// The search after a generation whose candidates have this order, before the next draw.
    pub(super) fn told(&self, order: &Tensor, generation: u64) -> Result<Cma> {
        let (known, r) = (&self.known, &self.known.rates);
        let n = self.mean.numel() as f64;
        let weights = known.weights.take(&super::search::ranks(order)?, 1)?;
        let (better, all) = (weights.select(0, 0)?, weights.select(0, 1)?);
        let z = better.matmul(&self.z)?;
        let y = better.matmul(&self.y)?;
        let selected: f64 = r.weights.iter().map(|w| w * w).sum();
        let gain = |rate: f64| (rate * (2.0 - rate) / selected).sqrt();
        let age = (2 * (generation + 1)).min(i32::MAX as u64) as i32;
        let unbiased = (1.0 - (1.0 - r.path).powi(age)).sqrt();
        let numbers = [
            1.0 - r.path,
            gain(r.path),
            1.0 - r.shape_path,
            gain(r.shape_path),
            r.path / r.damping,
            r.expected_length,
            (1.4 + 2.0 / (n + 1.0)) * r.expected_length * unbiased,
            known.rest,
            r.rank_one * r.shape_path * (2.0 - r.shape_path),
        ];
        let operands = [
            &self.path,
            &self.shape_path,
            &self.mean,
            &z,
            &y,
            &self.sigma,
        ];
        let [path, shape_path, mean, sigma, kept] = rows::several(&PATHS, &operands, &numbers, -1)?;
        let learnt = rows::one(&LEARNT, &[&self.z, &self.y, &all], &[r.rank_mu], -1)?;
        let selected = learnt.t()?.matmul(&self.y)?;
        let (left, right) = (shape_path.reshape(&[-1, 1])?, shape_path.reshape(&[1, -1])?);
        let operands = [&self.covariance, &selected, &left, &right, &kept];
        Ok(Cma {
            covariance: rows::map(&COVARIANCE, &operands, &[r.rank_one])?,
            path,
            shape_path,
            mean,
            sigma,
            ..self.clone()
        })
    }
}
