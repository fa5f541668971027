//! The matrix `A` of the sampling distribution, and how it learns.

use super::low_rank::LowRank;
use super::noise::{Noise, Sums, Turns, for_rows};
use super::rates::Rates;
use super::{CheckpointFault, Shape, floats, lanes};
use serde::{Deserialize, Serialize};
use syntonic_core::interrupt::Outcome;
use syntonic_core::{Error, room};

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
    Diagonal {
        #[serde(with = "floats")]
        variance: Vec<f64>,
        #[serde(with = "floats")]
        path: Vec<f64>,
    },
    /// All entries, column by column.
    Full {
        #[serde(with = "floats")]
        columns: Vec<f64>,
    },
    /// A few long axes.
    LowRank(Box<LowRank>),
}

/// What a generation teaches the shape.
pub(super) struct Lesson<'a> {
    pub(super) noise: &'a Noise,
    /// `A z` for each draw, if the matrix is full; of one of low rank without its scales.
    pub(super) steps: &'a [f64],
    pub(super) turns: &'a Turns,
    pub(super) sums: &'a Sums,
    /// The path of the step size, updated.
    pub(super) path: &'a [f64],
    /// What makes `Σ w z` of unit variance.
    pub(super) normaliser: f64,
    /// Whether the path has its expected length; a long one means that sigma is still growing.
    pub(super) steady: bool,
}

impl Matrix {
    /// A diagonal of the first scales, ones where there are none.
    pub(super) fn new(shape: Shape, n: usize, scales: Option<&[f64]>) -> Result<Matrix, Error> {
        let scale = |k: usize| scales.map_or(1.0, |scales| scales[k]);
        Ok(match shape {
            Shape::Isotropic => Matrix::Identity,
            Shape::Separable | Shape::Auto => Matrix::Diagonal {
                variance: room::collected((0..n).map(|k| scale(k) * scale(k)))?,
                path: room::zeros(n)?,
            },
            Shape::Full => {
                let mut columns = room::zeros::<f64>(n * n)?;
                let diagonal = columns.iter_mut().step_by(n + 1);
                diagonal.enumerate().for_each(|(k, v)| *v = scale(k));
                Matrix::Full { columns }
            }
            Shape::LowRank => {
                let scale = room::collected((0..n).map(scale))?;
                Matrix::LowRank(Box::new(LowRank::new(scale)?))
            }
        })
    }

    /// The shape that this is the matrix of.
    pub(super) fn shape(&self) -> Shape {
        match self {
            Matrix::Identity => Shape::Isotropic,
            Matrix::Diagonal { .. } => Shape::Separable,
            Matrix::Full { .. } => Shape::Full,
            Matrix::LowRank(_) => Shape::LowRank,
        }
    }

    /// Checks a matrix that was read from outside.
    pub(super) fn validate(&self, shape: Shape, n: usize) -> Result<(), CheckpointFault> {
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
            (Matrix::LowRank(low), Shape::LowRank) => low.is_proper(n),
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            let what = "the shape does not fit the configuration";
            Err(CheckpointFault::Damaged(what.into()))
        }
    }

    /// `A z` for one vector.
    pub(super) fn apply(&self, z: &[f64]) -> Result<Vec<f64>, Error> {
        match self {
            Matrix::Identity => room::copied(z),
            Matrix::Diagonal { variance, .. } => {
                room::collected(z.iter().zip(variance).map(|(z, v)| z * v.sqrt()))
            }
            Matrix::Full { columns } => {
                let mut out = room::zeros(z.len())?;
                multiply(columns, z, &mut out);
                Ok(out)
            }
            Matrix::LowRank(low) => {
                let mut out = room::copied(z)?;
                low.multiply(&mut out);
                out.iter_mut().zip(low.scale()).for_each(|(v, s)| *v *= s);
                Ok(out)
            }
        }
    }

    /// What [`Matrix::scale`] is multiplied into, for each draw, written over `steps`; nothing where it is the draw itself.
    pub(super) fn write_steps(&self, noise: &Noise, steps: &mut Vec<f64>) -> Result<(), Error> {
        if matches!(self, Matrix::Identity | Matrix::Diagonal { .. }) {
            steps.clear();
            return Ok(());
        }
        room::resize(steps, noise.z.len(), 0.0)?;
        let n = noise.n;
        let drawn = |draw: usize| &noise.z[draw * n..][..n];
        match self {
            Matrix::Full { columns } => {
                let cost = columns.len().saturating_mul(steps.len() / n);
                let write = |draw: usize, step: &mut [f64]| multiply(columns, drawn(draw), step);
                Ok(for_rows(steps, n, cost, write)?)
            }
            Matrix::LowRank(low) => {
                let cost = steps.len().saturating_mul(1 + 2 * low.rank());
                let write = |draw: usize, step: &mut [f64]| {
                    step.copy_from_slice(drawn(draw));
                    low.multiply(step);
                };
                Ok(for_rows(steps, n, cost, write)?)
            }
            Matrix::Identity | Matrix::Diagonal { .. } => Ok(()),
        }
    }

    /// A bound of the deviations of the coordinates, where the step size is this.
    pub(super) fn widest(&self, sigma: f64, n: usize) -> f64 {
        match self {
            Matrix::Identity => sigma,
            Matrix::Diagonal { variance, .. } => {
                sigma * variance.iter().fold(0.0, |m: f64, v| m.max(*v)).sqrt()
            }
            Matrix::Full { columns } => widest_of(deviations_of(columns, sigma, n)),
            Matrix::LowRank(low) => sigma * low.widest(),
        }
    }

    /// What remains to be multiplied into each coordinate of a step.
    pub(super) fn scale(&self, n: usize) -> Result<Vec<f64>, Error> {
        match self {
            Matrix::Diagonal { variance, .. } => room::collected(variance.iter().map(|v| v.sqrt())),
            Matrix::Identity | Matrix::Full { .. } => room::filled(n, 1.0),
            Matrix::LowRank(low) => room::copied(low.scale()),
        }
    }

    /// What [`Matrix::learn`] works in, for a path of `n` coordinates. Learning itself cannot fail, and must not be
    /// stopped.
    pub(super) fn workspace(&self, n: usize) -> Result<Vec<f64>, Error> {
        match self {
            Matrix::Full { .. } | Matrix::LowRank(_) => room::zeros(n),
            Matrix::Identity | Matrix::Diagonal { .. } => Ok(Vec::new()),
        }
    }

    /// Learns from a generation, in its [`Matrix::workspace`]. Returns a factor that belongs into the step size.
    pub(super) fn learn(
        &mut self,
        lesson: &Lesson<'_>,
        rates: &Rates,
        workspace: &mut [f64],
    ) -> Result<f64, Error> {
        Ok(match self {
            Matrix::Identity => 1.0,
            Matrix::Diagonal { variance, path } => {
                learn_diagonal(variance, path, lesson, rates);
                balance_diagonal(variance, path)
            }
            Matrix::Full { columns } => {
                learn_full(columns, lesson, rates, workspace)?;
                balance_full(columns)
            }
            Matrix::LowRank(low) => {
                let factor = if lesson.steady {
                    lesson.normaliser
                } else {
                    0.0
                };
                let step = (&lesson.sums.first[..], factor);
                low.learn(step, (rates.shape_path, rates.rank_one), workspace)?;
                1.0
            }
        })
    }

    /// Turns the direction of a coordinate; `path` is the step size's, in units of the noise.
    pub(super) fn turn(&mut self, coordinate: usize, path: &mut [f64]) {
        match self {
            Matrix::Identity => path[coordinate] = -path[coordinate],
            Matrix::Diagonal { path: own, .. } => {
                path[coordinate] = -path[coordinate];
                own[coordinate] = -own[coordinate];
            }
            // The row takes the sign, so the noise keeps its own.
            Matrix::Full { columns } => {
                let row = columns.iter_mut().skip(coordinate).step_by(path.len());
                row.for_each(|v| *v = -*v);
            }
            Matrix::LowRank(low) => {
                path[coordinate] = -path[coordinate];
                low.turn(coordinate);
            }
        }
    }

    /// The same, to be changed.
    pub(super) fn copied(&self) -> Result<Matrix, Error> {
        Ok(match self {
            Matrix::Identity => Matrix::Identity,
            Matrix::Diagonal { variance, path } => Matrix::Diagonal {
                variance: room::copied(variance)?,
                path: room::copied(path)?,
            },
            Matrix::Full { columns } => Matrix::Full {
                columns: room::copied(columns)?,
            },
            Matrix::LowRank(low) => Matrix::LowRank(Box::new(low.copied()?)),
        })
    }
}

/// The deviation of each of `n` coordinates, by the columns of a full matrix.
pub(super) fn deviations_of(columns: &[f64], sigma: f64, n: usize) -> impl Iterator<Item = f64> {
    lanes::row_squares(columns, n).map(move |square| sigma * square.sqrt())
}

/// A bound of the deviations of a full matrix: of all of them together.
pub(super) fn widest_of(deviations: impl IntoIterator<Item = f64>) -> f64 {
    lanes::sum(deviations.into_iter().map(|d| d * d)).sqrt()
}

/// `out = Σ_j z_j column_j`, zeros first.
fn multiply(columns: &[f64], z: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    add_rows(out, columns, z.len(), z.iter().copied());
}

/// `out += factor x`.
pub(super) fn add_scaled(out: &mut [f64], factor: f64, x: &[f64]) {
    out.iter_mut()
        .zip(x)
        .for_each(|(out, x)| *out += factor * x);
}

/// `out += Σ factor row`, one row after the other: the first numbers of each `stride` of them, one row for each factor. Four at a time are
/// read before `out` is written again.
pub(super) fn add_rows(
    out: &mut [f64],
    rows: &[f64],
    stride: usize,
    factors: impl IntoIterator<Item = f64>,
) {
    let length = out.len();
    let row = |k: usize| &rows[k * stride..][..length];
    let mut factors = factors.into_iter();
    let mut k = 0;
    while let Some(a) = factors.next() {
        let more = [factors.next(), factors.next(), factors.next()];
        let [Some(b), Some(c), Some(d)] = more else {
            add_scaled(out, a, row(k));
            for (next, factor) in more.into_iter().flatten().enumerate() {
                add_scaled(out, factor, row(k + 1 + next));
            }
            return;
        };
        let four = row(k)
            .iter()
            .zip(row(k + 1))
            .zip(row(k + 2))
            .zip(row(k + 3));
        for (out, (((x, y), z), w)) in out.iter_mut().zip(four) {
            *out = *out + a * x + b * y + c * z + d * w;
        }
        k += 4;
    }
}

/// Separable covariance: rank one from the path, rank μ from all steps, the worse half with negative weights. These are
/// bounded so that `keep` and what is taken away leave a part of every variance.
fn learn_diagonal(variance: &mut [f64], path: &mut [f64], lesson: &Lesson<'_>, rates: &Rates) {
    let c = rates.shape_path;
    let forget = c * (2.0 - c);
    let (push, lost) = if lesson.steady {
        (forget.sqrt() * lesson.normaliser, 0.0)
    } else {
        (0.0, forget)
    };
    let (one, many) = (rates.rank_one, rates.rank_mu);
    let keep = 1.0 - one - many * lesson.turns.sum + one * lost;
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

/// Matrix adaptation: `A ← A [(1 - c₁/2 - c_μ/2 Σ w) I + c₁/2 p pᵀ + c_μ/2 Σ v z zᵀ]`, with `A z` at hand from sampling, so
/// that no matrix product and no decomposition is needed (Beyer and Sendhoff, "Simplify your covariance matrix adaptation
/// evolution strategy", 2017). The worse half has negative weights w (active covariance: Jastrebski and Arnold, 2006), and
/// `v = w n / |z|²` there; their [bound](super::rates) keeps the factor in brackets above 1/2 in every direction.
fn learn_full(
    columns: &mut [f64],
    lesson: &Lesson<'_>,
    rates: &Rates,
    along: &mut [f64],
) -> Outcome {
    let n = lesson.path.len();
    let (one, many) = (0.5 * rates.rank_one, 0.5 * rates.rank_mu);
    multiply(columns, lesson.path, along);
    let along = &*along;
    let keep = 1.0 - one - many * lesson.turns.sum;
    let work = |j: usize, column: &mut [f64]| {
        column.iter_mut().for_each(|v| *v *= keep);
        add_scaled(column, one * lesson.path[j], along);
        let z = lesson.noise.z.iter().skip(j).step_by(n);
        let turns = lesson.turns.scaled.iter().zip(z);
        let factors = turns.map(|(turn, z)| many * turn * z);
        add_rows(column, lesson.steps, n, factors);
    };
    let cost = columns.len().saturating_mul(lesson.turns.scaled.len());
    for_rows(columns, n, cost, work)
}

fn balance_full(columns: &mut [f64]) -> f64 {
    let largest = columns.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    if (1.0 / BALANCE..=BALANCE).contains(&largest) {
        return 1.0;
    }
    columns.iter_mut().for_each(|v| *v /= largest);
    largest
}
