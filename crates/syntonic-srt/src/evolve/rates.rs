//! Weights of ranks and learning rates, as N. Hansen's tutorial on the CMA evolution strategy sets
//! them, with the separable and matrix-adaptation variants' own factors.

use super::elementary::ln;
use super::{Sampling, Shape};
use syntonic_core::{Result, room};

/// Constants of a search over n unknowns with K evaluations a generation.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    /// Weight of each rank, best first: decreasing, then zero; the sum is 1.
    pub(super) weights: Vec<f64>,
    /// What the shape learns from each rank of the worse half, negative and decreasing; zero for the better half.
    pub(super) against: Vec<f64>,
    /// Learning rate of the step-size path.
    pub(super) path: f64,
    /// Damping of the step size.
    pub(super) damping: f64,
    /// Learning rate of the shape's path.
    pub(super) shape_path: f64,
    /// Weight of the shape's path in the shape.
    pub(super) rank_one: f64,
    /// Weight of the selected steps in the shape.
    pub(super) rank_mu: f64,
    /// Expected length of a standard normal vector.
    pub(super) expected_length: f64,
}

impl Rates {
    pub(super) fn new(
        n: usize,
        evaluated: usize,
        shape: Shape,
        sampling: Sampling,
    ) -> Result<Rates> {
        let (weights, mut against) = log_rank_weights(evaluated)?;
        let mu = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let n = n as f64;
        let path = (mu + 2.0) / (n + mu + 5.0);
        let excess = (((mu - 1.0).max(0.0) / (n + 1.0)).sqrt() - 1.0).max(0.0);
        let hurry = match (shape, sampling) {
            // A diagonal has n parameters instead of n²/2, so it may learn faster by a third of n.
            (Shape::Separable, _) => (n + 2.0) / 3.0,
            (Shape::Full, Sampling::Antithetic) => (n / UNHURRIED).clamp(1.0, MOST_HURRIED),
            _ => 1.0,
        };
        let slow = 2.0 / ((n + 1.3) * (n + 1.3) + mu);
        let many = 2.0 * (0.25 + mu - 2.0 + 1.0 / mu) / ((n + 2.0) * (n + 2.0) + mu);
        let (rank_one, rank_mu, shape_path) = if shape == Shape::LowRank {
            // Half of what Li and Zhang have: the path of mirrored pairs, normalised, is longer than theirs.
            (1.0 / (6.0 * n.sqrt() + 10.0), 0.0, 2.0 / (n + 7.0))
        } else {
            let one = (slow * hurry).min(1.0);
            let many = (many.min(1.0 - slow) * hurry).min(1.0 - one).max(0.0);
            (one, many, (4.0 + mu / n) / (n + 4.0 + 2.0 * mu / n))
        };
        scale_against(&mut against, n, mu, rank_one, rank_mu);
        let damping = match (sampling, shape) {
            // Without a shape sigma alone has to follow the function, and soon gets too small where it is a ridge.
            (_, Shape::Isotropic) | (Sampling::Independent, _) => 1.0,
            (Sampling::Antithetic, _) => MIRRORED_DAMPING,
        };
        Ok(Rates {
            weights,
            against,
            path,
            damping: damping * (1.0 + 2.0 * excess + path),
            shape_path,
            rank_one,
            rank_mu,
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        })
    }
}

/// Mirrored pairs are half as noisy in the directions that a full matrix learns, so with many unknowns it may learn faster: turned ellipsoids of 65 to
/// 200 unknowns take 0.67 to 0.8 of the evaluations, and Rosenbrock's function 0.9 with the same share of searches that end in its other
/// minimum. With few unknowns BBOB's functions gain nothing.
const MOST_HURRIED: f64 = 2.0;
/// Unknowns up to which it does not.
const UNHURRIED: f64 = 40.0;

/// Mirrored pairs make the path less noisy, so sigma may follow it faster: on the sphere, on Ackley's function and on the
/// share of BBOB's targets, 0.5 to 0.7 is better than 1 and costs nothing elsewhere.
const MIRRORED_DAMPING: f64 = 0.6;

/// Scales the negative weights, of whatever sum, as Hansen's tutorial (2016, eq. 50 to 53) does: to the least of what keeps
/// the covariance without drift, what the negative half knows, and what leaves it positive.
fn scale_against(against: &mut [f64], n: f64, mu: f64, one: f64, many: f64) {
    let sum: f64 = against.iter().sum();
    let square: f64 = against.iter().map(|w| w * w).sum();
    if sum == 0.0 || many == 0.0 {
        against.fill(0.0);
        return;
    }
    let drift = 1.0 + one / many;
    let known = 1.0 + 2.0 * (sum * sum / square) / (mu + 2.0);
    let positive = ((1.0 - one - many) / (n * many)).max(0.0);
    let factor = drift.min(known).min(positive) / -sum;
    against.iter_mut().for_each(|w| *w *= factor);
}

/// `ln((K+1)/2) - ln(rank)`: for the better half, then zero, scaled to sum 1; and zero, then for the worse half as it is.
fn log_rank_weights(evaluated: usize) -> Result<(Vec<f64>, Vec<f64>)> {
    let parents = (evaluated / 2).max(1);
    let middle = ln((evaluated as f64 + 1.0) / 2.0);
    let raw = |rank: usize| middle - ln(rank as f64);
    let mut weights = room::zeros::<f64>(evaluated)?;
    for (weight, rank) in weights.iter_mut().zip(1..=parents) {
        *weight = raw(rank).max(0.0);
    }
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 {
        weights.iter_mut().for_each(|w| *w /= sum);
    } else {
        weights[0] = 1.0;
    }
    let mut against = room::zeros::<f64>(evaluated)?;
    for (weight, rank) in against.iter_mut().zip(1..).skip(parents) {
        *weight = raw(rank).min(0.0);
    }
    Ok((weights, against))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fall_and_sum_to_one() {
        for evaluated in 1..200 {
            let (weights, against) = log_rank_weights(evaluated).unwrap();
            assert_eq!(weights.len(), evaluated);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(weights.windows(2).all(|w| w[0] >= w[1] && w[1] >= 0.0));
            assert!(against.windows(2).all(|w| w[0] >= w[1] && w[0] <= 0.0));
            assert!(weights.iter().zip(&against).all(|(a, b)| a * b == 0.0));
        }
    }

    #[test]
    fn rates_are_proper_for_every_size() {
        for shape in [
            Shape::Isotropic,
            Shape::Separable,
            Shape::Full,
            Shape::LowRank,
        ] {
            for n in [1, 2, 10, 1000, 1_000_000] {
                for evaluated in [2, 3, 10, 1000] {
                    let r = Rates::new(n, evaluated, shape, Sampling::Antithetic).unwrap();
                    for rate in [r.path, r.shape_path, r.rank_one] {
                        assert!(rate > 0.0 && rate <= 1.0, "{n} {evaluated}: {r:?}");
                    }
                    assert!(r.rank_mu >= 0.0 && r.rank_one + r.rank_mu <= 1.0);
                    assert!(r.damping >= MIRRORED_DAMPING);
                    let taken = -r.against.iter().sum::<f64>() * n as f64 * r.rank_mu;
                    let left = 1.0 - r.rank_one - r.rank_mu;
                    assert!(
                        taken <= left * (1.0 + 1e-12) + 1e-300,
                        "{n} {evaluated}: {r:?}"
                    );
                }
            }
        }
    }
}
