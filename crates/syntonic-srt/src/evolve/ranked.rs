//! What the ranks of a generation's candidates make of them.

use super::rates::Rates;
use super::score::is_usable;
use super::search::{Generation, Judgement};
use syntonic_core::{Error, room};

/// What the ranks of the usable candidates make of a generation. Every sum is over ranks, best first, so that it depends on their number alone.
pub(super) struct Ranked {
    /// The weight of each candidate: of its rank if it is usable, scaled to sum 1.
    pub(super) weights: Vec<f64>,
    /// The negative weight of each usable candidate of the worse half, by rank.
    pub(super) against: Vec<f64>,
    /// The sum of both.
    pub(super) sum: f64,
    /// `Σ w²` over the first.
    pub(super) square: f64,
    /// How many are usable.
    pub(super) usable: usize,
}

impl Ranked {
    /// None if no candidate is usable.
    pub(super) fn of(judgement: &Judgement<'_>, rates: &Rates) -> Result<Option<Ranked>, Error> {
        let mut weights = room::zeros::<f64>(judgement.order.len())?;
        let mut against = room::zeros::<f64>(judgement.order.len())?;
        let (mut total, mut squares, mut worse, mut usable) = (0.0, 0.0, 0.0, 0);
        let ranks = rates.weights.iter().zip(&rates.against);
        for (position, (weight, negative)) in judgement.order.iter().zip(ranks) {
            if is_usable(judgement.scores[*position]) {
                (weights[*position], against[*position]) = (*weight, *negative);
                total += weight;
                squares += weight * weight;
                worse += negative;
                usable += 1;
            }
        }
        if usable == 0 {
            return Ok(None);
        }
        weights.iter_mut().for_each(|w| *w /= total);
        Ok(Some(Ranked {
            weights,
            against,
            sum: 1.0 + worse,
            square: squares / (total * total),
            usable,
        }))
    }
}

/// `1 / √v` where `v` is the variance of a coordinate of `Σ w z` if ranks were dealt blindly among
/// the usable candidates: `Σ w²` for independent draws, less twice the expected product of two
/// weights for every mirrored pair.
pub(super) fn path_normaliser(
    generation: &Generation,
    judgement: &Judgement<'_>,
    ranked: &Ranked,
) -> f64 {
    let usable = || {
        (0..ranked.weights.len())
            .filter(|i| is_usable(judgement.scores[*i]))
            .map(|i| generation.noise.source(generation.members[i]).0)
    };
    let pairs = usable()
        .zip(usable().skip(1))
        .filter(|(a, b)| a == b)
        .count() as f64;
    let (square, count) = (ranked.square, ranked.usable as f64);
    let product = if count > 1.0 {
        (1.0 - square) / (count * (count - 1.0))
    } else {
        0.0
    };
    1.0 / (square - 2.0 * pairs * product).max(1e-12).sqrt()
}
