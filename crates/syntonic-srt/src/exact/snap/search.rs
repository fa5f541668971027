//! The nearest point by all that are near, compared in integers: right for every number, and what decides where floats cannot.
//!
//! A lattice point `z = a + b φ` is also a point of the plane, `(z, σ(z))` with its conjugate. Those with bounded coefficients
//! near `x` have a short distance on the first axis and a long range on the second. Multiplied by a power of φ, which maps the
//! lattice to itself and stretches the first axis as it shrinks the second, both are a few units long: some thirty points
//! are left, and their distances are compared in integers.
//!
//! Source of the bound on distances: the three-distance theorem, Sós, *On the distribution mod 1 of the sequence nα* (1958).

use crate::constants::{INV_PHI, PHI};
use crate::exact::whole::sign;
use crate::exact::{Golden, fibonacci};
use std::cmp::Ordering;

/// Up to so many factors of φ are tried one by one.
const FEW: i64 = 8;
/// More than floats of 34 bits before the point and a product with φ are wrong by.
const ERROR: f64 = 1e-3;

/// The nearest point, for an `x` of which there is one; none where no point is within the bound.
pub(super) fn nearest(x: f64, bound: u32) -> Option<Golden> {
    let most = f64::from(bound);
    let mut search = Search::new(x, bound);
    // Factors of φ with which a coefficient fits beside any point that close, and those with which it surely does.
    let span = |room: f64| {
        let low = ((x - most - room) * INV_PHI).max(-most);
        let high = ((x + most + room) * INV_PHI).min(most);
        (low, high)
    };
    let (low, high) = span(1.0);
    let (inner_low, inner_high) = span(-1.0);
    let sure = inner_high.floor() - inner_low.ceil() + 1.0;
    if sure < FEW as f64 {
        search.one_by_one(low.floor() as i64, high.ceil() as i64);
    } else {
        search.stretched(low, high, sure as i64);
    }
    search.best
}

/// The nearest point so far.
struct Search {
    bound: i64,
    /// `x = whole + rest`, with `rest` from -1/2 to 1/2; both exact.
    whole: i64,
    rest: f64,
    exact: Dyadic,
    best: Option<Golden>,
}

impl Search {
    fn new(x: f64, bound: u32) -> Search {
        let rest = x - x.round();
        Search {
            bound: bound.into(),
            whole: x.round() as i64,
            rest,
            exact: Dyadic::of(rest),
            best: None,
        }
    }

    /// Every factor of φ, with the two integers around what is left.
    fn one_by_one(&mut self, low: i64, high: i64) {
        for b in low..=high {
            let a = self.whole + (self.rest - b as f64 * PHI).floor() as i64;
            for a in [a, a + 1] {
                self.meet(Golden::new(a.clamp(-self.bound, self.bound), b));
            }
        }
    }

    /// All points as near as one must be, where there are `sure` factors of φ from `low` to `high`.
    fn stretched(&mut self, low: f64, high: f64, sure: i64) {
        let fits = |&k: &u32| fibonacci(k).is_ok_and(|f| f <= sure);
        let Some(k) = (2..80).take_while(fits).last() else {
            return;
        };
        // The largest gap is φ^-(k-2): all points that near, times φ^k, where that is φ².
        let Ok(back) = Golden::phi_power(-(k as i32)) else {
            return;
        };
        let (stretch, reach) = (PHI.powi(k as i32), PHI * PHI + 0.1);
        let centre = self.rest * stretch;
        // The conjugate of a point with the factor b is the point less b √5; a power of φ becomes one of -1/φ.
        let root = 5f64.sqrt();
        let shrink = if k.is_multiple_of(2) { 1.0 } else { -1.0 } / stretch;
        let ends = [low, high].map(|b| (self.rest - b * root) * shrink);
        let (least, most) = (ends[0].min(ends[1]) - 0.1, ends[0].max(ends[1]) + 0.1);
        let first = ((centre - reach - most) / root).floor() as i64;
        let last = ((centre + reach - least) / root).ceil() as i64;
        // Only what is nearest but for the error of these floats is compared in integers.
        let mut nearest = reach;
        for b in first..=last {
            let left = centre - b as f64 * PHI;
            for a in (left - reach).ceil() as i64..=(left + reach).floor() as i64 {
                let far = (a as f64 - left).abs();
                if far > nearest + ERROR {
                    continue;
                }
                if let Ok(point) = Golden::new(a, b).times(back)
                    && self.meet(Golden::new(point.a + self.whole, point.b))
                {
                    nearest = nearest.min(far);
                }
            }
        }
    }

    /// Takes a point, if it is nearer than the one before; true if it is within the bound.
    fn meet(&mut self, point: Golden) -> bool {
        if point.a.abs() > self.bound || point.b.abs() > self.bound {
            return false;
        }
        let nearer = |best: Golden| {
            let size = |z: Golden| (z.b.abs(), z.a.abs());
            self.nearer(point, best)
                .then_with(|| size(point).cmp(&size(best)))
                .is_lt()
        };
        if self.best.is_none_or(nearer) {
            self.best = Some(point);
        }
        true
    }

    /// Compares the distances of two points.
    fn nearer(&self, x: Golden, y: Golden) -> Ordering {
        let from_whole = |z: Golden| Golden::new(z.a - self.whole, z.b);
        let (x, y) = (from_whole(x), from_whole(y));
        match (self.exact.below(x, 1), self.exact.below(y, 1)) {
            (Ordering::Less, Ordering::Less) => y.cmp(&x),
            (Ordering::Less, _) => {
                let both = Golden::new(x.a + y.a, x.b + y.b);
                // x lies as far below as y above where their sum is twice the number.
                self.exact.below(both, 2).reverse()
            }
            (_, Ordering::Less) => {
                let both = Golden::new(x.a + y.a, x.b + y.b);
                self.exact.below(both, 2)
            }
            _ => x.cmp(&y),
        }
    }
}

/// `mantissa × 2^-places`: what a float is exactly.
struct Dyadic {
    mantissa: i64,
    places: u32,
}

/// More places than this belong to numbers that are smaller than any lattice point that is not zero.
const PLACES: u32 = 91;

impl Dyadic {
    /// A number from -1/2 to 1/2.
    fn of(x: f64) -> Dyadic {
        let bits = x.to_bits();
        let (exponent, fraction) = ((bits >> 52) as i32 & 0x7ff, (bits & ((1 << 52) - 1)) as i64);
        let (mantissa, power) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        let zeros = if mantissa == 0 {
            0
        } else {
            mantissa.trailing_zeros().min(power.unsigned_abs())
        };
        Dyadic {
            mantissa: (mantissa >> zeros) * if x < 0.0 { -1 } else { 1 },
            places: power.unsigned_abs() - zeros,
        }
    }

    /// Where a lattice point, with coefficients of at most 35 bits, lies beside so many times this number.
    fn below(&self, point: Golden, times: i128) -> Ordering {
        if self.mantissa == 0 {
            return point.signum().cmp(&0);
        }
        if self.places > PLACES {
            return point.signum().cmp(&0).then(0.cmp(&self.mantissa));
        }
        let (a, b) = (i128::from(point.a), i128::from(point.b));
        let number = times * i128::from(self.mantissa);
        sign(&((a << self.places) - number), &(b << self.places))
    }
}
