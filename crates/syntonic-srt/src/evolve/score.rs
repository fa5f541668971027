//! From values to an order: NaN last, syntony as a bonus.

use super::{Goal, SyntonyWeight};
use syntonic_core::ops::order::sort_by;
use syntonic_core::{Result, room};

/// Values of a generation turned into costs, smaller is better, NaN kept as one NaN.
pub(super) fn costs(values: &[f64], goal: Goal) -> Result<Vec<f64>> {
    let cost = |value: &f64| match goal {
        _ if value.is_nan() => f64::NAN,
        Goal::Minimise => *value,
        Goal::Maximise => -value,
    };
    room::collected(values.iter().map(cost))
}

/// The weight of syntony in units of cost, for a generation with these costs.
pub(super) fn syntony_price(weight: SyntonyWeight, costs: &[f64]) -> Result<f64> {
    Ok(match weight {
        SyntonyWeight::Off => 0.0,
        SyntonyWeight::Absolute(price) => price,
        SyntonyWeight::Spread(price) => price * quartile_distance(costs)?,
    })
}

/// Distance between the quartiles (nearest rank) of the finite costs; 0 if there are none.
fn quartile_distance(costs: &[f64]) -> Result<f64> {
    let mut finite = room::collected(costs.iter().copied().filter(|c| c.is_finite()))?;
    sort_by(&mut finite, f64::total_cmp)?;
    let Some(last) = finite.len().checked_sub(1) else {
        return Ok(0.0);
    };
    let distance = finite[last - last / 4] - finite[last / 4];
    // Two finite numbers can be infinitely far apart.
    Ok(distance.min(f64::MAX))
}

/// The middle value but for NaN, the mean of the two middle ones of an even number; NaN if there are none.
pub(super) fn median(values: &[f64]) -> Result<f64> {
    let mut known = room::collected(values.iter().copied().filter(|v| !v.is_nan()))?;
    sort_by(&mut known, f64::total_cmp)?;
    let Some(last) = known.len().checked_sub(1) else {
        return Ok(f64::NAN);
    };
    let (a, b) = (known[last / 2], known[last - last / 2]);
    // Equal infinities have a middle, but no difference.
    Ok(if a == b { a } else { 0.5 * a + 0.5 * b })
}

/// Positions from best to worst; equal scores by position, NaN last.
pub(super) fn ranking(scores: &[f64]) -> Result<Vec<usize>> {
    let mut order = room::collected(0..scores.len())?;
    // Positions tell equal scores apart, so no stable sort is needed, which would ask for memory of its own.
    sort_by(&mut order, |a, b| {
        let (x, y) = (scores[*a], scores[*b]);
        x.is_nan()
            .cmp(&y.is_nan())
            .then(x.partial_cmp(&y).unwrap_or(std::cmp::Ordering::Equal))
            .then(a.cmp(b))
    })?;
    Ok(order)
}

/// Whether a candidate with this score may be a parent: not NaN and not infinitely bad.
pub(super) fn is_usable(score: f64) -> bool {
    score < f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_ranks_after_infinity_and_ties_keep_their_order() {
        let nan = f64::NAN;
        let scores = [nan, 1.0, f64::INFINITY, 0.0, 1.0, -0.0, nan];
        assert_eq!(ranking(&scores).unwrap(), [3, 5, 1, 4, 2, 0, 6]);
    }

    #[test]
    fn the_median_knows_no_nan() {
        let inf = f64::INFINITY;
        assert_eq!(median(&[3.0, f64::NAN, 1.0]).unwrap(), 2.0);
        assert_eq!(median(&[5.0, inf, -inf]).unwrap(), 5.0);
        assert_eq!(median(&[inf, inf]).unwrap(), inf);
        assert_eq!(median(&[f64::MAX, f64::MAX]).unwrap(), f64::MAX);
        assert!(median(&[f64::NAN]).unwrap().is_nan());
    }

    #[test]
    fn maximising_turns_costs_round() {
        let costs = costs(&[1.0, f64::NAN, f64::INFINITY], Goal::Maximise).unwrap();
        assert_eq!(costs[0], -1.0);
        assert!(costs[1].is_nan() && costs[2] == f64::NEG_INFINITY);
    }

    #[test]
    fn the_spread_ignores_what_is_not_finite() {
        let costs = [4.0, f64::NAN, 0.0, 1.0, f64::INFINITY, 3.0, 2.0];
        assert_eq!(quartile_distance(&costs).unwrap(), 2.0);
        assert_eq!(quartile_distance(&[f64::NAN]).unwrap(), 0.0);
        assert_eq!(quartile_distance(&[f64::MAX, -f64::MAX]).unwrap(), f64::MAX);
    }
}
