//! The elitist strategy: the centre is the best candidate ever.

use super::elementary::exp;
use super::score::is_usable;
use super::search::{Generation, Judgement};
use super::{exact, syntony};
use serde::{Deserialize, Serialize};

/// What the parent cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Cost(#[serde(with = "exact")] pub(super) f64);

/// Takes the best candidate for parent if it is better; returns what multiplies sigma, by the rule
/// of one success in five.
pub(super) fn select_best(
    centre: &mut [f64],
    parent: &mut Option<Cost>,
    generation: &Generation,
    judgement: &Judgement<'_>,
) -> f64 {
    let best = judgement.order[0];
    let usable = is_usable(judgement.scores[best]);
    let Some(Cost(cost)) = *parent else {
        if usable {
            centre.copy_from_slice(generation.population.row(best));
            *parent = Some(Cost(judgement.costs[best]));
        }
        return if usable { 1.0 } else { 0.5 };
    };
    let bar = match judgement.price {
        0.0 => cost,
        price => cost - price * syntony::weighted(centre, judgement.modes),
    };
    let successes = judgement.scores.iter().filter(|s| **s < bar).count() as f64;
    if judgement.scores[best] < bar {
        centre.copy_from_slice(generation.population.row(best));
        *parent = Some(Cost(judgement.costs[best]));
    }
    let count = judgement.scores.len() as f64;
    let damping = 1.0 + centre.len() as f64 / (2.0 * count);
    exp((successes / count - 0.2) / (0.8 * damping))
}
