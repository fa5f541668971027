//! The matrix `A` of the sampling distribution, and how it learns.

use super::noise::{Noise, PairWeight, Sums, for_rows};
use super::rates::Rates;
use super::{EvolveError, Shape};
use serde::{Deserialize, Serialize};

/// The smallest part of the largest variance that a coordinate may have.
const LEAST_VARIANCE: f64 = 1e-30;

/// Entries beyond this, or below its inverse, move into the step size.
const BALANCE: f64 = 1e8;

/// `A`, in the form its [`Shape`] asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Matrix {
    /// The identity.
    Identity,
    /// A diagonal: its squares, and the path of the mean.
    Diagonal { variance: Vec<f64>, path: Vec<f64> },
    /// All entries, column by column.
    Full { columns: Vec<f64> },
}

/// What a generation teaches the shape.
pub(super) struct Lesson<'a> {
    pub(super) noise: &'a Noise,
    /// `A z` for each draw, if the matrix is full.
    pub(super) steps: &'a [f64],
    pub(super) pairs: &'a [PairWeight],
    pub(super) sums: &'a Sums,
    /// The path of the step size, updated.
    pub(super) path: &'a [f64],
    /// What makes `Σ w z` of unit variance.
    pub(super) normaliser: f64,
    /// Whether the path has its expected length; a long one means that sigma is still growing.
    pub(super) steady: bool,
}

impl Matrix {
    pub(super) fn new(shape: Shape, n: usize) -> Matrix {
        match shape {
            Shape::Isotropic => Matrix::Identity,
            Shape::Separable | Shape::Auto => Matrix::Diagonal {
                variance: vec![1.0; n],
                path: vec![0.0; n],
            },
            Shape::Full => {
                let mut columns = vec![0.0; n * n];
                columns.iter_mut().step_by(n + 1).for_each(|v| *v = 1.0);
                Matrix::Full { columns }
            }
        }
    }

    /// Checks a matrix that was read from outside.
    pub(super) fn validate(&self, shape: Shape, n: usize) -> Result<(), EvolveError> {
        let fits = match (self, shape) {
            (Matrix::Identity, Shape::Isotropic) => true,
            (Matrix::Diagonal { variance, path }, Shape::Separable) => {
                variance.len() == n
                    && path.len() == n
                    && variance.iter().all(|v| v.is_finite() && *v > 0.0)
                    && path.iter().all(|v| v.is_finite())
            }
            (Matrix::Full { columns }, Shape::Full) => {
                columns.len() == n * n && columns.iter().all(|v| v.is_finite())
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(EvolveError::Damaged("the shape does not fit its config"))
        }
    }

    /// `A z` for one vector.
    pub(super) fn apply(&self, z: &[f64]) -> Vec<f64> {
        match self {
            Matrix::Identity => z.to_vec(),
            Matrix::Diagonal { variance, .. } => {
                z.iter().zip(variance).map(|(z, v)| z * v.sqrt()).collect()
            }
            Matrix::Full { columns } => {
                let mut out = vec![0.0; z.len()];
                multiply(columns, z, &mut out);
                out
            }
        }
    }

    /// `A z` for each draw of a full matrix, written over `steps`; the other shapes need none.
    pub(super) fn write_steps(&self, noise: &Noise, steps: &mut Vec<f64>) {
        let Matrix::Full { columns } = self else {
            return steps.clear();
        };
        steps.resize(noise.z.len(), 0.0);
        let n = noise.n;
        let cost = columns.len().saturating_mul(steps.len() / n);
        for_rows(steps, n, cost, |draw, step| {
            multiply(columns, &noise.z[draw * n..][..n], step);
        });
    }

    /// What remains to be multiplied into each coordinate of a step.
    pub(super) fn scale(&self, n: usize) -> Vec<f64> {
        match self {
            Matrix::Diagonal { variance, .. } => variance.iter().map(|v| v.sqrt()).collect(),
            Matrix::Identity | Matrix::Full { .. } => vec![1.0; n],
        }
    }

    /// Learns from a generation. Returns a factor that belongs into the step size.
    pub(super) fn learn(&mut self, lesson: &Lesson<'_>, rates: &Rates) -> f64 {
        match self {
            Matrix::Identity => 1.0,
            Matrix::Diagonal { variance, path } => {
                learn_diagonal(variance, path, lesson, rates);
                balance_diagonal(variance, path)
            }
            Matrix::Full { columns } => {
                learn_full(columns, lesson, rates);
                balance_full(columns)
            }
        }
    }
}

/// `out = Σ_j z_j column_j`, zeros first.
fn multiply(columns: &[f64], z: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (column, z) in columns.chunks_exact(z.len()).zip(z) {
        add_scaled(out, *z, column);
    }
}

fn add_scaled(out: &mut [f64], factor: f64, x: &[f64]) {
    out.iter_mut()
        .zip(x)
        .for_each(|(out, x)| *out += factor * x);
}

/// Separable covariance: rank one from the path, rank μ from the selected steps.
fn learn_diagonal(variance: &mut [f64], path: &mut [f64], lesson: &Lesson<'_>, rates: &Rates) {
    let c = rates.shape_path;
    let forget = c * (2.0 - c);
    let (push, lost) = if lesson.steady {
        (forget.sqrt() * lesson.normaliser, 0.0)
    } else {
        (0.0, forget)
    };
    let (one, many) = (rates.rank_one, rates.rank_mu);
    let keep = 1.0 - one - many + one * lost;
    let sums = lesson.sums.first.iter().zip(&lesson.sums.second);
    for ((v, p), (first, second)) in variance.iter_mut().zip(path).zip(sums) {
        *p = (1.0 - c) * *p + push * (v.sqrt() * first);
        *v = keep * *v + one * (*p * *p) + many * (*v * second);
    }
}

fn balance_diagonal(variance: &mut [f64], path: &mut [f64]) -> f64 {
    let largest = variance.iter().fold(0.0, |m: f64, v| m.max(*v));
    variance
        .iter_mut()
        .for_each(|v| *v = v.max(largest * LEAST_VARIANCE));
    if (1.0 / BALANCE..=BALANCE).contains(&largest) {
        return 1.0;
    }
    let factor = largest.sqrt();
    variance.iter_mut().for_each(|v| *v /= largest);
    path.iter_mut().for_each(|p| *p /= factor);
    factor
}

/// Matrix adaptation: `A ← A [(1 - c₁/2 - c_μ/2) I + c₁/2 p pᵀ + c_μ/2 Σ w z zᵀ]`, with `A z` at
/// hand from sampling, so that no matrix product is needed.
fn learn_full(columns: &mut [f64], lesson: &Lesson<'_>, rates: &Rates) {
    let n = lesson.path.len();
    let (one, many) = (0.5 * rates.rank_one, 0.5 * rates.rank_mu);
    let mut along = vec![0.0; n];
    multiply(columns, lesson.path, &mut along);
    let work = |j: usize, column: &mut [f64]| {
        column.iter_mut().for_each(|v| *v *= 1.0 - one - many);
        add_scaled(column, one * lesson.path[j], &along);
        let rows = lesson
            .noise
            .z
            .chunks_exact(n)
            .zip(lesson.steps.chunks_exact(n));
        for ((z, step), pair) in rows.zip(lesson.pairs) {
            add_scaled(column, many * (pair.plus + pair.minus) * z[j], step);
        }
    };
    let cost = columns.len().saturating_mul(lesson.pairs.len());
    for_rows(columns, n, cost, work);
}

fn balance_full(columns: &mut [f64]) -> f64 {
    let largest = columns.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    if (1.0 / BALANCE..=BALANCE).contains(&largest) {
        return 1.0;
    }
    columns.iter_mut().for_each(|v| *v /= largest);
    largest
}
