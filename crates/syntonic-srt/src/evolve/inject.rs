//! Points of the user's among the candidates.
//!
//! What the search learns from such a point is bounded: its step has at most the length `√n + 2n/(n+2)` of a long step of
//! its own (N. Hansen, "Injecting external solutions into CMA-ES", arXiv:1110.4181, 2011).

use super::config::Sizes;
use super::noise::Noise;
use super::res::Res;
use super::search::Search;
use super::shape::Matrix;
use super::{Bounds, EvolveError, ResConfig, floats};
use serde::{Deserialize, Serialize};
use syntonic_core::{Error, Tensor, room};

/// A point that is among the candidates of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Injected {
    /// Generations finished before the one that has it.
    pub(super) generation: u64,
    #[serde(with = "floats")]
    pub(super) x: Vec<f64>,
}

impl Search {
    /// Makes a draw the one that leads to a point.
    pub(super) fn write_noise(
        &self,
        noise: &mut Noise,
        draw: usize,
        x: &[f64],
    ) -> Result<(), Error> {
        let Some(matrix) = self.matrix() else {
            return Ok(());
        };
        let step = x.iter().zip(&self.centre);
        let step = room::collected(step.map(|(x, c)| (x - c) / self.sigma))?;
        let row = &mut noise.z[draw * x.len()..][..x.len()];
        let z = matrix.noises_of(&step, x.len())?;
        write_fitting(row, z.as_deref());
        Ok(())
    }
}

impl Res {
    /// Puts a point among the candidates of the next generation that is asked for, in the place of a random one. It is
    /// valued as it is, and where it is good the search moves towards it; of mirrored pairs the other candidate is its
    /// image on the other side of the centre. A generation takes half as many points as it evaluates.
    ///
    /// # Errors
    /// [`EvolveError::Length`], [`EvolveError::OutOfRange`] for coordinates that are not finite and for more points than a
    /// generation takes, [`EvolveError::OutOfBounds`].
    ///
    /// ```
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut res = Res::new(&[3.0; 2], ResConfig::new())?;
    /// res.inject(&[0.5, 0.25])?;
    /// assert_eq!(res.ask()?.row(0), [0.5, 0.25]);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn inject(&mut self, x: &[f64]) -> Result<(), EvolveError> {
        let next = self.generation() + u64::from(self.is_asked());
        self.inject_into(x, next)
    }

    /// Whether the next generation that is drawn has points of the user's.
    pub(super) fn has_injected(&self) -> bool {
        let mut waiting = self.state.injected.iter();
        waiting.any(|point| point.generation == self.generation())
    }

    /// Puts a point among the candidates of a generation, this one or the next.
    pub(super) fn inject_into(&mut self, x: &[f64], generation: u64) -> Result<(), EvolveError> {
        let n = self.dimension();
        if x.len() != n {
            return Err(EvolveError::Length {
                operation: "RES: inject",
                found: x.len(),
                expected: n,
            });
        }
        self.check_point(x)?;
        let waiting = self.state.injected.iter();
        let waiting = waiting.filter(|i| i.generation == generation).count();
        if waiting >= self.most_injected(generation) {
            return Err(EvolveError::OutOfRange {
                field: "the number of injected points",
                value: waiting as f64 + 1.0,
                wanted: "at most half of what the generation evaluates",
            });
        }
        let x = room::copied(x)?;
        let waiting = &mut self.state.injected;
        room::grow(waiting, 1)?;
        let at = waiting.partition_point(|i| i.generation <= generation);
        waiting.insert(at, Injected { generation, x });
        Ok(())
    }

    /// Whether the search may have a point of the user's.
    pub(super) fn check_point(&self, x: &[f64]) -> Result<(), EvolveError> {
        let improper = |value, wanted| {
            Err(EvolveError::OutOfRange {
                field: "a coordinate of the injected point",
                value,
                wanted,
            })
        };
        if let Some(value) = x.iter().find(|v| !v.is_finite()) {
            return improper(*value, "finite");
        }
        if let Some(bounds) = &self.config.bounds {
            bounds.check("the injected point", x)?;
        }
        match self.config.off_lattice(x) {
            Some(at) => improper(x[at], "a point of the lattice"),
            None => Ok(()),
        }
    }

    fn most_injected(&self, generation: u64) -> usize {
        most_injected(&self.config, self.sizes(), generation)
    }
}

/// How many points a generation takes.
fn most_injected(config: &ResConfig, sizes: Sizes, generation: u64) -> usize {
    // The first candidate of the elitist strategy is the start.
    let first = usize::from(generation == 0 && config.first_shape(1).is_none());
    let draws = Noise::draws(sizes.population, config.sampling);
    (sizes.survivors / 2)
        .max(1)
        .min(draws.saturating_sub(first))
}

/// Whether points that were read from outside are ones that a search can have.
pub(super) fn are_proper(
    points: &[Injected],
    config: &ResConfig,
    sizes: Sizes,
    (finished, n): (u64, usize),
) -> bool {
    let proper = |point: &Injected| {
        let x = &point.x;
        let bounded = |bounds: &Bounds| bounds.check("a point", x).is_ok();
        let placed = x.len() == n && x.iter().all(|v| v.is_finite());
        placed && config.bounds.iter().all(bounded) && config.off_lattice(x).is_none()
    };
    let (now, next) = points.split_at(points.partition_point(|i| i.generation == finished));
    points.iter().all(proper)
        && next.iter().all(|i| i.generation == finished + 1)
        && now.len() <= most_injected(config, sizes, finished)
        && next.len() <= most_injected(config, sizes, finished + 1)
}

/// A step that is shorter has no direction worth to be learnt.
const SHORTEST: f64 = 1e-100;

impl Matrix {
    /// The `z` that lead to points, `A z = step`, for rows of `n` coordinates; none where no `z` does.
    pub(super) fn noises_of(&self, steps: &[f64], n: usize) -> Result<Option<Vec<f64>>, Error> {
        match self {
            Matrix::Identity => Ok(Some(room::copied(steps)?)),
            Matrix::Diagonal { variance, .. } => {
                let variance = variance.iter().cycle();
                let z = steps.iter().zip(variance).map(|(s, v)| s / v.sqrt());
                Ok(Some(room::collected(z)?))
            }
            Matrix::Full { columns } => {
                let matrix = Tensor::from_slice(columns, &[n, n])?.transpose(0, 1)?;
                let steps = Tensor::from_slice(steps, &[steps.len() / n, n])?;
                match matrix.solve(&steps.transpose(0, 1)?) {
                    Ok(z) => Ok(Some(z.transpose(0, 1)?.to_vec::<f64>()?)),
                    // Singular.
                    Err(Error::Matrix { .. }) => Ok(None),
                    Err(e) => Err(e),
                }
            }
            Matrix::LowRank(low) => {
                let mut z = room::copied(steps)?;
                for z in z.chunks_exact_mut(n) {
                    z.iter_mut().zip(low.scale()).for_each(|(z, s)| *z /= s);
                    low.divide(z);
                }
                Ok(Some(z))
            }
        }
    }
}

/// Writes a `z` over a draw, no longer than a long step of the search.
pub(super) fn write_fitting(draw: &mut [f64], z: Option<&[f64]>) -> f64 {
    let known = z.and_then(|z| Some((z, fitting(z)?)));
    match known {
        Some((z, factor)) => {
            draw.iter_mut().zip(z).for_each(|(d, z)| *d = z * factor);
            factor
        }
        // Some direction, and no length: zeros would have neither.
        None => {
            draw.iter_mut().for_each(|z| *z *= SHORTEST);
            SHORTEST
        }
    }
}

/// What makes a `z` no longer than a long step of the search; none where it has no direction.
fn fitting(z: &[f64]) -> Option<f64> {
    let length = z.iter().map(|z| z * z).sum::<f64>().sqrt();
    if !length.is_finite() || length < SHORTEST {
        return None;
    }
    let n = z.len() as f64;
    Some(((n.sqrt() + 2.0 * n / (n + 2.0)) / length).min(1.0))
}
