//! Weights of ranks and learning rates, as N. Hansen's tutorial on the CMA evolution strategy sets
//! them, with the separable and matrix-adaptation variants' own factors.

use super::Shape;
use super::elementary::ln;
use syntonic_core::{Result, room};

/// Constants of a search over n unknowns with K evaluations a generation.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    /// Weight of each rank, best first: decreasing, then zero; the sum is 1.
    pub(super) weights: Vec<f64>,
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
    pub(super) fn new(n: usize, evaluated: usize, shape: Shape) -> Result<Rates> {
        let weights = log_rank_weights(evaluated)?;
        let mu = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let n = n as f64;
        let path = (mu + 2.0) / (n + mu + 5.0);
        let excess = (((mu - 1.0).max(0.0) / (n + 1.0)).sqrt() - 1.0).max(0.0);
        // A diagonal has n parameters instead of n²/2, so it may learn faster by a third of n.
        let hurry = if shape == Shape::Separable {
            (n + 2.0) / 3.0
        } else {
            1.0
        };
        let one = 2.0 / ((n + 1.3) * (n + 1.3) + mu);
        let many = 2.0 * (mu - 2.0 + 1.0 / mu) / ((n + 2.0) * (n + 2.0) + mu);
        let rank_one = (one * hurry).min(1.0);
        Ok(Rates {
            weights,
            path,
            damping: 1.0 + 2.0 * excess + path,
            shape_path: (4.0 + mu / n) / (n + 4.0 + 2.0 * mu / n),
            rank_one,
            rank_mu: (many.min(1.0 - one) * hurry).min(1.0 - rank_one).max(0.0),
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        })
    }
}

/// `ln((K+1)/2) - ln(rank)` for the better half, zero for the rest, scaled to sum 1.
fn log_rank_weights(evaluated: usize) -> Result<Vec<f64>> {
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
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fall_and_sum_to_one() {
        for evaluated in 1..200 {
            let weights = log_rank_weights(evaluated).unwrap();
            assert_eq!(weights.len(), evaluated);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(weights.windows(2).all(|w| w[0] >= w[1] && w[1] >= 0.0));
        }
    }

    #[test]
    fn rates_are_proper_for_every_size() {
        for shape in [Shape::Isotropic, Shape::Separable, Shape::Full] {
            for n in [1, 2, 10, 1000, 1_000_000] {
                for evaluated in [2, 3, 10, 1000] {
                    let r = Rates::new(n, evaluated, shape).unwrap();
                    for rate in [r.path, r.shape_path, r.rank_one] {
                        assert!(rate > 0.0 && rate <= 1.0, "{n} {evaluated}: {r:?}");
                    }
                    assert!(r.rank_mu >= 0.0 && r.rank_one + r.rank_mu <= 1.0);
                    assert!(r.damping >= 1.0);
                }
            }
        }
    }
}
